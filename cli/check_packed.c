/* Check packed: see check_packed.h. */
#include "cli/check_packed.h"
#include "codegen/emit.h"
#include "codegen/file/packed.h"
#include "tuner/measure/case_spec.h"
#include <math.h>

/* The arguments of a call; packed: what stands for packed arrays. */
static void put_arguments(const sq_kernel *k, bool all, const char *packed, const char *last, sq_text *to)
{
    const char *comma = "";
    for (int p = 0; p < k->nparams; p++) {
        const sq_param *q = &k->param[p];
        if (!(q->size ? sq_param_shown(q) : all))
            continue;
        sq_text_printf(to, "%s%s", comma, q->array && q->array->is_packed ? packed : sq_param_name(q));
        comma = ", ";
    }
    if (last)
        sq_text_printf(to, "%s%s", comma, last);
}

/* Calls that have to refuse what they are given: no memory, and memory that nothing was packed into. */
static const char *refusals(const sq_kernel *k, const char *function, const char *passed)
{
    static const char *const wrong[] = {"(void *)0", "(squall_wrong + (-(__UINTPTR_TYPE__)squall_wrong & 63))",
                                        "(squall_wrong + (1 - (__UINTPTR_TYPE__)squall_wrong & 63))"};
    sq_text t = {0};
    sq_text_puts(&t, "    SQ_RUN(unsigned char squall_wrong[192] = {0};\n");
    for (int i = 0; i < 3; i++) {
        sq_text_printf(&t, "    if (!%s(", function);
        put_arguments(k, true, wrong[i], passed, &t);
        sq_text_puts(&t, "))\n        __builtin_abort(); /* it does not refuse what is not packed */\n");
    }
    for (int p = 0; p < k->nparams; p++) {
        const sq_array *a = k->param[p].array;
        if (!a || !a->is_packed)
            continue;
        for (int i = 0; i < 3; i += 2) {
            sq_text_printf(&t, "    if (!%s(", sq_packed_function(k->name, a, k->arena));
            put_arguments(k, false, NULL, sq_arena_printf(k->arena, "%s, %s", a->name, wrong[i]), &t);
            sq_text_puts(&t, "))\n        __builtin_abort(); /* it packs into memory that is none, or misaligned */\n");
        }
    }
    sq_text_puts(&t, "    )\n");
    return sq_text_take(&t, k->arena);
}

/* The wrapper of one function; NULL: there is none. */
static void wrap(const sq_kernel *k, const char **function, const char *suffix, const char *declared,
                 const char *passed, sq_text *to)
{
    if (!*function)
        return;
    const char *wrapper = sq_arena_printf(k->arena, "squall_packs_%s%s", k->name, suffix);
    sq_packed_wrap(k,
                   &(sq_packed_call){.wrapper = wrapper,
                                     .function = *function,
                                     .packs = k->name,
                                     .declared = declared,
                                     .passed = passed,
                                     .before = refusals(k, *function, passed)},
                   to);
    *function = wrapper;
}

void sq_check_packed_put(const sq_kernel *k, sq_check_functions *f, sq_text *to)
{
    wrap(k, &f->k, "", NULL, NULL, to);
    wrap(k, &f->in, "_in", ", void *squall_given", "squall_given", to);
    wrap(
        k, &f->on, "_on",
        sq_arena_printf(k->arena, ", void *squall_given, int squall_n, %s_run squall_runs, void *squall_pool", k->name),
        "squall_given, squall_n, squall_runs, squall_pool", to);
}

/* ---- bytes ---- */

/* Returns how many points of dimension d there are at most: elements along the axis that it moves. */
static double points_along(const sq_kernel *k, const sq_ref *r, int d, const int64_t *sizes)
{
    for (int a = 0; a < r->nsubs; a++)
        if (r->coef[a][d])
            return (double)sq_size_value(k, r->array->extent[a], sizes);
    return 1;
}

/* Returns the bytes of the copies that a pack makes. */
static double bytes_of(const sq_schedule *s, const sq_group *g, const sq_pack *p, const int64_t *sizes,
                       sq_arena *arena)
{
    int nrefs;
    const char *why;
    sq_ref **ref = sq_refs_new(g, sq_code_pool_new(arena), &nrefs),
           **served = SQ_NEW_ARRAY(arena, sq_ref *, nrefs);
    int n = sq_refs_served(p, ref, nrefs, served);
    const sq_buffer *b = n ? sq_buffer_new(g, p, served, n, arena, &why) : NULL;
    if (!b)
        return 0;
    double bytes = (double)b->elements * sq_type_bytes(b->type);
    for (int l = 0; l <= p->loop; l++) {
        const sq_loop *x = &g->loop[l];
        if (!sq_ref_depends(served[0], x->dim))
            continue;
        int around = sq_loop_around(g, l);
        double all = around < 0 ? points_along(s->kernel, served[0], x->dim, sizes) : (double)g->loop[around].step;
        bytes *= ceil(all / (double)x->step);
    }
    return bytes;
}

double sq_check_packed_bytes(const sq_schedule *s, const int64_t *sizes)
{
    double bytes = 0;
    sq_arena *arena = sq_arena_new();
    for (int i = 0; i < s->ngroups; i++)
        for (int p = 0; p < s->group[i]->npacks && s->group[i]->kind == SQ_GROUP_TILED; p++)
            if (s->group[i]->pack[p].array->is_packed)
                bytes += bytes_of(s, s->group[i], &s->group[i]->pack[p], sizes, arena);
    sq_arena_free(arena);
    return bytes;
}
