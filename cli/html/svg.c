/* HTML, SVG: what gnuplot wrote becomes part of a page: without its head, in the page's colours, with identifiers that
 * no other plot has. See html.h. */
#include "cli/html/html.h"
#include "cli/html/plot_colors.h"
#include <stdio.h>
#include <string.h>

void sq_svg_color(int color, sq_text *to)
{
    if (color >= 1 && color <= SQ_KINDS)
        sq_text_printf(to, "var(--plot-p%d)", color);
    else if (color >= SQ_RAMP && color < SQ_RAMP + SQ_RAMPS)
        sq_text_printf(to, "var(--plot-r%d)", color - SQ_RAMP + 1);
    else
        sq_text_puts(to, color == SQ_PALE         ? "var(--plot-pale)"
                         : color == SQ_COLOR_GRID ? "var(--plot-grid)"
                                                  : "var(--plot-axis)");
}

/* One thing that is written otherwise; the bytes that it took, or 0. */
static size_t rewrite(const char *p, int figure, sq_text *to)
{
    int red, green, blue, used = 0;
    static const char href[] = "xlink:href='#", id[] = "id='gp", black[] = "color=\"black\"";
    if (sscanf(p, "rgb(%d,%d,%d)%n", &red, &green, &blue, &used) == 3 && used && red == 1 &&
        green == 1) {
        sq_svg_color(blue - SQ_COLOR_CODE, to);
        return (size_t)used;
    }
    if (strncmp(p, href, sizeof href - 1) == 0) {
        sq_text_printf(to, "href='#p%d", figure);
        return sizeof href - 1;
    }
    if (strncmp(p, id, sizeof id - 1) == 0) {
        sq_text_printf(to, "id='p%dgp", figure);
        return sizeof id - 1;
    }
    if (strncmp(p, black, sizeof black - 1) == 0) {
        sq_text_puts(to, "color=\"var(--plot-axis)\"");
        return sizeof black - 1;
    }
    return 0;
}

/* Where an element is left out, its end: titles, filters that nothing uses, and the names of whole parts, which the
 * two sizes of a plot share. */
static const char *left_out(const char *p)
{
    static const char *const tags[][2] = {
        {"<title>", "</title>"}, {"<desc>", "</desc>"}, {"<filter ", "</filter>"}};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        const char *end =
            strncmp(p, tags[i][0], strlen(tags[i][0])) == 0 ? strstr(p, tags[i][1]) : NULL;
        if (end)
            return end + strlen(tags[i][1]);
    }
    const char *name = strncmp(p, "<g id=\"", 7) == 0 ? strchr(p + 7, '"') : NULL;
    return name;
}

bool sq_svg_take(const char **svg, int n, const char *class, sq_text *to)
{
    double width = 0, height = 0;
    const char *p = strstr(*svg, "<svg"), *end = p ? strstr(p, "</svg>") : NULL,
               *box = p ? strstr(p, "viewBox=\"") : NULL;
    const char *inside = p ? strchr(p, '>') : NULL;
    if (!end || !box || !inside || box > inside ||
        sscanf(box, "viewBox=\"0 0 %lf %lf", &width, &height) != 2)
        return false;
    sq_text_printf(to, "<svg class=\"%s\" viewBox=\"0 0 %.0f %.0f\" aria-hidden=\"true\">", class,
                   width, height);
    for (p = inside + 1; p < end;) {
        const char *behind = left_out(p);
        size_t used = behind ? 0 : rewrite(p, n, to);
        if (behind && *behind == '"') { /* a group stays, without its name */
            sq_text_puts(to, "<g");
            p = behind + 1;
        } else if (behind) {
            p = behind;
        } else if (used) {
            p += used;
        } else {
            sq_text_putn(to, p++, 1);
        }
    }
    sq_text_puts(to, "</svg>\n");
    *svg = end + strlen("</svg>");
    return true;
}
