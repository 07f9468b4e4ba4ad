/* Fuzz: random programs against random legal scripts at random sizes. For each program the
 * description is read (as it stands, and often with sizes fixed), scripts are drawn until some are
 * accepted, and everything is compared with the naive nest, together with plain C printed from the
 * program without squall.
 *
 *   fuzz [--seed=N] [--pairs=N] [--seconds=S] [--jobs=N] [--only=PROGRAM] [--from=PROGRAM]
 *        [--fault=dependence|guard|operand|cast|barrier|pitch|wait|rescale|fragment]
 * [--target=cuda|sm_90]
 *        [--cc=COMPILER] [--cflags=FLAGS] [--keep=FOLDER] [--verbose] [--interpret]
 *
 * With --target=cuda (sm_80; or the architecture) all candidates are CUDA text, which runtime/simt
 * runs ($SQUALL_BUILD/simt, else build/simt); what it finds is a failure, too.
 *
 * With --interpret there is no compiler: what candidates are lowered to is interpreted,
 * at many more rows of sizes, and compared with a direct evaluation of the program; interpret.c.
 *
 * A pair is one candidate (kernel, sizes fixed or not, script, target) at one row of sizes. Program
 * N is the same for the same seed and build, whatever the other options are. 2000 pairs are run
 * where neither --pairs nor --seconds says how many. With --fault something
 * is broken on purpose; then it is a failure if nothing is found. A refusal is counted by its
 * message; a crash, an internal error or a loop without end of squall is a failure. */
#include "tests/fuzz/fuzz.h"
#include "ir/machine/machine.h"
#include "tests/exec/exec.h"
#include "transforms/transform.h"
#include "tuner/device/machine_host.h"
#include "tuner/measure/toolchain.h"
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_JOBS = 16,
    A_PILE = 40,          /* candidates that are built together, at least */
    A_FAULTY_PILE = 12,   /* with --fault, which ends with the pile that has one */
    PROGRAM_SECONDS = 60, /* of processor time for squall's part of one program */
    MOST_SHRUNK = 6
};

typedef struct options {
    unsigned long long seed;
    long pairs, seconds, only, from;
    int jobs;
    const char *keep;
    setup setup;
} options;

/* Shared between the parent and its workers. */
typedef struct progress {
    long start;   /* first program of the pile being filled */
    long current; /* program in the hands of squall, -1: none */
    long skip[8]; /* programs that killed the worker */
    int nskip;
    long found_after; /* pairs, with --fault; 0: not yet */
    counts n;
} progress;

typedef struct worker {
    const options *o;
    progress *shared;
    int number;
    pile pile;
    trial trial[MOST_PILED];
    program *program[MOST_PILED]; /* of each candidate */
    sq_arena *arena;              /* of the pile's programs and scripts */
    int shrunk;
} worker;

static long total(const progress *all, int jobs)
{
    long pairs = 0;
    for (int j = 0; j < jobs; j++)
        pairs += all[j].n.pairs;
    return pairs;
}

static sq_rng rng_of(const options *o, long number)
{
    sq_rng r = {o->seed * 0x9e3779b97f4a7c15u + (unsigned long long)number * 1000003u};
    sq_rng_next(&r);
    return r;
}

static program *program_of(const options *o, long number, sq_rng *r, sq_arena *arena)
{
    *r = rng_of(o, number);
    return program_draw(r, &o->setup.can, arena);
}

/* ---- one program ---- */

static const sq_target *draw_target(const setup *set, sq_rng *r)
{
    const sq_target *host = sq_target_host();
    if (set->grid)
        return set->grid;
    size_t n = sq_rng_below(r, 10);
    if (n < 6)
        return host;
    if (n < 8)
        return sq_target_get("c");
    for (const sq_target *t = sq_targets + 1; t->name; t++)
        if (t != host && sq_target_runs_here(t))
            return t;
    return host;
}

/* The failure is squall's own. */
static void report_bug(worker *w, long number, const char *script, const sq_diags *d)
{
    printf("FAILED program %ld: squall blames itself: %s\n    script '%s'\n", number,
           sq_diags_message(d, 0), script);
    w->shared->n.failures++;
}

static void keep_trial(worker *w, int candidate, const program *p, const trial *t)
{
    w->trial[candidate] = *t;
    w->program[candidate] = (program *)p;
}

/* True if it was accepted. */
static bool try_script(worker *w, const sq_kernel *k, const program *p, trial *t, sq_rng *r)
{
    counts *n = &w->shared->n;
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    sq_schedule *schedule = sq_schedule_new(k, arena);
    int candidate = -1;
    n->scripts++;
    if (w->o->setup.verbose)
        fprintf(stderr, "    %s\n", t->script);
    t->target = draw_target(&w->o->setup, r);
    t->openmp = !w->o->setup.grid && sq_rng_below(r, 8) == 0;
    if (sq_script_apply(schedule, t->script, "<script>", arena, d) == 0)
        candidate =
            pile_candidate(&w->pile, schedule, t->target, t->openmp, w->o->setup.fault, r, d);
    if (candidate >= 0) {
        keep_trial(w, candidate, p, t);
        n->candidates++;
    } else if (sq_diags_fault(d) == SQ_FAULT_REFUSED) {
        n->scripts_refused++;
        count_class(n->scripts_by, sq_diags_message(d, 0));
    } else {
        report_bug(w, t->program, t->script, d);
    }
    sq_diags_free(d);
    sq_arena_free(arena);
    return candidate >= 0;
}

static void try_scripts(worker *w, const sq_kernel *k, const program *p, trial *t, sq_rng *r,
                        int wanted)
{
    t->script = sq_arena_strdup(w->arena, "");
    try_script(w, k, p, t, r);
    for (int i = 0, accepted = 0; i < 5 * wanted && accepted < wanted; i++) {
        sq_text script = {0};
        if (w->o->setup.grid)
            grid_script(k, w->o->setup.grid, r, &script);
        else
            random_script(k, r, &script);
        t->script = sq_arena_strdup(w->arena, sq_text_str(&script));
        accepted += try_script(w, k, p, t, r);
        sq_text_free(&script);
    }
}

/* Of a kernel that assumes something also sizes that break it. */
static void add_cases(worker *w, const reading *x, trial *t, sq_rng *r, int cases)
{
    const sq_kernel *k = x->outside;
    int64_t sizes[SQ_MAX_SIZES];
    bool broken = x->p->assumes && x->comparable && k->shapes;
    for (t->ncases = 0; t->ncases < cases; t->ncases++) {
        bool breaks = broken && t->ncases > 0 && sq_rng_below(r, 3) == 0;
        if (!draw_sizes(r, k, breaks ? k->shapes : k->context, sizes, t->ncases < 2))
            return;
        t->seed[t->ncases] = sq_rng_next(r) >> 1;
        for (int i = 0; i < k->nsizes; i++)
            for (int s = 0; s < MOST_PROGRAM_SIZES; s++)
                if (strcmp(size_text(s), k->size[i]->name) == 0)
                    t->size[t->ncases][s] = sizes[i];
        pile_case(&w->pile, sizes, t->seed[t->ncases]);
    }
}

static void try_reading(worker *w, const reading *x, trial *t, sq_rng *r, int plain)
{
    bool first = t->ncases == 0;
    add_cases(w, x, t, r,
              !first              ? 1
              : w->o->setup.fault ? 3 /* many programs rather than many sizes */
                                  : MOST_CASES);
    t->target = sq_target_get("generic");
    t->script = sq_arena_strdup(w->arena, "");
    t->plain = true;
    if (plain >= 0)
        keep_trial(w, plain, x->p, t);
    t->plain = false;
    try_scripts(w, x->kernel, x->p, t, r, first ? 4 : 2);
    pile_close(&w->pile);
}

/* One reading of a program: symbolic, or with sizes fixed to those of t. False: refused. */
static bool one_reading(worker *w, const program *p, trial *t, sq_rng *r)
{
    sq_fix fix[MOST_PROGRAM_SIZES];
    sq_diags *d = sq_diags_new();
    reading x;
    bool read = reading_open(&x, p, fixes_of(t, p->nsizes, fix), fix, d) == 0;
    if (t->ncases == 0 && w->o->setup.verbose)
        fprintf(stderr, "program %ld\n%s", t->program, x.text);
    if (read && w->o->setup.fault == FAULT_DEPENDENCE)
        fault_dependence(x.kernel, r);
    bool plain_c = x.comparable && !w->o->setup.grid, interprets = w->o->setup.interpret;
    int plain = read && !interprets ? pile_kernel(&w->pile, &x, plain_c, d) : -2;
    if (read && interprets) {
        interpret_reading(&w->o->setup, &x, t, r, &w->shared->n);
        if (w->o->setup.fault && w->shared->n.failures && !w->shared->found_after)
            w->shared->found_after = w->shared->n.pairs;
    } else if (plain > -2) {
        try_reading(w, &x, t, r, plain);
    } else if (sq_diags_fault(d) == SQ_FAULT_BUG) {
        report_bug(w, t->program, "", d);
    } else if (t->ncases == 0) {
        w->shared->n.refused++;
        printf("refused program %ld: %s\n", t->program, sq_diags_message(d, 0));
        count_class(w->shared->n.programs_by, sq_diags_message(d, 0));
    }
    reading_close(&x);
    sq_diags_free(d);
    return read;
}

static void one_program(worker *w, long number)
{
    sq_rng r;
    trial t = {.program = number};
    struct itimerval limit = {.it_value.tv_sec = PROGRAM_SECONDS}, none = {0};
    const program *p = program_of(w->o, number, &r, w->arena);
    w->shared->current = number;
    setitimer(ITIMER_PROF, &limit, NULL);
    w->shared->n.programs++;
    if (one_reading(w, p, &t, &r) && t.ncases > 0 && sq_rng_below(&r, 2)) {
        bool all = sq_rng_below(&r, 3) > 0;
        for (int s = 0; s < p->nsizes; s++)
            t.fixed[s] = all || sq_rng_below(&r, 2);
        one_reading(w, p, &t, &r);
    }
    setitimer(ITIMER_PROF, &none, NULL);
    w->shared->current = -1;
}

/* ---- a pile ---- */

static void report_wrong(worker *w, int candidate)
{
    const trial *t = &w->trial[candidate];
    w->shared->n.failures++;
    printf("FAILED program %ld, %s --seed=%llu --only=%ld\n    %s\n    script '%s'\n", t->program,
           t->plain ? "plain C," : "fuzz", w->o->seed, t->program, w->pile.why[candidate],
           t->script);
    fflush(stdout);
    if (w->shrunk++ < MOST_SHRUNK)
        shrink(&w->o->setup, w->program[candidate], t, w->pile.why[candidate], w->o->keep);
}

static bool breaks_compiler(const worker *w)
{
    for (int i = 0; i < w->pile.candidates; i++)
        if (strncmp(w->pile.why[i], "breaks", 6) == 0)
            return true;
    return false;
}

/* gcc 12 with induction variable optimisation takes the places of a loop that goes through an array
 * from both ends for places of different arrays; with -O1 it falls over == of two doubles' lanes.
 * What is right without that is not squall's fault. */
static void excuse_compiler(worker *w)
{
    static char why[MOST_PILED][WHY_LENGTH];
    long pairs = w->pile.pairs;
    const char *cflags = w->pile.cflags;
    sq_text careful = {0};
    memcpy(why, w->pile.why, sizeof why);
    sq_text_printf(&careful, "%s %s", cflags, breaks_compiler(w) ? "-O2" : "-fno-ivopts");
    for (int i = 0; i < w->pile.candidates; i++)
        if (strncmp(why[i], "does not", 8) != 0)
            w->pile.why[i][0] = 0;
    w->pile.cflags = careful.s;
    pile_run(&w->pile);
    w->pile.cflags = cflags;
    w->pile.pairs = pairs;
    for (int i = 0; i < w->pile.candidates; i++)
        if (why[i][0] && !w->pile.why[i][0]) {
            w->shared->n.excused++;
            printf("excused program %ld: %s\n    script '%s'\n", w->trial[i].program, why[i],
                   w->trial[i].script);
        }
    sq_text_free(&careful);
}

static bool any_wrong(const worker *w)
{
    for (int i = 0; i < w->pile.candidates; i++)
        if (w->pile.why[i][0])
            return true;
    return false;
}

static void finish_pile(worker *w)
{
    long before = w->pile.pairs;
    if (pile_run(&w->pile) < 0) {
        printf("FAILED the program of a pile could not be built or run: %s\n", w->pile.scratch);
        w->shared->n.failures++;
        exit(3);
    }
    w->shared->n.pairs += w->pile.pairs - before;
    if (!w->o->setup.fault && !w->o->setup.grid && any_wrong(w))
        excuse_compiler(w);
    long last = -1;
    for (int i = 0; i < w->pile.candidates; i++) {
        if (w->pile.warning[i][0]) {
            w->shared->n.warned++;
            count_class(w->shared->n.warned_by, w->pile.warning[i]);
            printf("warning in program %ld: %s\n    script '%s'\n", w->trial[i].program,
                   w->pile.warning[i], w->trial[i].script);
        }
        if (!w->pile.why[i][0])
            continue;
        if (w->o->setup.fault) {
            w->shared->n.failures++;
            if (!w->shared->found_after)
                w->shared->found_after = w->shared->n.pairs;
        } else if (w->trial[i].program != last) { /* once a program */
            last = w->trial[i].program;
            report_wrong(w, i);
        }
    }
    pile_empty(&w->pile);
    w->arena = sq_arena_free(w->arena);
    w->arena = sq_arena_new();
    fflush(stdout);
}

static bool skipped(const progress *s, long number)
{
    for (int i = 0; i < s->nskip; i++)
        if (s->skip[i] == number)
            return true;
    return false;
}

/* Works on the programs of its number until there are enough pairs or the time is over. */
static void work(const options *o, progress *all, int number, time_t end)
{
    static worker w;
    char scratch[] = "fuzz.XXXXXX", clean[64];
    w = (worker){.o = o, .shared = &all[number], .number = number, .arena = sq_arena_new()};
    w.pile = pile_of(&o->setup);
    w.pile.scratch = mkdtemp(scratch);
    if (!w.pile.scratch)
        exit(2);
    for (long n = w.shared->start;; n += o->jobs) {
        bool enough = total(all, o->jobs) >= o->pairs || time(NULL) >= end ||
                      (o->only >= 0 && n > o->only) || w.shared->found_after;
        if (!enough && !skipped(w.shared, n))
            one_program(&w, n);
        int most = o->setup.fault ? A_FAULTY_PILE : A_PILE;
        bool full = o->setup.interpret || w.pile.candidates >= most || w.pile.cases > 400;
        if (enough || full) {
            finish_pile(&w);
            w.shared->start = n + o->jobs;
        }
        if (enough)
            break;
    }
    snprintf(clean, sizeof clean, "rm -rf %s", scratch);
    if (system(clean) != 0)
        exit(2);
    exit(0);
}

/* ---- workers ---- */

static void report_death(const options *o, progress *s, int status)
{
    sq_rng r;
    sq_arena *arena = sq_arena_new();
    s->n.failures++;
    if (s->current < 0 || s->nskip == 8) {
        printf("FAILED a worker ended with status %d\n", status);
        s->start = -1;
    } else {
        char *text = text_of(program_of(o, s->current, &r, arena));
        printf("FAILED program %ld: squall %s %d on\n%s    fuzz --seed=%llu --only=%ld\n",
               s->current, WIFSIGNALED(status) ? "was ended by signal" : "ended with",
               WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), text, o->seed,
               s->current);
        free(text);
        s->skip[s->nskip++] = s->current;
    }
    fflush(stdout);
    sq_arena_free(arena);
}

static pid_t start(const options *o, progress *all, int number, time_t end)
{
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0)
        work(o, all, number, end);
    return pid;
}

static void run_workers(const options *o, progress *all)
{
    pid_t pid[MOST_JOBS];
    time_t end = time(NULL) + o->seconds;
    int running = o->jobs;
    for (int j = 0; j < o->jobs; j++) {
        all[j].start = (o->only >= 0 ? o->only : o->from) + j;
        pid[j] = start(o, all, j, end);
    }
    while (running > 0) {
        int status;
        pid_t ended = wait(&status);
        for (int j = 0; j < o->jobs; j++) {
            if (pid[j] != ended)
                continue;
            running--;
            if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
                continue;
            report_death(o, &all[j], status);
            if (all[j].start < 0)
                continue;
            pid[j] = start(o, all, j, end);
            running++;
        }
    }
}

/* ---- the end ---- */

static int finish(const options *o, const progress *all)
{
    static counts n;
    long found = 0;
    for (int j = 0; j < o->jobs; j++) {
        counts_add(&n, &all[j].n);
        found = all[j].found_after ? all[j].found_after : found;
    }
    counts_print(&n, &o->setup);
    if (!o->setup.fault)
        return n.failures > 0;
    if (found)
        printf("the fault was found within %ld pairs\n", found);
    else
        printf("FAILED the fault was not found in %ld pairs\n", n.pairs);
    return !found;
}

static const char *value_of(const char *arg, const char *name)
{
    size_t n = strlen(name);
    return strncmp(arg, name, n) == 0 && arg[n] == '=' ? arg + n + 1 : NULL;
}

static bool target_of(const char *name, setup *s)
{
    s->grid = sq_target_arch("cuda", strcmp(name, "cuda") == 0 ? "sm_80" : name);
    return s->grid != NULL;
}

/* What CUDA text is run with; features that it cannot have go. False: there is no compiler. */
static bool prepare_grid(setup *s)
{
    static char simt[600], real[4096];
    const char *build = getenv("SQUALL_BUILD"), *cxx = getenv("CXX");
    snprintf(simt, sizeof simt, "%s/simt", build ? build : "build");
    s->simt = realpath(simt, real);
    s->cxx = cxx && *cxx ? cxx : "g++";
    features *can = &s->can;
    can->regions = can->overlap = can->assumes = false;
    return s->simt && sq_is_on_path(s->cxx);
}

static int read_options(options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *v;
        int fault = 0;
        if ((v = value_of(argv[i], "--seed")))
            o->seed = strtoull(v, NULL, 0);
        else if ((v = value_of(argv[i], "--pairs")))
            o->pairs = atol(v);
        else if ((v = value_of(argv[i], "--seconds")))
            o->seconds = atol(v);
        else if ((v = value_of(argv[i], "--jobs")))
            o->jobs = atoi(v);
        else if ((v = value_of(argv[i], "--only")))
            o->only = atol(v);
        else if ((v = value_of(argv[i], "--from")))
            o->from = atol(v);
        else if ((v = value_of(argv[i], "--fault")) && (fault = fault_find(v)) >= 0)
            o->setup.fault = (fault_kind)fault;
        else if ((v = value_of(argv[i], "--target")) && target_of(v, &o->setup))
            continue;
        else if ((v = value_of(argv[i], "--cc")))
            o->setup.cc = v;
        else if ((v = value_of(argv[i], "--cflags")))
            o->setup.cflags = v;
        else if ((v = value_of(argv[i], "--keep")))
            o->keep = v;
        else if (strcmp(argv[i], "--interpret") == 0)
            o->setup.interpret = true;
        else if (strcmp(argv[i], "--verbose") == 0)
            o->setup.verbose = true;
        else
            return -1;
    }
    if (o->pairs == 0)
        o->pairs = o->seconds ? LONG_MAX : 2000;
    if (o->seconds == 0)
        o->seconds = 1L << 30;
    return o->jobs < 1 || o->jobs > MOST_JOBS ? -1 : 0;
}

int main(int argc, char **argv)
{
    const char *source = getenv("SQUALL_SOURCE"), *cc = getenv("CC");
    options o = {.seed = (unsigned long long)time(NULL) * 1000003 + (unsigned)getpid(),
                 .only = -1,
                 .jobs = 1,
                 .keep = ".",
                 .setup = {.source = source ? source : ".",
                           .cc = cc && *cc ? cc : "cc",
                           .cflags = "-O1 -fopenmp"}};
    if (read_options(&o, argc, argv) < 0) {
        fprintf(stderr, "unknown option; the top of fuzz.c lists them\n");
        return 64;
    }
    if (o.only >= 0)
        o.jobs = 1;
    size_t bytes = sizeof(progress) * MOST_JOBS;
    progress *all = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return 2;
    setenv("OMP_NUM_THREADS", "2", 0);
    setenv("OMP_WAIT_POLICY", "passive", 0);
    printf("seed %llu\n", o.seed);
    int missing = find_features(&o.setup.can);
    if (missing)
        printf("FAILED %d constructs are not accepted\n", missing);
    if (o.setup.grid && !prepare_grid(&o.setup)) {
        printf("skipped: there is no g++, or no $SQUALL_BUILD/simt\n");
        return 77;
    }
    run_workers(&o, all);
    return finish(&o, all) || missing;
}
