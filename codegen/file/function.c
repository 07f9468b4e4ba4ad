/* Function: see function.h. */
#include "codegen/nest/base.h"
#include "codegen/file/function_inside.h"
#include "codegen/file/packed.h"
#include <string.h>

/* ---- parameter lists ---- */

static bool listed(const sq_param *q, sq_listed which)
{
    return sq_param_shown(q) && (which == SQ_LIST_ALL || q->size);
}

/* by_value: the scalar that the function gets as a value, and returns; or NULL. */
static void list_with(const sq_kernel *k, sq_listed which, sq_list_form form, const sq_array *by_value,
                      const char *last, sq_text *to)
{
    const char *sep = "";
    bool declare = form == SQ_LIST_DECLARED || form == SQ_LIST_COMPUTING;
    /* what nobody else points to may stay in a register: a sum that a loop carries, above all */
    const char *restricted = form == SQ_LIST_COMPUTING && !sq_kernel_overlaps(k) ? "restrict " : "";
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
        else if (by_value && q->array == by_value) {
            if (declare)
                sq_text_printf(to, "%s @given", sq_type_ctype(by_value->type));
            else
                sq_text_printf(to, "*%s", by_value->name);
            continue;
        }
        else if (declare && q->array->is_packed) {
            sq_text_printf(to, "const void *%s%s", restricted, sq_packed_given(q->array, k->arena));
            continue;
        }
        else if (declare)
            sq_text_printf(to, "%s%s *%s", q->array->role == SQ_IN ? "const " : "", sq_type_ctype(q->array->type),
                           restricted);
        else if (form == SQ_LIST_INSIDE && q->size && q->size->is_size_t)
            sq_text_puts(to, "(int64_t)");
        sq_text_puts(to, sq_param_name(q));
    }
    if (last)
        sq_text_printf(to, "%s%s", sep, last);
    else if (declare && !*sep)
        sq_text_puts(to, "void");
}

static const char *call_with(const sq_kernel *k, const char *function, sq_listed which, sq_list_form form,
                             const sq_array *by_value, const char *last, sq_arena *arena)
{
    sq_text t = {0};
    sq_text_printf(&t, "%s(", function);
    list_with(k, which, form, by_value, last, &t);
    sq_text_puts(&t, ")");
    return sq_text_take(&t, arena);
}

const char *sq_function_call(const sq_kernel *k, const char *function, sq_listed which, sq_list_form form,
                             const char *last, sq_arena *arena)
{
    return call_with(k, function, which, form, NULL, last, arena);
}

/* Parameters of another name, of which packed.c makes arrays. */
static bool is_packed(const sq_param *q)
{
    return q->array && q->array->is_packed;
}

void sq_function_unused(const sq_kernel *k, sq_listed which, const sq_code_keys *names, sq_text *to)
{
    sq_text unused = {0};
    for (int i = 0; i < k->nparams; i++) {
        const char *name = sq_param_name(&k->param[i]);
        if (listed(&k->param[i], which) && !is_packed(&k->param[i]) && !(names && sq_code_keys_has(names, name)))
            sq_text_printf(&unused, "%s(void)%s", unused.n ? ", " : "", name);
    }
    if (unused.n)
        sq_text_line(to, "%s;", sq_text_str(&unused));
    sq_text_free(&unused);
}

void sq_function_of_sizes(const sq_kernel *k, const char *head, const char *last, const sq_code_keys *names,
                          sq_text *inner, sq_text *to)
{
    sq_text body = {.indent = 1};
    sq_function_unused(k, SQ_LIST_SIZES, names, &body);
    sq_text_puts(&body, sq_text_str(inner));
    sq_text_function(to, &body, "%s", sq_function_call(k, head, SQ_LIST_SIZES, SQ_LIST_DECLARED, last, k->arena));
    sq_text_puts(to, "\n");
    sq_text_free(inner);
}

const char *sq_function_call_fits(const sq_printer *p)
{
    return sq_function_call(p->kernel, "sq_fits", SQ_LIST_SIZES, SQ_LIST_INSIDE, NULL, p->arena);
}

void sq_function_unfit(const sq_printer *p, bool check, const char *then, sq_text *to)
{
    if (check)
        sq_text_printf(to, "    if (!%s)%s", sq_function_call_fits(p), then);
}

const char *sq_function_call_fallback(const sq_printer *p, const char *suffix, sq_listed which,
                                   const char *last)
{
    const char *function = sq_arena_printf(p->arena, "%s%s", p->fallback, suffix);
    return sq_function_call(p->kernel, function, which, SQ_LIST_PASSED, last, p->arena);
}

/* ---- the functions ---- */

const char *sq_function_linkage(const sq_emit_options *o)
{
    if (o->is_local && !o->is_section && !o->is_static)
        return SQ_LOCAL_LINKAGE;
    return o->is_static || o->is_local ? "static " : "";
}

void sq_function_strides(const sq_printer *p, sq_text *to)
{
    sq_text all = {0};
    for (int i = 0; i < p->kernel->narrays; i++) {
        const sq_array *a = p->kernel->array[i];
        for (int x = 0; x < a->ndim; x++) {
            const char *name = sq_stride_name(a, x, p->arena);
            if (!sq_array_stride(a, x) && sq_code_keys_has(p->uses.names, name))
                sq_text_printf(&all, "%s%s = %s", all.n ? ", " : "", name,
                               sq_print_code(p, sq_array_stride_code(p->kernel, a, x, p->code)));
        }
    }
    if (all.n)
        sq_text_line(to, "const int64_t %s;", sq_text_str(&all));
    sq_text_free(&all);
}

/* True if the kernel reads an array that it writes. */
static bool reads_own(const sq_kernel *k)
{
    for (int w = 0; w < k->nstmts; w++)
        for (int s = 0; s < k->nstmts; s++)
            if (sq_stmt_reads_array(k->stmt[s], k->stmt[w]->write->array))
                return true;
    return false;
}

static bool divides(const sq_access *a)
{
    bool found = false;
    for (int x = 0; x < a->array->ndim; x++) {
        isl_aff *f = isl_multi_aff_get_aff(a->map, x);
        found |= isl_aff_dim(f, isl_dim_div) > 0;
        isl_aff_free(f);
    }
    return found;
}

/* True if the distance between the addresses of two reads is the same in every iteration. */
static bool keep_distance(const sq_access *a, const sq_access *b)
{
    int n = (int)isl_multi_aff_dim(a->map, isl_dim_in);
    return n == (int)isl_multi_aff_dim(b->map, isl_dim_in) && !divides(a) && !divides(b) &&
           sq_access_alike(a, b, n);
}

/* True if the kernel reads the array at two places whose distance changes from iteration to
 * iteration. */
static bool distance_varies(const sq_kernel *k, const sq_array *a)
{
    const sq_access *first = NULL;
    for (int s = 0; s < k->nstmts; s++) {
        sq_access *read[SQ_MAX_STMT_READS];
        int n = sq_stmt_all_reads(k->stmt[s], read, NULL);
        for (int i = 0; i < n; i++) {
            if (read[i]->array != a)
                continue;
            first = first ? first : read[i];
            if (read[i] != first && !keep_distance(first, read[i]))
                return true;
        }
    }
    return false;
}

static bool loses_pointers(const sq_kernel *k)
{
    bool found = reads_own(k);
    for (int a = 0; a < k->narrays && !found; a++)
        found = distance_varies(k, k->array[a]);
    return found;
}

/* gcc 12 counts one place of an array from another and forgets the array's pointer where their
 * distance changes. It takes the access for one of nothing that ends the block, the nest for a
 * function that writes nothing, and drops its call where it does not put the nest in its place: for
 * another instruction set, without inlining, or where K_in calls it as well. */
static void put_noipa(const sq_printer *p, sq_text *to)
{
    if (loses_pointers(p->kernel))
        sq_text_puts(to, "#if defined(__GNUC__) && __GNUC__ >= 8 && !defined(__clang__)\n"
                         "__attribute__((noipa)) /* gcc 12 would lose what it writes */\n"
                         "#endif\n");
}

static const char start_helper[] =
    "/* The first place in a workspace where a line of the cache begins. */\n"
    "static char *sq_start(void *memory) { return (char *)memory + (-(uintptr_t)memory & 63); "
    "}\n\n";

/* Parameters of the nest behind those of K. team: of the caller's threads, where loops are tasks. */
static const char *nest_last(const sq_printer *p, const char *space, const char *threads, const char *team)
{
    const char *all = !sq_workspace_any(p)  ? ""
                      : p->space.own > 0 ? sq_arena_printf(p->arena, "%s, %s", space, threads)
                                         : space;
    if (p->options->tasks)
        all = sq_arena_printf(p->arena, "%s%s%s", all, *all ? ", " : "", team);
    return *all ? all : NULL;
}

static const char *factor_name(const sq_kernel *k, int i)
{
    return i < k->nsizes ? k->size[i]->name : k->product[i - k->nsizes]->name;
}

/* True if the product, or one that it is a factor of, is among the names. */
static bool needs_product(const sq_kernel *k, int i, const sq_code_keys *names)
{
    bool needs = sq_code_keys_has(names, k->product[i]->name);
    for (int j = i + 1; j < k->nproducts && !needs; j++) {
        const int *of = k->product[j]->factor;
        needs = (of[0] == k->nsizes + i || of[1] == k->nsizes + i) && needs_product(k, j, names);
    }
    return needs;
}

void sq_function_products(const sq_printer *p, const sq_uses *uses, bool fits, sq_text *to)
{
    const sq_kernel *k = p->kernel;
    for (int i = 0; i < k->nproducts; i++) {
        const char *name = k->product[i]->name, *a = factor_name(k, k->product[i]->factor[0]),
                   *b = factor_name(k, k->product[i]->factor[1]);
        if (!needs_product(k, i, uses->names))
            continue;
        sq_uses_name(uses, a);
        sq_uses_name(uses, b);
        if (fits) {
            sq_text_line(to, "const int64_t %s = %s * %s;", name, a, b);
            continue;
        }
        sq_text_line(to, "int64_t %s;", name);
        sq_text_line(to, "if (__builtin_mul_overflow((int64_t)%s, (int64_t)%s, &%s) || %s > INT64_MAX / 8)", a, b,
                     name, name);
        sq_text_line(to, "    %s = INT64_MAX / 8; /* too much in any case */", name);
    }
}

/* What callers promise of the arrays, for the compiler. */
static void put_aligned(const sq_kernel *k, const sq_code_keys *names, sq_text *to)
{
    for (int i = 0; i < k->nparams; i++) {
        const sq_array *a = k->param[i].array ? sq_array_described(k->param[i].array) : NULL;
        const char *name = sq_param_name(&k->param[i]);
        if (a && a->align && sq_code_keys_has(names, name))
            sq_text_line(to, "%s = __builtin_assume_aligned(%s, %d);", name, name, a->align);
    }
}

/* Returns the temporaries as parameters of the function of the loops, or as its arguments; NULL: there are none. */
static const char *temporaries(const sq_printer *p, bool declare)
{
    const char *list = NULL;
    for (int i = 0; i < p->ntaken; i++) {
        const sq_array *a = p->taken[i];
        const char *type = declare ? sq_arena_printf(p->arena, "%s *restrict ", sq_type_ctype(a->type)) : "";
        list = sq_arena_printf(p->arena, "%s%s%s%s", list ? list : "", list ? ", " : "", type, a->name);
    }
    return list;
}

/* The function that gives the loops their temporaries. */
static void put_space(const sq_printer *p, sq_text *to)
{
    const char *space = sq_workspace_any(p) ? "char *@space" : NULL;
    sq_text_printf(to, "static SQ_TARGET void %s\n{\n%s    %s;\n}\n\n",
                   sq_function_call(p->kernel, "sq_nest", SQ_LIST_ALL, SQ_LIST_COMPUTING, space, p->arena),
                   sq_text_str(&p->temporaries),
                   sq_function_call(p->kernel, "sq_loops", SQ_LIST_ALL, SQ_LIST_INSIDE, temporaries(p, false),
                                    p->arena));
}

static void put_nest(sq_printer *p, sq_text *to)
{
    sq_text inner = {.indent = 1}, loops = {.indent = 1};
    const char *last = p->has_loops ? temporaries(p, true)
                                    : nest_last(p, "char *@space", "int @threads", "const struct sq_team *@team");
    const sq_array *scalar = sq_function_returned(p);
    const char *type = scalar ? sq_type_ctype(scalar->type) : "void";
    if (scalar)
        sq_text_line(&loops, "%s @now = @given, *const %s = &@now;", type, scalar->name);
    sq_function_strides(p, &loops);
    sq_text_puts(&loops, sq_text_str(&p->memory));
    sq_text_puts(&loops, p->has_loops ? "" : sq_text_str(&p->temporaries));
    sq_text_puts(&loops, sq_text_str(&p->body));
    if (scalar)
        sq_text_line(&loops, "return @now;");
    put_aligned(p->kernel, &p->names, &inner);
    sq_packed_open(p, &inner);
    sq_function_products(p, &p->uses, true, &inner);
    sq_text_puts(&inner, sq_text_str(&loops));
    sq_text_free(&loops);
    put_noipa(p, to);
    sq_optimize_put(&p->loops, to);
    sq_text_printf(to, "static SQ_TARGET %s %s\n{\n", type,
                   call_with(p->kernel, p->has_loops ? "sq_loops" : "sq_nest", SQ_LIST_ALL, SQ_LIST_COMPUTING, scalar,
                             last, p->arena));
    to->indent = 1;
    sq_function_unused(p->kernel, SQ_LIST_ALL, &p->names, to);
    if (p->space.own > 0)
        sq_text_line(to, "(void)@threads; /* only pragmas may need it */");
    if (p->options->tasks && p->ntasks == 0)
        sq_text_line(to, "(void)@team; /* no loop is shared */");
    to->indent = 0;
    sq_text_puts(to, sq_text_str(&inner));
    sq_text_puts(to, "}\n\n");
    sq_text_free(&inner);
    if (p->has_loops)
        put_space(p, to);
}

void sq_function_head(const sq_printer *p, const char *type, const char *name, bool only_sizes, const char *last,
                      sq_text *to)
{
    const char *linkage = sq_function_linkage(p->options);
    const char *head = sq_arena_printf(p->arena, "%s%s %s(%s)", linkage, type, name,
                                       sq_emit_params(p->kernel, SQ_EMIT_PUBLIC, only_sizes, last, p->arena));
    if (!p->options->header && !*linkage)
        sq_visibility_put(p->options->api, to);
    sq_text_printf(to, p->options->header ? "%s\n{\n" : "%1$s;\n%1$s\n{\n", head);
}

/* That of K or K_in. */
static void put_head(const sq_printer *p, const char *type, const char *suffix, const char *last, sq_text *to)
{
    sq_function_head(p, type, sq_arena_printf(p->arena, "%s%s", p->function, suffix), false, last, to);
}

/* Of one thread, where loops are tasks. */
static const char alone[] = "&(const struct sq_team){1, NULL, NULL}";

static const char *call_nest(const sq_printer *p, const char *space, const char *threads,
                             const char *team)
{
    const sq_array *scalar = sq_function_returned(p);
    const char *call = call_with(p->kernel, "sq_nest", SQ_LIST_ALL, SQ_LIST_INSIDE, scalar,
                                 nest_last(p, space, threads, team), p->arena);
    return scalar ? sq_arena_printf(p->arena, "*%s = %s", scalar->name, call) : call;
}

/* What K_in does where the nest is not made for the sizes. */
static const char *otherwise(const sq_printer *p)
{
    if (!p->fallback)
        return "\n        return 1;\n";
    if (p->fallback_takes)
        return sq_arena_printf(p->arena, "\n        return %s;\n",
                               sq_function_call_fallback(p, "_in", SQ_LIST_ALL, "@workspace"));
    const char *call = sq_function_call_fallback(p, "", SQ_LIST_ALL, NULL);
    return sq_arena_printf(p->arena, " {\n        %s;\n        return !%s;\n    }\n", call,
                           sq_function_call_fallback(p, "_accepts", SQ_LIST_SIZES, NULL));
}

/* What K_in and K_on do before they compute. */
static void put_tests(const sq_printer *p, bool check, sq_text *to)
{
    bool takes = sq_workspace_any(p), both = takes && check && !p->fallback;
    if (both)
        sq_text_printf(to, "    if (!@workspace || !%s)\n        return 1;\n", sq_function_call_fits(p));
    else
        sq_function_unfit(p, check, otherwise(p), to);
    sq_packed_test(p, to);
    if (takes && !both)
        sq_text_puts(to, "    if (!@workspace)\n        return 1;\n");
}

/* K_in: the nests in memory of the caller. */
static void put_in(const sq_printer *p, bool check, sq_text *to)
{
    put_head(p, "int", "_in", "void *@workspace", to);
    if (!sq_workspace_any(p) && !p->fallback_takes)
        sq_text_puts(to, "    (void)@workspace;\n");
    put_tests(p, check, to);
    if (p->space.own > 0)
        sq_text_puts(to, "    const int @threads = sq_threads(), @parts = sq_parts();\n");
    sq_text_printf(to, "    %s;\n    return 0;\n}\n",
                   call_nest(p, "sq_start(@workspace)", "@threads < @parts ? @threads : @parts", alone));
}

/* K_on: the same with threads of the caller. */
static void put_on(const sq_printer *p, bool check, sq_text *to)
{
    const char *last =
        sq_arena_printf(p->arena, "void *@workspace, int @threads, %s_run @run, void *@pool", p->function);
    put_head(p, "int", "_on", last, to);
    sq_text_puts(to, "    if (@threads < 1)\n        return 1;\n");
    put_tests(p, check, to);
    if (!sq_workspace_any(p) && !p->fallback_takes)
        sq_text_puts(to, "    (void)@workspace;\n");
    sq_text_puts(to, "    const struct sq_team @own_team = {@threads, @run, @pool};\n");
    sq_text_printf(to, "    %s;\n    return 0;\n}\n\n",
                   call_nest(p, "sq_start(@workspace)", "@threads", "&@own_team"));
}

/* K is `int K`. */
static bool returns(const sq_printer *p)
{
    return p->options->has_codes || (p->options->may_fail && (sq_workspace_any(p) || p->fallback_takes));
}

/* What K does for sizes that the nests were not made for. */
static void put_unfit(const sq_printer *p, bool check, sq_text *to)
{
    bool codes = p->options->has_codes;
    const char *done = codes ? "return 1" : returns(p) ? "return 0" : "return";
    sq_text t = {.indent = 2};
    if (!p->fallback) {
        sq_function_unfit(p, check, sq_arena_printf(p->arena, "\n        %s;\n", done), to);
        return;
    }
    if (p->fallback_takes) {
        const char *in = sq_function_call_fallback(p, "_in", SQ_LIST_ALL, "@block->memory");
        sq_pool_call(p, sq_function_call_fallback(p, "_workspace", SQ_LIST_SIZES, NULL),
                     codes ? sq_arena_printf(p->arena, "const int @code = %s", in) : in, &t);
        done = codes ? "return @code" : done;
    } else {
        sq_text_line(&t, "%s;", sq_function_call_fallback(p, "", SQ_LIST_ALL, NULL));
        if (codes)
            done =
                sq_arena_printf(p->arena, "return !%s", sq_function_call_fallback(p, "_accepts", SQ_LIST_SIZES, NULL));
    }
    sq_function_unfit(
        p, check, sq_arena_printf(p->arena, " {\n%s        %s;\n    }\n", sq_text_str(&t), done),
        to);
    sq_text_free(&t);
}

/* K: the nests in memory that the file keeps. */
static void put_k(const sq_printer *p, bool check, sq_text *to)
{
    bool takes = sq_workspace_any(p);
    put_head(p, returns(p) ? "int" : "void", "", NULL, to);
    put_unfit(p, check, to);
    sq_packed_test(p, to);
    to->indent = 1;
    if (takes) {
        if (p->space.own > 0)
            sq_text_line(to, "const int @threads = sq_threads();");
        sq_pool_call(p, sq_workspace_count(p, "@threads"),
                     call_nest(p, "sq_start(@block->memory)", "@threads", alone), to);
    } else {
        sq_text_line(to, "%s;", call_nest(p, NULL, NULL, alone));
    }
    if (returns(p))
        sq_text_line(to, "return 0;");
    to->indent = 0;
    sq_text_puts(to, "}\n");
}

static void put_note(const sq_printer *p)
{
    sq_memory *m = p->options->memory;
    if (m)
        *m = (sq_memory){.panels = p->space.shared + (sq_workspace_any(p) ? 64 : 0),
                         .each_thread = p->space.own,
                         .temporaries = p->bytes.n > 0,
                         .fallback = p->fallback_takes};
}

void sq_function_print(sq_printer *p, sq_text *to)
{
    bool takes = sq_workspace_any(p), check, open = !p->options->is_static;
    put_note(p);
    sq_workspace_helpers(p, to);
    if (takes)
        sq_text_puts(to, start_helper);
    put_nest(p, to);
    check = sq_accepts_check(p, to);
    if (p->options->tests_sizes)
        *p->options->tests_sizes = check;
    bool asked = p->options->is_fallback && p->options->is_local; /* by K_accepts, or by K_in */
    if ((open || asked) && (sq_function_accepts(p->kernel) || (asked && !takes)))
        sq_accepts_print(p, check, to);
    sq_packed_print(p, check, to);
    sq_workspace_bytes(p, to);
    if (open || (p->options->is_fallback && takes)) {
        sq_workspace_print(p, check, sq_function_linkage(p->options), false, to);
        put_in(p, check, to);
        if (p->options->tasks) {
            sq_workspace_print(p, check, sq_function_linkage(p->options), true, to);
            put_on(p, check, to);
        }
    }
    if (p->options->is_fallback && takes)
        return; /* only called with a workspace */
    if (p->options->is_freestanding && (takes || p->fallback_takes))
        return; /* there is no memory but the caller's */
    if (open)
        sq_text_puts(to, "\n");
    if (takes || p->fallback_takes)
        sq_pool_print(p, to);
    put_k(p, check, to);
}

int sq_function_fallback(sq_printer *p, sq_text *to, sq_diags *d)
{
    const sq_kernel *k = p->kernel;
    if (p->options->is_fallback || p->options->is_promised || !sq_accepts_fallback(k))
        return 0;
    if (sq_packed_any(k))
        return sq_error(d, SQ_FAULT_REFUSED, k->loc,
                        "%s would need another text for sizes that break what assume() says of them, and that text "
                        "reads arrays as they are: leave prepacked out, or what only speed depends on out of assume()",
                        k->name);
    sq_kernel *fallback = SQ_NEW(p->arena, sq_kernel);
    const sq_kernel *of = k->described ? k->described : k;
    *fallback = *of;
    fallback->array = SQ_NEW_ARRAY(p->arena, sq_array *, k->narrays + 1);
    fallback->narrays = k->narrays;
    for (int i = 0; i < k->narrays; i++)
        fallback->array[i] = i < of->narrays ? of->array[i] : k->array[i];
    fallback->context = sq_accepts_left(k);
    fallback->deps = NULL;
    fallback->rewritten = NULL;
    sq_emit_options o = *p->options;
    o.header = NULL;
    sq_memory memory = {0};
    o.memory = &memory;
    o.tests_sizes = NULL;
    o.may_fail = o.has_codes = false;
    o.openmp = o.tasks = false;
    o.is_local = !o.is_static; /* K_accepts, where it is, asks this one's */
    o.is_static = o.is_fallback = true;
    o.function = p->fallback = sq_arena_printf(p->arena, "%s_fallback", p->function);
    o.helpers = sq_arena_printf(p->arena, "%s_", p->fallback);
    sq_text_printf(to, "/* For sizes that break what the description assumes of them. */\n");
    int rc = o.target->language->source(sq_schedule_new(fallback, p->arena), &o, to, d);
    isl_set_free(fallback->context);
    p->fallback_takes = rc == 0 && !sq_memory_none(&memory);
    return rc;
}
