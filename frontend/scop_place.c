/* Scop place: where in the text something stands. */
#include "frontend/scop_build.h"
#include <string.h>

bool sq_scop_offset(const sq_reader *r, CXSourceLocation place, size_t *at)
{
    CXFile file = NULL;
    unsigned offset = 0;
    r->cl->clang_getFileLocation(place, &file, NULL, NULL, &offset);
    if (!file)
        return false;
    *at = offset;
    return strcmp(sq_clang_string(r, r->cl->clang_getFileName(file)), r->path) == 0;
}

bool sq_scop_span(const sq_reader *r, CXCursor c, size_t *from, size_t *to)
{
    CXSourceRange range = r->cl->clang_getCursorExtent(c);
    return sq_scop_offset(r, r->cl->clang_getRangeStart(range), from) &&
           sq_scop_offset(r, r->cl->clang_getRangeEnd(range), to);
}

bool sq_scop_name_at(const sq_reader *r, CXCursor decl, size_t *at)
{
    return sq_scop_offset(r, r->cl->clang_getCursorLocation(decl), at);
}

bool sq_scop_inside(const sq_builder *b, CXCursor c)
{
    const sq_region_text *t = &b->scop->region->text;
    size_t from, to;
    return sq_scop_span(&b->r, c, &from, &to) && from >= t->inner && to <= t->inner_to;
}

static size_t offset_of(const sq_reader *r, CXSourceLocation place)
{
    unsigned offset = 0;
    r->cl->clang_getFileLocation(place, NULL, NULL, NULL, &offset);
    return offset;
}

sq_scop_skipped sq_scop_skipped_find(const sq_reader *r, CXFile file)
{
    const sq_clang *cl = r->cl;
    if (!file)
        return (sq_scop_skipped){0};
    CXSourceRangeList *list = cl->clang_getSkippedRanges(r->unit, file);
    int n = list ? (int)list->count : 0;
    sq_scop_skipped s = {n, SQ_NEW_ARRAY(r->arena, size_t, n + 1),
                         SQ_NEW_ARRAY(r->arena, size_t, n + 1)};
    for (int i = 0; i < n; i++) {
        s.from[i] = offset_of(r, cl->clang_getRangeStart(list->ranges[i]));
        s.to[i] = offset_of(r, cl->clang_getRangeEnd(list->ranges[i]));
    }
    cl->clang_disposeSourceRangeList(list);
    return s;
}

bool sq_scop_skips(const sq_scop_skipped *s, size_t at)
{
    for (int i = 0; i < s->n; i++)
        if (s->from[i] <= at && at < s->to[i])
            return true;
    return false;
}

sq_region_line sq_scop_called(const sq_reader *r, sq_arena *arena, int line)
{
    const sq_clang *cl = r->cl;
    CXFile file = cl->clang_getFile(r->unit, r->path);
    CXString name;
    unsigned called = 0;
    cl->clang_getPresumedLocation(cl->clang_getLocation(r->unit, file, (unsigned)line, 1), &name,
                                  &called, NULL);
    const char *text = sq_clang_string(r, name);
    bool other = *text && strcmp(text, r->path) != 0;
    return (sq_region_line){other ? sq_arena_strdup(arena, text) : NULL,
                            called ? (int)called : line};
}

bool sq_scop_holds(const sq_builder *b, CXCursor c, CXCursor inner)
{
    size_t from, to, first, last;
    return sq_scop_span(&b->r, c, &from, &to) && sq_scop_span(&b->r, inner, &first, &last) && from <= first &&
           last <= to;
}
