/* Planted faults: lowered samples with one mistake each. The verifier or the interpreter finds them, and
 * of a list of versions the first that is wrong is named. */
#include "codegen/code/build.h"
#include "codegen/code/compare.h"
#include "codegen/code/verify.h"
#include "codegen/names.h"
#include "codegen/passes/group.h"
#include "tests/unit/interpreted.h"
#include "transforms/transform.h"
#include <math.h>

enum { MOST_SITES = 400, ROWS = 9 };

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
    FAULTS
} fault;

static const char *const names[FAULTS] = {
    "bound + 1",    "bound - 1",     "begins later", "step",          "swapped store",
    "swapped load", "dropped store", "identity",     "missing guard", "wrong operator"};

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

/* False where the statement has no place for the fault. */
static bool plant(sq_code_pool *p, sq_code *x, fault f)
{
    bool loop = x->kind == SQ_CODE_LOOP, store = x->kind == SQ_CODE_STORE;
    const sq_code_expr *was = x->value, *index[SQ_MAX_DIMS];
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

static int planted[FAULTS], found[FAULTS], refuted;

typedef struct subject {
    const sq_schedule *s;
    sq_code *code;
    sq_code_pool *pool;
    int rows;
    expectation row[ROWS];
    const char *label;
} subject;

static const char *finding(const subject *t, sq_arena *arena)
{
    const sq_kernel *k = t->s->kernel;
    const char *name[SQ_MAX_SIZES], **array = SQ_NEW_ARRAY(arena, const char *, k->narrays);
    sq_code_outer outer = {.name = name, .narrays = k->narrays, .array = array};
    const char *why = NULL;
    for (int i = 0; i < k->narrays; i++)
        array[i] = k->array[i]->name;
    for (int i = 0; i < k->nsizes; i++)
        name[outer.n++] = k->size[i]->name;
    why = sq_code_verify(t->code, &outer, arena);
    refuted += why != NULL;
    for (int i = 0; i < t->rows && !why; i++)
        why = outcome(t->code, t->s->kernel, &t->row[i], SQ_INTERPRET_WRITTEN, arena);
    return why;
}

static void plant_all(const subject *t)
{
    static sq_code *site[MOST_SITES];
    int n = sites(t->code, site, 0);
    for (int i = 0; i < n; i++)
        for (int f = 0; f < FAULTS; f++) {
            sq_arena *arena = sq_arena_new();
            const sq_code was = *site[i];
            if (plant(t->pool, site[i], (fault)f)) {
                const char *why = finding(t, arena);
                planted[f]++;
                found[f] += why != NULL;
                if (!why)
                    print_message("%s: %s at statement %d changes nothing\n", t->label, names[f],
                                  i);
            }
            *site[i] = was;
            sq_arena_free(arena);
        }
}

static void plant_in(const sq_kernel *k, const char *script)
{
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    subject t = {.pool = sq_code_pool_new(arena),
                 .label = sq_arena_printf(arena, "%s under '%s'", k->name, script)};
    sq_schedule *s = sq_schedule_new(k, arena);
    assert_int_equal(sq_script_apply(s, script, "<script>", arena, d), 0);
    t.s = sq_names_of_loops(s, arena);
    const sq_group_options o = {.nest = {.target = sq_target_get("avx512"), .threads = true},
                                .npasses = SQ_ALL_PASSES};
    assert_int_equal(sq_schedule_code(t.s, &o, t.pool, &t.code, d), SQ_LOWER_DONE);
    for (int64_t size[SQ_MAX_SIZES]; t.rows < ROWS && sample_sizes(k, t.rows, size); t.rows++)
        t.row[t.rows] = expect(k, size, arena);
    assert_int_equal(t.rows, ROWS);
    const char *why = finding(&t, arena);
    if (why)
        print_error("%s: %s\n", t.label, why);
    assert_null(why);
    plant_all(&t);
    sq_diags_free(d);
    sq_arena_free(arena);
}

/* A few change nothing: a tile that begins behind the last point has none, a softmax is the same
 * whatever is subtracted. */
static void faults_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *path, *script;
    } table[] = {
        {"samples/polybench/gemm.sq", "auto(S0, tile:3)"},
        {"samples/polybench/trmm.sq", ""},
        {"samples/polybench/cholesky.sq", ""},
        {"samples/polybench/seidel-2d.sq", "auto(parallel)"},
        {"samples/polybench/covariance.sq", "auto(S0, S1, S2, S3)"},
        {"samples/softmax.sq", "auto(S0, S1, S2, S3)"},
        {"samples/polybench/fdtd-2d.sq", "auto(parallel)"},
        {"samples/jacobi_2d.sq", "auto(tile:3, parallel)"},
        {"samples/polybench/gemm.sq", "tile(j:8, k:4) pack(B at k0 as j8) micro(i:3, j:8 | k)"},
        {"samples/bmm.sq", "micro(i:2, j:4 | k) unroll(k:2)"},
    };
    for (size_t i = 0; i < LENGTH(table); i++) {
        sq_unit *u = sample_open(table[i].path);
        plant_in(u->kernel[0], table[i].script);
        sq_unit_free(u);
    }
    int all = 0, of_all = 0;
    for (int f = 0; f < FAULTS; f++) {
        print_message("%-16s %3d planted, %3d found\n", names[f], planted[f], found[f]);
        assert_true(planted[f] > 0 && 3 * found[f] >= 2 * planted[f]);
        all += planted[f];
        of_all += found[f];
    }
    print_message("%d by the verifier\n", refuted);
    assert_true(100 * of_all >= 95 * all);
}

/* ---- versions ---- */

/* Five versions, of which the fourth is wrong: it is named, with the element. */
static void the_first_wrong_version_is_named(void **state)
{
    (void)state;
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    sq_unit *u = sample_open("samples/polybench/trmm.sq");
    const sq_kernel *k = u->kernel[0];
    sq_schedule *s = sq_schedule_new(k, arena);
    sq_code *code[5], *site[MOST_SITES];
    sq_code_version version[5];
    int64_t size[SQ_MAX_SIZES];
    static const char *const passes[] = {"lower", "forward", "split", "spread", "mask"};
    assert_true(sample_sizes(k, 0, size));
    expectation e = expect(k, size, arena);
    const sq_image *const before[] = {e.before};
    const double *const bound[] = {e.bound};
    const sq_code_inputs in = {1, before, bound};
    for (int v = 0; v < 5; v++) {
        sq_code_pool *p = sq_code_pool_new(arena);
        const sq_group_options o = {.nest = {.target = sq_target_get("c")},
                                    .npasses = SQ_ALL_PASSES};
        assert_int_equal(sq_schedule_code(s, &o, p, &code[v], d), SQ_LOWER_DONE);
        int n = sites(code[v], site, 0);
        for (int i = 0; i < n && v >= 3; i++)
            if (plant(p, site[i], OPERATOR))
                break;
        version[v] = (sq_code_version){passes[v], code[v]};
    }
    const char *why;
    assert_null(sq_code_differs(code[0], code[2], &in, arena));
    assert_int_equal(sq_code_first_change(version, 3, &in, arena, &why), -1);
    assert_int_equal(sq_code_first_change(version, 5, &in, arena, &why), 3);
    assert_string_equal(version[3].pass, "spread");
    assert_non_null(strstr(why, "parallel loops as written: B["));
    assert_string_equal(sq_code_differs(code[0], code[3], &in, arena), why);
    sq_unit_free(u);
    sq_diags_free(d);
    sq_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_are_found),
        cmocka_unit_test(the_first_wrong_version_is_named),
    };
    return cmocka_run_group_tests(tests, open_isl, close_isl);
}
