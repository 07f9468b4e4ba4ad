/* Schedule: the order of a kernel's computation and the memory that it uses. It is a list of groups,
 * each a nest of its own; in a group, statements with the same free dimensions are evaluated together
 * over one register tile. Made by sq_schedule_new and changed only by transforms, through
 * sq_script_apply; plain data without isl objects, so that it can be copied by value.
 *
 * gemm under `tile(i:48, j:256, k:768) order(j0, k0, i0, j, i) pack(B at k0 as j16)
 * micro(i:6, j:16 | k) parallel(i0)`:
 *     loops   j0 step 256, k0 step 768, i0 step 48, j step 16, i step 6
 *     micro   points i:6 j:16, vector dimension j, serial k
 *     pack    B at loop k0, panels of 16 along j
 *
 * Every free dimension has at least one loop; its innermost one steps by the tile's points of that
 * dimension (1 if the tile does not contain it). A reduction dimension has a loop unless the tile
 * unrolls it completely; the innermost loop of the serial dimension is inside the tile. */
#ifndef SQ_IR_SCHEDULE_SCHEDULE_H
#define SQ_IR_SCHEDULE_SCHEDULE_H
#include "ir/kernel/kernel.h"

enum { SQ_MAX_DIMS = 16, SQ_MAX_LOOPS = 40, SQ_MAX_PACKS = 8, SQ_MAX_PANELS = 3 };

/* How the iterations of a loop run. */
typedef enum sq_loop_kind {
    SQ_LOOP_SERIAL,  /* in sequence */
    SQ_LOOP_THREADS, /* in threads of a CPU */
    SQ_LOOP_BLOCKS,  /* blocks of a grid */
    SQ_LOOP_LANES    /* in `threads` threads of a block */
} sq_loop_kind;

typedef struct sq_loop {
    const char *name; /* unique in the group: "j0", "j" */
    int dim;          /* of the group's dimensions */
    int64_t step;     /* points of dim covered by one iteration */
    sq_loop_kind runs;
    /* SQ_LOOP_LANES: threads of the block that share it; 0: as many as its tile has iterations */
    int threads;
    /* SQ_LOOP_BLOCKS: this many of its tiles are grouped and go through the whole next loop
     * together, so that concurrent blocks read the same memory; 0: no grouping */
    int64_t rows;
    bool held; /* a reduction loop, as are all inside: sums stay in registers across it */
} sq_loop;

/* A matrix instruction of a warp: the dimensions of its rows and columns, and its shape. The steps
 * of the sum are the serial dimension. ir/dependence/tensor.h */
typedef struct sq_tensor {
    int rows, columns;
    int m, n, k; /* m = 0: none */
} sq_tensor;

/* Register tile: the points that are evaluated at once. */
typedef struct sq_micro {
    /* per dimension; 1 = not tiled. A reduction dimension that has no loop and is not serial is
     * unrolled completely, even if it has one point */
    int64_t points[SQ_MAX_DIMS];
    /* vectorized dimension; -1: scalar code. It may be a reduction dimension, unrolled completely
     * or serial (then points[serial] is lanes): lanes hold partial sums, added up at the end */
    int vector;
    int lanes;  /* points per vector along it; points[vector] is a multiple */
    int serial; /* reduction dimension of the loop inside the tile; -1: none */
    int unroll; /* unroll factor of the serial loop; >= 1 */
    int split;  /* independent accumulators among which the serial steps are distributed; >= 1 */
    sq_tensor tensor; /* a warp computes the tile; its points are those of all lanes */
} sq_micro;

/* A copy of the part of an array that the loops inside `loop` access, made at the head of that
 * loop's body. */
typedef struct sq_pack {
    const sq_array *array;
    int loop;    /* index into loops, -1: before all of them ("at top") */
    bool shared; /* filled cooperatively by the threads of a block: it covers their loops as well */
    int pad;     /* shared: unused elements between its rows */
    int stages;  /* shared: number of copies, one in use and the others in flight; 0 as 1 */
    int npanels; /* blocked dimensions, outer first: layout [d/b]…[others: those that a tile moves along last][d%b] */
    struct {
        int dim;
        int64_t block;
    } panel[SQ_MAX_PANELS]; /* dim: a dimension of the group */
} sq_pack;

typedef enum sq_epilogue {
    SQ_EPILOGUE_AUTO,  /* FIRST if the value is linear in the reduction, else LAST */
    SQ_EPILOGUE_FIRST, /* linear values: scaling and old values are applied with the first partial sum */
    SQ_EPILOGUE_LAST   /* raw partial sums are stored until the last */
} sq_epilogue;

typedef enum sq_group_kind {
    SQ_GROUP_TILED,  /* loops around a register tile */
    SQ_GROUP_TREE,   /* many statements in the loops that auto() found, or in C loops of which a call has changed
                      * some: `plan` */
    SQ_GROUP_WRITTEN /* C loops that are not perfectly nested: run in the order written, point by point */
} sq_group_kind;

typedef struct sq_group {
    sq_group_kind kind;
    int nstmts;
    /* room for all of the kernel's; stmt[0] may have a reduction, the others have free dimensions
     * only */
    const sq_stmt **stmt;
    int ndim, nfree;      /* of stmt[0] */
    const char *dim[SQ_MAX_DIMS]; /* their names, unique in the group */
    int nloops;
    sq_loop loop[SQ_MAX_LOOPS]; /* outer to inner */
    bool own_order;             /* the order of its loops differs from that of its dimensions */
    /* number of leading loops shared with the previous group: both run inside of the same
     * iteration, in sequence; 0: none */
    int shared;
    /* number of leading dimensions whose loops distribute(S0 at t) has kept: tiles of others are inside of
     * them */
    int kept;
    sq_micro micro;
    int npacks;
    sq_pack pack[SQ_MAX_PACKS];
    sq_epilogue epilogue;
    bool by_points;              /* no tile: its points are computed one by one */
    const struct sq_tree_plan *plan; /* SQ_GROUP_TREE, else NULL; ir/schedule/tree.h */
    char *note;                      /* NULL, or a comment for the emitted text */
} sq_group;

typedef struct sq_schedule {
    const sq_kernel *kernel;
    int ngroups;
    sq_group **group;      /* in execution order; room for one per statement */
    const char *rewritten; /* the calls that made `kernel` from the described one; NULL: none */
    const struct sq_schedule *start; /* the schedule after these; NULL: sq_schedule_new's */
} sq_schedule;

/* Returns the naive order: one group per statement (C loops that are not perfectly nested share
 * one), every dimension a loop of step 1 in written order, no vectors. A reduction whose partial
 * sums the output cannot hold (sq_group_unstorable) starts inside the tile, if its extents allow.
 * Allocated in arena; NULL if the kernel exceeds the limits above. */
sq_schedule *sq_schedule_new(const sq_kernel *k, sq_arena *arena);
sq_schedule *sq_schedule_copy(const sq_schedule *s, sq_arena *arena);
/* Returns the initial group of a single statement, regardless of the other statements. */
sq_group *sq_group_new(const sq_kernel *k, const sq_stmt *s, sq_arena *arena);
/* Copies one group; the copy shares no mutable data with it. */
sq_group *sq_group_copy(const sq_schedule *s, const sq_group *g, sq_arena *arena);

/* Groups that share loops form a fusion: returns the first group of the fusion, the number of its
 * groups from `group` on (1: no sharing), and the number of shared loops. */
int sq_fusion_head(const sq_schedule *s, int group);
int sq_fusion_length(const sq_schedule *s, int head);
int sq_fusion_shared(const sq_schedule *s, int head);
/* Writes the free dimensions of g that a fusion's shared loops run over to dim[] (SQ_MAX_DIMS of
 * them), in the order of their outermost loops. Returns their number. */
int sq_group_shared_dims(const sq_group *g, int shared, int *dim);
/* Returns the values that the shared loops of a fusion must cover: the free instances of all its
 * groups, projected on those dimensions, without a name. __isl_give */
isl_set *sq_fusion_domain(const sq_schedule *s, int head);

/* True if threads share a loop of the schedule. */
bool sq_schedule_shared(const sq_schedule *s);
/* Returns ", parallel": how the loop's iterations run, for people; "" for serial ones. */
const char *sq_loop_kind_name(sq_loop_kind r);
/* Returns the number of threads of a block that share loop l; 0 if it is not known. */
int64_t sq_loop_threads(const sq_group *g, int l);
/* True if those threads cover each tile of the enclosing loop exactly: each thread has one
 * iteration. */
bool sq_loop_covers(const sq_group *g, int l);
/* Returns the distance of two vectors of a thread's tile in points: its lanes; more if threads of a
 * block share the vector dimension, so that adjacent threads have adjacent vectors. */
int64_t sq_group_spread(const sq_group *g);
/* Returns the points of the tile along d that one thread has: all, unless a warp computes it. */
int64_t sq_group_own(const sq_group *g, int d);
/* Returns the distance of the thread's n-th point from its first. */
int64_t sq_group_place(const sq_group *g, int d, int64_t n);
/* Returns the points from the first to the last that a thread has of the tile along d,
 * inclusive. */
int64_t sq_group_reach(const sq_group *g, int d);
/* True if the points of one thread along d are not contiguous, but interleaved with those of
 * others. */
bool sq_group_interleaved(const sq_group *g, int d);
/* Returns the outermost loop that runs inside the tile; nloops if none does. */
int sq_group_held(const sq_group *g);
/* Returns the number of threads of a block that share a reduction: each has a partial sum, and they
 * combine these at its end; 1: each thread has sums of its own. *loop, unless NULL, is the loop
 * they share. */
int sq_group_team(const sq_group *g, int *loop);
/* Returns the number of adjacent threads that have sums of their own, if the partial sums of each
 * are in other warps: then adjacent threads access adjacent elements. 1: the partial sums of a sum
 * are in adjacent threads. */
int sq_group_team_beside(const sq_group *g);
/* Returns the enclosing loop of the same dimension, -1 if there is none. */
int sq_loop_around(const sq_group *g, int l);

/* Returns a loop by name, -1 if there is none; a dimension by name, -1. */
int sq_group_loop(const sq_group *g, const char *name);
int sq_group_dim(const sq_group *g, const char *name);
/* True if a statement of the group writes the array. */
bool sq_group_writes(const sq_group *g, const sq_array *a);
/* Returns the innermost loop of a dimension, -1 if it has none. */
int sq_group_inner_loop(const sq_group *g, int dim);
/* True if a loop outside of the tile runs over a reduction dimension: partial sums pass through
 * memory between its iterations (also those of the serial dimension when it is tiled). */
bool sq_group_partial_sums(const sq_group *g);

/* Returns when the value is applied if the reduction's partial sums pass through memory: the
 * group's epilogue with AUTO resolved; FIRST or LAST. */
sq_epilogue sq_group_epilogue(const sq_group *g);
/* Returns why the partial sums of g (if it has any) cannot be kept in the output array; NULL if
 * they can. A static sentence. */
const char *sq_group_unstorable(const sq_group *g);
/* Returns why the updates of an `ordered` statement would not run in the order written; NULL if
 * they do, or if it is not ordered. A static sentence. */
const char *sq_group_disordered(const sq_group *g);
/* Splits `j16` into dimension and block (the longest matching name wins); false if it names no
 * dimension of g. */
bool sq_group_panel(const sq_group *g, const char *name, int *dim, int64_t *block);
/* True if the pack's copy has what this read needs: it is of the same array, and each blocked
 * dimension is the only one in its subscript. Other reads access the array directly. */
bool sq_pack_serves(const sq_pack *p, const sq_access *read);
/* True if each iteration of loop l has its own copy: l is p->loop or encloses it, and its threads
 * do not share the copy. */
bool sq_pack_outside(const sq_group *g, const sq_pack *p, int l);
/* Returns the size of the widest type of the group's values: all vectors of a tile have the same
 * number of lanes, and one of this type fills a register. */
int sq_group_bytes(const sq_group *g);
/* Returns the lanes that micro chooses for `points` of the vector dimension if vectorize does not
 * say: the largest of 64, 32, 16, 8, 4, 2 within 64 bytes that divides points; 1 if none does. */
int sq_group_lanes(const sq_group *g, int64_t points);

/* True if value has the form a*REDUCED + b, where a and b do not contain REDUCED. */
bool sq_expr_linear(const sq_expr *value);
/* True if, in addition, the statement may be evaluated "first": the reduction is a sum and a does
 * not read the written array, or the value is the reduction itself, or the reduction's own operation
 * combines it with something else. Also true without a reduction. */
bool sq_stmt_linear(const sq_stmt *s);
/* True if the output can hold raw partial sums until the value is written: the value does not read
 * the elements that they replace. */
bool sq_stmt_storable(const sq_stmt *s);
/* True if the range of dimension d of the statement's instances does not depend on other
 * dimensions. */
bool sq_stmt_rectangular(const sq_stmt *s, int d);
/* Returns the extent of dimension d if it is constant and d is rectangular, else -1. */
int64_t sq_stmt_extent(const sq_stmt *s, int d);
/* Returns a divisor of the extent of dimension d, which is rectangular and begins at 0, for all
 * these sizes, a parameter set that is kept; 1: none is known. */
int64_t sq_stmt_multiple(const sq_stmt *s, int d, isl_set *sizes);
/* Returns the minimum of dimension d over all instances of stmt[0], a function of the parameters;
 * tiles start there. 0 if it is not a single affine expression. __isl_give; NULL on failure. */
isl_aff *sq_group_lower(const sq_schedule *s, const sq_group *g, int d);

/* Computes sq_kernel_rounding of the schedule's kernel, with the additional rounding of the
 * instructions it uses. */
void sq_schedule_rounding(const sq_schedule *s, const int64_t *sizes, double *bound);

/* Checks that all dependences are respected, parallel loops carry none, partial sums can be stored,
 * and copies are valid. With kernel->deps NULL (not computed) only the rules on form are checked.
 * Returns 0 if legal; else -1, and *why says which rule is violated, in the user's names (arena of
 * the kernel). */
int sq_schedule_legal(const sq_schedule *s, const char **why);

/* Writes the canonical script that makes this schedule from sq_schedule_new's to `to`. */
struct sq_text;
void sq_schedule_print(const sq_schedule *s, struct sq_text *to);
#endif
