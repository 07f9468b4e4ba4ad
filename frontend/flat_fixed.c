/* Flat, fixed: sizes that are the same in all of the region, where a loop runs to others: f in a[f*n + j] chooses a
 * row, and off in a[off + i*n + j] says where the array begins that has these rows. */
#include "frontend/members.h"
#include "frontend/poly.h"

/* True if the end of a loop mentions the size. */
static bool bounds_loop(const sq_builder *b, CXCursor c, const sq_size *size, bool in_bound)
{
    int n;
    CXCursor *child = sq_cursor_children(&b->r, c, &n);
    const sq_symbol *s = c.kind == CXCursor_DeclRefExpr && in_bound
                             ? sq_symbol_find(b, b->r.cl->clang_getCursorReferenced(c))
                             : NULL;
    bool found = s && s->kind == SQ_SYM_SIZE && s->size == size;
    for (int i = 0; i < n && !found; i++)
        found = bounds_loop(b, child[i], size, in_bound || (c.kind == CXCursor_ForStmt && i == 1));
    return found;
}

/* The first size that t has beyond the stride of dimension d and that no loop of the region runs to; the last one
 * where all loops do. */
const sq_size *sq_flat_fixed_size(const sq_builder *b, const sq_flat *f, const sq_term *t, int d)
{
    const sq_size *last = NULL;
    for (int i = 0, at = 0; i < t->nsizes; i++) {
        if (at < f->stride[d].nsizes && f->stride[d].size[at] == t->size[i]) {
            at++;
            continue;
        }
        bool bounds = false;
        for (int s = 0; s < b->scop->nstmts && !bounds; s++)
            bounds = bounds_loop(b, b->scop->stmt[s], t->size[i], false);
        last = t->size[i];
        if (!bounds)
            break;
    }
    return last;
}

bool sq_flat_has_origin(const sq_builder *b, CXCursor decl, const sq_flat *f)
{
    const sq_use *u = sq_scop_use(b, decl);
    CXType t = b->r.cl->clang_getCanonicalType(b->r.cl->clang_getCursorType(decl));
    bool of_structs = u && u->member && u->member->is_record; /* which the pointer counts */
    return u && !of_structs && t.kind == CXType_Pointer && f->ndim > 1;
}

sq_poly sq_poly_of(const sq_size *s)
{
    return (sq_poly){.n = 1, .t = {{.factor = 1, .var = -1, .nsizes = 1, .size = {s}}}};
}

sq_poly sq_poly_first(const sq_builder *b, const sq_first *first)
{
    if (first->is_size)
        return sq_poly_of(sq_symbol_find(b, first->size)->size);
    return (sq_poly){.n = 1, .t = {{.factor = first->value, .var = -1}}};
}

/* True of a size that the caller gives, and that no number stands for. */
static bool is_given(const sq_builder *b, const sq_size *s)
{
    bool is = false;
    for (int i = 0; i < b->k->nsizes && !is; i++)
        is = b->k->size[i] == s && !s->fixed && !s->is_truth;
    return is;
}

/* True if the subscript adds a size as it is, and no stride has it. */
static bool is_offset(const sq_flat *f, const sq_term *t)
{
    bool is = t->var < 0 && t->factor == 1 && t->nsizes == 1;
    for (int d = 0; d < f->ndim; d++)
        for (int i = 0; i < f->stride[d].nsizes && is; i++)
            is = f->stride[d].size[i] != t->size[0];
    return is;
}

const sq_size *sq_flat_offset(const sq_builder *b, const sq_flat *f, const sq_poly *p, const sq_size *which)
{
    for (int t = 0; t < p->n; t++)
        if (is_offset(f, &p->t[t]) && is_given(b, p->t[t].size[0]) && (!which || p->t[t].size[0] == which))
            return p->t[t].size[0];
    return NULL;
}

void sq_flat_leave_origin(const sq_flat *f, sq_poly *p)
{
    for (int t = 0; t < p->n && f->origin; t++)
        if (is_offset(f, &p->t[t]) && p->t[t].size[0] == f->origin)
            p->t[t].factor = 0;
}
