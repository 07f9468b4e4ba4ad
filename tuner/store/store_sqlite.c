/* SQLite store: one STRICT table, WAL, one transaction per trial, so that a kill at any moment
 * loses at most the current trial. The schema's version is user_version. The default store is
 * renamed to FILE.bad-N, its log with it (wal.h), if it is damaged or of a later version. A store
 * that was named is the user's: it is refused then, and left as it is. So is a file that does not
 * begin as a database does, or a database without our table: it belongs to another program. */
#include "support/file.h"
#include "support/hash.h"
#include "support/memory.h"
#include "support/stats.h"
#include "support/version.h"
#include "tuner/store/store.h"
#include "tuner/store/wal.h"
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { VERSION = 1, PATH_BYTES = 4096 };

/* A process has one connection to a file, however often it opens it: when a process closes any
 * descriptor of a file, it loses all its locks on it, and other processes can lock it. */
struct sq_db {
    sqlite3 *db;
    sqlite3_stmt *insert, *has; /* has: NULL until it is needed */
    dev_t device;
    ino_t file;
    int users;
    struct sq_db *next;
};
static sq_db *connections;

static const char schema[] =
    "BEGIN IMMEDIATE;"
    "CREATE TABLE IF NOT EXISTS sample("
    " id INTEGER PRIMARY KEY, kernel TEXT NOT NULL, kernel_hash TEXT NOT NULL,"
    " sizes TEXT NOT NULL, target TEXT NOT NULL, machine_class TEXT NOT NULL,"
    " machine TEXT NOT NULL, compiler TEXT NOT NULL, tool TEXT NOT NULL, script TEXT NOT NULL,"
    " script_hash TEXT NOT NULL, point TEXT NOT NULL, status TEXT NOT NULL, n INTEGER NOT NULL, "
    "median REAL, mad REAL,"
    " error REAL NOT NULL, build_seconds REAL NOT NULL, run_seconds REAL NOT NULL,"
    " times BLOB NOT NULL, base BLOB NOT NULL, message TEXT NOT NULL, at INTEGER NOT NULL,"
    " who TEXT NOT NULL) STRICT;"
    "CREATE INDEX IF NOT EXISTS sample_by_kernel ON sample(kernel_hash, sizes, target, machine);"
    "PRAGMA user_version = 1;"
    "COMMIT;";

static const char insert_sql[] =
    "INSERT INTO sample(kernel, kernel_hash, sizes, target, machine_class, machine, compiler, tool,"
    " script, script_hash, status, n, median, mad, error, build_seconds, run_seconds, times, base,"
    " message, at, who, point) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,"
    "?18,?19,?20,?21,?22,?23)";

static const char select_sql[] =
    "SELECT kernel, kernel_hash, sizes, target, machine_class, machine, compiler, script, status,"
    " error, build_seconds, run_seconds, times, base, message, at, point, tool, who FROM sample WHERE"
    " (?1 IS NULL OR kernel = ?1) AND (?2 IS NULL OR kernel_hash = ?2) AND"
    " (?3 IS NULL OR sizes = ?3) AND (?4 IS NULL OR target = ?4) AND"
    " (?5 IS NULL OR machine_class = ?5) AND (?6 IS NULL OR machine = ?6) AND"
    " (?7 IS NULL OR compiler = ?7) AND (?8 IS NULL OR script = ?8) ORDER BY id";

/* By time, for queries with few matches: + excludes the other index, which would visit all trials
 * of a kernel. */
static const char by_time_sql[] = "CREATE INDEX IF NOT EXISTS sample_by_time ON sample(at)";
static const char has_sql[] =
    "SELECT 1 FROM sample WHERE at = ?8 AND +kernel_hash = ?1 AND +sizes = ?2 AND +target = ?3 AND +machine = ?4 AND"
    " compiler = ?5 AND script = ?6 AND status = ?7 AND times = ?9 LIMIT 1";

static const char prune_sql[] =
    "DELETE FROM sample WHERE id IN (SELECT id FROM (SELECT id, row_number() OVER"
    " (PARTITION BY kernel_hash, sizes, target, machine, compiler ORDER BY status <> 'ok', median IS NULL, median, id)"
    " AS rank FROM sample) WHERE rank > ?1)";

/* ---- opening ---- */

static int run_sql(sqlite3 *db, const char *sql)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

/* Copies the first column of the first row as text; "" if there is none. */
static int query_text(sqlite3 *db, const char *sql, char *to, size_t n)
{
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(db, sql, -1, &s, NULL);
    to[0] = 0;
    if (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW)
        snprintf(to, n, "%s", (const char *)sqlite3_column_text(s, 0));
    sqlite3_finalize(s);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
}

enum verdict { USABLE, UNUSABLE, FOREIGN };

/* True if it has tables, and the store's is not among them. */
static bool is_foreign(sqlite3 *db)
{
    static const char all[] = "SELECT count(*) FROM sqlite_schema";
    static const char ours[] = "SELECT count(*) FROM sqlite_schema WHERE name = 'sample'";
    char n[32], own[32];
    return query_text(db, all, n, sizeof n) == SQLITE_OK && atoi(n) > 0 &&
           query_text(db, ours, own, sizeof own) == SQLITE_OK && atoi(own) == 0;
}

/* Returns USABLE if the database can be used as it is; otherwise the kind of fault, with a
 * description in *why. */
static enum verdict examine(sqlite3 *db, char *why, size_t n)
{
    char text[200];
    int rc = query_text(db, "PRAGMA user_version", text, sizeof text);
    if (rc == SQLITE_OK && is_foreign(db)) {
        snprintf(why, n, "is a database of something else: it has no table of trials");
        return FOREIGN;
    }
    if (rc == SQLITE_OK && atoi(text) > VERSION) {
        snprintf(why, n, "was made by a newer squall (version %s of the store, this one knows %d)",
                 text, VERSION);
        return UNUSABLE;
    }
    if (rc == SQLITE_OK)
        rc = query_text(db, "PRAGMA quick_check(1)", text, sizeof text);
    if (rc == SQLITE_OK && strcmp(text, "ok") == 0)
        return USABLE;
    if (rc == SQLITE_OK || rc == SQLITE_NOTADB || rc == SQLITE_CORRUPT) {
        snprintf(why, n, "is damaged (%s)", rc == SQLITE_OK ? text : sqlite3_errstr(rc));
        return UNUSABLE;
    }
    return USABLE; /* locked or not readable, but not invalid */
}

/* The log, before SQLite opens the store, which would delete it. */
static enum verdict examine_log(const char *place, char *why, size_t n)
{
    char path[PATH_BYTES + 8];
    snprintf(path, sizeof path, "%s-wal", place);
    const char *fault = sq_wal_fault(path);
    if (fault)
        snprintf(why, n, "is damaged (%s %s)", path, fault);
    return fault ? UNUSABLE : USABLE;
}

static int refuse(const char *path, const char *why, sq_diags *d)
{
    sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "'%s' %s", path, why);
    sq_help(d, SQ_NOWHERE, "it was left as it is; name another file with --store=FILE");
    return -1;
}

/* Refuses existing files other than regular ones that are empty or begin as a database does. */
static int check_place(const char *path, struct stat *st, sq_diags *d)
{
    static const char magic[16] = "SQLite format 3";
    char head[sizeof magic];
    st->st_ino = 0;
    if (!sq_file_exists(path))
        return 0;
    if (stat(path, st) != 0)
        return sq_file_refuse(d, "open the store", path);
    if (!S_ISREG(st->st_mode))
        return refuse(path, "is no regular file", d);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return sq_file_refuse(d, "open the store", path);
    ssize_t n = read(fd, head, sizeof head);
    close(fd);
    if (n == 0 || (n == (ssize_t)sizeof head && memcmp(head, magic, sizeof head) == 0))
        return 0;
    return refuse(path, "is no database: it does not begin with 'SQLite format 3'", d);
}

/* SQLite deletes a log without a store. The store is looked for once more: another run may have begun it meanwhile. */
static int set_log_aside(const char *place, sq_diags *d)
{
    char path[PATH_BYTES + 8], to[PATH_BYTES + 16];
    struct stat log, st;
    snprintf(path, sizeof path, "%s-wal", place);
    if (stat(path, &log) != 0 || log.st_size == 0 || (stat(place, &st) == 0 && st.st_size > 0))
        return 0;
    if (sq_file_set_aside(path, to, sizeof to) != 0)
        return sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "%s is a log without its store and cannot be set aside: %s",
                        path, strerror(errno));
    sq_warning(d, SQ_NOWHERE, "%s is a log without its store; it is now %s", path, to);
    return 0;
}

/* was: the file that was found unusable; another run may have renamed it meanwhile. */
static int set_aside(const char *path, const struct stat *was, const char *why, sq_diags *d)
{
    static const char *const suffixes[] = {"-wal", "-shm"};
    char to[PATH_BYTES], from[PATH_BYTES + 8], target[PATH_BYTES + 8];
    struct stat st;
    if (stat(path, &st) != 0 || st.st_ino != was->st_ino)
        return 0;
    if (sq_file_set_aside(path, to, sizeof to) != 0)
        return sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "%s %s and cannot be set aside: %s", path,
                        why, strerror(errno));
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        snprintf(from, sizeof from, "%s%s", path, suffixes[i]);
        snprintf(target, sizeof target, "%s%s", to, suffixes[i]);
        rename(from, target); /* may not exist */
    }
    sq_warning(d, SQ_NOWHERE, "%s %s; it is now %s and a new one is begun", path, why, to);
    return 0;
}

static sqlite3 *open_file(const char *path, int *rc)
{
    sqlite3 *db = NULL;
    *rc = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    sqlite3_busy_timeout(db, 10000);
    return db;
}

static int prepare(sqlite3 *db, sqlite3_stmt **insert)
{
    char version[32];
    int rc = run_sql(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
    if (rc == SQLITE_OK)
        rc = query_text(db, "PRAGMA user_version", version, sizeof version);
    if (rc == SQLITE_OK && atoi(version) < VERSION)
        rc = run_sql(db, schema);
    if (rc == SQLITE_OK)
        rc = sqlite3_prepare_v2(db, insert_sql, -1, insert, NULL);
    return rc;
}

/* Returns the connection to that file; NULL: there is none yet. */
static sq_db *connection_to(const char *place)
{
    struct stat st;
    sq_db *s = stat(place, &st) == 0 ? connections : NULL;
    while (s && (s->device != st.st_dev || s->file != st.st_ino))
        s = s->next;
    return s;
}

static void add_connection(sq_db *s, const char *place)
{
    struct stat st;
    if (stat(place, &st) == 0) {
        s->device = st.st_dev;
        s->file = st.st_ino;
    }
    s->next = connections;
    connections = s;
}

static sq_db *close_store(sq_db *s)
{
    if (!s || --s->users > 0)
        return NULL;
    sq_db **at = &connections;
    while (*at && *at != s)
        at = &(*at)->next;
    if (*at)
        *at = s->next;
    sqlite3_finalize(s->insert);
    sqlite3_finalize(s->has);
    sqlite3_close(s->db);
    free(s);
    return NULL;
}

static int open_failed(const sq_db *s, const char *place, int rc, sq_diags *d)
{
    const char *why = s->db ? sqlite3_errmsg(s->db) : sqlite3_errstr(rc);
    errno = s->db ? sqlite3_system_errno(s->db) : 0;
    if (rc == SQLITE_CANTOPEN && errno)
        return sq_file_refuse(d, "open the store", place);
    return sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "cannot open the store '%s': %s", place, why);
}

/* Opens the file at `place` once it is known to be good. is_named: it may not be renamed. Returns
 * SQLite's code, -1 after adding an error. */
static int open_usable(sq_db *s, const char *place, bool is_named, sq_diags *d)
{
    char why[PATH_BYTES + 300];
    struct stat st;
    int rc = SQLITE_OK;
    if (check_place(place, &st, d) != 0 || ((!st.st_ino || !st.st_size) && set_log_aside(place, d) != 0))
        return -1;
    enum verdict verdict = st.st_ino ? examine_log(place, why, sizeof why) : USABLE;
    if (verdict == USABLE) {
        s->db = open_file(place, &rc);
        verdict = rc == SQLITE_OK ? examine(s->db, why, sizeof why) : USABLE;
    }
    if (verdict == USABLE)
        return rc;
    if (s->db) /* with its log as it is: it goes with the store */
        sqlite3_db_config(s->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    sqlite3_close(s->db);
    s->db = NULL;
    if (verdict == FOREIGN || is_named)
        return refuse(place, why, d);
    if (set_aside(place, &st, why, d) != 0)
        return -1;
    s->db = open_file(place, &rc);
    return rc;
}

/* The file may be in use: it is only read, and never renamed. */
static long look(const char *path, sq_diags *d)
{
    char place[PATH_BYTES], why[PATH_BYTES + 300] = "cannot be read", n[32] = "";
    struct stat st;
    sqlite3 *db = NULL;
    if (!path)
        sq_store_default_path(place, sizeof place);
    else
        snprintf(place, sizeof place, "%s", path);
    if (check_place(place, &st, d) != 0)
        return -1;
    if (!st.st_ino)
        return 0;
    bool good = examine_log(place, why, sizeof why) == USABLE &&
                sqlite3_open_v2(place, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
                examine(db, why, sizeof why) == USABLE &&
                query_text(db, "SELECT count(*) FROM sqlite_schema WHERE name = 'sample'", n,
                           sizeof n) == SQLITE_OK;
    if (good && atoi(n) > 0)
        good = query_text(db, "SELECT count(*) FROM sample", n, sizeof n) == SQLITE_OK;
    sqlite3_close(db);
    return good ? atol(n)
                : sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "the store '%s' %s", place, why);
}

static sq_db *open_store(const char *path, sq_diags *d)
{
    char place[PATH_BYTES];
    if (!path)
        sq_store_default_path(place, sizeof place);
    else
        snprintf(place, sizeof place, "%s", path);
    if (!path)
        sq_make_parents(place);
    sq_db *s = connection_to(place);
    if (s) {
        s->users++;
        return s;
    }
    s = sq_allocated(calloc(1, sizeof *s));
    s->users = 1;
    int rc = open_usable(s, place, path != NULL, d);
    if (rc == SQLITE_OK)
        rc = prepare(s->db, &s->insert);
    if (rc == SQLITE_OK) {
        add_connection(s, place);
        return s;
    }
    if (rc > 0)
        open_failed(s, place, rc, d);
    return close_store(s);
}

/* ---- rows ---- */

static void bind_text(sqlite3_stmt *s, int i, const char *text)
{
    sqlite3_bind_text(s, i, text ? text : "", -1, SQLITE_TRANSIENT);
}

static void bind_times(sqlite3_stmt *s, int i, const double *t, int n)
{
    sqlite3_bind_blob(s, i, n ? (const void *)t : "", n * (int)sizeof *t, SQLITE_TRANSIENT);
}

static void bind_sample(sqlite3_stmt *s, const sq_sample *m)
{
    bind_text(s, 11, sq_status_name(m->status));
    sqlite3_bind_int(s, 12, m->n);
    if (m->n > 0) {
        sqlite3_bind_double(s, 13, sq_median(m->times, (size_t)m->n));
        sqlite3_bind_double(s, 14, sq_mad(m->times, (size_t)m->n));
    }
    sqlite3_bind_double(s, 15, m->error);
    sqlite3_bind_double(s, 16, m->build_seconds);
    sqlite3_bind_double(s, 17, m->run_seconds);
    bind_times(s, 18, m->times, m->n);
    bind_times(s, 19, m->base, m->nbase);
    bind_text(s, 20, m->message);
}

static int put(sq_db *db, const sq_trial *row, sq_diags *d)
{
    sqlite3_stmt *s = db->insert;
    const char *user = row->who ? row->who : getenv("USER");
    sq_hash hash = sq_hash_bytes(row->script, strlen(row->script));
    const char *texts[] = {row->kernel,        row->kernel_hash, row->sizes,    row->target,
                           row->machine_class, row->machine,     row->compiler,
                           row->tool ? row->tool : SQ_VERSION, row->script, hash.hex};
    sqlite3_clear_bindings(s);
    for (int i = 0; i < 10; i++)
        bind_text(s, i + 1, texts[i]);
    bind_sample(s, &row->sample);
    sqlite3_bind_int64(s, 21, row->when ? row->when : (sqlite3_int64)time(NULL));
    bind_text(s, 22, user);
    bind_text(s, 23, row->point);
    int rc = sqlite3_step(s);
    sqlite3_reset(s);
    if (rc == SQLITE_DONE)
        return 0;
    return sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "cannot record a trial: %s",
                    sqlite3_errmsg(db->db));
}

static const char *text_of(sqlite3_stmt *s, int i)
{
    const char *t = (const char *)sqlite3_column_text(s, i);
    return t ? t : "";
}

static int read_times(sqlite3_stmt *s, int i, double *to)
{
    size_t bytes = (size_t)sqlite3_column_bytes(s, i), most = SQ_MAX_TIMES * sizeof *to;
    if (bytes > most)
        bytes = most;
    if (bytes)
        memcpy(to, sqlite3_column_blob(s, i), bytes);
    return (int)(bytes / sizeof *to);
}

static void read_row(sqlite3_stmt *s, sq_trial *row)
{
    const char **texts[] = {&row->kernel,        &row->kernel_hash, &row->sizes,    &row->target,
                            &row->machine_class, &row->machine,     &row->compiler, &row->script};
    for (int i = 0; i < 8; i++)
        *texts[i] = text_of(s, i);
    sq_sample *m = &row->sample;
    m->status = sq_status_get(text_of(s, 8));
    m->error = sqlite3_column_double(s, 9);
    m->build_seconds = sqlite3_column_double(s, 10);
    m->run_seconds = sqlite3_column_double(s, 11);
    m->n = read_times(s, 12, m->times);
    m->nbase = read_times(s, 13, m->base);
    snprintf(m->message, sizeof m->message, "%s", text_of(s, 14));
    row->when = sqlite3_column_int64(s, 15);
    row->point = text_of(s, 16);
    row->tool = text_of(s, 17);
    row->who = text_of(s, 18);
}

static int get(sq_db *db, const sq_trial *like, sq_row_fn f, void *user, sq_diags *d)
{
    sqlite3_stmt *s = NULL;
    int n = 0, rc = sqlite3_prepare_v2(db->db, select_sql, -1, &s, NULL);
    const char *texts[] = {like->kernel,        like->kernel_hash, like->sizes,    like->target,
                           like->machine_class, like->machine,     like->compiler, like->script};
    for (int i = 0; i < 8 && rc == SQLITE_OK; i++)
        if (texts[i])
            bind_text(s, i + 1, texts[i]);
    while (rc == SQLITE_OK || rc == SQLITE_ROW) {
        rc = sqlite3_step(s);
        if (rc != SQLITE_ROW)
            break;
        sq_trial row = {0};
        read_row(s, &row);
        f(&row, user);
        n++;
    }
    sqlite3_finalize(s);
    if (rc == SQLITE_DONE)
        return n;
    return sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "cannot read the store: %s",
                    sqlite3_errmsg(db->db));
}

static int failed(const sq_db *db, const char *what, sq_diags *d)
{
    return sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "cannot %s the store: %s", what, sqlite3_errmsg(db->db));
}

static int begin(sq_db *db, sq_diags *d)
{
    bool begun = run_sql(db->db, by_time_sql) == SQLITE_OK && run_sql(db->db, "BEGIN IMMEDIATE") == SQLITE_OK;
    return begun ? 0 : failed(db, "write", d);
}

static int end(sq_db *db, bool keep, sq_diags *d)
{
    if (!keep) {
        run_sql(db->db, "ROLLBACK");
        return 0;
    }
    return run_sql(db->db, "COMMIT") == SQLITE_OK ? 0 : failed(db, "write", d);
}

static int has(sq_db *db, const sq_trial *row, sq_diags *d)
{
    const char *texts[] = {row->kernel_hash, row->sizes,  row->target,
                           row->machine,     row->compiler, row->script, sq_status_name(row->sample.status)};
    int rc = db->has ? SQLITE_OK : sqlite3_prepare_v2(db->db, has_sql, -1, &db->has, NULL);
    for (int i = 0; i < 7 && rc == SQLITE_OK; i++)
        bind_text(db->has, i + 1, texts[i]);
    if (rc == SQLITE_OK) {
        sqlite3_bind_int64(db->has, 8, row->when);
        bind_times(db->has, 9, row->sample.times, row->sample.n);
        rc = sqlite3_step(db->has);
        sqlite3_reset(db->has);
    }
    return rc == SQLITE_ROW ? 1 : rc == SQLITE_DONE ? 0 : failed(db, "read", d);
}

static long prune(sq_db *db, long keep, sq_diags *d)
{
    sqlite3_stmt *s = NULL;
    char left[32];
    int rc = sqlite3_prepare_v2(db->db, prune_sql, -1, &s, NULL);
    if (rc == SQLITE_OK) {
        sqlite3_bind_int64(s, 1, keep);
        rc = sqlite3_step(s);
    }
    sqlite3_finalize(s);
    if (rc == SQLITE_DONE) {
        run_sql(db->db, "VACUUM"); /* makes the file small; if it fails the file is large, but correct */
        rc = query_text(db->db, "SELECT count(*) FROM sample", left, sizeof left);
    }
    return rc == SQLITE_OK ? atol(left) : failed(db, "prune", d);
}

const sq_store sq_store_sqlite = {.name = "sqlite",
                                  .doc = "one file, SQLite with a write-ahead log",
                                  .open = open_store,
                                  .look = look,
                                  .put = put,
                                  .get = get,
                                  .begin = begin,
                                  .end = end,
                                  .has = has,
                                  .prune = prune,
                                  .close = close_store};
