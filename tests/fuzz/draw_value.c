/* Draw, values: random subscripts that stay in bounds, arrays shaped by them, expressions of a
 * type. Floating values are kept small (`magnitude`), so that rounding never grows into what looks
 * like a wrong result; integers may overflow, which wraps. */
#include "tests/fuzz/draw.h"
#include <string.h>

int draw_below(draw *d, int n)
{
    return (int)sq_rng_below(d->r, (size_t)n);
}

bool draw_chance(draw *d, int percent)
{
    return draw_below(d, 100) < percent;
}

/* ---- bounds ---- */

/* What the affine expression is at one end of its variables' boxes. */
static affine end_of(const program *p, const affine *a, bool greatest)
{
    affine e = *a;
    memset(e.var, 0, sizeof e.var);
    for (int v = 0; v < p->nvars; v++) {
        int c = a->var[v];
        const variable *x = &p->var[v];
        if (c == 0)
            continue;
        if ((c > 0) == greatest) {
            if (x->box.size >= 0)
                e.size[x->box.size] += c * x->box.times;
            e.constant += c * (x->box.plus - x->high - 1);
        } else {
            e.constant += c * x->low;
        }
    }
    return e;
}

static bool never_negative(const affine *a)
{
    for (int s = 0; s < MOST_PROGRAM_SIZES; s++)
        if (a->size[s] < 0)
            return false;
    return a->constant >= 0;
}

static bool fits(const program *p, const affine *a, const extent *e)
{
    affine low = end_of(p, a, false), high = end_of(p, a, true), rest = {.constant = e->plus - 1};
    if (e->size >= 0)
        rest.size[e->size] = e->times;
    for (int s = 0; s < MOST_PROGRAM_SIZES; s++)
        rest.size[s] -= high.size[s];
    rest.constant -= high.constant;
    return never_negative(&low) && never_negative(&rest);
}

affine affine_of_var(int v)
{
    affine a = {0};
    a.var[v] = 1;
    return a;
}

/* e - 1 */
affine extent_last(const extent *e)
{
    affine a = {.constant = e->plus - 1};
    if (e->size >= 0)
        a.size[e->size] = e->times;
    return a;
}

/* ---- subscripts ---- */

static affine propose(draw *d, const extent *e)
{
    affine a = {0};
    int form = draw_below(d, 100);
    if (d->nscope == 0 || form < 3) {
        a.constant = draw_below(d, 3);
        return a;
    }
    int v = d->scope[draw_below(d, d->nscope)];
    a = affine_of_var(v);
    if (form < 62)
        return a;
    if (form < 80) {
        a.constant = draw_below(d, 5) - 2;
    } else if (form < 87 && e) {
        a = extent_last(e);
        a.var[v] = -1;
    } else if (form < 94) {
        a.var[v] = 2;
        a.constant = draw_below(d, 3) - 1;
    } else {
        a.var[d->scope[draw_below(d, d->nscope)]] += 1;
        a.constant = draw_below(d, 2);
    }
    return a;
}

static bool find_subscript(draw *d, const extent *e, affine *to)
{
    for (int attempt = 0; attempt < 25; attempt++) {
        *to = propose(d, e);
        if (fits(d->p, to, e))
            return true;
    }
    return false;
}

/* The smallest dimension for a subscript, which may be moved to begin at 0; false: of two sizes. */
static bool make_extent(draw *d, affine *sub, extent *e)
{
    affine low = end_of(d->p, sub, false);
    for (int s = 0; s < d->p->nsizes; s++)
        if (low.size[s] < 0)
            return false;
    if (low.constant < 0)
        sub->constant -= low.constant;
    affine high = end_of(d->p, sub, true);
    *e = (extent){.size = -1, .plus = high.constant + 1};
    for (int s = 0; s < d->p->nsizes; s++) {
        if (high.size[s] == 0)
            continue;
        if (e->size >= 0)
            return false;
        e->size = s;
        e->times = high.size[s];
    }
    if (e->plus < 0)
        e->plus = 0;
    e->plus += draw_chance(d, 20) ? draw_below(d, 3) : 0;
    return e->size < 0 || e->times > 0;
}

/* ---- arrays ---- */

int draw_new_array(draw *d, sq_type type)
{
    static const char names[] = "ABCDEFGHPQRSTUVWXYZ";
    program *p = d->p;
    if (p->narrays == MOST_ARRAYS - 1 || p->narrays == (int)sizeof names - 1)
        return -1;
    p->array[p->narrays] = (array){.name = {names[p->narrays], 0}, .type = type};
    return p->narrays++;
}

/* A new array shaped by its first subscripts. */
int draw_array_for(draw *d, sq_type type, affine *sub)
{
    int which = draw_new_array(d, type);
    if (which < 0)
        return -1;
    array *a = &d->p->array[which];
    a->ndim = 1 + (draw_chance(d, 60) && d->nscope > 1) + (draw_chance(d, 15) && d->nscope > 2);
    for (int i = 0; i < a->ndim; i++) {
        sub[i] = propose(d, NULL);
        for (int tries = 0; i > 0 && tries < 4 && !memcmp(&sub[i], &sub[i - 1], sizeof *sub);
             tries++)
            sub[i] = propose(d, NULL);
        if (!make_extent(d, &sub[i], &a->dim[i])) {
            sub[i] = d->nscope ? affine_of_var(d->scope[draw_below(d, d->nscope)]) : (affine){0};
            if (!make_extent(d, &sub[i], &a->dim[i]))
                return d->p->narrays--, -1;
        }
    }
    return which;
}

bool draw_subscripts(draw *d, int which, affine *sub)
{
    const array *a = &d->p->array[which];
    for (int i = 0; i < a->ndim; i++) {
        if (!find_subscript(d, &a->dim[i], &sub[i]))
            return false;
        if (draw_chance(d, 4)) { /* smaller, and not negative either */
            sub[i].divisor = 2 + draw_below(d, 3);
            sub[i].remainder = draw_chance(d, 40);
        }
    }
    return true;
}

/* ---- values ---- */

expr *draw_expr(draw *d, kind k, sq_type type)
{
    expr *e = SQ_NEW(d->arena, expr);
    e->kind = k;
    e->type = type;
    return e;
}

expr *draw_constant(draw *d, sq_type type, double number)
{
    expr *e = draw_expr(d, E_CONST, type);
    e->number = number;
    return e;
}

expr *draw_unary(draw *d, const char *text, expr *a)
{
    expr *e = draw_expr(d, E_UNARY, a->type);
    e->text = text;
    e->arg[0] = a;
    e->nargs = 1;
    return e;
}

expr *draw_binary(draw *d, const char *text, expr *a, expr *b)
{
    expr *e = draw_expr(d, E_BINARY, a->type);
    e->text = text;
    e->arg[0] = a;
    e->arg[1] = b;
    e->nargs = 2;
    return e;
}

expr *draw_cast(draw *d, sq_type type, expr *a)
{
    if (a->type == type)
        return a;
    expr *e = draw_expr(d, E_CAST, type);
    e->arg[0] = a;
    e->nargs = 1;
    return e;
}

sq_type draw_type(draw *d)
{
    static const sq_type small[] = {SQ_I8, SQ_I16, SQ_U8, SQ_U16, SQ_U32, SQ_U64};
    int n = draw_below(d, 100);
    if (d->overlapping)
        return n < 80 ? SQ_I32 : SQ_I64;
    if (d->f->small_types && n < 16)
        return small[draw_below(d, 6)];
    if (d->f->halves && n < 24)
        return draw_chance(d, 50) ? SQ_F16 : SQ_BF16;
    return n < 65 ? SQ_F32 : n < 80 ? SQ_F64 : n < 93 ? SQ_I32 : SQ_I64;
}

/* Of large values a small part, so that sums of them stay small. */
expr *draw_tamed(draw *d, expr *e, int *magnitude)
{
    if (!sq_type_real(e->type) || *magnitude <= CAP)
        return e;
    expr *small = draw_constant(d, e->type, 1.0 / (1 << *magnitude));
    *magnitude = 0;
    return draw_binary(d, "*", small, e);
}

expr *draw_read(draw *d, sq_type type, bool cold)
{
    expr *e = draw_expr(d, E_READ, type);
    e->which = -1;
    for (int attempt = 0; attempt < 6 && d->p->narrays && draw_chance(d, 75); attempt++) {
        int which = draw_below(d, d->p->narrays);
        const array *a = &d->p->array[which];
        if (a->type != type || (cold && (d->hot >> which & 1)) ||
            !draw_subscripts(d, which, e->sub))
            continue;
        e->which = which;
        break;
    }
    if (e->which < 0)
        e->which = draw_array_for(d, type, e->sub);
    if (e->which < 0)
        return NULL;
    array *a = &d->p->array[e->which];
    a->read = true;
    if (d->f->words && a->ndim && draw_chance(d, 6)) {
        e->pad = !d->f->clamp || draw_chance(d, 70);
        e->clamp = !e->pad;
        e->number = draw_below(d, 2);
        e->sub[draw_below(d, a->ndim)].constant += draw_below(d, 3) - 1;
        for (int i = 0; i < a->ndim; i++)
            e->sub[i].divisor = 0;
    }
    return e;
}

/* Of what is read where `type` is computed in: often smaller. */
static sq_type stored_type(draw *d, sq_type type)
{
    static const sq_type small[] = {SQ_I8, SQ_I16, SQ_U8, SQ_U16};
    if (d->f->small_types && type == SQ_I32 && draw_chance(d, 30))
        return small[draw_below(d, 4)];
    if (d->f->halves && type == SQ_F32 && draw_chance(d, 10))
        return draw_chance(d, 50) ? SQ_F16 : SQ_BF16;
    return type;
}

/* A leaf in the type that is computed in. */
expr *draw_leaf(draw *d, sq_type type, bool cold, int *magnitude)
{
    *magnitude = 0;
    int form = draw_below(d, 100);
    if (form < 4 && d->p->nscalars)
        for (int s = 0; s < d->p->nscalars; s++)
            if (d->p->scalar[s] == type) {
                expr *e = draw_expr(d, E_SCALAR, type);
                e->which = s;
                return e;
            }
    if (form < 8 && d->nscope) {
        expr *e = draw_expr(d, E_INDEX, type);
        e->sub[0] = affine_of_var(d->scope[draw_below(d, d->nscope)]);
        e->sub[0].var[d->scope[draw_below(d, d->nscope)]] += draw_below(d, 3) - 1;
        e->sub[0].constant = draw_below(d, 4);
        if (draw_chance(d, 15)) {
            e->sub[0].divisor = 2 + draw_below(d, 4);
            e->sub[0].remainder = draw_chance(d, 50);
            e->sub[0].constant -= draw_below(d, 4);
        }
        return sq_type_real(type) ? draw_binary(d, "*", draw_constant(d, type, 0.0078125), e) : e;
    }
    if (form < 14)
        return draw_constant(
            d, type, sq_type_real(type) ? 0.25 * (1 + draw_below(d, 5)) : draw_below(d, 9) - 3);
    expr *e = draw_read(d, stored_type(d, type), cold);
    if (!e)
        return draw_constant(d, type, 1);
    *magnitude = d->p->array[e->which].magnitude;
    e = draw_cast(d, type, e);
    e->implicit = e->kind == E_CAST && draw_chance(d, 50);
    return draw_tamed(d, e, magnitude);
}
