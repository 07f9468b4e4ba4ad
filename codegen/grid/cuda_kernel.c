/* CUDA kernels: prints nests as __global__ functions and their launches. A nest's loops up to the
 * first one shared by blocks or threads run on the host and launch; the rest is one kernel. A nest
 * without shared loops is a kernel of one thread: correct but slow. */
#include "codegen/nest/ast_loops.h"
#include "codegen/nest/base.h"
#include "codegen/file/function_inside.h"
#include "codegen/grid/cuda.h"
#include "codegen/lower/scan.h"
#include "codegen/print/statements.h"
#include "codegen/nest/ref.h"
#include "ir/dependence/tensor.h"
#include <string.h>

enum {
    SMALL_TILE = 64 /* bytes of a thread's sums */,
    LARGE_TILE = 128,
    FEW_THREADS = 64 /* per block */,
    MANY_DIMS = 5,
    OPERANDS = 3,    /* registers per sum of a matrix instruction */
    ROOM = 512,      /* threads per multiprocessor */
    LEAST_ROOM = 256 /* the number that can use the maximum of registers */
};

/* ---- one kernel ---- */

static const char *name_of(const sq_param *q)
{
    return q->size ? q->size->name : q->scalar ? q->scalar->name : q->array->name;
}

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

/* Prints the kernel's parameters, temporaries and host loop variables that its text names; or the arguments, which the
 * launch names. */
static void put_params(sq_cuda *c, bool declare, sq_text *to)
{
    const sq_kernel *k = c->p->kernel;
    const sq_code_keys *names = &c->p->names;
    const sq_uses launch = {.names = declare ? NULL : &c->host};
    for (int i = 0; i < k->nparams; i++) {
        const sq_param *q = &k->param[i];
        if ((q->size && q->size->fixed) || !sq_code_keys_has(names, name_of(q)))
            continue;
        sq_uses_name(&launch, name_of(q));
        put(to, declare,
            q->size     ? "int64_t "
            : q->scalar ? sq_arena_printf(c->p->arena, "%s ", sq_type_ctype(q->scalar->type))
                        : pointer_type(c, q->array),
            name_of(q));
    }
    for (int i = 0; i < k->narrays; i++)
        if (k->array[i]->role == SQ_LOCAL && sq_code_keys_has(names, k->array[i]->name)) {
            sq_code_keys_add(&c->temporaries, k->array[i]->name);
            put(to, declare, pointer_type(c, k->array[i]), k->array[i]->name);
        }
    for (int i = 0; i < c->nvars; i++)
        if (sq_code_keys_has(names, c->var[i]))
            put(to, declare, "int64_t ", c->var[i]);
}

void sq_cuda_kernel_begin(sq_cuda *c)
{
    sq_text_clear(&c->p->body);
    c->p->block_bytes = 0;
    c->p->body.indent = 1;
    c->p->names = sq_uses_none(c->p->arena);
    c->p->uses.names = &c->p->names;
}

int sq_cuda_kernel_end(sq_cuda *c, const char *blocks, const char *most, int threads, int together)
{
    int64_t shared = c->p->block_bytes;
    sq_text text = {0}, params = {0}, args = {0};
    const char *room = together ? sq_arena_printf(c->p->arena, ", %d", together) : "";
    if (c->nkernels == SQ_MAX_KERNELS)
        return sq_error(c->diags, SQ_FAULT_REFUSED, c->p->kernel->loc, "more than %d kernels",
                        SQ_MAX_KERNELS);
    int i = c->nkernels++;
    text.indent = 1;
    c->p->uses.names = &c->p->names;
    sq_function_strides(c->p, &text);
    sq_text_puts(&text, sq_text_str(&c->p->body));
    put_params(c, true, &params);
    put_params(c, false, &args);
    c->p->uses.names = &c->host;
    c->kernel[i] = (sq_cuda_kernel){c->stmts, most, threads, shared, c->cond, !c->points};
    sq_text_printf(
        &c->kernels,
        "extern \"C\" __global__ void __launch_bounds__(%d%s) sq_kernel%d(%s)\n{\n%s}\n\n", threads,
        room, i, sq_text_str(&params), sq_text_str(&text));
    sq_text_open(&c->launch, "{");
    sq_text_line(&c->launch, "const int64_t @blocks = %s;", blocks);
    sq_text_line(&c->launch,
                 "const cudaLaunchConfig_t @config = sq_config(@blocks, %d, %lld, @stream);",
                 threads, (long long)shared);
    if (shared > 48 << 10)
        sq_text_line(&c->launch,
                     "@error = cudaFuncSetAttribute(sq_kernel%d, "
                     "cudaFuncAttributeMaxDynamicSharedMemorySize, %lld);",
                     i, (long long)shared);
    sq_text_line(&c->launch, "if (@error == cudaSuccess && @blocks > 0)");
    sq_text_line(&c->launch, "    @error = cudaLaunchKernelEx(&@config, sq_kernel%d%s%s);", i,
                 args.n ? ", " : "", sq_text_str(&args));
    sq_text_line(&c->launch, "if (@error != cudaSuccess)");
    sq_text_line(&c->launch, "    return @error;");
    sq_text_close(&c->launch, "}");
    sq_text_free(&text);
    sq_text_free(&params);
    sq_text_free(&args);
    return 0;
}

static int too_much(const sq_cuda *c, const sq_nest *n, const char *what, int64_t has, int64_t most)
{
    return sq_error(c->diags, SQ_FAULT_REFUSED, n->group->stmt[0]->loc,
                    "%s: %lld %s; %s has %lld at most", n->group->stmt[0]->name, (long long)has,
                    what, c->p->options->target->grid->arch, (long long)most);
}

/* True if two blocks of a tile of matrix instructions fit a multiprocessor's registers with room
 * for operands and for the addresses of many dimensions, of which ptxas by default keeps too many
 * for a second block. */
static bool two_fit(const sq_group *g, const sq_grid *device, int threads)
{
    int64_t sums = 1;
    for (int d = 0; d < g->nfree; d++)
        sums *= sq_group_own(g, d);
    return sq_group_is_tensor(g) && g->ndim > MANY_DIMS && threads > 0 &&
           OPERANDS * sums <= device->registers / (2 * threads);
}

/* Returns the number of blocks that shall fit on a multiprocessor. For a tile with unrolled
 * reductions, few points per thread and many other values, ptxas by default aims for more blocks
 * and spills; with this number it does not. The same holds for large tiles of small blocks, or with
 * addresses of many dimensions. 0: ptxas chooses. */
static int blocks_together(const sq_nest *n, const sq_grid *device, int threads)
{
    const sq_group *g = n->group;
    if (two_fit(g, device, threads))
        return 2;
    int64_t points = 1, taps = 1;
    for (int d = 0; d < g->ndim; d++)
        *(d < g->nfree ? &points : &taps) *= g->micro.points[d] > 1 ? g->micro.points[d] : 1;
    if (taps == 1 && !n->has_fusion && points * sq_group_bytes(g) >= LARGE_TILE && threads > 0 &&
        (threads <= FEW_THREADS || (g->ndim > MANY_DIMS && threads < LEAST_ROOM)))
        return LEAST_ROOM / threads;
    if (taps == 1 || points * sq_group_bytes(g) > SMALL_TILE)
        return 0;
    return threads > 0 && threads <= ROOM ? ROOM / threads : 0;
}

/* Returns "sq_tiles(0, M, 128)": the number of a loop's tiles. */
static const char *tiles(const sq_nest *n, const sq_node *x, const sq_uses *uses, sq_arena *arena)
{
    int d = sq_node_dim(n, x);
    return sq_arena_printf(arena, "sq_tiles(%s, %s, %lld)", sq_code_text(n->anchor[d], uses, arena),
                           sq_code_text(n->end[d], uses, arena), (long long)x->step);
}

/* Returns the number of blocks that share the loops from x on, as C text of the host; "1" if the loops are not
 * shared. */
static const char *blocks(const sq_nest *n, const sq_node *x, const sq_uses *uses, sq_arena *arena)
{
    const char *all = "";
    if (!x || x->kind != SQ_NODE_LOOP || x->runs != SQ_LOOP_BLOCKS)
        return "1";
    for (; x; x = sq_node_next_block(x))
        all = sq_arena_printf(arena, "%s%s%s", all, *all ? " * " : "", tiles(n, x, uses, arena));
    return all;
}

static int put_kernel(sq_cuda *c, const sq_nest *n, const sq_node *x)
{
    sq_printer *p = c->p;
    const sq_grid *device = p->options->target->grid;
    int threads = sq_nest_threads(n);
    const sq_uses host = {&c->host, &p->helpers}, grid = {&c->of_grid, &p->helpers};
    sq_cuda_kernel_begin(c);
    p->around = c->var;
    p->naround = c->nvars;
    sq_code *kernel = sq_lower_kernel(n, x, p->options->target, &p->leaves, c->diags);
    if (!kernel)
        return -1;
    sq_print_lowered(p, kernel, &p->body);
    if (p->block_bytes > device->shared_bytes)
        return too_much(c, n, "bytes that threads of a block share", p->block_bytes, device->shared_bytes);
    return sq_cuda_kernel_end(c, blocks(n, x, &host, p->arena), blocks(n, x, &grid, p->arena), threads,
                              blocks_together(n, device, threads));
}

/* ---- host code ---- */

static int host_nest(sq_cuda *c, const sq_nest *n);

static int host_loop(sq_cuda *c, const sq_nest *n, const sq_node *x);

static int host_nodes(sq_cuda *c, const sq_nest *n, const sq_node *x)
{
    for (; x; x = x->next) {
        int rc = 0;
        bool host = sq_node_on_host(x);
        if (host && x->kind == SQ_NODE_LOOP) {
            rc = host_loop(c, n, x);
        } else if (host && x->kind == SQ_NODE_IF) {
            sq_text_open(&c->launch, "if (%s) {", sq_print_code(c->p, x->cond));
            rc = host_nodes(c, n, x->body);
            sq_text_close(&c->launch, "}");
        } else if (x->kind == SQ_NODE_FUSION && (host || n->has_fusion)) {
            for (int i = 0; i < x->fusion->nnests && rc == 0; i++)
                rc = host_nest(c, x->fusion->nest[i]);
        } else {
            rc = put_kernel(c, n, x);
        }
        if (rc < 0)
            return -1;
    }
    return 0;
}

static int host_loop(sq_cuda *c, const sq_nest *n, const sq_node *x)
{
    sq_text_open(&c->launch, "for (int64_t %s = %s; %s < %s; %s += %lld) {", x->name,
                 sq_print_code(c->p, x->lo), x->name, sq_print_code(c->p, x->hi), x->name,
                 (long long)x->step);
    c->var[c->nvars++] = x->name;
    int rc = host_nodes(c, n, x->body);
    c->nvars--;
    sq_text_close(&c->launch, "}");
    return rc;
}

/* Adds the flops of the statements of a nest, if their points are a product of ranges. */
static void count_flops(sq_cuda *c, const sq_nest *n)
{
    const sq_group *g = n->group;
    int each = g->stmt[0]->body ? sq_expr_flops(g->stmt[0]->body) + 1 : 0, once = 0;
    const char *all = "1.0", *free = "1.0"; /* of the self-test, which has names of its own */
    for (int i = 0; i < g->nstmts; i++)
        once += g->stmt[i]->value ? sq_expr_flops(g->stmt[i]->value) : 0;
    for (int d = 0; d < g->ndim; d++) {
        all = sq_arena_printf(c->p->arena, "%s * (double)(%s)", all,
                              sq_code_text(sq_code_sub(n->code, n->end[d], n->anchor[d]), NULL, c->p->arena));
        free = d < g->nfree ? all : free;
    }
    c->counted &= n->box && !n->ragged;
    if (n->has_fusion || (g->note && !g->stmt[0]->body && !n->kernel))
        return;
    if (each)
        sq_text_printf(&c->flops, " + %d * (%s)", each, all);
    if (once)
        sq_text_printf(&c->flops, " + %d * (%s)", once, free);
}

static bool code_loops(const sq_code *x)
{
    while (x && x->kind != SQ_CODE_LOOP && !code_loops(x->body) && !code_loops(x->other))
        x = x->next;
    return x != NULL;
}

/* True if anything below x may run more than once. No warning is needed for a kernel of one thread
 * without loops. */
static bool has_loops(const sq_nest *n, const sq_node *x)
{
    for (; x; x = x->next) {
        bool once = x->kind == SQ_NODE_IF     ? !has_loops(n, x->body) && !has_loops(n, x->other)
                    : x->kind == SQ_NODE_TILE ? !n->serial_lo
                    : x->kind == SQ_NODE_SCAN && !code_loops(x->code);
        if (!once)
            return true;
    }
    return false;
}

static int host_nest(sq_cuda *c, const sq_nest *n)
{
    const bool points = c->points;
    c->points |= !has_loops(n, n->root);
    const sq_group *g = n->group;
    sq_text_line(&c->launch, "/* %s%s%s%s */", g->stmt[0]->name,
                 g->nstmts > 1 ? " and what is fused with it" : "", g->note ? ": " : "",
                 g->note ? g->note : "");
    count_flops(c, n);
    const sq_code_expr *around = c->cond;
    if (n->cond && c->nvars == 0)
        c->cond = sq_code_and(c->p->code, around, n->cond);
    if (n->cond)
        sq_text_open(&c->launch, "if (%s) {", sq_print_code(c->p, n->cond));
    int rc = host_nodes(c, n, n->root);
    c->cond = around;
    c->points = points;
    if (n->cond)
        sq_text_close(&c->launch, "}");
    return rc;
}

static int put_written(sq_cuda *c, const sq_group *g)
{
    sq_code *x = NULL;
    if (!sq_scan_written(c->p->kernel, g, c->p->code, &x))
        return sq_ast_loops_refused(g->stmt[0], c->diags);
    sq_cuda_kernel_begin(c);
    sq_print_lowered(c->p, x, &c->p->body);
    sq_text_line(&c->launch, "/* Loops in the order they were written, by one thread. */");
    return sq_cuda_kernel_end(c, "1", "1", 1, 0);
}

/* Returns "S0, S1": the statements of a group and of those fused into its loops. */
static const char *names_of_run(const sq_cuda *c, int group)
{
    const char *all = "";
    for (int i = 0; i < sq_fusion_length(c->schedule, group); i++) {
        const sq_group *g = c->schedule->group[group + i];
        for (int s = 0; s < g->nstmts; s++)
            all = sq_arena_printf(c->p->arena, "%s%s%s", all, *all ? ", " : "", g->stmt[s]->name);
    }
    return all;
}

/* True if the statements of a group, and those fused into its loops, have a single point each. A
 * nest of theirs may have one where they have more: has_loops. */
static bool has_points(const sq_cuda *c, int group)
{
    bool points = true;
    for (int i = 0; i < sq_fusion_length(c->schedule, group); i++) {
        const sq_group *g = c->schedule->group[group + i];
        for (int s = 0; s < g->nstmts; s++)
            points &= g->stmt[s]->ndim == 0;
    }
    return points;
}

int sq_cuda_group(sq_cuda *c, int group)
{
    const sq_group *g = c->schedule->group[group];
    c->stmts = names_of_run(c, group);
    c->points = has_points(c, group);
    if (g->kind == SQ_GROUP_WRITTEN)
        return put_written(c, g);
    if (g->kind == SQ_GROUP_TREE)
        return sq_cuda_tree(c, g);
    const sq_fusion *r =
        sq_lower_fusion(c->schedule, group, c->p->options->target, c->p->code, c->diags);
    int rc = r ? 0 : -1;
    if (r && r->frame)
        return host_nest(c, r->frame);
    for (int i = 0; rc == 0 && i < r->nnests; i++)
        rc = host_nest(c, r->nest[i]);
    return rc;
}
