/* Draft, parts: on a grid a sum belongs to one block, or a sum of columns to one for each warp's width of them. Where a
 * kernel has too few sums for the device's multiprocessors and the sums are long, each is taken in parts
 * (transforms/tf_parts.c), which blocks of their own compute and a second statement puts together. */
#include "tuner/model/draft.h"
#include "transforms/transform.h"
#include "tuner/space/grid_shape.h"
#include <math.h>

enum {
    LONG_SUM = 1 << 16,  /* terms: a second launch costs less than one block's pass over them */
    PART_TERMS = 1 << 14, /* of a part where nothing is known: 64 for each of 256 threads */
    LEAST_TERMS = 1 << 11, /* of one where sizes are known */
    WAVES = 4, /* blocks for each multiprocessor, where the sizes are known: their threads are many */
    LONG_DIM = 256, /* one that is long itself */
    UNKNOWN_LENGTH = 1 << 24
};

/* Values of a dimension; a length that nothing is known of counts as long. */
static double length(const sq_shape *h, int d)
{
    return !h->known[d] && h->guessed ? UNKNOWN_LENGTH : (double)h->extent[d];
}

static double points(const sq_shape *h, int from, int end)
{
    double n = 1;
    for (int d = from; d < end; d++)
        n *= length(h, d);
    return n;
}

/* Blocks that compute the group as it is; 0: not as sums that blocks share. */
static double blocks(const sq_grid_shape *h)
{
    double sums = points(&h->numbers, 0, h->numbers.nfree);
    if (sq_grid_has_team(h))
        return sums;
    return sq_grid_has_columns(h) ? sums / SQ_WARP : 0;
}

/* The outermost dimension of the sum that is long itself, else the longest: parts of it read neighbouring rows. */
static int dim_of(const sq_shape *h)
{
    int longest = h->nfree;
    for (int d = h->nfree; d < h->ndim; d++) {
        if (length(h, d) >= LONG_DIM)
            return d;
        longest = length(h, d) > length(h, longest) ? d : longest;
    }
    return longest;
}

/* Values of the dimension in a part: a power of two. */
static long part_length(const sq_grid_shape *x, int dim, double blocks, const sq_device *d)
{
    const sq_shape *h = &x->numbers;
    double terms = points(h, h->nfree, h->ndim), most = PART_TERMS, each = terms / length(h, dim);
    if (!h->guessed)
        most = fmax(LEAST_TERMS, terms * blocks / (WAVES * d->multiprocessors));
    long n = 1;
    while (2.0 * (double)n * each <= most)
        n *= 2;
    return n;
}

static const char *call_for(const sq_kernel *k, const sq_stmt *s, const sq_device *d, const int64_t *sizes,
                            sq_arena *a)
{
    sq_grid_shape x;
    sq_grid_shape_of(k, sq_group_new(k, s, a), sizes, a, &x);
    const sq_shape *h = &x.numbers;
    double own = blocks(&x);
    if (own <= 0 || 2 * own > d->multiprocessors || points(h, h->nfree, h->ndim) < LONG_SUM)
        return NULL;
    int dim = dim_of(h);
    long n = part_length(&x, dim, own, d);
    if (2.0 * (double)n > length(h, dim))
        return NULL;
    return sq_arena_printf(a, "parts(%s, %s:%ld) ", s->name, s->dim[dim], n);
}

/* Applies the call, and adds it to the script. Of a sum over several dimensions the last part is shorter than others,
 * and its terms must not pass through memory: the sum is held across all of its loops. */
static void take(sq_schedule *s, const sq_stmt *of, const char *call, sq_arena *a, sq_text *script)
{
    if (!sq_script_try(s, call, a)) {
        call = sq_arena_printf(a, "%s%s_parts: micro() hold(%s) ", call, of->name, of->dim[of->nfree]);
        if (!sq_script_try(s, call, a))
            return;
    }
    sq_text_puts(script, call);
}

void sq_draft_parts(sq_schedule *s, const sq_device *d, const int64_t *sizes, sq_arena *a, sq_text *script)
{
    const sq_kernel *k = s->kernel;
    for (int i = 0; k->deps && i < k->nstmts; i++) {
        const sq_stmt *of = k->stmt[i];
        bool sum = of->updates && !of->written_loops && of->ndim < SQ_MAX_DIMS;
        const char *call = sum ? call_for(k, of, d, sizes, a) : NULL;
        if (call)
            take(s, of, call, a, script);
    }
}
