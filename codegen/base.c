/* Base: finding the pointers that references share, and the text of where they start. */
#include "codegen/base.h"
#include "codegen/sum.h"
#include <string.h>

static bool same_walk(const sq_ref *a, const sq_ref *b)
{
    if (a->array != b->array || a->buffer != b->buffer)
        return false;
    for (int s = 0; s < a->nsubs; s++)
        if (memcmp(a->coef[s], b->coef[s], sizeof a->coef[s]) != 0 ||
            strcmp(a->symbolic[s], b->symbolic[s]) != 0)
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

/* Subscript a at the origin, without its constant (that is part of the offsets). */
static void add_subscript(const sq_nest *n, const sq_ref *r, int a, const char *const *at,
                          sq_sum *s)
{
    for (int d = 0; d < n->group->ndim; d++)
        sq_sum_add(s, r->coef[a][d], at[d]);
    if (r->symbolic[a][0])
        sq_sum_add(s, 1, r->symbolic[a]);
}

static void put_buffer_term(const sq_nest *n, const sq_ref *r, int a, const char *const *at,
                            sq_arena *arena, sq_text *to)
{
    const sq_axis *x = &r->buffer->axis[a];
    int64_t by = x->stride * (x->split ? x->block : 1);
    sq_sum s = {.konst = x->konst};
    add_subscript(n, r, a, at, &s);
    sq_sum_add(&s, -1, x->lo);
    const char *text = sq_sum_text(&s, arena);
    if (strcmp(text, "0") == 0)
        return;
    bool factor = by != 1 || x->step_q != 1;
    sq_text_printf(to, " + %s", factor ? sq_text_factor(text, arena) : text);
    if (by != 1)
        sq_text_printf(to, " / %lld", (long long)by);
    if (x->step_q != 1)
        sq_text_printf(to, " * %lld", (long long)x->step_q);
}

static void put_array_term(const sq_nest *n, const sq_ref *r, int a, const char *const *at,
                           sq_arena *arena, sq_text *to)
{
    int64_t stride = sq_array_stride(r->array, a);
    sq_sum s = {0};
    add_subscript(n, r, a, at, &s);
    const char *text = sq_sum_text(&s, arena);
    if (strcmp(text, "0") == 0)
        return;
    if (stride == 1) /* the difference first: A + -i would be a place before the array */
        sq_text_printf(to, strchr(text, '-') ? " + (%s)" : " + %s", text);
    else if (stride)
        sq_text_printf(to, " + %s * %lld", sq_text_factor(text, arena), (long long)stride);
    else
        sq_text_printf(to, " + %s * %s", sq_text_factor(text, arena),
                       sq_stride_name(r->array, a, arena));
}

void sq_base_origin(const sq_nest *n, const sq_base *b, const char *const *at, sq_arena *arena,
                    sq_text *to)
{
    const sq_ref *r = b->ref;
    sq_text_puts(to, r->buffer ? r->buffer->name : r->array->name);
    for (int a = 0; a < r->nsubs; a++) {
        if (r->buffer)
            put_buffer_term(n, r, a, at, arena, to);
        else
            put_array_term(n, r, a, at, arena, to);
    }
}
