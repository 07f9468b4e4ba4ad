/* Reports, tune --network: see report_network.h. */
#include "cli/report_network.h"
#include <math.h>
#include <string.h>

typedef struct layers {
    const json_t *list;
    int n;
    double untuned, tuned; /* of the whole network, of the layers that were measured */
    sq_arena *arena;
} layers;

/* ---- plots ---- */

/* Two bars a layer, one above the other: before and after. */
static void put_bars(sq_html *h, const layers *l, const double *before, const double *after,
                     const char *caption, const char *alt, const char *axis)
{
    double *p = SQ_NEW_ARRAY(l->arena, double, 6 * l->n + 1);
    double *y_before = p, *y_after = p + l->n, *half = p + 2 * l->n;
    const char **name = SQ_NEW_ARRAY(l->arena, const char *, l->n + 1);
    for (int i = 0; i < l->n; i++) {
        int row = l->n - 1 - i;
        name[row] = sq_arena_printf(l->arena, "%d", i + 1);
        y_before[i] = row + 0.19;
        y_after[i] = row - 0.19;
        half[i] = 0.17;
    }
    sq_series s[] = {{.name = "untuned",
                      .mark = SQ_MARK_BARS,
                      .color = SQ_PALE,
                      .n = l->n,
                      .x = before,
                      .y = y_before,
                      .low = half},
                     {.name = "tuned",
                      .mark = SQ_MARK_BARS,
                      .color = 1,
                      .n = l->n,
                      .x = after,
                      .y = y_after,
                      .low = half}};
    sq_html_plot(h, &(sq_figure){.caption = caption,
                                 .alt = alt,
                                 .x = axis,
                                 .y = "",
                                 .has_y = true,
                                 .from_y = -0.6,
                                 .to_y = l->n - 0.4,
                                 .ny = l->n,
                                 .name_y = name,
                                 .rows = l->n < 8 ? 8 : l->n,
                                 .n = 2,
                                 .series = s});
}

static void put_plots(sq_html *h, const layers *l)
{
    double *p = SQ_NEW_ARRAY(l->arena, double, 4 * l->n + 1), *before = p, *after = p + l->n,
           *low = p + 2 * l->n, *high = p + 3 * l->n;
    const char *unit;
    double scale = sq_report_unit(l->tuned / (l->n ? l->n : 1), &unit);
    for (int i = 0; i < l->n; i++) {
        const json_t *x = json_array_get(l->list, (size_t)i);
        double times = sq_report_number(x, "count"), bound = sq_report_number(x, "bound_seconds");
        before[i] = scale * times * sq_report_number(x, "untuned_seconds");
        after[i] = scale * times * sq_report_number(x, "seconds");
        low[i] = 100 * bound / sq_report_number(x, "untuned_seconds");
        high[i] = 100 * bound / sq_report_number(x, "seconds");
    }
    sq_html_raw(h, "<div class=\"plots\">\n");
    put_bars(h, l, before, after, "Time of the layers in one run of the network",
             "Times of the table, untuned and tuned, by the layer's number.",
             sq_arena_printf(l->arena, "%s", unit));
    put_bars(h, l, low, high, "How near the layers come to the machine's bound",
             "Per cent of bound of the table, untuned and tuned, by the layer's number.",
             "per cent of the bound");
    sq_html_raw(h, "</div>\n");
}

/* ---- the table ---- */

static void put_share(sq_html *h, double share)
{
    if (isfinite(share))
        sq_html_number(h, share, "%.0f %%", 100 * share);
    else
        sq_html_number(h, NAN, "-");
}

static void put_row(sq_html *h, const layers *l, int i)
{
    const json_t *x = json_array_get(l->list, (size_t)i);
    double times = sq_report_number(x, "count"), before = sq_report_number(x, "untuned_seconds"),
           after = sq_report_number(x, "seconds");
    sq_html_row_open(h, false);
    sq_html_number(h, i + 1, "%d", i + 1);
    sq_html_cell(h, "%s%s", sq_report_text(x, "kernel"), isfinite(after) ? "" : ", not measured");
    sq_html_number(h, times, "%.0f", times);
    sq_report_seconds(h, before);
    sq_report_seconds(h, after);
    if (isfinite(after))
        sq_html_number(h, before / after, "%.2fx", before / after);
    else
        sq_html_number(h, NAN, "-");
    put_share(h, sq_report_number(x, "bound_seconds") / before);
    put_share(h, sq_report_number(x, "bound_seconds") / after);
    put_share(h, times * before / l->untuned);
    put_share(h, times * after / l->tuned);
    sq_html_number(h, sq_report_number(x, "trials"), "%.0f", sq_report_number(x, "trials"));
    sq_html_row_close(h);
}

static void put_scripts(sq_html *h, const layers *l)
{
    sq_html_raw(h, "<details><summary>The schedules</summary>\n");
    sq_html_table_open(h, "The best schedule of each layer", ">number|source|schedule");
    for (int i = 0; i < l->n; i++) {
        const json_t *x = json_array_get(l->list, (size_t)i);
        sq_html_row_open(h, false);
        sq_html_number(h, i + 1, "%d", i + 1);
        sq_html_cell(h, "%s", sq_report_text(x, "source"));
        sq_html_code_cell(h, sq_report_text(x, "script"));
        sq_html_row_close(h);
    }
    sq_html_table_close(h);
    sq_html_raw(h, "</details>\n");
}

int sq_report_network(const json_t *network, const sq_settings *o, sq_arena *arena, sq_diags *d)
{
    char text[32];
    sq_html h = {.title = sq_arena_printf(arena, "Network %s", sq_report_text(network, "network"))};
    layers l = {.list = json_object_get(network, "layers"),
                .arena = arena,
                .untuned = sq_report_number(network, "untuned_seconds"),
                .tuned = sq_report_number(network, "seconds")};
    l.n = (int)json_array_size(l.list);
    double measured = sq_report_number(network, "measured"), trials = sq_report_number(network, "trials");
    sq_html_open(&h, "Layers");
    sq_html_facts_open(&h);
    if (l.tuned > 0) {
        sq_html_fact(&h, "Tuned", l.tuned, "%s", sq_seconds_text(l.tuned, text, sizeof text));
        sq_html_fact(&h, "Untuned", l.untuned, "%s", sq_seconds_text(l.untuned, text, sizeof text));
        sq_html_fact(&h, "Faster", l.untuned / l.tuned, "%.2fx", l.untuned / l.tuned);
    }
    sq_html_fact(&h, "Kernels measured", measured, "%.0f of %d", measured, l.n);
    sq_html_fact(&h, "Trials", trials, "%.0f", trials);
    sq_html_fact(&h, "Search", sq_report_number(network, "elapsed"), "%.0f s",
                 sq_report_number(network, "elapsed"));
    sq_html_facts_close(&h);
    if (l.tuned > 0)
        put_plots(&h, &l);
    sq_html_table_open(
        &h,
        "Layers: a call's time, the share of the machine's bound, the share of the network's time",
        ">number|kernel|>times|>untuned|>tuned|>gain|>of bound before|>of bound after|>share "
        "before|>share after|>trials");
    for (int i = 0; i < l.n; i++)
        put_row(&h, &l, i);
    sq_html_table_close(&h);
    put_scripts(&h, &l);
    sq_html_close(&h);
    return sq_report_write(&h, o, d);
}
