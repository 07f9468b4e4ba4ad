/* Plan script: prints a plan as a script; see sketch.h. */
#include "tuner/space/sketch.h"

static void put_item(sq_text *to, bool *first, const char *format, const char *name, int64_t n)
{
    if (!*first)
        sq_text_puts(to, ", ");
    *first = false;
    sq_text_printf(to, format, name, (long long)n);
}

static void put_tile(const sq_plan *q, sq_text *to)
{
    bool first = true;
    for (int d = 0; d < q->shape->ndim; d++)
        if (q->block[d]) {
            if (first)
                sq_text_puts(to, "tile(");
            put_item(to, &first, "%s:%lld", q->shape->group->dim[d], q->block[d]);
        }
    if (!first)
        sq_text_puts(to, ") ");
}

static void put_micro(const sq_plan *q, sq_text *to)
{
    bool first = true;
    sq_text_puts(to, "micro(");
    for (int d = 0; d < q->shape->ndim; d++)
        if (q->points[d] > 1 && d != q->vector)
            put_item(to, &first, "%s:%lld", q->shape->group->dim[d], q->points[d]);
    int last = q->across ? 0 : q->vector;
    if (q->shape->nfree > 0 && (!q->across || first))
        put_item(to, &first, "%s:%lld", q->shape->group->dim[last], q->points[last]);
    if (q->serial >= 0)
        sq_text_printf(to, " | %s", q->shape->group->dim[q->serial]);
    sq_text_printf(to, ") vectorize(%s:%d) ", q->shape->group->dim[q->vector], q->lanes);
    if (q->unroll > q->split) /* as many steps as accumulators are unrolled anyway */
        sq_text_printf(to, "unroll(%s:%d) ", q->shape->group->dim[q->serial], q->unroll);
    if (q->split > 1)
        sq_text_printf(to, "split(%s:%d) ", q->shape->group->dim[q->serial], q->split);
}

static void put_loop_name(const sq_plan *q, int l, sq_text *to)
{
    sq_text_printf(to, "%s%s", q->shape->group->dim[q->loop[l].dim], q->loop[l].block ? "0" : "");
}

static void put_order(const sq_plan *q, sq_text *to)
{
    if (q->nloops == 0)
        return;
    sq_text_puts(to, "order(");
    for (int l = 0; l < q->nloops; l++) {
        sq_text_puts(to, l ? ", " : "");
        put_loop_name(q, l, to);
    }
    sq_text_puts(to, ") ");
}

/* Returns the points of a panel along d: those of the tile. A packed array that a tile uses once, as the weights for
 * one row, is read as fast as memory gives it, and several panels side by side are several streams: one vector each. */
static int64_t panel_of(const sq_plan *q, const sq_operand *o, int d)
{
    bool once = o->array->is_packed && d == q->vector;
    for (int f = 0; f < q->shape->nfree; f++)
        once = once && (f == d || q->points[f] <= 1);
    return once ? q->lanes : q->points[d];
}

static void put_packs(const sq_plan *q, sq_text *to)
{
    for (int i = 0; i < q->shape->noperands; i++) {
        const sq_operand *o = &q->shape->operand[i];
        if (q->packing[i] == SQ_UNPACKED)
            continue;
        sq_text_printf(to, "pack(%s at ", o->array->name);
        if (q->pack_loop[i] < 0)
            sq_text_puts(to, "top");
        else
            put_loop_name(q, q->pack_loop[i], to);
        int d = sq_operand_moves(o, q->vector) ? q->vector : q->row;
        if (q->packing[i] == SQ_PACKED_PANELS)
            sq_text_printf(to, " as %s%lld", q->shape->group->dim[d], (long long)panel_of(q, o, d));
        sq_text_puts(to, ") ");
    }
}

void sq_plan_script(const sq_plan *q, sq_text *to)
{
    put_tile(q, to);
    put_micro(q, to);
    put_order(q, to);
    put_packs(q, to);
    for (int l = 0; l < q->nloops; l++)
        if (q->loop[l].parallel) {
            sq_text_puts(to, "parallel(");
            put_loop_name(q, l, to);
            sq_text_puts(to, ") ");
        }
}
