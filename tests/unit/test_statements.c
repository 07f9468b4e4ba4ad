/* Statements of code: their text in C, and which loops run in lanes. */
#include "codegen/code/verify.h"
#include "codegen/lower/tree.h"
#include "codegen/print/c.h"
#include "tests/unit/unit.h"

typedef struct made {
    sq_arena *arena;
    sq_code_pool *pool;
    const sq_code_expr *i, *j, *n;
} made;

static made begin(void)
{
    made m = {.arena = sq_arena_new()};
    m.pool = sq_code_pool_new(m.arena);
    m.i = sq_code_name(m.pool, "i");
    m.j = sq_code_name(m.pool, "j");
    m.n = sq_code_name(m.pool, "n");
    return m;
}

/* name[n][8] */
static const sq_code_buffer *matrix(const made *m, const char *name, sq_type type)
{
    sq_code_buffer *b = SQ_NEW(m->arena, sq_code_buffer);
    *b = (sq_code_buffer){.name = name, .type = type, .ndim = 2};
    b->extent = SQ_NEW_ARRAY(m->arena, const sq_code_expr *, 2);
    b->stride = SQ_NEW_ARRAY(m->arena, const sq_code_expr *, 2);
    b->extent[0] = m->n;
    b->extent[1] = b->stride[0] = sq_code_number(m->pool, 8);
    b->stride[1] = sq_code_number(m->pool, 1);
    return b;
}

static const sq_code_expr *at(const made *m, const sq_code_buffer *b, const sq_code_expr *i,
                              const sq_code_expr *j)
{
    return sq_code_load(m->pool, b, (const sq_code_expr *[]){i, j});
}

static const sq_code_expr *both(const made *m, sq_op op, const sq_code_expr *a,
                                const sq_code_expr *b)
{
    return sq_code_operation(m->pool, op, a->type, (const sq_code_expr *[]){a, b});
}

static sq_code *store(const made *m, const sq_code_expr *place, const sq_code_expr *value)
{
    return sq_code_store(m->pool, place->buffer, place->arg, value);
}

/* for (name = 0; name < hi; name++) body */
static sq_code *loop(const made *m, const char *name, const sq_code_expr *hi, sq_code *body)
{
    sq_code *x = sq_code_new(m->pool, SQ_CODE_LOOP);
    x->name = name;
    x->lo = sq_code_number(m->pool, 0);
    x->hi = hi;
    x->step = 1;
    x->body = body;
    return x;
}

static void assert_text(const made *m, const sq_code *x, const char *expected)
{
    sq_text t = {0};
    sq_c_code(&(sq_c_printer){.pool = m->pool}, x, &t);
    assert_string_equal(sq_text_str(&t), expected);
    sq_text_free(&t);
}

static void sums_are_printed(void **state)
{
    (void)state;
    made m = begin();
    const sq_code_buffer *a = matrix(&m, "A", SQ_F32), *s = sq_code_register(m.pool, "s", SQ_F32);
    const sq_code_expr *sum = sq_code_load(m.pool, s, NULL),
                       *zero = sq_code_constant(m.pool, SQ_F32, (sq_number){0});
    const sq_code_expr *term = at(&m, a, sq_code_plus(m.pool, m.i, 1), m.j);
    sq_code_list all = {0}, body = {0};
    sq_code_append(&body, sq_code_declare(m.pool, s, false));
    sq_code_append(&body, store(&m, sum, zero));
    sq_code_append(&body, loop(&m, "j", sq_code_number(m.pool, 8),
                               store(&m, sum, both(&m, SQ_OP_ADD, sum, term))));
    sq_code_append(&body, store(&m, at(&m, a, m.i, sq_code_number(m.pool, 0)), sum));
    sq_code *rows = loop(&m, "i", sq_code_plus(m.pool, m.n, -1), body.first);
    rows->runs = SQ_CODE_THREADS;
    sq_code_append(&all, rows);
    assert_text(&m, all.first,
                "#ifdef _OPENMP\n#pragma omp parallel for schedule(static)\n#endif\n"
                "for (int64_t i = 0; i < n - 1; i += 1) {\n"
                "    float s = 0.0f;\n"
                "    for (int64_t j = 0; j < 8; j += 1) {\n"
                "        s += A[8 * i + j + 8];\n"
                "    }\n"
                "    A[8 * i] = s;\n"
                "}\n");
    assert_true(sq_code_uses(all.first, a) && sq_code_uses(all.first, s));
    assert_false(sq_code_uses(all.first, matrix(&m, "A", SQ_F32)));
    assert_true(sq_code_names(all.first, "n") && !sq_code_names(all.first, "m"));
    sq_arena_free(m.arena);
}

static void types_have_their_text(void **state)
{
    (void)state;
    made m = begin();
    const sq_code_buffer *h = matrix(&m, "H", SQ_F16), *k = matrix(&m, "K", SQ_I32);
    const sq_code_expr *x = at(&m, h, m.i, m.j), *y = at(&m, k, m.i, m.j);
    const sq_code_expr *wide = sq_code_operation(m.pool, SQ_OP_CAST, SQ_F32, &x);
    const sq_code_expr *twice = both(&m, SQ_OP_ADD, wide, wide);
    const sq_code_expr *index = sq_code_operation(m.pool, SQ_OP_CAST, SQ_I32, &m.i);
    const sq_code_expr *inside = sq_code_compare(m.pool, SQ_CODE_LT, m.j, m.n);
    sq_code_list all = {0};
    sq_code_append(&all, store(&m, x, sq_code_operation(m.pool, SQ_OP_CAST, SQ_F16, &twice)));
    sq_code_append(&all, store(&m, y, both(&m, SQ_OP_MUL, y, index)));
    sq_code_append(
        &all, store(&m, y,
                    sq_code_select(m.pool, inside, index,
                                   sq_code_constant(m.pool, SQ_I32, (sq_number){.integer = -1}))));
    assert_text(&m, all.first,
                "H[8 * i + j] = sq_f16_bits((((float)sq_f16_get(H[8 * i + j])) + "
                "((float)sq_f16_get(H[8 * i + j]))));\n"
                "K[8 * i + j] = ((int32_t)((uint32_t)K[8 * i + j] * (uint32_t)(int32_t)i));\n"
                "K[8 * i + j] = (j < n ? (int32_t)i : (-1));\n");
    sq_arena_free(m.arena);
}

/* Lanes want neighbours along the last dimension and one floating type. */
static void lanes_need_neighbours(void **state)
{
    (void)state;
    made m = begin();
    const sq_target *t = sq_target_get("avx512");
    const sq_code_buffer *a = matrix(&m, "A", SQ_F32), *d = matrix(&m, "D", SQ_F64);
    const sq_code_expr *place = at(&m, a, m.i, m.j), *end = sq_code_number(m.pool, 8);
    const sq_code_expr *column = at(&m, a, m.j, m.i), *fixed = at(&m, a, m.i, m.n),
                       *turned = at(&m, a, m.i, sq_code_scale(m.pool, -1, m.j)),
                       *other = at(&m, d, m.i, m.j);
    const sq_code_expr *cast = sq_code_operation(m.pool, SQ_OP_CAST, SQ_F32, &other);
    const struct {
        sq_code *body;
        bool sums;
        sq_code_runs runs;
    } table[] = {
        {store(&m, place, both(&m, SQ_OP_MUL, place, fixed)), false, SQ_CODE_LANES},
        {store(&m, place, both(&m, SQ_OP_ADD, place, column)), false, SQ_CODE_SERIAL},
        {store(&m, place, both(&m, SQ_OP_ADD, place, turned)), false, SQ_CODE_SERIAL},
        {store(&m, place, cast), false, SQ_CODE_SERIAL},
        {store(&m, fixed, both(&m, SQ_OP_ADD, fixed, place)), true, SQ_CODE_SUMS},
        {store(&m, fixed, both(&m, SQ_OP_MUL, fixed, place)), true, SQ_CODE_SERIAL},
        {store(&m, fixed, place), false, SQ_CODE_SERIAL},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_int_equal(sq_lanes_of(loop(&m, "j", end, table[i].body), table[i].sums, t),
                         table[i].runs);
    assert_ptr_equal(sq_lanes_addend(table[4].body), place);
    sq_arena_free(m.arena);
}

/* What is wrong is said of the first place; what is right passes. */
static void wrong_code_is_found(void **state)
{
    (void)state;
    made m = begin();
    const sq_code_outer outer = {1, (const char *const[]){"n"}};
    const sq_code_buffer *a = matrix(&m, "A", SQ_F32), *d = matrix(&m, "D", SQ_F64),
                         *s = sq_code_register(m.pool, "s", SQ_F32);
    sq_code_buffer fixed = *a;
    fixed.is_readonly = true;
    fixed.name = "R";
    const sq_code_expr *place = at(&m, a, m.n, m.n), *wide = at(&m, d, m.n, m.n),
                       *sum = sq_code_load(m.pool, s, NULL), *in = at(&m, &fixed, m.n, m.n);
    sq_code *endless = loop(&m, "i", NULL, store(&m, place, place));
    sq_code *lanes = loop(&m, "i", m.n, NULL);
    lanes->runs = SQ_CODE_LANES;
    const struct {
        sq_code *code;
        const char *said;
    } table[] = {
        {loop(&m, "i", m.n, store(&m, at(&m, a, m.i, m.n), place)), NULL},
        {store(&m, at(&m, a, m.i, m.n), place), "i: it is used and not defined"},
        {store(&m, place, wide), "A: what is stored is not of its type"},
        {store(&m, place, both(&m, SQ_OP_ADD, place, wide)),
         "add: an operand is not of the operation's type"},
        {store(&m, place, sum), "s: no declaration of it is around"},
        {store(&m, in, place), "R: it is read only and stored to"},
        {store(&m, at(&m, a, m.n, wide), place), "A: a subscript is no index expression"},
        {endless, "i: a loop wants a step above 0 and one end"},
        {lanes, "i: a loop in lanes wants one store"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const char *said = sq_code_verify(table[i].code, &outer, m.arena);
        if (table[i].said)
            assert_string_equal(said ? said : "", table[i].said);
        else
            assert_null(said);
    }
    sq_code_list all = {0};
    sq_code_append(&all, sq_code_declare(m.pool, s, false));
    sq_code_append(&all, store(&m, sum, place));
    assert_null(sq_code_verify(all.first, &outer, m.arena));
    sq_arena_free(m.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_printed),
        cmocka_unit_test(types_have_their_text),
        cmocka_unit_test(lanes_need_neighbours),
        cmocka_unit_test(wrong_code_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
