/* Pile: see pile.h. */
#include "tests/fuzz/pile.h"
#include "tuner/measure/case_spec.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *open_in(const pile *b, const char *name, const char *mode)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", b->scratch, name);
    return fopen(path, mode);
}

static void write_file(const pile *b, const char *name, const char *text)
{
    FILE *f = open_in(b, name, "w");
    if (!f || fputs(text, f) < 0 || fclose(f) != 0) {
        fprintf(stderr, "cannot write %s/%s\n", b->scratch, name);
        exit(2);
    }
}

/* Takes text (NULL: the entry is defined elsewhere). */
static int add(pile *b, char *text)
{
    b->why[b->candidates][0] = b->warning[b->candidates][0] = 0;
    b->text[b->candidates] = text;
    return b->candidates++;
}

/* What all candidates of the kernel are compared with: the naive nest, the old file, or plain C. */
static int add_reference(pile *b, const reading *x, sq_diags *d)
{
    char name[32], entry[32];
    sq_text text = {0};
    snprintf(name, sizeof name, "naive%d", b->kernels);
    snprintf(entry, sizeof entry, "naive_entry%d", b->kernels);
    int rc = 0;
    if (x->p->region)
        pile_rename(x->text, name, &text);
    else if (x->p->assumes && x->comparable) /* which the naive nest relies on */
        program_print_c(x->p, x->kernel, name, &text);
    else
        rc = sq_emit_naive(x->kernel, name, &text, d);
    if (rc == 0) {
        pile_entry(x, name, entry, &text);
        sq_text_puts(&b->references, sq_text_str(&text));
        sq_text_printf(&b->reference_table, "    %s,\n", entry);
        b->kernels++;
    }
    sq_text_free(&text);
    return rc;
}

int pile_kernel(pile *b, const reading *x, bool plain, sq_diags *d)
{
    char name[32], entry[32];
    if (add_reference(b, x, d) < 0)
        return -2;
    b->open = x;
    b->open_candidate = b->candidates;
    b->open_case = b->cases;
    if (!plain || x->p->region || x->p->assumes)
        return -1;
    snprintf(name, sizeof name, "plain%d", b->candidates);
    snprintf(entry, sizeof entry, "cand_entry%d", b->candidates);
    program_print_c(x->p, x->kernel, name, &b->references);
    pile_entry(x, name, entry, &b->references);
    return add(b, NULL);
}

/* The bounds are for sums of one statement. Programs of ours heap up thousands of terms on a few
 * elements of an array and go on from there; a term that is missing shows all the same. They divide
 * by nothing near zero, and integers may be `any`: they are made small where they meet others.
 * Where factors may be rounded to 11 bits, sums of some hundred products may tell. */
static char *adapted(char *spec, bool any, bool rounds)
{
    sq_text text = {0};
    for (char *line = strtok(spec, "\n"); line; line = strtok(NULL, "\n")) {
        char name[64];
        double bound;
        if (sscanf(line, "rounding %63s %lf", name, &bound) == 2)
            sq_text_line(&text, "rounding %s %.9g", name, 16 * bound + (rounds ? 0x1p-5 : 0));
        else if (strncmp(line, "positive ", 9) == 0)
            sq_text_line(&text, "positive 0");
        else if (strncmp(line, "integers ", 9) == 0 && any)
            sq_text_line(&text, "integers all");
        else
            sq_text_line(&text, "%s", line);
    }
    return text.s;
}

void pile_case(pile *b, const int64_t *sizes, unsigned long long seed)
{
    char name[32];
    sq_text spec = {0};
    sq_case_spec(b->open->outside, sizes, seed, &spec);
    snprintf(name, sizeof name, "case%d", b->cases++);
    /* Any product of f32 that was drawn may be computed by matrix instructions then. */
    bool rounds = b->open->p->rounds || (b->grid && b->open->p->fp == SQ_FP_FAST);
    char *text = adapted(spec.s, seed & 1, rounds);
    write_file(b, name, text);
    free(text);
    sq_text_free(&spec);
}

void pile_close(pile *b)
{
    for (int c = b->open_case; c < b->cases; c++) {
        sq_text_printf(&b->manifest, "case %d case%d\n", b->kernels - 1, c);
        for (int i = b->open_candidate; i < b->candidates; i++)
            sq_text_printf(&b->manifest, "run %d\n", i);
    }
}

static int add_for_grid(pile *b, const char *name, sq_text *emitted, const sq_kernel *k,
                        sq_diags *d)
{
    sq_text text = {0};
    int rc = pile_grid_text(b->candidates, sq_text_str(emitted), &text, d);
    pile_grid_entry(k, b->candidates, name, &text);
    sq_text_free(emitted);
    if (rc == 0)
        return add(b, text.s);
    sq_text_free(&text);
    return -1;
}

int pile_candidate(pile *b, const sq_schedule *s, const sq_target *target, bool openmp,
                   fault_kind fault, sq_rng *r, sq_diags *d)
{
    char name[32], entry[32];
    snprintf(name, sizeof name, "cand%d", b->candidates);
    snprintf(entry, sizeof entry, "cand_entry%d", b->candidates);
    sq_emit_options o = {
        .target = target,
        .openmp = openmp,
        .function = name,
        .is_static = true,
        .eager = true,
        .is_verified = !fault, /* what is broken on purpose is to be found by running it */
    };
    sq_text text = {0};
    fault_made broken = fault_begin(fault, s->kernel, r);
    int rc = pile_text(b->open, s, &o, &text, d);
    fault_end(&broken);
    if (rc < 0) {
        sq_text_free(&text);
        return -1;
    }
    fault_text(fault, &text.s, r);
    text.n = text.cap = strlen(text.s);
    if (b->grid)
        return add_for_grid(b, name, &text, s->kernel, d);
    pile_entry(b->open, name, entry, &text);
    return add(b, text.s);
}

int pile_shell(const pile *b, const char *what, const char *output)
{
    sq_text command = {0};
    sq_text_printf(&command, "cd '%s' && { %s; } >%s 2>&1", b->scratch, what, output);
    int rc = system(sq_text_str(&command));
    sq_text_free(&command);
    return rc;
}

/* candidates.c without those that are known to be wrong; line[i] is where candidate i begins. */
static void write_candidates(const pile *b, int *line)
{
    sq_text text = {0};
    sq_text_puts(&text, "typedef void entry(void *const *arg);\n"
                        "static void nothing(void *const *arg)\n{\n    (void)arg;\n}\n"
                        "entry *const squall_nothing = nothing;\n");
    int at = 7;
    for (int i = 0; i < b->candidates; i++) {
        line[i] = at;
        const char *code = b->text[i];
        if (b->why[i][0])
            continue;
        if (code)
            sq_text_puts(&text, code);
        else
            sq_text_printf(&text, "void cand_entry%d(void *const *arg);\n", i);
        for (const char *c = code ? code : "\n"; *c; c++)
            at += *c == '\n';
    }
    sq_text_puts(&text, "extern entry *const squall_candidates[];\n"
                        "entry *const squall_candidates[] = {\n");
    for (int i = 0; i < b->candidates; i++)
        sq_text_printf(&text, b->why[i][0] ? "    nothing,\n" : "    cand_entry%d,\n", i);
    sq_text_puts(&text, "};\n");
    write_file(b, "candidates.c", sq_text_str(&text));
    sq_text_free(&text);
}

int pile_build_references(const pile *b)
{
    sq_text text = {0}, command = {0};
    sq_text_printf(&text,
                   "%s\ntypedef void entry(void *const *arg);\n"
                   "entry *const squall_references[] = {\n%s};\n",
                   sq_text_str(&b->references), sq_text_str(&b->reference_table));
    write_file(b, "references.c", sq_text_str(&text));
    write_file(b, "manifest", sq_text_str(&b->manifest));
    sq_text_printf(&command,
                   "{ [ -e case.o ] || %s -std=gnu11 -O1 -w -I%s -c %s/tests/exec/run.c "
                   "%s/runtime/case.c %s/runtime/compare.c %s/runtime/fill.c %s/runtime/locate.c; } && "
                   "%s -std=gnu11 -O1 -w -fwrapv "
                   "-fno-ivopts -ffp-contract=off -I%s "
                   "-c references.c -o references.o",
                   b->cc, b->source, b->source, b->source, b->source, b->source, b->source, b->cc, b->source);
    int rc = pile_shell(b, sq_text_str(&command), "build.log");
    sq_text_free(&text);
    sq_text_free(&command);
    return rc;
}

/* With GNU C, where gcc contracts what it is not told to leave alone. */
static int compile(const pile *b, const char *warnings)
{
    sq_text command = {0};
    sq_text_printf(&command, "%s %s -std=gnu11 %s -c candidates.c -o candidates.o", b->cc,
                   b->cflags, warnings);
    int rc = pile_shell(b, sq_text_str(&command), "build.log");
    sq_text_free(&command);
    return rc;
}

/* Notes what the compiler says of candidates it names; their number. */
static int blame(pile *b, const int *line, char (*note)[WHY_LENGTH], const char *form)
{
    char text[1000];
    int blamed = 0, n;
    FILE *f = open_in(b, "build.log", "r");
    while (f && fgets(text, sizeof text, f)) {
        char *what = strstr(text, "error:");
        if (!what || sscanf(text, "candidates.c:%d:", &n) != 1)
            continue;
        int i = b->candidates - 1;
        while (i > 0 && line[i] > n)
            i--;
        if (note[i][0])
            continue;
        what[strcspn(what, "\n")] = 0;
        bool broke = strstr(text, "internal compiler error:") != NULL;
        snprintf(note[i], WHY_LENGTH, "%s%.200s", broke ? "breaks the compiler: " : form,
                 what + sizeof "error:");
        blamed++;
    }
    if (f)
        fclose(f);
    return blamed;
}

static int build(pile *b)
{
    int line[MOST_PILED];
    if (pile_build_references(b) != 0)
        return -1;
    write_candidates(b, line);
    bool clean = compile(b, "-Wall -Wextra -Werror") == 0;
    if (!clean)
        blame(b, line, b->warning, "");
    while (!clean && compile(b, "-w") != 0) {
        if (blame(b, line, b->why, "does not compile: ") == 0)
            return -1;
        write_candidates(b, line);
    }
    sq_text command = {0};
    sq_text_printf(&command, "%s %s -o pile run.o case.o compare.o fill.o locate.o candidates.o references.o -lm",
                   b->cc, b->cflags);
    int rc = pile_shell(b, sq_text_str(&command), "build.log");
    sq_text_free(&command);
    return rc;
}

/* "wrong 12 C[0][1] is …" */
static int read_results(pile *b)
{
    char line[1000];
    long ran = -1, failed;
    int candidate, at;
    FILE *f = open_in(b, "run.log", "r");
    while (f && fgets(line, sizeof line, f)) {
        at = 0;
        line[strcspn(line, "\n")] = 0;
        if (sscanf(line, "wrong %d %n", &candidate, &at) == 1 && at > 0 &&
            candidate < b->candidates && !b->why[candidate][0])
            snprintf(b->why[candidate], WHY_LENGTH, "%.250s", line + at);
        sscanf(line, "ran %ld failed %ld", &ran, &failed);
    }
    if (f)
        fclose(f);
    b->pairs += ran > 0 ? ran : 0;
    return ran < 0 ? -1 : 0;
}

int pile_run(pile *b)
{
    if (b->candidates == 0)
        return 0;
    if ((b->grid ? pile_grid_build(b) : build(b)) != 0)
        return -1;
    if (!b->grid)
        pile_shell(b, "./pile manifest", "run.log");
    else
        pile_grid_run(b);
    int rc = read_results(b);
    if (b->grid)
        pile_grid_findings(b);
    return rc;
}

void pile_empty(pile *b)
{
    for (int i = 0; i < b->candidates; i++) {
        free(b->text[i]);
        b->text[i] = NULL;
    }
    sq_text_clear(&b->references);
    sq_text_clear(&b->reference_table);
    sq_text_clear(&b->manifest);
    b->candidates = b->kernels = b->cases = 0;
}
