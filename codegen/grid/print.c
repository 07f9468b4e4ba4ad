/* Print: walks a grid's nest and writes CUDA. Loops shared by blocks and threads, and
 * cooperative copies, are text; register tiles and everything that CPUs have as well are code
 * (codegen/lower). */
#include "codegen/grid/print.h"
#include "codegen/lower/leaf.h"
#include "codegen/lower/nest.h"
#include "codegen/print/statements.h"
#include "ir/dependence/tensor.h"

/* ---- nodes ---- */

static void put_fusion(sq_printer *p, const sq_fusion *r);

static void put_loop(sq_printer *p, const sq_nest *n, const sq_node *x)
{
    const sq_node *around = p->steady;
    if (sq_print_stages(p, n, x))
        return;
    sq_steady_begin(p, x);
    if (x->once) {
        sq_text_open(&p->body, "{");
        sq_text_line(&p->body, "const int64_t %s = %s;", x->name, sq_print_code(p, x->lo));
        sq_text_line(&p->body, "(void)%s;", x->name);
    } else {
        sq_print_loop_head(p, x, x->lo, 1);
    }
    sq_print_nodes(p, n, x->body);
    sq_steady_next(p, x);
    p->steady = around;
    if (p->threads > 0 && sq_node_waits(n, x))
        sq_text_line(&p->body, "__syncthreads();");
    sq_text_close(&p->body, "}");
}

static void put_if(sq_printer *p, const sq_nest *n, const sq_node *x)
{
    sq_text_open(&p->body, "if (%s) {", sq_print_code(p, x->cond));
    sq_print_nodes(p, n, x->body);
    if (x->other) {
        sq_text_close(&p->body, "} else {");
        p->body.indent++;
        sq_print_nodes(p, n, x->other);
    }
    sq_text_close(&p->body, "}");
}

/* Prints a barrier for the previous contents, the copies, and a barrier for their completion. */
static void put_shared_copies(sq_printer *p, const sq_node *x)
{
    bool first = !x->after_copy, last = !x->next || x->next->kind != SQ_NODE_COPY;
    if (first)
        sq_text_line(&p->body, "__syncthreads();");
    sq_print_shared_copy(p, x->buffer);
    if (last)
        sq_text_line(&p->body, "__syncthreads();");
}

static void put_tile(sq_printer *p, const sq_nest *n)
{
    p->matrices |= sq_group_is_tensor(n->group);
    if (p->held)
        sq_tile_steps(p->held, p->guard);
    else
        sq_print_lowered(p, sq_lower_leaf(n, p->options->target, &p->leaves), true, &p->body);
}

void sq_print_nodes(sq_printer *p, const sq_nest *n, const sq_node *x)
{
    for (; x; x = x->next) {
        switch (x->kind) {
        case SQ_NODE_LOOP:
            if (x->runs == SQ_LOOP_BLOCKS)
                sq_print_blocks(p, n, x);
            else if (x->runs == SQ_LOOP_LANES)
                sq_print_lanes(p, n, x);
            else
                put_loop(p, n, x);
            break;
        case SQ_NODE_IF:
            put_if(p, n, x);
            break;
        case SQ_NODE_COPY:
            put_shared_copies(p, x);
            break;
        case SQ_NODE_HELD:
            sq_print_held(p, n, x);
            break;
        case SQ_NODE_TILE:
            put_tile(p, n);
            break;
        case SQ_NODE_SCAN:
            sq_print_lowered(p, x->code, true, &p->body);
            break;
        case SQ_NODE_FUSION:
            put_fusion(p, x->fusion);
            break;
        }
    }
}

/* ---- nests ---- */

/* Prints a nest under its condition. */
static void put_guarded(sq_printer *p, const sq_nest *n)
{
    bool bare = sq_nest_is_bare(n);
    if (n->cond)
        sq_text_open(&p->body, "if (%s) {", sq_print_code(p, n->cond));
    else if (bare)
        sq_text_open(&p->body, "{");
    sq_text_line(&p->body, "/* %s */", sq_nest_comment(n));
    sq_print_nodes(p, n, n->root);
    if (n->cond || bare)
        sq_text_close(&p->body, "}");
}

/* Prints nests in sequence. A nest without loops for the threads of a block runs in one of them,
 * and all wait for what it wrote; inside a shared loop each thread runs it for its own iterations,
 * whose number may differ. */
static void put_fusion(sq_printer *p, const sq_fusion *r)
{
    for (int i = 0; i < r->nnests; i++) {
        bool one = sq_nest_threads(r->nest[i]) == 1 && sq_print_first_threads(p, 1);
        put_guarded(p, r->nest[i]);
        if (one)
            sq_text_close(&p->body, "}");
        if (p->threads > 1 && (!p->in_shared_loop || sq_node_lanes(r->nest[i]->root)))
            sq_text_line(&p->body, "__syncthreads();");
    }
}
