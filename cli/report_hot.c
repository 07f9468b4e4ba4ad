/* Reports, hot loop: what the compiler makes of the innermost loop with most multiply-adds. Its assembly is read as
 * text: labels, jumps back to them, and the lines of the source that `.loc` names. */
#include "cli/report_parts.h"
#include "tuner/measure/child.h"
#include "tuner/measure/toolchain.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 60, MOST_SHOWN = 400 };

typedef struct instruction {
    const char *text;
    size_t n;
    int line; /* of the source; 0: it is not said */
} instruction;

typedef struct label {
    const char *name;
    size_t n;
    int at; /* the instruction behind it */
} label;

typedef struct loop {
    int from, to; /* instructions, both of it */
} loop;

/* What a loop's instructions are. */
typedef struct kinds {
    int all, multiply_adds, loads, stores, stack;
} kinds;

/* Lines of the source, both of it; none where `to` is 0. */
typedef struct lines {
    int from, to;
} lines;

typedef struct assembly {
    sq_arena *arena;
    int n, room, nlabels, label_room, nloops, loop_room;
    instruction *x;
    label *label;
    loop *loop;
} assembly;

/* ---- reading ---- */

static bool begins(const char *p, const char *word)
{
    return strncmp(p, word, strlen(word)) == 0;
}

static void add_label(assembly *a, const char *name, size_t n)
{
    a->label = sq_arena_grow(a->arena, a->label, a->nlabels, &a->label_room, sizeof *a->label);
    a->label[a->nlabels++] = (label){name, n, a->n};
}

/* The instruction behind the label that a jump names, if it was there before; -1: it is no jump back. */
static int jumps_to(const assembly *a, const char *p, size_t n)
{
    const char *target = memmem(p, n, ".L", 2);
    if (!target || (*p != 'j' && *p != 'b' && !begins(p, "cbn") && !begins(p, "tbn")))
        return -1;
    size_t m = strcspn(target, " \t,\n");
    for (int i = a->nlabels - 1; i >= 0; i--)
        if (a->label[i].n == m && memcmp(a->label[i].name, target, m) == 0)
            return a->label[i].at;
    return -1;
}

static void add_instruction(assembly *a, const char *p, size_t n, int line)
{
    int to = jumps_to(a, p, n);
    a->x = sq_arena_grow(a->arena, a->x, a->n, &a->room, sizeof *a->x);
    a->x[a->n++] = (instruction){p, n, line};
    if (to < 0)
        return;
    a->loop = sq_arena_grow(a->arena, a->loop, a->nloops, &a->loop_room, sizeof *a->loop);
    a->loop[a->nloops++] = (loop){to, a->n - 1};
}

static void read_assembly(assembly *a, const char *text)
{
    int line = 0;
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, "\n"), blanks = strspn(p, " \t");
        const char *is = p + blanks;
        if (blanks == 0 && n && p[n - 1] == ':')
            add_label(a, p, n - 1);
        else if (begins(is, ".loc "))
            line =
                strtol(is + strlen(".loc "), (char **)&is, 10) == 1 ? (int)strtol(is, NULL, 10) : 0;
        else if (blanks && *is >= 'a' && *is <= 'z')
            add_instruction(a, is, n - blanks, line);
        p += n + (p[n] == '\n');
    }
}

/* ---- the loop ---- */

/* Of one instruction of AT&T's syntax for x86, whose last operand is written, or of AArch64's. */
static void count(const instruction *x, kinds *k)
{
    const char *open = memchr(x->text, '(', x->n), *close = memrchr(x->text, ')', x->n);
    k->all++;
    k->multiply_adds += begins(x->text, "vfm") || begins(x->text, "vfnm") ||
                        begins(x->text, "vpdp") || begins(x->text, "fml");
    if (memchr(x->text, '[', x->n)) {
        k->loads += begins(x->text, "ld");
        k->stores += begins(x->text, "st");
    }
    if (!open || !close || x->text[0] != 'v')
        return;
    if (begins(open, "(%rsp") || begins(open, "(%rbp"))
        k->stack++;
    else if (close + 1 == x->text + x->n || close[1] == '{')
        k->stores++;
    else
        k->loads++;
}

static kinds count_loop(const assembly *a, const loop *l)
{
    kinds k = {0};
    for (int i = l->from; i <= l->to; i++)
        count(&a->x[i], &k);
    return k;
}

static bool is_innermost(const assembly *a, const loop *l)
{
    for (int i = 0; i < a->nloops; i++) {
        const loop *x = &a->loop[i];
        if (x != l && x->from >= l->from && x->to <= l->to && x->to - x->from < l->to - l->from)
            return false;
    }
    return true;
}

static bool is_better(const kinds *k, const kinds *than)
{
    int memory = k->loads + k->stores + k->stack, least = than->loads + than->stores + than->stack;
    return k->multiply_adds != than->multiply_adds ? k->multiply_adds > than->multiply_adds
           : k->multiply_adds                      ? memory < least
                                                   : memory > least;
}

/* True if an instruction is of these lines of the source: of loops that a function of a tile became,
 * those that advance its pointers are. */
static bool is_of(const assembly *a, const loop *l, const lines *x)
{
    for (int i = l->from; i <= l->to; i++)
        if (a->x[i].line >= x->from && a->x[i].line <= x->to)
            return true;
    return false;
}

/* Of the innermost loops of these lines, or where there are none of all: the one with most
 * multiply-adds, of several the one that touches memory least; where there are no multiply-adds, that
 * with most vector instructions that touch memory. NULL: there is no loop. */
static const loop *hottest(const assembly *a, const lines *of, kinds *is)
{
    const loop *best = NULL;
    bool best_is_of = false;
    for (int i = 0; i < a->nloops; i++) {
        if (!is_innermost(a, &a->loop[i]))
            continue;
        kinds k = count_loop(a, &a->loop[i]);
        bool within = is_of(a, &a->loop[i], of);
        if (!best || (within && !best_is_of) || (within == best_is_of && is_better(&k, is))) {
            best = &a->loop[i];
            best_is_of = within;
            *is = k;
        }
    }
    return best;
}

/* The function whose loop computes most in a step, as explain counts it: its lines; none where it is
 * no function of a tile. */
static lines counted_lines(sq_task *task, const sq_schedule *s, const sq_text_map *map,
                           double *multiply_adds)
{
    sq_counted_loop *list;
    const sq_counted_loop *hot = NULL;
    lines of = {0};
    sq_diags *d = sq_diags_new();
    int n = sq_counted(s, task->target, task->openmp, task->arena, &list, d);
    const sq_machine *m = sq_machine_class(task->target->machine);
    for (int i = 0; i < n; i++)
        if (!hot || sq_report_arithmetic(&list[i], m) > sq_report_arithmetic(hot, m))
            hot = &list[i];
    sq_diags_free(d);
    *multiply_adds = hot ? hot->count.multiply_adds : 0;
    if (!hot || !hot->part)
        return of;
    const char *name =
        sq_arena_printf(task->arena, " %s_%s(", s->kernel->name, hot->part + strlen("sq_"));
    for (int i = 0; i < map->n && !of.to; i++) {
        const sq_line *x = &map->line[i];
        if (!of.from && begins(x->text, "SQ_INLINE") && memmem(x->text, x->n, name, strlen(name)))
            of.from = i + 1;
        else if (of.from && x->text[0] == '}')
            of.to = i + 1;
    }
    return of;
}

/* ---- the page ---- */

/* The instruction with its operands at a column, `width` letters behind its beginning. */
static sq_line aligned(const instruction *x, int width, sq_arena *arena)
{
    size_t name = strcspn(x->text, " \t\n");
    if (name >= x->n)
        return (sq_line){.text = x->text, .n = x->n};
    size_t rest = name + strspn(x->text + name, " \t");
    const char *text = sq_arena_printf(arena, "%-*.*s %.*s", width, (int)name, x->text, (int)(x->n - rest),
                                       x->text + rest);
    return (sq_line){.text = text, .n = strlen(text)};
}

static void put_loop(sq_html *h, sq_task *task, const assembly *a, const loop *l, const char *id)
{
    int width = 0;
    int n = l->to - l->from + 1, shown = n < MOST_SHOWN ? n : MOST_SHOWN, before = 0;
    sq_line *line = SQ_NEW_ARRAY(task->arena, sq_line, shown + 1);
    for (int i = 0; i < shown; i++) {
        int name = (int)strcspn(a->x[l->from + i].text, " \t\n");
        width = name > width ? name : width;
    }
    for (int i = 0; i < shown; i++) {
        const instruction *x = &a->x[l->from + i];
        const char *link = "";
        if (x->line && x->line != before)
            link = sq_arena_printf(task->arena, "<a href=\"#%s-%d\">C&nbsp;%d</a>", id, x->line,
                                   x->line);
        before = x->line;
        line[i] = aligned(x, width, task->arena);
        line[i].links = sq_arena_printf(task->arena, "<span class=\"at\">%s</span>", link);
    }
    sq_html_listing(h, sq_arena_printf(task->arena, "%sa", id), "The hot loop's assembly", 1, line,
                    shown, false);
    if (shown < n)
        sq_html_paragraph(h, "note", "The first %d of %d instructions.", shown, n);
}

static void put_kinds(sq_html *h, const kinds *k, double each_step)
{
    double steps = each_step > 0 ? k->multiply_adds / each_step : 0;
    sq_html_facts_open(h);
    if (steps >= 1 && steps == (int)steps)
        sq_html_fact(h, "Steps per iteration", steps, "%.0f", steps);
    sq_html_fact(h, "Instructions", k->all, "%d", k->all);
    sq_html_fact(h, "Multiply-adds", k->multiply_adds, "%d", k->multiply_adds);
    sq_html_fact(h, "Loads of vectors", k->loads, "%d", k->loads);
    sq_html_fact(h, "Stores of vectors", k->stores, "%d", k->stores);
    sq_html_fact(h, "Registers spilled to the stack", k->stack, "%d", k->stack);
    sq_html_facts_close(h);
}

/* The compiler's assembly of the text; NULL with a sentence in why. In `end`. */
static const char *compile(sq_task *task, const char *text, sq_child_end *end, char *why, size_t n)
{
    static const char *const words[] = {"-x", "c", "-O2", "-w", "-g1", "-S", "-o", "-", "-"};
    sq_argv a = {0};
    sq_diags *d = sq_diags_new();
    if (sq_compiler_command(task->o->cc, &a, d) != 0) {
        snprintf(why, n, "%s", sq_diags_message(d, 0));
    } else {
        if (task->openmp)
            sq_argv_add(&a, "-fopenmp");
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            sq_argv_add(&a, words[i]);
        sq_child_run_fed(a.word, text, strlen(text), SECONDS, end);
        if (!end->started || end->status != 0 || end->signal)
            sq_child_first_error(end, why, n);
        else if (end->is_cut)
            snprintf(why, n, "it is too long");
    }
    sq_argv_free(&a);
    sq_diags_free(d);
    bool fine = end->started && end->status == 0 && !end->signal && !end->is_cut && !*why;
    if (!fine && !*why)
        snprintf(why, n, "the compiler did not end by itself");
    return fine ? end->out : NULL;
}

void sq_report_hot(sq_html *h, sq_task *task, const sq_schedule *s, const sq_text_map *map,
                   const char *id, const char *script)
{
    sq_text text = {0};
    char why[300] = "";
    sq_child_end end = {0};
    assembly a = {.arena = task->arena};
    kinds is = {0};
    double each_step;
    sq_text_map_text(map, &text);
    const char *made = compile(task, sq_text_str(&text), &end, why, sizeof why);
    const lines of = counted_lines(task, s, map, &each_step);
    if (made)
        read_assembly(&a, made);
    const loop *hot = made ? hottest(&a, &of, &is) : NULL;
    sq_html_raw(h, "<h4>The hot loop</h4>\n");
    if (!made)
        sq_html_paragraph(h, "note", "The compiler gives no assembly for this target here: %s",
                          why);
    else if (!hot)
        sq_html_paragraph(h, "note", "The compiler left no loop.");
    if (hot) {
        sq_html_paragraph(
            h, NULL,
            "Of the innermost loops that the compiler makes of %s at -O2, the one with most "
            "multiply-adds. Numbers lead to the line of the emitted code that an instruction "
            "is of.",
            of.to ? "the register tile" : "the code");
        put_kinds(h, &is, each_step);
        sq_html_raw(h, "<div class=\"sides\"><div>\n");
        sq_report_words(h, script, true);
        sq_html_raw(h, "</div><div>\n");
        put_loop(h, task, &a, hot, id);
        sq_html_raw(h, "</div></div>\n");
    }
    sq_text_free(&text);
    sq_child_end_free(&end);
}
