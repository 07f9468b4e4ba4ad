/* Roll: code of a box as loops, and what has no such form. Loops are compared with the code that they are
 * made from. */
#include "codegen/code/roll.h"
#include "codegen/code/unrolled.h"
#include "codegen/print/c.h"
#include "tests/unit/make_code.h"
#include "tests/unit/unit.h"

enum { ROWS = 5, COLUMNS = 6, MOST = 64 };

/* Lists of the points of a box, and registers that code at them shares. */
typedef struct box {
    made m;
    const sq_code_buffer *a, *b; /* pointers, the second one to what is stored to */
    const sq_code_buffer *sum;   /* registers [ROWS][COLUMNS] */
    sq_code_list at[MOST];
    sq_code *point[MOST];
    int n, values;
} box;

static box *box_begin(int n)
{
    static box b;
    b = (box){.m = made_begin(), .n = n};
    b.a = sq_code_pointer(b.m.pool, "A", SQ_F32, true, true);
    b.b = sq_code_pointer(b.m.pool, "B", SQ_F32, false, true);
    sq_code_buffer *sum = SQ_NEW(b.m.arena, sq_code_buffer);
    const sq_code_expr **extent = SQ_NEW_ARRAY(b.m.arena, const sq_code_expr *, 2);
    extent[0] = sq_code_number(b.m.pool, ROWS);
    extent[1] = sq_code_number(b.m.pool, COLUMNS);
    *sum = (sq_code_buffer){
        .name = "c", .type = SQ_F32, .storage = SQ_CODE_REGISTER, .ndim = 2, .extent = extent};
    b.sum = sum;
    return &b;
}

static const sq_code_expr *number(box *b, int64_t n)
{
    return sq_code_number(b->m.pool, n);
}

/* A[i * s + j] */
static const sq_code_expr *element(box *b, int i, int j)
{
    const sq_code_expr *s = sq_code_name(b->m.pool, "s"),
                       *at = sq_code_plus(b->m.pool, sq_code_scale(b->m.pool, i, s), j);
    return sq_code_load(b->m.pool, b->a, &at);
}

static const sq_code_expr *sum_at(box *b, int row, int column)
{
    const sq_code_expr *at[] = {number(b, row), number(b, column)};
    return sq_code_load(b->m.pool, b->sum, at);
}

/* A register of its own that holds the value, declared at a point. */
static const sq_code_expr *named(box *b, int point, const char *stem, const sq_code_expr *value)
{
    sq_code_buffer *r = SQ_NEW(b->m.arena, sq_code_buffer);
    *r = (sq_code_buffer){.name = sq_arena_printf(b->m.arena, "%s%d", stem, b->values++),
                          .type = SQ_F32,
                          .storage = SQ_CODE_REGISTER,
                          .is_constant = true};
    sq_code_append(&b->at[point], sq_code_declare(b->m.pool, r, false));
    sq_code_append(&b->at[point], sq_code_set(b->m.pool, r, value));
    return sq_code_load(b->m.pool, r, NULL);
}

static void set(box *b, int point, const sq_code_expr *place, const sq_code_expr *value)
{
    sq_code_append(&b->at[point], made_store(&b->m, place, value));
}

static sq_code *rolled(box *b, const sq_roll_dim *dim, int ndims)
{
    for (int i = 0; i < b->n; i++)
        b->point[i] = b->at[i].first;
    return sq_code_roll(b->m.pool, dim, ndims, b->point);
}

static void assert_text(const box *b, const sq_code *x, const char *expected)
{
    static const sq_language language = {.unroll = "UNROLL"};
    static const sq_target target = {.language = &language};
    sq_text t = {0};
    sq_c_code(&(sq_c_printer){.pool = b->m.pool, .target = &target}, x, &t);
    assert_string_equal(sq_text_str(&t), expected);
    sq_text_free(&t);
}

static const sq_roll_dim by_rows[] = {{"i", ROWS}, {"j", COLUMNS}};

/* The next store to the sums; NULL: there is none. */
static const sq_code *next_store(const box *b, const sq_code *x)
{
    while (x && (x->kind != SQ_CODE_STORE || x->buffer != b->sum))
        x = x->next;
    return x;
}

/* The loops store what the points do, in that order. */
static void assert_all_points(const box *b, const sq_code *loops)
{
    const sq_code *again = next_store(b, sq_code_unrolled(b->m.pool, loops));
    for (int i = 0; i < b->n; i++)
        for (const sq_code *x = next_store(b, b->point[i]); x; x = next_store(b, x->next)) {
            assert_non_null(again);
            assert_ptr_equal(x->index[0], again->index[0]);
            assert_ptr_equal(x->index[1], again->index[1]);
            again = next_store(b, again->next);
        }
    assert_null(again);
}

/* ---- forms ---- */

/* A product: a row's value is computed once in front of its columns, a column's in the first row. */
static void products_become_loops(void **state)
{
    (void)state;
    box *b = box_begin(ROWS * COLUMNS);
    const sq_code_expr *column[COLUMNS];
    for (int p = 0; p < b->n; p++) {
        int i = p / COLUMNS, j = p % COLUMNS;
        static const sq_code_expr *row;
        if (j == 0)
            row = named(b, p, "A", element(b, i, 0));
        if (i == 0)
            column[j] = named(b, p, "B", element(b, 0, 100 + 2 * j));
        set(b, p, sum_at(b, i, j), sq_code_fma(b->m.pool, SQ_F32, row, column[j], sum_at(b, i, j)));
    }
    sq_code *loops = rolled(b, by_rows, 2);
    assert_non_null(loops);
    assert_all_points(b, loops);
    const sq_code *outer = loops->next;
    assert_int_equal(loops->kind, SQ_CODE_DECLARE); /* B1[6] */
    assert_int_equal(loops->buffer->ndim, 1);
    assert_string_equal(outer->name, "i");
    assert_string_equal(outer->body->next->next->name, "j"); /* behind the value of the row */
    const sq_code *first = outer->body->next->next->body;
    assert_string_equal(sq_code_text(first->cond, NULL, b->m.arena), "i == 0");
    assert_string_equal(sq_code_text(first->value->arg[0], NULL, b->m.arena), "2 * j + 100");
    sq_arena_free(b->m.arena);
}

/* Rows at a distance that is not known, and a condition that they exist. */
static void distances_and_conditions(void **state)
{
    (void)state;
    box *b = box_begin(ROWS);
    for (int i = 0; i < ROWS; i++) {
        const sq_code_expr *place = sum_at(b, i, 2);
        sq_code *x = made_store(&b->m, place, element(b, i, 3));
        x->cond = sq_code_compare(b->m.pool, SQ_CODE_GT, b->m.n, number(b, i));
        sq_code_append(&b->at[i], x);
    }
    assert_text(b, rolled(b, by_rows, 1),
                "UNROLL(5)\n"
                "for (int i = 0; i < 5; i++)\n"
                "    if (n > i) c[i][2] = *(A + i * s + 3);\n");
    sq_arena_free(b->m.arena);
}

/* A value of numbers alone goes in front of all loops, past stores. */
static void constants_leave_loops(void **state)
{
    (void)state;
    box *b = box_begin(ROWS);
    const sq_code_expr *two = NULL;
    for (int i = 0; i < ROWS; i++) {
        set(b, i, sum_at(b, i, 0), element(b, i, 0));
        if (!two)
            two = named(b, i, "k", sq_code_constant(b->m.pool, SQ_F32, (sq_number){.real = 2}));
        set(b, i, sum_at(b, i, 1), two);
    }
    assert_text(b, rolled(b, by_rows, 1),
                "const float k0 = 2.0f;\n"
                "UNROLL(5)\n"
                "for (int i = 0; i < 5; i++) {\n"
                "    c[i][0] = A[i * s];\n"
                "    c[i][1] = k0;\n"
                "}\n");
    sq_arena_free(b->m.arena);
}

/* ... but not one that reads memory, which the stores may have changed: it is guarded. */
static void loads_stay_behind_stores(void **state)
{
    (void)state;
    box *b = box_begin(ROWS);
    const sq_code_expr *x = NULL, *zero = number(b, 0);
    for (int i = 0; i < ROWS; i++) {
        const sq_code_expr *at = number(b, i);
        set(b, i, sq_code_load(b->m.pool, b->b, &at), element(b, i, 0));
        if (!x)
            x = named(b, i, "B", sq_code_load(b->m.pool, b->b, &zero));
        set(b, i, sum_at(b, i, 1), x);
    }
    assert_text(b, rolled(b, by_rows, 1),
                "float B0;\n"
                "UNROLL(5)\n"
                "for (int i = 0; i < 5; i++) {\n"
                "    B[i] = A[i * s];\n"
                "    if (i == 0) B0 = B[0];\n"
                "    c[i][1] = B0;\n"
                "}\n");
    sq_arena_free(b->m.arena);
}

/* Innermost dimensions that a loop would not shorten stay as they are. */
static void short_dimensions_stay(void **state)
{
    (void)state;
    const sq_roll_dim dim[] = {{"i", ROWS}, {"j", 2}};
    box *b = box_begin(2 * ROWS);
    for (int p = 0; p < b->n; p++)
        set(b, p, sum_at(b, p / 2, p % 2), element(b, p / 2, p % 2));
    assert_text(b, rolled(b, dim, 2),
                "UNROLL(5)\n"
                "for (int i = 0; i < 5; i++) {\n"
                "    c[i][0] = A[i * s];\n"
                "    c[i][1] = *(A + i * s + 1);\n"
                "}\n");
    sq_arena_free(b->m.arena);
}

/* ---- what has no such form ---- */

static void steps_are_even(void **state)
{
    (void)state;
    static const int at[ROWS] = {0, 1, 2, 3, 5};
    box *b = box_begin(ROWS);
    for (int i = 0; i < ROWS; i++)
        set(b, i, sum_at(b, i, 0), element(b, at[i], 0));
    assert_null(rolled(b, by_rows, 1));
    sq_arena_free(b->m.arena);
}

static void statements_are_alike(void **state)
{
    (void)state;
    box *b = box_begin(ROWS);
    for (int i = 0; i < ROWS; i++) {
        const sq_code_expr *x = element(b, i, 0);
        set(b, i, sum_at(b, i, 0), i == 3 ? made_both(&b->m, SQ_OP_ADD, x, x) : x);
    }
    assert_null(rolled(b, by_rows, 1));
    sq_arena_free(b->m.arena);
}

/* A value of the point before, computed where no loop computes it. */
static void other_iterations_are_not_read(void **state)
{
    (void)state;
    box *b = box_begin(ROWS);
    const sq_code_expr *before = NULL;
    for (int i = 0; i < ROWS; i++) {
        const sq_code_expr *own = named(b, i, "x", element(b, i, 0));
        set(b, i, sum_at(b, i, 0), before ? before : own);
        set(b, i, sum_at(b, i, 1), own);
        before = own;
    }
    assert_null(rolled(b, by_rows, 1));
    sq_arena_free(b->m.arena);
}

/* The first point has to have all that others have. */
static void later_points_add_nothing(void **state)
{
    (void)state;
    box *b = box_begin(ROWS);
    for (int i = 0; i < ROWS; i++) {
        set(b, i, sum_at(b, i, 0), element(b, i, 0));
        if (i > 0)
            set(b, i, sum_at(b, i, 1), element(b, i, 0));
    }
    assert_null(rolled(b, by_rows, 1));
    sq_arena_free(b->m.arena);
}

/* A hint that only the first column has, behind a store: no loop has it at its beginning. */
static void hints_stay_in_place(void **state)
{
    (void)state;
    box *b = box_begin(ROWS * COLUMNS);
    for (int p = 0; p < b->n; p++) {
        set(b, p, sum_at(b, p / COLUMNS, p % COLUMNS), element(b, p / COLUMNS, p % COLUMNS));
        if (p % COLUMNS)
            continue;
        sq_code *hint = sq_code_new(b->m.pool, SQ_CODE_FRESH);
        hint->name = "A";
        sq_code_append(&b->at[p], hint);
    }
    sq_code *loops = rolled(b, by_rows, 2);
    assert_non_null(loops);
    assert_string_equal(loops->name, "i"); /* columns are written out */
    assert_int_equal(loops->body->next->kind, SQ_CODE_FRESH);
    assert_null(loops->next);
    sq_arena_free(b->m.arena);
}

static void little_is_left_alone(void **state)
{
    (void)state;
    const sq_roll_dim two[] = {{"i", 2}};
    box *b = box_begin(2);
    for (int i = 0; i < 2; i++)
        set(b, i, sum_at(b, i, 0), element(b, i, 0));
    assert_null(rolled(b, two, 1));
    sq_arena_free(b->m.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_become_loops),
        cmocka_unit_test(distances_and_conditions),
        cmocka_unit_test(constants_leave_loops),
        cmocka_unit_test(loads_stay_behind_stores),
        cmocka_unit_test(short_dimensions_stay),
        cmocka_unit_test(steps_are_even),
        cmocka_unit_test(statements_are_alike),
        cmocka_unit_test(other_iterations_are_not_read),
        cmocka_unit_test(later_points_add_nothing),
        cmocka_unit_test(hints_stay_in_place),
        cmocka_unit_test(little_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
