/* Reports, bench: see report_bench.h. */
#include "cli/report_bench.h"
#include <math.h>

static double gflops(const sq_roof *roof, double seconds)
{
    return 1e-9 * roof->flops / seconds;
}

static void put_roofline(sq_html *h, const sq_measure *m, const sq_roof *roof,
                         const sq_report_subject *x, int n)
{
    sq_arena *arena = m->task.arena;
    const char **name = SQ_NEW_ARRAY(arena, const char *, n + 1);
    double *at = SQ_NEW_ARRAY(arena, double, n + 1), *rate = SQ_NEW_ARRAY(arena, double, n + 1);
    sq_roofline r = {.peak = roof->peak,
                     .n = n,
                     .name = name,
                     .intensity = at,
                     .gflops = rate,
                     .caption = "Measured roofline, with the measured schedules on it"};
    for (int i = 0; i < n; i++) {
        name[i] = x[i].name;
        at[i] = roof->bytes > 0 ? roof->flops / roof->bytes : NAN;
        rate[i] = gflops(roof, x[i].seconds);
    }
    if (m->device) {
        r.level[r.nlevels] = "memory";
        r.bandwidth[r.nlevels++] = m->device->bandwidth;
    } else {
        sq_roofline_levels(&r, &m->roofs, m->threads);
    }
    sq_report_roofline(h, &r);
}

/* Every timing as a point in its schedule's row, a little above the line that the median's interval is; all in per cent
 * of the medians, which may lie far apart. */
static void put_times(sq_html *h, const sq_measure *m, const sq_report_subject *x, int n)
{
    sq_arena *arena = m->task.arena;
    sq_series *s = SQ_NEW_ARRAY(arena, sq_series, 2 * n + 1);
    const char **name = SQ_NEW_ARRAY(arena, const char *, n + 1);
    sq_text alt = {0};
    sq_text_puts(&alt, "Intervals of the medians, in per cent of these:");
    for (int i = 0; i < n; i++) {
        double *p = SQ_NEW_ARRAY(arena, double, 2 * x[i].ntimes + 4), *y = p + x[i].ntimes,
               *mid = y + x[i].ntimes;
        name[n - 1 - i] = sq_arena_printf(arena, "%c", 'A' + i);
        for (int k = 0; k < x[i].ntimes; k++) {
            p[k] = 100 * x[i].times[k] / x[i].seconds;
            y[k] = n - 1 - i + 0.14 + 0.26 * (k * 7 % 11) / 11.0;
        }
        mid[0] = 100, mid[1] = n - 1 - i;
        mid[2] = 100 * x[i].low / x[i].seconds, mid[3] = 100 * x[i].high / x[i].seconds;
        s[2 * i] =
            (sq_series){.mark = SQ_MARK_POINTS, .color = SQ_PALE, .n = x[i].ntimes, .x = p, .y = y};
        s[2 * i + 1] = (sq_series){.name = x[i].name,
                                   .mark = SQ_MARK_RANGES,
                                   .color = (SQ_LEVELS + i) % SQ_KINDS + 1,
                                   .n = 1,
                                   .x = mid,
                                   .y = mid + 1,
                                   .low = mid + 2,
                                   .high = mid + 3,
                                   .sign = name[n - 1 - i]};
        sq_text_printf(&alt, " %s %.1f to %.1f;", x[i].name, mid[2], mid[3]);
    }
    sq_html_plot(h, &(sq_figure){.caption = "Every timing, and the 95 % intervals of the medians",
                                 .alt = sq_text_str(&alt),
                                 .x = "per cent of the median time",
                                 .y = "",
                                 .has_y = true,
                                 .from_y = -0.5,
                                 .to_y = n - 0.4,
                                 .ny = n,
                                 .name_y = name,
                                 .rows = n < 11 ? 11 : n,
                                 .n = 2 * n,
                                 .series = s});
    sq_text_free(&alt);
}

static void put_row(sq_html *h, const sq_roof *roof, const sq_report_subject *x, int i)
{
    sq_html_row_open(h, i == 0);
    sq_html_cell(h, "%c  %s", 'A' + i, x->name);
    sq_report_seconds(h, x->seconds);
    sq_report_seconds(h, x->low);
    sq_report_seconds(h, x->high);
    if (roof->flops > 0)
        sq_html_number(h, gflops(roof, x->seconds), "%.1f", gflops(roof, x->seconds));
    if (roof->bytes > 0)
        sq_html_number(h, 1e-9 * roof->bytes / x->seconds, "%.1f", 1e-9 * roof->bytes / x->seconds);
    sq_html_number(h, roof->seconds / x->seconds, "%.1f %%", 100 * roof->seconds / x->seconds);
    sq_html_number(h, x->ratio, "%.3f", x->ratio);
    if (x->is_compared)
        sq_html_cell(h, "%.3f to %.3f", x->ratio_low, x->ratio_high);
    else
        sq_html_cell(h, "-");
    sq_html_row_close(h);
}

static void put_table(sq_html *h, sq_arena *arena, const sq_roof *roof, const sq_report_subject *x,
                      int n)
{
    sq_html_table_open(
        h, "Times of a call: the median of the timings, and its 95 % interval",
        sq_arena_printf(arena,
                        "schedule|>time|>from|>to%s%s|>of %s|>time over the first's|95 %% interval",
                        roof->flops > 0 ? "|>GFLOP/s" : "", roof->bytes > 0 ? "|>GB/s" : "",
                        roof->memory ? roof->memory : "peak"));
    for (int i = 0; i < n; i++)
        put_row(h, roof, &x[i], i);
    sq_html_table_close(h);
}

void sq_report_bench(sq_html *h, const sq_measure *m, const sq_roof *roof,
                     const sq_report_subject *x, int n)
{
    char text[32];
    sq_html_open(h, "%s", sq_text_str(&m->label));
    if (m->device)
        sq_html_paragraph(h, NULL, "On %s, target %s.", m->machine, m->task.target->name);
    else
        sq_html_paragraph(h, NULL, "On %s, target %s, %d thread%s.", m->machine,
                          m->task.target->name, m->threads, m->threads > 1 ? "s" : "");
    sq_html_facts_open(h);
    sq_html_fact(h, x[0].name, x[0].seconds, "%s",
                 sq_seconds_text(x[0].seconds, text, sizeof text));
    if (roof->flops > 0)
        sq_html_fact(h, "Its rate", gflops(roof, x[0].seconds), "%.1f GFLOP/s",
                     gflops(roof, x[0].seconds));
    sq_html_fact(h, roof->memory ? "Of its roof, the bandwidth" : "Of its roof, the peak",
                 roof->seconds / x[0].seconds, "%.1f %%", 100 * roof->seconds / x[0].seconds);
    for (int i = 1; i < n; i++)
        sq_html_fact(h, sq_arena_printf(m->task.arena, "Faster than %s", x[i].name), x[i].ratio,
                     "%.2fx", x[i].ratio);
    sq_html_facts_close(h);
    put_table(h, m->task.arena, roof, x, n);
    sq_html_raw(h, "<div class=\"plots\">\n");
    put_roofline(h, m, roof, x, n);
    put_times(h, m, x, n);
    sq_html_raw(h, "</div>\n");
    sq_html_close(h);
}
