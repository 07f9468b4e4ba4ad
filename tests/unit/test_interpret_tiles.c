/* The interpreter of code, what register tiles have: vectors, parts that are called, pointers that move,
 * loops that count down, packed copies. */
#include "tests/unit/interpret_fixture.h"

enum { LANES = 4 };

static const sq_code_buffer *vector(const fixture *f, const char *name)
{
    sq_code_buffer *b = SQ_NEW(f->m.arena, sq_code_buffer);
    *b = *sq_code_register(f->m.pool, name, SQ_F32);
    b->lanes = LANES;
    return b;
}

static const sq_code_expr *read(const fixture *f, const sq_code_buffer *b)
{
    return sq_code_load(f->m.pool, b, NULL);
}

/* Lanes of P from a place on, `step` apart. */
static const sq_code_expr *lanes_of(const fixture *f, const sq_code_buffer *p, int64_t from,
                                    int64_t step, const sq_code_expr *left)
{
    return sq_code_load_lanes(f->m.pool, p, LANES,
                              &(sq_code_lanes){.first = count(f, from),
                                               .step = count(f, step),
                                               .left = left});
}

static sq_code *store_lanes(const fixture *f, const sq_code_buffer *p, const sq_code_expr *value,
                            const sq_code_expr *left)
{
    const sq_code_expr *at = count(f, 0);
    sq_code *x = sq_code_store(f->m.pool, p, &at, value);
    x->lane_step = count(f, 1);
    x->left = left;
    return x;
}

/* The arrays' elements one after the other. */
static const sq_code_buffer *flat(const fixture *f, const char *name, bool is_readonly)
{
    return sq_code_row(f->m.pool, name, SQ_F32, count(f, N * COLUMNS), is_readonly);
}

/* Two rows of A, from column 1 on, multiplied lane by lane and added to every second element of the
 * third; as many lanes are stored as the argument says. */
static sq_code_part *part_of(const fixture *f)
{
    sq_code_pool *p = f->m.pool;
    sq_code_part *part = SQ_NEW(f->m.arena, sq_code_part);
    sq_code_param *param = SQ_NEW(f->m.arena, sq_code_param);
    const sq_code_buffer **to = SQ_NEW_ARRAY(f->m.arena, const sq_code_buffer *, 2),
                         *v = vector(f, "v");
    const sq_code_expr *left = sq_code_name(p, "left");
    sq_code_list body = {0};
    to[0] = sq_code_pointer(p, "P", SQ_F32, true, true);
    to[1] = sq_code_pointer(p, "Q", SQ_F32, false, true);
    *param = (sq_code_param){.kind = SQ_CODE_INDEX, .name = "left"};
    sq_code_append(&body, sq_code_declare(p, v, false));
    sq_code_append(&body, sq_code_set(p, v,
                                      sq_code_fma(p, SQ_F32, lanes_of(f, to[0], 0, 1, left),
                                                  lanes_of(f, to[0], COLUMNS, 1, left),
                                                  lanes_of(f, to[0], 2 * COLUMNS - 1, 2, left))));
    sq_code_append(&body, store_lanes(f, to[1], read(f, v), left));
    *part = (sq_code_part){.name = "tile",
                           .comment = "A tile.",
                           .npointers = 2,
                           .nparams = 1,
                           .pointer = to,
                           .param = param,
                           .body = body.first};
    return part;
}

static sq_code *call_of(const fixture *f, sq_code_part *part, int64_t from, int64_t to,
                        int64_t left)
{
    sq_code *x = sq_code_new(f->m.pool, SQ_CODE_CALL);
    sq_code_address *pointer = SQ_NEW_ARRAY(f->m.arena, sq_code_address, 2);
    const sq_code_expr **arg = SQ_NEW_ARRAY(f->m.arena, const sq_code_expr *, 1);
    pointer[0] = (sq_code_address){flat(f, "A", true), count(f, from)};
    pointer[1] = (sq_code_address){flat(f, "B", false), count(f, to)};
    arg[0] = count(f, left);
    x->part = part;
    x->pointer = pointer;
    x->arg = arg;
    return x;
}

static void parts_are_called(void **state)
{
    (void)state;
    fixture f = open_fixture(SQ_F32);
    sq_code_part *part = part_of(&f);
    const sq_number *b = f.memory->array[1].at;
    const bool *has = f.memory->array[1].defined;
    assert_null(run(&f, call_of(&f, part, 1, COLUMNS, LANES), SQ_INTERPRET_WRITTEN));
    for (int l = 0; l < LANES; l++)
        assert_true(b[COLUMNS + l].real == (1 + l) * (9 + l) + 16 + 2 * l);
    assert_null(run(&f, call_of(&f, part, 1, 2 * COLUMNS, 3), SQ_INTERPRET_WRITTEN));
    assert_true(has[2 * COLUMNS + 2] && !has[2 * COLUMNS + 3]);
    const char *said = run(&f, call_of(&f, part, 1, N * COLUMNS - 2, LANES), SQ_INTERPRET_WRITTEN);
    assert_string_equal(said, "a store to Q[2], which is outside of it at left = 4");
    said = run(&f, call_of(&f, part, N * COLUMNS - 9, 0, 2), SQ_INTERPRET_WRITTEN);
    assert_string_equal(said, "a load of P[15], which is outside of it at left = 2");
    sq_code *around = made_loop(&f.m, "t", count(&f, 3), call_of(&f, part, N * COLUMNS - 9, 0, 2));
    said = run(&f, around, SQ_INTERPRET_WRITTEN);
    assert_string_equal(said, "a load of P[15], which is outside of it at t = 0, left = 2");
    close_fixture(&f);
}

/* left = n; for (; left >= 2; left -= 2) { Q[0] = P[0]; P += 3; Q += 1; } */
static void loops_count_down_and_pointers_move(void **state)
{
    (void)state;
    fixture f = open_fixture(SQ_F32);
    sq_code_pool *p = f.m.pool;
    const sq_code_buffer *from = sq_code_pointer(p, "P", SQ_F32, true, false),
                         *to = sq_code_pointer(p, "Q", SQ_F32, false, false);
    const sq_code_expr *zero = count(&f, 0), *left = sq_code_name(p, "left");
    sq_code_list all = {0}, body = {0};
    sq_code *x = sq_code_let(p, "left", f.m.n), *down = sq_code_new(p, SQ_CODE_LOOP);
    x->kind = SQ_CODE_VARIABLE;
    sq_code_append(&all, x);
    for (int i = 0; i < 2; i++) {
        x = sq_code_new(p, SQ_CODE_POINTER);
        x->buffer = i ? to : from;
        x->of = flat(&f, i ? "B" : "A", !i);
        x->value = count(&f, 4);
        sq_code_append(&all, x);
    }
    sq_code_append(&body, sq_code_store(p, to, &zero, sq_code_load(p, from, &zero)));
    for (int i = 0; i < 2; i++) {
        x = sq_code_new(p, SQ_CODE_ADVANCE);
        x->buffer = i ? to : from;
        x->value = count(&f, i ? 1 : 3);
        sq_code_append(&body, x);
    }
    down->name = "left";
    down->cond = sq_code_compare(p, SQ_CODE_GE, left, count(&f, 2));
    down->step = -2;
    down->body = body.first;
    sq_code_append(&all, down);
    assert_null(run(&f, all.first, SQ_INTERPRET_WRITTEN));
    const sq_number *b = f.memory->array[1].at;
    assert_true(b[4].real == 4 && b[5].real == 7 && !f.memory->array[1].defined[6]);
    close_fixture(&f);
}

/* Comparisons of vectors choose lane by lane; lanes are added up, taken out, put together. */
static void lanes_are_chosen_and_added(void **state)
{
    (void)state;
    fixture f = open_fixture(SQ_F32);
    sq_code_pool *p = f.m.pool;
    const sq_code_buffer *a = flat(&f, "A", true), *b = flat(&f, "B", false);
    const sq_code_expr *low = lanes_of(&f, a, 2, 1, NULL), *lane[LANES],
                       *three = sq_code_broadcast(
                           p, LANES, sq_code_constant(p, SQ_F32, (sq_number){.real = 3})),
                       *arg[] = {low, three}, *less = sq_code_operation(p, SQ_OP_LT, SQ_I32, arg);
    const sq_code_expr *chosen = sq_code_choose(p, less, three, low);
    assert_int_equal(less->lanes, LANES);
    assert_null(run(&f, store_lanes(&f, b, chosen, NULL), SQ_INTERPRET_WRITTEN));
    const sq_number *to = f.memory->array[1].at;
    assert_true(to[0].real == 3 && to[1].real == 3 && to[2].real == 4 && to[3].real == 5);
    for (int l = 0; l < LANES; l++)
        lane[l] = l ? sq_code_extract(p, low, LANES - l) : sq_code_add_lanes(p, low);
    assert_null(
        run(&f, store_lanes(&f, b, sq_code_vector(p, LANES, lane), NULL), SQ_INTERPRET_WRITTEN));
    assert_true(to[0].real == 14 && to[1].real == 5 && to[2].real == 4 && to[3].real == 3);
    close_fixture(&f);
}

/* Three elements of a row of A, one of them outside of it, to every second place of a copy of 8. */
static sq_code_list copied(const fixture *f, const sq_code_buffer *panel)
{
    sq_code_pool *p = f->m.pool;
    sq_code_list all = {0};
    sq_code *x = sq_code_new(p, SQ_CODE_COPY);
    const sq_code_expr **at = SQ_NEW_ARRAY(f->m.arena, const sq_code_expr *, 1);
    sq_code_run *how = SQ_NEW(f->m.arena, sq_code_run);
    at[0] = count(f, 1);
    *how = (sq_code_run){.row = count(f, COLUMNS),
                         .lo = count(f, -2),
                         .n = count(f, 3),
                         .stride = 2,
                         .step = 2,
                         .extent = count(f, COLUMNS),
                         .outside = {.real = 0.5}};
    x->buffer = panel;
    x->index = at;
    x->of = flat(f, "A", true);
    x->run = how;
    sq_code_append(&all, sq_code_declare(p, panel, false));
    sq_code_append(&all, x);
    return all;
}

/* What no copy fills may be computed with, and not stored. */
static void copies_are_filled(void **state)
{
    (void)state;
    for (int lanes = 1; lanes <= 2; lanes++) {
        fixture f = open_fixture(SQ_F32);
        sq_code_pool *p = f.m.pool;
        const sq_code_buffer *panel = sq_code_panel(p, "A_pack", SQ_F32, COLUMNS, false),
                             *v = vector(&f, "v"), *b = flat(&f, "B", false);
        const sq_code_expr *even = lanes_of(&f, panel, 1, lanes, NULL), *arg[] = {even, even};
        sq_code_list all = copied(&f, panel);
        sq_code_append(&all, sq_code_declare(p, v, false));
        sq_code_append(&all, sq_code_set(p, v, sq_code_operation(p, SQ_OP_ADD, SQ_F32, arg)));
        sq_code_append(&all, store_lanes(&f, b, read(&f, v), count(&f, lanes + 1)));
        const char *said = run(&f, all.first, SQ_INTERPRET_WRITTEN);
        assert_string_equal(said ? said : "nothing",
                            lanes == 2 ? "nothing"
                                       : "what is stored to B[1] comes from A_pack[2], which was "
                                         "never written");
        const sq_number *to = f.memory->array[1].at;
        assert_true(to[0].real == 1 && (lanes == 1 || (to[1].real == 16 && to[2].real == 20)));
        close_fixture(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_called),
        cmocka_unit_test(loops_count_down_and_pointers_move),
        cmocka_unit_test(lanes_are_chosen_and_added),
        cmocka_unit_test(copies_are_filled),
    };
    return cmocka_run_group_tests(tests, open_isl, close_isl);
}
