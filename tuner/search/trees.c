/* Trees: see trees.h. */
#include "tuner/search/trees.h"
#include "support/memory.h"
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AS_SUMS = 1 }; /* option of a prediction: what the trees add up, without the objective's transformation */

/* Of its C interface what is used here; all return 0 or -1. */
typedef struct library {
    int (*matrix_new)(const float *data, uint64_t rows, uint64_t columns, float missing, void **out);
    int (*matrix_set)(void *matrix, const char *field, const float *values, uint64_t n);
    int (*matrix_free)(void *matrix);
    int (*booster_new)(void *const *matrix, uint64_t n, void **out);
    int (*booster_set)(void *booster, const char *name, const char *value);
    int (*booster_step)(void *booster, int round, void *matrix);
    int (*booster_boost)(void *booster, void *matrix, float *gradient, float *hessian, uint64_t n);
    int (*booster_predict)(void *booster, void *matrix, int options, unsigned trees, int training, uint64_t *n,
                           const float **out);
    int (*booster_free)(void *booster);
    int (*booster_save)(void *booster, const char *options, uint64_t *n, const char **text); /* NULL before 1.6 */
} library;

struct sq_trees {
    const library *lib;
    int nfeatures;
    sq_trees_options o;
    void *booster; /* NULL before the first fit */
    int *column;   /* the features that the library sees, in ascending order */
    int ncolumns;
};

/* What is learned from: rows, each with a y of its own, or packs of them. */
typedef struct lesson {
    const float *rows, *y;
    size_t n;        /* of y */
    const int *size; /* rows of each pack; NULL: rows are no packs */
    const float *offset; /* of each pack, which its rows add to; NULL: 0 */
    size_t nrows;
    void *matrix;
} lesson;

/* A pointer to a function out of one to an object, which POSIX allows and ISO C does not write. */
static bool find(void *from, const char *name, void *function)
{
    void *found = dlsym(from, name);
    *(void **)function = found;
    return found;
}

static bool load(library *to)
{
    void *from = dlopen("libxgboost.so.0", RTLD_LAZY | RTLD_LOCAL);
    if (!from)
        from = dlopen("libxgboost.so", RTLD_LAZY | RTLD_LOCAL);
    if (from && !find(from, "XGBoosterSaveModelToBuffer", &to->booster_save))
        to->booster_save = NULL;
    return from && find(from, "XGDMatrixCreateFromMat", &to->matrix_new) &&
           find(from, "XGDMatrixSetFloatInfo", &to->matrix_set) && find(from, "XGDMatrixFree", &to->matrix_free) &&
           find(from, "XGBoosterCreate", &to->booster_new) && find(from, "XGBoosterSetParam", &to->booster_set) &&
           find(from, "XGBoosterUpdateOneIter", &to->booster_step) &&
           find(from, "XGBoosterBoostOneIter", &to->booster_boost) &&
           find(from, "XGBoosterPredict", &to->booster_predict) && find(from, "XGBoosterFree", &to->booster_free);
}

/* Loaded once for all; NULL: it is not there. */
static const library *the_library(void)
{
    static library table;
    static enum { UNKNOWN, THERE, ABSENT } state;
    if (state == UNKNOWN)
        state = load(&table) ? THERE : ABSENT;
    return state == THERE ? &table : NULL;
}

const char *sq_trees_lacks(void)
{
    return the_library() ? NULL : "XGBoost's library, libxgboost.so.0; on Debian: apt install libxgboost0";
}

sq_trees *sq_trees_new(int nfeatures, const sq_trees_options *o)
{
    const library *lib = the_library();
    if (!lib)
        return NULL;
    sq_trees *b = sq_allocated(calloc(1, sizeof *b));
    *b = (sq_trees){.lib = lib, .nfeatures = nfeatures, .o = *o};
    b->column = sq_allocated(malloc(((size_t)nfeatures + 1) * sizeof *b->column));
    return b;
}

/* ---- columns ---- */

/* Chooses the features that differ between rows. No tree splits by another, and most of those of a search's points are
 * the same for all points of a kernel: the library's time is proportional to their number. */
static void choose_columns(sq_trees *b, const float *rows, size_t n)
{
    size_t width = (size_t)b->nfeatures;
    b->ncolumns = 0;
    for (size_t c = 0; c < width; c++) {
        size_t r = 1;
        while (r < n && memcmp(&rows[r * width + c], &rows[c], sizeof *rows) == 0)
            r++;
        if (r < n)
            b->column[b->ncolumns++] = (int)c;
    }
    if (b->ncolumns == 0) /* the library refuses a matrix without columns */
        b->column[b->ncolumns++] = 0;
}

/* The library's matrix of these columns of n rows. 0, or -1 if the library fails. */
static int matrix_of(const sq_trees *b, const float *rows, size_t n, void **matrix)
{
    size_t width = (size_t)b->ncolumns;
    float *chosen = sq_allocated(malloc((n * width + 1) * sizeof *chosen));
    for (size_t r = 0; r < n; r++)
        for (size_t c = 0; c < width; c++)
            chosen[r * width + c] = rows[r * (size_t)b->nfeatures + (size_t)b->column[c]];
    int rc = b->lib->matrix_new(chosen, n, width, NAN, matrix);
    free(chosen);
    return rc;
}

/* ---- packs ---- */

size_t sq_packs_rows(const int *size, size_t n)
{
    size_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (size_t)size[i];
    return sum;
}

static void add_up(const float *of_rows, const int *size, size_t n, float *sum)
{
    size_t row = 0;
    for (size_t i = 0; i < n; i++) {
        sum[i] = 0;
        for (int k = 0; k < size[i]; k++)
            sum[i] += of_rows[row++];
    }
}

/* A copy of what the trees so far make of each row; -1 if the library fails. */
static int evaluate(const sq_trees *b, void *matrix, bool learns, size_t n, float *y)
{
    const float *out = NULL;
    uint64_t nout = 0;
    int rc = b->lib->booster_predict(b->booster, matrix, learns ? AS_SUMS : 0, 0, learns, &nout, &out);
    for (size_t i = 0; rc == 0 && nout == n && i < n; i++)
        y[i] = out[i];
    return rc == 0 && nout == n ? 0 : -1;
}

/* The next tree, by the gradient of the packs' squares: each row of a pack has its share in the error of the sum.
 * *error: the squares before it, of packs that count. */
static int boost(const sq_trees *b, const lesson *l, float *of_rows, double *error)
{
    float *sum = sq_allocated(malloc((l->n + 2 * l->nrows + 1) * sizeof *sum)), *gradient = sum + l->n,
          *hessian = gradient + l->nrows;
    int rc = evaluate(b, l->matrix, true, l->nrows, of_rows);
    size_t row = 0;
    *error = 0;
    add_up(of_rows, l->size, rc == 0 ? l->n : 0, sum);
    for (size_t i = 0; rc == 0 && i < l->n; i++) {
        double off = sum[i] + (l->offset ? l->offset[i] : 0) - l->y[i];
        *error += l->y[i] > 0 ? off * off : 0;
        for (int k = 0; k < l->size[i]; k++, row++) {
            gradient[row] = (float)(off * l->y[i]);
            hessian[row] = l->y[i];
        }
    }
    if (rc == 0)
        rc = b->lib->booster_boost(b->booster, l->matrix, gradient, hessian, l->nrows);
    free(sum);
    return rc;
}

/* ---- all ---- */

static int set_number(const sq_trees *b, const char *name, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%g", value);
    return b->lib->booster_set(b->booster, name, text);
}

static int set_all(const sq_trees *b)
{
    const struct {
        const char *name;
        double value;
    } number[] = {{"max_depth", b->o.depth},
                  {"eta", b->o.eta},
                  {"gamma", b->o.gamma},
                  {"min_child_weight", b->o.min_child_weight},
                  {"subsample", 1},
                  {"nthread", 1},
                  {"seed", 1},
                  {"verbosity", 0}};
    int rc = b->lib->booster_set(b->booster, "objective", "reg:squarederror");
    for (size_t i = 0; rc == 0 && i < sizeof number / sizeof *number; i++)
        rc = set_number(b, number[i].name, number[i].value);
    return rc;
}

static int train(sq_trees *b, const lesson *l)
{
    int rc = b->lib->booster_new(&l->matrix, 1, &b->booster);
    float *of_rows = sq_allocated(malloc((l->nrows + 1) * sizeof *of_rows));
    double least = INFINITY, error = 0;
    rc = rc ? rc : set_all(b);
    for (int round = 0, since = 0; rc == 0 && round < b->o.rounds; round++) {
        if (b->o.patience && since >= b->o.patience)
            break;
        rc = l->size ? boost(b, l, of_rows, &error) : b->lib->booster_step(b->booster, round, l->matrix);
        since = error < least ? 0 : since + 1;
        least = fmin(least, error);
    }
    free(of_rows);
    return rc;
}

static int fit(sq_trees *b, lesson l)
{
    if (b->booster)
        b->lib->booster_free(b->booster);
    b->booster = NULL;
    choose_columns(b, l.rows, l.nrows);
    int rc = matrix_of(b, l.rows, l.nrows, &l.matrix);
    if (rc == 0 && !l.size)
        rc = b->lib->matrix_set(l.matrix, "label", l.y, l.n);
    if (rc == 0)
        rc = train(b, &l);
    if (l.matrix)
        b->lib->matrix_free(l.matrix);
    return rc ? -1 : 0;
}

int sq_trees_fit(sq_trees *b, const float *rows, const float *y, size_t n)
{
    return fit(b, (lesson){.rows = rows, .y = y, .n = n, .nrows = n});
}

int sq_trees_fit_packs(sq_trees *b, const float *rows, const int *size, const float *y, const float *offset, size_t n)
{
    lesson l = {.rows = rows, .y = y, .n = n, .size = size, .offset = offset, .nrows = sq_packs_rows(size, n)};
    return fit(b, l);
}

int sq_trees_predict(sq_trees *b, const float *rows, size_t n, float *y)
{
    void *matrix = NULL;
    int rc = b->booster ? matrix_of(b, rows, n, &matrix) : -1;
    if (rc == 0)
        rc = evaluate(b, matrix, false, n, y);
    if (matrix)
        b->lib->matrix_free(matrix);
    return rc == 0 ? 0 : -1;
}

int sq_trees_predict_packs(sq_trees *b, const float *rows, const int *size, size_t n, float *y)
{
    size_t nrows = sq_packs_rows(size, n);
    float *of_rows = sq_allocated(malloc((nrows + 1) * sizeof *of_rows));
    int rc = sq_trees_predict(b, rows, nrows, of_rows);
    if (rc == 0)
        add_up(of_rows, size, n, y);
    free(of_rows);
    return rc;
}

/* ---- halves ---- */

/* Every second pack. */
typedef struct half {
    size_t n;
    float *rows, *y, *offset;
    int *size;
} half;

static half half_of(const sq_trees *b, const lesson *l, size_t first)
{
    size_t width = (size_t)b->nfeatures, row = 0, to = 0;
    half h = {.rows = sq_allocated(malloc((l->nrows * width + 1) * sizeof *h.rows)),
              .y = sq_allocated(calloc(2 * l->n + 1, sizeof *h.y)),
              .size = sq_allocated(malloc((l->n + 1) * sizeof *h.size))};
    h.offset = h.y + l->n;
    for (size_t i = 0; i < l->n; row += (size_t)l->size[i++]) {
        if (i % 2 != first)
            continue;
        memcpy(h.rows + to * width, l->rows + row * width, (size_t)l->size[i] * width * sizeof *h.rows);
        to += (size_t)l->size[i];
        h.size[h.n] = l->size[i];
        h.offset[h.n] = l->offset ? l->offset[i] : 0;
        h.y[h.n++] = l->y[i];
    }
    return h;
}

static void free_half(half *h)
{
    free(h->rows);
    free(h->y);
    free(h->size);
}

static double error_of(sq_trees *b, const half *h)
{
    float *score = sq_allocated(malloc((h->n + 1) * sizeof *score));
    double error = 0;
    if (sq_trees_predict_packs(b, h->rows, h->size, h->n, score) != 0)
        error = INFINITY;
    for (size_t i = 0; i < h->n && isfinite(error); i++) {
        double off = (double)(score[i] + h->offset[i] - h->y[i]);
        error += (double)h->y[i] * off * off;
    }
    free(score);
    return error;
}

double sq_trees_left_out(sq_trees *b, const float *rows, const int *size, const float *y, const float *offset,
                         size_t n)
{
    lesson l = {.rows = rows, .y = y, .n = n, .size = size, .offset = offset, .nrows = sq_packs_rows(size, n)};
    half h[] = {half_of(b, &l, 0), half_of(b, &l, 1)};
    double error = 0;
    for (int i = 0; i < 2; i++) {
        const half *from = &h[i];
        bool fits = sq_trees_fit_packs(b, from->rows, from->size, from->y, from->offset, from->n) == 0;
        error += fits ? error_of(b, &h[1 - i]) : INFINITY;
    }
    free_half(&h[0]);
    free_half(&h[1]);
    return error;
}

const char *sq_trees_text(const sq_trees *b, size_t *n, const int **column, int *ncolumns)
{
    const char *text = NULL;
    uint64_t length = 0;
    bool saved = b->booster && b->lib->booster_save &&
                 b->lib->booster_save(b->booster, "{\"format\": \"json\"}", &length, &text) == 0;
    *n = (size_t)length;
    *column = b->column;
    *ncolumns = b->ncolumns;
    return saved ? text : NULL;
}

sq_trees *sq_trees_free(sq_trees *b)
{
    if (b && b->booster)
        b->lib->booster_free(b->booster);
    if (b)
        free(b->column);
    free(b);
    return NULL;
}
