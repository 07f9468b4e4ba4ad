/* Edit: shared by the transforms. Changes a group's loop list while keeping the packs' loop numbers
 * correct, and makes the messages for unknown names. */
#ifndef SQ_TRANSFORMS_EDIT_H
#define SQ_TRANSFORMS_EDIT_H
#include "transforms/transform.h"

/* Inserts a loop before position at. False if the group has no room for it. */
bool sq_loops_insert(sq_group *g, int at, const sq_loop *loop);
/* Removes the loop at a position; it must have no packs. */
void sq_loops_remove(sq_group *g, int at);
/* Reorders the loops: the one at from[i] moves to position i. */
void sq_loops_permute(sq_group *g, const int *from);
/* Returns the loop that steps by the tile's points of a dimension, -1 if the whole dimension is in
 * the tile. */
int sq_loops_point(const sq_group *g, int dim);
/* Returns the first of the loops over points of dimensions >= first, before which new tile loops of these are
 * inserted; nloops if there are none. */
int sq_loops_band(const sq_group *g, int first);

/* Returns the dimension an argument names. -1 after setting *why to a sentence and at->meant to the
 * nearest name. */
int sq_arg_dim(const sq_schedule *s, const sq_group *g, const sq_arg *a, const char **why,
               sq_culprit *at);
/* Returns the loop an argument names, in the same way. */
int sq_arg_loop(const sq_schedule *s, const sq_group *g, const sq_arg *a, const char **why,
                sq_culprit *at);

/* Returns the array an argument names; NULL after setting *why to a sentence with the existing
 * ones. */
sq_array *sq_edit_array(const sq_schedule *s, const sq_call *call, int arg, const char **why,
                        sq_culprit *at);
/* True if the name is that of a described statement that earlier calls have merged into others. */
bool sq_edit_gone(const sq_schedule *s, const char *name);
#define SQ_EDIT_GONE " any more: a call before has put it into the statements that read it"
/* Refuses a call whose argument is not the name of a statement, with the nearest name; -1. */
int sq_edit_no_stmt(const sq_schedule *s, const sq_call *call, int arg, const char **why, sq_culprit *at);
/* Returns the canonical text of a call that rewrites the statements it names, "inline(S0, S1)", in
 * the kernel's arena; NULL after refusing one that names none, or that comes too late. */
const char *sq_edit_list(const sq_schedule *s, const sq_call *call, const char **why, sq_culprit *at);
/* Sets *why to formatted text and at->arg to an argument; returns -1. */
int sq_edit_refuse(const sq_schedule *s, const char **why, sq_culprit *at, int arg, const char *format,
                   ...) __attribute__((format(printf, 5, 6)));
#endif
