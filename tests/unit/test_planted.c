/* Planted faults: samples with one mistake each, in the code as lowered and in what each pass makes of it.
 * The verifier or the interpreter finds them, and of several passes the first that is wrong is named. */
#include "codegen/code/build.h"
#include "codegen/interpreted.h"
#include "codegen/print/names.h"
#include "codegen/passes/group.h"
#include "codegen/passes/verified.h"
#include "tests/unit/interpreted.h"
#include "transforms/transform.h"
#include <math.h>

enum { MOST_SITES = 400, ROWS = 30 };

typedef enum fault {
    BOUND_MORE, /* a loop has one iteration more, */
    BOUND_LESS, /* or less */
    LATER,      /* begins one later */
    STEP,       /* a wrong step */
    SWAP_STORE, /* two subscripts change places */
    SWAP_LOAD,
    DROP,     /* a store is not there */
    IDENTITY, /* a sum begins with something else */
    GUARD,    /* a condition always holds */
    OPERATOR, /* a sum subtracts */
    LOST,     /* the statement behind it is not there, */
    BEHEADED, /* or the first one inside */
    FAULTS
} fault;

static const char *const names[FAULTS] = {"bound + 1",      "bound - 1",      "begins later",
                                          "step",           "swapped store",  "swapped load",
                                          "dropped store",  "identity",       "missing guard",
                                          "wrong operator", "lost statement", "lost first"};

/* ---- planting ---- */

static bool swaps(const sq_code_expr *const *index, int n)
{
    return n > 1 && index[0] != index[1];
}

static const sq_code_expr *swapped(sq_code_pool *p, const sq_code_expr *e)
{
    const sq_code_expr *arg[] = {e->arg[1], e->arg[0], e->nargs > 2 ? e->arg[2] : NULL,
                                 e->nargs > 3 ? e->arg[3] : NULL};
    return e->nargs <= 4 ? sq_code_load(p, e->buffer, arg) : e;
}

/* The expression with its first load, or its first addition, spoilt; itself where there is none. */
static const sq_code_expr *spoilt(sq_code_pool *p, const sq_code_expr *e, fault f)
{
    const sq_code_expr *arg[16];
    if (f == SWAP_LOAD && e->op == SQ_CODE_LOAD)
        return swaps(e->arg, e->nargs) ? swapped(p, e) : e;
    if (f == OPERATOR && e->op == SQ_CODE_OPERATION && e->operation == SQ_OP_ADD)
        return sq_code_operation(p, SQ_OP_SUB, e->type, e->arg);
    for (int i = 0; i < e->nargs && e->op >= SQ_CODE_LOAD && e->nargs <= 16; i++) {
        const sq_code_expr *x = spoilt(p, e->arg[i], f);
        if (x == e->arg[i])
            continue;
        sq_code_expr copy = *e;
        memcpy(arg, e->arg, (size_t)e->nargs * sizeof *arg);
        arg[i] = x;
        copy.arg = arg;
        return sq_code_cons(p, &copy);
    }
    return e;
}

static const sq_code_expr *other_constant(sq_code_pool *p, const sq_code_expr *e)
{
    return sq_code_constant(
        p, e->type,
        (sq_number){isinf(e->real) ? 1 : e->real + 1, sq_type_wrap(e->type, e->number + 1)});
}

/* Loses a statement; false where there is none, or none that could change a result. */
static bool lose(sq_code **x)
{
    const sq_code *one = *x;
    if (!one || one->kind == SQ_CODE_COMMENT || one->kind == SQ_CODE_UNUSED ||
        one->kind == SQ_CODE_FRESH || (one->kind == SQ_CODE_DECLARE && !one->zeroed))
        return false;
    *x = one->next;
    return true;
}

/* False where the statement has no place for the fault. */
static bool plant(sq_code_pool *p, sq_code *x, fault f)
{
    bool loop = x->kind == SQ_CODE_LOOP, store = x->kind == SQ_CODE_STORE;
    const sq_code_expr *was = x->value, *index[SQ_MAX_DIMS];
    if (f >= LOST)
        return lose(f == LOST ? &x->next : &x->body);
    if (f <= STEP ? !loop || !x->hi : f == GUARD ? x->kind != SQ_CODE_IF : !store)
        return false;
    switch (f) {
    case BOUND_MORE:
    case BOUND_LESS:
        x->hi = sq_code_plus(p, x->hi, f == BOUND_MORE ? 1 : -1);
        return true;
    case LATER:
        x->lo = sq_code_plus(p, x->lo, 1);
        return true;
    case STEP:
        x->step++;
        return true;
    case SWAP_STORE:
        for (int d = 0; d < x->buffer->ndim; d++)
            index[d] = x->index[d < 2 ? 1 - d : d];
        if (!swaps(x->index, x->buffer->ndim))
            return false;
        x->index = sq_code_store(p, x->buffer, index, x->value)->index;
        return true;
    case DROP:
        x->kind = SQ_CODE_BLOCK; /* an empty one */
        return true;
    case IDENTITY:
        if (x->buffer->storage != SQ_CODE_REGISTER || was->op != SQ_CODE_CONSTANT)
            return false;
        x->value = other_constant(p, was);
        return true;
    case GUARD:
        x->cond = sq_code_number(p, 1);
        return true;
    default:
        x->value = spoilt(p, was, f);
        return x->value != was;
    }
}

static int sites(sq_code *x, sq_code **site, int n)
{
    for (; x && n < MOST_SITES; x = x->next) {
        site[n++] = x;
        if (x->kind == SQ_CODE_CALL) /* of a part that is called twice its statements come twice */
            n = sites(x->part->body, site, n);
        n = sites(x->body, site, n);
        n = sites(x->other, site, n);
    }
    return n;
}

/* ---- finding ---- */

/* Of one kind of fault, or of one pass. */
typedef struct tally {
    int planted, found, refuted; /* refuted: found by the verifier */
} tally;

static tally of_fault[FAULTS], all_of;

typedef struct subject {
    const sq_schedule *s;
    sq_group_options options;
    sq_code *code;
    sq_code_pool *pool;
    int rows;
    expectation row[ROWS];
    const char *label;
} subject;

static const char *refutation(const subject *t)
{
    const sq_pass_context c = {
        .kernel = t->s->kernel, .target = t->options.nest.target, .pool = t->pool};
    const char *why = NULL;
    for (const sq_code *x = t->code; x && !why; x = x->next)
        if (x->kind == SQ_CODE_BLOCK)
            why = sq_passes_wrong(&c, x->body);
    return why;
}

static const char *finding(const subject *t, tally *of, sq_arena *arena)
{
    const char *why = refutation(t);
    of->refuted += why != NULL;
    for (int i = 0; i < t->rows && !why; i++)
        why = outcome(t->code, t->s->kernel, &t->row[i], SQ_INTERPRET_WRITTEN, arena);
    of->found += why != NULL;
    return why;
}

static void add_tally(tally *to, const tally *more)
{
    to->planted += more->planted;
    to->found += more->found;
    to->refuted += more->refuted;
}

/* Each fault that the statement has a place for. */
static void plant_at(const subject *t, sq_code *x, tally *to)
{
    for (int f = 0; f < FAULTS; f++) {
        sq_arena *arena = sq_arena_new();
        const sq_code was = *x;
        if (plant(t->pool, x, (fault)f)) {
            tally one = {.planted = 1};
            if (!finding(t, &one, arena))
                print_message("%s: %s at a statement of kind %d changes nothing\n", t->label,
                              names[f], (int)was.kind);
            add_tally(&of_fault[f], &one);
            add_tally(to, &one);
        }
        *x = was;
        sq_arena_free(arena);
    }
}

/* The code of a kernel under a script after the first passes, and what it should compute. */
static void begin(subject *t, const sq_kernel *k, const char *script, const sq_group_options *o,
                  sq_arena *arena)
{
    sq_diags *d = sq_diags_new();
    sq_schedule *s = sq_schedule_new(k, arena);
    *t = (subject){.options = *o,
                   .pool = sq_code_pool_new(arena),
                   .label = sq_arena_printf(arena, "%s under '%s'", k->name, script)};
    assert_int_equal(sq_script_apply(s, script, "<script>", arena, d), 0);
    t->s = sq_names_of_loops(s, arena);
    assert_int_equal(sq_schedule_code(t->s, o, t->pool, &t->code, d), 0);
    for (int64_t size[SQ_MAX_SIZES]; t->rows < ROWS && sample_sizes(k, t->rows, size); t->rows++)
        t->row[t->rows] = expect(k, size, arena);
    assert_int_equal(t->rows, ROWS);
    sq_diags_free(d);
}

static void assert_right(const subject *t, sq_arena *arena)
{
    const char *why = finding(t, &(tally){0}, arena);
    if (why)
        print_error("%s: %s\n", t->label, why);
    assert_null(why);
}

static void plant_in(const sq_kernel *k, const char *script, const char *target)
{
    static sq_code *site[MOST_SITES];
    const sq_group_options o = {.nest = {.target = sq_target_get(target), .threads = true},
                                .npasses = sq_pass_find("once")}; /* each value has a statement before */
    sq_arena *arena = sq_arena_new();
    subject t;
    begin(&t, k, script, &o, arena);
    assert_right(&t, arena);
    int n = sites(t.code, site, 0);
    for (int i = 0; i < n; i++)
        plant_at(&t, site[i], &all_of);
    sq_arena_free(arena);
}

/* A few change nothing: a tile that begins behind the last point has none, a softmax is the same
 * whatever is subtracted; a last vector that overlaps the one before computes the same again without its guard, and
 * the points beside it are one, whose subscripts are equal. */
static void faults_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *path, *script, *target;
    } table[] = {
        {"samples/polybench/gemm.sq", "auto(S0, tile:3)", "avx512"},
        {"samples/polybench/trmm.sq", "", "avx512"},
        {"samples/polybench/cholesky.sq", "", "avx512"},
        {"samples/polybench/seidel-2d.sq", "auto(parallel)", "avx512"},
        {"samples/polybench/covariance.sq", "auto(S0, S1, S2, S3)", "avx512"},
        {"samples/polybench/jacobi-1d.sq", "", "neon"},
        {"samples/polybench/fdtd-2d.sq", "auto(parallel)", "neon"},
        {"samples/jacobi_2d.sq", "auto(parallel)", "neon"},
        {"samples/polybench/gemm.sq", "tile(j:8, k:4) pack(B at k0 as j8) micro(i:3, j:8 | k)",
         "avx512"},
        {"samples/bmm.sq", "micro(i:2, j:4 | k) unroll(k:2)", "avx512"},
        {"samples/bmm.sq", "tile(k:4) micro(i:4, j:8 | k)", "avx2"},
        {"tests/unit/guards.sq", "", "avx512"},
        {"samples/polybench/trisolv.sq", "", "avx512"},
        {"samples/polybench/lu.sq", "", "avx512"},
    };
    for (size_t i = 0; i < LENGTH(table); i++) {
        sq_unit *u = sample_open(table[i].path);
        plant_in(u->kernel[0], table[i].script, table[i].target);
        sq_unit_free(u);
    }
    for (int f = 0; f < FAULTS; f++) {
        print_message("%-16s %3d planted, %3d found, %3d by the verifier\n", names[f],
                      of_fault[f].planted, of_fault[f].found, of_fault[f].refuted);
        assert_true(of_fault[f].planted > 0 && 3 * of_fault[f].found >= 2 * of_fault[f].planted);
    }
    assert_true(100 * all_of.found >= 95 * all_of.planted);
}

/* ---- what passes make ---- */

enum { MOST_PASSES = 64 };

static tally of_pass[MOST_PASSES];

/* Statements that a pass made or changed. */
typedef struct before {
    int n;
    sq_code *at[MOST_SITES], was[MOST_SITES];
} before;

static void remember(before *b, sq_code *code)
{
    b->n = sites(code, b->at, 0);
    assert_true(b->n < MOST_SITES);
    for (int i = 0; i < b->n; i++)
        b->was[i] = *b->at[i];
}

static bool is_new(const before *b, const sq_code *x)
{
    for (int i = 0; i < b->n; i++)
        if (b->at[i] == x)
            return memcmp(&b->was[i], x, sizeof *x) != 0;
    return true;
}

/* True if a row is about a pass: `only`, or all but those that change mostly what runs for some sizes alone. */
static bool is_asked(const char *only, const sq_pass *pass)
{
    return only ? strcmp(pass->name, only) == 0 : strcmp(pass->name, "once") != 0;
}

/* Faults in what each pass makes of a script's code; `only`: in what this one makes. */
static void plant_in_passes(const sq_kernel *k, const char *script, const char *target, const char *only)
{
    static before b;
    static sq_code *site[MOST_SITES];
    const sq_group_options o = {.nest = {.target = sq_target_get(target), .threads = true}};
    sq_arena *arena = sq_arena_new();
    subject t;
    begin(&t, k, script, &o, arena);
    assert_true(sq_npasses <= MOST_PASSES);
    for (int p = 0; p < sq_npasses; p++) {
        remember(&b, t.code);
        sq_schedule_step(t.s, &o, &sq_passes[p], p, t.pool, t.code);
        assert_right(&t, arena);
        int n = sites(t.code, site, 0);
        for (int i = 0; i < n; i++)
            if (is_new(&b, site[i]) && is_asked(only, &sq_passes[p]))
                plant_at(&t, site[i], &of_pass[p]);
    }
    sq_arena_free(arena);
}

/* Every row of the table does something to an example here, and a fault in that is found. */
static void faults_of_passes_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *path, *script, *target, *only;
    } table[] = {
        {"samples/polybench/gemm.sq",
         "tile(k:4) micro(i:3, j:4 | k) order(i, j, k0) hold(k0) epilogue(last)", "avx2", NULL},
        {"samples/softmax.sq",
         "S0: tile(i:4) micro(i:4 | j) S1: tile(i:4) micro(j:16) S2: tile(i:4) micro(i:4 | j) "
         "S3: tile(i:4) micro(i:4, j:16) fuse(S0, S1, S2, S3 at i0)",
         "avx2", NULL},
        {"samples/bmm.sq", "micro(i:2, j:4 | k) unroll(k:2)", "avx2", NULL},
        {"samples/gemm.sq", "micro(i:12, j:16 | k)", "avx512", NULL},
        {"samples/polybench/gemm.sq", "auto(S0, tile:3)", "avx512", NULL},
        {"samples/polybench/seidel-2d.sq", "auto(parallel)", "avx512", NULL},
        {"samples/jacobi_2d.sq", "auto(parallel)", "avx2", NULL},
        {"samples/polybench/trmm.sq", "auto()", "avx2", NULL},
        {"samples/polybench/cholesky.sq", "auto(fuse:min)", "neon", NULL},
        {"samples/polybench/jacobi-1d.sq", "", "neon", NULL},
        {"samples/polybench/fdtd-2d.sq", "", "neon", NULL},
        {"tests/unit/unread.sq", "S0: auto(fuse:max, parallel)", "avx2", "unread"}, /* passes before leave it */
        {"tests/unit/state.sq", "", "avx2", NULL},
        {"tests/unit/pull.sq", "", "avx2", "first"},
        {"tests/unit/again.sq", "", "avx2", "again"},
        {"samples/polybench/gemm.sq",
         "tile(k:4) micro(i:3, j:4 | k) order(i, j, k0) hold(k0) epilogue(last)", "avx2", "once"},
        {"samples/gemm_bias_relu.sq", "micro(i:2, j:4 | k)", "avx2", "once"},
    };
    for (size_t i = 0; i < LENGTH(table); i++) {
        sq_unit *u = sample_open(table[i].path);
        plant_in_passes(u->kernel[0], table[i].script, table[i].target, table[i].only);
        sq_unit_free(u);
    }
    for (int p = 0; p < sq_npasses; p++)
        print_message("%-16s %3d planted, %3d found, %3d by the verifier\n", sq_passes[p].name,
                      of_pass[p].planted, of_pass[p].found, of_pass[p].refuted);
    for (int p = 0; p < sq_npasses; p++) {
        assert_true(of_pass[p].planted > 0 && 100 * of_pass[p].found >= 90 * of_pass[p].planted);
    }
}

/* ---- names ---- */

static sq_code *leave_alone(const sq_pass_context *c, sq_code *x)
{
    (void)c;
    return x;
}

/* The first sum of the code subtracts. */
static sq_code *spoil(const sq_pass_context *c, sq_code *x)
{
    static sq_code *site[MOST_SITES];
    int n = sites(x, site, 0);
    for (int i = 0; i < n; i++)
        if (plant(c->pool, site[i], OPERATOR))
            break;
    return x;
}

/* Of four passes the third is wrong: it is named, with the sizes and the element. */
static void the_first_wrong_pass_is_named(void **state)
{
    (void)state;
    static const sq_pass pass[] = {{"forward", "", leave_alone},
                                   {"split", "", leave_alone},
                                   {"spread", "", spoil},
                                   {"mask", "", leave_alone}};
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    sq_unit *u = sample_open("samples/polybench/trmm.sq");
    const sq_schedule *s = sq_schedule_new(u->kernel[0], arena);
    sq_interpreted_options o = {.target = sq_target_get("c"), .npasses = 2, .pass = pass};
    sq_interpreted r;
    assert_int_equal(sq_interpreted_check(s, u->kernel[0], &o, &r, d), 0);
    assert_true(r.rows > 0);
    o.npasses = 4;
    assert_int_equal(sq_interpreted_check(s, u->kernel[0], &o, &r, d), -1);
    assert_non_null(
        strstr(sq_diags_message(d, 0), "'spread' changes what 'trmm' computes: at M = "));
    assert_non_null(strstr(sq_diags_message(d, 0), "parallel loops as written: B["));
    sq_unit_free(u);
    sq_diags_free(d);
    sq_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_are_found),
        cmocka_unit_test(faults_of_passes_are_found),
        cmocka_unit_test(the_first_wrong_pass_is_named),
    };
    return cmocka_run_group_tests(tests, open_isl, close_isl);
}
