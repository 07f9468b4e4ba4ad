/* squall db: the store of trials, looked after. A table of verbs. What takes trials from elsewhere takes all of them or
 * none, and none twice. */
#include "cli/cli.h"
#include "support/file.h"
#include "support/nearest.h"
#include "tuner/store/trial_lines.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct db {
    const sq_settings *o;
    sq_diags *d;
    sq_db *db;
    const char *place;
    long added, known; /* of what is taken in */
    bool begun;        /* the store waits for the end of what is taken in */
    bool bad;          /* some trial was not taken */
    long damaged;      /* those that cannot be written */
} db;

/* How many trials a store has. One that is not there is not made to be looked at, a damaged one stays where it is: -1
 * after adding an error. */
static long look(const char *path, sq_diags *d)
{
    errno = ENOENT;
    return sq_file_exists(path) ? sq_store_sqlite.look(path, d) : sq_file_refuse(d, "read", path);
}

/* The same of the store in hand, which is opened. */
static long open_there(db *x)
{
    long n = look(x->place, x->d);
    x->db = n < 0 ? NULL : sq_store_sqlite.open(x->place, x->d);
    return x->db ? n : -1;
}

static int no_files(const db *x)
{
    if (x->o->files.n < 2)
        return 0;
    return sq_error(x->d, SQ_FAULT_USAGE, SQ_NOWHERE, "`squall db %s` takes no file: '%s' is one too many; "
                    "the store is named by --store", x->o->files.item[0], x->o->files.item[1]);
}

/* ---- verbs ---- */

static int check(db *x)
{
    long n = no_files(x) == 0 ? look(x->place, x->d) : -1;
    if (n >= 0 && !x->o->quiet)
        printf("%s: %ld trial%s, nothing is damaged\n", x->place, n, n == 1 ? "" : "s");
    return n < 0 ? -1 : 0;
}

static void print_row(const sq_trial *row, void *user)
{
    db *x = user;
    sq_text line = {0};
    x->damaged += sq_trial_lines_add(row, &line) != 0;
    x->bad |= fputs(sq_text_str(&line), stdout) < 0;
    sq_text_free(&line);
}

static int export(db *x)
{
    sq_text head = {0};
    if (no_files(x) != 0 || open_there(x) < 0)
        return -1;
    sq_trial_lines_begin(&head);
    x->bad = fputs(sq_text_str(&head), stdout) < 0;
    sq_text_free(&head);
    if (sq_store_sqlite.get(x->db, &(sq_trial){0}, print_row, x, x->d) < 0)
        return -1;
    if (x->damaged)
        return sq_error(x->d, SQ_FAULT_WORLD, SQ_NOWHERE, "%ld trial%s damaged and left out: no times, or no text",
                        x->damaged, x->damaged == 1 ? " is" : "s are");
    if (fflush(stdout) == 0 && !x->bad)
        return 0;
    return sq_error(x->d, SQ_FAULT_WORLD, SQ_NOWHERE, "cannot write the trials: %s", strerror(errno));
}

/* The store is locked from the first trial on, not while somebody is still writing what is read. */
static int take(const sq_trial *row, void *user)
{
    db *x = user;
    if (!sq_trial_is_good(row))
        return sq_error(x->d, SQ_FAULT_INPUT, SQ_NOWHERE,
                        "a trial of %s, %s is damaged: it has no good status or times", row->kernel, row->sizes);
    if (!x->begun && sq_store_sqlite.begin(x->db, x->d) != 0)
        return -1;
    x->begun = true;
    int known = sq_store_sqlite.has(x->db, row, x->d);
    if (known == 0 && sq_store_sqlite.put(x->db, row, x->d) != 0)
        known = -1;
    x->added += known == 0;
    x->known += known > 0;
    return known < 0 ? -1 : 0;
}

static void take_row(const sq_trial *row, void *user)
{
    db *x = user;
    x->bad = x->bad || take(row, x) != 0;
}

static int take_lines(db *x, const char *file)
{
    return sq_trial_lines_read(file, take, x, x->d) < 0 ? -1 : 0;
}

static int take_store(db *x, const char *file)
{
    struct stat here, there;
    if (stat(x->place, &here) == 0 && stat(file, &there) == 0 && here.st_dev == there.st_dev &&
        here.st_ino == there.st_ino)
        return sq_error(x->d, SQ_FAULT_USAGE, SQ_NOWHERE, "'%s' is the store itself", file);
    sq_db *from = look(file, x->d) < 0 ? NULL : sq_store_sqlite.open(file, x->d);
    if (!from)
        return -1;
    int n = sq_store_sqlite.get(from, &(sq_trial){0}, take_row, x, x->d);
    sq_store_sqlite.close(from);
    return n < 0 || x->bad ? -1 : 0;
}

static int take_all(db *x, int (*one)(db *x, const char *file))
{
    const sq_list *files = &x->o->files;
    if (files->n < 2)
        return sq_error(x->d, SQ_FAULT_USAGE, SQ_NOWHERE, "`squall db %s` wants files", files->item[0]);
    x->db = sq_store_sqlite.open(x->o->store, x->d);
    int rc = x->db ? 0 : -1;
    for (int i = 1; i < files->n && rc == 0; i++)
        rc = one(x, files->item[i]);
    if (x->begun && sq_store_sqlite.end(x->db, rc == 0, x->d) != 0)
        rc = -1;
    if (rc == 0 && !x->o->quiet)
        printf("%s: %ld trial%s added, %ld known before\n", x->place, x->added, x->added == 1 ? "" : "s", x->known);
    return rc;
}

static int import(db *x)
{
    return take_all(x, take_lines);
}

static int merge(db *x)
{
    return take_all(x, take_store);
}

static int prune(db *x)
{
    if (no_files(x) != 0)
        return -1;
    if (x->o->keep <= 0)
        return sq_error(x->d, SQ_FAULT_USAGE, SQ_NOWHERE, "how many trials of a kernel are to stay: give --keep=N");
    long before = open_there(x);
    if (before < 0)
        return -1;
    long left = sq_store_sqlite.prune(x->db, (long)x->o->keep, x->d);
    if (left >= 0 && !x->o->quiet)
        printf("%s: %ld of %ld trials stay\n", x->place, left, before);
    return left < 0 ? -1 : 0;
}

static const struct verb {
    const char *name;
    int (*run)(db *x);
} verbs[] = {{"check", check}, {"export", export}, {"import", import}, {"merge", merge}, {"prune", prune}};
enum { VERBS = sizeof verbs / sizeof *verbs };

static int unknown_verb(const char *name, sq_diags *d)
{
    const char *names[VERBS];
    for (int i = 0; i < VERBS; i++)
        names[i] = verbs[i].name;
    if (!name)
        return sq_error(d, SQ_FAULT_USAGE, SQ_NOWHERE, "what to do with the store: check export import merge prune");
    sq_error(d, SQ_FAULT_USAGE, SQ_NOWHERE, "there is no `squall db %s`; there are: check export import merge prune",
             name);
    const char *nearest = sq_nearest(name, names, VERBS);
    sq_suggest(d, name, nearest);
    return -1;
}

int sq_cmd_db(const sq_settings *o, sq_diags *d)
{
    char place[PATH_MAX];
    db x = {.o = o, .d = d, .place = place};
    const char *name = o->files.n ? o->files.item[0] : NULL;
    int i = 0;
    while (i < VERBS && (!name || strcmp(verbs[i].name, name) != 0))
        i++;
    if (i == VERBS)
        return unknown_verb(name, d);
    if (o->store && strcmp(o->store, "none") == 0)
        return sq_error(d, SQ_FAULT_USAGE, sq_settings_loc(o, "store"), "--store=none is no store");
    if (o->store)
        snprintf(place, sizeof place, "%s", o->store);
    else
        sq_store_default_path(place, sizeof place);
    int rc = verbs[i].run(&x);
    if (x.db)
        sq_store_sqlite.close(x.db);
    return rc;
}
