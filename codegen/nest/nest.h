/* Nest: the loop tree between schedule and text. Loops, copies and register tiles, with bounds
 * and conditions as expressions over the loop variables and the kernel's sizes; all that a
 * printer needs, nothing a target decides. Built by sq_lower, owned by the arena of its pool.
 *
 * The points of a register tile never show up as loops: a leaf names the tile's origin and how many
 * of its points exist, and the tile evaluator (tile.c) writes them out. */
#ifndef SQ_CODEGEN_NEST_NEST_H
#define SQ_CODEGEN_NEST_NEST_H
#include "codegen/nest/ref.h"
#include "codegen/isa/target.h"
#include "ir/schedule/schedule.h"
#include "support/text.h"

typedef enum sq_node_kind {
    SQ_NODE_LOOP,  /* for (name = lo; name < hi; name += step) body; `once`: name = lo; body */
    SQ_NODE_IF,    /* if (cond) body else other */
    SQ_NODE_COPY,  /* fill a pack's buffer */
    SQ_NODE_HELD,  /* the tile's sums stay in registers across body: loops around its steps */
    SQ_NODE_TILE,  /* evaluate the group's register tile at the loops' values */
    SQ_NODE_SCAN,  /* code of loops over single points */
    SQ_NODE_FUSION /* the nests of groups that share loops, one after the other */
} sq_node_kind;

/* How many of a tile dimension's points exist at a leaf. */
typedef enum sq_count_kind {
    SQ_COUNT_FULL,   /* all of them, always */
    SQ_COUNT_EXACT,  /* all, or `rest` of them: both known now, two texts */
    SQ_COUNT_RUNTIME /* all, or any smaller number: one full text, one that masks */
} sq_count_kind;

typedef struct sq_count {
    sq_count_kind kind;
    int64_t rest;               /* EXACT */
    const sq_code_expr *number; /* that exists, at most the tile's points; NULL: of no tile */
} sq_count;

/* What is known of how many steps the serial loop has at a leaf. */
typedef struct sq_steps {
    int64_t most;    /* 0: not known */
    int64_t divisor; /* of every number of them; 0: not known, or there are never any */
} sq_steps;

/* A tile that ends where the points do and may begin earlier than its loop says: it computes once more what
 * it shares with those before, and no lane of it is masked. */
typedef struct sq_overlap {
    int64_t points; /* of it along the lanes */
    bool is_sure;   /* there are as many, whatever the sizes are */
} sq_overlap;

/* What is left over along a loop over lanes, where masks are dear. */
enum { SQ_MAX_OVERLAPS = 2 };
typedef struct sq_ends {
    int loop;    /* which */
    bool is_run; /* it is the innermost one, and may be one over whole tiles, then one over
                                 what is left over */
    const sq_code_expr *base; /* its first point */
    int noverlaps;
    sq_overlap overlap[SQ_MAX_OVERLAPS]; /* the first for which there is room */
    int64_t
        lanes; /* where there is for none: along the lanes, of the tiles of which only the last is
                      masked; 0: one masked tile takes all */
} sq_ends;

typedef struct sq_node {
    sq_node_kind kind;
    const char *name;            /* LOOP: variable */
    const sq_code_expr *lo, *hi; /* LOOP: half open */
    int64_t step;
    bool once;                      /* LOOP: runs exactly once */
    sq_loop_kind runs;              /* LOOP */
    int threads;                    /* LOOP: SQ_LOOP_LANES */
    const sq_code_expr *cond;       /* IF */
    struct sq_code *code;           /* SCAN */
    const sq_buffer *buffer;        /* COPY */
    bool after_copy;                /* COPY: follows another */
    bool meets;                     /* HELD: threads of several warps put its sums together */
    const struct sq_fusion *fusion; /* FUSION */
    struct sq_node *body;           /* first child; children are linked by next */
    struct sq_node *other;          /* IF: else */
    struct sq_node *next;
} sq_node;

/* One group lowered; of a fusion, what lies inside of those. */
typedef struct sq_nest {
    const sq_group *group;
    const sq_kernel *kernel;
    int index;                /* of the group, for names */
    sq_code_pool *code;       /* of its expressions */
    const sq_code_expr *cond; /* under which it runs at all; NULL: always */
    sq_node *root;
    int nbuffers;
    sq_buffer *buffer[SQ_MAX_PACKS];
    int nrefs;
    sq_ref **ref;                /* every access of the group, reads then writes */
    sq_count count[SQ_MAX_DIMS]; /* of tile dimensions */
    sq_ends ends;
    const sq_code_expr *serial_lo, *serial_hi; /* range of the serial loop at a leaf, or NULL */
    const sq_code_expr *serial_from;           /* serial_lo, or the variable that holds it */
    sq_steps steps;                            /* of the serial loop */
    const sq_code_expr *anchor[SQ_MAX_DIMS];   /* smallest value of each dimension */
    const sq_code_expr *end[SQ_MAX_DIMS];      /* one past the largest, whatever the others are */
    const sq_code_expr *whole;  /* the threads of this block all have whole tiles; NULL: always */
    const sq_code_expr *active; /* this thread has points at all; NULL: always */
    const sq_code_expr *first, *last; /* first resp. last partial sum; NULL: no partial sums */
    bool has_tiles;                   /* some leaf is a register tile */
    bool box;                         /* its points are a product of ranges */
    bool ragged;                /* box: of which one ends earlier at some values of the others */
    bool on_grid;              /* threads of a grid run it */
    bool has_fusion;           /* its leaf is a fusion: this is the frame */
    const sq_rounded *rounded; /* see strict.h */
} sq_nest;

/* Groups that share loops, or one alone. */
typedef struct sq_fusion {
    sq_nest *frame; /* the shared loops, whose leaf is this fusion; NULL: none are shared */
    int nnests;
    sq_nest **nest; /* in the order they run: of each group, and of where its reduction is empty */
} sq_fusion;

/* Lowers the fusion that starts with group `head`, for text of a target (NULL: any); NULL after adding
 * an error. */
sq_fusion *sq_lower_fusion(const sq_schedule *s, int head, const sq_target *t, sq_code_pool *code,
                           sq_diags *d);

#endif
