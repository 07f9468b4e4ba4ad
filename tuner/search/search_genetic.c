/* Genetic search, with AutoTVM's parameters: generations of 100, the first at random; two parents are drawn in
 * proportion to their speed from the last generation and the three best of those before; a child has the first
 * coordinates of one and the others of the other, and each of them changes with a chance of one in ten. A child that
 * was seen is changed until it was not; where that leads to nothing, a walk gives what is left. */
#include "tuner/search/base.h"
#include <stdio.h>
#include <string.h>

enum { POPULATION = 100, ELITES = 3, MUTATION = 10 /* one coordinate in ten */, TRIES = 200 };

struct individual {
    int point[SQ_MAX_COORDS];
    double speed; /* 0: of no use, or not told yet */
    bool is_told;
};

struct sq_seek {
    sq_search_base base;
    struct individual now[POPULATION], before[POPULATION + ELITES], elite[ELITES];
    struct individual outside; /* the fastest that others asked for while the generation lasted, as the start; or 0 */
    int nnow, nbefore, nelite;
    int ntold; /* of `now` */
    bool is_first;     /* the first generation, of which nobody is a child */
};

static sq_seek *open(const sq_space *space, const sq_search_options *o)
{
    sq_seek *s = sq_search_new(sizeof *s, space, o);
    s->is_first = true;
    return s;
}

/* The best of all generations that ended, best first; what is as fast as one of them and came later is not among
 * them. */
static void keep_elite(sq_seek *s, const struct individual *x)
{
    int at = s->nelite;
    while (at > 0 && s->elite[at - 1].speed < x->speed)
        at--;
    if (at == ELITES || x->speed <= 0)
        return;
    int n = s->nelite < ELITES ? s->nelite++ : ELITES - 1;
    memmove(&s->elite[at + 1], &s->elite[at], (size_t)(n - at) * sizeof *s->elite);
    s->elite[at] = *x;
}

/* Another one than `other`, as long as there is one. */
static const struct individual *draw_parent(sq_seek *s, const struct individual *other)
{
    const struct individual *last = other;
    double sum = 0;
    for (int i = 0; i < s->nbefore; i++)
        sum += &s->before[i] == other ? 0 : s->before[i].speed;
    double left = sum * sq_rng_unit(&s->base.rng);
    for (int i = 0; i < s->nbefore; i++) {
        if (&s->before[i] == other)
            continue;
        last = &s->before[i];
        if ((left -= last->speed) < 0)
            break;
    }
    return last;
}

static void make_child(sq_seek *s, int *point)
{
    const struct individual *a = draw_parent(s, NULL), *b = draw_parent(s, a);
    int cut = (int)sq_rng_below(&s->base.rng, (size_t)s->base.space->n);
    for (int c = 0; c < s->base.space->n; c++) {
        point[c] = (c < cut ? a : b)->point[c];
        if (s->base.space->coord[c].nvalues > 1 && sq_rng_below(&s->base.rng, MUTATION) == 0)
            point[c] = (int)sq_rng_below(&s->base.rng, (size_t)s->base.space->coord[c].nvalues);
    }
    sq_space_settle(s->base.space, point);
}

/* An individual that was not seen yet; false: chance found none. */
static bool make_individual(sq_seek *s, int *point)
{
    bool is_child = !s->is_first && s->nbefore > 0;
    if (is_child)
        make_child(s, point);
    else
        sq_search_draw(&s->base, point);
    for (int t = 0; t < TRIES; t++) {
        int c = sq_search_any_coord(&s->base);
        if (sq_search_take(&s->base, point))
            return true;
        if (c < 0)
            return false;
        if (is_child)
            sq_search_change(&s->base, point, c);
        else
            sq_search_draw(&s->base, point);
        sq_space_settle(s->base.space, point);
    }
    return false;
}

/* The individuals of one that ended, and the elite of those before it, are the parents of the next. */
static void end_generation(sq_seek *s)
{
    keep_elite(s, &s->outside);
    s->outside.speed = 0;
    s->nbefore = 0;
    for (int i = 0; i < s->nnow; i++)
        if (s->now[i].speed > 0)
            s->before[s->nbefore++] = s->now[i];
    for (int i = 0; i < s->nelite; i++)
        s->before[s->nbefore++] = s->elite[i];
    for (int i = 0; i < s->nnow; i++)
        keep_elite(s, &s->now[i]);
    s->nnow = s->ntold = 0;
    s->is_first = false;
}

static int give(sq_seek *s, const int *point)
{
    struct individual *x = &s->now[s->nnow++];
    memcpy(x->point, point, sizeof x->point);
    x->speed = 0;
    x->is_told = false;
    return 1;
}

static int ask(sq_seek *s, int *point)
{
    if (sq_search_start(&s->base, point))
        return give(s, point);
    if (s->nnow == POPULATION && s->ntold < s->nnow)
        return 0; /* the next generation are children of all of this one */
    if (s->nnow == POPULATION)
        end_generation(s);
    if (make_individual(s, point) || sq_search_left(&s->base, point) == 1)
        return give(s, point);
    return s->ntold < s->nnow ? 0 : -1;
}

static void tell(sq_seek *s, const sq_told *t)
{
    struct individual x = {.speed = t->valid && t->cost > 0 ? 1 / t->cost : 0};
    memcpy(x.point, t->point, sizeof x.point);
    sq_seen_add(s->base.seen, t->point);
    bool ours = false;
    for (int i = 0; i < s->nnow; i++)
        if (!s->now[i].is_told &&
            memcmp(s->now[i].point, t->point, (size_t)s->base.space->n * sizeof *t->point) == 0) {
            s->now[i].speed = x.speed;
            s->now[i].is_told = ours = true;
            s->ntold++;
        }
    if (!ours && x.speed > s->outside.speed)
        s->outside = x;
}

static void says(const sq_seek *s, char *to, size_t n)
{
    snprintf(to, n, "%s generation, %d of %d are back", s->is_first ? "first" : "another", s->ntold, POPULATION);
}

const sq_search sq_search_genetic = {.name = "genetic",
                                     .doc = "generations of 100: children of the fast, some changed (AutoTVM's)",
                                     .open = open,
                                     .ask = ask,
                                     .tell = tell,
                                     .close = sq_search_close,
                                     .by_chance = POPULATION,
                                     .ends = "every point was tried",
                                     .says = says};
