/* Reports, landscape: speed by the two coordinates of the space that it depends on most. */
#include "cli/report_tune.h"
#include "tuner/space/coordinates.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_VALUES = 64, LEAST_TRIALS = 8 };

static bool is_good(const sq_report_trial *x)
{
    return x->point && x->status == SQ_OK && x->seconds > 0;
}

/* How much of the times' variance a coordinate explains, less what as many values would explain by chance; 0 where all
 * trials have one value. */
static double explained(const sq_report_trials *t, int c, int nvalues)
{
    double sum[MOST_VALUES] = {0}, all = 0, squares = 0, between = 0;
    int count[MOST_VALUES] = {0}, n = 0, kinds = 0;
    for (int i = 0; i < t->n; i++) {
        int v = is_good(&t->x[i]) ? t->x[i].point[c] : -1;
        if (v < 0 || v >= nvalues || v >= MOST_VALUES)
            continue;
        double y = log(t->x[i].seconds);
        sum[v] += y;
        count[v]++;
        all += y;
        squares += y * y;
        n++;
    }
    for (int v = 0; v < MOST_VALUES; v++) {
        kinds += count[v] > 0;
        between += count[v] ? sum[v] * sum[v] / count[v] : 0;
    }
    double total = n ? squares - all * all / n : 0;
    if (kinds < 2 || n <= kinds || !(total > 0))
        return 0;
    double share = (between - all * all / n) / total;
    return fmax(1e-9, 1 - (1 - share) * (n - 1) / (n - kinds));
}

/* The two that explain most; false where fewer than two vary. */
static bool choose(const sq_report_trials *t, const sq_space *space, int *first, int *second,
                   double *share)
{
    *first = *second = -1;
    for (int c = 0; c < space->n; c++) {
        double s = explained(t, c, space->coord[c].nvalues);
        if (s > 0 && (*first < 0 || s > share[0])) {
            *second = *first;
            share[1] = share[0];
            *first = c;
            share[0] = s;
        } else if (s > 0 && (*second < 0 || s > share[1])) {
            *second = c;
            share[1] = s;
        }
    }
    return *second >= 0;
}

/* The values of a coordinate that trials have, as places along an axis. */
typedef struct axis {
    int n;
    int place[MOST_VALUES]; /* of each value; -1: no trial has it */
    const char *name[MOST_VALUES];
} axis;

static axis axis_of(const sq_report_trials *t, const sq_space *space, int c, sq_arena *arena)
{
    axis a = {0};
    bool has[MOST_VALUES] = {false};
    for (int i = 0; i < t->n; i++)
        if (t->x[i].point && t->x[i].point[c] >= 0 && t->x[i].point[c] < MOST_VALUES)
            has[t->x[i].point[c]] = true;
    for (int v = 0; v < MOST_VALUES; v++) {
        a.place[v] = has[v] && v < space->coord[c].nvalues ? a.n : -1;
        if (a.place[v] >= 0)
            a.name[a.n++] = sq_arena_printf(arena, "%ld", space->coord[c].value[v]);
    }
    return a;
}

/* The best time of a cell; INFINITY: all failed; NAN: nobody was there. */
typedef struct cells {
    double best[MOST_VALUES][MOST_VALUES];
    int n[MOST_VALUES][MOST_VALUES];
} cells;

static double fill(const sq_report_trials *t, const axis *x, const axis *y, int cx, int cy,
                   cells *to)
{
    double best = INFINITY;
    for (int i = 0; i < x->n; i++)
        for (int k = 0; k < y->n; k++)
            to->best[i][k] = NAN;
    for (int i = 0; i < t->n; i++) {
        const sq_report_trial *p = &t->x[i];
        if (!p->point || p->point[cx] >= MOST_VALUES || p->point[cy] >= MOST_VALUES)
            continue;
        int a = x->place[p->point[cx]], b = y->place[p->point[cy]];
        if (a < 0 || b < 0)
            continue;
        double s = is_good(p) ? p->seconds : INFINITY;
        to->best[a][b] = isnan(to->best[a][b]) ? s : fmin(to->best[a][b], s);
        to->n[a][b]++;
        best = fmin(best, s);
    }
    return best;
}

/* Of the best speed: 0 slow to 4, within 5 per cent of it. */
static int class_of(double best, double seconds)
{
    static const double from[SQ_RAMPS] = {0, 0.4, 0.65, 0.85, 0.95};
    int c = 0;
    while (c + 1 < SQ_RAMPS && best / seconds >= from[c + 1])
        c++;
    return c;
}

static void draw(sq_html *h, const sq_figure *of, const axis *x, const axis *y, const cells *c,
                 double best, sq_arena *arena)
{
    static const char *const names[] = {"below 40 % of the best speed",
                                        "40 to 65 %",
                                        "65 to 85 %",
                                        "85 to 95 %",
                                        "95 % and more",
                                        "failed"};
    sq_series s[SQ_RAMPS + 1];
    sq_figure f = *of;
    for (int k = 0; k <= SQ_RAMPS; k++) {
        double *px = SQ_NEW_ARRAY(arena, double, 2 * x->n * y->n + 2), *py = px + x->n * y->n;
        s[k] = (sq_series){.name = names[k],
                           .mark = k < SQ_RAMPS ? SQ_MARK_SQUARES : SQ_MARK_CROSSES,
                           .color = k < SQ_RAMPS ? SQ_RAMP + k : 2,
                           .x = px,
                           .y = py};
        for (int i = 0; i < x->n; i++)
            for (int j = 0; j < y->n; j++) {
                double b = c->best[i][j];
                if (isnan(b) || (isinf(b) ? SQ_RAMPS : class_of(best, b)) != k)
                    continue;
                px[s[k].n] = i;
                py[s[k].n++] = j;
            }
    }
    f.n = SQ_RAMPS + 1;
    f.series = s;
    sq_html_plot(h, &f);
}

/* The cells as a table, for who sees no plot. */
static void put_table(sq_html *h, const char *x_name, const char *y_name, const axis *x,
                      const axis *y, const cells *c, sq_arena *arena)
{
    sq_text heads = {0};
    sq_text_printf(&heads, "%s, %s", y_name, x_name);
    for (int i = 0; i < x->n; i++)
        sq_text_printf(&heads, "|>%s", x->name[i]);
    sq_html_raw(h, "<details><summary>The landscape as a table</summary>\n");
    sq_html_table_open(
        h, sq_arena_printf(arena, "Best time by %s (rows) and %s (columns)", y_name, x_name),
        sq_text_str(&heads));
    for (int j = y->n - 1; j >= 0; j--) {
        sq_html_row_open(h, false);
        sq_html_cell(h, "%s", y->name[j]);
        for (int i = 0; i < x->n; i++) {
            if (isinf(c->best[i][j]))
                sq_html_cell(h, "failed");
            else
                sq_report_seconds(h, c->best[i][j]);
        }
        sq_html_row_close(h);
    }
    sq_html_table_close(h);
    sq_html_raw(h, "</details>\n");
    sq_text_free(&heads);
}

void sq_report_landscape(sq_html *h, const sq_report_trials *t, const sq_space *space, bool on_grid,
                         sq_arena *arena)
{
    int cx, cy, good = 0;
    double share[2] = {0};
    cells *c = SQ_NEW(arena, cells);
    for (int i = 0; i < t->n; i++)
        good += is_good(&t->x[i]);
    if (!space || good < LEAST_TRIALS || !choose(t, space, &cx, &cy, share)) {
        sq_html_paragraph(h, "note",
                          "Too few points were measured to say which coordinates matter.");
        return;
    }
    axis x = axis_of(t, space, cx, arena), y = axis_of(t, space, cy, arena);
    if (x.n < y.n) { /* the longer one goes across */
        const axis longer = y;
        const int coordinate = cy;
        const double explains = share[1];
        y = x, cy = cx, share[1] = share[0];
        x = longer, cx = coordinate, share[0] = explains;
    }
    const char *x_name = space->coord[cx].name, *y_name = space->coord[cy].name;
    double best = fill(t, &x, &y, cx, cy, c);
    sq_html_raw(h, "<div>\n");
    draw(h,
         &(sq_figure){.caption = sq_arena_printf(
                          arena, "Landscape of %s and %s: the best of each cell", x_name, y_name),
                      .alt = sq_arena_printf(
                          arena,
                          "Best speed by %s and %s, which explain %.0f and %.0f per cent of the "
                          "variance of the times; the same is in the table below.",
                          x_name, y_name, 100 * share[0], 100 * share[1]),
                      .x = x_name,
                      .y = y_name,
                      .has_x = true,
                      .from_x = -0.6,
                      .to_x = x.n - 0.4,
                      .has_y = true,
                      .from_y = -0.6,
                      .to_y = y.n - 0.4,
                      .nx = x.n,
                      .name_x = x.name,
                      .ny = y.n,
                      .name_y = y.name},
         &x, &y, c, best, arena);
    sq_html_paragraph(h, "note",
                      "Of the %d coordinates of the space these two explain most of the times that "
                      "were measured: %s (%s) %.0f %%, %s (%s) %.0f %% of their variance.",
                      space->n, x_name, sq_coordinate_doc(x_name, on_grid), 100 * share[0], y_name,
                      sq_coordinate_doc(y_name, on_grid), 100 * share[1]);
    put_table(h, x_name, y_name, &x, &y, c, arena);
    sq_html_raw(h, "</div>\n");
}
