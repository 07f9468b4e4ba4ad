/* Tile: prints the function that evaluates a group over one register tile.
 *
 *   accumulators cU_J: row U (a point of the tiled free dimensions but the vector's), vector J
 *   a step of the serial loop: the body at every accumulator, taps (unrolled reduction dimensions)
 *   outermost, every distinct address loaded once while registers last
 *   the end: reduction's value -> expression -> store, per point
 *
 * Values are named by what they are: two expressions with the same text of operands share a name. */
#include "codegen/tile.h"
#include "codegen/base.h"
#include "codegen/lower.h"
#include "codegen/print.h"
#include "codegen/scalar.h"
#include "codegen/values.h"
#include <string.h>

typedef struct tile {
    const sq_nest *nest;
    const sq_group *group;
    const sq_variant *variant;
    const sq_target *target;
    sq_vector *vec;
    sq_arena *arena;
    sq_text *to;
    const char *type; /* of a vector */
    sq_bases bases;
    int rows, vectors, taps;
    sq_values *values;
    bool apart;             /* taps are kept from sharing loads behind our back */
    bool counting;          /* dry run: count uses, print nothing */
    const char *reduced;    /* the accumulator that SQ_OP_REDUCED stands for */
} tile;

/* A point of the tile: offsets from its origin per dimension. Clamped rows of a masked variant keep
 * 0 here; `row` holds their index. */
typedef struct point {
    int64_t delta[SQ_MAX_DIMS];
    int64_t at[SQ_MAX_DIMS];  /* without clamping */
    int vector;
} point;

/* ---- points ---- */

static bool is_row_dim(const tile *t, int d)
{
    return d < t->group->nfree && d != t->group->micro.vector;
}

static int count_rows(const tile *t)
{
    int n = 1;
    for (int d = 0; d < t->group->nfree; d++)
        if (is_row_dim(t, d))
            n *= (int)t->variant->points[d];
    return n;
}

static int count_taps(const tile *t)
{
    int n = 1;
    for (int d = t->group->nfree; d < t->group->ndim; d++)
        if (d != t->group->micro.serial && d != t->group->micro.vector)
            n *= (int)t->variant->points[d];
    return n;
}

static void set_point(const tile *t, point *p, int row, int vector, int tap, int step)
{
    const sq_group *g = t->group;
    memset(p, 0, sizeof *p);
    p->vector = vector;
    for (int d = g->nfree - 1; d >= 0; d--) {
        if (!is_row_dim(t, d))
            continue;
        p->at[d] = row % t->variant->points[d];
        row /= (int)t->variant->points[d];
    }
    for (int d = g->ndim - 1; d >= g->nfree; d--) {
        if (d == g->micro.serial || d == g->micro.vector)
            continue;
        p->at[d] = tap % t->variant->points[d];
        tap /= (int)t->variant->points[d];
    }
    if (g->micro.serial >= 0)
        p->at[g->micro.serial] = step;
    if (g->micro.vector >= 0)
        p->at[g->micro.vector] += (int64_t)vector * t->vec->lanes;
    memcpy(p->delta, p->at, sizeof p->delta);
}

/* Number of lanes of this vector that exist, as text; NULL if all do. */
static const char *lanes_left(const tile *t, const point *p)
{
    int v = t->group->micro.vector;
    if (v < 0 || t->vec->lanes == 1)
        return NULL;
    int64_t start = (int64_t)p->vector * t->vec->lanes;
    if (t->variant->runtime[v])
        return start ? sq_arena_printf(t->arena, "n_%s - %lld", t->group->dim[v], (long long)start)
                     : sq_arena_printf(t->arena, "n_%s", t->group->dim[v]);
    int64_t left = t->variant->points[v] - start;
    return left < t->vec->lanes ? sq_arena_printf(t->arena, "%lld", (long long)left) : NULL;
}

/* ---- addresses ---- */

static void put_times(sq_text *a, int64_t times, const char *stride)
{
    if (times == 1)
        sq_text_printf(a, " + %s", stride);
    else if (times)
        sq_text_printf(a, " + %lld * %s", (long long)times, stride);
}

/* Row variables of masked dimensions: "r_i3" is 3, or 0 where there is no row 3. */
static void put_clamped(const tile *t, const sq_ref *r, const point *p, sq_text *a)
{
    for (int d = 0; d < t->group->nfree; d++) {
        if (!t->variant->runtime[d] || !is_row_dim(t, d) || !p->at[d] || !sq_ref_depends(r, d))
            continue;
        for (int s = 0; s < r->nsubs; s++) {
            if (!r->coef[s][d])
                continue;
            int64_t stride = sq_array_stride(r->array, s);
            sq_text_printf(a, " + r_%s%lld * ", t->group->dim[d], (long long)p->at[d]);
            if (stride)
                sq_text_printf(a, "%lld", (long long)(r->coef[s][d] * stride));
            else
                sq_text_printf(a, "%lld * %s", (long long)r->coef[s][d],
                               sq_stride_name(r->array, s, t->arena));
        }
    }
}

/* "A + 3 * A_s0 + 1" */
static const char *address(const tile *t, int ref, const point *p)
{
    const sq_ref *r = t->nest->ref[ref];
    sq_text a = {0};
    point q = *p;
    if (!r->buffer)
        for (int d = 0; d < t->group->nfree; d++)
            if (t->variant->runtime[d] && is_row_dim(t, d))
                q.delta[d] = 0;
    sq_offset o = sq_ref_offset(r, q.delta);
    sq_text_puts(&a, t->bases.base[t->bases.of[ref]].name);
    for (int s = 0; s < r->nsubs; s++)
        put_times(&a, o.times[s], sq_stride_name(r->array, s, t->arena));
    if (!r->buffer)
        put_clamped(t, r, p, &a);
    if (o.known)
        sq_text_printf(&a, " %c %lld", o.known < 0 ? '-' : '+', (long long)(o.known < 0 ? -o.known : o.known));
    const char *s = sq_arena_strdup(t->arena, a.s);
    sq_text_free(&a);
    return s;
}

/* Elements between lanes, as text; "0" broadcast, "1" contiguous. */
static const char *lane_step(const tile *t, const sq_ref *r)
{
    int v = t->group->micro.vector, runtime;
    if (v < 0 || t->vec->lanes == 1)
        return "0";
    int64_t step = sq_ref_step(r, v, &runtime);
    if (runtime < 0)
        return sq_arena_printf(t->arena, "%lld", (long long)step);
    return sq_arena_printf(t->arena, "%lld * %s", (long long)step, sq_stride_name(r->array, runtime, t->arena));
}

static const char *op(tile *t, sq_vop o)
{
    return t->counting ? "" : sq_vector_op(t->vec, o, t->arena);
}

/* The text of a load, which is also what identifies the value. */
static const char *load_text(tile *t, int ref, const point *p)
{
    const sq_ref *r = t->nest->ref[ref];
    const char *at = address(t, ref, p), *step = lane_step(t, r);
    const char *left = r->buffer ? NULL : lanes_left(t, p);
    if (t->vec->lanes == 1)
        return sq_arena_printf(t->arena, "*(%s)", at);
    if (strcmp(step, "0") == 0)
        return sq_arena_printf(t->arena, "%s(*(%s))", sq_vector_op(t->vec, SQ_VOP_ALL, t->arena), at);
    if (strcmp(step, "1") != 0)
        return sq_arena_printf(t->arena, "%s(%s, %s, %s)", sq_vector_op(t->vec, SQ_VOP_GATHER, t->arena),
                               at, step, left ? left : sq_arena_printf(t->arena, "%d", t->vec->lanes));
    if (left)
        return sq_arena_printf(t->arena, "%s(%s, %s)", sq_vector_op(t->vec, SQ_VOP_LOAD_N, t->arena), at, left);
    return sq_arena_printf(t->arena, "%s(%s)", sq_vector_op(t->vec, SQ_VOP_LOAD, t->arena), at);
}

/* ---- expressions ---- */

/* The name of a value given by its text; defines it when it is new. */
static const char *named(tile *t, const char *stem, const char *text)
{
    bool fresh;
    const char *name = sq_values_use(t->values, stem, text, t->counting, &fresh);
    if (fresh && !t->counting)
        sq_text_line(t->to, "const %s %s = %s;", t->type, name, text);
    return name;
}

static int ref_of(const tile *t, const sq_access *a)
{
    for (int i = 0; i < t->nest->nrefs; i++)
        if (t->nest->ref[i]->access == a)
            return i;
    sq_bug("tile", "an access of '%s' has no reference", a->array->name);
}

static const char *splat(tile *t, const char *scalar)
{
    return t->vec->lanes == 1 ? scalar
                              : sq_arena_printf(t->arena, "%s(%s)", sq_vector_op(t->vec, SQ_VOP_ALL, t->arena), scalar);
}

static const char *constant(tile *t, const sq_expr *e)
{
    sq_text s = {0};
    sq_scalar_number(sq_type_real(e->type) ? e->real : (double)e->integer, t->vec->type, &s);
    const char *text = splat(t, sq_text_str(&s));
    text = sq_arena_strdup(t->arena, text);
    sq_text_free(&s);
    return named(t, "k", text);
}

static const char *eval(tile *t, const sq_expr *e, const point *p);

static const char *read_value(tile *t, const sq_expr *e, const point *p)
{
    int ref = ref_of(t, e->access);
    return named(t, e->access->array->name, load_text(t, ref, p));
}

static const char *call1(tile *t, sq_vop o, const char *a)
{
    return named(t, "t", sq_arena_printf(t->arena, "%s(%s)", sq_vector_op(t->vec, o, t->arena), a));
}

static const char *call2(tile *t, sq_vop o, const char *a, const char *b)
{
    return named(t, "t", sq_arena_printf(t->arena, "%s(%s, %s)", sq_vector_op(t->vec, o, t->arena), a, b));
}

static const char *fma_of(tile *t, const sq_expr *mul, const char *sign, const char *c, const point *p)
{
    const char *a = eval(t, mul->arg[0], p), *b = eval(t, mul->arg[1], p);
    return sq_arena_printf(t->arena, "%s(%s%s, %s, %s)", sq_vector_op(t->vec, SQ_VOP_FMA, t->arena), sign, a, b, c);
}

static bool is_mul(const sq_expr *e)
{
    return e->op == SQ_OP_MUL;
}

/* Sums of a product become one multiply-add: the contract is reassoc, and written out it does not
 * hang on the flags of the compiler. */
static const char *sum_value(tile *t, const sq_expr *e, const point *p)
{
    bool minus = e->op == SQ_OP_SUB;
    if (is_mul(e->arg[1])) {
        const char *c = eval(t, e->arg[0], p);
        return named(t, "t", fma_of(t, e->arg[1], minus ? "-" : "", c, p));
    }
    if (is_mul(e->arg[0]) && !minus) {
        const char *c = eval(t, e->arg[1], p);
        return named(t, "t", fma_of(t, e->arg[0], "", c, p));
    }
    const char *a = eval(t, e->arg[0], p), *b = eval(t, e->arg[1], p);
    return named(t, "t", sq_arena_printf(t->arena, "%s %c %s", a, minus ? '-' : '+', b));
}

static const struct {
    sq_op op;
    sq_vop vop;
} calls[] = {{SQ_OP_MIN, SQ_VOP_MIN}, {SQ_OP_MAX, SQ_VOP_MAX}, {SQ_OP_EXP, SQ_VOP_EXP},
             {SQ_OP_LOG, SQ_VOP_LOG}, {SQ_OP_SQRT, SQ_VOP_SQRT}, {SQ_OP_TANH, SQ_VOP_TANH},
             {SQ_OP_ABS, SQ_VOP_ABS}, {SQ_OP_POW, SQ_VOP_POW}};

static const char *call_value(tile *t, const sq_expr *e, const point *p)
{
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (calls[i].op != e->op)
            continue;
        const char *a = eval(t, e->arg[0], p);
        return e->nargs == 2 ? call2(t, calls[i].vop, a, eval(t, e->arg[1], p))
                             : call1(t, calls[i].vop, a);
    }
    sq_bug("tile", "operator %s has no vector form", sq_op_get(e->op)->name);
}

static const char *eval(tile *t, const sq_expr *e, const point *p)
{
    const char *a, *b;
    switch (e->op) {
    case SQ_OP_CONST: return constant(t, e);
    case SQ_OP_SCALAR: return named(t, e->scalar->name, splat(t, e->scalar->name));
    case SQ_OP_READ: return read_value(t, e, p);
    case SQ_OP_REDUCED: return t->reduced;
    case SQ_OP_CAST: return eval(t, e->arg[0], p);
    case SQ_OP_NEG: return named(t, "t", sq_arena_printf(t->arena, "-%s", eval(t, e->arg[0], p)));
    case SQ_OP_ADD:
    case SQ_OP_SUB: return sum_value(t, e, p);
    case SQ_OP_MUL:
    case SQ_OP_DIV:
        a = eval(t, e->arg[0], p);
        b = eval(t, e->arg[1], p);
        return named(t, "t", sq_arena_printf(t->arena, "%s %s %s", a, sq_op_get(e->op)->infix, b));
    default: return call_value(t, e, p);
    }
}

/* ---- accumulators ---- */

static const char *acc(const tile *t, int row, int vector, int set)
{
    return set ? sq_arena_printf(t->arena, "c%d_%d_%d", row, vector, set)
               : sq_arena_printf(t->arena, "c%d_%d", row, vector);
}

static const char *identity(const tile *t, sq_op reduce)
{
    const char *inf = t->vec->type == SQ_F64 ? "__builtin_inf()" : "__builtin_inff()";
    const char *x = reduce == SQ_OP_ADD ? "0" : reduce == SQ_OP_MUL ? "1" :
                    reduce == SQ_OP_MAX ? sq_arena_printf(t->arena, "-%s", inf) : inf;
    return reduce == SQ_OP_ADD && t->vec->lanes > 1
               ? sq_arena_printf(t->arena, "(%s){0}", t->type)
               : splat((tile *)t, x);
}

static int sets(const tile *t)
{
    return t->group->micro.split > 1 ? t->group->micro.split : 1;
}

static void declare_accumulators(tile *t, const sq_stmt *s)
{
    for (int set = 0; set < sets(t); set++)
        for (int r = 0; r < t->rows; r++) {
            sq_text line = {0};
            for (int v = 0; v < t->vectors; v++)
                sq_text_printf(&line, "%s%s = %s", v ? ", " : "", acc(t, r, v, set), identity(t, s->reduce));
            sq_text_line(t->to, "%s %s;", t->type, line.s);
            sq_text_free(&line);
        }
}

static void combine(tile *t, const sq_stmt *s, const char *to, const char *value)
{
    if (t->counting)
        return;
    if (s->reduce == SQ_OP_ADD || s->reduce == SQ_OP_MUL)
        sq_text_line(t->to, "%s %c= %s;", to, s->reduce == SQ_OP_ADD ? '+' : '*', value);
    else
        sq_text_line(t->to, "%s = %s(%s, %s);", to, op(t, s->reduce == SQ_OP_MAX ? SQ_VOP_MAX : SQ_VOP_MIN), to, value);
}

/* The body at one point, added to its accumulator. */
static void update(tile *t, const sq_stmt *s, const char *to, const point *p)
{
    if (s->reduce == SQ_OP_ADD && is_mul(s->body)) {
        const char *f = fma_of(t, s->body, "", to, p);
        if (!t->counting)
            sq_text_line(t->to, "%s = %s;", to, f);
        return;
    }
    combine(t, s, to, eval(t, s->body, p));
}

static void merge_sets(tile *t, const sq_stmt *s)
{
    for (int set = 1; set < sets(t); set++)
        for (int r = 0; r < t->rows; r++)
            for (int v = 0; v < t->vectors; v++)
                combine(t, s, acc(t, r, v, 0), acc(t, r, v, set));
}

/* ---- the serial loop ---- */

/* Two taps that read one address do so twice where registers are short: left alone, the compiler
 * keeps the value and spills accumulators for it. */
static void part_taps(tile *t)
{
    if (t->counting || !t->apart)
        return;
    for (int i = 0; i < t->bases.n; i++)
        if (!t->bases.base[i].written)
            sq_text_line(t->to, "SQ_FRESH(%s);", t->bases.base[i].name);
}

static void step_body(tile *t, const sq_stmt *s, int steps)
{
    for (int x = 0; x < steps; x++)
        for (int tap = 0; tap < t->taps; tap++) {
            if (tap > 0 || x > 0)
                part_taps(t);
            for (int r = 0; r < t->rows; r++)
                for (int v = 0; v < t->vectors; v++) {
                    point p;
                    set_point(t, &p, r, v, tap, x);
                    update(t, s, acc(t, r, v, x % sets(t)), &p);
                }
        }
}

/* Twice: once to count how often each value is used, once for real. */
static void counted_steps(tile *t, const sq_stmt *s, int n)
{
    sq_values_enter(t->values);
    t->counting = true;
    step_body(t, s, n);
    t->counting = false;
    sq_values_counted(t->values);
    step_body(t, s, n);
    sq_values_leave(t->values);
}

/* A rehearsal tells whether taps share more values than there are registers: then the compiler must
 * not share them either. */
static void steps(tile *t, const sq_stmt *s, int n)
{
    sq_text *to = t->to, rehearsal = {0};
    int before = sq_values_forgotten(t->values);
    t->to = &rehearsal;
    t->apart = false;
    counted_steps(t, s, n);
    t->to = to;
    t->apart = sq_values_forgotten(t->values) > before;
    sq_text_free(&rehearsal);
    counted_steps(t, s, n);
}

static void advance(tile *t, int by)
{
    int s = t->group->micro.serial, runtime;
    for (int i = 0; i < t->bases.n; i++) {
        const sq_base *b = &t->bases.base[i];
        int64_t step = sq_ref_step(b->ref, s, &runtime) * by;
        if (!step)
            continue;
        if (runtime < 0)
            sq_text_line(t->to, "%s += %lld;", b->name, (long long)step);
        else
            sq_text_line(t->to, "%s += %lld * %s;", b->name, (long long)step,
                         sq_stride_name(b->ref->array, runtime, t->arena));
    }
}

/* Loads that no step changes, when registers allow. */
static void hoist(tile *t, const sq_stmt *s)
{
    sq_access *read[64];
    bool in_body[64];
    int n = sq_stmt_reads(s, read, in_body, 64), limit = t->target->registers - 2 - t->rows * t->vectors * sets(t);
    int wanted = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < n && i < 64; i++) {
            if (!in_body[i] || sq_ref_depends(t->nest->ref[ref_of(t, read[i])], t->group->micro.serial))
                continue;
            int ref = ref_of(t, read[i]);
            if (pass == 0) {
                bool rows = false;
                for (int d = 0; d < t->group->nfree; d++)
                    rows |= is_row_dim(t, d) && sq_ref_depends(t->nest->ref[ref], d);
                wanted += (rows ? t->rows : 1) * (strcmp(lane_step(t, t->nest->ref[ref]), "0") ? t->vectors : 1) * t->taps;
                continue;
            }
            if (wanted > limit)
                continue;
            for (int tap = 0; tap < t->taps; tap++)
                for (int r = 0; r < t->rows; r++)
                    for (int v = 0; v < t->vectors; v++) {
                        point p;
                        set_point(t, &p, r, v, tap, 0);
                        named(t, read[i]->array->name, load_text(t, ref, &p));
                    }
        }
}

static int unrolled(const tile *t)
{
    int u = t->group->micro.unroll > 1 ? t->group->micro.unroll : 1;
    return (u + sets(t) - 1) / sets(t) * sets(t);
}

static void serial_loop(tile *t, const sq_stmt *s)
{
    const char *k = t->group->dim[t->group->micro.serial];
    int u = unrolled(t);
    hoist(t, s);
    if (u > 1) {
        sq_text_line(t->to, "int64_t left = n_%s;", k);
        sq_text_open(t->to, "for (; left >= %d; left -= %d) {", u, u);
        steps(t, s, u);
        advance(t, u);
        sq_text_close(t->to, "}");
        sq_text_open(t->to, "for (; left > 0; left--) {");
    } else {
        sq_text_open(t->to, "for (int64_t left = n_%s; left > 0; left--) {", k);
    }
    steps(t, s, 1);
    advance(t, 1);
    sq_text_close(t->to, "}");
}

/* ---- the end ---- */

/* Condition that row `p` exists, or NULL. */
static const char *row_exists(const tile *t, const point *p)
{
    sq_text c = {0};
    for (int d = 0; d < t->group->nfree; d++)
        if (t->variant->runtime[d] && is_row_dim(t, d) && p->at[d])
            sq_text_printf(&c, "%sn_%s > %lld", c.n ? " && " : "", t->group->dim[d], (long long)p->at[d]);
    const char *s = c.n ? sq_arena_strdup(t->arena, c.s) : NULL;
    sq_text_free(&c);
    return s;
}

static void store(tile *t, int ref, const point *p, const char *value)
{
    const sq_ref *r = t->nest->ref[ref];
    const char *at = address(t, ref, p), *step = lane_step(t, r), *left = lanes_left(t, p);
    const char *cond = row_exists(t, p), *guard = cond ? sq_arena_printf(t->arena, "if (%s) ", cond) : "";
    if (t->vec->lanes == 1)
        sq_text_line(t->to, "%s*(%s) = %s;", guard, at, value);
    else if (strcmp(step, "1") != 0)
        sq_text_line(t->to, "%s%s(%s, %s, %s, %s);", guard, op(t, SQ_VOP_SCATTER), at, step, value,
                     left ? left : sq_arena_printf(t->arena, "%d", t->vec->lanes));
    else if (left)
        sq_text_line(t->to, "%s%s(%s, %s, %s);", guard, op(t, SQ_VOP_STORE_N), at, value, left);
    else
        sq_text_line(t->to, "%s%s(%s, %s);", guard, op(t, SQ_VOP_STORE), at, value);
}

/* A temporary that lives only inside this tile is never stored. */
static bool contracted(const tile *t, const sq_array *a)
{
    return sq_nest_contracted(t->nest, a);
}

static void finish_stmt(tile *t, const sq_stmt *s, const point *p, const char *value)
{
    int ref = ref_of(t, s->write);
    if (!contracted(t, s->write->array))
        store(t, ref, p, value);
    sq_values_set(t->values, load_text(t, ref, p), value);
}

/* All statements of the group at one point, from number `from` on. */
static void finish_point(tile *t, int from, int row, int vector)
{
    for (int i = from; i < t->group->nstmts; i++) {
        const sq_stmt *s = t->group->stmt[i];
        point p;
        set_point(t, &p, row, vector, 0, 0);
        t->reduced = s->updates ? acc(t, row, vector, 0) : NULL;
        finish_stmt(t, s, &p, eval(t, s->value, &p));
    }
}

static void finish_all(tile *t, int from)
{
    sq_values_enter(t->values);
    for (int r = 0; r < t->rows; r++)
        for (int v = 0; v < t->vectors; v++)
            finish_point(t, from, r, v);
    sq_values_leave(t->values);
}

/* Later partial sums of a linear value: stored += slope * sum. */
static void add_to_stored(tile *t, const sq_stmt *s)
{
    int ref = ref_of(t, s->write);
    const sq_expr *k = sq_expr_slope(s->value, t->arena);
    sq_values_enter(t->values);
    for (int r = 0; r < t->rows; r++)
        for (int v = 0; v < t->vectors; v++) {
            point p;
            set_point(t, &p, r, v, 0, 0);
            const char *c = acc(t, r, v, 0);
            const char *old = named(t, s->write->array->name, load_text(t, ref, &p));
            const char *sum = sq_expr_is(k, 1) ? sq_arena_printf(t->arena, "%s + %s", old, c) :
                              sq_arena_printf(t->arena, "%s(%s, %s, %s)", op(t, SQ_VOP_FMA), eval(t, k, &p), c, old);
            store(t, ref, &p, sum);
        }
    sq_values_leave(t->values);
}

static void raw(tile *t, const sq_stmt *s, bool load)
{
    int ref = ref_of(t, s->write);
    for (int r = 0; r < t->rows; r++)
        for (int v = 0; v < t->vectors; v++) {
            point p;
            set_point(t, &p, r, v, 0, 0);
            if (load)
                sq_text_line(t->to, "%s = %s;", acc(t, r, v, 0), load_text(t, ref, &p));
            else
                store(t, ref, &p, acc(t, r, v, 0));
        }
}

static bool finishes_last(const tile *t)
{
    return t->nest->first && sq_group_epilogue(t->group) == SQ_EPILOGUE_LAST;
}

static void finish(tile *t)
{
    const sq_stmt *s = t->group->stmt[0];
    if (!t->nest->first) {
        finish_all(t, 0);
        return;
    }
    bool last = finishes_last(t);
    sq_text_open(t->to, last ? "if (last) {" : "if (first) {");
    finish_all(t, 0);
    sq_text_close(t->to, "} else {");
    t->to->indent++;
    if (last)
        raw(t, s, false);
    else
        add_to_stored(t, s);
    sq_text_close(t->to, "}");
}

/* ---- the function ---- */

static void put_params(const tile *t, sq_text *to)
{
    const char *sep = "";
    for (int i = 0; i < t->bases.n; i++) {
        const sq_base *b = &t->bases.base[i];
        if (contracted(t, b->ref->array))
            continue;
        sq_text_printf(to, "%s%s%s *%s%s", sep, b->written ? "" : "const ", sq_type_ctype(b->ref->array->type),
                       b->lone ? "restrict " : "", b->name);
        sep = ", ";
    }
    sq_params_rest(t->nest, t->variant, t->arena, true, to);
}

static void declare_clamps(const tile *t)
{
    for (int d = 0; d < t->group->nfree; d++) {
        if (!t->variant->runtime[d] || !is_row_dim(t, d))
            continue;
        for (int64_t i = 1; i < t->variant->points[d]; i++)
            sq_text_line(t->to, "const int64_t r_%s%lld = n_%s > %lld ? %lld : 0;", t->group->dim[d], (long long)i,
                         t->group->dim[d], (long long)i, (long long)i);
    }
}

static void put_comment(const tile *t)
{
    const sq_group *g = t->group;
    sq_text c = {0};
    for (int d = 0; d < g->ndim; d++)
        if (t->variant->points[d] > 1)
            sq_text_printf(&c, "%s%s%lld %s", c.n ? " x " : "", t->variant->runtime[d] ? "up to " : "",
                           (long long)t->variant->points[d], g->dim[d]);
    if (g->micro.serial >= 0)
        sq_text_printf(&c, "%sone %s after the other", c.n ? ", " : "", g->dim[g->micro.serial]);
    sq_text_line(t->to, "/* Register tile: %s. */", c.n ? c.s : "one point");
    sq_text_free(&c);
}

static void body(tile *t)
{
    const sq_stmt *s = t->group->stmt[0];
    sq_values_enter(t->values);
    declare_clamps(t);
    if (s->updates) {
        declare_accumulators(t, s);
        if (finishes_last(t)) {
            sq_text_open(t->to, "if (!first) {");
            raw(t, s, true);
            sq_text_close(t->to, "}");
        }
        if (t->group->micro.serial >= 0)
            serial_loop(t, s);
        else
            steps(t, s, 1);
        merge_sets(t, s);
    }
    finish(t);
    sq_values_leave(t->values);
}

static void start(tile *t, const sq_nest *n, const sq_variant *v, sq_vector *vec, sq_arena *arena)
{
    t->nest = n;
    t->group = n->group;
    t->variant = v;
    t->vec = vec;
    t->arena = arena;
    sq_bases_find(n, &t->bases, arena);
}

/* A parameter that this variant has no use for would draw a warning. */
static void put_unused(const char *params, const sq_text *inner, sq_text *to)
{
    char name[128];
    for (const char *p = params; *p;) {
        size_t n = strcspn(p, ","), start = n;
        while (start > 0 && p[start - 1] != ' ' && p[start - 1] != '*')
            start--;
        if (n - start < sizeof name) {
            memcpy(name, p + start, n - start);
            name[n - start] = 0;
            if (!sq_text_mentions(sq_text_str(inner), name))
                sq_text_line(to, "(void)%s;", name);
        }
        p += n + (p[n] == ',');
    }
}

void sq_tile_define(const sq_nest *n, const sq_variant *v, sq_vector *vec, const sq_target *target,
                    sq_arena *arena, sq_text *to)
{
    tile t = {0};
    start(&t, n, v, vec, arena);
    t.target = target;
    t.to = to;
    t.type = sq_vector_name(vec, arena);
    t.rows = count_rows(&t);
    t.taps = count_taps(&t);
    int vd = n->group->micro.vector;
    t.vectors = vd < 0 ? 1 : (int)((v->points[vd] + vec->lanes - 1) / vec->lanes);
    t.values = sq_values_new(arena, target->registers - t.rows * t.vectors * sets(&t) - 1);
    put_comment(&t);
    sq_text params = {0}, inner = {.indent = 1};
    put_params(&t, &params);
    sq_text_open(to, "SQ_INLINE void %s(%s)\n{", v->name, params.s);
    t.to = &inner;
    body(&t);
    put_unused(params.s, &inner, to);
    sq_text_puts(to, inner.s);
    sq_text_close(to, "}");
    sq_text_free(&params);
    sq_text_free(&inner);
    sq_text_line(to, "%s", "");
    sq_values_free(t.values);
}

void sq_tile_call(const sq_nest *n, const sq_variant *v, sq_arena *arena, sq_text *to)
{
    sq_bases bases;
    sq_bases_find(n, &bases, arena);
    const char *at[SQ_MAX_DIMS] = {0};
    sq_nest_origin(n, at);
    sq_text call = {0};
    const char *sep = "";
    for (int i = 0; i < bases.n; i++) {
        const sq_array *a = bases.base[i].ref->array;
        if (sq_nest_contracted(n, a))
            continue;
        sq_text_puts(&call, sep);
        sq_base_origin(n, &bases.base[i], at, arena, &call);
        sep = ", ";
    }
    sq_params_rest(n, v, arena, false, &call);
    sq_text_line(to, "%s(%s);", v->name, call.s);
    sq_text_free(&call);
}
