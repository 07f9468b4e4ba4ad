/* Ranges: how far an index runs that has no range of its own. It ranges over the array dimensions
 * where it stands alone; these must agree for all sizes. */
#include "frontend/build.h"
#include <isl/point.h>
#include <isl/space.h>

/* Where a variable stands alone in a subscript. */
typedef struct standing {
    sq_builder *b;
    int var;
    isl_aff *extent; /* of the first such dimension, borrowed */
    const sq_access *first;
    int dim;
    int failed;
} standing;

static const sq_symbol *symbol_of(const sq_builder *b, const sq_array *a)
{
    for (const sq_symbol *s = b->symbols; s; s = s->next)
        if (s->array == a)
            return s;
    return NULL;
}

/* Sizes of 0 make no good example: without them, if anything is left. Takes the set. */
static isl_set *prefer_positive(isl_set *params)
{
    isl_set *large = isl_set_copy(params);
    for (unsigned i = 0; i < (unsigned)isl_set_dim(params, isl_dim_param); i++)
        large = isl_set_lower_bound_si(large, isl_dim_param, i, 1);
    bool fits = isl_set_is_empty(large) == isl_bool_false;
    isl_set_free(fits ? params : large);
    return fits ? large : params;
}

/* "K=1, L=0": a point of the sizes, for messages. */
static const char *point_text(const sq_builder *b, isl_set *params)
{
    const char *text = "";
    isl_point *p = isl_set_sample_point(prefer_positive(params));
    for (int i = 0; i < b->k->nsizes; i++) {
        int at = isl_space_find_dim_by_name(b->universe, isl_dim_param, b->k->size[i]->name);
        if (at < 0)
            continue;
        isl_val *v = isl_point_get_coordinate_val(p, isl_dim_param, at);
        text = sq_arena_printf(b->r.arena, "%s%s%s=%ld", text, *text ? ", " : "",
                               b->k->size[i]->name, isl_val_get_num_si(v));
        isl_val_free(v);
    }
    isl_point_free(p);
    return text;
}

static int refuse_ranges(standing *w, const sq_access *a, int dim, isl_set *where)
{
    sq_builder *b = w->b;
    sq_error(b->r.d, SQ_FAULT_INPUT, a->loc,
             "the ranges of '%s' disagree: it runs over dimension "
             "%d of '%s' here and over dimension %d of '%s' elsewhere",
             b->var[w->var].name, dim + 1, a->array->name, w->dim + 1, w->first->array->name);
    sq_note(b->r.d, w->first->loc, "the other place");
    const char *example = point_text(b, where);
    if (*example)
        sq_note(b->r.d, SQ_NOWHERE, "for example with %s", example);
    sq_help(b->r.d, SQ_NOWHERE,
            "say the range with range(%s, lo, hi), or that the sizes are equal "
            "with assume",
            b->var[w->var].name);
    w->failed = -1;
    return -1;
}

static void note_standing(standing *w, const sq_access *a)
{
    sq_builder *b = w->b;
    const sq_symbol *symbol = symbol_of(b, a->array);
    for (int d = 0; d < a->array->ndim && !w->failed; d++) {
        isl_aff *s = isl_multi_aff_get_aff(a->map, d);
        bool alone = sq_affine_bare(b, s) == w->var;
        isl_aff_free(s);
        if (!alone)
            continue;
        if (!w->extent) {
            w->extent = symbol->extent[d];
            w->first = a;
            w->dim = d;
            continue;
        }
        isl_set *differ = isl_set_params(
            isl_aff_ne_set(isl_aff_copy(w->extent), isl_aff_copy(symbol->extent[d])));
        differ = isl_set_intersect(differ, isl_set_copy(b->k->context));
        if (isl_set_is_empty(differ) == isl_bool_true)
            isl_set_free(differ);
        else
            refuse_ranges(w, a, d, differ);
    }
}

static void visit_standing(sq_expr *e, void *user)
{
    if (e->op == SQ_OP_READ)
        note_standing(user, e->access);
}

/* The range of a dimension of the draft, from where it stands alone: in the write if it is free, in
 * the body if reduced. */
int sq_range_infer(sq_builder *b, sq_draft *s, int d)
{
    int v = s->dim[d];
    standing w = {.b = b, .var = v};
    if (b->var[v].active)
        return 0;
    if (b->var[v].failed)
        return -1; /* reported where its range stands */
    if (d < s->nfree)
        note_standing(&w, s->write);
    else
        sq_expr_walk(s->body, visit_standing, &w);
    if (w.failed)
        return -1;
    if (!w.extent) {
        sq_error(b->r.d, SQ_FAULT_INPUT, s->body ? s->body->loc : s->loc,
                 "'%s' stands alone in no "
                 "subscript, so its range is not known; write range(%s, lo, hi)",
                 b->var[v].name, b->var[v].name);
        return -1;
    }
    s->hi[d] = w.extent;
    return 0;
}
