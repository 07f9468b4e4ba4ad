/* HTML, page: the file around what callers put into it, text and tables. See html.h. */
#include "cli/html/html.h"
#include "support/file.h"
#include "support/version.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

extern const char sq_html_style[]; /* style.css */

/* ---- escaping ---- */

/* Bytes of the letter at p, of at most n; 0 where there is none: UTF-8 without overlong forms and surrogates. */
static size_t letter(const unsigned char *p, size_t n)
{
    size_t m = p[0] < 0x80                   ? 1
               : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
               : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
               : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
                                             : 0;
    if (m == 0 || m > n)
        return 0;
    for (size_t i = 1; i < m; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    bool is_wrong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] >= 0xa0) ||
                    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] >= 0x90);
    return is_wrong ? 0 : m;
}

void sq_html_escape(sq_text *to, const char *text, size_t n)
{
    for (size_t i = 0; i < n;) {
        const unsigned char *p = (const unsigned char *)text + i;
        size_t m = letter(p, n - i);
        const char *name = *p == '<'    ? "&lt;"
                           : *p == '>'  ? "&gt;"
                           : *p == '&'  ? "&amp;"
                           : *p == '"'  ? "&quot;"
                           : *p == '\'' ? "&#39;"
                                        : NULL;
        bool is_control = (*p < 0x20 && *p != '\n' && *p != '\t') || *p == 0x7f;
        if (m == 0 || is_control)
            name = "\xef\xbf\xbd";
        if (name)
            sq_text_puts(to, name);
        else
            sq_text_putn(to, text + i, m);
        i += m ? m : 1;
    }
}

static void put_escaped(sq_text *to, const char *format, va_list args)
{
    sq_text t = {0};
    sq_text_vprintf(&t, format, args);
    sq_html_escape(to, sq_text_str(&t), t.n);
    sq_text_free(&t);
}

#define PUT_ESCAPED(to, format)                                                                    \
    do {                                                                                           \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        put_escaped(to, format, args);                                                             \
        va_end(args);                                                                              \
    } while (0)

void sq_html_put(sq_html *h, const char *format, ...)
{
    PUT_ESCAPED(&h->body, format);
}

void sq_html_put_prose(sq_html *h, const char *text)
{
    for (bool is_code = false;; is_code = !is_code) {
        size_t n = strcspn(text, "`");
        bool opens = !is_code && text[n] && strchr(text + n + 1, '`');
        if (!is_code && text[n] && !opens) /* one without its second */
            n = strlen(text);
        sq_html_escape(&h->body, text, n);
        if (!text[n])
            return;
        sq_text_puts(&h->body, is_code ? "</code>" : "<code>");
        text += n + 1;
    }
}

void sq_html_raw(sq_html *h, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sq_text_vprintf(&h->body, format, args);
    va_end(args);
}

void sq_html_paragraph(sq_html *h, const char *class, const char *format, ...)
{
    va_list args;
    sq_text t = {0};
    va_start(args, format);
    sq_text_vprintf(&t, format, args);
    va_end(args);
    sq_text_printf(&h->body, class ? "<p class=\"%s\">" : "<p>", class);
    sq_html_put_prose(h, sq_text_str(&t));
    sq_text_puts(&h->body, "</p>\n");
    sq_text_free(&t);
}

/* ---- sections ---- */

void sq_html_open(sq_html *h, const char *format, ...)
{
    int level = 2 + h->level++, number = ++h->nsections;
    sq_text_printf(&h->body, "<section aria-labelledby=\"s%d\">\n<h%d id=\"s%d\">", number, level,
                   number);
    PUT_ESCAPED(&h->body, format);
    sq_text_printf(&h->body, "</h%d>\n", level);
    if (level > 2)
        return;
    sq_text_printf(&h->contents, "<li><a href=\"#s%d\">", number);
    PUT_ESCAPED(&h->contents, format);
    sq_text_puts(&h->contents, "</a></li>\n");
}

void sq_html_close(sq_html *h)
{
    h->level--;
    sq_text_puts(&h->body, "</section>\n");
}

/* ---- figures in text ---- */

/* <data value="…">, unless there is no number. */
static void open_value(sq_text *to, double value)
{
    if (isfinite(value))
        sq_text_printf(to, "<data value=\"%.9g\">", value);
}

static void close_value(sq_text *to, double value)
{
    if (isfinite(value))
        sq_text_puts(to, "</data>");
}

void sq_html_facts_open(sq_html *h)
{
    sq_text_puts(&h->body, "<dl class=\"facts\">\n");
}

void sq_html_fact(sq_html *h, const char *name, double value, const char *format, ...)
{
    sq_text_puts(&h->body, "<div><dt>");
    sq_html_escape(&h->body, name, strlen(name));
    sq_text_puts(&h->body, "</dt><dd>");
    open_value(&h->body, value);
    PUT_ESCAPED(&h->body, format);
    close_value(&h->body, value);
    sq_text_puts(&h->body, "</dd></div>\n");
}

void sq_html_facts_close(sq_html *h)
{
    sq_text_puts(&h->body, "</dl>\n");
}

void sq_html_meter(sq_html *h, const char *name, double share, const char *format, ...)
{
    double width = isfinite(share) ? fmax(0, fmin(1, share)) : 0;
    sq_text_puts(&h->body, "<div class=\"meter\"><span class=\"name\">");
    sq_html_escape(&h->body, name, strlen(name));
    sq_text_printf(&h->body,
                   "</span><span class=\"track\" aria-hidden=\"true\"><span "
                   "style=\"width:%.1f%%\"></span></span>"
                   "<span class=\"share\">",
                   100 * width);
    if (isfinite(share))
        sq_text_printf(&h->body, "<data value=\"%.9g\">%.0f&nbsp;%%</data>", share, 100 * share);
    sq_text_puts(&h->body, "</span><span class=\"what\">");
    PUT_ESCAPED(&h->body, format);
    sq_text_puts(&h->body, "</span></div>\n");
}

/* ---- tables ---- */

void sq_html_table_open(sq_html *h, const char *caption, const char *heads)
{
    sq_text_puts(&h->body, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"");
    sq_html_escape(&h->body, caption, strlen(caption));
    sq_text_puts(&h->body, "\"><table><caption><span>");
    sq_html_escape(&h->body, caption, strlen(caption));
    sq_text_puts(&h->body, "</span></caption>\n<thead><tr>");
    while (*heads) {
        size_t n = strcspn(heads, "|"), skip = *heads == '>';
        sq_text_puts(&h->body, skip ? "<th scope=\"col\" class=\"number\">" : "<th scope=\"col\">");
        sq_html_escape(&h->body, heads + skip, n - skip);
        sq_text_puts(&h->body, "</th>");
        heads += n + (heads[n] == '|');
    }
    sq_text_puts(&h->body, "</tr></thead>\n<tbody>\n");
}

void sq_html_row_open(sq_html *h, bool is_marked)
{
    h->ncells = 0;
    sq_text_puts(&h->body, is_marked ? "<tr class=\"marked\">" : "<tr>");
}

void sq_html_cell(sq_html *h, const char *format, ...)
{
    bool head = h->ncells++ == 0;
    sq_text_puts(&h->body, head ? "<th scope=\"row\">" : "<td>");
    PUT_ESCAPED(&h->body, format);
    sq_text_puts(&h->body, head ? "</th>" : "</td>");
}

void sq_html_code_cell(sq_html *h, const char *text)
{
    sq_text_puts(&h->body, "<td class=\"script\"><code>");
    sq_html_escape(&h->body, text, strlen(text));
    sq_text_puts(&h->body, "</code></td>");
}

void sq_html_number(sq_html *h, double value, const char *format, ...)
{
    bool head = h->ncells++ == 0;
    sq_text_puts(&h->body, head ? "<th scope=\"row\" class=\"number\">" : "<td class=\"number\">");
    open_value(&h->body, value);
    PUT_ESCAPED(&h->body, format);
    close_value(&h->body, value);
    sq_text_puts(&h->body, head ? "</th>" : "</td>");
}

void sq_html_row_close(sq_html *h)
{
    sq_text_puts(&h->body, "</tr>\n");
}

void sq_html_table_close(sq_html *h)
{
    sq_text_puts(&h->body, "</tbody></table></div>\n");
}

/* ---- the file ---- */

void sq_html_free(sq_html *h)
{
    sq_text_free(&h->head);
    sq_text_free(&h->body);
    sq_text_free(&h->contents);
}

/* Words of a command, none of which ends within an option: --fix breaks behind its hyphens otherwise. */
static void put_command(const char *command, sq_text *to)
{
    sq_text_puts(to, "<code>");
    for (size_t n; *command; command += n) {
        n = strspn(command, " ");
        sq_html_escape(to, command, n);
        command += n;
        n = strcspn(command, " ");
        if (n)
            sq_text_puts(to, "<span class=\"word\">");
        sq_html_escape(to, command, n);
        if (n)
            sq_text_puts(to, "</span>");
    }
    sq_text_puts(to, "</code>");
}

static void put_page(const sq_html *h, const char *command, sq_text *to)
{
    sq_text_puts(to, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"color-scheme\" content=\"light dark\">\n"
                     "<meta name=\"generator\" content=\"squall " SQ_VERSION "\">\n<title>");
    sq_html_escape(to, h->title, strlen(h->title));
    sq_text_puts(to, "</title>\n<style>\n");
    sq_text_puts(to, sq_html_style);
    sq_text_puts(to, sq_text_str(&h->head));
    sq_text_puts(to, "</style>\n</head>\n<body>\n<header>\n<h1>");
    sq_html_escape(to, h->title, strlen(h->title));
    sq_text_puts(to, "</h1>\n<p class=\"command\">");
    put_command(command, to);
    sq_text_puts(to, " <span>squall " SQ_VERSION "</span></p>\n");
    const char *first = h->contents.n ? strstr(h->contents.s, "<li>") : NULL;
    if (first && strstr(first + 1, "<li>")) /* one section needs no list */
        sq_text_printf(to, "<nav aria-label=\"Sections\"><ul>\n%s</ul></nav>\n", h->contents.s);
    sq_text_printf(to, "</header>\n<main>\n%s</main>\n</body>\n</html>\n", sq_text_str(&h->body));
}

int sq_html_write(const sq_html *h, const char *command, const char *path, sq_diags *d)
{
    sq_text all = {0};
    put_page(h, command, &all);
    int rc = sq_file_write(d, path, all.s, all.n, 0);
    sq_text_free(&all);
    return rc;
}
