/* Draw, product: sums of products of two inputs of one type, in every layout, with loops around and
 * old values: what matrix instructions are for. It ends a program, as draw_softmax.c does. */
#include "tests/fuzz/draw.h"
#include <stdio.h>

enum { NOWHERE = -1 };

typedef struct product {
    draw *d;
    sq_type of, sum;
    int row, column, step, batch,
        more; /* variables; batch and more (a second sum) may be NOWHERE */
} product;

/* A variable of the sum, whose range is said: the box, or a part of it. */
static int summed(draw *d, extent box)
{
    int v = draw_index_var(d, box, 0);
    if (v < 0)
        return NOWHERE;
    variable *x = &d->p->var[v];
    snprintf(x->name, sizeof x->name, "q%d", d->names++);
    x->ranged = true;
    x->low = draw_chance(d, 15);
    x->high = draw_chance(d, 25) ? 1 + draw_below(d, 3) : 0;
    x->lo = (affine){.constant = x->low};
    x->hi = extent_last(&x->box);
    x->hi.constant += 1 - x->high;
    return v;
}

/* An element of a new input along a variable and the steps, one of them first. */
static expr *factor(product *s, int along)
{
    draw *d = s->d;
    int which = draw_new_array(d, s->of), n = 0, both[2] = {along, s->step};
    if (which < 0)
        return NULL;
    array *a = &d->p->array[which];
    expr *e = draw_expr(d, E_READ, s->of);
    bool turned = draw_chance(d, 50), batched = s->batch >= 0 && draw_chance(d, 80);
    const int dims[] = {batched ? s->batch : NOWHERE, s->more, both[turned], both[!turned]};
    for (int i = 0; i < 4; i++) {
        if (dims[i] < 0)
            continue;
        a->dim[n] = d->p->var[dims[i]].box;
        e->sub[n] = affine_of_var(dims[i]);
        if (draw_chance(d, 8)) { /* some elements more, of which the last ones are read */
            a->dim[n].plus += 2;
            e->sub[n].constant = 1 + draw_below(d, 2);
        }
        n++;
    }
    a->ndim = n;
    e->which = which;
    return draw_cast(d, s->sum, e);
}

/* Scaled, with an input or an old value. */
static expr *finished(product *s, const node *n, expr *e)
{
    draw *d = s->d;
    int magnitude = SUM_GROWTH;
    e = draw_tamed(d, e, &magnitude);
    if (draw_chance(d, 30)) {
        expr *old = draw_expr(d, E_READ, d->p->array[n->target].type);
        old->which = n->target;
        for (int i = 0; i < n->nfree; i++)
            old->sub[i] = n->sub[i];
        e = draw_binary(d, "+", e, draw_cast(d, s->sum, old));
        d->p->array[n->target].inout = true;
    }
    if (sq_type_real(s->sum) && d->f->words && draw_chance(d, 30))
        e = draw_unary(d, "relu", e);
    return e;
}

static int result(product *s, node *n)
{
    static const sq_type reals[] = {SQ_F32, SQ_F32, SQ_F16, SQ_BF16};
    draw *d = s->d;
    int which = draw_new_array(d, sq_type_real(s->sum) ? reals[draw_below(d, 4)] : SQ_I32);
    const int dims[] = {s->batch, s->row, s->column};
    if (which < 0)
        return NOWHERE;
    array *a = &d->p->array[which];
    for (int i = 0; i < 3; i++) {
        if (dims[i] < 0)
            continue;
        a->dim[n->nfree] = d->p->var[dims[i]].box;
        n->sub[n->nfree] = affine_of_var(dims[i]);
        n->free_var[n->nfree++] = dims[i];
    }
    a->ndim = n->nfree;
    a->written = true;
    a->magnitude = CAP;
    return which;
}

/* Half precision needs no permission; f32 is rounded where the program allows it. */
static void choose_type(product *s)
{
    static const sq_type types[] = {SQ_F16, SQ_F16, SQ_BF16, SQ_I8, SQ_U8, SQ_F32};
    s->of = types[draw_below(s->d, 6)];
    s->sum = sq_type_real(s->of) ? SQ_F32 : SQ_I32;
    if (s->of != SQ_F32)
        return;
    s->d->p->fp = SQ_FP_FAST;
    s->d->p->rounds = true;
}

void draw_product(draw *d, node **tail)
{
    product s = {.d = d, .batch = NOWHERE, .more = NOWHERE};
    node *n = draw_node(d, N_INDEX);
    d->nscope = 0;
    choose_type(&s);
    if (draw_chance(d, 25))
        s.batch = draw_index_var(d, (extent){.size = -1, .plus = 1 + draw_below(d, 3)}, 0);
    s.row = draw_index_var(d, draw_box(d), 0);
    s.column = draw_index_var(d, draw_box(d), 0);
    n->target = s.row < 0 || s.column < 0 ? NOWHERE : result(&s, n);
    if (draw_chance(d, 20))
        s.more = summed(d, (extent){.size = -1, .plus = 4 + draw_below(d, 2)});
    s.step = summed(d, draw_box(d));
    if (n->target < 0 || s.step < 0)
        return;
    expr *a = factor(&s, s.row), *b = a ? factor(&s, s.column) : NULL;
    expr *e = draw_expr(d, E_REDUCE, s.sum);
    if (!b)
        return;
    e->text = "sum";
    if (s.more >= 0)
        e->var[e->nvars++] = s.more;
    e->var[e->nvars++] = s.step;
    e->listed = true;
    e->arg[e->nargs++] = draw_chance(d, 50) ? draw_binary(d, "*", a, b) : draw_binary(d, "*", b, a);
    n->op = "=";
    n->value = finished(&s, n, e);
    *tail = n;
}
