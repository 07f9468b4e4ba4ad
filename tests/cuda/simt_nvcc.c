/* A stand-in for nvcc: takes its command line and builds the same text for the processor, with the
 * headers and the library that `squall check` has (runtime/simt), so that what builds with nvcc and
 * runs on a device is tested where there is neither.
 *
 *     simt_nvcc [-arch=sm_80] [-shared] [-O3] [-w] [-Xcompiler WORD]… -o FILE SOURCE.cu
 *
 * With $SIMT_NVCC_ERROR=100 the program finds no device, with 35 a driver that is too old. */
#include "support/file.h"
#include "tuner/measure/cuda_text.h"
#include "tuner/measure/child.h"
#include "tuner/measure/toolchain.h"
#include "tuner/measure/workdir.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char flags[] =
    "-std=c++17 -O1 -w -pipe -fPIC -fsanitize=thread -fno-tree-vectorize -fno-builtin-fmaf "
    "-fno-builtin-fma -ffp-contract=off -fno-exceptions --param tsan-distinguish-volatile=1 "
    "-include cuda_runtime.h -include stdlib.h -I" SIMT_DIR "/include";

static const char libraries[] =
    SIMT_LIBRARY " -Wl,--wrap=fmaf,--wrap=fma,--wrap=cudaGetDeviceCount -lm";

struct command {
    const char *arch, *output, *source;
    bool shared;
};

static bool read_command(struct command *c, int argc, char **argv)
{
    *c = (struct command){.arch = "90"};
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        if (strncmp(a, "-arch=sm_", 9) == 0)
            c->arch = a + 9;
        else if (strcmp(a, "-shared") == 0)
            c->shared = true;
        else if (strcmp(a, "-o") == 0 && i + 1 < argc)
            c->output = argv[++i];
        else if (strcmp(a, "-Xcompiler") == 0 && i + 1 < argc)
            i++;
        else if (a[0] != '-')
            c->source = a;
        else if (strcmp(a, "-w") != 0 && strncmp(a, "-O", 2) != 0)
            return false;
    }
    return c->output && c->source;
}

/* What a device of the architecture would be, for the library, before anything is called. */
static void put_device(const struct command *c, sq_text *to)
{
    sq_text_printf(to,
                   "\n__attribute__((constructor)) static void simt_nvcc_device()\n{\n"
                   "    setenv(\"SQUALL_SIMT_ARCH\", \"%s\", 0);\n"
                   "    setenv(\"SQUALL_SIMT_TEXT\", \"/dev/null\", 0);\n}\n"
                   "extern \"C\" cudaError_t __wrap_cudaGetDeviceCount(int *n)\n{\n"
                   "    const char *error = getenv(\"SIMT_NVCC_ERROR\");\n"
                   "    *n = !error;\n"
                   "    return error ? (cudaError_t)atoi(error) : cudaSuccess;\n}\n",
                   c->arch);
}

static int rewrite(const struct command *c, const char *path)
{
    sq_diags *d = sq_diags_new();
    sq_text text = {0};
    size_t n;
    char *source = sq_file_read(d, c->source, &n);
    int rc = source ? sq_cuda_rewrite(c->source, source, n, &text, d) : -1;
    put_device(c, &text);
    if (rc == 0)
        rc = sq_workdir_write(path, sq_text_str(&text));
    sq_diags_print(d, stderr, SQ_DIAG_GCC, 0);
    sq_diags_free(d);
    sq_text_free(&text);
    free(source);
    return rc;
}

static int run_compiler(const char *words, const char *from, const char *more, const char *to)
{
    sq_child_end end = {0};
    sq_argv a = {0};
    sq_argv_add(&a, "g++");
    sq_argv_split(&a, words);
    sq_argv_add(&a, from);
    sq_argv_split(&a, more);
    sq_argv_add(&a, "-o");
    sq_argv_add(&a, to);
    sq_child_run(a.word, 300, &end);
    sq_argv_free(&a);
    fputs(end.err, stderr);
    bool good = end.started && end.status == 0 && !end.signal && !end.timed_out;
    sq_child_end_free(&end);
    return good ? 0 : 1;
}

/* Linked without the sanitizer: the library has what is called. */
static int build(const struct command *c, const char *source, const char *object)
{
    int rc = run_compiler(flags, source, "-c", object);
    if (rc == 0)
        rc = run_compiler(c->shared ? "-shared -Wl,-Bsymbolic" : "", object, libraries, c->output);
    return rc;
}

int main(int argc, char **argv)
{
    struct command c;
    char source[4096], object[4096];
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        printf("simt_nvcc: in the place of nvcc\nno tools, release 0.0\n");
        return 0;
    }
    if (!read_command(&c, argc, argv)) {
        fprintf(stderr, "usage: simt_nvcc [-arch=sm_80] [-shared] [-O3] [-w] [-Xcompiler WORD]... "
                        "-o FILE SOURCE.cu\n");
        return 64;
    }
    snprintf(source, sizeof source, "%s.simt.cpp", c.output);
    snprintf(object, sizeof object, "%s.simt.o", c.output);
    int rc = rewrite(&c, source) == 0 ? build(&c, source, object) : 1;
    remove(source);
    remove(object);
    return rc;
}
