/* Report: GFLOP/s of every contestant by medians, and of ours (tuned, else hand, else untuned) the
 * per cent of the measured peak and the ratio to the best rival, both by medians of ratios within
 * rounds. Figures of different shapes were taken at different times, so only ratios are combined.
 */
#include "bench/report.h"
#include "ir/machine/machine.h"
#include "support/stats.h"
#include <stdio.h>
#include <string.h>

static const char *const gemm_columns[] = {"naive",  "untuned",  "hand", "tuned",
                                           "oneDNN", "OpenBLAS", "BLIS", NULL};
static const char *const conv_columns[] = {"naive",  "untuned",    "hand", "tuned",
                                           "oneDNN", "oneDNN any", NULL};

static const char *const *columns(const bench_problem *p)
{
    return p->is_conv ? conv_columns : gemm_columns;
}

/* Which of ours stands for squall: the tuned one even where another was faster. */
static int ours(const bench_contest *t)
{
    static const char *const order[] = {"tuned", "hand", "untuned", NULL};
    int c = -1;
    for (int i = 0; c < 0 && order[i]; i++)
        c = bench_contest_find(t, order[i]);
    return c;
}

/* Of peak: by rates, since a call of the peak loop is other work. */
static double of_peak(const bench_contest *t, int c)
{
    return bench_contest_ratio(t, c, 0) * t->c[c].flops / t->c[0].flops;
}

/* What ours is compared with: any library's gemm, but of convolutions the one with the same plain
 * layouts. */
static int opponent(const bench_problem *p, const bench_contest *t)
{
    return p->is_conv ? bench_contest_find(t, "oneDNN") : bench_contest_best(t, BENCH_RIVAL);
}

/* Ratio of a contestant to another, 0 where one did not take part. */
static double ratio(const bench_contest *t, int i, int j)
{
    return i < 0 || j < 0 ? 0 : bench_contest_ratio(t, i, j);
}

static double untuned_ratio(const bench_contest *t)
{
    return ratio(t, bench_contest_find(t, "untuned"), bench_contest_find(t, "tuned"));
}

static void number(double x, const char *format, const char *none)
{
    if (x > 0)
        printf(format, x);
    else
        printf("%s", none);
}

/* The table of docs/PERFORMANCE.md: ours, the best rival's. */
static void markdown_head(bool conv)
{
    printf("| %s | GFLOP/s | of peak | %s | ratio to it | untuned of tuned "
           "|%s\n|---|---|---|---|---|---|%s\n",
           conv ? "convolution" : "product", conv ? "oneDNN, plain NCHW" : "best library",
           conv ? " ratio to oneDNN with its own layouts |" : "", conv ? "---|" : "");
}

static void markdown_row(const bench_problem *p, const bench_contest *t)
{
    int us = ours(t), best = opponent(p, t), any = bench_contest_find(t, "oneDNN any");
    if (us < 0)
        return;
    printf("| %s | %.1f | %.0f %% | ", t->id, bench_contest_speed(t, us), 100 * of_peak(t, us));
    if (best >= 0)
        printf("%s%s%.1f", p->is_conv ? "" : t->c[best].name, p->is_conv ? "" : " ",
               bench_contest_speed(t, best));
    number(ratio(t, us, best), " | %.2f", " | ");
    number(untuned_ratio(t), " | %.2f |", " | |");
    if (p->is_conv)
        number(ratio(t, us, any), " %.2f |", " |");
    printf("\n");
    fflush(stdout);
}

void bench_report_head(const bench_program *b, bool conv)
{
    const char *const *c = conv ? conv_columns : gemm_columns;
    if (b->markdown)
        markdown_head(conv);
    if (b->json || b->markdown)
        return;
    printf("f32, %d thread%s, %s; GFLOP/s in CPU time by medians, ratios by medians of "
           "ratios within rounds\n",
           b->threads, b->threads == 1 ? "" : "s", sq_machine_host_isa());
    for (int i = 0; i < b->nrivals; i++)
        if (i == 0 || strcmp(b->version[i], b->version[i - 1]) != 0)
            printf("%s\n", b->version[i]);
    printf("\n%-22s %6s", "", "peak");
    for (; *c; c++)
        printf(" %10s", *c);
    printf(" %7s %9s  %s\n", "of peak", conv ? "to plain" : "to best", conv ? "to any" : "rival");
    fflush(stdout);
}

static void table_row(const bench_problem *p, const bench_contest *t)
{
    int us = ours(t), best = opponent(p, t), any = bench_contest_find(t, "oneDNN any");
    printf("%-22s %6.1f", t->id, bench_contest_speed(t, 0));
    for (const char *const *c = columns(p); *c; c++) {
        int i = bench_contest_find(t, *c);
        number(i < 0 ? 0 : bench_contest_speed(t, i), " %10.1f", "          -");
    }
    number(us < 0 ? 0 : 100 * of_peak(t, us), " %6.1f%%", "       -");
    number(ratio(t, us, best), " %8.3fx", "         -");
    if (p->is_conv)
        number(ratio(t, us, any), "  %.3fx", "  -");
    else
        printf("  %s", best < 0 ? "-" : t->c[best].name);
    printf("\n");
    fflush(stdout);
}

static void json_row(const bench_problem *p, const bench_contest *t, bool first)
{
    int us = ours(t), best = opponent(p, t);
    if (first)
        printf("{\"isa\": \"%s\", \"shapes\": [\n", sq_machine_host_isa());
    printf("%s {\"id\": \"%s\", \"group\": \"%s\", \"flops\": %.0f, \"rounds\": %d",
           first ? "" : ",\n", t->id, p->group, bench_problem_flops(p), t->rounds);
    printf(", \"gflops\": {");
    for (int i = 0; i < t->n; i++)
        printf("%s\"%s\": %.2f", i ? ", " : "", t->c[i].name, bench_contest_speed(t, i));
    printf("}");
    if (us >= 0)
        printf(", \"ours\": \"%s\", \"of_peak\": %.4f", t->c[us].name, of_peak(t, us));
    if (us >= 0 && best >= 0)
        printf(", \"rival\": \"%s\", \"ratio\": %.4f", t->c[best].name, ratio(t, us, best));
    if (untuned_ratio(t) > 0)
        printf(", \"untuned_ratio\": %.4f", untuned_ratio(t));
    printf("}");
}

void bench_report_row(const bench_program *b, int i)
{
    if (b->json)
        json_row(&b->problem[i], &b->contest[i], i == 0);
    else if (b->markdown)
        markdown_row(&b->problem[i], &b->contest[i]);
    else
        table_row(&b->problem[i], &b->contest[i]);
}

typedef struct series {
    double x[BENCH_MAX_SHAPES];
    size_t n;
} series;

static void push(series *s, double x)
{
    if (x > 0)
        s->x[s->n++] = x;
}

static double mean(const series *s)
{
    return s->n ? sq_geomean(s->x, s->n) : 0;
}

/* The figures of one group of shapes. */
static void group(const bench_program *b, const char *name, bool comma)
{
    series rival = {{0}, 0}, any = rival, peak = rival, untuned = rival;
    for (int i = 0; i < b->ncontests; i++) {
        const bench_contest *t = &b->contest[i];
        int us = ours(t);
        if (strcmp(b->problem[i].group, name) != 0 || us < 0)
            continue;
        push(&rival, ratio(t, us, opponent(&b->problem[i], t)));
        push(&any, ratio(t, us, bench_contest_find(t, "oneDNN any")));
        push(&peak, of_peak(t, us));
        push(&untuned, untuned_ratio(t));
    }
    double worst = rival.n ? sq_minimum(rival.x, rival.n) : 0;
    if (peak.n == 0)
        return;
    if (b->json) {
        printf("%s\n {\"group\": \"%s\", \"of_peak\": %.4f, \"ratio\": %.4f, \"worst\": %.4f, "
               "\"to_any\": %.4f, \"untuned_ratio\": %.4f}",
               comma ? "," : "", name, mean(&peak), mean(&rival), worst, mean(&any),
               mean(&untuned));
        return;
    }
    if (peak.n == 1)
        return; /* its row says it all */
    printf("%-22s geometric means of %zu: %.1f%% of peak", name, peak.n, 100 * mean(&peak));
    number(mean(&rival), "; %.3fx the rival", "");
    number(worst, " (worst %.3fx)", "");
    number(mean(&any), "; %.3fx oneDNN any", "");
    number(mean(&untuned), "; untuned %.3fx of tuned", "");
    printf("\n");
}

/* Transposed products against the plain one, each by its share of the peak measured beside it. */
static void transposed(const bench_program *b)
{
    double plain = 0;
    for (int i = 0; i < b->ncontests; i++)
        if (strcmp(b->contest[i].id, "gemm-512") == 0 && ours(&b->contest[i]) >= 0)
            plain = of_peak(&b->contest[i], ours(&b->contest[i]));
    for (int i = 0; plain > 0 && i < b->ncontests; i++) {
        const bench_contest *t = &b->contest[i];
        if (strcmp(b->problem[i].group, "gemm transposed") == 0 && ours(t) >= 0)
            printf("%-22s %.3fx of gemm-512\n", t->id, of_peak(t, ours(t)) / plain);
    }
}

void bench_report_end(const bench_program *b)
{
    static const char *const groups[] = {"gemm", "gemm transposed", "conv", "depthwise", NULL};
    printf(b->json ? "\n], \"groups\": [" : "\n");
    bool any = false;
    for (int g = 0; groups[g]; g++) {
        group(b, groups[g], any);
        for (int i = 0; i < b->ncontests; i++)
            any |= strcmp(b->problem[i].group, groups[g]) == 0 && ours(&b->contest[i]) >= 0;
    }
    if (b->json)
        printf("\n]}\n");
    else
        transposed(b);
}
