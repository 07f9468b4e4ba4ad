/* Trees: see trees.h. */
#include "tuner/search/trees.h"
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { ROUNDS = 100 }; /* trees; AutoTVM stops when 20 more do not rank the points learned from any better */

/* Of its C interface what is used here; all return 0 or -1. */
typedef struct library {
    int (*matrix_new)(const float *data, uint64_t rows, uint64_t columns, float missing, void **out);
    int (*matrix_set)(void *matrix, const char *field, const float *values, uint64_t n);
    int (*matrix_free)(void *matrix);
    int (*booster_new)(void *const *matrix, uint64_t n, void **out);
    int (*booster_set)(void *booster, const char *name, const char *value);
    int (*booster_step)(void *booster, int round, void *matrix);
    int (*booster_predict)(void *booster, void *matrix, int options, unsigned trees, int training, uint64_t *n,
                           const float **out);
    int (*booster_free)(void *booster);
} library;

struct sq_trees {
    const library *lib;
    int nfeatures;
    void *booster; /* NULL before the first fit */
};

static const struct parameter {
    const char *name, *value;
} parameters[] = {{"objective", "reg:squarederror"},
                  {"max_depth", "3"},
                  {"eta", "0.3"},
                  {"gamma", "0.0001"},
                  {"min_child_weight", "1"},
                  {"subsample", "1.0"},
                  {"nthread", "1"},
                  {"seed", "1"},
                  {"verbosity", "0"}};

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
    return from && find(from, "XGDMatrixCreateFromMat", &to->matrix_new) &&
           find(from, "XGDMatrixSetFloatInfo", &to->matrix_set) && find(from, "XGDMatrixFree", &to->matrix_free) &&
           find(from, "XGBoosterCreate", &to->booster_new) && find(from, "XGBoosterSetParam", &to->booster_set) &&
           find(from, "XGBoosterUpdateOneIter", &to->booster_step) &&
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

sq_trees *sq_trees_new(int nfeatures)
{
    const library *lib = the_library();
    sq_trees *b = lib ? calloc(1, sizeof *b) : NULL;
    if (lib && !b)
        abort();
    if (b)
        *b = (sq_trees){.lib = lib, .nfeatures = nfeatures};
    return b;
}

static int train(sq_trees *b, void *matrix)
{
    int rc = b->lib->booster_new(&matrix, 1, &b->booster);
    for (size_t i = 0; rc == 0 && i < sizeof parameters / sizeof *parameters; i++)
        rc = b->lib->booster_set(b->booster, parameters[i].name, parameters[i].value);
    for (int round = 0; rc == 0 && round < ROUNDS; round++)
        rc = b->lib->booster_step(b->booster, round, matrix);
    return rc;
}

int sq_trees_fit(sq_trees *b, const float *rows, const float *y, size_t n)
{
    void *matrix = NULL;
    if (b->booster)
        b->lib->booster_free(b->booster);
    b->booster = NULL;
    int rc = b->lib->matrix_new(rows, n, (uint64_t)b->nfeatures, NAN, &matrix);
    if (rc == 0)
        rc = b->lib->matrix_set(matrix, "label", y, n);
    if (rc == 0)
        rc = train(b, matrix);
    if (matrix)
        b->lib->matrix_free(matrix);
    return rc ? -1 : 0;
}

int sq_trees_predict(sq_trees *b, const float *rows, size_t n, float *y)
{
    void *matrix = NULL;
    const float *out = NULL;
    uint64_t nout = 0;
    int rc = b->booster ? b->lib->matrix_new(rows, n, (uint64_t)b->nfeatures, NAN, &matrix) : -1;
    if (rc == 0)
        rc = b->lib->booster_predict(b->booster, matrix, 0, 0, 0, &nout, &out);
    for (size_t i = 0; rc == 0 && i < n && nout == n; i++)
        y[i] = out[i];
    if (matrix)
        b->lib->matrix_free(matrix);
    return rc == 0 && nout == n ? 0 : -1;
}

sq_trees *sq_trees_free(sq_trees *b)
{
    if (b && b->booster)
        b->lib->booster_free(b->booster);
    free(b);
    return NULL;
}
