/* random-kernels: draws kernels and C regions as other people write them, has squall compile them,
 * runs what it emits and compares every element with an evaluator of its own.
 *
 *   random-kernels --squall=PATH [--seed=N] [--from=N] [--count=N] [--only=N] [--jobs=N]
 *                  [--target=NAME[,openmp]] [--seconds=S] [--cc=CC] [--scripts=N] [--plant] [--tables]
 *                  [--keep=FOLDER] [-v]
 *
 * Kernel N of a seed is the same whatever else is drawn. A run that --seconds or SIGTERM ends says
 * from where to go on, so that pieces add up.
 *
 * Exit 0: all right and enough accepted; 1: something failed; 64: the command line. */
#include "check.h"
#include "job.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CLASSES = 60, CLASS_ROOM = 160, KINDS = 3 };

/* How often the run says how far it is: kernels. */
enum { PROGRESS = 200 };

struct refusals {
    char text[CLASSES][CLASS_ROOM], sample[CLASSES][CLASS_ROOM];
    int count[CLASSES], example[CLASSES];
};

static const struct target targets[] = {{.name = "generic"}, {.name = "avx2"},
    {.name = "avx512"}, {.name = "avx2", .openmp = true}, {.name = "generic", .openmp = true},
    {.name = "avx512", .openmp = true}, {.name = "neon", .emulated = true}};
enum { TARGETS = sizeof targets / sizeof *targets };

struct totals {
    int drawn[KINDS], accepted[KINDS], right, failed, scripts, scripts_taken;
    int planted, found, original, regions;
    int on[TARGETS], lacking[TARGETS]; /* texts that ran on a target, and that should have */
    int64_t compared, unsure;
    struct refusals kernels, refused_scripts;
};

/* What the jobs have in common: the first kernel that none has taken, and what each has counted. */
struct board {
    int next;
    volatile sig_atomic_t stopped;
    struct totals of[];
};

static struct board *board;

static bool host_has(const char *target)
{
    if (strcmp(target, "avx512") == 0)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")
            && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    if (strcmp(target, "avx2") == 0)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return strcmp(target, "neon") != 0 || (access("/usr/bin/qemu-aarch64", X_OK) == 0
        && access("/usr/bin/aarch64-linux-gnu-gcc", X_OK) == 0);
}

/* The targets take turns, batch by batch; the emulated one now and then. */
static struct target target_of(const struct options *o, int number)
{
    int turn = number / o->batch, n = turn % 20 == 19 ? 6 : turn % 6;
    struct target t = targets[n];
    if (o->target) {
        t.openmp = strstr(o->target, ",openmp") != NULL;
        static char name[32];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(o->target, ","), o->target);
        t.name = name;
        t.emulated = strcmp(name, "neon") == 0;
    }
    if (!host_has(t.name)) {
        const char *lacking = t.name;
        t = targets[t.openmp ? 4 : 0];
        t.lacking = lacking;
    }
    return t;
}

static int kind_of(const struct program *p)
{
    return p->region ? 2 : strncmp(p->name, "loops", 5) == 0 ? 1 : 0;
}

static void unit_draw(struct unit *u, const struct options *o, int number)
{
    memset(u, 0, sizeof *u);
    u->number = number;
    u->target = target_of(o, number);
    for (int again = 0;; again++) {
        u->seed = o->seed * 1000003 + (uint64_t)number * 64 + (uint64_t)again;
        random_seed(u->seed);
        int kind = below(100);
        if (kind < 55)
            draw_index_kernel(&u->program, number);
        else
            draw_loop_program(&u->program, number, kind >= 75);
        if (unit_sizes(u))
            return;
    }
}

/* A message without its place and its names, so that like ones count together. */
static void class_of(const char *said, char *class)
{
    const char *from = strstr(said, "error: ");
    size_t used = 0;
    from = from ? from + 7 : said;
    for (bool quoted = false; *from && *from != '\n' && used < CLASS_ROOM - 1; from++) {
        if (*from == '\'')
            quoted = !quoted;
        if (!quoted && (*from < '0' || *from > '9'))
            class[used++] = *from;
    }
    class[used] = 0;
}

static void count_refusal(struct refusals *r, const char *said, int number, int times)
{
    char class[CLASS_ROOM];
    const char *error = strstr(said, "error: ");
    error = error ? error + 7 : said;
    class_of(said, class);
    int c = 0;
    while (c < CLASSES - 1 && r->count[c] && strcmp(r->text[c], class) != 0)
        c++;
    if (!r->count[c]) {
        strcpy(r->text[c], class);
        snprintf(r->sample[c], CLASS_ROOM, "%.*s", (int)strcspn(error, "\n"), error);
        r->example[c] = number;
    }
    r->count[c] += times;
}

static void show_refusals(const struct refusals *r, const char *what)
{
    for (int c = 0; c < CLASSES; c++)
        if (r->count[c])
            printf("%6d  %s refused (as %d): %s\n", r->count[c], what, r->example[c], r->sample[c]);
}

static void report(struct unit *u, const struct options *o, const char *folder)
{
    char *text = NULL;
    size_t length;
    char *command = unit_command(u, o, folder);
    FILE *out = open_memstream(&text, &length);
    fprintf(out, "FAILED: --seed=%llu --only=%d, %s%s\n%s\n  %s\n", (unsigned long long)o->seed,
        u->number, u->target.name, u->target.openmp ? ",openmp" : "", u->said, command);
    print_program(&u->program, out);
    fprintf(out, "\n");
    fclose(out);
    fwrite(text, 1, length, stdout);
    fflush(stdout);
    free(text);
    free(command);
}

static void count_target(const struct target *ran, struct totals *t)
{
    for (int n = 0; n < TARGETS; n++) {
        bool alike = targets[n].openmp == ran->openmp;
        t->on[n] += alike && strcmp(targets[n].name, ran->name) == 0;
        t->lacking[n] +=
            ran->lacking && alike && strcmp(targets[n].name, ran->lacking) == 0;
    }
}

static void show_targets(const struct totals *t)
{
    for (int n = 0; n < TARGETS; n++)
        if (t->on[n] || t->lacking[n])
            printf("target %s%s: %d ran%s\n", targets[n].name, targets[n].openmp ? ",openmp" : "",
                t->on[n], t->lacking[n] ? "; this machine cannot run it: generic in its place" : "");
}

static void count_unit(struct unit *u, const struct options *o, const char *folder,
                       struct totals *t)
{
    int kind = kind_of(&u->program);
    bool script = u->script[0];
    t->drawn[kind] += !script;
    t->scripts += script;
    t->compared += u->compared;
    t->unsure += u->unsure;
    if (u->state == UNIT_REFUSED) {
        count_refusal(script ? &t->refused_scripts : &t->kernels, u->said, u->number, 1);
        return;
    }
    count_target(&u->target, t);
    t->accepted[kind] += !script;
    t->scripts_taken += script;
    t->regions += u->program.region;
    t->original += u->original > 0;
    if (u->planted[0]) {
        t->planted++;
        t->found += u->state == UNIT_FAILED;
        printf("%s: planted %s\n", u->state == UNIT_FAILED ? "found" : "missed", u->planted);
    } else if (u->state == UNIT_FAILED) {
        t->failed++;
        unit_shrink(u, o, folder);
        report(u, o, folder);
    }
    t->right += u->state == UNIT_RIGHT;
}

/* The default schedule, then scripts until one is taken. */
static int unit_forms(struct unit *all, int count, struct unit *u, const struct options *o,
                      const char *folder, struct totals *t)
{
    unit_compile(u, o, folder);
    all[count++] = *u;
    for (int n = 0; n < o->scripts && u->state == UNIT_COMPILED && count < UNITS; n++) {
        struct unit *s = &all[count];
        *s = *u;
        s->said = NULL;
        random_seed(u->seed + 1000 + (uint64_t)n);
        draw_script(&s->program, s->script, sizeof s->script);
        snprintf(s->program.name, sizeof s->program.name, "%.12s_s", u->program.name);
        unit_compile(s, o, folder);
        if (s->state == UNIT_COMPILED) {
            count++;
            break;
        }
        count_unit(s, o, folder, t);
        free(s->said);
    }
    return count;
}

static void do_batch(const struct options *o, int from, int count, const char *folder,
                     struct totals *t)
{
    struct unit *all = calloc(UNITS, sizeof *all), *u = calloc(1, sizeof *u), *ready[UNITS];
    int units = 0, waiting = 0;
    if (!all || !u)
        exit(3);
    for (int n = from; n < from + count && units < UNITS - 1; n++) {
        unit_draw(u, o, n);
        units = unit_forms(all, units, u, o, folder, t);
    }
    for (int n = 0; n < units; n++)
        if (all[n].state == UNIT_COMPILED)
            ready[waiting++] = &all[n];
    if (waiting)
        units_build_and_run(ready, waiting, o, folder);
    for (int n = 0; n < units; n++) {
        count_unit(&all[n], o, folder, t);
        free(all[n].said);
    }
    free(all);
    free(u);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void clear_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    char path[800];
    for (struct dirent *e; dir && (e = readdir(dir));) {
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        unlink(path);
    }
    if (dir)
        closedir(dir);
}

/* The next kernels that nobody has taken, up to the end of their batch; false where none are left. */
static bool take_batch(const struct options *o, int *from, int *count)
{
    int end = o->first + o->count, n = __atomic_load_n(&board->next, __ATOMIC_RELAXED), after;
    do {
        after = n + o->batch - n % o->batch;
        if (n >= end || board->stopped)
            return false;
    } while (!__atomic_compare_exchange_n(&board->next, &n, after < end ? after : end, false,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    *from = n;
    *count = (after < end ? after : end) - n;
    return true;
}

static void work(const struct options *o, int job, struct totals *t)
{
    char folder[512];
    double start = now();
    snprintf(folder, sizeof folder, "%s%d", o->keep ? o->keep : "/tmp/random-kernels-XXXXXX", job);
    if (o->keep ? mkdir(folder, 0755) && access(folder, W_OK) : !(snprintf(folder, sizeof folder,
            "/tmp/random-kernels-XXXXXX"), mkdtemp(folder))) {
        fprintf(stderr, "random-kernels: cannot make %s\n", folder);
        exit(3);
    }
    for (int from, count; take_batch(o, &from, &count);) {
        do_batch(o, from, count, folder, t);
        if (!o->keep)
            clear_folder(folder);
        if (o->seconds > 0 && now() - start > o->seconds)
            board->stopped = true;
    }
    if (!o->keep)
        rmdir(folder);
}

static void add_refusals(struct refusals *sum, const struct refusals *r)
{
    for (int c = 0; c < CLASSES; c++)
        if (r->count[c])
            count_refusal(sum, r->sample[c], r->example[c], r->count[c]);
}

static void add_totals(struct totals *sum, const struct totals *t)
{
    for (int k = 0; k < KINDS; k++) {
        sum->drawn[k] += t->drawn[k];
        sum->accepted[k] += t->accepted[k];
    }
    for (int n = 0; n < TARGETS; n++) {
        sum->on[n] += t->on[n];
        sum->lacking[n] += t->lacking[n];
    }
    sum->right += t->right;
    sum->failed += t->failed;
    sum->scripts += t->scripts;
    sum->scripts_taken += t->scripts_taken;
    sum->planted += t->planted;
    sum->found += t->found;
    sum->original += t->original;
    sum->regions += t->regions;
    sum->compared += t->compared;
    sum->unsure += t->unsure;
    add_refusals(&sum->kernels, &t->kernels);
    add_refusals(&sum->refused_scripts, &t->refused_scripts);
}

static int finish(const struct totals *t, const struct options *o)
{
    static const char *const kinds[KINDS] = {"index kernels", "loop kernels", "regions of C"};
    int drawn = 0, accepted = 0;
    show_refusals(&t->kernels, "kernel");
    if (o->verbose)
        show_refusals(&t->refused_scripts, "script");
    for (int k = 0; k < KINDS; k++) {
        printf("%s: %d drawn, %d accepted\n", kinds[k], t->drawn[k], t->accepted[k]);
        drawn += t->drawn[k];
        accepted += t->accepted[k];
    }
    printf("scripts: %d drawn, %d taken; regions that ran as written at some sizes: %d of %d\n",
        t->scripts, t->scripts_taken, t->original, t->regions);
    printf("%lld elements compared, %lld of them not or loosely; %d right, %d failed\n",
        (long long)t->compared, (long long)t->unsure, t->right, t->failed);
    show_targets(t);
    if (o->plant) {
        printf("%d faults planted, %d found\n", t->planted, t->found);
        return t->planted == 0 || t->found * 2 < t->planted;
    }
    if (drawn >= 50 && accepted * 10 < drawn * 7) {
        printf("FAILED: fewer than 7 of 10 are accepted: this tests too little\n");
        return 1;
    }
    if (drawn >= 50 && t->unsure * 20 > t->compared) {
        printf("FAILED: more than 1 of 20 elements are not known: this tests too little\n");
        return 1;
    }
    return t->failed > 0 || accepted == 0;
}

static bool parse_option(struct options *o, const char *arg)
{
    int used = 0;
    unsigned long long seed;
    if (sscanf(arg, "--seed=%llu%n", &seed, &used) == 1)
        o->seed = seed;
    else if (sscanf(arg, "--count=%d%n", &o->count, &used) == 1)
        return arg[used] == 0 && o->count > 0;
    else if (sscanf(arg, "--only=%d%n", &o->first, &used) == 1)
        o->count = 1;
    else if (sscanf(arg, "--from=%d%n", &o->first, &used) == 1)
        return arg[used] == 0 && o->first >= 0;
    else if (sscanf(arg, "--jobs=%d%n", &o->jobs, &used) == 1)
        return arg[used] == 0 && o->jobs > 0 && o->jobs <= 64;
    else if (sscanf(arg, "--scripts=%d%n", &o->scripts, &used) == 1
             || sscanf(arg, "--seconds=%lf%n", &o->seconds, &used) == 1)
        return arg[used] == 0;
    else if (strncmp(arg, "--target=", 9) == 0)
        o->target = arg + (used = 9);
    else if (strncmp(arg, "--squall=", 9) == 0)
        o->squall = arg + (used = 9);
    else if (strncmp(arg, "--cc=", 5) == 0)
        o->compiler = arg + (used = 5);
    else if (strncmp(arg, "--keep=", 7) == 0)
        o->keep = arg + (used = 7);
    else if (strcmp(arg, "--plant") == 0)
        return o->plant = true;
    else if (strcmp(arg, "--tables") == 0)
        return with_tables = true;
    else if (strcmp(arg, "-v") == 0)
        return o->verbose = true;
    else
        return false;
    return true;
}

static void sum_up(const struct options *o, struct totals *sum)
{
    memset(sum, 0, sizeof *sum);
    for (int j = 0; j < o->jobs; j++)
        add_totals(sum, &board->of[j]);
}

static void show_progress(const struct options *o, struct totals *sum, int *shown)
{
    int drawn = 0, accepted = 0;
    sum_up(o, sum);
    for (int k = 0; k < KINDS; k++)
        drawn += sum->drawn[k], accepted += sum->accepted[k];
    if (drawn / PROGRESS > *shown)
        printf("seed %llu: %d of %d kernels, %d accepted, %d failed\n", (unsigned long long)o->seed,
            drawn, o->count, accepted, sum->failed);
    *shown = drawn / PROGRESS;
    fflush(stdout);
}

static void stop(int signal)
{
    (void)signal;
    board->stopped = true;
}

static void run_jobs(const struct options *o, struct totals *sum)
{
    int status, bad = 0, shown = 0;
    fflush(NULL);
    signal(SIGTERM, stop);
    for (int j = 0; j < o->jobs; j++)
        if (fork() == 0) {
            work(o, j, &board->of[j]);
            fflush(NULL);
            _exit(0);
        }
    for (pid_t done; (done = waitpid(-1, &status, WNOHANG)) >= 0;) {
        bad |= done > 0 && status != 0;
        show_progress(o, sum, &shown);
        if (done == 0)
            nanosleep(&(struct timespec){0, 200000000}, NULL);
    }
    if (bad) {
        fprintf(stderr, "random-kernels: a job ended early\n");
        exit(3);
    }
    sum_up(o, sum);
    if (board->next < o->first + o->count)
        printf("stopped: go on with --from=%d --count=%d\n", board->next,
            o->first + o->count - board->next);
}

static struct board *board_new(const struct options *o)
{
    size_t bytes = sizeof *board + (size_t)o->jobs * sizeof *board->of;
    struct board *b = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (b == MAP_FAILED)
        exit(3);
    b->next = o->first;
    return b;
}

int main(int argc, char **argv)
{
    struct options o = {.seed = 1, .count = 100, .jobs = 1, .batch = 8, .scripts = 2,
        .squall = getenv("SQUALL"), .compiler = "gcc"};
    for (int a = 1; a < argc; a++)
        if (!parse_option(&o, argv[a])) {
            fprintf(stderr, "random-kernels: what is '%s'? --seed=N --from=N --count=N --only=N "
                "--target=T --seconds=S --jobs=N --cc=CC --scripts=N --squall=PATH --keep=FOLDER "
                "--plant --tables -v\n", argv[a]);
            return 64;
        }
    if (!o.squall) {
        fprintf(stderr, "random-kernels: say where squall is: --squall=PATH\n");
        return 64;
    }
    struct totals *sum = calloc(1, sizeof *sum);
    if (!sum)
        return 3;
    board = board_new(&o);
    run_jobs(&o, sum);
    int result = finish(sum, &o);
    free(sum);
    return result;
}
