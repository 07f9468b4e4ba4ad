/* Warm: points as text are read in their own space and moved into others; a run begins with what earlier ones of the
 * store found, the nearest sizes of the same kernel first, and with nothing that is its own or of another kind. */
#include "tests/unit/make_space.h"
#include "tests/unit/make_tune.h"
#include "tests/unit/unit.h"
#include "tuner/moved.h"
#include "tuner/point_text.h"
#include "tuner/store/store.h"
#include "tuner/warm.h"
#include <math.h>

static void points_are_text(void **state)
{
    (void)state;
    sq_space *s = make_space(3);
    sq_text printed = {0};
    int point[SQ_MAX_COORDS] = {3, 0, 11}, read[SQ_MAX_COORDS];
    sq_point_print(s, point, &printed);
    assert_string_equal(sq_text_str(&printed), "c0=8,c1=1,c2=2048");
    assert_true(sq_point_read("c0=8,c1=1,c2=2048", s, read));
    assert_memory_equal(read, point, sizeof *read * 3);
    assert_true(sq_point_read("c2=2048,c0=8,c1=1", s, read) && read[2] == 11);
    assert_true(sq_point_read("3,0,11", s, read));
    assert_memory_equal(read, point, sizeof *read * 3);
    static const char *const others[] = {"",          "c0=8,c1=1",           "c0=8,c1=1,c2=2048,c3=1", "c0=8,c1=1,c2=9",
                                         "c0=8,c1=,c2=1", "3,0", "3,0,12", "xc0=8,c1=1,c2=2048"};
    for (size_t i = 0; i < LENGTH(others); i++)
        if (sq_point_read(others[i], s, read))
            fail_msg("'%s' is read", others[i]);
    sq_text_free(&printed);
    free(s);
}

static void points_move(void **state)
{
    (void)state;
    sq_space *s = make_space(3);
    int moved[SQ_MAX_COORDS];
    s->coord[1].structural = true;
    s->start[1] = 2;
    /* Values of other sizes; its structure has no name. */
    assert_true(sq_point_transfer("c0=9,d=7,c2=5000", s, false, moved));
    assert_true(moved[0] == 3 && moved[1] == 2 && moved[2] == 11);
    assert_false(sq_point_transfer("c0=9,c1=1", s, false, moved)); /* a size that is not there */
    assert_false(sq_point_transfer("0,1,2", s, false, moved));
    assert_true(sq_point_transfer("c0=9,c1=1", s, true, moved)); /* nor was it where this kernel is small */
    assert_true(moved[0] == 3 && moved[1] == 0 && moved[2] == s->start[2]);
    s->coord[2].under = 1;
    s->coord[2].under_value = 5;
    assert_true(sq_point_transfer("c0=8,c2=64", s, false, moved) && moved[2] == s->start[2]); /* without effect there */
    free(s);
}

/* Cheap are small first and large last coordinates; a point whose second is the least is none. */
static double small_and_large(void *user, const int *point)
{
    (void)user;
    return point[1] == 0 ? INFINITY : 1 + point[0] - 0.01 * point[1] - 0.01 * point[2];
}

static void expect_moved(const sq_tune_problem *p, const char *from, const char *at, const char *expected)
{
    int moved[SQ_MAX_COORDS];
    sq_text is = {0};
    assert_true(sq_point_moved(from, at, p, true, moved));
    sq_point_print(p->space, moved, &is);
    assert_string_equal(sq_text_str(&is), expected);
    sq_text_free(&is);
}

/* Where this space lacks a value, or it was a whole size, the model decides, and nowhere else. */
static void model_decides_what_is_not_told(void **state)
{
    (void)state;
    sq_space *s = make_space(3);
    int moved[SQ_MAX_COORDS];
    sq_tune_problem p = {.space = s, .draft = small_and_large};
    expect_moved(&p, "c0=12,c1=12,c2=8", "M=90", "c0=8,c1=16,c2=8"); /* 16 is nearer */
    expect_moved(&p, "c0=16,c1=2,c2=64", "M=90,N=640", "c0=16,c1=2,c2=64");
    expect_moved(&p, "c0=16,c1=2,c2=64", "M=90,N=64", "c0=16,c1=2,c2=2048");
    expect_moved(&p, "c0=64,c1=2,c2=8", "M=64,N=8", "c0=64,c1=2,c2=8"); /* rows and vectors are no sizes */
    expect_moved(&p, "c0=8,c1=1500,c2=3000", "M=90", "c0=8,c1=2048,c2=2048");
    assert_false(sq_point_moved("c0=16,c1=1,c2=64", "M=90", &p, true, moved));
    p.draft = NULL;
    expect_moved(&p, "c0=12,c1=1,c2=64", "M=64", "c0=16,c1=1,c2=64");
    free(s);
}

/* ---- the store ---- */

static void put(sq_db *db, const sq_trial *like, const char *kernel, const char *at, const char *point, double seconds)
{
    sq_diags *d = sq_diags_new();
    sq_trial row = *like;
    row.kernel = kernel;
    row.kernel_hash = kernel; /* unlike the run's own */
    row.sizes = at;
    row.point = point;
    row.script = point;
    bool good = isfinite(seconds);
    row.sample = (sq_sample){.status = good ? SQ_OK : SQ_WRONG, .n = good, .times = {seconds}};
    assert_int_equal(sq_store_sqlite.put(db, &row, d), 0);
    sq_diags_free(d);
}

/* "work=4,trick=0" of the points found */
static void expect_points(struct fixture *f, const char *expected)
{
    int to[SQ_WARM_MOST][SQ_MAX_COORDS];
    sq_text is = {0};
    sq_record *r = sq_record_open(f->k, sizes, &f->o, f->d);
    int n = sq_warm_points(r, &f->p, to, f->d);
    for (int i = 0; i < n; i++) {
        sq_text_puts(&is, i ? " " : "");
        sq_point_print(f->p.space, to[i], &is);
    }
    assert_string_equal(sq_text_str(&is), expected);
    sq_text_free(&is);
    sq_record_close(r);
}

static void nearest_sizes_first(void **state)
{
    struct fixture *f = *state;
    f->o.store = &sq_store_sqlite;
    f->o.store_path = sq_arena_printf(f->arena, "%s/warm.db", dir);
    expect_points(f, "");
    sq_db *db = sq_store_sqlite.open(f->o.store_path, f->d);
    sq_record *r = sq_record_open(f->k, sizes, &f->o, f->d);
    const sq_trial like = *sq_record_like(r);
    put(db, &like, "foreign", "M=96,N=96,K=96", "c0=4,c1=0", 1e-3); /* of another kind */
    put(db, &like, "other", "M=96,N=96,K=96", "work=16,trick=2", 1e-3);
    expect_points(f, "work=16,trick=2");
    put(db, &like, "gemm", "M=8,N=8,K=8", "work=64,trick=1", 1e-6);
    expect_points(f, "work=64,trick=1 work=16,trick=2"); /* the kernel's own before others */
    put(db, &like, "gemm", "M=90,N=96,K=96", "work=64,trick=3", 1e-3);
    put(db, &like, "gemm", "M=90,N=96,K=96", "work=16,trick=3", 2e-3); /* slower */
    put(db, &like, "gemm", "M=90,N=96,K=96", "work=16,trick=4", INFINITY);
    expect_points(f, "work=64,trick=3 work=64,trick=1");
    put(db, &like, "gemm", "M=95,N=96,K=96", "work=60,trick=3", 1e-3); /* the same point, moved */
    expect_points(f, "work=64,trick=3 work=64,trick=1");
    put(db, &like, "gemm", "M=94,N=96,K=96", "work=64,trick=3", 1e-3); /* once more: the next of that run, */
    for (int i = 0; i < 9; i++)
        put(db, &like, "gemm", "M=94,N=96,K=96", "work=64,trick=3", 1e-3 + i * 1e-6);
    put(db, &like, "gemm", "M=94,N=96,K=96", "work=4,trick=2", 1.2e-3);
    expect_points(f, "work=64,trick=3 work=64,trick=1"); /* if it is hardly slower */
    put(db, &like, "gemm", "M=94,N=96,K=96", "work=16,trick=1", 1.05e-3);
    put(db, &like, "gemm", "M=94,N=96,K=96", "work=16,trick=2", 1.06e-3);
    expect_points(f, "work=64,trick=3 work=16,trick=1");
    sq_trial own = like;
    own.point = own.script = "work=4,trick=0";
    own.sample = (sq_sample){.status = SQ_OK, .n = 1, .times = {1e-9}};
    assert_int_equal(sq_store_sqlite.put(db, &own, f->d), 0); /* that is --resume's */
    own.machine_class = "another";
    own.sizes = "M=96,N=96,K=97";
    assert_int_equal(sq_store_sqlite.put(db, &own, f->d), 0);
    expect_points(f, "work=64,trick=3 work=16,trick=1");
    sq_record_close(r);
    sq_store_sqlite.close(db);
}

/* A run that has one point left for the search measures the start, then what is known of other sizes. */
static void runs_begin_with_them(void **state)
{
    struct fixture *f = *state;
    sq_tune_state s;
    fake_points(f);
    f->o.store = &sq_store_sqlite;
    f->o.store_path = sq_arena_printf(f->arena, "%s/warm.db", dir);
    f->o.trials = 2;
    assert_int_equal(sq_tune(f->k, sizes, &f->p, &f->o, &s, f->arena, f->d), 0);
    assert_int_equal(s.transferred, 1);
    f->o.store = NULL;
    assert_int_equal(sq_tune(f->k, sizes, &f->p, &f->o, &s, f->arena, f->d), 0);
    assert_int_equal(s.transferred, 0);
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_text),
        cmocka_unit_test(points_move),
        cmocka_unit_test(model_decides_what_is_not_told),
        cmocka_unit_test_setup_teardown(nearest_sizes_first, setup, teardown),
        cmocka_unit_test_setup_teardown(runs_begin_with_them, setup, teardown),
    };
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    char path[64];
    for (size_t i = 0; i < 3; i++) {
        static const char *const ends[] = {"", "-wal", "-shm"};
        snprintf(path, sizeof path, "%s/warm.db%s", dir, ends[i]);
        unlink(path);
    }
    rmdir(dir);
    return rc;
}
