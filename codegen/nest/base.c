/* Base: finds the pointers that references share, and where they start. */
#include "codegen/nest/base.h"
#include <string.h>

static bool same_walk(const sq_ref *a, const sq_ref *b)
{
    if (a->array != b->array || a->buffer != b->buffer)
        return false;
    for (int s = 0; s < a->nsubs; s++)
        if (memcmp(a->coef[s], b->coef[s], sizeof a->coef[s]) != 0 ||
            a->symbolic[s] != b->symbolic[s])
            return false;
    return true;
}

bool sq_bases_fit(const sq_nest *n)
{
    const sq_ref *first[SQ_MAX_BASES];
    int nfirst = 0;
    for (int i = 0; i < n->nrefs; i++) {
        int j = 0;
        while (j < nfirst && !same_walk(first[j], n->ref[i]))
            j++;
        if (j == SQ_MAX_BASES)
            return false;
        first[j] = n->ref[i];
        nfirst += j == nfirst;
    }
    return n->nrefs <= SQ_MAX_REFS;
}

static bool is_write(const sq_nest *n, const sq_ref *r)
{
    for (int s = 0; s < n->group->nstmts; s++)
        if (n->group->stmt[s]->write == r->access)
            return true;
    return false;
}

static int find_base(const sq_nest *n, sq_bases *b, const sq_ref *r, sq_arena *arena)
{
    int same_array = 0;
    for (int i = 0; i < b->n; i++) {
        if (same_walk(b->base[i].ref, r))
            return i;
        same_array += b->base[i].ref->array == r->array && b->base[i].ref->buffer == r->buffer;
    }
    if (b->n == SQ_MAX_BASES)
        sq_bug("base", "too many ways to walk arrays in one tile of %s", n->kernel->name);
    sq_base *x = &b->base[b->n++];
    x->ref = r;
    const char *name = r->buffer ? r->buffer->name : r->array->name;
    if (same_array)
        name = sq_arena_printf(arena, "@%s_%d", name + (*name == '@'), same_array + 1);
    x->name = name;
    for (int s = 0; s < r->nsubs && !r->buffer; s++)
        x->runtime[s] = sq_array_stride(r->array, s) == 0;
    return b->n - 1;
}

void sq_bases_find(const sq_nest *n, sq_bases *b, sq_arena *arena)
{
    memset(b, 0, sizeof *b);
    if (n->nrefs > SQ_MAX_REFS)
        sq_bug("base", "too many references in one tile of %s", n->kernel->name);
    for (int i = 0; i < n->nrefs; i++) {
        b->of[i] = find_base(n, b, n->ref[i], arena);
        b->base[b->of[i]].written |= is_write(n, n->ref[i]);
    }
    for (int i = 0; i < b->n; i++) {
        b->base[i].lone = b->base[i].ref->buffer || !sq_kernel_overlaps(n->kernel);
        for (int j = 0; j < b->n; j++)
            if (j != i && b->base[j].ref->array == b->base[i].ref->array)
                b->base[i].lone = false;
    }
}

const char *sq_stride_name(const sq_array *a, int d, sq_arena *arena)
{
    return sq_arena_printf(arena, "@%s_s%d", a->name, d);
}

const sq_code_expr *sq_stride_code(const sq_array *a, int d, sq_code_pool *code)
{
    int64_t known = sq_array_stride(a, d);
    return known ? sq_code_number(code, known)
                 : sq_code_name(code, sq_stride_name(a, d, code->arena));
}

/* Returns subscript a at the origin, without its constant (which is part of the offsets). */
static const sq_code_expr *subscript(const sq_nest *n, const sq_ref *r, int a,
                                     const sq_code_expr *const *at)
{
    const sq_code_expr *sum = sq_code_number(n->code, 0);
    for (int d = 0; d < n->group->ndim; d++)
        if (r->coef[a][d])
            sum = sq_code_add_scaled(n->code, sum, r->coef[a][d], at[d]);
    return sq_code_add(n->code, sum, r->symbolic[a]);
}

/* Returns the offset from the start of the copy along one axis, in elements. */
static const sq_code_expr *in_buffer(const sq_nest *n, const sq_ref *r, int a,
                                     const sq_code_expr *const *at)
{
    const sq_axis *x = &r->buffer->axis[a];
    int64_t by = x->stride * (x->split ? x->block : 1);
    const sq_code_expr *from = sq_code_sub(n->code, subscript(n, r, a, at), x->lo),
                       *place = sq_code_divide(n->code, SQ_CODE_DIV,
                                               sq_code_plus(n->code, from, x->konst),
                                               sq_code_number(n->code, by));
    return sq_code_scale(n->code, x->step_q, place);
}

/* Returns the same for the array. */
static const sq_code_expr *in_array(const sq_nest *n, const sq_ref *r, int a,
                                    const sq_code_expr *const *at)
{
    return sq_code_mul(n->code, subscript(n, r, a, at), sq_stride_code(r->array, a, n->code));
}

const sq_code_expr *sq_base_offset(const sq_nest *n, const sq_base *b,
                                   const sq_code_expr *const *at)
{
    const sq_ref *r = b->ref;
    const sq_code_expr *sum = sq_code_number(n->code, 0);
    for (int a = 0; a < r->nsubs; a++)
        sum = sq_code_add(n->code, sum, r->buffer ? in_buffer(n, r, a, at) : in_array(n, r, a, at));
    return sum;
}

/* Returns the array, or what there is of it (NULL: all), as a buffer of one dimension. */
static const sq_code_buffer *memory_of(const sq_kernel *k, const sq_array *a, const sq_window *w, bool is_readonly,
                                       sq_code_pool *code)
{
    const sq_code_expr *elements = sq_code_number(code, w ? w->rows : 1);
    for (int d = w ? w->ndims : 0; d < a->ndim; d++)
        elements = sq_code_mul(code, elements, sq_aff_code(k, a->extent[d], code));
    return a->words_of ? sq_code_words(code, a->name, elements)
                       : sq_code_row(code, a->name, a->type, elements, is_readonly);
}

const sq_code_buffer *sq_array_memory(const sq_kernel *k, const sq_array *a, bool is_readonly,
                                      sq_code_pool *code)
{
    return memory_of(k, a, NULL, is_readonly, code);
}

const sq_code_buffer *sq_base_memory(const sq_nest *n, const sq_base *b)
{
    const sq_ref *r = b->ref;
    return r->buffer ? r->buffer->panel
                     : memory_of(n->kernel, r->array, r->window, !b->written, n->code);
}
