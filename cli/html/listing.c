/* HTML, listings: texts with numbered lines that can be linked to. See html.h. */
#include "cli/html/html.h"
#include "support/words.h"
#include <string.h>

static bool is_keyword(const char *p, size_t n)
{
    static const char *const words[] = {
        "for",    "if",     "else",    "while",  "return",  "const", "static",
        "inline", "void",   "int",     "float",  "double",  "char",  "restrict",
        "size_t", "kernel", "int64_t", "struct", "typedef", "sum",   "idx",
        "f32",    "f64",    "f16",     "max",    "min",     "goto",  "enum"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == n && memcmp(words[i], p, n) == 0)
            return true;
    return false;
}

/* The end of a comment that begins at p, of those that end in the line. */
static size_t comment(const char *p, size_t n, bool *goes_on)
{
    if (n < 2 || p[0] != '/' || (p[1] != '*' && p[1] != '/'))
        return 0;
    for (size_t i = 2; p[1] == '*' && i + 1 < n; i++)
        if (p[i] == '*' && p[i + 1] == '/')
            return i + 2;
    *goes_on = p[1] == '*';
    return n;
}

static void put_marked(char tag, const char *p, size_t n, sq_text *to)
{
    sq_text_printf(to, "<%c>", tag);
    sq_html_escape(to, p, n);
    sq_text_printf(to, "</%c>", tag);
}

/* A line of C; in_comment: it begins inside of one, and so does the next. */
static void put_c(const char *p, size_t n, bool *in_comment, sq_text *to)
{
    size_t i = 0;
    while (*in_comment && i < n) {
        if (i + 1 < n && p[i] == '*' && p[i + 1] == '/') {
            *in_comment = false;
            i++;
        }
        i++;
    }
    if (i)
        put_marked('i', p, i, to);
    while (i < n) {
        size_t m = comment(p + i, n - i, in_comment);
        if (m) {
            put_marked('i', p + i, m, to);
            i += m;
            continue;
        }
        for (m = 0; i + m < n && sq_is_word_byte(p[i + m]);)
            m++;
        if (m && is_keyword(p + i, m))
            put_marked('b', p + i, m, to);
        for (m += m == 0;
             i + m < n && (p[i + m] & 0xc0) == 0x80;) /* a letter outside ASCII is whole */
            m++;
        if (!is_keyword(p + i, m))
            sq_html_escape(to, p + i, m);
        i += m;
    }
}

void sq_html_listing(sq_html *h, const char *id, const char *label, int first, const sq_line *line,
                     int n, bool is_c)
{
    sq_text *to = &h->body;
    bool in_comment = false;
    sq_text_puts(to, "<pre class=\"listing\" tabindex=\"0\" role=\"region\" aria-label=\"");
    sq_html_escape(to, label, strlen(label));
    sq_text_puts(to, "\">");
    for (int i = 0; i < n; i++) {
        const sq_line *x = &line[i];
        sq_text_puts(to, "<span");
        if (id)
            sq_text_printf(to, " id=\"%s-%d\"", id, first + i);
        if (x->class)
            sq_text_printf(to, " class=\"%s\"", x->class);
        if (id)
            sq_text_printf(to, "><a class=\"no\" href=\"#%s-%d\">%d</a>", id, first + i, first + i);
        else
            sq_text_puts(to, ">");
        if (x->links)
            sq_text_puts(to, x->links);
        if (is_c)
            put_c(x->text, x->n, &in_comment, to);
        else
            sq_html_escape(to, x->text, x->n);
        sq_text_puts(to, "\n</span>");
    }
    sq_text_puts(to, "</pre>\n");
}

void sq_html_folded(sq_html *h, const char *id, const char *label, int first, const sq_line *line,
                    int n, bool is_c)
{
    if (n <= 0)
        return;
    sq_text_puts(&h->body, "<details><summary>");
    sq_html_escape(&h->body, label, strlen(label));
    sq_text_printf(&h->body, ", lines %d to %d</summary>\n", first, first + n - 1);
    sq_html_listing(h, id, label, first, line, n, is_c);
    sq_text_puts(&h->body, "</details>\n");
}
