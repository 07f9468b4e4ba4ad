/* Described: what a kernel computes, for who reads the header: the lines of its body in the description, without
 * comments. Nothing where the body is not there, as that of a kernel that a macro makes. */
#include "cli/task.h"
#include "support/words.h"
#include <ctype.h>
#include <string.h>

enum { MOST_LINES = 12 };

/* Past a comment; the place itself where there is none. */
static const char *behind_comment(const char *c)
{
    if (c[0] != '/' || (c[1] != '*' && c[1] != '/'))
        return c;
    const char *end = c[1] == '*' ? strstr(c + 2, "*/") : c + strcspn(c, "\n");
    return !end ? c + strlen(c) : c[1] == '*' ? end + 2 : end;
}

/* The body begins behind the parameters of the name at this place. */
static const char *body_of(const sq_task *task, const sq_kernel *k)
{
    const char *at = task->text, *next;
    for (int line = 1; line < k->loc.line && at; line++)
        at = (at = strchr(at, '\n')) ? at + 1 : NULL;
    const char *name = k->plain ? k->plain : k->name;
    size_t n = strlen(name);
    if (!at || k->loc.col < 1 || strlen(at) < (size_t)k->loc.col + n)
        return NULL;
    at += k->loc.col - 1;
    if (strncmp(at, name, n) != 0 || sq_is_word_byte(at[n]))
        return NULL;
    for (at += n; *at && *at != '{'; at = next)
        next = (next = behind_comment(at)) > at ? next : at + 1;
    return *at ? at + 1 : NULL;
}

/* The lines so far. */
typedef struct lines {
    sq_text all, line; /* the one in hand, blanks as one */
    int blanks, base;  /* before that, and before the first */
    int n;
    bool in_indices; /* behind an idx that a later line ends */
} lines;

/* The text behind declarations of indices at its beginning. */
static const char *behind_indices(lines *l, const char *text)
{
    while (l->in_indices || strncmp(text, "idx ", 4) == 0) {
        const char *end = strchr(text, ';');
        l->in_indices = !end;
        if (!end)
            return "";
        text = end + 1 + (end[1] == ' ');
    }
    return text;
}

/* Ends a line; one that says nothing of what is computed is left out. */
static void end_line(lines *l)
{
    if (l->line.n && l->line.s[l->line.n - 1] == ' ')
        l->line.s[--l->line.n] = 0;
    const char *text = behind_indices(l, sq_text_str(&l->line));
    bool says = *text && *text != '#' && ++l->n <= MOST_LINES;
    if (says && l->n == 1)
        l->base = l->blanks;
    int indent = l->blanks > l->base ? l->blanks - l->base : 0;
    if (says)
        sq_text_printf(&l->all, "%*s%s\n", indent, "", l->n == MOST_LINES ? "..." : text);
    sq_text_clear(&l->line);
    l->blanks = 0;
}

static void add_byte(lines *l, char c)
{
    enum { TAB = 4 };
    bool is_blank = isspace((unsigned char)c) != 0;
    if (c == '\n')
        end_line(l);
    else if (!is_blank)
        sq_text_putn(&l->line, &c, 1);
    else if (l->line.n == 0)
        l->blanks += c == '\t' ? TAB : 1;
    else if (l->line.s[l->line.n - 1] != ' ')
        sq_text_puts(&l->line, " ");
}

/* Nothing in it may end the comment that it will stand in. */
static bool is_harmless(const sq_text *t)
{
    return t->n && !strstr(t->s, "*/") && !strstr(t->s, "/*") && !strchr(t->s, '\\');
}

const char *sq_task_described(const sq_task *task, int i)
{
    const char *c = body_of(task, task->unit->kernel[i]), *next;
    lines l = {0};
    for (int depth = 1; c && *c; c = next) {
        next = behind_comment(c);
        if (next > c)
            continue;
        next = c + 1;
        depth += (*c == '{') - (*c == '}');
        if (depth == 0)
            break;
        add_byte(&l, *c);
    }
    end_line(&l);
    sq_text_free(&l.line);
    const char *text = is_harmless(&l.all) ? sq_text_take(&l.all, task->arena) : NULL;
    sq_text_free(&l.all);
    return text;
}
