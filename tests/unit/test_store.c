/* Store: rows come back as they went in; a damaged or newer file is refused if it was named, and set
 * aside if nobody named it, never deleted; a process killed while it writes leaves every finished
 * row. */
#include "support/file.h"
#include "tuner/store/store.h"
#include "tuner/store/wal.h"
#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static char dir[] = "store-XXXXXX";
static const sq_store *const store = &sq_store_sqlite;

static int setup(void **state)
{
    (void)state;
    return mkdtemp(dir) ? 0 : -1;
}

static const char *file(const char *name)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static sq_trial row_of(const char *script, int n)
{
    sq_trial r = {.kernel = "gemm",
                .kernel_hash = "abc",
                .sizes = "M=1",
                .target = "avx2",
                .machine_class = "avx2",
                .machine = "m",
                .compiler = "gcc",
                .script = script};
    r.sample.status = n ? SQ_OK : SQ_WRONG;
    r.sample.n = n;
    for (int i = 0; i < n; i++)
        r.sample.times[i] = 0.5 + i;
    snprintf(r.sample.message, sizeof r.sample.message, "said %s", script);
    return r;
}

struct seen {
    int n;
    sq_trial last;
    char script[64];
};

static void see(const sq_trial *row, void *user)
{
    struct seen *s = user;
    s->n++;
    s->last = *row;
    snprintf(s->script, sizeof s->script, "%s", row->script);
}

static void test_round_trip(void **state)
{
    sq_diags *d = sq_diags_new();
    struct seen seen = {0};
    (void)state;
    sq_db *db = store->open(file("a.db"), d);
    assert_non_null(db);
    sq_trial one = row_of("tile(i:4)", 3), two = row_of("tile(i:8)", 0);
    assert_int_equal(store->put(db, &one, d), 0);
    assert_int_equal(store->put(db, &two, d), 0);
    store->close(db);
    db = store->open(file("a.db"), d);
    assert_int_equal(store->get(db, &(sq_trial){.kernel_hash = "abc"}, see, &seen, d), 2);
    assert_int_equal(seen.last.sample.status, SQ_WRONG);
    assert_string_equal(seen.last.sample.message, "said tile(i:8)");
    assert_int_equal(store->get(db, &(sq_trial){.script = "tile(i:4)"}, see, &seen, d), 1);
    assert_int_equal(seen.last.sample.n, 3);
    assert_true(seen.last.sample.times[2] == 2.5 && seen.last.when > 1700000000);
    assert_int_equal(store->get(db, &(sq_trial){.kernel_hash = "x"}, see, &seen, d), 0);
    assert_int_equal(sq_diags_errors(d), 0);
    store->close(db);
    sq_diags_free(d);
}

static void spoil(const char *path, const char *text, size_t n)
{
    FILE *f = fopen(path, "r+");
    if (!f)
        f = fopen(path, "w");
    assert_non_null(f);
    fwrite(text, 1, n, f);
    fclose(f);
}

/* Named: an error that says so, not a byte of it changed, nothing beside it. */
static void check_refused(const char *name, const char *said)
{
    sq_diags *d = sq_diags_new();
    size_t n = 0, m = 0;
    char *before = sq_file_read(d, file(name), &n), aside[250];
    assert_null(store->open(file(name), d));
    assert_int_equal(sq_diags_fault(d), SQ_FAULT_WORLD);
    assert_non_null(strstr(sq_diags_message(d, 0), said));
    char *after = sq_file_read(d, file(name), &m);
    assert_true(before && after && n == m && memcmp(before, after, n) == 0);
    snprintf(aside, sizeof aside, "%s.bad-1", file(name));
    assert_int_equal(access(aside, F_OK), -1);
    free(before);
    free(after);
    sq_diags_free(d);
}

/* Moves a store, and its log, to where the default one is. Returns that place. */
static const char *make_default(const char *name)
{
    static char place[300];
    static const char *const suffixes[] = {"", "-wal"};
    char home[250], from[250], to[310];
    snprintf(home, sizeof home, "%s.home", file(name));
    mkdir(home, 0700);
    char *whole = realpath(home, NULL);
    setenv("XDG_STATE_HOME", whole, 1);
    free(whole);
    sq_store_default_path(place, sizeof place);
    sq_make_parents(place);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        snprintf(from, sizeof from, "%s%s", file(name), suffixes[i]);
        snprintf(to, sizeof to, "%s%s", place, suffixes[i]);
        assert_true(rename(from, to) == 0 || i > 0);
    }
    return place;
}

/* A file of that name cannot be used: it is refused, and set aside where it is the default store. */
static void check_set_aside(const char *name, const char *said, int number)
{
    check_refused(name, said);
    sq_diags *d = sq_diags_new();
    char aside[350], *shown = NULL;
    size_t n = 0;
    const char *place = make_default(name);
    sq_db *db = store->open(NULL, d);
    assert_non_null(db);
    assert_int_equal(sq_diags_errors(d), 0);
    FILE *to = open_memstream(&shown, &n);
    sq_diags_print(d, to, SQ_DIAG_GCC, 0);
    fclose(to);
    assert_non_null(strstr(shown, said));
    snprintf(aside, sizeof aside, "%s.bad-%d", place, number);
    assert_int_equal(access(aside, F_OK), 0);
    sq_trial one = row_of("x", 1);
    assert_int_equal(store->put(db, &one, d), 0);
    store->close(db);
    free(shown);
    sq_diags_free(d);
}

/* Begins as a database does and is none. */
static void test_damaged(void **state)
{
    char junk[4096] = "SQLite format 3";
    (void)state;
    memset(junk + 16, 'x', sizeof junk - 16);
    spoil(file("b.db"), junk, sizeof junk);
    check_set_aside("b.db", "is damaged", 1);
    spoil(file("b.db"), junk, 100);
    check_set_aside("b.db", "is damaged", 2);
}

static void test_not_a_database(void **state)
{
    sqlite3 *db;
    (void)state;
    spoil(file("notes.txt"), "buy milk\n", 9);
    check_refused("notes.txt", "is no database");
    spoil(file("short"), "SQLite format 3", 15);
    check_refused("short", "is no database");
    assert_int_equal(sqlite3_open(file("other.db"), &db), SQLITE_OK);
    sqlite3_exec(db, "PRAGMA user_version = 70; CREATE TABLE moz_places(x);", NULL, NULL, NULL);
    sqlite3_close(db);
    check_refused("other.db", "is a database of something else");
    spoil(file("empty.db"), "", 0);
    sq_diags *d = sq_diags_new();
    store->close(store->open(file("empty.db"), d));
    assert_int_equal(sq_diags_errors(d), 0);
    sq_diags_free(d);
}

/* Directories of a store that was named are not made; those of the default one are. */
static void test_missing_directory(void **state)
{
    sq_diags *d = sq_diags_new();
    char *home = realpath(dir, NULL);
    (void)state;
    assert_null(store->open(file("no/such/x.db"), d));
    assert_non_null(strstr(sq_diags_message(d, 0), "there is no directory '"));
    assert_int_equal(access(file("no"), F_OK), -1);
    sq_diags_rewind(d, 0);
    setenv("XDG_STATE_HOME", home, 1);
    store->close(store->open(NULL, d));
    assert_int_equal(access(file("squall/samples.db"), F_OK), 0);
    assert_int_equal(sq_diags_errors(d), 0);
    free(home);
    sq_diags_free(d);
}

static void test_truncated(void **state)
{
    sq_diags *d = sq_diags_new();
    (void)state;
    sq_db *db = store->open(file("c.db"), d);
    for (int i = 0; i < 200; i++) {
        sq_trial r = row_of("some script", 60);
        assert_int_equal(store->put(db, &r, d), 0);
    }
    store->close(db);
    assert_int_equal(truncate(file("c.db"), 20000), 0);
    check_set_aside("c.db", "is damaged", 1);
    sq_diags_free(d);
}

static void test_newer(void **state)
{
    sqlite3 *db;
    (void)state;
    assert_int_equal(sqlite3_open(file("n.db"), &db), SQLITE_OK);
    sqlite3_exec(db, "PRAGMA user_version = 7; CREATE TABLE sample(x);", NULL, NULL, NULL);
    sqlite3_close(db);
    check_set_aside("n.db", "newer squall (version 7", 1);
}

static void test_not_writable(void **state)
{
    sq_diags *d = sq_diags_new();
    (void)state;
    assert_null(store->open("/proc/none/x.db", d));
    assert_int_equal(sq_diags_fault(d), SQ_FAULT_WORLD);
    sq_diags_free(d);
}

/* The child says how many rows are finished; at least so many are there after it was killed. */
static void test_killed(void **state)
{
    (void)state;
    for (int round = 0; round < 5; round++) {
        int fd[2], finished = 0;
        assert_int_equal(pipe(fd), 0);
        pid_t pid = fork();
        if (pid == 0) {
            sq_diags *d = sq_diags_new();
            sq_db *db = store->open(file("k.db"), d);
            for (char c = 0;; c++) {
                sq_trial r = row_of("k", 60);
                if (!db || store->put(db, &r, d) < 0 || write(fd[1], &c, 1) != 1)
                    _exit(1);
            }
        }
        close(fd[1]);
        usleep(20000 + 7000 * (unsigned)round);
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        for (char c; read(fd[0], &c, 1) == 1;)
            finished++;
        close(fd[0]);
        sq_diags *d = sq_diags_new();
        struct seen seen = {0};
        static int before;
        sq_db *db = store->open(file("k.db"), d);
        int n = store->get(db, &(sq_trial){.script = "k"}, see, &seen, d);
        assert_true(n >= before + finished && n <= before + finished + 1);
        before = n;
        assert_int_equal(sq_diags_errors(d), 0);
        store->close(db);
        sq_diags_free(d);
    }
}

static void test_default_path(void **state)
{
    char path[300];
    (void)state;
    setenv("XDG_STATE_HOME", "/s", 1);
    sq_store_default_path(path, sizeof path);
    assert_string_equal(path, "/s/squall/samples.db");
    setenv("XDG_STATE_HOME", "relative", 1);
    setenv("HOME", "/h", 1);
    sq_store_default_path(path, sizeof path);
    assert_string_equal(path, "/h/.local/state/squall/samples.db");
}

/* ---- the log ---- */

/* A store whose last process was killed: `rows` rows in it, and as many in its log. */
static void leave_log(const char *name, int rows)
{
    sq_diags *d = sq_diags_new();
    for (int part = 0; part < 2; part++) {
        pid_t child = fork();
        sq_db *db = child ? NULL : store->open(file(name), d);
        for (int i = 0; i < rows && !child; i++) {
            sq_trial r = row_of("some script", 60);
            if (!db || store->put(db, &r, d) != 0)
                _exit(1);
        }
        if (!child && part == 0)
            store->close(db);
        if (!child)
            _exit(0);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
    sq_diags_free(d);
}

static const char *log_of(const char *name)
{
    static char path[250];
    snprintf(path, sizeof path, "%s-wal", file(name));
    return path;
}

/* Inverts a byte of the log. */
static void turn(const char *name, long at)
{
    FILE *f = fopen(log_of(name), "r+");
    assert_non_null(f);
    assert_int_equal(fseek(f, at, SEEK_SET), 0);
    int byte = fgetc(f);
    fseek(f, at, SEEK_SET);
    fputc(byte ^ 0xff, f);
    fclose(f);
}

static long log_bytes(const char *name)
{
    struct stat st;
    assert_int_equal(stat(log_of(name), &st), 0);
    return (long)st.st_size;
}

/* Who only looks at it says so, and changes nothing; the default store is set aside, the log with it. */
static void check_log_damaged(const char *name, const char *said)
{
    sq_diags *d = sq_diags_new();
    char aside[350];
    size_t n, m;
    char *before = sq_file_read(d, log_of(name), &n);
    assert_true(store->look(file(name), d) < 0);
    assert_non_null(strstr(sq_diags_message(d, 0), said));
    check_set_aside(name, said, 1);
    sq_store_default_path(aside, sizeof aside);
    strcat(aside, ".bad-1-wal");
    char *after = sq_file_read(d, aside, &m);
    assert_true(after && n == m && memcmp(before, after, n) == 0);
    free(before);
    free(after);
    sq_diags_free(d);
}

static void test_log_damaged(void **state)
{
    (void)state;
    static const long places[] = {0, 17, 30, 40, 100};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char name[32];
        snprintf(name, sizeof name, "w%zu.db", i);
        leave_log(name, 6);
        turn(name, places[i]);
        check_log_damaged(name, places[i] < 32 ? "-wal does not begin as a log does" : "-wal has a damaged frame");
    }
    leave_log("text.db", 2);
    spoil(log_of("text.db"), "my notes", 8);
    assert_int_equal(truncate(log_of("text.db"), 8), 0);
    check_log_damaged("text.db", "-wal does not begin as a log does");
}

/* How many rows there are, by who looks and by who writes. */
static long rows_of(const char *name)
{
    sq_diags *d = sq_diags_new();
    long n = store->look(file(name), d);
    struct seen seen = {0};
    sq_db *db = store->open(file(name), d);
    assert_int_equal(store->get(db, &(sq_trial){0}, see, &seen, d), n);
    assert_int_equal((int)sq_diags_mark(d), 0);
    store->close(db);
    sq_diags_free(d);
    return n;
}

/* What a kill leaves is no damage: a last frame cut off or half written; nothing at all. */
static void test_log_cut(void **state)
{
    (void)state;
    leave_log("cut0.db", 6);
    assert_int_equal(rows_of("cut0.db"), 12);
    leave_log("cut1.db", 6);
    assert_int_equal(truncate(log_of("cut1.db"), log_bytes("cut1.db") - 1000), 0);
    assert_int_equal(rows_of("cut1.db"), 11);
    leave_log("cut2.db", 6);
    turn("cut2.db", log_bytes("cut2.db") - 1);
    assert_int_equal(rows_of("cut2.db"), 11);
    leave_log("cut3.db", 6);
    assert_int_equal(truncate(log_of("cut3.db"), 0), 0);
    assert_int_equal(rows_of("cut3.db"), 6);
}

/* A transaction that was too large for memory and taken back leaves frames behind those that are written next. */
static void test_log_taken_back(void **state)
{
    (void)state;
    leave_log("back.db", 6);
    sqlite3 *db;
    assert_int_equal(sqlite3_open(file("back.db"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA cache_size = 4; PRAGMA wal_autocheckpoint = 0; BEGIN; CREATE TABLE t(x);"
                                      "INSERT INTO t SELECT randomblob(9000) FROM sample, sample AS more; ROLLBACK;"
                                      "DELETE FROM sample WHERE id = 1;", NULL, NULL, NULL), SQLITE_OK);
    assert_true(log_bytes("back.db") > 300000);
    assert_null(sq_wal_fault(log_of("back.db")));
    sq_diags *d = sq_diags_new();
    assert_int_equal(store->look(file("back.db"), d), 11);
    sq_diags_free(d);
    sqlite3_close(db);
}

/* SQLite would delete it. */
static void test_log_alone(void **state)
{
    (void)state;
    leave_log("alone.db", 2);
    assert_int_equal(remove(file("alone.db")), 0);
    sq_diags *d = sq_diags_new();
    sq_db *db = store->open(file("alone.db"), d);
    assert_non_null(db);
    assert_int_equal(access(file("alone.db-wal.bad-1"), F_OK), 0);
    assert_int_equal((int)sq_diags_mark(d), 1);
    store->close(db);
    sq_diags_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),        cmocka_unit_test(test_not_a_database),
        cmocka_unit_test(test_truncated),         cmocka_unit_test(test_newer),
        cmocka_unit_test(test_not_writable),      cmocka_unit_test(test_killed),
        cmocka_unit_test(test_log_damaged),       cmocka_unit_test(test_log_cut),
        cmocka_unit_test(test_log_taken_back),    cmocka_unit_test(test_log_alone),
        cmocka_unit_test(test_default_path),      cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_missing_directory),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
