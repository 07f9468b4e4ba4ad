/* Reports, roofline: the most that a machine does, by how much a kernel computes of each byte that it moves. */
#include "cli/report_parts.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_POINTS = 26 };

void sq_roofline_levels(sq_roofline *to, const sq_roofs *roofs, int threads)
{
    static const char *const names[SQ_LEVELS] = {"L1", "L2", "L3", "memory"};
    const sq_bandwidth *b = threads > 1 ? &roofs->all : &roofs->one;
    for (int l = 0; l < SQ_LEVELS; l++) {
        if (!(b->sum[l] > 0))
            continue;
        to->level[to->nlevels] = names[l];
        to->bandwidth[to->nlevels++] = b->sum[l];
    }
}

/* A power of two at or below x, resp. at or above. */
static double below(double x)
{
    return exp2(floor(log2(x)));
}

/* The axis: all points, and where every slope ends. */
static void range(const sq_roofline *r, double *from, double *to)
{
    *from = INFINITY;
    *to = 0;
    for (int l = 0; l < r->nlevels; l++) {
        *from = fmin(*from, r->peak / r->bandwidth[l]);
        *to = fmax(*to, r->peak / r->bandwidth[l]);
    }
    for (int i = 0; i < r->n; i++) {
        *from = fmin(*from, r->intensity[i]);
        *to = fmax(*to, r->intensity[i]);
    }
    if (!isfinite(*from))
        *from = *to = 1;
    *from = below(*from / 2);
    *to = 2 * below(*to * 2);
}

typedef struct drawn {
    int n;
    sq_series s[1 + SQ_LEVELS + MOST_POINTS]; /* the peak first */
    double x[SQ_LEVELS][2], y[SQ_LEVELS][2];
    char name[SQ_LEVELS][80], sign[MOST_POINTS][2], label[MOST_POINTS][2 * MOST_POINTS + 1];
} drawn;

/* A slope ends where it meets the peak. */
static void add_level(drawn *p, const sq_roofline *r, int l, double from)
{
    p->x[l][0] = from;
    p->y[l][0] = from * r->bandwidth[l];
    p->x[l][1] = r->peak / r->bandwidth[l];
    p->y[l][1] = r->peak;
    snprintf(p->name[l], sizeof p->name[l], "%s, %.1f GB/s", r->level[l], r->bandwidth[l]);
    p->s[p->n++] = (sq_series){.name = p->name[l],
                               .mark = SQ_MARK_LINE,
                               .color = l % SQ_KINDS + 1,
                               .n = 2,
                               .x = p->x[l],
                               .y = p->y[l]};
}

static bool is_near(double a, double b, double share)
{
    return a < b * share && b < a * share;
}

/* Points that lie on each other have one label. */
static void add_label(drawn *p, const sq_roofline *r, int i)
{
    int at = 0;
    while (at < i && !(p->label[at][0] && is_near(r->gflops[at], r->gflops[i], 1.25) &&
                       is_near(r->intensity[at], r->intensity[i], 1.25)))
        at++;
    p->sign[i][0] = (char)('A' + i);
    strcat(p->label[at], p->label[at][0] ? "," : "");
    strcat(p->label[at], p->sign[i]);
}

static void put_alt(const sq_roofline *r, sq_text *to)
{
    sq_text_printf(to, "Roofline: peak %.1f GFLOP/s", r->peak);
    for (int l = 0; l < r->nlevels; l++)
        sq_text_printf(to, ", %s %.1f GB/s", r->level[l], r->bandwidth[l]);
    for (int i = 0; i < r->n; i++)
        sq_text_printf(to, "; %s: %.3g flop per byte, %.1f GFLOP/s", r->name[i], r->intensity[i],
                       r->gflops[i]);
}

void sq_report_roofline(sq_html *h, const sq_roofline *r)
{
    drawn p = {0};
    sq_text alt = {0};
    double from, to, least = r->peak, peak_x[2], peak_y[2];
    char peak[60];
    if (!(r->peak > 0) || r->n == 0 || !(r->gflops[0] > 0) || !isfinite(r->intensity[0]))
        return;
    range(r, &from, &to);
    peak_x[0] = r->nlevels ? r->peak / r->bandwidth[0] : from;
    peak_x[1] = to, peak_y[0] = peak_y[1] = r->peak;
    snprintf(peak, sizeof peak, "peak, %.1f GFLOP/s", r->peak);
    p.s[p.n++] = (sq_series){
        .name = peak, .mark = SQ_MARK_LINE, .color = SQ_TEXT_COLOR, .n = 2, .x = peak_x, .y = peak_y};
    for (int l = 0; l < r->nlevels; l++)
        add_level(&p, r, l, from);
    for (int l = 0; l < r->nlevels; l++)
        least = fmin(least, p.y[l][0]);
    for (int i = 0; i < r->n && i < MOST_POINTS; i++)
        add_label(&p, r, i);
    for (int i = 0; i < r->n && i < MOST_POINTS; i++) {
        least = fmin(least, r->gflops[i]);
        p.s[p.n++] = (sq_series){.name = r->name[i],
                                 .mark = SQ_MARK_RANGES,
                                 .color = (SQ_LEVELS + i) % SQ_KINDS + 1,
                                 .n = 1,
                                 .x = &r->intensity[i],
                                 .y = &r->gflops[i],
                                 .low = &r->intensity[i],
                                 .high = &r->intensity[i],
                                 .label = p.label[i],
                                 .sign = r->n > 1 ? p.sign[i] : NULL};
        if (r->n == 1 || !p.label[i][0])
            p.s[p.n - 1].label = NULL;
    }
    put_alt(r, &alt);
    sq_html_plot(h, &(sq_figure){.caption = r->caption,
                                 .alt = sq_text_str(&alt),
                                 .x = "flop per byte of the arrays",
                                 .y = "GFLOP/s",
                                 .log_x = true,
                                 .log_y = true,
                                 .has_x = true,
                                 .from_x = from,
                                 .to_x = to,
                                 .has_y = true,
                                 .from_y = below(least / 1.2),
                                 .to_y = 1.6 * r->peak,
                                 .n = p.n,
                                 .series = p.s});
    sq_text_free(&alt);
}
