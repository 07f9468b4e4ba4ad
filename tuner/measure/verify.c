/* Verify: see verify.h. */
#include "tuner/measure/verify.h"
#include "codegen/emit.h"
#include "support/file.h"
#include "support/memory.h"
#include "support/words.h"
#include "tuner/measure/case_spec.h"
#include "tuner/measure/child.h"
#include "tuner/measure/inputs.h"
#include "tuner/proof/promise.h"
#include "tuner/proof/ucn.h"
#include "tuner/measure/toolchain.h"
#include "tuner/measure/workdir.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 512 };
static const size_t most_made = (size_t)1 << 30; /* limit on the bytes that a compiler writes */

/* A kernel, and rows of its sizes. */
struct subject {
    const sq_kernel *k;
    const int64_t *size;
    int rows;
    sq_inputs inputs;
};

struct sq_verify {
    sq_run_options o;
    sq_diags *d;
    sq_workdir dir;
    char harness[PATH_MAX];
    sq_argv compiler;
    int nkernels;
    struct subject *kernel;
    const char *flags, *folder; /* of the text; the caller owns the folder */
    bool frees_at_end;          /* the text frees its memory at exit, as it declares */
    sq_child_end end;           /* end of the last child */
};

sq_verify *sq_verify_open(const sq_run_options *o, sq_diags *d)
{
    sq_verify *v = sq_allocated(calloc(1, sizeof *v));
    v->o = *o;
    v->d = d;
    v->o.threads = o->threads > 1 ? o->threads : 1;
    v->o.build_timeout = o->build_timeout > 0 ? o->build_timeout : 60;
    v->o.run_timeout = o->run_timeout > 0 ? o->run_timeout : 10;
    if (sq_workdir_open(&v->dir, d) < 0 ||
        sq_harness_find(o->harness, v->harness, sizeof v->harness, d) < 0 ||
        sq_compiler_words(o->cc, o->cflags, &v->compiler, d) < 0)
        return sq_verify_close(v);
    return v;
}

sq_verify *sq_verify_close(sq_verify *v)
{
    if (!v)
        return NULL;
    sq_workdir_close(&v->dir);
    sq_argv_free(&v->compiler);
    sq_child_end_free(&v->end);
    free(v->kernel);
    free((char *)v->folder);
    free(v);
    return NULL;
}

/* ---- building ---- */

static void fail(sq_verdict *verdict, sq_status status, const char *message)
{
    verdict->status = status;
    snprintf(verdict->message, sizeof verdict->message, "%.390s", message);
}

/* Runs the compiler with these arguments on NAME.c, with the output NAME and the suffix. */
static int compile(sq_verify *v, const char *name, const char *suffix, const char *const *words,
                   const char *folder, sq_verdict *verdict)
{
    sq_argv a = {0};
    sq_argv_add(&a, "env"); /* temporary files of a killed compiler are removed with our folder */
    sq_argv_printf(&a, "TMPDIR=%s", v->dir.path);
    for (int i = 0; i < v->compiler.n; i++)
        sq_argv_add(&a, v->compiler.word[i]);
    for (; *words; words++)
        sq_argv_split(&a, *words);
    if (folder)
        sq_argv_printf(&a, "-I%s", folder);
    sq_argv_printf(&a, "-o%s/%s%s", v->dir.path, name, suffix);
    sq_argv_printf(&a, "%s/%s.c", v->dir.path, name);
    sq_argv_split(&a, "-lm -lc");
    sq_argv_openmp(&a, &v->compiler, v->o.cflags);
    sq_child_run(a.word, v->o.build_timeout, &v->end);
    sq_argv_free(&a);
    if (v->end.started && !v->end.timed_out && v->end.status == 0 && !v->end.signal)
        return 0;
    char message[300] = "the compiler took too long";
    if (!v->end.timed_out)
        sq_child_first_error(&v->end, message, sizeof message);
    fail(verdict, v->end.started ? SQ_BUILD_FAILED : SQ_LOST, message);
    return -1;
}

static int write_text(sq_verify *v, const char *name, const char *text, sq_verdict *verdict)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s.c", v->dir.path, name);
    if (sq_workdir_write(path, text) == 0)
        return 0;
    fail(verdict, SQ_LOST, "cannot write the text");
    return -1;
}

/* Builds the library NAME.so from the text. */
static int build(sq_verify *v, const char *name, const char *text, const char *flags,
                 const char *folder, sq_verdict *verdict)
{
    const char *words[] = {"-Werror=implicit-function-declaration", flags, NULL};
    return write_text(v, name, text, verdict) < 0 ? -1
                                                  : compile(v, name, ".so", words, folder, verdict);
}

static void rows_path(const sq_verify *v, int kernel, char to[PATH_BYTES])
{
    snprintf(to, PATH_BYTES, "%s/rows-%d", v->dir.path, kernel);
}

static bool has_real(const sq_kernel *k)
{
    bool has = false;
    for (int i = 0; i < k->narrays; i++)
        has |= sq_type_real(k->array[i]->type);
    return has;
}

/* The naive nest, in double, and if the kernel's arithmetic is another one, the nest as written, which tells wrong
 * results from numbers that are beyond the kernel's types. */
static int naive_text(const sq_verify *v, const sq_kernel *k, sq_text *to)
{
    int rc = sq_emit_naive(k, "squall_naive", to, v->d);
    sq_emit_entry(k, "squall_naive", SQ_ENTRY, to);
    if (rc < 0 || k->fp == SQ_FP_STRICT || !has_real(k))
        return rc;
    rc = sq_emit_plain(k, "squall_plain", to, v->d);
    sq_emit_entry(k, "squall_plain", SQ_ENTRY_AS_WRITTEN, to);
    return rc;
}

static int build_naive(sq_verify *v, const struct subject *s)
{
    char name[40];
    sq_text text = {0};
    sq_verdict verdict;
    snprintf(name, sizeof name, "naive-%d", (int)(s - v->kernel));
    int rc = naive_text(v, s->k, &text);
    if (rc == 0 && build(v, name, sq_text_str(&text), "-O2", NULL, &verdict) < 0)
        rc = sq_error(v->d, SQ_FAULT_WORLD, SQ_NOWHERE, "%s cannot build the naive nest: %s",
                      v->compiler.word[0], verdict.message);
    sq_text_free(&text);
    return rc;
}

int sq_verify_kernel(sq_verify *v, const sq_kernel *k, const int64_t *rows, int n)
{
    struct subject *more = sq_allocated(realloc(v->kernel, (size_t)(v->nkernels + 1) * sizeof *more));
    v->kernel = more;
    struct subject *s = &more[v->nkernels++];
    *s = (struct subject){.k = k, .size = rows, .rows = n};
    s->inputs = sq_inputs_of(k, (const char *const *)v->compiler.word, v->compiler.n);
    if (build_naive(v, s) < 0 || sq_verify_rows(v, v->nkernels - 1, rows, n) < 0)
        return -1;
    return v->nkernels - 1;
}

int sq_verify_rows(sq_verify *v, int kernel, const int64_t *rows, int n)
{
    struct subject *s = &v->kernel[kernel];
    s->size = rows;
    s->rows = n;
    char path[PATH_BYTES];
    sq_text text = {0};
    for (int row = 0; row < n; row++)
        sq_inputs_put(&s->inputs, rows + (ptrdiff_t)row * s->k->nsizes, row, v->o.seed, &text);
    rows_path(v, kernel, path);
    int rc = sq_workdir_write(path, sq_text_str(&text));
    sq_text_free(&text);
    return rc ? sq_error(v->d, SQ_FAULT_WORLD, SQ_NOWHERE, "cannot write %s", path) : 0;
}

extern const char sq_memory_guard[]; /* runtime/memory_guard.c */
static const char guarded[] = "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free";

int sq_verify_build(sq_verify *v, const char *text, const char *flags, const char *folder,
                    sq_verdict *verdict)
{
    static const char hidden[] = "#define SQ_INTERNAL(...)\n#define SQ_ASSUME(x)\n"
                                 "#define SQ_RUN(...) __VA_ARGS__\n#define SQ_ASK(...) "
                                 "__VA_ARGS__\n#define SQ_PROVE(...)\n";
    sq_text own = {0};
    *verdict = (sq_verdict){.status = SQ_OK};
    free((char *)v->folder);
    v->folder = folder ? strdup(folder) : NULL;
    v->flags = flags;
    v->frees_at_end = strstr(text, "destructor") != NULL;
    sq_text_printf(&own, "%s%s#line 1\n%s", hidden, sq_memory_guard, text);
    sq_text words = {0};
    sq_text_printf(&words, "%s %s", flags, guarded);
    int rc = build(v, "text", sq_text_str(&own), sq_text_str(&words), folder, verdict);
    sq_text_free(&words);
    sq_text_free(&own);
    return rc == 0 ? write_text(v, "cover", text, verdict) : -1;
}

/* ---- running ---- */

/* Returns the memory of the largest row: the arrays, their copies and what the text allocates. */
static double memory_of(const sq_verify *v, const struct subject *s)
{
    double bytes = 0, threads = v->o.threads;
    for (int row = 0; row < s->rows; row++)
        bytes = fmax(bytes, sq_case_bytes(s->k, s->size + (ptrdiff_t)row * s->k->nsizes));
    return 8 * bytes + (2 + threads / 4) * 1073741824.0;
}

/* Parses the reply for the last row. */
static void read_last(const char *line, sq_verdict *verdict)
{
    static const struct {
        const char *word;
        sq_status status;
    } ends[] = {{"wrong ", SQ_WRONG},
                {"crashed ", SQ_CRASHED},
                {"slow ", SQ_TIMEOUT},
                {"unbuilt ", SQ_BUILD_FAILED},
                {"lost ", SQ_LOST}};
    char text[300];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t n = strlen(ends[i].word);
        if (strncmp(text, ends[i].word, n) != 0)
            continue;
        char *message = text + n;
        if (ends[i].status == SQ_WRONG)
            verdict->error = strtod(message, &message);
        fail(verdict, ends[i].status, message + (*message == ' '));
        return;
    }
    fail(verdict, SQ_CRASHED, "ended without a reply");
}

static void read_rows(const char *line, int rows, sq_verdict *verdict)
{
    while (strncmp(line, "ok ", 3) == 0) {
        char *at;
        verdict->row++;
        verdict->error = fmax(verdict->error, strtod(line + 3, &at));
        verdict->seconds = fmax(verdict->seconds, strtod(at, &at));
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    if (verdict->row < rows)
        read_last(line, verdict);
}

static void read_end(const sq_verify *v, int rows, sq_verdict *verdict)
{
    char text[100];
    *verdict = (sq_verdict){.status = SQ_OK};
    read_rows(v->end.out, rows, verdict);
    if (!v->end.started) {
        fail(verdict, SQ_LOST, v->end.err);
    } else if (v->end.timed_out) {
        fail(verdict, SQ_TIMEOUT, "took too long");
    } else if (v->end.is_cut && verdict->status != SQ_OK) {
        fail(verdict, SQ_CRASHED, "prints more than any reply");
    } else if (v->end.signal) {
        snprintf(text, sizeof text, "ended by signal %d (%s)", v->end.signal,
                 strsignal(v->end.signal));
        fail(verdict, SQ_CRASHED, text);
    } else if (v->end.status && verdict->status == SQ_OK) { /* a failure of the text at exit */
        snprintf(text, sizeof text, "ended with status %d behind the last row", (int)v->end.status);
        fail(verdict, SQ_CRASHED, text);
    }
}

static void run(sq_verify *v, int kernel, const char *name, const char *entry, sq_verdict *verdict)
{
    const struct subject *s = &v->kernel[kernel];
    double all = v->o.run_timeout * s->rows + 10;
    char path[PATH_BYTES];
    sq_argv a = {0};
    sq_argv_add(&a, "env"); /* freed memory is reported as free at once (runtime/leak.h) */
    sq_argv_add(&a, "GLIBC_TUNABLES=glibc.malloc.tcache_count=0");
    sq_argv_add(&a, v->harness);
    sq_argv_add(&a, "rows");
    rows_path(v, kernel, path);
    sq_argv_add(&a, path);
    sq_argv_printf(&a, "%s/naive-%d.so", v->dir.path, kernel);
    sq_argv_printf(&a, "%s/%s.so", v->dir.path, name);
    sq_argv_printf(&a, "entry=%s", entry);
    sq_argv_printf(&a, "rows=%d", s->rows);
    if (strcmp(name, "ran") == 0) /* another build rounds differently */
        sq_argv_printf(&a, "ran=%s/ran", v->dir.path);
    else if (v->frees_at_end)
        sq_argv_add(&a, "ends=1");
    sq_argv_printf(&a, "seconds=%g", v->o.run_timeout);
    sq_argv_printf(&a, "memory=%.0f", memory_of(v, s));
    sq_argv_printf(&a, "cpulimit=%.0f", ceil(all * v->o.threads));
    sq_child_run(a.word, all, &v->end);
    sq_argv_free(&a);
    read_end(v, s->rows, verdict);
}

void sq_verify_run(sq_verify *v, int kernel, const char *entry, sq_verdict *verdict)
{
    run(v, kernel, "text", entry, verdict);
}

/* ---- blocks ---- */

/* Returns NAME.c after preprocessing; NULL with the verdict filled. */
static char *preprocessed(sq_verify *v, const char *name, const char *folder, sq_verdict *verdict)
{
    const char *const words[] = {"-E", v->flags, NULL}; /* __OPTIMIZE__ is tested */
    char path[PATH_BYTES];
    if (compile(v, name, ".i", words, folder, verdict) < 0)
        return NULL;
    snprintf(path, sizeof path, "%s/%s.i", v->dir.path, name);
    char *text = sq_file_read_made(v->d, path, most_made, NULL);
    if (!text)
        fail(verdict, SQ_LOST, "cannot read what the preprocessor wrote");
    sq_ucn_decode(text ? text : (char[]){0});
    return text;
}

/* Traps on accesses that are not aligned for their type: CPUs may allow them, compilers need
 * not. */
static const char counted_flags[] =
    "-O1 -w -fsanitize=alignment -fsanitize-undefined-trap-on-error";

/* Turns directives that unroll loops into comments: the blocks, and what is reachable, are the
 * same, and compilers take a third of the time. */
static void roll(char *text)
{
    static const char directive[] = "#pragma GCC unroll";
    for (char *p = text; p && (p = strstr(p, directive)); p += sizeof directive - 1)
        memcpy(p, "//", 2);
}

int sq_verify_cover(sq_verify *v, int lines, bool operands, sq_arena *arena, sq_blocks *b,
                    sq_verdict *verdict)
{
    sq_text marked = {0}, text = {0};
    *verdict = (sq_verdict){.status = SQ_OK};
    char *from = preprocessed(v, "cover", v->folder, verdict);
    int rc = from ? 0 : -1;
    sq_macros_undefine(from ? from : "", false,
                       &marked); /* macros are expanded here, including their names */
    if (rc == 0 && sq_blocks_mark(from, lines, operands, arena, &marked, b) < 0) {
        fail(verdict, SQ_BUILD_FAILED, b->why);
        rc = -1;
    }
    sq_text_printf(&text,
                   "#define SQ_INTERNAL(...)\n#define SQ_ASSUME(x)\n"
                   "#define SQ_RUN(...) __VA_ARGS__\n#define SQ_ASK(...)\n#define SQ_PROVE(...)\n"
                   "#define SQ_RAN(n) (squall_ran[n] = 1)\n"
                   "#define SQ_BLOCKS %d\n"
                   "#define SQ_SAW(n, m, x) (squall_ran[(x) ? n : m] = 1)\n"
                   "extern const int squall_blocks;\nextern unsigned char squall_ran[];\n"
                   "const int squall_blocks = %d;\nunsigned char squall_ran[%d];\n%s",
                   b->n, b->n, b->n + 1, sq_text_str(&marked));
    roll(text.s);
    if (rc == 0)
        rc = build(v, "ran", sq_text_str(&text), counted_flags, v->folder, verdict);
    sq_text_clear(&text);
    sq_text_printf(
        &text,
        "#define SQ_INTERNAL(...) __VA_ARGS__\n#define SQ_RUN(...)\n#define SQ_ASK(...)\n"
        "#define SQ_PROVE(...) __VA_ARGS__\n"
        "extern int squall_any(void);\nextern void *squall_where(void);\n"
        "#define SQ_ASSUME(x) do { if (!(x)) __builtin_trap(); } while (0)\n"
        "#define SQ_RAN(n) __asm__ volatile(\"# sq_block_\" #n)\n"
        "#define SQ_NUMBER(n) SQ_RAN(n)\n#define SQ_BLOCKS %d\n"
        "#define SQ_SAW(n, m, x) ((x) ? ({ SQ_NUMBER(n); }) : ({ SQ_NUMBER(m); }))\n%s",
        b->n, sq_promise_macros);
    sq_promise_strike(sq_text_str(&marked), &text);
    roll(text.s);
    if (rc == 0)
        rc = write_text(v, "proof", sq_text_str(&text), verdict);
    sq_text_free(&marked);
    sq_text_free(&text);
    free(from);
    return rc;
}

int sq_verify_blocks(sq_verify *v, const char *text, sq_arena *arena, sq_blocks *b,
                     sq_verdict *verdict)
{
    sq_text unread = {0};
    *verdict = (sq_verdict){.status = SQ_OK};
    bool written = write_text(v, "own", text, verdict) == 0;
    char *own = written ? preprocessed(v, "own", NULL, verdict) : NULL;
    int rc = own ? sq_blocks_mark(own, INT_MAX, true, arena, &unread, b) : -1;
    if (own && rc < 0)
        fail(verdict, SQ_BUILD_FAILED, b->why);
    sq_text_free(&unread);
    free(own);
    return rc;
}

void sq_verify_run_cover(sq_verify *v, int kernel, const char *entry, const sq_blocks *b, bool *ran,
                         sq_verdict *verdict)
{
    char path[PATH_BYTES];
    size_t n = 0;
    run(v, kernel, "ran", entry, verdict);
    if (verdict->status != SQ_OK)
        return;
    snprintf(path, sizeof path, "%s/ran", v->dir.path);
    char *digits = sq_file_read_made(v->d, path, (size_t)b->n, &n);
    for (int i = 0; n == (size_t)b->n && i < b->n; i++)
        ran[i] |= digits[i] == '1';
    if (!digits || n != (size_t)b->n)
        fail(verdict, SQ_LOST, "the blocks that ran were not said");
    free(digits);
    remove(path); /* the next run writes its own */
}

/* Returns the text as optimised assembly. Undefined behaviour must not be exploited: a fault must
 * run, not vanish. What nothing here sets, other files may. */
static char *assembly(sq_verify *v, const char *threads, char *why, size_t n)
{
#define OF_ALL                                                                                     \
    "-S -O2 -w -fwrapv -fno-strict-overflow -fno-strict-aliasing "                                 \
    "-fno-delete-null-pointer-checks -fno-finite-loops "
#define OF_GCC                                                                                     \
    "-fwhole-program -fno-aggressive-loop-optimizations -fno-ipa-reference "                       \
    "-fno-ipa-reference-addressable "
#define OF_NEW "-ftrivial-auto-var-init=pattern"
    /* clang must assume that other files call a function, and proves less. */
    const char *const tries[][3] = {{OF_ALL OF_GCC OF_NEW, threads, NULL},
                                    {OF_ALL OF_NEW, threads, NULL},
                                    {OF_ALL OF_GCC, threads, NULL}};
    char path[PATH_BYTES];
    sq_verdict verdict;
    int rc = -1;
    for (size_t i = 0; rc < 0 && i < sizeof tries / sizeof *tries; i++)
        rc = compile(v, "proof", ".s", tries[i], v->folder, &verdict);
    snprintf(path, sizeof path, "%s/proof.s", v->dir.path);
    char *text = rc < 0 ? NULL : sq_file_read_made(v->d, path, most_made, NULL);
    if (!text)
        snprintf(why, n, "%s", rc < 0 ? verdict.message : "its output cannot be read");
    return text;
}

/* True if threads have private copies of variables, whose initial value may differ from the text's,
 * or communicate, so that no single thread determines a value. */
static bool has_copies(const sq_blocks *b)
{
    static const char *const clauses[] = {"private",  "reduction", "linear", "copyin", "atomic",
                                          "critical", "task",      "single", "master", "sections",
                                          "masked",   "ordered",   "flush"};
    bool found = false;
    for (const sq_token *t = b->token; t->kind != SQ_TOKEN_END; t++)
        for (size_t i = 0; t->kind == SQ_TOKEN_DIRECTIVE && i < sizeof clauses / sizeof *clauses;
             i++)
            found |= memmem(t->at, (size_t)t->n, clauses[i], strlen(clauses[i])) != NULL;
    return found;
}

/* Clears proven[] for blocks that the assembly contains. */
static bool strike_present(sq_verify *v, const sq_blocks *b, const char *threads, bool *proven,
                           char *why, size_t n)
{
    char *text = assembly(v, threads, why, n);
    for (const char *p = text; p && (p = strstr(p, "# sq_block_")); p++) {
        long block = strtol(p + 11, NULL, 10);
        if (block >= 0 && block < b->n)
            proven[block] = false;
    }
    free(text);
    return text != NULL;
}

/* Without threads the loops are the same, and no facts are lost between functions; if threads have
 * private copies the build with threads is used as well. */
bool sq_verify_prove(sq_verify *v, const sq_blocks *b, bool *proven, char *why, size_t n)
{
    for (int i = 0; i < b->n; i++)
        proven[i] = true;
    return strike_present(v, b, "-fno-openmp", proven, why, n) &&
           (!has_copies(b) || strike_present(v, b, "-fopenmp", proven, why, n));
}
