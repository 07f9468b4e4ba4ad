/* Schedule: in what order and with which memory a kernel is computed. A list of groups, each a nest
 * of its own; in a group, statements with the same free dimensions are evaluated together over one
 * register tile. Built by the default of sq_schedule_new and changed only by transforms, which go
 * through sq_script_apply; plain data, no isl objects, so that it is copied by value.
 *
 * gemm under `tile(i:48, j:256, k:768) order(j0, k0, i0, j, i) pack(B at k0 as j16)
 * micro(i:6, j:16 | k) parallel(i0)`:
 *     loops   j0 step 256, k0 step 768, i0 step 48, j step 16, i step 6
 *     micro   points i:6 j:16, vector dimension j, serial k
 *     pack    B at loop k0, panels of 16 along j
 *
 * Every free dimension has at least one loop; its innermost one steps by the tile's points of that
 * dimension (1 if the tile does not hold it). A reduction dimension has one unless the tile
 * unrolls it (whole) or it is the serial one, whose innermost loop lies inside the tile. */
#ifndef SQ_IR_SCHEDULE_SCHEDULE_H
#define SQ_IR_SCHEDULE_SCHEDULE_H
#include "ir/kernel/kernel.h"

enum { SQ_MAX_DIMS = 16, SQ_MAX_LOOPS = 40, SQ_MAX_PACKS = 8, SQ_MAX_PANELS = 3 };

/* Who runs the iterations of a loop. */
typedef enum sq_loop_kind {
    SQ_LOOP_SERIAL,  /* one after the other */
    SQ_LOOP_THREADS, /* threads of a processor share them */
    SQ_LOOP_BLOCKS,  /* blocks of a grid */
    SQ_LOOP_LANES    /* threads of a block, `threads` of them */
} sq_loop_kind;

typedef struct sq_loop {
    const char *name; /* unique in the group: "j0", "j" */
    int dim;          /* of the group's dimensions */
    int64_t step;     /* points of dim covered by one iteration */
    sq_loop_kind runs;
    int threads;  /* SQ_LOOP_LANES: of the block that share it; 0: as many as fill its tile */
    int64_t rows; /* SQ_LOOP_BLOCKS: so many of its tiles go together through all of the next
                     loop's, so that neighbours in time read the same memory; 0: one by one */
    bool held;    /* over a reduction, and so are all inside: sums stay in registers across it */
} sq_loop;

/* A matrix instruction of a warp: which dimensions are its rows and its columns, and its shape. The
 * steps of the sum are the serial dimension. ir/dependence/tensor.h */
typedef struct sq_tensor {
    int rows, columns;
    int m, n, k; /* m 0: none */
} sq_tensor;

/* Register tile: what is evaluated at once. */
typedef struct sq_micro {
    int64_t points[SQ_MAX_DIMS]; /* per dimension; 1 = not tiled. A reduction dimension without a
                     loop that is not serial is unrolled whole, be it one point only */
    int vector; /* dimension that lies along the vector; -1: scalar code. A reduction dimension
                   may be it, unrolled whole or serial (points[serial] is lanes then): lanes hold
                   partial sums, added up at the end */
    int lanes;  /* points per vector along it; points[vector] is a multiple */
    int serial; /* reduction dimension of the loop inside the tile; -1: none */
    int unroll; /* steps of the serial loop written out; >= 1 */
    int split;  /* independent accumulators the serial steps are dealt to; >= 1 */
    sq_tensor tensor; /* a warp computes the tile, whose points are its lanes' together */
} sq_micro;

/* A copy of the part of an array that the loops inside `loop` touch, made at the head of that
 * loop's body. */
typedef struct sq_pack {
    const sq_array *array;
    int loop;    /* index into loops, -1: before all of them ("at top") */
    bool shared; /* by the threads of a block, which fill it together: it covers their loops, too */
    int pad;     /* shared: elements between its rows that nobody uses */
    int stages;  /* shared: copies of it, one in use and the others on their way; 0 as 1 */
    int npanels; /* blocked dimensions, outer first: layout [d/b]…[others in declared order][d%b] */
    struct {
        int dim;
        int64_t block;
    } panel[SQ_MAX_PANELS]; /* dim: of the group */
} sq_pack;

typedef enum sq_epilogue {
    SQ_EPILOGUE_AUTO,  /* first if the value is linear in the reduction, else last */
    SQ_EPILOGUE_FIRST, /* linear values: scaling and old values enter with the first partial sum */
    SQ_EPILOGUE_LAST   /* raw partial sums until the last */
} sq_epilogue;

typedef enum sq_group_kind {
    SQ_GROUP_TILED,  /* loops around a register tile */
    SQ_GROUP_TREE,   /* many statements under the loops that auto() found: `plan` */
    SQ_GROUP_WRITTEN /* C loops that are no perfect nest: run in the order written, point by point
                      */
} sq_group_kind;

typedef struct sq_group {
    sq_group_kind kind;
    int nstmts;
    const sq_stmt **stmt; /* room for all of the kernel's; stmt[0] may have a reduction, the others
                             only free dims */
    int ndim, nfree;      /* of stmt[0] */
    const char *dim[SQ_MAX_DIMS]; /* their names, unique in the group */
    int nloops;
    sq_loop loop[SQ_MAX_LOOPS]; /* outer to inner */
    bool own_order;             /* its loops started in another order than that of its dimensions */
    int shared; /* leading loops that are also those of the group before: both run inside the same
                   iteration of them, one after the other; 0: none */
    sq_micro micro;
    int npacks;
    sq_pack pack[SQ_MAX_PACKS];
    sq_epilogue epilogue;
    const struct sq_tree_plan *plan; /* SQ_GROUP_TREE, else NULL; ir/schedule/tree.h */
    char *note;                      /* NULL, or a comment for the emitted text */
} sq_group;

typedef struct sq_schedule {
    const sq_kernel *kernel;
    int ngroups;
    sq_group **group;      /* in the order they run; room for one a statement */
    const char *rewritten; /* the calls that made `kernel` of the one described; NULL: none */
    const struct sq_schedule *start; /* what these left behind; NULL: sq_schedule_new's */
} sq_schedule;

/* One group a statement (written loops that are no perfect nest together in one), every dimension a
 * loop of step 1 in written order, no vectors: the naive order. A reduction whose partial sums the
 * output cannot hold (sq_group_unstorable) starts inside the tile, as far as its extents allow.
 * Allocated in arena; NULL if the kernel exceeds the limits above. */
sq_schedule *sq_schedule_new(const sq_kernel *k, sq_arena *arena);
sq_schedule *sq_schedule_copy(const sq_schedule *s, sq_arena *arena);
/* The group that one statement starts as, whatever stands around it. */
sq_group *sq_group_new(const sq_kernel *k, const sq_stmt *s, sq_arena *arena);
/* A copy of one group that shares nothing that changes with it. */
sq_group *sq_group_copy(const sq_schedule *s, const sq_group *g, sq_arena *arena);

/* Groups that share loops are a fusion: the first of group's, how many there are from it on (1: it
 * shares nothing), and how many loops they share. */
int sq_fusion_head(const sq_schedule *s, int group);
int sq_fusion_length(const sq_schedule *s, int head);
int sq_fusion_shared(const sq_schedule *s, int head);
/* Free dimensions that a fusion's shared loops run over, as dimensions of g, in the order of their
 * outermost loops. Returns their number and fills dim[] (SQ_MAX_DIMS of them). */
int sq_group_shared_dims(const sq_group *g, int shared, int *dim);
/* The values that the shared loops of a fusion have to run over: the free instances of all its groups,
 * projected on those dimensions, without a name. __isl_give */
isl_set *sq_fusion_domain(const sq_schedule *s, int head);

/* ", parallel": how the loop's iterations run, for people; "" for one after the other. */
const char *sq_loop_kind_name(sq_loop_kind r);
/* Threads of a block that share loop l; 0 where that is not known. */
int64_t sq_loop_threads(const sq_group *g, int l);
/* True if those threads cover each tile of the enclosing loop exactly: every thread has one
 * iteration. */
bool sq_loop_covers(const sq_group *g, int l);
/* Points between two vectors of the tile: its lanes; more where threads of a block share the vector
 * dimension, so that neighbouring threads have neighbouring vectors. */
int64_t sq_group_spread(const sq_group *g);
/* Points of the tile along d that one thread has: all but where a warp computes it. */
int64_t sq_group_own(const sq_group *g, int d);
/* How far the thread's n-th of them lies from its first. */
int64_t sq_group_place(const sq_group *g, int d, int64_t n);
/* Points from the first to the last that a thread has of the tile along d, both included. */
int64_t sq_group_reach(const sq_group *g, int d);
/* True if the points of one thread along d are not contiguous, but interleaved with those of
 * others. */
bool sq_group_interleaved(const sq_group *g, int d);
/* The outermost loop that runs inside the tile; nloops if none does. */
int sq_group_held(const sq_group *g);
/* Threads of a block that share a reduction: each has a part of the sum, which they put together at
 * its end; 1: every thread has its own sums. *loop, unless NULL, is the loop they share. */
int sq_group_team(const sq_group *g, int *loop);
/* The number of threads side by side that have sums of their own, where the parts of each are those of as many
 * threads of other warps: neighbours then take neighbouring elements. 1: the parts of a sum are neighbours'. */
int sq_group_team_beside(const sq_group *g);
/* The enclosing loop of the same dimension, -1 if there is none. */
int sq_loop_around(const sq_group *g, int l);

/* Loop by name, -1 if there is none; dimension by name, -1. */
int sq_group_loop(const sq_group *g, const char *name);
int sq_group_dim(const sq_group *g, const char *name);
/* True if a statement of the group writes the array. */
bool sq_group_writes(const sq_group *g, const sq_array *a);
/* Innermost loop of a dimension, -1 if it has none. */
int sq_group_inner_loop(const sq_group *g, int dim);
/* True if a loop outside of the tile runs over a reduction dimension: partial sums pass through
 * memory between its iterations (also those of the serial dimension when it is tiled). */
bool sq_group_partial_sums(const sq_group *g);

/* Where the value is applied when the reduction's partial sums pass through memory: the group's
 * epilogue with AUTO decided; FIRST or LAST. */
sq_epilogue sq_group_epilogue(const sq_group *g);
/* Why the partial sums of g (if it has any) cannot be kept in the output array; NULL if they can.
 * A static sentence. */
const char *sq_group_unstorable(const sq_group *g);
/* Why the updates of an `ordered` statement would not run in the order written; NULL if they do, or
 * if it is not ordered. A static sentence. */
const char *sq_group_disordered(const sq_group *g);
/* Takes `j16` apart into dimension and block (the longest fitting name wins); false if it names no
 * dimension of g. */
bool sq_group_panel(const sq_group *g, const char *name, int *dim, int64_t *block);
/* True if the pack holds what this read needs: it is of the same array, and every blocked dimension
 * is alone in one of its subscripts. Other reads go to the array itself. */
bool sq_pack_serves(const sq_pack *p, const sq_access *read);
/* True if each iteration of loop l has its own copy: l is p->loop or encloses it, and is not one
 * whose threads share the copy. */
bool sq_pack_outside(const sq_group *g, const sq_pack *p, int l);
/* Bytes of the widest type that values of the group have: all vectors of a tile have the same
 * lanes, and this one fills the machine's vectors. */
int sq_group_bytes(const sq_group *g);
/* The lanes that micro gives to `points` of the vector dimension when vectorize does not say: the
 * largest of 64, 32, 16, 8, 4, 2 within 64 bytes that divides points; 1 if none does. */
int sq_group_lanes(const sq_group *g, int64_t points);

/* True if value has the form a*REDUCED + b, with a and b free of the reduction. */
bool sq_expr_linear(const sq_expr *value);
/* True if, in addition, the statement may be evaluated "first": the reduction is a sum and a does
 * not read the written array, or the value is the reduction alone. Also true without a reduction.
 */
bool sq_stmt_linear(const sq_stmt *s);
/* True if the output can hold raw partial sums until the value is written: the value does not read
 * the elements that they replace. */
bool sq_stmt_storable(const sq_stmt *s);
/* True if the range of dimension d of the statement's instances does not depend on other
 * dimensions. */
bool sq_stmt_rectangular(const sq_stmt *s, int d);
/* Number of values of dimension d when that is a constant and d is rectangular, else -1. */
int64_t sq_stmt_extent(const sq_stmt *s, int d);
/* What the number of values of dimension d, which is rectangular and begins at 0, is a multiple of at all
 * of these sizes, a parameter set that is kept; 1: it may be any. */
int64_t sq_stmt_multiple(const sq_stmt *s, int d, isl_set *sizes);
/* The least value of dimension d over all instances of stmt[0], a function of the parameters; tiles
 * count from there. 0 where that is no single affine expression. __isl_give; NULL on failure. */
isl_aff *sq_group_lower(const sq_schedule *s, const sq_group *g, int d);

/* sq_kernel_rounding of the schedule's kernel, with what its instructions round further. */
void sq_schedule_rounding(const sq_schedule *s, const int64_t *sizes, double *bound);

/* Every dependence respected, parallel loops carry none, partial sums storable, copies valid. With
 * kernel->deps NULL (not computed) only the rules of form are asked.
 * Returns 0 legal; -1 not, *why says which rule is broken, in the user's names (arena of the
 * kernel). */
int sq_schedule_legal(const sq_schedule *s, const char **why);

/* The canonical script that gives this schedule from sq_schedule_new's; written to `to`. */
struct sq_text;
void sq_schedule_print(const sq_schedule *s, struct sq_text *to);
#endif
