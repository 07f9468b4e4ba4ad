/* Roll: see roll.h. The code at the first point, which computes every value for the first time, is
 * the pattern: the code at another point is a subsequence of it. The points at which a line of the
 * pattern occurs tell which dimensions it depends on. The expressions in a loop are those of its
 * first two iterations, continued, and compared with the code of every point. */
#include "codegen/code/roll.h"
#include "codegen/code/build.h"
#include "codegen/code/continued.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 1 << 14, MOST_LINES = 1 << 10 };

/* A line of the code: a store, a hint to compilers, or the declaration of a value with its
 * store. */
typedef struct line {
    const sq_code_buffer *value; /* the register of a value; NULL: another line */
    const sq_code *x;            /* the store or hint */
    int pattern;                 /* number of its line in the pattern; -1: not known yet */
    int point;
    bool is_read; /* the value is needed by a store */
} line;

/* A line of the pattern. */
typedef struct pattern {
    const line **at; /* its line at each point; NULL: it does not occur there */
    unsigned alone;  /* bit d: occurs only where dimension d is 0 */
    int level;       /* number of loops around it */
    unsigned guard;  /* the loops around it of which only the first iteration includes it */
    const sq_code_buffer *own; /* the register of the value in the loops */
    int naxes, axis[SQ_ROLL_DIMS];
} pattern;

typedef struct rolling {
    sq_code_pool *pool;
    const sq_roll_dim *dim;
    int ndims, npoints;
    line **code; /* lines of each point, terminated by one without a statement */
    line **value; /* lines of all values, by the addresses of their registers */
    int nvalues, npatterns;
    pattern *pattern;
} rolling;

/* ---- lines ---- */

static int length(const sq_code *x)
{
    int n = 0;
    for (; x; x = x->next)
        n++;
    return n;
}

/* Returns the lines of `n` lists in sequence; NULL if they contain other statements. */
static line *lines_of(const rolling *r, sq_code *const *list, int n, int point)
{
    int most = 1;
    for (int i = 0; i < n; i++)
        most += length(list[i]);
    line *all = SQ_NEW_ARRAY(r->pool->arena, line, most), *to = all;
    for (int i = 0; i < n; i++)
        for (const sq_code *x = list[i]; x; x = x->next) {
            bool value = sq_code_is_constant(x);
            const sq_code *own = value ? x->next : x;
            if (own->kind != SQ_CODE_STORE && own->kind != SQ_CODE_FRESH)
                return NULL;
            *to++ = (line){
                .value = value ? own->buffer : NULL, .x = own, .point = point, .pattern = -1};
            x = own;
        }
    return all;
}

static int nlines(const line *l)
{
    int n = 0;
    while (l[n].x)
        n++;
    return n;
}

/* ---- values ---- */

static int by_register(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)(*(const line *const *)a)->value,
              y = (uintptr_t)(*(const line *const *)b)->value;
    return (x > y) - (x < y);
}

static void find_values(rolling *r)
{
    int n = 0;
    for (int p = 0; p < r->npoints; p++)
        n += nlines(r->code[p]);
    r->value = SQ_NEW_ARRAY(r->pool->arena, line *, n + 1);
    r->nvalues = 0;
    for (int p = 0; p < r->npoints; p++)
        for (line *l = r->code[p]; l->x; l++)
            if (l->value)
                r->value[r->nvalues++] = l;
    qsort(r->value, (size_t)r->nvalues, sizeof *r->value, by_register);
}

/* Returns the line that computes the register; NULL if none of the box does. */
static line *value_of(const rolling *r, const sq_code_buffer *b)
{
    const line key = {.value = b}, *of = &key;
    line **found = b ? bsearch(&of, r->value, (size_t)r->nvalues, sizeof *r->value, by_register)
                     : NULL;
    return found ? *found : NULL;
}

static void mark_read(const rolling *r, const sq_code_expr *e)
{
    line *l = value_of(r, e->buffer);
    if (l && !l->is_read) {
        l->is_read = true;
        mark_read(r, l->x->value);
    }
    for (int i = 0; i < e->nargs; i++)
        mark_read(r, e->arg[i]);
}

/* Drops values that no store needs. */
static void drop_unread(rolling *r)
{
    for (int p = 0; p < r->npoints; p++)
        for (const line *l = r->code[p]; l->x; l++)
            if (!l->value && l->x->kind == SQ_CODE_STORE)
                mark_read(r, l->x->value);
    for (int p = 0; p < r->npoints; p++) {
        line *to = SQ_NEW_ARRAY(r->pool->arena, line, nlines(r->code[p]) + 1), *own = to;
        for (const line *l = r->code[p]; l->x; l++)
            if (!l->value || l->is_read)
                *to++ = *l;
        r->code[p] = own;
    }
}

/* ---- the pattern ---- */

static bool is_paired(const rolling *r, int point, const sq_code_expr *a, const sq_code_expr *b);

/* True if the values may be one line of the pattern, where a is a value of the first point. b is
 * assigned to that line from now on. */
static bool are_paired(const rolling *r, int point, const line *a, line *b)
{
    if (b->point != point || b->pattern >= 0)
        return b->pattern == a->pattern;
    b->pattern = a->pattern;
    return is_paired(r, point, a->x->value, b->x->value);
}

enum { MOST_POSITIONS = 8 };

/* True if index expressions agree in the values inside of them; they may differ in all else. */
static bool positions_paired(const rolling *r, int point, const sq_code_expr *a,
                             const sq_code_expr *b)
{
    const sq_code_expr *x[MOST_POSITIONS], *y[MOST_POSITIONS];
    int n = sq_code_positions(a, x, MOST_POSITIONS);
    if (n > MOST_POSITIONS || sq_code_positions(b, y, MOST_POSITIONS) != n)
        return false;
    for (int i = 0; i < n; i++)
        if (!is_paired(r, point, x[i], y[i]))
            return false;
    return true;
}

/* True if the expressions differ only in index expressions and in values of the box, and these are
 * paired. */
static bool is_paired(const rolling *r, int point, const sq_code_expr *a, const sq_code_expr *b)
{
    const line *x = value_of(r, a->buffer);
    line *y = value_of(r, b->buffer);
    if (x && y)
        return are_paired(r, point, x, y);
    if (sq_code_is_index(a) && sq_code_is_index(b))
        return positions_paired(r, point, a, b);
    if (a->op != b->op || a->type != b->type || a->lanes != b->lanes || a->nargs != b->nargs ||
        a->operation != b->operation || a->buffer != b->buffer)
        return false;
    for (int i = 0; i < a->nargs; i++)
        if (!is_paired(r, point, a->arg[i], b->arg[i]))
            return false;
    return true;
}

static bool same_presence(const void *a, const void *b)
{
    return !a == !b;
}

/* True if two lines without values may be one line of the pattern. */
static bool is_same_line(const rolling *r, int point, const line *a, const line *b)
{
    const sq_code *x = a->x, *y = b->x;
    if (a->value || x->kind != y->kind)
        return false;
    if (x->kind == SQ_CODE_FRESH)
        return strcmp(x->name, y->name) == 0;
    return x->buffer == y->buffer && x->stmt == y->stmt && same_presence(x->cond, y->cond) &&
           same_presence(x->lane_step, y->lane_step) && same_presence(x->left, y->left) &&
           is_paired(r, point, x->value, y->value);
}

/* Assigns each line of a point to a line of the pattern: a store to the next store of its kind, a
 * value to the one at the same position in the expression of a store. */
static bool find_lines(const rolling *r, int point)
{
    int i = 0, last = -1;
    for (line *l = r->code[point]; l->x; l++) {
        if (l->value)
            continue;
        while (i < r->npatterns && (r->code[0][i].value || r->code[0][i].x->kind != l->x->kind))
            i++;
        if (i == r->npatterns || !is_same_line(r, point, &r->code[0][i], l))
            return false;
        l->pattern = i++;
    }
    for (line *l = r->code[point]; l->x; l++) {
        if (l->pattern <= last) /* out of order, or not read at this point */
            return false;
        last = l->pattern;
        r->pattern[last].at[point] = l;
    }
    return true;
}

/* Assigns all lines of all points to those of the first point, in order. */
static bool find_pattern(rolling *r)
{
    r->npatterns = nlines(r->code[0]);
    if (r->npatterns > MOST_LINES)
        return false;
    r->pattern = SQ_NEW_ARRAY(r->pool->arena, pattern, r->npatterns + 1);
    for (int i = 0; i < r->npatterns; i++) {
        r->pattern[i].at = SQ_NEW_ARRAY(r->pool->arena, const line *, r->npoints);
        r->pattern[i].at[0] = &r->code[0][i];
        r->code[0][i].pattern = i;
    }
    for (int p = 1; p < r->npoints; p++)
        if (!find_lines(r, p))
            return false;
    return true;
}

/* ---- the dimensions that a line depends on ---- */

static int place(const rolling *r, int point, int d)
{
    for (int i = r->ndims - 1; i > d; i--)
        point /= r->dim[i].n;
    return point % r->dim[d].n;
}

/* Returns the point with 0 in the dimensions of the mask. */
static int projected(const rolling *r, int point, unsigned mask)
{
    int to = 0;
    for (int d = 0; d < r->ndims; d++)
        to = to * r->dim[d].n + (mask >> d & 1 ? 0 : place(r, point, d));
    return to;
}

static bool find_alone(const rolling *r, pattern *x)
{
    x->alone = (1U << r->ndims) - 1;
    for (int p = 0; p < r->npoints; p++)
        for (int d = 0; x->at[p] && d < r->ndims; d++)
            if (place(r, p, d) > 0)
                x->alone &= ~(1U << d);
    for (int p = 0; p < r->npoints; p++)
        if (!x->at[p] != (projected(r, p, x->alone) != p))
            return false;
    return true;
}

/* ---- the loops that a line stands in ---- */

/* True if e reads the value that line i of the pattern computes. */
static bool reads(const rolling *r, const sq_code_expr *e, int i)
{
    const line *l = value_of(r, e->buffer);
    if (l && l->pattern == i)
        return true;
    for (int a = 0; a < e->nargs; a++)
        if (reads(r, e->arg[a], i))
            return true;
    return false;
}

/* True if e reads memory, which stores may change. */
static bool reads_memory(const sq_code_expr *e)
{
    if (e->buffer && e->buffer->storage != SQ_CODE_REGISTER)
        return true;
    for (int a = 0; a < e->nargs; a++)
        if (reads_memory(e->arg[a]))
            return true;
    return false;
}

/* True if line i may be hoisted out of the innermost loop around it: the lines before it that stay
 * either compute values that it does not read, or are stores while it reads no memory. */
static bool may_leave(const rolling *r, int i)
{
    const pattern *x = &r->pattern[i];
    if (x->level == 0 || !(x->alone >> (x->level - 1) & 1))
        return false;
    for (int j = 0; j < i; j++) {
        if (r->pattern[j].level < x->level)
            continue;
        const sq_code_expr *value = x->at[0]->value ? x->at[0]->x->value : NULL;
        bool moves = value && (r->pattern[j].at[0]->value || !reads_memory(value));
        if (!moves || reads(r, value, j))
            return false;
    }
    return true;
}

/* Makes the register of a value in the loops: an array where iterations share the values of the
 * first one. */
static void make_register(const rolling *r, pattern *x)
{
    sq_arena *arena = r->pool->arena;
    sq_code_buffer *b = SQ_NEW(arena, sq_code_buffer);
    const sq_code_expr **extent = SQ_NEW_ARRAY(arena, const sq_code_expr *, r->ndims);
    *b = *x->at[0]->value;
    b->is_constant = !x->guard;
    for (int d = 0; d < x->level; d++)
        if (x->guard && !(x->guard >> d & 1) && x->guard & ((1U << d) - 1)) {
            extent[x->naxes] = sq_code_number(r->pool, r->dim[d].n);
            x->axis[x->naxes++] = d;
        }
    b->extent = extent;
    b->ndim = x->naxes;
    x->own = b;
}

static bool place_lines(rolling *r)
{
    for (int i = 0; i < r->npatterns; i++) {
        pattern *x = &r->pattern[i];
        if (!find_alone(r, x))
            return false;
        for (x->level = r->ndims; may_leave(r, i);)
            x->level--;
        x->guard = x->alone & ((1U << x->level) - 1);
        if (x->guard && !x->at[0]->value)
            return false;
        if (x->at[0]->value)
            make_register(r, x);
    }
    return true;
}

/* ---- expressions ---- */

/* Returns the expression at a point, over the registers of the loops; NULL if it reads a value of
 * another iteration. */
static const sq_code_expr *with_registers(const rolling *r, const sq_code_expr *e, int point)
{
    const sq_code_expr **arg;
    const line *l = value_of(r, e->buffer);
    if ((sq_code_is_index(e) && !sq_code_positions(e, NULL, 0)) || (!e->nargs && !l))
        return e;
    if (l) {
        const pattern *x = &r->pattern[l->pattern];
        if (l->point != projected(r, point, x->alone))
            return NULL;
        arg = SQ_NEW_ARRAY(r->pool->arena, const sq_code_expr *, x->naxes + 1);
        for (int i = 0; i < x->naxes; i++)
            arg[i] = sq_code_number(r->pool, place(r, point, x->axis[i]));
        return sq_code_load(r->pool, x->own, arg);
    }
    arg = SQ_NEW_ARRAY(r->pool->arena, const sq_code_expr *, e->nargs);
    for (int i = 0; i < e->nargs; i++)
        if (!(arg[i] = with_registers(r, e->arg[i], point)))
            return NULL;
    return sq_code_rebuilt(r->pool, e, arg);
}

/* The expressions of a statement. */
enum { VALUE, COND, LANE_STEP, LEFT, INDEX };

static const sq_code_expr *field(const sq_code *x, int which)
{
    switch (which) {
    case VALUE:
        return x->value;
    case COND:
        return x->cond;
    case LANE_STEP:
        return x->lane_step;
    case LEFT:
        return x->left;
    default:
        return x->index[which - INDEX];
    }
}

typedef struct fields {
    const pattern *x;
    int which;
    const sq_code_expr **at; /* one for each point, over the registers of the loops */
} fields;

/* Returns the expression as a function of the variables of dimensions from d on, at a point where
 * these are 0. */
static const sq_code_expr *continued(const rolling *r, const fields *f, int d, int point)
{
    while (d < r->ndims && (f->x->alone >> d & 1 || r->dim[d].n == 1))
        d++;
    if (d == r->ndims)
        return f->at[point];
    int next = 1;
    for (int i = d + 1; i < r->ndims; i++)
        next *= r->dim[i].n;
    const sq_code_expr *a = continued(r, f, d + 1, point),
                       *b = a ? continued(r, f, d + 1, point + next) : NULL;
    return b ? sq_code_continued(r->pool, a, b, r->dim[d].name) : NULL;
}

static bool is_right(const rolling *r, const fields *f, const sq_code_expr *e)
{
    for (int p = 0; p < r->npoints; p++) {
        const sq_code_expr *there = e;
        if (!f->x->at[p])
            continue;
        for (int d = 0; d < r->ndims; d++)
            there = sq_code_substitute(r->pool, there, r->dim[d].name,
                                       sq_code_number(r->pool, place(r, p, d)));
        if (!sq_code_same(r->pool, there, f->at[p]))
            return false;
    }
    return true;
}

/* Finds one expression for all points of a line; *to: NULL where the line has none. */
static bool rolled(const rolling *r, const pattern *x, int which, const sq_code_expr **to)
{
    const sq_code_expr **at = SQ_NEW_ARRAY(r->pool->arena, const sq_code_expr *, r->npoints);
    const fields f = {x, which, at};
    *to = NULL;
    if (!field(x->at[0]->x, which))
        return true;
    for (int p = 0; p < r->npoints; p++)
        if (x->at[p] && !(at[p] = with_registers(r, field(x->at[p]->x, which), p)))
            return false;
    *to = continued(r, &f, 0, 0);
    return *to && is_right(r, &f, *to);
}

/* ---- statements ---- */

/* "i == 0 && r == 0" */
static const sq_code_expr *guard_of(const rolling *r, const pattern *x)
{
    const sq_code_expr *all = NULL, *zero = sq_code_number(r->pool, 0);
    for (int d = 0; d < x->level; d++)
        if (x->guard >> d & 1)
            all = sq_code_and(
                r->pool, all,
                sq_code_compare(r->pool, SQ_CODE_EQ, sq_code_name(r->pool, r->dim[d].name), zero));
    return all;
}

static bool rolled_index(const rolling *r, const pattern *x, sq_code *to)
{
    int n = to->buffer->ndim;
    const sq_code_expr **index = SQ_NEW_ARRAY(r->pool->arena, const sq_code_expr *, n + 1);
    for (int d = 0; d < n; d++)
        if (!rolled(r, x, INDEX + d, &index[d]))
            return false;
    to->index = index;
    return true;
}

/* Redirects a guarded value to its register. */
static void store_to_own(const rolling *r, const pattern *x, sq_code *to)
{
    const sq_code_expr **index = SQ_NEW_ARRAY(r->pool->arena, const sq_code_expr *, r->ndims);
    for (int i = 0; i < x->naxes; i++)
        index[i] = sq_code_name(r->pool, r->dim[x->axis[i]].name);
    to->buffer = x->own;
    to->index = index;
    to->cond = guard_of(r, x);
}

static bool put_line(const rolling *r, const pattern *x, sq_code_list *to)
{
    sq_code *own = SQ_NEW(r->pool->arena, sq_code);
    *own = *x->at[0]->x;
    own->next = NULL;
    if (own->kind == SQ_CODE_STORE &&
        !(rolled(r, x, VALUE, &own->value) && rolled(r, x, COND, &own->cond) &&
          rolled(r, x, LANE_STEP, &own->lane_step) && rolled(r, x, LEFT, &own->left) &&
          rolled_index(r, x, own)))
        return false;
    if (x->own)
        store_to_own(r, x, own);
    if (x->own && !x->guard)
        sq_code_append(to, sq_code_declare(r->pool, x->own, false));
    sq_code_append(to, own);
    return true;
}

/* True if the value's array is declared in front of the loop over dimension d. */
static bool is_declared(const pattern *x, int d)
{
    return x->guard && (x->guard & -x->guard) == 1U << d;
}

/* Appends the lines inside of `level` loops to a list. */
static bool put_level(const rolling *r, int level, sq_code_list *to)
{
    for (int i = 0; i < r->npatterns; i++)
        if (is_declared(&r->pattern[i], level))
            sq_code_append(to, sq_code_declare(r->pool, r->pattern[i].own, false));
    for (int i = 0; i < r->npatterns; i++)
        if (r->pattern[i].level == level && !put_line(r, &r->pattern[i], to))
            return false;
    if (level == r->ndims)
        return true;
    sq_code_list inner = {0};
    sq_code *x = sq_code_loop(r->pool, r->dim[level].name, sq_code_number(r->pool, 0),
                              sq_code_number(r->pool, r->dim[level].n), 1);
    x->runs = SQ_CODE_UNROLLED;
    if (!put_level(r, level + 1, &inner))
        return false;
    x->body = inner.first;
    sq_code_append(to, x);
    return true;
}

/* ---- all of it ---- */

static int product(const sq_roll_dim *dim, int from, int to)
{
    int n = 1;
    for (int d = from; d < to && n <= MOST_POINTS; d++)
        n *= dim[d].n;
    return n;
}

/* Returns the code with loops over the first n dimensions. */
static sq_code *with_loops(sq_code_pool *p, const sq_roll_dim *dim, int n, int inner,
                           sq_code *const *point)
{
    rolling r = {.pool = p, .dim = dim, .ndims = n, .npoints = product(dim, 0, n)};
    sq_code_list all = {0};
    r.code = SQ_NEW_ARRAY(p->arena, line *, r.npoints);
    for (int i = 0; i < r.npoints; i++)
        if (!(r.code[i] = lines_of(&r, point + (size_t)i * inner, inner, i)))
            return NULL;
    find_values(&r);
    drop_unread(&r);
    find_values(&r);
    return find_pattern(&r) && place_lines(&r) && put_level(&r, 0, &all) ? all.first : NULL;
}

/* Returns the number of lines that a list takes as text, without lines of braces. */
static int text_lines(const sq_code *x)
{
    int n = 0;
    for (; x; x = x->next)
        n += sq_code_is_constant(x) ? 0 : x->kind == SQ_CODE_LOOP ? 2 + text_lines(x->body) : 1;
    return n;
}

sq_code *sq_code_roll(sq_code_pool *p, const sq_roll_dim *dim, int ndims, sq_code *const *point)
{
    int npoints = product(dim, 0, ndims), lines = 0;
    if (npoints > MOST_POINTS || ndims > SQ_ROLL_DIMS)
        return NULL;
    for (int i = 0; i < npoints; i++)
        lines += text_lines(point[i]);
    sq_code *best = NULL;
    int least = lines;
    for (int n = ndims; n > 0; n--) {
        sq_code *x = with_loops(p, dim, n, product(dim, n, ndims), point);
        if (x && text_lines(x) < least) {
            best = x;
            least = text_lines(x);
        }
    }
    return best;
}
