/* Tune shown: see tune_shown.h. */
#include "cli/tune_shown.h"

static const double between_blocks = 0.25, between_lines = 10, between_signs = 300; /* seconds */

void sq_tune_shown_open(sq_tune_shown *x, sq_progress *p, const sq_settings *o, const char *title, const char *until)
{
    *x = (sq_tune_shown){.progress = p,
                         .gained = -1,
                         .shown = sq_terminal_seconds(),
                         .utf8 = sq_terminal_has_utf8(),
                         .colour = sq_terminal_color(p->to, (sq_color)o->color) != 0};
    if (p->live > 0)
        p->every = between_blocks;
    if (p->live)
        return;
    p->every = between_lines;
    sq_progress_note(p, "%s: tunes, %s", title, until);
    p->last = sq_terminal_seconds();
}

void sq_tune_shown_add(sq_tune_shown *x, double value, double elapsed, bool wins, bool is_untuned)
{
    x->news = x->news || wins;
    if (wins && !is_untuned)
        x->gained = elapsed;
    if (value > 0)
        sq_trend_add(&x->trend, value);
}

bool sq_tune_shown_is_due(const sq_tune_shown *x)
{
    bool wanted = x->progress->live || x->news || sq_terminal_seconds() - x->shown >= between_signs;
    return wanted && sq_progress_is_due(x->progress);
}

/* "gemm M=512,N=512,K=512  0:34 of 1:00  157 trials (12 failed)  best 1.06 ms, 2.31x the untuned" */
static void put_line(const sq_tune_view *v, sq_text *to)
{
    long bad = 0;
    for (int i = SQ_OK + 1; i < SQ_NSTATUSES; i++)
        bad += v->failed[i];
    sq_text_printf(to, "%s  ", v->title);
    sq_tune_view_time(v, to);
    if (v->part)
        sq_text_printf(to, "  %s", v->part);
    sq_text_printf(to, "  %ld trial%s", v->trials, v->trials == 1 ? "" : "s");
    if (bad)
        sq_text_printf(to, " (%ld failed)", bad);
    if (v->best)
        sq_text_printf(to, "  best %s", v->best);
}

void sq_tune_shown_put(sq_tune_shown *x, sq_tune_view *v)
{
    sq_text text = {0};
    v->trend = &x->trend;
    v->last_gain = x->gained < 0 ? -1 : v->elapsed - x->gained;
    if (x->progress->live)
        sq_tune_view_put(v, sq_terminal_width(x->progress->to) - 1, x->utf8, x->colour, &text);
    else
        put_line(v, &text);
    sq_progress_show(x->progress, "%s", sq_text_str(&text));
    sq_text_free(&text);
    x->news = false;
    x->shown = sq_terminal_seconds();
}

void sq_tune_shown_close(sq_tune_shown *x)
{
    if (x->progress)
        sq_progress_close(x->progress);
    sq_trend_free(&x->trend);
}
