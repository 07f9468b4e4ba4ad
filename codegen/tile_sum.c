/* Tile sums: accumulators and the loop that fills them. Accumulator cU_J belongs to row U and
 * vector J. A step of the serial loop is the body at every accumulator, taps (unrolled reduction
 * dimensions) outermost. Where the vector lies along a reduction dimension its lanes are partial
 * sums: they are added up at the end, and what is left of the dimension follows point by point. */
#include "codegen/decided.h"
#include "codegen/scalar.h"
#include "codegen/strict.h"
#include "codegen/tile_inside.h"
#include <stdlib.h>
#include <string.h>

enum {
    MOST_UNROLLED = 32,
    MOST_WRITTEN = 1024, /* operations of so many steps: more of them, and their operands fill the
                            registers, whose number decides how many blocks run at once */
};

const char *sq_tile_acc(const sq_tile *t, int row, int vector, int set)
{
    if (t->added_up)
        return sq_arena_printf(t->arena, "@s%d_0", row);
    const char *stem = t->partial ? "@f" : "@c";
    return set ? sq_arena_printf(t->arena, "%s%d_%d_%d", stem, row, vector, set)
               : sq_arena_printf(t->arena, "%s%d_%d", stem, row, vector);
}

/* The type of the accumulators. */
static sq_type sums(const sq_tile *t, const sq_stmt *s)
{
    return t->partial ? SQ_F32 : s->body->type;
}

static const char *identity(sq_tile *t, const sq_stmt *s)
{
    sq_type type = sums(t, s);
    if (s->reduce == SQ_OP_ADD && t->lanes > 1 && t->target->language->extension)
        return sq_arena_printf(t->arena, "(%s){0}", sq_tile_type(t, type));
    return sq_tile_splat(t, type, sq_scalar_identity(type, s->reduce));
}

/* ---- accumulators ---- */

static void declare(sq_tile *t, const sq_stmt *s)
{
    for (int set = 0; set < t->sets; set++)
        for (int r = 0; r < t->rows; r++) {
            sq_text line = {0};
            for (int v = 0; v < t->vectors; v++)
                sq_text_printf(&line, "%s%s = %s", v ? ", " : "", sq_tile_acc(t, r, v, set),
                               identity(t, s));
            sq_text_line(t->to, "%s %s;", sq_tile_type(t, sums(t, s)), line.s);
            sq_text_free(&line);
        }
}

const char *sq_tile_combined(sq_tile *t, sq_op reduce, sq_type type, const char *a, const char *b)
{
    if (reduce == SQ_OP_ADD || reduce == SQ_OP_MUL)
        return sq_tile_infix(t, type, a, reduce == SQ_OP_ADD ? '+' : '*', b);
    return sq_arena_printf(t->arena, "%s(%s, %s)",
                           sq_tile_op(t, type, reduce == SQ_OP_MAX ? SQ_VOP_MAX : SQ_VOP_MIN), a,
                           b);
}

static void combine(sq_tile *t, const sq_stmt *s, const char *to, const char *value)
{
    if (t->counting)
        return;
    bool infix = s->reduce == SQ_OP_ADD || s->reduce == SQ_OP_MUL;
    bool called =
        sq_rounded_call(t->nest->rounded, sums(t, s), *sq_op_get(s->reduce)->infix) != NULL;
    if (infix && !called && sq_type_real(sums(t, s)) &&
        (t->lanes == 1 || t->target->language->extension))
        sq_text_line(t->to, "%s %c= %s;", to, s->reduce == SQ_OP_ADD ? '+' : '*', value);
    else
        sq_text_line(t->to, "%s = %s;", to, sq_tile_combined(t, s->reduce, sums(t, s), to, value));
}

/* A product of small integers, added in f32. */
static const char *exact_fma(sq_tile *t, const sq_expr *mul, const char *to, const sq_point *p)
{
    const char *a = sq_tile_read_as(t, mul->arg[0]->arg[0], SQ_F32, p);
    const char *b = sq_tile_read_as(t, mul->arg[1]->arg[0], SQ_F32, p);
    return sq_arena_printf(t->arena, "%s(%s, %s, %s)", sq_tile_op(t, SQ_F32, SQ_VOP_FMA), a, b, to);
}

/* The body at one point, added to its accumulator. */
static void update(sq_tile *t, const sq_stmt *s, const char *to, const sq_point *p)
{
    if (s->reduce == SQ_OP_ADD && s->body->op == SQ_OP_MUL) {
        const char *f =
            t->partial ? exact_fma(t, s->body, to, p) : sq_tile_fma(t, s->body, "", to, p);
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
    int lanes = t->lanes;
    sq_type type = s->body->type;
    for (int r = 0; r < t->rows; r++) {
        const char *c = sq_tile_acc(t, r, 0, 0), *sum;
        if (s->reduce == SQ_OP_ADD) {
            sum = sq_arena_printf(t->arena, "%s(%s)", sq_tile_op(t, type, SQ_VOP_SUM), c);
        } else {
            t->lanes = 1;
            sum = sq_arena_printf(t->arena, "%s[0]", c);
            for (int l = 1; l < lanes; l++)
                sum = sq_tile_combined(t, s->reduce, type, sum,
                                       sq_arena_printf(t->arena, "%s[%d]", c, l));
            t->lanes = lanes;
        }
        sq_text_line(t->to, "%s @s%d_0 = %s;", sq_type_ctype(type), r, sum);
    }
    t->lanes = 1;
    t->added_up = true;
    t->vectors = t->sets = 1;
}

/* ---- the serial loop ---- */

/* Points of the serial dimension that one step takes. */
static int width(const sq_tile *t)
{
    return t->across && t->group->micro.vector == t->group->micro.serial ? t->lanes : 1;
}

static bool is_read_by_body(const sq_tile *t, int base)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS];
    int n = sq_stmt_reads(t->group->stmt[0], read, in_body, SQ_MAX_STMT_READS);
    for (int i = 0; i < n && i < SQ_MAX_STMT_READS; i++)
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
        if (is_read_by_body(t, i) && t->target->language->fresh)
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
        const sq_code_expr *step = sq_tile_advance(t, b->ref, t->group->micro.serial, by);
        if (!sq_code_is(step, 0))
            sq_text_line(t->to, "%s += %s;", b->name, sq_code_text(step, t->arena));
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
    const sq_point origin = {0};
    const sq_code_expr *step = sq_tile_lane_step(t, r, &origin);
    return n * (!step || !sq_code_is(step, 0) ? t->vectors : 1);
}

/* What a step loads: an element, or an element in the type that it is cast to, which is one
 * operation for both. */
typedef struct loads {
    const sq_expr *e[SQ_MAX_STMT_READS];
    int n;
} loads;

/* Comparisons that the types decide compute nothing. */
static void find_loads(const sq_expr *e, loads *l)
{
    const sq_expr *last = l->n ? l->e[l->n - 1] : NULL;
    bool of_last = last && last->op == SQ_OP_CAST && last->arg[0] == e;
    bool wanted =
        e->op == SQ_OP_CAST ? e->arg[0]->op == SQ_OP_READ : e->op == SQ_OP_READ && !of_last;
    if (sq_expr_decided(e) >= 0)
        return;
    if (wanted && l->n < SQ_MAX_STMT_READS)
        l->e[l->n++] = e;
    for (int i = 0; i < e->nargs; i++)
        find_loads(e->arg[i], l);
}

static void load_all(sq_tile *t, const sq_expr *load)
{
    for (int tap = 0; tap < t->taps; tap++)
        for (int r = 0; r < t->rows; r++)
            for (int v = 0; v < t->vectors; v++) {
                sq_point p = sq_tile_point(t, r, v, tap, 0);
                if (t->partial) /* as a product of small integers reads it */
                    sq_tile_read_as(t, load->op == SQ_OP_CAST ? load->arg[0] : load, SQ_F32, &p);
                else
                    sq_tile_eval(t, load, &p);
            }
}

/* Loads that no step changes come first, when registers allow. */
static void hoist(sq_tile *t, const sq_stmt *s)
{
    loads l = {0};
    int limit = t->target->registers - 2 - t->rows * t->vectors * t->sets, wanted = 0;
    find_loads(s->body, &l);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < l.n; i++) {
            const sq_expr *read = l.e[i]->op == SQ_OP_CAST ? l.e[i]->arg[0] : l.e[i];
            const sq_ref *r = t->nest->ref[sq_tile_ref(t, read->access)];
            if (sq_ref_depends(r, t->group->micro.serial))
                continue;
            if (pass == 0)
                wanted += kept_loads(t, r);
            else if (wanted <= limit)
                load_all(t, l.e[i]);
        }
}

static int unrolled(const sq_tile *t)
{
    int u = t->group->micro.unroll > 1 ? t->group->micro.unroll : 1;
    return (u + t->sets - 1) / t->sets * t->sets;
}

/* The first of n offsets that is this one; n: none is. */
static int place_among(const sq_offset *of, int n, const sq_offset *this)
{
    int i = 0;
    while (i < n && memcmp(&of[i], this, sizeof *this) != 0)
        i++;
    return i;
}

/* The places that step x reads through a base, each once; returns how many. */
static int places(const sq_tile *t, int base, int x, sq_offset *to)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS];
    int n = 0, nread = sq_stmt_reads(t->group->stmt[0], read, in_body, SQ_MAX_STMT_READS);
    for (int i = 0; i < nread && i < SQ_MAX_STMT_READS; i++) {
        int ref = sq_tile_ref(t, read[i]);
        if (!in_body[i] || t->bases.of[ref] != base ||
            !sq_ref_depends(t->nest->ref[ref], t->group->micro.serial))
            continue;
        for (int p = 0; p < t->taps * t->rows * t->vectors; p++) {
            int tap = p / (t->rows * t->vectors), row = p / t->vectors % t->rows;
            sq_point at = sq_tile_point(t, row, p % t->vectors, tap, x * width(t));
            to[n] = sq_ref_offset(t->nest->ref[ref], at.at);
            n += place_among(to, n, &to[n]) == n;
        }
    }
    return n;
}

/* Do some of n steps in a row read what others of them do: a window that moves along the serial
 * dimension. Their text is written out, and loads it once. */
static bool steps_share(const sq_tile *t, int n)
{
    int most = SQ_MAX_STMT_READS * t->taps * t->rows * t->vectors + 1;
    sq_offset *first = malloc((size_t)most * 2 * sizeof *first), *later = first + most;
    bool shared = !first;
    for (int b = 0; b < t->bases.n && !shared; b++) {
        int nfirst = places(t, b, 0, first);
        for (int x = 1; x < n && !shared; x++) {
            int nlater = places(t, b, x, later);
            for (int i = 0; i < nlater && !shared; i++)
                shared = place_among(first, nfirst, &later[i]) < nfirst;
        }
    }
    free(first);
    return shared;
}

/* n steps as a loop that the compiler unrolls wholly, over as few of them as have accumulators of
 * their own. */
static void unrolled_steps(sq_tile *t, const sq_stmt *s, int n)
{
    sq_text_line(t->to, "SQ_UNROLL(%d)", n / t->sets);
    sq_text_open(t->to, "for (int @step = 0; @step < %d; @step++) {", n / t->sets);
    steps(t, s, t->sets);
    advance(t, t->sets * width(t));
    sq_text_close(t->to, "}");
}

/* n steps in one iteration as long as so many are left. */
static void step_loop(sq_tile *t, const sq_stmt *s, int n)
{
    int by = n * width(t);
    bool unrolls = t->target->language->fresh && n > t->sets && !steps_share(t, n);
    if (by == 1)
        sq_text_open(t->to, "for (; @left > 0; @left--) {");
    else
        sq_text_open(t->to, "for (; @left >= %d; @left -= %d) {", by, by);
    if (t->lanes == 1 && t->target->language->fresh)
        sq_text_line(t->to, "SQ_FRESH(@left);"); /* see put_lanes in vector.c */
    if (unrolls) {
        unrolled_steps(t, s, n);
    } else {
        steps(t, s, n);
        advance(t, by);
    }
    sq_text_close(t->to, "}");
}

/* May as many points of the serial dimension be there as a loop of n steps takes, and may some be
 * left behind it. Stretches of what is added up exactly have any length. */
static bool begins(const sq_tile *t, int n)
{
    return t->partial || !t->nest->steps.most || t->nest->steps.most >= (int64_t)n * width(t);
}

static bool leaves_steps(const sq_tile *t, int n)
{
    return t->partial || !t->nest->steps.most || t->nest->steps.divisor % (n * width(t)) != 0;
}

/* u steps at once, then what is left of them. */
static void step_loops(sq_tile *t, const sq_stmt *s, int u)
{
    bool whole = u > 1 && begins(t, u);
    if (whole)
        step_loop(t, s, u);
    if (!whole || leaves_steps(t, u))
        step_loop(t, s, 1);
}

/* Steps from one loop to the next around the serial one; 0 without. */
static int64_t stretch(const sq_tile *t)
{
    for (int l = t->group->nloops - 1; l >= 0; l--)
        if (t->group->loop[l].dim == t->group->micro.serial)
            return t->group->loop[l].step;
    return 0;
}

bool sq_tile_short(const sq_tile *t)
{
    int64_t n = stretch(t);
    return n > 0 && n <= INT32_MAX && t->target->language->unrolls;
}

/* Steps that the compiler writes out, of n in a row. */
static int64_t written_out(const sq_tile *t, const sq_stmt *s, int64_t n)
{
    int64_t one = s->body ? sq_expr_flops(s->body) : 1;
    for (int d = 0; d < t->group->ndim; d++)
        one *= t->group->micro.points[d];
    while (n > 1 && n % 2 == 0 && n * one > MOST_WRITTEN)
        n /= 2;
    return n;
}

/* As many steps as a tile of the loop around has are written out by the compiler; else u. */
static void pragma_loop(sq_tile *t, const sq_stmt *s, int u)
{
    int64_t n = stretch(t);
    bool apart = n > 1 && n <= MOST_UNROLLED && t->sets == 1 && width(t) == 1;
    if (apart) {
        sq_text_open(t->to, "if (@left == %lld) {", (long long)n);
        if (written_out(t, s, n) == n)
            sq_text_puts(t->to, "#pragma unroll\n");
        else
            sq_text_printf(t->to, "#pragma unroll %d\n", (int)written_out(t, s, n));
        sq_text_open(t->to, "for (int @step = 0; @step < %lld; @step++) {", (long long)n);
        steps(t, s, 1);
        advance(t, 1);
        sq_text_close(t->to, "}");
        if (t->partial) /* what is left is asked for later */
            sq_text_line(t->to, "@left = 0;");
        sq_text_close(t->to, "} else {");
        t->to->indent++;
    }
    step_loops(t, s, u);
    if (apart)
        sq_text_close(t->to, "}");
}

static void serial_loop(sq_tile *t, const sq_stmt *s)
{
    int u = unrolled(t);
    hoist(t, s);
    if (t->target->language->unrolls)
        pragma_loop(t, s, u);
    else
        step_loops(t, s, u);
}

/* All steps of the serial loop, counted by that type, or the one there is without it. */
static void all_steps(sq_tile *t, const sq_stmt *s, const char *type)
{
    if (t->group->micro.serial >= 0) {
        sq_text_line(t->to, "%s @left = @n_%s;", type, t->group->dim[t->group->micro.serial]);
        serial_loop(t, s);
    } else {
        sq_text_open(t->to, "{");
        steps(t, s, 1);
        sq_text_close(t->to, "}");
    }
}

static void add_partial(sq_tile *t, const sq_stmt *s)
{
    for (int r = 0; r < t->rows; r++)
        for (int v = 0; v < t->vectors; v++) {
            t->partial = true;
            const char *f = sq_tile_acc(t, r, v, 0);
            t->partial = false;
            combine(t, s, sq_tile_acc(t, r, v, 0), sq_tile_converted(t, f, SQ_F32, s->body->type));
        }
}

/* Stretches of the serial loop that f32 adds up exactly. */
static void exact_steps(sq_tile *t, const sq_stmt *s)
{
    bool serial = t->group->micro.serial >= 0;
    int64_t most = t->terms / t->taps;
    if (serial) {
        sq_text_line(t->to, "int64_t @more = @n_%s;", t->group->dim[t->group->micro.serial]);
        sq_text_open(t->to, "while (@more >= %d) {", width(t));
        sq_text_line(t->to, "const int64_t @stretch = sq_min(@more, %lld);", (long long)most);
        sq_text_line(t->to, "int64_t @left = @stretch;");
    } else {
        sq_text_open(t->to, "{");
    }
    t->partial = true;
    declare(t, s);
    if (serial)
        serial_loop(t, s);
    else
        steps(t, s, 1);
    merge_sets(t, s);
    add_partial(t, s);
    if (serial)
        sq_text_line(t->to, "@more -= @stretch - @left;");
    sq_text_close(t->to, "}");
}

/* Are there stretches long enough to be worth it. */
static bool is_exact(const sq_tile *t)
{
    return t->terms / t->taps >= 32 * width(t) ||
           (t->terms >= t->taps && t->group->micro.serial < 0);
}

void sq_tile_sum_begin(sq_tile *t)
{
    declare(t, t->group->stmt[0]);
}

void sq_tile_sum_resume(sq_tile *t)
{
    resume(t, t->group->stmt[0]);
}

void sq_tile_sum_steps(sq_tile *t)
{
    all_steps(t, t->group->stmt[0], sq_tile_short(t) ? "int" : "int64_t");
}

void sq_tile_sum_end(sq_tile *t)
{
    merge_sets(t, t->group->stmt[0]);
}

void sq_tile_sum(sq_tile *t)
{
    const sq_stmt *s = t->group->stmt[0];
    bool exact = is_exact(t), tail = width(t) > 1 && (exact || leaves_steps(t, 1));
    int sets = t->sets;
    t->sets = exact ? 1 : sets;
    declare(t, s);
    if (!t->across)
        resume(t, s);
    t->sets = sets;
    if (exact)
        exact_steps(t, s);
    else
        all_steps(t, s, "int64_t");
    if (!exact)
        merge_sets(t, s);
    if (!t->across)
        return;
    add_up(t, s);
    if (tail && exact)
        sq_text_line(t->to, "int64_t @left = @more;");
    if (tail)
        step_loop(t, s, 1);
    resume(t, s);
}
