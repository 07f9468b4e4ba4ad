/* Draft, choice: the schedule that the model alone takes. It descends from several starts by its own
 * cost; the cheapest end that is legal and of which all copies can be made is the first choice. What
 * cannot be copied is told here, in one place: whoever asks for the model's choice gets one that can
 * be emitted, and whose panels stay below a wall: where those of all ends exceed it, the array with
 * the largest one is packed no more. */
#include "codegen/instructions.h"
#include "codegen/nest/ref.h"
#include "support/stats.h"
#include "transforms/transform.h"
#include "tuner/model/draft.h"
#include "tuner/space/forms.h"
#include "tuner/space/grid_plan.h"
#include <math.h>
#include <string.h>

/* Descents; beside them there is one of pairs, one apart, and room to move them. */
enum { CHOICES = SQ_SKETCH_ENDS - 3 };
static const double least_gain = 0.999; /* of a step: what gains less is rounding */
/* Of two coordinates at once, and of groups with loops of their own, to the best end without. Of twelve products and
 * convolutions, those that the model expected to gain more were 1.04 to 1.12 times as fast, those with less 0.94 to
 * 1.05. */
static const double least_pair_gain = 0.97;

/* The best value of a coordinate; true if the point moved. */
static bool take_best(const sq_sketch *s, int *point, int c)
{
    int keep = point[c], choice = keep;
    double best = sq_sketch_cost_by(s, point, c);
    for (int v = 0; v < sq_sketch_space(s)->coord[c].nvalues; v++) {
        point[c] = v;
        double cost = sq_sketch_cost_by(s, point, c);
        if (cost < best * least_gain) {
            best = cost;
            choice = v;
        }
    }
    point[c] = choice;
    return choice != keep;
}

/* Groups do not wait for each other: a coordinate is judged by the groups that depend on it. apart: whether they share
 * loops does not change. */
static double descend(const sq_sketch *s, int *point, bool apart)
{
    const sq_space *sp = sq_sketch_space(s);
    for (bool moved = true; moved;) {
        moved = false;
        for (int c = 0; c < sp->n; c++) {
            if (apart && sq_sketch_shares(s, c))
                continue;
            moved |= take_best(s, point, c);
        }
    }
    return sq_sketch_cost(s, point);
}

/* The best values of two coordinates at once; true if the point moved. */
static bool move_both(const sq_sketch *s, int *point, int a, int b)
{
    const sq_space *sp = sq_sketch_space(s);
    const int was[2] = {point[a], point[b]};
    int choice[2] = {was[0], was[1]};
    double best = sq_sketch_cost_by(s, point, a);
    for (point[a] = 0; point[a] < sp->coord[a].nvalues; point[a]++)
        for (point[b] = 0; point[b] < sp->coord[b].nvalues; point[b]++) {
            double cost = sq_sketch_cost_by(s, point, a);
            if (cost < best * least_gain) {
                best = cost;
                choice[0] = point[a], choice[1] = point[b];
            }
        }
    point[a] = choice[0], point[b] = choice[1];
    return choice[0] != was[0] || choice[1] != was[1];
}

/* Goes on where no single coordinate gains: a register tile that is longer along one dimension has to be shorter along
 * another one. */
static double descend_by_pairs(const sq_sketch *s, int *point)
{
    double cost = descend(s, point, false);
    for (bool moved = true; moved;) {
        moved = false;
        for (int g = 0; g < sq_sketch_groups(s); g++) {
            int c[SQ_TILE_COORDS], n = sq_sketch_tile_coords(s, g, c);
            for (int i = 0; i < n; i++)
                for (int j = i + 1; j < n; j++)
                    moved |= move_both(s, point, c[i], c[j]);
        }
        cost = moved ? descend(s, point, false) : cost;
    }
    return cost;
}

/* Sorts an end into n others by cost, one of each cost; how many there are now. */
static int rank_end(const int *point, double x, int end[][SQ_MAX_COORDS], double *cost, int n)
{
    int at = n;
    while (at > 0 && cost[at - 1] > x)
        at--;
    if ((at > 0 && cost[at - 1] == x) || !isfinite(x))
        return n;
    memmove(end[at + 1], end[at], (size_t)(n - at) * sizeof end[0]);
    memmove(&cost[at + 1], &cost[at], (size_t)(n - at) * sizeof cost[0]);
    memcpy(end[at], point, sizeof end[0]);
    cost[at] = x;
    return n + 1;
}

/* True if groups share loops at a point. */
static bool shares(const sq_sketch *s, const int *point)
{
    for (int c = 0; c < sq_sketch_space(s)->n; c++)
        if (sq_sketch_shares(s, c) && point[c] > 0)
            return true;
    return false;
}

/* Starts with the values number v of the rows that groups compute together, where there are that many: 0 are loops of
 * its own for each group, or the fewest rows of those that a script has fused. False if none changes. */
static bool start_with_rows(const sq_space *sp, const sq_sketch *s, int v, int *here)
{
    bool differs = false;
    memcpy(here, sp->start, sizeof sp->start);
    for (int c = 0; c < sp->n; c++)
        if (sq_sketch_shares(s, c) && here[c] != v && v < sp->coord[c].nvalues) {
            here[c] = v;
            differs = true;
        }
    return differs;
}

static int most_rows(const sq_sketch *s)
{
    const sq_space *sp = sq_sketch_space(s);
    int most = 0;
    for (int c = 0; c < sp->n; c++)
        most = sq_sketch_shares(s, c) && sp->coord[c].nvalues > most ? sp->coord[c].nvalues : most;
    return most;
}

/* Descends from the start of the space with each number of rows that groups compute together, which stays, and sorts
 * the best end into n others: each step to a tile of many rows, or to a copy that many rows use, costs more than it
 * gains, but for the last. */
static int descend_by_rows(const sq_sketch *s, int end[][SQ_MAX_COORDS], double *cost, int n)
{
    int best[SQ_MAX_COORDS], here[SQ_MAX_COORDS], values = most_rows(s);
    double least = INFINITY;
    for (int v = 0; v < values; v++) {
        if (!start_with_rows(sq_sketch_space(s), s, v, here))
            continue;
        double x = descend(s, here, true);
        if (x < least) {
            least = x;
            memcpy(best, here, sizeof best);
        }
    }
    return least < cost[0] * (shares(s, end[0]) ? least_pair_gain : 1) ? rank_end(best, least, end, cost, n) : n;
}

/* Takes sizes of blocks of C loops whose copies lie in less memory: the loops took none, and a program that runs them
 * once touches it for the first time. A kernel is called again and again, and keeps its memory. What is copied stays
 * so. */
static void shrink_blocks(sq_sketch *s, int *point)
{
    const sq_space *sp = sq_sketch_space(s);
    sq_sketch_thrifty(s, true);
    for (int c = 0; c < sp->n; c++)
        if (sq_sketch_blocks_loops(s, c))
            take_best(s, point, c);
    sq_sketch_thrifty(s, false);
}

/* Descends from the start of the space and from random points, and from the best end by pairs. Sorts the ends. */
static int rank_ends(sq_sketch *s, int end[][SQ_MAX_COORDS], double *cost)
{
    const sq_space *sp = sq_sketch_space(s);
    sq_rng rng = {1};
    int n = 0, best[SQ_MAX_COORDS];
    for (int start = 0; start < CHOICES; start++) {
        int here[SQ_MAX_COORDS];
        memcpy(here, sp->start, sizeof here);
        for (int c = 0; c < sp->n && start; c++)
            here[c] = (int)sq_rng_below(&rng, (size_t)sp->coord[c].nvalues);
        sq_sketch_roomy(s, true); /* on the way, where it may lead to small ones */
        descend(s, here, false);
        sq_sketch_roomy(s, false);
        double x = descend(s, here, false);
        n = rank_end(here, x, end, cost, n);
    }
    if (n == 0)
        return 0;
    n = descend_by_rows(s, end, cost, n);
    memcpy(best, end[0], sizeof best);
    double x = descend_by_pairs(s, best);
    n = x < cost[0] * least_pair_gain ? rank_end(best, x, end, cost, n) : n;
    shrink_blocks(s, end[0]);
    return n;
}

int sq_draft_point(sq_sketch *s, int rank, int *point)
{
    sq_sketch_ends *e = sq_sketch_known_ends(s);
    if (e->n < 0)
        e->n = rank_ends(s, e->point, e->cost);
    if (rank >= e->n)
        return -1;
    memcpy(point, e->point[rank], sizeof e->point[rank]);
    return 0;
}

static void choose_form(sq_schedule *s, sq_arena *a, sq_text *script)
{
    sq_form form[SQ_MAX_FORMS];
    const sq_form *first = &form[sq_forms_first(form, sq_forms_find(s, a, form))];
    const char *calls = sq_form_script(first, SQ_FORM_TILE, a);
    if (*calls && sq_script_try(s, calls, a))
        sq_text_puts(script, calls);
}

int64_t sq_draft_room(const sq_kernel *k)
{
    bool fitted = true;
    for (int i = 0; i < k->nsizes; i++)
        fitted = fitted && k->size[i]->fixed;
    return (fitted ? SQ_PANELS_FITTED : SQ_PANELS_MOST) - 64;
}

/* Why a legal schedule is not taken: a copy cannot be made, or panels are too large. */
typedef struct fault {
    const sq_array *array; /* NULL: nothing is wrong */
    const char *why;
    bool large;
} fault;

static fault fault_of(const sq_schedule *s, int64_t room, sq_arena *a)
{
    fault f = {.why = NULL};
    const sq_array *most;
    f.array = sq_copies_refused(s, a, &f.why);
    if (!f.array && sq_copies_bytes(s, a, &most) > room)
        f = (fault){most, "its panels are too large", true};
    return f;
}

/* The model's best legal choice whose panels are not too large, or, where all are, its best legal
 * one; applied to a copy of the schedule. NULL: none is legal. */
static sq_schedule *legal_choice(sq_sketch *k, const sq_schedule *s, int64_t room, sq_arena *a,
                                 const sq_draft_check *check, sq_draft_chosen *chosen, fault *f)
{
    sq_schedule *large = NULL;
    int point[SQ_MAX_COORDS];
    for (int rank = 0; rank <= CHOICES && sq_draft_point(k, rank, point) == 0; rank++) {
        sq_text text = {0};
        sq_schedule *trial = sq_schedule_copy(s, a);
        sq_sketch_script(k, point, &text);
        const char *calls = sq_text_take(&text, a);
        if (!sq_script_try(trial, calls, a) || (check && !check->passes(check->user, trial)))
            continue;
        fault here = fault_of(trial, room, a);
        if (!large || !here.large) {
            *chosen = (sq_draft_chosen){calls, sq_sketch_cost(k, point)};
            *f = here;
        }
        if (!here.large)
            return trial;
        large = large ? large : trial;
    }
    return large;
}

sq_schedule *sq_draft_choice(sq_sketch *k, const sq_schedule *s, int64_t room, sq_arena *a,
                             const sq_draft_check *check, sq_draft_chosen *chosen, sq_diags *d)
{
    fault f = {.why = NULL}, first = f;
    for (int i = 0; i <= s->kernel->narrays; i++) { /* each time an array less that is packed */
        sq_schedule *choice = legal_choice(k, s, room, a, check, chosen, &f);
        if (!choice)
            return NULL;
        if (!f.array && first.array && d)
            sq_note(d, first.array->loc,
                    "'%s': the first choice of the model cannot be emitted: cannot pack '%s': %s; "
                    "its next one is taken: %s",
                    s->kernel->name, first.array->name, first.why, chosen->script);
        if (!f.array)
            return choice;
        if (!first.array && !f.large)
            first = f;
        sq_sketch_bar(k, f.array);
    }
    return NULL;
}

/* What comes after the statements are what they are: which are computed together, and the model's choice. 1 when
 * none is legal. */
static int choose_tiles(sq_schedule *s, const sq_machine *m, const sq_target *t, const int64_t *sizes, int threads,
                        sq_arena *a, sq_text *script, sq_diags *d)
{
    sq_draft_chosen chosen = {.script = ""};
    choose_form(s, a, script);
    sq_draft_fuse(s, a, script);
    sq_draft_auto(s, m, t, threads, a, script);
    sq_sketch *k = sq_sketch_new(s, m, t, sizes, threads, a);
    if (!sq_sketch_groups(k))
        return 0;
    const sq_schedule *choice = sq_draft_choice(k, s, sq_draft_room(s->kernel), a, NULL, &chosen, d);
    if (!choice)
        return 1;
    *s = *choice;
    sq_text_puts(script, chosen.script);
    return 0;
}

/* True if all groups are loops over rows of a few elements, which passes make vectors of as they are written. */
static bool stays_in_rows(const sq_schedule *s, const sq_target *t, sq_arena *a)
{
    bool all = s->ngroups > 0;
    for (int g = 0; g < s->ngroups && all; g++)
        all = sq_draft_has_rows(s->kernel, s->group[g], t->vector_bytes) && sq_is_in_vectors(s, g, t, a);
    return all;
}

int sq_draft_schedule(sq_schedule *s, const sq_machine *m, const sq_target *t, int threads,
                      sq_arena *a, sq_text *script, sq_diags *d)
{
    int64_t sizes[64];
    sq_draft_forward(s, a, script);
    if (t->grid) {
        sq_draft_distribute(s, a, script);
        const sq_device *device = sq_grid_device(m, t);
        sq_grid_sizes(s->kernel, sizes);
        sq_draft_parts(s, device, sizes, a, script);
        sq_draft_grid(s, device, t, sizes, a, script);
        return 0;
    }
    if (threads <= 1 && stays_in_rows(s, t, a))
        return 0;
    sq_draft_distribute(s, a, script);
    sq_nominal_sizes(s->kernel, sizes);
    sq_draft_hoist(s, sizes, a, script);
    sq_draft_merge(s, a, script);
    sq_draft_narrow(s, t, a, script);
    const sq_schedule *plain = sq_schedule_copy(s, a);
    size_t mark = script->n;
    sq_draft_dot(s, t, sizes, a, script);
    bool words = script->n > mark;
    size_t said = d ? sq_diags_mark(d) : 0;
    int bad = choose_tiles(s, m, t, sizes, threads, a, script, d);
    if (!bad || !words)
        return bad;
    *s = *plain;
    script->s[script->n = mark] = 0;
    if (d)
        sq_diags_rewind(d, said);
    return choose_tiles(s, m, t, sizes, threads, a, script, d);
}
