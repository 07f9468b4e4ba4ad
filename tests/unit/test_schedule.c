/* Schedules: the naive order, facts about statements, time at the level of tiles, legality by form
 * and by dependences, machine classes. Transforms are tested in test_transforms.c; here groups are
 * changed by hand. */
#include "ir/dependence/deps.h"
#include "ir/dependence/legal.h"
#include "ir/machine/machine.h"
#include "support/text.h"
#include "tests/unit/child_says.h"
#include "tests/unit/isl_context.h"
#include "tests/unit/kernels.h"
#include "tests/unit/respected.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static sq_kernel *with_deps(sq_kernel *k)
{
    sq_diags *d = sq_diags_new();
    assert_int_equal(sq_deps_compute(k, d), 0);
    sq_diags_free(d);
    return k;
}

static sq_schedule *naive(const sq_kernel *k)
{
    sq_schedule *s = sq_schedule_new(k, k->arena);
    assert_non_null(s);
    return s;
}

static sq_loop loop(const sq_group *g, int dim, const char *name, int64_t step)
{
    (void)g;
    return (sq_loop){.name = name, .dim = dim, .step = step};
}

/* gemm in the shape of the header's example. */
static sq_schedule *tiled_gemm(const sq_kernel *k)
{
    sq_schedule *s = naive(k);
    sq_group *g = s->group[0];
    const sq_loop loops[] = {loop(g, 1, "j0", 256), loop(g, 2, "k0", 768), loop(g, 0, "i0", 48),
                             loop(g, 1, "j", 16), loop(g, 0, "i", 6)};
    g->nloops = 5;
    memcpy(g->loop, loops, sizeof loops);
    g->micro.points[0] = 6;
    g->micro.points[1] = 16;
    g->micro.vector = 1;
    g->micro.lanes = 16;
    g->micro.serial = 2;
    return s;
}

static void naive_loops(void **state)
{
    (void)state;
    sq_kernel *k = kernel_gemm(ctx, SQ_F32, SQ_F32);
    sq_schedule *s = naive(k);
    const sq_group *g = s->group[0];
    assert_int_equal(s->ngroups, 1);
    assert_int_equal(g->nloops, 3);
    assert_int_equal(g->micro.serial, -1);
    assert_int_equal(g->micro.points[15], 1);
    assert_true(sq_group_partial_sums(g));
    assert_int_equal(sq_group_loop(g, "k"), 2);
    assert_int_equal(sq_group_loop(g, "k0"), -1);
    assert_int_equal(sq_group_dim(g, "j"), 1);
    assert_int_equal(sq_group_inner_loop(g, 0), 0);
    sq_kernel_free(k);
}

static void naive_holds_what_cannot_be_stored(void **state)
{
    (void)state;
    const char *why = NULL;
    sq_kernel *k = with_deps(kernel_conv(ctx));
    sq_schedule *s = naive(k);
    const sq_group *g = s->group[0];
    assert_int_equal(g->nloops, 3);
    assert_int_equal(g->micro.serial, 3);
    assert_int_equal(g->micro.points[4], 3);
    assert_int_equal(g->micro.points[5], 3);
    assert_false(sq_group_partial_sums(g));
    assert_int_equal(sq_schedule_legal(s, &why), 0);
    sq_kernel_free(k);
    k = with_deps(kernel_trmm(ctx));
    s = naive(k);
    assert_int_equal(s->group[0]->micro.serial, 2);
    assert_int_equal(sq_schedule_legal(s, &why), 0);
    sq_kernel_free(k);
}

static void written_groups(void **state)
{
    (void)state;
    const char *why = NULL;
    sq_kernel *k = with_deps(kernel_jacobi(ctx));
    sq_schedule *s = naive(k);
    assert_int_equal(s->ngroups, 1);
    assert_int_equal(s->group[0]->kind, SQ_GROUP_WRITTEN);
    assert_int_equal(s->group[0]->nstmts, 2);
    assert_int_equal(sq_schedule_legal(s, &why), 0);
    sq_kernel_free(k);
    k = with_deps(kernel_rows(ctx, 1));
    s = naive(k);
    assert_int_equal(s->group[0]->kind, SQ_GROUP_TILED);
    assert_int_equal(s->group[0]->nloops, 2);
    sq_kernel_free(k);
    k = kernel_rows(ctx, 1);
    isl_map_free(k->stmt[0]->textual);
    k->stmt[0]->textual = isl_map_read_from_str(ctx, "{ S0[i,j] -> [0,i,0,-j,0] }");
    s = naive(k);
    assert_int_equal(s->group[0]->kind, SQ_GROUP_WRITTEN);
    sq_kernel_free(k);
}

static void copies_are_deep(void **state)
{
    (void)state;
    sq_kernel *k = kernel_gemm(ctx, SQ_F32, SQ_F32);
    sq_schedule *s = naive(k), *c = sq_schedule_copy(s, k->arena);
    c->group[0]->loop[0].step = 7;
    assert_int_equal(s->group[0]->loop[0].step, 1);
    assert_ptr_equal(c->group[0]->stmt[0], s->group[0]->stmt[0]);
    sq_kernel_free(k);
}

static void facts(void **state)
{
    (void)state;
    sq_kernel *k = kernel_gemm(ctx, SQ_F32, SQ_F32), *c = kernel_conv(ctx), *t = kernel_trmm(ctx);
    assert_true(sq_stmt_linear(k->stmt[0]));
    assert_false(sq_stmt_linear(c->stmt[0]));
    assert_int_equal(sq_group_epilogue(naive(k)->group[0]), SQ_EPILOGUE_FIRST);
    assert_int_equal(sq_group_epilogue(naive(c)->group[0]), SQ_EPILOGUE_LAST);
    assert_int_equal(sq_stmt_extent(c->stmt[0], 4), 3);
    assert_int_equal(sq_stmt_extent(c->stmt[0], 3), -1);
    assert_true(sq_stmt_rectangular(k->stmt[0], 2));
    assert_false(sq_stmt_rectangular(t->stmt[0], 2));
    assert_true(sq_stmt_rectangular(t->stmt[0], 1));
    assert_int_equal(sq_group_lanes(naive(k)->group[0], 48), 16);
    assert_int_equal(sq_group_lanes(naive(t)->group[0], 48), 8);
    assert_int_equal(sq_group_lanes(naive(k)->group[0], 6), 2);
    assert_int_equal(sq_group_lanes(naive(k)->group[0], 7), 1);
    sq_kernel_free(k);
    sq_kernel_free(c);
    sq_kernel_free(t);
}

/* value: expression of the reduction R, the scalar 2 and the old C. */
static void linear_forms(void **state)
{
    (void)state;
    sq_kernel *k = kernel_gemm(ctx, SQ_F32, SQ_F32);
    sq_stmt *s = k->stmt[0];
    sq_expr *R = reduced(k, SQ_F32), *two = number(k, SQ_F32, 2);
    sq_expr *old = read_of(k, "C", "{ S0[i,j] -> C[(i),(j)] }", 1), *own = s->value;
    const struct {
        sq_expr *value;
        bool form, first;
    } rows[] = {
        {R, true, true},
        {node(k, SQ_OP_NEG, SQ_F32, R, NULL), true, true},
        {node(k, SQ_OP_DIV, SQ_F32, R, two), true, true},
        {node(k, SQ_OP_DIV, SQ_F32, two, R), false, false},
        {node(k, SQ_OP_MUL, SQ_F32, R, R), false, false},
        {node(k, SQ_OP_SUB, SQ_F32, old, R), true, true},
        {node(k, SQ_OP_MUL, SQ_F32, old, R), true, false},
        {node(k, SQ_OP_ADD, SQ_F32, R, node(k, SQ_OP_EXP, SQ_F32, two, NULL)), true, true},
        {node(k, SQ_OP_EXP, SQ_F32, R, NULL), false, false},
        {node(k, SQ_OP_CAST, SQ_F64, R, NULL), false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        s->value = rows[i].value;
        assert_int_equal(sq_expr_linear(s->value), rows[i].form);
        assert_int_equal(sq_stmt_linear(s), rows[i].first);
    }
    s->value = node(k, SQ_OP_ADD, SQ_F32, R, two);
    s->reduce = SQ_OP_MAX;
    assert_false(sq_stmt_linear(s));
    s->value = own;
    isl_multi_aff_free(old->access->map);
    sq_kernel_free(k);
}

static void time_of_tiles(void **state)
{
    (void)state;
    sq_kernel *k = with_deps(kernel_gemm(ctx, SQ_F32, SQ_F32));
    sq_schedule *s = tiled_gemm(k);
    isl_union_map *t = schedule_time(s);
    isl_union_map *e = isl_union_map_read_from_str(
        ctx, "[M,N,K] -> {"
             "S0_u[i,j,k] -> [0,0,256*floor(j/256),768*floor(k/768),48*floor(i/48),16*floor(j/16),"
             "6*floor(i/6),0] : 0 <= i < M and 0 <= j < N and 0 <= k < K;"
             "S0[i,j] -> [0,0,256*floor(j/256),768*floor((K-1)/768),48*floor(i/48),16*floor(j/16),"
             "6*floor(i/6),0] : 0 <= i < M and 0 <= j < N }");
    t = isl_union_map_intersect_params(t, isl_set_copy(k->context));
    e = isl_union_map_intersect_params(e, isl_set_copy(k->context));
    assert_int_equal(isl_union_map_is_equal(t, e), isl_bool_true);
    isl_union_map_free(e);
    const char *why = "";
    assert_int_equal(deps_respected(k, t, true, &why), 0);
    isl_union_map_free(t);
    sq_kernel_free(k);
}

/* A step that does not divide the one around it counts from that loop's value; a dimension that
 * does not start at 0 from its own start. */
static void time_is_relative(void **state)
{
    (void)state;
    sq_kernel *k = kernel_rows(ctx, 1);
    sq_schedule *s = naive(k);
    sq_group *g = s->group[0];
    const sq_loop loops[] = {loop(g, 0, "i0", 48), loop(g, 0, "i", 7), loop(g, 1, "j", 4)};
    g->nloops = 3;
    memcpy(g->loop, loops, sizeof loops);
    isl_union_map *t = schedule_time(s);
    isl_union_map *e = isl_union_map_read_from_str(
        ctx, "[N] -> { S0[i,j] -> [0,0,a,a + 7*floor((i - a)/7),1 + 4*floor((j - 1)/4),0] :"
             "a = 1 + 48*floor((i - 1)/48) and 1 <= i < N and 1 <= j < N - 1 }");
    assert_int_equal(isl_union_map_is_equal(t, e), isl_bool_true);
    isl_union_map_free(e);
    isl_union_map_free(t);
    sq_kernel_free(k);
}

static void tiled_gemm_is_legal(void **state)
{
    (void)state;
    const char *why = "";
    sq_kernel *k = with_deps(kernel_gemm(ctx, SQ_F32, SQ_F32));
    sq_schedule *s = tiled_gemm(k);
    assert_int_equal(sq_schedule_legal(s, &why), 0);
    sq_kernel_free(k);
}

static void break_nesting(sq_group *g)
{
    g->loop[4].step = 96;
}
static void break_lanes(sq_group *g)
{
    g->micro.points[1] = 24;
}
static void break_vector(sq_group *g)
{
    g->micro.vector = 2;
}
static void break_threads(sq_group *g)
{
    g->loop[1].runs = SQ_LOOP_THREADS;
}
static void break_deal(sq_group *g)
{
    g->micro.split = 2;
}
static void break_size(sq_group *g)
{
    g->micro.points[0] = g->loop[4].step = 4096;
    g->loop[2].step = 8192;
    g->micro.points[1] = g->loop[3].step = 64;
}
static void break_epilogue(sq_group *g)
{
    g->epilogue = SQ_EPILOGUE_LAST;
}

static sq_pack copy_of(const sq_group *g, const sq_access *a, int at, int dim, int64_t block)
{
    sq_pack p = {.array = a->array, .loop = at, .npanels = 1};
    (void)g;
    p.panel[0].dim = dim;
    p.panel[0].block = block;
    return p;
}

static const sq_access *access_no(const sq_group *g, int i)
{
    sq_access *read[8];
    sq_stmt_reads(g->stmt[0], read, NULL, 8);
    return i < 0 ? g->stmt[0]->write : read[i];
}

static void break_copy(sq_group *g)
{
    g->pack[g->npacks++] = copy_of(g, access_no(g, -1), 1, 1, 16);
}

static void break_panel(sq_group *g)
{
    g->pack[g->npacks++] = copy_of(g, access_no(g, 1), 1, 0, 6);
}

static void break_block(sq_group *g)
{
    g->pack[g->npacks++] = copy_of(g, access_no(g, 1), 1, 1, 24);
}

static void break_size_of_copy(sq_group *g)
{
    g->pack[g->npacks++] = copy_of(g, access_no(g, 1), 0, 1, 16);
}

static void break_alignment(sq_group *g)
{
    g->loop[2] = loop(g, 1, "j1", 40);
    g->pack[g->npacks++] = copy_of(g, access_no(g, 1), 1, 1, 16);
}

static void break_twice(sq_group *g)
{
    g->pack[g->npacks++] = copy_of(g, access_no(g, 1), 1, 1, 16);
    g->pack[g->npacks++] = copy_of(g, access_no(g, 1), 2, 1, 8);
}

static void rules_of_form(void **state)
{
    (void)state;
    static const struct {
        void (*change)(sq_group *g);
        const char *why;
    } rows[] = {
        {break_nesting, "'i' runs inside 'i0' but advances further: by 96 points, not at most 48"},
        {break_lanes, "24 points of 'j' are no whole number of vectors of 16"},
        {break_vector, "'k' has one point in the register tile"},
        {break_threads, "'k0' runs over the reduction dimension 'k'"},
        {break_deal, "1 written-out steps cannot be dealt evenly to 2 accumulators"},
        {break_size, "the register tile would hold 16384 vectors; 256 at most"},
        {break_epilogue, "the value reads the old output"},
        {break_copy, "C is written in the same loops"},
        {break_panel, "a blocked dimension must stand alone in a subscript"},
        {break_block,
         "panels of 24 along 'j' need a register tile of a multiple of 24 points of it, not 16"},
        {break_size_of_copy, "the copy of B has no known size: all of 'k' lies inside"},
        {break_alignment, "'j1' advances by 40 points, no whole number of panels of 16"},
        {break_twice, "B is packed twice"},
    };
    sq_kernel *k = with_deps(kernel_gemm(ctx, SQ_F32, SQ_F32));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *why = "";
        sq_schedule *s = tiled_gemm(k);
        rows[i].change(s->group[0]);
        assert_int_equal(sq_schedule_legal(s, &why), -1);
        if (!strstr(why, rows[i].why))
            print_error("row %zu: %s\n", i, why);
        assert_non_null(strstr(why, rows[i].why));
    }
    sq_kernel_free(k);
}

static void sums_need_their_type(void **state)
{
    (void)state;
    const char *why = "";
    sq_kernel *k = with_deps(kernel_gemm(ctx, SQ_F32, SQ_F64));
    sq_schedule *s = naive(k);
    assert_int_equal(s->group[0]->micro.serial, 2);
    assert_int_equal(sq_schedule_legal(s, &why), 0);
    assert_int_equal(sq_schedule_legal(tiled_gemm(k), &why), -1);
    assert_non_null(strstr(why, "rounded to the output's type"));
    sq_kernel_free(k);
}

static void refused(sq_schedule *s, const char *expected)
{
    const char *why = "";
    assert_int_equal(sq_schedule_legal(s, &why), -1);
    assert_string_equal(why, expected);
}

static void rules_of_order(void **state)
{
    (void)state;
    const char *why = "";
    sq_kernel *k = with_deps(kernel_rows(ctx, 1));
    sq_schedule *s = naive(k);
    sq_group *g = s->group[0];
    assert_int_equal(sq_schedule_legal(s, &why), 0);
    g->loop[1].runs = SQ_LOOP_THREADS;
    assert_int_equal(sq_schedule_legal(s, &why), 0);
    g->loop[0].runs = SQ_LOOP_THREADS;
    refused(s, "loop 'i' carries a dependence: for example with N=4: S0[i=2, j=1] needs "
               "S0[i=1, j=2]");
    g->loop[0].runs = g->loop[1].runs = SQ_LOOP_SERIAL;
    g->loop[0] = loop(g, 1, "j", 1);
    g->loop[1] = loop(g, 0, "i", 1);
    refused(s, "a dependence would be broken: for example with N=4: S0[i=2, j=1] needs "
               "S0[i=1, j=2], which would run later or in the same register tile");
    g->loop[0] = loop(g, 0, "i", 1);
    g->loop[1] = loop(g, 1, "j", 4);
    assert_int_equal(sq_schedule_legal(s, &why), 0);
    g->loop[0].step = 2;
    assert_int_equal(sq_schedule_legal(s, &why), -1);
    sq_kernel_free(k);
}

static sq_schedule *fused(const sq_kernel *k)
{
    sq_schedule *s = naive(k);
    s->group[0]->stmt[s->group[0]->nstmts++] = s->group[1]->stmt[0];
    s->ngroups = 1;
    return s;
}

static void fused_statements(void **state)
{
    (void)state;
    const char *why = "";
    for (int shift = -1; shift <= 1; shift++) {
        sq_kernel *k = with_deps(kernel_chain(ctx, shift, 1));
        sq_schedule *s = fused(k);
        assert_int_equal(sq_schedule_legal(s, &why), shift > 0 ? -1 : 0);
        s->group[0]->loop[0].runs = SQ_LOOP_THREADS;
        assert_int_equal(sq_schedule_legal(s, &why), shift == 0 ? 0 : -1);
        s->group[0]->loop[0].runs = SQ_LOOP_SERIAL;
        s->group[0]->loop[0].step = s->group[0]->micro.points[0] = 4;
        assert_int_equal(sq_schedule_legal(s, &why), shift == 0 ? 0 : -1);
        sq_kernel_free(k);
    }
    sq_kernel *k = with_deps(kernel_chain(ctx, 0, 1));
    sq_schedule *s = naive(k);
    sq_group *first = s->group[0];
    s->group[0] = s->group[1];
    s->group[1] = first;
    refused(s, "a dependence would be broken: for example with N=3: S1[i=1] needs S0[i=1], which "
               "would run later");
    sq_kernel_free(k);
}

static void panels_by_name(void **state)
{
    (void)state;
    int dim = -1;
    int64_t block = 0;
    sq_kernel *k = kernel_gemm(ctx, SQ_F32, SQ_F32);
    sq_group *g = naive(k)->group[0];
    g->dim[0] = "j1";
    assert_true(sq_group_panel(g, "j16", &dim, &block));
    assert_int_equal(dim, 0);
    assert_int_equal(block, 6);
    assert_true(sq_group_panel(g, "j20", &dim, &block));
    assert_int_equal(dim, 1);
    assert_int_equal(block, 20);
    assert_false(sq_group_panel(g, "j", &dim, &block));
    assert_false(sq_group_panel(g, "x16", &dim, &block));
    assert_false(sq_group_panel(g, "j2x", &dim, &block));
    sq_kernel_free(k);
}

static void machines(void **state)
{
    (void)state;
    for (const sq_machine *m = sq_machines; m->name; m++) {
        assert_ptr_equal(sq_machine_class(m->isa), m);
        assert_true(m->vector_bytes >= 16 && m->registers >= 16 && m->l1 > 0 && m->peak_f32 > 0);
        assert_non_null(m->cost);
    }
    assert_null(sq_machine_class("sse9"));
    assert_non_null(sq_machine_class(sq_machine_host_isa()));
}

/* A statement whose value adds up n elements. */
static sq_stmt *adding(int n, sq_arena *arena)
{
    sq_stmt *s = SQ_NEW(arena, sq_stmt);
    s->name = "S0";
    for (int i = 0; i < n; i++) {
        sq_expr *read = SQ_NEW(arena, sq_expr), *sum = SQ_NEW(arena, sq_expr);
        *read = (sq_expr){.op = SQ_OP_READ, .type = SQ_F32, .access = SQ_NEW(arena, sq_access)};
        *sum = (sq_expr){.op = SQ_OP_ADD, .type = SQ_F32, .nargs = 2, .arg = {s->value, read}};
        s->value = i ? sum : read;
    }
    return s;
}

static void list_reads(void *stmt)
{
    sq_access *read[SQ_MAX_STMT_READS];
    sq_stmt_all_reads(stmt, read, NULL);
}

static void reads_are_bounded(void **state)
{
    (void)state;
    sq_arena *arena = sq_arena_new();
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS];
    assert_int_equal(sq_stmt_all_reads(adding(SQ_MAX_STMT_READS, arena), read, in_body), SQ_MAX_STMT_READS);
    assert_true(read[0] != read[SQ_MAX_STMT_READS - 1] && !in_body[SQ_MAX_STMT_READS - 1]);
    int status;
    const char *said = child_says(list_reads, adding(SQ_MAX_STMT_READS + 1, arena), arena, &status);
    assert_true(WIFSIGNALED(status));
    assert_non_null(strstr(said, "statement S0 reads 513 elements, and there may be 512"));
    sq_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(naive_loops),
        cmocka_unit_test(naive_holds_what_cannot_be_stored),
        cmocka_unit_test(written_groups),
        cmocka_unit_test(copies_are_deep),
        cmocka_unit_test(facts),
        cmocka_unit_test(linear_forms),
        cmocka_unit_test(time_of_tiles),
        cmocka_unit_test(time_is_relative),
        cmocka_unit_test(tiled_gemm_is_legal),
        cmocka_unit_test(rules_of_form),
        cmocka_unit_test(sums_need_their_type),
        cmocka_unit_test(rules_of_order),
        cmocka_unit_test(fused_statements),
        cmocka_unit_test(panels_by_name),
        cmocka_unit_test(machines),
        cmocka_unit_test(reads_are_bounded),
    };
    return cmocka_run_group_tests(tests, open_isl, close_isl);
}
