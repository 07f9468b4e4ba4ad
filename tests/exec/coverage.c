/* Coverage: which basic blocks of the emitted text ran when `squall check` had chosen its sizes.
 *
 *     coverage [--all] [--plant] [--jobs=N] [--target=NAME[,openmp]] [-v] [FILE...]
 *
 * Prints for each kernel and target the share of its blocks that ran, of those that are not proven
 * unreachable; each of the others is named with its reason, with -v the unreachable ones, too. A
 * block without a proof or a reason is red. Files are named from the root of the repository; without
 * any it is the sample below, or with --all everything in the folders below on all targets that this
 * processor runs. SQUALL names the tool, SQUALL_SOURCE the root. Of a run that fails its files stay,
 * coverage-N.json, .log and .c. --plant puts a block into each text that never runs, which has to be named. */
#include "codegen/isa/target.h"
#include <fcntl.h>
#include <getopt.h>
#include <glob.h>
#include <jansson.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_RUNS = 4096 };
extern char **environ;

/* Of each kind of kernel one, on the targets in turn; of some files one kernel. */
// clang-format off
static const char *const sample[][3] = {
    {"samples/gemm.sq", "avx2,openmp"},
    {"samples/conv1d.sq", "avx2"},
    {"samples/softmax.sq", "avx512"},
    {"samples/layernorm.sq", "generic"},
    {"samples/row_argmax.sq", "avx512,openmp"},
    {"samples/box_filter.sq", "avx2"},
    {"samples/syrk.sq", "avx2"},
    {"samples/jacobi_2d.sq", "generic,openmp"},
    {"samples/hgemm.sq", "avx512"},
    {"samples/gemm_s8.sq", "avx2"},
    {"samples/polybench/trmm.sq", "avx2"},
    {"samples/polybench/cholesky.sq", "generic"},
    {"samples/scop/mix.c", "generic"},
    {"tests/exec/odd.sq", "avx2", "sums_in_turn"},
    {"tests/exec/holes.sq", "avx2", "chessboard"},
    {"tests/exec/holes.sq", "generic", "shared_rows"},
    {"tests/exec/types.sq", "avx2", "squares_u8"},
    {"tests/exec/types.sq", "avx2", "from_double"},
};
// clang-format on
static const char *const everything[] = {"samples/*.sq", "samples/polybench/*.sq",
                                         "samples/scop/*.c", "tests/exec/*.sq"};

/* Files that want definitions, once with each. */
static const struct defined {
    const char *file, *option[2];
} defined[] = {{"tests/exec/math.sq", {"-DT=f32", "-DF(name)=name##f"}},
               {"tests/exec/math.sq", {"-DT=f64", "-DF(name)=name"}}};
enum { NDEFINED = sizeof defined / sizeof *defined };

typedef struct run {
    const char *file, *target, *kernel;           /* kernel: NULL is all */
    const char *const *option;                    /* two; NULL: none */
    char out[32], err[32], text[32], planted[32]; /* its files */
    pid_t pid;
} run;

typedef struct state {
    const char *squall, *source, *target; /* target: NULL is all */
    bool all, plant, verbose;
    int jobs, nruns;
    run *run;
    int kernels, whole, failed; /* kernels looked at; those of which every block ran */
    long blocks, ran, unreachable;
} state;

static const char *environment(const char *name)
{
    const char *value = getenv(name);
    if (!value) {
        fprintf(stderr, "coverage: %s is not set\n", name);
        exit(64);
    }
    return value;
}

static char *joined(const char *a, const char *b, const char *c)
{
    size_t n = strlen(a) + strlen(b) + strlen(c) + 1;
    char *s = malloc(n);
    if (!s)
        abort();
    snprintf(s, n, "%s%s%s", a, b, c);
    return s;
}

/* ---- what is run ---- */

static void add_run(state *s, const char *file, const char *target, const char *kernel)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(target, ","), target);
    const sq_target *t = sq_target_get(name);
    if (s->target && strcmp(s->target, target) != 0)
        return;
    if (!t || !sq_target_runs_here(t)) {
        printf("%s, %s: not tried, this processor does not run it\n", file, target);
        return;
    }
    if (s->nruns == MOST_RUNS)
        abort();
    s->run[s->nruns++] =
        (run){.file = joined(file, "", ""), .target = joined(target, "", ""), .kernel = kernel};
}

/* The runs from `first` on are of a file: as many times as it is listed above. */
static void define(state *s, int first)
{
    int n = s->nruns;
    for (int i = first; i < n; i++)
        for (int d = 0; d < NDEFINED; d++) {
            const run *r = &s->run[i];
            if (strcmp(r->file, defined[d].file) != 0)
                continue;
            if (r->option)
                add_run(s, r->file, r->target, r->kernel);
            s->run[r->option ? s->nruns - 1 : i].option = defined[d].option;
        }
}

/* On everything that this processor runs, with and without threads. */
static void add_file(state *s, const char *file)
{
    int first = s->nruns;
    for (const sq_target *t = sq_targets; t->name; t++) {
        if (!sq_target_runs_here(t))
            continue;
        char *threads = joined(t->name, ",openmp", "");
        add_run(s, file, t->name, NULL);
        add_run(s, file, threads, NULL);
        free(threads);
    }
    define(s, first);
}

static void add_everything(state *s)
{
    for (size_t i = 0; i < sizeof everything / sizeof *everything; i++) {
        char *pattern = joined(s->source, "/", everything[i]);
        glob_t found;
        if (glob(pattern, 0, NULL, &found) != 0) {
            fprintf(stderr, "coverage: no files %s\n", pattern);
            exit(64);
        }
        for (size_t f = 0; f < found.gl_pathc; f++)
            add_file(s, found.gl_pathv[f] + strlen(s->source) + 1);
        globfree(&found);
        free(pattern);
    }
}

static void add_sample(state *s)
{
    for (size_t i = 0; i < sizeof sample / sizeof *sample; i++)
        add_run(s, sample[i][0], sample[i][1], sample[i][2]);
}

/* ---- one run ---- */

static pid_t start(char *const *words, const char *out, const char *err)
{
    posix_spawn_file_actions_t files;
    pid_t pid;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 1, out, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_addopen(&files, 2, err, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int rc = posix_spawnp(&pid, words[0], &files, NULL, words, environ);
    posix_spawn_file_actions_destroy(&files);
    if (rc == 0)
        return pid;
    fprintf(stderr, "coverage: cannot start %s: %s\n", words[0], strerror(rc));
    exit(2);
}

/* The text with a block in its first function for callers that never runs. */
static bool plant(const char *from, const char *to)
{
    static const char block[] =
        "{ static volatile int planted; if (planted) planted = 2; else planted = 0; }\n";
    FILE *in = fopen(from, "r"), *out = fopen(to, "w");
    char *line = NULL;
    size_t room = 0;
    bool is_head = false, done = false;
    while (in && out && getline(&line, &room, in) > 0) {
        fputs(line, out);
        if (line[0] == '{' && is_head && !done)
            done = fputs(block, out) >= 0;
        is_head = strncmp(line, "void ", 5) == 0 || (is_head && line[0] == ' ');
    }
    free(line);
    if (in)
        fclose(in);
    return (!out || fclose(out) == 0) && done;
}

/* The option of check that names the planted text, which is written. */
static void plant_one(const state *s, run *r, char *file, char *target, char *option, size_t n)
{
    char *words[] = {(char *)s->squall, "compile", file, target, "-o", r->text, NULL};
    int status;
    snprintf(option, n, "--text=%s", r->planted);
    if (waitpid(start(words, r->out, r->err), &status, 0) < 0 || status != 0 ||
        !plant(r->text, r->planted))
        printf("%s, %s: nothing could be planted\n", r->file, r->target);
}

static void start_run(const state *s, int i)
{
    run *r = &s->run[i];
    char option[64], *file = joined(s->source, "/", r->file);
    char *target = joined("--target=", r->target, "");
    char *kernel = joined("--kernel=", r->kernel ? r->kernel : "", "");
    snprintf(r->out, sizeof r->out, "coverage-%d.json", i);
    snprintf(r->err, sizeof r->err, "coverage-%d.log", i);
    snprintf(r->text, sizeof r->text, "coverage-%d-own.c", i);
    snprintf(r->planted, sizeof r->planted, "coverage-%d.c", i);
    if (s->plant)
        plant_one(s, r, file, target, option, sizeof option);
    char *words[11] = {(char *)s->squall, "check", file, target, "--json", "--color=never"};
    int n = 6;
    if (r->kernel)
        words[n++] = kernel;
    for (int o = 0; r->option && o < 2; o++)
        words[n++] = (char *)r->option[o];
    if (s->plant)
        words[n++] = option;
    r->pid = start(words, r->out, r->err);
    free(kernel);
    free(file);
    free(target);
}

/* ---- what became of it ---- */

static long figure(const json_t *x, const char *key)
{
    return (long)json_integer_value(json_object_get(x, key));
}

static const char *word(const json_t *x, const char *key)
{
    const char *s = json_string_value(json_object_get(x, key));
    return s ? s : "";
}

/* A block that did not run: where, what, why. */
static void name_block(const json_t *b)
{
    const char *why = word(b, "why");
    printf("    line %ld: %s, %s: %s\n", figure(b, "line"), word(b, "what"),
           *why ? why : "AND NOTHING SAYS WHY", word(b, "text"));
}

/* Are all blocks of this kernel accounted for. */
static bool judge_kernel(state *s, const run *r, const json_t *kernel)
{
    json_t *left = json_object_get(kernel, "left"), *b;
    size_t i, open = 0, unreachable = 0;
    long blocks = figure(kernel, "blocks"), ran = figure(kernel, "ran");
    json_array_foreach(left, i, b)
    {
        open += !*word(b, "why");
        unreachable += strcmp(word(b, "why"), "unreachable") == 0;
    }
    long live = blocks - (long)unreachable;
    printf("%s %s, %s: %ld of %ld blocks ran, %.1f %%; %zu are unreachable\n", r->file,
           word(kernel, "kernel"), r->target, ran, live,
           live ? 100.0 * (double)ran / (double)live : 0, unreachable);
    json_array_foreach(left, i, b) if (s->verbose || strcmp(word(b, "why"), "unreachable") != 0)
        name_block(b);
    s->kernels++;
    s->whole += ran == live;
    s->blocks += blocks;
    s->ran += ran;
    s->unreachable += (long)unreachable;
    if (s->plant)
        return open == 1 &&
               strstr(word(json_array_get(json_object_get(kernel, "never_ran"), 0), "text"),
                      "planted");
    return strcmp(word(kernel, "status"), "ok") == 0 && blocks > 0 && open == 0 &&
           ran + (long)json_array_size(left) == blocks;
}

static void show_log(const char *path)
{
    char line[400];
    FILE *f = fopen(path, "r");
    for (int i = 0; f && i < 20 && fgets(line, sizeof line, f); i++)
        printf("    | %s", line);
    if (f)
        fclose(f);
}

/* Check says 2 where a block is left; whatever else is not 0 is no coverage at all. Of a file with several schedules
 * blocks are counted for each alone. */
static void end_run(state *s, int i, int status)
{
    const run *r = &s->run[i];
    json_t *all = json_load_file(r->out, 0, NULL), *kernel;
    size_t k;
    bool good = WIFEXITED(status) && WEXITSTATUS(status) == (s->plant ? 2 : 0);
    json_array_foreach(all, k, kernel)
        good &= !json_object_get(kernel, "blocks") || judge_kernel(s, r, kernel);
    if (good && json_array_size(all) > 0) {
        unlink(r->out);
        unlink(r->err);
        unlink(r->text);
        unlink(r->planted);
    } else {
        printf("%s, %s: FAILED, check ended with %d\n", r->file, r->target,
               WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
        show_log(r->err);
        s->failed++;
    }
    fflush(stdout);
    json_decref(all);
}

static void run_all(state *s)
{
    for (int next = 0, busy = 0; next < s->nruns || busy > 0;) {
        if (next < s->nruns && busy < s->jobs) {
            start_run(s, next++);
            busy++;
            continue;
        }
        int status, i = 0;
        pid_t pid = waitpid(-1, &status, 0);
        while (i < next && s->run[i].pid != pid)
            i++;
        if (pid < 0)
            abort();
        if (i == next)
            continue;
        busy--;
        end_run(s, i, status);
    }
}

/* ---- command line ---- */

static void read_options(state *s, int argc, char **argv)
{
    static const struct option table[] = {{"all", 0, NULL, 'a'},
                                          {"plant", 0, NULL, 'p'},
                                          {"jobs", 1, NULL, 'j'},
                                          {"target", 1, NULL, 't'},
                                          {0}};
    for (int c; (c = getopt_long(argc, argv, "v", table, NULL)) != -1;) {
        s->all |= c == 'a';
        s->plant |= c == 'p';
        s->verbose |= c == 'v';
        if (c == 't')
            s->target = optarg;
        if (c == 'j')
            s->jobs = atoi(optarg);
        if (c == '?' || s->jobs < 1)
            exit(64);
    }
}

int main(int argc, char **argv)
{
    state s = {.squall = environment("SQUALL"), .source = environment("SQUALL_SOURCE"), .jobs = 1};
    s.run = calloc(MOST_RUNS, sizeof *s.run);
    if (!s.run)
        abort();
    read_options(&s, argc, argv);
    for (int i = optind; i < argc; i++)
        add_file(&s, argv[i]);
    if (s.all)
        add_everything(&s);
    else if (optind == argc)
        add_sample(&s);
    run_all(&s);
    printf("%d kernels and targets, every block ran in %d; %ld of %ld blocks ran, %ld are "
           "unreachable; %d of %d runs of check failed\n",
           s.kernels, s.whole, s.ran, s.blocks, s.unreachable, s.failed, s.nruns);
    for (int i = 0; i < s.nruns; i++) {
        free((char *)s.run[i].file);
        free((char *)s.run[i].target);
    }
    free(s.run);
    return s.failed > 0 || s.kernels == 0;
}
