/* Extent: how large and how deep the syntax tree of a kernel is, before anything recursive reads
 * it. Macros that double make trees that no stack holds, so the walk keeps a stack of its own. */
#include "frontend/build.h"
#include "support/limits.h"
#include <string.h>

typedef struct pending {
    CXCursor c;
    int level;
} pending;

typedef struct walk {
    sq_builder *b;
    pending *stack;
    int n, cap, seen;
    int level; /* of the children being visited */
} walk;

static void push(walk *w, CXCursor c, int level)
{
    if (w->n == w->cap) {
        int cap = w->cap ? 2 * w->cap : 64;
        pending *more = SQ_NEW_ARRAY(w->b->r.arena, pending, cap);
        if (w->n)
            memcpy(more, w->stack, (size_t)w->n * sizeof *more);
        w->stack = more;
        w->cap = cap;
    }
    w->stack[w->n++] = (pending){c, level};
}

static int refuse(const walk *w, CXCursor c, const char *what, int most)
{
    sq_refuse(w->b, c, "%s; accepted are up to %d in one kernel", what, most);
    sq_help(w->b->r.d, SQ_NOWHERE,
            "a loop or a sum over an array says the same in less text; macros are counted as they "
            "expand");
    return -1;
}

static enum CXChildVisitResult push_child(CXCursor c, CXCursor parent, CXClientData user)
{
    walk *w = user;
    (void)parent;
    push(w, c, w->level);
    return ++w->seen > SQ_MOST_OPERANDS ? CXChildVisit_Break : CXChildVisit_Continue;
}

int sq_extent_check(sq_builder *b, CXCursor root)
{
    walk w = {.b = b};
    push(&w, root, 0);
    while (w.n > 0) {
        pending p = w.stack[--w.n];
        if (p.level > SQ_MOST_LEVELS)
            return refuse(&w, p.c, "too many operators and statements inside each other",
                          SQ_MOST_LEVELS);
        w.level = p.level + 1;
        b->r.cl->clang_visitChildren(p.c, push_child, &w);
        if (w.seen > SQ_MOST_OPERANDS)
            return refuse(&w, p.c, "too many operands and operators", SQ_MOST_OPERANDS);
    }
    return 0;
}
