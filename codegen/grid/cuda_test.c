/* CUDA test: the self-test program in a .cu file, compiled under -DSQUALL_SELFTEST. It fills arrays
 * with random values, runs the kernels on the device and the naive nest on the host, compares every
 * element, and prints the kernels' times. Sizes are arguments, in the order of the description, or
 * given with -DSQUALL_SIZE_M=512.
 *
 * In a file of several kernels it tests the first one; SQUALL_SELFTEST_K selects K.
 *
 * Exit 0: all elements agree; 1: some do not; 2: the device or the arguments are unusable. */
#include "codegen/nest/base.h"
#include "codegen/grid/cuda.h"
#include "codegen/grid/cuda_moves.h"
#include "codegen/file/function_inside.h"
#include "codegen/print/names.h"
#include "codegen/print/statements.h"
#include "ir/dependence/tensor.h"
#include "ir/kernel/narrow.h"
#include <math.h>
#include <string.h>

/* Default sizes, by the number of sizes: no round numbers. */
static const int usual[] = {131, 131, 131, 67, 19, 13, 11, 9, 7};

static int64_t usual_size(const sq_kernel *k, int i)
{
    if (k->size[i]->fixed)
        return k->size[i]->value;
    return i < SQ_MAX_SIZES && k->ntune ? k->tune[0][i] : usual[k->nsizes < 8 ? k->nsizes : 8] + i;
}

/* The naive nest is C for the host: it may have unused helpers, and under fp strict a pragma of
 * gcc, which nvcc passes on and warns of. */
static const char host_text[] = "#ifdef __CUDACC__\n"
                                "#pragma nv_diagnostic push\n"
                                "#pragma nv_diag_suppress 177\n"
                                "#pragma nv_diag_suppress 1675\n"
                                "#endif\n",
                  host_text_end[] = "#ifdef __CUDACC__\n"
                                    "#pragma nv_diagnostic pop\n"
                                    "#endif\n";

static bool is_real(const sq_array *a)
{
    return sq_type_real(a->type);
}

/* ---- parts of the program ---- */

static const char helpers[] =
    "static uint64_t sq_random(uint64_t *state)\n"
    "{\n"
    "    *state ^= *state << 13;\n"
    "    *state ^= *state >> 7;\n"
    "    return *state ^= *state << 17;\n"
    "}\n"
    "static double sq_real(uint64_t *state)\n"
    "{\n"
    "    return (double)(sq_random(state) >> 11) * 0x1p-52 - 1;\n"
    "}\n"
    "static int sq_check(cudaError_t e, const char *what)\n"
    "{\n"
    "    if (e != cudaSuccess)\n"
    "        fprintf(stderr, \"%s: %s\\n\", what, cudaGetErrorString(e));\n"
    "    return e != cudaSuccess;\n"
    "}\n"
    "/* The distance of two values, relative to 1 + |wanted|. */\n"
    "static double sq_distance(double got, double wanted)\n"
    "{\n"
    "    if (got == wanted || (got != got && wanted != wanted))\n"
    "        return 0;\n"
    "    const double d = fabs(got - wanted) / (1 + fabs(wanted));\n"
    "    return d == d ? d : INFINITY;\n"
    "}\n";

/* Returns a random element. */
static const char *random_of(sq_arena *arena, const char *naive, sq_type t)
{
    if (sq_type_stored(t))
        return sq_arena_printf(arena, "%s_%s_bits((float)sq_real(&@state))", naive,
                               sq_type_suffix(t));
    if (sq_type_real(t))
        return sq_arena_printf(arena, "(%s)sq_real(&@state)", sq_type_ctype(t));
    return sq_arena_printf(arena,
                           sq_type_unsigned(t) ? "(%s)(sq_random(&@state) %% 16)"
                                               : "(%s)((int)(sq_random(&@state) %% 17) - 8)",
                           sq_type_ctype(t));
}

static void put_count(const sq_cuda *c, const sq_array *a, sq_text *to)
{
    sq_text n = {0};
    sq_text_puts(&n, "(size_t)1");
    for (int x = 0; x < a->ndim; x++)
        sq_text_printf(&n, " * (size_t)(%s)", sq_aff_text(c->p->kernel, a->extent[x], NULL, c->p->arena));
    sq_text_line(to, "const size_t @n_%s = %s;", a->name, sq_text_str(&n));
    sq_text_free(&n);
}

static void put_sizes(const sq_kernel *k, sq_text *to)
{
    int shown = 0;
    for (int i = 0; i < k->nparams; i++) {
        const sq_size *s = k->param[i].size;
        if (!s || s->fixed)
            continue;
        int row = 0;
        while (k->size[row] != s)
            row++;
        sq_text_printf(to,
                       "#ifndef SQUALL_SIZE_%1$s\n#define SQUALL_SIZE_%1$s %2$lld\n#endif\n"
                       "    const %3$s %1$s = @argc > %4$d ? (%3$s)strtoll(@argv[%4$d], NULL, 10) : "
                       "SQUALL_SIZE_%1$s;\n",
                       s->name, (long long)usual_size(k, row), sq_type_ctype(s->type), ++shown);
    }
    if (!shown)
        sq_text_line(to, "(void)@argc, (void)@argv;");
}

static void put_scalars(const sq_kernel *k, sq_text *to)
{
    double value = 0.25;
    for (int i = 0; i < k->nparams; i++) {
        const sq_scalar *s = k->param[i].scalar;
        if (!s)
            continue;
        value += 0.5;
        if (sq_type_stored(s->type))
            sq_text_line(to, "const uint16_t %s = %s_naive_%s_bits(%gf);", s->name, k->name,
                         sq_type_suffix(s->type), value);
        else
            sq_text_line(to, "const %s %s = (%s)%g;", sq_type_ctype(s->type), s->name,
                         sq_type_ctype(s->type), sq_type_real(s->type) ? value : 2);
    }
}

/* An end of what elements are promised to be, within their type; without one, the other end is not far. */
static const char *end_of(const sq_cuda *c, const sq_array *a, bool upper)
{
    enum { NEAR = 16 };
    sq_arena *m = c->p->arena;
    sq_range type = sq_type_range(a->type);
    isl_aff *own = upper ? a->most : a->least, *other = upper ? a->least : a->most;
    const char *text = sq_aff_text(c->p->kernel, own ? own : other, &c->p->uses, m);
    if (!own)
        text = sq_arena_printf(m, "%s %c %d", text, upper ? '+' : '-', NEAR);
    if (sq_type_unsigned(a->type))
        type.lo = 0;
    if (sq_type_bytes(a->type) == 8 && (upper || type.lo < 0))
        return text;
    return sq_arena_printf(m, "(%s) %c %lld ? (int64_t)(%s) : %lld", text, upper ? '<' : '>',
                           (long long)(upper ? type.hi : type.lo), text, (long long)(upper ? type.hi : type.lo));
}

/* Elements that are promised to be in a range are numbers of it, its ends the first two. */
static const char *element_of(const sq_cuda *c, const sq_array *a, const char *naive, sq_text *to)
{
    const char *n = a->name;
    if (!a->least && !a->most)
        return random_of(c->p->arena, naive, a->type);
    sq_text_line(to, "const int64_t @least_%s = %s, @most_%s = %s;", n, end_of(c, a, false), n, end_of(c, a, true));
    return sq_arena_printf(c->p->arena,
                           "(%1$s)(@x == 0 || @most_%2$s <= @least_%2$s ? @least_%2$s : @x == 1 ? @most_%2$s : "
                           "@least_%2$s + (int64_t)(sq_random(&@state) %% (uint64_t)(@most_%2$s - @least_%2$s)))",
                           sq_type_ctype(a->type), n);
}

/* Allocates host and device memory of an array, with the same values. */
static void put_array(const sq_cuda *c, const sq_array *a, const char *naive, sq_text *to)
{
    put_count(c, a, to);
    sq_text_printf(to,
                   "    %1$s *@host_%2$s = (%1$s *)malloc(@n_%2$s * sizeof(%1$s) + 1);\n"
                   "    %1$s *@back_%2$s = (%1$s *)malloc(@n_%2$s * sizeof(%1$s) + 1);\n"
                   "    %1$s *@dev_%2$s = NULL;\n"
                   "    if (!@host_%2$s || !@back_%2$s)\n" SQ_CUDA_NO_MEMORY,
                   sq_type_ctype(a->type), a->name);
    const char *element = element_of(c, a, naive, to);
    sq_text_printf(to,
                   "    for (size_t @x = 0; @x < @n_%1$s; @x++)\n"
                   "        @host_%1$s[@x] = %2$s;\n"
                   "    if (sq_check(cudaMalloc(&@dev_%1$s, @n_%1$s * sizeof(%3$s) + 1), \"memory\") ||\n"
                   "        sq_check(cudaMemcpy(@dev_%1$s, @host_%1$s, @n_%1$s * sizeof(%3$s), "
                   "cudaMemcpyHostToDevice), \"copy\"))\n"
                   "        return 2;\n",
                   a->name, element, sq_type_ctype(a->type));
}

/* Prints "M, N, alpha, dev_A, dev_B" */
static void put_call(const sq_kernel *k, const char *prefix, sq_text *to)
{
    const char *sep = "";
    for (int i = 0; i < k->nparams; i++) {
        const sq_param *q = &k->param[i];
        if (q->size && q->size->fixed)
            continue;
        sq_text_printf(to, "%s%s%s", sep, q->array ? prefix : "",
                       sq_param_name(q));
        sep = ", ";
    }
}

/* Uses the kernel as written; instructions with additional rounding are in the rewritten one. */
static void find_bounds(const sq_cuda *c, const int64_t *sizes, double *bound)
{
    const sq_kernel *k = sq_cuda_described(c->p->kernel);
    bool rounds = k == c->p->kernel;
    for (int g = 0; g < c->schedule->ngroups; g++)
        rounds |= sq_tensor_rounds(c->schedule->group[g]);
    if (rounds)
        sq_schedule_rounding(c->schedule, sizes, bound);
    else
        sq_kernel_rounding(k, sizes, bound);
}

/* Prints the allowed differences: those at the default sizes, scaled for larger ones. */
static void put_bounds(const sq_cuda *c, sq_text *to)
{
    const sq_kernel *k = c->p->kernel;
    int64_t sizes[SQ_MAX_SIZES] = {0};
    double *bound = SQ_NEW_ARRAY(c->p->arena, double, k->narrays + 1);
    sq_text_puts(to, "    double @more = 1;\n");
    for (int i = 0; i < k->nsizes; i++) {
        sizes[i] = usual_size(k, i);
        if (!k->size[i]->fixed)
            sq_text_line(to, "@more *= %s > %lld ? (double)%s / %lld : 1;", k->size[i]->name,
                         (long long)sizes[i], k->size[i]->name, (long long)sizes[i]);
    }
    find_bounds(c, sizes, bound);
    for (int i = 0; i < k->narrays; i++) {
        const sq_array *a = k->array[i];
        if (a->role != SQ_OUT && a->role != SQ_INOUT)
            continue;
        double most = bound[i] + (a->type == SQ_F16 ? 0x1p-10 : a->type == SQ_BF16 ? 0x1p-7 : 0);
        sq_text_line(to, "const double @bound_%s = %.3g * @more;", a->name, is_real(a) ? most : 0.);
    }
}

static void put_compare(const sq_cuda *c, const sq_array *a, const char *naive, sq_text *to)
{
    const char *n = a->name;
    sq_arena *m = c->p->arena;
    sq_text_printf(to,
                   "    if (sq_check(cudaMemcpy(@back_%1$s, @dev_%1$s, @n_%1$s * sizeof(%2$s), "
                   "cudaMemcpyDeviceToHost), \"copy\"))\n        return 2;\n",
                   n, sq_type_ctype(a->type));
    const char *both = sq_arena_printf(m, "const double @got = %s, @wanted = %s;",
                                       sq_cuda_value(m, naive, a, "back"), sq_cuda_value(m, naive, a, "host"));
    const char *is_off = sq_arena_printf(m, "!(sq_distance(@got, @wanted) <= @bound_%s)", n);
    if (is_real(a) && sq_cuda_moves(sq_cuda_described(c->p->kernel)))
        is_off = sq_cuda_moves_compare(a, both, m, to);
    sq_text_printf(to,
                   "    for (size_t @x = 0; @x < @n_%1$s; @x++) {\n"
                   "        %2$s\n"
                   "        if (%3$s && @wrong++ < 8)\n"
                   "            fprintf(stderr, \"%1$s[%%zu] is %%.9g, not %%.9g\\n\", @x, @got, @wanted);\n"
                   "    }\n",
                   n, both, is_off);
}

/* Prints " + 2.0 * n_C * sizeof(float)": bytes that a call must read and write, or (held) that
 * arrays have. */
static void put_bytes(const sq_kernel *k, bool held, sq_text *to)
{
    for (int i = 0; i < k->nparams; i++) {
        const sq_array *a = k->param[i].array;
        if (a)
            sq_text_printf(to, " + %d.0 * @n_%s * sizeof(%s)", a->role == SQ_INOUT && !held ? 2 : 1,
                           a->name, sq_type_ctype(a->type));
    }
}

/* Prints the flops of all kernels; nothing if they are not known, or none. */
static void put_flops(const sq_cuda *c, sq_text *to)
{
    sq_c_printer print = sq_print_c(c->p);
    print.uses = (sq_uses){0}; /* the program's sizes have names of their own */
    for (int i = 0; i < c->nkernels; i++) {
        const sq_code_work *work = c->kernel[i].launch->work;
        if (!work) {
            sq_text_clear(to);
            return;
        }
        sq_text_puts(to, work->n ? " + " : "");
        sq_c_work(&print, work, to);
    }
}

/* Prints the per cent of the peak: of the device memory's bandwidth, from its clock and bus width,
 * if the bytes take longer than the flops and do not fit in the L2 cache; else of its
 * multiply-adds. */
static void put_rate(const sq_cuda *c, const char *flops, sq_text *to)
{
    const sq_kernel *k = c->p->kernel;
    const sq_grid *g = c->p->options->target->grid;
    bool wide;
    int finest = sq_kernel_finest(k, &wide);
    int fma = wide ? g->fma_f64 : finest < 4 ? g->fma_f16 * 2 / finest : g->fma_f32;
    sq_text bytes = {0}, held = {0};
    put_bytes(k, false, &bytes);
    put_bytes(k, true, &held);
    sq_text_puts(to, "    int @sms = 0, @khz = 0, @mem_khz = 0, @bus = 0, @cache = 0;\n"
                     "    cudaDeviceGetAttribute(&@sms, cudaDevAttrMultiProcessorCount, 0);\n"
                     "    cudaDeviceGetAttribute(&@khz, cudaDevAttrClockRate, 0);\n"
                     "    cudaDeviceGetAttribute(&@mem_khz, cudaDevAttrMemoryClockRate, 0);\n"
                     "    cudaDeviceGetAttribute(&@bus, cudaDevAttrGlobalMemoryBusWidth, 0);\n"
                     "    cudaDeviceGetAttribute(&@cache, cudaDevAttrL2CacheSize, 0);\n");
    sq_text_printf(to,
                   "    const double @flops = 0%s;\n    const double @bytes = 0%s;\n    const double @held = 0%s;\n"
                   "    const double @calls = @runs / (@ms * 1e-3);\n"
                   "    const double @peak = 2e3 * %d * @sms * @khz;\n"
                   "    const double @memory = 2e3 * @mem_khz * @bus / 8;\n",
                   flops, sq_text_str(&bytes), sq_text_str(&held), fma);
    sq_text_puts(to, "    if (@ms > 0 && @memory > 0 && @held > @cache && @bytes / @memory > @flops / @peak)\n"
                     "        printf(\", %.4g GFLOP/s, %.4g GB/s, %.3g %% of the device's memory bandwidth\",\n"
                     "               @flops * @calls * 1e-9, @bytes * @calls * 1e-9, "
                     "100 * @bytes * @calls / @memory);\n"
                     "    else if (@ms > 0 && @peak > 0)\n"
                     "        printf(\", %.4g GFLOP/s, %.3g %% of the device's peak\", @flops * @calls * 1e-9,\n"
                     "               100 * @flops * @calls / @peak);\n");
    sq_text_free(&bytes);
    sq_text_free(&held);
}

static void put_timing(const sq_cuda *c, const char *call, sq_text *to)
{
    const sq_kernel *k = c->p->kernel;
    sq_text_line(to, "const int @runs = @argc > %d ? (int)strtol(@argv[@argc - 1], NULL, 10) : 1;",
                 c->shown + 1);
    sq_text_printf(to,
                   "    cudaEvent_t @from, @upto;\n    float @ms = 0;\n"
                   "    cudaEventCreate(&@from);\n    cudaEventCreate(&@upto);\n    cudaEventRecord(@from);\n"
                   "    for (int @run = 0; @run < @runs; @run++)\n"
                   "        if (sq_check((cudaError_t)%s, \"launch\"))\n            return 2;\n"
                   "    cudaEventRecord(@upto);\n    cudaEventSynchronize(@upto);\n"
                   "    cudaEventElapsedTime(&@ms, @from, @upto);\n"
                   "    printf(\"%s: %%zu wrong, %%.4g ms\", @wrong, @ms / @runs);\n",
                   call, k->name);
    sq_text flops = {0};
    put_flops(c, &flops);
    if (flops.n)
        put_rate(c, sq_text_str(&flops), to);
    sq_text_free(&flops);
    sq_text_puts(to, "    printf(\"\\n\");\n    cudaEventDestroy(@from);\n    cudaEventDestroy(@upto);\n");
}

/* ---- the program ---- */

static void put_workspace(const sq_cuda *c, sq_text *to)
{
    if (!sq_kernel_has_locals(c->p->kernel))
        return;
    sq_text_printf(to,
                   "    void *@workspace = NULL;\n    if (sq_check(cudaMalloc(&@workspace, %s + 1), \"memory\"))\n"
                   "        return 2;\n",
                   sq_cuda_workspace(c->p->kernel, c->p->function, c->p->arena));
}

/* Returns the name of a function, qualified because a variable of main may have the same name. */
static const char *global(const sq_kernel *k, const char *function)
{
    return sq_names_taken(k, function) ? "::" : "";
}

static void put_moved(const sq_cuda *c, const char *naive, sq_text *to)
{
    const sq_kernel *k = c->p->kernel;
    sq_text near = {0};
    sq_text_printf(&near, "%s%s(", global(k, naive), naive);
    put_call(k, "@near_", &near);
    sq_text_puts(&near, ")");
    sq_cuda_moves_measure(k, naive, sq_text_str(&near), to);
    sq_text_free(&near);
}

static void put_main(sq_cuda *c, const char *naive, sq_text *to)
{
    const sq_kernel *k = c->p->kernel;
    sq_text call = {0}, reference = {0};
    bool moves = sq_cuda_moves(sq_cuda_described(k));
    for (int i = 0; i < k->nparams; i++)
        c->shown += k->param[i].size && !k->param[i].size->fixed;
    put_call(k, "@dev_", &call);
    put_call(k, "@host_", &reference);
    const char *launch = sq_arena_printf(c->p->arena, "%s%s(%s%s%sNULL)", global(k, c->p->function),
                                         c->p->function, sq_text_str(&call), call.n ? ", " : "",
                                         sq_kernel_has_locals(k) ? "@workspace, " : "");
    sq_text_open(to, "int main(int @argc, char **@argv)\n{");
    put_sizes(k, to);
    put_scalars(k, to);
    sq_function_unfit(c->p, c->checks,
                      "\n        return fprintf(stderr, \"these sizes are not accepted\\n\"), 2;\n",
                      to);
    sq_text_line(to, "uint64_t @state = 88172645463325252u;");
    sq_text_line(to, "size_t @wrong = 0;");
    for (int i = 0; i < k->narrays; i++)
        if (k->array[i]->role != SQ_LOCAL)
            put_array(c, k->array[i], naive, to);
    put_workspace(c, to);
    put_bounds(c, to);
    sq_text_line(to, "if (sq_check((cudaError_t)%s, \"launch\") ||", launch);
    sq_text_line(to, "    sq_check(cudaDeviceSynchronize(), \"run\"))");
    sq_text_line(to, "    return 2;");
    if (moves)
        sq_cuda_moves_keep(k, to);
    sq_text_line(to, "%s%s(%s);", global(k, naive), naive, sq_text_str(&reference));
    if (moves)
        put_moved(c, naive, to);
    for (int i = 0; i < k->narrays; i++)
        if (k->array[i]->role == SQ_OUT || k->array[i]->role == SQ_INOUT)
            put_compare(c, k->array[i], naive, to);
    put_timing(c, launch, to);
    for (int i = 0; i < k->narrays; i++)
        if (k->array[i]->role != SQ_LOCAL)
            sq_text_printf(to, "    cudaFree(@dev_%1$s);\n    free(@host_%1$s);\n    free(@back_%1$s);\n",
                           k->array[i]->name);
    if (moves)
        sq_cuda_moves_free(k, to);
    if (sq_kernel_has_locals(k))
        sq_text_line(to, "cudaFree(@workspace);");
    sq_text_line(to, "return @wrong > 0;");
    sq_text_close(to, "}");
    sq_text_free(&call);
    sq_text_free(&reference);
}

void sq_cuda_test(sq_cuda *c, sq_text *to)
{
    const char *naive = sq_arena_printf(c->p->arena, "%s_naive", c->p->function);
    sq_text_printf(to,
                   "\n#if defined(SQUALL_SELFTEST_%s) || (defined(SQUALL_SELFTEST) && "
                   "!defined(SQUALL_SELFTEST_DONE))\n#define SQUALL_SELFTEST_DONE\n"
                   "#include <stdio.h>\n#include <stdlib.h>\n",
                   c->p->function);
    sq_text_puts(to, host_text);
    int rc = sq_emit_naive(sq_cuda_described(c->p->kernel), naive, to, c->diags);
    sq_text_puts(to, host_text_end);
    if (rc == 0) {
        sq_text_puts(to, helpers);
        if (sq_cuda_moves(sq_cuda_described(c->p->kernel)))
            sq_cuda_moves_helpers(to);
        put_main(c, naive, to);
    }
    sq_text_puts(to, "#endif\n");
}
