/* Stored: the copies of a packed array, which callers keep from call to call. K_pack_A fills them once, in the order in
 * which the loops around the pack meet them, and K_packed reads them where its plain form would fill a panel.
 *
 *     tile(k:128, j:256) order(k0, j0, ...) pack(W at j0 as j16)
 *     copy number k0 / 128 * ceil(N / 256) + j0 / 256, of 256 * 128 elements in panels of 16
 *
 * Loops along which the array's subscripts do not move have the same copies in each iteration. */
#ifndef SQ_CODEGEN_NEST_STORED_H
#define SQ_CODEGEN_NEST_STORED_H
#include "codegen/nest/lower_inside.h"

/* A loop that the pack is in, over a dimension of the array. */
typedef struct sq_stored_loop {
    const char *name;
    const sq_code_expr *lo, *hi;
    int64_t step;
    const sq_code_expr *count; /* of its iterations at most; not above 0 if there are none */
} sq_stored_loop;

typedef struct sq_stored {
    int nloops; /* outer to inner */
    sq_stored_loop loop[SQ_MAX_LOOPS];
    int64_t elements; /* of a part of a copy: whole lines; of a copy that has no parts */
    /* of each copy: as many as there are along its outermost axis, where sizes smaller than the tile have fewer */
    const sq_code_expr *parts;
    const sq_code_expr *at;     /* the element at which the copy for the loops' values begins */
    const sq_code_expr *copies; /* how many there are */
} sq_stored;

enum { SQ_STORED_LINE = 64 }; /* bytes: each copy begins at a multiple of it */

/* Returns the places of the buffer's copies, for a pack of the group at the head of loop b->loop; NULL with *why if
 * they do not follow from the sizes. */
const sq_stored *sq_stored_new(sq_lowering *w, const sq_pack *p, const sq_buffer *b, const sq_ref *r, const char **why);
/* Returns the buffer of the nests that a packed array's copies are of; NULL: there are none, and it is stored as it
 * is. */
const sq_buffer *sq_stored_buffer(const sq_fusion *f, const sq_array *a);
/* Adds an error if some text of the fusion would read a packed array besides its copies. */
int sq_stored_check(const sq_fusion *f, sq_diags *d);
/* Returns what copies of two schedules have in common if each can read the other's: their order, extents and axes, as
 * text. */
const char *sq_stored_layout(const sq_buffer *b, sq_arena *arena);
#endif
