/* Reports, tune: see report_tune.h. */
#include "cli/report_tune.h"
#include "transforms/transform.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOP = 12, LEAST_PROGRESS = 3 /* trials */ };
static const double most_drift = 1.1; /* of the best's time, without a word */

void sq_report_trials_add(sq_report_trials *t, const sq_report_trial *x, int ncoords,
                          sq_arena *arena)
{
    t->x = sq_arena_grow(arena, t->x, t->n, &t->room, sizeof *t->x);
    sq_report_trial *to = &t->x[t->n++];
    *to = *x;
    to->script = sq_arena_strdup(arena, x->script);
    to->message = sq_arena_strdup(arena, x->message ? x->message : "");
    if (x->point) {
        int *point = SQ_NEW_ARRAY(arena, int, ncoords + 1);
        memcpy(point, x->point, (size_t)ncoords * sizeof *point);
        to->point = point;
    }
}

static bool is_good(const sq_report_trial *x)
{
    return x->status == SQ_OK && x->seconds > 0;
}

/* ---- progress ---- */

typedef struct curve {
    int n, nfailed, nbest;
    double *x, *y, *failed_x, *failed_y, *best_x, *best_y;
    double least, most;
} curve;

static curve curve_of(const sq_report_trials *t, bool by_time, double scale, sq_arena *arena)
{
    double *all = SQ_NEW_ARRAY(arena, double, 6 * (t->n + 2)), best = INFINITY;
    size_t row = (size_t)t->n + 2;
    curve c = {.x = all,
               .y = all + row,
               .failed_x = all + 2 * row,
               .failed_y = all + 3 * row,
               .best_x = all + 4 * row,
               .best_y = all + 5 * row,
               .least = INFINITY};
    for (int i = 0; i < t->n; i++) {
        const sq_report_trial *p = &t->x[i];
        double at = by_time ? p->elapsed : (double)p->number;
        if (!is_good(p)) {
            c.failed_x[c.nfailed++] = at;
            continue;
        }
        c.x[c.n] = at;
        c.y[c.n++] = scale * p->seconds;
        c.most = fmax(c.most, scale * p->seconds);
        c.least = fmin(c.least, scale * p->seconds);
        if (p->seconds < best)
            best = p->seconds;
        c.best_x[c.nbest] = at;
        c.best_y[c.nbest++] = scale * best;
    }
    for (int i = 0; i < c.nfailed; i++)
        c.failed_y[i] = 1.35 * c.most;
    return c;
}

static void put_progress(sq_html *h, const sq_report_trials *t, bool by_time, double scale,
                         const char *unit, sq_arena *arena)
{
    curve c = curve_of(t, by_time, scale, arena);
    if (c.n == 0)
        return;
    sq_series s[] = {
        {.name = "trial", .mark = SQ_MARK_POINTS, .color = SQ_PALE, .n = c.n, .x = c.x, .y = c.y},
        {.name = "best so far",
         .mark = SQ_MARK_STEPS,
         .color = 1,
         .n = c.nbest,
         .x = c.best_x,
         .y = c.best_y},
        {.name = "failed",
         .mark = SQ_MARK_CROSSES,
         .color = 2,
         .n = c.nfailed,
         .x = c.failed_x,
         .y = c.failed_y}};
    sq_html_plot(h,
                 &(sq_figure){.caption = by_time ? "Progress by seconds" : "Progress by trials",
                              .alt = sq_arena_printf(
                                  arena,
                                  "Time of a call by %s: %d trials, %d failed; the best falls from "
                                  "%.3g to %.3g %s",
                                  by_time ? "seconds" : "trials", c.n, c.nfailed, c.best_y[0],
                                  c.best_y[c.nbest - 1], unit),
                              .x = by_time ? "seconds" : "trials",
                              .y = sq_arena_printf(arena, "time of a call, %s", unit),
                              .log_y = c.most > 4 * c.least,
                              .has_y = true,
                              .from_y = c.least / 1.15,
                              .to_y = (c.nfailed ? 1.6 : 1.15) * c.most,
                              .n = c.nfailed ? 3 : 2,
                              .series = s});
}

void sq_report_progress(sq_html *h, const sq_report_trials *t, sq_arena *arena)
{
    const char *unit;
    double best = INFINITY;
    for (int i = 0; i < t->n; i++)
        best = is_good(&t->x[i]) ? fmin(best, t->x[i].seconds) : best;
    if (isinf(best) || t->n < LEAST_PROGRESS)
        return;
    double scale = sq_report_unit(best, &unit);
    put_progress(h, t, false, scale, unit, arena);
    put_progress(h, t, true, scale, unit, arena);
}

/* ---- candidates ---- */

static int by_seconds(const void *a, const void *b)
{
    const sq_report_trial *x = *(const sq_report_trial *const *)a,
                          *y = *(const sq_report_trial *const *)b;
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

static void put_candidate(sq_html *h, const sq_report_trial *x, double best, const sq_roof *roof, bool is_kept)
{
    sq_html_row_open(h, is_kept);
    sq_html_number(h, (double)x->number, "%ld", x->number);
    sq_report_seconds(h, x->seconds);
    if (roof)
        sq_html_number(h, roof->seconds / x->seconds, "%.1f %%", 100 * roof->seconds / x->seconds);
    sq_html_number(h, best / x->seconds, "%.1f %%", 100 * best / x->seconds);
    sq_html_code_cell(h, x->script);
    sq_html_row_close(h);
}

/* The kept one of n, sorted: the first with its script; without a script, or where it is none, the first of all. */
static int find_kept(const sq_report_trial *const *list, int n, const char *kept)
{
    for (int i = 0; kept && i < n; i++)
        if (strcmp(list[i]->script, kept) == 0)
            return i;
    return 0;
}

/* The fastest, and below them the one that is kept. Returns the number of the fastest trial if another one is kept,
 * else 0. */
static long put_top(sq_html *h, const sq_report_trials *t, const char *kept, const sq_roof *roof, sq_arena *arena)
{
    const sq_report_trial **list = SQ_NEW_ARRAY(arena, const sq_report_trial *, t->n + 1);
    int n = 0;
    for (int i = 0; i < t->n; i++)
        if (is_good(&t->x[i]))
            list[n++] = &t->x[i];
    if (n == 0)
        return 0;
    qsort(list, (size_t)n, sizeof *list, by_seconds);
    sq_html_table_open(
        h,
        n > TOP ? sq_arena_printf(
                      arena, "The fastest %d of %d candidates, as the search timed them", TOP, n)
                : "The candidates, as the search timed them",
        roof ? "trial|>time|>of the roof|>of the best speed|schedule"
             : "trial|>time|>of the best speed|schedule");
    int at = find_kept(list, n, kept);
    for (int i = 0; i < n; i++)
        if (i < TOP || i == at)
            put_candidate(h, list[i], list[0]->seconds, roof, i == at);
    sq_html_table_close(h);
    return at > 0 ? list[0]->number : 0;
}

static void put_failures(sq_html *h, const sq_report_trials *t)
{
    long count[SQ_NSTATUSES] = {0};
    const char *first[SQ_NSTATUSES] = {NULL};
    long all = 0;
    for (int i = 0; i < t->n; i++) {
        sq_status s = t->x[i].status;
        count[s]++;
        first[s] = first[s] ? first[s] : t->x[i].message;
        all += s != SQ_OK;
    }
    if (all == 0)
        return;
    sq_html_table_open(h, "Candidates that failed", "status|>trials|the first one's message");
    for (int s = SQ_OK + 1; s < SQ_NSTATUSES; s++) {
        if (!count[s])
            continue;
        sq_html_row_open(h, false);
        sq_html_cell(h, "%s", sq_status_name((sq_status)s));
        sq_html_number(h, (double)count[s], "%ld", count[s]);
        sq_html_cell(h, "%s", first[s]);
        sq_html_row_close(h);
    }
    sq_html_table_close(h);
}

void sq_report_candidates(sq_html *h, const sq_report_trials *t, const sq_roof *roof,
                          sq_arena *arena)
{
    put_top(h, t, NULL, roof, arena);
    put_failures(h, t);
}

/* ---- tune ---- */

static void put_result(sq_html *h, const sq_tune_state *s, const sq_roof *roof)
{
    char text[32];
    double gain = s->kept_start          ? 1
                  : s->ratio > 0         ? s->ratio
                  : s->start_seconds > 0 ? s->start_seconds / s->best_seconds
                                         : NAN;
    sq_html_facts_open(h);
    sq_html_fact(h, "Best", s->best_seconds, "%s",
                 sq_seconds_text(s->best_seconds, text, sizeof text));
    if (roof->flops > 0)
        sq_html_fact(h, "Its rate", 1e-9 * roof->flops / s->best_seconds, "%.1f GFLOP/s",
                     1e-9 * roof->flops / s->best_seconds);
    sq_html_fact(h, roof->memory ? "Of its roof, the bandwidth" : "Of its roof, the peak",
                 roof->seconds / s->best_seconds, "%.1f %%", 100 * roof->seconds / s->best_seconds);
    if (isfinite(gain))
        sq_html_fact(h, "Faster than the untuned", gain, "%.2fx", gain);
    sq_html_fact(h, "Trials", (double)s->trials, "%ld", s->trials);
    sq_html_fact(h, "Search", s->elapsed, "%.1f s", s->elapsed);
    sq_html_facts_close(h);
}

/* The search corrects its times for the machine's drift, and what is said of the best was timed at the end: that they
 * differ needs a word. */
static void put_drift(sq_html *h, const sq_tune_state *s, const sq_report_trials *t)
{
    char now[32], then[32];
    double searched = NAN;
    for (int i = 0; i < t->n; i++)
        if (is_good(&t->x[i]) && strcmp(t->x[i].script, s->best_script) == 0)
            searched = fmin(searched, t->x[i].seconds);
    if (!(fabs(log(s->best_seconds / searched)) > log(most_drift)))
        return;
    sq_html_paragraph(h, "note",
                      "The best took %s at the end, and %s in the search, which corrects its times to the machine's "
                      "speed when it began: the machine has become %s since.",
                      sq_seconds_text(s->best_seconds, now, sizeof now),
                      sq_seconds_text(searched, then, sizeof then), s->best_seconds > searched ? "slower" : "faster");
}

/* Times of different moments do not decide; those taken in turns do. */
static void put_candidates(sq_html *h, const sq_tune_state *s, const sq_report_trials *t, const sq_roof *roof,
                           sq_arena *arena)
{
    long refuted = put_top(h, t, s->best_script, roof, arena);
    if (refuted && s->kept_start && s->ratio > 0)
        sq_html_paragraph(h, "note",
                          "Trial %ld was timed as the fastest. The last comparison, in turns, refuted that: the "
                          "best of the search took %.3g times as long as the untuned schedule, which is kept.",
                          refuted, 1 / s->ratio);
    else if (refuted)
        sq_html_paragraph(h, "note",
                          "Trial %ld was timed as the fastest. In turns with the one that is kept, it was not "
                          "measurably faster.",
                          refuted);
    put_drift(h, s, t);
    put_failures(h, t);
}

static const char *winner_name(const sq_tune_state *s)
{
    return s->kept_start     ? "the untuned one, which is kept"
           : s->kept_earlier ? "the one that there was, which is kept"
                             : "the fastest that was found";
}

static void put_winner(sq_html *h, sq_measure *m, const sq_kernel *k, const sq_tune_state *state)
{
    sq_task *task = &m->task;
    sq_diags *d = sq_diags_new();
    sq_schedule *s = sq_schedule_new(k, task->arena);
    if (s && sq_script_apply(s, state->best_script, "the best", task->arena, d) == 0)
        sq_report_code(h, task, s, winner_name(state));
    else
        sq_html_paragraph(h, "missing", "The schedule cannot be shown: %s", sq_diags_message(d, 0));
    sq_diags_free(d);
}

/* What was measured where, and how the search ended. */
static void put_place(sq_html *h, const sq_measure *m, const sq_tune_state *s)
{
    sq_text t = {0};
    sq_text_printf(&t, "On %s, target %s", m->machine, m->task.target->name);
    if (!m->device)
        sq_text_printf(&t, ", %d thread%s", m->threads, m->threads > 1 ? "s" : "");
    sq_text_puts(&t, ".");
    if (m->runner == &sq_runner_model)
        sq_text_puts(&t, " Nothing was measured: all times are the model's.");
    if (s->kept_start)
        sq_text_puts(&t, " Nothing was faster than the untuned schedule.");
    if (s->kept_earlier)
        sq_text_puts(&t, " Nothing was faster than the schedule that there was.");
    if (s->ended)
        sq_text_printf(&t, " The search ended before its budget: %s.", s->ended);
    sq_html_paragraph(h, NULL, "%s", sq_text_str(&t));
    sq_text_free(&t);
}

void sq_report_tune(sq_html *h, sq_measure *m, const sq_kernel *k, const sq_tune_state *s,
                    const sq_report_trials *t, const sq_space *space, const sq_roof *roof)
{
    sq_arena *arena = m->task.arena;
    sq_html_open(h, "%s", sq_text_str(&m->label));
    put_place(h, m, s);
    if (!s->found) {
        sq_html_paragraph(h, "missing", "Nothing was measured before the search was interrupted.");
        sq_html_close(h);
        return;
    }
    put_result(h, s, roof);
    sq_html_raw(h, "<div class=\"plots\">\n");
    sq_report_progress(h, t, arena);
    sq_report_landscape(h, t, space, m->task.target->grid != NULL, arena);
    sq_html_raw(h, "</div>\n");
    put_candidates(h, s, t, roof, arena);
    put_winner(h, m, k, s);
    sq_html_close(h);
}
