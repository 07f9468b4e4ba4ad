/* Does `squall check` find what is wrong? Emits samples, puts small faults into the text one at a
 * time, and asks check about each:
 *
 *     mutate [--seed=N] [--count=N] [--target=NAME] [--only=KERNEL] [--step=N]
 *            [--least=PERCENT]
 *
 *     killed      check says that results differ, or that the text crashes or does not end
 *     stillborn   no compiler takes it: does not count
 *     equivalent  the compiler makes the same instructions of it as of the text without the fault,
 *                 or does so when both are without what check proves unreachable, or its form
 *                 stands in the list of those that change no result (equivalent.txt, read by
 *                 people): does not count. Faults in blocks that check proves unreachable are not
 *                 tried.
 *     survived    everything else; printed, and counted against the score
 *     not judged  check could not say, for want of memory or the like; the run fails
 *
 * The faults of a kernel and target follow from the seed and their names alone. Files go to a folder
 * of the run's own: runs may stand side by side. Exit 0 when all could be judged and at least
 * --least per cent of what counts was killed. */
#include "support/diag.h"
#include "tests/mutate/mutate.h"
#include <fnmatch.h>
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHECK_SECONDS = 120, MOST_WORDS = 24 };
typedef enum verdict { KILLED, STILLBORN, EQUIVALENT, SURVIVED, UNJUDGED, NVERDICTS } verdict;

/* In the manner of everybody's kernels; sizes stay open, so that tails are in the text. */
static const char *const samples[] = {
    "gemm",    "gemm_nt", "gemm_bias_relu", "bmm",   "conv2d",      "dwconv",     "conv1d",
    "maxpool", "softmax", "layernorm",      "gelu",  "jacobi_2d",   "box_filter", "syrk",
    "trmm",    "mttkrp",  "gemm_s8",        "hgemm", "elementwise", "row_argmax",
};
static const char *const targets[] = {"generic", "avx2", "avx512"};

typedef struct options {
    uint64_t seed;
    int count, least;
    int step; /* of all kernels only one in so many */
    const char *target, *only;
} options;

typedef struct subject {
    const char *kernel, *target;
    char source[512]; /* the description */
    char *text;
    size_t n;
    char *listed; /* equivalent.txt */
    char *plain;  /* assembly of the text without a fault */
    size_t nplain;
    char *live, *live_plain; /* the same with blanks for statements that cannot run */
    size_t nlive;
    bool *idle; /* by line: check proves that it cannot run, or says why it need not */
    int nlines;
} subject;

static const char *environment(const char *name)
{
    const char *value = getenv(name);
    if (!value) {
        fprintf(stderr, "mutate: %s is not set\n", name);
        exit(64);
    }
    return value;
}

static int check(const subject *s, const char *file)
{
    char target[64], text[64];
    snprintf(target, sizeof target, "--target=%s", s->target);
    snprintf(text, sizeof text, "--text=%s", file);
    char *words[] = {
        (char *)environment("SQUALL"), "check", (char *)s->source, target, text, "--quick", NULL};
    return run_words(words, "check.log", CHECK_SECONDS);
}

/* The assembly without the names of files; NULL: it does not compile. */
static char *assembly(const char *file, size_t *n)
{
    char *words[] = {(char *)environment("CC"),
                     "-std=c11",
                     "-O2",
                     "-w",
                     "-S",
                     "-o",
                     "out.s",
                     (char *)file,
                     NULL};
    if (run_words(words, NULL, CHECK_SECONDS) != 0)
        return NULL;
    char *text = read_whole("out.s", n), *name = text ? strstr(text, "\t.file") : NULL;
    if (name) { /* the rest of that line, so that texts of two files can be equal */
        size_t skipped = strcspn(name, "\n");
        memmove(name, name + skipped, strlen(name + skipped) + 1);
        *n -= skipped;
    }
    return text;
}

/* The line of the text that the fault is in, without blanks at its ends. */
static const char *line_of(const char *text, size_t at, int *length, int *number)
{
    size_t from = at, to = at;
    *number = 1;
    for (size_t i = 0; i < at; i++)
        *number += text[i] == '\n';
    while (from > 0 && text[from - 1] != '\n')
        from--;
    while (text[from] == ' ')
        from++;
    while (text[to] && text[to] != '\n')
        to++;
    *length = (int)(to - from);
    return text + from;
}

/* "line => the same with the fault" */
static void put_change(const subject *s, const mutation *m, char *to, size_t n)
{
    int length, number;
    const char *line = line_of(s->text, m->from, &length, &number);
    int before = (int)(s->text + m->from - line), after = length - (int)(m->to - m->from) - before;
    snprintf(to, n, "%.*s => %.*s%s%.*s", length, line, before, line, m->with,
             after > 0 ? after : 0, s->text + m->to);
}

/* Does `pattern` fit the line that the fault is in, "line => the same with the fault", or "line //
 * the next one"? */
static bool fits_line(const char *pattern, const subject *s, const mutation *m)
{
    char text[1200];
    int length, number, next;
    const char *line = line_of(s->text, m->from, &length, &number), *more = line + length;
    snprintf(text, sizeof text, "%.*s", length, line);
    if (fnmatch(pattern, text, FNM_EXTMATCH) == 0)
        return true;
    more += strspn(more, "\n ");
    next = (int)strcspn(more, "\n");
    snprintf(text, sizeof text, "%.*s // %.*s", length, line, next, more);
    if (fnmatch(pattern, text, FNM_EXTMATCH) == 0)
        return true;
    put_change(s, m, text, sizeof text);
    return fnmatch(pattern, text, FNM_EXTMATCH) == 0;
}

/* Does a row of equivalent.txt, `kernel | kind | old | new | line | reason` with the wildcards of
 * fnmatch in all but the last, fit this fault that check did not find? */
static bool is_listed(const subject *s, const mutation *m)
{
    char old[64], row[512];
    snprintf(old, sizeof old, "%.*s", (int)(m->to - m->from), s->text + m->from);
    const char *fields[] = {s->kernel, m->kind, old, m->with};
    enum { NFIELDS = sizeof fields / sizeof *fields };
    for (const char *p = s->listed; p && *p; p += strcspn(p, "\n"), p += *p == '\n') {
        snprintf(row, sizeof row, "%.*s", (int)strcspn(p, "\n"), p);
        int fits = row[0] != '#';
        char *rest = row;
        for (int f = 0; f <= NFIELDS && fits; f++) {
            char *end = rest ? strstr(rest, " | ") : NULL;
            fits = end != NULL;
            if (end)
                *end = 0;
            fits = fits && (f < NFIELDS ? fnmatch(rest, fields[f], FNM_EXTMATCH) == 0
                                        : fits_line(rest, s, m));
            rest = end ? end + 3 : NULL;
        }
        if (fits)
            return true;
    }
    return false;
}

static void describe(const subject *s, const mutation *m, char *to, size_t n)
{
    char change[1200];
    int length, number;
    line_of(s->text, m->from, &length, &number);
    put_change(s, m, change, sizeof change);
    snprintf(to, n, "%s|%s|%s: %.*s -> %s|%d: %s", s->kernel, s->target, m->kind,
             (int)(m->to - m->from), s->text + m->from, m->with, number, change);
}

/* Why check said so. */
static void print_log(const char *path)
{
    size_t n;
    char *text = read_whole(path, &n);
    if (text)
        fwrite(text, 1, n, stdout);
    free(text);
}

/* Writes the text with the fault to mutant.c; its assembly, NULL where no compiler takes it. */
static char *build_mutant(const char *text, size_t n, const mutation *m, size_t *made)
{
    size_t tail = n - m->to, k = strlen(m->with);
    char *with = malloc(m->from + k + tail + 1);
    if (!with)
        abort();
    memcpy(with, text, m->from);
    memcpy(with + m->from, m->with, k);
    memcpy(with + m->from + k, text + m->to, tail);
    if (!write_whole("mutant.c", with, m->from + k + tail))
        abort();
    free(with);
    return assembly("mutant.c", made);
}

/* Does the fault change only what cannot run: a value that is computed for it. */
static bool is_dead(const subject *s, const mutation *m)
{
    size_t n;
    char *code = build_mutant(s->live, s->n, m, &n);
    bool same = code && n == s->nlive && memcmp(code, s->live_plain, n) == 0;
    free(code);
    return same;
}

static verdict judge(const subject *s, const mutation *m)
{
    char fault[1400];
    size_t n;
    describe(s, m, fault, sizeof fault);
    char *code = build_mutant(s->text, s->n, m, &n);
    bool same = code && n == s->nplain && memcmp(code, s->plain, n) == 0;
    bool stillborn = !code;
    free(code);
    if (stillborn)
        return STILLBORN;
    if (same)
        return EQUIVALENT;
    int rc = check(s, "mutant.c");
    if (rc == SQ_FAULT_INPUT)
        return KILLED;
    if (rc != 0) {
        printf("not judged (%d): %s\n", rc, fault);
        print_log("check.log");
        return UNJUDGED;
    }
    bool listed = is_listed(s, m) || is_dead(s, m);
    printf("%s: %s\n", listed ? "equivalent" : "survived", fault);
    return listed ? EQUIVALENT : SURVIVED;
}

static size_t only_live(const subject *s, mutation *all, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        int length, number;
        line_of(s->text, all[i].from, &length, &number);
        if (!s->idle[number])
            all[kept++] = all[i];
    }
    return kept;
}

/* Random places without repetition, from the kinds in turn, so that rare ones are tried as well. */
static void try_faults(const subject *s, const options *o, random_state *r, int count[NVERDICTS])
{
    size_t n;
    mutation *all = mutations_of(s->text, &n);
    n = only_live(s, all, n);
    enum { NKINDS = 7 };
    for (int i = 0, kind = (int)(random_next(r) % NKINDS); i < o->count && n > 0; kind++) {
        static const char *const kinds[] = {"bound",  "constant up", "constant down", "operator",
                                            "stride", "mask",        "dropped"};
        const char *want = kinds[kind % NKINDS];
        size_t from = (size_t)(random_next(r) % n), at = from;
        while (strcmp(all[at].kind, want) != 0 && (at = (at + 1) % n) != from)
            ;
        i += kind % NKINDS == NKINDS - 1 || strcmp(all[at].kind, want) == 0;
        if (strcmp(all[at].kind, want) != 0)
            continue;
        count[judge(s, &all[at])]++;
        all[at] = all[--n];
    }
    free(all);
}

/* Blanks for the statement of `if (…) …;` in this line, which check proves unreachable. */
static void blank_line(subject *s, int number)
{
    char *line = s->live;
    for (int i = 1; line && i < number; i++)
        line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
    size_t n = line ? strcspn(line, "\n") : 0;
    size_t blanks = line ? strspn(line, " ") : 0;
    if (n > blanks + 4 && strncmp(line + blanks, "if (", 4) == 0 && line[n - 1] == ';')
        memset(line, ' ', n);
}

static void mark_block(subject *s, const json_t *block)
{
    int line = (int)json_integer_value(json_object_get(block, "line"));
    int last = (int)json_integer_value(json_object_get(block, "last"));
    const char *why = json_string_value(json_object_get(block, "why"));
    if (line == last && why && strcmp(why, "unreachable") == 0)
        blank_line(s, line);
    for (; line <= last && line <= s->nlines; line++)
        s->idle[line] = true;
}

static int mark_idle(subject *s)
{
    char target[64];
    snprintf(target, sizeof target, "--target=%s", s->target);
    char *words[] = {(char *)environment("SQUALL"),
                     "check",
                     s->source,
                     target,
                     "--text=plain.c",
                     "--json",
                     "-q",
                     NULL};
    int rc = run_words(words, "check.json", CHECK_SECONDS);
    if (rc != 0)
        print_log("check.json");
    json_t *all = rc == 0 ? json_load_file("check.json", 0, NULL) : NULL, *kernel, *block;
    size_t i, k;
    for (size_t c = 0; c < s->n; c++)
        s->nlines += s->text[c] == '\n';
    s->idle = calloc((size_t)s->nlines + 2, sizeof *s->idle);
    s->live = strdup(s->text);
    if (!s->idle || !s->live)
        abort();
    json_array_foreach(all, k, kernel) json_array_foreach(json_object_get(kernel, "idle"), i, block)
        mark_block(s, block);
    bool good = json_is_array(all);
    json_decref(all);
    return good ? 0 : rc ? rc : -1;
}

/* Of the text without what cannot run. */
static int assemble_live(subject *s)
{
    if (!write_whole("live.c", s->live, s->n))
        return -1;
    s->live_plain = assembly("live.c", &s->nlive);
    return s->live_plain ? 0 : -1;
}

static int open_subject(subject *s)
{
    char target[64];
    snprintf(s->source, sizeof s->source, "%s/samples/%s.sq", environment("SQUALL_SOURCE"),
             s->kernel);
    snprintf(target, sizeof target, "--target=%s", s->target);
    char *words[] = {
        (char *)environment("SQUALL"), "compile", s->source, target, "-o", "plain.c", NULL};
    if (run_words(words, "compile.log", CHECK_SECONDS) != 0) {
        print_log("compile.log");
        return -1;
    }
    s->text = read_whole("plain.c", &s->n);
    s->plain = assembly("plain.c", &s->nplain);
    int rc = s->text && s->plain ? mark_idle(s) : -1;
    return rc ? rc : assemble_live(s);
}

static void free_subject(subject *s)
{
    free(s->text);
    free(s->plain);
    free(s->live);
    free(s->live_plain);
    free(s->idle);
}

/* Of each kernel and target its own, so that a run in pieces tries what a whole one does. */
static random_state numbers_of(const char *kernel, const char *target, uint64_t seed)
{
    random_state r = {seed};
    for (const char *c = kernel; *c; c++)
        r.state = random_next(&r) + (unsigned char)*c;
    for (const char *c = target; *c; c++)
        r.state = random_next(&r) + (unsigned char)*c;
    return r;
}

static int run(const char *kernel, const char *target, const options *o, int count[NVERDICTS],
               char *listed)
{
    subject s = {.kernel = kernel, .target = target, .listed = listed};
    random_state r = numbers_of(kernel, target, o->seed);
    int rc = open_subject(&s), own[NVERDICTS] = {0};
    if (rc == 0)
        try_faults(&s, o, &r, own);
    else
        printf("%s, %s: cannot be tried, its own text fails (%d), as said above\n", kernel, target,
               rc);
    if (rc == 0)
        printf("%s, %s: %d killed, %d survived, %d equivalent, %d not compiled, %d not judged\n",
               kernel, target, own[KILLED], own[SURVIVED], own[EQUIVALENT], own[STILLBORN],
               own[UNJUDGED]);
    fflush(stdout);
    for (int v = 0; v < NVERDICTS; v++)
        count[v] += own[v];
    free_subject(&s);
    return rc ? rc : own[UNJUDGED];
}

static options read_options(int argc, char **argv)
{
    static const struct option table[] = {{"seed", 1, NULL, 's'},
                                          {"count", 1, NULL, 'c'},
                                          {"target", 1, NULL, 't'},
                                          {"only", 1, NULL, 'o'},
                                          {"step", 1, NULL, 'p'},
                                          {"least", 1, NULL, 'l'},
                                          {0}};
    options o = {.seed = 1, .count = 50, .least = 99, .step = 1};
    for (int c; (c = getopt_long(argc, argv, "", table, NULL)) != -1;) {
        if (c == 's')
            o.seed = strtoull(optarg, NULL, 10);
        else if (c == 'c')
            o.count = atoi(optarg);
        else if (c == 't')
            o.target = optarg;
        else if (c == 'o')
            o.only = optarg;
        else if (c == 'p')
            o.step = atoi(optarg);
        else if (c == 'l')
            o.least = atoi(optarg);
        else
            exit(64);
    }
    o.step = o.step > 0 ? o.step : 1;
    return o;
}

/* Can this processor run it? `squall check` says no by exit code 3, and why. */
static bool runs_here(const char *target)
{
    char source[512], to[64];
    snprintf(source, sizeof source, "%s/samples/elementwise.sq", environment("SQUALL_SOURCE"));
    snprintf(to, sizeof to, "--target=%s", target);
    char *words[] = {(char *)environment("SQUALL"), "check", source, to, "--quick", "-q", NULL};
    if (run_words(words, "check.log", CHECK_SECONDS) != SQ_FAULT_WORLD)
        return true; /* what else is wrong with it shows when it is tried */
    printf("%s: not tried\n", target);
    print_log("check.log");
    return false;
}

/* A folder of this run's own to work in. */
static void enter_folder(char *path)
{
    if (mkdtemp(path) && chdir(path) == 0)
        return;
    perror(path);
    exit(1);
}

static void leave_folder(const char *path)
{
    static const char *const files[] = {"plain.c",   "live.c",     "mutant.c",   "out.s",
                                        "check.log", "check.json", "compile.log"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i]);
    if (chdir("..") != 0 || rmdir(path) != 0)
        perror(path);
}

static int run_all(const options *o, int count[NVERDICTS])
{
    int bad = 0;
    size_t n;
    char list[512];
    snprintf(list, sizeof list, "%s/tests/mutate/equivalent.txt", environment("SQUALL_SOURCE"));
    char *listed = read_whole(list, &n);
    for (size_t t = 0; t < sizeof targets / sizeof *targets; t++) {
        if (o->target && strcmp(o->target, targets[t]) != 0)
            continue;
        if (!runs_here(targets[t]))
            continue;
        for (size_t k = 0; k < sizeof samples / sizeof *samples; k += (size_t)o->step)
            if (!o->only || strcmp(o->only, samples[k]) == 0)
                bad |= run(samples[k], targets[t], o, count, listed);
    }
    free(listed);
    return bad;
}

int main(int argc, char **argv)
{
    options o = read_options(argc, argv);
    char folder[] = "mutate-XXXXXX";
    int count[NVERDICTS] = {0};
    enter_folder(folder);
    int bad = run_all(&o, count), counted = count[KILLED] + count[SURVIVED];
    leave_folder(folder);
    double score = counted ? 100.0 * count[KILLED] / counted : 0;
    printf("%d of %d faults found, %.2f %%; %d equivalent, %d not compiled, %d not judged\n",
           count[KILLED], counted, score, count[EQUIVALENT], count[STILLBORN], count[UNJUDGED]);
    return bad || score < o.least ? 1 : 0;
}
