/* Swizzle: the order of a shared copy that instructions of a warpgroup read; see sq_buffer's `swizzled`. */
#include "codegen/nest/ref.h"
#include "ir/dependence/tensor.h"

int sq_buffer_moved_by(const sq_buffer *b, const sq_group *g, const sq_ref *r, int a)
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

/* True if threads of the block share the axis's positions, one each except for those of a warp's
 * rows. */
static bool is_shared(const sq_buffer *b, const sq_group *g, int a, int d)
{
    int l = sq_group_inner_loop(g, d), around = l < 0 ? -1 : sq_loop_around(g, l);
    return around >= 0 && sq_loop_covers(g, l) && b->axis[a].extent == g->loop[around].step;
}

/* Returns the rows of the copy: positions along all axes except the innermost. One loop moves each
 * axis; if there are several, such as lines of pixels, threads share all of them, the outer ones by
 * outer loops, and the innermost axis has the steps: rows are in the order of warps. 0: an
 * instruction cannot read them. */
static int64_t rows_of(const sq_buffer *b, const sq_group *g, const sq_ref *r)
{
    int last = b->naxes - 1, axes = 0, before = -1;
    int64_t rows = 1;
    bool shared = true;
    for (int a = 0; a < last; a++) {
        int d = sq_buffer_moved_by(b, g, r, a);
        if (b->axis[a].extent == 1)
            continue;
        if (d < 0)
            return 0;
        shared = shared && is_shared(b, g, a, d) && sq_group_inner_loop(g, d) > before;
        before = sq_group_inner_loop(g, d);
        rows *= b->axis[a].extent;
        axes++;
    }
    bool along = r->coef[last][g->micro.serial] != 0;
    return axes > 0 && sq_buffer_moved_by(b, g, r, last) >= 0 && (axes == 1 || (shared && along)) ? rows : 0;
}

/* Lays out rows contiguously, in blocks along the innermost axis. */
static void lay_out(sq_buffer *b, int64_t rows)
{
    int last = b->naxes - 1;
    int64_t step = SQ_SWIZZLED_ROW;
    sq_axis *x = &b->axis[last];
    for (int a = last - 1; a >= 0; a--) {
        b->axis[a].step_q = step;
        step *= b->axis[a].extent;
    }
    x->split = SQ_SPLIT_PANEL;
    x->block = SQ_SWIZZLED_ROW;
    x->step_q = SQ_SWIZZLED_ROW * rows;
    x->step_r = 1;
    b->elements = x->step_q * (x->extent / SQ_SWIZZLED_ROW);
    b->inner = last;
    b->swizzled = true;
}

bool sq_buffer_swizzle(sq_buffer *b, const sq_group *g, sq_ref **refs, int nrefs, sq_arena *arena,
                       const char **why)
{
    int last = b->naxes - 1;
    int64_t rows = nrefs == 1 ? rows_of(b, g, refs[0]) : 0;
    const sq_axis *x = &b->axis[last];
    if (rows == 0 || x->stride != 1 || x->extent % SQ_SWIZZLED_ROW || rows % SQ_SWIZZLED_ROWS) {
        *why = sq_arena_printf(arena,
                               "instructions of a warpgroup read copies of rows of %d adjacent elements or a "
                               "multiple, %d rows or a multiple, each dimension moved by one loop; "
                               "several dimensions of rows follow each other as the threads that share "
                               "them do, and the elements are the steps",
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
    lay_out(b, rows);
    return true;
}
