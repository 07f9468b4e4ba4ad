/* Landscape file: see landscape.h for the format. What is read is trusted in nothing. */
#include "support/file.h"
#include "tuner/landscape.h"
#include "tuner/store/json_line.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FORMAT = 3,
    MOST_VALUES = SQ_LANDSCAPE_POINTS, /* of a coordinate */
    MOST_AXIS = 1 << 20,               /* dimensions of all forms of a kernel are numbered */
    MOST_BYTES = 256 << 20,            /* of a file */
    MOST_LINE = 1 << 24,
    MOST_SCRIPT = 1 << 20,
    DIGITS = 9
};

/* ---- printing ---- */

static const double least_seconds = 1e-12, most_seconds = 1e9, most_feature = 1e6;

static json_t *indices(const int *index, int n)
{
    json_t *list = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(list, json_integer(index[i]));
    return list;
}

static json_t *coordinates(const sq_space *s)
{
    json_t *list = json_array();
    for (int c = 0; c < s->n; c++) {
        const sq_coord *x = &s->coord[c];
        json_t *values = json_array();
        for (int v = 0; v < x->nvalues; v++)
            json_array_append_new(values, json_integer(x->value[v]));
        json_array_append_new(list, json_pack("{s:s, s:o, s:i, s:b, s:i, s:i, s:i}", "name", x->name, "values",
                                              values, "axis", x->axis, "structural", x->structural, "mark", x->mark,
                                              "under", x->under - 1, "under_value", x->under_value));
    }
    return list;
}

static json_t *statements(const sq_landscape_candidate *c)
{
    json_t *list = json_array();
    for (int i = 0; i < c->nrows; i++) {
        json_t *row = json_array();
        for (int k = 0; k < SQ_STATEMENT; k++) {
            double v = (double)c->row[i][k];
            json_array_append_new(row, v == 0 ? json_integer(0) : json_real(v));
        }
        json_array_append_new(list, row);
    }
    return list;
}

static int put_candidate(const sq_landscape *l, int number, sq_text *to)
{
    const sq_landscape_candidate *c = &l->of[number];
    json_t *line =
        json_pack("{s:i, s:s, s:s}", "candidate", number, "script", c->script, "status", sq_status_name(c->status));
    if (c->status == SQ_OK)
        json_object_set_new(line, "seconds", json_real(c->seconds));
    json_object_set_new(line, "features", statements(c));
    return sq_json_line(line, DIGITS, to);
}

static int put_point(const sq_landscape *l, int number, sq_text *to)
{
    int point[SQ_MAX_COORDS];
    sq_landscape_point(&l->space, number, point);
    return sq_json_line(json_pack("{s:o, s:i, s:f}", "point", indices(point, l->space.n), "candidate",
                                  l->candidate[number], "draft", l->draft[number]),
                        DIGITS, to);
}

int sq_landscape_print(const sq_landscape *l, sq_text *to)
{
    json_t *head = json_pack("{s:i, s:s, s:s, s:s, s:o, s:o, s:i}", "landscape", FORMAT, "kernel", l->label, "target",
                             l->target, "machine", l->machine, "coordinates", coordinates(&l->space), "start",
                             indices(l->space.start, l->space.n), "candidates", l->ncandidates);
    int rc = sq_json_line(head, DIGITS, to);
    for (int i = 0; i < l->ncandidates && rc == 0; i++)
        rc = put_candidate(l, i, to);
    for (int i = 0; i < l->npoints && rc == 0; i++)
        rc = l->candidate[i] >= 0 ? put_point(l, i, to) : 0;
    return rc ? rc : sq_json_line(json_pack("{s:i}", "end", l->npoints), DIGITS, to);
}

/* ---- reading ---- */

typedef struct reader {
    const char *path, *at;
    int line;
    sq_landscape *l;
    sq_arena *arena;
    sq_diags *d;
} reader;

static int refuse(const reader *r, const char *what)
{
    return sq_error(r->d, SQ_FAULT_INPUT, (sq_loc){r->path, r->line, 1, 1}, "%s", what);
}

/* The object of the next line; NULL after adding an error. */
static json_t *next_line(reader *r)
{
    size_t n = strcspn(r->at, "\n");
    json_error_t why;
    r->line++;
    json_t *x = n && n <= MOST_LINE ? json_loadb(r->at, n, JSON_REJECT_DUPLICATES, &why) : NULL;
    r->at += n + (r->at[n] != 0);
    if (!json_is_object(x)) {
        refuse(r, n ? "this is no line of a landscape" : "the landscape ends here, before its end");
        json_decref(x);
        return NULL;
    }
    return x;
}

static const char *string_of(const reader *r, const json_t *x, const char *name)
{
    const char *s = json_string_value(json_object_get(x, name));
    return s && strlen(s) <= MOST_SCRIPT ? sq_arena_strdup(r->arena, s) : NULL;
}

/* An integer of an object in [least, most]; false: it has none. */
static bool integer_of(const json_t *x, const char *name, int least, int most, int *to)
{
    const json_t *v = json_object_get(x, name);
    json_int_t i = json_integer_value(v);
    *to = i < least || i > most ? least : (int)i;
    return json_is_integer(v) && i >= least && i <= most;
}

/* Indices of values, one for each coordinate. */
static bool read_point(const reader *r, const json_t *list, int *point)
{
    const sq_space *s = &r->l->space;
    if (json_array_size(list) != (size_t)s->n)
        return false;
    for (int c = 0; c < s->n; c++) {
        const json_t *x = json_array_get(list, (size_t)c);
        json_int_t v = json_integer_value(x);
        if (!json_is_integer(x) || v < 0 || v >= s->coord[c].nvalues)
            return false;
        point[c] = (int)v;
    }
    return true;
}

static bool read_values(const reader *r, const json_t *list, sq_coord *to)
{
    size_t n = json_array_size(list);
    if (n == 0 || n > MOST_VALUES)
        return false;
    long *value = SQ_NEW_ARRAY(r->arena, long, n);
    for (size_t i = 0; i < n; i++) {
        const json_t *x = json_array_get(list, i);
        value[i] = (long)json_integer_value(x);
        if (!json_is_integer(x) || (i && value[i] <= value[i - 1]))
            return false;
    }
    to->nvalues = (int)n;
    to->value = value;
    return true;
}

/* Of a coordinate behind those before it. */
static bool read_coordinate(const reader *r, const json_t *x, int c)
{
    sq_coord *to = &r->l->space.coord[c];
    const char *name = json_string_value(json_object_get(x, "name"));
    const json_t *structural = json_object_get(x, "structural");
    int under, mark;
    if (!name || strlen(name) >= sizeof to->name || !json_is_boolean(structural) ||
        !read_values(r, json_object_get(x, "values"), to) || !integer_of(x, "axis", -1, MOST_AXIS, &to->axis) ||
        !integer_of(x, "mark", 0, SQ_COORD_MARKS - 1, &mark) || !integer_of(x, "under", -1, c - 1, &under))
        return false;
    strcpy(to->name, name);
    to->structural = json_is_true(structural);
    to->mark = (sq_coord_mark)mark;
    to->under = under + 1;
    int most = under < 0 ? MOST_VALUES : r->l->space.coord[under].nvalues - 1;
    return integer_of(x, "under_value", 0, most, &to->under_value);
}

/* A name for points of one candidate; others have none but their own. */
static void put_name(void *user, const int *point, sq_text *to)
{
    const sq_landscape *l = user;
    int number = sq_landscape_number(&l->space, point), candidate = l->candidate[number];
    if (candidate >= 0)
        sq_text_printf(to, "%d", candidate);
    else
        sq_text_printf(to, "point %d", number);
}

static int make_room(reader *r)
{
    sq_landscape *l = r->l;
    double size = sq_space_size(&l->space);
    if (size > SQ_LANDSCAPE_POINTS)
        return refuse(r, "more points than a landscape may have");
    l->npoints = (int)size;
    l->candidate = SQ_NEW_ARRAY(r->arena, int, l->npoints);
    l->draft = SQ_NEW_ARRAY(r->arena, double, l->npoints);
    l->of = SQ_NEW_ARRAY(r->arena, sq_landscape_candidate, l->ncandidates);
    for (int i = 0; i < l->npoints; i++) {
        l->candidate[i] = -1;
        l->draft[i] = INFINITY;
    }
    l->space.name = put_name;
    l->space.user = l;
    return 0;
}

static bool read_members(const reader *r, const json_t *x)
{
    sq_landscape *l = r->l;
    const json_t *list = json_object_get(x, "coordinates");
    size_t n = json_array_size(list);
    l->label = string_of(r, x, "kernel");
    l->target = string_of(r, x, "target");
    l->machine = string_of(r, x, "machine");
    if (!l->label || !l->target || !l->machine || n == 0 || n > SQ_MAX_COORDS)
        return false;
    for (size_t c = 0; c < n; c++, l->space.n++)
        if (!read_coordinate(r, json_array_get(list, c), (int)c))
            return false;
    return read_point(r, json_object_get(x, "start"), l->space.start) &&
           integer_of(x, "candidates", 1, SQ_LANDSCAPE_POINTS, &l->ncandidates);
}

static int read_header(reader *r)
{
    int format;
    json_t *x = next_line(r);
    if (!x)
        return -1;
    bool ours = json_object_get(x, "landscape"), known = integer_of(x, "landscape", FORMAT, FORMAT, &format);
    bool whole = known && read_members(r, x);
    json_decref(x);
    if (!known)
        return refuse(r, ours ? "a landscape of another version; this program reads version 3"
                              : "this is no landscape: `squall race --record=FILE` writes one");
    return whole ? make_room(r) : refuse(r, "the first line of a landscape, with something missing or wrong in it");
}

/* The numbers of a statement. */
static bool read_row(const json_t *list, float *row)
{
    for (size_t k = 0; k < SQ_STATEMENT; k++) {
        const json_t *x = json_array_get(list, k);
        double v = json_number_value(x);
        if (!json_is_number(x) || !(fabs(v) <= most_feature))
            return false;
        row[k] = (float)v;
    }
    return json_array_size(list) == SQ_STATEMENT;
}

static bool read_statements(const reader *r, const json_t *list, sq_landscape_candidate *c)
{
    size_t n = json_array_size(list);
    if (!json_is_array(list) || n > SQ_STATEMENTS)
        return false;
    c->nrows = (int)n;
    c->row = sq_arena_alloc(r->arena, n * sizeof *c->row + 1);
    for (size_t i = 0; i < n; i++)
        if (!read_row(json_array_get(list, i), c->row[i]))
            return false;
    return true;
}

static int read_candidate(reader *r, int number)
{
    sq_landscape_candidate *c = &r->l->of[number];
    int said;
    json_t *x = next_line(r);
    if (!x)
        return -1;
    const json_t *seconds = json_object_get(x, "seconds");
    const char *status = json_string_value(json_object_get(x, "status"));
    c->script = string_of(r, x, "script");
    c->status = status ? sq_status_get(status) : SQ_NSTATUSES;
    c->seconds = json_number_value(seconds);
    bool timed = json_is_number(seconds) && c->seconds >= least_seconds && c->seconds <= most_seconds;
    bool right = integer_of(x, "candidate", number, number, &said) && c->script && c->status != SQ_NSTATUSES &&
                 (c->status != SQ_OK || timed) && read_statements(r, json_object_get(x, "features"), c);
    json_decref(x);
    return right ? 0 : refuse(r, "not the next candidate of a landscape");
}

static bool take_point(const reader *r, const json_t *x)
{
    sq_landscape *l = r->l;
    int point[SQ_MAX_COORDS] = {0}, candidate;
    const json_t *draft = json_object_get(x, "draft");
    if (!read_point(r, json_object_get(x, "point"), point) ||
        !integer_of(x, "candidate", 0, l->ncandidates - 1, &candidate) || !json_is_number(draft) ||
        !isfinite(json_number_value(draft)))
        return false;
    int number = sq_landscape_number(&l->space, point);
    if (l->candidate[number] >= 0)
        return false;
    l->candidate[number] = candidate;
    l->draft[number] = json_number_value(draft);
    return true;
}

static int read_points(reader *r)
{
    for (;;) {
        int end;
        json_t *x = next_line(r);
        if (!x)
            return -1;
        bool ends = json_object_get(x, "end"), right = ends ? integer_of(x, "end", r->l->npoints, r->l->npoints, &end)
                                                            : take_point(r, x);
        json_decref(x);
        if (!right)
            return refuse(r, ends ? "a landscape of that space has another number of points"
                                  : "not a point of this landscape, or one that was there before");
        if (ends)
            return *r->at ? refuse(r, "something stands behind the end of the landscape") : 0;
    }
}

int sq_landscape_read(sq_landscape *l, const char *path, sq_arena *arena, sq_diags *d)
{
    *l = (sq_landscape){0};
    size_t n = 0;
    char *text = sq_file_read_made(d, path, MOST_BYTES, &n);
    if (!text)
        return -1;
    reader r = {path, text, 0, l, arena, d};
    int rc = strlen(text) == n ? read_header(&r) : refuse(&r, "a landscape has no zero bytes");
    for (int i = 0; rc == 0 && i < l->ncandidates; i++)
        rc = read_candidate(&r, i);
    if (rc == 0)
        rc = read_points(&r);
    free(text);
    return rc;
}
