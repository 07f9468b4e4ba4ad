/* Dispatch: see dispatch.h. docs/CODEGEN.md, "Several targets", says why it is no ifunc, no
 * constructor and no lock. */
#include "codegen/file/dispatch.h"
#include "codegen/file/entries.h"
#include "codegen/file/function.h"
#include <string.h>

void sq_dispatch_sort(const sq_target **target, int n)
{
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && target[j - 1]->rank < target[j]->rank; j--) {
            const sq_target *better = target[j];
            target[j] = target[j - 1];
            target[j - 1] = better;
        }
}

const char *sq_dispatch_name(const char *function, const sq_target *t, sq_arena *arena)
{
    return sq_arena_printf(arena, "%s_%s", function, t->name);
}

void sq_dispatch_begin(const sq_target *t, sq_text *to)
{
    sq_text_printf(to, "\n/* ==== Target %s: %s ==== */\n", t->name, t->doc);
    sq_guard_begin(t->guard, to);
}

void sq_dispatch_end(const sq_target *t, sq_text *to)
{
    sq_guard_end(t->guard, to);
}

/* ---- the choice ---- */

/* Text with the prefix of the file's own names for every '@', the first function for every '$'. */
static void put(const sq_dispatch *x, const char *text, sq_text *to)
{
    for (const char *c = text; *c; c++)
        if (*c == '@')
            sq_text_printf(to, "sq_%s_", x->first);
        else if (*c == '$')
            sq_text_puts(to, x->first);
        else
            sq_text_putn(to, c, 1);
}

static const char includes[] =
    "\n/* ==== Which target this processor has ==== */\n"
    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "#if defined(__x86_64__)\n#include <cpuid.h>\n#endif\n"
    "#if defined(__linux__)\n#include <sys/auxv.h>\n"
    "#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__NetBSD__) || "
    "defined(__OpenBSD__)\n"
    "#include <unistd.h>\n#endif\n\n";

/* What tests of targets call. */
static const struct helper {
    const char *name, *text;
} helpers[] = {
    {"@x86(",
     "/* True if the processor has these features, given as bits of what cpuid returns, and the "
     "system "
     "save\n * those registers. Asked without the compiler's library, which not every program "
     "links. */\n"
     "static int @x86(unsigned leaf1, unsigned leaf7, unsigned saved)\n{\n"
     "    unsigned a, b, c, d, xcr0, high;\n"
     "    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & leaf1) != leaf1)\n        return 0;\n"
     "    if (saved) {\n        if (!(c & bit_OSXSAVE))\n            return 0;\n"
     "        __asm__ volatile(\"xgetbv\" : \"=a\"(xcr0), \"=d\"(high) : \"c\"(0));\n"
     "        if ((xcr0 & saved) != saved)\n            return 0;\n    }\n"
     "    return !leaf7 || (__get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & leaf7) == leaf7);\n"
     "}\n\n"},
    {"@x86_more(",
     "/* The same in other registers of leaf 7. */\n"
     "static int @x86_more(unsigned subleaf, unsigned in_a, unsigned in_c)\n{\n"
     "    unsigned a, b, c, d;\n"
     "    return __get_cpuid_count(7, subleaf, &a, &b, &c, &d) && (a & in_a) == in_a && (c & in_c) == in_c;\n"
     "}\n\n"},
};

/* True if a target before number i has the same guard and a test that calls the helper. */
static bool has_helper(const sq_dispatch *x, int i, const char *name)
{
    for (int j = 0; j < i; j++)
        if (strcmp(x->target[j]->guard, x->target[i]->guard) == 0 &&
            strstr(x->target[j]->test, name))
            return true;
    return false;
}

/* One function for each target, where the compiler is for its processors. */
static void put_tests(const sq_dispatch *x, sq_text *to)
{
    for (int i = 0; i < x->n; i++) {
        const sq_target *t = x->target[i];
        sq_guard_begin(t->guard, to);
        for (size_t h = 0; h < sizeof helpers / sizeof *helpers; h++)
            if (strstr(t->test, helpers[h].name) && !has_helper(x, i, helpers[h].name))
                put(x, helpers[h].text, to);
        put(x, "static int @has_", to);
        sq_text_printf(to, "%s(void)\n{\n", t->name);
        sq_text_puts(to, "    return ");
        put(x, t->test[0] ? t->test : "1", to);
        sq_text_puts(to, ";\n}\n");
        sq_guard_end(t->guard, to);
    }
}

static void put_table(const sq_dispatch *x, sq_text *to)
{
    put(x,
        "\n/* Best first; the last one is for every processor. */\n"
        "static const struct @target {\n    const char *name;\n    int (*has)(void);\n} "
        "@targets[] = {\n",
        to);
    for (int i = 0; i < x->n; i++) {
        const char *name = x->target[i]->name;
        sq_guard_begin(x->target[i]->guard, to);
        sq_text_printf(to, "    {\"%s\", ", name);
        put(x, "@has_", to);
        sq_text_printf(to, "%s},\n", name);
        sq_guard_end(x->target[i]->guard, to);
    }
    sq_text_puts(to, "};\n\n");
}

static const char choose_text[] =
    "/* Not in programs with more rights than their user has. */\n"
    "static const char *@wanted(void)\n{\n"
    "#if defined(__linux__)\n    if (getauxval(AT_SECURE))\n        return NULL;\n"
    "#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__NetBSD__) || "
    "defined(__OpenBSD__)\n"
    "    if (issetugid())\n        return NULL;\n"
    "#endif\n    const char *name = getenv(\"SQUALL_ISA\");\n"
    "    return name && *name ? name : NULL;\n}\n\n"
    "/* The best one that the processor has, not before the one that SQUALL_ISA names. */\n"
    "static int @choose(void)\n{\n"
    "    const int last = (int)(sizeof @targets / sizeof *@targets) - 1;\n"
    "    const char *wanted = @wanted();\n    int from = 0, t;\n"
    "    while (wanted && from < last && strcmp(@targets[from].name, wanted) != 0)\n"
    "        from++;\n"
    "    if (wanted && strcmp(@targets[from].name, wanted) != 0) {\n"
    "        fprintf(stderr, \"%s: SQUALL_ISA=%s is not used: it is none of\", \"$\", wanted);\n"
    "        for (t = 0; t <= last; t++)\n"
    "            fprintf(stderr, \" %s\", @targets[t].name);\n"
    "        fputc('\\n', stderr);\n"
    "        wanted = NULL;\n        from = 0;\n    }\n"
    "    for (t = from; t < last && !@targets[t].has();)\n        t++;\n"
    "    if (wanted && t != from)\n"
    "        fprintf(stderr, \"%s: this processor lacks %s of SQUALL_ISA: %s is used\\n\", \"$\",\n"
    "                wanted, @targets[t].name);\n"
    "    return t;\n}\n\n";

static const char settle_text[] =
    "/* The number of the target in use, plus one; 0: no call has asked yet. The number is all "
    "that a\n"
    " * thread learns from it, and what it selects is constant: relaxed order is enough, and no "
    "call\n"
    " * waits for another. */\n"
    "static int @settled;\n\n"
    "/* Concurrent calls get the same result, even if the environment changes meanwhile. "
    "*/\n"
    "static __attribute__((noinline, cold)) int @settle(void)\n{\n"
    "    int mine = @choose() + 1, first = 0;\n"
    "    return __atomic_compare_exchange_n(&@settled, &first, mine, 0, __ATOMIC_RELAXED, "
    "__ATOMIC_RELAXED) ? mine : first;\n}\n\n"
    "static int @number(void)\n{\n"
    "    const int t = __atomic_load_n(&@settled, __ATOMIC_RELAXED);\n"
    "    return (t ? t : @settle()) - 1;\n}\n";

void sq_dispatch_choice(const sq_dispatch *x, sq_text *to)
{
    sq_text_puts(to, includes);
    put_tests(x, to);
    put_table(x, to);
    put(x, choose_text, to);
    put(x, settle_text, to);
}

/* ---- the functions ---- */

/* The table has a row for each target. */
static sq_entries entries_of(const sq_dispatch *x, const sq_kernel *k, const char *function)
{
    sq_entries e = {.k = k,
                    .function = function,
                    .n = x->n,
                    .row = SQ_NEW_ARRAY(k->arena, const char *, x->n),
                    .guard = SQ_NEW_ARRAY(k->arena, const char *, x->n),
                    .what = "for each target",
                    .number = sq_arena_printf(k->arena, "sq_%s_number()", x->first),
                    .linkage = x->is_local ? SQ_LOCAL_LINKAGE : "",
                    .api = x->api,
                    .tasks = x->tasks,
                    .has_k = true,
                    .has_codes = x->has_codes || k->plain};
    for (int t = 0; t < x->n; t++) {
        e.row[t] = sq_dispatch_name(function, x->target[t], k->arena);
        e.guard[t] = x->target[t]->guard;
    }
    return e;
}

void sq_dispatch_kernel(const sq_dispatch *x, const sq_kernel *k, const char *function,
                        bool has_header, sq_text *to)
{
    sq_entries e = entries_of(x, k, function);
    e.has_header = has_header;
    sq_entries_print(&e, to);
    if (!has_header)
        sq_visibility_put(x->api, to);
    if (!has_header)
        sq_text_printf(to, "%sconst char *%s_isa(void);\n", e.linkage, function);
    sq_text_printf(to, "\n%sconst char *%s_isa(void)\n{\n", e.linkage, function);
    put(x, "    return @targets[@number()].name;\n}\n", to);
}

/* ---- the header ---- */

static void put_named(const sq_dispatch *x, const sq_kernel *k, const char *function, sq_text *to)
{
    sq_entries e = entries_of(x, k, function);
    sq_text_puts(to, "/* The same for one target each, for programs that choose themselves: the "
                     "processor must have it. */\n");
    sq_entries_declare_rows(&e, to);
}

void sq_dispatch_declare(const sq_dispatch *x, const sq_kernel *k, const char *function,
                         sq_text *to)
{
    sq_text_printf(to,
                   "/* The target that %s uses, the best that this processor has of:", function);
    for (int i = 0; i < x->n; i++)
        sq_text_printf(to, " %s", x->target[i]->name);
    sq_text_printf(to,
                   ".\n * The first call of any of these functions settles it, from any thread, "
                   "also before main; SQUALL_ISA=%s in\n * the environment lowers it. "
                   "%s_workspace is for that target alone. */\n",
                   x->target[x->n - 1]->name, function);
    sq_visibility_put(x->api, to);
    sq_text_printf(to, "const char *%s_isa(void);\n", function);
    if (x->is_named)
        put_named(x, k, function, to);
}
