/* Reports, map: the statements that lines of an emitted text compute. The text says it itself: a comment with the
 * statement's name stands before its loops, at their indentation, and ends where that does; functions of register
 * tiles belong to the statements that call them. Loops that auto() ordered have no such comments: lines that store
 * a statement's value are marked, and loops around those of one statement are its own. */
#include "cli/report_parts.h"
#include "support/words.h"
#include <string.h>

static int count_lines(const char *text)
{
    int n = 0;
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
        n++;
    return n;
}

static size_t indent_of(const sq_line *x)
{
    size_t n = 0;
    while (n < x->n && x->text[n] == ' ')
        n++;
    return n;
}

/* The bit of the statement whose name begins at p; 0: none does. */
static uint64_t named(const sq_kernel *k, const char *p, const char **end)
{
    size_t n = 0;
    while (sq_is_word_byte(p[n]))
        n++;
    *end = p + n;
    for (int s = 0; s < k->nstmts && s < SQ_REPORT_STMTS; s++)
        if (strlen(k->stmt[s]->name) == n && memcmp(k->stmt[s]->name, p, n) == 0)
            return (uint64_t)1 << s;
    return 0;
}

/* All statements of the group that has one of these. */
static uint64_t group_of(const sq_schedule *s, uint64_t stmts)
{
    for (int g = 0; g < s->ngroups; g++) {
        uint64_t all = 0;
        for (int i = 0; i < s->group[g]->nstmts; i++)
            for (int k = 0; k < s->kernel->nstmts && k < SQ_REPORT_STMTS; k++)
                if (s->group[g]->stmt[i] == s->kernel->stmt[k])
                    all |= (uint64_t)1 << k;
        if (all & stmts)
            return all | stmts;
    }
    return stmts;
}

/* The statements of a comment that opens their loops: "S0", "S0, S1", "S0: where ...", "S0 and what
 * is fused with it". */
static uint64_t opened_by(const sq_schedule *s, const sq_line *x)
{
    size_t at = indent_of(x);
    const char *p = x->text + at, *end;
    uint64_t all = 0;
    if (x->n < at + 3 || strncmp(p, "/* ", 3) != 0)
        return 0;
    for (p += 3;; p = end + 2) {
        uint64_t one = named(s->kernel, p, &end);
        if (!one)
            return 0;
        all |= one;
        if (strncmp(end, ", ", 2) != 0)
            break;
    }
    if (strncmp(end, " */", 3) != 0 && *end != ':' && strncmp(end, " and ", 5) != 0)
        return 0;
    return strncmp(end, " and ", 5) == 0 ? group_of(s, all) : all;
}

/* Lines from `from` on that the comment there is of: up to one of less indentation, or the next such comment. */
static void mark_loops(const sq_schedule *s, sq_text_map *m, int from, uint64_t stmts)
{
    size_t indent = indent_of(&m->line[from]);
    m->begins[from] = true;
    for (int i = from; i < m->n && (m->line[i].n == 0 || indent_of(&m->line[i]) >= indent); i++) {
        if (i > from && opened_by(s, &m->line[i]) && indent_of(&m->line[i]) == indent)
            break;
        m->stmts[i] = stmts;
    }
}

/* The name of the function that begins at the line, a tile's or, of_grid, that of a launch; its length, or 0. */
static size_t function_at(const sq_line *x, bool of_grid, const char **name)
{
    static const char tile[] = "SQ_INLINE void ", launched[] = "__global__ void ", bounds[] = "__launch_bounds__(";
    const char *end = x->text + x->n;
    const char *p = memmem(x->text, x->n, of_grid ? launched : tile, strlen(of_grid ? launched : tile));
    if (!p || (!of_grid && p > x->text))
        return 0;
    p += strlen(of_grid ? launched : tile);
    if (end - p > (ptrdiff_t)sizeof bounds && strncmp(p, bounds, sizeof bounds - 1) == 0)
        p += strcspn(p, ")") + 2;
    *name = p;
    return p < end ? strcspn(p, "(\n") : 0;
}

static bool ends_function(const sq_line *x)
{
    return x->n == 1 && x->text[0] == '}';
}

/* The function is of the statements whose lines call it; one of a grid also of those inside of it. */
static void mark_function(sq_text_map *m, int from, bool of_grid, const char *name, size_t n)
{
    uint64_t stmts = 0;
    for (int i = 0; i < m->n; i++) {
        const char *at = m->stmts[i] ? memmem(m->line[i].text, m->line[i].n, name, n) : NULL;
        if (at && at > m->line[i].text && at[-1] == ' ' && (at[n] == '(' || at[n] == ','))
            stmts |= m->stmts[i];
    }
    for (int i = from; of_grid && i < m->n && !ends_function(&m->line[i]); i++)
        stmts |= m->stmts[i];
    if (!stmts)
        return;
    int first = from > 0 && strncmp(m->line[from - 1].text, "/* ", 3) == 0 ? from - 1 : from;
    m->begins[first] = true;
    for (int i = first; i < m->n; i++) {
        m->stmts[i] |= stmts;
        if (ends_function(&m->line[i]))
            break;
    }
}

/* Launched functions before the tiles that they call. */
static void mark_functions(sq_text_map *m)
{
    for (int of_grid = 1; of_grid >= 0; of_grid--)
        for (int i = 0; i < m->n; i++) {
            const char *name = NULL;
            size_t n = function_at(&m->line[i], of_grid, &name);
            bool is_told = of_grid || (i > 0 && strncmp(m->line[i - 1].text, "/* ", 3) == 0); /* else a vector's */
            if (n && is_told && !sq_report_line_holds(&m->line[i], "{"))
                mark_function(m, i, of_grid, name, n);
        }
}

/* ---- single stores ---- */

/* "//= S0": the statement whose value the next line stores (sq_emit_options.is_marked). */
static bool is_mark(const sq_line *x)
{
    size_t at = indent_of(x);
    return x->n > at + 4 && strncmp(x->text + at, "//= ", 4) == 0;
}

/* A loop or block that stores values of one statement alone, and is not known to be of any, is of it. */
static void spread(sq_text_map *m)
{
    for (int i = m->n - 1; i >= 0; i--) {
        const sq_line *x = &m->line[i];
        size_t indent = indent_of(x);
        uint64_t inside = 0;
        if (m->stmts[i] || indent == 0 || x->text[x->n - 1] != '{')
            continue;
        int end = i + 1;
        for (; end < m->n && (m->line[end].n == 0 || indent_of(&m->line[end]) > indent); end++)
            inside |= m->stmts[end];
        if (!inside || (inside & (inside - 1)))
            continue;
        for (int k = i; k <= end && k < m->n; k++)
            m->stmts[k] = inside;
    }
}

/* Of lines that no comment is of: the first of each statement in the function with the nest. */
static void find_begins(sq_text_map *m)
{
    bool in_nest = false;
    uint64_t seen = 0;
    for (int i = 0; i < m->n; i++)
        seen |= m->begins[i] ? m->stmts[i] : 0;
    for (int i = 0; i < m->n; i++) {
        const sq_line *x = &m->line[i];
        if (x->n && *x->text != ' ' && *x->text != '{')
            in_nest = sq_report_line_holds(x, "_nest(") || !m->stmts[i];
        if (in_nest && (m->stmts[i] & ~seen) && x->n && *x->text == ' ') {
            m->begins[i] = true;
            seen |= m->stmts[i];
        }
    }
}

static sq_text_map new_map(const char *text, sq_arena *arena)
{
    int most = count_lines(text) + 1;
    return (sq_text_map){.line = SQ_NEW_ARRAY(arena, sq_line, most),
                         .stmts = SQ_NEW_ARRAY(arena, uint64_t, most),
                         .begins = SQ_NEW_ARRAY(arena, bool, most)};
}

sq_text_map sq_text_map_lines(const char *text, sq_arena *arena)
{
    sq_text_map m = new_map(text, arena);
    while (*text) {
        size_t n = strcspn(text, "\n");
        m.line[m.n++] = (sq_line){.text = text, .n = n};
        text += n + (text[n] == '\n');
    }
    return m;
}

/* Lines of the text, without marks. exact: the statements that marks gave them. */
static void split(const sq_kernel *k, const char *text, sq_text_map *m, uint64_t *exact)
{
    uint64_t next = 0;
    while (*text) {
        size_t n = strcspn(text, "\n");
        const sq_line x = {.text = text, .n = n};
        const char *end;
        if (is_mark(&x)) {
            next |= named(k, text + indent_of(&x) + 4, &end);
        } else {
            exact[m->n] = next;
            m->line[m->n++] = x;
            next = 0;
        }
        text += n + (text[n] == '\n');
    }
}

sq_text_map sq_text_map_of(const sq_schedule *s, const char *text, sq_arena *arena)
{
    sq_text_map m = new_map(text, arena);
    uint64_t *exact = SQ_NEW_ARRAY(arena, uint64_t, count_lines(text) + 1);
    split(s->kernel, text, &m, exact);
    for (int i = 0; i < m.n; i++) {
        uint64_t stmts = opened_by(s, &m.line[i]);
        if (stmts)
            mark_loops(s, &m, i, stmts);
    }
    for (int i = 0; i < m.n; i++)
        m.stmts[i] = m.stmts[i] ? m.stmts[i] : exact[i];
    spread(&m);
    mark_functions(&m);
    for (int i = 0; i < m.n; i++)
        m.stmts[i] = exact[i] ? exact[i] : m.stmts[i];
    find_begins(&m);
    return m;
}

void sq_text_map_text(const sq_text_map *m, sq_text *to)
{
    for (int i = 0; i < m->n; i++) {
        sq_text_putn(to, m->line[i].text, m->line[i].n);
        sq_text_puts(to, "\n");
    }
}
