/* Builder: what all parts of a kernel's building do with it: refuse what stands somewhere, and own
 * isl's objects until the kernel does. */
#include "frontend/build.h"
#include <isl/ctx.h>
#include <isl/set.h>
#include <stdarg.h>

int sq_refuse(sq_builder *b, CXCursor at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = sq_arena_vprintf(b->r.arena, format, args);
    va_end(args);
    return sq_error(b->r.d, SQ_FAULT_INPUT, sq_cursor_loc(&b->r, at), "%s", text);
}

void sq_builder_at(sq_builder *b, CXCursor c)
{
    if (isl_ctx_last_error(b->k->ctx) == isl_error_none)
        b->reading = sq_cursor_loc(&b->r, c);
}

void sq_builder_own(sq_builder *b, sq_access *access, sq_expr *index, isl_aff *aff)
{
    sq_owned *o = SQ_NEW(b->r.arena, sq_owned);
    *o = (sq_owned){.next = b->owned, .access = access, .index = index, .aff = aff};
    b->owned = o;
}

isl_set *sq_builder_own_set(sq_builder *b, isl_set *set)
{
    sq_owned *o = SQ_NEW(b->r.arena, sq_owned);
    *o = (sq_owned){.next = b->owned, .set = set};
    b->owned = o;
    return set;
}

bool sq_clamped_side(const sq_builder *b, CXCursor choice, bool *holds)
{
    for (int i = 0; i < b->nclamped; i++)
        if (b->r.cl->clang_equalCursors(b->clamped[i].at, choice)) {
            *holds = b->clamped[i].holds;
            return true;
        }
    return false;
}

int sq_clamped_turns(const sq_builder *b, CXCursor rest)
{
    int turns = 0;
    for (int i = 0; i < b->nclamped; i++) {
        if (!b->r.cl->clang_equalCursors(b->clamped[i].at, rest))
            continue;
        if (b->clamped[i].holds)
            return turns;
        turns++;
    }
    return turns == SQ_MOST_TURNS ? turns : -1;
}
