/* HTML, plots: gnuplot draws them as SVG, a child process that reads its words from standard input. It gets numbers,
 * and words of ours: what a reader may have named stands in the legend, which is the page's. See html.h. */
#include "cli/html/html.h"
#include "cli/html/plot_colors.h"
#include "tuner/measure/child.h"
#include "tuner/measure/toolchain.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SECONDS = 20 };

/* A letter or digit, or one of the signs that no word of gnuplot's begins or ends with. */
static bool is_gnuplot_safe(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr(" .,:=+-_/()%", c));
}

/* A word in quotes. */
static void put_word(const char *word, sq_text *to)
{
    sq_text_puts(to, "'");
    for (; *word; word++)
        sq_text_printf(to, "%c", is_gnuplot_safe(*word) ? *word : '?');
    sq_text_puts(to, "'");
}

static void put_color(int color, sq_text *to)
{
    sq_text_printf(to, "rgb '#0101%02x'", SQ_COLOR_CODE + color);
}

/* Of a logarithmic axis that holds few powers of ten, or none: gnuplot would name these alone. */
static void put_few_tics(char axis, double from, double to_value, sq_text *to)
{
    static const double digit[] = {1, 1.5, 2, 3, 5, 7};
    bool any = false;
    if (!(from > 0) || !(to_value > from) || to_value > 60 * from)
        return;
    const bool is_wide = to_value > 8 * from;
    for (double ten = pow(10, floor(log10(from))); ten <= to_value; ten *= 10)
        for (size_t i = 0; i < sizeof digit / sizeof *digit; i++) {
            double v = ten * digit[i];
            if (v < from || v > to_value || (is_wide && (i == 1 || i == 3 || i == 5)))
                continue;
            if (!any)
                sq_text_printf(to, "set %ctics (", axis);
            sq_text_printf(to, any ? ", %.9g" : "%.9g", v);
            any = true;
        }
    if (any)
        sq_text_puts(to, ")\n");
}

/* Names of whole numbers, every step'th, so that at most `most` remain. */
static void put_names(char axis, int n, const char *const *names, int most, sq_text *to)
{
    const int step = (n + most - 1) / most;
    for (int i = 0; i < n; i++) {
        sq_text_printf(to, i ? ", " : "set %ctics (", axis);
        put_word(i % step ? "" : names[i], to);
        sq_text_printf(to, " %d", i);
    }
    if (n)
        sq_text_puts(to, ")\n");
}

/* As many names as `letters` along the axis of x, and `lines` along that of y, have room for; rows have room. */
static void put_all_names(const sq_figure *f, int letters, int lines, sq_text *to)
{
    int longest = 1;
    for (int i = 0; i < f->nx; i++)
        longest = (int)strlen(f->name_x[i]) > longest ? (int)strlen(f->name_x[i]) : longest;
    put_names('x', f->nx, f->name_x, letters / (longest + 1), to);
    put_names('y', f->ny, f->name_y, f->rows ? f->ny + 1 : lines, to);
}

static void put_axis(char axis, const char *name, bool is_log, sq_text *to)
{
    sq_text_printf(to, "set %clabel ", axis);
    put_word(name, to);
    sq_text_puts(to, " textcolor ");
    put_color(SQ_TEXT_COLOR, to);
    sq_text_printf(to, "\nset format %c '%%g'\n", axis);
    if (is_log)
        sq_text_printf(to, "set logscale %c\n", axis);
}

static void put_frame(const sq_figure *f, sq_text *to)
{
    sq_text_puts(to, "unset key\nset border 3 lw 1 lc ");
    put_color(SQ_TEXT_COLOR, to);
    sq_text_puts(to, "\nset tics nomirror scale 0.4 textcolor ");
    put_color(SQ_TEXT_COLOR, to);
    sq_text_puts(to, "\nset grid lt 1 dt solid lw 1 lc ");
    put_color(SQ_COLOR_GRID, to);
    sq_text_puts(to, "\n");
    put_axis('x', f->x, f->log_x, to);
    put_axis('y', f->y, f->log_y, to);
    if (f->has_x)
        sq_text_printf(to, "set xrange [%.9g:%.9g]\n", f->from_x, f->to_x);
    if (f->has_y)
        sq_text_printf(to, "set yrange [%.9g:%.9g]\n", f->from_y, f->to_y);
    if (f->has_x && f->log_x)
        put_few_tics('x', f->from_x, f->to_x, to);
    if (f->has_y && f->log_y)
        put_few_tics('y', f->from_y, f->to_y, to);
}

static void put_data(const sq_series *s, int i, sq_text *to)
{
    sq_text_printf(to, "$d%d << END\n", i);
    for (int k = 0; k < s->n; k++) {
        double low = s->low ? s->low[k] : 0, high = s->high ? s->high[k] : 0;
        if (isfinite(s->x[k]) && isfinite(s->y[k]) && isfinite(low) && isfinite(high))
            sq_text_printf(to, "%.9g %.9g %.9g %.9g\n", s->x[k], s->y[k], low, high);
    }
    sq_text_puts(to, "END\n");
}

static void put_label(const sq_series *s, sq_text *to)
{
    if (!s->label || s->n < 1 || !isfinite(s->x[0]) || !isfinite(s->y[0]))
        return;
    sq_text_puts(to, "set label ");
    put_word(s->label, to);
    sq_text_printf(to, " at %.9g,%.9g offset 0.7,0.5 front textcolor ", s->x[0], s->y[0]);
    put_color(SQ_TEXT_COLOR, to);
    sq_text_puts(to, "\n");
}

static void put_series(const sq_series *s, int i, sq_text *to)
{
    static const char *const how[] = {
        [SQ_MARK_LINE] = "using 1:2 with lines lw 2",
        [SQ_MARK_STEPS] = "using 1:2 with steps lw 2",
        [SQ_MARK_POINTS] = "using 1:2 with points pt 7 ps 0.55",
        [SQ_MARK_CROSSES] = "using 1:2 with points pt 2 ps 0.8 lw 2.5",
        [SQ_MARK_SQUARES] =
            "using 1:2:($1-0.46):($1+0.46):($2-0.46):($2+0.46) with boxxyerror fs solid 1 noborder",
        [SQ_MARK_RANGES] = "using 1:2:3:4 with xerrorbars pt 7 ps 0.8 lw 2",
        [SQ_MARK_BAND] = "using 1:3:4 with filledcurves fs transparent solid 0.18 noborder",
        [SQ_MARK_BARS] = "using 1:2:(0):1:($2-$3):($2+$3) with boxxyerror fs solid 1 noborder"};
    sq_text_printf(to, "%s$d%d %s%s lc ", i ? ", " : "plot ", i, how[s->mark],
                   s->is_dashed ? " dt 2" : "");
    put_color(s->color, to);
}

static void put_script(const sq_figure *f, sq_text *to)
{
    const int rows = f->rows ? 70 + 30 * f->rows : 0;
    sq_text_puts(to, "set encoding utf8\n");
    put_frame(f, to);
    for (int i = 0; i < f->n; i++) {
        put_data(&f->series[i], i, to);
        put_label(&f->series[i], to);
    }
    sq_text_printf(to, "set terminal svg size 680,%d dynamic noenhanced font 'sans,14'\n",
                   rows ? rows : 400);
    put_all_names(f, 68, 16, to);
    for (int i = 0; i < f->n; i++)
        put_series(&f->series[i], i, to);
    sq_text_puts(to, "\n");
    put_all_names(f, 34, 11, to);
    sq_text_printf(to, "set terminal svg size 352,%d dynamic noenhanced font 'sans,13'\nreplot\n",
                   rows ? rows : 300);
}

/* ---- the page ---- */

/* What a mark looks like. */
static void put_swatch(const sq_series *s, sq_text *to)
{
    static const char *const shape[] = {
        [SQ_MARK_LINE] = "<path d=\"M1 6H27\" stroke-width=\"3\"%s/>",
        [SQ_MARK_STEPS] = "<path d=\"M1 3H13V9H27\" stroke-width=\"3\" fill=\"none\"%s/>",
        [SQ_MARK_POINTS] = "<circle cx=\"14\" cy=\"6\" r=\"4\"%s/>",
        [SQ_MARK_CROSSES] = "<path d=\"M10 2L18 10M10 10L18 2\" stroke-width=\"2\"%s/>",
        [SQ_MARK_SQUARES] = "<path d=\"M7 0H21V12H7Z\"%s/>",
        [SQ_MARK_RANGES] =
            "<path d=\"M3 6H25\" stroke-width=\"2\"%s/><circle cx=\"14\" cy=\"6\" r=\"4\"/>",
        [SQ_MARK_BAND] = "<path d=\"M1 0H27V12H1Z\" fill-opacity=\"0.25\" stroke=\"none\"%s/>",
        [SQ_MARK_BARS] = "<path d=\"M1 1H27V11H1Z\"%s/>"};
    sq_text_puts(to, "<svg viewBox=\"0 0 28 12\" aria-hidden=\"true\"><g fill=\"");
    sq_svg_color(s->color, to);
    sq_text_puts(to, "\" stroke=\"");
    sq_svg_color(s->color, to);
    sq_text_puts(to, "\">");
    sq_text_printf(to, shape[s->mark], s->is_dashed ? " stroke-dasharray=\"6 4\"" : "");
    sq_text_puts(to, "</g></svg>");
}

static void put_legend(const sq_figure *f, sq_text *to)
{
    bool any = false;
    for (int i = 0; i < f->n; i++)
        any |= f->series[i].name != NULL;
    if (!any)
        return;
    sq_text_puts(to, "<ul class=\"legend\">");
    for (int i = 0; i < f->n; i++) {
        const sq_series *s = &f->series[i];
        if (!s->name)
            continue;
        sq_text_puts(to, "<li>");
        put_swatch(s, to);
        if (s->sign)
            sq_text_printf(to, "<b>%s</b> ", s->sign);
        sq_html_escape(to, s->name, strlen(s->name));
        sq_text_puts(to, "</li>\n");
    }
    sq_text_puts(to, "</ul>\n");
}

static void put_figure(sq_html *h, const sq_figure *f, const char *svg)
{
    sq_text *to = &h->body, made = {0};
    bool ok = sq_svg_take(&svg, 2 * h->nfigures, "wide", &made) &&
              sq_svg_take(&svg, 2 * h->nfigures + 1, "narrow", &made);
    if (!ok && !h->no_plots)
        h->no_plots = "gnuplot wrote no SVG";
    if (ok) {
        sq_text_printf(to, "<figure role=\"group\" aria-labelledby=\"f%d\"><figcaption id=\"f%d\">",
                       h->nfigures, h->nfigures);
        sq_html_escape(to, f->caption, strlen(f->caption));
        sq_text_puts(to, "</figcaption>\n<div role=\"img\" aria-label=\"");
        sq_html_escape(to, f->alt, strlen(f->alt));
        sq_text_printf(to, "\">\n%s</div>\n", sq_text_str(&made));
        put_legend(f, to);
        sq_text_puts(to, "</figure>\n");
        h->nfigures++;
    }
    sq_text_free(&made);
}

void sq_html_plot(sq_html *h, const sq_figure *f)
{
    char *const argv[] = {"gnuplot", "-d", "-", NULL};
    const char *before = h->no_plots;
    sq_child_end end = {0};
    sq_text script = {0};
    if (!h->asked && !sq_is_on_path(argv[0]))
        h->no_plots = "gnuplot is not installed (Debian: apt install gnuplot-nox)";
    h->asked = true;
    if (!h->no_plots) {
        put_script(f, &script);
        sq_child_run_fed(argv, script.s, script.n, SECONDS, &end);
        if (!end.started || end.status != 0 || end.signal) {
            snprintf(h->why, sizeof h->why, "gnuplot failed: %.150s", end.err);
            h->no_plots = h->why;
        }
    }
    if (!h->no_plots)
        put_figure(h, f, end.out);
    if (!before && h->no_plots)
        sq_html_paragraph(h, "missing",
                          "The plots are left out: %s. All figures are in the tables.",
                          h->no_plots);
    sq_child_end_free(&end);
    sq_text_free(&script);
}
