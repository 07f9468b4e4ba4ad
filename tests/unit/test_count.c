/* Counts: what the innermost loops of samples do in a step, under schedules for which it is known: two
 * rows of so many vectors need as many multiply-adds, and one load for each row and vector. */
#include "codegen/counted.h"
#include "codegen/isa/vector.h"
#include "tests/unit/interpreted.h"
#include "tests/unit/make_code.h"
#include "transforms/transform.h"

typedef struct expected {
    const char *path, *script, *target;
    int loop; /* number of the loop */
    const char *along;
    int registers;
    double multiply_adds, operations, calls, loads, stores, shuffles, bytes_loaded, bytes_stored;
} expected;

static const expected table[] = {
    /* 6 x 2 sums of 8, a row's element and 2 vectors of B */
    {"samples/gemm.sq", "micro(i:6, j:16 | k)", "avx2", 0, "k", 15, 12, 0, 0, 8, 0, 0, 88, 0},
    /* the same, four steps at a time */
    {"samples/gemm.sq", "micro(i:6, j:16 | k) unroll(k:4)", "avx2", 0, "k", 15, 12, 0, 0, 8, 0, 0,
     88, 0},
    /* sums that stay in registers across a loop */
    {"samples/gemm.sq", "tile(k:4) micro(i:6, j:16 | k) order(i, j, k0) hold(k0)", "avx2", 0, "k",
     15, 12, 0, 0, 8, 0, 0, 88, 0},
    /* four accumulators of each sum: a step is one of four that an iteration takes */
    {"samples/gemm.sq", "micro(i:2, j:8 | k) unroll(k:4) split(k:4)", "avx2", 0, "k", 10, 2, 0, 0,
     3, 0, 0, 40, 0},
    /* vectors of 8 on a machine that has 4: each takes two */
    {"samples/gemm.sq", "micro(i:2, j:8 | k) vectorize(j:4)", "generic", 0, "k", 7, 4, 0, 0, 4, 0,
     0, 40, 0},
    /* every second element: two loads for the first two vectors of a row, two for the third, and a
     * shuffle for each */
    {"samples/maxpool.sq", "micro(x:8, r:3, s:3)", "avx2", 0, NULL, 2, 0, 9, 0, 12, 1, 9, 288, 32},
    /* six rows in the middle and two elements beside each of four, also where rows may be absent */
    {"samples/jacobi.sq", "micro(y:4, x:16)", "avx512", 0, NULL, 6, 0, 20, 0, 14, 4, 0, 896, 256},
    /* three products, a sum and erf */
    {"samples/gelu.sq", "micro(i:16)", "avx512", 0, NULL, 5, 0, 4, 1, 1, 1, 0, 64, 64},
    /* C loops in lanes; a sum has four accumulators */
    {"samples/cholesky.sq", "auto()", "avx512", 0, "p", 4, 1, 0, 0, 2, 0, 0, 128, 0},
    {"samples/jacobi_2d.sq", "auto()", "avx512", 0, "j_t", 0, 0, 5, 0, 5, 1, 0, 320, 64},
};

static void assert_count(const expected *e, const sq_counted_loop *x)
{
    const sq_code_count *c = &x->count;
    const double is[] = {c->multiply_adds, c->operations,   c->calls,        c->loads,    c->stores,
                         c->shuffles,      c->bytes_loaded, c->bytes_stored, c->registers},
                 wants[] = {e->multiply_adds, e->operations,   e->calls,
                            e->loads,         e->stores,       e->shuffles,
                            e->bytes_loaded,  e->bytes_stored, e->registers};
    assert_string_equal(x->along ? x->along : "", e->along ? e->along : "");
    for (size_t i = 0; i < LENGTH(is); i++) {
        if (is[i] != wants[i])
            print_error("%s under '%s' for %s, figure %zu: %g, not %g\n", e->path, e->script,
                        e->target, i, is[i], wants[i]);
        assert_true(is[i] == wants[i]);
    }
}

static void steps_are_counted(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(table); i++) {
        const expected *e = &table[i];
        sq_arena *arena = sq_arena_new();
        sq_diags *d = sq_diags_new();
        sq_unit *u = sample_open(e->path);
        sq_schedule *s = sq_schedule_new(u->kernel[0], arena);
        sq_counted_loop *list;
        assert_int_equal(sq_script_apply(s, e->script, "<script>", arena, d), 0);
        int n = sq_counted(s, sq_target_get(e->target), false, arena, &list, d);
        assert_true(n > e->loop);
        assert_count(e, &list[e->loop]);
        sq_unit_free(u);
        sq_diags_free(d);
        sq_arena_free(arena);
    }
}

/* What a grid shares is no code. */
static void grids_have_no_counts(void **state)
{
    (void)state;
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    sq_unit *u = sample_open("samples/gemm.sq");
    const sq_schedule *s = sq_schedule_new(u->kernel[0], arena);
    sq_counted_loop *list;
    assert_int_equal(sq_counted(s, sq_target_get("cuda"), false, arena, &list, d), 0);
    assert_int_equal(sq_diags_errors(d), 0);
    assert_true(sq_counted(s, sq_target_get("avx2"), false, arena, &list, d) > 0);
    sq_unit_free(u);
    sq_diags_free(d);
    sq_arena_free(arena);
}

/* for (i = 1; i < 13; i += 4) sums[i][0] += m[i][0] * m[i][0], the loop written out by the compiler, with
 * sums[13][2] in registers, three of which are in use. */
static void unrolled_loops_count_as_often_as_they_run(void **state)
{
    (void)state;
    made m = made_begin();
    const sq_count_how how = {.vector_bytes = 32, .is_fused = true};
    const sq_code_expr *zero = sq_code_number(m.pool, 0);
    const sq_code_buffer *a = made_matrix(&m, "m", SQ_F32);
    sq_code_buffer *sums = made_matrix(&m, "sums", SQ_F32);
    sums->storage = SQ_CODE_REGISTER;
    sums->extent[0] = sq_code_number(m.pool, 13);
    sums->extent[1] = sq_code_number(m.pool, 2);
    const sq_code_expr *x = made_at(&m, a, m.i, zero), *sum = made_at(&m, sums, m.i, zero);
    const sq_code_expr *product = made_both(&m, SQ_OP_MUL, x, x);
    sq_code *loop = made_loop(&m, "i", sq_code_number(m.pool, 13),
                              made_store(&m, sum, made_both(&m, SQ_OP_ADD, sum, product)));
    loop->runs = SQ_CODE_UNROLLED;
    loop->lo = sq_code_number(m.pool, 1);
    loop->step = 4;
    sq_code_count c = sq_code_counted(m.pool, loop, &how);
    assert_true(c.multiply_adds == 3 && c.operations == 0);
    assert_true(c.loads == 6 && c.bytes_loaded == 24 && c.stores == 0);
    assert_int_equal(c.registers, 3);
    sq_arena_free(m.arena);
}

static int occurrences(const char *text, const char *of)
{
    int n = 0;
    for (; (text = strstr(text, of)); text += strlen(of))
        n++;
    return n;
}

/* What the text of a strided load has; a joined load is two, and a shuffle. */
static void assert_strided(sq_type type, int lanes, int step, const sq_target *t)
{
    sq_vector v = {.type = type, .lanes = lanes, .used = SQ_VOP_BIT(sq_vop_strided(step, false))};
    sq_text text = {0};
    char name[20];
    snprintf(name, sizeof name, "_stride%d(", step);
    sq_vector_define(&v, t, &text);
    const char *body = strstr(sq_text_str(&text), name);
    assert_non_null(body);
    int joined = occurrences(body, "_joined("), loads = occurrences(body, "_u *)(p");
    int shuffles = occurrences(body, "SQ_SHUFFLE(");
    sq_strided_count n = sq_strided_counted(sq_type_bytes(type), lanes, step, false, t);
    assert_int_equal(n.loads, loads + 2 * joined);
    assert_int_equal(n.shuffles, shuffles + joined);
    sq_text_free(&text);
}

static void strided_loads_are_counted_as_written(void **state)
{
    static const sq_type types[] = {SQ_U8, SQ_I16, SQ_F16, SQ_F32, SQ_F64};
    (void)state;
    for (const sq_target *t = sq_targets; t->name; t++)
        for (size_t i = 0; i < LENGTH(types) && !t->grid; i++)
            for (int lanes = 2; lanes * sq_type_bytes(types[i]) <= t->vector_bytes; lanes *= 2)
                for (int step = 2; step <= SQ_STRIDE_MOST; step++)
                    assert_strided(types[i], lanes, step, t);
    /* two pairs of halves, joined and blended */
    sq_strided_count n = sq_strided_counted(8, 4, 4, false, sq_target_get("avx2"));
    assert_true(n.loads == 4 && n.shuffles == 3);
    /* four vectors, blended and put in order within the halves and across them */
    n = sq_strided_counted(2, 16, 4, false, sq_target_get("avx2"));
    assert_true(n.loads == 4 && n.shuffles == 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_counted),
        cmocka_unit_test(grids_have_no_counts),
        cmocka_unit_test(unrolled_loops_count_as_often_as_they_run),
        cmocka_unit_test(strided_loads_are_counted_as_written),
    };
    return cmocka_run_group_tests(tests, open_isl, close_isl);
}
