/* Transforms: every row's legal and refused call, the script language in tables, canonical text
 * that reads back, random scripts that must be legal or refused with a reason, and refusals with
 * two instances that show why. */
#include "support/stats.h"
#include "tests/unit/scripts.h"

static const char target[] = "tile(j:256, k:768, i:48) order(j0, k0, i0, j, i) "
                             "pack(B at k0 as j16) micro(i:6, j:16 | k) parallel(i0)";

/* What a transform's example is for. */
static sq_kernel *example_kernel(const char *name)
{
    if (strcmp(name, "online") == 0)
        return kernel_softmax(ctx, "{ S1_u[i,j] -> X[(i),(j)] }",
                              "[M,N] -> { S1_u[i,j] : 0 <= i < M and 0 <= j < N }");
    if (strcmp(name, "inline") == 0 || strcmp(name, "expand") == 0)
        return kernel_chain(ctx, 0, 0);
    if (strcmp(name, "distribute") == 0)
        return kernel_written(ctx);
    if (strcmp(name, "narrow") == 0)
        return kernel_window(ctx);
    if (strcmp(name, "merge") == 0)
        return kernel_copy(ctx);
    if (strcmp(name, "tensorize") == 0)
        return kernel_gemm(ctx, SQ_F16, SQ_F32);
    if (strcmp(name, "hoist") == 0)
        return kernel_scaled(ctx);
    if (strcmp(name, "dot") == 0)
        return kernel_gemm(ctx, SQ_I8, SQ_I32);
    return strcmp(name, "fuse") == 0 ? kernel_gemm_relu(ctx) : kernel_gemm(ctx, SQ_F32, SQ_F32);
}

static void every_row(void **state)
{
    (void)state;
    for (const sq_transform *t = sq_transforms; t->name; t++) {
        sq_kernel *k = with_deps(example_kernel(t->name));
        assert_true(strlen(t->doc) > 20);
        assert_true(strncmp(t->args, t->name, strlen(t->name)) == 0);
        assert_non_null(strstr(t->example, t->name));
        assert_non_null(strstr(t->refused, t->name));
        assert_string_not_equal(accepted(k, t->example), "");
        refused(k, t->refused, "refused: ");
        assert_ptr_equal(sq_transform_get(t->name), t);
        sq_kernel_free(k);
    }
    assert_null(sq_transform_get("til"));
}

/* The header's example comes out of its calls in every sequence that names only loops there are. */
static void any_sequence(void **state)
{
    (void)state;
    static const char *const calls[] = {"tile(j:256, k:768, i:48)", "order(j0, k0, i0, j, i)",
                                        "pack(B at k0 as j16)", "micro(i:6, j:16 | k)",
                                        "parallel(i0)"};
    sq_kernel *k = with_deps(kernel_gemm(ctx, SQ_F32, SQ_F32));
    int tried = 0;
    for (int code = 0; code < 3125; code++) {
        int used = 0, c = code, seen[5] = {0}, at_tile = 0;
        char script[400] = "";
        for (int i = 0; i < 5; i++, c /= 5) {
            used |= 1 << c % 5;
            seen[c % 5] = i;
            strcat(strcat(script, calls[c % 5]), " ");
        }
        at_tile = seen[0];
        if (used != 31 || seen[1] < at_tile || seen[2] < at_tile || seen[4] < at_tile)
            continue;
        assert_string_equal(accepted(k, script), target);
        tried++;
    }
    assert_int_equal(tried, 30);
    sq_kernel_free(k);
}

static void canonical_text(void **state)
{
    (void)state;
    static const struct {
        const char *script, *text;
    } rows[] = {
        {"", ""},
        {"# nothing\n  \n", ""},
        {"tile(i:48)tile(j:64)tile(i:12)", "tile(i:48, j:64, i:12)"},
        {"order(i, j, k)", ""},
        {"order(k)", "order(k, i, j)"},
        {"micro(j:16, i:6 | k)", "micro(j:16, i:6 | k)"},
        {"micro(i:6, j:16 | k)", "micro(i:6, j:16 | k)"},
        {"micro(j:16, i:5 | k)", "micro(i:5, j:16 | k) vectorize(j:1)"},
        {"micro(i:6, j:16 | k) vectorize(j:8)", "micro(i:6, j:16 | k) vectorize(j:8)"},
        {"micro(i:6, j:16 | k) vectorize(i:2)", "micro(j:16, i:6 | k)"},
        {"micro(i:8 | k) micro(j:16 | k)", "micro(j:16 | k)"},
        {"micro(| k)", "micro(| k)"},
        {"micro(| k) vectorize(k:16)", "micro(| k) vectorize(k:16)"},
        {"micro(j:4 | k) vectorize(k:8)", "micro(j:4 | k) vectorize(k:8)"},
        {"micro(j:8 | k) unroll(k:4)", "micro(j:8 | k) unroll(k:4)"},
        {"micro(j:8 | k) split(k:4)", "micro(j:8 | k) unroll(k:4) split(k:4)"},
        {"micro(j:8 | k) unroll(k:8) split(k:2)", "micro(j:8 | k) unroll(k:8) split(k:2)"},
        {"micro(i:6, j:16 | k) micro()", ""},
        {"tile(i:8, k:8) pack(A at k0 as i:2) micro(i:2 | k)",
         "tile(i:8, k:8) pack(A at k0 as i2) micro(i:2 | k)"},
        {"tile(i:12, k:8) pack(A at k0 as i6, k1) micro(i:6|k)",
         "tile(i:12, k:8) pack(A at k0 as i6 k1) micro(i:6 | k)"},
        {"epilogue(first) parallel(j)", "parallel(j) epilogue(first)"},
        {target, target},
    };
    sq_kernel *k = with_deps(kernel_gemm(ctx, SQ_F32, SQ_F32));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(accepted(k, rows[i].script), rows[i].text);
    sq_kernel_free(k);
}

static void several_groups(void **state)
{
    (void)state;
    sq_kernel *k = with_deps(kernel_gemm_relu(ctx));
    assert_string_equal(accepted(k, "micro(i:6, j:16 | k) S1: micro(j:16) parallel(i)"),
                        "S0: micro(i:6, j:16 | k)\nS1: micro(j:16) parallel(i)");
    assert_string_equal(accepted(k, "S1: micro(j:16)"), "S1: micro(j:16)");
    assert_string_equal(accepted(k, "fuse(S0, S1) micro(i:6, j:16 | k)"),
                        "fuse(S0, S1) micro(i:6, j:16 | k)");
    assert_string_equal(accepted(k, "fuse(S0, S1) S1: micro(i:6, j:16 | k)"),
                        "fuse(S0, S1) micro(i:6, j:16 | k)");
    refused(k, "S2: tile(i:4)", "there is no statement 'S2'");
    refused(k, "fuse(S1, S0)", "S0 has a reduction");
    refused(k, "fuse(S0, T1)", "'T1' is no statement");
    sq_kernel_free(k);
}

static void reductions_in_the_tile(void **state)
{
    (void)state;
    sq_kernel *k = with_deps(kernel_conv(ctx));
    assert_string_equal(accepted(k, "micro(f:6, x:16, r:3, s:3 | c)"),
                        "micro(f:6, r:3, s:3, x:16 | c)");
    assert_string_equal(accepted(k, "tile(f:12, y:4)"), "tile(f:12, y:4)");
    assert_string_equal(accepted(k, "micro(f:6, x:16, r:3, s:3 | c) tile(f:12) parallel(f0)"),
                        "tile(f:12) micro(f:6, r:3, s:3, x:16 | c) parallel(f0)");
    refused(k, "micro(r:2, s:3 | c)", "'r' has 3 points, not 2");
    refused(k, "micro(c:4, r:3, s:3)", "'c' has no constant extent");
    refused(k, "micro(x:16 | c)", "the value reads the old output");
    refused(k, "tile(c:16)", "the value reads the old output");
    refused(k, "tile(r:3)", "the register tile already holds 'r' whole");
    refused(k, "pack(I at top as x16)", "a blocked dimension must stand alone");
    sq_kernel_free(k);
}

/* Unreadable scripts: message and place. */
static void unreadable(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        int line, col;
        const char *message;
    } rows[] = {
        {"til(i:4)", 1, 1, "there is no transform 'til'"},
        {"tile", 1, 5, "expected '(', but the script ends here"},
        {"tile(i:4", 1, 9, "expected ',' or ')', but the script ends here"},
        {"tile(i:4,)", 1, 10, "expected an argument, not ')'"},
        {"tile(i:4 j:4)", 1, 10, "expected ',' or ')', not 'j'"},
        {"tile(i:x)", 1, 8, "expected a number, lanes, registers, l1, l2 or l3, not 'x'"},
        {"tile(i:99999999999)", 1, 8, "this number is too large; 2147483647 at most"},
        {"tile(i:-4)", 1, 8, "expected a number, lanes, registers, l1, l2 or l3, not '-'"},
        {"tile(i:4) # ok\n  micro(i:4; j:4)", 2, 12, "expected ',' or ')', not ';'"},
        {"tile(i:4)\n\n\x03", 3, 1, "expected a transform's name, not the byte 0x03"},
        {"tile(i:4)\n\n\xc3\xa4", 3, 1, "there is no transform '\xc3\xa4'"},
        {")", 1, 1, "expected a transform's name, not ')'"},
        {"S0: S0: tile(i:4)", 1, 5, "there is no transform 'S0'"},
        {"pack(at top)", 1, 9, "expected ',' or ')', not 'top'"},
    };
    sq_kernel *k = with_deps(kernel_gemm(ctx, SQ_F32, SQ_F32));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char place[64], *printed = NULL;
        size_t n = 0;
        sq_diags *d = sq_diags_new();
        sq_schedule *s = sq_schedule_new(k, k->arena);
        assert_int_equal(sq_script_apply(s, rows[i].script, "x.sched", k->arena, d), -1);
        assert_string_equal(sq_diags_message(d, 0), rows[i].message);
        assert_int_equal(sq_diags_fault(d), SQ_FAULT_INPUT);
        FILE *f = open_memstream(&printed, &n);
        sq_diags_print(d, f, SQ_DIAG_GCC, 0);
        fclose(f);
        snprintf(place, sizeof place, "x.sched:%d:%d: error:", rows[i].line, rows[i].col);
        assert_non_null(strstr(printed, place));
        free(printed);
        sq_diags_free(d);
    }
    sq_kernel_free(k);
}

/* Groups that share loops: the loops must be the same, and the order must keep the dependences. */
static void shared_loops(void **state)
{
    (void)state;
    sq_kernel *k = with_deps(kernel_gemm_relu(ctx));
    assert_string_equal(accepted(k, "fuse(S0, S1 at i)"), "fuse(S0, S1 at i)");
    assert_string_equal(accepted(k, "fuse(S0, S1 at i) parallel(i)"),
                        "S0: parallel(i)\nS1: parallel(i)\nfuse(S0, S1 at i)");
    assert_string_equal(accepted(k, "fuse(S0, S1 at i) S1: parallel(i)"),
                        "S0: parallel(i)\nS1: parallel(i)\nfuse(S0, S1 at i)");
    refused(k, "fuse(S0, S1 at i) S0: parallel(j) S1: parallel(i)", "the shared loop 'i' is parallel in S1 only");
    assert_string_equal(
        accepted(k, "tile(i:8) order(i0, k, i, j) S1: tile(i:8) micro(j:8) order(i0, j, i) "
                    "fuse(S0, S1 at i0)"),
        "S0: tile(i:8) order(i0, k, i, j)\nS1: tile(i:8) order(i0, j, i) micro(j:8)\n"
        "fuse(S0, S1 at i0)");
    refused(k, "fuse(S1, S0 at i)", "S0 does not come next after S1");
    refused(k, "fuse(S0, S1 at x)", "'x' is no loop of S0, which has i, j, k");
    refused(k, "S1: tile(k:8)", "'k' is no dimension of S1, which has i, j; for S0 write S0: before the call");
    refused(k, "fuse(S0 at i)", "name the statements, then one loop");
    refused(k, "fuse(S0, S1 at i) fuse(S0, S1 at i)", "S1 shares loops already");
    refused(k, "fuse(S0, S1 at k)", "S1 has not the 3 loops");
    refused(k, "S1: micro(i:4) fuse(S0, S1 at i)", "loop 'i' advances by 1 points in S0 and by 4");
    refused(k, "parallel(i) fuse(S0, S1 at i)", "the shared loop 'i' is parallel in S0 only");
    refused(k, "S1: order(j, i) fuse(S0, S1 at i)", "the loop at depth 1 is 'i' in one and 'j'");
    sq_kernel_free(k);
    k = with_deps(kernel_chain(ctx, 1, 1));
    refused(k, "fuse(S0, S1 at i)",
            "a dependence would be broken: for example with N=4: S1[i=1] needs S0[i=2], which "
            "would run later");
    sq_kernel_free(k);
    k = with_deps(kernel_chain(ctx, -1, 1));
    assert_string_equal(accepted(k, "fuse(S0, S1 at i)"), "fuse(S0, S1 at i)");
    refused(k, "parallel(i) S1: parallel(i) fuse(S0, S1 at i)", "loop 'i' carries a dependence");
    sq_kernel_free(k);
}

static void refused_with_reason(void **state)
{
    (void)state;
    static const struct {
        const char *script, *text;
    } rows[] = {
        {"tile(ii:4)", "'ii' is no dimension here"},
        {"tile(i)", "a tile of 'i' needs a number of points: i:48"},
        {"tile(i:0)", "a tile of 'i' needs a number of points"},
        {"order(j0)", "'j0' is no loop here"},
        {"order(i, i)", "'i' is listed twice"},
        {"micro(i:4 | k) order(k)", "'k' has no loop of its own: it is the serial loop"},
        {"tile(i:4, i:8)", "tile refused: 'i1' runs inside 'i0' but advances further"},
        {"tile(i:4) micro(i:6)", "micro refused: 'i' runs inside 'i0' but advances further"},
        {"micro(i:4 | j)", "'j' is no reduction dimension"},
        {"micro(i:4 | k, k)", "'k' is listed twice"},
        {"micro(k:4 | k)", "'k' has no constant extent"},
        {"vectorize(j:8)", "'j' has one point in the register tile"},
        {"micro(j:16) vectorize(j:3)", "a vector here has 1, 2, 4, … 16 lanes"},
        {"micro(j:16) vectorize(j:32)", "a vector here has 1, 2, 4, … 16 lanes"},
        {"micro(j:16) vectorize(k:16)", "'k' has one point in the register tile"},
        {"pack(Zw at top)", "pack refused: 'Zw' is no array here; there are A, B, C"},
        {"pack(b at top)", "'b' is no array here"},
        {"pack(B at x)", "'x' is no loop here"},
        {"pack(B as j16)", "write pack(Array at loop as j16)"},
        {"pack(B at k as q16)", "'q16' is no dimension with a block"},
        {"pack(B at k as j16 j8)", "'j' is blocked twice"},
        {"pack(B at top)", "the copy of B has no known size: all of 'j' lies inside; tile 'j'"},
        {"tile(j:64, k:64) pack(B at k0 as j16)", "need a register tile of a multiple of 16"},
        {"pack(B at k) micro(| k)", "B is packed at loop 'k', which the tile would hold"},
        {"parallel(i) parallel(j)", "threads share the loop 'i' already"},
        {"tile(k:64) micro(| k) parallel(k0)", "parallel refused: 'k0' runs over the reduction"},
        {"epilogue(never)", "write epilogue(first) or epilogue(last)"},
        {"micro(j:16 | k) split(k:3) unroll(k:4)", "unroll refused: 4 written-out steps"},
        {"micro(i:16, j:16 | k) vectorize(j:1) unroll(k:64)",
         "unroll refused: the register tile would be written out as 16384 operations"},
    };
    sq_kernel *k = with_deps(kernel_gemm(ctx, SQ_F32, SQ_F32));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        refused(k, rows[i].script, rows[i].text);
    sq_kernel_free(k);
}

/* A legal script, less or more of it, of products of one type summed in another. */
static void tensor_tiles(void **state)
{
    (void)state;
#define TILES "tile(i:32, j:32, k:32) order(i0, j0, i, j, k0) "
#define MICRO "micro(i:32, j:16 | k) "
#define REST "hold(k0) block(i0, j0) thread(i, j) share(A, B at k0, pad:8)"
    static const struct {
        sq_type of, sum;
        sq_fp fp;
        const char *script, *text; /* NULL: legal */
    } rows[] = {
        {SQ_BF16, SQ_F32, SQ_FP_REASSOC, TILES MICRO "tensorize(i:16, j:8, k:16) " REST, NULL},
        {SQ_I8, SQ_I32, SQ_FP_REASSOC, TILES MICRO "tensorize(i:16, j:8, k:32) " REST, NULL},
        {SQ_U8, SQ_I32, SQ_FP_REASSOC, TILES MICRO "tensorize(j:16, i:8, k:32) " REST, NULL},
        {SQ_F32, SQ_F32, SQ_FP_FAST, TILES MICRO "tensorize(i:16, j:8, k:8) " REST, NULL},
        {SQ_F32, SQ_F32, SQ_FP_REASSOC, TILES MICRO "tensorize(i:16, j:8, k:8) " REST,
         "round f32 to tf32, which has 10 bits behind the point: only `#pragma squall fp fast`"},
        {SQ_F16, SQ_F32, SQ_FP_REASSOC, TILES MICRO "tensorize(i:16, j:8, k:8) " REST,
         "the instruction for f16 has another shape: tensorize(i:16, j:8, k:16)"},
        {SQ_F64, SQ_F64, SQ_FP_FAST, TILES MICRO "tensorize(i:16, j:8, k:8) " REST,
         "no matrix instruction for sums in f64 of products of f64"},
        {SQ_I8, SQ_F32, SQ_FP_FAST, TILES MICRO "tensorize(i:16, j:8, k:32) " REST,
         "no matrix instruction for sums in f32 of products of int8_t"},
        {SQ_F16, SQ_F32, SQ_FP_REASSOC, TILES MICRO "tensorize(i, j:8, k:16) " REST,
         "write the rows, columns and steps of one instruction"},
        {SQ_F16, SQ_F32, SQ_FP_REASSOC, TILES MICRO "tensorize(i:16, i:8, k:16) " REST,
         "'i' is listed twice"},
        {SQ_F16, SQ_F32, SQ_FP_REASSOC, TILES MICRO "tensorize(i:16, j:8, j:16) " REST,
         "'j' does not run inside the tile, as the steps of instructions do"},
        {SQ_F16, SQ_F32, SQ_FP_REASSOC,
         TILES "micro(i:8, j:16 | k) tensorize(i:16, j:8, k:16) " REST,
         "the tile has not 16 points of 'i'"},
        {SQ_F16, SQ_F32, SQ_FP_REASSOC,
         "tile(i:32, j:40, k:32) order(i0, j0, i, j, k0) micro(i:32, j:20 | k) tensorize(i:16, "
         "j:8, k:16) " REST,
         "a warp's tile of 32 x 20 points is no whole number of instructions of 16 x 8"},
        {SQ_F16, SQ_F32, SQ_FP_REASSOC, TILES MICRO "tensorize(i:16, j:8, k:16) unroll(k:2) " REST,
         "the instruction takes 16 steps at once; leave unroll and split out"},
        {SQ_F16, SQ_F32, SQ_FP_REASSOC,
         TILES MICRO "tensorize(i:16, j:8, k:16) vectorize(j:4) " REST, "leave vectorize out"},
        {SQ_F16, SQ_F32, SQ_FP_REASSOC,
         "tile(i:32, j:32, k:8) order(i0, j0, i, j, k0) " MICRO "tensorize(i:16, j:8, k:16) " REST,
         "whole instructions of 16 steps in each iteration: tile(k:32)"},
        {SQ_F16, SQ_F32, SQ_FP_REASSOC,
         TILES MICRO
         "tensorize(i:16, j:8, k:16) hold(k0) block(i0, j0) thread(i:2, j) share(A, B at k0)",
         "its threads must cover the tile around it"},
        {SQ_F16, SQ_F32, SQ_FP_REASSOC,
         TILES MICRO
         "tensorize(i:16, j:8, k:16) hold(k0) block(i0, j0) thread(j) share(A, B at k0)",
         "warps share the tile's loops and cover the tiles around them: tile(i:64) thread(i)"},
        {SQ_F16, SQ_F32, SQ_FP_REASSOC,
         TILES MICRO
         "tensorize(i:16, j:8, k:16) hold(k0) block(i0, j0) thread(i, j) share(A at k0)",
         "have their operands from shared memory: share(B at k0)"},
        {SQ_F16, SQ_F32, SQ_FP_REASSOC,
         TILES "micro(i:16, j:8 | k) tensorize(j:16, i:8, k:16) " REST,
         "the tile has not 16 points of 'j'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sq_kernel *k = with_deps(kernel_gemm(ctx, rows[i].of, rows[i].sum));
        k->fp = rows[i].fp;
        if (rows[i].text)
            refused(k, rows[i].script, rows[i].text);
        else
            assert_non_null(strstr(accepted(k, rows[i].script), "tensorize("));
        sq_kernel_free(k);
    }
}

static void refused_with_example(void **state)
{
    (void)state;
    sq_kernel *k = with_deps(kernel_rows(ctx, 1));
    refused(k, "parallel(i)",
            "parallel refused: loop 'i' carries a dependence: for example with "
            "N=4: S0[i=2, j=1] needs S0[i=1, j=2]");
    refused(k, "order(j, i)",
            "order refused: a dependence would be broken: for example with N=4: "
            "S0[i=2, j=1] needs S0[i=1, j=2], which would run later");
    refused(k, "tile(i:8, j:8)", "tile refused: a dependence would be broken");
    refused(k, "micro(i:2)", "which would run later or in the same register tile");
    assert_string_equal(accepted(k, "micro(j:8) parallel(j)"), "micro(j:8) parallel(j)");
    sq_kernel_free(k);
    k = with_deps(kernel_rows(ctx, -1));
    assert_string_equal(accepted(k, "tile(i:8, j:8)"), "tile(i:8, j:8)");
    sq_kernel_free(k);
    k = with_deps(kernel_chain(ctx, 1, 1));
    refused(k, "fuse(S0, S1)",
            "fuse refused: a dependence would be broken: for example with N=4: "
            "S1[i=1] needs S0[i=2]");
    sq_kernel_free(k);
    k = with_deps(kernel_jacobi(ctx));
    refused(k, "tile(i:8)", "these are loops of several statements: name the one");
    refused(k, "fuse(S0, S1)", "'S1' is there already");
    sq_kernel_free(k);
    k = with_deps(kernel_trmm(ctx));
    refused(k, "tile(k:8)", "the reduction's range differs from element to element");
    assert_string_equal(accepted(k, "micro(i:4, j:8 | k)"), "micro(i:4, j:8 | k)");
    sq_kernel_free(k);
}

/* The call that broke a script is named, not the first or last. */
static void blame_falls_on_the_call(void **state)
{
    (void)state;
    sq_kernel *k = with_deps(kernel_rows(ctx, 1));
    refused(k, "tile(j:8) micro(j:4)", "tile refused: ");
    refused(k, "tile(j:8) order(i, j0) micro(i:2) parallel(j0)", "micro refused: ");
    refused(k, "tile(j:8) order(i, j0) micro(j:4) parallel(i)", "parallel refused: ");
    accepted(k, "tile(j:8) order(i, j0) micro(j:4) parallel(j0)");
    sq_kernel_free(k);
}

static const char *pick(sq_rng *r, const char *const *from, int n)
{
    return from[sq_rng_below(r, (size_t)n)];
}

/* One random call: sensible more often than not. */
static void random_call(sq_rng *r, sq_text *t)
{
    static const char *const dims[] = {"i", "j", "k", "c", "f", "x", "t", "r"};
    static const char *const loops[] = {"i", "j", "k", "i0", "j0", "k0", "t", "f", "x", "j1"};
    static const char *const arrays[] = {"A", "B", "C", "G", "T"};
    static const int points[] = {1, 2, 3, 4, 6, 8, 16, 32, 48};
    int p = points[sq_rng_below(r, 9)], q = points[sq_rng_below(r, 9)];
    const char *a = pick(r, dims, 8), *b = pick(r, dims, 8), *l = pick(r, loops, 10);
    switch (sq_rng_below(r, 10)) {
    case 0:
        sq_text_printf(t, "tile(%s:%d) ", a, p * q);
        break;
    case 1:
        sq_text_printf(t, "tile(%s:%d, %s:%d) ", a, p * 8, b, q * 4);
        break;
    case 2:
        sq_text_printf(t, "order(%s, %s) ", l, pick(r, loops, 10));
        break;
    case 3:
        sq_text_printf(t, "pack(%s at %s as %s%d) ", pick(r, arrays, 5), l, a, p);
        break;
    case 4:
        sq_text_printf(t, "micro(%s:%d, %s:%d | k) ", a, p, b, q);
        break;
    case 5:
        sq_text_printf(t, "micro(%s:%d) ", a, p);
        break;
    case 6:
        sq_text_printf(t, "vectorize(%s:%d) ", a, p);
        break;
    case 7:
        sq_text_printf(t, "unroll(k:%d) split(k:%d) ", p, q);
        break;
    case 8:
        sq_text_printf(t, "parallel(%s) ", l);
        break;
    default:
        sq_text_puts(t, q % 2 ? "epilogue(last) " : "fuse(S0, S1) ");
        break;
    }
}

/* Random scripts grown call by call: what is legal prints and reads back, what is not says why. */
static void random_scripts(void **state)
{
    (void)state;
    sq_rng r = {7};
    int legal = 0, illegal = 0;
    for (int round = 0; round < 60; round++) {
        sq_kernel *k = with_deps(round % 5 == 0   ? kernel_conv(ctx)
                                 : round % 5 == 1 ? kernel_rows(ctx, round % 3 - 1)
                                 : round % 5 == 2 ? kernel_trmm(ctx)
                                 : round % 5 == 3 ? kernel_gemm_relu(ctx)
                                                  : kernel_gemm(ctx, SQ_F32, SQ_F32));
        sq_text script = {0};
        for (int step = 0; step < 25; step++) {
            int result;
            const char *message;
            size_t before = script.n;
            random_call(&r, &script);
            apply(k, sq_text_str(&script), &result, &message);
            if (result == 0) {
                accepted(k, sq_text_str(&script));
                legal++;
            } else {
                assert_true(message && strlen(message) > 10);
                script.s[script.n = before] = 0;
                illegal++;
            }
        }
        sq_text_free(&script);
        sq_kernel_free(k);
    }
    assert_true(legal > 150 && illegal > 150);
}

/* Bytes of all kinds must be read or refused. */
static void random_bytes(void **state)
{
    (void)state;
    static const char alphabet[] = "tile(ij:,|k) 0123#\n\x80\xff";
    sq_rng r = {11};
    sq_kernel *k = with_deps(kernel_gemm(ctx, SQ_F32, SQ_F32));
    for (int round = 0; round < 2000; round++) {
        char script[64] = "tile(i:4";
        int n = 8 + (int)sq_rng_below(&r, 40), result;
        const char *message;
        for (int i = (int)sq_rng_below(&r, 9); i < n; i++)
            script[i] = alphabet[sq_rng_below(&r, sizeof alphabet - 1)];
        apply(k, script, &result, &message);
        assert_true(result == 0 || message);
    }
    sq_kernel_free(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row),
        cmocka_unit_test(any_sequence),
        cmocka_unit_test(canonical_text),
        cmocka_unit_test(several_groups),
        cmocka_unit_test(reductions_in_the_tile),
        cmocka_unit_test(unreadable),
        cmocka_unit_test(shared_loops),
        cmocka_unit_test(refused_with_reason),
        cmocka_unit_test(tensor_tiles),
        cmocka_unit_test(refused_with_example),
        cmocka_unit_test(blame_falls_on_the_call),
        cmocka_unit_test(random_scripts),
        cmocka_unit_test(random_bytes),
    };
    return cmocka_run_group_tests(tests, open_isl, close_isl);
}
