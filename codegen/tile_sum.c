/* Tile sums: accumulators and the loop that fills them. Accumulator cU_J belongs to row U and
 * vector J. A step of the serial loop is the body at every accumulator, taps (unrolled reduction
 * dimensions) outermost. Where the vector lies along a reduction dimension its lanes are partial
 * sums: they are added up at the end, and what is left of the dimension follows point by point. */
#include "codegen/scalar.h"
#include "codegen/tile_inside.h"
#include <string.h>

const char *sq_tile_acc(const sq_tile *t, int row, int vector, int set)
{
    if (t->added_up)
        return sq_arena_printf(t->arena, "@s%d_0", row);
    return set ? sq_arena_printf(t->arena, "@c%d_%d_%d", row, vector, set)
               : sq_arena_printf(t->arena, "@c%d_%d", row, vector);
}

static const char *op(sq_tile *t, sq_vop o)
{
    return sq_vector_op(t->vec, o, t->arena);
}

static const char *identity(sq_tile *t, sq_op reduce)
{
    if (reduce == SQ_OP_ADD && t->vec->lanes > 1)
        return sq_arena_printf(t->arena, "(%s){0}", t->type);
    return sq_tile_splat(t, sq_scalar_identity(t->vec->type, reduce));
}

/* ---- accumulators ---- */

static void declare(sq_tile *t, const sq_stmt *s)
{
    for (int set = 0; set < t->sets; set++)
        for (int r = 0; r < t->rows; r++) {
            sq_text line = {0};
            for (int v = 0; v < t->vectors; v++)
                sq_text_printf(&line, "%s%s = %s", v ? ", " : "", sq_tile_acc(t, r, v, set),
                               identity(t, s->reduce));
            sq_text_line(t->to, "%s %s;", t->type, line.s);
            sq_text_free(&line);
        }
}

const char *sq_tile_combined(sq_tile *t, sq_op reduce, const char *a, const char *b)
{
    if (reduce == SQ_OP_ADD || reduce == SQ_OP_MUL)
        return sq_arena_printf(t->arena, "%s %c %s", a, reduce == SQ_OP_ADD ? '+' : '*', b);
    return sq_arena_printf(t->arena, "%s(%s, %s)",
                           op(t, reduce == SQ_OP_MAX ? SQ_VOP_MAX : SQ_VOP_MIN), a, b);
}

static void combine(sq_tile *t, const sq_stmt *s, const char *to, const char *value)
{
    if (t->counting)
        return;
    if (s->reduce == SQ_OP_ADD || s->reduce == SQ_OP_MUL)
        sq_text_line(t->to, "%s %c= %s;", to, s->reduce == SQ_OP_ADD ? '+' : '*', value);
    else
        sq_text_line(t->to, "%s = %s;", to, sq_tile_combined(t, s->reduce, to, value));
}

/* The body at one point, added to its accumulator. */
static void update(sq_tile *t, const sq_stmt *s, const char *to, const sq_point *p)
{
    if (s->reduce == SQ_OP_ADD && s->body->op == SQ_OP_MUL && !s->ordered) {
        const char *f = sq_tile_fma(t, s->body, "", to, p);
        if (!t->counting)
            sq_text_line(t->to, "%s = %s;", to, f);
        return;
    }
    combine(t, s, to, sq_tile_eval(t, s->body, p));
}

static void merge_sets(sq_tile *t, const sq_stmt *s)
{
    for (int set = 1; set < t->sets; set++)
        for (int r = 0; r < t->rows; r++)
            for (int v = 0; v < t->vectors; v++)
                combine(t, s, sq_tile_acc(t, r, v, 0), sq_tile_acc(t, r, v, set));
}

/* Partial sums of earlier tiles, kept in the output: the accumulators go on from there. */
static void resume(sq_tile *t, const sq_stmt *s)
{
    int ref = sq_tile_ref(t, s->write);
    if (!sq_tile_finishes_last(t))
        return;
    sq_text_open(t->to, "if (!@first) {");
    for (int r = 0; r < t->rows; r++)
        for (int v = 0; v < t->vectors; v++) {
            sq_point p = sq_tile_point(t, r, v, 0, 0);
            const char *old = sq_tile_load(t, ref, &p);
            if (t->added_up)
                combine(t, s, sq_tile_acc(t, r, v, 0), old);
            else
                sq_text_line(t->to, "%s = %s;", sq_tile_acc(t, r, v, 0), old);
        }
    sq_text_close(t->to, "}");
}

/* From vectors of partial sums to scalars; everything that follows is scalar. */
static void add_up(sq_tile *t, const sq_stmt *s)
{
    int lanes = t->vec->lanes;
    for (int r = 0; r < t->rows; r++) {
        const char *c = sq_tile_acc(t, r, 0, 0), *sum;
        if (s->reduce == SQ_OP_ADD) {
            sum = sq_arena_printf(t->arena, "%s(%s)", op(t, SQ_VOP_SUM), c);
        } else {
            sq_vector *wide = t->vec;
            t->vec = t->scalar;
            sum = sq_arena_printf(t->arena, "%s[0]", c);
            for (int l = 1; l < lanes; l++)
                sum =
                    sq_tile_combined(t, s->reduce, sum, sq_arena_printf(t->arena, "%s[%d]", c, l));
            t->vec = wide;
        }
        sq_text_line(t->to, "%s @s%d_0 = %s;", sq_type_ctype(t->vec->type), r, sum);
    }
    t->vec = t->scalar;
    t->type = sq_vector_name(t->vec, t->arena);
    t->added_up = true;
    t->vectors = t->sets = 1;
}

/* ---- the serial loop ---- */

/* Points of the serial dimension that one step takes. */
static int width(const sq_tile *t)
{
    return t->across && t->group->micro.vector == t->group->micro.serial ? t->vec->lanes : 1;
}

static bool is_read_by_body(const sq_tile *t, int base)
{
    sq_access *read[64];
    bool in_body[64];
    int n = sq_stmt_reads(t->group->stmt[0], read, in_body, 64);
    for (int i = 0; i < n && i < 64; i++)
        if (in_body[i] && t->bases.of[sq_tile_ref(t, read[i])] == base)
            return true;
    return false;
}

/* Two taps that read one address do so twice where registers are short: left alone, the compiler
 * keeps the value and spills accumulators for it. */
static void part_taps(sq_tile *t)
{
    if (t->counting || !t->apart)
        return;
    sq_values_forget_inner(t->values);
    for (int i = 0; i < t->bases.n; i++)
        if (is_read_by_body(t, i))
            sq_text_line(t->to, "SQ_FRESH(%s);", t->bases.base[i].name);
}

static void step_body(sq_tile *t, const sq_stmt *s, int steps)
{
    for (int x = 0; x < steps; x++)
        for (int tap = 0; tap < t->taps; tap++) {
            if (tap > 0 || x > 0)
                part_taps(t);
            for (int r = 0; r < t->rows; r++)
                for (int v = 0; v < t->vectors; v++) {
                    sq_point p = sq_tile_point(t, r, v, tap, x * width(t));
                    update(t, s, sq_tile_acc(t, r, v, x % t->sets), &p);
                }
        }
}

/* Twice: once to count how often each value is used, once for real. */
static void counted_steps(sq_tile *t, const sq_stmt *s, int n)
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
static void steps(sq_tile *t, const sq_stmt *s, int n)
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

static void advance(sq_tile *t, int by)
{
    for (int i = 0; i < t->bases.n; i++) {
        const sq_base *b = &t->bases.base[i];
        const char *step = sq_tile_stride(t, b->ref, t->group->micro.serial, by);
        if (strcmp(step, "0") != 0)
            sq_text_line(t->to, "%s += %s;", b->name, step);
    }
}

/* Registers that the loads of one read take when they are kept over the whole loop. */
static int kept_loads(const sq_tile *t, const sq_ref *r)
{
    bool rows = false, taps = false;
    for (int d = 0; d < t->group->ndim; d++)
        if (d != t->group->micro.vector && sq_ref_depends(r, d))
            *(d < t->group->nfree ? &rows : &taps) = true;
    int n = (rows ? t->rows : 1) * (taps ? t->taps : 1);
    return n * (strcmp(sq_tile_lane_step(t, r), "0") ? t->vectors : 1);
}

static void load_all(sq_tile *t, const sq_access *read)
{
    int ref = sq_tile_ref(t, read);
    for (int tap = 0; tap < t->taps; tap++)
        for (int r = 0; r < t->rows; r++)
            for (int v = 0; v < t->vectors; v++) {
                sq_point p = sq_tile_point(t, r, v, tap, 0);
                sq_tile_named(t, read->array->name, sq_tile_load(t, ref, &p));
            }
}

/* Loads that no step changes come first, when registers allow. */
static void hoist(sq_tile *t, const sq_stmt *s)
{
    sq_access *read[64];
    bool in_body[64];
    int n = sq_stmt_reads(s, read, in_body, 64), wanted = 0;
    int limit = t->target->registers - 2 - t->rows * t->vectors * t->sets;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < n && i < 64; i++) {
            const sq_ref *r = t->nest->ref[sq_tile_ref(t, read[i])];
            if (!in_body[i] || sq_ref_depends(r, t->group->micro.serial))
                continue;
            if (pass == 0)
                wanted += kept_loads(t, r);
            else if (wanted <= limit)
                load_all(t, read[i]);
        }
}

static int unrolled(const sq_tile *t)
{
    int u = t->group->micro.unroll > 1 ? t->group->micro.unroll : 1;
    return (u + t->sets - 1) / t->sets * t->sets;
}

/* n steps in one iteration as long as so many are left. */
static void step_loop(sq_tile *t, const sq_stmt *s, int n)
{
    int by = n * width(t);
    if (by == 1)
        sq_text_open(t->to, "for (; @left > 0; @left--) {");
    else
        sq_text_open(t->to, "for (; @left >= %d; @left -= %d) {", by, by);
    if (t->vec->lanes == 1)
        sq_text_line(t->to, "SQ_FRESH(@left);"); /* see put_lanes in vector.c */
    steps(t, s, n);
    advance(t, by);
    sq_text_close(t->to, "}");
}

static void serial_loop(sq_tile *t, const sq_stmt *s)
{
    int u = unrolled(t);
    sq_text_line(t->to, "int64_t @left = @n_%s;", t->group->dim[t->group->micro.serial]);
    hoist(t, s);
    if (u > 1)
        step_loop(t, s, u);
    step_loop(t, s, 1);
}

void sq_tile_sum(sq_tile *t)
{
    const sq_stmt *s = t->group->stmt[0];
    bool tail = width(t) > 1;
    declare(t, s);
    if (!t->across)
        resume(t, s);
    if (t->group->micro.serial >= 0) {
        serial_loop(t, s);
    } else {
        sq_text_open(t->to, "{");
        steps(t, s, 1);
        sq_text_close(t->to, "}");
    }
    merge_sets(t, s);
    if (!t->across)
        return;
    add_up(t, s);
    if (tail)
        step_loop(t, s, 1);
    resume(t, s);
}
