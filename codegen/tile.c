/* Tile: prints the function that evaluates a group over one register tile.
 *
 *   the sums of a reduction, in accumulators (tile_sum.c)
 *   the end: reduction's value -> expression -> store, per point (values and loads: tile_value.c)
 *
 * Fused statements follow point by point where they meet only at one point; else each runs over all
 * points of the tile before the next. */
#include "codegen/exact.h"
#include "codegen/print.h"
#include "codegen/tile_inside.h"
#include "ir/narrow.h"
#include "support/words.h"
#include <ctype.h>
#include <string.h>

/* ---- the end ---- */

/* Condition that row `p` exists, or NULL. */
static const char *row_exists(const sq_tile *t, const sq_point *p)
{
    sq_text c = {0};
    for (int d = 0; d < t->group->nfree; d++)
        if (t->variant->runtime[d] && sq_tile_row(t, d) && p->at[d])
            sq_text_printf(&c, "%s@n_%s > %lld", c.n ? " && " : "", t->group->dim[d],
                           (long long)p->at[d]);
    const char *s = c.n ? sq_arena_strdup(t->arena, c.s) : NULL;
    sq_text_free(&c);
    return s;
}

/* A value as its element holds it. */
static const char *packed(sq_tile *t, sq_type type, const char *value)
{
    if (!sq_type_stored(type))
        return value;
    return t->lanes == 1
               ? sq_arena_printf(t->arena, "sq_%s_bits(%s)", sq_type_suffix(type), value)
               : sq_arena_printf(t->arena, "%s(%s)", sq_tile_op(t, type, SQ_VOP_BITS), value);
}

static void store(sq_tile *t, int ref, const sq_point *p, const char *value)
{
    const sq_ref *r = t->nest->ref[ref];
    sq_type type = r->array->type;
    value = packed(t, type, value);
    const char *at = sq_tile_address(t, ref, p), *left = sq_tile_left(t, p);
    const sq_code_expr *step = sq_tile_lane_step(t, r, p);
    const char *cond = row_exists(t, p),
               *guard = cond ? sq_arena_printf(t->arena, "if (%s) ", cond) : "";
    if (t->lanes == 1)
        sq_text_line(t->to, "%s*(%s) = %s;", guard, at, value);
    else if (!sq_code_is(step, 1))
        sq_text_line(t->to, "%s%s(%s, %s, %s, %s);", guard, sq_tile_op(t, type, SQ_VOP_SCATTER), at,
                     sq_code_text(step, t->arena), value,
                     left ? left : sq_arena_printf(t->arena, "%d", t->lanes));
    else if (left)
        sq_text_line(t->to, "%s%s(%s, %s, %s);", guard, sq_tile_op(t, type, SQ_VOP_STORE_N), at,
                     value, left);
    else
        sq_text_line(t->to, "%s%s(%s, %s);", guard, sq_tile_op(t, type, SQ_VOP_STORE), at, value);
}

/* A temporary that lives only inside this tile is never stored. */
static bool contracted(const sq_tile *t, const sq_array *a)
{
    return sq_nest_contracted(t->nest, a);
}

static void finish_stmt(sq_tile *t, const sq_stmt *s, const sq_point *p, const char *value)
{
    int ref = sq_tile_ref(t, s->write);
    bool here = contracted(t, s->write->array);
    if (!here)
        store(t, ref, p, value);
    sq_values_set(t->values, sq_tile_load(t, ref, p), value, here);
}

/* What is rounded by the store itself need not be rounded before, unless somebody reads it here. */
static const sq_expr *to_store(const sq_tile *t, const sq_stmt *s)
{
    const sq_expr *e = t->lanes > 1 ? sq_stmt_in_lanes(s) : s->value;
    sq_access *read[SQ_MAX_STMT_READS];
    if (!sq_type_stored(e->type) || e->op != SQ_OP_CAST || sq_tile_held(e->arg[0]->type) != SQ_F32)
        return e;
    for (int i = 0; i < t->group->nstmts; i++) {
        int n = sq_stmt_reads(t->group->stmt[i], read, NULL, SQ_MAX_STMT_READS);
        for (int r = 0; r < n; r++)
            if (r >= SQ_MAX_STMT_READS || read[r]->array == s->write->array)
                return e;
    }
    return e->arg[0];
}

/* A statement at one point. */
static void finish_point(sq_tile *t, const sq_stmt *s, int row, int vector)
{
    sq_point p = sq_tile_point(t, row, vector, 0, 0);
    t->reduced = s->updates ? sq_tile_acc(t, row, vector, 0) : NULL;
    finish_stmt(t, s, &p, sq_tile_eval(t, to_store(t, s), &p));
}

/* Each statement over the whole tile: what an earlier one stored must be read anew. */
static void finish_in_turn(sq_tile *t, int from, int to)
{
    for (int i = from; i < to; i++) {
        for (int r = 0; r < t->rows; r++)
            for (int v = 0; v < t->vectors; v++)
                finish_point(t, t->group->stmt[i], r, v);
        sq_values_forget(t->values);
    }
}

/* Statements [from, to) of the group. */
static void finish_all(sq_tile *t, int from, int to)
{
    sq_values_enter(t->values);
    if (sq_nest_pointwise(t->nest)) {
        for (int r = 0; r < t->rows; r++)
            for (int v = 0; v < t->vectors; v++)
                for (int i = from; i < to; i++)
                    finish_point(t, t->group->stmt[i], r, v);
    } else {
        finish_in_turn(t, from, to);
    }
    sq_values_leave(t->values);
}

/* What is stored after a later partial sum of a linear value: old + slope * sum; of a bare maximum
 * and its like: the two combined. */
static const char *joined(sq_tile *t, const sq_stmt *s, const sq_expr *slope, const char *old,
                          const char *sum, const sq_point *p)
{
    sq_type type = s->body->type;
    if (s->reduce != SQ_OP_ADD)
        return sq_tile_combined(t, s->reduce, type, old, sum);
    if (sq_expr_is(slope, 1))
        return sq_tile_infix(t, type, old, '+', sum);
    const char *k = sq_tile_eval(t, slope, p);
    return sq_arena_printf(t->arena, "%s(%s, %s, %s)", sq_tile_op(t, type, SQ_VOP_FMA), k, sum,
                           old);
}

static void add_to_stored(sq_tile *t, const sq_stmt *s)
{
    int ref = sq_tile_ref(t, s->write);
    const sq_expr *slope = sq_expr_slope(s->value, t->arena);
    sq_values_enter(t->values);
    for (int r = 0; r < t->rows; r++)
        for (int v = 0; v < t->vectors; v++) {
            sq_point p = sq_tile_point(t, r, v, 0, 0);
            const char *old = sq_tile_named(t, s->write->array->type, s->write->array->name,
                                            sq_tile_load(t, ref, &p));
            store(t, ref, &p, joined(t, s, slope, old, sq_tile_acc(t, r, v, 0), &p));
        }
    sq_values_leave(t->values);
}

/* Partial sums as they are. */
static void store_raw(sq_tile *t, const sq_stmt *s)
{
    int ref = sq_tile_ref(t, s->write);
    for (int r = 0; r < t->rows; r++)
        for (int v = 0; v < t->vectors; v++) {
            sq_point p = sq_tile_point(t, r, v, 0, 0);
            store(t, ref, &p, sq_tile_acc(t, r, v, 0));
        }
}

bool sq_tile_finishes_last(const sq_tile *t)
{
    return sq_tile_resumes(t->nest);
}

static void finish_first(sq_tile *t, const sq_stmt *s)
{
    sq_text_open(t->to, "if (@first) {");
    finish_all(t, 0, 1);
    sq_text_close(t->to, "} else {");
    t->to->indent++;
    add_to_stored(t, s);
    sq_text_close(t->to, "}");
    if (t->group->nstmts == 1)
        return;
    sq_text_open(t->to, "if (@last) {");
    finish_all(t, 1, t->group->nstmts);
    sq_text_close(t->to, "}");
}

void sq_tile_finish(sq_tile *t)
{
    const sq_stmt *s = t->group->stmt[0];
    if (!t->nest->first) {
        finish_all(t, 0, t->group->nstmts);
    } else if (!sq_tile_finishes_last(t)) {
        finish_first(t, s);
    } else {
        sq_text_open(t->to, "if (@last) {");
        finish_all(t, 0, t->group->nstmts);
        sq_text_close(t->to, "} else {");
        t->to->indent++;
        store_raw(t, s);
        sq_text_close(t->to, "}");
    }
}

/* ---- the function ---- */

static void put_params(const sq_tile *t, sq_text *to)
{
    const char *sep = "";
    for (int i = 0; i < t->bases.n; i++) {
        const sq_base *b = &t->bases.base[i];
        if (contracted(t, b->ref->array))
            continue;
        sq_text_printf(to, "%s%s%s *%s%s%s", sep, b->written ? "" : "const ",
                       sq_type_ctype(sq_tile_memory(b->ref)),
                       b->lone ? t->target->language->restricted : "", b->lone ? " " : "", b->name);
        sep = ", ";
    }
    sq_params_rest(t->nest, t->variant, t->arena, true, to);
}

/* A name that ends like a number is kept apart from the number: i's 11 is not i1's 1. */
const char *sq_tile_row_name(const sq_tile *t, int dim, int64_t i)
{
    const char *name = t->group->dim[dim];
    char last = name[strlen(name) - 1];
    const char *between = last == '_' || isdigit((unsigned char)last) ? "_" : "";
    return sq_arena_printf(t->arena, "r_%s%s%lld", name, between, (long long)i);
}

/* Those that the body mentions: an element that no row reaches needs none. */
void sq_tile_clamps(const sq_tile *t, const sq_text *body)
{
    for (int d = 0; d < t->group->nfree; d++) {
        if (!t->variant->runtime[d] || !sq_tile_row(t, d))
            continue;
        for (int64_t i = 1; i < sq_group_reach(t->group, d); i++) {
            const char *name = sq_tile_row_name(t, d, i);
            if (sq_text_mentions(sq_text_str(body), name))
                sq_text_line(t->to, "const int64_t @%s = @n_%s > %lld ? %lld : 0;", name,
                             t->group->dim[d], (long long)i, (long long)i);
        }
    }
}

static void put_comment(const sq_tile *t)
{
    const sq_group *g = t->group;
    sq_text c = {0};
    for (int d = 0; d < g->ndim; d++)
        if (t->variant->points[d] > 1)
            sq_text_printf(&c, "%s%s%lld %s", c.n ? " x " : "",
                           t->variant->runtime[d] ? "up to " : "", (long long)t->variant->points[d],
                           g->dim[d]);
    if (g->micro.serial >= 0)
        sq_text_printf(&c, "%sone %s after the other", c.n ? ", " : "", g->dim[g->micro.serial]);
    sq_text_line(t->to, "/* Register tile: %s. */", c.n ? c.s : "one point");
    sq_text_free(&c);
}

static void body(sq_tile *t)
{
    sq_text rest = {.indent = t->to->indent}, *to = t->to;
    sq_values_enter(t->values);
    t->to = &rest;
    if (t->lanes == 1 && t->rows * t->taps > 1 && t->bases.n > 0 && t->target->language->fresh)
        sq_text_line(t->to, "SQ_FRESH(%s);", t->bases.base[0].name); /* see put_lanes in vector.c */
    if (t->group->stmt[0]->updates)
        sq_tile_sum(t);
    sq_tile_finish(t);
    sq_values_leave(t->values);
    t->to = to;
    sq_tile_clamps(t, &rest);
    sq_text_puts(to, sq_text_str(&rest));
    sq_text_free(&rest);
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

void sq_tile_start(sq_tile *t, const sq_nest *n, const sq_variant *v, sq_arena *arena)
{
    const sq_micro *m = &n->group->micro;
    t->nest = n;
    t->group = n->group;
    t->variant = v;
    t->arena = arena;
    t->across = m->vector >= n->group->nfree;
    t->spread = sq_group_spread(n->group) > m->lanes ? sq_group_spread(n->group) : t->lanes;
    t->sets = m->split > 1 ? m->split : 1;
    t->terms = sq_exact_terms(n->group);
    sq_bases_find(n, &t->bases, arena);
}

void sq_tile_define(const sq_nest *n, const sq_variant *v, const sq_tile_shapes *shapes,
                    sq_arena *arena, sq_text *to)
{
    sq_tile t = {.shapes = shapes, .lanes = shapes->lanes, .target = shapes->target};
    sq_text params = {0}, inner = {.indent = 1};
    sq_tile_start(&t, n, v, arena);
    sq_tile_count(&t);
    t.values = sq_values_new(arena, t.target->registers - t.rows * t.vectors * t.sets);
    t.to = to;
    put_comment(&t);
    put_params(&t, &params);
    sq_text_open(to, "SQ_INLINE void %s(%s)\n{", v->name, sq_text_str(&params));
    t.to = &inner;
    body(&t);
    put_unused(sq_text_str(&params), &inner, to);
    sq_text_puts(to, sq_text_str(&inner));
    sq_text_close(to, "}");
    sq_text_line(to, "%s", "");
    sq_text_free(&params);
    sq_text_free(&inner);
    sq_values_free(t.values);
}

void sq_tile_call(const sq_nest *n, const sq_variant *v, sq_arena *arena, sq_text *to)
{
    sq_bases bases;
    sq_bases_find(n, &bases, arena);
    const sq_code_expr *at[SQ_MAX_DIMS] = {0};
    sq_nest_origin(n, at);
    sq_text call = {0};
    const char *sep = "";
    for (int i = 0; i < bases.n; i++) {
        const sq_array *a = bases.base[i].ref->array;
        if (sq_nest_contracted(n, a))
            continue;
        sq_text_puts(&call, sep);
        sq_base_origin(n, &bases.base[i], at, &call);
        sep = ", ";
    }
    sq_params_rest(n, v, arena, false, &call);
    sq_text_line(to, "%s(%s);", v->name, sq_text_str(&call));
    sq_text_free(&call);
}
