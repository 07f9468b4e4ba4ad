/* Bindings: see bindings.h. */
#include "codegen/file/bindings.h"
#include "codegen/emit.h"
#include "codegen/file/views.h"
#include "codegen/print/names.h"
#include <inttypes.h>
#include <isl/aff.h>
#include <isl/val.h>
#include <string.h>

const sq_binding *const sq_binding_rows[] = {&sq_binding_rust, &sq_binding_python, &sq_binding_cpp,
                                             NULL};

const sq_binding *sq_binding_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    for (int i = 0; dot && sq_binding_rows[i]; i++)
        if (strcmp(dot, sq_binding_rows[i]->suffix) == 0)
            return sq_binding_rows[i];
    return NULL;
}

/* k: whose parameters have other names; NULL for the name of a function. */
static const char *name_in(const sq_binding *b, const sq_kernel *k, const char *name, sq_arena *arena)
{
    const char *free_one = sq_arena_strdup(arena, name);
    while (b->is_word(free_one) || (k && strcmp(free_one, name) != 0 && sq_names_taken(k, free_one)))
        free_one = sq_arena_printf(arena, "%s_", free_one);
    return free_one;
}

void sq_binding_print(const sq_binding *b, const char *provenance, sq_bound_kernel *of, int n, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    for (const char *line = provenance; line && *line;) {
        size_t length = strcspn(line, "\n");
        sq_text_printf(to, "%s%s%.*s\n", b->comment, length ? " " : "", (int)length, line);
        line += length + (line[length] == '\n');
    }
    for (int i = 0; i < n; i++) {
        of[i].name = name_in(b, NULL, of[i].function, arena);
        of[i].language = b;
        of[i].arena = arena;
    }
    b->put(of, n, to);
    sq_arena_free(arena);
}

bool sq_binding_listed(const char *const *words, const char *name)
{
    for (; *words; words++)
        if (strcmp(*words, name) == 0)
            return true;
    return false;
}

const char *sq_binding_name(const sq_bound_kernel *of, const char *name)
{
    return name_in(of->language, of->k, name, of->arena);
}

/* "list, element"; without the comma where one of them is empty. */
static const char *joined(const sq_bound_kernel *of, const char *list, const char *element)
{
    return sq_arena_printf(of->arena, "%s%s%s", list, *list && *element ? ", " : "", element);
}

const char *sq_binding_params(const sq_bound_kernel *of, bool all, sq_binding_param *param, int form,
                              const char *more)
{
    const char *list = "";
    for (const sq_param *p = of->k->param; p < of->k->param + of->k->nparams; p++)
        if (sq_param_shown(p) && (all || p->size))
            list = joined(of, list, param(of, p, form));
    return joined(of, list, more);
}

const char *sq_binding_views(const sq_bound_kernel *of, bool all, sq_binding_param *param, int form,
                             const char *more)
{
    const char *list = "";
    for (const sq_param *p = of->k->param; p < of->k->param + of->k->nparams; p++)
        if (sq_views_passes(of->views, p) && (all || !p->scalar))
            list = joined(of, list, param(of, p, form));
    return joined(of, list, more);
}

const char *sq_binding_packing(const sq_bound_kernel *of, const sq_array *a, sq_binding_param *param, int form,
                               const char *more)
{
    sq_array plain = *a;
    plain.is_packed = false;
    const char *array = param(of, &(sq_param){.array = &plain}, form);
    return sq_binding_params(of, false, param, form, joined(of, array, more));
}

bool sq_binding_is_new(const sq_bound_kernel *of, int i, const sq_param *p)
{
    const sq_array *a = p->array;
    for (int j = 0; j <= i; j++)
        for (int q = 0; q < of[j].k->nparams; q++) {
            const sq_array *b = of[j].k->param[q].array;
            if (a && b && b->type == a->type && b->ndim == a->ndim && (b->role == SQ_IN) == (a->role == SQ_IN))
                return &of[j].k->param[q] == p;
        }
    return false;
}

/* ---- extents ---- */

typedef struct printer {
    const sq_binding *b;
    const sq_kernel *k;
    sq_arena *arena;
    sq_text *to;
} printer;

static int64_t number_of(isl_val *v /* __isl_take */)
{
    int64_t n = isl_val_get_num_si(v);
    isl_val_free(v);
    return n;
}

/* What stands in front of a term: a sign, and a factor that is not 1. */
static void put_factor(int64_t factor, bool first, sq_text *to)
{
    sq_text_puts(to, factor < 0 ? first ? "-" : " - " : first ? "" : " + ");
    int64_t size = factor < 0 ? -factor : factor;
    if (size != 1)
        sq_text_printf(to, "%" PRId64 " * ", size);
}

static void put_number(const printer *p, int64_t number)
{
    sq_text_printf(p->to, "%" PRId64 "%s", number, p->b->suffix_of_number);
}

static void put_size(const printer *p, const char *name)
{
    const sq_size *s = p->k->size[0];
    for (int i = 0; i < p->k->nsizes; i++)
        if (strcmp(p->k->size[i]->name, name) == 0)
            s = p->k->size[i];
    if (s->fixed) {
        put_number(p, s->value);
        return;
    }
    const char *format = s->is_size_t ? p->b->widen_size_t : p->b->widen, *at = strchr(format, '@');
    sq_text_printf(p->to, "%.*s%s%s", (int)(at - format), format,
                   name_in(p->b, p->k, name, p->arena), at + 1);
}

static void put_affine(const printer *p, isl_aff *a /* __isl_take */);

/* Of whole coefficients. */
static void put_sum(const printer *p, isl_aff *a /* __isl_keep */)
{
    int shown = 0, np = (int)isl_aff_dim(a, isl_dim_param), nd = (int)isl_aff_dim(a, isl_dim_div);
    for (int i = 0; i < np; i++) {
        int64_t c = number_of(isl_aff_get_coefficient_val(a, isl_dim_param, i));
        if (c == 0)
            continue;
        put_factor(c, shown++ == 0, p->to);
        put_size(p, isl_aff_get_dim_name(a, isl_dim_param, (unsigned)i));
    }
    for (int i = 0; i < nd; i++) {
        int64_t c = number_of(isl_aff_get_coefficient_val(a, isl_dim_div, i));
        if (c == 0)
            continue;
        put_factor(c, shown++ == 0, p->to);
        put_affine(p, isl_aff_get_div(a, i));
    }
    int64_t constant = number_of(isl_aff_get_constant_val(a));
    if (shown == 0)
        put_number(p, constant);
    else if (constant != 0)
        sq_text_printf(p->to, " %c %" PRId64, constant < 0 ? '-' : '+',
                       constant < 0 ? -constant : constant);
}

/* True if it is a number, or a size by itself. */
static bool is_single(isl_aff *a /* __isl_keep */)
{
    int terms = number_of(isl_aff_get_constant_val(a)) != 0;
    for (int i = 0; i < (int)isl_aff_dim(a, isl_dim_param); i++) {
        int64_t c = number_of(isl_aff_get_coefficient_val(a, isl_dim_param, i));
        terms += c == 1 ? 1 : c ? 2 : 0;
    }
    return terms <= 1 && isl_aff_dim(a, isl_dim_div) == 0;
}

/* Rounded down, where it has a denominator. */
static void put_affine(const printer *p, isl_aff *a)
{
    isl_val *denominator = isl_aff_get_denominator_val(a);
    int64_t by = isl_val_get_num_si(denominator);
    a = isl_aff_scale_val(a, denominator);
    bool plain = by == 1 && is_single(a);
    sq_text_puts(p->to, plain ? "" : by == 1 ? "(" : p->b->first_floor);
    put_sum(p, a);
    if (by != 1)
        sq_text_printf(p->to, "%s%" PRId64, p->b->mid_floor, by);
    sq_text_puts(p->to, plain ? "" : ")");
    isl_aff_free(a);
}

/* Extent d of parameter p as a kernel has it; in the arena. */
static const char *extent_of(const printer *p, const sq_kernel *k, int param, int d)
{
    sq_text t = {0};
    const printer own = {p->b, k, p->arena, &t};
    put_affine(&own, isl_aff_copy(k->param[param].array->extent[d]));
    return sq_text_take(&t, p->arena);
}

/* "S == 1 && D == 2" */
static void put_condition(const printer *p, const sq_kernel *k)
{
    const char *joint = "";
    for (int s = 0; s < k->nsizes; s++)
        if (k->size[s]->kept) {
            sq_text_printf(p->to, "%s%s == %" PRId64, joint, name_in(p->b, k, k->size[s]->name, p->arena),
                           k->size[s]->value);
            joint = sq_arena_printf(p->arena, " %s ", p->b->and);
        }
}

/* The extent under the constants of each kernel from way i on; the last holds for all that are left. */
static void put_extent(const printer *p, const sq_ways *w, int i, int param, int d)
{
    const char *own = extent_of(p, w->of[i].kernel, param, d);
    int other = i, next = i;
    while (next < w->n && w->of[next].kernel == w->of[i].kernel)
        next++;
    while (other < w->n && strcmp(extent_of(p, w->of[other].kernel, param, d), own) == 0)
        other++;
    if (other == w->n) {
        sq_text_puts(p->to, own);
        return;
    }
    for (const char *c = p->b->either; *c; c++)
        if (*c == '@')
            put_condition(p, w->of[i].kernel);
        else if (*c == '1')
            sq_text_puts(p->to, own);
        else if (*c == '2')
            put_extent(p, w, next, param, d);
        else
            sq_text_putn(p->to, c, 1);
}

const char *sq_binding_extents(const sq_bound_kernel *of, int p, const char *between)
{
    sq_text all = {0};
    printer own = {of->language, of->k, of->arena, &all};
    sq_way alone = {.kernel = of->k};
    const sq_ways one = {1, &alone};
    for (int d = 0; d < of->k->param[p].array->ndim; d++) {
        sq_text_puts(&all, d ? between : "");
        put_extent(&own, of->ways ? of->ways : &one, 0, p, d);
    }
    return sq_text_take(&all, of->arena);
}
