/* Draw: random programs. What is read and written in one nest of loops is only averaged, so that it
 * does not grow from iteration to iteration. */
#include "tests/fuzz/draw.h"
#include <stdio.h>
#include <string.h>

/* ---- index statements ---- */

static int new_var(draw *d, bool index)
{
    program *p = d->p;
    if (p->nvars == MOST_VARS)
        return -1;
    p->var[p->nvars] = (variable){.index = index};
    return p->nvars++;
}

extent draw_box(draw *d)
{
    if (draw_chance(d, 14))
        return (extent){.size = -1, .plus = 2 + draw_below(d, 5)};
    return (extent){.size = draw_below(d, d->p->nsizes), .times = 1};
}

static void name_var(draw *d, int v, bool shared)
{
    static const char names[] = "ijklmn";
    if (shared && d->nscope < 6)
        snprintf(d->p->var[v].name, sizeof d->p->var[v].name, "%c", names[d->nscope]);
    else
        snprintf(d->p->var[v].name, sizeof d->p->var[v].name, "q%d", d->names++);
}

/* A range that is a part of the box: an end cut off, or a triangle with a variable before. */
static void narrow(draw *d, int v)
{
    variable *x = &d->p->var[v];
    int other = -1;
    for (int i = 0; i < d->nscope; i++)
        if (memcmp(&d->p->var[d->scope[i]].box, &x->box, sizeof x->box) == 0 && d->scope[i] != v)
            other = d->scope[i];
    x->ranged = true;
    x->lo = (affine){0};
    x->hi = extent_last(&x->box);
    x->hi.constant++;
    if (other >= 0 && draw_chance(d, 60)) {
        affine w = affine_of_var(other);
        w.constant = draw_below(d, 2);
        if (draw_chance(d, 50))
            x->lo = w;
        else
            x->hi = w;
        return;
    }
    x->low = x->lo.constant = draw_below(d, 2);
    x->high = draw_below(d, 3);
    x->hi.constant -= x->high;
}

int draw_index_var(draw *d, extent box, int narrowed)
{
    int v = new_var(d, true);
    if (v < 0 || d->nscope == MOST_SCOPE)
        return -1;
    d->p->var[v].box = box;
    bool part = draw_chance(d, narrowed);
    name_var(d, v, !part);
    if (part)
        narrow(d, v);
    d->scope[d->nscope++] = v;
    return v;
}

/* Does the variable stand alone in a subscript, and only in dimensions of its own extent? */
static int implied(const program *p, const expr *e, int v)
{
    int found = 0;
    for (int s = 0; e->kind == E_READ && s < p->array[e->which].ndim; s++) {
        affine bare = affine_of_var(v);
        if (memcmp(&e->sub[s], &bare, sizeof bare) != 0)
            continue;
        if (e->pad || e->clamp ||
            memcmp(&p->array[e->which].dim[s], &p->var[v].box, sizeof(extent)) != 0)
            return -1;
        found = 1;
    }
    for (int i = 0; i < e->nargs; i++) {
        int inside = implied(p, e->arg[i], v);
        if (inside < 0)
            return -1;
        found |= inside;
    }
    return found;
}

static expr *reduction(draw *d, sq_type type, int *magnitude)
{
    static const char *const names[] = {"sum", "sum", "sum", "prod", "rmax", "rmin"};
    expr *e = draw_expr(d, E_REDUCE, type);
    int before = d->nscope, n = 1 + draw_chance(d, 25);
    for (int i = 0; i < n && d->nscope < MOST_DEPTH; i++) {
        extent box = d->nscope && draw_chance(d, 40) ? d->p->var[d->scope[0]].box : draw_box(d);
        int v = draw_index_var(d, box, 20);
        if (v >= 0)
            e->var[e->nvars++] = v;
    }
    d->nscope = before + e->nvars;
    e->text = e->nvars ? names[draw_below(d, 6)] : "sum";
    expr *body = draw_value(d, type, 1 + draw_below(d, 2), true, magnitude);
    if (*e->text == 'r' && body->kind == E_CAST) {
        body->implicit = false; /* the least value of a narrow type is not that of int */
        if (draw_chance(d, 50) && body->arg[0]->kind == E_READ && !sq_type_real(type))
            e->type = body->arg[0]->type, body = body->arg[0];
    }
    if (*e->text == 'p' && sq_type_real(type)) {
        body = draw_tamed(d, body, magnitude);
        body = draw_binary(d, "+", draw_constant(d, type, 1),
                           draw_binary(d, "*", draw_constant(d, type, 0.0078125), body));
        *magnitude = 4;
    }
    for (int i = 0; i < e->nvars; i++) {
        variable *x = &d->p->var[e->var[i]];
        if (!x->ranged && implied(d->p, body, e->var[i]) <= 0) {
            x->ranged = true; /* the whole box, said */
            snprintf(x->name, sizeof x->name, "q%d", d->names++);
            x->lo = (affine){0};
            x->hi = extent_last(&x->box);
            x->hi.constant++;
        }
    }
    d->nscope = before;
    if (!e->nvars)
        return body;
    *magnitude += *e->text == 's' ? SUM_GROWTH * e->nvars : 0;
    e->listed = true;
    e->arg[0] = body;
    e->nargs = 1;
    return draw_tamed(d, draw_cast(d, type, e), magnitude);
}

/* Where the greatest or least of some exact values is. */
static expr *position(draw *d, int *magnitude)
{
    expr *e = draw_expr(d, E_REDUCE, SQ_I32);
    int before = d->nscope;
    int v = draw_index_var(d, draw_box(d), 0);
    sq_type t = draw_type(d);
    expr *body = v < 0 ? NULL : draw_read(d, t, true);
    *magnitude = 0;
    d->nscope = before;
    if (!body || !is_exact(d->p, body))
        return NULL;
    variable *x = &d->p->var[v];
    x->ranged = true;
    snprintf(x->name, sizeof x->name, "q%d", d->names++);
    x->low = x->lo.constant = draw_chance(d, 30) && !body->pad;
    x->hi = extent_last(&x->box);
    x->hi.constant++;
    e->text = draw_chance(d, 50) ? "argmax" : "argmin";
    e->var[e->nvars++] = v;
    e->listed = true;
    e->arg[e->nargs++] = body;
    return e;
}

/* The value of an index statement, often in another type than the one it is written in. */
static expr *draw_whole(draw *d, sq_type t, int *magnitude)
{
    sq_type other = draw_chance(d, 12) ? draw_other_type(d, t) : t;
    expr *e = NULL;
    if (draw_chance(d, 60))
        e = reduction(d, other, magnitude);
    else if (d->f->arguments && draw_chance(d, 10))
        e = position(d, magnitude);
    if (e && sq_type_real(t) != sq_type_real(e->type))
        e = draw_binary(d, "*", draw_constant(d, t, 0.0078125), draw_cast(d, t, e));
    if (!e || draw_chance(d, 40)) {
        int most;
        expr *more = draw_value(d, other, 1 + draw_below(d, 2), true, &most);
        static const char *const ops[] = {"+", "-", "*"};
        e = e ? draw_binary(d, ops[draw_below(d, 3)], e, more) : more;
        if (e != more)
            e->type = type_usual(e->arg[0]->type, e->arg[1]->type);
        *magnitude = (*magnitude > most ? *magnitude : most) + 1;
    }
    return e;
}

/* The array an index statement writes: new, or one that was written before. */
static int pick_target(draw *d)
{
    program *p = d->p;
    for (int attempt = 0; attempt < 4 && p->narrays && draw_chance(d, 40); attempt++) {
        int which = draw_below(d, p->narrays);
        if (p->array[which].written)
            return which;
    }
    int which = draw_new_array(d, draw_type(d));
    if (which < 0)
        return -1;
    array *a = &p->array[which];
    const array *like = NULL; /* of the same shape: statements that can be fused */
    for (int i = 0; i < which && draw_chance(d, 70); i++)
        like = p->array[i].written && p->array[i].ndim ? &p->array[i] : like;
    a->ndim = like ? like->ndim : 1 + draw_chance(d, 65) + draw_chance(d, 12);
    for (int i = 0; i < a->ndim; i++)
        a->dim[i] = like ? like->dim[i] : draw_box(d);
    a->local = d->f->locals && draw_chance(d, 22);
    return which;
}

node *draw_node(draw *d, node_kind k)
{
    node *n = SQ_NEW(d->arena, node);
    n->kind = k;
    n->stride = 1;
    return n;
}

/* The value may read its target only where it writes it: reads of it come from here alone. */
static expr *with_old(draw *d, const node *n, expr *e)
{
    const array *a = &d->p->array[n->target];
    expr *old = draw_expr(d, E_READ, a->type);
    old->which = n->target;
    memcpy(old->sub, n->sub, sizeof old->sub);
    sq_type t = sq_type_promoted(a->type);
    if (sq_type_real(t))
        return draw_binary(d, "+", e,
                           draw_binary(d, "*", draw_constant(d, t, 0.5), draw_cast(d, t, old)));
    return draw_binary(d, "-", draw_cast(d, t, old), e);
}

static node *index_statement(draw *d)
{
    node *n = draw_node(d, N_INDEX);
    int magnitude = 0;
    d->nscope = 0;
    n->target = pick_target(d);
    if (n->target < 0)
        return NULL;
    array *a = &d->p->array[n->target];
    bool first = !a->written;
    for (int i = 0; i < a->ndim; i++) {
        int v = draw_index_var(d, a->dim[i], first && a->local ? 0 : 10);
        if (v < 0)
            return NULL;
        n->free_var[n->nfree++] = v;
        n->sub[i] = affine_of_var(v);
        a->inout |= d->p->var[v].ranged; /* a part of it stays the caller's */
    }
    sq_type t = sq_type_promoted(a->type);
    d->hot = 1u << n->target;
    expr *e = draw_whole(d, t, &magnitude);
    a = &d->p->array[n->target];
    n->op = "=";
    if ((!first || !a->local) && draw_chance(d, 25))
        n->op = (const char *const[]){"+=", "-=", "*="}[draw_below(d, 3)];
    else if ((!first || !a->local) && draw_chance(d, 15))
        e = with_old(d, n, e);
    n->value = draw_tamed(d, e, &magnitude);
    a->magnitude = CAP + (*n->op != '=');
    a->written = true;
    return n;
}

/* ---- written loops ---- */

/* An average: what is written and read in one nest does not grow. */
static expr *average(draw *d, sq_type type)
{
    static const double weights[] = {1, 0.5, 0.25, 0.25};
    int terms = 1 + draw_below(d, 3), magnitude;
    expr *e = NULL;
    for (int i = 0; i < terms; i++) {
        expr *term = draw_leaf(d, type, false, &magnitude);
        if (draw_chance(d, 25) && sq_type_real(type)) {
            expr *factor = draw_expr(d, E_CONST, type);
            factor->number = weights[draw_below(d, 4)];
            term = draw_binary(d, "*", factor, term);
        }
        if (sq_type_real(type) && terms > 1)
            term = draw_binary(d, "*", draw_constant(d, type, terms == 2 ? 0.5 : 0.25), term);
        e = e ? draw_binary(d, (const char *const[]){"+", "-"}[draw_below(d, 2)], e, term) : term;
    }
    return e;
}

/* An array of one element. */
static int draw_number(draw *d, affine *sub)
{
    int which = draw_new_array(d, draw_type(d));
    if (which < 0)
        return -1;
    sub[0] = (affine){0};
    d->p->array[which].ndim = 1;
    d->p->array[which].dim[0] = (extent){.size = -1, .plus = 1};
    return which;
}

/* A part of the value gets a name, if its type is one that C computes in. */
static void name_part(draw *d, expr *e)
{
    for (int depth = 0; depth < 3 && e->nargs; depth++) {
        bool computed = e->type == sq_type_promoted(e->type) && !sq_type_stored(e->type);
        if (computed && !e->implicit && draw_chance(d, 50)) {
            e->named = true;
            return;
        }
        e = e->arg[draw_below(d, e->nargs)];
    }
}

static node *assignment(draw *d)
{
    node *n = draw_node(d, N_ASSIGN);
    n->target = -1;
    for (int attempt = 0; attempt < 6 && d->p->narrays && draw_chance(d, 60); attempt++) {
        int which = draw_below(d, d->p->narrays);
        if (!d->p->array[which].written || !draw_subscripts(d, which, n->sub))
            continue;
        n->target = which;
        break;
    }
    if (n->target < 0)
        n->target =
            draw_chance(d, 12) ? draw_number(d, n->sub) : draw_array_for(d, draw_type(d), n->sub);
    if (n->target < 0)
        return NULL;
    array *a = &d->p->array[n->target];
    sq_type t = sq_type_promoted(a->type);
    /* An array of a nest is either an accumulator or a state. */
    bool state = !(d->hot >> n->target & 1) ? draw_chance(d, 60) : a->magnitude <= CAP;
    d->hot |= 1u << n->target;
    a->written = true;
    a->inout = !a->local;
    if (state) {
        a->magnitude = CAP;
        n->op = draw_chance(d, 5) ? "*=" : "=";
        n->value = average(d, t);
    } else {
        int magnitude;
        a->magnitude = CAP + SUM_GROWTH;
        n->op = (const char *const[]){"+=", "-=", "+="}[draw_below(d, 3)];
        n->value = draw_value(d, t, draw_below(d, 3), true, &magnitude);
    }
    if (d->f->variables && draw_chance(d, 15))
        name_part(d, n->value);
    return n;
}

static node *nest(draw *d, int statements);

static void draw_bounds(draw *d, node *n)
{
    variable *x = &d->p->var[n->var];
    if (draw_chance(d, 45))
        narrow(d, n->var);
    else
        x->hi = extent_last(&x->box), x->hi.constant++;
    x->ranged = true;
    if (d->f->downward && draw_chance(d, 10))
        n->stride = -1;
    if (d->f->stride && draw_chance(d, 8))
        n->stride *= 2 + draw_below(d, 2);
    n->closed = draw_chance(d, 15);
}

static node *loop(draw *d, int statements)
{
    node *n = draw_node(d, N_LOOP);
    n->var = new_var(d, false);
    if (n->var < 0)
        return NULL;
    variable *x = &d->p->var[n->var];
    snprintf(x->name, sizeof x->name, "%c", "abcdefgh"[d->nscope]);
    x->box = d->nscope && draw_chance(d, 35) ? d->p->var[d->scope[draw_below(d, d->nscope)]].box
                                             : draw_box(d);
    draw_bounds(d, n);
    d->scope[d->nscope++] = n->var;
    n->body = nest(d, statements);
    d->nscope--;
    return n->body ? n : NULL;
}

static affine draw_condition(draw *d)
{
    affine a = affine_of_var(d->scope[draw_below(d, d->nscope)]);
    a.var[d->scope[draw_below(d, d->nscope)]] -= draw_chance(d, 60);
    a.constant = draw_below(d, 5) - 2;
    if (draw_chance(d, 25)) {
        for (int v = 0; v < MOST_VARS; v++)
            a.var[v] = -a.var[v];
        a.size[draw_below(d, d->p->nsizes)] = 1;
    }
    return a;
}

static node *guard(draw *d, int statements)
{
    node *n = draw_node(d, N_GUARD);
    n->nconditions = 1 + draw_chance(d, 25);
    for (int i = 0; i < n->nconditions; i++) {
        n->condition[i] = draw_condition(d);
        n->equal[i] = draw_chance(d, 12);
    }
    n->either = d->f->either && draw_chance(d, 30);
    if (d->f->modulus && draw_chance(d, 15)) {
        n->modulus = 2 + draw_below(d, 2);
        n->condition[0] = affine_of_var(d->scope[draw_below(d, d->nscope)]);
        n->condition[0].constant = draw_below(d, 2);
    }
    bool otherwise = d->f->otherwise && draw_chance(d, 25) && statements > 1;
    n->body = nest(d, statements - otherwise);
    if (otherwise)
        n->other = nest(d, 1);
    return n->body ? n : NULL;
}

/* Some statements one after the other, in loops and guards of their own. */
static node *nest(draw *d, int statements)
{
    node *first = NULL, **tail = &first;
    while (statements > 0) {
        int part = 1 + draw_below(d, statements);
        node *n;
        if (d->nscope == 0 || (d->nscope < MOST_DEPTH - 1 && draw_chance(d, 45)))
            n = loop(d, part);
        else if (draw_chance(d, 15))
            n = guard(d, part);
        else
            n = assignment(d), part = 1;
        if (!n)
            return first;
        *tail = n;
        tail = &n->next;
        statements -= part;
    }
    return first;
}

/* ---- the whole ---- */

/* Ordinary C has no words of the prelude, and loops only. */
static void become_region(draw *d)
{
    features *f = d->f;
    d->p->region = true;
    d->p->outer_counters = draw_chance(d, 30);
    f->words = f->clamp = f->halves = f->saturate = f->arguments = f->locals = false;
    f->functions &= d->p->fp != SQ_FP_STRICT; /* which the old file has from the C library */
}

static void draw_kind(draw *d)
{
    program *p = d->p;
    p->nsizes = 1 + draw_below(d, 3);
    p->nscalars = draw_below(d, 3);
    p->fp = !d->f->strict || draw_chance(d, 70) ? SQ_FP_REASSOC
            : draw_chance(d, 60)                ? SQ_FP_STRICT
                                                : SQ_FP_FAST;
    if (d->f->regions && draw_chance(d, 25))
        become_region(d);
    if (d->f->overlap && draw_chance(d, 8)) {
        d->overlapping = true;
        d->f->locals &= draw_chance(d, 50);
        d->f->small_types = false;
        p->nsizes = 1;
    }
}

static void draw_forms(draw *d)
{
    for (int i = 0; i < d->p->narrays; i++) {
        array *a = &d->p->array[i];
        bool number = a->ndim == 1 && a->dim[0].size < 0 && a->dim[0].plus == 1;
        a->form = number && draw_chance(d, 70) ? A_NUMBER : (array_form)draw_below(d, A_NUMBER);
        a->restricted = !d->overlapping && draw_chance(d, 20);
    }
}

/* Two arrays of one shape, one of them written, become one. */
static void draw_overlap(draw *d)
{
    program *p = d->p;
    for (int attempt = 0; attempt < 60 && p->narrays > 1; attempt++) {
        int i = draw_below(d, p->narrays), j = draw_below(d, p->narrays);
        array *a = &p->array[i], *b = &p->array[j];
        if (i == j || !a->written || !(b->written || b->read) || a->type != b->type ||
            a->ndim != b->ndim || memcmp(a->dim, b->dim, sizeof a->dim) != 0)
            continue;
        a->inout = true; /* else it would begin with what marks unwritten elements */
        b->inout |= b->written;
        p->overlap[0] = i;
        p->overlap[1] = j;
        return;
    }
}

/* What the sizes do not have to be, but are said to be. */
static void draw_assumption(draw *d)
{
    program *p = d->p;
    affine *a = &p->assumed;
    p->assumes = true;
    a->size[draw_below(d, p->nsizes)] = draw_chance(d, 80) ? 1 : -1;
    if (draw_chance(d, 40))
        a->size[draw_below(d, p->nsizes)] -= 1;
    for (int s = 0; s < p->nsizes; s++)
        if (a->size[s] < 0)
            a->constant = 20;
    a->constant -= draw_below(d, 6);
}

static bool is_named(const program *p, const char *name)
{
    for (int i = 0; i < p->narrays; i++)
        if (strcmp(p->array[i].name, name) == 0)
            return true;
    for (int v = 0; v < p->nvars; v++)
        if (strcmp(p->var[v].name, name) == 0)
            return true;
    return false;
}

/* Names that emitted text, C++ or the library use otherwise; variables of one name keep one. */
static void draw_names(draw *d)
{
    static const char *const names[] = {
        "max",  "min",  "c0",    "i0",  "j0", "class", "new",    "this",   "acc",  "vec",
        "lane", "x",    "y",     "n",   "t0", "i1",    "S0",     "S1",     "to",   "from",
        "bits", "mask", "k0",    "out", "at", "tile",  "bytes",  "floord", "s_i",  "c0_0",
        "i_1",  "v0",   "lanes", "and", "or", "bool",  "memory", "squall", "fits", "u"};
    enum { N = sizeof names / sizeof *names };
    program *p = d->p;
    for (int i = 0; i < p->narrays + p->nvars; i++) {
        char old[24], *at = i < p->narrays ? p->array[i].name : p->var[i - p->narrays].name;
        const char *name = names[draw_below(d, N)];
        if (!draw_chance(d, 45) || is_named(p, name))
            continue;
        strcpy(old, at);
        strcpy(at, name);
        for (int v = 0; v < p->nvars; v++)
            if (strcmp(p->var[v].name, old) == 0)
                strcpy(p->var[v].name, name);
    }
}

static void draw_body(draw *d)
{
    node **tail = &d->p->body;
    bool softmax = !d->p->region && d->f->functions && !d->overlapping && draw_chance(d, 15);
    if (softmax && d->p->fp == SQ_FP_REASSOC && draw_chance(d, 75))
        d->p->fp = SQ_FP_FAST;
    bool product = !d->p->region && !softmax && !d->overlapping && d->f->halves &&
                   d->p->fp != SQ_FP_STRICT && draw_chance(d, 15);
    bool alone = (softmax || product) && draw_chance(d, 70);
    for (int left = alone ? 0 : 1 + draw_below(d, 1 + draw_below(d, 6)); left > 0;) {
        int part = draw_chance(d, 55) ? 1 : 1 + draw_below(d, left);
        bool index = !d->p->region && draw_chance(d, 62);
        d->hot = 0;
        d->nscope = 0;
        node *n = index ? (part = 1, index_statement(d)) : nest(d, part);
        if (!n)
            break;
        *tail = n;
        while (*tail)
            tail = &(*tail)->next;
        left -= part;
    }
    if (softmax)
        draw_softmax(d, tail);
    if (product)
        draw_product(d, tail);
}

program *program_draw(sq_rng *r, const features *f, sq_arena *arena)
{
    static const sq_type scalars[] = {SQ_F32, SQ_F32, SQ_F64, SQ_I32};
    program *p = SQ_NEW(arena, program);
    draw d = {.p = p, .r = r, .f = {*f}, .arena = arena};
    draw_kind(&d);
    for (int s = 0; s < p->nscalars; s++)
        p->scalar[s] = scalars[draw_below(&d, 4)];
    draw_body(&d);
    program_settle(p);
    for (int a = 0; a < p->narrays; a++)
        p->array[a].local &= p->array[a].read;
    draw_forms(&d);
    if (d.overlapping)
        draw_overlap(&d);
    if (f->assumes && !p->region && draw_chance(&d, 8))
        draw_assumption(&d);
    p->companion = f->companions && draw_chance(&d, 12);
    if (f->hostile && draw_chance(&d, 10))
        draw_names(&d);
    return p;
}
