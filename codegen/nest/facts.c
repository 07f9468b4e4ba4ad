/* Facts: properties of a nest that several printers use: contracted temporaries, names at a leaf,
 * and the scalar parameters of tile functions. */
#include "codegen/nest/base.h"
#include "codegen/nest/lower.h"
#include "ir/kernel/narrow.h"
#include <string.h>

static sq_expr *make(sq_arena *arena, const sq_expr *like, sq_op op, sq_expr *a, sq_expr *b)
{
    sq_expr *e = SQ_NEW(arena, sq_expr);
    e->op = op;
    e->type = like->type;
    e->loc = like->loc;
    e->nargs = b ? 2 : a ? 1 : 0;
    e->arg[0] = a;
    e->arg[1] = b;
    e->real = 1;
    e->integer = 1;
    return e;
}

bool sq_expr_is(const sq_expr *e, int value)
{
    return e->op == SQ_OP_CONST && (sq_type_real(e->type) ? e->real == value : e->integer == value);
}

static sq_expr *times(sq_arena *arena, const sq_expr *like, sq_expr *slope, sq_expr *by)
{
    return !slope ? NULL : sq_expr_is(slope, 1) ? by : make(arena, like, SQ_OP_MUL, slope, by);
}

sq_expr *sq_expr_slope(const sq_expr *e, sq_arena *arena)
{
    sq_expr *a = e->nargs > 0 ? sq_expr_slope(e->arg[0], arena) : NULL;
    sq_expr *b = e->nargs > 1 ? sq_expr_slope(e->arg[1], arena) : NULL;
    switch (e->op) {
    case SQ_OP_REDUCED:
        return make(arena, e, SQ_OP_CONST, NULL, NULL);
    case SQ_OP_CAST:
        return a;
    case SQ_OP_NEG:
        return a ? make(arena, e, SQ_OP_NEG, a, NULL) : NULL;
    case SQ_OP_ADD:
        return a && b ? make(arena, e, SQ_OP_ADD, a, b) : a ? a : b;
    case SQ_OP_SUB:
        return a && b ? make(arena, e, SQ_OP_SUB, a, b)
               : a    ? a
               : b    ? make(arena, e, SQ_OP_NEG, b, NULL)
                      : NULL;
    case SQ_OP_MUL:
        return a ? times(arena, e, a, e->arg[1]) : times(arena, e, b, e->arg[0]);
    case SQ_OP_DIV:
        return a ? make(arena, e, SQ_OP_DIV, a, e->arg[1]) : NULL;
    default:
        return NULL;
    }
}

static bool in_group(const sq_group *g, const sq_stmt *s)
{
    for (int i = 0; i < g->nstmts; i++)
        if (g->stmt[i] == s || strcmp(g->stmt[i]->name, s->name) == 0)
            return true;
    return false;
}

bool sq_ref_same_place(const sq_ref *a, const sq_ref *b)
{
    for (int s = 0; s < a->nsubs; s++)
        if (a->konst[s] != b->konst[s] || memcmp(a->coef[s], b->coef[s], sizeof a->coef[s]) != 0 ||
            a->symbolic[s] != b->symbolic[s])
            return false;
    return true;
}

bool sq_nest_pointwise(const sq_nest *n)
{
    if (n->group->nstmts > 1 && sq_kernel_overlaps(n->kernel))
        return false; /* a store may change what was loaded */
    for (int i = 0; i < n->nrefs && n->group->nstmts > 1; i++) {
        const sq_ref *r = n->ref[i], *first = n->ref[r->first];
        if (first != r && (!r->affine || !first->affine || !sq_ref_same_place(first, r)) &&
            sq_group_writes(n->group, r->array))
            return false;
    }
    return true;
}

bool sq_nest_contracted(const sq_nest *n, const sq_array *a)
{
    const sq_ref *first = NULL;
    if (a->role != SQ_LOCAL || n->first || n->kernel->whole || !sq_nest_pointwise(n))
        return false;
    for (int s = 0; s < n->kernel->nstmts; s++)
        if (sq_stmt_touches(n->kernel->stmt[s], a) && !in_group(n->group, n->kernel->stmt[s]))
            return false;
    for (int i = 0; i < n->nrefs; i++) {
        if (n->ref[i]->array != a)
            continue;
        if (!n->ref[i]->affine || (first && !sq_ref_same_place(first, n->ref[i])))
            return false;
        first = first ? first : n->ref[i];
    }
    return true;
}

bool sq_nest_counts_known(const sq_nest *n)
{
    for (int d = 0; d < n->group->ndim; d++)
        if (n->count[d].number && n->count[d].kind == SQ_COUNT_RUNTIME)
            return false;
    return true;
}

bool sq_ends_any(const sq_nest *n)
{
    return n->ends.noverlaps || n->ends.lanes;
}

/* True if f32 represents all values of the type. */
static bool fits_f32(sq_type t)
{
    return sq_type_promoted(t) == SQ_F32 || (!sq_type_real(t) && sq_type_bytes(t) < 4);
}

/* How a tile computes values. */
typedef struct form {
    const sq_group *group;
    bool single; /* as scalars: its tiles have no vectors */
    bool grid;   /* inside of a grid's loops */
} form;

static bool has_form(const sq_expr *e, form how);

/* True for a condition on values that the tile can compute. */
static bool chooses(const sq_expr *e, form how)
{
    switch (e->op) {
    case SQ_OP_NOT:
        return chooses(e->arg[0], how);
    case SQ_OP_AND:
    case SQ_OP_OR:
        return chooses(e->arg[0], how) && chooses(e->arg[1], how);
    case SQ_OP_LT:
    case SQ_OP_LE:
    case SQ_OP_EQ:
    case SQ_OP_NE:
        return has_form(e->arg[0], how) && has_form(e->arg[1], how);
    default:
        return false;
    }
}

/* Operators of integers only. A quotient may be computed in an unused lane: only by a constant. */
static bool integers_have_lanes(const sq_expr *e)
{
    int64_t by;
    if (e->op == SQ_OP_DIV || e->op == SQ_OP_MOD)
        return sq_expr_is_constant(e->arg[1], &by) && by != 0 && by != -1;
    return e->op >= SQ_OP_BIT_AND && e->op <= SQ_OP_SHR;
}

/* True if index values can be computed: from the tile's origin, or in a grid from the variables of
 * loops outside of the tile. */
static bool is_named(const sq_expr *e, form how)
{
    int k = how.group->micro.serial;
    if (!how.grid)
        return isl_aff_dim(e->index, isl_dim_div) == 0;
    return how.single &&
           (k < 0 || isl_aff_involves_dims(e->index, isl_dim_in, (unsigned)k, 1) == isl_bool_false);
}

/* Comparisons of a grid's vectors are as wide as what they select between. */
static bool fits_choice(const sq_expr *e, const sq_expr *condition, form how)
{
    bool compares = sq_op_compares(condition->op);
    if (!how.grid || how.single)
        return true;
    if (compares)
        return sq_type_bytes(condition->arg[0]->type) == sq_type_bytes(e->type);
    return fits_choice(e, condition->arg[0], how) &&
           (condition->nargs < 2 || fits_choice(e, condition->arg[1], how));
}

static bool is_indirect(const sq_expr *e)
{
    bool is = e->op == SQ_OP_READ && e->access->indirect;
    for (int i = 0; i < e->nargs; i++)
        is |= is_indirect(e->arg[i]);
    return is;
}

/* True if an indirect element can be loaded: at an address common to all lanes, or lane by lane,
 * which takes longer than scalar code if a vector has many lanes, or if it is done twice. */
static bool is_found(const sq_expr *read, form how)
{
    form one = {.group = how.group, .single = true, .grid = how.grid};
    int v = how.group->micro.vector;
    bool fine = true, alone = false, twice = false;
    for (int i = 0; i < read->nargs; i++) {
        bool moves = v >= 0 && sq_expr_moves(read->arg[i], v);
        fine = fine && has_form(read->arg[i], one);
        alone |= moves;
        twice |= moves && is_indirect(read->arg[i]);
    }
    bool lanes = !how.grid && !twice && sq_type_bytes(read->type) >= 4;
    return fine && (how.single || !alone || lanes);
}

/* True if the tile can compute the expression. Values rounded to f16 or bf16 must be rounded
 * once. */
static bool has_form(const sq_expr *e, form how)
{
    bool fine = e->op < SQ_OP_MOD || e->op > SQ_OP_SHR || integers_have_lanes(e);
    if (sq_expr_of_sizes(e))
        return true; /* one value for all lanes */
    if (e->op == SQ_OP_INDEX)
        return is_named(e, how);
    if (e->op == SQ_OP_READ && e->access->indirect)
        return is_found(e, how);
    if (sq_op_is_condition(e->op))
        return chooses(e, how) && fits_choice(e, e, how);
    if (e->op == SQ_OP_SELECT)
        return !sq_type_stored(e->type) && chooses(e->arg[0], how) &&
               fits_choice(e, e->arg[0], how) && has_form(e->arg[1], how) &&
               has_form(e->arg[2], how);
    if (e->op == SQ_OP_DIV && !sq_type_real(e->type))
        fine = integers_have_lanes(e);
    if (e->op == SQ_OP_CAST && sq_type_stored(e->type) && !fits_f32(e->arg[0]->type))
        fine = false;
    for (int i = 0; i < e->nargs; i++)
        fine = fine && has_form(e->arg[i], how);
    return fine;
}

static form form_of(const sq_nest *n)
{
    const sq_group *g = n->group;
    form how = {.group = g, .grid = n->on_grid};
    for (int l = 0; l < g->nloops; l++)
        how.grid |= g->loop[l].runs == SQ_LOOP_BLOCKS || g->loop[l].runs == SQ_LOOP_LANES;
    /* Threads that share a sum combine scalars. */
    how.single = sq_group_team(g, NULL) > 1 && g->micro.vector < 0;
    return how;
}

bool sq_tile_possible(const sq_nest *n)
{
    const sq_group *g = n->group;
    form how = form_of(n);
    for (int i = 0; i < n->nrefs; i++)
        if (!n->ref[i]->affine || n->ref[i]->access->is_guarded)
            return false;        /* a tile loads the operands of both arms of a conditional */
    bool fine = sq_bases_fit(n); /* needs affine references */
    for (int s = 0; s < g->nstmts; s++) {
        const sq_stmt *x = g->stmt[s];
        fine = fine && !x->is_maybe && (!x->body || has_form(x->body, how)) &&
               has_form(how.single ? x->value : sq_stmt_in_lanes(x), how);
    }
    return fine;
}

void sq_nest_origin(const sq_nest *n, const sq_code_expr **at)
{
    const sq_group *g = n->group;
    for (int d = 0; d < g->ndim; d++) {
        int l = sq_group_inner_loop(g, d);
        at[d] = d == g->micro.serial ? n->serial_from
                : l >= 0             ? sq_code_name(n->code, g->loop[l].name)
                                     : n->anchor[d];
    }
}

static void add(sq_params *p, sq_code_param param, const sq_code_expr *value)
{
    if (p->n == SQ_MOST_TILE_PARAMS)
        sq_bug("facts", "a tile has more than %d parameters", SQ_MOST_TILE_PARAMS);
    p->of[p->n] = param;
    p->value[p->n++] = value;
}

/* Adds a parameter under the name that it has around the tile. */
static void add_same(const sq_nest *n, const char *name, sq_params *p)
{
    add(p, (sq_code_param){.kind = SQ_CODE_INDEX, .name = name}, sq_code_name(n->code, name));
}

const char *sq_index_origin_name(const sq_nest *n, int dim)
{
    return sq_arena_printf(n->code->arena, "@from_%s", n->group->dim[dim]);
}

/* Marks the dimensions whose indices are values. */
static void mark_indices(sq_expr *e, void *user)
{
    bool *mark = user;
    for (int d = 0; e->op == SQ_OP_INDEX && d < (int)isl_aff_dim(e->index, isl_dim_in); d++)
        mark[d] |= isl_aff_involves_dims(e->index, isl_dim_in, (unsigned)d, 1) == isl_bool_true;
}

void sq_nest_index_values(const sq_nest *n, bool *is_value)
{
    for (int s = 0; s < n->group->nstmts; s++) {
        sq_expr_walk(n->group->stmt[s]->body, mark_indices, is_value);
        sq_expr_walk(n->group->stmt[s]->value, mark_indices, is_value);
    }
}

/* Adds the start of the tile along dimensions whose indices are values. */
static void add_origin(const sq_nest *n, sq_params *p)
{
    bool is_value[SQ_MAX_DIMS] = {false};
    const sq_code_expr *at[SQ_MAX_DIMS] = {0};
    sq_nest_index_values(n, is_value);
    sq_nest_origin(n, at);
    for (int d = 0; d < n->group->ndim; d++)
        if (is_value[d])
            add(p, (sq_code_param){.kind = SQ_CODE_INDEX, .name = sq_index_origin_name(n, d)},
                at[d]);
}

static void add_strides(const sq_nest *n, sq_params *p)
{
    sq_bases b;
    sq_bases_find(n, &b, n->code->arena);
    for (int i = 0; i < b.n; i++) {
        const sq_array *a = b.base[i].ref->array;
        bool seen = false;
        for (int j = 0; j < i; j++)
            seen |= b.base[j].ref->array == a && !b.base[j].ref->buffer;
        for (int s = 0; s < a->ndim && !seen; s++) {
            if (b.base[i].runtime[s])
                add_same(n, sq_stride_name(a, s, n->code->arena), p);
        }
    }
}

/* True if the index involves the parameter of this name: a size, or the variable of a loop around. */
static bool index_involves(isl_aff *index /* __isl_keep */, const char *name)
{
    int d = isl_aff_find_dim_by_name(index, isl_dim_param, name);
    return d >= 0 && isl_aff_involves_dims(index, isl_dim_param, (unsigned)d, 1) != isl_bool_false;
}

/* Search for a parameter in an expression; found: the expression has it, as a scalar or as a size
 * in an index. */
typedef struct mention {
    const sq_param *param;
    bool found;
} mention;

static void look_for(sq_expr *e, void *user)
{
    mention *m = user;
    if (e->op == SQ_OP_SCALAR)
        m->found |= e->scalar == m->param->scalar;
    if (e->op == SQ_OP_INDEX && m->param->size)
        m->found |= index_involves(e->index, m->param->size->name);
}

/* Search for the variable of a loop around, in an index. */
typedef struct use {
    const char *name;
    bool found;
} use;

static void look_for_outer(sq_expr *e, void *user)
{
    use *u = user;
    u->found |= e->op == SQ_OP_INDEX && index_involves(e->index, u->name);
}

/* Adds the variables of loops around that the statement uses as values. */
static void add_outer(const sq_nest *n, sq_params *p)
{
    for (int i = 0; i < n->kernel->nouter; i++) {
        use u = {n->kernel->outer[i], false};
        sq_expr_walk(n->group->stmt[0]->body, look_for_outer, &u);
        sq_expr_walk(n->group->stmt[0]->value, look_for_outer, &u);
        if (u.found)
            add_same(n, u.name, p);
    }
}

/* Adds the parameters whose values the statements use. */
static void add_values(const sq_nest *n, sq_params *p)
{
    add_outer(n, p);
    for (int i = 0; i < n->kernel->nparams; i++) {
        mention m = {&n->kernel->param[i], false};
        for (int s = 0; s < n->group->nstmts && !m.param->array; s++) {
            sq_expr_walk(n->group->stmt[s]->body, look_for, &m);
            sq_expr_walk(n->group->stmt[s]->value, look_for, &m);
        }
        if (m.found && m.param->scalar)
            add(p, (sq_code_param){SQ_CODE_VALUE, m.param->scalar->type, m.param->scalar->name},
                NULL);
        else if (m.found)
            add_same(n, m.param->size->name, p);
    }
}

void sq_params_rest(const sq_nest *n, const sq_variant *v, sq_params *p)
{
    const sq_group *g = n->group;
    const sq_code_param part = {.kind = SQ_CODE_FLAG, .name = "@part"},
                        whole = {.kind = SQ_CODE_FLAG, .name = "@whole"},
                        first = {.kind = SQ_CODE_FLAG, .name = "@first"},
                        last = {.kind = SQ_CODE_FLAG, .name = "@last"};
    p->n = 0;
    add_strides(n, p);
    add_origin(n, p);
    if (g->micro.serial >= 0) {
        const char *k = sq_arena_printf(n->code->arena, "@n_%s", g->dim[g->micro.serial]);
        add(p, (sq_code_param){.kind = SQ_CODE_INDEX, .name = k},
            sq_code_sub(n->code, n->serial_hi, n->serial_lo));
    }
    for (int d = 0; d < g->ndim; d++)
        if (v->runtime[d])
            add_same(n, sq_arena_printf(n->code->arena, "@n_%s", g->dim[d]), p);
    if (g->micro.vector >= 0 && v->runtime[g->micro.vector])
        add(p, part, sq_code_number(n->code, 1));
    add(p, whole, sq_code_number(n->code, 0));
    if (n->first)
        add(p, first, n->first);
    if (n->first && (sq_group_epilogue(g) == SQ_EPILOGUE_LAST || g->nstmts > 1))
        add(p, last, n->last);
    add_values(n, p);
}
