/* Rewrite: see rewrite.h. Copies own their isl objects; expressions share nothing, because every
 * access is freed with its statement. */
#include "ir/dependence/rewrite.h"
#include "ir/kernel/narrow.h"
#include "ir/dependence/deps.h"
#include "ir/dependence/inside.h"
#include "ir/schedule/tree.h"
#include "support/diag.h"
#include "support/text.h"
#include <string.h>

typedef struct made {
    const char *call; /* NULL: was not finished */
    sq_kernel *kernel;
    const sq_schedule *start;
    const sq_kernel *of; /* the original kernel, with which it shares some arrays */
    struct made *next;
} made;

struct sq_rewritten {
    made *first;
};

/* ---- kernels ---- */

const sq_schedule *sq_rewritten_find(const sq_kernel *k, const char *call)
{
    for (const made *m = k->rewritten ? k->rewritten->first : NULL; m; m = m->next)
        if (m->call && strcmp(m->call, call) == 0)
            return m->start;
    return NULL;
}

sq_kernel *sq_rewritten_begin(const sq_kernel *k, int nstmts)
{
    if (!k->rewritten)
        return NULL;
    sq_kernel *n = SQ_NEW(k->arena, sq_kernel);
    *n = *k;
    n->nstmts = 0;
    n->stmt = SQ_NEW_ARRAY(k->arena, sq_stmt *, nstmts + 1);
    n->array = SQ_NEW_ARRAY(k->arena, sq_array *, k->narrays + SQ_MOST_NEW_ARRAYS);
    memcpy(n->array, k->array, (size_t)k->narrays * sizeof *n->array);
    n->context = isl_set_copy(k->context);
    n->shapes = isl_set_copy(k->shapes);
    n->deps = NULL;
    n->described = k->described ? k->described : k;
    n->pairs = NULL;
    n->tree_kept = NULL;
    n->inside_kept = NULL; /* those are k's */
    sq_inside_drop(n);
    n->rewritten = SQ_NEW(k->arena, struct sq_rewritten);
    n->rewritten->first = NULL;
    made *m = SQ_NEW(k->arena, made);
    *m = (made){.kernel = n, .of = k, .next = k->rewritten->first};
    k->rewritten->first = m;
    return n;
}

/* Loops are identified by the name of their dimension. */
static void expect_names(const sq_stmt *s)
{
    for (int d = 0; d < s->ndim; d++)
        for (int e = 0; e < d; e++)
            if (strcmp(s->dim[d], s->dim[e]) == 0)
                sq_bug(__func__, "%s has two dimensions '%s'", s->name, s->dim[d]);
}

void sq_rewritten_keep(const sq_kernel *k, sq_kernel *n, const sq_schedule *start, const char *call)
{
    for (made *m = k->rewritten->first; m; m = m->next)
        if (m->kernel == n)
            m->call = call, m->start = start;
}

int sq_rewritten_end(const sq_kernel *k, sq_kernel *n, const sq_schedule *start, const char *call,
                     const char **why)
{
    if (!start) {
        *why = "the statements would have too many dimensions";
        return -1;
    }
    sq_diags *d = sq_diags_new();
    for (int i = 0; i < n->nstmts; i++)
        n->stmt[i]->position = i, expect_names(n->stmt[i]);
    sq_kernel_narrow(n);
    int rc = sq_deps_compute(n, d);
    if (rc) {
        const char *text = sq_diags_message(d, 0);
        *why = sq_arena_strdup(k->arena, text ? text : "the dependences cannot be computed");
    } else {
        sq_rewritten_keep(k, n, start, call);
    }
    sq_diags_free(d);
    return rc;
}

void sq_rewritten_tune(sq_kernel *k, int64_t (*rows)[SQ_MAX_SIZES], int n)
{
    k->tune = rows;
    k->ntune = n;
    for (made *m = k->rewritten ? k->rewritten->first : NULL; m; m = m->next)
        sq_rewritten_tune(m->kernel, rows, n);
}

static bool is_taken(const sq_kernel *k, const char *name)
{
    bool found = strcmp(k->name, name) == 0 || sq_kernel_array(k, name);
    for (int i = 0; i < k->nparams; i++)
        found |= strcmp(sq_param_name(&k->param[i]), name) == 0;
    for (int i = 0; i < k->nstmts; i++) {
        found |= strcmp(k->stmt[i]->name, name) == 0;
        for (int d = 0; d < k->stmt[i]->ndim; d++)
            found |= strcmp(k->stmt[i]->dim[d], name) == 0;
    }
    return found;
}

const char *sq_rewritten_name(const sq_kernel *n, const sq_kernel *of, const char *stem,
                              const char *end)
{
    const char *name = sq_arena_printf(n->arena, "%s%s", stem, end);
    for (int i = 2; is_taken(n, name) || is_taken(of, name); i++)
        name = sq_arena_printf(n->arena, "%s%s%d", stem, end, i);
    return name;
}

static bool inherits(const made *m, int array)
{
    return array < m->of->narrays && m->kernel->array[array] == m->of->array[array];
}

static void free_made(made *m)
{
    sq_kernel *k = m->kernel;
    sq_rewritten_free(k);
    for (int i = 0; i < k->nstmts; i++)
        sq_stmt_free(k->stmt[i]);
    for (int i = 0; i < k->narrays; i++)
        for (int d = 0; d < k->array[i]->ndim && !inherits(m, i); d++)
            isl_aff_free(k->array[i]->extent[d]);
    isl_set_free(k->context);
    isl_set_free(k->shapes);
    isl_union_map_free(k->deps);
    sq_tree_deps_drop(k);
}

void sq_rewritten_free(sq_kernel *k)
{
    for (made *m = k->rewritten ? k->rewritten->first : NULL; m; m = m->next)
        free_made(m);
    k->rewritten = SQ_NEW(k->arena, struct sq_rewritten);
    k->rewritten->first = NULL;
    sq_inside_drop(k);
}

/* ---- copies ---- */

sq_access *sq_access_new(const sq_kernel *k, sq_array *a, isl_multi_aff *map, sq_loc loc)
{
    sq_access *c = SQ_NEW(k->arena, sq_access);
    *c = (sq_access){.array = a,
                     .map = isl_multi_aff_set_tuple_name(map, isl_dim_out, a->name),
                     .edge = SQ_EDGE_NONE,
                     .loc = loc};
    return c;
}

isl_aff *sq_aff_moved(isl_aff *a, isl_multi_aff *by)
{
    isl_aff *x = isl_aff_align_params(isl_aff_copy(a), isl_multi_aff_get_space(by));
    isl_space *all = isl_aff_get_domain_space(x);
    return isl_aff_pullback_multi_aff(x, isl_multi_aff_align_params(isl_multi_aff_copy(by), all));
}

sq_access *sq_access_copied(const sq_kernel *k, const sq_access *a, isl_multi_aff *by)
{
    sq_access *c = SQ_NEW(k->arena, sq_access);
    *c = *a;
    c->map = isl_multi_aff_copy(a->map);
    c->where = isl_set_copy(a->where);
    if (by) {
        c->map = isl_multi_aff_pullback_multi_aff(c->map, isl_multi_aff_copy(by));
        if (c->where)
            c->where = isl_set_preimage_multi_aff(c->where, isl_multi_aff_copy(by));
    }
    return c;
}

sq_expr *sq_expr_copied(const sq_kernel *k, const sq_expr *e, isl_multi_aff *by,
                        sq_expr_instead *instead, void *user)
{
    sq_expr *other = e && e->op == SQ_OP_READ && instead ? instead(e, user) : NULL;
    if (!e || other)
        return other;
    sq_expr *c = SQ_NEW(k->arena, sq_expr);
    *c = *e;
    for (int i = 0; i < e->nargs; i++)
        c->arg[i] = sq_expr_copied(k, e->arg[i], by, instead, user);
    if (e->access)
        c->access = sq_access_copied(k, e->access, by);
    c->index = e->index && by ? sq_aff_moved(e->index, by) : isl_aff_copy(e->index);
    return c;
}

sq_stmt *sq_stmt_copied(const sq_kernel *k, const sq_stmt *s, sq_expr_instead *instead, void *user)
{
    sq_stmt *c = SQ_NEW(k->arena, sq_stmt);
    *c = *s;
    if (s->counted)
        c->counted = SQ_NEW_ARRAY(k->arena, isl_aff *, s->ndim);
    for (int d = 0; s->counted && d < s->ndim; d++)
        c->counted[d] = isl_aff_copy(s->counted[d]);
    c->domain = isl_set_copy(s->domain);
    c->updates = isl_set_copy(s->updates);
    c->textual = isl_map_copy(s->textual);
    c->write = sq_access_copied(k, s->write, NULL);
    c->body = sq_expr_copied(k, s->body, NULL, instead, user);
    c->value = sq_expr_copied(k, s->value, NULL, instead, user);
    return c;
}

/* ---- schedules ---- */

void sq_schedule_rewritten(sq_schedule *s, const sq_schedule *start, const char *call)
{
    sq_schedule *copy = sq_schedule_copy(start, start->kernel->arena);
    const char *before = s->rewritten;
    *s = *copy;
    s->start = start;
    s->rewritten = before ? sq_arena_printf(start->kernel->arena, "%s %s", before, call) : call;
}

bool sq_schedule_untouched(const sq_schedule *s)
{
    sq_text script = {0};
    sq_schedule_print(s, &script);
    bool same = strcmp(sq_text_str(&script), s->rewritten ? s->rewritten : "") == 0;
    sq_text_free(&script);
    return same;
}
