/* Beam: see beam.h. */
#include "tuner/search/beam.h"
#include "support/memory.h"
#include "support/hash.h"
#include <stdlib.h>
#include <string.h>

/* Final points that cost so much more than the best one still lead the next pass. */
static const double good = 1.2;

/* Hashes, a set of them: sorted before it is asked. */
typedef struct hashes {
    size_t n, room;
    uint64_t *at;
} hashes;

typedef struct state {
    sq_scored_point is;
    bool is_scored, is_taken; /* taken: in the next beam */
    uint64_t hash;
} state;

/* A search under way. */
typedef struct run {
    const sq_beam *b;
    int order[SQ_MAX_COORDS], n; /* coordinates to decide */
    int pass;
    hashes permitted;            /* of partial points, by the pass before; none in the first */
    int now;                     /* points of the beam */
    state beam[SQ_BEAM_WIDEST];
    state *child;
    sq_scored_point *unscored;
    int *unscored_child;
    sq_shortlist *best;
    sq_seen *considered;
} run;

/* ---- order ---- */

static int coarseness(const sq_coord *c)
{
    static const int rank[SQ_COORD_KINDS] = {
        [SQ_COORD_OF_STRUCTURE] = 0, [SQ_COORD_OF_THREADS] = 1, [SQ_COORD_OF_SIZE] = 2, [SQ_COORD_OF_UNROLLING] = 3};
    return rank[sq_coord_kind_of(c)];
}

static void find_order(run *r)
{
    const sq_space *s = r->b->base->space;
    for (int rank = 0; rank < SQ_COORD_KINDS; rank++)
        for (int c = 0; c < s->n; c++)
            if (s->coord[c].nvalues > 1 && coarseness(&s->coord[c]) == rank)
                r->order[r->n++] = c;
}

/* ---- coarse hashes ---- */

/* Of the first coordinates that are chosen, with sizes in 2^pass parts of their range. */
static uint64_t coarse(const run *r, const int *point, int chosen, int pass)
{
    int part[SQ_MAX_COORDS + 1], parts = 1 << pass;
    for (int i = 0; i < chosen; i++) {
        const sq_coord *c = &r->b->base->space->coord[r->order[i]];
        sq_coord_kind kind = sq_coord_kind_of(c);
        bool is_exact = kind == SQ_COORD_OF_STRUCTURE || kind == SQ_COORD_OF_THREADS || c->nvalues <= parts;
        part[i] = is_exact ? point[r->order[i]] : point[r->order[i]] * parts / c->nvalues;
    }
    part[chosen] = chosen;
    return sq_hash64(part, (size_t)(chosen + 1) * sizeof *part);
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void add_hash(hashes *h, uint64_t hash)
{
    if (h->n == h->room) {
        h->room = 2 * h->room + 64;
        h->at = sq_allocated(realloc(h->at, h->room * sizeof *h->at));
    }
    h->at[h->n++] = hash;
}

static bool is_permitted(const run *r, const int *point, int chosen)
{
    if (r->pass == 0)
        return true;
    uint64_t hash = coarse(r, point, chosen, r->pass - 1);
    return bsearch(&hash, r->permitted.at, r->permitted.n, sizeof hash, by_number);
}

/* What the good ones of the final beam went through. */
static void permit(run *r)
{
    r->permitted.n = 0;
    for (int i = 0; i < r->now && (double)r->beam[i].is.score * good >= (double)r->beam[0].is.score; i++)
        for (int d = 1; d <= r->n; d++)
            add_hash(&r->permitted, coarse(r, r->beam[i].is.point, d, r->pass));
    if (r->permitted.n > 0)
        qsort(r->permitted.at, r->permitted.n, sizeof *r->permitted.at, by_number);
}

/* ---- decisions ---- */

/* The points that one becomes, as its coordinate is chosen. */
static int decide(run *r, const state *parent, int chosen, sq_seen *seen, int n)
{
    const sq_beam *b = r->b;
    const sq_space *s = b->base->space;
    int c = r->order[chosen], own = parent->is.point[c];
    bool varies = sq_space_varies(s, parent->is.point, c);
    for (int v = varies ? 0 : own; v < (varies ? s->coord[c].nvalues : own + 1); v++) {
        state *child = &r->child[n];
        if (varies && b->survives < 1 && sq_rng_unit(&b->base->rng) >= b->survives)
            continue;
        *child = *parent;
        child->is.point[c] = v;
        child->is_scored = v == own;
        child->is_taken = false;
        sq_space_settle(s, child->is.point);
        if (is_permitted(r, child->is.point, chosen + 1) && sq_seen_add(seen, child->is.point) &&
            (v == own || b->accepts(b->user, child->is.point)))
            n++;
    }
    return n;
}

static void score(run *r, int n)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if (!r->child[i].is_scored) {
            r->unscored[k] = r->child[i].is;
            r->unscored_child[k++] = i;
        }
    r->b->score(r->b->user, r->unscored, k);
    for (int i = 0; i < k; i++)
        r->child[r->unscored_child[i]].is.score = r->unscored[i].score;
    if (r->best)
        sq_shortlist_keep(r->best, r->unscored, k, r->b->base->seen, r->considered);
}

/* How good a child is beside those of its hash that are in the beam. */
static double worth(const run *r, const state *child)
{
    int same = 1;
    for (int i = 0; i < r->now; i++)
        same += r->beam[i].hash == child->hash;
    return (double)child->is.score / same;
}

/* The children that are the beam from now on: each time the one of most worth. */
static void select_best(run *r, int n, int chosen)
{
    r->now = 0;
    for (int i = 0; i < n; i++)
        r->child[i].hash = coarse(r, r->child[i].is.point, chosen, r->pass);
    while (r->now < r->b->width && r->now < n) {
        int best = -1;
        double most = 0;
        for (int i = 0; i < n; i++) {
            double w = r->child[i].is_taken ? 0 : worth(r, &r->child[i]);
            if (!r->child[i].is_taken && (best < 0 || w > most)) {
                best = i;
                most = w;
            }
        }
        r->child[best].is_taken = true;
        r->beam[r->now++] = r->child[best];
    }
}

/* ---- passes ---- */

static int by_score(const void *a, const void *b)
{
    const sq_scored_point *x = &((const state *)a)->is, *y = &((const state *)b)->is;
    return x->score != y->score ? (x->score < y->score) - (x->score > y->score)
                                : memcmp(x->point, y->point, sizeof x->point);
}

static void begin(run *r, const sq_scored_point *whole)
{
    r->beam[0].is = *whole;
    r->now = 1;
}

static void run_pass(run *r)
{
    for (int chosen = 0; chosen < r->n; chosen++) {
        sq_seen *seen = sq_seen_new(r->b->base->space);
        int n = 0;
        for (int i = 0; i < r->now; i++)
            n = decide(r, &r->beam[i], chosen, seen, n);
        sq_seen_free(seen);
        score(r, n);
        if (n > 0) /* else none is permitted, or chance left none: points stay as they are */
            select_best(r, n, chosen + 1);
    }
    qsort(r->beam, (size_t)r->now, sizeof *r->beam, by_score);
}

static int most_values(const sq_space *s)
{
    int most = 1;
    for (int c = 0; c < s->n; c++)
        most = s->coord[c].nvalues > most ? s->coord[c].nvalues : most;
    return most;
}

static void search(run *r, const int *from, sq_beam_finals *finals)
{
    const sq_beam *b = r->b;
    sq_scored_point whole = {.score = 0};
    memcpy(whole.point, from, sizeof whole.point);
    if (!b->accepts(b->user, whole.point))
        return;
    b->score(b->user, &whole, 1);
    if (r->best)
        sq_shortlist_keep(r->best, &whole, 1, b->base->seen, r->considered);
    for (; r->pass < b->passes; r->pass++) {
        begin(r, &whole);
        run_pass(r);
        permit(r);
        for (int i = 0; i < r->now; i++)
            finals->of[r->pass][i] = r->beam[i].is;
        finals->n[r->pass] = r->now;
        whole = r->beam[0].is;
    }
}

void sq_beam_search(const sq_beam *b, const int *from, sq_beam_finals *finals, sq_shortlist *best, sq_seen *considered)
{
    run *r = sq_allocated(calloc(1, sizeof *r));
    size_t room = (size_t)b->width * (size_t)most_values(b->base->space) + 1;
    *r = (run){.b = b, .best = best, .considered = considered};
    r->child = sq_allocated(malloc(room * sizeof *r->child));
    r->unscored = sq_allocated(malloc(room * sizeof *r->unscored));
    r->unscored_child = sq_allocated(malloc(room * sizeof *r->unscored_child));
    find_order(r);
    memset(finals->n, 0, sizeof finals->n);
    search(r, from, finals);
    free(r->child);
    free(r->unscored);
    free(r->unscored_child);
    free(r->permitted.at);
    free(r);
}
