/* Print: a grid's nests as CUDA, inside this room. */
#ifndef SQ_CODEGEN_GRID_PRINT_H
#define SQ_CODEGEN_GRID_PRINT_H
#include "codegen/print/printer.h"

/* A list of nodes of a nest, into the body. */
void sq_print_nodes(sq_printer *p, const sq_nest *n, const sq_node *x);
/* print_grid.c: loops that blocks and threads of a block share, copies that threads make together,
 * a tile whose sums stay in registers. */
void sq_print_blocks(sq_printer *p, const sq_nest *n, const sq_node *x);
/* Opens what only the first n threads of a block run; false, and nothing, where it has no more. */
bool sq_print_first_threads(sq_printer *p, int64_t n);
void sq_print_lanes(sq_printer *p, const sq_nest *n, const sq_node *x);
void sq_print_held(sq_printer *p, const sq_nest *n, const sq_node *x);
void sq_print_shared_copy(sq_printer *p, const sq_buffer *b);
/* Condition that all of a shared copy's box lies in the array and its vectors are aligned; NULL
 * where that is so anyway, or is not asked: a box that may begin before the array. */
const char *sq_print_whole(sq_printer *p, const sq_buffer *b);
/* One past the largest subscript of an axis that is copied. */
const sq_code_expr *sq_print_extent(const sq_printer *p, const sq_buffer *b, int a);
/* print_steady.c: boxes of shared copies that move on by as much with each iteration of the loop
 * around. Before the loop: where they begin, and how long they are whole; at its end: the next
 * ones. */
void sq_steady_begin(sq_printer *p, const sq_node *loop);
void sq_steady_next(sq_printer *p, const sq_node *loop);
/* True if the loop makes a copy from such boxes; false where loop is NULL. */
bool sq_steady_is(const sq_printer *p, const sq_node *loop, const sq_buffer *b);
/* Condition that this iteration's box is whole and aligned; the address of the element at the
 * positions @x0, @x1, … of such a box. */
const char *sq_steady_whole(sq_printer *p, const sq_buffer *b);
const char *sq_steady_from(sq_printer *p, const sq_buffer *b);
/* print_deal.c: elements of vectors that a shared copy is made of; 1: of single ones. */
int sq_deal_width(const sq_printer *p, const sq_buffer *b);
/* Numbers @e of such vectors or elements that the threads of a block share. */
int64_t sq_deal_count(const sq_buffer *b, int wide);
/* Declares the positions @x0, @x1, … of number @e along the axes; the condition that it stands for
 * an element, NULL: always. */
const char *sq_deal_put(sq_printer *p, const sq_buffer *b, int wide);
/* print_stages.c: a loop whose copies for coming iterations are on their way while it computes;
 * false, and nothing, where none of its copies has stages. */
bool sq_print_stages(sq_printer *p, const sq_nest *n, const sq_node *x);
/* The memory of all stages of a shared copy; its name where it has one. */
const char *sq_print_stages_name(const sq_buffer *b, sq_arena *arena);
/* Threads that share the loops of a nest; 1 if none does. */
int sq_nest_threads(const sq_nest *n);
/* The number of blocks that share the loops from x on, as C text of the sizes; "1" if none. */
const char *sq_nest_blocks(const sq_nest *n, const sq_node *x, sq_arena *arena);
/* Loops that blocks share: all there are in a list of nodes, and those that its first one begins,
 * one inside the other. Text is right only where they are as many. */
int sq_node_blocks(const sq_node *x);
int sq_node_blocks_chained(const sq_node *x);
/* True if the threads that share loops inside of a loop must synchronize before its next iteration:
 * it runs over a free dimension, so that one thread may need what another wrote. */
bool sq_node_waits(const sq_nest *n, const sq_node *x);
/* True if threads of a block share a loop at or below these nodes. */
bool sq_node_lanes(const sq_node *x);
/* True if the code at or below these nodes has a barrier for all threads of the block: a copy in
 * shared memory. */
bool sq_node_meets(const sq_node *x);
#endif
