/* Tile: the part that evaluates a group over one register tile.
 *
 *   the sums of a reduction, in accumulators (tile_sum.c)
 *   the end: reduction's value -> expression -> store, per point (values and loads: tile_value.c)
 *
 * Fused statements run point by point if they share elements only at the same point; else each
 * runs over all points of the tile before the next. */
#include "codegen/nest/exact.h"
#include "codegen/tile/tile_inside.h"
#include "ir/kernel/narrow.h"
#include <string.h>

/* ---- the end ---- */

/* Returns the condition that row `p` exists; NULL: it does. The first row does: but its condition
 * is that of other rows if loops run over them. */
static const sq_code_expr *row_exists(const sq_tile *t, const sq_point *p)
{
    const sq_code_expr *all = NULL;
    for (int d = 0; d < t->group->nfree; d++)
        if (t->variant->runtime[d] && sq_tile_row(t, d) &&
            (p->at[d] || t->target->language->unroll))
            all = sq_code_and(t->pool, all,
                              sq_code_compare(t->pool, SQ_CODE_GT, sq_tile_points(t, d),
                                              sq_code_number(t->pool, p->at[d])));
    return all;
}

static sq_code *store(sq_tile *t, int ref, const sq_point *p, const sq_code_expr *value)
{
    const sq_ref *r = t->nest->ref[ref];
    sq_type type = r->array->type;
    const sq_code_expr *at = sq_tile_offset(t, ref, p);
    if (sq_type_held(value->type) == sq_type_held(type) && value->type != type)
        value = sq_code_operation(t->pool, SQ_OP_CAST, type, &value);
    sq_code *x = sq_code_store(t->pool, sq_tile_pointer(t, ref), &at, value);
    x->cond = row_exists(t, p);
    if (t->lanes > 1) {
        x->lane_step = sq_tile_lane_step(t, r, p);
        x->left = sq_tile_left(t, p);
    }
    sq_tile_append(t, x);
    return x;
}

/* True for a temporary that lives only inside of this tile, and is never stored. */
static bool contracted(const sq_tile *t, const sq_array *a)
{
    return sq_nest_contracted(t->nest, a);
}

static void finish_stmt(sq_tile *t, const sq_stmt *s, const sq_point *p, const sq_code_expr *value)
{
    int ref = sq_tile_ref(t, s->write);
    bool here = contracted(t, s->write->array);
    if (!here)
        store(t, ref, p, value)->is_read_soon =
            !s->updates && sq_stmt_reads_array(s, s->write->array);
    sq_values_set(t->values, sq_tile_load(t, ref, p), value, here);
}

/* Returns the value to store: rounding by the store itself suffices, unless the value is read
 * here. */
static const sq_expr *to_store(const sq_tile *t, const sq_stmt *s)
{
    const sq_expr *e = t->lanes > 1 ? sq_stmt_in_lanes(s) : s->value;
    sq_access *read[SQ_MAX_STMT_READS];
    if (!sq_type_stored(e->type) || e->op != SQ_OP_CAST || sq_type_held(e->arg[0]->type) != SQ_F32)
        return e;
    for (int i = 0; i < t->group->nstmts; i++) {
        int n = sq_stmt_all_reads(t->group->stmt[i], read, NULL);
        for (int r = 0; r < n; r++)
            if (read[r]->array == s->write->array)
                return e;
    }
    return e->arg[0];
}

/* Appends a statement at one point. */
static void finish_point(sq_tile *t, const sq_stmt *s, int row, int vector)
{
    sq_point p = sq_tile_point(t, row, vector, 0, 0);
    t->reduced = s->updates ? sq_tile_acc(t, row, vector, 0) : NULL;
    finish_stmt(t, s, &p, sq_tile_eval(t, to_store(t, s), &p));
}

/* Runs each statement over the whole tile: what an earlier one stored must be loaded again. */
static void finish_in_turn(sq_tile *t, int from, int to)
{
    for (int i = from; i < to; i++) {
        sq_tile_box box = sq_tile_box_points(t);
        while (sq_tile_box_point(t, &box))
            finish_point(t, t->group->stmt[i], box.row, box.vector);
        sq_values_forget(t->values);
    }
}

/* Appends statements [from, to) of the group. */
static void finish_all(sq_tile *t, int from, int to)
{
    int turned = sq_tile_turned(t);
    if (turned >= 0) {
        sq_tile_finish_turned(t, turned);
        return;
    }
    int interleaved = sq_tile_interleaved(t);
    if (interleaved >= 0) {
        sq_tile_finish_interleaved(t, interleaved);
        return;
    }
    sq_values_enter(t->values);
    if (sq_nest_pointwise(t->nest)) {
        sq_tile_box box = sq_tile_box_points(t);
        while (sq_tile_box_point(t, &box))
            for (int i = from; i < to; i++)
                finish_point(t, t->group->stmt[i], box.row, box.vector);
    } else {
        finish_in_turn(t, from, to);
    }
    sq_values_leave(t->values);
}

/* Returns what is stored after a later partial sum of a linear value: old + slope * sum, where that has the sum; for a
 * plain maximum and the like: the two combined. */
static const sq_code_expr *joined(sq_tile *t, const sq_stmt *s, const sq_expr *slope,
                                  const sq_code_expr *old, const sq_code_expr *sum,
                                  const sq_point *p)
{
    if (s->reduce == SQ_OP_ADD && !slope)
        return old;
    if (s->reduce != SQ_OP_ADD || sq_expr_is(slope, 1))
        return sq_tile_reduced(t, s, s->body->type, old, sum);
    return sq_code_fma(t->pool, s->body->type, sq_tile_eval(t, slope, p), sum, old);
}

static void add_to_stored(sq_tile *t, const sq_stmt *s)
{
    int ref = sq_tile_ref(t, s->write);
    const sq_expr *slope = s->reduce == SQ_OP_ADD ? sq_expr_slope(s->value, t->arena) : NULL;
    sq_values_enter(t->values);
    sq_tile_box box = sq_tile_box_points(t);
    while (sq_tile_box_point(t, &box)) {
        sq_point p = sq_tile_point(t, box.row, box.vector, 0, 0);
        const sq_code_expr *old = sq_tile_named(t, s->write->array->name, sq_tile_load(t, ref, &p));
        store(t, ref, &p, joined(t, s, slope, old, sq_tile_acc(t, box.row, box.vector, 0), &p));
    }
    sq_values_leave(t->values);
}

/* Stores raw partial sums. */
static void store_raw(sq_tile *t, const sq_stmt *s)
{
    int ref = sq_tile_ref(t, s->write);
    sq_tile_box box = sq_tile_box_points(t);
    while (sq_tile_box_point(t, &box)) {
        sq_point p = sq_tile_point(t, box.row, box.vector, 0, 0);
        store(t, ref, &p, sq_tile_acc(t, box.row, box.vector, 0));
    }
}

/* Appends statements [from, to) of the group to a list. */
static sq_code_list finish_into(sq_tile *t, int from, int to)
{
    sq_code_list inner = {0}, *before = sq_tile_into(t, &inner);
    finish_all(t, from, to);
    sq_tile_into(t, before);
    return inner;
}

/* Appends the statements behind the first one, for the last tile. */
static void finish_others(sq_tile *t)
{
    if (t->group->nstmts == 1)
        return;
    sq_code_list rest = finish_into(t, 1, t->group->nstmts);
    sq_tile_if(t, sq_tile_flag(t, "@last", true), &rest, NULL);
}

/* Adds to each sum what earlier tiles stored, except in the first tile, and stores it. */
static void add_and_store(sq_tile *t, const sq_stmt *s)
{
    int ref = sq_tile_ref(t, s->write);
    sq_values_enter(t->values);
    sq_tile_box box = sq_tile_box_points(t);
    while (sq_tile_box_point(t, &box)) {
        sq_point p = sq_tile_point(t, box.row, box.vector, 0, 0);
        const sq_code_expr *sum = sq_tile_acc(t, box.row, box.vector, 0);
        sq_code *x = sq_code_store(t->pool, sum->buffer, sum->arg,
                                   sq_tile_reduced(t, s, s->body->type, sq_tile_load(t, ref, &p), sum));
        x->cond = sq_tile_flag(t, "@first", false);
        sq_tile_append(t, x);
        store(t, ref, &p, sum);
    }
    sq_values_leave(t->values);
}

/* True if e reads the element that the statement stores. */
static bool reads_own(const sq_tile *t, const sq_stmt *s, const sq_expr *e)
{
    if (e->op != SQ_OP_READ || e->access->array != s->write->array)
        return false;
    const sq_ref *own = t->nest->ref[sq_tile_ref(t, s->write)], *r = t->nest->ref[sq_tile_ref(t, e->access)];
    return own->affine && r->affine && !r->buffer && !own->buffer && sq_ref_same_place(own, r);
}

/* True if e is the sum with factors, and nothing is added to it. */
static bool is_product_of_sum(const sq_tile *t, const sq_expr *e)
{
    if (e->op == SQ_OP_REDUCED)
        return true;
    if (e->op == SQ_OP_MUL && !sq_expr_slope(e->arg[0], t->arena))
        return is_product_of_sum(t, e->arg[1]);
    if (e->op == SQ_OP_MUL && sq_expr_slope(e->arg[1], t->arena))
        return false;
    return (e->op == SQ_OP_MUL || e->op == SQ_OP_DIV || e->op == SQ_OP_NEG) && is_product_of_sum(t, e->arg[0]);
}

/* Returns the factor b of a value `b * C + a * sum`, C being the element that is stored; NULL: it has another form. */
static const sq_expr *old_factor(const sq_tile *t, const sq_stmt *s)
{
    const sq_expr *e = s->value, *old = e->arg[0];
    if (s->reduce != SQ_OP_ADD || e->op != SQ_OP_ADD || to_store(t, s) != e || !is_product_of_sum(t, e->arg[1]) ||
        old->op != SQ_OP_MUL)
        return NULL;
    for (int i = 0; i < 2; i++)
        if ((old->arg[i]->op == SQ_OP_SCALAR || old->arg[i]->op == SQ_OP_CONST) && reads_own(t, s, old->arg[1 - i]))
            return old->arg[i];
    return NULL;
}

static void finish_first(sq_tile *t, const sq_stmt *s)
{
    t->factor = old_factor(t, s);
    if (t->factor) {
        finish_all(t, 0, 1);
        t->factor = NULL;
        finish_others(t);
        return;
    }
    sq_code_list first = finish_into(t, 0, 1), later = {0}, *before = sq_tile_into(t, &later);
    add_to_stored(t, s);
    sq_tile_into(t, before);
    sq_tile_if(t, sq_tile_flag(t, "@first", true), &first, &later);
    finish_others(t);
}

static void finish_last(sq_tile *t, const sq_stmt *s)
{
    sq_code_list last = finish_into(t, 0, t->group->nstmts), raw = {0};
    sq_code_list *before = sq_tile_into(t, &raw);
    store_raw(t, s);
    sq_tile_into(t, before);
    sq_tile_if(t, sq_tile_flag(t, "@last", true), &last, &raw);
}

void sq_tile_finish(sq_tile *t)
{
    const sq_stmt *s = t->group->stmt[0];
    if (!t->nest->first)
        finish_all(t, 0, t->group->nstmts);
    else if (!sq_tile_resumes(t->nest))
        finish_first(t, s);
    else
        finish_last(t, s);
}

void sq_tile_finish_rest(sq_tile *t)
{
    const sq_stmt *s = t->group->stmt[0];
    if (!t->nest->first || sq_tile_resumes(t->nest) || to_store(t, s)->op != SQ_OP_REDUCED)
        return;
    add_and_store(t, s);
    finish_others(t);
}

/* ---- the function ---- */

void sq_tile_clamps(sq_tile *t)
{
    const sq_code_expr *zero = sq_code_number(t->pool, 0);
    for (int d = 0; d < t->group->nfree && !t->target->language->unroll; d++) {
        if (!t->variant->runtime[d] || !sq_tile_row(t, d))
            continue;
        for (int64_t i = 1; i < sq_group_reach(t->group, d); i++) {
            const char *name = sq_arena_printf(t->arena, "@%s", sq_tile_row_name(t, d, i));
            const sq_code_expr *at = sq_code_number(t->pool, i),
                               *has =
                                   sq_code_compare(t->pool, SQ_CODE_GT, sq_tile_points(t, d), at);
            sq_tile_append(t, sq_code_let(t->pool, name, sq_code_select(t->pool, has, at, zero)));
        }
    }
}

/* Returns "Register tile: 4 i x 16 j, one k after the other." */
static const char *comment(const sq_tile *t)
{
    const sq_group *g = t->group;
    const char *c = "";
    for (int d = 0; d < g->ndim; d++)
        if (t->variant->points[d] > 1)
            c = sq_arena_printf(t->arena, "%s%s%s%lld %s", c, *c ? " x " : "",
                                t->variant->runtime[d] ? "up to " : "",
                                (long long)t->variant->points[d], g->dim[d]);
    if (g->micro.serial >= 0)
        c = sq_arena_printf(t->arena, "%s%sone %s after the other", c, *c ? ", " : "",
                            g->dim[g->micro.serial]);
    return sq_arena_printf(t->arena, "Register tile: %s.", *c ? c : "one point");
}

/* Hides the first pointer of the function from the optimizer. */
static void hide_first(sq_tile *t)
{
    for (int i = 0; i < t->bases.n; i++)
        if (!contracted(t, t->bases.base[i].ref->array)) {
            sq_tile_fresh(t, t->bases.base[i].name);
            return;
        }
}

/* True if all points of the tile may exist in a variant. */
static bool is_whole(const sq_tile *t)
{
    for (int d = 0; d < t->group->ndim; d++)
        if (t->variant->runtime[d] && !t->target->language->unroll)
            return false;
        else if (t->group->micro.points[d] > 1 &&
                 t->variant->points[d] != sq_group_own(t->group, d))
            return false;
    return true;
}

static sq_code *body(sq_tile *t)
{
    sq_code_list all = {0}, end = {0};
    sq_values_enter(t->values);
    sq_tile_into(t, &all);
    sq_tile_clamps(t);
    if (t->lanes == 1 && t->rows * t->taps > 1)
        hide_first(t); /* see put_lanes in vector.c */
    if (t->group->stmt[0]->updates)
        sq_tile_sum(t);
    sq_tile_into(t, &end);
    sq_tile_finish(t);
    sq_tile_into(t, &all);
    sq_tile_put_end(t, &end);
    sq_values_leave(t->values);
    return all.first;
}

void sq_tile_start(sq_tile *t, const sq_nest *n, const sq_variant *v, const sq_target *target)
{
    const sq_micro *m = &n->group->micro;
    t->nest = n;
    t->group = n->group;
    t->variant = v;
    t->target = target;
    t->lanes = sq_tile_lanes(n, target);
    t->pool = n->code;
    t->arena = n->code->arena;
    t->across = m->vector >= n->group->nfree;
    t->spread = sq_group_spread(n->group) > m->lanes ? sq_group_spread(n->group) : t->lanes;
    t->sets = m->split > 1 ? m->split : 1;
    t->slow = -1;
    t->parts = sq_tile_pair_parts(n, target);
    t->pairs = t->parts > 1;
    t->terms = t->pairs ? 0 : sq_exact_terms(n->group);
    sq_bases_find(n, &t->bases, t->arena);
}

/* A script that does not specify lanes serves all targets. Lanes are powers of two, so the tile
 * still consists of full vectors if the target's are narrower. Those of a grid are narrow
 * anyway. */
int sq_tile_lanes(const sq_nest *n, const sq_target *t)
{
    int lanes = n->group->micro.vector < 0 ? 1 : n->group->micro.lanes;
    int most = t->vector_bytes / sq_group_bytes(n->group);
    lanes = lanes > most && !t->grid ? most : lanes;
    return lanes > 1 ? lanes : 1;
}

int sq_tile_along_lanes(const sq_nest *n, const sq_target *t)
{
    const sq_micro *m = &n->group->micro;
    return m->serial >= 0 && m->vector == m->serial ? sq_tile_lanes(n, t) * sq_tile_pair_parts(n, t) : 1;
}

void sq_tile_point_to(sq_tile *t)
{
    t->pointer = SQ_NEW_ARRAY(t->arena, const sq_code_buffer *, t->bases.n);
    for (int i = 0; i < t->bases.n; i++) {
        const sq_base *b = &t->bases.base[i];
        t->pointer[i] = b->ref->array->words_of
                            ? sq_code_words(t->pool, b->name, NULL)
                            : sq_code_pointer(t->pool, b->name, sq_tile_memory(b->ref), !b->written, b->lone);
    }
}

/* Sets the parameters of the part: pointers, and those scalars that the body uses. */
static void put_params(const sq_tile *t, const sq_params *rest, sq_code_part *part)
{
    const sq_code_used used = sq_code_used_by(part->body, t->arena);
    const sq_code_buffer **pointer = SQ_NEW_ARRAY(t->arena, const sq_code_buffer *, t->bases.n);
    sq_code_param *param = SQ_NEW_ARRAY(t->arena, sq_code_param, rest->n);
    for (int i = 0; i < t->bases.n; i++)
        if (!contracted(t, t->bases.base[i].ref->array))
            pointer[part->npointers++] = t->pointer[i];
    for (int i = 0; i < rest->n; i++)
        if (sq_code_used_name(&used, rest->of[i].name))
            param[part->nparams++] = rest->of[i];
    part->pointer = pointer;
    part->param = param;
}

/* True if lanes of some array are loaded by shuffles, for which registers hold the permutation. */
static bool shuffles(const sq_tile *t)
{
    const sq_point origin = {0};
    for (int i = 0; i < t->nest->nrefs; i++) {
        const sq_code_expr *step = sq_tile_lane_step(t, t->nest->ref[i], &origin);
        if (step && !sq_code_is(step, 0) && !sq_code_is(step, 1))
            return true;
    }
    return false;
}

/* True if sums begin and end in the part, with a loop between that needs no outer values in vector
 * registers: the values of the code around are then spilled around the part, where gcc would
 * otherwise spill sums inside the loop. */
static bool owns_registers(const sq_tile *t)
{
    const sq_group *g = t->group;
    return t->target->language->fresh && t->lanes > 1 && g->micro.serial >= 0 && sq_group_held(g) == g->nloops &&
           !shuffles(t);
}

sq_code_part *sq_tile_part(const sq_nest *n, const sq_variant *v, const char *name,
                           const sq_target *target)
{
    sq_tile t = {0};
    sq_params rest;
    sq_code_part *part = SQ_NEW(n->code->arena, sq_code_part);
    sq_tile_start(&t, n, v, target);
    *part = (sq_code_part){.name = name,
                           .comment = comment(&t),
                           .along = t.group->micro.serial < 0 ? NULL
                                                              : t.group->dim[t.group->micro.serial],
                           .along_lanes = sq_tile_along_lanes(n, target),
                           .is_whole = is_whole(&t),
                           .owns = owns_registers(&t),
                           .lanes = t.lanes,
                           .nstmts = t.group->nstmts,
                           .stmt = t.group->stmt};
    sq_tile_point_to(&t);
    sq_tile_count(&t);
    t.values = sq_values_new(t.pool, t.target->registers - t.rows * t.vectors * t.sets);
    sq_params_rest(n, v, &rest);
    t.rest = &rest;
    part->body = body(&t);
    put_params(&t, &rest, part);
    sq_values_free(t.values);
    return part;
}

/* True if all points of a tile with these counts exist. */
static bool has_all_points(const sq_nest *n, const sq_variant *v, const int64_t *known)
{
    bool all = true;
    for (int d = 0; d < n->group->nfree; d++)
        all &= !v->runtime[d] || known[d] == sq_group_reach(n->group, d);
    return all;
}

/* Returns the value of a parameter if point counts are known: such a count, whether the tile is
 * whole, and whether lanes are masked. NULL: as in general. */
static const sq_code_expr *value_known(const sq_nest *n, const sq_variant *v, const int64_t *known,
                                       const char *name)
{
    int vector = n->group->micro.vector;
    for (int d = 0; d < n->group->ndim; d++)
        if (v->runtime[d] && known[d] &&
            strcmp(name, sq_arena_printf(n->code->arena, "@n_%s", n->group->dim[d])) == 0)
            return sq_code_number(n->code, known[d]);
    if (strcmp(name, "@whole") == 0)
        return sq_code_number(n->code, has_all_points(n, v, known));
    if (strcmp(name, "@part") == 0 && known[vector])
        return sq_code_number(n->code, known[vector] < sq_group_reach(n->group, vector));
    return NULL;
}

static const sq_code_expr *argument(const sq_nest *n, const sq_variant *v, const sq_params *rest,
                                    const char *name, const int64_t *known)
{
    const sq_code_expr *own = known ? value_known(n, v, known, name) : NULL;
    for (int i = 0; i < rest->n && !own; i++)
        if (strcmp(rest->of[i].name, name) == 0)
            own = rest->value[i];
    return own;
}

sq_code *sq_tile_call(const sq_nest *n, const sq_variant *v, sq_code_part *part,
                      const int64_t *known)
{
    sq_arena *arena = n->code->arena;
    const sq_code_expr *at[SQ_MAX_DIMS] = {0}, **arg;
    sq_code *x = sq_code_new(n->code, SQ_CODE_CALL);
    sq_code_address *pointer = SQ_NEW_ARRAY(arena, sq_code_address, part->npointers);
    sq_bases bases;
    sq_params rest;
    int npointers = 0;
    sq_bases_find(n, &bases, arena);
    sq_nest_origin(n, at);
    for (int i = 0; i < bases.n; i++)
        if (!sq_nest_contracted(n, bases.base[i].ref->array))
            pointer[npointers++] = (sq_code_address){sq_base_memory(n, &bases.base[i]),
                                                     sq_base_offset(n, &bases.base[i], at)};
    sq_params_rest(n, v, &rest);
    arg = SQ_NEW_ARRAY(arena, const sq_code_expr *, part->nparams);
    for (int i = 0; i < part->nparams; i++)
        arg[i] = argument(n, v, &rest, part->param[i].name, known);
    x->part = part;
    x->pointer = pointer;
    x->arg = arg;
    return x;
}
