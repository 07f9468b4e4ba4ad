/* online(): what it makes of a maximum and its sums, and what it refuses. */
#include "transforms/transform.h"
#include "ir/dependence/deps.h"
#include "support/text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "tests/unit/isl_context.h"
#include "tests/unit/kernels.h"
#include <string.h>

/* m[i] = rmax(X[i][j] …); l[i] = sum(exp(X[i][j] - m[i]), j), with the text of S1's parts. */
static sq_kernel *soft(const char *sum_of, const char *updates, sq_op reduce)
{
    sq_kernel *k = kernel_softmax(ctx, sum_of, updates);
    k->stmt[1]->reduce = reduce;
    sq_diags *d = sq_diags_new();
    assert_int_equal(sq_deps_compute(k, d), 0);
    sq_diags_free(d);
    return k;
}

static const char all[] = "[M,N] -> { S1_u[i,j] : 0 <= i < M and 0 <= j < N }";
static const char same[] = "{ S1_u[i,j] -> X[(i),(j)] }";

static sq_schedule *apply(const sq_kernel *k, const char *script, const char **message)
{
    sq_diags *d = sq_diags_new();
    sq_schedule *s = sq_schedule_new(k, k->arena);
    int rc = sq_script_apply(s, script, "<script>", k->arena, d);
    const char *m = sq_diags_message(d, 0);
    *message = rc ? sq_arena_strdup(k->arena, m ? m : "?") : NULL;
    sq_diags_free(d);
    return s;
}

static void refused(sq_kernel *k, const char *script, const char *text)
{
    const char *message;
    apply(k, script, &message);
    assert_non_null(message);
    if (!strstr(message, text))
        print_error("%s\n", message);
    assert_non_null(strstr(message, text));
}

static void rows_by_tiles(void **state)
{
    (void)state;
    const char *message;
    sq_kernel *k = soft(same, all, SQ_OP_ADD);
    sq_schedule *s = apply(k, "online(S0, j:8)", &message);
    assert_null(message);
    assert_ptr_not_equal(s->kernel, k);
    sq_text text = {0};
    sq_schedule_print(s, &text);
    assert_string_equal(sq_text_str(&text), "online(S0, j:8)");
    sq_text_free(&text);
    /* m and l before; next, scale, keep; exp; sum */
    static const char *const names[] = {"S0_start", "S1_start", "S0", "S0_scale",
                                        "S0_keep",  "S0_exp",   "S1"};
    assert_int_equal(s->kernel->nstmts, 7 + (sq_kernel_stmt(s->kernel, "S1_end") != NULL));
    for (int i = 0; i < 7; i++)
        assert_string_equal(s->kernel->stmt[i]->name, names[i]);
    const sq_array *e = sq_kernel_array(s->kernel, "m_exp");
    assert_int_equal(sq_array_extent(e, 1), 8); /* row x tile, not row x N */
    assert_int_equal(sq_fusion_length(s, 2), 3);
    assert_int_equal(sq_fusion_shared(s, 2), 2);
    sq_diags *d = sq_diags_new();
    assert_int_equal(sq_kernel_check((sq_kernel *)s->kernel, d), 0); /* written before read */
    sq_diags_free(d);
    assert_ptr_equal(apply(k, "online(S0, j:8)", &message)->kernel, s->kernel);
    sq_schedule *tuned = apply(k,
                               "online(S0, j:8) S0: tile(i:4) order(i0, jt, i) S0_exp: tile(i:4) "
                               "order(i0, jt, i, j) micro(j:8) S1: tile(i:4) order(i0, jt, i)",
                               &message);
    assert_null(message);
    sq_text again = {0};
    sq_schedule_print(tuned, &again);
    sq_schedule *replayed = apply(k, sq_text_str(&again), &message);
    assert_null(message);
    sq_text third = {0};
    sq_schedule_print(replayed, &third);
    assert_string_equal(sq_text_str(&again), sq_text_str(&third));
    sq_text_free(&again);
    sq_text_free(&third);
    /* the order of the tiles counts, whatever the rows do */
    refused(k, "online(S0, j:8) S0: parallel(jt) S0_exp: parallel(jt) S1: parallel(jt)",
            "loop 'jt' carries a dependence");
    sq_kernel_free(k);
}

static void not_homogeneous(void **state)
{
    (void)state;
    sq_kernel *k = soft("{ S1_u[i,j] -> X[(i),(0)] }", all, SQ_OP_ADD);
    refused(k, "online(S0, j:8)",
            "S1 subtracts m from something else than what it is the maximum of");
    sq_kernel_free(k);
    k = soft(same, "[M,N] -> { S1_u[i,j] : 0 <= i < M and 0 <= j < N - 1 }", SQ_OP_ADD);
    refused(k, "online(S0, j:8)", "S1 sums over another range than that of which m is the maximum");
    sq_kernel_free(k);
    k = soft(same, all, SQ_OP_MUL);
    refused(k, "online(S0, j:8)", "not as a sum over one index of exp(x - m)");
    sq_kernel_free(k);
    k = soft(same, all, SQ_OP_ADD);
    refused(k, "online(S1, j:8)", "S1 is no maximum over one index");
    refused(k, "online(S0, i:8)", "S0 is the maximum over 'j', not 'i'");
    refused(k, "online(S0, j)", "a tile of 'j' needs a number of points");
    refused(k, "online(S2, j:8)", "'S2' is no statement");
    refused(k, "online(S0)", "name a maximum and the tile of its index");
    refused(k, "parallel(i) online(S0, j:8)", "write it before them");
    refused(k, "online(S0, j:8) online(S0, j:8)", "this kernel has C loops");
    k->fp = SQ_FP_STRICT;
    refused(k, "online(S0, j:8)", "rescales them, which `strict` does not allow");
    k->fp = SQ_FP_REASSOC;
    refused(k, "online(S0, j:8)", "rescales them, which `reassoc` does not allow");
    sq_kernel_free(k);
    k = soft(same, all, SQ_OP_ADD);
    sq_expr *e = k->stmt[1]->body;
    k->stmt[1]->body = node(k, SQ_OP_ADD, SQ_F32, e, number(k, SQ_F32, 1));
    refused(k, "online(S0, j:8)", "not as a sum over one index of exp(x - m)");
    sq_kernel_free(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_by_tiles),
        cmocka_unit_test(not_homogeneous),
    };
    return cmocka_run_group_tests(tests, open_isl, close_isl);
}
