/* Statements of code: their text in C, of single values and of vectors, which loops run in lanes, and
 * which values nobody reads. */
#include "codegen/code/used.h"
#include "codegen/lower/tree.h"
#include "codegen/passes/rows.h"
#include "codegen/print/c.h"
#include "tests/unit/make_text.h"

static void sums_are_printed(void **state)
{
    (void)state;
    made m = made_begin();
    const sq_code_buffer *a = made_matrix(&m, "A", SQ_F32),
                         *s = sq_code_register(m.pool, "s", SQ_F32);
    const sq_code_expr *sum = sq_code_load(m.pool, s, NULL),
                       *zero = sq_code_constant(m.pool, SQ_F32, (sq_number){0});
    const sq_code_expr *term = made_at(&m, a, sq_code_plus(m.pool, m.i, 1), m.j);
    sq_code_list all = {0}, body = {0};
    sq_code_append(&body, sq_code_declare(m.pool, s, false));
    sq_code_append(&body, made_store(&m, sum, zero));
    sq_code_append(&body, made_loop(&m, "j", sq_code_number(m.pool, 8),
                                    made_store(&m, sum, made_both(&m, SQ_OP_ADD, sum, term))));
    sq_code_append(&body, made_store(&m, made_at(&m, a, m.i, sq_code_number(m.pool, 0)), sum));
    sq_code *rows = made_loop(&m, "i", sq_code_plus(m.pool, m.n, -1), body.first);
    rows->runs = SQ_CODE_THREADS;
    sq_code_append(&all, rows);
    assert_text(&m, all.first,
                "#ifdef _OPENMP\n#pragma omp parallel for schedule(static)\n#endif\n"
                "for (int64_t i = 0; i < n - 1; i++) {\n"
                "    float s = 0.0f;\n"
                "    for (int64_t j = 0; j < 8; j++)\n"
                "        s += A[8 * i + j + 8];\n"
                "    A[8 * i] = s;\n"
                "}\n");
    assert_true(sq_code_uses(all.first, a) && sq_code_uses(all.first, s));
    assert_false(sq_code_uses(all.first, made_matrix(&m, "A", SQ_F32)));
    assert_true(sq_code_names(all.first, "n") && !sq_code_names(all.first, "m"));
    const sq_code_used used = sq_code_used_by(all.first, m.arena);
    assert_true(sq_code_used_buffer(&used, a) && sq_code_used_buffer(&used, s));
    assert_false(sq_code_used_buffer(&used, made_matrix(&m, "A", SQ_F32)));
    const char name[] = {'n', 0}; /* not the address that the code has */
    assert_true(sq_code_used_name(&used, name) && !sq_code_used_name(&used, "m"));
    sq_arena_free(m.arena);
}

static void types_have_their_text(void **state)
{
    (void)state;
    made m = made_begin();
    const sq_code_buffer *h = made_matrix(&m, "H", SQ_F16), *k = made_matrix(&m, "K", SQ_I32);
    const sq_code_expr *x = made_at(&m, h, m.i, m.j), *y = made_at(&m, k, m.i, m.j);
    const sq_code_expr *wide = sq_code_operation(m.pool, SQ_OP_CAST, SQ_F32, &x);
    const sq_code_expr *twice = made_both(&m, SQ_OP_ADD, wide, wide);
    const sq_code_expr *index = sq_code_operation(m.pool, SQ_OP_CAST, SQ_I32, &m.i);
    const sq_code_expr *inside = sq_code_compare(m.pool, SQ_CODE_LT, m.j, m.n);
    sq_code_list all = {0};
    sq_code_append(&all, made_store(&m, x, sq_code_operation(m.pool, SQ_OP_CAST, SQ_F16, &twice)));
    sq_code_append(&all, made_store(&m, y, made_both(&m, SQ_OP_MUL, y, index)));
    sq_code_append(&all, made_store(&m, y,
                                    sq_code_select(m.pool, inside, index,
                                                   sq_code_constant(m.pool, SQ_I32,
                                                                    (sq_number){.integer = -1}))));
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
    made m = made_begin();
    const sq_target *t = sq_target_get("avx512");
    const sq_code_buffer *a = made_matrix(&m, "A", SQ_F32), *d = made_matrix(&m, "D", SQ_F64);
    const sq_code_expr *place = made_at(&m, a, m.i, m.j), *end = sq_code_number(m.pool, 8);
    const sq_code_expr *column = made_at(&m, a, m.j, m.i), *fixed = made_at(&m, a, m.i, m.n),
                       *turned = made_at(&m, a, m.i, sq_code_scale(m.pool, -1, m.j)),
                       *other = made_at(&m, d, m.i, m.j);
    const sq_code_expr *cast = sq_code_operation(m.pool, SQ_OP_CAST, SQ_F32, &other);
    sq_code *guarded = made_store(&m, place, fixed);
    guarded->cond = place;
    const struct {
        sq_code *body;
        bool sums;
        sq_code_runs runs;
    } table[] = {
        {made_store(&m, place, made_both(&m, SQ_OP_MUL, place, fixed)), false, SQ_CODE_LANES},
        {made_store(&m, place, made_both(&m, SQ_OP_ADD, place, column)), false, SQ_CODE_SERIAL},
        {made_store(&m, place, made_both(&m, SQ_OP_ADD, place, turned)), false, SQ_CODE_SERIAL},
        {made_store(&m, place, cast), false, SQ_CODE_SERIAL},
        {made_store(&m, fixed, made_both(&m, SQ_OP_ADD, fixed, place)), true, SQ_CODE_SUMS},
        {made_store(&m, fixed, made_both(&m, SQ_OP_MUL, fixed, place)), true, SQ_CODE_SERIAL},
        {made_store(&m, fixed, place), false, SQ_CODE_SERIAL},
        {guarded, false, SQ_CODE_SERIAL},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_int_equal(sq_lanes_of(made_loop(&m, "j", end, table[i].body), table[i].sums, t),
                         table[i].runs);
    sq_arena_free(m.arena);
}

/* ---- vectors ---- */

/* All shapes are one: nothing is defined here. */
static sq_vector *any_shape(void *shapes, sq_type type, int lanes)
{
    sq_vector *v = shapes;
    *v = (sq_vector){.type = type, .lanes = lanes};
    return v;
}

static void vectors_have_their_text(void **state)
{
    (void)state;
    vectors v = vectors_begin();
    sq_code_pool *p = v.m.pool;
    const sq_code_expr *a = loaded(&v, 0, 1, NULL), *b = loaded(&v, 8, 1, v.m.i),
                       *c = loaded(&v, -3, 7, NULL), *s = sq_code_scalar(p, SQ_F32, "s"),
                       *all = sq_code_broadcast(p, 4, s),
                       *zero = sq_code_broadcast(p, 4, sq_code_constant(p, SQ_F32, (sq_number){0}));
    const sq_code_expr *less = binary(&v, SQ_OP_LT, SQ_I32, a, b);
    const struct {
        const sq_code_expr *value;
        const char *text;
    } table[] = {
        {a, "sq_f32x4_store(P, sq_f32x4_load(P));\n"},
        {b, "sq_f32x4_store(P, sq_f32x4_load_n(P + 8, i));\n"},
        {c, "sq_f32x4_store(P, sq_f32x4_gather(P - 3, 7, 4));\n"},
        {sq_code_fma(p, SQ_F32, a, all, b),
         "sq_f32x4_store(P, sq_f32x4_fma(sq_f32x4_load(P), sq_f32x4_all(s), "
         "sq_f32x4_load_n(P + 8, i)));\n"},
        {binary(&v, SQ_OP_MAX, SQ_F32, a, all),
         "sq_f32x4_store(P, sq_f32x4_max(sq_f32x4_load(P), sq_f32x4_all(s)));\n"},
        {sq_code_broadcast(p, 4, sq_code_constant(p, SQ_F32, (sq_number){0, 0})),
         "sq_f32x4_store(P, (sq_f32x4){0});\n"},
        {sq_code_broadcast(p, 4, sq_code_constant(p, SQ_F32, (sq_number){-0.0, 0})),
         "sq_f32x4_store(P, sq_f32x4_all(-0.0f));\n"},
        {sq_code_choose(p, less, a, all),
         "sq_f32x4_store(P, sq_f32x4_select(sq_f32x4_load(P) < sq_f32x4_load_n(P + 8, i), "
         "sq_f32x4_load(P), sq_f32x4_all(s)));\n"},
        {sq_code_choose(p, less, zero, a),
         "sq_f32x4_store(P, (sq_f32x4)((sq_i32x4)sq_f32x4_load(P) & ~(sq_f32x4_load(P) < "
         "sq_f32x4_load_n(P + 8, i))));\n"},
    };
    sq_vector shape;
    const sq_c_printer printer = {
        .pool = p, .target = sq_target_get("avx2"), .shape = any_shape, .shapes = &shape};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        sq_text t = {0};
        sq_c_code(&printer, stored(&v, table[i].value), &t);
        assert_string_equal(sq_text_str(&t), table[i].text);
        sq_text_free(&t);
    }
    sq_arena_free(v.m.arena);
}

/* A value that only an unread one reads is not read either; one that a loop reads is. */
static void unread_values_are_removed(void **state)
{
    (void)state;
    vectors v = vectors_begin();
    sq_code_pool *p = v.m.pool;
    const sq_code_expr *held[4], *e = sq_code_scalar(p, SQ_F32, "s");
    sq_code_list all = {0};
    for (int i = 0; i < 4; i++) {
        sq_code_buffer *b = SQ_NEW(v.m.arena, sq_code_buffer);
        *b = (sq_code_buffer){.name = sq_arena_printf(v.m.arena, "t%d", i),
                              .type = SQ_F32,
                              .storage = SQ_CODE_REGISTER,
                              .is_constant = true};
        sq_code_append(&all, sq_code_declare(p, b, false));
        sq_code_append(&all, sq_code_set(p, b, e));
        held[i] = sq_code_load(p, b, NULL);
        e = i == 2 ? held[0] : held[i];
    }
    sq_code_append(&all, made_loop(&v.m, "i", v.m.n, sq_code_store(p, v.p, &v.m.i, held[3])));
    assert_text(&v.m, sq_pass_sweep(&(sq_pass_context){.pool = p}, all.first),
                "const float t0 = s, t3 = t0;\n"
                "for (int64_t i = 0; i < n; i++)\n    P[i] = t3;\n");
    sq_arena_free(v.m.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_printed),          cmocka_unit_test(types_have_their_text),
        cmocka_unit_test(lanes_need_neighbours),     cmocka_unit_test(vectors_have_their_text),
        cmocka_unit_test(unread_values_are_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
