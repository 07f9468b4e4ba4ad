/* Pile, for a target whose kernels run as a grid: every candidate is CUDA text, rewritten as C++
 * (tuner/measure/cuda_text.h) and run by runtime/simt. Its entry moves the arrays to device memory and
 * back, outputs, too, whose elements that nothing writes stay as they are; for the second of two
 * calls to places one element further, where nothing stands aligned. What the library finds makes a
 * candidate wrong, too. */
#include "tuner/measure/cuda_text.h"
#include "codegen/nest/base.h"
#include "codegen/grid/cuda.h"
#include "tests/fuzz/pile.h"
#include "tuner/measure/toolchain.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char flags[] =
    "-std=c++17 -O1 -gdwarf-4 -g1 -w -pipe -fsanitize=thread -fno-tree-vectorize -fno-builtin-fmaf "
    "-fno-builtin-fma -fno-move-loop-stores -ffp-contract=off -fno-exceptions --param "
    "tsan-distinguish-volatile=1 "
    "-Isimt/include";

static const char preamble[] =
    "#include <cuda_runtime.h>\n#include <math.h>\n#include <stddef.h>\n#include <stdint.h>\n"
    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n"
    "struct grid_array { void *host; size_t bytes, element; };\n"
    "template <class F> static void grid_run(int candidate, grid_array *a, int n, size_t space, F "
    "call)\n"
    "{\n"
    "    static int last = -1, times;\n"
    "    static char report[40];\n" /* of this process, not of the one that starts others */
    "    if (!*report && snprintf(report, sizeof report, \"report.%d\", (int)getpid()) > 0)\n"
    "        setenv(\"SQUALL_SIMT_TEXT\", report, 1);\n"
    "    void *whole[32], *at[32], *workspace = nullptr;\n"
    "    const unsigned before = simt_findings();\n"
    "    times = candidate == last ? times + 1 : 0;\n"
    "    last = candidate;\n"
    "    for (int i = 0; i < n; i++) {\n"
    "        const size_t shift = times % 2 * a[i].element;\n"
    "        cudaMalloc(&whole[i], a[i].bytes + shift);\n"
    "        at[i] = (char *)whole[i] + shift;\n"
    "        cudaMemcpy(at[i], a[i].host, a[i].bytes, cudaMemcpyHostToDevice);\n"
    "    }\n"
    "    cudaMalloc(&workspace, space);\n"
    "    int e = call(at, workspace);\n"
    "    e = e ? e : (int)cudaDeviceSynchronize();\n"
    "    for (int i = 0; i < n; i++) {\n"
    "        cudaMemcpy(a[i].host, at[i], a[i].bytes, cudaMemcpyDeviceToHost);\n"
    "        cudaFree(whole[i]);\n"
    "    }\n"
    "    cudaFree(workspace);\n"
    "    if (simt_findings() != before)\n"
    "        printf(\"wrong %d something was found\\n\", candidate);\n"
    "    else if (e)\n"
    "        printf(\"wrong %d the launch ends with %d\\n\", candidate, e);\n"
    "    fflush(stdout);\n"
    "}\n";

/* ---- text ---- */

static int position_of(const sq_kernel *k, const sq_size *s)
{
    for (int i = 0; i < k->nparams; i++)
        if (k->param[i].size == s)
            return i;
    return -1;
}

static void put_sizes(const sq_kernel *k, sq_text *to)
{
    for (int i = 0; i < k->nsizes; i++) {
        const sq_size *s = k->size[i];
        if (s->fixed)
            sq_text_line(to, "    const int64_t %s = %lld; (void)%s;", s->name, (long long)s->value,
                         s->name);
        else
            sq_text_line(to, "    const int64_t %s = *(const %s *)arg[%d]; (void)%s;", s->name,
                         sq_type_ctype(s->type), position_of(k, s), s->name);
    }
}

static void put_arrays(const sq_kernel *k, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    sq_text_puts(to, "    grid_array all[] = {");
    for (int i = 0; i < k->nparams; i++) {
        const sq_array *a = k->param[i].array;
        if (!a)
            continue;
        int bytes = sq_type_bytes(a->type);
        sq_text_printf(to, "{arg[%d], (size_t)%d", i, bytes);
        for (int x = 0; x < a->ndim; x++)
            sq_text_printf(to, " * (size_t)(%s)", sq_aff_text(k, a->extent[x], NULL, arena));
        sq_text_printf(to, ", %d}, ", bytes);
    }
    sq_text_puts(to, "{}};\n");
    sq_arena_free(arena);
}

static void put_call(const sq_kernel *k, const char *function, sq_text *to)
{
    int arrays = 0;
    sq_text_printf(to, "        return %s(", function);
    for (int i = 0; i < k->nparams; i++) {
        const sq_param *q = &k->param[i];
        if (q->size && !q->size->fixed)
            sq_text_printf(to, "%s, ", q->size->name);
        else if (q->scalar)
            sq_text_printf(to, "*(const %s *)arg[%d], ", sq_type_ctype(q->scalar->type), i);
        else if (q->array)
            sq_text_printf(to, "(%s *)at[%d], ", sq_type_ctype(q->array->type), arrays++);
    }
    sq_text_printf(to, "%snullptr);\n", sq_kernel_has_locals(k) ? "space, " : "");
}

void pile_grid_entry(const sq_kernel *k, int candidate, const char *function, sq_text *to)
{
    int arrays = 0;
    for (int i = 0; i < k->nparams; i++)
        arrays += k->param[i].array != NULL;
    sq_text_printf(to, "extern \"C\" void cand_entry%d(void *const *arg)\n{\n", candidate);
    put_sizes(k, to);
    put_arrays(k, to);
    sq_text_printf(to, "    grid_run(%d, all, %d, %s, [&](void **at, void *space) {\n        (void)at, (void)space;\n",
                   candidate, arrays, sq_cuda_workspace(k, function, k->arena));
    put_call(k, function, to);
    sq_text_puts(to, "    });\n}\n");
}

int pile_grid_text(int candidate, const char *text, sq_text *to, sq_diags *d)
{
    char name[32];
    snprintf(name, sizeof name, "cand%d.cu", candidate);
    return sq_cuda_rewrite(name, text, strlen(text), to, d);
}

/* ---- building and running ---- */

static void write_candidates(const pile *b)
{
    char path[600];
    snprintf(path, sizeof path, "%s/candidates.cpp", b->scratch);
    FILE *f = fopen(path, "w");
    if (!f)
        exit(2);
    fputs(preamble, f);
    for (int i = 0; i < b->candidates; i++)
        if (!b->why[i][0])
            fputs(b->text[i], f);
    fputs("static void nothing(void *const *arg)\n{\n    (void)arg;\n}\n"
          "typedef void entry(void *const *arg);\n"
          "extern \"C\" entry *const squall_candidates[];\n"
          "extern \"C\" entry *const squall_candidates[] = {\n",
          f);
    for (int i = 0; i < b->candidates; i++)
        fprintf(f, b->why[i][0] ? "    nothing,\n" : "    cand_entry%d,\n", i);
    fputs("};\n", f);
    fclose(f);
}

/* Notes what a file of ours says of candidates, in lines "cand7.cu:12: race: …"; how many. Only
 * lines with `word`. */
static int blame(pile *b, const char *file, const char *word, const char *form)
{
    char path[600], line[1000];
    int blamed = 0, candidate, at, n;
    snprintf(path, sizeof path, "%s/%s", b->scratch, file);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        n = 0;
        line[strcspn(line, "\n")] = 0;
        if (sscanf(line, "cand%d.cu:%d:%n", &candidate, &at, &n) < 2 || n == 0 ||
            candidate >= b->candidates || !strstr(line, word) || strstr(line + n, " note: "))
            continue;
        char *why = b->why[candidate];
        if (*why && strcmp(why, "something was found") != 0)
            continue;
        snprintf(why, WHY_LENGTH, "%s%.220s", form, line + n + strspn(line + n, " "));
        blamed++;
    }
    if (f)
        fclose(f);
    return blamed;
}

int pile_grid_build(pile *b)
{
    sq_text compile = {0}, link = {0};
    int rc = pile_build_references(b);
    sq_text_printf(&compile, "ln -sfn '%s' simt && %s %s -c candidates.cpp -o candidates.o",
                   b->simt, b->cxx, flags);
    for (;;) {
        write_candidates(b);
        if (rc != 0 || pile_shell(b, sq_text_str(&compile), "build.log") == 0)
            break;
        rc = blame(b, "build.log", "error:", "does not compile: ") == 0 ? -1 : 0;
    }
    sq_text_printf(&link,
                   "%s -o pile run.o case.o compare.o fill.o locate.o candidates.o references.o "
                   "simt/libsquall-simt.a "
                   "-Wl,--wrap=fmaf,--wrap=fma -lm",
                   b->cxx);
    if (rc == 0)
        rc = pile_shell(b, sq_text_str(&link), "build.log");
    sq_text_free(&compile);
    sq_text_free(&link);
    return rc;
}

void pile_grid_run(pile *b)
{
    sq_text run = {0};
    sq_text_printf(&run, "SQUALL_SIMT_ARCH=%s ./pile manifest",
                   b->grid->grid->arch + strlen("sm_"));
    pile_shell(b, "rm -f report.*", "run.log");
    pile_shell(b, sq_text_str(&run), "run.log");
    pile_shell(b, "cat report.*", "findings");
    sq_text_free(&run);
}

void pile_grid_findings(pile *b)
{
    blame(b, "findings", "", "found: ");
}
