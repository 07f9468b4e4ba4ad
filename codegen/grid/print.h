/* Print: prints the nests of a grid as CUDA; internal to this room. */
#ifndef SQ_CODEGEN_GRID_PRINT_H
#define SQ_CODEGEN_GRID_PRINT_H
#include "codegen/print/printer.h"

/* Prints a list of nodes of a nest into the body. */
void sq_print_nodes(sq_printer *p, const sq_nest *n, const sq_node *x);
/* print_grid.c: prints loops shared by blocks and by threads of a block, cooperative copies, and
 * tiles whose sums stay in registers. */
void sq_print_blocks(sq_printer *p, const sq_nest *n, const sq_node *x);
/* Opens a conditional for the first n threads of a block; prints nothing and returns false if the
 * block has no more than n. */
bool sq_print_first_threads(sq_printer *p, int64_t n);
void sq_print_lanes(sq_printer *p, const sq_nest *n, const sq_node *x);
void sq_print_held(sq_printer *p, const sq_nest *n, const sq_node *x);
void sq_print_shared_copy(sq_printer *p, const sq_buffer *b);
/* Returns the condition that the box of a shared copy lies in the array and its vectors are
 * aligned; NULL if it always does, or if no such test is made: for a box that may begin before the
 * array. */
const char *sq_print_whole(sq_printer *p, const sq_buffer *b);
/* Returns the extent of the copied subscripts of an axis: the largest one plus 1. */
const sq_code_expr *sq_print_extent(const sq_printer *p, const sq_buffer *b, int a);
/* print_steady.c: boxes of shared copies that advance by a constant with each iteration of the loop
 * around. Printed before the loop: their origin, and how long they lie in the array; at the end of
 * its body: the increments. */
void sq_steady_begin(sq_printer *p, const sq_node *loop);
void sq_steady_next(sq_printer *p, const sq_node *loop);
/* True if the loop makes a copy of such boxes; false if loop is NULL. */
bool sq_steady_is(const sq_printer *p, const sq_node *loop, const sq_buffer *b);
/* Returns the condition that the box of this iteration lies in the array and is aligned; and the
 * address of the element at @x0, @x1, … in such a box. */
const char *sq_steady_whole(sq_printer *p, const sq_buffer *b);
const char *sq_steady_from(sq_printer *p, const sq_buffer *b);
/* print_deal.c: returns the elements of the vectors that a shared copy consists of; 1: single
 * elements. */
int sq_deal_width(const sq_printer *p, const sq_buffer *b);
/* Returns the number of such vectors or elements, which the threads of a block share; @e is their
 * index. */
int64_t sq_deal_count(const sq_buffer *b, int wide);
/* Declares the coordinates @x0, @x1, … of number @e along the axes; returns the condition that it
 * is an element of the box, NULL: always. */
const char *sq_deal_put(sq_printer *p, const sq_buffer *b, int wide);
/* print_stages.c: prints a loop whose copies for coming iterations run while it computes; prints
 * nothing and returns false if none of its copies has stages. */
bool sq_print_stages(sq_printer *p, const sq_nest *n, const sq_node *x);
/* Returns the name of the memory of all stages of a shared copy, or the copy's name if it has one stage. */
const char *sq_print_stages_name(const sq_buffer *b, sq_arena *arena);
/* Returns the number of threads that share the loops of a nest; 1 if the loops are not shared. */
int sq_nest_threads(const sq_nest *n);
/* Returns the number of blocks that share the loops from x on, as C text over the sizes, whose names are added to
 * `uses`; "1" if the loops are not shared. */
const char *sq_nest_blocks(const sq_nest *n, const sq_node *x, const sq_uses *uses, sq_arena *arena);
/* Counts the loops shared by blocks: all in a list of nodes, and those nested in each other that
 * begin with the first of the list. The text is correct only if the two counts agree. */
int sq_node_blocks(const sq_node *x);
int sq_node_blocks_chained(const sq_node *x);
/* True if the threads that share loops inside of a loop must synchronize before its next iteration:
 * the loop is over a free dimension, so that one thread may read what another wrote. */
bool sq_node_waits(const sq_nest *n, const sq_node *x);
/* True if threads of a block share a loop at or below these nodes. */
bool sq_node_lanes(const sq_node *x);
/* True if the code at or below these nodes has a barrier for all threads of the block: it has a
 * copy in shared memory. */
bool sq_node_meets(const sq_node *x);
#endif
