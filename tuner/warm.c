/* Warm: see warm.h. */
#include "tuner/warm.h"
#include "support/memory.h"
#include "support/stats.h"
#include "tuner/moved.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A size that only one of two kernels has is as far as this factor. */
static const double other_size = 16;

/* Points of a kernel at its sizes that are tried in turn where the fastest are nothing new, and how much slower than
 * the fastest they may be. */
enum { FEW = 4 };
static const double near_fastest = 1.1;

/* The fastest trials of a kernel at its sizes, the fastest first. */
typedef struct found {
    char *hash, *sizes;
    int n;
    struct {
        char *point;
        double seconds;
    } fast[FEW];
    bool is_same; /* the kernel has the run's name */
    double far;
    struct found *next;
} found;

typedef struct warm {
    const sq_trial *own; /* what the run's own rows have in common */
    found *first;
} warm;

/* ---- sizes ---- */

static bool size_of(const char *sizes, const char *name, size_t n, double *value)
{
    for (const char *at = sizes; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, n) == 0 && at[n] == '=') {
            *value = strtod(at + n + 1, NULL);
            return true;
        }
    }
    return false;
}

/* How far apart "M=512,N=512" and another row of sizes are: by factors, summed up. */
static double distance(const char *a, const char *b)
{
    double far = 0;
    for (const char *at = a; at && *at; at = strchr(at, ',')) {
        double x, y;
        at += *at == ',';
        size_t n = strcspn(at, "=");
        bool both = size_of(a, at, n, &x) && size_of(b, at, n, &y);
        far += both ? fabs(log(fmax(1, x) / fmax(1, y))) : log(other_size);
    }
    return far;
}

/* ---- what the store has ---- */

static found *found_of(warm *w, const sq_trial *row)
{
    found *f = w->first;
    while (f && (strcmp(f->hash, row->kernel_hash) != 0 || strcmp(f->sizes, row->sizes) != 0))
        f = f->next;
    if (f)
        return f;
    f = sq_allocated(calloc(1, sizeof *f));
    *f = (found){.hash = sq_allocated(strdup(row->kernel_hash)),
                 .sizes = sq_allocated(strdup(row->sizes)),
                 .is_same = strcmp(row->kernel, w->own->kernel) == 0,
                 .far = distance(w->own->sizes, row->sizes),
                 .next = w->first};
    w->first = f;
    return f;
}

static void forget(found *f, int i)
{
    free(f->fast[i].point);
    memmove(&f->fast[i], &f->fast[i + 1], (size_t)(--f->n - i) * sizeof *f->fast);
}

/* Keeps a point among the fastest, once, if it is one of them. */
static void keep(found *f, const char *point, double seconds)
{
    int at = f->n, same = 0;
    while (same < f->n && strcmp(f->fast[same].point, point) != 0)
        same++;
    while (at > 0 && seconds < f->fast[at - 1].seconds)
        at--;
    if (at == FEW || at > same)
        return;
    if (same < f->n)
        forget(f, same);
    else if (f->n == FEW)
        forget(f, FEW - 1);
    memmove(&f->fast[at + 1], &f->fast[at], (size_t)(f->n++ - at) * sizeof *f->fast);
    f->fast[at].point = sq_allocated(strdup(point));
    f->fast[at].seconds = seconds;
}

static void take_row(const sq_trial *row, void *user)
{
    warm *w = user;
    bool is_own = strcmp(row->kernel_hash, w->own->kernel_hash) == 0 && strcmp(row->sizes, w->own->sizes) == 0;
    if (is_own || row->sample.status != SQ_OK || row->sample.n < 1 || !*row->point)
        return;
    keep(found_of(w, row), row->point, sq_median(row->sample.times, (size_t)row->sample.n));
}

/* Takes the nearest out of the list; NULL: it is empty. */
static found *take_nearest(warm *w)
{
    found **best = &w->first;
    if (!*best)
        return NULL;
    for (found **at = &w->first; *at; at = &(*at)->next)
        if ((*at)->is_same != (*best)->is_same ? (*at)->is_same : (*at)->far < (*best)->far)
            best = at;
    found *f = *best;
    *best = f->next;
    return f;
}

static void free_found(found *f)
{
    free(f->hash);
    free(f->sizes);
    for (int i = 0; i < f->n; i++)
        free(f->fast[i].point);
    free(f);
}

/* ---- points ---- */

static bool is_new(int to[SQ_WARM_MOST][SQ_MAX_COORDS], int n, const sq_space *s)
{
    bool is = memcmp(to[n], s->start, (size_t)s->n * sizeof **to) != 0;
    for (int i = 0; i < n; i++)
        is &= memcmp(to[n], to[i], (size_t)s->n * sizeof **to) != 0;
    return is;
}

/* Adds the fastest point of those found that is something new here; false if none is. */
static bool add_of(const found *f, const sq_tune_problem *p, int to[SQ_WARM_MOST][SQ_MAX_COORDS], int n)
{
    bool added = false;
    for (int i = 0; i < f->n && f->fast[i].seconds <= near_fastest * f->fast[0].seconds && !added; i++)
        added = sq_point_moved(f->fast[i].point, f->sizes, p, f->is_same, to[n]) && is_new(to, n, p->space);
    return added;
}

int sq_warm_points(sq_record *r, const sq_tune_problem *p, int to[SQ_WARM_MOST][SQ_MAX_COORDS], sq_diags *d)
{
    warm w = {.own = sq_record_like(r)};
    int n = 0;
    if (!r)
        return 0;
    if (sq_record_each_of_target(r, take_row, &w, d) < 0)
        n = -1;
    for (found *f; (f = take_nearest(&w)); free_found(f))
        n += n >= 0 && n < SQ_WARM_MOST && add_of(f, p, to, n);
    return n;
}
