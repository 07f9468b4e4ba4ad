/* Box: ends of tiles and counts; see box.h. */
#include "codegen/nest/box.h"
#include "support/integer.h"
#include <string.h>

enum { MAX_LENGTHS = 16 };

/* Returns the innermost of the first `loops` loops over d, or -1. */
static int loop_around(const sq_group *g, int loops, int d)
{
    for (int l = loops - 1; l >= 0; l--)
        if (g->loop[l].dim == d)
            return l;
    return -1;
}

/* Finds the lengths that iterations of the loops over d, up to loop l, may have; 0: not known. */
static int lengths(const sq_box *box, int l, int d, int64_t *out)
{
    const sq_group *g = box->group;
    int64_t extent = sq_stmt_extent(g->stmt[0], d), multiple = 1;
    int n = extent >= 0;
    if (extent < 0)
        multiple = sq_stmt_multiple(g->stmt[0], d, box->sizes);
    out[0] = extent;
    for (int i = 0; i <= l; i++) {
        int64_t step = g->loop[i].step, next[2 * MAX_LENGTHS];
        int m = 0;
        if (g->loop[i].dim != d)
            continue;
        if (n == 0) { /* all iterations of the outermost loop are full, or nothing is known */
            if (multiple % step)
                return 0;
            out[n++] = step;
            continue;
        }
        for (int j = 0; j < n; j++) {
            int64_t both[2] = {out[j] >= step ? step : 0, out[j] % step};
            for (int b = 0; b < 2; b++) {
                bool seen = both[b] == 0;
                for (int x = 0; x < m; x++)
                    seen |= next[x] == both[b];
                if (!seen)
                    next[m++] = both[b];
            }
        }
        if (m > MAX_LENGTHS)
            return 0;
        memcpy(out, next, (size_t)m * sizeof *out);
        n = m;
    }
    return n;
}

bool sq_box_whole(const sq_box *b, int l)
{
    const sq_loop *x = &b->group->loop[l];
    int64_t out[2 * MAX_LENGTHS];
    return lengths(b, l, x->dim, out) == 1 && out[0] == x->step;
}

sq_steps sq_box_steps(const sq_box *b, int d)
{
    int64_t out[2 * MAX_LENGTHS];
    int n = lengths(b, b->group->nloops - 1, d, out);
    sq_steps s = {0};
    for (int i = 0; i < n; i++) {
        s.most = out[i] > s.most ? out[i] : s.most;
        s.divisor = sq_gcd(s.divisor, out[i]);
    }
    return s;
}

int64_t sq_box_divisor(const sq_box *b, int d)
{
    int64_t divisor = sq_stmt_multiple(b->group->stmt[0], d, b->sizes);
    for (int l = 0; l < b->group->nloops; l++)
        if (b->group->loop[l].dim == d)
            divisor = sq_gcd(divisor, b->group->loop[l].step);
    return divisor;
}

/* Returns the end of loop l's iteration at its variable. */
static const sq_code_expr *end_of_step(const sq_box *b, int l)
{
    const sq_loop *x = &b->group->loop[l];
    return sq_code_plus(b->code, sq_code_name(b->code, x->name), x->step);
}

const sq_code_expr *sq_box_end(const sq_box *b, int loops, int d)
{
    const sq_group *g = b->group;
    int l = loop_around(g, loops, d);
    if (l < 0)
        return b->end[d];
    if (g->loop[l].step == 1 || sq_box_whole(b, l))
        return end_of_step(b, l);
    int outer = loop_around(g, l, d);
    bool divides = outer < 0 || g->loop[outer].step % g->loop[l].step == 0;
    return sq_code_min(b->code, divides ? b->end[d] : sq_box_end(b, l, d), end_of_step(b, l));
}

sq_count sq_box_count(const sq_box *b, int d)
{
    const sq_group *g = b->group;
    int l = sq_group_inner_loop(g, d);
    int64_t out[2 * MAX_LENGTHS], points = g->micro.points[d];
    int n = lengths(b, l, d, out), around = sq_loop_around(g, l);
    bool interleaved = sq_group_reach(g, d) > points;
    sq_count c = {SQ_COUNT_RUNTIME, 0, NULL};
    if (interleaved) { /* full if the threads' tile is */
        n = sq_box_whole(b, around);
        out[0] = points;
    }
    if (n == 1 && out[0] == points)
        c.kind = SQ_COUNT_FULL;
    else if (n == 1 || (n == 2 && (out[0] == points || out[1] == points))) {
        c.kind = SQ_COUNT_EXACT;
        c.rest = out[n == 2 && out[0] == points];
    }
    const sq_code_expr *left =
        sq_code_sub(b->code, sq_box_end(b, l, d), sq_code_name(b->code, g->loop[l].name));
    c.number = sq_code_min(b->code, sq_code_number(b->code, sq_group_reach(g, d)), left);
    return c;
}
