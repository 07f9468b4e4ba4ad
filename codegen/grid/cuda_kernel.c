/* CUDA kernels: prints code of a grid's host, its kernels as __global__ functions and their launches. */
#include "codegen/file/function_inside.h"
#include "codegen/grid/cuda.h"
#include "codegen/nest/base.h"
#include "codegen/passes/group.h"
#include "codegen/print/statements.h"

/* ---- parameters ---- */

/* Prints a parameter of a kernel, or its argument. */
static void put(sq_text *to, bool declare, const char *type, const char *name)
{
    if (to->n)
        sq_text_puts(to, ", ");
    if (declare)
        sq_text_puts(to, type);
    sq_text_puts(to, name);
}

static const char *pointer_type(const sq_cuda *c, const sq_array *a)
{
    return sq_arena_printf(c->p->arena, "%s%s *%s", a->role == SQ_IN ? "const " : "",
                           sq_type_ctype(a->type),
                           sq_kernel_overlaps(c->p->kernel) ? "" : "__restrict__ ");
}

/* Prints the kernel's parameters, temporaries and host variables that its text names; or the arguments, which the
 * launch names. */
static void put_params(sq_cuda *c, const sq_code_launch *l, bool declare, sq_text *to)
{
    const sq_kernel *k = c->p->kernel;
    const sq_code_keys *names = &c->p->names;
    const sq_uses launch = {.names = declare ? NULL : &c->host};
    for (int i = 0; i < k->nparams; i++) {
        const sq_param *q = &k->param[i];
        if ((q->size && q->size->fixed) || !sq_code_keys_has(names, sq_param_name(q)))
            continue;
        sq_uses_name(&launch, sq_param_name(q));
        put(to, declare,
            q->size     ? "int64_t "
            : q->scalar ? sq_arena_printf(c->p->arena, "%s ", sq_type_ctype(q->scalar->type))
                        : pointer_type(c, q->array),
            sq_param_name(q));
    }
    for (int i = 0; i < k->narrays; i++)
        if (k->array[i]->role == SQ_LOCAL && sq_code_keys_has(names, k->array[i]->name)) {
            sq_code_keys_add(&c->temporaries, k->array[i]->name);
            put(to, declare, pointer_type(c, k->array[i]), k->array[i]->name);
        }
    for (int i = 0; i < l->nouter; i++)
        if (sq_code_keys_has(names, l->outer[i]))
            put(to, declare, "int64_t ", l->outer[i]);
}

/* ---- kernels and launches ---- */

/* Prints what a kernel does, and records what it names. */
static void put_body(sq_cuda *c, const sq_code *x, sq_text *to)
{
    sq_printer *p = c->p;
    sq_text body = {.indent = 1};
    sq_code only = *x;
    only.next = NULL; /* it and the launch are the host's */
    only.launch = NULL;
    p->block_bytes = 0;
    p->names = p->ints = sq_uses_none(p->arena);
    p->uses.names = &p->names;
    sq_print_statements(p, &only, &body);
    to->indent = 1;
    sq_function_strides(p, to);
    sq_text_puts(to, sq_text_str(&body));
    sq_text_free(&body);
}

static void put_launch(const sq_cuda *c, int kernel, const sq_code_launch *l, const char *args, sq_text *to)
{
    const sq_cuda_kernel *k = &c->kernel[kernel];
    const long long shared = (long long)k->shared_bytes;
    sq_text_open(to, "{");
    sq_text_line(to, "const int64_t @blocks = %s;", sq_print_code(c->p, l->blocks));
    sq_text_line(to, "const cudaLaunchConfig_t @config = sq_config(@blocks, %d, %lld, @stream);", k->threads, shared);
    if (shared > 48 << 10)
        sq_text_line(to,
                     "@error = cudaFuncSetAttribute(sq_kernel%d, cudaFuncAttributeMaxDynamicSharedMemorySize, %lld);",
                     kernel, shared);
    sq_text_line(to, "if (@error == cudaSuccess && @blocks > 0)");
    sq_text_line(to, "    @error = cudaLaunchKernelEx(&@config, sq_kernel%d%s%s);", kernel, *args ? ", " : "", args);
    sq_text_line(to, "if (@error != cudaSuccess)");
    sq_text_line(to, "    return @error;");
    sq_text_close(to, "}");
}

static bool has_loops(const sq_code *x)
{
    while (x && x->kind != SQ_CODE_LOOP && !has_loops(x->body) && !has_loops(x->other))
        x = x->next;
    return x != NULL;
}

/* Adds a kernel, and prints its launch in its place. */
static void put_kernel(const sq_code *x, void *user, sq_text *to)
{
    sq_cuda *c = user;
    const sq_code_launch *l = x->launch;
    sq_text text = {0}, params = {0}, args = {0};
    const char *room = l->together ? sq_arena_printf(c->p->arena, ", %d", l->together) : "";
    int i = c->nkernels++, threads = (int)x->hi->number;
    put_body(c, x, &text);
    put_params(c, l, true, &params);
    put_params(c, l, false, &args);
    c->p->uses.names = &c->host;
    c->kernel[i] = (sq_cuda_kernel){l, threads, c->p->block_bytes, has_loops(x->body)};
    sq_text_printf(&c->kernels, "extern \"C\" __global__ void __launch_bounds__(%d%s) sq_kernel%d(%s)\n{\n%s}\n\n",
                   threads, room, i, sq_text_str(&params), sq_text_str(&text));
    put_launch(c, i, l, sq_text_str(&args), to);
    sq_text_free(&text);
    sq_text_free(&params);
    sq_text_free(&args);
}

static int count_kernels(const sq_code *x)
{
    int n = 0;
    for (; x; x = x->next)
        n += x->launch ? 1 : count_kernels(x->body) + count_kernels(x->other);
    return n;
}

int sq_cuda_group(sq_cuda *c, int group)
{
    sq_printer *p = c->p;
    const sq_group_options how = {
        .nest = {.target = p->options->target}, .npasses = SQ_ALL_PASSES, .times = p->options->pass_times};
    sq_code *x = NULL;
    if (sq_group_code(c->schedule, group, &how, p->code, &x, c->diags) != 0)
        return -1;
    if (c->nkernels + count_kernels(x) > SQ_MAX_KERNELS)
        return sq_error(c->diags, SQ_FAULT_REFUSED, p->kernel->loc, "more than %d kernels", SQ_MAX_KERNELS);
    sq_c_printer print = sq_print_c(p);
    print.kernel = put_kernel;
    print.user = c;
    sq_c_code(&print, x, &c->launch);
    return 0;
}
