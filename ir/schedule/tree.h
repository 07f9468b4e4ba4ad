/* Tree: the order of many statements that share loops, as plain data. Inner nodes are
 *     TILE      loops over tiles: for each member the row, in steps of its size
 *     BAND      loops: for each member the row itself
 *     SEQUENCE  children in sequence, each with statements of its own
 *
 * A member's row is an integer affine function of the instance for each statement of the group:
 * coefficients of its free dimensions, of the kernel's sizes, and a constant. Instances are free
 * ones; a reduction runs completely inside its instance. A tree is immutable once it is built, so
 * schedules share it by pointer. tree_legal.c checks that it respects the dependences, however it was
 * built. */
#ifndef SQ_IR_SCHEDULE_TREE_H
#define SQ_IR_SCHEDULE_TREE_H
#include "ir/schedule/schedule.h"

typedef enum sq_tree_kind {
    SQ_TREE_TILE,
    SQ_TREE_BAND,
    SQ_TREE_SEQUENCE,
    SQ_TREE_LEAF
} sq_tree_kind;

typedef struct sq_row {
    int64_t dim[SQ_MAX_DIMS];   /* coefficients of the statement's free dimensions */
    int64_t size[SQ_MAX_SIZES]; /* of the kernel's size[] */
    int64_t konst;
} sq_row;

/* Which iterations of a loop may alternate in the serial loop inside of it. */
typedef enum sq_jam {
    SQ_JAM_NONE,
    SQ_JAM_LOOP, /* of a loop of which the one inside, of the same band, is all: no dependence goes back along that */
    SQ_JAM_ALL   /* of any loop: none depends on another one */
} sq_jam;

typedef struct sq_member {
    sq_row *row;    /* one per statement of the group; unused for statements not below the node */
    int64_t size;   /* TILE: tile size, >= 1 */
    bool parallel;  /* threads share the loop; on a grid, it and the parallel loops inside */
    bool vector;    /* BAND, innermost: the loop can be vectorized */
    sq_jam jam;     /* BAND */
    bool lanes_sum; /* vector, except for sums of the loop's own statement, whose partial sums are in lanes */
    int nprivate;   /* of a parallel loop, or one whose iterations alternate: temporaries private to each iteration */
    const sq_array **private;
    bool free;      /* found by sq_tree_probe: carries nothing except the reuse of temporaries */
    bool free_sums; /* … and updates of sums */
} sq_member;

/* The loops that one statement has by itself, as a schedule of their own: a kernel of this statement alone, inside of
 * the loops around, whose variables its sets have as parameters. It has a register tile like any other. */
typedef struct sq_tree_nest {
    const sq_schedule *schedule;
    const sq_stmt *of; /* the tree's statement */
    int nouter, outer[SQ_MAX_DIMS]; /* free dimensions that the loops around fix; kernel->outer has their names */
    int nown, own[SQ_MAX_DIMS];     /* the other ones */
    int dim[SQ_MAX_DIMS];           /* the one that each free dimension of the schedule's group is */
    bool is_sum;                    /* updates of one element have become its reduction */
} sq_tree_nest;

typedef struct sq_tree {
    sq_tree_kind kind;
    int nmembers;
    sq_member *member;
    bool wavefront;  /* TILE: the first loop runs over the sum of the first two members' tiles */
    bool permutable; /* BAND: its builder claims that its members are permutable */
    int nchildren;   /* SEQUENCE: any number; TILE, BAND: 1; LEAF: 0 */
    struct sq_tree **child;
    int *stmt; /* indices into the group's stmt[] of the statements below the node, ascending */
    int nstmts;
    const sq_tree_nest *nest; /* LEAF: the loops inside; NULL: it is one instance */
} sq_tree;

/* How auto() fuses statements, and how it transforms the loops. */
typedef enum sq_fuse_strategy { SQ_FUSE_SMART, SQ_FUSE_MAX, SQ_FUSE_MIN } sq_fuse_strategy;
const char *sq_fuse_strategy_name(sq_fuse_strategy f);

enum { SQ_MAX_AUTO_TILES = 6, SQ_MOST_GRID_THREADS = 1024 };

/* The arguments of auto(), from which the tree can be rebuilt. */
typedef struct sq_auto {
    sq_fuse_strategy fuse;
    int keep;   /* outer loops around all statements that are kept as written */
    int ntiles; /* 0: no tiles; the last one is for innermost loops, the others for outer ones in turn */
    int64_t tile[SQ_MAX_AUTO_TILES];
    bool parallel;
    int grid; /* threads of a block of the grid that shares the loops; 0: loops of a CPU */
} sq_auto;

/* The plan of an sq_group of kind SQ_GROUP_TREE. */
typedef struct sq_tree_plan {
    bool written; /* C loops in the order written; else auto() found them */
    sq_auto how;
    const char *calls; /* what has changed single loops since then: "parallel(S0.i)" */
    const sq_tree *tree;
} sq_tree_plan;

/* Returns a node with room for n children over the given statements; the caller sets the
 * members. */
sq_tree *sq_tree_new(sq_arena *arena, sq_tree_kind kind, int nchildren, const int *stmt,
                     int nstmts);
/* Returns a copy that may be changed; rows and nests are those of the original. */
sq_tree *sq_tree_copy(const sq_tree *t, sq_arena *arena);
/* True if the statement is below the node. */
bool sq_tree_holds(const sq_tree *t, int stmt);
/* Returns the free dimension of a statement that a row counts: the last one that it moves with; -1: none. */
int sq_row_counted(const sq_stmt *s, const sq_row *r);
/* Returns the row as a function of the free instances of a statement. __isl_give */
isl_aff *sq_row_aff(const sq_kernel *k, const sq_stmt *s, const sq_row *r);
/* Reads the row from such a function; false if it is not one (a division). */
bool sq_row_read(const sq_kernel *k, const sq_stmt *s, isl_aff *aff /* __isl_keep */, sq_row *r);
/* Returns { S[free dims] -> [value] } of a member of a node: of a tile, or a point. The first
 * member of a wavefront is the sum of the first two members' tiles. __isl_give */
isl_pw_aff *sq_tree_value(const sq_kernel *k, const sq_tree *t, int member, const sq_stmt *s,
                          int index);
/* Returns { S[free dims] -> [members and positions in sequences, from the root, zeros up to depth]
 * }. __isl_give */
isl_map *sq_tree_time(const sq_kernel *k, const sq_tree *t, const sq_stmt *s, int index, int depth);
int sq_tree_depth(const sq_tree *t);
/* True if it has a loop shared by threads. */
bool sq_tree_shared(const sq_tree *t);
/* Returns the nest of a statement of the group; NULL: its loops are all the tree's. */
const sq_tree_nest *sq_tree_nest_of(const sq_tree *t, int stmt);

/* A dependence between free instances of a group's statements. */
typedef struct sq_tree_dep {
    int from, to; /* indices into the group's stmt[] */
    isl_map *map; /* owned */
    bool update;  /* two updates of one sum: in any order, but not concurrently */
    /* a temporary of the group: the dependence passes a value, or, if `reuse`, only its memory:
     * private copies would remove it */
    const sq_array *array;
    bool reuse;
} sq_tree_dep;

/* The result of isl's scheduler for them, for the next script with the same input
 * (transforms/auto.h). */
typedef struct sq_tree_order {
    bool with_reuse; /* the result depends on these */
    sq_fuse_strategy fuse;
    int keep;
    bool on_grid;
    bool is_large; /* a computation of seconds */
    struct isl_schedule *schedule; /* owned; NULL: none was found */
    const char *why;               /* the reason for that, if known */
    struct sq_tree_order *next;
} sq_tree_order;

/* A loop over a wavefront of tiles; simple: true if its bounds can be expressed
 * (transforms/auto_front.c). */
typedef struct sq_tree_front {
    const sq_tree *tile; /* its first two members, in the arena of the kernel */
    bool simple;
    struct sq_tree_front *next;
} sq_tree_front;

typedef struct sq_tree_deps {
    int n, cap;
    sq_tree_dep *dep;
    sq_tree_order **orders; /* the lists found so far */
    sq_tree_front **fronts;
} sq_tree_deps;

typedef struct sq_tree_memo sq_tree_memo;

/* Returns all of them, owned by the kernel and cached for scripts that are tried on the same
 * statements. NULL on isl's failure; *why is the error. */
const sq_tree_deps *sq_tree_deps_of(const sq_kernel *k, const sq_group *g, const char **why);
/* Drops the cache after the kernel's dependences have changed. */
void sq_tree_deps_drop(sq_kernel *k);

/* Checks that the tree respects them, and that parallel and vector loops carry none. 0 if so; -1 if
 * not, with *why (a sentence, in the arena of the kernel). */
int sq_tree_legal(const sq_kernel *k, const sq_group *g, const sq_tree *t, const char **why);
/* Does the same for dependences already found. memo: what was found of other trees of the group, for one that looks at
 * several (ir/dependence/tree_pairs.h); or NULL. */
int sq_tree_respects(const sq_kernel *k, const sq_group *g, const sq_tree *t, const sq_tree_deps *deps,
                     sq_tree_memo *memo, const char **why);

/* Does the same, and records for each member what its loop carries. */
int sq_tree_probe(const sq_kernel *k, const sq_group *g, sq_tree *t, const sq_tree_deps *deps, sq_tree_memo *memo,
                  const char **why);
/* Checks a nest: its form, and a dependence of the statement on itself inside of the loops around, a map of free
 * instances; update: both are updates of one sum. 0 if legal; -1 with *why, which is NULL if isl failed. */
int sq_tree_nest_form(const sq_tree_nest *n, const char **why);
int sq_tree_nest_respects(const sq_tree_nest *n, isl_map *dep /* __isl_keep */, bool update, const char **why);

/* Sets edge[i * nstmts of g + j] if, inside all loops around a member of `at`, a node of the tree,
 * some instance of statement j must follow some instance of statement i. The tree must be legal. */
int sq_tree_edges(const sq_kernel *k, const sq_group *g, const sq_tree *t, const sq_tree *at, int member,
                  const sq_tree_deps *deps, sq_tree_memo *memo, bool *edge);
/* Returns the read of the old value in `x = x + …` and the like (- * min max); NULL for other
 * statements. */
const sq_access *sq_stmt_sum(const sq_stmt *s);

/* Writes the calls that have changed single loops of a tree since auto(), or since it was written. */
struct sq_text;
void sq_group_print_marks(const sq_group *g, struct sq_text *to);
/* Prints one line per loop. */
void sq_tree_print(const sq_group *g, const sq_tree *t, struct sq_text *to);
#endif
