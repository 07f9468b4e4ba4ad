/* Grid, inside: shared by the files that lower kernels of a grid. grid.c has nodes and nests, grid_host.c what the
 * host runs around them, grid_tree.c loops that auto() found, grid_loops.c loops that blocks and threads share,
 * grid_held.c tiles whose sums stay in registers, grid_copy.c copies in shared memory, grid_deal.c their elements,
 * grid_steady.c boxes that advance, grid_stages.c copies that run ahead. */
#ifndef SQ_LOWER_GRID_INSIDE_H
#define SQ_LOWER_GRID_INSIDE_H
#include "codegen/lower/grid.h"
#include "codegen/lower/leaf.h"
#include "codegen/lower/nest.h"
#include "codegen/nest/base.h"

/* A statement whose body is under construction. */
typedef struct sq_grid_scope {
    sq_code *of; /* NULL: the list as a whole */
    bool in_other;
    sq_code_list list;
    struct sq_grid_scope *around;
} sq_grid_scope;

/* The pointer to a copy's box of this iteration: grid_steady.c. */
typedef struct sq_steady_box {
    const sq_buffer *of;
    const sq_code_buffer *from;
    const struct sq_steady_box *before;
} sq_steady_box;

typedef struct sq_kernel_walk {
    const sq_target *target;
    const sq_kernel *kernel;
    sq_code_pool *code;
    sq_arena *arena;
    sq_parts *parts;
    sq_grid_scope *scope;      /* receives the statements */
    int threads;               /* of a block */
    int64_t block_bytes;       /* of its copies in shared memory */
    bool async;                /* shared copies are asynchronous */
    bool in_shared_loop;       /* inside a loop shared by threads of a block */
    sq_tile *held;             /* the tile whose steps the next leaf computes */
    const sq_code_expr *guard; /* condition of those steps; NULL: always */
    const sq_node *steady;     /* the loop around for which grid_steady.c has begun; NULL: none */
    const sq_steady_box *boxes;
} sq_kernel_walk;

/* What the host knows of the next kernel. */
typedef struct sq_grid_host {
    const char *stmts; /* of the group and of those that share its loops */
    int nnames;        /* variables of the host in scope */
    const char *name[SQ_MAX_LOOPS];
} sq_grid_host;

/* ---- kernels ---- */

/* Returns the state of lowering kernels of a nest; statements go to the scope. */
sq_kernel_walk sq_grid_walk(const sq_nest *n, const sq_target *t, sq_parts *parts, sq_grid_scope *scope);
/* Returns the kernel of a list of nodes: a loop over the threads of a block. NULL after adding an error. */
sq_code *sq_grid_kernel(const sq_nest *n, const sq_node *x, const sq_target *t, sq_parts *parts, sq_diags *d);
/* Returns how a kernel is launched with this number of blocks. */
sq_code_launch *sq_grid_launch(const sq_grid_host *h, sq_arena *arena, const sq_code_expr *blocks);
/* Adds a variable of the host. */
void sq_grid_name_outer(sq_grid_host *h, const char *name);
/* Returns the number of threads that share the loops of a nest; 1 if the loops are not shared. */
int sq_nest_threads(const sq_nest *n);

/* ---- statements ---- */

void sq_grid_append(sq_kernel_walk *w, sq_code *x);
/* Opens a statement, whose body is what is appended until it is closed; its other arm from
 * sq_grid_else on. */
void sq_grid_open(sq_kernel_walk *w, sq_code *x);
void sq_grid_open_if(sq_kernel_walk *w, const sq_code_expr *cond);
void sq_grid_open_block(sq_kernel_walk *w);
void sq_grid_else(sq_kernel_walk *w);
void sq_grid_close(sq_kernel_walk *w);
void sq_grid_close_all(sq_kernel_walk *w, int n);
void sq_grid_let(sq_kernel_walk *w, const char *name, const sq_code_expr *value);
/* Does so in 32 bits. */
void sq_grid_let_int(sq_kernel_walk *w, const char *name, const sq_code_expr *value);
/* Does so for a name that need not be used. */
void sq_grid_let_any(sq_kernel_walk *w, const char *name, const sq_code_expr *value);
void sq_grid_barrier(sq_kernel_walk *w);
/* Appends a pointer to element `at` of a buffer, and returns it. */
const sq_code_buffer *sq_grid_point(sq_kernel_walk *w, const char *name, const sq_code_buffer *of,
                                    const sq_code_expr *at);
/* Returns the loop of a node, from lo on; `share` iterations are one step. */
sq_code *sq_grid_loop(const sq_kernel_walk *w, const sq_node *x, const sq_code_expr *lo, int64_t share);
const sq_code_expr *sq_grid_number(const sq_kernel_walk *w, int64_t n);
const sq_code_expr *sq_grid_name(const sq_kernel_walk *w, const char *name);
/* Returns the number of the thread in its block. */
const sq_code_expr *sq_grid_thread(const sq_kernel_walk *w);
/* Returns a / b and a % b. */
const sq_code_expr *sq_grid_over(const sq_kernel_walk *w, const sq_code_expr *a, int64_t b);
const sq_code_expr *sq_grid_rest(const sq_kernel_walk *w, const sq_code_expr *a, int64_t b);
const sq_code_expr *sq_grid_below(const sq_kernel_walk *w, const sq_code_expr *a, const sq_code_expr *b);

/* ---- nodes ---- */

/* Returns the next inner loop that blocks share; it may be inside of a condition. */
const sq_node *sq_node_next_block(const sq_node *x);
/* True if the code at or below these nodes has a barrier for all threads of the block: it has a
 * copy in shared memory. */
bool sq_node_meets(const sq_node *x);
/* Returns the number of tiles of this step from lo to hi, and that of a loop that blocks share. */
const sq_code_expr *sq_grid_tiles_between(sq_code_pool *p, const sq_code_expr *lo, const sq_code_expr *hi,
                                          int64_t step);
const sq_code_expr *sq_grid_tiles(const sq_kernel_walk *w, const sq_nest *n, const sq_node *x);
/* Append a list of nodes of a nest; loops shared by blocks and by threads, and tiles whose sums stay in
 * registers. */
void sq_grid_nodes(sq_kernel_walk *w, const sq_nest *n, const sq_node *x);
void sq_grid_blocks(sq_kernel_walk *w, const sq_nest *n, const sq_node *x);
void sq_grid_lanes(sq_kernel_walk *w, const sq_nest *n, const sq_node *x);
void sq_grid_held(sq_kernel_walk *w, const sq_nest *n, const sq_node *x);
/* Opens a conditional for the first n threads of a block; appends nothing and returns false if the
 * block has no more than n. */
bool sq_grid_first_threads(sq_kernel_walk *w, int64_t n);
/* Count the loops shared by blocks: all in a list of nodes, and those nested in each other that
 * begin with the first of the list. A kernel is correct only if the two counts agree. */
int sq_node_blocks(const sq_node *x);
int sq_node_blocks_chained(const sq_node *x);
/* Returns the number of threads that share a group's loops from l on. */
int64_t sq_grid_threads_from(const sq_group *g, int l);
/* True if the threads that share loops inside of a loop must synchronize before its next iteration:
 * the loop is over a free dimension, so that one thread may read what another wrote. */
bool sq_grid_waits(const sq_nest *n, const sq_node *x);
/* True if threads of a block share a loop at or below these nodes. */
bool sq_grid_has_lanes(const sq_node *x);

/* ---- copies ---- */

void sq_grid_copy(sq_kernel_walk *w, const sq_buffer *b);
/* Returns the condition that the box of a shared copy lies in the array and its vectors are
 * aligned; NULL if it always does, or if no such test is made: for a box that may begin before the
 * array. */
const sq_code_expr *sq_grid_whole(const sq_kernel_walk *w, const sq_buffer *b);
/* Returns the extent of the copied subscripts of an axis: the largest one plus 1. */
const sq_code_expr *sq_grid_extent(const sq_kernel_walk *w, const sq_buffer *b, int a);
/* Returns the array that is copied, and the box's first element in it, which need not exist: at padded
 * edges boxes begin outside. */
const sq_code_buffer *sq_grid_array(const sq_kernel_walk *w, const sq_buffer *b);
const sq_code_expr *sq_grid_box(const sq_kernel_walk *w, const sq_buffer *b);
/* Returns the coordinate along an axis of the element that is copied: "@x0". */
const sq_code_expr *sq_grid_position(const sq_kernel_walk *w, int a);

/* Boxes of shared copies that advance by a constant with each iteration of the loop around. Appended
 * before the loop: their origin, and how long they lie in the array; at the end of its body: the
 * increments. */
void sq_steady_begin(sq_kernel_walk *w, const sq_node *loop);
void sq_steady_next(sq_kernel_walk *w, const sq_node *loop);
/* True if the loop makes a copy of such boxes; false if loop is NULL. */
bool sq_steady_is(const sq_kernel_walk *w, const sq_node *loop, const sq_buffer *b);
/* Returns the condition that the box of this iteration lies in the array and is aligned; the pointer to
 * its first element; and the offset of the element at the coordinates. */
const sq_code_expr *sq_steady_whole(const sq_kernel_walk *w, const sq_buffer *b);
const sq_code_buffer *sq_steady_from(const sq_kernel_walk *w, const sq_buffer *b);
const sq_code_expr *sq_steady_offset(const sq_kernel_walk *w, const sq_buffer *b);

/* Returns the elements of the vectors that a shared copy consists of; 1: single elements. */
int sq_deal_width(const sq_kernel_walk *w, const sq_buffer *b);
/* Returns the number of such vectors or elements, which the threads of a block share; @e is their
 * index. */
int64_t sq_deal_count(const sq_buffer *b, int wide);
/* Appends the coordinates of number @e along the axes; returns the condition that it is an element of
 * the box, NULL: always. */
const sq_code_expr *sq_deal_append(sq_kernel_walk *w, const sq_buffer *b, int wide);

/* Appends a loop whose copies for coming iterations run while it computes; appends nothing and returns
 * false if none of its copies has stages. */
bool sq_grid_stages(sq_kernel_walk *w, const sq_nest *n, const sq_node *x);
#endif
