/* Compiles a unit with squall, builds a batch of them with the C compiler, runs and compares. */
#include "check.h"
#include "job.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 10, WORK = 250000 };

void unit_fail(struct unit *u, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    char *said = NULL;
    if (vasprintf(&said, format, list) < 0)
        exit(3);
    va_end(list);
    free(u->said);
    u->said = said;
    u->state = UNIT_FAILED;
}

static int64_t draw_extent(void)
{
    int kind = below(100);
    return kind < 6 ? 0 : kind < 12 ? 1 : kind < 30 ? 2 + below(8) : kind < 65 ? 9 + below(30)
        : kind < 85 ? 40 + below(110) : 250 + below(300);
}

static bool has_constant_arrays(const struct program *p)
{
    for (int a = 0; p->region && a < p->array_count; a++)
        if (p->arrays[a].layout == LAYOUT_CONSTANT && p->arrays[a].dims)
            return true;
    return false;
}

static bool clamps(const struct program *p)
{
    for (int n = 0; n < p->node_count; n++)
        if (p->nodes[n].op == OP_CLAMP)
            return true;
    return false;
}

static void limit_sizes(const struct program *p, int64_t *sizes)
{
    for (int s = 0; s < p->size_count; s++) {
        if (has_constant_arrays(p) && sizes[s] > CONSTANT_SIZE)
            sizes[s] = sizes[s] % CONSTANT_SIZE + 1;
        if ((clamps(p) || p->least_size == 1) && sizes[s] < 1)
            sizes[s] = 1;
        if (p->sizes_fixed >> s & 1)
            sizes[s] = p->fixed[s];
    }
    if (p->related && sizes[0] > sizes[1]) {
        if (p->sizes_fixed & 1)
            sizes[1] = sizes[0];
        else
            sizes[0] = sizes[1];
    }
}

/* True if the evaluator is done within its limit at these sizes, and the arrays are small enough. */
static bool affordable(const struct program *p, const int64_t *sizes)
{
    double bytes = 0;
    for (int a = 0; a < p->array_count; a++) {
        double elements = 1;
        for (int d = 0; d < p->arrays[a].dims; d++)
            elements *= (double)form_value(p->arrays[a].extent[d], sizes);
        bytes += elements * 8;
    }
    if (bytes > 4e6)
        return false;
    struct run r;
    run_fill(&r, p, sizes);
    r.limit = WORK;
    run_evaluate(&r);
    bool done = r.work < WORK;
    if (r.failed)
        fprintf(stderr, "random-kernels: %s: the generator's own access is out of bounds\n", p->name);
    run_free(&r);
    return done && !r.failed;
}

static void halve_largest(int64_t *sizes, int count, int fixed)
{
    int at = -1;
    for (int s = 0; s < count; s++)
        if (!(fixed >> s & 1) && (at < 0 || sizes[s] > sizes[at]))
            at = s;
    if (at >= 0)
        sizes[at] = sizes[at] * 2 / 3;
}

/* One of none, one, odd, and whole vectors. */
static int64_t draw_fixed(const struct program *p)
{
    int kind = below(100);
    if (kind < 4 && !clamps(p) && p->least_size != 1)
        return 0;
    return kind < 12 ? 1 : kind < 62 ? 2 + below(40) : 16 << below(3);
}

/* First what is fixed, then vectors of the others, the last of sizes of which little is left. False
 * where nothing is small enough. */
bool unit_sizes(struct unit *u)
{
    struct program *p = &u->program;
    for (int s = 0; s < p->size_count; s++)
        p->fixed[s] = draw_fixed(p);
    if (p->related && p->sizes_fixed == 3 && p->fixed[0] > p->fixed[1])
        p->fixed[0] = p->fixed[1];
    if (p->related && p->sizes_fixed & 2 && !(p->sizes_fixed & 1))
        p->sizes_fixed &= ~2;
    for (int c = 0; c < CASES; c++) {
        for (int s = 0; s < MAX_SIZES; s++)
            u->sizes[c][s] = s >= p->size_count ? 0 : c < CASES - 1 ? draw_extent() : below(3);
        for (int tries = 0;; tries++) {
            limit_sizes(p, u->sizes[c]);
            if (affordable(p, u->sizes[c]))
                break;
            if (tries == 20)
                return false;
            halve_largest(u->sizes[c], p->size_count, p->sizes_fixed);
        }
    }
    return true;
}

static void write_program(const struct unit *u, const char *folder)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s.%s", folder, u->program.name,
        u->program.region ? "c" : "sq");
    FILE *out = fopen(path, "w");
    if (!out) {
        fprintf(stderr, "random-kernels: cannot write %s\n", path);
        exit(3);
    }
    print_program(&u->program, out);
    fclose(out);
}

static void compile_words(const struct unit *u, const struct options *o, const char *folder,
                          struct job *job)
{
    const struct program *p = &u->program;
    job_word(job, "%s", o->squall);
    job_word(job, "compile");
    job_word(job, "%s/%s.%s", folder, p->name, p->region ? "c" : "sq");
    job_word(job, "-o");
    job_word(job, "%s/%s.out.c", folder, p->name);
    if (!p->region)
        job_word(job, "--header=%s/%s.h", folder, p->name);
    job_word(job, "--target=%s%s", u->target.name, u->target.openmp ? ",openmp" : "");
    char fixes[120] = "";
    for (int s = 0, at = 0; s < p->size_count; s++)
        if (p->sizes_fixed >> s & 1)
            at += snprintf(fixes + at, sizeof fixes - (size_t)at, "%s%s=%lld", at ? "," : "--fix=",
                p->vars[s].name, (long long)p->fixed[s]);
    if (fixes[0])
        job_word(job, "%s", fixes);
    if (u->script[0]) {
        job_word(job, "-e");
        job_word(job, "%s", u->script);
    }
}

char *unit_command(const struct unit *u, const struct options *o, const char *folder)
{
    struct job job = {0};
    char *text = NULL;
    size_t length;
    compile_words(u, o, folder, &job);
    FILE *out = open_memstream(&text, &length);
    for (int w = 0; w < job.count; w++) {
        fprintf(out, strpbrk(job.words[w], " ()") ? "'%s' " : "%s ", job.words[w]);
        free(job.words[w]);
    }
    fclose(out);
    return text;
}

/* Counts in the emitted text how often a region runs as written: its test fell through. */
static void count_original(const struct unit *u, const char *path)
{
    char *text = read_text(path, NULL), call[64], *at;
    snprintf(call, sizeof call, "if (squall_%s_1_applies(", u->program.name);
    at = strstr(text, call);
    at = at ? strstr(at, "} else") : NULL; /* "#endif" behind it where the code is of one ISA */
    at = at ? strchr(at, '{') : NULL;
    if (at) {
        char *edited = NULL;
        if (asprintf(&edited, "%.*s random_original++;%s", (int)(at + 1 - text), text, at + 1) < 0)
            exit(3);
        write_text(path, edited);
        free(edited);
    }
    free(text);
}

static void judge_compile(struct unit *u, struct outcome *o)
{
    bool refused = o->code == 1 || (u->script[0] && o->code == 2);
    if (o->timed_out)
        unit_fail(u, "squall compile takes more than %d s", SECONDS);
    else if (o->code == 0)
        u->state = UNIT_COMPILED;
    else if (refused && strstr(o->text, "error: "))
        u->state = UNIT_REFUSED;
    else
        unit_fail(u, "squall compile ends with %d: %s", o->code, o->text);
    if (u->state == UNIT_REFUSED) {
        free(u->said);
        u->said = o->text;
        o->text = NULL;
    }
}

void unit_compile(struct unit *u, const struct options *o, const char *folder)
{
    struct job job = {.memory_mb = 4096};
    char log[600], path[600];
    write_program(u, folder);
    compile_words(u, o, folder, &job);
    snprintf(log, sizeof log, "%s/squall.log", folder);
    snprintf(path, sizeof path, "%s/%s.out.c", folder, u->program.name);
    struct outcome outcome = job_run(&job, log, SECONDS);
    judge_compile(u, &outcome);
    free(outcome.text);
    if (u->state != UNIT_COMPILED)
        return;
    if (u->program.region)
        count_original(u, path);
    if (o->plant)
        plant(u, path);
}

static void print_argument(const char *type, int at, bool *any, FILE *out)
{
    fprintf(out, "%s", *any ? ", " : "");
    *any = true;
    if (type)
        fprintf(out, "*(%s *)a[%d]", type, at);
    else
        fprintf(out, "a[%d]", at);
}

static const char *scalar_name(enum type type)
{
    return type == F32 ? "float" : type == F64 ? "double" : type_name(type, false);
}

static void print_arguments(const struct program *p, bool *any, FILE *out)
{
    int at = p->size_count;
    for (int s = 0; s < p->size_count; s++)
        if (p->region || !(p->sizes_fixed >> s & 1))
            print_argument(p->size_long[s] ? "int64_t" : "int", s, any, out);
    for (int a = 0; a < p->array_count; a++)
        if (is_parameter(&p->arrays[a]))
            print_argument(p->arrays[a].dims ? NULL : scalar_name(p->arrays[a].type), at++, any,
                out);
}

/* The sizes that K_workspace takes, as the header declares it: what no extent or range needs is no
 * size to squall. */
static void print_sizes(const struct unit *u, const char *folder, FILE *out)
{
    const struct program *p = &u->program;
    char path[600], name[40];
    bool any = false;
    snprintf(path, sizeof path, "%s/%s.h", folder, p->name);
    snprintf(name, sizeof name, "%s_workspace(", p->name);
    char *header = read_text(path, NULL), *list = strstr(header, name);
    for (char *at = list; (at = list ? strpbrk(at, "(,)") : NULL) && *at != ')'; at++) {
        char *end = at + 1 + strcspn(at + 1, ",)"), *word = end;
        while (word[-1] != ' ' && word[-1] != '(')
            word--;
        for (int s = 0; s < p->size_count; s++)
            if (strncmp(word, p->vars[s].name, (size_t)(end - word)) == 0)
                print_argument(p->size_long[s] ? "int64_t" : "int", s, &any, out);
    }
    free(header);
}

/* call_3 calls kernel 3; call_in_3 and workspace_3 its K_in and K_workspace, which regions lack. */
static void print_wrapper(const struct unit *u, int slot, const char *folder, FILE *out)
{
    const struct program *p = &u->program;
    bool any = false;
    fprintf(out, "static void call_%d(void **a)\n{\n    %s(", slot, p->name);
    print_arguments(p, &any, out);
    fprintf(out, ");\n}\n\n");
    if (p->region)
        return;
    any = false;
    fprintf(out, "static int call_in_%d(void **a, void *workspace)\n{\n    return %s_in(", slot,
        p->name);
    print_arguments(p, &any, out);
    fprintf(out, "%sworkspace);\n}\n\n", any ? ", " : "");
    fprintf(out, "static size_t workspace_%d(void **a)\n{\n    (void)a;\n    return %s_workspace(",
        slot, p->name);
    print_sizes(u, folder, out);
    fprintf(out, ");\n}\n\n");
}

static void print_pointers(struct unit **units, int count, const char *declaration,
                           const char *stem, FILE *out)
{
    fprintf(out, "extern %s;\n%s = {", declaration, declaration);
    for (int n = 0; n < count; n++)
        if (units[n]->program.region && strcmp(stem, "call") != 0)
            fprintf(out, "NULL, ");
        else
            fprintf(out, "%s_%d, ", stem, n);
    fprintf(out, "};\n");
}

static void print_table(struct unit **units, int count, const char *folder, FILE *out)
{
    fprintf(out, "#include <stddef.h>\n#include <stdint.h>\n");
    for (int n = 0; n < count; n++) {
        const struct program *p = &units[n]->program;
        if (p->region) {
            fprintf(out, "void %s(", p->name);
            print_parameters(p, out);
            fprintf(out, ");\n");
        } else {
            fprintf(out, "#include \"%s.h\"\n", p->name);
        }
    }
    for (int n = 0; n < count; n++)
        print_wrapper(units[n], n, folder, out);
    print_pointers(units, count, "void (*const random_calls[])(void **)", "call", out);
    print_pointers(units, count, "int (*const random_calls_in[])(void **, void *)", "call_in", out);
    print_pointers(units, count, "size_t (*const random_workspace[])(void **)", "workspace", out);
}

/* clang keeps a function's instruction set from its parallel loops: emitted text asks for words. */
static void add_instruction_set(struct job *job, const struct target *t, const char *compiler)
{
    static const char *const sets[][2] = {
        {"avx2", "-mavx2 -mfma -mf16c"},
        {"avx512", "-mavx512f -mavx512vl -mavx512dq -mavx512bw -mfma -mf16c"}};
    char words[100];
    for (size_t n = 0; t->openmp && strstr(compiler, "clang") && n < 2; n++) {
        if (strcmp(t->name, sets[n][0]) != 0)
            continue;
        snprintf(words, sizeof words, "%s", sets[n][1]);
        for (char *rest, *word = strtok_r(words, " ", &rest); word;
             word = strtok_r(NULL, " ", &rest))
            job_word(job, "%s", word);
    }
}

static struct outcome build(struct unit **units, int count, const struct options *o,
                            const char *folder)
{
    struct job job = {0};
    char path[600];
    snprintf(path, sizeof path, "%s/table.c", folder);
    FILE *out = fopen(path, "w");
    if (!out)
        exit(3);
    print_table(units, count, folder, out);
    fclose(out);
    bool emulated = units[0]->target.emulated;
    job_word(&job, "%s", emulated ? "aarch64-linux-gnu-gcc" : o->compiler);
    job_word(&job, "-O2");
    job_word(&job, "-std=gnu11"); /* of the harness; each emitted text asks for C11 */
    job_word(&job, "-Wall");
    job_word(&job, "-fwrapv"); /* regions: what is written there may overflow */
    if (emulated)
        job_word(&job, "-static");
    if (units[0]->target.openmp)
        job_word(&job, "-fopenmp");
    add_instruction_set(&job, &units[0]->target, o->compiler);
    job_word(&job, "-o");
    job_word(&job, "%s/program", folder);
    job_word(&job, "%s", RANDOM_HARNESS);
    job_word(&job, "%s/table.c", folder);
    for (int n = 0; n < count; n++)
        job_word(&job, "%s/%s.out.c", folder, units[n]->program.name);
    job_word(&job, "-lm");
    snprintf(path, sizeof path, "%s/build.log", folder);
    return job_run(&job, path, 60 * count);
}

/* True if the compiler takes a region's text, as it was written, without a word. */
static bool original_clean(const struct unit *u, const struct options *o, const char *folder)
{
    struct job job = {0};
    char log[600];
    job_word(&job, "%s", u->target.emulated ? "aarch64-linux-gnu-gcc" : o->compiler);
    job_word(&job, "-O2");
    job_word(&job, "-std=c11");
    job_word(&job, "-Wall");
    job_word(&job, "-fwrapv");
    job_word(&job, "-c");
    job_word(&job, "-o");
    job_word(&job, "%s/original.o", folder);
    job_word(&job, "%s/%s.c", folder, u->program.name);
    snprintf(log, sizeof log, "%s/original.log", folder);
    struct outcome outcome = job_run(&job, log, 60);
    bool clean = outcome.code == 0 && outcome.text[0] == 0;
    free(outcome.text);
    return clean;
}

static void judge_unclean(struct unit *u, const char *said, const struct options *o,
                          const char *folder)
{
    unit_fail(u, "the compiler does not take the text cleanly: %.3000s", said);
    if (!u->program.region || original_clean(u, o, folder))
        return;
    free(u->said);
    u->said = strdup("the compiler does not take the region as it is written");
    u->state = UNIT_REFUSED;
}

static void write_size(const struct program *p, int s, int64_t value, FILE *out)
{
    int64_t bytes = p->size_long[s] ? 8 : 4, start = 0;
    int32_t narrow = (int32_t)value;
    fwrite(&bytes, sizeof bytes, 1, out);
    fwrite(&start, sizeof start, 1, out);
    fwrite(&bytes, sizeof bytes, 1, out);
    fwrite(p->size_long[s] ? (void *)&value : (void *)&narrow, (size_t)bytes, 1, out);
}

static void write_case(const struct unit *u, const struct run *r, int slot, FILE *out)
{
    const struct program *p = &u->program;
    int32_t number = slot, count = p->size_count;
    for (int a = 0; a < p->array_count; a++)
        count += is_parameter(&p->arrays[a]);
    fwrite(&number, sizeof number, 1, out);
    fwrite(&count, sizeof count, 1, out);
    for (int s = 0; s < p->size_count; s++)
        write_size(p, s, r->sizes[s], out);
    for (int a = 0; a < p->array_count; a++) {
        if (!is_parameter(&p->arrays[a]))
            continue;
        const struct buffer *b = &r->buffers[a];
        int64_t start = GUARD + b->offset;
        int64_t length = b->elements * type_bytes(p->arrays[a].type);
        fwrite(&b->size, sizeof b->size, 1, out);
        fwrite(&start, sizeof start, 1, out);
        fwrite(&length, sizeof length, 1, out);
        fwrite(b->bytes, 1, (size_t)b->size, out);
    }
}

static void compare_case(struct unit *u, struct run *r, const unsigned char **after)
{
    char *text = NULL;
    size_t length;
    int32_t original;
    memcpy(&original, *after, sizeof original);
    *after += sizeof original;
    u->original += original;
    for (int s = 0; s < u->program.size_count; s++)
        *after += u->program.size_long[s] ? 8 : 4;
    FILE *out = open_memstream(&text, &length);
    bool right = run_compare(r, *after, out);
    fprintf(out, "at");
    for (int s = 0; s < u->program.size_count; s++)
        fprintf(out, " %s=%lld", u->program.vars[s].name, (long long)r->sizes[s]);
    fclose(out);
    if (!right && u->state != UNIT_FAILED)
        unit_fail(u, "%s", text);
    free(text);
    for (int a = 0; a < u->program.array_count; a++)
        if (is_parameter(&u->program.arrays[a]))
            *after += r->buffers[a].size;
    u->compared += r->compared;
    u->unsure += r->unsure;
}

/* What the harness writes: for each case a number, and all arguments. */
static long after_bytes(const struct unit *u, const struct run *runs)
{
    long bytes = 0;
    for (int c = 0; c < CASES; c++) {
        bytes += (long)sizeof(int32_t);
        for (int s = 0; s < u->program.size_count; s++)
            bytes += u->program.size_long[s] ? 8 : 4;
        for (int a = 0; a < u->program.array_count; a++)
            if (is_parameter(&u->program.arrays[a]))
                bytes += (long)runs[c].buffers[a].size;
    }
    return bytes;
}

static void compare_after(struct unit *u, struct run *runs, const char *path)
{
    long length, wanted = after_bytes(u, runs);
    char *bytes = read_text(path, &length);
    const unsigned char *after = (const unsigned char *)bytes;
    if (length != wanted)
        unit_fail(u, "the harness wrote %ld bytes instead of %ld", length, wanted);
    for (int c = 0; c < CASES && length == wanted; c++)
        compare_case(u, &runs[c], &after);
    free(bytes);
}

static void run_once(struct unit *u, struct run *runs, int threads, const char *folder)
{
    struct job job = {.threads = threads, .memory_mb = u->target.emulated ? 0 : 8192};
    char log[600], path[600];
    if (u->target.emulated) {
        job_word(&job, "qemu-aarch64");
        job_word(&job, "-cpu");
        job_word(&job, "max");
    }
    job_word(&job, "%s/program", folder);
    job_word(&job, "%s/in", folder);
    job_word(&job, "%s/after", folder);
    snprintf(log, sizeof log, "%s/run.log", folder);
    snprintf(path, sizeof path, "%s/after", folder);
    struct outcome o = job_run(&job, log, u->target.emulated ? 3 * SECONDS : SECONDS);
    if (o.code != 0) {
        unit_fail(u, o.timed_out ? "the kernel takes more than %d s" : "the kernel ends with %d: %s",
            o.timed_out ? SECONDS : o.code, o.text);
    } else {
        compare_after(u, runs, path);
    }
    free(o.text);
}

static void unit_run(struct unit *u, int slot, const char *folder)
{
    struct run runs[CASES];
    char path[600];
    snprintf(path, sizeof path, "%s/in", folder);
    FILE *in = fopen(path, "wb");
    if (!in)
        exit(3);
    random_seed(u->seed + 77);
    for (int c = 0; c < CASES; c++) {
        run_fill(&runs[c], &u->program, u->sizes[c]);
        runs[c].limit = INT64_MAX;
        write_case(u, &runs[c], slot, in);
        run_evaluate(&runs[c]);
    }
    fclose(in);
    u->state = UNIT_RIGHT;
    for (int t = 1; t <= (u->target.openmp ? 3 : 1) && u->state == UNIT_RIGHT; t++)
        run_once(u, runs, u->target.openmp ? t : 0, folder);
    for (int c = 0; c < CASES; c++)
        run_free(&runs[c]);
}

void units_build_and_run(struct unit **units, int count, const struct options *o,
                         const char *folder)
{
    struct outcome built = build(units, count, o, folder);
    bool clean = built.code == 0 && built.text[0] == 0;
    if (!clean && count > 1) {
        for (int n = 0; n < count; n++)
            units_build_and_run(&units[n], 1, o, folder);
    } else if (!clean) {
        judge_unclean(units[0], built.text, o, folder);
    }
    for (int n = 0; clean && n < count; n++)
        unit_run(units[n], n, folder);
    free(built.text);
}
