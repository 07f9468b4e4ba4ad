/* Views: see views.h. For each kernel a struct with what a call is, a function that fills it from views, and the
 * functions that callers see. */
#include "codegen/file/views.h"
#include "codegen/emit.h"
#include "codegen/file/function_inside.h"
#include "codegen/nest/ref.h"
#include "codegen/nest/text_of.h"
#include "codegen/print/names.h"
#include "support/words.h"
#include <inttypes.h>
#include <string.h>

/* ---- a call ---- */

static void put_struct(const sq_views *v, sq_text *to)
{
    sq_text names = {0};
    for (int i = 0; i < v->narrays; i++)
        sq_text_printf(&names, "%s%s", i ? ", " : "", v->array[i].array->name);
    sq_text_printf(to, "/* A call of %1$s: its sizes, and the arrays %2$s. */\nstruct %1$s_views_call {\n", v->function,
                   sq_text_str(&names));
    for (int s = 0; s < v->k->nsizes; s++)
        if (!v->k->size[s]->fixed)
            sq_text_printf(to, "    %s %s;\n", v->k->size[s]->type == SQ_I32 ? "int" : "int64_t", v->k->size[s]->name);
    sq_text_printf(to, "    int64_t @bytes; /* of copies */\n    struct sq_array @array[%d];\n};\n\n",
                   v->narrays ? v->narrays : 1);
    sq_text_free(&names);
}

static void put_arrays(const sq_views *v, sq_text *to)
{
    for (int i = 0; i < v->narrays; i++) {
        const sq_array *a = v->array[i].array;
        const char *written = a->role == SQ_IN ? "" : sq_arena_printf(v->arena, ".to = %s->at, ", a->name);
        sq_text_printf(to,
                       "    @a[%1$d] = (struct sq_array){\n"
                       "        .at = %2$s->at, .extent = %2$s->extent, .stride = %2$s->stride,\n"
                       "        .dims = %3$d, .bytes = %4$d, .align = %5$d, %6$s.is_kept = %7$d};\n",
                       i, a->name, a->ndim, sq_type_bytes(a->type), a->align ? a->align : 1, written,
                       v->array[i].is_kept);
    }
    sq_text_printf(to, "    const int @code = sq_check_all(@a, %d);\n    if (@code != 0)\n        return @code;\n",
                   v->narrays);
}

/* "if (first || second)" in lines of a file's width, and what is returned then; conditions are lines, none gives
 * nothing. */
static void put_refusal(const sq_text *conditions, const char *code, sq_text *to)
{
    enum { WIDTH = 100, INDENT = 8 };
    size_t column = INDENT;
    if (!conditions->n)
        return;
    sq_text_puts(to, "    if (");
    for (const char *c = conditions->s; *c;) {
        size_t n = strcspn(c, "\n");
        bool breaks = column > INDENT && column + n + strlen(" || ") > WIDTH;
        if (c != conditions->s)
            sq_text_puts(to, breaks ? " ||\n        " : " || ");
        sq_text_putn(to, c, n);
        column = (breaks ? INDENT : column) + n + strlen(" || ");
        c += n + 1;
    }
    sq_text_printf(to, ")\n        return SQUALL_VIEWS_%s;\n", code);
}

/* True if the size is an extent as it is. */
static bool is_alone(const sq_views *v, int s)
{
    const sq_view_size *z = &v->size[s];
    const sq_code_expr *extent = z->from == SQ_VIEW_EXTENT ? sq_aff_code(v->k, sq_views_extent(v, z->array, z->dim),
                                                                         sq_code_pool_new(v->arena))
                                                           : NULL;
    return extent && extent->op == SQ_CODE_NAME && strcmp(extent->name, v->k->size[s]->name) == 0;
}

/* Sizes fit their types, and nothing that is computed with them overflows. Extents were looked at already. */
static void put_limits(const sq_views *v, sq_view_from from, sq_text *to)
{
    sq_text t = {0};
    for (int s = 0; s < v->k->nsizes; s++) {
        const sq_size *z = v->k->size[s];
        bool is_int = z->type == SQ_I32;
        if (z->fixed || v->size[s].from != from || (is_int ? from == SQ_VIEW_PASSED : is_alone(v, s)))
            continue;
        if (is_int)
            sq_text_printf(&t, "!%s(%s)\n", sq_uses_helper(&v->uses, "sq_is_int"), z->name);
        else
            sq_text_printf(&t, "%s < -sq_most\n%s > sq_most\n", z->name, z->name);
    }
    put_refusal(&t, "SIZES", to);
    sq_text_free(&t);
}

/* "A->extent[0] - N": the extent without its other terms. */
static const char *difference(const char *extent, const char *terms, sq_arena *arena)
{
    static const char digits[] = "0123456789";
    size_t n = 0;
    while (sq_is_word_byte(terms[n]))
        n++;
    if (*terms == '-' && !terms[1 + strspn(terms + 1, digits)])
        return sq_arena_printf(arena, "%s + %s", extent, terms + 1);
    return sq_arena_printf(arena, terms[n] ? "%s - (%s)" : "%s - %s", extent, terms);
}

/* A size from the extent it is in: (extent - the other terms) / its coefficient. */
static void put_found(const sq_views *v, int s, sq_text *to)
{
    const sq_view_size *z = &v->size[s];
    const char *name = v->k->size[s]->name;
    const char *view = sq_arena_printf(v->arena, "%s->extent[%d]", v->array[z->array].array->name, z->dim);
    isl_aff *rest = isl_aff_copy(sq_views_extent(v, z->array, z->dim));
    int at = isl_aff_find_dim_by_name(rest, isl_dim_param, name);
    isl_val *c = isl_aff_get_coefficient_val(rest, isl_dim_param, at);
    int64_t factor = isl_val_get_num_si(c);
    isl_val_free(c);
    rest = isl_aff_set_coefficient_si(rest, isl_dim_param, at, 0);
    bool alone = isl_aff_plain_is_zero(rest) == isl_bool_true;
    if (!alone)
        view = difference(view, sq_aff_text(v->k, rest, &v->uses, v->arena), v->arena);
    if (factor != 1)
        view = sq_arena_printf(v->arena, alone ? "%s / %" PRId64 : "(%s) / %" PRId64, view, factor);
    sq_text_line(to, "const int64_t %s = %s;", name, view);
    isl_aff_free(rest);
}

/* Dimensions of the array behind dimension x that a size is the length of; -1: it is of none. */
static int depth_of(const sq_views *v, int array, int s)
{
    int last = v->array[array].array->ndim - 1;
    for (int x = last; x > 0; x--)
        if (sq_views_length(v, array, x) == s)
            return last - x;
    return -1;
}

/* A length, as the first array says it that is laid out for it, and long enough for all; those of the dimensions
 * inside of it are known. */
static void put_length(const sq_views *v, int s, int depth, sq_text *to)
{
    const sq_size *z = v->k->size[s];
    int shown = 0;
    const char *length = sq_uses_helper(&v->uses, "sq_length");
    for (int i = 0; i < v->narrays; i++) {
        if (depth_of(v, i, s) != depth)
            continue;
        const char *own = sq_arena_printf(v->arena, "%s(&@a[%d], %d, %d)", length, i,
                                          v->array[i].array->ndim - 1 - depth, z->type == SQ_I32);
        if (shown++)
            sq_text_line(to, "%s = %s ? %s : %s;", z->name, z->name, z->name, own);
        else
            sq_text_line(to, "int64_t %s = %s;", z->name, own);
    }
    for (int i = 0; i < v->narrays; i++)
        for (int x = 1; x < v->array[i].array->ndim; x++) {
            const char *a = v->array[i].array->name;
            if (sq_views_length(v, i, x) == s)
                sq_text_line(to, "%s = %s < %s->extent[%d] ? %s->extent[%d] : %s;", z->name, z->name, a, x, a, x,
                             z->name);
        }
}

/* Of size s the least number of dimensions behind one that it is the length of; -1: it is none. */
static int least_depth(const sq_views *v, int s)
{
    int least = -1;
    for (int i = 0; i < v->narrays && v->size[s].from == SQ_VIEW_LENGTH; i++) {
        int depth = depth_of(v, i, s);
        least = depth >= 0 && (least < 0 || depth < least) ? depth : least;
    }
    return least;
}

/* Lengths of all dimensions but the first, from the rows outwards: a stride is a product of those inside of it. */
static void put_lengths(const sq_views *v, sq_text *to)
{
    for (int depth = 0, more = 1; more; depth++) {
        more = 0;
        for (int s = 0; s < v->k->nsizes; s++)
            if (least_depth(v, s) == depth)
                put_length(v, s, depth, to);
        for (int i = 0; i < v->narrays; i++) {
            const sq_array *a = v->array[i].array;
            int x = a->ndim - 1 - depth, size = x > 0 ? sq_views_length(v, i, x) : -1;
            more |= x > 1;
            if (size >= 0)
                sq_text_line(to, "@a[%d].length[%d] = %s;", i, x, v->k->size[size]->name);
            else if (x > 0)
                sq_text_line(to, "@a[%d].length[%d] = %s->extent[%d];", i, x, a->name, x);
        }
    }
}

/* True if a size is the extent as it is. */
static bool says_itself(const sq_views *v, int array, int dim)
{
    for (int s = 0; s < v->k->nsizes; s++)
        if (v->size[s].array == array && v->size[s].dim == dim && is_alone(v, s))
            return true;
    return false;
}

/* One after the other: the code says which. */
static void put_agreement(const sq_views *v, sq_text *to)
{
    for (int i = 0; i < v->narrays; i++)
        for (int x = 0; x < v->array[i].array->ndim; x++) {
            if (says_itself(v, i, x))
                continue;
            sq_text_line(to, "if (%s->extent[%d] %s %s)", v->array[i].array->name, x,
                         sq_views_may_exceed(v, i, x) ? "<" : "!=",
                         sq_aff_text(v->k, sq_views_extent(v, i, x), &v->uses, v->arena));
            sq_text_line(to, "    return SQUALL_VIEWS_EXTENTS + 16 * %d + 4096 * %d;", i + 1, x + 1);
        }
}

/* What K, K_in or K_workspace is called by: a parameter of that name hides the function. */
static const char *callee(const sq_views *v, const char *suffix)
{
    const char *function = sq_arena_printf(v->arena, "%s%s", v->function, suffix);
    if (!sq_names_taken(v->k, function))
        return function;
    return sq_arena_printf(v->arena, "%s_views_calls%s", v->function, suffix);
}

/* Those that are called by another name. */
static void put_callees(const sq_views *v, const sq_views_file *f, sq_text *to)
{
    const struct {
        const char *suffix;
        bool is_there;
    } called[] = {{"", !f->is_freestanding},
                  {"_in", true},
                  {"_workspace", true},
                  {"_accepts", sq_function_accepts(v->k)},
                  {"_on", f->has_tasks},
                  {"_on_workspace", f->has_tasks}};
    for (size_t i = 0; i < sizeof called / sizeof *called; i++) {
        const char *function = sq_arena_printf(v->arena, "%s%s", v->function, called[i].suffix);
        if (called[i].is_there && sq_names_taken(v->k, function))
            sq_text_printf(to, "/* Parameters have its name. */\nstatic __typeof__(%1$s) *const %2$s = %1$s;\n\n",
                           function, callee(v, called[i].suffix));
    }
}

/* "call.M, call.N": the sizes, or all arguments of the kernel. */
static void put_arguments(const sq_views *v, const char *call, bool all, const char *last, sq_text *to)
{
    const char *comma = "";
    int array = 0;
    for (int i = 0; i < v->k->nparams; i++) {
        const sq_param *p = &v->k->param[i];
        if ((p->size && p->size->fixed) || (!p->size && !all))
            continue;
        sq_text_puts(to, comma);
        comma = ", ";
        if (p->size)
            sq_text_printf(to, "%s%s%s", p->size->is_size_t ? "(size_t)" : "", call, p->size->name);
        else if (p->scalar)
            sq_text_puts(to, p->scalar->name);
        else
            sq_text_printf(to, "%s(&%s@array[%d])",
                           sq_uses_helper(&v->uses, p->array->role == SQ_IN ? "sq_read" : "sq_written"), call, array);
        array += p->array != NULL;
    }
    if (last)
        sq_text_printf(to, "%s%s", comma, last);
}

/* Are the sizes what the kernel takes; where it has no function that says so, it refuses negative ones at most. */
static void put_acceptance(const sq_views *v, sq_text *to)
{
    const sq_kernel *k = v->k;
    if (sq_function_accepts(k)) {
        sq_text sizes = {0};
        put_arguments(v, "@call->", false, NULL, &sizes);
        sq_text_line(to, "if (!%s(%s))", callee(v, "_accepts"), sq_text_str(&sizes));
        sq_text_line(to, "    return SQUALL_VIEWS_SIZES;");
        sq_text_free(&sizes);
        return;
    }
    isl_set *taken = isl_set_copy(k->accepted ? k->accepted : k->context);
    isl_set *known = isl_set_universe(isl_set_get_space(taken));
    for (int i = 0; i < v->narrays; i++)
        for (int x = 0; x < v->array[i].array->ndim; x++) {
            isl_aff *extent = sq_views_extent(v, i, x);
            if (isl_aff_dim(extent, isl_dim_div) > 0)
                continue; /* C rounds it another way where it is negative */
            known = isl_set_intersect(known, isl_pw_aff_nonneg_set(isl_pw_aff_from_aff(isl_aff_copy(extent))));
        }
    const char *text = sq_set_text_with(taken, known, &(sq_text_calls){.uses = &v->uses}, v->arena);
    isl_set_free(known);
    if (!text)
        return;
    sq_text_line(to, "if (!(%s))", text);
    sq_text_line(to, "    return SQUALL_VIEWS_SIZES;");
}

/* What the kernel is given, from what the views say. */
static void put_sizes(const sq_views *v, sq_text *to)
{
    const sq_kernel *k = v->k;
    put_limits(v, SQ_VIEW_PASSED, to);
    for (int i = 0; i < v->nfound; i++)
        put_found(v, v->found[i], to);
    put_limits(v, SQ_VIEW_EXTENT, to);
    put_agreement(v, to);
    put_lengths(v, to);
    for (int s = 0; s < k->nsizes; s++)
        if (!k->size[s]->fixed)
            sq_text_line(to, "@call->%s = %s%s;", k->size[s]->name, k->size[s]->type == SQ_I32 ? "(int)" : "",
                         k->size[s]->name);
}

static void put_plan(const sq_views *v, sq_text *to)
{
    sq_text body = {.indent = 1};
    sq_text_line(&body, "struct sq_array *const @a = @call->@array;");
    put_arrays(v, &body);
    put_sizes(v, &body);
    put_acceptance(v, &body);
    sq_text_line(&body, "return sq_count(@a, %d, &@call->@bytes);", v->narrays);
    const char *call = sq_arena_printf(v->arena, "struct %s_views_call *@call", v->function);
    sq_text_printf(to, "/* Fills it from views; 0, or why there is no such call. */\nstatic int %s_views_plan(",
                   v->function);
    sq_views_params(v, SQ_VIEWS_POINTERS, false, call, to);
    sq_text_printf(to, ")\n{\n%s}\n\n", sq_text_str(&body));
    sq_text_free(&body);
}

/* ---- the functions ---- */

/* "int gemm_views(…)\n{" and the call, planned; all: with scalars. */
static void put_head(const sq_views *v, const sq_views_file *f, const char *type, const char *suffix, bool all,
                     const char *last, sq_text *to)
{
    sq_text head = {0};
    sq_text_printf(&head, "%s%s %s_views%s(", f->is_local ? SQ_LOCAL_LINKAGE : "", type, v->function, suffix);
    sq_views_params(v, SQ_VIEWS_DECLARED, all, last, &head);
    if (!f->has_header) {
        sq_visibility_put(f->is_local ? NULL : f->api, to);
        sq_text_printf(to, "%s);\n", sq_text_str(&head));
    }
    sq_text_printf(to, "%s)\n{\n    struct %s_views_call @call;\n", sq_text_str(&head), v->function);
    sq_text_free(&head);
}

static const char *plan_of(const sq_views *v)
{
    sq_text t = {0};
    sq_text_printf(&t, "%s_views_plan(", v->function);
    sq_views_params(v, SQ_VIEWS_ADDRESSES, false, "&@call", &t);
    sq_text_puts(&t, ")");
    return sq_text_take(&t, v->arena);
}

static const char *call_of(const sq_views *v, const char *suffix, const char *last)
{
    sq_text t = {0};
    sq_text_printf(&t, "%s(", callee(v, suffix));
    put_arguments(v, "@call.", true, last, &t);
    sq_text_puts(&t, ")");
    return sq_text_take(&t, v->arena);
}

static void put_k(const sq_views *v, const sq_views_file *f, sq_text *to)
{
    put_head(v, f, "int", "", true, NULL, to);
    sq_text_printf(to,
                   "    struct sq_block *@block = NULL;\n    int @code = %s;\n"
                   "    if (@code == 0 && @call.@bytes > 0 && !(@block = sq_take((size_t)@call.@bytes)))\n"
                   "        @code = SQUALL_VIEWS_MEMORY;\n"
                   "    if (@code != 0)\n        return @code;\n"
                   "    sq_begin(@call.@array, %d, @block ? @block->memory : NULL);\n",
                   plan_of(v), v->narrays);
    sq_text_printf(to,
                   f->has_codes ? "    @code = %s ? SQUALL_VIEWS_MEMORY : 0;\n" /* sizes are accepted: it is memory */
                                  "    if (@code == 0)\n        sq_finish(@call.@array, %d);\n"
                                : "    %s;\n    sq_finish(@call.@array, %d);\n",
                   call_of(v, "", NULL), v->narrays);
    sq_text_printf(to, "    if (@block)\n        sq_give(@block);\n    return %s;\n}\n\n",
                   f->has_codes ? "@code" : "0");
}

/* Whose threads share the kernel's loops, and what the functions take for that. */
typedef struct threads {
    const char *in, *workspace; /* suffixes: of K_views and of K */
    const char *own, *passed;   /* parameters after the workspace */
    const char *number;         /* a parameter of the workspace's size; NULL: none */
} threads;

static const threads of_kernel = {"_in", "_workspace", "", "", NULL};

static threads of_caller(const sq_views *v)
{
    return (threads){"_on", "_on_workspace",
                     sq_arena_printf(v->arena, ", int @threads, %s_run @run, void *@pool", v->function),
                     ", @threads, @run, @pool", "@threads"};
}

static void put_workspace(const sq_views *v, const sq_views_file *f, const threads *by, sq_text *to)
{
    sq_text sizes = {0};
    const char *number = by->number ? sq_arena_printf(v->arena, "int %s", by->number) : NULL;
    put_head(v, f, "size_t", by->workspace, false, number, to);
    put_arguments(v, "@call.", false, by->number, &sizes);
    sq_text_printf(to, "    if (%s != 0)\n        return 0;\n", plan_of(v));
    if (by->number)
        sq_text_printf(to, "    if (%s < 1)\n        return 0;\n", by->number);
    sq_text_printf(to, "    return (size_t)@call.@bytes + %s(%s);\n}\n\n", callee(v, by->workspace),
                   sq_text_str(&sizes));
    sq_text_free(&sizes);
}

static void put_in(const sq_views *v, const sq_views_file *f, const threads *by, sq_text *to)
{
    put_head(v, f, "int", by->in, true, sq_arena_printf(v->arena, "void *@workspace%s", by->own), to);
    sq_text_printf(to,
                   "    int @code = %1$s;\n    if (@code == 0 && @call.@bytes > 0 && !@workspace)\n"
                   "        @code = SQUALL_VIEWS_SIZES;\n    if (@code != 0)\n        return @code;\n"
                   "    void *const @rest = sq_begin(@call.@array, %2$d, @workspace);\n    @code = %3$s;\n"
                   "    if (@code == 0)\n        sq_finish(@call.@array, %2$d);\n    return @code;\n}\n\n",
                   plan_of(v), v->narrays, call_of(v, by->in, sq_arena_printf(v->arena, "@rest%s", by->passed)));
}

static void put_case(const char *class, int array, int other, const char *text, sq_text *to)
{
    sq_text_printf(to, "    case SQUALL_VIEWS_%s", class);
    if (array)
        sq_text_printf(to, " + 16 * %d", array);
    if (other)
        sq_text_printf(to, " + 4096 * %d", other);
    sq_text_printf(to, ":\n        return \"%s\";\n", text);
}

/* What codes about array i say. */
static void put_cases(const sq_views *v, int i, sq_text *to)
{
    const sq_array *a = v->array[i].array;
    const char *name = a->name;
    put_case("SIZES", i + 1, 0, sq_arena_printf(v->arena, "%s has extents or strides beyond 2^48", name), to);
    put_case("EXTENTS", i + 1, 0, sq_arena_printf(v->arena, "%s has elements and is NULL", name), to);
    for (int x = 0; x < a->ndim; x++) {
        const char *extent = sq_aff_text(v->k, sq_views_extent(v, i, x), &v->uses, v->arena);
        const char *is = sq_views_may_exceed(v, i, x) ? "less than" : "not";
        const char * or = says_itself(v, i, x) ? "" : sq_arena_printf(v->arena, ", or %s %s", is, extent);
        put_case("EXTENTS", i + 1, x + 1, sq_arena_printf(v->arena, "%s: extent[%d] is negative%s", name, x, or), to);
    }
    if (a->role != SQ_IN)
        put_case("OVERLAP", i + 1, 0, sq_arena_printf(v->arena, "elements of %s overlap each other", name), to);
    for (int j = i + 1; j < v->narrays; j++)
        if (a->role != SQ_IN || v->array[j].array->role != SQ_IN)
            put_case("OVERLAP", i + 1, j + 1,
                     sq_arena_printf(v->arena, "%s and %s overlap", name, v->array[j].array->name), to);
}

static void put_error(const sq_views *v, const sq_views_file *f, sq_text *to)
{
    const char *linkage = f->is_local ? SQ_LOCAL_LINKAGE : "";
    if (!f->has_header) {
        sq_visibility_put(f->is_local ? NULL : f->api, to);
        sq_text_printf(to, "%sconst char *%s_views_error(int @code);\n", linkage, v->function);
    }
    sq_text_printf(to,
                   "%sconst char *%s_views_error(int @code)\n{\n    switch (@code) {\n"
                   "    case 0:\n        return \"no error\";\n",
                   linkage, v->function);
    put_case("SIZES", 0, 0, "sizes are not accepted, or there is no workspace", to);
    put_case("MEMORY", 0, 0, "there is no memory for copies", to);
    for (int i = 0; i < v->narrays; i++)
        put_cases(v, i, to);
    sq_text_printf(to, "    default:\n        return \"no code of %s_views\";\n    }\n}\n\n", v->function);
}

/* The functions of kernel i; names are not settled yet. */
static void put_kernel(const sq_views_file *f, int i, const sq_uses *uses, sq_text *to)
{
    sq_views *v = sq_views_of(f->of[i].k);
    v->function = f->of[i].function;
    v->uses = *uses;
    sq_text_printf(to, "/* ---- %s ---- */\n\n", v->function);
    put_callees(v, f, to);
    put_struct(v, to);
    put_plan(v, to);
    if (!f->is_freestanding)
        put_k(v, f, to);
    put_workspace(v, f, &of_kernel, to);
    put_in(v, f, &of_kernel, to);
    if (f->has_tasks) {
        const threads by = of_caller(v);
        put_workspace(v, f, &by, to);
        put_in(v, f, &by, to);
    }
    put_error(v, f, to);
    sq_views_free(v);
}

/* ---- the file ---- */

/* What the functions of all kernels share, made for the most of all arrays. */
static void put_shared(const sq_views_file *f, const sq_uses *uses, sq_text *to)
{
    int dims = 2, align = 64; /* gcc warns of lengths that one dimension has not */
    unsigned sizes = 0;
    for (int i = 0; i < f->n; i++) {
        const sq_kernel *k = f->of[i].k;
        for (int p = 0; p < k->nparams; p++) {
            const sq_array *a = k->param[p].array;
            if (!a)
                continue;
            dims = a->ndim > dims ? a->ndim : dims;
            align = a->align > align ? a->align : align;
            sizes |= (unsigned)sq_type_bytes(a->type);
        }
    }
    sq_text copies = {0};
    sq_views_put_shared(dims, align, sizes, uses, &copies);
    sq_print_bounds(uses->helpers, to);
    sq_text_puts(to, sq_text_str(&copies));
    sq_text_free(&copies);
    sq_emit_options options = {.may_fail = true};
    const sq_printer pool = {.options = &options};
    if (!f->is_freestanding)
        sq_pool_print(&pool, to);
}

static const char head[] =
    "\n/* ==== Arrays with strides: for any processor ==== */\n#undef SQ_TARGET\n#define SQ_TARGET\n"
    "#undef SQ_INLINE\n#define SQ_INLINE static inline __attribute__((always_inline, unused)) SQ_TARGET\n";
static const char headers[] = "#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n";

void sq_views_source(const sq_views_file *f, sq_text *to)
{
    sq_arena *arena = sq_arena_new();
    const char *prefix = sq_arena_printf(arena, "%s_views_", f->of[0].function);
    sq_text shared = {0}, kernels = {0}, all = {0};
    sq_code_keys helpers = sq_uses_none(arena);
    const sq_uses uses = {.helpers = &helpers};
    const sq_schedule none = {.kernel = f->of[0].k};
    for (int i = 0; i < f->n; i++) {
        const sq_schedule names = {.kernel = f->of[i].k};
        sq_text one = {0};
        put_kernel(f, i, &uses, &one);
        sq_names_settle(&names, f->of[i].function, prefix, false, sq_text_str(&one), &kernels);
        sq_text_free(&one);
    }
    put_shared(f, &uses, &shared);
    sq_names_settle(&none, NULL, prefix, false, sq_text_str(&shared), &all);
    sq_text_puts(&all, sq_text_str(&kernels));
    sq_text_puts(to, head);
    sq_text_puts(to, f->is_freestanding ? "" : headers);
    for (int i = 0; i < f->n && !f->has_header; i++)
        sq_views_types(f->of[i].k, to);
    sq_macros_undefine(sq_text_str(&all), false, to);
    sq_text_puts(to, sq_text_str(&all));
    sq_text_free(&all);
    sq_text_free(&kernels);
    sq_text_free(&shared);
    sq_arena_free(arena);
}
