/* Report, how much there is: where clang's errors stand, so that the kernels and statements without any
 * can be read. */
#include "frontend/report.h"
#include "support/words.h"
#include <string.h>

/* A function that is not declared is a warning to some standards of C, and never one of ours. */
static bool is_error(const sq_reader *r, CXDiagnostic m)
{
    const char *option = sq_clang_string(r, r->cl->clang_getDiagnosticOption(m, NULL));
    return r->cl->clang_getDiagnosticSeverity(m) >= CXDiagnostic_Error ||
           strcmp(option, "-Wimplicit-function-declaration") == 0;
}

int sq_report_count(sq_reader *r, int first, int last)
{
    const sq_clang *cl = r->cl;
    int n = 0;
    for (unsigned i = 0; i < cl->clang_getNumDiagnostics(r->unit); i++) {
        CXDiagnostic m = cl->clang_getDiagnostic(r->unit, i);
        sq_loc at = sq_place_loc(r, cl->clang_getDiagnosticLocation(m));
        bool inside =
            at.file && strcmp(at.file, r->path) == 0 && at.line >= first && at.line <= last;
        n += is_error(r, m) && (inside || (first == 0 && last == 0));
        cl->clang_disposeDiagnostic(m);
    }
    return n;
}

/* The text from a line and a column on. */
static const char *text_at(const char *text, sq_loc at)
{
    for (int line = 1; line < at.line && text; line++) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return text && strnlen(text, (size_t)at.col) == (size_t)at.col ? text + at.col - 1 : NULL;
}

/* `name[…] = …;`, and no declaration, call, for or if, on which other statements depend. */
static bool in_assignment(const char *text, const char *at)
{
    const char *from = at;
    int open = 0;
    while (from > text && !strchr(";{}", from[-1]))
        from--;
    from += strspn(from, " \t\r\n");
    for (const char *s = from; *s && *s != ';'; s++)
        open += (*s == '(') - (*s == ')');
    size_t n = 0;
    while (sq_is_word_byte(from[n]))
        n++;
    return n > 0 && open == 0 && strchr("[=+-*/", from[n + strspn(from + n, " \t")]);
}

/* Such an error leaves the syntax as it is. */
static bool is_of_meaning(const sq_reader *r, CXDiagnostic m)
{
    static const char *const texts[] = {
        "use of undeclared identifier", "call to undeclared function", "subscripted value is not",
        "invalid operands to binary", "no matching function for call"};
    const char *said = sq_clang_string(r, r->cl->clang_getDiagnosticSpelling(m));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strncmp(said, texts[i], strlen(texts[i])) == 0)
            return true;
    return false;
}

bool sq_report_mild(sq_reader *r, const char *text, int first, int last)
{
    const sq_clang *cl = r->cl;
    bool mild = true;
    for (unsigned i = 0; i < cl->clang_getNumDiagnostics(r->unit); i++) {
        CXDiagnostic m = cl->clang_getDiagnostic(r->unit, i);
        sq_loc at = sq_place_loc(r, cl->clang_getDiagnosticLocation(m));
        if (is_error(r, m) && at.file && strcmp(at.file, r->path) == 0 && at.line >= first &&
            at.line <= last) {
            const char *place = text_at(text, at);
            mild &= is_of_meaning(r, m) && place && in_assignment(text, place);
        }
        cl->clang_disposeDiagnostic(m);
    }
    return mild;
}
