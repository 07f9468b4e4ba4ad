/* Region: puts the C file together. Before each function with regions stand their tuned functions;
 * in a region's place stands the call, and where something has to be tested first, the text as
 * written as its else. All other bytes are those of the file. `#line` says of the text that was
 * there before where it was, so that messages, __LINE__ and debuggers show what they showed. */
#include "cli/region.h"
#include "support/words.h"
#include <string.h>

/* Macros of the file must not change emitted text: these it mentions are put aside. */
static void put_macros(const sq_region *r, const char *text, bool aside, sq_text *to)
{
    for (int i = 0; i < r->nmacros; i++) {
        bool again = false;
        for (int j = 0; j < i; j++)
            again |= strcmp(r->macro[i], r->macro[j]) == 0;
        if (again || !sq_text_mentions(text, r->macro[i]))
            continue;
        sq_text_printf(
            to, aside ? "#pragma push_macro(\"%s\")\n#undef %s\n" : "#pragma pop_macro(\"%s\")\n",
            r->macro[i], r->macro[i]);
    }
}

/* What <stdint.h> would declare, for a file that declares some of it itself, and perhaps
 * otherwise: the compilers' own words for it. */
static const struct {
    const char *name, *form, *value;
} ints[] = {
    {"int8_t", "", "__INT8_TYPE__"},
    {"int16_t", "", "__INT16_TYPE__"},
    {"int32_t", "", "__INT32_TYPE__"},
    {"int64_t", "", "__INT64_TYPE__"},
    {"uint8_t", "", "__UINT8_TYPE__"},
    {"uint16_t", "", "__UINT16_TYPE__"},
    {"uint32_t", "", "__UINT32_TYPE__"},
    {"uint64_t", "", "__UINT64_TYPE__"},
    {"uintptr_t", "", "__UINTPTR_TYPE__"},
    {"INT8_MIN", "", "(-__INT8_MAX__ - 1)"},
    {"INT16_MIN", "", "(-__INT16_MAX__ - 1)"},
    {"INT32_MIN", "", "(-__INT32_MAX__ - 1)"},
    {"INT64_MIN", "", "(-__INT64_MAX__ - 1)"},
    {"INT8_MAX", "", "__INT8_MAX__"},
    {"INT16_MAX", "", "__INT16_MAX__"},
    {"INT32_MAX", "", "__INT32_MAX__"},
    {"INT64_MAX", "", "__INT64_MAX__"},
    {"UINT8_MAX", "", "__UINT8_MAX__"},
    {"UINT16_MAX", "", "__UINT16_MAX__"},
    {"UINT32_MAX", "", "__UINT32_MAX__"},
    {"UINT64_MAX", "", "__UINT64_MAX__"},
    {"INT64_C", "(c)", "c##L"},
    {"UINT64_C", "(c)", "c##UL"},
};

static void put_ints(const char *text, bool begin, sq_text *to)
{
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) {
        if (!sq_text_mentions(text, ints[i].name))
            continue;
        if (begin)
            sq_text_printf(to, "#pragma push_macro(\"%s\")\n#undef %s\n#define %s%s %s\n",
                           ints[i].name, ints[i].name, ints[i].name, ints[i].form, ints[i].value);
        else
            sq_text_printf(to, "#pragma pop_macro(\"%s\")\n", ints[i].name);
    }
}

const char *sq_region_built_in(const char *name)
{
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
        if (strcmp(ints[i].name, name) == 0)
            return ints[i].value;
    return name;
}

/* How a region's function is called. */
typedef struct way {
    bool tested; /* what it takes for granted first */
    bool fails;  /* it returns 1, and did nothing, where there is no memory */
} way;

/* ---- the tuned function -------------------------------------------------------------------- */

static int put_function(sq_task *task, int i, const char *provenance, way *w, sq_text *to)
{
    const sq_region *r = task->unit->region[i];
    sq_text text = {0};
    sq_memory memory = {0};
    bool tests_sizes = false;
    sq_emit_options o = {.target = task->target,
                         .is_verified = task->o->verify,
                         .pass_times = task->pass_times,
                         .openmp = task->openmp,
                         .provenance = provenance,
                         .function = r->emitted,
                         .helpers = sq_arena_printf(task->arena, "%s_", r->emitted),
                         .is_static = true,
                         .is_embedded = true,
                         .has_ints = r->own_ints,
                         .memory = &memory,
                         .tests_sizes = &tests_sizes,
                         .may_fail = true};
    int rc = sq_variants_emit(task, i, &o, &text);
    sq_text test = {0};
    w->fails = !sq_memory_none(&memory);
    w->tested = sq_region_put_test(task, i, tests_sizes, &test);
    sq_text_printf(&text, "\n%s", sq_text_str(&test));
    sq_text_clear(&test);
    sq_region_rename(r, sq_text_str(&text), &test);
    sq_text_clear(&text);
    sq_text_puts(&text, sq_text_str(&test));
    sq_text_free(&test);
    put_macros(r, sq_text_str(&text), true, to);
    if (r->own_ints)
        put_ints(sq_text_str(&text), true, to);
    sq_text_puts(to, sq_text_str(&text));
    sq_text_puts(to, "#undef SQ_INLINE\n#undef SQ_TARGET\n#undef SQ_FRESH\n#undef "
                     "SQ_UNROLL\n#undef SQ_UNROLL_BY\n#undef SQ_PRAGMA\n#undef SQ_SHUFFLE\n");
    if (r->own_ints)
        put_ints(sq_text_str(&text), false, to);
    put_macros(r, sq_text_str(&text), false, to);
    sq_text_free(&text);
    return rc;
}

/* ---- the call ------------------------------------------------------------------------------ */

/* Blanks in front of the first line of the region that has anything else. */
static const char *indent_of(const sq_task *task, const sq_region_text *t)
{
    size_t at = t->inner;
    while (at < t->inner_to) {
        size_t blanks = strspn(task->text + at, " \t"), n = strcspn(task->text + at, "\n");
        char first = task->text[at + blanks];
        if (first != '\n' && first != '\r' && first != '#')
            return sq_arena_strndup(task->arena, task->text + at, blanks);
        at += n + 1;
    }
    return "";
}

static void put_argument(const sq_region *r, const sq_param *q, const sq_region_arg *a, sq_text *to)
{
    const char *type = q->array ? sq_type_ctype(q->array->type) : NULL;
    if (type)
        sq_text_printf(to, "(%s%s *)%s%s", q->array->role == SQ_IN ? "const " : "",
                       r->own_ints ? sq_region_built_in(type) : type, a->by_address ? "&" : "", a->text);
    else
        sq_text_printf(to, "%s%s", a->is_unsigned ? "(int64_t)" : "", a->text);
}

static void put_call(const sq_task *task, int i, sq_text *to)
{
    const sq_kernel *k = task->unit->kernel[i];
    const sq_region *r = task->unit->region[i];
    const char *sep = "";
    sq_text_printf(to, "%s(", r->emitted);
    for (int p = 0; p < k->nparams; p++) {
        if (k->param[p].size && k->param[p].size->fixed && !k->param[p].size->kept)
            continue;
        sq_text_puts(to, sep);
        put_argument(r, &k->param[p], &r->arg[p], to);
        sep = ", ";
    }
    sq_text_puts(to, ")");
}

/* What only the text as written used is still declared. */
static void put_idle(const sq_region *r, const char *indent, sq_text *to)
{
    for (int i = 0; i < r->nidle; i++)
        sq_text_printf(to, "%s(void)%s;\n", indent, r->idle[i]);
}

static void put_line(const sq_task *task, sq_region_line l, sq_text *to)
{
    const char *file = l.file ? l.file : sq_task_path(task, task->path);
    sq_text_printf(to, "#line %d \"", l.line);
    for (; *file; file++)
        sq_text_printf(to, l.file && strchr("\\\"", *file) ? "\\%c" : "%c", *file);
    sq_text_puts(to, "\"\n");
}

static void put_original(const sq_task *task, const sq_region *r, sq_text *to)
{
    put_line(task, r->at_inner, to);
    sq_text_puts(to, sq_scop_original(task->arena, task->text, &r->text));
}

/* "p && q && f_applies(…)": what the call takes for granted; nothing where that is nothing. */
static void put_condition(const sq_task *task, int i, way w, sq_text *to)
{
    const sq_region *r = task->unit->region[i];
    for (int p = 0; p < r->nguards; p++)
        sq_text_printf(to, "%s%s", p ? " && " : "", r->guard[p]);
    if (r->nguards && w.tested)
        sq_text_puts(to, " && ");
    if (w.tested)
        sq_region_put_test_call(task, i, to);
}

/* True if the text as written may have to run instead of the call. */
static bool has_other(const sq_region *r, way w)
{
    return w.tested || w.fails || r->nguards;
}

/* The call, under an `if` where the text as written may have to run instead: what it takes for
 * granted does not hold, or there is no memory. */
static void put_test(const sq_task *task, int i, way w, const char *indent, sq_text *to)
{
    const sq_region *r = task->unit->region[i];
    bool several = r->nguards + w.tested > 1;
    sq_text condition = {0};
    put_condition(task, i, w, &condition);
    sq_text_puts(to, indent);
    if (has_other(r, w))
        sq_text_puts(to, "if (");
    if (condition.n && w.fails)
        sq_text_printf(to, several ? "!(%s) || " : "!%s || ", sq_text_str(&condition));
    else if (condition.n)
        sq_text_printf(to, "%s) {\n%s    ", sq_text_str(&condition), indent);
    put_call(task, i, to);
    if (w.fails)
        sq_text_puts(to, ")\n");
    else if (condition.n)
        sq_text_printf(to, ";\n%s} else\n", indent);
    else
        sq_text_puts(to, ";\n");
    sq_text_free(&condition);
}

/* `if` and the call; with a guard of the target, for which it was compiled. */
static void put_region(const sq_task *task, int i, way w, sq_text *to)
{
    const sq_region *r = task->unit->region[i];
    const char *indent = indent_of(task, &r->text), *guard = task->target->guard;
    if (*guard)
        sq_text_printf(to, "#if %s\n", guard);
    bool either = has_other(r, w);
    put_test(task, i, w, indent, to);
    if (!either)
        put_idle(r, indent, to);
    if (*guard)
        sq_text_puts(to, either ? "#endif\n" : "#else\n");
    if (either || *guard) {
        sq_text_printf(to, "%s{\n", indent);
        put_original(task, r, to);
        sq_text_printf(to, "%s}\n", indent);
    }
    if (*guard && !either)
        sq_text_puts(to, "#endif\n");
    put_line(task, r->behind, to);
}

/* ---- the file ------------------------------------------------------------------------------ */

static int lines_of(const sq_text *t)
{
    int n = 1;
    for (size_t i = 0; i < t->n; i++)
        n += t->s[i] == '\n';
    return n;
}

/* The tuned functions of all regions from i on that stand before the same function; the number of
 * the one that failed, or -1. w[]: how they are called. */
static int put_functions(sq_task *task, int i, way *w, sq_text *to)
{
    sq_region **r = task->unit->region;
    const char *guard = task->target->guard;
    int n = task->unit->nkernels, first = i;
    bool fresh = to->n == 0 || to->s[to->n - 1] == '\n';
    if (!fresh)
        sq_text_puts(to, "\n");
    if (*guard)
        sq_text_printf(to, "#if %s\n", guard);
    if (task->output_name)
        sq_text_printf(to, "#line %d \"%s\"\n", lines_of(to) + 1, task->output_name);
    for (; i < n && r[i]->insert == r[first]->insert; i++) {
        if (put_function(task, i, i == 0 ? sq_task_provenance(task) : NULL, &w[i], to) != 0)
            return i;
        sq_text_puts(to, "\n");
    }
    if (*guard)
        sq_text_puts(to, "#endif\n");
    put_line(task, r[first]->at_insert, to);
    return -1;
}

/* True if all lines of the user's file end in \r\n. */
static bool has_crlf(const sq_task *task)
{
    int lines = 0;
    for (size_t i = 0; i < task->ntext; i++) {
        if (task->text[i] != '\n')
            continue;
        if (i == 0 || task->text[i - 1] != '\r')
            return false;
        lines++;
    }
    return lines > 0;
}

/* Ends the lines that are ours as the user's do. */
static void end_lines(const sq_task *task, sq_text *to)
{
    sq_text ended = {0};
    if (!has_crlf(task))
        return;
    for (size_t i = 0; i < to->n; i++) {
        if (to->s[i] == '\n' && (i == 0 || to->s[i - 1] != '\r'))
            sq_text_puts(&ended, "\r");
        sq_text_putn(&ended, &to->s[i], 1);
    }
    sq_text_free(to);
    *to = ended;
}

int sq_region_file(sq_task *task)
{
    sq_text *to = &task->source;
    size_t at = 0;
    way *w = SQ_NEW_ARRAY(task->arena, way, task->unit->nkernels);
    sq_text_clear(to);
    for (int i = 0; i < task->unit->nkernels; i++) {
        const sq_region *r = task->unit->region[i];
        if (i == 0 || task->unit->region[i - 1]->insert != r->insert) {
            sq_text_putn(to, task->text + at, r->insert - at);
            at = r->insert;
            int failed = put_functions(task, i, w, to);
            if (failed >= 0)
                return failed;
        }
        sq_text_putn(to, task->text + at, r->text.from - at);
        put_region(task, i, w[i], to);
        at = r->text.to;
    }
    sq_text_putn(to, task->text + at, task->ntext - at);
    end_lines(task, to);
    return -1;
}
