/* Writers: of kernels in which many statements write the same elements, dependences are left out; what is left
 * implies all, asked pair by pair of instances at sizes that are numbers. */
#include "frontend/frontend.h"
#include "ir/dependence/deps.h"
#include "ir/kernel/touch.h"
#include "tests/unit/isl_context.h"
#include <isl/map.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static sq_touch touch_of(const sq_kernel *k, const sq_stmt *s, const sq_access *a, bool update, bool write)
{
    isl_map *rel = sq_touch_rel(k, s, a, update);
    return (sq_touch){.stmt = s, .update = update, .write = write, .array = a->array, .access = a, .rel = rel};
}

static int touches_of(const sq_kernel *k, sq_touch *t)
{
    int n = 0;
    for (int i = 0; i < k->nstmts; i++) {
        const sq_stmt *s = k->stmt[i];
        sq_access *read[SQ_MAX_STMT_READS];
        bool in_body[SQ_MAX_STMT_READS];
        int reads = sq_stmt_all_reads(s, read, in_body);
        for (int r = 0; r < reads; r++)
            t[n++] = touch_of(k, s, read[r], in_body[r], false);
        t[n++] = touch_of(k, s, s->write, false, true);
    }
    return n;
}

/* Returns all pairs of instances of which the second must wait for the first, and in *n of how many pairs of
 * statements. */
static isl_union_map *all_pairs(const sq_kernel *k, int *n)
{
    static sq_touch t[1000];
    int ntouches = touches_of(k, t);
    isl_union_map *all = isl_union_map_empty(isl_set_get_space(k->context));
    for (int a = 0; a < ntouches; a++)
        for (int b = 0; b < ntouches; b++)
            if (sq_arrays_overlap(t[a].array, t[b].array) && (t[a].write || t[b].write))
                all = isl_union_map_union(all, isl_union_map_from_map(sq_touch_pairs(k, &t[a], &t[b])));
    for (int a = 0; a < ntouches; a++)
        isl_map_free(t[a].rel);
    for (int i = 0; i < k->nstmts; i++)
        if (k->stmt[i]->updates)
            all = isl_union_map_union(all, isl_union_map_from_map(sq_stmt_finish(k, k->stmt[i])));
    *n = (int)isl_union_map_n_map(all);
    return isl_union_map_intersect_params(all, isl_set_copy(k->context));
}

/* Returns what follows from the pairs step by step. */
static isl_union_map *closure(isl_union_map *all /* __isl_take */)
{
    for (bool more = true; more;) {
        isl_union_map *twice = isl_union_map_apply_range(isl_union_map_copy(all), isl_union_map_copy(all));
        more = isl_union_map_is_subset(twice, all) == isl_bool_false;
        all = isl_union_map_coalesce(isl_union_map_union(all, twice));
    }
    return all;
}

/* Computes the dependences of a kernel with this body, and compares. At most `share` of the pairs of statements are
 * left; in percent. */
static void implies_all(const char *body, int share)
{
    char text[6000];
    int n, length = snprintf(text, sizeof text,
                             "#include \"squall.h\"\n"
                             "kernel k(f32 A[8], f32 B[8], f32 C[8][8], const f32 X[8]) {\n%s\n}\n", body);
    assert_true(length > 0 && (size_t)length < sizeof text);
    sq_diags *d = sq_diags_new();
    sq_unit *u = sq_parse(ctx, "t.sq", text, (size_t)length, NULL, d);
    if (!u || sq_diags_errors(d))
        sq_diags_print(d, stderr, SQ_DIAG_GCC, 0);
    assert_non_null(u);
    sq_kernel *k = u->kernel[0];
    assert_int_equal(sq_deps_compute(k, d), 0);
    isl_union_map *all = all_pairs(k, &n), *left = isl_union_map_copy(k->deps);
    assert_true(isl_union_map_n_map(left) * 100 <= n * share);
    assert_int_equal(isl_union_map_is_subset(left, all), isl_bool_true);
    left = closure(left);
    assert_int_equal(isl_union_map_is_subset(all, left), isl_bool_true);
    isl_union_map_free(all);
    isl_union_map_free(left);
    sq_unit_free(u);
    sq_diags_free(d);
}

#define U(read) "A[i] = 0.5f * A[i] + " read "; "
#define TEN U("X[0]") U("B[i]") U("X[2]") U("3") U("X[4]") U("X[i]") U("B[2]") U("X[7]") U("C[i][1]") U("X[1]")
#define FOR(i, n) "for (int " #i " = 0; " #i " < " #n "; " #i "++) "

static void one_loop(void **state)
{
    (void)state;
    implies_all(FOR(i, 5) "{ " TEN "}", 30);
    implies_all(FOR(t, 3) FOR(i, 4) "{ " TEN "}", 40);
}

/* One nest behind the other, each carrying what it computes. */
static void many_nests(void **state)
{
    (void)state;
#define NEST(c) FOR(i, 4) FOR(j, 3) "C[i + 1][j + 1] = " c " * C[i][j] + C[i + 1][j + 1]; "
    implies_all(NEST("1") NEST("2") NEST("3") NEST("4") NEST("5") NEST("6") NEST("7") NEST("8") NEST("9"), 60);
    implies_all(FOR(t, 2) "{ " NEST("1") NEST("2") NEST("3") NEST("4") NEST("5") NEST("6") NEST("7") NEST("8") NEST(
                    "9") "}",
                80);
}

/* Readers and other writers before, between, behind, in loops of their own, around and inside. */
static void others_between(void **state)
{
    (void)state;
    implies_all("B[0] = A[3]; " FOR(t, 2) "{ B[t] = A[t]; " FOR(i, 2) "{ " TEN "A[i + 1] = B[i]; } A[t] = 2; } "
                "A[2] = B[1];", 75);
    implies_all(FOR(i, 3) "{ B[i] = A[3 - i]; " TEN "B[i + 1] = A[i] + A[i + 1]; } B[1] = A[1];", 75);
}

/* Nests of writers with what reads them in a nest inside of one of them, and a sum. */
static void inner_loops(void **state)
{
    (void)state;
    implies_all(FOR(i, 4) "{ " TEN FOR(j, 3) "{ B[j] = B[j] + A[i]; A[j] = A[j] + C[j][i]; } " TEN "}", 60);
    implies_all(FOR(i, 4) "{ " TEN FOR(j, 3) "A[i] += C[i][j] * X[j]; " TEN "B[i] += A[i]; }", 60);
}

/* A condition, another order of writing, other elements: no writers of one set. */
static void unlike(void **state)
{
    (void)state;
    implies_all(FOR(i, 5) "{ " TEN "if (i > 2) { " TEN "} A[4 - i] = 1; A[i + 1] = X[i]; }", 70);
    implies_all(FOR(i, 5) "{ " TEN "} " FOR(i, 4) "{ " TEN "}", 70);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_loop), cmocka_unit_test(many_nests),
                                       cmocka_unit_test(others_between), cmocka_unit_test(inner_loops),
                                       cmocka_unit_test(unlike)};
    return cmocka_run_group_tests(tests, open_isl, close_isl);
}
