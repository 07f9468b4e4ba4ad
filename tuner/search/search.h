/* Search: proposes the point of a space to measure next. A point has one index per coordinate, into the coordinate's
 * sorted values. Searches know nothing of kernels, so that a test runs them on synthetic spaces. Each search is one
 * file and one row in search.c. */
#ifndef SQ_TUNER_SEARCH_SEARCH_H
#define SQ_TUNER_SEARCH_SEARCH_H
#include "support/text.h"
#include <stdbool.h>

enum { SQ_MAX_COORDS = 256 };

/* Identifies the meaning of the first SQ_PRIOR_FEATURES numbers of a statement in files with learned models. It must
 * change when the meaning of any of them does. */
#define SQ_FEATURES_NAME "ansor-1 pruner-1"

/* Numbers that describe a statement of a point's code: the features of Ansor (tuner/model/ansor_features.h), the draft
 * and the flow of data of Pruner (tuner/model/pruner_features.h). */
enum {
    SQ_FEATURES = 164,
    SQ_DRAFT = SQ_FEATURES, /* offset of the draft */
    SQ_DRAFT_NUMBERS = 10,
    SQ_FLOW = SQ_DRAFT + SQ_DRAFT_NUMBERS,
    SQ_PRIOR_FEATURES = SQ_FLOW, /* features and draft, which models for other kernels use */
    SQ_FLOW_STEPS = 8,
    SQ_FLOW_NUMBERS = 24, /* per step */
    SQ_STATEMENT = SQ_FLOW + SQ_FLOW_STEPS * SQ_FLOW_NUMBERS,
    SQ_STATEMENTS = 64 /* limit on the statements described */
};
/* The numbers of a draft: lower bounds of the seconds for a statement's operations and for the bytes that it moves,
 * then the attainable shares of the machine's limits, from 0 to 1. */
typedef enum sq_draft_number {
    SQ_DRAFT_COMPUTE,
    SQ_DRAFT_MEMORY,
    SQ_DRAFT_REGISTERS, /* live vectors fit in registers */
    SQ_DRAFT_LOADS,     /* multiply-adds relative to loads */
    SQ_DRAFT_CHAINS,    /* independent sums */
    SQ_DRAFT_LANES,     /* lanes in use */
    SQ_DRAFT_THREADS,   /* threads in use */
    SQ_DRAFT_L1,        /* the data of a register tile fits in the L1 cache */
    SQ_DRAFT_L2,        /* the data of a block fits in the L2 cache */
    SQ_DRAFT_RUN        /* bytes used of the lines touched */
} sq_draft_number;

/* The property of loops that a coordinate controls, if it is neither a size nor structural; and for both whether it is
 * of a tile that matrix instructions compute, or dot products of bytes. */
typedef enum sq_coord_mark {
    SQ_COORD_UNMARKED,
    SQ_COORD_UNROLLS,
    SQ_COORD_THREADS,
    SQ_COORD_MATRIX,
    SQ_COORD_MARKS
} sq_coord_mark;

/* The kind of a coordinate. */
typedef enum sq_coord_kind {
    SQ_COORD_OF_SIZE,
    SQ_COORD_OF_STRUCTURE,
    SQ_COORD_OF_UNROLLING,
    SQ_COORD_OF_THREADS,
    SQ_COORD_KINDS
} sq_coord_kind;

typedef struct sq_coord {
    char name[48]; /* "tile.i1" */
    int nvalues;
    const long *value; /* ascending; the search moves among indices */
    int axis;        /* coordinates of one axis are levels of one dimension: a factor may move from
                        one to another; -1: not a size */
    bool structural; /* order, packing, vector dimension: points that differ here are of different
                        kinds */
    sq_coord_mark mark;
    int under, under_value; /* relevant only if coordinate under-1 has the value with this index; 0:
                               always */
} sq_coord;

typedef struct sq_space {
    int n;
    sq_coord coord[SQ_MAX_COORDS];
    int start[SQ_MAX_COORDS]; /* the untuned choice, which is measured first */
    /* Appends the name of a point. Points with one name are the same point, so a coordinate without effect at a point
       is ignored there. NULL: the coordinates are the name. */
    void (*name)(void *user, const int *point, sq_text *to);
    void *user;
} sq_space;

/* The result of a point. */
typedef struct sq_told {
    int point[SQ_MAX_COORDS];
    bool valid;  /* was built, ran and was verified */
    double cost; /* seconds corrected for drift: comparable between all points of a run */
    bool wins;   /* it becomes the incumbent: it is significantly faster than the previous one */
} sq_told;

/* The points requested so far, by name; shared by searches that run together. The space must
 * outlive it. */
typedef struct sq_seen sq_seen;
sq_seen *sq_seen_new(const sq_space *space);
/* Returns false if the point was already in it. */
bool sq_seen_add(sq_seen *s, const int *point);
bool sq_seen_has(const sq_seen *s, const int *point);
sq_seen *sq_seen_free(sq_seen *s);

/* A model learned from other kernels, and from this one at other sizes: trees on the first SQ_PRIOR_FEATURES numbers of
 * statements, whose scores add up to the speed of a point, 1 for the fastest. `now` returns the current trees, which
 * remain valid until the search is closed; NULL if there are none. */
typedef struct sq_prior {
    const struct sq_forest *(*now)(void *user); /* NULL: there are never any */
    void *user;
    const struct sq_weights *weights; /* what a network has learned, on whatever machines (pacm.h); NULL: nothing */
} sq_prior;

typedef struct sq_search_options {
    unsigned long long seed;
    double (*draft)(void *user,
                    const int *point); /* returns predicted seconds, INFINITY if illegal; or NULL */
    void *draft_user;
    /* Fills the features of the statements of a point's code, a row each. Returns their number; 0: unknown; -1: the
       point has no code. May be NULL. */
    int (*features)(void *user, const int *point, float (*row)[SQ_STATEMENT]);
    void *features_user;
    /* The script of a point, appended to `to`; -1: there is none. NULL. */
    int (*script)(void *user, const int *point, sq_text *to);
    void *script_user;
    sq_prior prior;
    double (*spent)(void *user); /* returns the share of the budget spent, 0 to 1; NULL: unlimited */
    void *spent_user;
    int storm_trials; /* length of a storm, which ends early if it finds nothing for long; 0: unlimited */
    bool follows;     /* a storm after others: earlier results guide it from the first point */
    sq_seen *seen;    /* NULL: the search has its own */
} sq_search_options;

typedef struct sq_seek sq_seek;
typedef struct sq_search {
    const char *name, *doc;
    /* The space must outlive it. */
    sq_seek *(*open)(const sq_space *space, const sq_search_options *o);
    /* Returns 1 and fills point[], never with the same point twice; 0 if it needs a result first; -1 if it has
     * finished. May be called again before earlier results are told. */
    int (*ask)(sq_seek *s, int *point);
    /* Also accepts points that ask() did not return: from a store, from another search. */
    void (*tell)(sq_seek *s, const sq_told *t);
    sq_seek *(*close)(sq_seek *s);
    const char *(*lacks)(void); /* returns a requirement that this machine lacks, NULL if there is none; or NULL */
    const char *(*misses)(const sq_space *space); /* the same for a space that it is to search */
    bool has_prior; /* it uses the prior of the options */
    bool has_weights; /* it begins with the network of the options' prior */
    int by_chance; /* without a prior: random points before results guide it; 0: they always do, or never */
    const char *ends; /* why it has finished when ask() returns -1: "every point was tried" */
    /* Writes its progress in a few words to `to` (n bytes): "storm, 12 of 40 points". May be NULL. */
    void (*says)(const sq_seek *s, char *to, size_t n);
} sq_search;

/* False if the model rejects the point. */
bool sq_search_legal(const sq_search_options *o, const int *point);

/* All searches, terminated by NULL; the first is the default. */
extern const sq_search *const sq_searches[];
const sq_search *sq_search_get(const char *name);
extern const sq_search sq_search_default, sq_search_storm, sq_search_raindrop, sq_search_random, sq_search_grid,
    sq_search_genetic, sq_search_annealing, sq_search_boosted, sq_search_droplet, sq_search_ansor, sq_search_meta,
    sq_search_pruner, sq_search_moa, sq_search_tensorcore, sq_search_beam;
/* Searches that lack a part of another one, for comparisons; terminated by NULL. sq_search_get finds them, too. */
extern const sq_search *const sq_search_ablations[];
extern const sq_search sq_search_ansor_unled, sq_search_ansor_unevolved, sq_search_droplet_single,
    sq_search_meta_unled, sq_search_meta_undescended, sq_search_pruner_undrafted, sq_search_pruner_unverified,
    sq_search_pruner_unpenalised, sq_search_pruner_trees, sq_search_pruner_mlp, sq_search_pruner_tlp,
    sq_search_moa_tuned, sq_search_tensorcore_undrafted, sq_search_storm_unlearned, sq_search_beam_greedy,
    sq_search_beam_dropout, sq_search_beam_unled, sq_search_beam_unrefined, sq_search_pruner_no_registers,
    sq_search_pruner_no_loads, sq_search_pruner_no_chains, sq_search_pruner_no_lanes, sq_search_pruner_no_threads,
    sq_search_pruner_no_l1, sq_search_pruner_no_l2, sq_search_pruner_no_run;

/* True if there are tiles of matrix instructions in it. */
bool sq_space_has_matrix(const sq_space *s);
/* False if the coordinate has one value, or is irrelevant at the point. */
bool sq_space_varies(const sq_space *s, const int *point, int coord);
sq_coord_kind sq_coord_kind_of(const sq_coord *c);
/* Returns the index of the value of a coordinate that is nearest to v by ratio. */
int sq_coord_nearest(const sq_coord *c, long v);
/* The value of a coordinate at a point. */
long sq_space_value(const sq_space *s, const int *point, int coord);
/* Returns the number of points, which may exceed the range of integers. */
double sq_space_size(const sq_space *s);
/* Resets coordinates that are irrelevant at a point to their start, so that equivalent points become equal. A
 * coordinate comes after the one it is under. */
void sq_space_settle(const sq_space *s, int *point);
/* True if the points differ in a structural coordinate. */
bool sq_space_other_kind(const sq_space *s, const int *a, const int *b);

/* A walk over all points, one per name: the start, those that differ from it in one coordinate, in two … (walk.c). It
 * skips illegal points. */
typedef struct sq_walk sq_walk;
sq_walk *sq_walk_new(const sq_space *space, const sq_search_options *o);
/* Finds the next point that is not in `seen`, and adds it; false if there is none. */
bool sq_walk_next(sq_walk *w, sq_seen *seen, int *point);
sq_walk *sq_walk_free(sq_walk *w);
#endif
