/* Batch: many candidates in one program, so that a compiler is started once for all of them. Every
 * candidate has its own function name, from which all its helpers' names are made. */
#include "tests/exec/exec.h"
#include "tuner/measure/case_spec.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *in_scratch(const batch *b, const char *name, char to[600])
{
    snprintf(to, 600, "%s/%s", b->tools->scratch, name);
    return to;
}

static void write_file(const batch *b, const char *name, const char *text)
{
    char path[600];
    FILE *f = fopen(in_scratch(b, name, path), "w");
    if (!f || fputs(text, f) < 0 || fclose(f) != 0) {
        printf("cannot write %s\n", path);
        exit(2);
    }
}

/* Keeps the command of a candidate for messages. */
static void keep_label(batch *b, const char *label)
{
    char name[32];
    snprintf(name, sizeof name, "label%d", b->candidates);
    write_file(b, name, label);
}

/* entry() for a function that takes every size, those with --fix too. */
static void put_handwritten(batch *b, const sq_kernel *k, const char *function, const char *entry)
{
    sq_text *to = &b->references;
    sq_text_printf(to,
                   "#include \"tests/exec/polybench_ref.h\"\n"
                   "void %s(void *const *arg);\nvoid %s(void *const *arg)\n{\n    %s(",
                   entry, entry, function);
    for (int p = 0; p < k->nparams; p++) {
        const sq_param *q = &k->param[p];
        sq_text_puts(to, p ? ", " : "");
        if (q->array)
            sq_text_printf(to, "arg[%d]", p);
        else
            sq_text_printf(to, "*(const %s *)arg[%d]",
                           sq_type_ctype(q->size ? q->size->type : q->scalar->type), p);
    }
    sq_text_puts(to, ");\n}\n");
    b->handwritten = true;
}

static void naive_as_candidate(batch *b, const sq_kernel *k, const char *entry)
{
    char label[200];
    snprintf(label, sizeof label, "the naive nest of %s", k->name);
    sq_text_printf(&b->code, "void %s(void *const *arg);\n", entry);
    sq_text_printf(&b->tables, "    %s,\n", entry);
    keep_label(b, label);
    b->candidates++;
}

int batch_kernel(batch *b, const sq_kernel *k, const char *handwritten, sq_diags *d)
{
    char name[32], entry[32];
    snprintf(name, sizeof name, "naive%d", b->kernels);
    snprintf(entry, sizeof entry, "naive_entry%d", b->kernels);
    if (sq_emit_naive(k, name, &b->references, d) < 0)
        return -1;
    sq_emit_entry(k, name, entry, &b->references);
    b->open_candidate = b->candidates;
    b->open_case = b->cases;
    if (handwritten) {
        naive_as_candidate(b, k, entry);
        snprintf(entry, sizeof entry, "ref_entry%d", b->kernels);
        put_handwritten(b, k, handwritten, entry);
    }
    sq_text_printf(&b->reference_table, "    %s,\n", entry);
    return b->kernels++;
}

void batch_case(batch *b, const sq_kernel *k, const int64_t *sizes, unsigned long long seed,
                const char *more)
{
    char name[32];
    sq_text spec = {0};
    sq_case_spec(k, sizes, seed, &spec);
    sq_text_puts(&spec, more);
    snprintf(name, sizeof name, "case%d", b->cases);
    write_file(b, name, sq_text_str(&spec));
    sq_text_free(&spec);
    b->cases++;
}

void batch_close(batch *b)
{
    for (int c = b->open_case; c < b->cases; c++) {
        sq_text_printf(&b->manifest, "case %d case%d\n", b->kernels - 1, c);
        for (int i = b->open_candidate; i < b->candidates; i++)
            sq_text_printf(&b->manifest, "run %d\n", i);
    }
}

static const char *label_of(const batch *b, int candidate, char *to, size_t n)
{
    char path[600], name[32];
    snprintf(name, sizeof name, "label%d", candidate);
    FILE *f = fopen(in_scratch(b, name, path), "r");
    to[f ? fread(to, 1, n - 1, f) : 0] = 0;
    if (f)
        fclose(f);
    return to;
}

/* What is emitted for one target. */
static sq_emit_options options_for(const tools *t, int target, const char *name)
{
    return (sq_emit_options){
        .target = t->target[target],
        .openmp = t->openmp,
        .function = name,
        .is_static = t->ntargets == 1,
        .is_section = t->ntargets > 1,
        .is_local = true,
        .eager = true,
        .is_verified = true,
    };
}

static sq_dispatch dispatch_of(const batch *b)
{
    sq_dispatch x = {.n = b->tools->ntargets, .first = "cand", .is_local = true};
    memcpy(x.target, b->tools->target, sizeof x.target);
    return x;
}

/* As in a file that squall compile --targets writes: a section for each target, then the function that calls the one
 * in use. */
static int emit_library(const batch *b, const sq_schedule *const *s, const char *name, sq_text *to, sq_diags *d)
{
    sq_arena *arena = sq_arena_new();
    sq_dispatch x = dispatch_of(b);
    int rc = 0;
    for (int t = 0; t < x.n && rc == 0; t++) {
        sq_emit_options o = options_for(b->tools, t, sq_dispatch_name(name, x.target[t], arena));
        sq_dispatch_begin(x.target[t], to);
        rc = sq_emit_source(s[t], &o, to, d);
        sq_dispatch_end(x.target[t], to);
    }
    if (rc == 0)
        sq_dispatch_kernel(&x, s[0]->kernel, name, false, to);
    sq_arena_free(arena);
    return rc;
}

static int emit(const batch *b, const sq_schedule *const *s, const char *name, sq_text *to, sq_diags *d)
{
    if (b->tools->ntargets > 1)
        return emit_library(b, s, name, to, d);
    sq_emit_options o = options_for(b->tools, 0, name);
    return sq_emit_source(s[0], &o, to, d);
}

int batch_candidate(batch *b, const sq_schedule *const *s, const char *label)
{
    char name[32], entry[32];
    snprintf(name, sizeof name, "cand%d", b->candidates);
    snprintf(entry, sizeof entry, "cand_entry%d", b->candidates);
    sq_diags *d = sq_diags_new();
    sq_text text = {0};
    int rc = emit(b, s, name, &text, d);
    if (rc < 0 && sq_diags_fault(d) == SQ_FAULT_REFUSED) {
        rc = 1;
    } else if (rc < 0) {
        printf("FAILED %s\n    not emitted: %s\n", label, sq_diags_message(d, 0));
        b->failed++;
    } else {
        sq_text_printf(&b->code, "\n/* %s */\n%s", label, sq_text_str(&text));
        sq_emit_entry(s[0]->kernel, name, entry, &b->code);
        sq_text_printf(&b->tables, "    %s,\n", entry);
        keep_label(b, label);
        b->candidates++;
    }
    sq_text_free(&text);
    sq_diags_free(d);
    return rc;
}

static int shell(const batch *b, const char *what, const char *output)
{
    sq_text command = {0};
    sq_text_printf(&command, "cd '%s' && { %s; } >%s 2>&1", b->tools->scratch, what, output);
    int rc = system(sq_text_str(&command));
    sq_text_free(&command);
    return rc;
}

static void show(const batch *b, const char *name)
{
    char path[600], line[1000];
    FILE *f = fopen(in_scratch(b, name, path), "r");
    for (int i = 0; f && i < 40 && fgets(line, sizeof line, f); i++)
        printf("    %s", line);
    if (f)
        fclose(f);
}

/* Compiled once for all batches: the program that runs one, and the plain C that PolyBench's kernels are
 * compared with. Flags of the candidates are for what is tested alone. */
static const struct {
    const char *source, *object, *flags;
    bool is_handwritten;
} parts[] = {
    {"tests/exec/run.c", "run.o", "-O1", false},
    {"runtime/case.c", "case.o", "-O1", false},
    {"runtime/compare.c", "compare.o", "-O1", false},
    {"runtime/fill.c", "fill.o", "-O1", false},
    {"runtime/locate.c", "locate.o", "-O1", false},
    {"tests/exec/polybench_ref.c", "handwritten.o", "-O1 -ffp-contract=off -Wall -Wextra -Werror",
     true},
    {"tests/exec/polybench_ref2.c", "handwritten2.o", "-O1 -ffp-contract=off -Wall -Wextra -Werror",
     true},
};
enum { PARTS = sizeof parts / sizeof *parts };

/* "cc -c x.c -o x.o && " for each part whose object is not there; adds the objects to `objects`. */
static void put_parts(const batch *b, sq_text *command, sq_text *objects)
{
    const tools *t = b->tools;
    char path[600];
    for (int i = 0; i < PARTS; i++) {
        if (parts[i].is_handwritten && !b->handwritten)
            continue;
        sq_text_printf(objects, " %s", parts[i].object);
        if (access(in_scratch(b, parts[i].object, path), R_OK) != 0)
            sq_text_printf(command, "%s %s -std=gnu11 -I%s -c %s/%s -o %s && ", t->cc, parts[i].flags, t->source,
                           t->source, parts[i].source, parts[i].object);
    }
}

static const char *flags_of(const batch *b)
{
    return b->tools->others && b->turn % 8 ? b->tools->others : b->tools->cflags;
}

/* Which target is used, and a function that run.c asks for it. */
static void put_choice(const batch *b, sq_text *to)
{
    sq_dispatch x = dispatch_of(b);
    sq_dispatch_choice(&x, to);
    sq_text_puts(to, "const char *squall_isa(void);\n"
                     "const char *squall_isa(void)\n{\n    return sq_cand_targets[sq_cand_number()].name;\n}\n");
}

static int build(batch *b, const char *warnings)
{
    const tools *t = b->tools;
    sq_text text = {0}, command = {0}, objects = {0};
    if (t->ntargets > 1)
        put_choice(b, &text);
    sq_text_printf(&text,
                   "%s\ntypedef void entry(void *const *arg);\n"
                   "extern entry *const squall_candidates[];\n"
                   "entry *const squall_candidates[] = {\n%s};\n",
                   sq_text_str(&b->code), sq_text_str(&b->tables));
    write_file(b, "candidates.c", sq_text_str(&text));
    sq_text_clear(&text);
    sq_text_printf(&text,
                   "%s\ntypedef void entry(void *const *arg);\n"
                   "entry *const squall_references[] = {\n%s};\n",
                   sq_text_str(&b->references), sq_text_str(&b->reference_table));
    write_file(b, "references.c", sq_text_str(&text));
    write_file(b, "manifest", sq_text_str(&b->manifest));
    put_parts(b, &command, &objects);
    sq_text_printf(&command,
                   "%s %s -std=c11 %s -c candidates.c -o candidates.o && "
                   "%s -std=gnu11 -O1 -w -I%s -c references.c -o references.o && "
                   "%s %s -o batch candidates.o references.o%s -lm",
                   t->cc, flags_of(b), warnings, t->cc, t->source, t->cc, t->cflags,
                   sq_text_str(&objects));
    int rc = shell(b, sq_text_str(&command), "build.log");
    sq_text_free(&objects);
    sq_text_free(&text);
    sq_text_free(&command);
    return rc;
}

/* "wrong 12 C[0][1] is …" */
static void tell(batch *b, const char *line)
{
    char label[4000];
    int candidate, at = 0;
    long ran, failed;
    if (sscanf(line, "wrong %d %n", &candidate, &at) == 1 && at > 0)
        printf("FAILED %s\n    %s", label_of(b, candidate, label, sizeof label), line + at);
    else if (sscanf(line, "ran %ld failed %ld", &ran, &failed) == 2)
        b->ran += ran, b->failed += failed;
    else
        printf("    %s", line);
}

/* Once with what the machine takes, or with `isa` forced. */
static void run_once(batch *b, const char *isa)
{
    char path[600], line[4000], command[300];
    long before = b->ran, good = b->failed;
    snprintf(command, sizeof command, "%s%s%s%s ./batch manifest%s", isa ? "export SQUALL_ISA=" : "", isa ? isa : "",
             isa ? "; " : "", b->tools->emulator, b->handwritten ? " --finite" : "");
    int rc = shell(b, command, "run.log");
    FILE *f = fopen(in_scratch(b, "run.log", path), "r");
    while (f && fgets(line, sizeof line, f))
        tell(b, line);
    if (f)
        fclose(f);
    if (rc != 0 || b->ran == before) {
        printf("FAILED the program of a batch ended with status %d\n", rc);
        b->failed++;
    }
    if (b->failed > good)
        printf("    built with %s%s%s\n", flags_of(b), isa ? ", SQUALL_ISA=" : "", isa ? isa : "");
}

static void run_it(batch *b)
{
    const tools *t = b->tools;
    for (int i = 0; i < t->ntargets; i++)
        if (t->ntargets == 1 || sq_target_runs_here(t->target[i]))
            run_once(b, t->ntargets == 1 ? NULL : t->target[i]->name);
}

/* What projects compile their own code with: emitted text is to be in no one's way. clang warns of the counters that it
 * makes itself of loops which threads share, so that -Wsign-conversion is gcc's alone. */
static const char strict[] =
    "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wundef "
    "-Wcast-qual -Wmissing-prototypes -Wstrict-prototypes -Werror";
static const char strict_clang[] =
    "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wundef "
    "-Wcast-qual -Wmissing-prototypes -Wstrict-prototypes -Werror";

void batch_run(batch *b)
{
    bool built =
        b->candidates > 0 && build(b, strstr(b->tools->cc, "clang") ? strict_clang : strict) == 0;
    if (b->candidates > 0 && !built) {
        printf("FAILED to build without a warning with %s:\n", flags_of(b));
        show(b, "build.log");
        b->failed++;
        built = build(b, "-w") == 0;
    }
    if (built)
        run_it(b);
    fflush(stdout);
    sq_text_clear(&b->code);
    sq_text_clear(&b->tables);
    sq_text_clear(&b->references);
    sq_text_clear(&b->reference_table);
    sq_text_clear(&b->manifest);
    b->candidates = b->kernels = b->cases = 0;
    b->turn++;
}
