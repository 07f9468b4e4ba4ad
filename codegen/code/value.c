/* Value: expressions of the description's types; see expr.h. */
#include "codegen/code/build.h"
#include "codegen/code/code.h"

const sq_code_expr *sq_code_constant(sq_code_pool *p, sq_type type, sq_number number)
{
    bool real = sq_type_real(type);
    return sq_code_cons(p, &(sq_code_expr){.op = SQ_CODE_CONSTANT,
                                           .type = type,
                                           .real = real ? number.real : 0,
                                           .number = real ? 0 : number.integer});
}

const sq_code_expr *sq_code_scalar(sq_code_pool *p, sq_type type, const char *name)
{
    return sq_code_cons(p, &(sq_code_expr){.op = SQ_CODE_SCALAR, .type = type, .name = name});
}

/* Returns an expression of a type, with a number and n arguments. */
static const sq_code_expr *made(sq_code_pool *p, sq_code_op op, sq_type type, int lanes, int64_t number, int n,
                                const sq_code_expr *const *arg)
{
    return sq_code_cons(
        p, &(sq_code_expr){.op = op, .type = type, .lanes = lanes, .number = number, .nargs = n, .arg = arg});
}

/* Returns such a one of elements of a buffer. */
static const sq_code_expr *loaded(sq_code_pool *p, sq_code_op op, const sq_code_buffer *buffer, int lanes,
                                  int64_t number, int n, const sq_code_expr *const *arg)
{
    return sq_code_cons(p, &(sq_code_expr){.op = op,
                                           .type = buffer->type,
                                           .lanes = lanes,
                                           .number = number,
                                           .buffer = buffer,
                                           .nargs = n,
                                           .arg = arg});
}

const sq_code_expr *sq_code_load(sq_code_pool *p, const sq_code_buffer *buffer,
                                 const sq_code_expr *const *index)
{
    return loaded(p, SQ_CODE_LOAD, buffer, buffer->lanes, 0, buffer->ndim, index);
}

const sq_code_expr *sq_code_operation(sq_code_pool *p, sq_op operation, sq_type type,
                                      const sq_code_expr *const *arg)
{
    return sq_code_cons(p, &(sq_code_expr){.op = SQ_CODE_OPERATION,
                                           .type = type,
                                           .lanes = arg[0]->lanes,
                                           .operation = operation,
                                           .nargs = sq_op_get(operation)->nargs,
                                           .arg = arg});
}

const sq_code_expr *sq_code_choose(sq_code_pool *p, const sq_code_expr *condition,
                                   const sq_code_expr *a, const sq_code_expr *b)
{
    const sq_code_expr *arg[] = {condition, a, b};
    return sq_code_cons(
        p, &(sq_code_expr){.op = SQ_CODE_SELECT, .lanes = a->lanes, .nargs = 3, .arg = arg});
}

const sq_code_expr *sq_code_comma(sq_code_pool *p, int n, const sq_code_expr *const *arg)
{
    return made(p, SQ_CODE_COMMA, arg[n - 1]->type, arg[n - 1]->lanes, 0, n, arg);
}

static const sq_code_expr *multiply_add(sq_code_pool *p, sq_op product, sq_type type, bool turned,
                                        const sq_code_expr *a, const sq_code_expr *b, const sq_code_expr *c)
{
    const sq_code_expr *arg[] = {a, b, c};
    return sq_code_cons(p, &(sq_code_expr){.op = SQ_CODE_FMA,
                                           .number = turned,
                                           .operation = product,
                                           .type = type,
                                           .lanes = c->lanes,
                                           .nargs = 3,
                                           .arg = arg});
}

const sq_code_expr *sq_code_fma(sq_code_pool *p, sq_type type, const sq_code_expr *a,
                                const sq_code_expr *b, const sq_code_expr *c)
{
    return multiply_add(p, SQ_OP_MUL, type, false, a, b, c);
}

const sq_code_expr *sq_code_fma_turned(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b,
                                       const sq_code_expr *c)
{
    return multiply_add(p, SQ_OP_MUL, c->type, true, a, b, c);
}

const sq_code_expr *sq_code_fma_low(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b,
                                    const sq_code_expr *c)
{
    return multiply_add(p, SQ_OP_MUL_LOW, SQ_I64, false, a, b, c);
}

const sq_code_expr *sq_code_dot(sq_code_pool *p, sq_op product, const sq_code_expr *a, const sq_code_expr *b,
                                const sq_code_expr *c)
{
    return multiply_add(p, product, SQ_I32, false, a, b, c);
}

/* ---- vectors ---- */

const sq_code_expr *sq_code_load_lanes(sq_code_pool *p, const sq_code_buffer *buffer, int lanes,
                                       const sq_code_lanes *at)
{
    int n = buffer->ndim;
    const sq_code_expr **arg = SQ_NEW_ARRAY(p->arena, const sq_code_expr *, n + 3);
    for (int d = 0; d < n; d++)
        arg[d] = at->index ? at->index[d] : at->first;
    arg[n++] = at->step;
    if (at->left)
        arg[n++] = at->left;
    if (at->kind == SQ_LANES_CHANNEL)
        arg[n++] = at->channel;
    return loaded(p, SQ_CODE_LOAD_LANES, buffer, lanes, at->kind, n, arg);
}

const sq_code_expr *sq_code_load_where(sq_code_pool *p, const sq_code_buffer *buffer,
                                       const sq_code_expr *const *index, const sq_code_expr *mask)
{
    int n = buffer->ndim;
    const sq_code_expr **arg = SQ_NEW_ARRAY(p->arena, const sq_code_expr *, n + 1);
    for (int d = 0; d < n; d++)
        arg[d] = index[d];
    arg[n] = mask;
    return loaded(p, SQ_CODE_LOAD_WHERE, buffer, mask->lanes, 0, n + 1, arg);
}

const sq_code_expr *sq_code_load_words(sq_code_pool *p, const sq_code_buffer *buffer, int lanes,
                                       const sq_code_expr *first, const sq_code_expr *left)
{
    const sq_code_expr *arg[] = {first, left};
    return sq_code_cons(p, &(sq_code_expr){.op = SQ_CODE_LOAD_WORDS,
                                           .type = SQ_I32,
                                           .lanes = lanes,
                                           .buffer = buffer,
                                           .nargs = left ? 2 : 1,
                                           .arg = arg});
}

const sq_code_expr *sq_code_indexed(sq_code_pool *p, const sq_code_buffer *buffer,
                                    const sq_code_expr *begin, const sq_code_expr *places, int end)
{
    const sq_code_expr *arg[] = {begin, places};
    return loaded(p, SQ_CODE_INDEXED, buffer, places->lanes, end, 2, arg);
}

const sq_code_expr *sq_code_lane_step(const sq_code_expr *load)
{
    return load->arg[load->buffer->ndim];
}

const sq_code_expr *sq_code_lanes_left(const sq_code_expr *load)
{
    int n = load->buffer->ndim + 1, last = load->number == SQ_LANES_CHANNEL;
    return load->nargs - last > n ? load->arg[n] : NULL;
}

const sq_code_expr *sq_code_lane_channel(const sq_code_expr *load)
{
    return load->arg[load->nargs - 1];
}

const sq_code_expr *sq_code_first_channel(sq_code_pool *p, const sq_code_expr *load)
{
    const sq_code_expr *k = sq_code_lane_channel(load);
    const sq_code_expr **index = SQ_NEW_ARRAY(p->arena, const sq_code_expr *, load->buffer->ndim);
    for (int d = 0; d < load->buffer->ndim; d++)
        index[d] = d == load->buffer->ndim - 1 ? sq_code_sub(p, load->arg[d], k) : load->arg[d];
    const sq_code_lanes at = {.index = index,
                              .step = sq_code_lane_step(load),
                              .left = sq_code_lanes_left(load),
                              .kind = SQ_LANES_CHANNEL,
                              .channel = sq_code_number(p, 0)};
    return sq_code_load_lanes(p, load->buffer, load->lanes, &at);
}

const sq_code_expr *sq_code_broadcast(sq_code_pool *p, int lanes, const sq_code_expr *value)
{
    if (lanes <= 1)
        return value;
    return made(p, SQ_CODE_BROADCAST, value->type, lanes, 0, 1, &value);
}

const sq_code_expr *sq_code_vector(sq_code_pool *p, int lanes, const sq_code_expr *const *lane)
{
    return made(p, SQ_CODE_VECTOR, lane[0]->type, lanes, 0, lanes, lane);
}

const sq_code_expr *sq_code_swizzle(sq_code_pool *p, const sq_code_expr *vector, int64_t how)
{
    return made(p, SQ_CODE_SWIZZLE, vector->type, vector->lanes, how, 1, &vector);
}

int64_t sq_code_fours(const int *from)
{
    int64_t how = SQ_SWIZZLE_FOURS;
    for (int k = 0; k < 4; k++)
        how += (int64_t)from[k] << 2 * k;
    return how;
}

int sq_code_swizzled(int64_t how, int lane)
{
    if (how >= SQ_SWIZZLE_FOURS)
        return lane / 4 * 4 + (int)(how >> 2 * (lane % 4) & 3);
    return how == SQ_SWIZZLE_FIRST ? lane & ~1 : how == SQ_SWIZZLE_SECOND ? lane | 1 : lane ^ 1;
}

const sq_code_expr *sq_code_zip(sq_code_pool *p, int n, const sq_code_expr *const *vector,
                                int number)
{
    if (n == 4) {
        const sq_code_expr *even[] = {vector[0], vector[2]}, *odd[] = {vector[1], vector[3]};
        const sq_code_expr *both[] = {sq_code_zip(p, 2, even, number / 2),
                                      sq_code_zip(p, 2, odd, number / 2)};
        return sq_code_zip(p, 2, both, number % 2);
    }
    return made(p, SQ_CODE_ZIP, vector[0]->type, vector[0]->lanes, number, n, vector);
}

const sq_code_expr *sq_code_mask(sq_code_pool *p, sq_type type, int lanes, bool holds)
{
    const sq_code_expr *all = sq_code_constant(p, type, (sq_number){.integer = holds ? -1 : 0});
    return sq_code_cons(p, &(sq_code_expr){.op = SQ_CODE_BROADCAST,
                                           .type = type,
                                           .lanes = lanes,
                                           .is_mask = true,
                                           .nargs = 1,
                                           .arg = &all});
}

const sq_code_expr *sq_code_pairs(sq_code_pool *p, const sq_code_expr *vector)
{
    int lanes = vector->lanes * sq_type_bytes(vector->type) / 4;
    return made(p, SQ_CODE_PAIRS, SQ_I32, lanes, 0, 1, &vector);
}

const sq_code_expr *sq_code_add_lanes(sq_code_pool *p, const sq_code_expr *vector)
{
    return made(p, SQ_CODE_ADD_LANES, vector->type, 0, 0, 1, &vector);
}

const sq_code_expr *sq_code_extract(sq_code_pool *p, const sq_code_expr *vector, int lane)
{
    return made(p, SQ_CODE_EXTRACT, vector->type, 0, lane, 1, &vector);
}

/* ---- queries ---- */

bool sq_code_is_index(const sq_code_expr *e)
{
    return e->op == SQ_CODE_SELECT ? sq_code_is_index(e->arg[1]) : e->op < SQ_CODE_CONSTANT;
}

static int positions(const sq_code_expr *e, const sq_code_expr **to, int most, int n)
{
    if (e->op == SQ_CODE_POSITION) {
        if (n < most)
            to[n] = e->arg[0];
        return n + 1;
    }
    for (int i = 0; i < e->nargs; i++)
        n = positions(e->arg[i], to, most, n);
    return n;
}

int sq_code_positions(const sq_code_expr *e, const sq_code_expr **to, int most)
{
    return positions(e, to, most, 0);
}

bool sq_code_is_affine(const sq_code_expr *e, const char *name, int64_t *coef)
{
    *coef = 0;
    if (!sq_code_mentions(e, name))
        return true;
    if (e->op == SQ_CODE_NAME) {
        *coef = 1;
        return true;
    }
    if (e->op != SQ_CODE_SUM)
        return false;
    for (int i = 0; i < e->nargs; i++) {
        int64_t c;
        if (!sq_code_is_affine(e->arg[i], name, &c))
            return false;
        *coef += e->coef[i] * c;
    }
    return true;
}
