/* Draft, hoist: what a register tile would compute again and again is computed once (transforms/hoist.h), where it
 * costs more than the pass over memory that this takes. */
#include "transforms/hoist.h"
#include "transforms/transform.h"
#include "tuner/model/draft.h"
#include "tuner/space/forms.h"
#include <isl/aff.h>
#include <isl/ilp.h>
#include <isl/set.h>
#include <isl/val.h>
#include <math.h>
#include <string.h>

/* Cycles of a vector of results, as far as it matters here. */
enum { FUNCTION = 16, DIVISION = 5 };
/* Values of the loops that do not move a part, times its cycles: fewer are not worth the pass. A register tile computes
 * a part once for 16 or more of them. */
enum { LEAST_SAVED = 128 };
/* Cycles of the cheapest part that is worth its pass beside an expression without a sum, which is computed once. */
enum { LEAST_DEAR = FUNCTION };
/* Statements of a kernel: each call computes the dependences of all of them. */
enum { MOST_STATEMENTS = 24 };

static void add_cycles(sq_expr *e, void *user)
{
    const sq_op_info *op = sq_op_get(e->op);
    bool rounds = e->op == SQ_OP_ABS || e->op == SQ_OP_FLOOR || e->op == SQ_OP_CEIL;
    bool divides = e->op == SQ_OP_DIV || e->op == SQ_OP_MOD || e->op == SQ_OP_SQRT || e->op == SQ_OP_RSQRT;
    *(int *)user += divides ? DIVISION : op->function[0][0] && !rounds ? FUNCTION : op->flops;
}

/* Returns the most values of dimension d at one point of those that move the part, if a band limits them; else
 * INFINITY. */
static double most_along(const sq_hoist *x, const sq_hoisted *part, int d)
{
    isl_set *all = isl_set_reset_tuple_id(isl_set_copy(part->in_body ? x->of->updates : x->of->domain));
    int at = d;
    for (int e = (int)isl_set_dim(all, isl_dim_set) - 1; e >= 0; e--) {
        if (!sq_expr_moves(part->value, e))
            continue;
        all = isl_set_move_dims(all, isl_dim_param, 0, isl_dim_set, (unsigned)e, 1);
        at -= e < d;
    }
    isl_pw_aff *first = isl_set_dim_min(isl_set_copy(all), at);
    isl_val *width = isl_pw_aff_max_val(isl_pw_aff_sub(isl_set_dim_max(all, at), first));
    double n = isl_val_is_int(width) == isl_bool_true ? isl_val_get_d(width) + 1 : INFINITY;
    isl_val_free(width);
    return n;
}

/* Returns how often each element of the part is used. */
static double uses(const sq_hoist *x, const sq_hoisted *part, const sq_shape *h)
{
    double n = 1;
    for (int d = 0; d < (part->in_body ? x->of->ndim : x->of->nfree); d++)
        if (!sq_expr_moves(part->value, d))
            n *= fmin((double)h->extent[d], most_along(x, part, d));
    return n;
}

/* True if online() has a form of the kernel: it takes exponentials, and computes them in tiles. */
static bool has_online_form(sq_schedule *s, sq_arena *a)
{
    sq_form form[SQ_MAX_FORMS];
    int n = sq_forms_find(s, a, form);
    for (int i = 0; i < n; i++)
        if (form[i].most)
            return true;
    return false;
}

static bool pays(const sq_hoist *x, const sq_hoisted *part, const sq_shape *h)
{
    int cycles = 0;
    sq_expr_walk((sq_expr *)part->value, add_cycles, &cycles);
    return cycles >= (part->in_body ? 1 : LEAST_DEAR) && cycles * uses(x, part, h) >= LEAST_SAVED;
}

/* Returns the call for the parts of the statement that pay; NULL: there are none. */
static const char *call_for(const sq_schedule *s, const sq_stmt *of, const int64_t *sizes, sq_arena *a)
{
    sq_hoist x;
    sq_shape h;
    sq_hoist_find(s->kernel, of, &x);
    if (x.n == 0)
        return NULL;
    sq_shape_of(s->kernel, sq_group_new(s->kernel, of, a), sizes, a, &h);
    const char *call = sq_arena_printf(a, "hoist(%s", of->name);
    int n = 0;
    for (int p = 0; p < x.n; p++)
        n += pays(&x, &x.part[p], &h);
    for (int p = 0; p < x.n && n < x.n; p++)
        if (pays(&x, &x.part[p], &h))
            call = sq_arena_printf(a, "%s, %s", call, x.part[p].of->name);
    return n ? sq_arena_printf(a, "%s) ", call) : NULL;
}

void sq_draft_hoist(sq_schedule *s, const int64_t *sizes, sq_arena *a, sq_text *script)
{
    int nstmts = s->kernel->nstmts;
    for (int i = 0; s->kernel->deps && nstmts <= MOST_STATEMENTS && i < s->kernel->nstmts; i++) {
        const sq_stmt *of = s->kernel->stmt[i];
        const char *call = of->ndim <= SQ_MAX_DIMS ? call_for(s, of, sizes, a) : NULL;
        if (!call || has_online_form(s, a) || !sq_script_try(s, call, a))
            continue;
        sq_text_puts(script, call);
        while (strcmp(s->kernel->stmt[i]->name, of->name) != 0)
            i++; /* the new statements come before it */
    }
}

int sq_draft_hoisted(const sq_schedule *s)
{
    int n = 0;
    for (int i = 0; i < s->kernel->narrays; i++)
        n += s->kernel->array[i]->is_hoisted;
    return n;
}

bool sq_draft_hoist_involves(const sq_schedule *s, int i)
{
    const sq_kernel *k = s->kernel;
    for (int j = 0; j < k->nstmts; j++)
        for (int a = 0; a < k->narrays; a++)
            if (k->array[a]->is_hoisted && sq_stmt_reads_array(k->stmt[j], k->array[a]) &&
                sq_stmt_involves_size(k, k->stmt[j], i))
                return true;
    return false;
}
