/* Quota: see quota.h. isl counts operations since the last reset, so a new limit starts with one.
 * Its numbers are GMP's, which allocates memory when one grows: that is where large ones are
 * counted. */
#include "ir/kernel/quota.h"
#include <gmp.h>
#include <isl/constraint.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/val.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TWO_WORDS = 16 };
/* The context whose numbers are counted, or NULL, and how many may still grow. */
static _Thread_local isl_ctx *watched;
static _Thread_local unsigned long growths_left;

/* Beyond the limit isl stops at its next operation. */
static void note_number(size_t bytes)
{
    if (watched && bytes > TWO_WORDS && growths_left > 0 && --growths_left == 0)
        isl_ctx_set_max_operations(watched, 1);
}

static void *grow(void *p, size_t before, size_t bytes)
{
    (void)before;
    note_number(bytes);
    void *q = realloc(p, bytes);
    if (!q) { /* GMP cannot report failure */
        fputs("squall: out of memory\n", stderr);
        abort();
    }
    return q;
}

static void *make(size_t bytes)
{
    return grow(NULL, 0, bytes);
}

static void discard(void *p, size_t bytes)
{
    (void)bytes;
    free(p);
}

static void watch(isl_ctx *ctx, unsigned long growths)
{
    static atomic_flag done = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&done)) /* memory that GMP has so far is from malloc as well */
        mp_set_memory_functions(make, grow, discard);
    watched = ctx;
    growths_left = growths;
}

sq_quota sq_quota_begin(isl_ctx *ctx, unsigned long operations)
{
    sq_quota q = {.ctx = ctx,
                  .before = isl_ctx_get_max_operations(ctx),
                  .on_error = isl_options_get_on_error(ctx)};
    isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
    isl_ctx_reset_error(ctx);
    if (q.before == 0) {
        isl_ctx_reset_operations(ctx);
        isl_ctx_set_max_operations(ctx, operations);
    }
    return q;
}

bool sq_quota_end(sq_quota q, const char **text)
{
    enum isl_error e = isl_ctx_last_error(q.ctx);
    const char *message = isl_ctx_last_error_msg(q.ctx);
    *text = e == isl_error_quota ? "it took more steps than the limit allows"
            : message && strstr(message, "unbounded")
                ? "an index or a size in it has no limit that follows from the text"
                : "its loops and subscripts are too involved";
    if (q.before == 0) {
        isl_ctx_set_max_operations(q.ctx, 0);
        isl_ctx_reset_operations(q.ctx);
    }
    isl_ctx_reset_error(q.ctx);
    isl_options_set_on_error(q.ctx, q.on_error);
    return e != isl_error_none;
}

/* Finds the largest coefficient of a division in any condition, in bits. */
static isl_stat widest_division(isl_constraint *c /* __isl_take */, void *user)
{
    unsigned long *most = user;
    int n = (int)isl_constraint_dim(c, isl_dim_div);
    for (int i = 0; i < n; i++) {
        isl_val *v = isl_val_abs(isl_constraint_get_coefficient_val(c, isl_dim_div, i));
        unsigned long bits = 0;
        while (isl_val_is_pos(v) == isl_bool_true) {
            v = isl_val_floor(isl_val_div_ui(v, 2));
            bits++;
        }
        isl_val_free(v);
        if (bits > *most)
            *most = bits;
    }
    isl_constraint_free(c);
    return isl_stat_ok;
}

/* isl combines several remainders into one division by their product. Each eight bits count as
 * one. */
static isl_stat most_divisions(isl_basic_set *piece /* __isl_take */, void *user)
{
    unsigned long *most = user, bits = 0;
    int n = (int)isl_basic_set_dim(piece, isl_dim_div);
    isl_basic_set_foreach_constraint(piece, widest_division, &bits);
    if (n > 0 && (unsigned long)n + bits / 8 > *most)
        *most = (unsigned long)n + bits / 8;
    isl_basic_set_free(piece);
    return isl_stat_ok;
}

/* Divisions of the context count like those of a domain, as isl intersects the two. */
unsigned long sq_quota_share(const sq_kernel *k, unsigned long operations)
{
    enum { LEAST = 4000 };
    unsigned long n = 0;
    isl_set_foreach_basic_set(k->context, most_divisions, &n);
    for (int i = 0; i < k->nstmts; i++) {
        isl_set_foreach_basic_set(k->stmt[i]->domain, most_divisions, &n);
        if (k->stmt[i]->updates)
            isl_set_foreach_basic_set(k->stmt[i]->updates, most_divisions, &n);
    }
    unsigned long share = operations / (1 + 2 * n * n);
    return share < LEAST ? LEAST : share;
}

unsigned long sq_quota_narrow(isl_ctx *ctx, unsigned long operations)
{
    unsigned long around = isl_ctx_get_max_operations(ctx);
    isl_ctx_reset_operations(ctx);
    isl_ctx_set_max_operations(ctx, around && around < operations ? around : operations);
    return around;
}

unsigned long sq_quota_narrow_growing(isl_ctx *ctx, unsigned long operations, unsigned long growths)
{
    watch(ctx, growths);
    return sq_quota_narrow(ctx, operations);
}

unsigned long sq_quota_lift(isl_ctx *ctx)
{
    unsigned long around = isl_ctx_get_max_operations(ctx);
    isl_ctx_set_max_operations(ctx, 0);
    return around;
}

bool sq_quota_widen(isl_ctx *ctx, unsigned long around)
{
    bool hit = isl_ctx_last_error(ctx) == isl_error_quota;
    watched = NULL;
    isl_ctx_reset_operations(ctx);
    isl_ctx_set_max_operations(ctx, around);
    return hit;
}

int sq_quota_refuse(const sq_kernel *k, const char *what, const char *text, sq_diags *d)
{
    sq_error(d, SQ_FAULT_INPUT, k->loc, "the %s of '%s' cannot be computed: %s", what, k->name,
             text);
    sq_help(d, SQ_NOWHERE,
            "make it two kernels, use more temporaries instead of writing one array again and "
            "again, or write conditions with fewer divisions");
    return -1;
}
