/* The verifier on vectors: loads of lanes, operations, masks. */
#include "tests/unit/verdicts.h"

static sq_code_buffer *vector_register(sq_code_pool *p, const char *name)
{
    sq_code_buffer *b = SQ_NEW(p->arena, sq_code_buffer);
    *b = *sq_code_register(p, name, SQ_I32);
    b->lanes = 4;
    return b;
}

/* The node with another number of arguments, number or lanes. */
static const sq_code_expr *reshaped(const vectors *v, const sq_code_expr *e, int nargs, int lanes,
                                    int64_t number)
{
    sq_code_expr copy = *e;
    copy.nargs = nargs;
    copy.lanes = lanes;
    copy.number = number;
    return sq_code_cons(v->m.pool, &copy);
}

static const sq_code_expr *channel_of(const vectors *v, int64_t step, const sq_code_expr *k)
{
    const sq_code_lanes lanes = {.first = v->zero,
                                 .step = sq_code_number(v->m.pool, step),
                                 .kind = SQ_LANES_CHANNEL,
                                 .channel = k};
    return sq_code_load_lanes(v->m.pool, v->p, 4, &lanes);
}

static sq_code *stored_by(const vectors *v, const sq_code_expr *value, const sq_code_expr *step,
                          const sq_code_expr *left)
{
    sq_code *x = stored(v, value);
    x->lane_step = step;
    x->left = left;
    return x;
}

static void loads_of_lanes(void **state)
{
    (void)state;
    vectors v = vectors_begin();
    sq_code_pool *p = v.m.pool;
    const sq_code_expr *a = loaded(&v, 0, 1, NULL), *some = loaded(&v, 0, 1, v.m.i),
                       *far = loaded(&v, 0, 7, NULL), *s = sq_code_scalar(p, SQ_F32, "s");
    const sq_code_expr *less = sq_code_compare(p, SQ_CODE_LT, v.m.i, v.m.n);
    const sq_code_lanes real = {.first = v.zero, .step = s}, at = {.first = less, .step = v.one};
    const sq_code_buffer *flat = made_matrix(&v.m, "A", SQ_F32);
    const char *place = "P: a place of lanes is no index expression",
               *aligned = "P: an aligned load has all of its lanes, side by side",
               *channel = "P: a channel is one of as many as the lanes' stride",
               *several = "P: a load of lanes is of several, of a buffer with dimensions";
    sq_code *matrix = made_store(&v.m, made_at(&v.m, flat, v.zero, v.zero), a),
            *alone = sq_code_store(p, v.p, &v.zero, s);
    matrix->lane_step = v.one;
    alone->left = v.m.i;
    const fault table[] = {
        {stored(&v, a), NULL},
        {stored(&v, some), NULL},
        {stored(&v, channel_of(&v, 2, v.one)), NULL},
        {stored(&v, channel_of(&v, 2, sq_code_number(p, 2))), channel},
        {stored(&v, channel_of(&v, 2, v.m.i)), channel},
        {stored(&v, channel_of(&v, 1, v.zero)), channel},
        {stored(&v, reshaped(&v, a, 2, 4, 1)), NULL},
        {stored(&v, reshaped(&v, some, 3, 4, 1)), aligned},
        {stored(&v, reshaped(&v, far, 2, 4, 1)), aligned},
        {sq_code_store(p, v.p, &v.zero, reshaped(&v, a, 2, 1, 0)), several},
        {stored(&v, reshaped(&v, a, 1, 4, 0)), several},
        {stored(&v,
                sq_code_load_lanes(p, flat, 4, &(sq_code_lanes){.first = v.zero, .step = v.one})),
         NULL},
        {stored(&v, sq_code_load_lanes(p, v.p, 4, &real)), place},
        {stored(&v, sq_code_load_lanes(p, v.p, 4, &at)), place},
        {stored(&v, loaded(&v, 0, 1, s)), place},
        {sq_code_store(p, v.p, &v.zero, a), "P: what is stored has other lanes"},
        {stored_by(&v, a, v.m.n, v.m.i), NULL},
        {stored_by(&v, a, s, NULL), "P: the step between lanes is no index expression"},
        {stored_by(&v, a, less, NULL), "P: the step between lanes is no index expression"},
        {stored_by(&v, a, v.one, s), "P: the number of lanes is no index expression"},
        {alone, "P: some lanes are left of what has none"},
        {matrix, NULL},
    };
    assert_verdicts(table, LENGTH(table), v.p, v.m.arena);
    sq_arena_free(v.m.arena);
}

static void operations_on_vectors(void **state)
{
    (void)state;
    vectors v = vectors_begin();
    sq_code_pool *p = v.m.pool;
    const sq_code_expr *a = loaded(&v, 0, 1, NULL), *s = sq_code_scalar(p, SQ_F32, "s"),
                       *all = sq_code_broadcast(p, 4, s), *w = sq_code_scalar(p, SQ_F64, "w");
    const sq_code_expr *less = binary(&v, SQ_OP_LT, SQ_I32, a, all),
                       *short_mask = binary(&v, SQ_OP_LT, SQ_I16, a, all),
                       *bits = binary(&v, SQ_OP_LT, SQ_U32, a, all),
                       *one = binary(&v, SQ_OP_LT, SQ_I32, s, s), *two = sq_code_broadcast(p, 2, s),
                       *long_mask = binary(&v, SQ_OP_LT, SQ_I64, sq_code_broadcast(p, 4, w),
                                           sq_code_broadcast(p, 4, w));
    const sq_code_expr *ones = sq_code_broadcast(
        p, 4, sq_code_constant(p, SQ_I32, (sq_number){.integer = -1}));
    sq_code_buffer *lanes = vector_register(p, "lanes"), *truth = vector_register(p, "truth");
    truth->is_mask = true;
    const char *held = "lanes: a mask is stored to what holds none, or a value to what holds one";
    const sq_code_expr *const four[] = {s, s, s, s}, *const mixed[] = {s, s, w, s};
    const sq_code_expr *vector = sq_code_vector(p, 4, four);
    const char *type = "a vector: what it is made of is not of its type",
               *mask = "a choice: its mask is not as wide as its values",
               *shape = "a choice: its condition and its values differ in lanes",
               *add = "add: an operand is not of the operation's type",
               *kind = "and: an operand is a mask and should be none, or the reverse",
               *factors = "a multiply-add: its factors are not of the type and lanes of what they "
                          "are added to";
    const fault table[] = {
        {stored(&v, binary(&v, SQ_OP_ADD, SQ_F32, a, s)), add},
        {stored(&v, sq_code_fma(p, SQ_F32, a, all, a)), NULL},
        {stored(&v, sq_code_fma(p, SQ_F32, s, a, a)), factors},
        {sq_code_store(p, v.p, &v.zero, sq_code_fma(p, SQ_F32, s, w, s)), factors},
        {stored(&v, sq_code_choose(p, less, a, all)), NULL},
        {stored(&v, sq_code_choose(p, short_mask, a, all)),
         "lt: an operand is not of the operation's type"},
        {stored(&v, sq_code_choose(p, bits, a, all)),
         "lt: an operand is not of the operation's type"},
        {stored(&v, sq_code_choose(p, long_mask, a, all)), mask},
        {stored(&v, sq_code_choose(p, one, a, all)), shape},
        {stored(&v, sq_code_choose(p, sq_code_compare(p, SQ_CODE_LT, v.m.i, v.m.n), a, all)),
         shape},
        {stored(&v, sq_code_choose(p, less, a, two)), "a choice: its two values differ in type"},
        {stored(&v, sq_code_choose(p, binary(&v, SQ_OP_AND, SQ_I32, less, long_mask), a, all)),
         "and: an operand is not of the operation's type"},
        {stored(&v, sq_code_choose(p, sq_code_mask(p, SQ_I32, 4, true), a, all)), NULL},
        {stored(&v, sq_code_choose(p, ones, a, all)), mask},
        {stored(&v, sq_code_choose(p, binary(&v, SQ_OP_AND, SQ_I32, less, ones), a, all)), kind},
        {stored(&v, sq_code_choose(p, binary(&v, SQ_OP_BIT_AND, SQ_I32, less, ones), a, all)),
         "bit_and: an operand is a mask and should be none, or the reverse"},
        {in_order(sq_code_declare(p, lanes, false), sq_code_set(p, lanes, ones)), NULL},
        {in_order(sq_code_declare(p, lanes, false), sq_code_set(p, lanes, less)), held},
        {in_order(sq_code_declare(p, truth, false), sq_code_set(p, truth, less)), NULL},
        {in_order(sq_code_declare(p, truth, false), sq_code_set(p, truth, ones)),
         "truth: a mask is stored to what holds none, or a value to what holds one"},
        {stored(&v, vector), NULL},
        {stored(&v, reshaped(&v, vector, 3, 4, 0)), "a vector: it is made of other than its lanes"},
        {stored(&v, sq_code_vector(p, 4, mixed)), type},
        {stored(&v, sq_code_broadcast(p, 4, all)), type},
        {sq_code_store(p, v.p, &v.zero, sq_code_add_lanes(p, a)), NULL},
        {sq_code_store(p, v.p, &v.zero, sq_code_add_lanes(p, s)), "a vector: it has one lane"},
        {sq_code_store(p, v.p, &v.zero, sq_code_extract(p, a, 3)), NULL},
        {sq_code_store(p, v.p, &v.zero, sq_code_extract(p, a, 4)),
         "a vector: a lane is taken that it has not"},
        {sq_code_store(p, v.p, &v.zero, sq_code_extract(p, a, -1)),
         "a vector: a lane is taken that it has not"},
    };
    assert_verdicts(table, LENGTH(table), v.p, v.m.arena);
    sq_arena_free(v.m.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_of_lanes),
        cmocka_unit_test(operations_on_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
