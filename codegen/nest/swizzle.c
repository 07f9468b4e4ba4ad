/* Swizzle: the order of a shared copy that instructions of a warpgroup read; see sq_buffer's `swizzled`. */
#include "codegen/nest/ref.h"
#include "ir/dependence/tensor.h"

/* The only dimension of the group along which positions of an axis differ; -1: there are none or several. */
static int moved_by(const sq_buffer *b, const sq_group *g, const sq_ref *r, int a)
{
    int by = -1;
    for (int d = 0; d < g->ndim; d++) {
        if (!r->coef[a][d] || b->single[d])
            continue;
        if (by >= 0)
            return -1;
        by = d;
    }
    return by;
}

/* The one axis besides the innermost along which a copy has more than one position; -1: there is none or are
 * several, or several loops move an axis: a warpgroup's instructions cannot read that. */
static int rows_axis(const sq_buffer *b, const sq_group *g, const sq_ref *r)
{
    int rows = -1, last = b->naxes - 1;
    for (int a = 0; a < last; a++) {
        if (b->axis[a].extent > 1 && rows >= 0)
            return -1;
        rows = b->axis[a].extent > 1 ? a : rows;
    }
    return rows >= 0 && moved_by(b, g, r, rows) >= 0 && moved_by(b, g, r, last) >= 0 ? rows : -1;
}

bool sq_buffer_swizzle(sq_buffer *b, const sq_group *g, sq_ref **refs, int nrefs, sq_arena *arena,
                       const char **why)
{
    int last = b->naxes - 1, rows = rows_axis(b, g, refs[0]);
    sq_axis *x = &b->axis[last];
    if (nrefs != 1 || rows < 0 || x->stride != 1 || x->extent % SQ_SWIZZLED_ROW ||
        b->axis[rows].extent % SQ_SWIZZLED_ROWS) {
        *why = sq_arena_printf(arena,
                               "instructions of a warpgroup read copies of two dimensions, of %d "
                               "adjacent elements or a multiple and of %d rows or a multiple, each "
                               "moved by one loop",
                               SQ_SWIZZLED_ROW, SQ_SWIZZLED_ROWS);
        return false;
    }
    const sq_tensor *t = &g->micro.tensor;
    if (refs[0]->coef[last][t->columns] && t->n % SQ_SWIZZLED_ROW && x->extent > t->n) {
        *why = sq_arena_printf(arena,
                               "several warpgroups lie along '%s', in which the array's elements are "
                               "adjacent: the columns of each are a multiple of %d then",
                               g->dim[t->columns], SQ_SWIZZLED_ROW);
        return false;
    }
    for (int a = 0; a < last; a++)
        b->axis[a].step_q = SQ_SWIZZLED_ROW; /* where not along the rows, of one position */
    x->split = SQ_SPLIT_PANEL;
    x->block = SQ_SWIZZLED_ROW;
    x->step_q = SQ_SWIZZLED_ROW * b->axis[rows].extent;
    x->step_r = 1;
    b->elements = x->step_q * (x->extent / SQ_SWIZZLED_ROW);
    b->inner = last;
    b->swizzled = true;
    return true;
}
