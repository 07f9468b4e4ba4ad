/* Workspace: the memory that a call works in, which K_in is given and K finds (block_pool.c). Panels of
 * packs come first, then temporaries; the number of its bytes follows from the sizes, and from the
 * number of threads where those have panels of their own. */
#include "codegen/nest/base.h"
#include "codegen/file/function_inside.h"
#include "codegen/print/panels.h"
#include "codegen/nest/text_of.h"
#include <math.h>
#include <string.h>

enum { LINE = 64 }; /* bytes: the caller's memory may begin anywhere */

/* Returns the array's window; of none, one without dimensions and a single row: all extents count. */
static sq_window window_of(const sq_printer *p, const sq_array *a)
{
    sq_window w = {.rows = 1};
    if (p->schedule && !sq_window_of(p->schedule, a, &w))
        w = (sq_window){.rows = 1};
    return w;
}

/* Elements of an array; -1: more than any stack has, or known only at run time. */
static int64_t elements(const sq_printer *p, const sq_array *a)
{
    sq_window w = window_of(p, a);
    double n = (double)w.rows;
    for (int x = w.ndims; x < a->ndim; x++) {
        int64_t e = sq_array_extent(a, x);
        if (e < 0)
            return -1;
        n *= (double)e;
    }
    return n > INT32_MAX ? -1 : n > 0 ? (int64_t)n : 1;
}

/* The bytes of an array: calls of `product` around the size of an element, one an extent; of a window the rows of one
 * iteration, if there are as many. */
static const char *bytes_of(const sq_printer *p, const sq_array *a, const char *product, const sq_uses *uses)
{
    const sq_array *as = sq_array_described(a);
    sq_window w = window_of(p, a);
    int counted = as == a ? w.ndims : 0; /* merged arrays are as large as they were described */
    sq_text bytes = {0};
    for (int x = 0; x < as->ndim; x++)
        sq_text_printf(&bytes, "%s(", product);
    sq_text_printf(&bytes, "sizeof(%s)", sq_type_ctype(a->type));
    for (int x = 0; x < as->ndim; x++) {
        const char *extent = sq_aff_text(p->kernel, as->extent[x], uses, p->arena);
        if (x < counted)
            extent = sq_arena_printf(p->arena, "%s(%lld, %s)", sq_uses_helper(uses, "sq_min"),
                                     x < counted - 1 ? 1 : (long long)w.rows, extent);
        sq_text_printf(&bytes, ", %s)", extent);
    }
    return sq_text_take(&bytes, p->arena);
}

void sq_workspace_take(sq_printer *p, const sq_array *a)
{
    const char *c = sq_type_ctype(a->type);
    const sq_uses counted = {&p->of_bytes, p->uses.helpers};
    const sq_uses *uses = p->has_loops ? &counted : &p->uses; /* the loops need not name them */
    sq_text_line(&p->temporaries, "%s *const %s = (%s *)(void *)@space;", c, a->name, c);
    sq_text_line(&p->temporaries, "@space += sq_lines(%s);", bytes_of(p, a, "sq_product", uses));
    p->taken = p->taken ? p->taken : SQ_NEW_ARRAY(p->arena, const sq_array *, p->kernel->narrays);
    p->taken[p->ntaken++] = a;
    sq_text_line(&p->bytes, "@bytes = sq_plus(@bytes, sq_lines(%s));", bytes_of(p, a, "sq_times", &counted));
}

/* What lies behind the panels begins where they end. */
static void pass_panels(sq_printer *p)
{
    if (p->space.own > 0)
        sq_text_line(&p->temporaries, "@space += %lld + @threads * INT64_C(%lld);",
                     (long long)p->space.shared, (long long)p->space.own);
    else if (p->space.shared > 0)
        sq_text_line(&p->temporaries, "@space += %lld;", (long long)p->space.shared);
}

/* True if the loops of several statements are best in a function of their own, whose parameters the temporaries are:
 * compilers believe what restrict says of parameters, and would otherwise load again after each store to another
 * temporary. */
static bool wants_function(const sq_printer *p)
{
    bool loops = false;
    int n = 0;
    for (int g = 0; p->schedule && g < p->schedule->ngroups; g++)
        loops |= p->schedule->group[g]->kind != SQ_GROUP_TILED;
    for (int i = 0; i < p->kernel->narrays; i++) {
        const sq_array *a = p->kernel->array[i];
        n += a->role == SQ_LOCAL && a->ndim > 0 && sq_code_keys_has(&p->names, a->name);
    }
    return loops && n > 1 && p->kernel->nproducts == 0 && !sq_kernel_overlaps(p->kernel) && !p->options->tasks &&
           !p->options->target->grid && p->space.own == 0 && p->space.shared == 0;
}

void sq_function_locals(sq_printer *p)
{
    p->bytes.indent = p->temporaries.indent = 1;
    sq_panels_close(p);
    p->has_loops = wants_function(p);
    for (int i = 0; i < p->kernel->narrays; i++) {
        const sq_array *a = p->kernel->array[i];
        const char *c = sq_type_ctype(a->type);
        if ((a->role != SQ_LOCAL && !a->words_of) || !sq_code_keys_has(&p->names, a->name))
            continue; /* a parameter, or contracted to registers */
        int64_t n = elements(p, a);
        if (a->words_of) {
            sq_uses_name(&p->uses, a->words_of->name);
            sq_text_line(&p->memory, "const sq_word *const %s = (const sq_word *)(const void *)%s;", a->name,
                         a->words_of->name);
        } else if (a->ndim == 0) {
            sq_text_line(&p->memory, "%s %s_memory = 0, *const %s = &%s_memory;", c, a->name,
                         a->name, a->name);
        } else if (n < 0 || !sq_panels_stack(p, a->name, a->type, n)) {
            if (!p->bytes.n)
                pass_panels(p);
            sq_workspace_take(p, a);
        }
    }
}

bool sq_workspace_any(const sq_printer *p)
{
    return p->bytes.n > 0 || sq_panels_any(p);
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
    "/* The same within a workspace, which was not too large; a saturated one makes gcc warn. */\n"
    "SQ_INLINE size_t sq_product(size_t n, int64_t extent) { return extent > 0 ? n * "
    "(size_t)extent : "
    "0; }\n"
    "SQ_INLINE size_t sq_lines(size_t n) { return (n + 63) / 64 * 64; }\n"
    "SQ_INLINE size_t sq_plus(size_t a, size_t b) { return a > PTRDIFF_MAX - b ? PTRDIFF_MAX : a + "
    "b; }\n\n";

/* Threads of a caller are known to K_on alone. */
static const char single_helpers[] =
    "static __attribute__((unused)) int sq_threads(void) { return 1; }\n"
    "static __attribute__((unused)) int sq_parts(void) { return 1; }\n\n";

/* The larger of two numbers, and the same for as long as the program runs: what K_workspace counts
 * parts for, K_in finds again whatever omp_set_num_threads() said between them. */
static const char thread_helpers[] =
    "/* Threads: which this one is, how many a parallel loop may have, and how many parts for "
    "them\n"
    " * a workspace has. */\n"
    "#ifdef _OPENMP\n"
    "static __attribute__((unused)) int sq_thread(void) { return omp_get_thread_num(); }\n"
    "static __attribute__((unused)) int sq_threads(void) { return omp_get_max_threads(); }\n"
    "static __attribute__((unused)) int sq_parts(void)\n"
    "{\n"
    "    static int parts; /* the same in every call */\n"
    "    int first = omp_get_max_threads(), known = 0;\n"
    "    first = first < omp_get_num_procs() ? omp_get_num_procs() : first;\n"
    "    if (__atomic_compare_exchange_n(&parts, &known, first, 0, __ATOMIC_RELAXED, "
    "__ATOMIC_RELAXED))\n"
    "        return first;\n"
    "    return known;\n"
    "}\n"
    "#else\n"
    "static __attribute__((unused)) int sq_thread(void) { return 0; }\n"
    "static __attribute__((unused)) int sq_threads(void) { return 1; }\n"
    "static __attribute__((unused)) int sq_parts(void) { return 1; }\n"
    "#endif\n\n";

void sq_workspace_helpers(const sq_printer *p, sq_text *to)
{
    if (p->bytes.n || p->space.own > 0 || p->packed)
        sq_text_puts(to, byte_helpers);
    if (p->space.own > 0)
        sq_text_puts(to, p->options->tasks ? single_helpers : thread_helpers);
}

/* True if the number of bytes depends on sizes or threads. */
static bool counts(const sq_printer *p)
{
    return p->bytes.n > 0 || p->space.own > 0;
}

const char *sq_workspace_count(const sq_printer *p, const char *threads)
{
    if (counts(p))
        return sq_function_call(p->kernel, "sq_bytes", SQ_LIST_SIZES, SQ_LIST_INSIDE,
                                p->space.own > 0 ? threads : NULL, p->arena);
    return sq_arena_printf(p->arena, "%lld", (long long)(sq_workspace_any(p) ? LINE + p->space.shared : 0));
}

void sq_workspace_bytes(sq_printer *p, sq_text *to)
{
    sq_text inner = {.indent = 1};
    if (!counts(p))
        return;
    if (p->space.shared > 0)
        sq_text_line(&inner, "size_t @bytes = %d + %lld; /* to align the first; panels */", LINE,
                     (long long)p->space.shared);
    else
        sq_text_line(&inner, "size_t @bytes = %d; /* to align the first */", LINE);
    if (p->space.own > 0)
        sq_text_line(&inner, "@bytes = sq_plus(@bytes, sq_times(%lld, @threads)); /* their own */",
                     (long long)p->space.own);
    sq_function_products(p, &(sq_uses){.names = &p->of_bytes}, false, &inner);
    sq_text_puts(&inner, sq_text_str(&p->bytes));
    sq_text_line(&inner, "return @bytes;");
    sq_function_of_sizes(p->kernel, "static SQ_TARGET size_t sq_bytes",
                         p->space.own > 0 ? "int @threads" : NULL, &p->of_bytes, &inner, to);
}

void sq_workspace_print(const sq_printer *p, bool check, const char *linkage, bool on, sq_text *to)
{
    const char *suffix = on ? "_on" : "", *threads = on ? "@threads < 1 ? 1 : @threads" : "sq_parts()";
    sq_text inner = {.indent = 1};
    const char *none = "0";
    const char *all = sq_emit_params(p->kernel, SQ_EMIT_PUBLIC, true, on ? "int @threads" : NULL, p->arena);
    bool tests = check && (sq_workspace_any(p) || p->fallback_takes);
    if (!*linkage && !p->options->header) {
        sq_visibility_put(p->options->api, to);
        sq_text_printf(to, "size_t %s%s_workspace(%s);\n", p->function, suffix, all);
    }
    if (!tests && !counts(p)) /* which both take all sizes */
        sq_function_unused(p->kernel, SQ_LIST_SIZES, NULL, &inner);
    if (on && p->space.own == 0)
        sq_text_line(&inner, "(void)@threads;");
    if (p->fallback && p->fallback_takes)
        none = sq_function_call_fallback(p, "_workspace", SQ_LIST_SIZES, NULL);
    if (tests)
        sq_text_printf(&inner, "    return %s ? %s : %s;\n", sq_function_call_fits(p),
                       sq_workspace_count(p, threads), none);
    else
        sq_text_printf(&inner, "    return %s;\n", sq_workspace_count(p, threads));
    sq_text_function(to, &inner, "%ssize_t %s%s_workspace(%s)", linkage, p->function, suffix, all);
    sq_text_puts(to, "\n");
}
