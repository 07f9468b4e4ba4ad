/* Reports, tree: a schedule's loops as a tree, and its script's words. Each loop leads to the emitted one, the first of
 * its name behind those before it. */
#include "cli/report_parts.h"
#include "support/words.h"
#include "transforms/transform.h"
#include <string.h>

/* ---- the tree ---- */

typedef struct walk {
    sq_html *h;
    const sq_kernel *kernel;
    const sq_text_map *map;
    const char *id;
    int at;    /* the emitted line that was reached */
    bool on_grid;
    int depth; /* open lists */
    int *open; /* by depth: an item is open */
} walk;

/* The next line of the text that holds the word, before the loops of another group where `within`; -1. */
static int next_with(const walk *w, const char *word, bool within)
{
    bool inside = false;
    for (int i = w->at; i < w->map->n; i++) {
        if (within && inside && w->map->begins[i])
            return -1;
        inside = true;
        if (sq_report_line_holds(&w->map->line[i], word))
            return i;
    }
    return -1;
}

/* The first line of the statement of that name; -1. */
static int line_of_stmt(const walk *w, const char *p, size_t n)
{
    for (int s = 0; s < w->kernel->nstmts && s < SQ_REPORT_STMTS; s++)
        for (int i = 0; strlen(w->kernel->stmt[s]->name) == n && i < w->map->n; i++)
            if ((w->map->stmts[i] >> s & 1) && memcmp(w->kernel->stmt[s]->name, p, n) == 0)
                return i;
    return -1;
}

/* Where a grid computes the statement: its loops inside of the function at hand, or the next function that does; -1. */
static int launched_of(const walk *w, const char *stmt, sq_arena *arena)
{
    const char *comment = sq_arena_printf(arena, "/* %s", stmt);
    for (int i = w->at; i < w->map->n; i++) {
        const sq_line *x = &w->map->line[i];
        if (i > w->at && sq_report_line_holds(x, "__global__"))
            break;
        if (sq_report_line_holds(x, comment))
            return i;
    }
    for (int i = w->at; i < w->map->n; i++)
        for (int s = 0; sq_report_line_holds(&w->map->line[i], "__global__") && s < w->kernel->nstmts; s++)
            if (s < SQ_REPORT_STMTS && (w->map->stmts[i] >> s & 1) && strcmp(w->kernel->stmt[s]->name, stmt) == 0)
                return i;
    return -1;
}

/* The comment of an array's copy: "Pack B as ...", "Pack I, padded.", of a grid "... what they read of A."; -1. */
static int pack_of(const walk *w, const char *array, sq_arena *arena)
{
    static const char *const how[] = {"/* Pack %s ", "/* Pack %s,", "/* Pack %s.", "what they read of %s,",
                                      "what they read of %s."};
    int at = -1;
    for (size_t i = 0; at < 0 && i < sizeof how / sizeof *how; i++)
        at = next_with(w, sq_arena_printf(arena, how[i], array), true);
    return at;
}

/* What a line of the tree is in the text: "loop i0 from ...", "pack B", "tile", "group 0: S0"; -1:
 * nothing is. */
static int find(const walk *w, const char *p, size_t n, sq_arena *arena)
{
    size_t word = 0;
    const char *name = NULL;
    if (strncmp(p, "loop ", 5) == 0)
        name = p + 5;
    else if (strncmp(p, "pack ", 5) == 0)
        name = p + 5;
    else if (strncmp(p, "group ", 6) == 0 && memchr(p, ':', n))
        name = (const char *)memchr(p, ':', n) + 2;
    else if (n == 4 && strncmp(p, "tile", 4) == 0)
        return next_with(w, "_tile", true) >= 0 ? next_with(w, "_tile", true)
                                                : next_with(w, "_points", true);
    else
        return line_of_stmt(w, p, n);
    while (name + word < p + n && sq_is_word_byte(name[word]))
        word++;
    const char *is = sq_arena_strndup(arena, name, word);
    if (*p == 'p')
        return pack_of(w, is, arena);
    if (*p == 'g' && w->on_grid)
        return launched_of(w, is, arena);
    if (*p == 'g')
        return next_with(w, sq_arena_printf(arena, "/* %s", is), false);
    int loop = next_with(w, sq_arena_printf(arena, "for (int64_t %s = ", is), true);
    for (size_t i = 0; loop < 0 && i < 2; i++) /* of a grid several on a line */
        loop = next_with(w, sq_arena_printf(arena, i ? ", %s = " : "int64_t %s = ", is), true);
    return loop;
}

/* Where the text computes what the tree shows: the function with the nest, or the first that a grid runs. */
static int first_of(const sq_text_map *map)
{
    for (int i = 0; i < map->n; i++)
        if (sq_report_line_holds(&map->line[i], "__global__") ||
            (sq_report_line_holds(&map->line[i], "_nest(") && map->line[i].text[0] != ' '))
            return i;
    return 0;
}

static void put_item(walk *w, int number, const char *p, size_t n, sq_arena *arena)
{
    sq_text *to = &w->h->body;
    int at = find(w, p, n, arena);
    if (at >= w->at) /* a group may begin with its loop; of a grid several loops may be on a line */
        w->at = (*p == 'g') != w->on_grid ? at : at + 1;
    uint64_t stmts = at >= 0 ? w->map->stmts[at] : 0;
    sq_text_printf(to, "<li id=\"%st%d\"><span class=\"what", w->id, number);
    for (int s = 0; s < SQ_REPORT_STMTS; s++)
        if (stmts >> s & 1)
            sq_text_printf(to, " %sS%d", w->id, s);
    sq_text_puts(to, "\">");
    if (at >= 0)
        sq_text_printf(to, "<a href=\"#%s-%d\">", w->id, at + 1);
    sq_html_escape(to, p, n);
    sq_text_puts(to, at >= 0 ? "</a></span>" : "</span>");
}

/* Closes lists until `depth` are open, and the item before. */
static void close_to(walk *w, int depth)
{
    while (w->depth > depth) {
        sq_text_puts(&w->h->body, "</li></ul>\n");
        w->depth--;
    }
}

void sq_report_tree(sq_html *h, const sq_schedule *s, const sq_text_map *map, const char *id,
                    sq_diags *d, sq_arena *arena)
{
    sq_text nest = {0};
    walk w = {.h = h, .kernel = s->kernel, .map = map, .id = id, .at = first_of(map)};
    int number = 0;
    for (int i = 0; i < map->n; i++)
        w.on_grid |= sq_report_line_holds(&map->line[i], "__global__");
    if (sq_nest_dump(s, &nest, d) != 0 || nest.n == 0) {
        sq_text_free(&nest);
        return;
    }
    for (const char *p = nest.s; *p;) {
        size_t n = strcspn(p, "\n"), blanks = strspn(p, " ");
        int depth = (int)(blanks / 4) + 1;
        if (depth > w.depth + 1)
            depth = w.depth + 1;
        if (depth <= w.depth) {
            close_to(&w, depth);
            sq_text_puts(&h->body, "</li>\n");
        } else {
            sq_text_puts(&h->body, w.depth ? "\n<ul>" : "<ul class=\"tree\">");
            w.depth++;
        }
        put_item(&w, ++number, p + blanks, n - blanks, arena);
        p += n + (p[n] == '\n');
    }
    close_to(&w, 0);
    sq_text_free(&nest);
}

/* ---- the words ---- */

static const char *doc_of(const char *call, size_t n)
{
    for (const sq_transform *t = sq_transforms; t->name; t++)
        if (strlen(t->name) == n && strncmp(t->name, call, n) == 0)
            return t->doc;
    return "";
}

/* Bytes of the call at p, up to the parenthesis that closes it. */
static size_t call_length(const char *p)
{
    int depth = 0;
    size_t n = 0;
    for (; p[n]; n++) {
        depth += (p[n] == '(') - (p[n] == ')');
        if (p[n] == ')' && depth == 0)
            return n + 1;
    }
    return n;
}

/* Those that say what a register tile and its operands are, not where it stands. */
static bool is_of_tile(const char *call)
{
    static const char *const names[] = {"micro(", "vectorize(", "unroll(", "split(",
                                        "pack(",  "epilogue(",  "dot(",    "hold("};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(call, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* Bytes of "S0: ", the statement that the calls behind it are of; 0: it is none. */
static size_t prefix_length(const char *p)
{
    size_t n = 0;
    while (sq_is_word_byte(p[n]))
        n++;
    return n && p[n] == ':' && p[n + 1] == ' ' ? n + 2 : 0;
}

/* A call, and what its transform does where it is the first of its name. */
static void put_call(sq_html *h, const char *script, const char *p, size_t n)
{
    size_t name = strcspn(p, "(") + 1;
    const char *first = memmem(script, (size_t)(p - script), p, name);
    while (first && first > script && first[-1] != ' ') /* the end of a longer name */
        first = memmem(first + 1, (size_t)(p - first - 1), p, name);
    sq_html_raw(h, "<li><code>");
    sq_html_put(h, "%.*s", (int)n, p);
    sq_html_raw(h, "</code>");
    if (!first) {
        sq_html_raw(h, "<p>");
        sq_html_put_prose(h, doc_of(p, name - 1));
        sq_html_raw(h, "</p>");
    }
    sq_html_raw(h, "</li>\n");
}

void sq_report_words(sq_html *h, const char *script, bool of_tile)
{
    const char *p = script + strspn(script, " \n");
    if (!*p) {
        sq_html_paragraph(h, NULL, "The script is empty: the order is as written.");
        return;
    }
    sq_html_raw(h, "<ul class=\"words\">\n");
    for (size_t n; *p; p += n, p += strspn(p, " \n")) {
        size_t prefix = prefix_length(p);
        if (prefix)
            sq_html_raw(h, "<li class=\"whose\">%.*s</li>\n", (int)prefix - 2, p);
        p += prefix;
        n = call_length(p);
        if (!of_tile || is_of_tile(p))
            put_call(h, script, p, n);
    }
    sq_html_raw(h, "</ul>\n");
}
