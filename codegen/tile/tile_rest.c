/* Tile rest: what precedes and follows the sums of a tile that may lack points, once for whole tiles
 * and once for others. A whole tile continues and finishes sums in registers. Another one does it in
 * memory, in loops over the points that exist: written out, its loads and stores would each have
 * conditions and masks of their own, for which compilers take longer than for all else. */
#include "codegen/code/build.h"
#include "codegen/tile/tile_inside.h"
#include <string.h>

enum { FEW_POINTS = 4 }; /* which are as short written out */

/* A loop around the statement that is copied, and its end. */
typedef struct around {
    const char *name;
    const sq_code_expr *end;
    const struct around *before;
} around;

/* A register that the first iterations of loops set for all: the others compute its value again. */
typedef struct again {
    const sq_code_buffer *first, *each;
    struct again *before;
} again;

/* A copy of statements for whole tiles, or for others. */
typedef struct copying {
    sq_tile *t;
    const sq_code *of;            /* the statements */
    const sq_code_buffer *sums;   /* the accumulators */
    const sq_code_buffer *memory; /* where others have them; NULL: whole tiles */
    again *again;
    bool fails;
} copying;

static const sq_code_buffer *again_of(const copying *c, const sq_code_buffer *b)
{
    const again *x = c->again;
    while (x && x->first != b)
        x = x->before;
    return x ? x->each : NULL;
}

/* ---- expressions ---- */

/* Returns the element of the memory that has a sum, of this subscript. */
static const sq_code_expr *place_of(const copying *c, const sq_code_expr *const *index)
{
    sq_code_pool *p = c->t->pool;
    const sq_code_expr *at = index[0];
    for (int d = 1; d < c->sums->ndim; d++)
        at = sq_code_add_scaled(p, index[d], c->sums->extent[d]->number, at);
    return sq_code_scale(p, c->sums->lanes > 1 ? c->sums->lanes : 1, at);
}

static const sq_code_expr *element(copying *c, const sq_code_expr *e,
                                   const sq_code_expr *const *index)
{
    sq_code_pool *p = c->t->pool;
    if (again_of(c, e->buffer))
        return sq_code_load(p, again_of(c, e->buffer), NULL);
    c->fails |= c->memory && e->buffer->ndim && e->buffer != c->sums;
    if (c->fails || e->buffer != c->sums || !c->memory)
        return e->nargs ? sq_code_rebuilt(p, e, index) : e;
    const sq_code_expr *at = place_of(c, index);
    const sq_code_lanes lanes = {.first = at, .step = sq_code_number(p, 1)};
    return e->lanes > 1 ? sq_code_load_lanes(p, c->memory, e->lanes, &lanes)
                        : sq_code_load(p, c->memory, &at);
}

static const sq_code_expr *name_of(const copying *c, const sq_code_expr *e)
{
    const sq_tile *t = c->t;
    if (strcmp(e->name, "@part") == 0)
        return sq_code_number(t->pool, c->memory != NULL);
    for (int d = 0; d < t->group->nfree && !c->memory; d++)
        if (t->variant->runtime[d] && e == sq_tile_points(t, d))
            return sq_code_number(t->pool, sq_group_reach(t->group, d));
    return e;
}

/* True if e is the variable of a loop, and other - its end is at least `by`. */
static bool ends_by(const copying *c, const around *a, const sq_code_expr *e,
                    const sq_code_expr *other, int64_t by)
{
    int64_t d;
    for (; e->op == SQ_CODE_NAME && a; a = a->before)
        if (strcmp(a->name, e->name) == 0)
            return sq_code_known(sq_code_sub(c->t->pool, other, a->end), &d) && d >= by;
    return false;
}

/* Drops what follows from the ends of the loops around: rows that are clamped to those that exist, and the conditions
 * that they exist. */
static const sq_code_expr *in_loops(const copying *c, const around *a, const sq_code_expr *e)
{
    for (int i = 0; e->op == SQ_CODE_MIN && i < 2; i++)
        if (ends_by(c, a, e->arg[i], e->arg[1 - i], -1))
            return e->arg[i];
    if (e->op == SQ_CODE_GT && ends_by(c, a, e->arg[1], e->arg[0], 0))
        return sq_code_number(c->t->pool, 1);
    return e;
}

static bool has_all(const sq_code_expr *left, int lanes)
{
    int64_t n;
    return left && sq_code_known(left, &n) && n >= lanes;
}

/* Drops the number of lanes that exist if these are all. */
static const sq_code_expr *of_all_lanes(const copying *c, const sq_code_expr *e)
{
    if (e->op == SQ_CODE_LOAD_WORDS && e->nargs > 1 && has_all(e->arg[1], e->lanes))
        return sq_code_load_words(c->t->pool, e->buffer, e->lanes, e->arg[0], NULL);
    if (e->op != SQ_CODE_LOAD_LANES || !has_all(sq_code_lanes_left(e), e->lanes))
        return e;
    const sq_code_lanes all = {.index = e->arg,
                               .step = sq_code_lane_step(e),
                               .kind = (sq_code_lane_kind)e->number,
                               .channel =
                                   e->number == SQ_LANES_CHANNEL ? sq_code_lane_channel(e) : NULL};
    return sq_code_load_lanes(c->t->pool, e->buffer, e->lanes, &all);
}

static const sq_code_expr *copied(copying *c, const around *a, const sq_code_expr *e)
{
    if (!e)
        return NULL;
    if (e->op == SQ_CODE_NAME)
        return name_of(c, e);
    const sq_code_expr **arg = SQ_NEW_ARRAY(c->t->arena, const sq_code_expr *, e->nargs + 1);
    for (int i = 0; i < e->nargs; i++)
        arg[i] = copied(c, a, e->arg[i]);
    if (e->op == SQ_CODE_LOAD && e->buffer->storage == SQ_CODE_REGISTER)
        return element(c, e, arg);
    return e->nargs ? in_loops(c, a, of_all_lanes(c, sq_code_rebuilt(c->t->pool, e, arg))) : e;
}

/* ---- statements ---- */

static sq_code *copy_of(copying *c, const around *a, const sq_code *x);

static bool stores_to(const sq_code *x, const sq_code_buffer *b)
{
    for (; x; x = x->next)
        if ((x->kind == SQ_CODE_STORE && x->buffer == b) || stores_to(x->body, b) ||
            stores_to(x->other, b))
            return true;
    return false;
}

/* True if e reads what the statements store. */
static bool may_change(const copying *c, const sq_code_expr *e)
{
    bool any = e->buffer && e->buffer->storage != SQ_CODE_REGISTER && stores_to(c->of, e->buffer);
    for (int i = 0; i < e->nargs && !any; i++)
        any = may_change(c, e->arg[i]);
    return any;
}

/* True if a register is declared for the first iterations of loops that follow to set. */
static bool is_set_first(const copying *c, const sq_code *x)
{
    const sq_code *next = x->next;
    return c->memory && x->kind == SQ_CODE_DECLARE && x->buffer->storage == SQ_CODE_REGISTER &&
           !(next && next->kind == SQ_CODE_STORE && next->buffer == x->buffer && !next->cond);
}

static void set_again(copying *c, const sq_code_buffer *b)
{
    sq_code_buffer *own = SQ_NEW(c->t->arena, sq_code_buffer);
    again *x = SQ_NEW(c->t->arena, again);
    *own = *b;
    own->ndim = 0;
    own->extent = NULL;
    own->is_constant = true;
    *x = (again){b, own, c->again};
    c->again = x;
}

/* Makes a constant of such a register where it is set. */
static void copy_first(copying *c, const sq_code *x, sq_code *to, sq_code_list *all)
{
    to->buffer = again_of(c, x->buffer);
    c->fails |= !x->cond || may_change(c, x->value);
    to->cond = NULL;
    sq_code_append(all, sq_code_declare(c->t->pool, to->buffer, false));
}

static void copy_store(copying *c, const around *a, const sq_code *x, sq_code *to)
{
    const sq_code_expr **index =
        SQ_NEW_ARRAY(c->t->arena, const sq_code_expr *, x->buffer->ndim + 1);
    for (int d = 0; d < x->buffer->ndim; d++)
        index[d] = copied(c, a, x->index[d]);
    c->fails |= c->memory && x->buffer->storage == SQ_CODE_REGISTER && x->buffer->ndim > 0 &&
                x->buffer != c->sums;
    to->index = index;
    if (c->memory && x->buffer == c->sums) {
        *index = place_of(c, index);
        to->buffer = c->memory;
        to->lane_step = x->value->lanes > 1 ? sq_code_number(c->t->pool, 1) : NULL;
    }
    if (to->cond && sq_code_is(to->cond, 1))
        to->cond = NULL;
    if (has_all(to->left, x->value->lanes))
        to->left = NULL;
}

/* Returns the end of a loop over points that exist; NULL: it is over taps, or over points that always exist. */
static const sq_code_expr *end_of(const copying *c, const sq_code *loop)
{
    const sq_tile *t = c->t;
    int vector = t->group->micro.vector;
    for (int d = 0; d < t->group->nfree; d++)
        if (d != vector && t->variant->runtime[d] &&
            strcmp(loop->name, sq_tile_loop_name(t, d)) == 0)
            return sq_tile_points(t, d);
    if (t->across || vector < 0 || !t->variant->runtime[vector] ||
        strcmp(loop->name, SQ_TILE_VECTORS) != 0)
        return NULL;
    return sq_code_divide(t->pool, SQ_CODE_DIV,
                          sq_code_plus(t->pool, sq_tile_points(t, vector), t->spread - 1),
                          sq_code_number(t->pool, t->spread));
}

static void copy_loop(copying *c, const around *a, const sq_code *x, sq_code *to)
{
    const sq_code_expr *end = x->runs == SQ_CODE_UNROLLED && c->memory ? end_of(c, x) : NULL;
    c->fails |= x->runs != SQ_CODE_UNROLLED;
    if (c->fails)
        return;
    if (c->memory)
        to->runs = SQ_CODE_SERIAL;
    to->hi = end ? end : x->hi;
    to->body = copy_of(c, &(around){x->name, to->hi, a}, x->body);
}

static bool is_copied(const sq_code *x)
{
    switch (x->kind) {
    case SQ_CODE_LOOP:
    case SQ_CODE_IF:
    case SQ_CODE_LET:
    case SQ_CODE_DECLARE:
    case SQ_CODE_STORE:
    case SQ_CODE_BLOCK:
    case SQ_CODE_COMMENT:
        return true;
    default:
        return false;
    }
}

static sq_code *copy_of(copying *c, const around *a, const sq_code *x)
{
    sq_code_list all = {0};
    for (; x && !c->fails; x = x->next) {
        if (is_set_first(c, x)) {
            set_again(c, x->buffer);
            continue;
        }
        sq_code *to = sq_code_copy(c->t->pool, x);
        to->value = copied(c, a, x->value);
        to->cond = copied(c, a, x->cond);
        to->left = copied(c, a, x->left);
        to->lane_step = copied(c, a, x->lane_step);
        c->fails |= !is_copied(x);
        if (x->kind == SQ_CODE_STORE && again_of(c, x->buffer))
            copy_first(c, x, to, &all);
        else if (x->kind == SQ_CODE_STORE)
            copy_store(c, a, x, to);
        if (x->kind == SQ_CODE_LOOP)
            copy_loop(c, a, x, to);
        else
            to->body = copy_of(c, a, x->body);
        to->other = copy_of(c, a, x->other);
        sq_code_append(&all, to);
    }
    return all.first;
}

/* ---- both ends ---- */

/* Where counts are known, compilers find no conditions. */
bool sq_tile_may_lack(const sq_tile *t)
{
    bool any = false;
    for (int d = 0; d < t->group->nfree; d++)
        any |= t->variant->runtime[d];
    return any && t->rest && t->target->language->unroll && !sq_nest_counts_known(t->nest);
}

static const sq_code_buffer *memory_for(sq_tile *t, const sq_code_buffer *sums)
{
    int64_t n = sums->lanes > 1 ? sums->lanes : 1;
    for (int d = 0; d < sums->ndim; d++)
        n *= sums->extent[d]->number;
    sq_code_buffer *b = SQ_NEW(t->arena, sq_code_buffer);
    *b = *sq_code_row(t->pool, "@sums", sums->type, sq_code_number(t->pool, n), false);
    b->storage = SQ_CODE_STACK;
    return b;
}

/* Moves a sum to the memory, or back. */
static void move_sum(const copying *c, const sq_code_expr *sum, bool back)
{
    sq_tile *t = c->t;
    const sq_code_expr *at = place_of(c, sum->arg), *one = sq_code_number(t->pool, 1);
    const sq_code_lanes lanes = {.first = at, .step = one};
    sq_code *x = sq_code_store(t->pool, c->memory, &at, sum);
    x->lane_step = sum->lanes > 1 ? one : NULL;
    if (back)
        sq_tile_set(t, sum,
                    sum->lanes > 1 ? sq_code_load_lanes(t->pool, c->memory, sum->lanes, &lanes)
                                   : sq_code_load(t->pool, c->memory, &at));
    else
        sq_tile_append(t, x);
}

static void move_sums(const copying *c, bool back)
{
    sq_tile *t = c->t;
    sq_tile_box box = sq_tile_box_points(t);
    while (sq_tile_box_point(t, &box))
        move_sum(c, sq_tile_acc(t, box.row, box.vector, 0), back);
}

/* True if a value depends on scalars and sizes alone. */
static bool is_fixed(const sq_code_expr *e)
{
    bool fixed = e->op != SQ_CODE_LOAD || (e->buffer->storage == SQ_CODE_REGISTER && !e->buffer->ndim);
    fixed &= !e->buffer || e->op == SQ_CODE_LOAD;
    for (int i = 0; i < e->nargs && fixed; i++)
        fixed = is_fixed(e->arg[i]);
    return fixed;
}

/* Returns the first statement behind the definitions of values that both forms share. */
static const sq_code *behind_fixed(const sq_code *x)
{
    while (x && x->kind == SQ_CODE_DECLARE && x->buffer->storage == SQ_CODE_REGISTER && !x->buffer->ndim && x->next &&
           x->next->kind == SQ_CODE_STORE && x->next->buffer == x->buffer && !x->next->cond && is_fixed(x->next->value))
        x = x->next->next;
    return x;
}

/* Appends both forms of statements that set sums or read them; false if they have none. Other: what tiles that are not
 * whole do instead; NULL: the same. */
static bool put_both(sq_tile *t, const sq_code *all, const sq_code *other, bool sets)
{
    const sq_code *of = other ? all : behind_fixed(all);
    const sq_code_buffer *sums = sq_tile_acc(t, 0, 0, 0)->buffer;
    copying of_whole = {.t = t, .of = of, .sums = sums},
            of_rest = {.t = t, .of = other ? other : of, .sums = sums, .memory = memory_for(t, sums)};
    sq_code_list whole = {0}, rest = {0}, *to;
    sq_code_append(&whole, copy_of(&of_whole, NULL, of));
    sq_code *loops = copy_of(&of_rest, NULL, of_rest.of);
    if (of_whole.fails || of_rest.fails)
        return false;
    to = sq_tile_into(t, &rest);
    sq_tile_append(t, sq_code_declare(t->pool, of_rest.memory, sets));
    if (!sets)
        move_sums(&of_rest, false);
    sq_tile_append(t, loops);
    if (sets)
        move_sums(&of_rest, true);
    sq_tile_into(t, to);
    for (; all != of; all = all->next)
        sq_tile_append(t, sq_code_copy(t->pool, all));
    sq_tile_if(t, sq_tile_flag(t, "@whole", true), &whole, &rest);
    return true;
}

/* True if the tile has two forms. */
static bool is_split(sq_tile *t)
{
    return sq_tile_may_lack(t) && t->group->stmt[0]->updates &&
           t->rows * t->vectors >= FEW_POINTS &&
           sq_type_held(sq_tile_acc(t, 0, 0, 0)->type) == sq_tile_acc(t, 0, 0, 0)->type;
}

void sq_tile_put_end(sq_tile *t, const sq_code_list *end)
{
    sq_code_list rest = {0}, *to = t->to;
    const bool splits = is_split(t);
    if (splits) {
        sq_tile_into(t, &rest);
        sq_tile_finish_rest(t);
        sq_tile_into(t, to);
    }
    if (!splits || !put_both(t, end->first, rest.first, false))
        sq_tile_append(t, end->first);
}

/* ---- earlier sums ---- */

bool sq_tile_resumes(const sq_nest *n)
{
    return n->first && sq_group_epilogue(n->group) == SQ_EPILOGUE_LAST;
}

/* Loads partial sums of earlier tiles from the output: the accumulators continue with them. */
void sq_tile_sum_resume(sq_tile *t)
{
    const sq_stmt *s = t->group->stmt[0];
    int ref = sq_tile_ref(t, s->write);
    sq_code_list inner = {0}, both = {0}, *to = t->to;
    if (!sq_tile_resumes(t->nest))
        return;
    sq_tile_into(t, &inner);
    sq_tile_box box = sq_tile_box_points(t);
    while (sq_tile_box_point(t, &box)) {
        sq_point p = sq_tile_point(t, box.row, box.vector, 0, 0);
        const sq_code_expr *old = sq_tile_load(t, ref, &p), *sum = sq_tile_acc(t, box.row, box.vector, 0);
        if (t->acc_kind == SQ_ACC_ADDED_UP)
            sq_tile_combine(t, s, sum, old);
        else
            sq_tile_set(t, sum, old);
    }
    sq_tile_into(t, &both);
    if (t->acc_kind != SQ_ACC_SUMS || !is_split(t) || !put_both(t, inner.first, NULL, true))
        sq_tile_append(t, inner.first);
    sq_tile_into(t, to);
    sq_tile_if(t, sq_tile_flag(t, "@first", false), &both, NULL);
}
