/* Nest: the loop tree between schedule and text. It has loops, copies and register tiles, with
 * bounds and conditions as expressions over the loop variables and the kernel's sizes; everything
 * that a printer needs, independent of the target. Built by sq_lower, owned by the arena of its
 * pool.
 *
 * The points of a register tile are not loops: a leaf has the tile's origin and how many of its
 * points exist, and the tile evaluator (tile.c) unrolls them. */
#ifndef SQ_CODEGEN_NEST_NEST_H
#define SQ_CODEGEN_NEST_NEST_H
#include "codegen/nest/ref.h"
#include "codegen/isa/target.h"
#include "ir/schedule/schedule.h"
#include "support/text.h"

typedef enum sq_node_kind {
    SQ_NODE_LOOP,  /* for (name = lo; name < hi; name += step) body; `once`: name = lo; body */
    SQ_NODE_IF,    /* if (cond) body else other */
    SQ_NODE_COPY,  /* fills a pack's buffer */
    SQ_NODE_HELD,  /* the tile's sums stay in registers during body: loops around its steps */
    SQ_NODE_TILE,  /* evaluates the group's register tile at the loops' values */
    SQ_NODE_SCAN,  /* code of loops over single points */
    SQ_NODE_FUSION /* the nests of groups that share loops, in sequence */
} sq_node_kind;

/* How many of a tile dimension's points exist at a leaf. */
typedef enum sq_count_kind {
    SQ_COUNT_FULL,   /* always all of them */
    SQ_COUNT_EXACT,  /* all, or `rest` of them, which is known now: two variants */
    SQ_COUNT_RUNTIME /* all, or any smaller number: a full variant and a masked one */
} sq_count_kind;

typedef struct sq_count {
    sq_count_kind kind;
    int64_t rest;               /* EXACT */
    const sq_code_expr *number; /* of points that exist, at most the tile's; NULL: not in a tile */
} sq_count;

/* What is known of the trip count of the serial loop at a leaf. */
typedef struct sq_steps {
    int64_t most;    /* upper bound; 0: not known */
    int64_t divisor; /* a divisor of the count; 0: not known, or the count is always 0 */
} sq_steps;

/* A tile that ends at the last point and may begin earlier than its loop's variable: it recomputes
 * the points that it shares with earlier tiles, and needs no mask. */
typedef struct sq_overlap {
    int64_t points; /* of the tile, along the lanes */
    bool is_sure;   /* that many points exist, whatever the sizes are */
} sq_overlap;

/* How remainders of a vectorized loop are computed on targets whose masks are expensive. */
enum { SQ_MAX_OVERLAPS = 2 };
typedef struct sq_ends {
    int loop;    /* the vectorized loop */
    bool is_run; /* it is the innermost one, and may be split into full tiles and the remainder */
    const sq_code_expr *base; /* its first point */
    int noverlaps;
    sq_overlap overlap[SQ_MAX_OVERLAPS]; /* the first one that fits is used */
    int64_t
        /* if none fits: points along the lanes of the tiles of which only the last is masked; 0:
         * one masked tile takes all */
        lanes;
} sq_ends;

typedef struct sq_node {
    sq_node_kind kind;
    const char *name;            /* LOOP: variable */
    const sq_code_expr *lo, *hi; /* LOOP: a half-open range */
    int64_t step;
    bool once;                      /* LOOP: has exactly one iteration */
    sq_loop_kind runs;              /* LOOP */
    int threads;                    /* LOOP: SQ_LOOP_LANES */
    const sq_code_expr *cond;       /* IF */
    struct sq_code *code;           /* SCAN */
    const sq_buffer *buffer;        /* COPY */
    bool after_copy;                /* COPY: follows another */
    bool meets;                     /* HELD: its sums are combined among threads of several warps */
    const struct sq_fusion *fusion; /* FUSION */
    struct sq_node *body;           /* first child; children are linked by next */
    struct sq_node *other;          /* IF: else */
    struct sq_node *next;
} sq_node;

/* A lowered group; in a fusion, the part inside of the shared loops. */
typedef struct sq_nest {
    const sq_group *group;
    const sq_kernel *kernel;
    int index;                /* number of the group, for names */
    sq_code_pool *code;       /* pool of its expressions */
    const sq_code_expr *cond; /* the nest runs only if it holds; NULL: always */
    sq_node *root;
    int nbuffers;
    sq_buffer *buffer[SQ_MAX_PACKS];
    int nrefs;
    sq_ref **ref;                /* every access of the group, reads then writes */
    int nwindows;
    const sq_window *window; /* of the fusion that it is in */
    sq_count count[SQ_MAX_DIMS]; /* of the tile dimensions */
    sq_ends ends;
    const sq_code_expr *serial_lo, *serial_hi; /* range of the serial loop at a leaf, or NULL */
    const sq_code_expr *serial_from;           /* serial_lo, or the variable that holds it */
    sq_steps steps;                            /* trip count of the serial loop */
    const sq_code_expr *anchor[SQ_MAX_DIMS];   /* minimum of each dimension */
    const sq_code_expr *end[SQ_MAX_DIMS];      /* maximum plus 1, over all values of the others */
    /* condition that the threads of this block all have full tiles; NULL: always */
    const sq_code_expr *whole;
    const sq_code_expr *active; /* condition that this thread has any points; NULL: always */
    /* condition of the first and of the last partial sum; NULL: no partial sums */
    const sq_code_expr *first, *last;
    bool has_tiles;                   /* some leaf is a register tile */
    bool box;                         /* its points are a product of ranges */
    bool ragged;                /* box: some range ends earlier at some values of the others */
    bool on_grid;              /* threads of a grid run it */
    bool takes_empty;          /* it computes the points as well whose sum is empty */
    bool has_fusion;           /* its leaf is a fusion, of which this is the frame */
    const sq_rounded *rounded; /* see strict.h */
} sq_nest;

/* Groups that share loops, or a single group. */
typedef struct sq_fusion {
    sq_nest *frame; /* the shared loops, whose leaf is this fusion; NULL: none */
    int nnests;
    /* in execution order: those of each group, of its border, and of the points where its reduction is empty */
    sq_nest **nest;
} sq_fusion;

/* Lowers the fusion that starts with group `head`, for text of a target (NULL: any); NULL after adding
 * an error. */
sq_fusion *sq_lower_fusion(const sq_schedule *s, int head, const sq_target *t, sq_code_pool *code,
                           sq_diags *d);

#endif
