/* Raindrop: exploitation by coordinate descent, after "droplet search" (Canesche et al., "Explore
 * as a Storm, Exploit as a Raindrop"), with what its measurements taught: values are sorted, so
 * that a step is a step; a factor may move between two levels of one axis and, when single steps
 * stop, between two axes (one cache, two panels); an accepted step is followed with doubled ones;
 * only points that win against the interleaved incumbent are accepted. When nothing around a point
 * wins, it starts again from the best point of another kind, some times. */
#include "tuner/search/base.h"
#include "support/memory.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_MOVES = 4096, MAX_TOLD = 4096, RESTARTS = 4, PAIR_MOVES = 24 };
static const double min_effect = 0.01;

struct move {
    int point[SQ_MAX_COORDS];
    int step[SQ_MAX_COORDS]; /* from the centre */
    double draft;
};

struct result {
    int point[SQ_MAX_COORDS];
    double cost;
};

struct sq_seek {
    sq_search_base base;
    bool has_centre;
    bool is_best;              /* the centre is the incumbent */
    bool moved;                /* the centre is new: its moves are not built yet */
    int follow[SQ_MAX_COORDS]; /* the step that led there; zeros: none */
    struct result centre;
    int phase; /* 0 single steps and transfers, 1 pairs of axes, 2 exhausted */
    int nmoves, pending, restarts;
    struct move *moves;    /* taken from the end */
    struct move asked[64]; /* under way: where they came from, for the line search */
    int nasked;
    struct result *told; /* valid ones, for restarts */
    int ntold;
    struct result *starts; /* centres descended from */
    int nstarts;
};

static sq_seek *open(const sq_space *space, const sq_search_options *o)
{
    sq_seek *s = sq_search_new(sizeof *s, space, o);
    s->moves = sq_allocated(malloc(MAX_MOVES * sizeof *s->moves));
    s->told = sq_allocated(malloc(MAX_TOLD * sizeof *s->told));
    s->starts = sq_allocated(malloc((RESTARTS + 2) * sizeof *s->starts));
    return s;
}

/* ---- moves ---- */

/* Adds centre + step*times if that is a new point. */
static void add_move(sq_seek *s, const int *step, int times)
{
    struct move *m = &s->moves[s->nmoves];
    if (s->nmoves == MAX_MOVES)
        return;
    memset(m, 0, sizeof *m);
    for (int c = 0; c < s->base.space->n; c++) {
        int at = s->centre.point[c] + step[c] * times;
        if (at < 0 || at >= s->base.space->coord[c].nvalues)
            return;
        m->point[c] = at;
        m->step[c] = step[c] * times;
    }
    sq_space_settle(s->base.space, m->point);
    if (sq_seen_has(s->base.seen, m->point))
        return;
    m->draft = s->base.o.draft ? s->base.o.draft(s->base.o.draft_user, m->point) : 0;
    if (isfinite(m->draft))
        s->nmoves++;
}

static void add_single_moves(sq_seek *s)
{
    int step[SQ_MAX_COORDS] = {0};
    for (int c = 0; c < s->base.space->n; c++) {
        for (int by = -1; by <= 1; by += 2) {
            step[c] = by;
            add_move(s, step, 1);
        }
        /* A structural coordinate has no order worth the name: all its values are neighbours. */
        for (int v = 0; s->base.space->coord[c].structural && v < s->base.space->coord[c].nvalues; v++) {
            step[c] = v - s->centre.point[c];
            if (abs(step[c]) > 1)
                add_move(s, step, 1);
        }
        step[c] = 0;
    }
}

/* One up, another down: levels of one axis, or of different ones. */
static void add_transfers(sq_seek *s, bool same_axis)
{
    int step[SQ_MAX_COORDS] = {0};
    for (int a = 0; a < s->base.space->n; a++) {
        for (int b = 0; b < s->base.space->n; b++) {
            int x = s->base.space->coord[a].axis, y = s->base.space->coord[b].axis;
            if (a == b || x < 0 || y < 0 || (x == y) != same_axis)
                continue;
            step[a] = 1;
            step[b] = -1;
            add_move(s, step, 1);
            step[a] = step[b] = 0;
        }
    }
}

static int worst_first(const void *a, const void *b)
{
    double x = ((const struct move *)a)->draft, y = ((const struct move *)b)->draft;
    return (x < y) - (x > y);
}

/* The draft orders them; of the many pairs only the most promising are tried. */
static void build_moves(sq_seek *s)
{
    s->nmoves = 0;
    if (s->phase == 0) {
        add_single_moves(s);
        add_transfers(s, true);
    } else {
        add_transfers(s, false);
    }
    qsort(s->moves, (size_t)s->nmoves, sizeof *s->moves, worst_first);
    if (s->phase == 1 && s->nmoves > PAIR_MOVES) {
        memmove(s->moves, s->moves + (s->nmoves - PAIR_MOVES), PAIR_MOVES * sizeof *s->moves);
        s->nmoves = PAIR_MOVES;
    }
}

/* ---- centres ---- */

static void set_centre(sq_seek *s, const int *point, double cost, bool is_best)
{
    memcpy(s->centre.point, point, sizeof s->centre.point);
    s->centre.cost = cost;
    s->has_centre = true;
    s->is_best = is_best;
    s->phase = 0;
    s->moved = true;
    s->nmoves = 0;
    memset(s->follow, 0, sizeof s->follow);
}

static bool is_new_kind(const sq_seek *s, const int *point)
{
    for (int i = 0; i < s->nstarts; i++)
        if (!sq_space_other_kind(s->base.space, s->starts[i].point, point))
            return false;
    return true;
}

static void note_start(sq_seek *s)
{
    if (s->nstarts < RESTARTS + 2)
        s->starts[s->nstarts++] = s->centre;
}

/* The best point of a kind not descended from yet, within twice the best. */
static bool restart(sq_seek *s)
{
    const struct result *best = NULL;
    double least = INFINITY;
    note_start(s);
    for (int i = 0; i < s->ntold; i++)
        least = fmin(least, s->told[i].cost);
    for (int i = 0; i < s->ntold; i++)
        if (is_new_kind(s, s->told[i].point) && (!best || s->told[i].cost < best->cost))
            best = &s->told[i];
    if (!best || best->cost > 2 * least || s->restarts >= RESTARTS)
        return false;
    s->restarts++;
    set_centre(s, best->point, best->cost, false);
    return true;
}

/* The moves around a new centre. After an accepted step the same again, twice as far, comes before
 * anything else. */
static void move_on(sq_seek *s)
{
    static const int none[SQ_MAX_COORDS];
    s->moved = false;
    build_moves(s);
    if (memcmp(s->follow, none, sizeof none) == 0)
        return;
    int n = s->nmoves;
    add_move(s, s->follow, 2);
    if (s->nmoves == n)
        add_move(s, s->follow, 1);
}

/* ---- the row ---- */

static int give(sq_seek *s, const struct move *m, int *point)
{
    memcpy(point, m->point, sizeof m->point);
    sq_seen_add(s->base.seen, point);
    s->pending++;
    if (s->nasked == 64)
        memmove(s->asked, s->asked + 1, (size_t)--s->nasked * sizeof *s->asked);
    s->asked[s->nasked++] = *m;
    return 1;
}

static int ask(sq_seek *s, int *point)
{
    if (!s->base.started) {
        struct move first = {0};
        s->base.started = true;
        memcpy(first.point, s->base.space->start, sizeof first.point);
        if (!sq_seen_has(s->base.seen, first.point))
            return give(s, &first, point);
    }
    for (;;) {
        if (s->moved)
            move_on(s);
        while (s->nmoves > 0) {
            const struct move *m = &s->moves[--s->nmoves];
            if (!sq_seen_has(s->base.seen, m->point))
                return give(s, m, point);
        }
        if (s->pending > 0)
            return 0; /* what is under way may move the centre */
        if (!s->has_centre)
            return -1;
        if (s->phase == 0) {
            s->phase = 1;
            build_moves(s);
        } else if (!restart(s)) {
            return -1;
        }
    }
}

/* The step that led to a point, if it was asked here. */
static bool take_asked(sq_seek *s, const int *point, struct move *m)
{
    for (int i = 0; i < s->nasked; i++) {
        if (memcmp(s->asked[i].point, point, (size_t)s->base.space->n * sizeof *point) != 0)
            continue;
        *m = s->asked[i];
        s->asked[i] = s->asked[--s->nasked];
        s->pending--;
        return true;
    }
    return false;
}

static void tell(sq_seek *s, const sq_told *t)
{
    struct move m = {0};
    bool ours = take_asked(s, t->point, &m);
    sq_seen_add(s->base.seen, t->point);
    if (!t->valid)
        return;
    if (s->ntold < MAX_TOLD) {
        memcpy(s->told[s->ntold].point, t->point, sizeof t->point);
        s->told[s->ntold++].cost = t->cost;
    }
    bool better =
        s->has_centre && !s->is_best && ours && t->cost < s->centre.cost * (1 - 2 * min_effect);
    if (!s->has_centre || t->wins || better) {
        set_centre(s, t->point, t->cost, t->wins);
        if (ours)
            memcpy(s->follow, m.step, sizeof s->follow);
    }
}

static sq_seek *close(sq_seek *s)
{
    if (s) {
        free(s->moves);
        free(s->told);
        free(s->starts);
    }
    return sq_search_close(s);
}

static void says(const sq_seek *s, char *to, size_t n)
{
    const char *moves = s->phase == 0 ? "single steps" : "pairs of steps";
    int left = s->nmoves + s->pending;
    if (!s->has_centre)
        snprintf(to, n, "raindrop, looks for a point to descend from");
    else if (s->restarts)
        snprintf(to, n, "raindrop, %s, %d left, restart %d of %d", moves, left, s->restarts, RESTARTS);
    else
        snprintf(to, n, "raindrop, %s, %d left", moves, left);
}

const sq_search sq_search_raindrop = {
    .name = "raindrop",
    .doc = "descends: single steps, factor transfers, doubled steps while they pay",
    .open = open,
    .ask = ask,
    .tell = tell,
    .close = close,
    .ends = "no step from the best points leads to a better one",
    .says = says};
