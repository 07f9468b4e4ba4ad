/* Region test: what C does not promise and the tuned code needs, as a function that is called
 * before it: the sizes lie where every access was proven in bounds, rows have the length that their
 * types had when the file was read, sizes that --fix made constants have that value, and nothing
 * that is written overlaps anything else. */
#include "cli/region.h"
#include "codegen/nest/text_of.h"
#include <inttypes.h>
#include <isl/set.h>
#include <string.h>

static const sq_size *size_of(const sq_kernel *k, int p)
{
    return k->param[p].size;
}

/* True if parameter p's address occurs in a pair. */
static bool in_pair(const sq_region *r, int p)
{
    for (int i = 0; i < r->ndisjoint; i++)
        if (r->disjoint[i][0] == p || r->disjoint[i][1] == p)
            return true;
    return false;
}

/* ---- text ---------------------------------------------------------------------------------- */

static void put_param(sq_text *to, int *n, const char *type, const char *name)
{
    sq_text_printf(to, "%s%s%s", (*n)++ ? ", " : "", type, name);
}

/* declare: the parameters; else the arguments of the call. */
static void put_params(const sq_task *task, int i, bool declare, sq_text *to)
{
    const sq_kernel *k = task->unit->kernel[i];
    const sq_region *r = task->unit->region[i];
    int n = 0;
    for (int p = 0; p < r->narg; p++) {
        const sq_region_arg *a = &r->arg[p];
        if (size_of(k, p))
            put_param(to, &n, declare ? "int64_t " : a->is_unsigned ? "(int64_t)" : "",
                      declare ? a->name : a->text);
        if (in_pair(r, p))
            put_param(to, &n, declare ? "const void *squall_at_" : a->is_array ? "" : "&",
                      declare ? a->name : a->text);
        for (int d = 0; d < a->nrows; d++) {
            const char *subscript = "[0]";
            for (int x = 0; x < d; x++)
                subscript = sq_arena_printf(task->arena, "%s[0]", subscript);
            if (declare)
                put_param(to, &n, "int64_t squall_row_",
                          sq_arena_printf(task->arena, "%s_%d", a->name, d));
            else
                put_param(to, &n, "(int64_t)sizeof ",
                          sq_arena_printf(task->arena, "%s%s", a->text, subscript));
        }
    }
    if (declare && !n)
        sq_text_puts(to, "void");
}

/* Returns a product that is INT64_MAX where it overflows. */
static const char *times(const sq_text_calls *calls, const char *a, const char *b, sq_arena *arena)
{
    sq_uses_helper(calls->uses, "sq_times");
    return sq_arena_printf(arena, "%stimes(%s, %s)", calls->prefix, a, b);
}

/* Bytes of dimension d of an array and of all inside of it; too many to count are the most there
 * are. */
static const char *bytes_text(const sq_task *task, const sq_kernel *k, const sq_param *q, int d,
                              const sq_text_calls *calls)
{
    sq_type type = q->array ? q->array->type : q->size ? q->size->type : q->scalar->type;
    int64_t known = sq_type_bytes(type);
    const char *text = "";
    for (; q->array && d < q->array->ndim; d++) {
        int64_t n = sq_array_extent(q->array, d);
        if (n >= 0 && !__builtin_mul_overflow(known, n, &known))
            continue;
        isl_pw_aff *e = isl_pw_aff_from_aff(isl_aff_copy(q->array->extent[d]));
        const char *extent = sq_pw_aff_text_with(e, k->context, calls, task->arena);
        text = *text ? times(calls, text, extent, task->arena) : extent;
    }
    const char *rest = sq_arena_printf(task->arena, "%" PRId64, known);
    return !*text ? rest : known == 1 ? text : times(calls, text, rest, task->arena);
}

static void put_condition(sq_text *to, const char *text)
{
    sq_text_printf(to, "%s%s", to->n ? " &&\n           " : "", text);
}

/* The sizes that stay are tested by the emitted text's own check. */
static void put_sizes(const sq_task *task, const sq_kernel *k, const sq_region *r, bool tests_sizes,
                      sq_text *to)
{
    const char *sizes = "";
    for (int s = 0; s < k->nsizes; s++)
        if (!k->size[s]->fixed)
            sizes =
                sq_arena_printf(task->arena, "%s%s%s", sizes, *sizes ? ", " : "", k->size[s]->name);
    if (tests_sizes)
        put_condition(to, sq_arena_printf(task->arena, "%s_fits(%s)", r->emitted, sizes));
    for (int s = 0; s < k->nsizes; s++)
        if (k->size[s]->fixed)
            put_condition(to, sq_arena_printf(task->arena, "%s == %" PRId64, k->size[s]->name,
                                              k->size[s]->value));
}

static void put_rows(const sq_task *task, const sq_kernel *k, const sq_region *r, const sq_text_calls *calls,
                     sq_text *to)
{
    for (int p = 0; p < r->narg; p++)
        for (int d = 0; d < r->arg[p].nrows; d++)
            put_condition(to, sq_arena_printf(task->arena, "squall_row_%s_%d == %s", r->arg[p].name,
                                              d, bytes_text(task, k, &k->param[p], d + 1, calls)));
}

/* What parameter p leads to: nothing where it is NULL, which others may be as well. */
static const char *reach_text(const sq_task *task, const sq_kernel *k, const sq_region *r, int p,
                              const sq_text_calls *calls)
{
    const char *bytes = bytes_text(task, k, &k->param[p], 0, calls), *given = r->arg[p].given;
    return given ? sq_arena_printf(task->arena, "%s ? %s : 0", given, bytes) : bytes;
}

static void put_pairs(const sq_task *task, const sq_kernel *k, const sq_region *r, const sq_text_calls *calls,
                      sq_text *to)
{
    for (int i = 0; i < r->ndisjoint; i++) {
        int a = r->disjoint[i][0], b = r->disjoint[i][1];
        put_condition(to, sq_arena_printf(task->arena, "%s_apart(squall_at_%s, %s, squall_at_%s, %s)", r->emitted,
                                          r->arg[a].name, reach_text(task, k, r, a, calls), r->arg[b].name,
                                          reach_text(task, k, r, b, calls)));
    }
}

static void put_disjoint(const sq_region *r, sq_text *to)
{
    sq_text_printf(
        to,
        "/* Have np bytes at p and nq bytes at q nothing in common? */\n"
        "static inline int %s_apart(const void *p, int64_t np, const void *q, int64_t nq)\n"
        "{\n    return np <= 0 || nq <= 0 || (uintptr_t)p + (uintptr_t)np <= (uintptr_t)q ||\n"
        "           (uintptr_t)q + (uintptr_t)nq <= (uintptr_t)p;\n}\n\n",
        r->emitted);
}

/* Helpers that the text of a condition may call, under names of their own. */
static void put_helpers(const sq_region *r, const sq_code_keys *called, sq_text *to)
{
    static const struct {
        const char *helper, *name, *text;
    } helpers[] = {
        {"sq_min", "min", "(int64_t a, int64_t b) { return a < b ? a : b; }"},
        {"sq_max", "max", "(int64_t a, int64_t b) { return a > b ? a : b; }"},
        {"sq_times", "times", "(int64_t a, int64_t b)\n{\n    int64_t r;\n"
                              "    return __builtin_mul_overflow(a, b, &r) ? INT64_MAX : r;\n}"},
        {"sq_floord", "floord", "(int64_t n, int64_t d) { return n >= 0 ? n / d : -((-n + d - 1) / d); }"},
    };
    for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++)
        if (sq_code_keys_has(called, helpers[i].helper))
            sq_text_printf(to, "static inline int64_t %s_applies_%s%s\n", r->emitted, helpers[i].name,
                           helpers[i].text);
}

bool sq_region_put_test(sq_task *task, int i, bool tests_sizes, sq_text *to)
{
    const sq_kernel *k = task->unit->kernel[i];
    const sq_region *r = task->unit->region[i];
    sq_text condition = {0}, params = {0};
    sq_code_keys called = sq_uses_none(task->arena);
    const sq_uses uses = {.helpers = &called};
    const sq_text_calls calls = {sq_arena_printf(task->arena, "%s_applies_", r->emitted), &uses};
    put_sizes(task, k, r, tests_sizes, &condition);
    put_rows(task, k, r, &calls, &condition);
    put_pairs(task, k, r, &calls, &condition);
    if (condition.n == 0)
        return false;
    put_params(task, i, true, &params);
    if (r->ndisjoint)
        put_disjoint(r, to);
    put_helpers(r, &called, to);
    sq_text_printf(
        to,
        "/* What %s takes for granted; where it does not hold, the text as written runs. */\n"
        "static inline int %s_applies(%s)\n{\n",
        r->emitted, r->emitted, sq_text_str(&params));
    for (int p = 0; p < r->narg; p++)
        if (size_of(k, p))
            sq_text_printf(to, "    (void)%s;\n", r->arg[p].name);
    sq_text_printf(to, "    return %s;\n}\n", sq_text_str(&condition));
    sq_text_free(&condition);
    sq_text_free(&params);
    return true;
}

void sq_region_put_test_call(const sq_task *task, int i, sq_text *to)
{
    sq_text_printf(to, "%s_applies(", task->unit->region[i]->emitted);
    put_params(task, i, false, to);
    sq_text_puts(to, ")");
}
