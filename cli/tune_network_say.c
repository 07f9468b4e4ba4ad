/* Tune network, saying: the progress, the table, JSON. */
#include "cli/report_network.h"
#include "cli/tune_network_inside.h"
#include "support/interrupt.h"
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Seconds of the whole network, of the layers that were measured. */
typedef struct sums {
    double untuned, tuned;
    int measured;
    long trials;
} sums;

/* Of the untuned schedule: by the comparison at the end, in which both were timed side by side, if there was one. */
static double untuned_seconds(const sq_tune_state *s)
{
    if (s->kept_start)
        return s->best_seconds;
    return s->ratio > 0 ? s->best_seconds * s->ratio : s->start_seconds > 0 ? s->start_seconds : s->best_seconds;
}

static sums sums_of(const sq_network *net)
{
    sums x = {0};
    for (int i = 0; i < net->n; i++) {
        const sq_tune_state *s = &net->layer[i].state;
        x.trials += sq_layer_trials(&net->layer[i]);
        if (!s->found)
            continue;
        x.measured++;
        x.tuned += net->turn[i].weight * s->best_seconds;
        x.untuned += net->turn[i].weight * untuned_seconds(s);
    }
    return x;
}

/* ---- progress ---- */

void sq_network_show_open(sq_network *net)
{
    char until[160], trials[64] = "", kernels[64] = "";
    if (net->budget > 0)
        snprintf(kernels, sizeof kernels, " for %.0f s", net->budget);
    if (net->trials > 0)
        snprintf(trials, sizeof trials, "%s %ld trials", net->budget > 0 ? " or" : ",", net->trials);
    snprintf(until, sizeof until, "%d kernels%s%s", net->n, kernels, trials);
    sq_tune_shown_open(&net->shown, &net->layer[0].m.progress, net->o, net->file->name, until);
}

static void sum_failures(const sq_network *net, long *failed)
{
    for (int i = 0; i < net->n; i++)
        for (int s = 0; s < SQ_NSTATUSES; s++)
            failed[s] += net->layer[i].state.failed[s];
}

/* "8.21 ms, 1.47x the untuned, 8 kernels": the sum of those that were measured. */
static void put_sum(const sums *x, sq_text *to)
{
    char time[32];
    if (x->measured)
        sq_text_printf(to, "%s, %.2fx the untuned, %d kernel%s", sq_seconds_text(x->tuned, time, sizeof time),
                       x->untuned / x->tuned, x->measured, x->measured == 1 ? "" : "s");
}

static void show(sq_network *net, const sq_tuned_layer *l)
{
    char part[64];
    long failed[SQ_NSTATUSES] = {0};
    sums x = sums_of(net);
    sq_text best = {0}, now = {0};
    snprintf(part, sizeof part, "%d of %d kernels", x.measured, net->n);
    put_sum(&x, &best);
    sum_failures(net, failed);
    sq_text_printf(&now, "%s, %s", sq_text_str(&l->m.label), l->state.doing);
    sq_tune_view view = {.title = net->file->name,
                         .part = part,
                         .best = x.measured ? sq_text_str(&best) : NULL,
                         .from = net->shown.trend.n ? "from the untuned" : NULL,
                         .trials = x.trials,
                         .most = net->trials,
                         .measured = x.trials,
                         .elapsed = sq_terminal_seconds() - net->began,
                         .failed = failed,
                         .spent = sq_terminal_seconds() - net->began,
                         .budget = net->budget,
                         .doing = sq_text_str(&now)};
    sq_tune_shown_put(&net->shown, &view);
    sq_text_free(&best);
    sq_text_free(&now);
}

/* Of the log, as lines of this layer have it. */
static sq_tune_log log_of(const sq_tuned_layer *l)
{
    sq_tune_log log = l->net->log;
    log.search = l->o.search;
    log.target = l->o.target;
    log.ncoords = l->p->space.n;
    return log;
}

void sq_network_log_result(const sq_tuned_layer *l)
{
    sq_tune_log log = log_of(l);
    sq_tune_log_result(&log, &l->m, &l->state, &(sq_tune_outcome){.file = l->o.sched_path, .bound = l->roof.seconds});
}

static void add(sq_network *net, const sq_tuned_layer *l, const sq_tune_state *s, const sq_tune_trial *trial)
{
    sq_tune_log log = log_of(l);
    sums x = sums_of(net);
    sq_tune_log_put(&log, &l->m, s, trial);
    if (net->o->verbose > 0)
        sq_tune_log_note(&net->layer[0].m, trial);
    sq_tune_shown_add(&net->shown, x.measured ? x.tuned / x.untuned : 0, sq_terminal_seconds() - net->began,
                      trial->wins, s->kept_start);
}

/* What others may learn from. */
static void experience(sq_network *net, const sq_tuned_layer *l, const sq_tune_trial *t)
{
    static float row[SQ_STATEMENTS][SQ_STATEMENT];
    int n = t->sample->status == SQ_INFEASIBLE ? 0 : l->problem.features(l->problem.user, t->point, row);
    sq_experience_add(net->experience, sq_text_str(&l->m.label), (const float(*)[SQ_STATEMENT])row, n,
                      t->sample->status == SQ_OK ? t->seconds : INFINITY);
}

void sq_network_progress(const sq_tune_state *s, const sq_tune_trial *trial, void *user)
{
    sq_tuned_layer *l = user;
    sq_network *net = l->net;
    if (trial)
        add(net, l, s, trial);
    if (trial && trial->point && net->experience)
        experience(net, l, trial);
    bool says_all = net->o->verbose && !net->shown.progress->live; /* a line a trial already */
    if (!says_all && sq_tune_shown_is_due(&net->shown))
        show(net, l);
}

/* ---- the result ---- */

static int label_width(const sq_network *net)
{
    int width = 24;
    for (int i = 0; i < net->n; i++)
        width = (int)fmax(width, (double)net->layer[i].m.label.n);
    return width;
}

static void print_layer(const sq_network *net, int i, const sums *x, int width)
{
    const sq_tuned_layer *l = &net->layer[i];
    const sq_tune_state *s = &l->state;
    char before[32], after[32];
    printf("%7.0f  %-*s", net->turn[i].weight, width, sq_text_str(&l->m.label));
    if (!s->found) {
        printf("  %s\n", !l->begun ? "not reached" : l->rc ? "failed" : "not measured");
        return;
    }
    double untuned = untuned_seconds(s);
    printf(" %9s %9s %6.2fx %6.0f %% %5.0f %% %6ld\n", sq_seconds_text(untuned, before, sizeof before),
           sq_seconds_text(s->best_seconds, after, sizeof after), untuned / s->best_seconds,
           100 * l->roof.seconds / s->best_seconds, 100 * net->turn[i].weight * s->best_seconds / x->tuned,
           sq_layer_trials(l));
}

static void print_table(const sq_network *net)
{
    sums x = sums_of(net);
    int width = label_width(net);
    char before[32], after[32];
    printf("%s: %d layers, %d kernels, %ld trials in %.0f s\n", net->file->name, net->file->n, net->n, x.trials,
           sq_terminal_seconds() - net->began);
    printf("%7s  %-*s %9s %9s %7s %8s %7s %6s\n", "times", width, "kernel", "untuned", "tuned", "gain", "of bound",
           "share", "trials");
    for (int i = 0; i < net->n; i++)
        print_layer(net, i, &x, width);
    char sum[64] = "sum";
    if (x.measured < net->n)
        snprintf(sum, sizeof sum, "sum of %d kernels of %d", x.measured, net->n);
    if (x.measured)
        printf("%7s  %-*s %9s %9s %6.2fx\n", "", width, sum, sq_seconds_text(x.untuned, before, sizeof before),
               sq_seconds_text(x.tuned, after, sizeof after), x.untuned / x.tuned);
    fflush(stdout);
}

static json_t *layer_json(const sq_network *net, int i)
{
    const sq_tuned_layer *l = &net->layer[i];
    const sq_tune_state *s = &l->state;
    json_t *j = json_pack("{s:s, s:s, s:I, s:b, s:f, s:I}", "kernel", sq_text_str(&l->m.label), "source",
                          l->entry->source, "count", (json_int_t)net->turn[i].weight, "found", (int)s->found,
                          "bound_seconds", l->roof.seconds, "trials", (json_int_t)sq_layer_trials(l));
    if (!s->found)
        return j;
    json_t *times = json_pack("{s:f, s:f, s:s}", "untuned_seconds", untuned_seconds(s), "seconds", s->best_seconds,
                              "script", s->best_script);
    if (json_object_update_new(j, times) == 0)
        return j;
    json_decref(j);
    return NULL;
}

/* NULL where it cannot be made: some name is no UTF-8. */
static json_t *network_json(const sq_network *net)
{
    sums x = sums_of(net);
    json_t *layers = json_array();
    bool all = true;
    for (int i = 0; i < net->n; i++)
        all = json_array_append_new(layers, layer_json(net, i)) == 0 && all;
    json_t *j = json_pack("{s:s, s:f, s:I, s:i, s:f, s:f, s:o}", "network", net->file->name, "elapsed",
                          sq_terminal_seconds() - net->began, "trials", (json_int_t)x.trials, "measured", x.measured,
                          "untuned_seconds", x.untuned, "seconds", x.tuned, "layers", layers);
    if (j && all)
        return j;
    json_decref(j);
    return NULL;
}

/* As JSON, and as a page, whichever is asked for. */
static int put_json(const sq_network *net)
{
    json_t *j = network_json(net);
    char *text = j && net->o->json ? json_dumps(j, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : NULL;
    int rc = 0;
    if (!j || (net->o->json && !text))
        rc = sq_error(net->d, SQ_FAULT_WORLD, SQ_NOWHERE, "the result cannot be written as %s",
                      net->o->json ? "JSON" : "HTML");
    if (text)
        puts(text);
    if (j && net->o->html && sq_report_network(j, net->o, net->arena, net->d) != 0)
        rc = -1;
    free(text);
    json_decref(j);
    return rc;
}

/* Sums without them say little. */
static void warn_of_others(const sq_network *net)
{
    int measured = sums_of(net).measured;
    if (measured < net->n && !sq_interrupt_signal())
        sq_warning(net->d, SQ_NOWHERE, "%s: %d of %d kernels were not measured", net->file->name, net->n - measured,
                   net->n);
}

static void note_resume(const sq_network *net)
{
    bool recorded = false;
    for (int i = 0; i < net->n; i++)
        recorded = recorded || (net->layer[i].state.recorded && net->layer[i].state.trials > 0);
    if (sq_interrupt_signal() && recorded)
        sq_note(net->d, SQ_NOWHERE, "%s: interrupted: the same command with --resume goes on from there",
                net->file->name);
}

int sq_network_say(const sq_network *net)
{
    int rc = 0;
    warn_of_others(net);
    note_resume(net);
    if (net->o->json || net->o->html)
        rc = put_json(net);
    if (!net->o->json && !net->o->quiet)
        print_table(net);
    for (int i = 0; i < net->n; i++)
        if (net->layer[i].begun && net->layer[i].rc != 0)
            rc = -1;
    return rc;
}
