/* Prepacked: `prepacked` before a const array whose contents many calls share. Its kernel is read twice: as `gemm`,
 * which takes the array as it is, and as `gemm_packed`, which takes what gemm_pack_A has made of it. */
#include "frontend/build.h"
#include <string.h>

static const char mark[] = "squall.prepacked";

/* The attribute of a declaration; false: it has none. */
static bool find_mark(const sq_reader *r, CXCursor decl, CXCursor *at)
{
    int n;
    CXCursor *child = sq_cursor_children(r, decl, &n);
    for (int i = 0; i < n; i++)
        if (child[i].kind == CXCursor_AnnotateAttr && strcmp(sq_cursor_spelling(r, child[i]), mark) == 0) {
            *at = child[i];
            return true;
        }
    return false;
}

bool sq_prepacked_any(const sq_reader *r, CXCursor function)
{
    int n;
    CXCursor at, *child = sq_cursor_children(r, function, &n);
    for (int i = 0; i < n; i++)
        if (child[i].kind == CXCursor_ParmDecl && find_mark(r, child[i], &at))
            return true;
    return false;
}

const char *sq_prepacked_name(sq_arena *arena, const char *plain)
{
    return sq_arena_printf(arena, "%s_packed", plain);
}

bool sq_prepacked_again(const sq_unit *u, int i)
{
    const sq_kernel *k = u->kernel[i];
    return k->plain && i > 0 && strcmp(u->kernel[i - 1]->name, k->plain) == 0;
}

int sq_prepacked_read(sq_builder *b, sq_symbol *s, CXCursor decl)
{
    CXCursor at;
    if (!find_mark(&b->r, decl, &at))
        return 0;
    if (!s || decl.kind != CXCursor_ParmDecl || !s->is_const)
        return sq_refuse(b, at, "'%s' is no const array of the caller's, which prepacked is for",
                         sq_cursor_spelling(&b->r, decl));
    s->array->is_packed = b->is_packed;
    return 0;
}
