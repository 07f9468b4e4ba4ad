/* Exec: what is emitted computes what the description says. Every kernel of the table below, in f32
 * and f64, symbolic and with fixed sizes, under handmade and random scripts, at sizes that are no
 * multiple of anything (0 included), against the naive nest, on every target this machine can run.
 * Arrays lie against unmapped pages, outputs are filled with NaNs before, unused results of a
 * compiler's warnings are errors. A failure prints the command that shows the text again.
 *
 *   exec [--seed=N] [--target=NAME|--targets=LIST] [--random=N] [--only=FILE|KERNEL] [--script=TEXT] [--verbose]
 *        [--cc=COMPILER] [--cflags=FLAGS] [--others=FLAGS] [--openmp] [--polybench] [--times]
 *        [--half|--quarter|--once]
 *
 * --targets: every candidate is a library for all of them, run with each forced (SQUALL_ISA) that runs here.
 * --random: accepted random scripts for each of three readings of a kernel.
 * --polybench: samples/polybench/ against plain C written by hand instead of the table.
 * --half: by turns either a kernel's symbolic reading or those with fixed sizes; another seed, the other half.
 * --quarter: that of every second kernel.
 * --once: of every kernel, as --half, but one script, by turns; another seed, another one.
 * --others: flags of seven batches of eight; --cflags alone: of all of them.
 * --times: of every file, what was tried and squall's own processor time. */
#include "tests/exec/exec.h"
#include "frontend/frontend.h"
#include "ir/dependence/deps.h"
#include "support/file.h"
#include "transforms/transform.h"
#include "tuner/measure/case_spec.h"
#include <isl/options.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "tests/exec/polybench.h"
#include "tuner/model/draft.h"

enum { CANDIDATES_A_BATCH = 40 };
static const double most_flops = 2e6, most_bytes = 4e6;

typedef struct options {
    unsigned long long seed;
    int random;
    const char *target, *targets, *only, *script, *cc, *cflags, *others;
    bool openmp, verbose, polybench, times, half, quarter, once;
} options;

typedef struct state {
    options o;
    tools tools;
    batch batch;
    const sq_target *target;
    sq_rng rng;
    long refused, accepted, broken, rows;
    bool taken[MOST_SCRIPTS]; /* handmade scripts of this row: accepted by some reading */
} state;

/* One way to read a file of the table. */
typedef struct reading {
    const row *row;
    const polybench *more; /* of samples/polybench/; NULL for a row of table.h */
    bool f64;
    int nfix;
    sq_fix fix[MOST_SIZES];
} reading;

/* f32 and its constants and functions become f64's, in place. */
static void make_f64(char *text)
{
    static const char *const words[][2] = {
        {"f32", "f64"},       {".f", ". "},         {"0.5f", "0.5 "},   {"5f", "5 "},
        {"3f", "3 "},         {"1f", "1 "},         {"30f", "30 "},     {"01f", "01 "},
        {"expf", "exp "},     {"sqrtf", "sqrt "},   {"tanhf", "tanh "}, {"fabsf", "fabs "},
        {"powf", "pow "},     {"logf", "log "},     {"erff", "erf "},   {"exp2f", "exp2 "},
        {"log2f", "log2 "},   {"sinf", "sin "},     {"cosf", "cos "},   {"sigmoidf", "sigmoid "},
        {"rsqrtf", "rsqrt "}, {"floorf", "floor "}, {"ceilf", "ceil "}};
    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++)
        for (char *f = text; (f = strstr(f, words[w][0])); f++)
            memcpy(f, words[w][1], strlen(words[w][1]));
}

static void blank(char *at, size_t n)
{
    memset(at, ' ', n);
}

/* All other kernels of a file become blanks, with the pragmas before them, and lines stay where they are: what is not
 * read takes clang no time. A kernel begins with its first line and ends with a line that is or ends in its brace. */
static void keep_kernel(char *text, const char *kernel)
{
    char *pragma = NULL;
    bool is_other = false;
    for (char *line = text, *end; *line; line = *end ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        bool begins = strncmp(line, "kernel ", 7) == 0;
        if (begins) {
            size_t name = strcspn(line + 7, "(");
            is_other = strlen(kernel) != name || strncmp(line + 7, kernel, name) != 0;
            if (is_other && pragma)
                blank(pragma, strcspn(pragma, "\n"));
            pragma = NULL;
        } else if (strncmp(line, "#pragma squall ", 15) == 0) {
            pragma = line;
        }
        bool ends = end > line && end[-1] == '}' && (begins || *line == '}');
        if (is_other)
            blank(line, (size_t)(end - line));
        is_other &= !ends;
    }
}

static char *file_text(const state *s, const reading *r, size_t *n)
{
    char path[600];
    sq_diags *d = sq_diags_new();
    snprintf(path, sizeof path, "%s/%s", s->tools.source, r->row->file);
    char *text = sq_file_read(d, path, n);
    if (!text) {
        printf("cannot read %s\n", path);
        exit(2);
    }
    if (r->row->kernel)
        keep_kernel(text, r->row->kernel);
    if (r->f64)
        make_f64(text);
    sq_diags_free(d);
    return text;
}

/* The kernel, checked and, if it is to be scheduled, with dependences; NULL when the description is refused at these
 * sizes. */
static sq_unit *read_kernel(const state *s, isl_ctx *ctx, const reading *r, bool must, bool is_scheduled)
{
    size_t n;
    char *text = file_text(s, r, &n), args[200], *arg[16];
    sq_diags *d = sq_diags_new();
    sq_parse_options o = {
        .nfix = r->nfix, .fix = r->fix, .kernel = r->row->kernel, .args = (const char *const *)arg};
    snprintf(args, sizeof args, "%s", r->row->args);
    for (char *a = strtok(args, " "); a && o.nargs < 16; a = strtok(NULL, " "))
        arg[o.nargs++] = a;
    sq_unit *u = sq_parse(ctx, r->row->file, text, n, &o, d);
    if (u && (sq_kernel_check(u->kernel[0], d) < 0 || (is_scheduled && sq_deps_compute(u->kernel[0], d) < 0)))
        u = sq_unit_free(u);
    if (!u && must) {
        printf("FAILED %s %s %s is not read:\n", r->row->file, r->row->kernel ? r->row->kernel : "",
               r->row->args);
        sq_diags_print(d, stdout, SQ_DIAG_GCC, 0);
    }
    sq_diags_free(d);
    free(text);
    return u;
}

/* ---- sizes ---- */

/* What is known of the sizes, and what the row asks of them. */
static isl_set *context_of(const sq_kernel *k, const polybench *p)
{
    isl_set *c = isl_set_copy(k->context);
    sq_text text = {0};
    if (!p || !p->sizes)
        return c;
    for (int i = 0; i < k->nsizes; i++)
        sq_text_printf(&text, "%s%s", i ? "," : "[", k->size[i]->name);
    sq_text_printf(&text, "] -> { : %s }", p->sizes);
    c = isl_set_intersect_params(c, isl_set_read_from_str(k->ctx, sq_text_str(&text)));
    sq_text_free(&text);
    return c;
}

/* Do the sizes fit. */
static bool in_context(const sq_kernel *k, const polybench *p, const int64_t *sizes)
{
    isl_set *c = context_of(k, p);
    for (int i = 0; i < k->nsizes; i++) {
        int at = isl_set_find_dim_by_name(c, isl_dim_param, k->size[i]->name);
        if (at >= 0)
            c = isl_set_fix_si(c, isl_dim_param, (unsigned)at, (int)sizes[i]);
        if (k->size[i]->fixed && k->size[i]->value != sizes[i])
            c = isl_set_intersect_params(c, isl_set_empty(isl_set_get_space(c)));
    }
    bool ok = isl_set_is_empty(c) == isl_bool_false;
    isl_set_free(c);
    return ok;
}

static const int64_t some_sizes[] = {1, 2, 3, 7, 13, 31, 33, 127, 129, 16, 48, 5, 0};

/* Random sizes within the budget; false when none were found. */
static bool draw_sizes(state *s, const sq_kernel *k, const polybench *p, int64_t *sizes,
                       bool nonzero)
{
    for (int attempt = 0; attempt < 200; attempt++) {
        int n =
            (int)(sizeof some_sizes / sizeof some_sizes[0]) - (nonzero || sq_rng_below(&s->rng, 4));
        for (int i = 0; i < k->nsizes; i++)
            sizes[i] = k->size[i]->fixed ? k->size[i]->value
                                         : some_sizes[sq_rng_below(&s->rng, (size_t)n)];
        if (in_context(k, p, sizes) && sq_kernel_flops(k, sizes) <= most_flops &&
            sq_case_bytes(k, sizes) <= most_bytes)
            return true;
    }
    return false;
}

static void put_label(const state *s, const reading *r, const char *script, sq_text *to)
{
    sq_text_clear(to);
    sq_text_printf(to, "squall compile %s %s%s", r->row->file, r->row->kernel ? r->row->kernel : "",
                   r->f64 ? "(as f64)" : "");
    for (int i = 0; i < r->nfix; i++)
        sq_text_printf(to, "%s%s=%lld", i ? "," : " --fix ", r->fix[i].name,
                       (long long)r->fix[i].value);
    sq_text_printf(to, " --target%s=%s%s -e '%s'", s->o.targets ? "s" : "",
                   s->o.targets ? s->o.targets : s->target->name, s->o.openmp ? ",openmp" : "", script);
    if (r->row->args[0])
        sq_text_printf(to, " -- %s", r->row->args);
}

/* ---- scripts ---- */

static bool known_fault(const sq_diags *d)
{
    return sq_diags_fault(d) == SQ_FAULT_REFUSED;
}

/* True if it was accepted. */
static bool try_script(state *s, const sq_kernel *k, const reading *r, const char *script,
                       bool must)
{
    bool taken = false;
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    sq_text label = {0};
    sq_schedule *schedule = sq_schedule_new(k, arena);
    put_label(s, r, script, &label);
    if (s->o.verbose)
        fprintf(stderr, "%s\n", label.s);
    if (sq_script_apply(schedule, script, "<script>", arena, d) < 0) {
        s->refused++;
        if (s->o.verbose)
            fprintf(stderr, "refused: %s\n", sq_diags_message(d, 0));
        if (must || !known_fault(d)) {
            printf("FAILED %s\n    refused: %s\n", sq_text_str(&label), sq_diags_message(d, 0));
            s->broken++;
        }
    } else {
        const sq_schedule *each[SQ_MOST_TARGETS];
        for (int t = 0; t < s->tools.ntargets; t++)
            each[t] = schedule;
        int rc = batch_candidate(&s->batch, each, sq_text_str(&label));
        s->refused += rc == 1;
        s->accepted += rc == 0;
        taken = rc <= 0;
        if (rc == 1 && must) {
            printf("FAILED %s\n    refused when emitting\n", sq_text_str(&label));
            s->broken++;
        }
    }
    sq_text_free(&label);
    sq_diags_free(d);
    sq_arena_free(arena);
    return taken;
}

/* What compile takes without a script; where it cannot be emitted, that is the written order. */
static void try_first_choice(state *s, const sq_kernel *k, const reading *r)
{
    const sq_machine *m = sq_machine_class(s->target->machine);
    sq_arena *arena = sq_arena_new();
    sq_schedule *schedule = sq_schedule_new(k, arena);
    sq_text script = {0};
    if (m &&
        sq_draft_schedule(schedule, m, s->target, s->o.openmp ? 3 : 1, arena, &script, NULL) == 0)
        try_script(s, k, r, sq_text_str(&script), false);
    sq_text_free(&script);
    sq_arena_free(arena);
}

/* One of the handmade scripts and the written order, or what follows where it is refused. */
static void try_one(state *s, const sq_kernel *k, const reading *r)
{
    unsigned long turn = (s->o.seed + (unsigned long)s->rows) / 2, n = 1;
    while (n <= MOST_SCRIPTS && r->row->script[n - 1])
        n++;
    if (r->more && turn % 2) {
        try_first_choice(s, k, r);
        return;
    }
    for (unsigned long i = 0; i < n; i++) {
        unsigned long at = (turn + i) % n;
        if (try_script(s, k, r, at ? r->row->script[at - 1] : "", at == 0))
            return;
    }
}

static void try_scripts(state *s, const sq_kernel *k, const reading *r)
{
    if (s->o.script) {
        try_script(s, k, r, s->o.script, false);
        return;
    }
    if (s->o.once) {
        try_one(s, k, r);
        return;
    }
    try_script(s, k, r, "", true);
    if (r->more)
        try_first_choice(s, k, r);
    for (int i = 0; i < MOST_SCRIPTS && r->row->script[i]; i++)
        s->taken[i] |= try_script(s, k, r, r->row->script[i], false);
    for (int i = 0, accepted = 0; i < 20 * s->o.random && accepted < s->o.random; i++) {
        sq_text script = {0};
        long before = s->accepted;
        random_script(k, &s->rng, &script);
        try_script(s, k, r, sq_text_str(&script), false);
        accepted += s->accepted > before;
        sq_text_free(&script);
    }
}

/* ---- kernels ---- */

static void one_reading(state *s, const reading *r, int cases)
{
    isl_ctx *ctx = isl_ctx_alloc();
    isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
    sq_diags *d = sq_diags_new();
    sq_unit *u = read_kernel(s, ctx, r, r->nfix == 0, true);
    s->broken += !u && r->nfix == 0;
    char handwritten[100];
    snprintf(handwritten, sizeof handwritten, "ref_%s", u ? u->kernel[0]->name : "");
    if (u && batch_kernel(&s->batch, u->kernel[0], r->more ? handwritten : NULL, d) >= 0) {
        int64_t sizes[SQ_MAX_SIZES];
        const char *fill = r->more && r->more->fill ? r->more->fill : "";
        for (int c = 0; c < cases; c++)
            if (draw_sizes(s, u->kernel[0], r->more, sizes, c == 0))
                batch_case(&s->batch, u->kernel[0], sizes, sq_rng_next(&s->rng) >> 1, fill);
        try_scripts(s, u->kernel[0], r);
        batch_close(&s->batch);
    }
    sq_unit_free(u);
    sq_diags_free(d);
    isl_ctx_free(ctx);
    if (s->batch.candidates >= CANDIDATES_A_BATCH)
        batch_run(&s->batch);
}

/* All sizes fixed, or some: drawn with the symbolic kernel. */
static void one_fixed(state *s, const sq_kernel *k, reading r, bool nonzero)
{
    int64_t sizes[SQ_MAX_SIZES];
    bool ok = draw_sizes(s, k, r.more, sizes, nonzero || sq_rng_below(&s->rng, 4) != 0);
    bool some = !nonzero && sq_rng_below(&s->rng, 3) == 0;
    char names[SQ_MAX_SIZES][64];
    for (int i = 0; ok && i < k->nsizes; i++) {
        if (some && sq_rng_below(&s->rng, 2))
            continue;
        snprintf(names[r.nfix], sizeof names[0], "%s", k->size[i]->name);
        r.fix[r.nfix] = (sq_fix){names[r.nfix], sizes[i]};
        r.nfix++;
    }
    if (ok && r.nfix > 0)
        one_reading(s, &r, some ? 3 : 1);
}

static void all_fixed(state *s, const reading *r)
{
    isl_ctx *ctx = isl_ctx_alloc();
    isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
    sq_unit *u = read_kernel(s, ctx, r, true, false);
    long before = s->accepted;
    if (u)
        one_fixed(s, u->kernel[0], *r, true);
    if (u && (!s->o.once || s->accepted == before))
        one_fixed(s, u->kernel[0], *r, false);
    s->broken += !u;
    sq_unit_free(u);
    isl_ctx_free(ctx);
}

static void one_row(state *s, const row *w, const polybench *p)
{
    reading r = {.row = w, .more = p};
    memset(s->taken, 0, sizeof s->taken);
    if (s->o.only && !strstr(w->file, s->o.only) &&
        (!w->kernel || strcmp(w->kernel, s->o.only) != 0))
        return;
    unsigned long turn = s->o.seed + (unsigned long)s->rows++;
    if (s->o.quarter && turn / 2 % 2 == 1)
        return;
    bool symbolic = !s->o.half || turn % 2 == 0;
    long from = s->accepted;
    r.f64 = w->types != AS_WRITTEN && sq_rng_below(&s->rng, 3) == 0;
    if (symbolic)
        one_reading(s, &r, 10);
    r.f64 = w->types != AS_WRITTEN && sq_rng_below(&s->rng, 3) == 0;
    long before = s->accepted;
    if (!symbolic || !s->o.half)
        all_fixed(s, &r);
    if (!symbolic && s->o.once && s->accepted == before)
        one_reading(s, &r, 10);
    if (s->o.once && s->accepted == from) {
        printf("FAILED %s %s %s: it is not tried\n", w->file, w->kernel ? w->kernel : "", w->args);
        s->broken++;
    }
    for (int i = 0; i < MOST_SCRIPTS && w->script[i] && !s->o.script && !s->o.half; i++)
        if (!s->taken[i]) {
            printf("FAILED %s %s %s: always refused: %s\n", w->file, w->kernel ? w->kernel : "",
                   w->args, w->script[i]);
            s->broken++;
        }
}

static void timed_row(state *s, const row *w, const polybench *p)
{
    clock_t start = clock();
    long accepted = s->accepted, refused = s->refused;
    one_row(s, w, p);
    if (s->o.times && s->accepted + s->refused > accepted + refused)
        printf("%-36s %4ld candidates %4ld refused %7.2f s\n", w->file, s->accepted - accepted,
               s->refused - refused, (double)(clock() - start) / CLOCKS_PER_SEC);
    fflush(stdout);
}

static void all_rows(state *s)
{
    int n = (int)(sizeof polybench_rows / sizeof polybench_rows[0]);
    for (int i = 0; s->o.polybench && i < n; i++)
        timed_row(s, &polybench_rows[i].row, &polybench_rows[i]);
    for (int i = 0; !s->o.polybench && rows[i].file; i++)
        timed_row(s, &rows[i], NULL);
    batch_run(&s->batch);
}

/* ---- command line ---- */

static const char *value_of(const char *arg, const char *name)
{
    size_t n = strlen(name);
    return strncmp(arg, name, n) == 0 && arg[n] == '=' ? arg + n + 1 : NULL;
}

static int read_options(options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *v;
        if ((v = value_of(argv[i], "--seed")))
            o->seed = strtoull(v, NULL, 0);
        else if ((v = value_of(argv[i], "--random")))
            o->random = atoi(v);
        else if ((v = value_of(argv[i], "--target")))
            o->target = v;
        else if ((v = value_of(argv[i], "--targets")))
            o->targets = v;
        else if ((v = value_of(argv[i], "--only")))
            o->only = v;
        else if ((v = value_of(argv[i], "--script")))
            o->script = v;
        else if ((v = value_of(argv[i], "--cc")))
            o->cc = v;
        else if ((v = value_of(argv[i], "--cflags")))
            o->cflags = v;
        else if ((v = value_of(argv[i], "--others")))
            o->others = v;
        else if (strcmp(argv[i], "--openmp") == 0)
            o->openmp = true;
        else if (strcmp(argv[i], "--verbose") == 0)
            o->verbose = true;
        else if (strcmp(argv[i], "--polybench") == 0)
            o->polybench = true;
        else if (strcmp(argv[i], "--half") == 0)
            o->half = true;
        else if (strcmp(argv[i], "--quarter") == 0)
            o->half = o->quarter = true;
        else if (strcmp(argv[i], "--once") == 0)
            o->half = o->once = true;
        else if (strcmp(argv[i], "--times") == 0)
            o->times = true;
        else
            return -1;
    }
    return 0;
}

static bool found(const char *program)
{
    char command[300];
    snprintf(command, sizeof command, "command -v '%s' >/dev/null", program);
    return system(command) == 0;
}

/* Of every eighth batch all that the optimiser does; of the others what takes it a third of the time. At -Og gcc takes
 * what is set on every path for what may not be. */
static const char optimised[] = "-O2", others[] = "-Og -Wno-maybe-uninitialized";
static const char cross_optimised[] = "-O1 -static", cross_others[] = "-Og -static -Wno-maybe-uninitialized";

/* Has this machine what the target's code needs, or an emulator. */
static bool runnable(const sq_target *t)
{
    char cross[100];
    snprintf(cross, sizeof cross, "%sgcc", t->cross);
    return sq_target_runs_here(t) || (t->emulator[0] && found(t->emulator) && found(cross));
}

static void settle_tools(state *s)
{
    const char *cc = getenv("CC");
    bool cross = !sq_target_runs_here(s->target);
    s->tools.cc = s->o.cc ? s->o.cc : cross ? "aarch64-linux-gnu-gcc" : cc && *cc ? cc : "cc";
    s->tools.cflags = s->o.cflags ? s->o.cflags : cross ? cross_optimised : optimised;
    s->tools.others = s->o.cflags || s->o.cc || strstr(s->tools.cc, "clang") ? s->o.others
                      : cross                                                  ? cross_others
                                                                               : others;
    s->tools.emulator = cross ? s->target->emulator : "";
    s->tools.source = getenv("SQUALL_SOURCE") ? getenv("SQUALL_SOURCE") : ".";
    s->batch.tools = &s->tools;
}

/* The targets of --targets, sorted; false where one has no row. */
static bool read_targets(state *s)
{
    char list[200];
    tools *t = &s->tools;
    snprintf(list, sizeof list, "%s", s->o.targets);
    for (char *name = strtok(list, ","); name; name = strtok(NULL, ",")) {
        const sq_target *target = sq_target_get(name);
        if (!target || t->ntargets == SQ_MOST_TARGETS)
            return false;
        if (!sq_target_runs_here(target))
            printf("target %s is built and not run: this processor lacks it\n", name);
        t->target[t->ntargets++] = target;
    }
    sq_dispatch_sort(t->target, t->ntargets);
    s->target = sq_target_host();
    return t->ntargets > 1;
}

static bool read_target(state *s)
{
    if (s->o.targets)
        return read_targets(s);
    s->target = strcmp(s->o.target, "host") == 0 ? sq_target_host() : sq_target_get(s->o.target);
    s->tools.target[0] = s->target;
    s->tools.ntargets = 1;
    return s->target && runnable(s->target);
}

int main(int argc, char **argv)
{
    state s = {.o = {.seed = (unsigned long long)time(NULL) * 1000003 + (unsigned)getpid(),
                     .random = 4,
                     .target = "host"}};
    if (read_options(&s.o, argc, argv) < 0) {
        fprintf(stderr, "unknown option; the top of exec.c lists them\n");
        return 64;
    }
    s.tools.openmp = s.o.openmp;
    if (!read_target(&s)) {
        printf("target %s does not run here\n", s.o.targets ? s.o.targets : s.o.target);
        return 77;
    }
    char scratch[] = "exec.XXXXXX";
    if (!mkdtemp(scratch))
        return 2;
    s.tools.scratch = scratch;
    s.rng.state = s.o.seed;
    settle_tools(&s);
    if (!found(s.tools.cc)) {
        printf("no compiler %s\n", s.tools.cc);
        return 77;
    }
    printf("seed %llu, target %s, %s %s%s%s\n", s.o.seed, s.o.targets ? s.o.targets : s.target->name, s.tools.cc,
           s.tools.cflags, s.tools.others ? ", by turns " : "",
           s.tools.others ? s.tools.others : "");
    fflush(stdout);
    all_rows(&s);
    printf("%ld candidates, %ld runs against the naive nest, %ld scripts refused; %ld wrong\n",
           s.accepted, s.batch.ran, s.refused, s.batch.failed + s.broken);
    char clean[64];
    snprintf(clean, sizeof clean, "rm -rf %s", scratch);
    if (s.batch.failed + s.broken == 0 && system(clean) != 0)
        return 2;
    return s.batch.failed + s.broken > 0;
}
