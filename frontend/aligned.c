/* Aligned: `aligned_to(64)` before a parameter, the caller's promise that the array begins at a multiple of 64 bytes.
 * GNU's attribute has the shorter name, and stands in headers that descriptions may include. */
#include "frontend/build.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 }; /* a page: what `check` places arrays by */

static const char mark[] = "squall.aligned ";

static int refuse_number(sq_builder *b, CXCursor attribute, const char *text)
{
    return sq_refuse(b, attribute, "aligned_to(%s): accepted are powers of two up to %d, as a number", text, MOST);
}

static int read_bytes(sq_builder *b, CXCursor attribute, const char *text, int *bytes)
{
    char *end;
    long n = strtol(text, &end, 0);
    if (end == text || *end || n < 1 || n > MOST || (n & (n - 1)) != 0)
        return refuse_number(b, attribute, text);
    *bytes = n > *bytes ? (int)n : *bytes;
    return 0;
}

int sq_aligned_read(sq_builder *b, CXCursor decl, int *bytes)
{
    int n, rc = 0;
    CXCursor *child = sq_cursor_children(&b->r, decl, &n);
    for (int i = 0; i < n && rc == 0; i++) {
        const char *what = child[i].kind == CXCursor_AnnotateAttr ? sq_cursor_spelling(&b->r, child[i]) : "";
        if (strncmp(what, mark, sizeof mark - 1) != 0)
            continue;
        if (!bytes || decl.kind != CXCursor_ParmDecl)
            rc = sq_refuse(b, child[i],
                           "'%s' is no array of the caller's, of which aligned_to(...) promises where it begins",
                           sq_cursor_spelling(&b->r, decl));
        else
            rc = read_bytes(b, child[i], what + sizeof mark - 1, bytes);
    }
    return rc;
}
