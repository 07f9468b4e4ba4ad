/* The verifier: what is wrong with code is said of the first place, and what is right passes. Each case is
 * sound code with one fault. */
#include "codegen/code/build.h"
#include "codegen/code/instruction.h"
#include "codegen/code/verify.h"
#include "codegen/lower/group.h"
#include "codegen/passes/verified.h"
#include "codegen/print/names.h"
#include "tests/unit/interpreted.h"
#include "tests/unit/verdicts.h"
#include "transforms/transform.h"

static sq_code *block_of(const made *m, sq_code *body)
{
    sq_code *x = sq_code_new(m->pool, SQ_CODE_BLOCK);
    x->body = body;
    return x;
}

/* UNUSED or FRESH of a name. */
static sq_code *hint(const made *m, sq_code_kind kind, const char *name)
{
    sq_code *x = sq_code_new(m->pool, kind);
    x->name = name;
    return x;
}

static sq_code *variable(const made *m, sq_code_kind kind, const char *name,
                         const sq_code_expr *value)
{
    sq_code *x = sq_code_let(m->pool, name, value);
    x->kind = kind;
    return x;
}

/* A load with a subscript less. */
static const sq_code_expr *short_of(const made *m, const sq_code_expr *load)
{
    sq_code_expr copy = *load;
    copy.nargs--;
    return sq_code_cons(m->pool, &copy);
}

static void single_values(void **state)
{
    (void)state;
    made m = made_begin();
    const sq_code_buffer *a = made_matrix(&m, "A", SQ_F32), *d = made_matrix(&m, "D", SQ_F64),
                         *s = sq_code_register(m.pool, "s", SQ_F32);
    sq_code_buffer *fixed = made_matrix(&m, "R", SQ_F32), *nowhere = made_matrix(&m, "N", SQ_F32);
    fixed->is_readonly = true;
    const sq_code_expr *place = made_at(&m, a, m.n, m.n), *wide = made_at(&m, d, m.n, m.n),
                       *sum = sq_code_load(m.pool, s, NULL), *in = made_at(&m, fixed, m.n, m.n);
    const sq_code_expr *less = sq_code_compare(m.pool, SQ_CODE_LT, m.i, m.n);
    sq_code *endless = made_loop(&m, "j", NULL, made_store(&m, place, place));
    sq_code *lanes = made_loop(&m, "j", m.n, NULL), *real = made_loop(&m, "j", place, NULL);
    sq_code *when = made_store(&m, place, place), *arm = sq_code_guarded(m.pool, place, NULL),
            *truth = made_loop(&m, "j", less, NULL);
    lanes->runs = SQ_CODE_LANES;
    when->cond = place;
    const fault table[] = {
        {made_loop(&m, "j", m.n, made_store(&m, made_at(&m, a, m.j, m.n), in)), NULL},
        {made_store(&m, made_at(&m, a, m.j, m.n), place), "j: it is used and not defined"},
        {made_store(&m, place, wide), "A: what is stored is not of its type"},
        {made_store(&m, place, made_both(&m, SQ_OP_ADD, place, wide)),
         "add: an operand is not of the operation's type"},
        {made_store(&m, place, made_at(&m, nowhere, m.n, m.n)),
         "N: no declaration of it is around"},
        {made_store(&m, place, sum), "s: no declaration of it is around"},
        {in_order(sq_code_declare(m.pool, s, false), made_store(&m, sum, place)), NULL},
        {in_order(block_of(&m, sq_code_declare(m.pool, s, false)), made_store(&m, sum, place)),
         "s: no declaration of it is around"},
        {made_store(&m, in, place), "R: it is read only and stored to"},
        {made_store(&m, made_at(&m, a, m.n, wide), place), "A: a subscript is no index expression"},
        {made_store(&m, made_at(&m, a, m.n, less), place), "A: a subscript is no index expression"},
        {made_store(&m, place, short_of(&m, place)), "A: a load is not of its dimensions and type"},
        {made_store(&m, made_at(&m, a, sq_code_mul(m.pool, m.n, place), m.n), place),
         "an index expression: a value stands in an index expression"},
        {made_store(&m, made_at(&m, a, sq_code_select(m.pool, sum, m.i, m.n), m.n), place),
         "s: no declaration of it is around"},
        {in_order(sq_code_declare(m.pool, s, false),
                  made_store(&m, made_at(&m, a, sq_code_select(m.pool, sum, m.i, m.n), m.n), in)),
         "a choice: a value decides between index expressions"},
        {when, NULL}, /* a value decides whether an element is stored */
        {arm, "a conditional: what it asks for is no condition"},
        {endless, "j: a loop wants a step above 0 and one end"},
        {real, "j: a loop ends at no index expression"},
        {truth, "j: a loop ends at no index expression"},
        {lanes, "j: a loop in lanes wants one store"},
        {sq_code_declare(m.pool, a, false), "A: an array of the kernel is declared"},
    };
    assert_verdicts(table, LENGTH(table), NULL, m.arena);
    sq_arena_free(m.arena);
}

/* Names that hints and changes are about. */
static void names(void **state)
{
    (void)state;
    vectors v = vectors_begin();
    const made *m = &v.m;
    const sq_code_kind let = SQ_CODE_LET, var = SQ_CODE_VARIABLE, fresh = SQ_CODE_FRESH,
                       unused = SQ_CODE_UNUSED, change = SQ_CODE_ASSIGN;
    sq_code *down = sq_code_new(m->pool, SQ_CODE_LOOP), *up = sq_code_new(m->pool, SQ_CODE_LOOP),
            *fixed = sq_code_new(m->pool, SQ_CODE_LOOP);
    *down = (sq_code){.kind = SQ_CODE_LOOP,
                      .name = "j",
                      .step = -1,
                      .cond = sq_code_compare(m->pool, SQ_CODE_GT, m->j, v.zero)};
    *up = *fixed = *down;
    up->step = 0;
    const char *counts = "a loop: a loop over a variable changes it while something is true";
    const fault table[] = {
        {hint(m, fresh, "P"), NULL},
        {in_order(variable(m, var, "j", v.one), hint(m, fresh, "j")), NULL},
        {hint(m, fresh, "j"), "j: it is no pointer or variable that may change"},
        {hint(m, fresh, "i"), "i: it is no pointer or variable that may change"},
        {in_order(variable(m, let, "j", v.one), hint(m, fresh, "j")),
         "j: it is no pointer or variable that may change"},
        {in_order(block_of(m, variable(m, var, "j", v.one)), hint(m, fresh, "j")),
         "j: it is no pointer or variable that may change"},
        {made_loop(m, "j", m->n, hint(m, fresh, "j")),
         "j: it is no pointer or variable that may change"},
        {in_order(variable(m, let, "j", v.one), hint(m, unused, "j")), NULL},
        {hint(m, unused, "P"), NULL},
        {hint(m, unused, "A"), NULL},
        {hint(m, unused, "j"), "j: it is marked as unused and not defined"},
        {in_order(variable(m, var, "j", v.one), variable(m, change, "j", v.zero)), NULL},
        {in_order(variable(m, let, "j", v.one), variable(m, change, "j", v.zero)),
         "j: it is changed and no variable"},
        {variable(m, change, "n", v.zero), "n: it is changed and no variable"},
        {in_order(variable(m, var, "j", v.one), down), NULL},
        {in_order(variable(m, var, "j", v.one), up), counts},
        {in_order(variable(m, let, "j", v.one), fixed), counts},
        {variable(m, let, "j", sq_code_scalar(m->pool, SQ_F32, "s")),
         "j: a value stands for a condition"},
    };
    assert_verdicts(table, LENGTH(table), v.p, m->arena);
    sq_arena_free(m->arena);
}

static sq_code *pointer(const made *m, const sq_code_buffer *b, const sq_code_buffer *of,
                        const sq_code_expr *begin)
{
    sq_code *x = sq_code_new(m->pool, SQ_CODE_POINTER);
    x->buffer = b;
    x->of = of;
    x->value = begin;
    return x;
}

static sq_code *advanced(const made *m, const sq_code_buffer *b, const sq_code_expr *by)
{
    sq_code *x = sq_code_new(m->pool, SQ_CODE_ADVANCE);
    x->buffer = b;
    x->value = by;
    return x;
}

static void pointers(void **state)
{
    (void)state;
    vectors v = vectors_begin();
    const made *m = &v.m;
    sq_code_pool *p = m->pool;
    const sq_code_buffer *q = sq_code_pointer(p, "Q", SQ_F32, false, false),
                         *wide = sq_code_pointer(p, "W", SQ_F64, false, false),
                         *fixed = sq_code_pointer(p, "F", SQ_F32, true, false),
                         *a = made_matrix(m, "A", SQ_F32), *s = sq_code_register(p, "s", SQ_F32);
    const sq_code_expr *at = sq_code_load(p, q, &v.zero), *from = sq_code_load(p, v.p, &v.zero);
    sq_code *store = sq_code_store(p, q, &v.zero, from);
    const fault table[] = {
        {in_order(pointer(m, q, v.p, m->i), sq_code_store(p, q, &v.zero, from)), NULL},
        {pointer(m, q, a, m->i), NULL},
        {store, "Q: no declaration of it is around"},
        {sq_code_store(p, v.p, &v.zero, at), "Q: no declaration of it is around"},
        {in_order(block_of(m, pointer(m, q, v.p, m->i)), store),
         "Q: no declaration of it is around"},
        {pointer(m, q, wide, m->i), "W: no declaration of it is around"},
        {in_order(pointer(m, fixed, v.p, m->i), pointer(m, q, fixed, m->i)),
         "Q: a pointer to what is read only may store"},
        {pointer(m, wide, v.p, m->i), "W: a pointer is not of its array's type"},
        {pointer(m, q, NULL, m->i), "Q: a pointer points into no array"},
        {in_order(sq_code_declare(p, s, true), pointer(m, q, s, m->i)),
         "Q: a pointer points into no array"},
        {pointer(m, a, v.p, m->i), "A: a pointer points into no array"},
        {pointer(m, q, v.p, from), "Q: a pointer begins at no index expression"},
        {advanced(m, v.p, m->i), NULL},
        {advanced(m, q, m->i), "Q: no declaration of it is around"},
        {advanced(m, a, m->i), "A: it is advanced and no pointer"},
        {advanced(m, v.p, from), "P: a pointer moves by no index expression"},
    };
    assert_verdicts(table, LENGTH(table), v.p, m->arena);
    sq_arena_free(m->arena);
}

/* A run of four elements of a row of A to a copy, each behind the other. */
static sq_code *copied(const vectors *v, const sq_code_buffer *to, const sq_code_expr *row,
                       int64_t stride)
{
    const made *m = &v->m;
    sq_code *x = sq_code_new(m->pool, SQ_CODE_COPY);
    sq_code_run *run = SQ_NEW(m->arena, sq_code_run);
    const sq_code_expr **at = SQ_NEW_ARRAY(m->arena, const sq_code_expr *, 1);
    at[0] = v->zero;
    *run = (sq_code_run){.row = row, .lo = v->zero, .n = m->n, .stride = stride, .step = 1};
    x->buffer = to;
    x->index = at;
    x->of = sq_code_row(m->pool, "A", SQ_F32, m->n, true);
    x->run = run;
    return x;
}

static void copies_want_rows(void **state)
{
    (void)state;
    vectors v = vectors_begin();
    sq_code_pool *p = v.m.pool;
    const sq_code_buffer *to = sq_code_panel(p, "A_pack", SQ_F32, 8, false);
    const sq_code_expr *value = sq_code_load(p, v.p, &v.zero);
    const fault table[] = {
        {in_order(sq_code_declare(p, to, false), copied(&v, to, v.m.i, 1)), NULL},
        {copied(&v, to, v.m.i, 1), "A_pack: no declaration of it is around"},
        {in_order(sq_code_declare(p, to, false), copied(&v, to, v.m.i, 0)),
         "A_pack: a copy wants rows and steps above 0"},
        {in_order(sq_code_declare(p, to, false), copied(&v, to, value, 1)),
         "A_pack: where a copy is from is no index expression"},
        {in_order(sq_code_declare(p, to, false), copied(&v, to, v.m.j, 1)),
         "j: it is used and not defined"},
        {in_order(sq_code_declare(p, to, false), sq_code_declare(p, to, false)),
         "A_pack: it is declared where it is there already"},
    };
    assert_verdicts(table, LENGTH(table), v.p, v.m.arena);
    sq_arena_free(v.m.arena);
}

/* A loop that threads share where a factor says so. */
static sq_code *shared(const vectors *v, const sq_code_expr *factor, sq_code_runs runs)
{
    sq_code_work *w = SQ_NEW(v->m.arena, sq_code_work);
    w->n = 1;
    w->term = SQ_NEW(v->m.arena, sq_code_product);
    w->term->n = 1;
    w->term->factor = SQ_NEW_ARRAY(v->m.arena, const sq_code_expr *, 1);
    w->term->factor[0] = factor;
    sq_code *x = sq_code_loop(v->m.pool, "j", v->zero, v->m.n, 1);
    x->runs = runs;
    x->work = w;
    return x;
}

static void work_is_known_before_loops(void **state)
{
    (void)state;
    vectors v = vectors_begin();
    const fault table[] = {
        {shared(&v, v.m.n, SQ_CODE_THREADS), NULL},
        {shared(&v, v.m.j, SQ_CODE_THREADS), "j: it is used and not defined"},
        {shared(&v, sq_code_load(v.m.pool, v.p, &v.zero), SQ_CODE_THREADS),
         "j: a loop's work is no index expression"},
        {shared(&v, v.m.n, SQ_CODE_SERIAL),
         "j: threads share no such loop, and its work is asked for"},
    };
    assert_verdicts(table, LENGTH(table), v.p, v.m.arena);
    sq_arena_free(v.m.arena);
}

/* A call of a part that has a pointer to write to, a number and a scalar. */
static sq_code *called(const vectors *v, const sq_code_buffer *of, const sq_code_expr *at,
                       const sq_code_expr *number, const sq_code_expr *scalar)
{
    sq_arena *arena = v->m.arena;
    sq_code *x = sq_code_new(v->m.pool, SQ_CODE_CALL);
    sq_code_part *part = SQ_NEW(arena, sq_code_part);
    sq_code_param *param = SQ_NEW_ARRAY(arena, sq_code_param, 2);
    const sq_code_buffer **pointer = SQ_NEW_ARRAY(arena, const sq_code_buffer *, 1);
    sq_code_address *address = SQ_NEW(arena, sq_code_address);
    const sq_code_expr **arg = SQ_NEW_ARRAY(arena, const sq_code_expr *, 2);
    pointer[0] = sq_code_pointer(v->m.pool, "Q", SQ_F32, false, true);
    param[0] = (sq_code_param){SQ_CODE_INDEX, SQ_I64, "left"};
    param[1] = (sq_code_param){SQ_CODE_VALUE, SQ_F32, "s"};
    *address = (sq_code_address){of, at};
    arg[0] = number;
    arg[1] = scalar;
    *part = (sq_code_part){
        .name = "tile", .npointers = 1, .nparams = 2, .pointer = pointer, .param = param};
    x->part = part;
    x->pointer = address;
    x->arg = arg;
    return x;
}

static void calls_pass_what_parts_take(void **state)
{
    (void)state;
    vectors v = vectors_begin();
    sq_code_pool *p = v.m.pool;
    const sq_code_buffer *a = sq_code_row(p, "A", SQ_F32, v.m.n, false),
                         *fixed = sq_code_row(p, "A", SQ_F32, v.m.n, true),
                         *wide = sq_code_row(p, "D", SQ_F64, v.m.n, false);
    const sq_code_expr *value = sq_code_load(p, v.p, &v.zero);
    const fault table[] = {
        {called(&v, a, v.m.i, v.m.n, NULL), NULL},
        {called(&v, fixed, v.m.i, v.m.n, NULL),
         "Q: what a call passes is not of the parameter's type"},
        {called(&v, wide, v.m.i, v.m.n, NULL),
         "Q: what a call passes is not of the parameter's type"},
        {called(&v, sq_code_panel(p, "P_pack", SQ_F32, 8, false), v.m.i, v.m.n, NULL),
         "P_pack: no declaration of it is around"},
        {called(&v, a, value, v.m.n, NULL), "Q: a pointer begins at no index expression"},
        {called(&v, a, v.m.i, NULL, NULL),
         "left: what a call passes is not of the parameter's kind"},
        {called(&v, a, v.m.i, value, NULL), "left: what a call passes is no index expression"},
        {called(&v, a, v.m.i, v.m.n, v.m.n),
         "s: what a call passes is not of the parameter's kind"},
    };
    assert_verdicts(table, LENGTH(table), v.p, v.m.arena);
    sq_arena_free(v.m.arena);
}

/* A constant has its value from the statement behind its declaration, whatever happens; a scalar is one of
 * the kernel's. */
static void constants_and_scalars(void **state)
{
    (void)state;
    vectors v = vectors_begin();
    sq_code_pool *p = v.m.pool;
    sq_code_buffer *c = SQ_NEW(v.m.arena, sq_code_buffer);
    const sq_code_expr *s = sq_code_scalar(p, SQ_F32, "s"),
                       *none = sq_code_scalar(p, SQ_F32, "none");
    const char *elsewhere = "c: a constant is stored to elsewhere than behind its declaration";
    sq_code *twice = in_order(sq_code_declare(p, c, false), sq_code_set(p, c, s)),
            *guarded = sq_code_set(p, c, s);
    *c = (sq_code_buffer){
        .name = "c", .type = SQ_F32, .storage = SQ_CODE_REGISTER, .is_constant = true};
    guarded->cond = sq_code_compare(p, SQ_CODE_LT, v.m.i, v.m.n);
    const fault table[] = {
        {in_order(sq_code_declare(p, c, false), sq_code_set(p, c, s)), NULL},
        {in_order(twice, sq_code_set(p, c, s)), elsewhere},
        {in_order(sq_code_declare(p, c, false), block_of(&v.m, sq_code_set(p, c, s))), elsewhere},
        {in_order(sq_code_declare(p, c, false), guarded), elsewhere},
        {in_order(sq_code_declare(p, c, false), sq_code_set(p, c, none)),
         "none: there is no such scalar"},
    };
    assert_verdicts(table, LENGTH(table), v.p, v.m.arena);
    sq_arena_free(v.m.arena);
}

/* ---- kernels of a grid ---- */

/* The first statement of a kind. */
static sq_code *first_of(sq_code *x, sq_code_kind kind)
{
    sq_code *found = NULL;
    for (; x && !found; x = x->next)
        found = x->kind == kind ? x : first_of(x->body, kind);
    return found;
}

/* The first instruction of a row. */
static const sq_code_instruction *instruction_of(const sq_code *x, sq_code_instruction_row row)
{
    const sq_code_instruction *found = NULL;
    for (; x && !found; x = x->next) {
        bool is = x->kind == SQ_CODE_INSTRUCTION && x->instruction->row == row;
        found = is ? x->instruction : instruction_of(x->body, row);
        found = found ? found : instruction_of(x->other, row);
    }
    return found;
}

static void kernels_are_verified(void **state)
{
    (void)state;
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    sq_unit *u = sample_open("samples/gemm.sq");
    sq_schedule *s = sq_schedule_new(u->kernel[0], arena);
    const char *script = "tile(i:64, j:64, k:16) order(i0, j0, i, j, k0) micro(i:4, j:4 | k) "
                         "vectorize(j:4) hold(k0) block(i0, j0) thread(i, j) share(A, B at k0, stages:2)";
    assert_int_equal(sq_script_apply(s, script, "<script>", arena, d), 0);
    sq_code_pool *pool = sq_code_pool_new(arena);
    sq_code *x = NULL;
    const sq_nest_options o = {.target = sq_target_get("cuda")};
    assert_int_equal(sq_lower_group(sq_names_of_loops(s, arena), 0, &o, pool, &x, d), 0);
    const sq_pass_context c = {.kernel = s->kernel, .target = o.target, .pool = pool};
    assert_null(sq_passes_wrong(&c, x));

    const sq_code_instruction *copy = instruction_of(x, SQ_INSTRUCTION_COPY);
    assert_non_null(copy);
    sq_code_operand *from = (sq_code_operand *)&copy->operand[1];
    const sq_code_operand was = *from;
    from->buffer = sq_code_pointer(pool, "elsewhere", SQ_F32, true, false);
    assert_string_equal(sq_passes_wrong(&c, x), "elsewhere: no declaration of it is around");
    *from = was;
    from->at = sq_code_name(pool, "nowhere");
    assert_string_equal(sq_passes_wrong(&c, x), "nowhere: it is used and not defined");
    *from = was;
    from->at = NULL;
    assert_string_equal(sq_passes_wrong(&c, x), "@from: an operand is no register, or no element of one dimension");
    *from = was;

    sq_code *memory = first_of(x, SQ_CODE_DECLARE);
    *memory = (sq_code){.kind = SQ_CODE_COMMENT, .name = "no memory", .next = memory->next};
    assert_string_equal(sq_passes_wrong(&c, x), "@A_shared_stages: no declaration of it is around");
    sq_unit_free(u);
    sq_diags_free(d);
    sq_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_values),
        cmocka_unit_test(names),
        cmocka_unit_test(pointers),
        cmocka_unit_test(constants_and_scalars),
        cmocka_unit_test(copies_want_rows),
        cmocka_unit_test(work_is_known_before_loops),
        cmocka_unit_test(calls_pass_what_parts_take),
        cmocka_unit_test(kernels_are_verified),
    };
    return cmocka_run_group_tests(tests, open_isl, close_isl);
}
