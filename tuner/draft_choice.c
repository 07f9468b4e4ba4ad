/* Draft, choice: the schedule that the model alone takes. It descends from several starts by its own
 * cost; the cheapest end that is legal and of which all copies can be made is the first choice. What
 * cannot be copied is told here, in one place: whoever asks for the model's choice gets one that can
 * be emitted. */
#include "codegen/ref.h"
#include "support/stats.h"
#include "transforms/transform.h"
#include "tuner/draft.h"
#include "tuner/forms.h"
#include "tuner/grid_plan.h"
#include <math.h>
#include <string.h>

enum { CHOICES = 8 }; /* descents */

/* Groups do not wait for each other: a coordinate is judged by the groups that depend on it. */
static double descend(const sq_sketch *s, int *point)
{
    const sq_space *sp = sq_sketch_space(s);
    for (bool moved = true; moved;) {
        moved = false;
        for (int c = 0; c < sp->n; c++) {
            int keep = point[c], choice = keep;
            double best = sq_sketch_cost_by(s, point, c);
            for (int v = 0; v < sp->coord[c].nvalues; v++) {
                point[c] = v;
                double cost = sq_sketch_cost_by(s, point, c);
                if (cost < best * 0.999) {
                    best = cost;
                    choice = v;
                }
            }
            point[c] = choice;
            moved |= choice != keep;
        }
    }
    return sq_sketch_cost(s, point);
}

/* Descends from the start of the space and from random points. Sorts the ends by cost, one of each
 * cost. */
static int rank_ends(sq_sketch *s, int end[][SQ_MAX_COORDS], double *cost)
{
    const sq_space *sp = sq_sketch_space(s);
    sq_rng rng = {1};
    int n = 0;
    for (int start = 0; start < CHOICES; start++) {
        int here[SQ_MAX_COORDS];
        memcpy(here, sp->start, sizeof here);
        for (int c = 0; c < sp->n && start; c++)
            here[c] = (int)sq_rng_below(&rng, (size_t)sp->coord[c].nvalues);
        sq_sketch_roomy(s, true); /* on the way, where it may lead to small ones */
        descend(s, here);
        sq_sketch_roomy(s, false);
        double x = descend(s, here);
        int at = n;
        while (at > 0 && cost[at - 1] > x)
            at--;
        if ((at > 0 && cost[at - 1] == x) || !isfinite(x))
            continue;
        memmove(end[at + 1], end[at], (size_t)(n - at) * sizeof end[0]);
        memmove(&cost[at + 1], &cost[at], (size_t)(n - at) * sizeof cost[0]);
        memcpy(end[at], here, sizeof here);
        cost[at] = x;
        n++;
    }
    return n;
}

int sq_draft_point(sq_sketch *s, int rank, int *point)
{
    int end[CHOICES + 1][SQ_MAX_COORDS];
    double cost[CHOICES + 1];
    int n = rank_ends(s, end, cost);
    if (rank >= n)
        return -1;
    memcpy(point, end[rank], sizeof end[rank]);
    return 0;
}

static void choose_form(sq_schedule *s, sq_arena *a, sq_text *script)
{
    sq_form form[SQ_MAX_FORMS];
    const sq_form *first = &form[sq_forms_first(form, sq_forms_find(s, a, form))];
    const char *calls = sq_form_script(first, SQ_FORM_TILE, a);
    if (*calls && sq_draft_try(s, calls, a))
        sq_text_puts(script, calls);
}

/* The model's best legal choice, applied to a copy of the schedule; NULL: none is legal. */
static sq_schedule *legal_choice(sq_sketch *k, const sq_schedule *s, sq_arena *a,
                                 const char **script)
{
    int point[SQ_MAX_COORDS];
    for (int rank = 0; rank < CHOICES && sq_draft_point(k, rank, point) == 0; rank++) {
        sq_text calls = {0};
        sq_schedule *trial = sq_schedule_copy(s, a);
        sq_sketch_script(k, point, &calls);
        *script = sq_arena_strdup(a, sq_text_str(&calls));
        sq_text_free(&calls);
        if (sq_draft_try(trial, *script, a))
            return trial;
    }
    return NULL;
}

sq_schedule *sq_draft_choice(sq_sketch *k, const sq_schedule *s, sq_arena *a, const char **script,
                             sq_diags *d)
{
    const sq_array *first = NULL, *refused = NULL;
    const char *why = NULL, *first_why = NULL;
    for (int i = 0; i <= s->kernel->narrays; i++) {
        sq_schedule *choice = legal_choice(k, s, a, script);
        refused = choice ? sq_copies_refused(choice, a, &why) : NULL;
        if (!refused && choice && first && d)
            sq_note(d, first->loc,
                    "'%s': the first choice of the model cannot be emitted: cannot pack '%s': %s; "
                    "its next one is taken: %s",
                    s->kernel->name, first->name, first_why, *script);
        if (!refused)
            return choice;
        if (!first) {
            first = refused;
            first_why = why;
        }
        sq_sketch_bar(k, refused);
    }
    return NULL;
}

int sq_draft_schedule(sq_schedule *s, const sq_machine *m, const sq_target *t, int threads,
                      sq_arena *a, sq_text *script, sq_diags *d)
{
    int64_t sizes[64];
    const char *calls = "";
    sq_draft_distribute(s, a, script);
    if (t->grid) {
        sq_grid_sizes(s->kernel, sizes);
        sq_draft_grid(s, sq_grid_device(m, t), t, sizes, a, script);
        return 0;
    }
    choose_form(s, a, script);
    sq_draft_fuse(s, a, script);
    sq_draft_auto(s, m, threads, a, script);
    sq_nominal_sizes(s->kernel, sizes);
    sq_sketch *k = sq_sketch_new(s, m, t, sizes, threads, a);
    if (!sq_sketch_groups(k))
        return 0;
    const sq_schedule *choice = sq_draft_choice(k, s, a, &calls, d);
    if (!choice)
        return 1;
    *s = *choice;
    sq_text_puts(script, calls);
    return 0;
}
