/* Tune: the whole loop on hand-made candidates, bad ones planted among them: the fastest correct
 * one wins, the bad ones are counted and recorded, the .sched file and the store hold what they
 * should, a resumed run goes on where the last one ended, a cancelled one keeps its best. */
#include "support/file.h"
#include "tests/unit/make_tune.h"
#include "tuner/store/sched_file.h"
#include <math.h>

static void count_row(const sq_trial *row, void *user)
{
    (void)row;
    ++*(int *)user;
}

static int rows_in(struct fixture *f, const char *script_text)
{
    int n = 0;
    sq_db *db = sq_store_sqlite.open(f->o.store_path, f->d);
    sq_store_sqlite.get(db, &(sq_trial){.kernel = "gemm", .script = script_text}, count_row, &n,
                        f->d);
    sq_store_sqlite.close(db);
    return n;
}

static void test_all(void **state)
{
    struct fixture *f = *state;
    sq_tune_state s;
    f->o.store_path = sq_arena_printf(f->arena, "%s/all.db", dir);
    f->o.sched_path = sq_arena_printf(f->arena, "%s/all.sched", dir);
    int rc = sq_tune(f->k, sizes, &f->p, &f->o, &s, f->arena, f->d);
    if (rc < 0)
        sq_diags_print(f->d, stderr, SQ_DIAG_GCC, 0);
    assert_int_equal(rc, 0);
    assert_true(s.found);
    assert_string_equal(s.best_script, "work(1) trick(0)");
    assert_int_equal(s.trials, 16); /* 4 x 5 points, one trick in five has no text */
    assert_int_equal(s.failed[SQ_INFEASIBLE], 4);
    assert_int_equal(s.failed[SQ_WRONG], 4);
    assert_int_equal(s.failed[SQ_OK] + s.failed[SQ_CRASHED], 12);
    assert_true(s.failed[SQ_CRASHED] >= 4 && s.ratio > 1.1 && s.start_seconds > s.best_seconds);
    assert_true(s.low <= s.best_seconds && s.best_seconds <= s.high);
    assert_int_equal(rows_in(f, NULL), 20);
    assert_int_equal(rows_in(f, "work(64) trick(2)"), 1);
    sq_sched_file *file = sq_sched_read(f->o.sched_path, f->arena, f->d);
    assert_int_equal(file->n, 1);
    assert_non_null(strstr(file->entry[0].script, "\n    work(1) trick(0)\n"));
    assert_int_equal(file->entry[0].size[2].value, SIZE);
    assert_int_equal(sq_diags_errors(f->d), 0);
}

/* Twice half the trials is once all of them. */
static void test_resume(void **state)
{
    struct fixture *f = *state;
    sq_tune_state s;
    f->o.store_path = sq_arena_printf(f->arena, "%s/resume.db", dir);
    f->o.trials = 6;
    f->o.search = &sq_search_random;
    assert_int_equal(sq_tune(f->k, sizes, &f->p, &f->o, &s, f->arena, f->d), 0);
    assert_int_equal(s.trials, 6);
    f->o.trials = 16;
    f->o.resume = true;
    assert_int_equal(sq_tune(f->k, sizes, &f->p, &f->o, &s, f->arena, f->d), 0);
    assert_int_equal(s.resumed, 6);
    assert_int_equal(s.trials, 16);
    assert_string_equal(s.best_script, "work(1) trick(0)");
    assert_int_equal(rows_in(f, NULL), 21); /* the best of the first run was measured again */
}

/* What one has untuned is measured first, and kept where nothing is faster, though it is no point
 * of the space. */
static void test_untuned(void **state)
{
    struct fixture *f = *state;
    sq_tune_state s;
    two_points(f, 0, "work(1) trick(0)");
    f->o.store_path = sq_arena_printf(f->arena, "%s/untuned.db", dir);
    assert_int_equal(sq_tune(f->k, sizes, &f->p, &f->o, &s, f->arena, f->d), 0);
    assert_string_equal(s.best_script, "work(1) trick(0)");
    assert_int_equal(s.trials, 3);
    assert_int_equal(s.best_trial, 1);
    assert_true(s.kept_start && s.ratio == 0 && s.start_seconds > 0);
    assert_int_equal(rows_in(f, "work(1) trick(0)"), 1);
    /* a budget that is over at once: it is measured all the same */
    f->o.store = NULL;
    f->o.budget = 1e-3;
    assert_int_equal(sq_tune(f->k, sizes, &f->p, &f->o, &s, f->arena, f->d), 0);
    assert_true(s.found && s.kept_start && s.trials == 1);
    /* and where it is the slow one, it is what the best is compared with */
    f->o.budget = 0;
    f->p.untuned = "work(512) trick(0)";
    assert_int_equal(sq_tune(f->k, sizes, &f->p, &f->o, &s, f->arena, f->d), 0);
    assert_string_equal(s.best_script, "work(16) trick(0)");
    assert_true(!s.kept_start && s.ratio > 2 && s.start_seconds > 2 * s.best_seconds);
}

static int no_source(void *user, const char *s, sq_text *to, char *why, size_t n)
{
    (void)user, (void)s, (void)to;
    snprintf(why, n, "cannot pack 'X'");
    return -1;
}

/* Nothing can be emitted: that is said, and no more time is advised, of which plenty is left. */
static void test_nothing_emitted(void **state)
{
    struct fixture *f = *state;
    sq_tune_state s;
    f->p.source = no_source;
    f->o.store = NULL;
    f->o.budget = 30;
    assert_int_equal(sq_tune(f->k, sizes, &f->p, &f->o, &s, f->arena, f->d), -1);
    assert_true(s.elapsed < 10);
    assert_non_null(strstr(sq_diags_message(f->d, 0), "none of 20 candidates"));
    assert_non_null(strstr(sq_diags_message(f->d, 0), "infeasible: cannot pack 'X'"));
    char *shown = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&shown, &n);
    sq_diags_print(f->d, to, SQ_DIAG_GCC, 0);
    fclose(to);
    assert_null(strstr(shown, "--budget"));
    free(shown);
}

static volatile sig_atomic_t cancel;

static void cancel_after_two(const sq_tune_state *s, const sq_tune_trial *trial, void *user)
{
    (void)user;
    if (trial && s->trials >= 2 && s->found)
        cancel = 1;
}

static void test_cancel(void **state)
{
    struct fixture *f = *state;
    sq_tune_state s;
    f->o.store = NULL;
    f->o.cancel = &cancel;
    f->o.progress = cancel_after_two;
    f->o.sched_path = sq_arena_printf(f->arena, "%s/cancel.sched", dir);
    assert_int_equal(sq_tune(f->k, sizes, &f->p, &f->o, &s, f->arena, f->d), 0);
    assert_true(s.found && s.trials < 10);
    assert_true(sq_file_exists(f->o.sched_path));
}

/* Nothing but bad ones: an error that says why, no file. */
static void test_none(void **state)
{
    static const long only[] = {1};
    struct fixture *f = *state;
    sq_tune_state s;
    f->problem.space.coord[1].value = only;
    f->problem.space.coord[1].nvalues = 1;
    f->o.store = NULL;
    f->o.sched_path = sq_arena_printf(f->arena, "%s/none.sched", dir);
    assert_int_equal(sq_tune(f->k, sizes, &f->p, &f->o, &s, f->arena, f->d), -1);
    assert_non_null(
        strstr(sq_diags_message(f->d, 0), "verified result; the first failed: wrong: C["));
    assert_false(sq_file_exists(f->o.sched_path));
}

/* As `fake_collect`, but the one that was submitted last is done first. */
static int hasty_collect(sq_run *r, sq_job *job, sq_sample *s, double wait)
{
    if (r->n > 1) {
        sq_job last = r->job[r->n - 1];
        memmove(r->job + 1, r->job, (size_t)(r->n - 1) * sizeof *r->job);
        r->job[0] = last;
        fake_begin(r);
    }
    return fake_collect(r, job, s, wait);
}

static const sq_runner hasty = {
    "hasty", "", fake_compiler, fake_open, fake_submit, hasty_collect, fake_incumbent, fake_close};
/* Two are faster than the incumbent, and both are being confirmed when the slower of them becomes
 * the next one: the other is confirmed against that, not forgotten. */
static void test_two_confirmed(void **state)
{
    struct fixture *f = *state;
    sq_tune_state s;
    fake_points(f);
    assert_int_equal(sq_tune(f->k, sizes, &f->p, &f->o, &s, f->arena, f->d), 0);
    assert_string_equal(s.best_script, "work(16) trick(0)");
    assert_int_equal(s.trials, 3);
    assert_true(fabs(s.ratio - 32) < 0.1);
}

/* A log as tune writes one, without the times of day. */
static void note_all(const sq_tune_state *s, const sq_tune_trial *trial, void *user)
{
    (void)s;
    if (trial)
        sq_text_printf(user, "%ld %s %d,%d %s %.6g %d\n", trial->number,
                       sq_status_name(trial->sample->status), trial->point ? trial->point[0] : -1,
                       trial->point ? trial->point[1] : -1, trial->script, trial->seconds,
                       trial->wins);
}

static void log_of(struct fixture *f, const sq_search *search, const sq_runner *runner, int jobs,
                   sq_text *log)
{
    sq_tune_state s;
    f->p.source = picky_source;
    f->o.store = NULL;
    f->o.search = search;
    f->o.runner = runner;
    f->o.trials = 12;
    f->o.rng = 7;
    f->o.run.jobs = jobs;
    f->o.progress = note_all;
    f->o.user = log;
    assert_int_equal(sq_tune(f->k, sizes, &f->p, &f->o, &s, f->arena, f->d), 0);
}

/* A number of trials and a seed: the same log, whatever is done first. Not all searches meet refused points in it. */
static void test_same_log(void **state)
{
    int refused = 0, n = 0;
    for (const sq_search *const *s = sq_searches; *s; s++) {
        sq_text first = {0}, second = {0};
        log_of(*state, *s, &fake, 6, &first);
        log_of(*state, *s, &hasty, 6, &second);
        assert_true(strstr(sq_text_str(&first), "\n12 ok ") != NULL);
        refused += strstr(sq_text_str(&first), "infeasible") != NULL;
        n++;
        assert_string_equal(sq_text_str(&first), sq_text_str(&second));
        sq_text_free(&first);
        sq_text_free(&second);
    }
    assert_true(2 * refused > n);
}

/* ---- points of one script ---- */

static struct {
    int asked, told, valid;
    double cost[2];
} twins;

static sq_seek *twins_open(const sq_space *space, const sq_search_options *o)
{
    (void)space, (void)o;
    memset(&twins, 0, sizeof twins);
    return NULL;
}

static int twins_ask(sq_seek *s, int *point)
{
    (void)s;
    point[0] = 0;
    point[1] = twins.asked;
    return twins.asked < 2 ? twins.asked++, 1 : twins.told < 2 ? 0 : -1;
}

static void twins_tell(sq_seek *s, const sq_told *t)
{
    (void)s;
    assert_int_equal(twins.asked, 2); /* the second was asked while the first was under way */
    twins.valid += t->valid;
    twins.cost[t->point[1]] = t->cost;
    twins.told++;
}

static sq_seek *twins_close(sq_seek *s)
{
    return s;
}

static int same_script(void *user, const int *point, sq_text *to)
{
    (void)user, (void)point;
    sq_text_puts(to, "work(16) trick(0)");
    return 0;
}

/* A point whose script is being measured is told what comes of that. */
static void test_twins(void **state)
{
    static const sq_search search = {.name = "twins",
                                    .doc = "",
                                    .open = twins_open,
                                    .ask = twins_ask,
                                    .tell = twins_tell,
                                    .close = twins_close,
                                    .ends = ""};
    struct fixture *f = *state;
    sq_tune_state s;
    f->p.untuned = "work(512) trick(0)";
    f->p.script = same_script;
    f->p.source = fake_source;
    f->o.store = NULL;
    f->o.runner = &fake;
    f->o.search = &search;
    assert_int_equal(sq_tune(f->k, sizes, &f->p, &f->o, &s, f->arena, f->d), 0);
    assert_int_equal(s.trials, 2);
    assert_true(twins.told == 2 && twins.valid == 2);
    assert_true(twins.cost[0] > 0 && twins.cost[0] == twins.cost[1]);
}

/* What a process says of a candidate: the timings of a few calls that were preempted do not count. */
static void test_paired(void **state)
{
    sq_sample s = {.n = 10, .nbase = 10}, none = {0};
    (void)state;
    for (int i = 0; i < 10; i++) {
        s.base[i] = 1 + 0.001 * i;
        s.times[i] = 0.95 + 0.001 * i;
    }
    s.times[3] = 7; /* preempted */
    assert_true(fabs(sq_paired_ratio(&s) - 0.95) < 0.01);
    assert_true(sq_paired_ratio(&none) == 1);
    double low, high, x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    assert_true(sq_median_interval(x, 9, &low, &high) == 5 && low == 3 && high == 7);
    assert_true(sq_median_interval(x, 1, &low, &high) == 1 && low == 1 && high == 1);
}

/* The processes that a candidate needs where they say these ratios in turns; negative: it is no faster. */
static int processes(double one, double other)
{
    sq_evidence e = {0};
    for (int i = 0;; i++) {
        sq_judgement v = sq_evidence_add(&e, i % 2 ? other : one);
        if (v != SQ_UNCLEAR)
            return v == SQ_FASTER ? e.n : -e.n;
    }
}

static void test_evidence(void **state)
{
    (void)state;
    assert_int_equal(processes(0.9, 0.91), 4);
    assert_int_equal(processes(0.1, 0.97), 4); /* one that was disturbed says no more than another */
    assert_int_equal(processes(0.1, 1.001), -20);
    assert_int_equal(processes(1.01, 1.02), -2);
    assert_int_equal(processes(1.09, 0.9), -1);
    assert_int_equal(processes(1.05, 0.9), -20);
    /* predicted, not timed: two are enough */
    assert_int_equal(processes(0.989, 0.989), 2);
    assert_int_equal(processes(0.995, 0.995), -2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_all, setup, teardown),
        cmocka_unit_test_setup_teardown(test_resume, setup, teardown),
        cmocka_unit_test_setup_teardown(test_untuned, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cancel, setup, teardown),
        cmocka_unit_test_setup_teardown(test_none, setup, teardown),
        cmocka_unit_test_setup_teardown(test_nothing_emitted, setup, teardown),
        cmocka_unit_test_setup_teardown(test_two_confirmed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_twins, setup, teardown),
        cmocka_unit_test_setup_teardown(test_same_log, setup, teardown),
        cmocka_unit_test(test_paired),
        cmocka_unit_test(test_evidence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
