/* Reference: see reference.h. */
#include "ir/kernel/reference.h"
#include "ir/kernel/evaluate.h"
#include "ir/kernel/form.h"
#include "support/memory.h"
#include <isl/space.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIMS = 32 };

/* An expression with its arrays and subscripts resolved. */
typedef struct term {
    const sq_expr *e;
    struct term *arg[3];
    sq_affine_form *index; /* INDEX */
    sq_affine_form **sub;  /* READ: one per subscript */
    int array, scalar;     /* number in the kernel's list */
} term;

typedef struct stmt {
    const sq_stmt *s;
    sq_points *domain, *updates;
    term *body, *value, *write;
    sq_affine_form **time; /* of the kernel's textual dimensions; NULL for index statements */
} stmt;

struct sq_reference {
    const sq_kernel *k;
    stmt *stmt;
};

/* ---- preparation ---- */

static term *prepared(const sq_kernel *k, const sq_expr *e, sq_arena *arena);

static term *access_of(const sq_kernel *k, const sq_access *a, sq_arena *arena)
{
    term *t = SQ_NEW(arena, term);
    while (k->array[t->array] != a->array)
        t->array++;
    t->sub = SQ_NEW_ARRAY(arena, sq_affine_form *, a->array->ndim + 1);
    for (int d = 0; d < a->array->ndim; d++) {
        isl_aff *aff = isl_multi_aff_get_aff(a->map, d);
        t->sub[d] = sq_form_new(k, aff, arena);
        isl_aff_free(aff);
    }
    return t;
}

static term *prepared(const sq_kernel *k, const sq_expr *e, sq_arena *arena)
{
    term *t = e->op == SQ_OP_READ ? access_of(k, e->access, arena) : SQ_NEW(arena, term);
    t->e = e;
    for (int i = 0; i < e->nargs; i++)
        t->arg[i] = prepared(k, e->arg[i], arena);
    if (e->op == SQ_OP_INDEX)
        t->index = sq_form_new(k, e->index, arena);
    for (int p = 0; e->op == SQ_OP_SCALAR && p < k->nparams; p++)
        if (k->param[p].scalar == e->scalar)
            t->scalar = p;
    return t;
}

/* Returns the textual time; NULL if it is not a single affine map. */
static sq_affine_form **time_of(const sq_kernel *k, const sq_stmt *s, sq_arena *arena)
{
    isl_pw_multi_aff *pieces = isl_pw_multi_aff_from_map(isl_map_copy(s->textual));
    isl_multi_aff *m = isl_pw_multi_aff_isa_multi_aff(pieces) == isl_bool_true
                           ? isl_pw_multi_aff_as_multi_aff(isl_pw_multi_aff_copy(pieces))
                           : NULL;
    sq_affine_form **time = m ? SQ_NEW_ARRAY(arena, sq_affine_form *, k->textual_dims + 1) : NULL;
    for (int d = 0; m && d < k->textual_dims; d++) {
        isl_aff *a = isl_multi_aff_get_aff(m, d);
        time[d] = sq_form_new(k, a, arena);
        isl_aff_free(a);
    }
    isl_multi_aff_free(m);
    isl_pw_multi_aff_free(pieces);
    return time;
}

static bool prepare(const sq_kernel *k, const sq_stmt *s, stmt *to, sq_arena *arena)
{
    to->s = s;
    to->domain = sq_points_new(k, s->domain, arena);
    to->updates = s->updates ? sq_points_new(k, s->updates, arena) : NULL;
    to->body = s->updates ? prepared(k, s->body, arena) : NULL;
    to->value = prepared(k, s->value, arena);
    to->write = access_of(k, s->write, arena);
    to->time = s->written_loops ? time_of(k, s, arena) : NULL;
    return to->domain && (to->updates || !s->updates) && (to->time || !s->written_loops) &&
           s->ndim <= MOST_DIMS;
}

sq_reference *sq_reference_new(const sq_kernel *k, sq_arena *arena)
{
    sq_reference *r = SQ_NEW(arena, sq_reference);
    r->k = k;
    r->stmt = SQ_NEW_ARRAY(arena, stmt, k->nstmts + 1);
    for (int i = 0; i < k->nstmts; i++)
        if (!prepare(k, k->stmt[i], &r->stmt[i], arena))
            return NULL;
    return r;
}

/* ---- values ---- */

typedef struct run {
    const sq_reference *r;
    sq_image *m;
    sq_arena *arena;
    const char *wrong;
    int64_t left;     /* instances until the limit */
    const stmt *stmt; /* the current statement */
    sq_number sum;    /* value of its reduction */
} run;

const char sq_reference_more[] = "more instances than may run";

/* True if there was no failure and the limit is not exceeded. */
static bool goes_on(run *x)
{
    if (x->left-- <= 0 && !x->wrong)
        x->wrong = sq_reference_more;
    return !x->wrong;
}

static void fail(run *x, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fail(run *x, const char *format, ...)
{
    va_list args;
    if (x->wrong)
        return;
    va_start(args, format);
    x->wrong = sq_arena_printf(x->arena, "%s: %s", x->stmt->s->name,
                               sq_arena_vprintf(x->arena, format, args));
    va_end(args);
}

static sq_number value(run *x, const term *t, const int64_t *at);

static int64_t subscript(run *x, const term *t, const sq_access *a, int d, const int64_t *at)
{
    unsigned before = a->indirect & ((1u << d) - 1);
    if (a->indirect >> d & 1)
        return value(x, t->arg[__builtin_popcount(before)], at).integer;
    return sq_form_value(t->sub[d], x->m->size, at);
}

/* Returns the number of the element in its array; -1 outside. */
static int64_t element_of(run *x, const term *t, const sq_access *a, const int64_t *at)
{
    const sq_image_array *m = &x->m->array[t->array];
    int64_t index = 0;
    for (int d = 0; d < a->array->ndim; d++) {
        int64_t n = m->extent[d], i = subscript(x, t, a, d, at);
        if (a->edge == SQ_EDGE_CLAMP)
            i = i < 0 ? 0 : i >= n ? n - 1 : i;
        if (i < 0 || i >= n)
            return -1;
        index = index * n + i;
    }
    return index;
}

static sq_number read(run *x, const term *t, const int64_t *at)
{
    const sq_access *a = t->e->access;
    const sq_image_array *m = &x->m->array[t->array];
    int64_t i = element_of(x, t, a, at);
    if (i < 0 && a->edge == SQ_EDGE_PAD)
        return a->outside;
    if (i < 0)
        fail(x, "a read outside of %s", a->array->name);
    else if (!m->defined[i])
        fail(x, "%s%s is read and not defined", a->array->name, sq_image_place(m, i, x->arena));
    else
        return m->at[i];
    return (sq_number){0};
}

static bool is_true(run *x, const term *t, const int64_t *at)
{
    return sq_number_is_true(t->e->type, value(x, t, at));
}

static sq_number operation(run *x, const term *t, const int64_t *at)
{
    sq_number arg[2] = {{0, 0}, {0, 0}}, to = {0};
    for (int i = 0; i < t->e->nargs && i < 2; i++)
        arg[i] = value(x, t->arg[i], at);
    const char *wrong =
        x->wrong ? NULL : sq_op_evaluate(t->e->op, t->e->type, t->arg[0]->e->type, arg, &to);
    if (wrong)
        fail(x, "%s", wrong);
    return to;
}

static sq_number value(run *x, const term *t, const int64_t *at)
{
    const sq_expr *e = t->e;
    switch (e->op) {
    case SQ_OP_CONST:
        return (sq_number){e->real, e->integer};
    case SQ_OP_SCALAR:
        return x->m->scalar[t->scalar];
    case SQ_OP_INDEX: {
        sq_number n = {.integer = sq_form_value(t->index, x->m->size, at)}, to;
        sq_op_evaluate(SQ_OP_CAST, e->type, SQ_I64, &n, &to);
        return to;
    }
    case SQ_OP_READ:
        return read(x, t, at);
    case SQ_OP_REDUCED:
        return x->sum;
    case SQ_OP_SELECT:
        return value(x, t->arg[is_true(x, t->arg[0], at) ? 1 : 2], at);
    case SQ_OP_AND:
        return (sq_number){.integer = is_true(x, t->arg[0], at) && is_true(x, t->arg[1], at)};
    case SQ_OP_OR:
        return (sq_number){.integer = is_true(x, t->arg[0], at) || is_true(x, t->arg[1], at)};
    default:
        return operation(x, t, at);
    }
}

/* ---- instances ---- */

static bool update(const int64_t *at, void *user)
{
    run *x = user;
    const sq_stmt *s = x->stmt->s;
    sq_number arg[2];
    arg[s->keeps_old] = x->sum;
    arg[!s->keeps_old] = value(x, x->stmt->body, at);
    if (!x->wrong)
        sq_op_evaluate(s->reduce, s->body->type, s->body->type, arg, &x->sum);
    return goes_on(x);
}

static bool instance(const int64_t *at, void *user)
{
    run *x = user;
    const stmt *t = x->stmt;
    int64_t all[MOST_DIMS] = {0};
    memcpy(all, at, (size_t)t->s->nfree * sizeof *all);
    if (t->updates) {
        x->sum = sq_op_identity(t->s->reduce, t->s->body->type);
        if (!sq_points_each(t->updates, x->m->size, all, t->s->nfree, update, x))
            fail(x, "its sum has no end");
    }
    const sq_access *w = t->s->write;
    sq_number n = value(x, t->value, all), to;
    int64_t i = element_of(x, t->write, w, all);
    if (i < 0)
        fail(x, "a write outside of %s", w->array->name);
    const char *wrong = sq_op_evaluate(SQ_OP_CAST, w->array->type, t->value->e->type, &n, &to);
    if (wrong)
        fail(x, "%s", wrong);
    if (x->wrong)
        return false;
    sq_image_array *m = &x->m->array[t->write->array];
    m->at[i] = to;
    m->defined[i] = true;
    return goes_on(x);
}

/* ---- C loops ---- */

/* Instances of several statements, each with its time. */
typedef struct moment {
    const stmt *stmt;
    size_t number; /* in the order in which they were found */
    int64_t *time, *at;
} moment;

typedef struct history {
    run *x;
    const stmt *stmt;
    size_t n, room;
    moment *moment;
    sq_arena *arena;
} history;

static bool note(const int64_t *at, void *user)
{
    history *h = user;
    int nt = h->x->r->k->textual_dims, nd = h->stmt->s->nfree;
    h->moment = sq_grown(h->moment, h->n, &h->room, sizeof *h->moment);
    moment *m = &h->moment[h->n];
    *m = (moment){h->stmt, h->n, SQ_NEW_ARRAY(h->arena, int64_t, nt + nd + 1), NULL};
    m->at = m->time + nt;
    for (int d = 0; d < nt; d++)
        m->time[d] = sq_form_value(h->stmt->time[d], h->x->m->size, at);
    memcpy(m->at, at, (size_t)nd * sizeof *at);
    h->n++;
    return goes_on(h->x);
}

static int earlier(const void *a, const void *b, void *user)
{
    const moment *x = a, *y = b;
    int n = *(const int *)user;
    for (int d = 0; d < n; d++)
        if (x->time[d] != y->time[d])
            return x->time[d] < y->time[d] ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Runs statements [from, to), all of C loops. */
static void run_written(run *x, int from, int to)
{
    int64_t at[MOST_DIMS];
    int nt = x->r->k->textual_dims;
    history h = {.x = x, .arena = sq_arena_new()};
    for (int i = from; i < to; i++) {
        x->stmt = h.stmt = &x->r->stmt[i];
        if (!sq_points_each(h.stmt->domain, x->m->size, at, 0, note, &h))
            fail(x, "its instances have no end");
    }
    if (h.n)
        qsort_r(h.moment, h.n, sizeof *h.moment, earlier, &nt);
    for (size_t i = 0; i < h.n && !x->wrong; i++) {
        x->stmt = h.moment[i].stmt;
        instance(h.moment[i].at, x);
    }
    free(h.moment);
    sq_arena_free(h.arena);
}

const char *sq_reference_run(const sq_reference *r, sq_image *m, int64_t most, sq_arena *arena)
{
    run x = {.r = r, .m = m, .left = most, .arena = arena};
    int64_t at[MOST_DIMS];
    for (int i = 0, to; i < r->k->nstmts && !x.wrong; i = to) {
        for (to = i; to < r->k->nstmts && r->stmt[to].time;)
            to++;
        if (to > i) {
            run_written(&x, i, to);
            continue;
        }
        to = i + 1;
        x.stmt = &r->stmt[i];
        if (!sq_points_each(r->stmt[i].domain, m->size, at, 0, instance, &x))
            fail(&x, "its instances have no end");
    }
    return x.wrong;
}
