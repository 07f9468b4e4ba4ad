/* Tune network: layers that are the same kernel at the same sizes are one; all runs are open at once and search in
 * turns, the layer first whose next turn promises the network most (tuner/network.h). A layer begins with what was best
 * for others of its kind. tune_network_say.c says how it stands and what came of it. */
#include "cli/tune_network.h"
#include "cli/tune_network_inside.h"
#include "cli/ranker.h"
#include "cli/tune_place.h"
#include "support/interrupt.h"
#include "tuner/moved.h"
#include "tuner/point_text.h"
#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/resource.h>

enum { TURN_TRIALS = 8 };
/* Seconds: a turn is an eighth of a layer's share, within bounds; what beginning a layer takes; what comparing its best
 * with its start takes at the end. */
static const double turns_of_share = 8, shortest_turn = 1, longest_turn = 10, to_begin = 3, to_end = 0.3;
static const double default_share = 15;

/* ---- layers ---- */

static int wrong_sizes(const sq_tuned_layer *l, int rows)
{
    if (rows < 0)
        return -1;
    sq_error(l->m.task.d, SQ_FAULT_INPUT, SQ_NOWHERE, "%s: '%s' is tuned at %d rows of sizes; a layer has one",
             l->net->o->network, l->k->name, rows);
    sq_help(l->m.task.d, SQ_NOWHERE, "say which: \"at\": {…}, or \"fix\": {…}");
    return -1;
}

static int wrong_kernels(const sq_tuned_layer *l)
{
    sq_error(l->m.task.d, SQ_FAULT_INPUT, SQ_NOWHERE, "%s: '%s' has %d kernels; a layer is one", l->net->o->network,
             l->entry->source, l->m.task.unit->nkernels);
    sq_help(l->m.task.d, SQ_NOWHERE, "say which: \"kernel\": \"%s\"", l->m.task.unit->kernel[0]->name);
    return -1;
}

/* Settings as the command line of this layer alone would have them. */
static sq_settings settings_of(sq_arena *arena, const sq_settings *o, const sq_network_entry *e)
{
    sq_settings s = *o;
    const char **words = SQ_NEW_ARRAY(arena, const char *, 2);
    words[0] = e->source;
    words[1] = e->at;
    s.files = (sq_list){.n = 1, .item = words};
    s.at = (sq_list){.n = e->at ? 1 : 0, .item = words + 1};
    s.fix = e->fix;
    s.kernel = e->kernel;
    return s;
}

/* -1 after adding errors; the layer is to be closed in any case. */
static int open_layer(sq_tuned_layer *l)
{
    sq_network *net = l->net;
    int64_t *sizes;
    sq_settings s = settings_of(net->arena, net->o, l->entry);
    l->is_open = true;
    if (sq_measure_open_timed(&l->m, &s, net->d) != 0)
        return -1;
    if (l->m.runner == &sq_runner_model)
        return sq_error(net->d, SQ_FAULT_USAGE, sq_settings_loc(net->o, "runner"),
                        "a network is measured: --runner=local, or device");
    if (l->m.task.unit->nkernels != 1)
        return wrong_kernels(l);
    l->k = l->m.task.unit->kernel[0];
    int rows = sq_measure_sizes(&l->m, l->k, &sizes);
    if (rows != 1)
        return wrong_sizes(l, rows);
    l->sizes = sizes;
    sq_measure_name(&l->m, l->k, sizes);
    return sq_measure_is_any(&l->m, l->k, sizes) == 0 ? sq_tune_place_check(&l->m) : -1;
}

static void close_layer(sq_tuned_layer *l)
{
    if (l->is_open)
        sq_measure_close(&l->m);
    l->is_open = false;
}

/* True if their schedules are entries of one name in one file. */
static bool shares_name(const sq_tuned_layer *a, const sq_tuned_layer *b)
{
    return strcmp(sq_text_str(&a->m.label), sq_text_str(&b->m.label)) == 0 &&
           strcmp(sq_tune_place(&a->m), sq_tune_place(&b->m)) == 0;
}

/* Of one source a file has an entry for sizes that are constants, and one for those that are parameters. */
static bool is_one_source(const sq_tuned_layer *a, const sq_tuned_layer *b)
{
    return a->m.task.ntext == b->m.task.ntext && memcmp(a->m.task.text, b->m.task.text, a->m.task.ntext) == 0;
}

static bool is_of_kind(const sq_tuned_layer *a, const sq_tuned_layer *b)
{
    return strcmp(a->entry->source, b->entry->source) == 0 && strcmp(a->k->name, b->k->name) == 0;
}

/* Two descriptions whose schedules would be one entry of one file. */
static int compare_keys(const sq_tuned_layer *a, const sq_tuned_layer *b)
{
    sq_error(b->m.task.d, SQ_FAULT_INPUT, SQ_NOWHERE,
             "'%s' of '%s' and of '%s' are different kernels with one entry in '%s'",
             sq_text_str(&b->m.label), a->entry->source, b->entry->source, sq_tune_place(&b->m));
    sq_help(b->m.task.d, SQ_NOWHERE, "leave --out-dir out, or give one of the kernels or descriptions another name");
    return -1;
}

/* Adds the layer to one that is the same, or leaves it as the last one. */
static int merge(sq_network *net)
{
    sq_tuned_layer *l = &net->layer[net->n];
    for (int i = 0; i < net->n; i++) {
        sq_tuned_layer *a = &net->layer[i];
        bool same = strcmp(sq_kernel_hash(a->k).hex, sq_kernel_hash(l->k).hex) == 0;
        if (!shares_name(a, l) || (!same && is_one_source(a, l)))
            continue;
        if (!same)
            return compare_keys(a, l);
        net->turn[i].weight += (double)l->entry->count;
        close_layer(l);
        return 0;
    }
    int kind = net->n;
    for (int i = net->n - 1; i >= 0; i--)
        kind = is_of_kind(&net->layer[i], l) ? net->turn[i].kind : kind;
    l->roof = sq_measure_roof(&l->m, l->k, l->sizes);
    net->turn[net->n++] =
        (sq_network_layer){.weight = (double)l->entry->count, .bound = l->roof.seconds, .kind = kind};
    return 0;
}

static int open_layers(sq_network *net)
{
    int n = net->file->n;
    net->layer = SQ_NEW_ARRAY(net->arena, sq_tuned_layer, n);
    net->turn = SQ_NEW_ARRAY(net->arena, sq_network_layer, n);
    for (int i = 0; i < n && !sq_interrupt_signal(); i++) {
        sq_tuned_layer *l = &net->layer[net->n];
        *l = (sq_tuned_layer){.net = net, .entry = &net->file->layer[i]};
        if (open_layer(l) != 0 || merge(net) != 0) {
            sq_note(net->d, SQ_NOWHERE, "in layers[%d] of %s", i, net->o->network);
            close_layer(l);
            return -1;
        }
    }
    return 0;
}

/* ---- what others of its kind found ---- */

/* How far apart the sizes are: by factors, summed up. */
static double distance(const sq_tuned_layer *a, const sq_tuned_layer *b)
{
    double d = 0;
    for (int i = 0; i < a->k->nsizes && i < b->k->nsizes; i++)
        d += fabs(log(fmax(1, (double)a->sizes[i]) / fmax(1, (double)b->sizes[i])));
    return d;
}

/* The nearest of its kind that has a best point and is not taken; -1: none. */
static int nearest(const sq_network *net, int i, const bool *taken)
{
    int best = -1;
    for (int j = 0; j < net->n; j++) {
        const sq_tuned_layer *l = &net->layer[j];
        if (j == i || taken[j] || net->turn[j].kind != net->turn[i].kind || !l->run || !l->state.best_point)
            continue;
        if (best < 0 || distance(&net->layer[i], l) < distance(&net->layer[i], &net->layer[best]))
            best = j;
    }
    return best;
}

/* The best of `from` as a point of `to`; false if that has none. */
static bool move(const sq_tuned_layer *from, sq_tuned_layer *to, int *point)
{
    sq_text text = {0}, sizes = {0};
    sq_point_print(&from->p->space, from->state.best_point, &text);
    sq_sizes_text(from->k, from->sizes, &sizes);
    bool is = sq_point_moved(sq_text_str(&text), sq_text_str(&sizes), &to->problem, true, point);
    sq_text_free(&text);
    sq_text_free(&sizes);
    return is;
}

/* Their best points first, then the model's next choices. */
static void choose_seeds(sq_network *net, int i)
{
    sq_tuned_layer *l = &net->layer[i];
    bool *taken = SQ_NEW_ARRAY(net->arena, bool, net->n);
    l->problem = l->p->tune;
    l->problem.nseeds = 0;
    for (int t = 0, j; t < SQ_TRANSFERS && (j = nearest(net, i, taken)) >= 0; t++) {
        taken[j] = true;
        l->problem.nseeds += move(&net->layer[j], l, l->seed[l->problem.nseeds]);
    }
    for (int s = 0; s < l->p->nseeds; s++)
        memcpy(l->seed[l->problem.nseeds++], l->p->seed[s], sizeof l->seed[0]);
    l->problem.seed = (const int(*)[SQ_MAX_COORDS])l->seed;
}

/* ---- turns ---- */

static void begin(sq_network *net, int i)
{
    sq_tuned_layer *l = &net->layer[i];
    l->begun = true;
    l->p = sq_problem_new(&l->m, l->k, NULL, l->sizes, true);
    l->rc = -1;
    if (!l->p || sq_search_check_space(net->search, &l->p->space, sq_text_str(&l->m.label), l->m.task.target->name,
                                       net->o, "search", net->d) != 0)
        return;
    choose_seeds(net, i);
    l->o = sq_tune_place_options(&l->m);
    l->o.search = net->search;
    if (net->experience)
        l->o.prior = sq_experience_prior(net->experience);
    else
        l->o.prior = sq_ranker_prior(&net->ranker);
    l->o.budget = net->budget / net->n;
    l->o.asked = net->budget;
    l->o.trials = (net->trials + net->n - 1) / net->n; /* what the search takes for its share: turns end it */
    l->o.progress = sq_network_progress;
    l->o.user = l;
    l->run = sq_tuning_begin(l->k, l->sizes, &l->problem, &l->o, &l->state, l->m.task.arena, net->d);
}

static int waiting(const sq_network *net)
{
    int n = 0;
    for (int i = 0; i < net->n; i++)
        n += !net->layer[i].begun;
    return n;
}

/* Seconds until the runs that are open have to be ended. */
static double until_end(const sq_network *net)
{
    int open = 0;
    for (int i = 0; i < net->n; i++)
        open += net->layer[i].run != NULL;
    return net->end - sq_terminal_seconds() - open * to_end;
}

static long trials_so_far(const sq_network *net)
{
    long n = 0;
    for (int i = 0; i < net->n; i++)
        n += sq_layer_trials(&net->layer[i]);
    return n;
}

static bool has_found(const sq_network *net)
{
    for (int i = 0; i < net->n; i++)
        if (net->layer[i].state.found)
            return true;
    return false;
}

/* One kernel is begun in any case; time alone does not end a run that has found nothing while one waits: what the first
 * took may be no fault of the others. */
static bool is_over(const sq_network *net)
{
    bool late = net->budget > 0 && until_end(net) <= 0 && (has_found(net) || waiting(net) == 0);
    bool enough = net->trials > 0 && trials_so_far(net) >= net->trials;
    return sq_interrupt_signal() || ((late || enough) && waiting(net) < net->n);
}

/* Searches layer i for a turn: an eighth of its share of the time, or some trials, so that what waits can begin. True
 * if it can go on. */
static bool search(sq_network *net, int i)
{
    sq_tuned_layer *l = &net->layer[i];
    double share = net->budget / net->n / turns_of_share, left = until_end(net) - waiting(net) * to_begin;
    double seconds = net->budget > 0 ? fmax(0, fmin(fmin(fmax(share, shortest_turn), longest_turn), left)) : INFINITY;
    long trials = LONG_MAX;
    if (net->trials > 0)
        trials = (net->trials - trials_so_far(net)) / (waiting(net) + 1);
    if (net->budget <= 0 && trials > TURN_TRIALS)
        trials = TURN_TRIALS;
    return trials <= 0 || sq_tuning_go(l->run, seconds, trials);
}

static void end(sq_tuned_layer *l)
{
    l->rc = l->run ? sq_tuning_end(l->run) : -1;
    if (l->run && l->rc == 0)
        sq_network_log_result(l);
    l->run = NULL;
}

/* True if a layer has no result although its share of the time is over: not even its start was measured, and no store
 * had trials of it. */
static bool is_stuck(const sq_tuned_layer *l)
{
    return l->net->budget > 0 && l->state.resumed == 0 && l->state.results == 0;
}

static void take_turn(sq_network *net, int i)
{
    sq_tuned_layer *l = &net->layer[i];
    bool more = false;
    if (!l->begun)
        begin(net, i);
    if (l->run && is_stuck(l))
        end(l);
    if (l->run) {
        more = search(net, i);
        if (!sq_tuning_pause(l->run)) { /* it would go on beside the others */
            more = false;
            end(l);
        }
    }
    sq_network_turn(&net->turn[i], l->state.found ? l->state.best_seconds : 0, !more);
}

/* Layers learn from each other, where the search learns at all. */
static int open_experience(sq_network *net)
{
    const char *machine_class = net->n > 0 ? net->layer[0].m.task.machine->isa : "";
    if (sq_ranker_open(net->o, machine_class, &net->search, 1, "search", &net->ranker, net->d) != 0)
        return -1;
    net->experience = net->search->has_prior ? sq_experience_new(net->ranker.forest) : NULL;
    return 0;
}

static int run(sq_network *net)
{
    const sq_settings *o = net->o;
    net->budget = o->budget > 0 || o->trials > 0 ? o->budget : default_share * net->n;
    net->trials = (long)o->trials;
    net->began = sq_terminal_seconds();
    net->end = net->began + net->budget;
    sq_network_show_open(net);
    for (int next; !is_over(net) && (next = sq_network_next(net->turn, net->n)) >= 0;)
        take_turn(net, next);
    for (int i = 0; i < net->n; i++)
        if (net->layer[i].run)
            end(&net->layer[i]);
    sq_tune_shown_close(&net->shown);
    return sq_network_say(net);
}

/* What the file says of each layer. */
static int refuse_options(const sq_settings *o, sq_diags *d)
{
    const char *option = o->fix.n ? "fix" : o->at.n ? "at" : o->kernel ? "kernel" : NULL;
    const char *script = o->script.n ? "script" : o->schedule ? "schedule" : NULL;
    if (o->files.n)
        return sq_error(d, SQ_FAULT_USAGE, SQ_NOWHERE, "--network names the descriptions: '%s' cannot stand beside it",
                        o->files.item[0]);
    if (script)
        return sq_error(d, SQ_FAULT_USAGE, sq_settings_loc(o, script), "tune finds schedules, it takes none");
    if (!option)
        return 0;
    return sq_error(d, SQ_FAULT_USAGE, sq_settings_loc(o, option),
                    "--%s cannot stand beside --network, whose layers each have their own", option);
}

/* Every run that is open has children and pipes: as many as the system allows. */
static void raise_descriptors(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

int sq_tune_network(const sq_settings *o, sq_diags *d)
{
    sq_network net = {.o = o, .arena = o->arena, .d = d};
    if (refuse_options(o, d) != 0)
        return -1;
    if (sq_model_check(o, d) != 0)
        return -1;
    net.search = sq_search_named(o, o->search, "search", d);
    net.file = net.search ? sq_network_file_read(o->network, net.arena, d) : NULL;
    if (!net.file || sq_tune_log_open(&net.log, o->log, d) != 0)
        return -1;
    raise_descriptors();
    sq_interrupt_hold(); /* the best so far is kept */
    int rc = open_layers(&net);
    if (rc == 0)
        rc = open_experience(&net);
    if (rc == 0)
        rc = run(&net);
    sq_interrupt_release();
    for (int i = 0; i < net.n; i++)
        close_layer(&net.layer[i]);
    sq_experience_free(net.experience);
    sq_learned_free(&net.ranker);
    sq_tune_log_close(&net.log);
    return rc;
}
