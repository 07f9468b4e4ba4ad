/* Stored: see stored.h. */
#include "codegen/nest/stored.h"

/* Returns ceil((hi - lo) / by). */
static const sq_code_expr *parts(sq_code_pool *code, const sq_code_expr *lo, const sq_code_expr *hi, int64_t by)
{
    const sq_code_expr *n = sq_code_plus(code, sq_code_sub(code, hi, lo), by - 1);
    return sq_code_divide(code, SQ_CODE_DIV, n, sq_code_number(code, by));
}

/* Adds loop l, and numbers the copies inside of it. */
static void add_loop(sq_lowering *w, int l, sq_stored *s, const sq_code_expr **number)
{
    const sq_loop *x = &w->group->loop[l];
    int around = sq_loop_around(w->group, l);
    sq_code_pool *code = w->code;
    const sq_code_expr *lo = around < 0 ? w->nest->anchor[x->dim] : sq_code_name(code, w->group->loop[around].name),
                       *here = sq_code_name(code, x->name), *by = sq_code_number(code, x->step),
                       *count = around < 0
                                    ? parts(code, lo, w->nest->end[x->dim], x->step)
                                    : sq_code_number(code, (w->group->loop[around].step + x->step - 1) / x->step);
    s->loop[s->nloops++] = (sq_stored_loop){x->name, lo, sq_box_end(&w->bounds, l, x->dim), x->step, count};
    *number = sq_code_add(code, sq_code_mul(code, *number, count),
                          sq_code_divide(code, SQ_CODE_DIV, sq_code_sub(code, here, lo), by));
    s->copies = sq_code_mul(code, s->copies, count);
}

/* Returns the dimension that moves axis a by single positions, and no other; -1. */
static int alone_along(const sq_ref *r, int a)
{
    int only = -1;
    for (int d = 0; d < SQ_MAX_DIMS; d++) {
        if (r->coef[a][d] == 0)
            continue;
        if (only >= 0 || r->coef[a][d] != 1)
            return -1;
        only = d;
    }
    return only;
}

/* Returns the outermost axis of a copy: that of the first panels, else the first one. */
static int outermost(const sq_buffer *b)
{
    for (int a = 0; a < b->naxes; a++)
        if (b->axis[a].split == SQ_SPLIT_PANEL)
            return a;
    return 0;
}

/* Divides copies into parts along their outermost axis, which are whole lines: of sizes smaller than the tile, as in a
 * batch of small matrices, only the parts that there are are stored. */
static void divide(const sq_lowering *w, const sq_buffer *b, const sq_ref *r, int64_t line, sq_stored *s)
{
    int a = outermost(b), d = b->naxes > 0 ? alone_along(r, a) : -1;
    const sq_axis *x = &b->axis[a];
    int64_t block = x->split == SQ_SPLIT_PANEL ? x->block : 1;
    int64_t points = d >= 0 && w->group->micro.points[d] > 1 ? w->group->micro.points[d] : 1;
    if (d < 0 || x->split == SQ_SPLIT_PHASE || x->stride != 1 || x->step_q % line || points % block)
        return;
    sq_code_pool *code = w->code;
    const sq_code_expr *tiles = parts(code, w->nest->anchor[d], w->nest->end[d], points);
    s->elements = x->step_q;
    s->parts = sq_code_min(code, sq_code_number(code, (x->extent + block - 1) / block),
                           sq_code_scale(code, points / block, tiles));
}

const sq_stored *sq_stored_new(sq_lowering *w, const sq_pack *p, const sq_buffer *b, const sq_ref *r, const char **why)
{
    if (!w->box || w->frame || w->scan) {
        *why = "it is prepacked, and the ranges of the loops around its copies are no rectangle";
        return NULL;
    }
    sq_stored *s = SQ_NEW(w->arena, sq_stored);
    const sq_code_expr *number = sq_code_number(w->code, 0);
    int64_t line = SQ_STORED_LINE / sq_type_bytes(b->type);
    enum { SLACK = 64 }; /* of a buffer, for vectors that begin at its last element: the next copy has it */
    s->copies = sq_code_number(w->code, 1);
    s->elements = (b->elements - SLACK + line - 1) / line * line;
    s->parts = sq_code_number(w->code, 1);
    divide(w, b, r, line, s);
    for (int l = 0; l <= p->loop; l++)
        if (sq_ref_depends(r, w->group->loop[l].dim))
            add_loop(w, l, s, &number);
    s->at = sq_code_mul(w->code, number, sq_code_scale(w->code, s->elements, s->parts));
    return s;
}

const sq_buffer *sq_stored_buffer(const sq_fusion *f, const sq_array *a)
{
    for (int n = 0; n < f->nnests; n++)
        for (int b = 0; b < f->nest[n]->nbuffers; b++)
            if (f->nest[n]->buffer[b]->array == a && f->nest[n]->buffer[b]->stored)
                return f->nest[n]->buffer[b];
    return NULL;
}

/* True if some leaf runs point by point, and reads arrays where they lie. */
static bool scans(const sq_node *x)
{
    for (; x; x = x->next)
        if (x->kind == SQ_NODE_SCAN || scans(x->body) || scans(x->other))
            return true;
    return false;
}

/* True if a nest reads the array elsewhere than in its copies. */
static bool reads_besides(const sq_nest *n, const sq_array *a)
{
    bool scanned = scans(n->root);
    for (int i = 0; i < n->nrefs; i++)
        if (n->ref[i]->array == a && (scanned || !n->ref[i]->buffer))
            return true;
    return false;
}

int sq_stored_check(const sq_fusion *f, sq_diags *d)
{
    for (int n = 0; n < f->nnests; n++)
        for (int b = 0; b < f->nest[n]->nbuffers; b++) {
            const sq_array *a = f->nest[n]->buffer[b]->array;
            for (int other = 0; other < f->nnests && f->nest[n]->buffer[b]->stored; other++)
                if (reads_besides(f->nest[other], a))
                    return sq_error(d, SQ_FAULT_REFUSED, a->loc,
                                    "cannot pack '%s': it is prepacked, and points that no register tile takes would "
                                    "read it besides its copies",
                                    a->name);
        }
    return 0;
}

const char *sq_stored_layout(const sq_buffer *b, sq_arena *arena)
{
    sq_text t = {0};
    sq_text_printf(&t, "%s %lld", sq_type_name(b->type), (long long)b->stored->elements);
    for (int l = 0; l < b->stored->nloops; l++)
        sq_text_printf(&t, " %s:%lld", b->stored->loop[l].name, (long long)b->stored->loop[l].step);
    for (int a = 0; a < b->naxes; a++) {
        const sq_axis *x = &b->axis[a];
        sq_text_printf(&t, " [%lld %lld %lld %d %lld %lld %lld]", (long long)x->konst, (long long)x->extent,
                       (long long)x->stride, (int)x->split, (long long)x->block, (long long)x->step_q,
                       (long long)x->step_r);
    }
    return sq_text_take(&t, arena);
}
