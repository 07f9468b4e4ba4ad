/* Accepts: for which sizes the emitted function computes something. Sizes are compared in 64 bits,
 * products of extents are proven not to overflow or multiplied with a check, so that no index
 * computed after the entry can. */
#include "codegen/file/function_inside.h"
#include "codegen/nest/text_of.h"
#include "ir/kernel/touch.h"
#include "support/limits.h"
#include <isl/constraint.h>
#include <isl/set.h>
#include <isl/val.h>
#include <math.h>
#include <string.h>

/* ---- what the kernel demands ---- */

static double coefficient(isl_val *v)
{
    double d = isl_val_get_d(v);
    isl_val_free(v);
    return d;
}

/* More than an extent can be, from the types of the sizes. */
static double most(const sq_kernel *k, isl_aff *extent)
{
    double sum = fabs(coefficient(isl_aff_get_constant_val(extent)));
    int nparam = (int)isl_aff_dim(extent, isl_dim_param),
        ndiv = (int)isl_aff_dim(extent, isl_dim_div);
    for (int p = 0; p < nparam; p++) {
        const char *name = isl_aff_get_dim_name(extent, isl_dim_param, (unsigned)p);
        double limit = 0;
        for (int i = 0; i < k->nsizes; i++)
            if (strcmp(k->size[i]->name, name) == 0)
                limit = k->size[i]->type == SQ_I32 ? 0x1p31 : 0x1p63;
        sum += limit * fabs(coefficient(isl_aff_get_coefficient_val(extent, isl_dim_param, p)));
    }
    for (int i = 0; i < ndiv; i++) {
        double c = coefficient(isl_aff_get_coefficient_val(extent, isl_dim_div, i));
        isl_aff *div = c != 0 ? isl_aff_get_div(extent, i) : NULL;
        if (div)
            sum += fabs(c) * (most(k, div) + 1);
        isl_aff_free(div);
    }
    return sum;
}

/* True if the number of its elements may exceed 2^63. */
static bool may_overflow(const sq_kernel *k, const sq_array *a)
{
    double n = 1;
    for (int x = 0; x < a->ndim; x++)
        n *= fmax(1, most(k, a->extent[x]));
    return a->ndim > 1 && n >= 0x1p63; /* one extent fits its type */
}

static bool any_overflow(const sq_kernel *k)
{
    for (int i = 0; i < k->narrays; i++)
        if (may_overflow(k, sq_array_described(k->array[i])))
            return true;
    return false;
}

/* Sizes of 64 bits could make sums in bounds and conditions pass 2^63; no memory holds what would.
 */
static bool any_wide(const sq_kernel *k)
{
    for (int i = 0; i < k->nsizes; i++)
        if (!k->size[i]->fixed && sq_type_bytes(k->size[i]->type) == 8)
            return true;
    return false;
}

/* The greatest sum of factors in a constraint. */
static isl_stat add_constraint(isl_constraint *c /* __isl_take */, void *user)
{
    static const enum isl_dim_type types[] = {isl_dim_param, isl_dim_set, isl_dim_div};
    double sum = 0, *greatest = user;
    for (int t = 0; t < 3; t++)
        for (int i = 0; i < isl_constraint_dim(c, types[t]); i++)
            sum += fabs(coefficient(isl_constraint_get_coefficient_val(c, types[t], i)));
    *greatest = fmax(*greatest, sum);
    isl_constraint_free(c);
    return isl_stat_ok;
}

static isl_stat add_part(isl_basic_set *part /* __isl_take */, void *user)
{
    isl_basic_set_foreach_constraint(part, add_constraint, user);
    isl_basic_set_free(part);
    return isl_stat_ok;
}

/* So far a 64-bit size may lie from 0, as a power of 2: SQ_LARGEST_SIZE_BITS, less where it is multiplied by
 * more than a loop's points are. */
static int wide_bits(const sq_kernel *k)
{
    double greatest = 1;
    isl_set_foreach_basic_set(k->context, add_part, &greatest);
    for (int i = 0; i < k->nstmts; i++)
        isl_set_foreach_basic_set(k->stmt[i]->domain, add_part, &greatest);
    for (int i = 0; i < k->narrays; i++) {
        const sq_array *a = sq_array_described(k->array[i]);
        for (int x = 0; x < a->ndim; x++)
            greatest = fmax(greatest, most(k, a->extent[x]) / 0x1p63);
    }
    int bits = 61 - (int)ceil(log2(greatest));
    return bits < 8 ? 8 : bits > SQ_LARGEST_SIZE_BITS ? SQ_LARGEST_SIZE_BITS : bits;
}

/* What the sizes have to be; of products of sizes nothing has to be asked. __isl_keep */
static isl_set *demanded(const sq_kernel *k)
{
    return k->described ? k->described->context : k->context;
}

bool sq_accepts_fallback(const sq_kernel *k)
{
    return k->accepted && isl_set_is_subset(k->accepted, demanded(k)) == isl_bool_false;
}

/* True if some of these instances run at the sizes; NULL: there are none. */
static bool any_run(isl_set *instances /* __isl_keep */, isl_set *sizes /* __isl_keep */)
{
    if (!instances)
        return false;
    isl_set *at = isl_set_intersect(isl_set_params(isl_set_copy(instances)), isl_set_copy(sizes));
    bool any = isl_set_is_empty(at) != isl_bool_true;
    isl_set_free(at);
    return any;
}

/* True if text for the wider sizes has a part that runs at none of the others. */
static bool is_idle(const sq_kernel *k, isl_set *sizes, isl_set *wider)
{
    sq_kernel all = *(k->described ? k->described : k);
    bool idle = false;
    all.context = k->accepted;
    for (int i = 0; i < all.nstmts && !idle; i++) {
        const sq_stmt *s = all.stmt[i];
        isl_set *part[] = {sq_stmt_instances(&all, s, false), s->updates ? sq_stmt_instances(&all, s, true) : NULL,
                           s->updates ? sq_stmt_unreduced(&all, s) : NULL};
        for (int p = 0; p < 3; p++) {
            idle |= any_run(part[p], wider) && !any_run(part[p], sizes);
            isl_set_free(part[p]);
        }
    }
    return idle;
}

isl_set *sq_accepts_left(const sq_kernel *k)
{
    isl_set *left = isl_set_subtract(isl_set_copy(k->accepted), isl_set_copy(demanded(k)));
    left = isl_set_coalesce(left);
    isl_set *wider = isl_set_from_basic_set(isl_set_simple_hull(isl_set_copy(left)));
    wider = isl_set_intersect(wider, isl_set_copy(k->accepted));
    bool exactly = is_idle(k, left, wider); /* else conditions are shorter */
    isl_set_free(exactly ? wider : left);
    return exactly ? left : wider;
}

/* Sizes that are computed, by K or by what it falls back to. __isl_give */
static isl_set *accepted(const sq_kernel *k)
{
    return isl_set_copy(k->accepted ? k->accepted : demanded(k));
}

/* True if K refuses anything but negative sizes. */
bool sq_function_accepts(const sq_kernel *k)
{
    isl_set *all = accepted(k), *positive = isl_set_universe(isl_set_get_space(all));
    for (unsigned p = 0; p < (unsigned)isl_set_dim(all, isl_dim_param); p++)
        positive = isl_set_lower_bound_si(positive, isl_dim_param, p, 0);
    bool more = isl_set_is_subset(positive, all) != isl_bool_true || any_overflow(k) || any_wide(k);
    for (int i = 0; i < k->nsizes; i++)
        more |= k->size[i]->kept;
    isl_set_free(all);
    isl_set_free(positive);
    return more;
}

/* ---- as text ---- */

/* Of a comment: words of a text, in lines of a file's width. */
static void put_wrapped(const char *words, sq_text *to)
{
    enum { WIDTH = 100 };
    size_t column = 0;
    for (size_t n; *words; words += n + (words[n] == ' ')) {
        n = strcspn(words, " ");
        bool breaks = column + 1 + n > WIDTH;
        if (column == 0 || breaks)
            sq_text_puts(to, breaks ? "\n *  " : " *");
        column = (breaks ? 4 : column ? column : 2) + 1 + n;
        sq_text_printf(to, " %.*s", (int)n, words);
    }
    sq_text_puts(to, "\n");
}

/* A sentence about what lies in the set; `known` of the sizes goes without saying. What only functions of
 * the emitted text can say has no sentence. Takes set. */
static void put_sentence(const char *before, isl_set *set, isl_set *known, const char *behind, sq_arena *arena,
                         sq_text *to)
{
    sq_code_keys called = sq_uses_none(arena);
    const sq_uses uses = {.helpers = &called};
    const char *text = sq_set_text_with(set, known, &(sq_text_calls){.uses = &uses}, arena);
    if (text && called.n == 0)
        put_wrapped(sq_arena_printf(arena, "%s%s%s", before, text, behind), to);
}

void sq_accepts_describe(const sq_kernel *k, bool falls_back, const char *others, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    isl_set *taken = falls_back ? accepted(k) : isl_set_copy(demanded(k));
    isl_set *positive = isl_set_universe(isl_set_get_space(taken));
    for (unsigned p = 0; p < (unsigned)isl_set_dim(taken, isl_dim_param); p++)
        positive = isl_set_lower_bound_si(positive, isl_dim_param, p, 0);
    put_sentence("Takes sizes with ", isl_set_copy(taken), positive, sq_arena_printf(arena, "; %s.", others), arena,
                 to);
    if (falls_back && sq_accepts_fallback(k)) {
        taken = isl_set_intersect(taken, isl_set_copy(positive));
        put_sentence("Is made for sizes with ", isl_set_copy(demanded(k)), taken, "; others take slower code.", arena,
                     to);
    }
    isl_set_free(taken);
    isl_set_free(positive);
    sq_arena_free(arena);
}

/* Returns the condition that the number of elements overflows, one product after the other:
 * "__builtin_mul_overflow(…) || __builtin_mul_overflow(…)" */
static const char *overflows(const sq_printer *p, const sq_array *a, const sq_uses *uses)
{
    sq_text t = {0};
    const char *first = sq_aff_text(p->kernel, a->extent[a->ndim - 1], uses, p->arena);
    for (int x = a->ndim - 2; x >= 0; x--) {
        sq_text_printf(&t, "%s__builtin_mul_overflow(%s%s%s, (int64_t)(%s), &@n)", t.n ? " || " : "",
                       t.n ? "" : "(int64_t)(", t.n ? "@n" : first, t.n ? "" : ")",
                       sq_aff_text(p->kernel, a->extent[x], uses, p->arena));
    }
    return sq_text_take(&t, p->arena);
}

/* Tests the extents of all arrays, those that are the same once. */
static void put_products(const sq_printer *p, const sq_uses *uses, sq_text *to)
{
    const sq_kernel *k = p->kernel;
    const char **test = SQ_NEW_ARRAY(p->arena, const char *, k->narrays + 1);
    for (int i = 0; i < k->narrays; i++) {
        const sq_array *a = sq_array_described(k->array[i]);
        test[i] = may_overflow(k, a) ? overflows(p, a, uses) : NULL;
    }
    for (int i = 0; i < k->narrays; i++) {
        if (!test[i])
            continue;
        sq_text_line(to, "if (%s)", test[i]);
        sq_text_printf(to, "        return 0; /* elements of %s", sq_array_described(k->array[i])->name);
        for (int j = i + 1; j < k->narrays; j++)
            if (test[j] && strcmp(test[j], test[i]) == 0) {
                sq_text_printf(to, ", %s", sq_array_described(k->array[j])->name);
                test[j] = NULL;
            }
        sq_text_puts(to, " */\n");
    }
}

/* Before anything is computed with them. */
static void put_size_limits(const sq_kernel *k, const sq_uses *uses, sq_text *to)
{
    int bits = wide_bits(k);
    for (int i = 0; i < k->nsizes; i++)
        if (!k->size[i]->fixed && sq_type_bytes(k->size[i]->type) == 8) {
            const char *name = k->size[i]->name;
            sq_uses_name(uses, name);
            sq_text_line(to, "if (%s > (int64_t)1 << %d || %s < -((int64_t)1 << %d))", name, bits,
                         name, bits);
            sq_text_line(to, "    return 0; /* no memory holds that, and sums of it overflow */");
        }
}

bool sq_accepts_check(const sq_printer *p, sq_text *to)
{
    const sq_kernel *k = p->kernel;
    sq_code_keys names = sq_uses_none(p->arena), helpers = names;
    const sq_uses uses = {&names, &helpers};
    isl_set *asked = p->options->is_fallback ? accepted(k) : isl_set_copy(demanded(k)); /* K has asked for the others */
    isl_set *all = isl_set_universe(isl_set_get_space(asked));
    const char *cond = sq_set_text_with(asked, all, &(sq_text_calls){.uses = &uses}, p->arena);
    bool wide = any_wide(k), overflow = any_overflow(k) || wide;
    sq_text inner = {.indent = 1};
    isl_set_free(all);
    if (!cond && !overflow)
        return false;
    if (wide)
        put_size_limits(k, &uses, &inner);
    if (cond) {
        sq_text_line(&inner, overflow ? "if (!(%s))" : "return %s;", cond);
        if (overflow)
            sq_text_line(&inner, "    return 0;");
    }
    if (any_overflow(k)) {
        sq_text_line(&inner, "int64_t @n;");
        put_products(p, &uses, &inner);
    }
    if (overflow)
        sq_text_line(&inner, "return 1;");
    sq_text_line(to, "/* Are the sizes what the nests were made for. */");
    /* Callers have no instruction set: they take in what has none, too. Helpers have one. */
    const char *head = helpers.n ? "static SQ_TARGET int sq_fits" : "static int sq_fits";
    sq_function_of_sizes(k, head, NULL, &names, &inner, to);
    sq_uses_join(&p->uses, &helpers);
    return true;
}

void sq_accepts_print(const sq_printer *p, bool check, sq_text *to)
{
    const char *linkage = sq_function_linkage(p->options);
    const char *sizes = sq_emit_params(p->kernel, SQ_EMIT_PUBLIC, true, NULL, p->arena);
    sq_text inner = {.indent = 1};
    if (!*linkage && !p->options->header) {
        sq_visibility_put(p->options->api, to);
        sq_text_printf(to, "int %s_accepts(%s);\n", p->function, sizes);
    }
    if (!check) /* which takes all sizes */
        sq_function_unused(p->kernel, SQ_LIST_SIZES, NULL, &inner);
    if (check && p->fallback)
        sq_text_printf(&inner, "    return %s || %s;\n", sq_function_call_fits(p),
                       sq_function_call_fallback(p, "_accepts", SQ_LIST_SIZES, NULL));
    else
        sq_text_printf(&inner, "    return %s;\n", check ? sq_function_call_fits(p) : "1");
    sq_text_function(to, &inner, "%sint %s_accepts(%s)", linkage, p->function, sizes);
    sq_text_puts(to, "\n");
}
