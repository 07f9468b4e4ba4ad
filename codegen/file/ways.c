/* Ways: see ways.h. */
#include "codegen/file/ways.h"
#include "codegen/file/entries.h"
#include "codegen/file/function_inside.h"
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* How K chooses, in words. */
static const char by_nearest[] = "A call takes the schedule for its sizes, else the one for the nearest: the least sum "
                                 "of |log2(size / size there)|.";
static const char by_constants[] = "A call takes the one with its constants; where there is none it returns at once.";
static const char others[] = "A call takes the one with its constants; where there is none, the one for other sizes.";

/* ---- the choice ---- */

enum { FRACTION = 10 }; /* bits of a logarithm behind the point */

static int log2_of(int64_t n)
{
    int e = n > 1 ? 63 - __builtin_clzll((unsigned long long)n) : 0;
    return n > 1 ? (e << FRACTION) + (int)((uint64_t)n << (63 - e) >> (63 - FRACTION) & ((1 << FRACTION) - 1)) : 0;
}

/* Behind the last way of the kernel that way number `from` is of. */
static int end_of(const sq_ways *w, int from)
{
    int to = from;
    while (to < w->n && w->of[to].kernel == w->of[from].kernel)
        to++;
    return to;
}

/* True if a loop ends at it: the length of a row that is longer than what is used of it says nothing. */
static bool is_of_loops(const sq_kernel *k, int s)
{
    for (int i = 0; i < k->nstmts; i++)
        if (sq_stmt_involves_size(k, k->stmt[i], s))
            return true;
    return false;
}

/* True if not all points of these ways have the same size s: else it says nothing about which is nearest. */
static bool varies(const sq_ways *w, int from, int to, int s)
{
    bool differ = false;
    for (int i = from; i < to; i++)
        for (int p = 0; p < w->of[i].npoints; p++)
            differ |= w->of[i].point[p][s] != w->of[from].point[0][s];
    return differ && is_of_loops(w->of[from].kernel, s);
}

static bool is_for(const sq_kernel *k, const int64_t *sizes)
{
    for (int s = 0; s < k->nsizes; s++)
        if (k->size[s]->fixed && k->size[s]->value != sizes[s])
            return false;
    return true;
}

static bool is_at(const sq_ways *w, int from, int to, const int64_t *point, const int64_t *sizes)
{
    bool same = true;
    for (int s = 0; s < w->of[from].kernel->nsizes; s++)
        same &= !varies(w, from, to, s) || sizes[s] == point[s];
    return same;
}

static int distance(const sq_kernel *k, const int64_t *point, const int64_t *sizes)
{
    int sum = 0;
    for (int s = 0; s < k->nsizes; s++)
        sum += abs(log2_of(sizes[s]) - log2_of(point[s]));
    return sum;
}

static int nearest(const sq_ways *w, int from, int to, const int64_t *sizes)
{
    int best = from, least = INT_MAX;
    for (int i = from; i < to; i++)
        for (int p = 0; p < w->of[i].npoints; p++) {
            int far = distance(w->of[i].kernel, w->of[i].point[p], sizes);
            if (is_at(w, from, to, w->of[i].point[p], sizes))
                return i;
            best = far < least ? i : best;
            least = far < least ? far : least;
        }
    return best;
}

/* Those without constants take what is left. */
int sq_ways_pick(const sq_ways *w, const int64_t *sizes)
{
    int left = -1;
    for (int from = 0, to; from < w->n; from = to) {
        to = end_of(w, from);
        if (!sq_kernel_has_constants(w->of[from].kernel))
            left = nearest(w, from, to, sizes);
        else if (is_for(w->of[from].kernel, sizes))
            return nearest(w, from, to, sizes);
    }
    return left;
}

bool sq_ways_ask(const sq_ways *w)
{
    bool any = false;
    for (int i = 0; i < w->n; i++)
        any |= sq_kernel_has_constants(w->of[i].kernel);
    return any;
}

bool sq_ways_refuse(const sq_ways *w)
{
    bool all = true;
    for (int i = 0; i < w->n; i++)
        all &= sq_kernel_has_constants(w->of[i].kernel);
    return all;
}

bool sq_ways_compare(const sq_ways *w)
{
    for (int i = 1; i < w->n; i++)
        if (w->of[i].kernel == w->of[i - 1].kernel)
            return true;
    return false;
}

/* ---- its text ---- */

/* What is written: the ways of one kernel. */
typedef struct writer {
    const sq_ways *w;
    const char *function;
    int from, to;
    sq_text *text;
    sq_uses uses; /* the sizes that the text compares */
} writer;

/* "M == 1 && N == 1024", in the kernel's arena. */
static const char *equal_text(const writer *x, const int64_t *point)
{
    const sq_kernel *k = x->w->of[x->from].kernel;
    const char *text = "";
    for (int s = 0; s < k->nsizes; s++)
        if (varies(x->w, x->from, x->to, s))
            text = sq_arena_printf(k->arena, "%s%s%s == %" PRId64, text, *text ? " && " : "", k->size[s]->name,
                                   point[s]);
    return text;
}

/* "__builtin_abs(sq_at_M - 0) + __builtin_abs(sq_at_N - 10240)" */
static const char *distance_text(const writer *x, const int64_t *point)
{
    const sq_kernel *k = x->w->of[x->from].kernel;
    const char *text = "";
    for (int s = 0; s < k->nsizes; s++)
        if (varies(x->w, x->from, x->to, s))
            text = sq_arena_printf(k->arena, "%s%s__builtin_abs(sq_at_%s - %d)", text, *text ? " + " : "",
                                   k->size[s]->name, log2_of(point[s]));
    return text;
}

static void put_exact(const writer *x)
{
    for (int i = x->from; i < x->to; i++)
        for (int p = 0; p < x->w->of[i].npoints; p++) {
            sq_text_line(x->text, "if (%s)", equal_text(x, x->w->of[i].point[p]));
            sq_text_line(x->text, "    return %d;", i);
        }
}

static void put_logarithms(const writer *x)
{
    const sq_kernel *k = x->w->of[x->from].kernel;
    for (int s = 0; s < k->nsizes; s++)
        if (varies(x->w, x->from, x->to, s))
            sq_text_line(x->text, "const int sq_at_%s = sq_%s_log2(%s);", k->size[s]->name, x->function,
                         k->size[s]->name);
}

/* How far each point is, and the first that is nearest. */
static void put_nearest(const writer *x)
{
    sq_text choice = {.indent = x->text->indent};
    int n = 0;
    for (int i = x->from; i < x->to; i++)
        for (int p = 0; p < x->w->of[i].npoints; p++, n++) {
            sq_text_line(x->text, "const int sq_far%d = %s;", n, distance_text(x, x->w->of[i].point[p]));
            if (n == 0) {
                sq_text_line(&choice, "int sq_way = %d, sq_least = sq_far0;", i);
                continue;
            }
            sq_text_open(&choice, "if (sq_far%d < sq_least) {", n);
            sq_text_line(&choice, "sq_least = sq_far%d;", n);
            sq_text_line(&choice, "sq_way = %d;", i);
            sq_text_close(&choice, "}");
        }
    sq_text_puts(x->text, sq_text_str(&choice));
    sq_text_line(x->text, "return sq_way;");
    sq_text_free(&choice);
}

/* "S == 1 && D == 2": the constants of a kernel that are parameters of K. */
static void put_constants(const sq_kernel *k, const char *equals, const char *joint, sq_text *to)
{
    const char *sep = "";
    for (int s = 0; s < k->nsizes; s++)
        if (k->size[s]->kept) {
            sq_text_printf(to, "%s%s%s%" PRId64, sep, k->size[s]->name, equals, k->size[s]->value);
            sep = joint;
        }
}

/* Records the sizes that the text of a group compares. */
static void use_sizes(const writer *x)
{
    const sq_kernel *k = x->w->of[x->from].kernel;
    for (int s = 0; s < k->nsizes; s++)
        if (k->size[s]->kept || varies(x->w, x->from, x->to, s))
            sq_uses_name(&x->uses, k->size[s]->name);
}

static void put_group(writer *x)
{
    sq_text condition = {0};
    bool among = sq_kernel_has_constants(x->w->of[x->from].kernel);
    use_sizes(x);
    put_constants(x->w->of[x->from].kernel, " == ", " && ", &condition);
    if (among)
        sq_text_open(x->text, "if (%s) {", sq_text_str(&condition));
    if (x->to - x->from == 1) {
        sq_text_line(x->text, "return %d;", x->from);
    } else {
        put_exact(x);
        put_logarithms(x);
        put_nearest(x);
    }
    if (among)
        sq_text_close(x->text, "}");
    sq_text_free(&condition);
}

static void put_log2(const char *function, sq_text *to)
{
    sq_text_printf(to,
                   "\n/* The binary logarithm of a size in %dths, straight between powers of 2. */\n"
                   "static inline int sq_%s_log2(int64_t n)\n{\n"
                   "    const int e = n > 1 ? 63 - __builtin_clzll((unsigned long long)n) : 0;\n"
                   "    return n > 1 ? (e << %d) + (int)((uint64_t)n << (63 - e) >> %d & %d) : 0;\n}\n",
                   1 << FRACTION, function, FRACTION, 63 - FRACTION, (1 << FRACTION) - 1);
}

void sq_ways_print_choice(const sq_ways *w, const char *function, sq_text *to)
{
    sq_text inner = {.indent = 1};
    sq_arena *arena = sq_arena_new();
    sq_code_keys names = sq_uses_none(arena);
    writer x = {.w = w, .function = function, .text = &inner, .uses = {.names = &names}};
    for (int last = 0; last < 2; last++)
        for (x.from = 0; x.from < w->n; x.from = x.to) {
            x.to = end_of(w, x.from);
            if (sq_kernel_has_constants(w->of[x.from].kernel) != last)
                put_group(&x);
        }
    if (sq_ways_refuse(w))
        sq_text_line(&inner, "return -1;");
    if (sq_ways_compare(w))
        put_log2(function, to);
    sq_text_printf(to, "\n/* %s */\nstatic int %s\n{\n",
                   sq_ways_compare(w) ? by_nearest : "Which function is made for the constants.",
                   sq_function_call(w->of[0].kernel, sq_arena_printf(arena, "sq_%s_way", function), SQ_LIST_SIZES,
                                    SQ_LIST_DECLARED, NULL, arena));
    to->indent = 1;
    sq_function_unused(w->of[0].kernel, SQ_LIST_SIZES, &names, to);
    to->indent = 0;
    sq_text_printf(to, "%s}\n", sq_text_str(&inner));
    sq_text_free(&inner);
    sq_arena_free(arena);
}

void sq_ways_print(const sq_ways *w, const sq_emit_options *o, sq_text *to)
{
    const sq_kernel *k = w->of[0].kernel;
    sq_ways_print_choice(w, o->function, to);
    sq_entries e = {.k = k,
                    .function = o->function,
                    .n = w->n,
                    .row = SQ_NEW_ARRAY(k->arena, const char *, w->n),
                    .what = "under each of its schedules",
                    .number = sq_function_call(k, sq_arena_printf(k->arena, "sq_%s_way", o->function), SQ_LIST_SIZES,
                                               SQ_LIST_INSIDE, NULL, k->arena),
                    .refuses = sq_ways_refuse(w),
                    .linkage = sq_function_linkage(o),
                    .api = o->api,
                    .tasks = o->tasks,
                    .has_header = o->header && !o->is_section,
                    .has_k = !o->is_freestanding || sq_memory_none(o->memory),
                    .has_codes = o->has_codes || k->plain};
    for (int i = 0; i < w->n; i++)
        e.row[i] = w->of[i].function;
    sq_entries_print(&e, to);
}

/* ---- in words ---- */

void sq_ways_sizes(const sq_kernel *k, const int64_t *point, sq_text *to)
{
    size_t before = to->n;
    put_constants(k, "=", ",", to);
    for (int s = 0; point && s < k->nsizes; s++)
        if (!k->size[s]->fixed)
            sq_text_printf(to, "%s%s=%" PRId64, to->n > before ? "," : "", k->size[s]->name, point[s]);
}

void sq_ways_rule_add(sq_ways_rule *r, const sq_ways *w)
{
    r->constants |= w->n > 1 && sq_ways_refuse(w);
    r->others |= w->n > 1 && sq_ways_ask(w) && !sq_ways_refuse(w);
    r->nearest |= w->n > 1 && sq_ways_compare(w);
}

void sq_ways_rules(sq_ways_rule r, const char *margin, sq_text *to)
{
    if (r.constants)
        sq_text_printf(to, "%s%s\n", margin, by_constants);
    if (r.others)
        sq_text_printf(to, "%s%s\n", margin, others);
    if (r.nearest)
        sq_text_printf(to, "%s%s\n", margin, by_nearest);
}

void sq_ways_describe(const sq_ways *w, const char *margin, sq_text *to)
{
    sq_text_printf(to, "%d schedules, for\n", w->n);
    for (int i = 0; i < w->n; i++) {
        const sq_way *x = &w->of[i];
        sq_text_puts(to, margin);
        for (int p = 0; p < (x->npoints ? x->npoints : 1); p++) {
            sq_text_puts(to, p ? "; " : "");
            sq_ways_sizes(x->kernel, x->npoints ? x->point[p] : NULL, to);
        }
        sq_text_puts(to, "\n");
    }
}

void sq_ways_about(const sq_ways *w, const sq_kernel *k, const char *margin, sq_ways_put *put, sq_text *to)
{
    sq_text first = {0}, each = {0};
    bool same = true;
    put(w ? w->of[0].kernel : k, margin, &first);
    bool apart = w && sq_ways_refuse(w); /* else the first is for all sizes */
    for (int i = 0; apart && i < w->n; i++) {
        sq_text one = {0};
        if (i > 0 && w->of[i].kernel == w->of[i - 1].kernel)
            continue;
        put(w->of[i].kernel, margin, &one);
        same &= strcmp(sq_text_str(&one), sq_text_str(&first)) == 0;
        sq_text_printf(&each, "%s With ", margin);
        put_constants(w->of[i].kernel, "=", ",", &each);
        sq_text_printf(&each, ":\n%s", sq_text_str(&one));
        sq_text_free(&one);
    }
    sq_text_puts(to, sq_text_str(same ? &first : &each));
    sq_text_free(&first);
    sq_text_free(&each);
}
