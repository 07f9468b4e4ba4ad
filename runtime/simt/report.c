/* Report: the findings, and the counts of each line, at the end of the program, as text and as
 * JSON. SQUALL_SIMT_TEXT and SQUALL_SIMT_JSON name the files; without either the text goes to
 * standard error. */
#include "runtime/simt/simt.h"
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

enum { MAX_FINDINGS = 200 };

static const char *const kind_name[SIMT_NKINDS] = {
    [SIMT_RACE] = "race",
    [SIMT_DIVERGENT] = "divergent barrier",
    [SIMT_LANES_MISSING] = "missing lanes",
    [SIMT_OUT_OF_BOUNDS] = "out of bounds",
    [SIMT_MISALIGNED] = "misaligned",
    [SIMT_UNWRITTEN] = "unwritten",
    [SIMT_TOO_EARLY] = "too early",
    [SIMT_HOST_ACCESS] = "host memory",
    [SIMT_LIMIT] = "limit",
    [SIMT_CRASH] = "crash",
};

struct finding {
    simt_finding_kind kind;
    simt_where at, other;
    bool has_other;
    uint64_t times;
    char text[320], note[200];
    simt_line line, other_line;
};
static struct finding finding[MAX_FINDINGS];
static unsigned nfindings;
static uint64_t dropped;

struct launch {
    simt_config config;
    const char *kernel;
    size_t static_shared;
    uint64_t times;
    simt_work work; /* total of all its launches */
};
static struct launch *launch;
static unsigned nlaunches, launch_room;
uint64_t simt_flops, simt_flops_of_text;

struct row {
    simt_line line;
    simt_count c;
};

/* ---- collecting ---- */

simt_where simt_at_pc(uintptr_t pc)
{
    return (simt_where){.pc = pc};
}

simt_where simt_at_place(simt_place p)
{
    return (simt_where){.place = p};
}

static bool is_same(const simt_where *a, const simt_where *b)
{
    return a->pc == b->pc && a->place.line == b->place.line && a->place.file == b->place.file;
}

bool simt_found(simt_finding_kind kind, const simt_where *a, const simt_where *b)
{
    for (unsigned i = 0; i < nfindings; i++) {
        struct finding *f = &finding[i];
        if (f->kind == kind && is_same(&f->at, a) && f->has_other == (b != NULL) &&
            (!b || is_same(&f->other, b))) {
            f->times++;
            return false;
        }
    }
    if (nfindings == MAX_FINDINGS) {
        dropped++;
        return false;
    }
    finding[nfindings++] = (struct finding){.kind = kind,
                                            .at = *a,
                                            .other = b ? *b : (simt_where){0},
                                            .has_other = b != NULL,
                                            .times = 1};
    return true;
}

void simt_found_text(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(finding[nfindings - 1].text, sizeof finding->text, format, args);
    va_end(args);
}

void simt_found_note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(finding[nfindings - 1].note, sizeof finding->note, format, args);
    va_end(args);
}

const char *simt_thread_name(unsigned linear, uint32_t block, char *to, size_t n)
{
    const unsigned *b = simt_now.config.block, *g = simt_now.config.grid;
    uint32_t at = block - simt_now.first_block;
    if (block < simt_now.first_block)
        snprintf(to, n, "an earlier launch");
    else
        snprintf(to, n, "thread (%u,%u,%u) of block (%u,%u,%u)", linear % b[0],
                 linear / b[0] % b[1], linear / b[0] / b[1], at % g[0], at / g[0] % g[1],
                 at / g[0] / g[1]);
    return to;
}

/* Takes the work since the last launch. */
static void take_work(simt_work *to)
{
    static uint64_t flops;
    const simt_work *w = &simt_worked;
    to->shared_accesses += w->shared_accesses;
    to->wavefronts += w->wavefronts;
    to->global_accesses += w->global_accesses;
    to->global_reads += w->global_reads;
    to->sectors += w->sectors;
    to->matrix += w->matrix;
    to->matrix_flops += w->matrix_flops;
    to->phases += w->phases;
    to->ahead = w->ahead > to->ahead ? w->ahead : to->ahead;
    to->flops += simt_flops - flops;
    flops = simt_flops;
    simt_worked = (simt_work){0};
}

void simt_report_launch(const simt_config *c, const char *kernel, size_t static_shared)
{
    unsigned i = 0;
    while (i < nlaunches &&
           (strcmp(launch[i].kernel, kernel) != 0 || memcmp(&launch[i].config, c, sizeof *c) != 0))
        i++;
    if (i == launch_room) {
        launch_room = launch_room ? 2 * launch_room : 64;
        launch = realloc(launch, launch_room * sizeof *launch);
        if (!launch)
            abort();
    }
    if (i == nlaunches)
        launch[nlaunches++] = (struct launch){.config = *c, .kernel = kernel};
    launch[i].static_shared = static_shared;
    launch[i].times++;
    take_work(&launch[i].work);
}

/* ---- lines ---- */

unsigned simt_findings(void)
{
    return nfindings;
}

static void resolve_place(const simt_where *w, simt_line *to)
{
    if (w->pc)
        return;
    to->line = w->place.line;
    snprintf(to->file, sizeof to->file, "%.199s", w->place.file ? w->place.file : "");
}

/* Resolves all addresses of findings and counts at once. */
static struct row *resolve(size_t *nrows)
{
    size_t ntable, n = 0, rows = 0;
    const simt_count *c = simt_counts(&ntable);
    uint32_t *pc = calloc(ntable + 2 * MAX_FINDINGS, sizeof *pc);
    simt_line *line = calloc(ntable + 2 * MAX_FINDINGS, sizeof *line);
    struct row *row = calloc(ntable + 1, sizeof *row);
    if (!pc || !line || !row)
        abort();
    for (unsigned i = 0; i < nfindings; i++) {
        pc[n++] = (uint32_t)(finding[i].at.pc - simt_image_base);
        pc[n++] = (uint32_t)(finding[i].other.pc - simt_image_base);
    }
    for (size_t i = 0; i < ntable; i++)
        if (c[i].accesses)
            pc[n++] = c[i].pc;
    simt_lines_of(pc, line, n);
    for (unsigned i = 0; i < nfindings; i++) {
        finding[i].line = line[2 * i];
        finding[i].other_line = line[2 * i + 1];
        resolve_place(&finding[i].at, &finding[i].line);
        resolve_place(&finding[i].other, &finding[i].other_line);
    }
    for (size_t i = 0; i < ntable; i++)
        if (c[i].accesses)
            row[rows] = (struct row){line[2 * nfindings + rows], c[i]}, rows++;
    free(pc);
    free(line);
    *nrows = rows;
    return row;
}

static int by_line(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int order = strcmp(x->line.file, y->line.file);
    if (order == 0)
        order = x->line.line - y->line.line;
    if (order == 0)
        order = (x->c.flags & SIMT_SHARED) - (y->c.flags & SIMT_SHARED);
    if (order == 0)
        order = x->c.flags - y->c.flags;
    return order ? order : (int)x->c.size - (int)y->c.size;
}

static void add(simt_count *to, const simt_count *c)
{
    to->accesses += c->accesses;
    to->lanes += c->lanes;
    to->bytes += c->bytes;
    to->wavefronts += c->wavefronts;
    to->conflicts += c->conflicts;
    to->sectors += c->sectors;
    to->ideal += c->ideal;
    if (c->worst > to->worst)
        to->worst = c->worst;
}

/* Merges the counts of copies of one access that the compiler made. */
static size_t merge(struct row *row, size_t n)
{
    size_t kept = 0;
    qsort(row, n, sizeof *row, by_line);
    for (size_t i = 0; i < n; i++)
        if (kept > 0 && by_line(&row[kept - 1], &row[i]) == 0)
            add(&row[kept - 1].c, &row[i].c);
        else
            row[kept++] = row[i];
    return kept;
}

/* Merges findings of one kind at the same lines; a read and a write are distinct. */
static void merge_findings(void)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < nfindings; i++) {
        struct finding *f = &finding[i];
        unsigned j = 0;
        while (j < kept && (finding[j].kind != f->kind || finding[j].line.line != f->line.line ||
                            finding[j].other_line.line != f->other_line.line ||
                            strcmp(finding[j].line.file, f->line.file) != 0 ||
                            strncmp(finding[j].text, f->text, strcspn(f->text, " ")) != 0))
            j++;
        if (j < kept)
            finding[j].times += f->times;
        else
            finding[kept++] = *f;
    }
    nfindings = kept;
}

/* ---- text ---- */

static const char *verb_of(int flags)
{
    if (flags & SIMT_ATOMIC)
        return "atomic";
    if (flags & SIMT_MATRIX)
        return flags & SIMT_WRITE ? "fragment stored" : "fragment loaded";
    if (flags & SIMT_ASYNC)
        return "copy";
    return flags & SIMT_WRITE ? "write" : "read";
}

static void put_place(FILE *to, const simt_line *l)
{
    if (l->line > 0)
        fprintf(to, "%s:%d: ", l->file, l->line);
    else
        fprintf(to, "(line unknown): ");
}

static void put_findings(FILE *to)
{
    for (unsigned i = 0; i < nfindings; i++) {
        const struct finding *f = &finding[i];
        put_place(to, &f->line);
        fprintf(to, "%s: %s", kind_name[f->kind], f->text);
        if (f->times > 1)
            fprintf(to, " (%llu times)", (unsigned long long)f->times);
        fputc('\n', to);
        if (!f->has_other)
            continue;
        put_place(to, &f->other_line);
        fprintf(to, "note: %s\n", f->note);
    }
    if (dropped)
        fprintf(to, "and %llu more\n", (unsigned long long)dropped);
}

static void put_row(FILE *to, const struct row *r)
{
    char what[64];
    const simt_count *c = &r->c;
    bool is_shared = c->flags & SIMT_SHARED;
    snprintf(what, sizeof what, "%s %s, %u bytes", is_shared ? "shared" : "global",
             verb_of(c->flags), c->size);
    if (r->line.line > 0)
        fprintf(to, "  %s:%-5d %-32s %9llu", r->line.file, r->line.line, what,
                (unsigned long long)c->accesses);
    else
        fprintf(to, "  (line unknown) %-32s %9llu", what, (unsigned long long)c->accesses);
    if (is_shared)
        fprintf(to, "  conflicts %llu%s", (unsigned long long)c->conflicts,
                c->conflicts ? "" : "\n");
    else
        fprintf(to, "  sectors %llu of at least %llu\n", (unsigned long long)c->sectors,
                (unsigned long long)c->ideal);
    if (is_shared && c->conflicts)
        fprintf(to, " (%u-way)\n", c->worst);
}

static void put_text(FILE *to, const struct row *row, size_t n)
{
    put_findings(to);
    for (unsigned i = 0; i < nlaunches; i++) {
        const struct launch *l = &launch[i];
        const unsigned *g = l->config.grid, *b = l->config.block;
        fprintf(
            to,
            "%s: %llu launch%s, grid %u x %u x %u, block %u x %u x %u, shared %zu + %zu bytes\n",
            l->kernel, (unsigned long long)l->times, l->times == 1 ? "" : "es", g[0], g[1], g[2],
            b[0], b[1], b[2], l->static_shared, l->config.shared);
    }
    if (n)
        fprintf(to, "accesses of warps:\n");
    for (size_t i = 0; i < n; i++)
        put_row(to, &row[i]);
    fprintf(to, "%u finding%s\n", nfindings, nfindings == 1 ? "" : "s");
}

/* ---- JSON ---- */

static void put_string(FILE *to, const char *s)
{
    fputc('"', to);
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\')
            fprintf(to, "\\%c", c);
        else if (c < 32 || c > 126)
            fprintf(to, "\\u%04x", c);
        else
            fputc(c, to);
    }
    fputc('"', to);
}

static void json_findings(FILE *to)
{
    fprintf(to, "{\"findings\": [");
    for (unsigned i = 0; i < nfindings; i++) {
        const struct finding *f = &finding[i];
        fprintf(to, "%s\n  {\"kind\": \"%s\", \"file\": ", i ? "," : "", kind_name[f->kind]);
        put_string(to, f->line.file);
        fprintf(to, ", \"line\": %d, \"text\": ", f->line.line);
        put_string(to, f->text);
        if (f->has_other) {
            fprintf(to, ", \"other_file\": ");
            put_string(to, f->other_line.file);
            fprintf(to, ", \"other_line\": %d, \"note\": ", f->other_line.line);
            put_string(to, f->note);
        }
        fprintf(to, ", \"times\": %llu}", (unsigned long long)f->times);
    }
    fprintf(to, "],\n \"dropped\": %llu", (unsigned long long)dropped);
}

/* Prints the total of these launches. */
static void json_work(FILE *to, const simt_work *w)
{
    const struct {
        const char *name;
        uint64_t value;
    } row[] = {{"flops", w->flops},
               {"matrix_flops", w->matrix_flops},
               {"matrix_instructions", w->matrix},
               {"shared_accesses", w->shared_accesses},
               {"wavefronts", w->wavefronts},
               {"global_accesses", w->global_accesses},
               {"global_reads", w->global_reads},
               {"sectors", w->sectors},
               {"phases", w->phases},
               {"ahead", w->ahead}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        fprintf(to, "%s\"%s\": %llu", i ? ", " : "", row[i].name, (unsigned long long)row[i].value);
    fprintf(to, "}");
}

static void json_launches(FILE *to)
{
    fprintf(to, ",\n \"launches\": [");
    for (unsigned i = 0; i < nlaunches; i++) {
        const struct launch *l = &launch[i];
        const unsigned *g = l->config.grid, *b = l->config.block;
        fprintf(to, "%s\n  {\"kernel\": ", i ? "," : "");
        put_string(to, l->kernel);
        fprintf(to,
                ", \"grid\": [%u, %u, %u], \"block\": [%u, %u, %u], \"static_shared\": %zu, "
                "\"dynamic_shared\": %zu, \"times\": %llu, ",
                g[0], g[1], g[2], b[0], b[1], b[2], l->static_shared, l->config.shared,
                (unsigned long long)l->times);
        json_work(to, &l->work);
    }
    fprintf(to, "]");
}

static void json_row(FILE *to, const struct row *r)
{
    const simt_count *c = &r->c;
    bool is_shared = c->flags & SIMT_SHARED;
    fprintf(to, "{\"file\": ");
    put_string(to, r->line.file);
    fprintf(to,
            ", \"line\": %d, \"space\": \"%s\", \"what\": \"%s\", \"size\": %u, "
            "\"accesses\": %llu, \"bytes\": %llu, ",
            r->line.line, is_shared ? "shared" : "global", verb_of(c->flags), c->size,
            (unsigned long long)c->accesses, (unsigned long long)c->bytes);
    if (is_shared)
        fprintf(to, "\"wavefronts\": %llu, \"conflicts\": %llu, \"ways\": %u}",
                (unsigned long long)c->wavefronts, (unsigned long long)c->conflicts, c->worst);
    else
        fprintf(to, "\"sectors\": %llu, \"least_sectors\": %llu}", (unsigned long long)c->sectors,
                (unsigned long long)c->ideal);
}

static void put_json(FILE *to, const struct row *row, size_t n)
{
    simt_count shared = {0}, global = {0};
    json_findings(to);
    json_launches(to);
    fprintf(to, ",\n \"accesses\": [");
    for (size_t i = 0; i < n; i++) {
        add(row[i].c.flags & SIMT_SHARED ? &shared : &global, &row[i].c);
        fprintf(to, "%s\n  ", i ? "," : "");
        json_row(to, &row[i]);
    }
    fprintf(to,
            "],\n \"totals\": {\"shared_accesses\": %llu, \"conflicts\": %llu, \"shared_bytes\": "
            "%llu, \"global_accesses\": %llu, \"sectors\": %llu, \"least_sectors\": %llu, "
            "\"global_bytes\": %llu, \"flops\": %llu}}\n",
            (unsigned long long)shared.accesses, (unsigned long long)shared.conflicts,
            (unsigned long long)shared.bytes, (unsigned long long)global.accesses,
            (unsigned long long)global.sectors, (unsigned long long)global.ideal,
            (unsigned long long)global.bytes, (unsigned long long)simt_flops);
}

/* ---- the end ---- */

static void write_to(const char *path, const struct row *row, size_t n,
                     void (*put)(FILE *, const struct row *, size_t))
{
    FILE *f = path ? fopen(path, "w") : NULL;
    if (!f)
        return;
    put(f, row, n);
    fclose(f);
}

void simt_report(void)
{
    static bool done;
    size_t n;
    const char *text = getenv("SQUALL_SIMT_TEXT"), *json = getenv("SQUALL_SIMT_JSON");
    if (done)
        return;
    done = true;
    simt_now.running = false;
    struct row *row = resolve(&n);
    n = merge(row, n);
    merge_findings();
    write_to(text, row, n, put_text);
    write_to(json, row, n, put_json);
    if (!text && !json)
        put_text(stderr, row, n);
    free(row);
}

static uintptr_t pc_of(const void *context)
{
    const ucontext_t *u = context;
#if defined(__x86_64__)
    return (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
#else
    return (uintptr_t)u->uc_mcontext.pc;
#endif
}

static void on_crash(int signal, siginfo_t *info, void *context)
{
    char who[96] = "the host's code";
    simt_where at = simt_at_pc(pc_of(context) + 1);
    bool is_stack = simt_is_guard(info->si_addr);
    if (simt_now.running && simt_now.self)
        simt_thread_name(simt_now.self->linear, simt_now.block, who, sizeof who);
    if (simt_found(SIMT_CRASH, &at, NULL)) {
        if (is_stack)
            simt_found_text("local variables of %s need more than %zu KiB of stack "
                            "(SQUALL_SIMT_STACK=KIB sets it)",
                            who, simt_stack_bytes / 1024);
        else if (signal == SIGABRT)
            simt_found_text("%s called abort, as a failed assert does", who);
        else
            simt_found_text("signal %d (%s) at address %p in %s", signal, strsignal(signal),
                            info->si_addr, who);
    }
    simt_report();
    _exit(128 + signal);
}

/* Runs before the constructors of the text, which may end the program. */
__attribute__((constructor(101))) static void start(void)
{
    static char room[65536];
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    struct sigaction a = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &a, NULL);
    atexit(simt_report);
}
