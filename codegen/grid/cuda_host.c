/* CUDA host: the functions that a C program calls.
 *
 *     int K(sizes, scalars, arrays[, workspace], stream)      launches; a cudaError_t
 *     size_t K_workspace(sizes)                               bytes of its temporaries
 *     int K_kernels(void)                                     number of __global__ functions
 *     const char *K_kernel(int)                               name of one of them
 *     int64_t K_grid(int, sizes), int K_block(int, sizes), size_t K_shared_bytes(int, sizes)
 *
 * Arrays are device memory; the stream is a cudaStream_t, NULL the default one. */
#include "codegen/nest/base.h"
#include "codegen/grid/cuda.h"
#include "codegen/file/function_inside.h"
#include <string.h>

const char *sq_cuda_workspace(const sq_kernel *k, const char *function, sq_arena *arena)
{
    if (!sq_kernel_has_locals(k))
        return "0";
    return sq_function_call(k, sq_arena_printf(arena, "%s_workspace", function), SQ_LIST_SIZES, SQ_LIST_PASSED, NULL,
                            arena);
}

/* Returns ", int M, int N" */
static const char *sizes(const sq_kernel *k, bool for_cpp, sq_arena *arena)
{
    const char *all = sq_emit_params(k, for_cpp ? SQ_EMIT_FOREIGN : SQ_EMIT_PUBLIC, true, NULL, arena);
    return sq_emit_has_params(k, true) ? sq_arena_printf(arena, ", %s", all) : "";
}

static const char *params(const sq_kernel *k, bool for_cpp, sq_arena *arena)
{
    return sq_emit_params(k, for_cpp ? SQ_EMIT_FOREIGN : SQ_EMIT_PUBLIC, false,
                          sq_kernel_has_locals(k) ? "void *workspace, void *stream" : "void *stream", arena);
}

void sq_cuda_prototypes(const sq_kernel *k, const char *function, const char *api, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    const char *as = api ? sq_arena_printf(arena, "%s ", api) : "";
    const char *of_sizes = sizes(k, true, arena);
    sq_text taken = {0};
    sq_accepts_describe(k, false, "for others it returns 1 and launches nothing", &taken);
    sq_text_printf(
        to,
        "/* Launches %s on arrays in device memory. stream: a cudaStream_t, or NULL. "
        "Returns a cudaError_t:\n * 0 launched; 1 for sizes that the description does not "
        "accept.%s%.*s */\n%sint %s(%s);\n",
        function, taken.n ? "\n" : "", (int)(taken.n ? taken.n - 1 : 0), sq_text_str(&taken), as,
        function, params(k, true, arena));
    sq_text_free(&taken);
    if (sq_kernel_has_locals(k))
        sq_text_printf(
            to,
            "/* Bytes of device memory for temporaries, which the caller gives; what was in "
            "it does not matter. */\n%ssize_t %s_workspace(%s);\n",
            as, function, sq_emit_params(k, SQ_EMIT_FOREIGN, true, NULL, arena));
    sq_text_printf(
        to,
        "/* The launches: the number of kernels, their names, and for each the blocks, the "
        "threads of a block and\n * the bytes of shared memory. */\n"
        "%1$sint %2$s_kernels(void);\n%1$sconst char *%2$s_kernel(int kernel);\n"
        "%1$sint64_t %2$s_grid(int kernel%3$s);\n%1$sint %2$s_block(int kernel%3$s);\n"
        "%1$ssize_t %2$s_shared_bytes(int kernel%3$s);\n",
        as, function, of_sizes);
    sq_arena_free(arena);
}

/* ---- the launch ---- */

static void put_helpers(sq_text *to)
{
    sq_text_puts(to,
                 "/* More tiles than a grid has blocks are taken in turn. */\n"
                 "static int64_t sq_blocks(int64_t tiles) { return tiles < 2147483647 ? tiles : "
                 "2147483647; }\n"
                 "static cudaLaunchConfig_t sq_config(int64_t blocks, int threads, size_t shared, "
                 "cudaStream_t stream)\n"
                 "{\n"
                 "    cudaLaunchConfig_t config = {};\n"
                 "    config.gridDim = dim3((unsigned)sq_blocks(blocks));\n"
                 "    config.blockDim = dim3((unsigned)threads);\n"
                 "    config.dynamicSmemBytes = shared;\n"
                 "    config.stream = stream;\n"
                 "    return config;\n"
                 "}\n\n");
}

/* Declares the temporaries, which are consecutive in the workspace, for the launches; and their
 * total size. */
static void put_locals(const sq_cuda *c, sq_text *to)
{
    sq_printer *p = c->p;
    p->bytes.indent = 1;
    sq_text_clear(&p->temporaries);
    p->temporaries.indent = 1;
    for (int i = 0; i < p->kernel->narrays; i++)
        if (p->kernel->array[i]->role == SQ_LOCAL &&
            sq_code_keys_has(&c->temporaries, p->kernel->array[i]->name))
            sq_workspace_take(p, p->kernel->array[i]);
    sq_text_puts(to, sq_text_str(&p->temporaries));
    sq_text_clear(&p->temporaries);
}

static void put_launcher(sq_cuda *c, sq_text *to)
{
    const sq_kernel *k = c->p->kernel;
    sq_text locals = {.indent = 1}; /* what they name is used */
    bool space = sq_kernel_has_locals(k);
    put_locals(c, &locals);
    sq_text_printf(to, "static cudaError_t %s\n{\n",
                   sq_function_call(k, "sq_launch", SQ_LIST_ALL, SQ_LIST_DECLARED,
                                    space ? "char *@space, cudaStream_t @stream" : "cudaStream_t @stream",
                                    c->p->arena));
    to->indent = 1;
    sq_function_unused(k, SQ_LIST_ALL, &c->host, to);
    to->indent = 0;
    sq_text_printf(to, "    cudaError_t @error = cudaSuccess;\n%s    (void)@stream;\n%s%s    return @error;\n}\n\n",
                   space ? "    (void)@space;\n" : "", sq_text_str(&locals), sq_text_str(&c->launch));
    sq_text_free(&locals);
}

static void put_wrapper(sq_cuda *c, bool check, sq_text *to)
{
    const sq_kernel *k = c->p->kernel;
    bool space = sq_kernel_has_locals(k);
    sq_text_printf(to, "int %s(%s)\n{\n", c->p->function, params(k, false, c->p->arena));
    sq_function_unfit(c->p, check, "\n        return (int)cudaErrorInvalidValue;\n", to);
    const char *last =
        space ? "(char *)workspace + (-(uintptr_t)workspace & 63), (cudaStream_t)stream" : "(cudaStream_t)stream";
    sq_text_printf(to, "    return (int)%s;\n}\n\n",
                   sq_function_call(k, "sq_launch", SQ_LIST_ALL, SQ_LIST_INSIDE, last, c->p->arena));
}

/* ---- launch parameters ---- */

/* Prints "switch (kernel)" over one expression per kernel; names: those of all of them, or NULL. */
static void put_figure(const sq_cuda *c, const char *type, const char *name,
                       const char *(*of)(const sq_cuda *c, int kernel), const sq_code_keys *names, sq_text *to)
{
    const sq_kernel *k = c->p->kernel;
    sq_text cases = {0};
    for (int i = 0; i < c->nkernels; i++)
        sq_text_printf(&cases, "    case %d:\n        return %s;\n", i, of(c, i));
    sq_text_printf(to, "%s %s_%s(int kernel%s)\n{\n", type, c->p->function, name,
                   sizes(k, false, c->p->arena));
    to->indent = 1;
    sq_function_unused(k, SQ_LIST_SIZES, names, to);
    to->indent = 0;
    sq_text_printf(to, "    switch (kernel) {\n%s    default:\n        return 0;\n    }\n}\n\n", sq_text_str(&cases));
    sq_text_free(&cases);
}

static const char *blocks_of(const sq_cuda *c, int i)
{
    const sq_code_launch *l = c->kernel[i].launch;
    const char *most = sq_print_code(c->p, l->most);
    if (!l->cond)
        return sq_arena_printf(c->p->arena, "sq_blocks(%s)", most);
    return sq_arena_printf(c->p->arena, "%s ? sq_blocks(%s) : 0", sq_print_code(c->p, l->cond), most);
}

static const char *threads_of(const sq_cuda *c, int i)
{
    return sq_arena_printf(c->p->arena, "%d", c->kernel[i].threads);
}

static const char *shared_of(const sq_cuda *c, int i)
{
    return sq_arena_printf(c->p->arena, "%lld", (long long)c->kernel[i].shared_bytes);
}

static void put_figures(const sq_cuda *c, sq_text *to)
{
    const char *f = c->p->function;
    sq_text_printf(to, "int %s_kernels(void)\n{\n    return %d;\n}\n\n", f, c->nkernels);
    sq_text_printf(to, "const char *%s_kernel(int kernel)\n{\n", f);
    sq_text_puts(to, "    static const char *const names[] = {");
    for (int i = 0; i < c->nkernels; i++)
        sq_text_printf(to, "%s\"sq_kernel%d\"", i ? ", " : "", i);
    sq_text_printf(to, "%s};\n    return kernel >= 0 && kernel < %d ? names[kernel] : NULL;\n}\n\n",
                   c->nkernels ? "" : "NULL", c->nkernels);
    put_figure(c, "int64_t", "grid", blocks_of, &c->of_grid, to);
    put_figure(c, "int", "block", threads_of, NULL, to);
    put_figure(c, "size_t", "shared_bytes", shared_of, NULL, to);
}

void sq_cuda_host(sq_cuda *c, sq_text *to)
{
    sq_printer *p = c->p;
    const sq_kernel *k = p->kernel;
    sq_text launcher = {0};
    put_launcher(c, &launcher);
    sq_text_puts(to, "#undef SQ_TARGET\n#define SQ_TARGET\n#undef SQ_INLINE\n"
                     "#define SQ_INLINE [[maybe_unused]] static inline\n");
    sq_text_puts(to, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    if (!p->options->header)
        sq_cuda_prototypes(k, p->function, p->options->api, to);
    if (c->nkernels > 0)
        put_helpers(to);
    sq_workspace_helpers(p, to);
    sq_text_puts(to, sq_text_str(&launcher));
    bool check = c->checks = sq_accepts_check(p, to);
    if (sq_kernel_has_locals(k)) {
        sq_workspace_bytes(p, to);
        sq_workspace_print(p, check, "", false, to);
    }
    put_wrapper(c, check, to);
    p->uses.names = &c->of_grid;
    put_figures(c, to);
    sq_text_puts(to, "#ifdef __cplusplus\n}\n#endif\n");
    sq_text_free(&launcher);
}
