/* Draw, softmax: a maximum over one index, sums of exp(x - maximum) over the same index, and what
 * is divided by them: what online() is for. It ends a program, so that nothing else reads a
 * triangle that was not filled. */
#include "tests/fuzz/draw.h"
#include <stdio.h>
#include <string.h>

typedef struct softmax {
    draw *d;
    sq_type type;
    extent rows, columns, depth;
    bool triangle;            /* row i has columns 0 to i */
    bool held;                /* the exponentials have an array of their own */
    int x, most, exps, total; /* arrays */
    double scale;
    node **tail;
} softmax;

static int new_array(softmax *s, bool local, int ndim, extent first, extent second)
{
    int which = draw_new_array(s->d, s->type);
    if (which < 0)
        return -1;
    array *a = &s->d->p->array[which];
    a->ndim = ndim;
    a->dim[0] = first;
    a->dim[1] = second;
    a->local = local && s->d->f->locals;
    return which;
}

/* A variable for the rows, the first one of a statement, and one for the columns. */
static int row(softmax *s)
{
    s->d->nscope = 0;
    return draw_index_var(s->d, s->rows, 0);
}

static int column(softmax *s, int i)
{
    int j = i < 0 ? -1 : draw_index_var(s->d, s->columns, 0);
    if (j < 0 || !s->triangle)
        return j;
    variable *v = &s->d->p->var[j];
    snprintf(v->name, sizeof v->name, "q%d", s->d->names++);
    v->ranged = true;
    v->lo = (affine){0};
    v->hi = affine_of_var(i);
    v->hi.constant = 1;
    return j;
}

static expr *read_at(const softmax *s, int which, int i, int j)
{
    expr *e = draw_expr(s->d, E_READ, s->type);
    e->which = which;
    e->sub[0] = affine_of_var(i);
    if (j >= 0)
        e->sub[1] = affine_of_var(j);
    return e;
}

static expr *over(const softmax *s, const char *text, int j, expr *body)
{
    expr *e = draw_expr(s->d, E_REDUCE, s->type);
    e->text = text;
    e->var[e->nvars++] = j;
    e->listed = true;
    e->arg[e->nargs++] = body;
    return e;
}

static expr *scaled(const softmax *s, int i, int j)
{
    expr *x = read_at(s, s->x, i, j);
    return s->scale == 1 ? x : draw_binary(s->d, "*", draw_constant(s->d, s->type, s->scale), x);
}

/* exp(x - most), be it read from where it was kept. */
static expr *weight(const softmax *s, int i, int j)
{
    if (s->held)
        return read_at(s, s->exps, i, j);
    expr *less = draw_binary(s->d, "-", scaled(s, i, j), read_at(s, s->most, i, -1));
    return draw_unary(s->d, s->type == SQ_F32 ? "expf" : "exp", less);
}

/* By 1 + total: there are rows of nothing. */
static expr *by_total(const softmax *s, int i, expr *e)
{
    expr *total = read_at(s, s->total, i, -1);
    return draw_binary(s->d, "/", e,
                       draw_binary(s->d, "+", draw_constant(s->d, s->type, 1), total));
}

/* target[i], target[i][j] = value */
static void assign(softmax *s, int target, int i, int j, expr *value)
{
    array *a = &s->d->p->array[target];
    node *n = draw_node(s->d, N_INDEX);
    n->target = target;
    n->op = "=";
    n->value = value;
    n->free_var[n->nfree++] = i;
    n->sub[0] = affine_of_var(i);
    if (j >= 0) {
        n->free_var[n->nfree++] = j;
        n->sub[1] = affine_of_var(j);
    }
    a->written = true;
    a->inout |= j >= 0 && s->d->p->var[j].ranged && !a->local;
    a->magnitude = CAP;
    *s->tail = n;
    s->tail = &n->next;
}

/* x is an input, or made of two: elements times a factor, or products of rows. */
static bool make_x(softmax *s)
{
    int input = new_array(s, false, 2, s->rows, s->columns);
    s->x = input;
    if (input < 0 || draw_chance(s->d, 45))
        return input >= 0;
    s->x = new_array(s, true, 2, s->rows, s->columns);
    int i = row(s), j = column(s, i);
    if (s->x < 0 || j < 0)
        return false;
    if (draw_chance(s->d, 50)) {
        expr *half = draw_constant(s->d, s->type, 0.5);
        assign(s, s->x, i, j, draw_binary(s->d, "*", half, read_at(s, input, i, j)));
        return true;
    }
    int a = new_array(s, false, 2, s->rows, s->depth),
        b = new_array(s, false, 2, s->columns, s->depth);
    int k = draw_index_var(s->d, s->depth, 0);
    if (a < 0 || b < 0 || k < 0)
        return false;
    expr *product = draw_binary(s->d, "*", read_at(s, a, i, k), read_at(s, b, j, k));
    assign(s, s->x, i, j, over(s, "sum", k, product));
    return true;
}

static bool make_exps(softmax *s)
{
    if (!draw_chance(s->d, 50))
        return true;
    s->exps = new_array(s, true, 2, s->rows, s->columns);
    int i = row(s), j = column(s, i);
    if (s->exps < 0 || j < 0)
        return false;
    assign(s, s->exps, i, j, weight(s, i, j));
    s->held = true;
    return true;
}

/* What came of it: the weights, or rows of another array by weight. */
static bool make_result(softmax *s)
{
    bool weighted = draw_chance(s->d, 60);
    int y = new_array(s, false, 2, s->rows, weighted ? s->depth : s->columns);
    int v = weighted ? new_array(s, false, 2, s->columns, s->depth) : y;
    int i = row(s), c = i < 0 || !weighted ? -1 : draw_index_var(s->d, s->depth, 0),
        j = column(s, i);
    if (y < 0 || v < 0 || j < 0 || (weighted && c < 0))
        return false;
    if (!weighted) {
        assign(s, y, i, j, by_total(s, i, weight(s, i, j)));
        return true;
    }
    expr *sum = over(s, "sum", j, draw_binary(s->d, "*", weight(s, i, j), read_at(s, v, j, c)));
    assign(s, y, i, c, draw_chance(s->d, 80) ? by_total(s, i, sum) : sum);
    return true;
}

void draw_softmax(draw *d, node **tail)
{
    static const double scales[] = {1, 1, 0.5, 3};
    softmax s = {.d = d, .type = draw_chance(d, 70) ? SQ_F32 : SQ_F64, .tail = tail};
    s.rows = draw_box(d);
    s.triangle = draw_chance(d, 30);
    s.columns = s.triangle ? s.rows : draw_box(d);
    s.depth = draw_box(d);
    s.scale = scales[draw_below(d, 4)];
    if (!make_x(&s))
        return;
    int i = row(&s), j = column(&s, i);
    s.most = new_array(&s, true, 1, s.rows, s.rows);
    if (j < 0 || s.most < 0)
        return;
    assign(&s, s.most, i, -1, over(&s, "rmax", j, scaled(&s, i, j)));
    if (!make_exps(&s))
        return;
    i = row(&s), j = column(&s, i);
    s.total = new_array(&s, draw_chance(d, 70), 1, s.rows, s.rows);
    if (j < 0 || s.total < 0)
        return;
    assign(&s, s.total, i, -1, over(&s, "sum", j, weight(&s, i, j)));
    make_result(&s);
}
