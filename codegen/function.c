/* Function: see function.h. Sizes are compared in 64 bits, products of extents are proven not to
 * overflow or multiplied with a check, so that no index computed after the entry can. */
#include "codegen/function.h"
#include "codegen/base.h"
#include "codegen/text_of.h"
#include "ir/deps.h"
#include <isl/set.h>
#include <isl/val.h>
#include <math.h>
#include <string.h>

enum { SHORT_BYTES = 65536 }; /* of a temporary that every thread may keep a copy of */

/* ---- what the kernel demands ---- */

static bool lives_in_workspace(const sq_array *a)
{
    double bytes = sq_type_bytes(a->type);
    for (int x = 0; x < a->ndim; x++) {
        int64_t e = sq_array_extent(a, x);
        if (e < 0)
            return a->role == SQ_LOCAL;
        bytes *= (double)e;
    }
    return a->role == SQ_LOCAL && bytes > SHORT_BYTES;
}

bool sq_function_allocates(const sq_kernel *k)
{
    for (int i = 0; i < k->narrays; i++)
        if (lives_in_workspace(k->array[i]))
            return true;
    return false;
}

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

/* May the number of its elements exceed 2^63. */
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
        if (may_overflow(k, k->array[i]))
            return true;
    return false;
}

/* Can an extent itself pass 2^63, as 2*N can: then its 64-bit sizes must be far below. */
static bool extent_overflows(const sq_kernel *k)
{
    for (int i = 0; i < k->narrays; i++)
        for (int x = 0; x < k->array[i]->ndim; x++)
            if (most(k, k->array[i]->extent[x]) > 0x1p63)
                return true;
    return false;
}

/* Do the accesses stay in bounds whatever assume() says: then the order written computes the right
 * thing without it. */
static bool has_plain(const sq_kernel *k)
{
    if (!k->shapes || isl_set_is_subset(k->shapes, k->context) != isl_bool_false)
        return false;
    sq_kernel plain = *k;
    plain.context = k->shapes;
    sq_diags *d = sq_diags_new();
    bool fine = sq_kernel_check(&plain, d) == 0;
    sq_diags_free(d);
    return fine;
}

/* Sizes that are computed, by K or by what it falls back to. __isl_give */
static isl_set *accepted(const sq_kernel *k)
{
    return isl_set_copy(has_plain(k) ? k->shapes : k->context);
}

/* Is there anything but negative sizes that K refuses. */
bool sq_function_accepts(const sq_kernel *k)
{
    isl_set *all = accepted(k), *positive = isl_set_universe(isl_set_get_space(all));
    for (unsigned p = 0; p < (unsigned)isl_set_dim(all, isl_dim_param); p++)
        positive = isl_set_lower_bound_si(positive, isl_dim_param, p, 0);
    bool more =
        isl_set_is_subset(positive, all) != isl_bool_true || any_overflow(k) || extent_overflows(k);
    isl_set_free(all);
    isl_set_free(positive);
    return more;
}

/* ---- parameter lists ---- */

typedef enum list { SIZES, ALL } list;

static bool listed(const sq_param *q, list which)
{
    return !(q->size && q->size->fixed) && (which == ALL || q->size);
}

static const char *name_of(const sq_param *q)
{
    return q->size ? q->size->name : q->scalar ? q->scalar->name : q->array->name;
}

/* As arguments, or declared with sizes in 64 bits. `last`: what follows, or NULL. */
static void put_list(const sq_kernel *k, list which, bool declare, const char *last, sq_text *to)
{
    const char *sep = "";
    for (int i = 0; i < k->nparams; i++) {
        const sq_param *q = &k->param[i];
        if (!listed(q, which))
            continue;
        sq_text_puts(to, sep);
        sep = ", ";
        if (declare && q->size)
            sq_text_puts(to, "int64_t ");
        else if (declare && q->scalar)
            sq_text_printf(to, "%s ", sq_type_ctype(q->scalar->type));
        else if (declare)
            sq_text_printf(to, "%s%s *", q->array->role == SQ_IN ? "const " : "",
                           sq_type_ctype(q->array->type));
        sq_text_puts(to, name_of(q));
    }
    if (last)
        sq_text_printf(to, "%s%s", sep, last);
    else if (declare && !*sep)
        sq_text_puts(to, "void");
}

static void put_unused(const sq_kernel *k, list which, const sq_text *body, sq_text *to)
{
    for (int i = 0; i < k->nparams; i++)
        if (listed(&k->param[i], which) &&
            !sq_text_mentions(sq_text_str(body), name_of(&k->param[i])))
            sq_text_line(to, "(void)%s;", name_of(&k->param[i]));
}

/* A function of the sizes whose body was printed to `inner`, which it takes. */
static void put_of_sizes(const sq_kernel *k, const char *head, sq_text *inner, sq_text *to)
{
    sq_text_printf(to, "%s(", head);
    put_list(k, SIZES, true, NULL, to);
    sq_text_puts(to, ")\n{\n");
    to->indent = 1;
    put_unused(k, SIZES, inner, to);
    to->indent = 0;
    sq_text_puts(to, sq_text_str(inner));
    sq_text_puts(to, "}\n\n");
    sq_text_free(inner);
}

/* ---- sizes ---- */

static void put_product(const sq_printer *p, const sq_array *a, sq_text *to)
{
    sq_text_line(to, "@n = %s;", sq_aff_text(p->kernel, a->extent[a->ndim - 1], p->arena));
    for (int x = a->ndim - 2; x >= 0; x--) {
        sq_text_line(to, "if (__builtin_mul_overflow(@n, (int64_t)(%s), &@n))",
                     sq_aff_text(p->kernel, a->extent[x], p->arena));
        sq_text_line(to, "    return 0; /* elements of %s */", a->name);
    }
}

static void put_size_limits(const sq_kernel *k, sq_text *to)
{
    for (int i = 0; i < k->nsizes; i++)
        if (!k->size[i]->fixed && sq_type_bytes(k->size[i]->type) == 8) {
            sq_text_line(to, "if (%s > (int64_t)1 << 56)", k->size[i]->name);
            sq_text_line(to,
                         "    return 0; /* no memory holds that, and its multiples overflow */");
        }
}

/* The check at entry; false if there is nothing to check. */
static bool put_check(const sq_printer *p, sq_text *to)
{
    const sq_kernel *k = p->kernel;
    isl_set *all = isl_set_universe(isl_set_get_space(k->context));
    const char *cond = sq_set_text(isl_set_copy(k->context), all, p->arena);
    bool far = extent_overflows(k), overflow = any_overflow(k) || far;
    sq_text inner = {.indent = 1};
    isl_set_free(all);
    if (strcmp(cond, "1") == 0 && !overflow)
        return false;
    if (strcmp(cond, "1") != 0) {
        sq_text_line(&inner, overflow ? "if (!(%s))" : "return %s;", cond);
        if (overflow)
            sq_text_line(&inner, "    return 0;");
    }
    if (far)
        put_size_limits(k, &inner);
    if (any_overflow(k))
        sq_text_line(&inner, "int64_t @n;");
    for (int i = 0; i < k->narrays && overflow; i++)
        if (may_overflow(k, k->array[i]))
            put_product(p, k->array[i], &inner);
    if (overflow)
        sq_text_line(&inner, "return 1;");
    sq_text_line(to, "/* Are the sizes what the nests were made for. */");
    put_of_sizes(k, "static SQ_TARGET int sq_fits", &inner, to);
    return true;
}

/* ---- memory of temporaries ---- */

static int64_t elements(const sq_array *a)
{
    int64_t n = 1;
    for (int x = 0; x < a->ndim; x++)
        n *= sq_array_extent(a, x);
    return n > 0 ? n : 1;
}

static void put_from_workspace(sq_printer *p, const sq_array *a)
{
    const char *c = sq_type_ctype(a->type);
    sq_text bytes = {0};
    for (int x = 0; x < a->ndim; x++)
        sq_text_puts(&bytes, "sq_times(");
    sq_text_printf(&bytes, "sizeof(%s)", c);
    for (int x = 0; x < a->ndim; x++)
        sq_text_printf(&bytes, ", %s)", sq_aff_text(p->kernel, a->extent[x], p->arena));
    sq_text_line(&p->memory, "%s *const %s = (%s *)(void *)@space;", c, a->name, c);
    sq_text_line(&p->memory, "@space += sq_lines(%s);", sq_text_str(&bytes));
    sq_text_line(&p->bytes, "@bytes = sq_plus(@bytes, sq_lines(%s));", sq_text_str(&bytes));
    sq_text_free(&bytes);
}

void sq_function_locals(sq_printer *p)
{
    p->bytes.indent = 1;
    for (int i = 0; i < p->kernel->narrays; i++) {
        const sq_array *a = p->kernel->array[i];
        const char *c = sq_type_ctype(a->type);
        if (a->role != SQ_LOCAL || !sq_text_mentions(sq_text_str(&p->body), a->name))
            continue; /* a parameter, or contracted to registers */
        if (lives_in_workspace(a)) {
            put_from_workspace(p, a);
        } else if (a->ndim == 0) {
            sq_text_line(&p->memory, "%s %s_memory = 0, *const %s = &%s_memory;", c, a->name,
                         a->name, a->name);
        } else {
            sq_print_memory(a->name, c, elements(a), &p->memory);
            sq_print_pointer(a->name, c, &p->memory);
        }
    }
}

static const char byte_helpers[] =
    "/* Bytes: counted so that what cannot be addressed stays too much for malloc. */\n"
    "SQ_INLINE size_t sq_times(size_t n, int64_t extent)\n"
    "{\n"
    "    size_t r;\n"
    "    if (extent <= 0)\n"
    "        return 0;\n"
    "    return __builtin_mul_overflow(n, (size_t)extent, &r) || r > PTRDIFF_MAX / 2 ? PTRDIFF_MAX "
    "/ 2 : r;\n"
    "}\n"
    "SQ_INLINE size_t sq_lines(size_t n) { return (n + 63) / 64 * 64; }\n"
    "SQ_INLINE size_t sq_plus(size_t a, size_t b) { return a > PTRDIFF_MAX - b ? PTRDIFF_MAX : a + "
    "b; }\n\n";

/* "if (!fits(M, N))" and what is done then. */
static void put_unfit(const sq_printer *p, bool check, const char *then, sq_text *to)
{
    if (!check)
        return;
    sq_text_puts(to, "    if (!sq_fits(");
    put_list(p->kernel, SIZES, false, NULL, to);
    sq_text_printf(to, "))%s", then);
}

static const char *call_plain(const sq_printer *p, const char *suffix, list which, const char *last)
{
    sq_text t = {0};
    sq_text_printf(&t, "%s%s(", p->plain, suffix);
    put_list(p->kernel, which, false, last, &t);
    sq_text_puts(&t, ")");
    const char *text = sq_arena_strdup(p->arena, sq_text_str(&t));
    sq_text_free(&t);
    return text;
}

static void put_workspace(const sq_printer *p, bool check, const char *linkage, sq_text *to)
{
    sq_text sizes = {0};
    sq_emit_sizes(p->kernel, false, &sizes);
    if (!*linkage && !p->options->header)
        sq_text_printf(to, "size_t %s_workspace(%s);\n", p->function, sq_text_str(&sizes));
    sq_text_printf(to, "%ssize_t %s_workspace(%s)\n{\n", linkage, p->function, sq_text_str(&sizes));
    sq_text inner = {0};
    const char *none = "0";
    if (p->plain)
        none = call_plain(p, "_workspace", SIZES, NULL);
    put_unfit(p, check, sq_arena_printf(p->arena, "\n        return %s;\n", none), &inner);
    if (p->bytes.n) {
        sq_text_puts(&inner, "    return sq_bytes(");
        put_list(p->kernel, SIZES, false, NULL, &inner);
        sq_text_puts(&inner, ");\n");
    } else {
        sq_text_puts(&inner, "    return 0;\n");
    }
    to->indent = 1;
    put_unused(p->kernel, SIZES, &inner, to);
    to->indent = 0;
    sq_text_printf(to, "%s}\n\n", sq_text_str(&inner));
    sq_text_free(&inner);
    sq_text_free(&sizes);
}

static void put_bytes(const sq_printer *p, sq_text *to)
{
    sq_text inner = {.indent = 1};
    if (!p->bytes.n)
        return;
    sq_text_line(&inner, "size_t @bytes = 64; /* to align the first */");
    sq_text_puts(&inner, sq_text_str(&p->bytes));
    sq_text_line(&inner, "return @bytes;");
    put_of_sizes(p->kernel, "static SQ_TARGET size_t sq_bytes", &inner, to);
}

/* ---- the functions ---- */

static void put_strides(sq_printer *p, sq_text *to)
{
    for (int i = 0; i < p->kernel->narrays; i++) {
        const sq_array *a = p->kernel->array[i];
        for (int x = 0; x < a->ndim; x++) {
            const char *name = sq_stride_name(a, x, p->arena);
            if (!sq_array_stride(a, x) && sq_text_mentions(sq_text_str(&p->body), name))
                sq_text_line(to, "const int64_t %s = %s;", name,
                             sq_array_stride_text(p->kernel, a, x, p->arena));
        }
    }
}

static void put_nest(sq_printer *p, sq_text *to)
{
    sq_text inner = {.indent = 1};
    put_strides(p, &inner);
    sq_text_puts(&inner, sq_text_str(&p->memory));
    sq_text_puts(&inner, sq_text_str(&p->body));
    sq_text_puts(to, "static SQ_TARGET void sq_nest(");
    put_list(p->kernel, ALL, true, p->bytes.n ? "char *@space" : NULL, to);
    sq_text_puts(to, ")\n{\n");
    to->indent = 1;
    put_unused(p->kernel, ALL, &inner, to);
    to->indent = 0;
    sq_text_puts(to, sq_text_str(&inner));
    sq_text_puts(to, "}\n\n");
    sq_text_free(&inner);
}

/* The head of K or K_in, up to its brace. */
static void put_head(const sq_printer *p, const char *suffix, const char *last, sq_text *to)
{
    const char *linkage = p->options->is_static ? "static " : "";
    sq_text params = {0};
    sq_emit_params(p->kernel, &params);
    if (last && strcmp(sq_text_str(&params), "void") == 0)
        sq_text_clear(&params);
    if (last)
        sq_text_printf(&params, "%s%s", params.n ? ", " : "", last);
    if (!p->options->header)
        sq_text_printf(to, "%svoid %s%s(%s);\n", linkage, p->function, suffix, params.s);
    sq_text_printf(to, "%svoid %s%s(%s)\n{\n", linkage, p->function, suffix, params.s);
    sq_text_free(&params);
}

/* What K, or K_in, does: the nests, or what else there is for these sizes. */
static void put_door(const sq_printer *p, bool check, const char *suffix, const char *last,
                     sq_text *to)
{
    const char *then = "\n        return;\n";
    if (p->plain)
        then = sq_arena_printf(p->arena, " {\n        %s;\n        return;\n    }\n",
                               call_plain(p, suffix, ALL, last));
    put_unfit(p, check, then, to);
    if (last && !p->bytes.n)
        sq_text_printf(to, "    (void)%s;\n", last);
    sq_text_puts(to, "    sq_nest(");
    put_list(p->kernel, ALL, false,
             p->bytes.n ? "(char *)@workspace + (-(uintptr_t)@workspace & 63)" : NULL, to);
    sq_text_puts(to, ");\n}\n");
}

static void put_allocating(const sq_printer *p, sq_text *to)
{
    put_head(p, "", NULL, to);
    sq_text_printf(to, "    const size_t @bytes = %s_workspace(", p->function);
    put_list(p->kernel, SIZES, false, NULL, to);
    sq_text_printf(to,
                   ");\n"
                   "    void *const @workspace = @bytes ? malloc(@bytes) : NULL;\n"
                   "    if (@bytes && !@workspace)\n"
                   "        abort();\n"
                   "    %s_in(",
                   p->function);
    put_list(p->kernel, ALL, false, "@workspace", to);
    sq_text_puts(to, ");\n    free(@workspace);\n}\n");
}

static void put_accepts(const sq_printer *p, bool check, sq_text *to)
{
    sq_text sizes = {0};
    sq_emit_sizes(p->kernel, false, &sizes);
    if (!p->options->header)
        sq_text_printf(to, "int %s_accepts(%s);\n", p->function, sq_text_str(&sizes));
    sq_text_printf(to, "int %s_accepts(%s)\n{\n", p->function, sq_text_str(&sizes));
    if (p->plain)
        put_unfit(p, check,
                  sq_arena_printf(p->arena, "\n        return %s;\n",
                                  call_plain(p, "_accepts", SIZES, NULL)),
                  to);
    sq_text_puts(to, "    return ");
    if (check && !p->plain) {
        sq_text_puts(to, "sq_fits(");
        put_list(p->kernel, SIZES, false, NULL, to);
        sq_text_puts(to, ")");
    } else {
        sq_text_puts(to, "1");
    }
    sq_text_puts(to, ";\n}\n\n");
    sq_text_free(&sizes);
}

void sq_function_print(sq_printer *p, sq_text *to)
{
    bool allocates = sq_function_allocates(p->kernel), check;
    if (p->bytes.n)
        sq_text_puts(to, byte_helpers);
    put_nest(p, to);
    check = put_check(p, to);
    if ((!p->options->is_static || p->options->is_plain) && sq_function_accepts(p->kernel))
        put_accepts(p, check, to);
    if (!allocates) {
        put_head(p, "", NULL, to);
        put_door(p, check, "", NULL, to);
        return;
    }
    put_bytes(p, to);
    put_workspace(p, check, p->options->is_static ? "static " : "", to);
    put_head(p, "_in", "void *@workspace", to);
    put_door(p, check, "_in", "@workspace", to);
    if (p->options->is_plain)
        return; /* only called with a workspace */
    sq_text_puts(to, "\n");
    put_allocating(p, to);
}

int sq_function_plain(sq_printer *p, sq_text *to, sq_diags *d)
{
    const sq_kernel *k = p->kernel;
    if (p->options->is_plain || p->options->is_promised || !has_plain(k))
        return 0;
    sq_kernel *plain = SQ_NEW(p->arena, sq_kernel);
    *plain = *k;
    plain->context = k->shapes;
    plain->deps = NULL;
    sq_emit_options o = *p->options;
    o.header = NULL;
    o.openmp = false;
    o.is_static = o.is_plain = true;
    o.function = p->plain = sq_arena_printf(p->arena, "%s_plain", p->function);
    o.helpers = sq_arena_printf(p->arena, "%s_", p->plain);
    sq_text_printf(to, "/* For sizes that break what the description assumes of them. */\n");
    return sq_emit_source(sq_schedule_new(plain, p->arena), &o, to, d);
}
