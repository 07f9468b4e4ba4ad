/* Draft, order: the price of an order of loops with register tiles in it; see draft_tree.h. The loops that a statement
 * has by itself are a schedule of their own, so that what chooses tiles for a kernel of one statement chooses them
 * here. */
#include "tuner/model/draft_tree.h"
#include <math.h>

/* Of the loops' time: a tile that the model expects to gain less is left out, since the model is no more exact. */
static const double most_of_loops = 0.8;

/* What a tile of a nest is checked by. */
typedef struct nest_check {
    const sq_kernel *kernel;
    const sq_group *group;
    const sq_draft_nest *nest;
} nest_check;

static bool respects(void *user, const sq_schedule *own)
{
    const nest_check *x = user;
    return sq_draft_nest_respects(x->kernel, x->group, x->nest, own);
}

/* Chooses the tile of a nest. Without one it takes forever. */
static sq_draft_chosen choose_tile(const sq_draft_context *c, const sq_schedule *s, int group,
                                   const sq_draft_nest *n)
{
    const sq_schedule *own = n->nest->schedule;
    sq_sketch *k =
        sq_sketch_of_nest(own, n->single, c->machine, c->target, c->sizes, c->threads, c->arena);
    nest_check user = {s->kernel, s->group[group], n};
    sq_draft_check check = {respects, &user};
    sq_draft_chosen chosen = {"", INFINITY};
    if (sq_sketch_groups(k))
        sq_draft_choice(k, own, sq_draft_room(s->kernel), c->arena, &check, &chosen, NULL);
    return chosen;
}

bool sq_draft_order_price(const sq_draft_context *c, const sq_schedule *s, int group,
                          sq_draft_order *o)
{
    sq_draft_nest nest[SQ_MOST_NESTS];
    int n = sq_draft_nests_find(c, s, group, nest, &o->seconds);
    o->marks = "";
    for (int i = 0; i < n; i++) {
        sq_draft_chosen x = choose_tile(c, s, group, &nest[i]);
        if (x.seconds > most_of_loops * nest[i].loops)
            continue;
        o->seconds += x.seconds - nest[i].loops;
        o->marks = sq_arena_printf(c->arena, "%s%s%s: %s", o->marks, *o->marks ? " " : "",
                                   s->group[group]->stmt[nest[i].stmt]->name, x.script);
    }
    return isfinite(o->seconds);
}
