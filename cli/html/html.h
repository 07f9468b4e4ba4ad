/* HTML: a report as one file that loads nothing: style, plots and text are in it. The interface of cli/html; what a
 * report says is its callers' (cli/report.h). All text that functions with a format take is escaped, so that names,
 * paths and sources may hold anything; only sq_html_raw and the `class` and `id` arguments go in as they are, and are
 * words of ours. The page works without JavaScript, follows the reader's light or dark setting and prints. */
#ifndef SQ_CLI_HTML_H
#define SQ_CLI_HTML_H
#include "support/diag.h"
#include "support/text.h"
#include <stdbool.h>

typedef struct sq_html {
    sq_text head;     /* inside <style>, after the common one */
    sq_text body;     /* inside <main> */
    sq_text contents; /* links to sections */
    const char *title;
    int nfigures, nsections;
    int ncodes; /* of callers: texts whose lines have names so far */
    int level;  /* open sections */
    int ncells; /* of the row that is open */
    const char *
        no_plots; /* why there are none, once one was asked for; "": gnuplot is missing; NULL: there are */
    bool asked; /* gnuplot was looked for */
    char why[200];
} sq_html;

/* A zeroed *h is an empty page; its title (kept, not copied) is the head line's, without markup. */
void sq_html_free(sq_html *h);
/* The whole file, the page's own statement of `command` (what was run) below the title. "-" is standard output; else
 * the file appears whole or not at all. -1 after adding an error. */
int sq_html_write(const sq_html *h, const char *command, const char *path, sq_diags *d);

/* Text, escaped: what is no UTF-8 or a control character becomes U+FFFD. */
void sq_html_escape(sq_text *to, const char *text, size_t n);
void sq_html_put(sq_html *h, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same of a sentence whose words in `backticks` are code. */
void sq_html_put_prose(sq_html *h, const char *text);
/* Markup. */
void sq_html_raw(sq_html *h, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A paragraph of such text; of class "note" it is small. */
void sq_html_paragraph(sq_html *h, const char *class, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A section with a heading, <h2> or inside of one <h3>; the outer ones are listed at the top. */
void sq_html_open(sq_html *h, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sq_html_close(sq_html *h);

/* Figures of one thing side by side: begin, facts, end. A value is a number as JSON prints it; NAN: it has none. */
void sq_html_facts_open(sq_html *h);
void sq_html_fact(sq_html *h, const char *name, double value, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void sq_html_facts_close(sq_html *h);
/* A share of a limit as a bar: "FMA units  87 %". share: 1 is all of it. */
void sq_html_meter(sq_html *h, const char *name, double share, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A table: heads are parted by '|', those of numbers begin with '>'. Then rows: open, cells, close; the first cell is
 * the row's head. Numbers carry their value, with nine digits, for programs. */
void sq_html_table_open(sq_html *h, const char *caption, const char *heads);
void sq_html_row_open(sq_html *h, bool is_marked);
void sq_html_cell(sq_html *h, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sq_html_code_cell(sq_html *h, const char *text);
void sq_html_number(sq_html *h, double value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void sq_html_row_close(sq_html *h);
void sq_html_table_close(sq_html *h);

/* ---- plots: plot.c ---- */

typedef enum sq_mark {
    SQ_MARK_LINE,
    SQ_MARK_STEPS, /* y stays until the next x */
    SQ_MARK_POINTS,
    SQ_MARK_CROSSES, /* of what failed */
    SQ_MARK_SQUARES, /* large ones, of a grid */
    SQ_MARK_RANGES,  /* points with low and high */
    SQ_MARK_BAND,    /* between low and high */
    SQ_MARK_BARS     /* across, from 0 to x; low is half of their height */
} sq_mark;

/* Colours: 1 to 6 are of kinds, SQ_RAMP to SQ_RAMP + 4 from slow to fast, 0 that of text, -1 pale. */
enum { SQ_KINDS = 6, SQ_RAMP = 11, SQ_RAMPS = 5, SQ_TEXT_COLOR = 0, SQ_PALE = -1 };

typedef struct sq_series {
    const char *name; /* in the legend below; NULL: not there */
    sq_mark mark;
    int color;
    int n;
    const double *x, *y, *low, *high; /* low and high where the mark has them */
    bool is_dashed;
    const char *label; /* letters and digits beside the first point, or NULL */
    const char *sign;  /* the same in front of its name in the legend */
} sq_series;

typedef struct sq_figure {
    const char *caption; /* what is to be seen */
    const char *alt;     /* the same for who does not see it, with its figures */
    const char *x, *y;   /* of the axes; letters, digits and blanks of ours */
    bool log_x, log_y;
    bool has_x, has_y; /* ranges below are given */
    double from_x, to_x, from_y, to_y;
    int nx, ny;                /* marks at whole numbers from 0 on, named; 0: numbers */
    const char *const *name_x; /* letters and digits; a page draws as many as it has room for */
    const char *const *name_y;
    int rows; /* of bars: the plot's height follows; 0: the usual one */
    int n;
    const sq_series *series;
} sq_figure;

/* Draws it twice, for wide and for narrow pages. Without gnuplot there is one sentence that says so in the whole
 * page. */
void sq_html_plot(sq_html *h, const sq_figure *f);
/* gnuplot's SVG as part of a page: colours and names of its own. n: the figure's number, n'th in the page. For
 * plot.c; *svg moves behind it. False where there is none. */
bool sq_svg_take(const char **svg, int n, const char *class, sq_text *to);

/* ---- listings: listing.c ---- */

/* A line of a text. */
typedef struct sq_line {
    const char *text;
    size_t n;
    const char *class; /* of the line, or NULL */
    const char *links; /* markup in the margin, or NULL */
} sq_line;

/* Lines with numbers from `first` on, each an anchor "<id>-<number>" unless id is NULL. label: for who cannot see it.
 * Words of C are highlighted where is_c. */
void sq_html_listing(sq_html *h, const char *id, const char *label, int first, const sq_line *line,
                     int n, bool is_c);
/* The same as part of the page that is folded until the reader opens it. */
void sq_html_folded(sq_html *h, const char *id, const char *label, int first, const sq_line *line,
                    int n, bool is_c);
#endif
