/* Signature: the order in which the emitted function takes its parameters. In a description sizes stand before the
 * arrays that use them, and callers of a function that exists already may have them elsewhere:
 *     #pragma squall parameters M N K alpha A lda B ldb beta C ldc
 * What is emitted goes through the kernel's list of parameters, so it is the list that is put into that order. */
#include "frontend/build.h"
#include "support/nearest.h"
#include "support/text.h"
#include <string.h>

static const char between[] = " \t,";

typedef struct reading {
    sq_reader *r;
    const sq_pragma *p;
    sq_kernel *k;
    int *place; /* of each parameter as written; -1: not named yet */
    int n;      /* named so far */
} reading;

static int unknown_name(const reading *x, const char *at, const char *name)
{
    const char **known = SQ_NEW_ARRAY(x->r->arena, const char *, x->k->nparams + 1);
    for (int i = 0; i < x->k->nparams; i++)
        known[i] = sq_param_name(&x->k->param[i]);
    sq_error(x->r->d, SQ_FAULT_INPUT, sq_pragma_part(x->p, at, strlen(name)),
             "kernel '%s' has no parameter '%s'", x->k->name, name);
    sq_suggest(x->r->d, name, sq_nearest(name, known, (size_t)x->k->nparams));
    return -1;
}

static int read_name(reading *x, const char *at, size_t n)
{
    const char *name = sq_arena_strndup(x->r->arena, at, n);
    int i = 0;
    while (i < x->k->nparams && strcmp(sq_param_name(&x->k->param[i]), name) != 0)
        i++;
    if (i == x->k->nparams)
        return unknown_name(x, at, name);
    if (x->place[i] >= 0)
        return sq_error(x->r->d, SQ_FAULT_INPUT, sq_pragma_part(x->p, at, n),
                        "this line names '%s' twice; it names every parameter once", name);
    x->place[i] = x->n++;
    return 0;
}

/* 'beta', 'ldc' */
static int missing_names(const reading *x)
{
    sq_text names = {0};
    for (int i = 0; i < x->k->nparams; i++)
        if (x->place[i] < 0)
            sq_text_printf(&names, "%s'%s'", names.n ? ", " : "", sq_param_name(&x->k->param[i]));
    return sq_error(x->r->d, SQ_FAULT_INPUT, x->p->loc,
                    "this line does not name %s; it names every parameter of '%s' once, in the order of the emitted "
                    "function",
                    sq_text_take(&names, x->r->arena), x->k->name);
}

static int read_names(reading *x)
{
    const char *at = x->p->text + strcspn(x->p->text, between);
    int rc = 0;
    for (at += strspn(at, between); *at; at += strspn(at, between)) {
        size_t n = strcspn(at, between);
        rc |= read_name(x, at, n);
        at += n;
    }
    return rc == 0 && x->n < x->k->nparams ? missing_names(x) : rc;
}

static void reorder(const reading *x)
{
    sq_kernel *k = x->k;
    sq_param *param = SQ_NEW_ARRAY(k->arena, sq_param, k->nparams);
    for (int i = 0; i < k->nparams; i++)
        param[x->place[i]] = k->param[i];
    k->param = param;
    k->written = x->place;
}

static int refuse_region(sq_reader *r, const sq_pragma *p)
{
    return sq_error(r->d, SQ_FAULT_INPUT, p->loc,
                    "the function of a region is called by the new file alone, which passes what the region uses: it "
                    "has no order that callers know");
}

int sq_signature_order(sq_reader *r, const sq_pragmas *p, sq_kernel *k, int from, int to, bool is_region)
{
    const sq_pragma *before = NULL;
    for (int i = 0; i < p->n; i++) {
        const sq_pragma *one = &p->p[i];
        if (one->loc.line <= from || one->loc.line > to || !sq_pragma_is(one, "parameters"))
            continue;
        if (is_region)
            return refuse_region(r, one);
        if (before)
            return sq_error(r->d, SQ_FAULT_INPUT, one->loc,
                            "the parameters of '%s' have an order already, from line %d; one line names them all",
                            k->name, before->loc.line);
        reading x = {r, one, k, SQ_NEW_ARRAY(k->arena, int, k->nparams + 1), 0};
        for (int q = 0; q < k->nparams; q++)
            x.place[q] = -1;
        if (read_names(&x))
            return -1;
        reorder(&x);
        before = one;
    }
    return 0;
}
