/* Rounds, and what searches that plan in them share: rounds have the size that was asked for, or none at all; a sample
 * has what is drawn for it; an array grows and keeps what it has. */
#include "support/memory.h"
#include "tests/unit/child_says.h"
#include "tests/unit/make_space.h"
#include "tuner/search/mutate.h"
#include "tuner/search/rounds.h"

enum { COORDS = 3 };

struct sq_seek {
    sq_search_base base;
    sq_rounds rounds;
};

static sq_seek *open_rounds(const sq_space *space, int size, int greedy)
{
    sq_search_options o = {.seed = 5};
    sq_seek *s = sq_search_new(sizeof *s, space, &o);
    s->rounds = (sq_rounds){.size = size, .greedy = greedy};
    sq_rounds_open(&s->rounds, &s->base, sq_ranker_new(&s->base, SQ_RANKER_CHANCE), size);
    return s;
}

static void close_rounds(sq_seek *s)
{
    sq_rounds_close(&s->rounds);
    sq_search_close(s);
}

static void open_sizes(void *sizes)
{
    const int *n = sizes;
    sq_space *space = make_space(COORDS);
    close_rounds(open_rounds(space, n[0], n[1]));
    free(space);
}

static void rounds_have_room(void **state)
{
    static const struct {
        int sizes[2];
        const char *says; /* NULL: it is fine */
    } rows[] = {{{SQ_ROUND_MOST, SQ_ROUND_MOST}, NULL},
                {{1, 0}, NULL},
                {{SQ_ROUND_MOST + 1, 1}, "rounds of 65 points, 1 of them planned: not 1 to 64"},
                {{0, 0}, "rounds of 0 points"},
                {{8, 9}, "rounds of 8 points, 9 of them planned"}};
    sq_arena *arena = sq_arena_new();
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        int status, sizes[2] = {rows[i].sizes[0], rows[i].sizes[1]};
        const char *said = child_says(open_sizes, sizes, arena, &status);
        assert_int_equal(WIFSIGNALED(status), rows[i].says != NULL);
        assert_true(rows[i].says ? strstr(said, rows[i].says) != NULL : !*said);
    }
    sq_arena_free(arena);
}

static int drawn;

/* Two points in turn. */
static void draw_one_of_two(sq_search_base *b, int *point)
{
    memcpy(point, b->space->start, sizeof b->space->start);
    point[0] = drawn++ % 2;
}

static void samples_are_drawn(void **state)
{
    sq_space *space = make_space(COORDS);
    sq_scored_point *to = calloc(8, sizeof *to);
    (void)state;
    assert_non_null(to);
    sq_seek *s = open_rounds(space, 8, 4);
    drawn = 0;
    assert_int_equal(sq_ranker_sample_by(s->rounds.ranker, draw_one_of_two, 5, to, 8, 8), 2);
    assert_int_equal(drawn, 10); /* nothing new the second time */
    assert_true(to[0].point[0] == 0 && to[1].point[0] == 1);
    drawn = 0;
    assert_int_equal(sq_ranker_sample_by(s->rounds.ranker, draw_one_of_two, 5, to, 1, 0), 1);
    assert_int_equal(drawn, 1);
    assert_int_equal(sq_ranker_sample(s->rounds.ranker, to, 8, 8), 8);
    close_rounds(s);
    free(to);
    free(space);
}

/* A mutation changes a point and leaves it in the space; the rounds' search is the one they were opened for. */
static void rounds_mutate(void **state)
{
    sq_space *space = make_space(COORDS);
    sq_seek *s = open_rounds(space, 8, 4);
    int point[SQ_MAX_COORDS] = {0}, before[SQ_MAX_COORDS], changes = 0;
    (void)state;
    assert_ptr_equal(sq_rounds_seek(&s->rounds), s);
    for (int i = 0; i < 50; i++) {
        memcpy(before, point, sizeof point);
        assert_true(sq_rounds_mutate(&s->rounds, point));
        for (int c = 0; c < COORDS; c++)
            assert_in_range(point[c], 0, LEVELS - 1);
        changes += memcmp(before, point, sizeof point) != 0;
    }
    assert_int_equal(changes, 50);
    close_rounds(s);
    free(space);
}

/* Of the kinds and the dimensions there are, and of what varies at the point. */
static void coordinates_by_chance(void **state)
{
    sq_space *space = make_space(COORDS);
    sq_seek *s = open_rounds(space, 8, 4);
    int point[SQ_MAX_COORDS] = {0}, seen = 0;
    (void)state;
    space->coord[0].axis = space->coord[1].axis = 0;
    space->coord[2].structural = true;
    for (int i = 0; i < 50; i++) {
        seen |= 1 << (sq_mutate_any(&s->base, point, SQ_COORD_OF_SIZE) + 1);
        int level = sq_mutate_other_level(&s->base, point, 0);
        assert_true(level == 1 || level == -1);
        assert_int_equal(sq_mutate_any(&s->base, point, SQ_COORD_OF_STRUCTURE), 2);
        assert_int_equal(sq_mutate_any(&s->base, point, SQ_COORD_OF_THREADS), -1);
        assert_int_equal(sq_mutate_other_level(&s->base, point, 2), -1);
    }
    assert_int_equal(seen, 1 << 1 | 1 << 2);
    close_rounds(s);
    free(space);
}

static void arrays_grow(void **state)
{
    enum { N = 1000 };
    int *a = NULL;
    size_t room = 0, moves = 0;
    (void)state;
    for (size_t n = 0; n < N; n++) {
        size_t before = room;
        a = sq_grown(a, n, &room, sizeof *a);
        assert_true(room > n);
        moves += room != before;
        a[n] = (int)n;
    }
    for (int n = 0; n < N; n++)
        assert_int_equal(a[n], n);
    assert_in_range(moves, 2, 10);
    free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_have_room), cmocka_unit_test(samples_are_drawn), cmocka_unit_test(rounds_mutate),
        cmocka_unit_test(coordinates_by_chance), cmocka_unit_test(arrays_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
