/* Grid, host: lowers the loops and conditions of nests that the grid does not share. The host runs them, and launches
 * a kernel for everything inside. */
#include "codegen/lower/grid_inside.h"
#include "codegen/lower/region_work.h"
#include "ir/dependence/tensor.h"

enum {
    SMALL_TILE = 64 /* bytes of a thread's sums */,
    LARGE_TILE = 128,
    FEW_THREADS = 64 /* per block */,
    MANY_DIMS = 5,
    OPERANDS = 3,    /* registers per sum of a matrix instruction */
    ROOM = 512,      /* threads per multiprocessor */
    LEAST_ROOM = 256 /* the number that can use the maximum of registers */
};

typedef struct host {
    sq_kernel_walk w;
    sq_grid_host names;
    const sq_code_expr *cond; /* of the nests around, if it depends on the sizes only; NULL: none */
    const sq_nest *counted;   /* the nest whose work the next kernel counts; NULL: none */
    sq_diags *diags;
} host;

/* ---- queries ---- */

static bool nest_has_grid(const sq_nest *n);

static bool has_grid(const sq_node *x)
{
    for (; x; x = x->next) {
        if ((x->kind == SQ_NODE_LOOP && x->runs >= SQ_LOOP_BLOCKS) || has_grid(x->body) ||
            has_grid(x->other))
            return true;
        for (int i = 0; x->kind == SQ_NODE_FUSION && i < x->fusion->nnests; i++)
            if (nest_has_grid(x->fusion->nest[i]))
                return true;
    }
    return false;
}

static bool nest_has_grid(const sq_nest *n)
{
    return has_grid(n->root);
}

/* True for a loop or condition of the host: the grid does not share it, but something inside. A loop with
 * a shared copy is part of the kernel, as the copy lives no longer than a kernel. */
static bool is_on_host(const sq_node *x)
{
    bool loop = x->kind == SQ_NODE_LOOP;
    bool copies = loop && x->body && x->body->kind == SQ_NODE_COPY && x->body->buffer->shared;
    return has_grid(x) && !copies && !(loop && x->runs >= SQ_LOOP_BLOCKS);
}

/* ---- launches ---- */

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

/* Returns the number of blocks that share the loops from x on; 1 if the loops are not shared. */
static const sq_code_expr *blocks_of(const sq_kernel_walk *w, const sq_nest *n, const sq_node *x)
{
    const sq_code_expr *all = sq_grid_number(w, 1);
    if (x->kind != SQ_NODE_LOOP || x->runs != SQ_LOOP_BLOCKS)
        return all;
    for (; x; x = sq_node_next_block(x))
        all = sq_code_mul(w->code, all, sq_grid_tiles(w, n, x));
    return all;
}

/* Adds the flops of this number of points, along the first ndim dimensions. */
static void add_flops(sq_code_work *to, const sq_nest *n, int flops, int ndim)
{
    sq_code_product x = sq_region_product_new(n->code->arena, flops);
    for (int d = 0; d < ndim; d++)
        sq_region_multiply(&x, sq_code_sub(n->code, n->end[d], n->anchor[d]));
    if (flops)
        sq_region_add(to, &x);
}

/* Returns the flops of the statements of a nest, or none for NULL. NULL if its points are no product of ranges. */
static const sq_code_work *work_of(const sq_nest *n, sq_arena *arena)
{
    sq_code_work *to = SQ_NEW(arena, sq_code_work);
    if (!n)
        return to;
    const sq_group *g = n->group;
    int once = 0;
    to->term = SQ_NEW_ARRAY(arena, sq_code_product, 2);
    if (!n->box || n->ragged)
        return NULL;
    for (int i = 0; i < g->nstmts; i++)
        once += g->stmt[i]->value ? sq_expr_flops(g->stmt[i]->value) : 0;
    add_flops(to, n, g->stmt[0]->body ? sq_expr_flops(g->stmt[0]->body) + 1 : 0, g->ndim);
    add_flops(to, n, once, g->nfree);
    return to;
}

void sq_grid_name_outer(sq_grid_host *h, const char *name)
{
    if (h->nnames == SQ_MAX_LOOPS)
        sq_bug("grid", "more than %d variables around a kernel", SQ_MAX_LOOPS);
    h->name[h->nnames++] = name;
}

sq_code_launch *sq_grid_launch(const sq_grid_host *h, sq_arena *arena, const sq_code_expr *blocks)
{
    sq_code_launch *l = SQ_NEW(arena, sq_code_launch);
    const char **outer = SQ_NEW_ARRAY(arena, const char *, h->nnames + 1);
    for (int i = 0; i < h->nnames; i++)
        outer[i] = h->name[i];
    *l = (sq_code_launch){
        .blocks = blocks, .most = blocks, .stmts = h->stmts, .nouter = h->nnames, .outer = outer};
    return l;
}

static int append_kernel(host *h, const sq_nest *n, const sq_node *x)
{
    sq_kernel_walk *w = &h->w;
    sq_code *kernel = sq_grid_kernel(n, x, w->target, w->parts, h->diags);
    if (!kernel)
        return -1;
    sq_code_launch *l = sq_grid_launch(&h->names, w->arena, blocks_of(w, n, x));
    l->cond = h->cond;
    l->together = blocks_together(n, w->target->grid, sq_nest_threads(n));
    l->work = work_of(h->counted, w->arena);
    h->counted = NULL;
    kernel->launch = l;
    sq_grid_append(w, kernel);
    return 0;
}

/* ---- the host ---- */

static int append_nest(host *h, const sq_nest *n);
static int append_nodes(host *h, const sq_nest *n, const sq_node *x);

static int append_fusion(host *h, const sq_fusion *r)
{
    int rc = 0;
    for (int i = 0; i < r->nnests && rc == 0; i++)
        rc = append_nest(h, r->nest[i]);
    return rc;
}

static int append_loop(host *h, const sq_nest *n, const sq_node *x)
{
    sq_grid_open(&h->w, sq_grid_loop(&h->w, x, x->lo, 1));
    sq_grid_name_outer(&h->names, x->name);
    int rc = append_nodes(h, n, x->body);
    h->names.nnames--;
    sq_grid_close(&h->w);
    return rc;
}

static int append_if(host *h, const sq_nest *n, const sq_node *x)
{
    sq_grid_open_if(&h->w, x->cond);
    int rc = append_nodes(h, n, x->body);
    if (rc == 0 && x->other) {
        sq_grid_else(&h->w);
        rc = append_nodes(h, n, x->other);
    }
    sq_grid_close(&h->w);
    return rc;
}

static int append_nodes(host *h, const sq_nest *n, const sq_node *x)
{
    int rc = 0;
    for (; x && rc == 0; x = x->next) {
        bool is_host = is_on_host(x);
        if (is_host && x->kind == SQ_NODE_LOOP)
            rc = append_loop(h, n, x);
        else if (is_host && x->kind == SQ_NODE_IF)
            rc = append_if(h, n, x);
        else if (x->kind == SQ_NODE_FUSION && (is_host || n->has_fusion))
            rc = append_fusion(h, x->fusion);
        else
            rc = append_kernel(h, n, x);
    }
    return rc;
}

static int append_nest(host *h, const sq_nest *n)
{
    const sq_code_expr *around = h->cond;
    sq_grid_append(&h->w, sq_code_comment(h->w.code, sq_nest_comment(n)));
    if (n->cond && h->names.nnames == 0)
        h->cond = sq_code_and(h->w.code, around, n->cond);
    if (n->cond)
        sq_grid_open_if(&h->w, n->cond);
    h->counted = n->has_fusion ? NULL : n;
    int rc = append_nodes(h, n, n->root);
    if (n->cond)
        sq_grid_close(&h->w);
    h->cond = around;
    return rc;
}

int sq_lower_kernels(const sq_fusion *r, const char *stmts, const sq_target *t, sq_code **to, sq_diags *d)
{
    sq_parts parts = {0};
    sq_grid_scope all = {0};
    const sq_nest *first = r->frame ? r->frame : r->nnests ? r->nest[0] : NULL;
    *to = NULL;
    if (!first) /* loops without iterations */
        return 0;
    host h = {.w = sq_grid_walk(first, t, &parts, &all), .names.stmts = stmts, .diags = d};
    int rc = r->frame ? append_nest(&h, r->frame) : append_fusion(&h, r);
    *to = all.list.first;
    return rc;
}
