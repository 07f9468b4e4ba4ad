/* Droplet search, as published (Canesche et al., "The Droplet Search Algorithm for Kernel Scheduling", TACO 2024) and
 * part of TVM: coordinate descent over sorted values from the space's start. Around the best point all coordinates of
 * a set go one up or one down together, for every set there is; a batch that these do not fill is filled with steps
 * twice as far, three times and so on. Above its last value a coordinate goes on from the first, below the first it
 * stays there. After each batch the neighbourhood moves to what won, by the tuner's own test of significance. It ends
 * when no direction leads to a new point, or when nothing of a batch ran.
 *
 * The sets are taken from all coordinates downward as numbers count. In a space of more than SETS coordinates, which
 * the templates of the publication hardly have, the first thousands of sets move nearly everything at once: there one
 * coordinate moves at a time, then two. What of a neighbourhood was not asked when the best moves is forgotten.
 * As a step of MetaSchedule it has no sets: one coordinate moves at a time.
 * `raindrop` is what we made of it. */
#include "tuner/search/base.h"
#include <stdio.h>
#include <string.h>

enum { BATCH = 16, SETS = 7, LATE = 3 /* batches after which one that does not run ends it */ };

struct sq_seek {
    sq_search_base base;
    bool has_sets;                     /* several coordinates move together */
    int coord[SQ_MAX_COORDS], ncoords; /* those that have more than one value */
    int best[SQ_MAX_COORDS];
    bool moved;               /* `best` is new: its neighbourhood is to be built */
    int factor, direction;    /* of the next step to look at */
    int queue[BATCH][SQ_MAX_COORDS];
    int nqueue, next;         /* of the batch; the next to be asked */
    int waiting;              /* asked and not told */
    int batches, nvalid;      /* of the last batch */
};

static sq_seek *open_with(const sq_space *space, const sq_search_options *o, bool has_sets)
{
    sq_seek *s = sq_search_new(sizeof *s, space, o);
    s->has_sets = has_sets;
    for (int c = 0; c < space->n; c++)
        if (space->coord[c].nvalues > 1)
            s->coord[s->ncoords++] = c;
    memcpy(s->best, space->start, sizeof s->best);
    s->moved = true;
    return s;
}

static sq_seek *open(const sq_space *space, const sq_search_options *o)
{
    return open_with(space, o, true);
}

static sq_seek *open_single(const sq_space *space, const sq_search_options *o)
{
    return open_with(space, o, false);
}

/* Directions there are, up and down apart. */
static int directions(const sq_seek *s)
{
    int n = s->ncoords;
    if (!s->has_sets)
        return 2 * n;
    return n <= SETS ? 2 * ((1 << n) - 1) : n * (n + 1);
}

/* The i-th pair of coordinates, or, for the first of them, one coordinate alone. */
static bool is_in_pair(int n, int i, int coord)
{
    if (i < n)
        return coord == i;
    i -= n;
    int first = 0;
    while (i >= n - 1 - first)
        i -= n - 1 - first++;
    return coord == first || coord == first + 1 + i;
}

/* True if the coordinate moves in the direction. */
static bool is_moved(const sq_seek *s, int direction, int coord)
{
    int set = direction / 2;
    if (!s->has_sets || s->ncoords > SETS)
        return is_in_pair(s->ncoords, set, coord);
    return ((1 << s->ncoords) - 1 - set) >> (s->ncoords - 1 - coord) & 1;
}

static void step(const sq_seek *s, int *point)
{
    int by = s->direction % 2 ? -s->factor : s->factor;
    memcpy(point, s->best, sizeof s->best);
    for (int i = 0; i < s->ncoords; i++) {
        int c = s->coord[i], n = s->base.space->coord[c].nvalues;
        if (is_moved(s, s->direction, i))
            point[c] = point[c] + by > 0 ? (point[c] + by) % n : 0;
    }
    sq_space_settle(s->base.space, point);
}

static int longest(const sq_seek *s)
{
    int most = 0;
    for (int i = 0; i < s->ncoords; i++) {
        int n = s->base.space->coord[s->coord[i]].nvalues;
        most = n > most ? n : most;
    }
    return most;
}

/* The next batch of new points; false: there are none in any direction. */
static bool fill(sq_seek *s)
{
    if (s->moved)
        s->factor = 1, s->direction = 0;
    s->moved = false;
    s->nqueue = s->next = s->nvalid = 0;
    for (int n = directions(s), most = longest(s); s->factor < most && s->nqueue < BATCH; s->direction++) {
        if (s->direction >= n) {
            s->factor++;
            s->direction = -1;
            continue;
        }
        step(s, s->queue[s->nqueue]);
        s->nqueue += sq_search_take(&s->base, s->queue[s->nqueue]);
    }
    s->batches++;
    return s->nqueue > 0;
}

static int ask(sq_seek *s, int *point)
{
    if (sq_search_start(&s->base, point)) {
        s->waiting++;
        return 1;
    }
    if (s->next == s->nqueue) {
        if (s->waiting > 0)
            return 0;
        bool nothing_ran = s->batches >= LATE && s->nvalid == 0;
        if (nothing_ran || !fill(s))
            return -1;
    }
    memcpy(point, s->queue[s->next++], sizeof s->queue[0]);
    s->waiting++;
    return 1;
}

/* True if the point is of the batch and was asked. */
static bool is_ours(const sq_seek *s, const int *point)
{
    size_t bytes = (size_t)s->base.space->n * sizeof *point;
    if (s->batches == 0)
        return memcmp(s->base.space->start, point, bytes) == 0;
    for (int i = 0; i < s->next; i++)
        if (memcmp(s->queue[i], point, bytes) == 0)
            return true;
    return false;
}

static void tell(sq_seek *s, const sq_told *t)
{
    bool ours = s->waiting > 0 && is_ours(s, t->point);
    sq_seen_add(s->base.seen, t->point);
    s->waiting -= ours;
    s->nvalid += ours && t->valid;
    if (t->wins) {
        memcpy(s->best, t->point, sizeof s->best);
        s->moved = true;
    }
}

static void says(const sq_seek *s, char *to, size_t n)
{
    snprintf(to, n, "batch %d, %d of %d points under way", s->batches, s->waiting, s->nqueue);
}

const sq_search sq_search_droplet = {.name = "droplet",
                                     .doc = "descends along sets of coordinates, as published (TACO 2024)",
                                     .open = open,
                                     .ask = ask,
                                     .tell = tell,
                                     .close = sq_search_close,
                                     .ends = "no direction from the best point leads to a new one",
                                     .says = says};

const sq_search sq_search_droplet_single = {.name = "droplet-single",
                                            .doc = "droplet, but that one coordinate moves at a time",
                                            .open = open_single,
                                            .ask = ask,
                                            .tell = tell,
                                            .close = sq_search_close,
                                            .ends = "no direction from the best point leads to a new one",
                                            .says = says};
