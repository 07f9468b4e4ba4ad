/* Landscapes: printed and read back, searches that run on them the same way each time, what is refused of a file; and
 * spaces made thin. */
#include "tests/unit/make_space.h"
#include "tuner/landscape.h"
#include "support/file.h"
#include "tuner/thin.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

enum { SIDE = 6, COORDS = 3, POINTS = SIDE * SIDE * SIDE, FEW = 40 };
static const char file[] = "made.landscape";
static const long values[SIDE] = {1, 2, 4, 8, 16, 32};

static void point_name(void *user, const int *point, sq_text *to)
{
    const sq_landscape *l = user;
    sq_text_printf(to, "%d", l->candidate[sq_landscape_number(&l->space, point)]);
}

/* A candidate's statements: one to three, whose numbers tell the point. */
static void describe(sq_landscape_candidate *c, int number, sq_arena *arena)
{
    c->nrows = 1 + number % 3;
    c->row = sq_arena_alloc(arena, (size_t)c->nrows * sizeof *c->row);
    for (int i = 0; i < c->nrows; i++) {
        memset(c->row[i], 0, sizeof c->row[i]);
        c->row[i][i] = (float)number / 7;
        c->row[i][SQ_STATEMENT - 1] = (float)-i;
    }
}

/* A bowl whose best point is (4, 1, 3); points of an odd last coordinate mean the same as the one before, those where
 * all are equal are not legal, one is wrong. */
static sq_landscape *bowl(sq_arena *arena)
{
    sq_landscape *l = SQ_NEW(arena, sq_landscape);
    *l = (sq_landscape){.label = "bowl N=\"1\"", .target = "avx2", .machine = "m", .npoints = POINTS};
    l->candidate = SQ_NEW_ARRAY(arena, int, POINTS);
    l->draft = SQ_NEW_ARRAY(arena, double, POINTS);
    l->of = SQ_NEW_ARRAY(arena, sq_landscape_candidate, POINTS);
    l->space = (sq_space){.n = COORDS, .start = {1, 5, 0}, .name = point_name, .user = l};
    for (int c = 0; c < COORDS; c++) {
        l->space.coord[c] = (sq_coord){.nvalues = SIDE,
                                       .value = values,
                                       .axis = c == 2 ? -1 : 300 + c, /* kernels of many forms have such */
                                       .structural = c == 2,
                                       .mark = (sq_coord_mark)c};
        snprintf(l->space.coord[c].name, sizeof l->space.coord[c].name, "c%d", c);
    }
    for (int i = 0; i < POINTS; i++) {
        int p[SQ_MAX_COORDS];
        sq_landscape_point(&l->space, i, p);
        assert_int_equal(sq_landscape_number(&l->space, p), i);
        int *same = &l->candidate[i - p[2] % 2 * SIDE * SIDE];
        bool legal = p[0] != p[1] || p[1] != p[2];
        double cost = 1e-6 * (1 + (p[0] - 4) * (p[0] - 4) + (p[1] - 1) * (p[1] - 1) + abs(p[2] / 2 * 2 - 2));
        l->draft[i] = legal ? cost * (1 + 0.2 * (i % 3)) : INFINITY;
        l->candidate[i] = !legal ? -1 : p[2] % 2 && *same >= 0 ? *same : l->ncandidates;
        if (l->candidate[i] != l->ncandidates)
            continue;
        l->of[l->ncandidates] =
            (sq_landscape_candidate){.script = sq_arena_printf(arena, "tile(i:%d)\n\"%d\"", i, i),
                                     .status = i == 3 ? SQ_WRONG : SQ_OK,
                                     .seconds = i == 3 ? 0 : cost};
        describe(&l->of[l->ncandidates], i, arena);
        l->ncandidates++;
    }
    return l;
}

static void put_file(const char *text)
{
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static sq_landscape *read_back(const char *text, sq_arena *arena, sq_diags *d)
{
    sq_landscape *l = SQ_NEW(arena, sq_landscape);
    put_file(text);
    int rc = sq_landscape_read(l, file, arena, d);
    assert_int_equal(rc != 0, sq_diags_errors(d) != 0);
    return rc == 0 ? l : NULL;
}

static void test_file(void **state)
{
    (void)state;
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    sq_text once = {0}, again = {0};
    const sq_landscape *made = bowl(arena);
    assert_int_equal(sq_landscape_print(made, &once), 0);
    const sq_landscape *l = read_back(sq_text_str(&once), arena, d);
    assert_non_null(l);
    sq_landscape_print(l, &again);
    assert_string_equal(sq_text_str(&once), sq_text_str(&again));
    assert_int_equal(l->npoints, POINTS);
    assert_memory_equal(l->candidate, made->candidate, POINTS * sizeof *l->candidate);
    assert_string_equal(l->of[7].script, made->of[7].script);
    assert_int_equal(l->space.coord[2].mark, SQ_COORD_THREADS);
    for (int i = 0; i < l->ncandidates; i++) {
        assert_int_equal(l->of[i].nrows, made->of[i].nrows);
        assert_memory_equal(l->of[i].row, made->of[i].row, (size_t)l->of[i].nrows * sizeof *l->of[i].row);
    }
    sq_text_free(&once);
    sq_text_free(&again);
    sq_diags_free(d);
    sq_arena_free(arena);
}

/* What a search asked for, trial after trial. */
typedef struct told {
    long n;
    double cost[POINTS + 1];
    const char *script[POINTS + 1];
} told;

static void on_progress(const sq_tune_state *s, const sq_tune_trial *t, void *user)
{
    told *x = user;
    assert_int_equal(t->number, s->trials);
    assert_int_equal(t->number + s->failed[SQ_INFEASIBLE], x->n + 1);
    x->cost[x->n] = t->seconds;
    x->script[x->n++] = t->script;
}

static void play(const sq_landscape *l, const sq_search *search, unsigned long long seed, bool has_model, long trials,
                 told *to, sq_tune_state *state)
{
    sq_diags *d = sq_diags_new();
    sq_landscape_run run = {.search = search, .seed = seed, .trials = trials, .has_model = has_model,
                            .progress = on_progress, .user = to};
    to->n = 0;
    assert_int_equal(sq_landscape_replay(l, &run, state, d), 0);
    assert_int_equal(run.drafts > 0, has_model && state->trials > 1);
    sq_diags_free(d);
}

/* Every search: the same seed asks for the same points, and a candidate once; what has no end of its own finds the
 * best. */
static void test_searches(void **state)
{
    (void)state;
    sq_arena *arena = sq_arena_new();
    sq_landscape *l = bowl(arena);
    for (const sq_search *const *s = sq_searches; *s; s++) {
        if ((*s)->lacks && (*s)->lacks())
            continue;
        for (int model = 0; model < 2; model++) {
            static told a, b;
            sq_tune_state x, y;
            long most = learns_slowly(*s) ? FEW : 0;
            play(l, *s, 3, model, most, &a, &x);
            play(l, *s, 3, model, most, &b, &y);
            assert_int_equal(a.n, b.n);
            assert_memory_equal(a.cost, b.cost, (size_t)a.n * sizeof *a.cost);
            assert_memory_equal(a.script, b.script, (size_t)a.n * sizeof *a.script);
            for (long i = 0; i < a.n; i++)
                for (long j = 0; j < i; j++)
                    assert_true(!a.script[i] || a.script[i] != a.script[j]);
            assert_true(x.start_seconds > 0 && x.best_seconds <= x.start_seconds);
            if (x.trials >= l->ncandidates) /* not raindrop, which ends where it cannot descend */
                assert_true(x.best_seconds == 1e-6);
            play(l, *s, 3, model, 5, &b, &y);
            assert_int_equal(y.trials, x.trials < 5 ? x.trials : 5);
        }
    }
    sq_arena_free(arena);
}

/* The start is the model's, or the least point that runs. */
static void test_start(void **state)
{
    (void)state;
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    sq_landscape *l = bowl(arena);
    static told t;
    sq_tune_state s;
    play(l, &sq_search_random, 1, true, 1, &t, &s);
    assert_true(s.start_seconds == l->of[l->candidate[sq_landscape_number(&l->space, l->space.start)]].seconds);
    assert_true(s.kept_start && s.best_trial == 1);
    play(l, &sq_search_random, 1, false, 1, &t, &s); /* (0, 0, 0) is not legal */
    assert_true(s.start_seconds == l->of[l->candidate[sq_landscape_number(&l->space, l->space.start)]].seconds);
    l->candidate[0] = 9;
    play(l, &sq_search_random, 1, false, 1, &t, &s);
    assert_true(s.start_seconds == l->of[9].seconds);
    memset(l->space.start, 0, sizeof l->space.start);
    l->candidate[0] = -1;
    sq_landscape_run run = {.search = &sq_search_random, .has_model = true};
    assert_int_equal(sq_landscape_replay(l, &run, &s, d), -1);
    sq_diags_free(d);
    sq_arena_free(arena);
}

/* Replaces the first `from` of a landscape by `to`; the file has to be refused with `what`. */
static void is_refused(const char *from, const char *to, const char *what)
{
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    sq_text whole = {0}, text = {0};
    sq_landscape_print(bowl(arena), &whole);
    const char *s = sq_text_str(&whole), *at = strstr(s, from);
    assert_non_null(at);
    sq_text_putn(&text, s, (size_t)(at - s));
    sq_text_puts(&text, to);
    sq_text_puts(&text, at + strlen(from));
    assert_null(read_back(sq_text_str(&text), arena, d));
    assert_non_null(strstr(sq_diags_message(d, 0), what));
    sq_text_free(&whole);
    sq_text_free(&text);
    sq_diags_free(d);
    sq_arena_free(arena);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *what;
    } rows[] = {
        {"{\"landscape\": 3,", "{\"landscape\": 1,", "another version"},
        {"{\"landscape\": 3,", "{", "this is no landscape"},
        {"{\"landscape\": 3,", "[", "no line of a landscape"},
        {"\"target\": \"avx2\", ", "", "first line"},
        {"\"name\": \"c1\"", "\"name\": 1", "first line"},
        {"\"name\": \"c1\"", "\"name\": \"a name that is longer than any name of any coordinate may ever be\"",
         "first line"},
        {"\"values\": [1, 2, 4, 8, 16, 32]", "\"values\": []", "first line"},
        {"\"values\": [1, 2, 4, 8, 16, 32]", "\"values\": [1, 2, 4, 8, 16, 16]", "first line"},
        {"\"under\": -1", "\"under\": 0", "first line"}, /* the first is under none */
        {"\"start\": [1, 5, 0]", "\"start\": [1, 6, 0]", "first line"},
        {"\"start\": [1, 5, 0]", "\"start\": [1, 5]", "first line"},
        {"\"candidates\": ", "\"candidates\": 9999", "first line"},
        {"\"candidates\": ", "\"candidates\": -", "first line"},
        {"{\"candidate\": 1,", "{\"candidate\": 2,", "not the next candidate"},
        {"\"status\": \"wrong\"", "\"status\": \"right\"", "not the next candidate"},
        {"\"status\": \"ok\", \"seconds\": ", "\"status\": \"ok\", \"seconds\": -", "not the next candidate"},
        {"\"status\": \"ok\", \"seconds\": ", "\"status\": \"ok\", \"second\": ", "not the next candidate"},
        {"\"status\": \"ok\", \"seconds\": ", "\"status\": \"ok\", \"seconds\": 1e308, \"x\": ",
         "not the next candidate"},
        {"\"features\": [[", "\"features\": [[0, ", "not the next candidate"},
        {"\"features\": [[0.142857149, ", "\"features\": [[", "not the next candidate"},
        {"\"features\": [[0.142857149, ", "\"features\": [[\"0\", ", "not the next candidate"},
        {"\"features\": [[0.142857149, ", "\"features\": [[1e99, ", "not the next candidate"},
        {"\"features\": [[", "\"feature\": [[", "not the next candidate"},
        {"\"mark\": 2", "\"mark\": 4", "first line"},
        {"\"mark\": 2, ", "", "first line"},
        {"{\"point\": [1, 0, 0]", "{\"point\": [1, 0, 6]", "not a point"},
        {"{\"point\": [1, 0, 0]", "{\"point\": [1, 0, -1]", "not a point"},
        {"{\"point\": [1, 0, 0]", "{\"point\": [2, 0, 0]", "there before"},
        {"{\"point\": [1, 0, 0], \"candidate\": 0", "{\"point\": [1, 0, 0], \"candidate\": 5000", "not a point"},
        {"{\"end\": 216}", "{\"end\": 215}", "another number of points"},
        {"{\"end\": 216}\n", "", "before its end"},
        {"{\"end\": 216}", "{\"end\": 216}\nmore", "behind the end"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        is_refused(rows[i].from, rows[i].to, rows[i].what);
}

/* Coordinates of so many values, for 20 to the power of 40 points or more than a landscape takes. */
static void test_too_many(void **state)
{
    (void)state;
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    sq_text text = {0};
    sq_text_puts(&text, "{\"landscape\": 3, \"kernel\": \"k\", \"target\": \"t\", \"machine\": \"m\", "
                        "\"coordinates\": [");
    for (int c = 0; c < 40; c++)
        sq_text_printf(&text,
                       "%s{\"name\": \"c\", \"values\": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], \"axis\": -1, \"structural\": "
                       "true, \"mark\": 0, \"under\": -1, \"under_value\": 0}",
                       c ? ", " : "");
    sq_text_puts(&text, "], \"start\": [");
    for (int c = 0; c < 40; c++)
        sq_text_puts(&text, c ? ", 0" : "0");
    sq_text_puts(&text, "], \"candidates\": 1}\n");
    assert_null(read_back(sq_text_str(&text), arena, d));
    assert_non_null(strstr(sq_diags_message(d, 0), "more points"));
    sq_text_free(&text);
    sq_diags_free(d);
    sq_arena_free(arena);
}

/* ---- thin spaces ---- */

/* A script that says the values of a point. */
static int say_values(void *user, const int *point, sq_text *to)
{
    const sq_space *s = user;
    for (int c = 0; c < s->n; c++)
        sq_text_printf(to, "%ld ", sq_space_value(s, point, c));
    return 0;
}

static bool has_value(const sq_coord *x, long value)
{
    bool found = false;
    for (int v = 0; v < x->nvalues; v++)
        found |= x->value[v] == value;
    return found;
}

static void test_thin(void **state)
{
    (void)state;
    static const long eight[] = {1, 2, 4, 8, 16, 32, 64, 128}, two[] = {0, 1};
    sq_space s = {.n = 4, .start = {3, 0, 1, 2}};
    s.coord[0] = (sq_coord){.name = "a", .nvalues = 8, .value = eight};
    s.coord[1] = (sq_coord){.name = "b", .nvalues = 8, .value = eight};
    s.coord[2] = (sq_coord){.name = "kind", .nvalues = 2, .value = two};
    s.coord[3] = (sq_coord){.name = "of", .nvalues = 8, .value = eight, .under = 1, .under_value = 7};
    const sq_tune_problem whole = {.space = &s, .user = &s, .script = say_values};
    static const int most[] = {1024, 1023, 500, 100, 24, 8, 3, 1};
    for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
        sq_arena *arena = sq_arena_new();
        const sq_tune_problem *p = sq_thin_new(&whole, most[i], arena);
        const sq_space *t = p->space;
        double size = sq_space_size(t);
        assert_true(size <= most[i] && size > most[i] / 10.0 - 1);
        for (int c = 0; c < s.n; c++) {
            const sq_coord *x = &t->coord[c];
            assert_true(x->nvalues >= 1 && t->start[c] < x->nvalues);
            assert_int_equal(sq_space_value(t, t->start, c), sq_space_value(&s, s.start, c));
            for (int v = 1; v < x->nvalues; v++)
                assert_true(x->value[v - 1] < x->value[v]);
            if (x->nvalues > 2 && c < 2)
                assert_true(has_value(x, 1) && has_value(x, 128));
        }
        if (has_value(&t->coord[0], 128) && t->coord[3].under)
            assert_int_equal(t->coord[0].value[t->coord[3].under_value], 128);
        else
            assert_int_equal(t->coord[3].nvalues, 1);
        for (int n = 0; n < (int)size; n++) { /* a point means what its values say */
            int point[SQ_MAX_COORDS];
            sq_text script = {0}, own = {0};
            sq_landscape_point(t, n, point);
            assert_int_equal(p->script(p->user, point, &script), 0);
            for (int c = 0; c < t->n; c++)
                sq_text_printf(&own, "%ld ", sq_space_value(t, point, c));
            assert_string_equal(sq_text_str(&script), sq_text_str(&own));
            sq_text_free(&script);
            sq_text_free(&own);
        }
        sq_arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file),     cmocka_unit_test(test_searches), cmocka_unit_test(test_start),
        cmocka_unit_test(test_refused),  cmocka_unit_test(test_too_many), cmocka_unit_test(test_thin),
    };
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    remove(file);
    return rc;
}
