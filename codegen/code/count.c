/* Count: see count.h. */
#include "codegen/code/count.h"
#include "codegen/code/unrolled.h"
#include <math.h>

/* The live range of a register: the statements between which it holds a value. */
typedef struct lifetime {
    const sq_code_buffer *buffer;
    int64_t element; /* subscript in an array of registers */
    int from, to;
    struct lifetime *same; /* another register that holds the same value; NULL: none */
    struct lifetime *next;
} lifetime;

/* A load and its result: compilers load it once. */
typedef struct loaded {
    const sq_code_expr *e;
    lifetime *in;
    struct loaded *next;
} loaded;

typedef struct counting {
    const sq_count_how *how;
    const char *along; /* the variable of the vectorized loop; NULL: none */
    int lanes;         /* its number of lanes */
    double times;      /* how often the current statement runs */
    int at;            /* number of the current statement */
    sq_code_count all;
    lifetime *first;
    loaded *loads;    /* loads whose memory has not changed since */
    loaded *channels; /* the first of several that share loads, under the same condition */
    sq_code_pool *pool;
    sq_arena *arena;
} counting;

/* ---- registers ---- */

/* Returns the number of vector registers for a value with this number of lanes. */
static int vectors(const counting *c, sq_type type, int lanes)
{
    int bytes = sq_type_bytes(sq_type_held(type)) * (lanes > 1 ? lanes : 1);
    return bytes > c->how->vector_bytes ? (bytes + c->how->vector_bytes - 1) / c->how->vector_bytes
                                        : 1;
}

/* Starts a live range here. */
static lifetime *lifetime_new(counting *c, const sq_code_buffer *b, int64_t element, int at)
{
    lifetime *x = SQ_NEW(c->arena, lifetime);
    *x = (lifetime){.buffer = b, .element = element, .from = at, .to = at, .next = c->first};
    return c->first = x;
}

static lifetime *lifetime_of(counting *c, const sq_code_buffer *b, int64_t element)
{
    for (lifetime *x = c->first; x; x = x->next)
        if (x->buffer == b && x->element == element)
            return x;
    return lifetime_new(c, b, element, -1);
}

/* Returns the subscript of an array of registers, which is constant. */
static int64_t element_of(const sq_code_buffer *b, const sq_code_expr *const *index)
{
    int64_t at = 0;
    for (int d = 0; d < b->ndim; d++)
        at = at * b->extent[d]->number + index[d]->number;
    return at;
}

/* A value that the list mentions before its declaration is live across the whole list. */
static void mention(counting *c, const sq_code_buffer *b, const sq_code_expr *const *index)
{
    lifetime *x = lifetime_of(c, b, element_of(b, index));
    while (x->same)
        x = x->same;
    if (x->from < 0)
        x->from = 0, x->to = INT32_MAX;
    else if (x->to < c->at)
        x->to = c->at;
}

static int most_registers(const counting *c)
{
    int most = 0;
    for (int at = 0; at <= c->at; at++) {
        int n = 0;
        for (const lifetime *x = c->first; x; x = x->next)
            if (!x->same && x->from <= at && at <= x->to)
                n += vectors(c, x->buffer->type, x->buffer->lanes);
        most = n > most ? n : most;
    }
    return most;
}

/* ---- expressions ---- */

static void count_expr(counting *c, const sq_code_expr *e);

static void count_load(counting *c, const sq_code_expr *e)
{
    double bytes = sq_type_bytes(e->buffer->type);
    if (e->buffer->storage == SQ_CODE_REGISTER) {
        mention(c, e->buffer, e->arg);
        return;
    }
    c->all.loads += c->times;
    c->all.bytes_loaded += bytes * c->times;
}

/* Returns the cost of lanes for n vectors. */
static sq_count_lanes lanes_of(const counting *c, const sq_code_expr *e, int64_t n)
{
    int64_t step = 0;
    bool known = sq_code_known(sq_code_lane_step(e), &step);
    if (known && step == 1)
        return (sq_count_lanes){(double)n, 0};
    if (known && step == -1)
        return (sq_count_lanes){(double)n, (double)n};
    if (!known || step < 1 || step > c->how->most_step)
        return (sq_count_lanes){e->lanes, e->lanes};
    sq_count_lanes one = c->how->strided(c->how->target, sq_type_bytes(e->buffer->type),
                                         e->lanes / (int)n, (int)step,
                                         e->number == SQ_LANES_CHANNEL);
    return (sq_count_lanes){(double)n * one.loads, (double)n * one.shuffles};
}

static void forget_loads(counting *c)
{
    c->loads = c->channels = NULL;
}

/* Returns the factor of a channel's loads: the first one counts for all, the others for none. */
static double channel_loads(counting *c, const sq_code_expr *e)
{
    int64_t step = 1;
    const sq_code_expr *first = sq_code_first_channel(c->pool, e);
    for (const loaded *l = c->channels; l; l = l->next)
        if (l->e == first)
            return 0;
    loaded *l = SQ_NEW(c->arena, loaded);
    *l = (loaded){first, NULL, c->channels};
    c->channels = l;
    return sq_code_known(sq_code_lane_step(e), &step) ? (double)step : 1;
}

static void count_lanes(counting *c, const sq_code_expr *e)
{
    sq_count_lanes all = lanes_of(c, e, vectors(c, e->type, e->lanes));
    if (e->number == SQ_LANES_CHANNEL)
        all.loads *= channel_loads(c, e);
    c->all.loads += c->times * all.loads;
    c->all.shuffles += c->times * all.shuffles;
    c->all.bytes_loaded += c->times * e->lanes * sq_type_bytes(e->buffer->type);
}

static void count_where(counting *c, const sq_code_expr *e)
{
    c->all.loads += c->times * vectors(c, e->type, e->lanes);
    c->all.bytes_loaded += c->times * e->lanes * sq_type_bytes(e->buffer->type);
}

/* A load broadcasts for free, and so does a constant. */
static bool fills_lanes(const sq_code_expr *e)
{
    return e->op == SQ_CODE_CONSTANT ||
           (e->op == SQ_CODE_LOAD && e->buffer->storage != SQ_CODE_REGISTER);
}

/* True if e calls a function of many instructions. */
static bool is_call(const sq_code_expr *e)
{
    bool one = e->operation == SQ_OP_SQRT || e->operation == SQ_OP_ABS ||
               e->operation == SQ_OP_FLOOR || e->operation == SQ_OP_CEIL;
    return !one && *sq_op_get(e->operation)->function[0];
}

static bool is_product(const sq_code_expr *e)
{
    return e->op == SQ_CODE_OPERATION && e->operation == SQ_OP_MUL && sq_type_real(e->type);
}

/* Returns the product with which a sum forms a multiply-add; NULL if there is none. */
static const sq_code_expr *fused(const counting *c, const sq_code_expr *e)
{
    bool sum =
        e->op == SQ_CODE_OPERATION && (e->operation == SQ_OP_ADD || e->operation == SQ_OP_SUB);
    if (!sum || !c->how->is_fused)
        return NULL;
    return is_product(e->arg[1]) ? e->arg[1] : is_product(e->arg[0]) ? e->arg[0] : NULL;
}

static void count_own(counting *c, const sq_code_expr *e)
{
    double n = vectors(c, e->type, e->lanes);
    switch (e->op) {
    case SQ_CODE_FMA:
        c->all.multiply_adds += c->times * n;
        break;
    case SQ_CODE_OPERATION:
        *(is_call(e) ? &c->all.calls : &c->all.operations) += c->times * n;
        break;
    case SQ_CODE_SELECT:
        c->all.operations += c->times * n;
        break;
    case SQ_CODE_BROADCAST:
        c->all.shuffles += fills_lanes(e->arg[0]) ? 0 : c->times;
        break;
    case SQ_CODE_SWIZZLE:
    case SQ_CODE_ZIP:
        c->all.shuffles += c->times * n * (e->nargs > 1 ? e->nargs - 1 : 1);
        break;
    case SQ_CODE_VECTOR:
        c->all.shuffles += c->times * e->lanes;
        break;
    case SQ_CODE_ADD_LANES:
        c->all.shuffles += c->times * ceil(log2(e->arg[0]->lanes));
        c->all.operations += c->times * ceil(log2(e->arg[0]->lanes));
        break;
    case SQ_CODE_EXTRACT:
        c->all.shuffles += c->times;
        break;
    default:
        break;
    }
}

/* Index arithmetic is not counted, as it runs in parallel with the values; loads of positions
 * are. */
static void count_index(counting *c, const sq_code_expr *e)
{
    if (e->op == SQ_CODE_POSITION)
        count_expr(c, e->arg[0]);
    for (int i = 0; i < e->nargs && e->op != SQ_CODE_POSITION; i++)
        if (sq_code_is_index(e->arg[i]))
            count_index(c, e->arg[i]);
}

static void count_expr(counting *c, const sq_code_expr *e)
{
    int64_t chosen;
    if (!e || sq_code_is_index(e))
        return;
    for (int i = 0; e->buffer && i < e->nargs; i++)
        if (sq_code_is_index(e->arg[i]))
            count_index(c, e->arg[i]);
    if (e->op == SQ_CODE_SELECT && sq_code_known(e->arg[0], &chosen)) {
        count_expr(c, e->arg[chosen ? 1 : 2]);
        return;
    }
    if (e->op == SQ_CODE_LOAD) {
        count_load(c, e);
        return;
    }
    if (e->op == SQ_CODE_LOAD_LANES) {
        count_lanes(c, e);
        return;
    }
    if (e->op == SQ_CODE_LOAD_WORDS) {
        c->all.loads += c->times * vectors(c, e->type, e->lanes);
        c->all.bytes_loaded += c->times * e->lanes * sq_type_bytes(e->type);
        return;
    }
    if (e->op == SQ_CODE_LOAD_WHERE) {
        count_where(c, e);
        count_expr(c, e->arg[e->buffer->ndim]);
        return;
    }
    if (e->op == SQ_CODE_INDEXED) {
        if (e->number)
            c->all.shuffles += c->times * vectors(c, e->type, e->lanes);
        else
            c->all.loads += c->times * e->lanes;
        count_expr(c, e->arg[1]);
        return;
    }
    const sq_code_expr *product = fused(c, e);
    if (product)
        c->all.multiply_adds += c->times * vectors(c, e->type, e->lanes);
    else
        count_own(c, e);
    for (int i = 0; i < e->nargs; i++)
        if (e->arg[i] != product)
            count_expr(c, e->arg[i]);
    for (int i = 0; product && i < product->nargs; i++)
        count_expr(c, product->arg[i]);
}

/* ---- statements ---- */

/* True if the value is a load, of one lane or of all. */
static bool is_load(const sq_code_expr *e)
{
    if (e->op == SQ_CODE_BROADCAST)
        return is_load(e->arg[0]);
    return e->op == SQ_CODE_LOAD_LANES || e->op == SQ_CODE_LOAD_WORDS ||
           (e->op == SQ_CODE_LOAD && e->buffer->storage != SQ_CODE_REGISTER);
}

/* A register that is assigned another register shares its live range. Loads are compared by their
 * expressions, which are unique in a pool. */
static void set_register(counting *c, const sq_code *x)
{
    bool load = is_load(x->value);
    loaded *l = load ? c->loads : NULL;
    while (l && l->e != x->value)
        l = l->next;
    lifetime *own = lifetime_of(c, x->buffer, element_of(x->buffer, x->index));
    if (l && own != l->in) {
        own->same = l->in;
        mention(c, x->buffer, x->index);
        return;
    }
    count_expr(c, x->value);
    mention(c, x->buffer, x->index);
    if (!load)
        return;
    l = SQ_NEW(c->arena, loaded);
    *l = (loaded){x->value, own, c->loads};
    c->loads = l;
}

static void count_store(counting *c, const sq_code *x)
{
    const sq_code_buffer *b = x->buffer;
    int lanes = x->value->lanes;
    bool contiguous = !x->lane_step || sq_code_is(x->lane_step, 1);
    if (b->storage == SQ_CODE_REGISTER) {
        set_register(c, x);
        return;
    }
    count_expr(c, x->value);
    if (x->cond && x->cond->lanes > 1)
        count_expr(c, x->cond);
    forget_loads(c);
    c->all.stores += c->times * (contiguous ? vectors(c, b->type, lanes) : lanes);
    c->all.shuffles += contiguous ? 0 : c->times * lanes;
    c->all.bytes_stored += c->times * lanes * sq_type_bytes(b->type);
}

static void declare(counting *c, const sq_code_buffer *b)
{
    int64_t n = 1;
    for (int d = 0; d < b->ndim; d++)
        n *= b->extent[d]->number;
    for (int64_t i = 0; i < n; i++)
        lifetime_new(c, b, i, c->at);
}

static void count_list(counting *c, const sq_code *x);

/* The figures of a count. */
enum { FIGURES = 8 };

static void figures(sq_code_count *x, double **to)
{
    double *const of[FIGURES] = {&x->multiply_adds, &x->operations,  &x->calls,
                                 &x->loads,         &x->stores,      &x->shuffles,
                                 &x->bytes_loaded,  &x->bytes_stored};
    for (int i = 0; i < FIGURES; i++)
        to[i] = of[i];
}

/* Counts what both arms have in common. */
static void count_if(counting *c, const sq_code *x)
{
    sq_code_count before = c->all, arm;
    double *sum[FIGURES], *first[FIGURES], *own[FIGURES];
    c->all = (sq_code_count){0};
    forget_loads(c);
    count_list(c, x->body);
    arm = c->all;
    c->all = (sq_code_count){0};
    forget_loads(c);
    count_list(c, x->other);
    figures(&before, sum);
    figures(&arm, first);
    figures(&c->all, own);
    for (int i = 0; i < FIGURES; i++)
        *sum[i] += *first[i] < *own[i] ? *first[i] : *own[i];
    c->all = before;
}

/* Returns the number of copies of a loop's body after unrolling. */
static double copies(const sq_code *x)
{
    int64_t lo = 0, hi = 1;
    bool unrolled = x->kind == SQ_CODE_LOOP && x->runs == SQ_CODE_UNROLLED;
    if (!unrolled || !x->hi || !sq_code_known(x->hi, &hi) || (x->lo && !sq_code_known(x->lo, &lo)))
        return 1;
    return hi > lo ? (double)((hi - lo + x->step - 1) / x->step) : 0;
}

static void count_list(counting *c, const sq_code *x)
{
    for (; x; x = x->next) {
        double before = c->times;
        c->at++;
        if (x->kind == SQ_CODE_DECLARE && x->buffer->storage == SQ_CODE_REGISTER)
            declare(c, x->buffer);
        if (x->kind == SQ_CODE_STORE)
            count_store(c, x);
        if (x->kind == SQ_CODE_TRANSPOSE)
            c->all.shuffles += c->times * x->buffer->lanes * log2(x->buffer->lanes);
        if (x->kind == SQ_CODE_FRESH || x->kind == SQ_CODE_ADVANCE || x->kind == SQ_CODE_LOOP)
            forget_loads(c);
        if (x->kind == SQ_CODE_IF) {
            count_if(c, x);
            continue;
        }
        c->times *= copies(x);
        count_list(c, x->body);
        c->times = before;
    }
}

sq_code_count sq_code_counted(sq_code_pool *p, const sq_code *x, const sq_count_how *how)
{
    counting c = {.how = how, .times = 1, .arena = sq_arena_new(), .pool = p};
    count_list(&c, sq_code_unrolled(p, x));
    c.all.registers = most_registers(&c);
    sq_arena_free(c.arena);
    return c.all;
}

sq_code_count sq_code_count_of_step(sq_code_count all, double steps)
{
    double *of[FIGURES];
    figures(&all, of);
    for (int i = 0; i < FIGURES; i++)
        *of[i] /= steps;
    return all;
}

/* ---- loops ---- */

static bool is_loop(const sq_code *x)
{
    return x->kind == SQ_CODE_LOOP && x->runs != SQ_CODE_UNROLLED;
}

const sq_code *sq_code_innermost(const sq_code *x)
{
    for (; x; x = x->next) {
        const sq_code *inner = sq_code_innermost(x->body);
        if (!inner)
            inner = sq_code_innermost(x->other);
        if (inner || is_loop(x))
            return inner ? inner : x;
    }
    return NULL;
}
