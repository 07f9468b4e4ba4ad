/* Tune view: see tune_view.h. */
#include "cli/tune_view.h"
#include "support/terminal.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST_TREND = 60, LEAST_TREND = 12 };
static const char bold[] = "\033[1m", dim[] = "\033[2m", plain[] = "\033[0m";

/* ---- the trend ---- */

static void halve(sq_trend *t)
{
    for (int i = 0; 2 * i + 1 < t->n; i++)
        t->value[i] = t->value[2 * i + 1];
    t->n /= 2;
    t->stride *= 2;
}

void sq_trend_add(sq_trend *t, double value)
{
    if (!t->value) {
        *t = (sq_trend){.value = malloc(SQ_TREND_MOST * sizeof *t->value), .stride = 1, .first = value};
        if (!t->value)
            abort();
    }
    t->last = value;
    if (++t->skipped < t->stride)
        return;
    t->skipped = 0;
    if (t->n == SQ_TREND_MOST)
        halve(t);
    t->value[t->n++] = value;
}

void sq_trend_free(sq_trend *t)
{
    free(t->value);
    *t = (sq_trend){0};
}

/* By their logarithms: a gain of a tenth is as high early as late. */
static int level_of(const sq_trend *t, double value, int levels)
{
    double range = log(t->first / t->last);
    if (!(range > 0) || !(value > 0))
        return 0;
    double level = floor(log(value / t->last) / range * (levels - 1) + 0.5);
    return (int)fmax(0, fmin(levels - 1, level));
}

void sq_trend_put(const sq_trend *t, int columns, bool utf8, sq_text *to)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const signs[] = {"_", ".", "-", "'"};
    const char *const *level = utf8 ? blocks : signs;
    int levels = utf8 ? 8 : 4, n = t->n < columns ? t->n : columns;
    for (int c = 0; c < n; c++) {
        double value = t->value[(int)((long)(c + 1) * t->n / n) - 1];
        sq_text_puts(to, level[level_of(t, value, levels)]);
    }
}

/* ---- words ---- */

const char *sq_clock_text(double seconds, char *to, size_t n)
{
    long s = lround(fmax(0, seconds));
    if (s < 3600)
        snprintf(to, n, "%ld:%02ld", s / 60, s % 60);
    else
        snprintf(to, n, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    return to;
}

void sq_tune_failures_put(const long *failed, sq_text *to)
{
    static const char *const word[SQ_NSTATUSES] = {[SQ_INFEASIBLE] = "refused", [SQ_BUILD_FAILED] = "not built",
                                                   [SQ_CRASHED] = "crashed",    [SQ_TIMEOUT] = "timed out",
                                                   [SQ_WRONG] = "wrong",        [SQ_LOST] = "lost"};
    long all = 0;
    const char *comma = ":";
    for (int i = 0; i < SQ_NSTATUSES; i++)
        all += failed[i];
    long bad = all - failed[SQ_OK];
    if (bad <= 0)
        return;
    sq_text_printf(to, "%ld of %ld (%.0f %%)", bad, all, 100. * (double)bad / (double)all);
    for (int i = SQ_OK + 1; i < SQ_NSTATUSES; i++) {
        if (!failed[i])
            continue;
        sq_text_printf(to, "%s %ld %s", comma, failed[i], word[i]);
        comma = ",";
    }
}

/* ---- lines ---- */

struct page {
    int columns;
    bool utf8, colour;
    sq_text *to;
};

static int columns_of(const char *s)
{
    int n = 0;
    for (; *s; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

/* What is cut off is marked. */
static void put_cut(const struct page *p, const char *s, int columns)
{
    const char *mark = p->utf8 ? "…" : "..";
    int left = columns - columns_of(mark);
    if (columns_of(s) <= columns) {
        sq_text_puts(p->to, s);
    } else if (left > 0) {
        sq_text_putn(p->to, s, sq_terminal_fit(s, left));
        sq_text_puts(p->to, mark);
    }
}

static void put_in(const struct page *p, const char *colour, const char *s, int columns)
{
    if (columns <= 0)
        return;
    if (p->colour)
        sq_text_puts(p->to, colour);
    put_cut(p, s, columns);
    if (p->colour)
        sq_text_puts(p->to, plain);
}

/* "trials   157 of 200": names in a column of their own; returns what is left of the line. */
enum { NAME = 8 };
static int put_name(const struct page *p, const char *name)
{
    char padded[NAME + 2];
    snprintf(padded, sizeof padded, "%-*s", NAME, name);
    put_in(p, dim, padded, p->columns);
    return p->columns - NAME;
}

static void put_line(const struct page *p, const char *name, const char *colour, const char *s)
{
    put_in(p, colour, s, put_name(p, name));
    sq_text_puts(p->to, "\n");
}

static void put_title(const struct page *p, const sq_tune_view *v)
{
    sq_text line = {0};
    sq_text_puts(&line, v->title);
    if (v->part)
        sq_text_printf(&line, "  (%s)", v->part);
    put_in(p, bold, sq_text_str(&line), p->columns);
    sq_text_puts(p->to, "\n");
    sq_text_free(&line);
}

/* "from 2.45 ms  ▇▅▁  last gain 0:12 ago", above the best: what was first stands first. Words stand beside
 * it where there is room; the last ones give way first. */
static void put_trend(const struct page *p, const sq_tune_view *v)
{
    char clock[24];
    sq_text from = {0}, gain = {0};
    int left = put_name(p, "trend");
    if (v->trend->n > 0 && v->from)
        sq_text_printf(&from, "%s  ", v->from);
    if (v->trend->n > 0 && v->last_gain >= 0)
        sq_text_printf(&gain, "  last gain %s ago", sq_clock_text(v->last_gain, clock, sizeof clock));
    if (left - columns_of(sq_text_str(&from)) - columns_of(sq_text_str(&gain)) < LEAST_TREND)
        sq_text_clear(&gain);
    if (left - columns_of(sq_text_str(&from)) < LEAST_TREND)
        sq_text_clear(&from);
    int room = left - columns_of(sq_text_str(&from)) - columns_of(sq_text_str(&gain));
    sq_text_puts(p->to, sq_text_str(&from));
    if (room > 0)
        sq_trend_put(v->trend, room < WIDEST_TREND ? room : WIDEST_TREND, p->utf8, p->to);
    sq_text_puts(p->to, sq_text_str(&gain));
    sq_text_puts(p->to, "\n");
    sq_text_free(&from);
    sq_text_free(&gain);
}

static double per_minute(const sq_tune_view *v)
{
    return v->elapsed > 0 ? 60 * (double)v->measured / v->elapsed : 0;
}

static void put_trials(const struct page *p, const sq_tune_view *v)
{
    sq_text line = {0};
    sq_text_printf(&line, "%ld", v->trials);
    if (v->most > 0)
        sq_text_printf(&line, " of %ld", v->most);
    sq_text_printf(&line, ", %.0f a minute", per_minute(v));
    put_line(p, "trials", "", sq_text_str(&line));
    sq_text_free(&line);
}

static void put_failed(const struct page *p, const sq_tune_view *v)
{
    sq_text line = {0};
    sq_tune_failures_put(v->failed, &line);
    put_line(p, "failed", "", line.n ? sq_text_str(&line) : "none");
    sq_text_free(&line);
}

/* Of the trials that are left, by those of this run; negative: nothing is known. */
static double seconds_for_trials(const sq_tune_view *v)
{
    double trials = fmax(0, (double)(v->most - v->trials)) + (double)v->after * (double)v->most;
    return v->most > 0 && v->measured > 0 ? trials * v->elapsed / (double)v->measured : -1;
}

void sq_tune_view_time(const sq_tune_view *v, sq_text *to)
{
    char now[24], all[24];
    sq_text_puts(to, sq_clock_text(v->spent, now, sizeof now));
    if (v->budget > 0) /* less than a second is no 0:00 */
        sq_text_printf(to, " of %s", sq_clock_text(fmax(1, v->budget), all, sizeof all));
}

/* Whichever ends first. What trials take is a guess, and said so. */
static void put_time(const struct page *p, const sq_tune_view *v)
{
    char rest[24];
    sq_text line = {0};
    double trials = seconds_for_trials(v), budget = v->budget > 0 ? fmax(0, v->budget - v->spent) : -1;
    bool by_trials = trials >= 0 && (budget < 0 || trials < budget);
    double left = by_trials ? trials : budget;
    sq_tune_view_time(v, &line);
    if (left >= 0.5)
        sq_text_printf(&line, ", %s%s left", by_trials ? "some " : "", sq_clock_text(left, rest, sizeof rest));
    put_line(p, "time", "", sq_text_str(&line));
    sq_text_free(&line);
}

void sq_tune_view_put(const sq_tune_view *v, int columns, bool utf8, bool colour, sq_text *to)
{
    struct page p = {.columns = columns, .utf8 = utf8, .colour = colour, .to = to};
    put_title(&p, v);
    put_trend(&p, v);
    put_line(&p, "best", v->best ? bold : "", v->best ? v->best : "nothing yet");
    put_trials(&p, v);
    put_failed(&p, v);
    put_time(&p, v);
    if (v->doing && v->doing[0])
        put_line(&p, "now", "", v->doing);
}
