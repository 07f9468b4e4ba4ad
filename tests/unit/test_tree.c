/* Trees: what respects the dependences of a stencil in a loop over time and what does not, whoever
 * built it: the tree that auto finds, the same with rows, sizes and marks put wrong one at a time.
 */
#include "frontend/frontend.h"
#include "ir/dependence/deps.h"
#include "ir/schedule/tree.h"
#include "support/text.h"
#include "tests/unit/unit.h"
#include "transforms/transform.h"
#include "tests/unit/respected.h"

static const char text[] = "#include \"squall.h\"\n"
                           "kernel smooth(int T, int N, inout f64 A[N], inout f64 B[N])\n{\n"
                           "    for (int t = 0; t < T; t++) {\n"
                           "        for (int i = 1; i < N - 1; i++) B[i] = A[i - 1] + A[i + 1];\n"
                           "        for (int i = 1; i < N - 1; i++) A[i] = B[i - 1] + B[i + 1];\n"
                           "    }\n}\n"
                           "kernel sums(int M, int N, const f64 A[M][N], f64 Y[M])\n{\n"
                           "    for (int i = 0; i < M; i++) {\n"
                           "        f64 s = 0;\n"
                           "        for (int j = 0; j < N; j++) s += A[i][j];\n"
                           "        Y[i] = s;\n"
                           "    }\n}\n"
                           "kernel chain(int T, int N, inout f64 A[N][N], f64 Y[N])\n{\n"
                           "    for (int t = 0; t < T; t++) {\n"
                           "        for (int i = 1; i < N; i++)\n"
                           "            for (int j = 1; j < N; j++) A[i][j] = A[i - 1][j] + A[i][j - 1];\n"
                           "        for (int i = 0; i < N; i++)\n"
                           "            for (int k = 0; k < i; k++) A[i][0] -= A[i][k + 1] * A[k][0];\n"
                           "        for (int i = 0; i < N; i++) Y[i] = A[i][0];\n"
                           "    }\n}\n";

typedef struct fixture {
    isl_ctx *ctx;
    sq_diags *d;
    sq_unit *u;
    sq_arena *arena;
    const sq_group *g;
    sq_tree *tree; /* ours to change */
} fixture;

static sq_tree *copy(const sq_tree *t, sq_arena *arena, int nstmts)
{
    sq_tree *c = sq_tree_new(arena, t->kind, t->nchildren, t->stmt, t->nstmts);
    c->nmembers = t->nmembers;
    c->wavefront = t->wavefront;
    c->member = SQ_NEW_ARRAY(arena, sq_member, t->nmembers + 1);
    for (int m = 0; m < t->nmembers; m++) {
        c->member[m] = t->member[m];
        c->member[m].row = SQ_NEW_ARRAY(arena, sq_row, nstmts);
        memcpy(c->member[m].row, t->member[m].row, (size_t)nstmts * sizeof(sq_row));
    }
    c->nest = t->nest;
    for (int i = 0; i < t->nchildren; i++)
        c->child[i] = copy(t->child[i], arena, nstmts);
    return c;
}

/* The tree of a script for one of the kernels. */
static fixture of(int kernel, const char *script)
{
    fixture f = {.ctx = isl_ctx_alloc(), .d = sq_diags_new(), .arena = sq_arena_new()};
    sq_parse_options o = {0};
    f.u = sq_parse(f.ctx, "t.sq", text, strlen(text), &o, f.d);
    assert_non_null(f.u);
    for (int i = 0; i < f.u->nkernels; i++)
        assert_int_equal(sq_deps_compute(f.u->kernel[i], f.d), 0);
    sq_kernel *k = f.u->kernel[kernel];
    sq_schedule *s = sq_schedule_new(k, f.arena);
    assert_int_equal(sq_script_apply(s, script, "test", f.arena, f.d), 0);
    assert_int_equal(s->ngroups, 1);
    assert_int_equal(s->group[0]->kind, SQ_GROUP_TREE);
    f.g = s->group[0];
    f.tree = copy(f.g->plan->tree, f.arena, f.g->nstmts);
    return f;
}

static void done(fixture *f)
{
    sq_unit_free(f->u);
    sq_arena_free(f->arena);
    sq_diags_free(f->d);
    isl_ctx_free(f->ctx);
}

static const char *verdict(const fixture *f, int kernel)
{
    const char *why = "";
    return sq_tree_legal(f->u->kernel[kernel], f->g, f->tree, &why) == 0 ? NULL : why ? why : "";
}

static void skewed_tiles(void **state)
{
    (void)state;
    fixture f = of(0, "auto(tile:8)");
    assert_int_equal(f.tree->kind, SQ_TREE_TILE);
    assert_null(verdict(&f, 0));
    f.tree->member[1].row[0].dim[0] -= 1; /* S0 skewed by less than the stencil reaches */
    f.tree->member[1].row[1].dim[0] -= 1;
    assert_non_null(strstr(verdict(&f, 0), "a dependence would be broken: for example"));
    done(&f);
}

static void shift_of_one_statement(void **state)
{
    (void)state;
    fixture f = of(0, "auto(tile:8)");
    f.tree->member[1].row[1].konst -= 4; /* S1 earlier */
    assert_non_null(strstr(verdict(&f, 0), "which would run later"));
    done(&f);
}

static void threads_need_a_wavefront(void **state)
{
    (void)state;
    fixture f = of(0, "auto(tile:8, parallel)");
    assert_true(f.tree->wavefront && f.tree->member[1].parallel);
    assert_null(verdict(&f, 0));
    f.tree->wavefront = false;
    assert_non_null(strstr(verdict(&f, 0), "carries a dependence"));
    done(&f);
}

static void vectors_that_carry(void **state)
{
    (void)state;
    fixture f = of(0, "auto(keep:1)");
    assert_null(verdict(&f, 0));
    f.tree->member[0].vector = true; /* the loop over time */
    assert_non_null(strstr(verdict(&f, 0), "carries a dependence"));
    done(&f);
}

/* A grid shares all loops inside the one over time, and none that carries. */
static void a_grid_shares_what_is_free(void **state)
{
    (void)state;
    fixture f = of(0, "auto(fuse:min, grid:64)");
    assert_int_equal(f.tree->nmembers, 1);
    assert_false(f.tree->member[0].parallel);
    const sq_tree *inside = f.tree->child[0];
    assert_int_equal(inside->kind, SQ_TREE_SEQUENCE);
    for (int i = 0; i < 2; i++) {
        assert_true(inside->child[i]->member[0].parallel);
        assert_false(inside->child[i]->member[0].vector);
    }
    assert_null(verdict(&f, 0));
    f.tree->member[0].parallel = true;
    assert_non_null(strstr(verdict(&f, 0), "carries a dependence"));
    done(&f);
}

static void copies_make_it_parallel(void **state)
{
    (void)state;
    fixture f = of(1, "auto(parallel)");
    assert_true(f.tree->member[0].parallel);
    assert_int_equal(f.tree->member[0].nprivate, 1);
    assert_null(verdict(&f, 1));
    f.tree->member[0].nprivate = 0;
    assert_non_null(verdict(&f, 1));
    done(&f);
}

/* The bare read of a sum is the only thing that makes updates change places. */
static void sums_by_form(void **state)
{
    (void)state;
    fixture f = of(1, "auto()");
    const sq_kernel *k = f.u->kernel[1];
    assert_null(sq_stmt_sum(k->stmt[0]));
    assert_non_null(sq_stmt_sum(k->stmt[1]));
    assert_null(sq_stmt_sum(k->stmt[2]));
    done(&f);
}

/* Orders that isl was asked for after one more script. */
static int orders_after(const fixture *f, const char *script)
{
    const char *why;
    const sq_kernel *k = f->u->kernel[0];
    sq_schedule *s = sq_schedule_new(k, f->arena);
    assert_int_equal(sq_script_apply(s, script, "test", f->arena, f->d), 0);
    const sq_tree_deps *deps = sq_tree_deps_of(k, s->group[0], &why);
    assert_ptr_equal(deps, sq_tree_deps_of(k, f->g, &why));
    int n = 0;
    for (const sq_tree_order *o = *deps->orders; o; o = o->next)
        n++;
    return n;
}

/* Scripts that differ in tiles and threads alone share an order. */
static void orders_are_kept(void **state)
{
    (void)state;
    fixture f = of(0, "auto(tile:8)");
    assert_int_equal(orders_after(&f, "auto(tile:16, parallel)"), 1);
    assert_int_equal(orders_after(&f, "auto()"), 1);
    assert_int_equal(orders_after(&f, "auto(keep:1)"), 2);
    assert_int_equal(orders_after(&f, "auto(keep:1, parallel)"), 2);
    assert_int_equal(orders_after(&f, "auto(fuse:min)"), 3);
    done(&f);
}

/* The canonical text of a script for a kernel; of a refused one the message. */
static const char *said(const fixture *f, int kernel, const char *script)
{
    sq_text to = {0};
    sq_diags *d = sq_diags_new();
    sq_schedule *s = sq_schedule_new(f->u->kernel[kernel], f->arena);
    if (sq_script_apply(s, script, "test", f->arena, d))
        sq_text_puts(&to, sq_diags_message(d, 0));
    else
        sq_schedule_print(s, &to);
    sq_diags_free(d);
    return sq_text_take(&to, f->arena);
}

/* Loops that one statement has by itself take the calls of a nest, in a tree of whatever origin. */
static void a_statement_has_a_nest(void **state)
{
    static const struct {
        int kernel;
        const char *script, *says;
    } rows[] = {
        {0, "micro(S0.i:8)", "S0: micro(i:8)"},
        {0, "S1: tile(i:32) micro(i:8) parallel(i0)", "S1: tile(i:32) micro(i:8) parallel(i0)"},
        {0, "parallel(S1.i) micro(S1.i:8)", "S1: micro(i:8) parallel(i)"},
        {0, "parallel(S0.i) micro(S1.i:8)", "parallel(S0.i)\nS1: micro(i:8)"},
        {0, "auto(keep:1, fuse:min, tile:16) micro(S1.i:8)", "auto(fuse:min, keep:1, tile:16)\nS1: micro(i:8)"},
        {0, "auto(keep:1, fuse:min, tile:16) tile(S1.i:4)",
         "auto(fuse:min, keep:1, tile:16)\nS1: tile(i:4)"},
        {1, "micro(| S1.j) vectorize(S1.j:4) unroll(S1.j:2) split(S1.j:2)",
         "S1: micro(| j) vectorize(j:4) unroll(j:2) split(j:2)"},
        {0, "micro(S0.t:2)", "micro refused: 't' is a loop that S0 shares with other statements; there are i"},
        {0, "micro(i:8)", "micro refused: these are loops of several statements: name the one whose own loops are"},
        {0, "auto(tile:8) micro(S0.i:8)", "micro refused: S0: it shares tiles over 'i' with S1, which the loops"},
        {0, "auto(grid:32) micro(S0.i:8)", "micro refused: blocks of a grid share the loops of auto(grid)"},
        {0, "micro(S0.i:8) auto()", "auto refused: it makes new loops for S0, in which `S0: micro(i:8)` before it"},
        {1, "micro(S0.i:4)", "micro refused: S0: all of its loops are shared with other statements"},
        {1, "parallel(S1.i) micro(| S1.j)", "micro refused: each iteration of a loop that threads share has 's'"},
        {2, "order(S0.j, i)", "S0: order(j, i)"},
        {2, "micro(S0.j:8)", "micro refused: a dependence would be broken: for example with T=1, N=3: "
                             "S0[t=0, i=1, j=2] needs S0[t=0, i=1, j=1], which would run later or in the same"},
        {2, "micro(| S1.k)", "S1: micro(| k)"},
        {2, "micro(S1.i:2 | k)", "micro refused: a dependence would be broken: for example with T=1, N=3: "},
        {2, "order(S0.j, i) parallel(S0.j)", "parallel refused: loop 'j' carries a dependence: for example with"},
        {2, "micro(| S1.k) parallel(S1.i)", "parallel refused: loop 'i' carries a dependence: for example with"},
        {0, "dot(S0, i)", "dot refused: the loops of S0 are C loops of several levels, which take auto, parallel"},
    };
    (void)state;
    fixture f = of(0, "micro(S0.i:8)");
    assert_null(verdict(&f, 0));
    for (size_t i = 0; i < LENGTH(rows); i++) {
        const char *says = said(&f, rows[i].kernel, rows[i].script);
        if (strncmp(says, rows[i].says, strlen(rows[i].says)) != 0)
            print_error("%s: %s\n", rows[i].script, says);
        assert_int_equal(strncmp(says, rows[i].says, strlen(rows[i].says)), 0);
        if (!strstr(says, "refused"))
            assert_string_equal(said(&f, rows[i].kernel, says), says);
    }
    done(&f);
}

/* auto() makes new loops: it takes the place of an auto() before it, and of no other call. */
static void auto_drops_no_call(void **state)
{
    static const char lost[] = "auto refused: it makes new loops for S0, in which `%s` before it would be lost; write";
    (void)state;
    fixture f = of(0, "auto(tile:8) auto(tile:4)");
    assert_null(verdict(&f, 0));
    assert_string_equal(said(&f, 0, "auto(tile:8) auto(keep:1)"), "auto(fuse:smart, keep:1)");
    const char *calls[] = {"parallel(S1.i)", "auto(keep:1, fuse:min) parallel(S1.i)"};
    for (size_t i = 0; i < LENGTH(calls); i++) {
        const char *says = said(&f, 0, sq_arena_printf(f.arena, "%s auto(tile:8)", calls[i]));
        const char *expect = sq_arena_printf(f.arena, lost, "parallel(S1.i)");
        assert_int_equal(strncmp(says, expect, strlen(expect)), 0);
    }
    done(&f);
}

/* parallel() names a loop by the dimension that it counts for a statement: of C loops, and of what auto() made. */
static void threads_share_a_loop_by_name(void **state)
{
    static const struct {
        const char *script, *says;
    } rows[] = {
        {"parallel(i)", "parallel(S0.i)"},
        {"S1: parallel(i)", "parallel(S1.i)"},
        {"parallel(S1.i) parallel(S0.i)", "parallel(S1.i) parallel(S0.i)"},
        {"auto(keep:1, fuse:min) parallel(S1.i)", "auto(fuse:min, keep:1) parallel(S1.i)"},
        {"auto(keep:1, tile:4) parallel(S1.i)", "auto(fuse:smart, keep:1, tile:4) parallel(S1.i)"},
        {"parallel(t)", "parallel refused: a loop that is to run side by side carries a dependence: for example with "
                        "T=2, N=4: S1[t=1, i=2] needs S0[t=0, i=1]"},
        {"auto() parallel(i)", "auto(fuse:smart) parallel(S0.i)"},
        {"auto(tile:4, tile:8) parallel(S1.i0)", "parallel refused: a loop that is to run side by side carries"},
        {"parallel(S0.i) parallel(S0.i)", "parallel refused: threads share a loop around it or inside of it already"},
        {"auto(parallel, tile:4) parallel(S0.i)", "parallel refused: threads share a loop around it or inside"},
        {"parallel(S0.j)", "parallel refused: 'j' is no loop here; there are t, i"},
        {"parallel(S0.i0)", "parallel refused: 'i0' is no loop here"},
        {"auto(grid:32) parallel(S0.i)", "parallel refused: blocks of a grid share the loops"},
        {"parallel(S0.i) tile(i:8)", "tile refused: these are loops of several statements: name the one whose own"},
    };
    (void)state;
    fixture f = of(0, "parallel(S1.i)");
    assert_null(verdict(&f, 0));
    assert_true(f.g->plan->written);
    for (size_t i = 0; i < LENGTH(rows); i++) {
        const char *says = said(&f, 0, rows[i].script);
        if (strncmp(says, rows[i].says, strlen(rows[i].says)) != 0)
            print_error("%s: %s\n", rows[i].script, says);
        assert_int_equal(strncmp(says, rows[i].says, strlen(rows[i].says)), 0);
    }
    assert_string_equal(said(&f, 0, said(&f, 0, "auto(keep:1) parallel(S0.i)")),
                        said(&f, 0, "auto(keep:1) parallel(S0.i)"));
    assert_true(f.tree->member[0].parallel == false);
    done(&f);

    /* Its scalar is each thread's own. */
    f = of(1, "parallel(S2.i)");
    assert_true(f.tree->member[0].parallel);
    assert_int_equal(f.tree->member[0].nprivate, 1);
    assert_int_equal(f.tree->child[0]->nchildren, 3);
    assert_string_equal(said(&f, 1, "parallel(S1.j)"),
                        "parallel refused: a loop that is to run side by side carries a dependence: for example with "
                        "M=1, N=2: S1[i=0, j=1] needs S1[i=0, j=0]");
    done(&f);
}

static void times_tell_statements_apart(void **state)
{
    (void)state;
    fixture f = of(0, "auto(keep:1)");
    isl_union_map *t = isl_union_map_empty(isl_set_get_space(f.u->kernel[0]->context));
    for (int i = 0; i < 2; i++)
        t = isl_union_map_add_map(
            t, isl_map_intersect_domain(
                   sq_tree_time(f.u->kernel[0], f.tree, f.g->stmt[i], i, sq_tree_depth(f.tree)),
                   isl_set_copy(f.g->stmt[i]->domain)));
    const char *why = NULL;
    assert_int_equal(deps_respected(f.u->kernel[0], t, false, &why), 0);
    isl_union_map_free(t);
    done(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skewed_tiles),
        cmocka_unit_test(shift_of_one_statement),
        cmocka_unit_test(threads_need_a_wavefront),
        cmocka_unit_test(vectors_that_carry),
        cmocka_unit_test(a_grid_shares_what_is_free),
        cmocka_unit_test(copies_make_it_parallel),
        cmocka_unit_test(sums_by_form),
        cmocka_unit_test(orders_are_kept),
        cmocka_unit_test(a_statement_has_a_nest),
        cmocka_unit_test(auto_drops_no_call),
        cmocka_unit_test(threads_share_a_loop_by_name),
        cmocka_unit_test(times_tell_statements_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
