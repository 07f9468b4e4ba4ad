/* Tile held: a register tile whose sums stay in registers across loops around its steps. It is
 * lowered in place, not as a part: accumulators, then loops and copies, which others lower, with
 * the steps at their leaf, then the end. Pointers are computed again at each step, under names of
 * their own. */
#include "codegen/tile/tile_inside.h"

static void rename_bases(sq_tile *t)
{
    for (int i = 0; i < t->bases.n; i++) {
        const char *name = t->bases.base[i].name;
        t->bases.base[i].name = sq_arena_printf(t->arena, "@%s_at", name + (*name == '@'));
    }
}

/* Returns the offset of the base's pointer in its array or copy, at the values of the loops. */
static const sq_code_expr *origin_of(const sq_tile *t, const sq_base *b)
{
    const sq_code_expr *at[SQ_MAX_DIMS] = {0};
    sq_nest_origin(t->nest, at);
    return sq_base_offset(t->nest, b, at);
}

/* Finds the buffers that the pointers point into. */
static void find_arrays(sq_tile *t)
{
    t->of = SQ_NEW_ARRAY(t->arena, const sq_code_buffer *, t->bases.n);
    for (int i = 0; i < t->bases.n; i++)
        t->of[i] = sq_base_memory(t->nest, &t->bases.base[i]);
}

/* Appends the pointers of the bases that are used: the start of others may depend on loops that are
 * not around. */
static void put_pointers(sq_tile *t, const bool *used)
{
    for (int i = 0; i < t->bases.n; i++) {
        if (!used[i])
            continue;
        sq_code *x = sq_code_new(t->pool, SQ_CODE_POINTER);
        x->buffer = t->pointer[i];
        x->of = t->of[i];
        x->value = origin_of(t, &t->bases.base[i]);
        sq_tile_append(t, x);
    }
}

static void put(sq_tile *t, sq_code *x)
{
    t->sink.put(t->sink.to, x);
}

/* Appends the body after its pointers, under the guard (NULL: always). */
static void put_block(sq_tile *t, const sq_code_expr *guard, sq_code *steps)
{
    sq_code_list all = {0}, *before = sq_tile_into(t, &all);
    const sq_code_used of_steps = sq_code_used_by(steps, t->arena);
    bool used[SQ_MAX_BASES];
    for (int i = 0; i < t->bases.n; i++)
        used[i] = sq_code_used_buffer(&of_steps, t->pointer[i]);
    put_pointers(t, used);
    sq_tile_clamps(t);
    sq_tile_into(t, before);
    sq_code_append(&all, steps);
    sq_code *x = sq_code_new(t->pool, guard ? SQ_CODE_IF : SQ_CODE_BLOCK);
    x->cond = guard;
    x->body = all.first;
    put(t, x);
}

/* Loads partial sums of earlier tiles: at this variant's points, under the guard. */
static void put_resumed(sq_tile *t, const sq_code_expr *guard)
{
    sq_code_list inner = {0}, *before = sq_tile_into(t, &inner);
    sq_tile_sum_resume(t);
    sq_tile_into(t, before);
    if (inner.first)
        put_block(t, guard, inner.first);
}

/* Appends a flag of the sum's first or last part, which this variant may not use. */
static void put_flag(sq_tile *t, const char *name, const sq_code_expr *value)
{
    sq_code *x = sq_code_let(t->pool, name, value), *unused = sq_code_new(t->pool, SQ_CODE_UNUSED);
    x->is_int = true;
    unused->name = name;
    sq_tile_append(t, x);
    sq_tile_append(t, unused);
}

sq_tile *sq_tile_open(const sq_nest *n, const sq_variant *v, const sq_target *target,
                      const sq_code_expr *guard, const sq_tile_sink *sink)
{
    sq_tile *t = SQ_NEW(n->code->arena, sq_tile);
    sq_code_list all = {0};
    t->sink = *sink;
    sq_tile_start(t, n, v, target);
    rename_bases(t);
    sq_tile_point_to(t);
    find_arrays(t);
    sq_tile_count(t);
    t->terms = 0;
    t->values = sq_values_new(t->pool, t->target->registers - t->rows * t->vectors * t->sets);
    sq_values_enter(t->values);
    sq_tile_into(t, &all);
    if (n->first) {
        put_flag(t, "@first", n->first);
        put_flag(t, "@last", n->last);
    }
    sq_tile_sum_begin(t);
    put(t, all.first);
    put_resumed(t, guard);
    return t;
}

static void put_number_of_steps(sq_tile *t)
{
    const sq_nest *n = t->nest;
    sq_code *x = sq_code_let(t->pool, sq_tile_points(t, t->group->micro.serial)->name,
                             sq_code_sub(n->code, n->serial_hi, n->serial_lo));
    x->is_int = sq_tile_short(t);
    sq_tile_append(t, x);
}

static void put_serial_range(sq_tile *t)
{
    const sq_nest *n = t->nest;
    sq_code_list all = {0};
    sq_tile_into(t, &all);
    if (n->serial_from != n->serial_lo)
        sq_tile_append(t, sq_code_let(t->pool, n->serial_from->name, n->serial_lo));
    put_number_of_steps(t);
    put(t, all.first);
}

void sq_tile_steps(sq_tile *t, const sq_code_expr *guard)
{
    sq_code_list inner = {0};
    bool tensor = sq_group_is_tensor(t->group);
    if (t->group->micro.serial >= 0 && !tensor)
        put_serial_range(t);
    sq_tile_into(t, &inner);
    sq_values_enter(t->values);
    (tensor ? sq_tile_tensor_steps : sq_tile_sum_steps)(t);
    sq_values_leave(t->values);
    put_block(t, guard, inner.first);
}

void sq_tile_end(sq_tile *t)
{
    sq_code_list all = {0};
    sq_tile_into(t, &all);
    sq_tile_sum_end(t);
    put(t, all.first);
    t->sets = 1;
}

void sq_tile_close(sq_tile *t, const sq_variant *v)
{
    sq_code_list inner = {0};
    t->variant = v;
    sq_tile_into(t, &inner);
    sq_values_enter(t->values);
    sq_tile_finish(t);
    sq_values_leave(t->values);
    put_block(t, NULL, inner.first);
}

void sq_tile_free(sq_tile *t)
{
    sq_values_free(t->values);
}

bool sq_tile_reads_shared(const sq_nest *n)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS];
    int m = sq_stmt_all_reads(n->group->stmt[0], read, in_body);
    for (int i = 0; i < m; i++)
        for (int r = 0; r < n->nrefs && in_body[i]; r++)
            if (n->ref[r]->access == read[i] && (!n->ref[r]->buffer || !n->ref[r]->buffer->shared))
                return false;
    return true;
}
