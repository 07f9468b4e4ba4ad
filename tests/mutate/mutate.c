/* Does `squall check` find what is wrong? Emits samples, puts small faults into the text one at a
 * time, and asks check about each:
 *
 *     mutate [--seed=N] [--count=N] [--target=NAME] [--only=KERNEL] [--step=N]
 *            [--least=PERCENT]
 *
 *     killed      check says that results differ, or that the text crashes or does not end
 *     stillborn   no compiler takes it: does not count
 *     equivalent  the compiler makes the same instructions of it as of the text without the fault,
 *                 or its form stands in the list of those that change no result
 *                 (equivalent.txt, read by people): does not count. Faults in blocks that check
 *                 proves unreachable are not tried.
 *     survived    everything else; printed, and counted against the score
 *
 * Exit 0 when at least --least per cent of what counts was killed. */
#include "tests/mutate/mutate.h"
#include <fnmatch.h>
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHECK_SECONDS = 120, MOST_WORDS = 24 };
typedef enum verdict { KILLED, STILLBORN, EQUIVALENT, SURVIVED, NVERDICTS } verdict;

/* In the manner of everybody's kernels; sizes stay open, so that tails are in the text. */
static const char *const samples[] = {
    "gemm",     "gemm_nt",  "gemm_bias_relu", "bmm",     "conv2d",    "dwconv",   "conv1d",
    "maxpool",  "softmax",  "layernorm",      "gelu",    "jacobi_2d", "box_filter", "syrk",
    "trmm",     "mttkrp",   "gemm_s8",        "hgemm",   "elementwise", "row_argmax",
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
    char *words[] = {(char *)environment("SQUALL"), "check", (char *)s->source, target, text,
                     "--quick", NULL};
    return run_words(words, "check.log", CHECK_SECONDS);
}

/* The assembly without the names of files; NULL: it does not compile. */
static char *assembly(const char *file, size_t *n)
{
    char *words[] = {(char *)environment("CC"), "-std=c11", "-O2", "-w", "-S", "-o", "out.s",
                     (char *)file, NULL};
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

/* Does a row of equivalent.txt, `kind | old | new | line | reason` with the wildcards of fnmatch in
 * all but the last, fit this fault that check did not find? */
static bool is_listed(const subject *s, const mutation *m)
{
    char old[64], here[512], row[512];
    int length, number;
    const char *line = line_of(s->text, m->from, &length, &number);
    snprintf(old, sizeof old, "%.*s", (int)(m->to - m->from), s->text + m->from);
    snprintf(here, sizeof here, "%.*s", length, line);
    const char *fields[] = {m->kind, old, m->with, here};
    for (const char *p = s->listed; p && *p; p += strcspn(p, "\n"), p += *p == '\n') {
        snprintf(row, sizeof row, "%.*s", (int)strcspn(p, "\n"), p);
        int fits = row[0] != '#';
        char *rest = row;
        for (int f = 0; f < 4 && fits; f++) {
            char *end = rest ? strstr(rest, " | ") : NULL;
            fits = end != NULL;
            if (end)
                *end = 0;
            fits = fits && fnmatch(rest, fields[f], 0) == 0;
            rest = end ? end + 3 : NULL;
        }
        if (fits)
            return true;
    }
    return false;
}

static void describe(const subject *s, const mutation *m, char *to, size_t n)
{
    int length, number;
    const char *line = line_of(s->text, m->from, &length, &number);
    snprintf(to, n, "%s|%s|%s: %.*s -> %s|%d: %.*s", s->kernel, s->target, m->kind,
             (int)(m->to - m->from), s->text + m->from, m->with, number, length, line);
}

static verdict judge(const subject *s, const mutation *m)
{
    size_t tail = s->n - m->to, n = m->from + strlen(m->with) + tail, made;
    char *text = malloc(n + 1), fault[1024];
    if (!text)
        abort();
    memcpy(text, s->text, m->from);
    strcpy(text + m->from, m->with);
    memcpy(text + m->from + strlen(m->with), s->text + m->to, tail + 1);
    bool written = write_whole("mutant.c", text, n);
    free(text);
    describe(s, m, fault, sizeof fault);
    if (!written)
        abort();
    char *code = assembly("mutant.c", &made);
    bool same = code && made == s->nplain && memcmp(code, s->plain, made) == 0;
    bool stillborn = !code;
    free(code);
    if (stillborn)
        return STILLBORN;
    if (same)
        return EQUIVALENT;
    if (check(s, "mutant.c") != 0)
        return KILLED;
    bool listed = is_listed(s, m);
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
        static const char *const kinds[] = {"bound", "constant up", "constant down", "operator",
                                            "stride", "mask", "dropped"};
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

static int mark_idle(subject *s)
{
    char target[64];
    snprintf(target, sizeof target, "--target=%s", s->target);
    char *words[] = {(char *)environment("SQUALL"), "check", s->source, target,
                     "--text=plain.c", "--json", "-q", NULL};
    int rc = run_words(words, "check.json", CHECK_SECONDS);
    json_t *all = rc == 0 ? json_load_file("check.json", 0, NULL) : NULL, *kernel, *block;
    size_t i, k;
    for (size_t c = 0; c < s->n; c++)
        s->nlines += s->text[c] == '\n';
    s->idle = calloc((size_t)s->nlines + 2, sizeof *s->idle);
    if (!s->idle)
        abort();
    json_array_foreach(all, k, kernel)
        json_array_foreach(json_object_get(kernel, "idle"), i, block)
            for (json_int_t line = json_integer_value(json_object_get(block, "line"));
                 line <= json_integer_value(json_object_get(block, "last")) && line <= s->nlines;
                 line++)
                s->idle[line] = true;
    bool good = json_is_array(all);
    json_decref(all);
    return good ? 0 : rc ? rc : -1;
}

static int open_subject(subject *s)
{
    char target[64];
    snprintf(s->source, sizeof s->source, "%s/samples/%s.sq", environment("SQUALL_SOURCE"),
             s->kernel);
    snprintf(target, sizeof target, "--target=%s", s->target);
    char *words[] = {(char *)environment("SQUALL"), "compile", s->source, target, "-o", "plain.c",
                     NULL};
    if (run_words(words, "compile.log", CHECK_SECONDS) != 0)
        return -1;
    s->text = read_whole("plain.c", &s->n);
    s->plain = assembly("plain.c", &s->nplain);
    return s->text && s->plain ? mark_idle(s) : -1;
}

static void free_subject(subject *s)
{
    free(s->text);
    free(s->plain);
    free(s->idle);
}

static int run(const char *kernel, const char *target, const options *o, random_state *r,
               int count[NVERDICTS], char *listed)
{
    subject s = {.kernel = kernel, .target = target, .listed = listed};
    int rc = open_subject(&s), own[NVERDICTS] = {0};
    if (rc == 0)
        try_faults(&s, o, r, own);
    else
        printf("%s, %s: cannot be tried, its own text fails (%d)\n", kernel, target, rc);
    if (rc == 0)
        printf("%s, %s: %d killed, %d survived, %d equivalent, %d not compiled\n", kernel, target,
               own[KILLED], own[SURVIVED], own[EQUIVALENT], own[STILLBORN]);
    fflush(stdout);
    for (int v = 0; v < NVERDICTS; v++)
        count[v] += own[v];
    free_subject(&s);
    return rc;
}

static options read_options(int argc, char **argv)
{
    static const struct option table[] = {{"seed", 1, NULL, 's'},   {"count", 1, NULL, 'c'},
                                          {"target", 1, NULL, 't'}, {"only", 1, NULL, 'o'},
                                          {"step", 1, NULL, 'p'},
                                          {"least", 1, NULL, 'l'},  {0}};
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

/* Can this processor run it? `squall check` says no by exit code 3. */
static bool runs_here(const char *target)
{
    subject s = {.kernel = "elementwise", .target = target};
    int rc = open_subject(&s);
    free_subject(&s);
    return rc == 0;
}

int main(int argc, char **argv)
{
    options o = read_options(argc, argv);
    random_state r = {o.seed};
    int count[NVERDICTS] = {0}, bad = 0;
    size_t n;
    char list[512];
    snprintf(list, sizeof list, "%s/tests/mutate/equivalent.txt", environment("SQUALL_SOURCE"));
    char *listed = read_whole(list, &n);
    for (size_t t = 0; t < sizeof targets / sizeof *targets; t++) {
        if (o.target && strcmp(o.target, targets[t]) != 0)
            continue;
        if (!runs_here(targets[t])) {
            printf("%s: not tried, this processor does not run it\n", targets[t]);
            continue;
        }
        for (size_t k = 0; k < sizeof samples / sizeof *samples; k += (size_t)o.step)
            if (!o.only || strcmp(o.only, samples[k]) == 0)
                bad |= run(samples[k], targets[t], &o, &r, count, listed);
    }
    free(listed);
    int counted = count[KILLED] + count[SURVIVED];
    double score = counted ? 100.0 * count[KILLED] / counted : 0;
    printf("%d of %d faults found, %.2f %%; %d equivalent, %d not compiled\n", count[KILLED],
           counted, score, count[EQUIVALENT], count[STILLBORN]);
    return bad || score < o.least ? 1 : 0;
}
