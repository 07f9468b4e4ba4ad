/* Reports, code: a kernel's description beside the text of one of its schedules, linked line by line. */
#include "cli/report_parts.h"
#include <string.h>

/* Statements in colours that repeat; those under the pointer, or gone to, light up on both sides. */
static void put_style(sq_html *h, int i, const sq_schedule *s)
{
    for (int k = 0; k < s->kernel->nstmts && k < SQ_REPORT_STMTS; k++)
        sq_text_printf(&h->head,
                       ".listing > .k%dS%d { border-left-color: var(--plot-p%d); }\n"
                       "main:has(.k%dS%d:hover) .k%dS%d, main:has(.k%dS%d:target) .k%dS%d { "
                       "background: var(--glow); }\n",
                       i, k, k % SQ_KINDS + 1, i, k, i, k, i, k, i, k);
    sq_text_puts(&h->head, ".listing > span:target { background: var(--mark) !important; }\n");
}

/* "k0S0 k0S2" of these statements. */
static const char *class_of(sq_task *task, const char *id, uint64_t stmts)
{
    sq_text t = {0};
    for (int s = 0; s < SQ_REPORT_STMTS; s++)
        if (stmts >> s & 1)
            sq_text_printf(&t, "%s%sS%d", t.n ? " " : "", id, s);
    return t.n ? sq_text_take(&t, task->arena) : NULL;
}

/* ---- the description ---- */

/* The statement's lines: from its first on to the one that ends it. */
static int last_line(const sq_line *line, int n, int first)
{
    int i = first;
    while (i + 1 < n && !memchr(line[i].text, ';', line[i].n))
        i++;
    return i;
}

static bool is_of_file(const sq_task *task, const sq_stmt *s)
{
    return s->loc.line > 0 && (!s->loc.file || strcmp(s->loc.file, task->path) == 0);
}

/* The first line of the emitted text that has the statement's loops, of a grid that of the function that is launched;
 * 0: none. */
static int line_of(const sq_text_map *map, int stmt)
{
    for (int i = 0; i < map->n; i++)
        if (map->begins[i] && (map->stmts[i] >> stmt & 1) &&
            (map->line[i].text[0] == ' ' || sq_report_line_holds(&map->line[i], "__global__")))
            return i + 1;
    for (int i = 0; i < map->n; i++)
        if (map->stmts[i] >> stmt & 1)
            return i + 1;
    return 0;
}

static void put_description(sq_html *h, sq_task *task, const char *id, const sq_schedule *s,
                            const sq_text_map *map)
{
    const sq_kernel *k = s->kernel;
    sq_text_map text = sq_text_map_lines(task->text, task->arena);
    sq_text *links = SQ_NEW_ARRAY(task->arena, sq_text, text.n + 1);
    for (int i = 0; i < k->nstmts && i < SQ_REPORT_STMTS; i++) {
        int first = k->stmt[i]->loc.line - 1, at = line_of(map, i);
        if (!is_of_file(task, k->stmt[i]) || first >= text.n)
            continue;
        for (int l = first; l <= last_line(text.line, text.n, first); l++)
            text.stmts[l] |= (uint64_t)1 << i;
        if (at) {
            sq_text_printf(&links[first], "<a href=\"#%s-%d\">", id, at);
            sq_html_escape(&links[first], k->stmt[i]->name, strlen(k->stmt[i]->name));
            sq_text_puts(&links[first], "</a> ");
        }
    }
    for (int l = 0; l < text.n; l++) {
        text.line[l].class = class_of(task, id, text.stmts[l]);
        text.line[l].links =
            sq_arena_printf(task->arena, "<span class=\"at\">%s</span>", sq_text_str(&links[l]));
        sq_text_free(&links[l]);
    }
    sq_html_listing(h, sq_arena_printf(task->arena, "%ss", id), "The description", 1, text.line,
                    text.n, true);
}

/* ---- the emitted text ---- */

static void put_emitted(sq_html *h, sq_task *task, const char *id, const sq_schedule *s,
                        sq_text_map *map)
{
    for (int l = 0; l < map->n; l++) {
        sq_text links = {0};
        for (int i = 0; map->begins[l] && i < s->kernel->nstmts && i < SQ_REPORT_STMTS; i++) {
            const sq_stmt *x = s->kernel->stmt[i];
            if ((map->stmts[l] >> i & 1) && is_of_file(task, x)) {
                sq_text_printf(&links, "<a href=\"#%ss-%d\" title=\"line %d\">", id, x->loc.line,
                               x->loc.line);
                sq_html_escape(&links, x->name, strlen(x->name));
                sq_text_puts(&links, "</a> ");
            }
        }
        map->line[l].class = class_of(task, id, map->stmts[l]);
        map->line[l].links =
            sq_arena_printf(task->arena, "<span class=\"at\">%s</span>", sq_text_str(&links));
        sq_text_free(&links);
    }
    int first = 0, last = map->n;
    while (first < map->n && !map->stmts[first])
        first++;
    while (last > first && !map->stmts[last - 1])
        last--;
    while (first < last && first > 0 &&
           strchr(" {", map->line[first].text[0])) /* the start of its function */
        first--;
    if (first == last) { /* nothing is known of it */
        sq_html_listing(h, id, "The emitted code", 1, map->line, map->n, true);
        return;
    }
    while (last < map->n && map->line[last].text[0] != '}') /* the end of its function */
        last++;
    last += last < map->n;
    sq_html_folded(h, id, "Helper functions", 1, map->line, first, true);
    sq_html_listing(h, id, "The emitted code", first + 1, map->line + first, last - first, true);
    sq_html_folded(h, id, "The entry points", last + 1, map->line + last, map->n - last, true);
}

static void put_legend(sq_html *h, const sq_kernel *k, const sq_text_map *map)
{
    uint64_t seen = 0;
    for (int i = 0; i < map->n; i++)
        seen |= map->stmts[i];
    if (seen)
        sq_html_paragraph(
            h, "note",
            "Names of statements lead from the line that describes them to their loops, and back; "
            "lines of "
            "the statement under the pointer are lit. Loops of the tree lead to the emitted ones.");
    else if (k->nstmts)
        sq_html_paragraph(h, "note",
                          "The text of this schedule does not say which loops are whose: "
                          "statements have no links.");
}

void sq_report_code(sq_html *h, sq_task *task, const sq_schedule *s, const char *said)
{
    sq_text text = {0}, script = {0};
    sq_diags *d = sq_diags_new(); /* what is refused is said on the page */
    int number = h->ncodes++; /* of the page's: a kernel may have several */
    const char *id = sq_arena_printf(task->arena, "k%d", number);
    sq_emit_options o = {
        .target = task->target, .openmp = task->openmp, .tasks = task->tasks, .provenance = "", .is_marked = true};
    bool ok = sq_emit_source(s, &o, &text, d) == 0;
    sq_schedule_print(s, &script);
    put_style(h, number, s);
    sq_html_open(h, "The schedule and its code");
    sq_html_paragraph(h, NULL, "The schedule: %s; for target %s%s.", said, task->target->name,
                      task->openmp ? " with threads" : "");
    if (!ok) {
        sq_html_paragraph(h, "missing", "Its code cannot be written: %s", sq_diags_message(d, 0));
    } else {
        sq_text_map map = sq_text_map_of(s, text.s, task->arena);
        put_legend(h, s->kernel, &map);
        sq_html_raw(h, "<div class=\"sides\"><div>\n<h4>The description</h4>\n");
        put_description(h, task, id, s, &map);
        sq_html_raw(h, "<h4>The schedule's loops</h4>\n");
        sq_report_tree(h, s, &map, id, d, task->arena);
        sq_html_raw(h, "<h4>Script</h4>\n");
        sq_report_words(h, sq_text_str(&script), false);
        sq_html_raw(h, "</div><div>\n<h4>The emitted code</h4>\n");
        put_emitted(h, task, id, s, &map);
        sq_html_raw(h, "</div></div>\n");
        if (!task->target->grid)
            sq_report_hot(h, task, s, &map, id, sq_text_str(&script));
    }
    sq_html_close(h);
    sq_diags_free(d);
    sq_text_free(&text);
    sq_text_free(&script);
}
