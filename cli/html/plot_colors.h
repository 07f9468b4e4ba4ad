/* Plot colours: gnuplot draws in colours that stand for others, #0101XX, and the page's style has those. Between
 * plot.c and svg.c. */
#ifndef SQ_CLI_HTML_PLOT_COLORS_H
#define SQ_CLI_HTML_PLOT_COLORS_H
#include "support/text.h"

/* XX is this and the colour of html.h; that of the grid is no series'. */
enum { SQ_COLOR_CODE = 16, SQ_COLOR_GRID = 9 };
/* "var(--plot-p1)": svg.c */
void sq_svg_color(int color, sq_text *to);
#endif
