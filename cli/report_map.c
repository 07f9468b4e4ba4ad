/* Reports, map: the statements that lines of an emitted text compute. The text says it itself: a comment with the
 * statement's name stands before its loops, at their indentation, and ends where that does; functions of register
 * tiles belong to the statements that call them. Loops that auto() ordered have no such comments: there a line that
 * stores belongs to all statements that write the array. */
#include "cli/report_parts.h"
#include <ctype.h>
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

static bool holds(const sq_line *x, const char *word)
{
    return memmem(x->text, x->n, word, strlen(word)) != NULL;
}

/* The bit of the statement whose name begins at p; 0: none does. */
static uint64_t named(const sq_kernel *k, const char *p, const char **end)
{
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_')
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

/* "gemm_tile_i6_j64(" of a line that begins such a function; its length, or 0. */
static size_t function_at(const sq_line *x, const char **name)
{
    static const char head[] = "SQ_INLINE void ";
    if (x->n < sizeof head || strncmp(x->text, head, sizeof head - 1) != 0)
        return 0;
    *name = x->text + sizeof head - 1;
    return strcspn(*name, "(\n") + 1;
}

static void mark_function(sq_text_map *m, int from, const char *name, size_t n)
{
    uint64_t stmts = 0;
    for (int i = 0; i < m->n; i++) {
        const char *at = m->stmts[i] ? memmem(m->line[i].text, m->line[i].n, name, n) : NULL;
        if (at && at > m->line[i].text && at[-1] == ' ')
            stmts |= m->stmts[i];
    }
    if (!stmts)
        return;
    int first = from > 0 && strncmp(m->line[from - 1].text, "/* ", 3) == 0 ? from - 1 : from;
    m->begins[first] = true;
    for (int i = first; i < m->n; i++) {
        m->stmts[i] |= stmts;
        if (m->line[i].n == 1 && m->line[i].text[0] == '}')
            break;
    }
}

/* ---- loops without such comments ---- */

/* True of a line that stores to the array: "A[…] = …", "f32x8_store(&A[…], …". */
static bool stores_to(const sq_line *x, const char *array)
{
    static const char *const calls[] = {"_store(&", "_store_part(&", "_store(", "_store_part("};
    size_t at = indent_of(x), n = strlen(array);
    const char *p = x->text + at;
    if (x->n > at + n + 1 && memcmp(p, array, n) == 0 && p[n] == '[')
        return true;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const char *call = memmem(x->text, x->n, calls[i], strlen(calls[i]));
        const char *to = call ? call + strlen(calls[i]) : NULL;
        if (to && to + n < x->text + x->n && memcmp(to, array, n) == 0 &&
            (to[n] == '[' || to[n] == ' '))
            return true;
    }
    return false;
}

/* The statements that write the array in groups whose loops auto() ordered, or that run as written: one line may be of
 * any of them. */
static uint64_t writers(const sq_schedule *s, const sq_array *a)
{
    uint64_t all = 0;
    for (int g = 0; g < s->ngroups; g++)
        for (int i = 0; s->group[g]->kind != SQ_GROUP_TILED && i < s->group[g]->nstmts; i++)
            for (int k = 0; k < s->kernel->nstmts && k < SQ_REPORT_STMTS; k++)
                if (s->kernel->stmt[k] == s->group[g]->stmt[i] &&
                    s->kernel->stmt[k]->write->array == a)
                    all |= (uint64_t)1 << k;
    return all;
}

/* The lines of such groups that store, by the arrays that these write. */
static void mark_stores(const sq_schedule *s, sq_text_map *m)
{
    bool in_nest = false;
    uint64_t seen = 0;
    for (int i = 0; i < m->n; i++) {
        const sq_line *x = &m->line[i];
        if (x->n && *x->text != ' ' && *x->text != '{')
            in_nest = holds(x, "_nest(");
        for (int a = 0; in_nest && !m->stmts[i] && a < s->kernel->narrays; a++)
            if (stores_to(x, s->kernel->array[a]->name))
                m->stmts[i] = writers(s, s->kernel->array[a]);
        m->begins[i] |= in_nest && (m->stmts[i] & ~seen);
        seen |= in_nest ? m->stmts[i] : 0;
    }
}

sq_text_map sq_text_map_of(const sq_schedule *s, const char *text, sq_arena *arena)
{
    sq_text_map m = {.n = count_lines(text)};
    m.line = SQ_NEW_ARRAY(arena, sq_line, m.n + 1);
    m.stmts = SQ_NEW_ARRAY(arena, uint64_t, m.n + 1);
    m.begins = SQ_NEW_ARRAY(arena, bool, m.n + 1);
    for (int i = 0; i < m.n; i++) {
        size_t n = strcspn(text, "\n");
        m.line[i] = (sq_line){.text = text, .n = n};
        text += n + (text[n] == '\n');
    }
    for (int i = 0; i < m.n; i++) {
        uint64_t stmts = opened_by(s, &m.line[i]);
        if (stmts)
            mark_loops(s, &m, i, stmts);
    }
    mark_stores(s, &m);
    for (int i = 0; i < m.n; i++) {
        const char *name = NULL;
        size_t n = function_at(&m.line[i], &name);
        if (n && !holds(&m.line[i], "{"))
            mark_function(&m, i, name, n);
    }
    return m;
}
