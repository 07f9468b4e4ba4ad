/* Tune, earlier: what the .sched file has for the sizes of a run is measured in that run, and is
 * replaced only by what was faster beside it. */
#include "tests/unit/make_tune.h"
#include "tuner/store/sched_file.h"
#include <math.h>

static void put_file(const char *path, const char *text_of_it)
{
    FILE *to = fopen(path, "w");
    fputs(text_of_it, to);
    assert_int_equal(fclose(to), 0);
}

/* A file with the schedule of an earlier run, written by hand since. */
static const char *file_with(struct fixture *f, const char *name, const char *line)
{
    const char *path = sq_arena_printf(f->arena, "%s/%s.sched", dir, name);
    put_file(path, sq_arena_printf(f->arena,
                                   "squall-sched 1\nclass generic\n\n"
                                   "hash %032d source %032d\n"
                                   "kernel gemm at M=%d,N=%d,K=%d {\n    # 1 ms\n    %s\n}\n",
                                   0, 0, SIZE, SIZE, SIZE, line));
    return path;
}

static bool keeps(struct fixture *f, const char *line)
{
    const sq_sched_file *file = sq_sched_read(f->o.sched_path, f->arena, f->d);
    assert_int_equal(file->n, 1);
    return strstr(file->entry[0].script, line) != NULL;
}

/* The schedule that the file has is no point of the space, and faster than all of them: it is
 * measured and kept, whatever the budget is. */
static void test_earlier_kept(void **state)
{
    struct fixture *f = *state;
    sq_tune_state s;
    fake_points(f);
    f->o.sched_path = file_with(f, "earlier", "work(2) trick(0)  # by hand");
    assert_int_equal(sq_tune(f->k, sizes, &f->p, &f->o, &s, f->arena, f->d), 0);
    assert_string_equal(s.best_script, "work(2) trick(0)");
    assert_true(s.kept_earlier && !s.kept_start && !s.withheld);
    assert_int_equal(s.trials, 4); /* after the untuned one, before those of the search */
    assert_int_equal(s.best_trial, 2);
    assert_true(fabs(s.ratio - 256) < 1);
    assert_true(keeps(f, "\n    work(2) trick(0)\n"));
    f->o.budget = 1e-3;
    assert_int_equal(sq_tune(f->k, sizes, &f->p, &f->o, &s, f->arena, f->d), 0);
    assert_true(s.kept_earlier && keeps(f, "\n    work(2) trick(0)\n"));
}

/* A worse one is replaced, and so is one that is legal no longer. */
static void test_earlier_replaced(void **state)
{
    struct fixture *f = *state;
    sq_tune_state s;
    fake_points(f);
    f->o.sched_path = file_with(f, "worse", "work(32) trick(0)");
    assert_int_equal(sq_tune(f->k, sizes, &f->p, &f->o, &s, f->arena, f->d), 0);
    assert_true(!s.kept_earlier && keeps(f, "work(16) trick(0)"));
    f->o.sched_path = file_with(f, "illegal", "work(1) trick(3)");
    assert_int_equal(sq_tune(f->k, sizes, &f->p, &f->o, &s, f->arena, f->d), 0);
    assert_true(!s.withheld && s.failed[SQ_INFEASIBLE] == 1 && keeps(f, "work(16) trick(0)"));
}

/* What the file has is a trial of the run that goes on: it is measured once more, and its result is taken. */
static void test_earlier_resumed(void **state)
{
    struct fixture *f = *state;
    sq_tune_state s;
    fake_points(f);
    f->problem.space.coord[0].value = works;
    f->problem.space.coord[0].nvalues = 4;
    f->o.store = &sq_store_sqlite;
    f->o.store_path = sq_arena_printf(f->arena, "%s/resumed.db", dir);
    assert_int_equal(sq_tune(f->k, sizes, &f->p, &f->o, &s, f->arena, f->d), 0);
    f->o.resume = true;
    f->o.sched_path = file_with(f, "resumed", "work(64) trick(0)");
    alarm(60); /* it once waited without end */
    assert_int_equal(sq_tune(f->k, sizes, &f->p, &f->o, &s, f->arena, f->d), 0);
    alarm(0);
    assert_true(s.resumed > 1 && !s.kept_earlier && keeps(f, "work(1) trick(0)"));
}

static volatile sig_atomic_t cancel;

static void cancel_after_one(const sq_tune_state *s, const sq_tune_trial *trial, void *user)
{
    (void)user;
    if (trial && s->trials == 1)
        cancel = 1;
}

/* Interrupted before it was its turn: the file stays as it is. */
static void test_earlier_untried(void **state)
{
    struct fixture *f = *state;
    sq_tune_state s;
    fake_points(f);
    f->o.cancel = &cancel;
    f->o.progress = cancel_after_one;
    f->o.sched_path = file_with(f, "untried", "work(2) trick(0)");
    assert_int_equal(sq_tune(f->k, sizes, &f->p, &f->o, &s, f->arena, f->d), 0);
    assert_true(s.found && s.kept_start && s.withheld);
    assert_true(keeps(f, "# 1 ms\n    work(2) trick(0)\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_earlier_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(test_earlier_replaced, setup, teardown),
        cmocka_unit_test_setup_teardown(test_earlier_resumed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_earlier_untried, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
