/* Passes: the table, what runs it, and each pass on statements of its kind. */
#include "codegen/passes/passes.h"
#include "codegen/passes/rows.h"
#include "codegen/passes/widen.h"
#include "tests/unit/child_says.h"
#include "tests/unit/make_text.h"

/* ---- the table ---- */

static void rows_have_names_of_their_own(void **state)
{
    (void)state;
    assert_true(sq_npasses > 0);
    for (int i = 0; i < sq_npasses; i++) {
        assert_int_equal(sq_pass_find(sq_passes[i].name), i);
        assert_true(strlen(sq_passes[i].doc) > 10 && sq_passes[i].run);
        assert_null(strpbrk(sq_passes[i].name, " ,:="));
    }
    assert_int_equal(sq_pass_find("lower"), -1);
}

/* A part that is called twice has each pass once; times are of what each pass left. */
static void parts_are_passed_once(void **state)
{
    (void)state;
    made m = made_begin();
    const sq_kernel k = {.name = "k"};
    const sq_pass_context c = {.kernel = &k, .target = sq_target_get("avx2"), .pool = m.pool};
    sq_code_part part = {.name = "part",
                         .body = sq_code_let(m.pool, "unread", sq_code_number(m.pool, 1))};
    sq_code *call[2];
    sq_pass_time *times = SQ_NEW_ARRAY(m.arena, sq_pass_time, sq_npasses + 1);
    part.body->next = sq_code_comment(m.pool, "end");
    for (int i = 0; i < 2; i++) {
        call[i] = sq_code_new(m.pool, SQ_CODE_CALL);
        call[i]->part = &part;
    }
    call[0]->next = call[1];
    assert_ptr_equal(sq_passes_run(&c, call[0], 0, times), call[0]);
    assert_int_equal(part.npasses, 0);
    assert_int_equal(times[0].statements, 4);
    assert_int_equal(times[1].statements, 0);
    assert_ptr_equal(sq_passes_run(&c, call[0], SQ_ALL_PASSES, times), call[0]);
    assert_int_equal(part.npasses, sq_npasses);
    assert_text(&m, part.body, "/* end */\n");
    assert_int_equal(times[sq_pass_find("sweep") + 1].statements, 3);
    sq_arena_free(m.arena);
}

struct passing {
    const sq_pass_context *c;
    sq_code *x;
};

static void run_passes(void *passing)
{
    const struct passing *p = passing;
    sq_passes_run(p->c, p->x, SQ_ALL_PASSES, NULL);
}

/* What the process says before it ends in the middle of the passes. */
static const char *said_of(const sq_pass_context *c, sq_code *x, sq_arena *arena)
{
    int status;
    const char *said = child_says(run_passes, &(struct passing){c, x}, arena, &status);
    assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) != 0 || !*said);
    return said;
}

/* Names around a list are those of the kernel; around a part they are its parameters. */
static void code_is_verified(void **state)
{
    (void)state;
    made m = made_begin();
    const sq_kernel k = {.name = "k"};
    sq_pass_context c = {.kernel = &k, .target = sq_target_get("avx2"), .pool = m.pool};
    const sq_code_param n = {.kind = SQ_CODE_INDEX, .name = "n"};
    sq_code_part part = {.name = "part", .nparams = 1, .param = &n};
    sq_code *call = sq_code_new(m.pool, SQ_CODE_CALL);
    const sq_code_expr *const arg[] = {m.n};
    part.body = made_loop(&m, "i", m.n, sq_code_comment(m.pool, "once"));
    call->part = &part;
    call->arg = arg;
    m.pool->is_verified = true;
    assert_non_null(
        strstr(said_of(&c, call, m.arena), "k, after lowering: n: it is used and not defined"));
    sq_code *value = sq_code_let(m.pool, "n", sq_code_number(m.pool, 3));
    value->next = call;
    assert_string_equal(said_of(&c, value, m.arena), "");
    part.body->hi = m.j;
    assert_non_null(
        strstr(said_of(&c, value, m.arena), "k, after lowering: j: it is used and not defined"));
    sq_arena_free(m.arena);
}

/* ---- sweep ---- */

/* "const int64_t name = value;" before what follows. */
static sq_code *let(made *m, const char *name, const sq_code_expr *value, sq_code *next)
{
    sq_code *x = sq_code_let(m->pool, name, value);
    x->next = next;
    return x;
}

/* A name that another scope uses is not used here; what only an unused one mentions is not either. A block
 * without definitions is its body. A variable that need not be used is kept without the mark where it is, and
 * with it where only the choice of threads uses it. */
static void unused_definitions_are_removed(void **state)
{
    (void)state;
    made m = made_begin();
    sq_code_pool *p = m.pool;
    const sq_code_buffer *a = made_matrix(&m, "A", SQ_F32);
    const sq_code_expr *x = sq_code_name(p, "x"), *w = sq_code_name(p, "w"),
                       *v = sq_code_name(p, "v");
    sq_code_list all = {0};
    sq_code *store = made_store(&m, made_at(&m, a, m.i, m.j), made_at(&m, a, w, x)),
            *unused = sq_code_new(p, SQ_CODE_BLOCK), *used = sq_code_new(p, SQ_CODE_BLOCK),
            *pointer = sq_code_new(p, SQ_CODE_POINTER), *loop = made_loop(&m, "i", m.n, store);
    sq_code_product product = {1, 1, &v};
    loop->work = &(sq_code_work){1, &product, 0};
    pointer->buffer = sq_code_pointer(p, "q", SQ_F32, true, false);
    pointer->of = a;
    pointer->value = x;
    pointer->next = sq_code_comment(p, "unused");
    unused->body = let(&m, "x", m.j, pointer);
    used->body = let(&m, "x", m.n, loop);
    sq_code_append(&all, sq_code_let(p, "y", m.n));
    sq_code_append(&all, unused);
    for (const char *name = "zwv"; *name; name++) {
        const char *own = sq_arena_printf(m.arena, "%c", *name);
        sq_code_append(&all, let(&m, own, m.n, sq_code_unused(p, own)));
    }
    sq_code_append(&all, used);
    const char *block = "{\n    const int64_t x = n;\n    for (int64_t i = 0; i < n; i++)\n"
                        "        A[8 * i + j] = A[8 * w + x];\n}\n";
    assert_text(&m, sq_pass_sweep(&(sq_pass_context){.pool = p}, all.first),
                sq_arena_printf(m.arena,
                                "/* unused */\nconst int64_t w = n, v = n;\n"
                                "(void)v;\n%s",
                                block));
    sq_arena_free(m.arena);
}

/* The variable of a block, or of a loop, hides one of the same name, which is used behind it. */
static void hidden_definitions_are_kept(void **state)
{
    (void)state;
    made m = made_begin();
    sq_code_pool *p = m.pool;
    const sq_code_buffer *a = made_matrix(&m, "A", SQ_F32);
    const sq_code_expr *x = sq_code_name(p, "x");
    sq_code_list all = {0};
    sq_code *block = sq_code_new(p, SQ_CODE_BLOCK);
    block->body = let(&m, "x", m.j, made_store(&m, made_at(&m, a, m.i, x), made_at(&m, a, m.j, m.i)));
    sq_code_append(&all, sq_code_let(p, "x", m.n));
    sq_code_append(&all, block);
    sq_code_append(&all, made_loop(&m, "x", m.n, made_store(&m, made_at(&m, a, x, m.j), made_at(&m, a, m.j, x))));
    sq_code_append(&all, made_store(&m, made_at(&m, a, m.i, m.j), made_at(&m, a, x, m.j)));
    assert_text(&m, sq_pass_sweep(&(sq_pass_context){.pool = p}, all.first),
                "const int64_t x = n;\n{\n    const int64_t x = j;\n    A[8 * i + x] = A[8 * j + i];\n}\n"
                "for (int64_t x = 0; x < n; x++)\n    A[8 * x + j] = A[8 * j + x];\n"
                "A[8 * i + j] = A[8 * x + j];\n");
    sq_arena_free(m.arena);
}

/* ---- unread ---- */

/* A register goes if it is only written, with its stores, with what only they used, and with loops and conditions that
 * have nothing else; one that is read stays, also if only such a register read it at first. */
static void registers_that_are_only_written_are_removed(void **state)
{
    (void)state;
    made m = made_begin();
    sq_code_pool *p = m.pool;
    const sq_code_buffer *a = made_matrix(&m, "A", SQ_F32), *read = sq_code_register(p, "read", SQ_F32),
                         *first = sq_code_register(p, "first", SQ_F32), *last = sq_code_register(p, "last", SQ_F32);
    const sq_code_expr *x = sq_code_name(p, "x"), *of_read = sq_code_load(p, read, NULL);
    sq_code *stores = sq_code_set(p, last, sq_code_load(p, first, NULL)),
            *set = sq_code_set(p, read, made_at(&m, a, m.i, m.j));
    sq_code_list all = {0}, body = {0};
    sq_code_append(&all, sq_code_declare(p, read, true));
    sq_code_append(&all, sq_code_declare(p, first, true));
    sq_code_append(&all, sq_code_declare(p, last, true));
    sq_code_append(&all, sq_code_unused(p, "last"));
    sq_code_append(&all, sq_code_let(p, "x", m.n));
    sq_code_append(&all, made_loop(&m, "j", m.n, sq_code_guarded(p, sq_code_compare(p, SQ_CODE_LT, m.j, x), stores)));
    sq_code_append(&body, set);
    sq_code_append(&body, sq_code_set(p, first, of_read));
    sq_code_append(&body, made_store(&m, made_at(&m, a, m.j, m.i), of_read));
    sq_code_append(&all, made_loop(&m, "i", m.n, body.first));
    assert_text(&m, sq_pass_unread(&(sq_pass_context){.pool = p}, all.first),
                "float read = 0;\nfor (int64_t i = 0; i < n; i++) {\n    read = A[8 * i + j];\n"
                "    A[8 * j + i] = read;\n}\n");
    sq_arena_free(m.arena);
}

/* ---- once ---- */

/* Appends a constant register with a value; returns its value. */
static const sq_code_expr *held(const made *m, const char *name, const sq_code_expr *value, sq_code_list *to)
{
    sq_code_buffer *b = SQ_NEW(m->arena, sq_code_buffer);
    *b = *sq_code_register(m->pool, name, value->type);
    b->is_constant = true;
    sq_code_append(to, sq_code_declare(m->pool, b, false));
    sq_code_append(to, sq_code_set(m->pool, b, value));
    return sq_code_load(m->pool, b, NULL);
}

/* What the next statement uses once is put there, unless that has enough operations; but no product into a sum, no
 * integer, which would be computed in another type, nothing that is used again, in a loop, or behind another
 * statement. */
static void values_are_put_where_they_are_used(void **state)
{
    (void)state;
    made m = made_begin();
    const sq_code_buffer *a = made_matrix(&m, "A", SQ_F32), *b = made_matrix(&m, "B", SQ_I8);
    const sq_code_expr *place = made_at(&m, a, m.i, m.j), *byte = made_at(&m, b, m.i, m.j);
    sq_code_list all = {0};
    const sq_code_expr *x = held(&m, "x", place, &all), *y = held(&m, "y", made_both(&m, SQ_OP_ADD, x, x), &all),
                       *z = held(&m, "z", made_both(&m, SQ_OP_MUL, y, made_at(&m, a, m.j, m.i)), &all);
    sq_code_append(&all, made_store(&m, place, made_both(&m, SQ_OP_MAX, z, place)));
    const sq_code_expr *p = held(&m, "p", made_both(&m, SQ_OP_MUL, place, place), &all);
    sq_code_append(&all, made_store(&m, place, made_both(&m, SQ_OP_SUB, place, p)));
    const sq_code_expr *q = held(&m, "q", byte, &all);
    sq_code_append(&all, made_store(&m, byte, q));
    const sq_code_expr *r = held(&m, "r", place, &all);
    sq_code_append(&all, made_loop(&m, "k", m.n, made_store(&m, place, r)));
    const sq_code_expr *s = held(&m, "s", place, &all);
    sq_code_append(&all, made_store(&m, made_at(&m, a, m.j, m.i), place));
    sq_code_append(&all, made_store(&m, place, s));
    assert_text(&m, sq_pass_once(&(sq_pass_context){.pool = m.pool}, all.first),
                "const float x = A[8 * i + j], y = x + x;\n"
                "A[8 * i + j] = sq_max_f32((y * A[8 * j + i]), A[8 * i + j]);\n"
                "const float p = A[8 * i + j] * A[8 * i + j];\n"
                "A[8 * i + j] -= p;\n"
                "const int8_t q = B[8 * i + j];\n"
                "B[8 * i + j] = q;\n"
                "const float r = A[8 * i + j];\n"
                "for (int64_t k = 0; k < n; k++)\n    A[8 * i + j] = r;\n"
                "const float s = A[8 * i + j];\n"
                "A[8 * j + i] = A[8 * i + j];\n"
                "A[8 * i + j] = s;\n");
    sq_arena_free(m.arena);
}

/* ---- widen ---- */

static bool is_widened(const made *m, sq_code *body, const char *target, sq_fp fp)
{
    const sq_kernel k = {.name = "k", .fp = fp};
    const sq_pass_context c = {.kernel = &k, .target = sq_target_get(target), .pool = m->pool};
    sq_code *loop = made_loop(m, "j", m->n, body);
    loop->is_scalar = true;
    return sq_pass_widen(&c, loop) != loop;
}

static sq_code *both(sq_code *a, sq_code *b)
{
    a->next = b;
    return a;
}

/* A vector of 16 lanes meets statement after statement: what one iteration leaves for another must be
 * left by an earlier statement, or be read before it is written. */
static void widen_keeps_the_order_of_statements(void **state)
{
    (void)state;
    made m = made_begin();
    const sq_code_buffer *a = made_matrix(&m, "A", SQ_F32), *b = made_matrix(&m, "B", SQ_F32);
    const sq_code_expr *at[3],
        *of_b = made_at(&m, b, m.i, m.j),
        *far = made_at(&m, a, m.i, sq_code_plus(m.pool, m.j, -16)),
        *fourth = made_at(&m, a, m.i, sq_code_plus(m.pool, m.j, -4)),
        *third = made_at(&m, a, m.i, sq_code_plus(m.pool, m.j, -3)),
        *even = made_at(&m, a, m.i, sq_code_scale(m.pool, 2, m.j)),
        *odd = made_at(&m, a, m.i, sq_code_plus(m.pool, sq_code_scale(m.pool, 2, m.j), 1)),
        *row = made_at(&m, a, sq_code_plus(m.pool, m.i, -1), m.j),
        *unknown = made_at(&m, a, m.i, sq_code_add(m.pool, m.j, m.n));
    for (int d = 0; d < 3; d++)
        at[d] = made_at(&m, a, m.i, sq_code_plus(m.pool, m.j, d - 1));
    const struct {
        sq_code *body;
        bool widened;
    } table[] = {
        {made_store(&m, at[1], made_both(&m, SQ_OP_MUL, at[2], of_b)), true},
        {made_store(&m, at[1], made_both(&m, SQ_OP_MUL, at[0], of_b)), false},
        {made_store(&m, at[1], made_both(&m, SQ_OP_MUL, far, of_b)), true},
        {made_store(&m, at[1], made_both(&m, SQ_OP_MUL, fourth, of_b)), true},
        {made_store(&m, at[1], made_both(&m, SQ_OP_MUL, third, of_b)), false},
        {made_store(&m, at[1], made_both(&m, SQ_OP_MUL, row, of_b)), true},
        {made_store(&m, even, of_b), true},
        {made_store(&m, even, made_both(&m, SQ_OP_MUL, even, of_b)), false},
        {both(made_store(&m, even, of_b), made_store(&m, odd, of_b)), true},
        {both(made_store(&m, odd, even), made_store(&m, even, of_b)), true},
        {both(made_store(&m, odd, of_b), made_store(&m, even, odd)), false},
        {made_store(&m, at[1], made_both(&m, SQ_OP_MUL, unknown, of_b)), false},
        {both(made_store(&m, at[1], of_b), made_store(&m, of_b, at[0])), true},
        {both(made_store(&m, of_b, at[0]), made_store(&m, at[1], of_b)), false},
        {both(made_store(&m, of_b, at[2]), made_store(&m, at[1], of_b)), true},
        {both(made_store(&m, at[1], of_b), made_store(&m, of_b, at[2])), false},
        {both(made_store(&m, at[1], of_b), made_store(&m, at[2], of_b)), false},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_int_equal(is_widened(&m, table[i].body, "avx512", SQ_FP_REASSOC), table[i].widened);
    sq_arena_free(m.arena);
}

/* Copies of a statement with a step of their own are one loop again; copies that skip are not. */
static void widen_rolls_what_was_unrolled(void **state)
{
    (void)state;
    made m = made_begin();
    const sq_code_buffer *a = made_matrix(&m, "A", SQ_F32), *b = made_matrix(&m, "B", SQ_F32);
    for (int step = 1; step <= 2; step++) {
        sq_code *copy[3];
        for (int k = 0; k < 3; k++) {
            const sq_code_expr *at =
                sq_code_plus(m.pool, sq_code_scale(m.pool, 3, m.j), (int64_t)k * step);
            const sq_code_expr *place = made_at(&m, a, m.i, at); /* which it reads, so that lanes stay single */
            copy[k] = made_store(&m, place, made_both(&m, SQ_OP_MUL, place, made_at(&m, b, m.i, at)));
        }
        both(copy[0], both(copy[1], copy[2]));
        assert_int_equal(is_widened(&m, copy[0], "avx2", SQ_FP_REASSOC), step == 1);
    }
    sq_arena_free(m.arena);
}

/* Subscripts that divide by few numbers have a statement for each residue, and a loop of what is left; those
 * that divide multiples, or by many numbers, have not. */
static void widen_tells_residues_apart(void **state)
{
    (void)state;
    made m = made_begin();
    const sq_code_buffer *a = made_matrix(&m, "A", SQ_F32), *b = made_matrix(&m, "B", SQ_F32);
    const sq_code_expr *of_a = made_at(&m, a, m.i, m.j);
    for (int by = 2; by <= 5; by++) {
        const sq_code_expr *part =
            sq_code_divide(m.pool, SQ_CODE_FLOORD, m.j, sq_code_number(m.pool, by));
        sq_code *body = made_store(&m, of_a, made_at(&m, b, m.i, part)), *rest = NULL;
        sq_code *loop = made_loop(&m, "j", m.n, body), *x = sq_widen_residues(m.pool, loop, &rest);
        assert_int_equal(x != NULL, by < 5);
        assert_int_equal(is_widened(&m, body, "avx2", SQ_FP_REASSOC), by < 5);
        if (by != 2)
            continue;
        assert_text(&m, x,
                    "for (int64_t j = 0; j < sq_floord(n, 2); j++) {\n    A[8 * i + 2 * j] = B[8 * i + j];\n"
                    "    A[8 * i + 2 * j + 1] = B[8 * i + j];\n}\n");
        assert_text(&m, rest,
                    "for (int64_t j = sq_max(0, 2 * sq_floord(n, 2)); j < n; j++)\n"
                    "    A[8 * i + j] = B[8 * i + sq_floord(j, 2)];\n");
        loop->hi = sq_code_scale(m.pool, 4, m.n);
        assert_non_null(sq_widen_residues(m.pool, loop, &rest));
        assert_null(rest);
        loop->lo = sq_code_number(m.pool, 1);
        assert_null(sq_widen_residues(m.pool, loop, &rest));
    }
    sq_arena_free(m.arena);
}

/* Scalars that are set before they are read, sums that nothing else reads; strict sums keep their order. */
static void widen_keeps_scalars_in_registers(void **state)
{
    (void)state;
    made m = made_begin();
    const sq_code_buffer *a = made_matrix(&m, "A", SQ_F32), *s = made_matrix(&m, "S", SQ_F32);
    const sq_code_expr *of_a = made_at(&m, a, m.i, m.j), *of_s = made_at(&m, s, m.i, m.n),
                       *sum = made_both(&m, SQ_OP_ADD, of_s, of_a);
    assert_true(is_widened(&m, both(made_store(&m, of_s, of_a), made_store(&m, of_a, sum)), "avx2",
                           SQ_FP_STRICT));
    assert_false(is_widened(&m, both(made_store(&m, of_a, sum), made_store(&m, of_s, of_a)), "avx2",
                            SQ_FP_REASSOC));
    assert_true(is_widened(&m, made_store(&m, of_s, sum), "avx2", SQ_FP_REASSOC));
    assert_false(is_widened(&m, made_store(&m, of_s, sum), "avx2", SQ_FP_STRICT));
    assert_false(is_widened(&m, both(made_store(&m, of_s, sum), made_store(&m, of_a, of_s)), "avx2",
                            SQ_FP_REASSOC));
    sq_arena_free(m.arena);
}

/* An element that only a condition needs is loaded under a mask, where the target has masks. */
static void widen_loads_under_masks(void **state)
{
    (void)state;
    made m = made_begin();
    const sq_code_buffer *a = made_matrix(&m, "A", SQ_F32), *b = made_matrix(&m, "B", SQ_F32),
                         *u = made_matrix(&m, "U", SQ_U8);
    const sq_code_expr *of_a = made_at(&m, a, m.i, m.j), *of_b = made_at(&m, b, m.i, m.j),
                       *of_u = made_at(&m, u, m.i, m.j);
    sq_code *x = made_store(&m, of_a, sq_code_choose(m.pool, of_u, of_b, of_a));
    assert_true(is_widened(&m, x, "avx512", SQ_FP_REASSOC));
    assert_true(is_widened(&m, x, "avx2", SQ_FP_REASSOC));
    assert_false(is_widened(&m, x, "neon", SQ_FP_REASSOC));
    x = made_store(&m, of_a, of_b);
    x->cond = of_u;
    assert_true(is_widened(&m, x, "avx512", SQ_FP_REASSOC));
    assert_false(is_widened(&m, x, "neon", SQ_FP_REASSOC));
    sq_arena_free(m.arena);
}

/* Returns the first store of vectors. */
static const sq_code *vector_store(const sq_code *x)
{
    const sq_code *found = NULL;
    for (; x && !found; x = x->next)
        found = x->kind == SQ_CODE_STORE && x->lane_step ? x : vector_store(x->body);
    return found;
}

/* Where masked stores are slow, lanes that a condition excludes are stored as they were read; elements that
 * nothing else reads are left alone. */
static void widen_writes_back(void **state)
{
    static const struct {
        const char *target;
        bool reads, masks;
    } row[] = {{"avx2", true, false}, {"avx2", false, true}, {"avx512", true, true}};
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        made m = made_begin();
        const sq_kernel k = {.name = "k", .fp = SQ_FP_REASSOC};
        const sq_pass_context c = {.kernel = &k, .target = sq_target_get(row[i].target), .pool = m.pool};
        const sq_code_buffer *a = made_matrix(&m, "A", SQ_F32), *b = made_matrix(&m, "B", SQ_F32);
        const sq_code_expr *of_a = made_at(&m, a, m.i, m.j), *of_b = made_at(&m, b, m.i, m.j);
        const sq_code_expr *const side[] = {row[i].reads ? of_a : of_b, of_b};
        sq_code *body = made_store(&m, of_a, of_b), *loop = made_loop(&m, "j", m.n, body);
        body->cond = sq_code_operation(m.pool, SQ_OP_LT, SQ_I32, side);
        loop->is_scalar = true;
        const sq_code *x = vector_store(sq_pass_widen(&c, loop));
        assert_non_null(x);
        assert_int_equal(x->cond != NULL, row[i].masks);
        assert_int_equal(x->value->op == SQ_CODE_SELECT, !row[i].masks);
        sq_arena_free(m.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_have_names_of_their_own),
        cmocka_unit_test(parts_are_passed_once),
        cmocka_unit_test(code_is_verified),
        cmocka_unit_test(unused_definitions_are_removed),
        cmocka_unit_test(hidden_definitions_are_kept),
        cmocka_unit_test(registers_that_are_only_written_are_removed),
        cmocka_unit_test(values_are_put_where_they_are_used),
        cmocka_unit_test(widen_keeps_the_order_of_statements),
        cmocka_unit_test(widen_rolls_what_was_unrolled),
        cmocka_unit_test(widen_tells_residues_apart),
        cmocka_unit_test(widen_keeps_scalars_in_registers),
        cmocka_unit_test(widen_loads_under_masks),
        cmocka_unit_test(widen_writes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
