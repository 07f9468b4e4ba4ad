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

const sq_code_expr *sq_code_load(sq_code_pool *p, const sq_code_buffer *buffer,
                                 const sq_code_expr *const *index)
{
    return sq_code_cons(p, &(sq_code_expr){.op = SQ_CODE_LOAD,
                                           .type = buffer->type,
                                           .lanes = buffer->lanes,
                                           .buffer = buffer,
                                           .nargs = buffer->ndim,
                                           .arg = index});
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
    return sq_code_cons(p, &(sq_code_expr){.op = SQ_CODE_COMMA,
                                           .type = arg[n - 1]->type,
                                           .lanes = arg[n - 1]->lanes,
                                           .nargs = n,
                                           .arg = arg});
}

static const sq_code_expr *multiply_add(sq_code_pool *p, sq_op product, sq_type type, bool turned,
                                        const sq_code_expr *const *arg)
{
    return sq_code_cons(p, &(sq_code_expr){.op = SQ_CODE_FMA,
                                           .number = turned,
                                           .operation = product,
                                           .type = type,
                                           .lanes = arg[2]->lanes,
                                           .nargs = 3,
                                           .arg = arg});
}

const sq_code_expr *sq_code_fma(sq_code_pool *p, sq_type type, const sq_code_expr *a,
                                const sq_code_expr *b, const sq_code_expr *c)
{
    const sq_code_expr *arg[] = {a, b, c};
    return multiply_add(p, SQ_OP_MUL, type, false, arg);
}

const sq_code_expr *sq_code_fma_turned(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b,
                                       const sq_code_expr *c)
{
    const sq_code_expr *arg[] = {a, b, c};
    return multiply_add(p, SQ_OP_MUL, c->type, true, arg);
}

const sq_code_expr *sq_code_fma_low(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b,
                                    const sq_code_expr *c)
{
    const sq_code_expr *arg[] = {a, b, c};
    return multiply_add(p, SQ_OP_MUL_LOW, SQ_I64, false, arg);
}

const sq_code_expr *sq_code_dot(sq_code_pool *p, sq_op product, const sq_code_expr *a, const sq_code_expr *b,
                                const sq_code_expr *c)
{
    const sq_code_expr *arg[] = {a, b, c};
    return multiply_add(p, product, SQ_I32, false, arg);
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
    return sq_code_cons(p, &(sq_code_expr){.op = SQ_CODE_LOAD_LANES,
                                           .type = buffer->type,
                                           .lanes = lanes,
                                           .buffer = buffer,
                                           .number = at->kind,
                                           .nargs = n,
                                           .arg = arg});
}

const sq_code_expr *sq_code_load_where(sq_code_pool *p, const sq_code_buffer *buffer,
                                       const sq_code_expr *const *index, const sq_code_expr *mask)
{
    int n = buffer->ndim;
    const sq_code_expr **arg = SQ_NEW_ARRAY(p->arena, const sq_code_expr *, n + 1);
    for (int d = 0; d < n; d++)
        arg[d] = index[d];
    arg[n] = mask;
    return sq_code_cons(p, &(sq_code_expr){.op = SQ_CODE_LOAD_WHERE,
                                           .type = buffer->type,
                                           .lanes = mask->lanes,
                                           .buffer = buffer,
                                           .nargs = n + 1,
                                           .arg = arg});
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
    return sq_code_cons(p, &(sq_code_expr){.op = SQ_CODE_INDEXED,
                                           .number = end,
                                           .type = buffer->type,
                                           .lanes = places->lanes,
                                           .buffer = buffer,
                                           .nargs = 2,
                                           .arg = arg});
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
    return sq_code_cons(p, &(sq_code_expr){.op = SQ_CODE_BROADCAST,
                                           .type = value->type,
                                           .lanes = lanes,
                                           .nargs = 1,
                                           .arg = &value});
}

const sq_code_expr *sq_code_vector(sq_code_pool *p, int lanes, const sq_code_expr *const *lane)
{
    return sq_code_cons(p, &(sq_code_expr){.op = SQ_CODE_VECTOR,
                                           .type = lane[0]->type,
                                           .lanes = lanes,
                                           .nargs = lanes,
                                           .arg = lane});
}

const sq_code_expr *sq_code_swizzle(sq_code_pool *p, const sq_code_expr *vector, int64_t how)
{
    return sq_code_cons(p, &(sq_code_expr){.op = SQ_CODE_SWIZZLE,
                                           .type = vector->type,
                                           .lanes = vector->lanes,
                                           .number = how,
                                           .nargs = 1,
                                           .arg = &vector});
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
    return sq_code_cons(p, &(sq_code_expr){.op = SQ_CODE_ZIP,
                                           .type = vector[0]->type,
                                           .lanes = vector[0]->lanes,
                                           .number = number,
                                           .nargs = n,
                                           .arg = vector});
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
    return sq_code_cons(p, &(sq_code_expr){.op = SQ_CODE_PAIRS,
                                           .type = SQ_I32,
                                           .lanes = vector->lanes * sq_type_bytes(vector->type) / 4,
                                           .nargs = 1,
                                           .arg = &vector});
}

const sq_code_expr *sq_code_add_lanes(sq_code_pool *p, const sq_code_expr *vector)
{
    return sq_code_cons(
        p,
        &(sq_code_expr){.op = SQ_CODE_ADD_LANES, .type = vector->type, .nargs = 1, .arg = &vector});
}

const sq_code_expr *sq_code_extract(sq_code_pool *p, const sq_code_expr *vector, int lane)
{
    return sq_code_cons(p, &(sq_code_expr){.op = SQ_CODE_EXTRACT,
                                           .type = vector->type,
                                           .number = lane,
                                           .nargs = 1,
                                           .arg = &vector});
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
