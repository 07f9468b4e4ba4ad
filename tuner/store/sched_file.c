/* Sched file: parsed with three PCRE2 patterns (head, class, entry), each matched where the last
 * one ended and under limits; text that they do not match is an error at that position. */
#include "tuner/store/sched_file.h"
#include "support/file.h"
#include "support/interrupt.h"
#include "support/limits.h"
#include "support/version.h"
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/file.h>

#define COMMENTS "((?:[ \\t\\r\\n]|#[^\\n]*+\\n)*+)"
#define NAME "[A-Za-z_\\x80-\\xff][A-Za-z0-9_\\x80-\\xff]*+"
enum { MATCH_LIMIT = 1 << 20, GROUPS = 12 };

typedef enum part { PART_HEAD, PART_CLASS, PART_ENTRY, PART_TAIL, NPARTS } part;

static const char *const pattern[NPARTS] = {
    [PART_HEAD] = "\\s*+squall-sched\\s++([0-9]{1,6}+)(?:[.]([0-9]{1,6}+))?+[ \\t\\r]*+\\n",
    [PART_CLASS] = COMMENTS "class[ \\t]++([A-Za-z0-9_.-]++)[ \\t\\r]*+\\n",
    [PART_ENTRY] = COMMENTS "hash[ \\t]++([0-9a-f]{32})[ \\t]++source[ \\t]++([0-9a-f]{32})\\s++"
                            "kernel[ \\t]++(" NAME ")[ \\t]++at[ \\t]++(\\*|" NAME
                            "=[0-9]{1,18}+(?:," NAME "=[0-9]{1,18}+)*+)([ \\t]++openmp)?+([ "
                            "\\t]++words)?+([ \\t]++unmeasured)?+\\s*+\\{((?:#[^\\n]*+\\n|[^{}#])*+)\\}[ \\t\\r]*+"
                            "(?:\\n|\\z)",
    [PART_TAIL] = "((?:[ \\t\\r\\n]|#[^\\n]*+(?:\\n|\\z))*+)\\z",
};

struct reader {
    const char *path, *text;
    size_t n, at;
    pcre2_code *code[NPARTS];     /* compiled when first needed */
    PCRE2_SIZE group[2 * GROUPS]; /* of the last match */
    size_t counted, line_start;   /* position up to which lines were counted, and start of the current line */
    int line;
    long minor; /* of the file's version */
    sq_arena *arena;
    sq_diags *d;
};

static pcre2_code *code_of(struct reader *r, part p)
{
    int error;
    PCRE2_SIZE where;
    if (!r->code[p])
        r->code[p] =
            pcre2_compile((PCRE2_SPTR)pattern[p], PCRE2_ZERO_TERMINATED, 0, &error, &where, NULL);
    if (!r->code[p])
        sq_bug("sched_file", "pattern at %zu: error %d", (size_t)where, error);
    return r->code[p];
}

/* Matches at r->at and advances. 1 yes, 0 no, -1 beyond the limits. */
static int match(struct reader *r, part p)
{
    int rc;
    pcre2_match_data *data = pcre2_match_data_create(GROUPS, NULL);
    pcre2_match_context *limits = pcre2_match_context_create(NULL);
    pcre2_set_match_limit(limits, MATCH_LIMIT);
    pcre2_set_depth_limit(limits, MATCH_LIMIT);
    rc = pcre2_match(code_of(r, p), (PCRE2_SPTR)r->text, r->n, r->at, PCRE2_ANCHORED, data, limits);
    if (rc > 0) {
        memset(r->group, 0xff, sizeof r->group); /* PCRE2_UNSET */
        memcpy(r->group, pcre2_get_ovector_pointer(data), 2 * (size_t)rc * sizeof *r->group);
        r->at = r->group[1];
    }
    pcre2_match_context_free(limits);
    pcre2_match_data_free(data);
    return rc > 0 ? 1 : rc == PCRE2_ERROR_NOMATCH ? 0 : -1;
}

static const char *group(const struct reader *r, int i)
{
    if (r->group[2 * i] == PCRE2_UNSET)
        return "";
    return sq_arena_strndup(r->arena, r->text + r->group[2 * i],
                            r->group[2 * i + 1] - r->group[2 * i]);
}

/* Positions are requested in ascending order: each line is counted once. */
static sq_loc place(struct reader *r, size_t at)
{
    for (; r->counted < at && r->counted < r->n; r->counted++)
        if (r->text[r->counted] == '\n') {
            r->line++;
            r->line_start = r->counted + 1;
        }
    return (sq_loc){r->path, r->line + 1, (int)(at - r->line_start) + 1, 1};
}

/* Skips blanks and whole comments, to locate an error. */
static size_t skip_comments(const struct reader *r, size_t at)
{
    while (at < r->n) {
        if (r->text[at] == '#')
            while (at < r->n && r->text[at] != '\n')
                at++;
        else if (strchr(" \t\r\n", r->text[at]) && r->text[at])
            at++;
        else
            break;
    }
    return at;
}

void sq_sched_note_newer(long minor, sq_diags *d)
{
    if (minor > SQ_SCHED_MINOR)
        sq_note(d, SQ_NOWHERE, "the file is of version %d.%ld, of which this squall knows %d.%d",
                SQ_SCHED_MAJOR, minor, SQ_SCHED_MAJOR, SQ_SCHED_MINOR);
}

static int complain(struct reader *r, const char *wanted)
{
    size_t at = skip_comments(r, r->at);
    bool cut = at >= r->n || !memchr(r->text + at, '}', r->n - at);
    bool newer = r->minor > SQ_SCHED_MINOR;
    sq_error(r->d, newer ? SQ_FAULT_NEWER : SQ_FAULT_INPUT, place(r, at), "%s%s", wanted,
             cut ? "; the file seems to be cut off" : "");
    sq_sched_note_newer(r->minor, r->d);
    return -1;
}

static int read_sizes(struct reader *r, sq_sched_entry *e, const char *text)
{
    e->nsizes = 0;
    while (text[0] != '*' && text[0]) {
        if (e->nsizes == SQ_SCHED_SIZES)
            return sq_error(r->d, SQ_FAULT_INPUT, e->loc, "more than %d sizes in one entry",
                            SQ_SCHED_SIZES);
        size_t n = strcspn(text, "=");
        sq_sched_size *s = &e->size[e->nsizes++];
        s->name = sq_arena_strndup(r->arena, text, n);
        s->value = strtoll(text + n + 1, NULL, 10);
        text += n + strcspn(text + n, ",");
        text += *text == ',';
    }
    return 0;
}

/* Returns what a script's comment `# tuned:` says, in one line of printable characters; NULL: it has none. */
static const char *where_of(const char *script, sq_arena *arena)
{
    static const char mark[] = "# tuned: ";
    enum { MOST = 400 };
    for (const char *line = script; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        line += strspn(line, " \t");
        if (strncmp(line, mark, sizeof mark - 1) != 0)
            continue;
        line += sizeof mark - 1;
        size_t n = strcspn(line, "\r\n");
        char *text = sq_arena_strndup(arena, line, n < MOST ? n : MOST);
        for (char *c = text; *c; c++)
            *c = (unsigned char)*c < ' ' || *c == 127 ? ' ' : *c;
        return text;
    }
    return NULL;
}

static int read_entry(struct reader *r, sq_sched_entry *e)
{
    *e = (sq_sched_entry){.before = group(r, 1), .kernel = group(r, 4), .script = group(r, 9)};
    memcpy(e->kernel_hash, group(r, 2), 33);
    memcpy(e->source_hash, group(r, 3), 33);
    e->openmp = group(r, 6)[0] != 0;
    e->words = group(r, 7)[0] != 0;
    e->unmeasured = group(r, 8)[0] != 0;
    e->loc = place(r, r->group[8]);
    e->loc.len = (int)strlen(e->kernel);
    e->where = where_of(e->script, r->arena);
    return read_sizes(r, e, group(r, 5));
}

static int read_version(struct reader *r)
{
    if (match(r, PART_HEAD) != 1)
        return complain(r, "expected 'squall-sched 1' at the head of a schedule file");
    const long major = strtol(group(r, 1), NULL, 10);
    r->minor = strtol(group(r, 2), NULL, 10);
    if (major == SQ_SCHED_MAJOR)
        return 0;
    sq_loc loc = place(r, r->group[2]);
    loc.len = (int)strlen(group(r, 1));
    if (major < SQ_SCHED_MAJOR)
        return sq_error(r->d, SQ_FAULT_INPUT, loc,
                        "there is no version %ld of schedule files; this squall reads version %d",
                        major, SQ_SCHED_MAJOR);
    sq_error(
        r->d, SQ_FAULT_NEWER, loc,
        "a schedule file of version %ld, which a newer squall wrote; this one reads version %d",
        major, SQ_SCHED_MAJOR);
    sq_help(r->d, SQ_NOWHERE,
            "compile with that squall, or move the file away and tune again with this one");
    return -1;
}

/* A script line is kept as it is, without indentation and trailing blanks. */
static int read_entries(struct reader *r, sq_sched_file *f)
{
    int rc;
    while ((rc = match(r, PART_ENTRY)) == 1) {
        sq_sched_entry e;
        if (read_entry(r, &e) < 0)
            return -1;
        if (f->n == SQ_MOST_SCHED_ENTRIES)
            return sq_error(r->d, SQ_FAULT_INPUT, e.loc, "more than %d entries in one file",
                            SQ_MOST_SCHED_ENTRIES);
        sq_sched_put(f, &e);
    }
    if (rc == 0 && match(r, PART_TAIL) == 1) {
        f->tail = group(r, 1);
        return 0;
    }
    return complain(r, "expected an entry, 'hash … source … kernel NAME at SIZES { script }'");
}

static int read_file(struct reader *r, sq_sched_file *f)
{
    const char *zero = memchr(r->text, 0, r->n);
    if (zero) /* the stored string would end there */
        return sq_error(r->d, SQ_FAULT_INPUT, place(r, (size_t)(zero - r->text)),
                        "a zero byte; schedule files are plain text");
    if (read_version(r) < 0)
        return -1;
    f->minor = r->minor;
    if (match(r, PART_CLASS) != 1)
        return complain(r, "expected 'class NAME', the machine class the schedules are for");
    f->head = group(r, 1);
    f->machine = group(r, 2);
    return read_entries(r, f);
}

sq_sched_file *sq_sched_parse(const char *path, const char *text, size_t n, sq_arena *arena,
                              sq_diags *d)
{
    struct reader r = {.path = path, .text = text, .n = n, .arena = arena, .d = d};
    sq_sched_file *f = sq_sched_new(arena, "");
    int rc = read_file(&r, f);
    for (int p = 0; p < NPARTS; p++)
        pcre2_code_free(r.code[p]);
    return rc < 0 ? NULL : f;
}

sq_sched_file *sq_sched_read(const char *path, sq_arena *arena, sq_diags *d)
{
    size_t n = 0;
    char *text = sq_file_read_regular(d, path, &n);
    if (!text)
        return NULL;
    const char *name = sq_arena_strdup(arena, path);
    sq_diags_source(d, name, text, n);
    sq_sched_file *f = sq_sched_parse(name, text, n, arena, d);
    free(text);
    return f;
}

sq_sched_file *sq_sched_new(sq_arena *arena, const char *machine)
{
    sq_sched_file *f = SQ_NEW(arena, sq_sched_file);
    f->arena = arena;
    f->machine = machine;
    f->head = "";
    f->tail = "";
    f->minor = SQ_SCHED_MINOR;
    return f;
}

/* ---- lookup ---- */

static const sq_size *size_named(const sq_kernel *k, const char *name)
{
    for (int i = 0; i < k->nsizes; i++)
        if (strcmp(k->size[i]->name, name) == 0)
            return k->size[i];
    return NULL;
}

/* True if the kernel's sizes are all fixed, and to the entry's values. */
static bool is_exact(const sq_sched_entry *e, const sq_kernel *k)
{
    if (e->nsizes != k->nsizes)
        return false;
    for (int i = 0; i < e->nsizes; i++) {
        const sq_size *s = size_named(k, e->size[i].name);
        if (!s || !s->fixed || s->value != e->size[i].value)
            return false;
    }
    return true;
}

static bool is_symbolic(const sq_kernel *k)
{
    for (int i = 0; i < k->nsizes; i++)
        if (!k->size[i]->fixed)
            return true;
    return false;
}

/* Returns 0 for an unusable entry; higher is better. */
static int rank(const sq_sched_entry *e, const sq_kernel *k, const char *hash, sq_sched_for to)
{
    int r = 0;
    if (strcmp(e->kernel, k->name) != 0)
        return 0;
    if (is_exact(e, k))
        r = 6;
    else if (e->nsizes == 0)
        r = 4;
    else if (is_symbolic(k) && strcmp(e->kernel_hash, hash) == 0)
        r = 2;
    int own = strcmp(e->kernel_hash, hash) == 0;
    return r ? 8 * (r + (e->openmp == to.openmp)) + 4 * (e->words == to.words) + 2 * own + !e->unmeasured : 0;
}

const sq_sched_entry *sq_sched_find(const sq_sched_file *f, const sq_kernel *k, sq_sched_for to)
{
    return sq_sched_find_at(f, k, to, NULL, 0);
}

int sq_sched_find_all(const sq_sched_file *f, const sq_kernel *k, sq_sched_for to, const sq_sched_entry **all,
                      int most)
{
    sq_hash hash = sq_kernel_hash(k);
    const sq_sched_entry *first = sq_sched_find(f, k, to);
    int n = 0;
    for (int i = 0; first && i < f->n; i++) {
        const sq_sched_entry *e = &f->entry[i];
        bool other = first->nsizes && is_symbolic(k) && rank(e, k, hash.hex, to) == rank(first, k, hash.hex, to);
        if (e != first && !other)
            continue;
        if (n < most)
            all[n] = e;
        n++;
    }
    return n;
}

static bool is_tuned_at(const sq_sched_entry *e, const sq_fix *at, int n)
{
    for (int a = 0; a < n; a++) {
        int i = 0;
        while (i < e->nsizes &&
               (strcmp(e->size[i].name, at[a].name) != 0 || e->size[i].value != at[a].value))
            i++;
        if (i == e->nsizes)
            return false;
    }
    return true;
}

const sq_sched_entry *sq_sched_find_at(const sq_sched_file *f, const sq_kernel *k, sq_sched_for to,
                                       const sq_fix *at, int n)
{
    sq_hash hash = sq_kernel_hash(k);
    const sq_sched_entry *best = NULL;
    int best_rank = 0;
    for (int i = 0; i < f->n; i++) {
        int r = is_tuned_at(&f->entry[i], at, n) ? rank(&f->entry[i], k, hash.hex, to) : 0;
        if (r > best_rank) {
            best_rank = r;
            best = &f->entry[i];
        }
    }
    return best;
}

bool sq_sched_foreign(const sq_sched_entry *e, const sq_kernel *k, const char *source_hash)
{
    if (source_hash && strcmp(e->source_hash, source_hash) == 0)
        return false;
    return strcmp(e->kernel_hash, sq_kernel_hash(k).hex) != 0;
}

/* ---- writing ---- */

static bool has_size(const sq_sched_entry *e, const sq_sched_size *s)
{
    for (int i = 0; i < e->nsizes; i++)
        if (strcmp(e->size[i].name, s->name) == 0)
            return e->size[i].value == s->value;
    return false;
}

/* Returns a hash that is equal for entries with the same key, and different for most others. */
static uint64_t key_hash(const sq_sched_entry *e)
{
    uint64_t h = sq_hash64(e->kernel, strlen(e->kernel)) + e->openmp + 2u * e->words;
    for (int i = 0; i < e->nsizes; i++) /* in any order */
        h += sq_hash64(e->size[i].name, strlen(e->size[i].name)) ^
             sq_hash64(&e->size[i].value, sizeof e->size[i].value);
    return h;
}

/* Zeros mean an unknown source. */
static bool same_source(const sq_sched_entry *a, const sq_sched_entry *b)
{
    bool is_known = a->source_hash[strspn(a->source_hash, "0")] != 0;
    return is_known && strcmp(a->source_hash, b->source_hash) == 0;
}

/* From one source, entries with other hashes are for other kernels: one with symbolic sizes
 * (`--at`) and one with fixed sizes (`--fix`). Entries tuned for an earlier source are replaced. */
static bool same_key(const sq_sched_entry *a, const sq_sched_entry *b)
{
    if (strcmp(a->kernel, b->kernel) != 0 || a->openmp != b->openmp || a->words != b->words || a->nsizes != b->nsizes)
        return false;
    if (strcmp(a->kernel_hash, b->kernel_hash) != 0 && same_source(a, b))
        return false;
    for (int i = 0; i < a->nsizes; i++)
        if (!has_size(b, &a->size[i]))
            return false;
    return true;
}

const sq_sched_entry *sq_sched_same(const sq_sched_file *f, const sq_sched_entry *e)
{
    for (int i = 0; i < f->n; i++)
        if (same_key(&f->entry[i], e))
            return &f->entry[i];
    return NULL;
}

void sq_sched_put(sq_sched_file *f, const sq_sched_entry *e)
{
    const uint64_t key = key_hash(e);
    for (int i = 0; i < f->n; i++) {
        if (f->entry[i].key == key && same_key(&f->entry[i], e)) {
            const char *before = f->entry[i].before;
            f->entry[i] = *e;
            f->entry[i].before = before;
            f->entry[i].key = key;
            return;
        }
    }
    if (f->n == f->cap) {
        sq_sched_entry *more = SQ_NEW_ARRAY(f->arena, sq_sched_entry, 2 * f->cap + 4);
        if (f->n)
            memcpy(more, f->entry, (size_t)f->n * sizeof *more);
        f->entry = more;
        f->cap = 2 * f->cap + 4;
    }
    f->entry[f->n] = *e;
    f->entry[f->n++].key = key;
}

static void print_entry(const sq_sched_entry *e, sq_text *to)
{
    sq_text_puts(to, e->before && e->before[0] ? e->before : "\n");
    sq_text_printf(to, "hash %s source %s\nkernel %s at ", e->kernel_hash, e->source_hash,
                   e->kernel);
    for (int i = 0; i < e->nsizes; i++)
        sq_text_printf(to, "%s%s=%" PRId64, i ? "," : "", e->size[i].name, e->size[i].value);
    sq_text_printf(to, "%s%s%s%s {", e->nsizes ? "" : "*", e->openmp ? " openmp" : "", e->words ? " words" : "",
                   e->unmeasured ? " unmeasured" : "");
    sq_text_puts(to, e->script);
    sq_text_puts(to, "}\n");
}

void sq_sched_print(const sq_sched_file *f, sq_text *to)
{
    sq_text_printf(to, "squall-sched %d", SQ_SCHED_MAJOR);
    if (f->minor > 0)
        sq_text_printf(to, ".%ld", f->minor);
    sq_text_printf(to, "\n%sclass %s\n", f->head, f->machine);
    for (int i = 0; i < f->n; i++)
        print_entry(&f->entry[i], to);
    sq_text_puts(to, f->tail);
}

/* Waits for a lock that another process has: silently for a second, then with a message, up to a
 * second beyond an interrupt. */
static int wait_for_lock(int fd, const char *directory, sq_diags *d)
{
    const int tick = 20000 /* us */, second = 1000000 / tick;
    int left = second;
    for (int i = 0; flock(fd, LOCK_EX | LOCK_NB) != 0; i++) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return 0; /* a file system without locks: no run has any */
        if (i == second)
            fprintf(stderr,
                    "squall: waiting for another process to release the lock of '%s'; an "
                    "interrupt ends that, and the schedule is not written\n",
                    directory);
        if (sq_interrupt_signal() && left-- == 0)
            return sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE,
                            "'%s' is locked by another process; the schedule is not written",
                            directory);
        usleep((useconds_t)tick);
    }
    return 0;
}

/* *fd: the directory, locked: runs that write one file take turns from reading to writing. -1 if it
 * cannot be opened: then it is not locked. */
static int lock_directory(const char *path, int *fd, sq_arena *arena, sq_diags *d)
{
    const char *slash = strrchr(path, '/');
    const char *directory = slash ? sq_arena_strndup(arena, path, (size_t)(slash - path) + 1) : ".";
    *fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return *fd < 0 ? 0 : wait_for_lock(*fd, directory, d);
}

static int update(const char *path, const char *machine, const sq_sched_entry *e, sq_arena *arena,
                  sq_diags *d)
{
    sq_sched_file *f;
    if (sq_file_exists(path)) {
        f = sq_sched_read(path, arena, d);
    } else {
        f = sq_sched_new(arena, machine);
        f->head = "# Written by `squall tune`. Check it in beside the source: `squall compile` "
                  "reads it.\n";
    }
    if (!f)
        return -1;
    sq_text t = {0};
    sq_sched_put(f, e);
    sq_sched_print(f, &t);
    int rc = sq_file_write(d, path, sq_text_str(&t), t.n, 1);
    sq_text_free(&t);
    return rc;
}

int sq_sched_update(const char *path, const char *machine, const sq_sched_entry *e, sq_arena *arena,
                    sq_diags *d)
{
    int lock;
    int rc = lock_directory(path, &lock, arena, d);
    if (rc == 0)
        rc = update(path, machine, e, arena, d);
    if (lock >= 0)
        close(lock); /* and with it the lock */
    return rc;
}

const char *sq_sched_path(sq_arena *arena, const char *source, const char *machine,
                          const char *out_dir)
{
    const char *slash = strrchr(source, '/'), *base = slash ? slash + 1 : source;
    const char *dot = strrchr(base, '.');
    int stem = (int)(dot && dot > base ? dot - base : (ptrdiff_t)strlen(base));
    if (out_dir)
        return sq_arena_printf(arena, "%s/%.*s.%s.sched", out_dir, stem, base, machine);
    return sq_arena_printf(arena, "%.*s%.*s.%s.sched", (int)(base - source), source, stem, base,
                           machine);
}

sq_hash sq_kernel_hash(const sq_kernel *k)
{
    sq_text t = {0};
    sq_kernel_dump_computed(k, &t);
    sq_hash h = sq_hash_bytes(sq_text_str(&t), t.n);
    sq_text_free(&t);
    return h;
}
