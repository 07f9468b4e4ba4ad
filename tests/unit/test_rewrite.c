/* Rewrite: transforms that make another kernel of the one described, inline and distribute. */
#include "tests/unit/scripts.h"

/* One reduction is left of the zeros and the updates. */
static void distributed(void **state)
{
    (void)state;
    sq_kernel *k = with_deps(kernel_written(ctx));
    assert_string_equal(accepted(k, "distribute(S1)"), "distribute(S1)");
    accepted(k, "distribute(S0) tile(j:16, k:8) order(j0, k0, i, j) pack(B at k0 as j8) micro(i:4, "
                "j:8 | k)");
    refused(k, "distribute(S9)", "'S9' is no statement");
    refused(k, "distribute(S0, S1)", "name one statement");
    refused(k, "distribute(S1) distribute(S1)", "there is nothing to distribute");
    refused(k, "auto() distribute(S0)", "write it before them");
    int result;
    const char *message;
    const sq_kernel *made = apply(k, "distribute(S0)", &result, &message)->kernel;
    assert_int_equal(made->nstmts, 1);
    const sq_stmt *s = made->stmt[0];
    assert_int_equal(s->nfree, 2);
    assert_string_equal(s->dim[2], "k");
    assert_int_equal(s->reduce, SQ_OP_ADD);
    assert_int_equal(s->value->op, SQ_OP_REDUCED);
    assert_false(s->ordered);
    sq_kernel_free(k);

    /* Bit for bit the same, as long as the sum begins with 0. */
    k = kernel_written(ctx);
    k->fp = SQ_FP_STRICT;
    k = with_deps(k);
    made = apply(k, "distribute(S0)", &result, &message)->kernel;
    assert_int_equal(made->nstmts, 1);
    assert_true(made->stmt[0]->ordered);
    sq_kernel_free(k);
    k = kernel_written(ctx);
    k->fp = SQ_FP_STRICT;
    k->stmt[0]->value->real = 1;
    k = with_deps(k);
    made = apply(k, "distribute(S0)", &result, &message)->kernel;
    assert_int_equal(made->nstmts, 2);
    assert_null(made->stmt[1]->updates);
    refused(k, "distribute(S0) inline(S0)",
            "S1 reads what S0 wrote to C at some instances, and at others not: for example with "
            "M=1, N=1, K=2: S1[i=0, j=0, k=1]");
    sq_kernel_free(k);

    /* With nothing before it, it adds to what is there, where there is an update at all. */
    k = kernel_written(ctx);
    k->stmt[0]->domain = isl_set_intersect(
        k->stmt[0]->domain, isl_set_read_from_str(ctx, "[M] -> { S0[i,j] : i >= 1 }"));
    k = with_deps(k);
    made = apply(k, "distribute(S0)", &result, &message)->kernel;
    assert_int_equal(made->nstmts, 2);
    assert_int_equal(made->stmt[1]->value->op, SQ_OP_ADD);
    sq_kernel_free(k);

    k = with_deps(kernel_jacobi(ctx));
    refused(k, "distribute(S0)", "S0 would run whole before S1, but with T=2, N=");
    sq_kernel_free(k);
}

/* Inside of a loop that is kept, only what happens in one iteration of it counts. */
static void distributed_inside(void **state)
{
    (void)state;
    int result;
    const char *message;
    sq_kernel *k = with_deps(kernel_jacobi(ctx));
    assert_string_equal(accepted(k, "distribute(S1 at t)"), "distribute(S1 at t)");
    const sq_schedule *s = apply(k, "distribute(S0 at t)", &result, &message);
    assert_int_equal(s->ngroups, 2);
    assert_int_equal(s->group[0]->shared, 0);
    assert_int_equal(s->group[1]->shared, 1);
    assert_string_equal(accepted(k, "distribute(S0 at t) S0: micro(i:8) S1: micro(i:16) parallel(i)"),
                        "distribute(S0 at t)\nS0: micro(i:8)\nS1: micro(i:16) parallel(i)");
    assert_string_equal(accepted(k, "distribute(S0 at t) tile(S1.i:32, S1.i:8)"),
                        "distribute(S0 at t)\nS1: tile(i:32, i:8) order(t, i0, i1, i)");
    refused(k, "distribute(S0 at t) tile(S1.t:8)", "cannot share loops: the loop at depth 1 is 't' in one and 't0'");
    refused(k, "distribute(S0 at t) S0: parallel(t) S1: parallel(t)", "loop 't' carries a dependence");
    refused(k, "distribute(S0 at i)", "S1 does not run inside the loop 'i' of S0");
    refused(k, "distribute(S0 at tt)", "'tt' is no C loop around S0");
    refused(k, "distribute(S0 at t:2)", "name one statement");
    refused(k, "distribute(S0 | t)", "name one statement");
    refused(k, "distribute(S0 at t, i)", "name one statement");
    refused(k, "distribute(S0 at t) distribute(S1)", "S1 has a nest of its own, in loops that it shares with others");
    sq_kernel_free(k);

    /* A reduction is one as long as its loop is not kept. */
    k = with_deps(kernel_written(ctx));
    for (int i = 0; i < 2; i++) {
        s = apply(k, i ? "distribute(S1 at j)" : "distribute(S1 at i)", &result, &message);
        assert_int_equal(result, 0);
        assert_int_equal(s->kernel->nstmts, 1);
        assert_int_equal(s->kernel->stmt[0]->nfree, 2);
        assert_int_equal(s->kernel->stmt[0]->nindex, 1 - i);
    }
    accepted(k, "distribute(S0 at i) micro(j:8 | k)");
    refused(k, "distribute(S1 at k)", "S0 does not run inside the loop 'k' of S1");
    sq_kernel_free(k);

    /* A scalar of the kept loop stays one. */
    k = with_deps(kernel_swap(ctx));
    s = apply(k, "distribute(S0 at i)", &result, &message);
    assert_int_equal(s->ngroups, 3);
    sq_kernel_free(k);
}

/* `S1.i` is the dimension of a statement, which names the group of the call as well. */
static void named_by_statement(void **state)
{
    (void)state;
    sq_kernel *k = with_deps(kernel_jacobi(ctx));
    assert_string_equal(accepted(k, "distribute(S0 at t) micro(S1.i:8) S0: micro(i:4) parallel(S1.i)"),
                        "distribute(S0 at t)\nS0: micro(i:4)\nS1: micro(i:8) parallel(i)");
    refused(k, "distribute(S0 at t) tile(S0.i:8, S1.i:8)", "S0 and S1 are computed in loops of their own");
    refused(k, "distribute(S0 at t) micro(S1.ii:8)", "'ii' is no dimension of S1");
    refused(k, "distribute(S0 at S0.t)", "names statements by arguments of their own; write t");
    refused(k, "distribute(S0 at t) micro(S2.i:8)", "there is no statement 'S2'");
    assert_string_equal(accepted(k, "micro(S1.i:8)"), "S1: micro(i:8)");
    sq_kernel_free(k);
}

/* T[i] = X[i]; Y[i] = T[i + shift]. */
static void inlined(void **state)
{
    (void)state;
    sq_kernel *k = with_deps(kernel_chain(ctx, -1, 0));
    assert_string_equal(accepted(k, "inline(S0)"), "inline(S0)");
    assert_string_equal(accepted(k, "inline(S0) tile(i:8) micro(i:8) parallel(i0)"),
                        "inline(S0) tile(i:8) micro(i:8) parallel(i0)");
    refused(k, "inline(S1)", "nothing reads what S1 writes to Y");
    refused(k, "inline(S2)", "'S2' is no statement");
    refused(k, "inline(S0) inline(S0)", "'S0' is no statement any more: a call before has put it");
    refused(k, "inline(S0) S0: micro(i:8)", "there is no statement 'S0' any more: a call before");
    refused(k, "inline(S0) fuse(S0, S1)", "'S0' is no statement");
    refused(k, "micro(i:8) inline(S0)", "write it before them");
    refused(k, "inline()", "name statements");
    refused(k, "inline(i:8)", "name statements");
    refused(k, "inline(S0, S0)", "S0 is named twice");
    refused(k, "inline(S0, S1)", "nothing reads what S1 writes to Y");
    refused(k, "inline(S0) pack(T at top)", "nothing is left of T");
    int result;
    const char *message;
    sq_schedule *s = apply(k, "inline(S0)", &result, &message);
    const sq_stmt *last = s->kernel->stmt[0];
    assert_int_equal(s->kernel->nstmts, 1);
    assert_string_equal(last->value->access->array->name, "X");
    isl_multi_aff *at = isl_multi_aff_read_from_str(ctx, "[N] -> { S1[i] -> X[(i - 1)] }");
    assert_int_equal(isl_multi_aff_plain_is_equal(last->value->access->map, at), isl_bool_true);
    isl_multi_aff_free(at);
    assert_ptr_equal(s->kernel, apply(k, "inline(S0)", &result, &message)->kernel);
    sq_kernel_free(k);
    k = with_deps(kernel_chain(ctx, 0, 2));
    refused(k, "inline(S0)",
            "S1 reads elements of T that S0 does not write: for example with N=3: S1[i=1]");
    sq_kernel_free(k);
    k = with_deps(kernel_chain(ctx, 0, 1));
    k->array[2]->role = SQ_OUT;
    refused(k, "inline(S0)", "T is the caller's array, who sees what S0 writes");
    k->array[2]->role = SQ_LOCAL;
    k->stmt[1]->value->access->edge = SQ_EDGE_PAD;
    refused(k, "inline(S0)", "S1 reads T under a condition");
    sq_kernel_free(k);
    k = with_deps(kernel_gemm_relu(ctx));
    refused(k, "inline(S0)", "S0 has a reduction");
    sq_kernel_free(k);
    k = with_deps(kernel_jacobi(ctx));
    refused(k, "inline(S0)",
            "S0 reads A, and S1 writes it before the value is used for the last time");
    sq_kernel_free(k);
}

/* S0: T[i] = X[i]; S1: X[i + by] = T[i]: the value is gone, unless each instance overwrites what it
 * has just read. */
static void inlined_in_place(void **state)
{
    (void)state;
    for (int by = 0; by < 2; by++) {
        char map[60];
        sq_kernel *k = kernel_chain(ctx, 0, 1);
        sq_stmt *s = k->stmt[1];
        isl_multi_aff_free(s->write->map);
        snprintf(map, sizeof map, "[N] -> { S1[i] -> X[(i + %d)] }", by);
        s->write->map = isl_multi_aff_read_from_str(ctx, map);
        s->write->array = k->array[0];
        k->array[0]->role = SQ_INOUT;
        with_deps(k);
        if (by)
            refused(k, "inline(S0)", "S0 reads X, and S1 writes it before the value is used");
        else
            accepted(k, "inline(S0)");
        sq_kernel_free(k);
    }
}

/* for i { s = X[i]; X[i] = Y[i]; Y[i] = s; }: the array has an element for each iteration, and the
 * dependences that remain are those of one iteration. */
static void expanded(void **state)
{
    (void)state;
    sq_kernel *k = with_deps(kernel_swap(ctx));
    refused(k, "inline(S0)", "S0 reads X, and S1 writes it before the value is used");
    refused(k, "expand(S1)", "X is the caller's, who sees what S1 writes");
    refused(k, "expand(S3)", "'S3' is no statement");
    refused(k, "expand(S0, S0)", "S0 is named twice");
    refused(k, "expand()", "name statements: expand(S0)");
    refused(k, "auto() expand(S0)", "write it before them");
    refused(k, "distribute(S0)", "would run whole before");
    assert_string_equal(accepted(k, "expand(S0) distribute(S0) fuse(S0, S1, S2) micro(i:8)"),
                        "expand(S0) distribute(S0) fuse(S0, S1, S2) micro(i:8)");
    int result;
    const char *message;
    const sq_kernel *made = apply(k, "expand(S0)", &result, &message)->kernel;
    assert_int_equal(made->nstmts, 3);
    const sq_array *a = made->stmt[0]->write->array;
    assert_string_equal(a->name, "s_all");
    assert_int_equal(a->ndim, 1);
    assert_int_equal(a->role, SQ_LOCAL);
    assert_ptr_equal(made->stmt[2]->value->access->array, a);
    isl_aff *extent = isl_aff_read_from_str(ctx, "[N] -> { [(N)] }");
    assert_int_equal(isl_aff_plain_is_equal(a->extent[0], extent), isl_bool_true);
    isl_aff_free(extent);
    sq_kernel_free(k);
    k = with_deps(kernel_chain(ctx, 0, 2));
    refused(k, "expand(S0)", "S1 reads elements of T that S0 does not write");
    sq_kernel_free(k);
}

/* A part's sum, then the sum of the parts: neither changes what is written, and each has loops. */
static void parted(void **state)
{
    (void)state;
    sq_kernel *k = with_deps(kernel_gemm(ctx, SQ_F32, SQ_F32));
    assert_string_equal(accepted(k, "parts(S0, k:16)"), "parts(S0, k:16)");
    assert_string_equal(accepted(k, "parts(S0, k:16) parts(S0, k_part:8) S0_parts: micro(j:8 | k) "
                                    "S0: tile(i:4) parallel(i0)"),
                        "parts(S0, k:16) parts(S0, k_part:8)\nS0_parts: micro(j:8 | k)\n"
                        "S0: tile(i:4) parallel(i0)");
    refused(k, "parts(S0)", "name a reduction and the length of its parts: parts(S0, k:4096)");
    refused(k, "parts(S1, k:16)", "'S1' is no statement");
    refused(k, "parts(S0, i:16)", "'i' is no index that S0 reduces over: k");
    refused(k, "parts(S0, k)", "a part has 1 to 1073741824 values of 'k': k:4096");
    refused(k, "parts(S0, k:0)", "a part has 1 to");
    refused(k, "tile(i:4) parts(S0, k:16)", "write it before them");
    int result;
    const char *message;
    const sq_kernel *made = apply(k, "parts(S0, k:16)", &result, &message)->kernel;
    assert_int_equal(made->nstmts, 2);
    const sq_stmt *parts = made->stmt[0], *all = made->stmt[1];
    assert_string_equal(parts->name, "S0_parts");
    assert_int_equal(parts->nfree, 3);
    assert_string_equal(parts->dim[0], "k_part");
    assert_int_equal(parts->value->op, SQ_OP_REDUCED);
    assert_int_equal(parts->write->array->ndim, 3);
    assert_string_equal(all->name, "S0");
    assert_string_equal(all->dim[2], "k_part");
    assert_ptr_equal(all->body->access->array, parts->write->array);
    assert_ptr_equal(all->write->array, k->stmt[0]->write->array);
    /* 5 parts of 16, the last with one value. */
    isl_set *some = isl_set_read_from_str(ctx, "[M, N, K] -> { : M = 1 and N = 1 and K = 65 }");
    isl_set *points = isl_set_intersect_params(isl_set_copy(parts->updates), some);
    isl_set *want = isl_set_read_from_str(
        ctx, "[M, N, K] -> { S0_parts_u[p, 0, 0, k] : M = 1 and N = 1 and K = 65 and p >= 0 and "
             "0 <= k <= 15 and 16p + k <= 64 }");
    assert_int_equal(isl_set_is_equal(points, want), isl_bool_true);
    isl_set_free(points);
    isl_set_free(want);
    sq_kernel_free(k);

    /* Parts of what is summed in the order written are no order. */
    k = kernel_gemm(ctx, SQ_F32, SQ_F32);
    k->fp = SQ_FP_STRICT;
    k->stmt[0]->ordered = true;
    k = with_deps(k);
    refused(k, "parts(S0, k:16)", "S0 keeps the order of its reduction under fp strict");
    sq_kernel_free(k);

    k = with_deps(kernel_gemm_relu(ctx));
    refused(k, "parts(S1, j:16)", "S1 has no sum, product, maximum or minimum to take in parts");
    sq_kernel_free(k);
    k = with_deps(kernel_written(ctx));
    accepted(k, "distribute(S0) parts(S1, k:16)");
    k->stmt[1]->write->array->alias = true;
    refused(k, "distribute(S0) parts(S1, k:16)", "needs arrays that do not overlap");
    sq_kernel_free(k);
}

/* A reduction that starts inside the tile comes out of it again: micro() gives it a loop. */
static void taken_out(void **state)
{
    (void)state;
    sq_kernel *k = with_deps(kernel_gemm(ctx, SQ_F32, SQ_F32));
    assert_string_equal(accepted(k, "parts(S0, k:16) S0_parts: micro() hold(k)"),
                        "parts(S0, k:16)\nS0_parts: micro() hold(k)");
    assert_string_equal(
        accepted(k,
                 "parts(S0, k:16) S0_parts: micro() order(j, k_part, i, k) tile(j:8, k:4) "
                 "order(j0, k_part, i, j, k0, k) micro(i:2, j:4 | k) micro(j:4) hold(k0) hold(k)"),
        "parts(S0, k:16)\nS0_parts: micro() tile(j:8, k:4) order(j0, k_part, i, j, k0, k) "
        "micro(j:4) hold(k0) hold(k)");
    sq_kernel_free(k);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(distributed),      cmocka_unit_test(distributed_inside),
        cmocka_unit_test(named_by_statement), cmocka_unit_test(parted),
        cmocka_unit_test(taken_out),        cmocka_unit_test(inlined),
        cmocka_unit_test(inlined_in_place), cmocka_unit_test(expanded),
    };
    return cmocka_run_group_tests(tests, open_isl, close_isl);
}
