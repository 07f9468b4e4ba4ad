/* Reports, race: see report_race.h. */
#include "cli/report_race.h"
#include "support/memory.h"
#include "support/stats.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 60, MOST_RUNS = 100, SHOWN = SQ_KINDS };

/* ---- curves ---- */

/* The best gain that a run had at a trial; 1 before its first. */
static double gain_at(const json_t *run, double trial)
{
    const json_t *p;
    size_t i;
    double gain = 1;
    json_array_foreach(json_object_get(run, "curve"), i,
                       p) if (json_number_value(json_array_get(p, 0)) <= trial) gain =
        json_number_value(json_array_get(p, 2));
    return gain;
}

/* Of a search's runs at places 0 to STEPS: the median, the least and the most. */
typedef struct curve {
    double x[STEPS + 1], middle[STEPS + 1], low[STEPS + 1], high[STEPS + 1];
} curve;

static bool curve_of(const json_t *race, const char *search, double last, curve *c)
{
    const json_t *run;
    size_t i;
    double gain[MOST_RUNS];
    for (int k = 0; k <= STEPS; k++) {
        size_t n = 0;
        c->x[k] = 1 + floor((last - 1) * k / STEPS); /* whole trials */
        json_array_foreach(json_object_get(race, "runs"), i,
                           run) if (n < MOST_RUNS && strcmp(sq_report_text(run, "search"), search) == 0)
            gain[n++] = gain_at(run, c->x[k]);
        if (n == 0)
            return false;
        c->middle[k] = sq_median(gain, n);
        c->low[k] = c->high[k] = gain[0];
        for (size_t g = 1; g < n; g++) {
            c->low[k] = fmin(c->low[k], gain[g]);
            c->high[k] = fmax(c->high[k], gain[g]);
        }
    }
    return true;
}

static double last_trial(const json_t *race)
{
    const json_t *run;
    size_t i;
    double last = 2;
    json_array_foreach(json_object_get(race, "runs"), i, run) last =
        fmax(last, sq_report_number(run, "trials"));
    return last;
}

static void put_curves(sq_html *h, const json_t *race)
{
    const json_t *list = json_object_get(race, "searches"), *search;
    size_t i;
    int n = 0;
    curve *c = sq_allocated(calloc(SHOWN, sizeof *c));
    sq_series s[2 * SHOWN];
    sq_text alt = {0};
    sq_text_puts(&alt, "Gain over the start by trials, medians over the seeds at the end:");
    json_array_foreach(list, i, search)
    {
        if (n == SHOWN || !curve_of(race, sq_report_text(search, "search"), last_trial(race), &c[n]))
            continue;
        s[n] = (sq_series){.mark = SQ_MARK_BAND,
                           .color = n + 1,
                           .n = STEPS + 1,
                           .x = c[n].x,
                           .y = c[n].middle,
                           .low = c[n].low,
                           .high = c[n].high};
        sq_text_printf(&alt, " %s %.3f;", sq_report_text(search, "search"), c[n].middle[STEPS]);
        n++;
    }
    for (int k = 0, at = 0; k < n; k++, at++) { /* lines over all bands */
        while (!curve_of(race, sq_report_text(json_array_get(list, (size_t)at), "search"),
                         last_trial(race), &c[k]))
            at++;
        s[n + k] = (sq_series){.name = sq_report_text(json_array_get(list, (size_t)at), "search"),
                               .mark = SQ_MARK_STEPS,
                               .color = k + 1,
                               .n = STEPS + 1,
                               .x = c[k].x,
                               .y = c[k].middle};
    }
    if (n)
        sq_html_plot(
            h,
            &(sq_figure){
                .caption = "Gain by trials: the median over the seeds, from the least to the most",
                .alt = sq_text_str(&alt),
                .x = "trials",
                .y = "gain over the start",
                .n = 2 * n,
                .series = s});
    sq_text_free(&alt);
    free(c);
}

/* ---- gains ---- */

static void put_gains(sq_html *h, const json_t *race)
{
    const json_t *list = json_object_get(race, "searches"), *search;
    size_t i, n = json_array_size(list);
    double *x = sq_allocated(calloc(4 * (n + 1), sizeof *x));
    const char **name = sq_allocated(calloc(n + 1, sizeof *name));
    sq_series *s = sq_allocated(calloc(n + 1, sizeof *s));
    double least = 1, most = 1;
    json_array_foreach(list, i, search)
    {
        double *p = x + 4 * i;
        name[n - 1 - i] = sq_report_text(search, "search");
        p[0] = sq_report_number(search, "gain"), p[1] = (double)(n - 1 - i);
        p[2] = sq_report_number(search, "low"), p[3] = sq_report_number(search, "high");
        if (isfinite(p[0])) {
            least = fmin(least, p[2]);
            most = fmax(most, p[3]);
        }
        s[i] = (sq_series){.mark = SQ_MARK_RANGES,
                           .color = i < SHOWN ? (int)i + 1 : SQ_TEXT_COLOR,
                           .n = 1,
                           .x = p,
                           .y = p + 1,
                           .low = p + 2,
                           .high = p + 3};
    }
    if (n)
        sq_html_plot(h,
                     &(sq_figure){.caption = "Gain at the end, with the 95 % interval of the mean",
                                  .alt = "The gains of the table below, with their intervals.",
                                  .x = "gain over the start",
                                  .has_x = true,
                                  .from_x = least - 0.03 * most,
                                  .to_x = 1.05 * most,
                                  .y = "",
                                  .has_y = true,
                                  .from_y = -0.6,
                                  .to_y = (double)n - 0.4,
                                  .ny = (int)n,
                                  .name_y = name,
                                  .rows = n < 11 ? 11 : (int)n,
                                  .n = (int)n,
                                  .series = s});
    free(x);
    free(name);
    free(s);
}

/* ---- the section ---- */

static void put_number(sq_html *h, const json_t *of, const char *member, const char *form)
{
    double value = sq_report_number(of, member);
    char text[40] = "-";
    if (isfinite(value) && strcmp(form, "count") == 0)
        snprintf(text, sizeof text, "%.0f", value);
    else if (isfinite(value))
        snprintf(text, sizeof text, strcmp(form, "gain") == 0 ? "%.3fx" : "%.1f s", value);
    sq_html_number(h, value, "%s", text);
}

static void put_table(sq_html *h, const json_t *race)
{
    const json_t *search;
    size_t i;
    sq_html_table_open(h,
                       "Searches: the gain is a mean over the seeds, arrival is within 3 % of the "
                       "best gain of all runs",
                       "search|>gain|>from|>to|>arrival, trials|>arrival, seconds|>runs that "
                       "arrived|>runs|>time of a run|"
                       ">trials|>failed|>wrong|>drafts");
    json_array_foreach(json_object_get(race, "searches"), i, search)
    {
        sq_html_row_open(h, false);
        sq_html_cell(h, "%s", sq_report_text(search, "search"));
        put_number(h, search, "gain", "gain");
        put_number(h, search, "low", "gain");
        put_number(h, search, "high", "gain");
        put_number(h, search, "arrival_trials", "count");
        put_number(h, search, "arrival_seconds", "seconds");
        put_number(h, search, "arrived", "count");
        put_number(h, search, "runs", "count");
        put_number(h, search, "seconds", "seconds");
        put_number(h, search, "trials", "count");
        put_number(h, search, "failed", "count");
        put_number(h, search, "wrong", "count");
        put_number(h, search, "drafts", "count");
        sq_html_row_close(h);
    }
    sq_html_table_close(h);
}

static void put_runs(sq_html *h, const json_t *race)
{
    const json_t *run;
    size_t i;
    sq_html_raw(h, "<details><summary>Every run</summary>\n");
    sq_html_table_open(h, "Runs", "search|>seed|>gain|>trials|>time|the best schedule");
    json_array_foreach(json_object_get(race, "runs"), i, run)
    {
        sq_html_row_open(h, false);
        sq_html_cell(h, "%s", sq_report_text(run, "search"));
        put_number(h, run, "seed", "count");
        put_number(h, run, "gain", "gain");
        put_number(h, run, "trials", "count");
        put_number(h, run, "seconds", "seconds");
        sq_html_code_cell(h, sq_report_text(run, "script"));
        sq_html_row_close(h);
    }
    sq_html_table_close(h);
    sq_html_raw(h, "</details>\n");
}

void sq_report_race(sq_html *h, const json_t *race)
{
    bool replayed = json_is_true(json_object_get(race, "replayed"));
    sq_html_open(h, "%s", sq_report_text(race, "kernel"));
    sq_html_paragraph(
        h, NULL, "Target %s, machine %s.%s", sq_report_text(race, "target"), sq_report_text(race, "machine"),
        replayed ? " Trials were looked up in a landscape: nothing was measured." : "");
    put_table(h, race);
    sq_html_raw(h, "<div class=\"plots\">\n");
    put_curves(h, race);
    put_gains(h, race);
    sq_html_raw(h, "</div>\n");
    put_runs(h, race);
    sq_html_close(h);
}
