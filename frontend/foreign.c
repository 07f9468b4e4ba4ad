/* Foreign: pragmas of compilers that say how a function computes or how it is linked. What the emitted
 * text would not follow is refused; hints about speed (omp, unroll, ivdep) and all others are not ours.
 *
 * A pragma is in force from its place to the end of the file, inside of a function to the end of the
 * block; one that a later pragma takes back, or a pop, is not. Emitted functions of a region stand in
 * the file itself, below what stands above its function: of how a region is linked and compiled,
 * nothing is lost. */
#include "frontend/foreign.h"
#include <string.h>

/* What is lost if a pragma is not followed. */
typedef enum loss {
    NOTHING,
    ROUNDING,    /* of single operations, which `fp strict` keeps */
    ENVIRONMENT, /* of floating point, which no contract keeps */
    LINKAGE      /* what a compiler knows of the function */
} loss;

/* A pragma takes the place of the one before it that says the same thing. */
typedef enum thing {
    CONTRACT,
    REASSOCIATE,
    PRECISE,
    EXCEPTIONS,
    ACCESS,
    ROUND,
    METHOD,
    OPTIMIZE,
    TARGET,
    SECTION,
    VISIBILITY,
    NTHINGS
} thing;

/* The first row that fits decides: the pragma begins with `head`, and `part` stands behind that. */
static const struct {
    const char *head, *part;
    thing thing;
    loss loss;
} rows[] = {
    {"STDC FP_CONTRACT", "OFF", CONTRACT, ROUNDING},
    {"STDC FP_CONTRACT", "", CONTRACT, NOTHING},
    {"fp_contract", "( off", CONTRACT, ROUNDING},
    {"fp_contract", "", CONTRACT, NOTHING},
    {"clang fp", "contract ( off", CONTRACT, ROUNDING},
    {"clang fp", "contract (", CONTRACT, NOTHING},
    {"clang fp", "reassociate ( off", REASSOCIATE, ROUNDING},
    {"clang fp", "reassociate (", REASSOCIATE, NOTHING},
    {"clang fp", "exceptions ( ignore", EXCEPTIONS, NOTHING},
    {"clang fp", "exceptions (", EXCEPTIONS, ENVIRONMENT},
    {"clang fp", "eval_method ( source", METHOD, NOTHING},
    {"clang fp", "eval_method (", METHOD, ENVIRONMENT},
    {"float_control", "( precise , on", PRECISE, ROUNDING},
    {"float_control", "( precise , off", PRECISE, NOTHING},
    {"float_control", "( except , on", EXCEPTIONS, ENVIRONMENT},
    {"float_control", "( except , off", EXCEPTIONS, NOTHING},
    {"STDC FENV_ACCESS", "ON", ACCESS, ENVIRONMENT},
    {"STDC FENV_ACCESS", "", ACCESS, NOTHING},
    {"fenv_access", "( on", ACCESS, ENVIRONMENT},
    {"fenv_access", "", ACCESS, NOTHING},
    {"STDC FENV_ROUND", "FE_TONEAREST", ROUND, NOTHING},
    {"STDC FENV_ROUND", "", ROUND, ENVIRONMENT},
    {"GCC optimize", "\"rounding-math", OPTIMIZE, ENVIRONMENT},
    {"GCC optimize", "-frounding-math", OPTIMIZE, ENVIRONMENT},
    {"GCC optimize", "\"signaling-nans", OPTIMIZE, ENVIRONMENT},
    {"GCC optimize", "-fsignaling-nans", OPTIMIZE, ENVIRONMENT},
    {"GCC optimize", "fp-contract=off", OPTIMIZE, ROUNDING},
    {"GCC optimize", "", OPTIMIZE, LINKAGE},
    {"GCC reset_options", "", OPTIMIZE, NOTHING},
    {"GCC reset_options", "", TARGET, NOTHING},
    {"GCC target", "", TARGET, LINKAGE},
    {"optimize", "on )", OPTIMIZE, NOTHING},
    {"optimize", "", OPTIMIZE, LINKAGE},
    {"clang optimize", "off", OPTIMIZE, LINKAGE},
    {"clang optimize", "", OPTIMIZE, NOTHING},
    {"clang section", "text = \"\"", SECTION, NOTHING},
    {"clang section", "text =", SECTION, LINKAGE},
    {"code_seg", "( )", SECTION, NOTHING},
    {"code_seg", "", SECTION, LINKAGE},
    {"GCC visibility", "push ( default", VISIBILITY, NOTHING},
    {"GCC visibility", "push", VISIBILITY, LINKAGE},
};

/* Things that are put aside and fetched back together. */
static const struct {
    const char *head, *push, *pop;
    thing first, last;
} stacks[] = {
    {"float_control", "push", "pop", CONTRACT, EXCEPTIONS},
    {"GCC", "push_options", "pop_options", OPTIMIZE, TARGET},
    {"GCC visibility", "push", "pop", VISIBILITY, VISIBILITY},
};
enum { NSTACKS = sizeof stacks / sizeof *stacks, MOST_PUSHED = 64 };

typedef struct in_force {
    sq_pragma *by[NTHINGS];
    loss loss[NTHINGS];
} in_force;

typedef struct walk {
    in_force now, pushed[NSTACKS][MOST_PUSHED];
    int depth[NSTACKS];
} walk;

/* ---- one pragma ---------------------------------------------------------------------------- */

/* What stands behind these words; NULL if the text begins with others. */
static const char *behind(const char *text, const char *head)
{
    size_t n = strlen(head);
    return strncmp(text, head, n) == 0 && (text[n] == ' ' || !text[n]) ? text + n : NULL;
}

static void turn(walk *w, sq_pragma *p)
{
    bool done[NTHINGS] = {false};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *rest = behind(p->text, rows[i].head);
        thing t = rows[i].thing;
        if (!rest || done[t] || !strstr(rest, rows[i].part))
            continue;
        done[t] = true;
        w->now.by[t] = p;
        w->now.loss[t] = rows[i].loss;
    }
}

static void push(walk *w, int s)
{
    if (w->depth[s] < MOST_PUSHED)
        w->pushed[s][w->depth[s]] = w->now;
    w->depth[s]++;
}

static void pop(walk *w, int s)
{
    if (!w->depth[s])
        return;
    int at = --w->depth[s];
    for (thing t = stacks[s].first; at < MOST_PUSHED && t <= stacks[s].last; t++) {
        w->now.by[t] = w->pushed[s][at].by[t];
        w->now.loss[t] = w->pushed[s][at].loss[t];
    }
}

static void step(walk *w, sq_pragma *p)
{
    for (int s = 0; s < NSTACKS; s++) {
        const char *rest = behind(p->text, stacks[s].head);
        if (rest && strstr(rest, stacks[s].push))
            push(w, s);
        else if (rest && strstr(rest, stacks[s].pop))
            pop(w, s);
    }
    turn(w, p);
}

/* ---- where it holds ------------------------------------------------------------------------ */

static bool holds(const size_t span[2], size_t at)
{
    return span[0] <= at && at < span[1];
}

/* The innermost block of c around the text at `at`. */
static void block_around(const sq_reader *r, CXCursor c, size_t at, size_t span[2])
{
    int n;
    CXCursor *child = sq_cursor_children(r, c, &n);
    for (int i = 0; i < n; i++) {
        size_t inner[2];
        if (!sq_scop_span(r, child[i], &inner[0], &inner[1]) || !holds(inner, at))
            continue;
        if (child[i].kind == CXCursor_CompoundStmt)
            memcpy(span, inner, sizeof inner);
        block_around(r, child[i], at, span);
    }
}

/* True if a pragma inside of the function is about the region, or the whole of a kernel. */
static bool reaches(const sq_reader *r, CXCursor function, const sq_scop *scop, size_t at)
{
    size_t block[2] = {0, 0};
    const sq_region_text *t = scop ? &scop->region->text : NULL;
    if (!t || (t->from <= at && at < t->to))
        return true;
    block_around(r, function, at, block);
    return at < t->from && holds(block, t->from);
}

/* Where the functions of the file stand: once for all kernels. */
static void find_spans(const sq_reader *r, sq_pragmas *p)
{
    int n;
    CXCursor *top = sq_cursor_children(r, r->cl->clang_getTranslationUnitCursor(r->unit), &n);
    p->span = (size_t(*)[2])SQ_NEW_ARRAY(r->arena, size_t, 2 * n + 1);
    for (int i = 0; i < n; i++) {
        size_t *span = p->span[p->nspans];
        p->nspans +=
            top[i].kind == CXCursor_FunctionDecl && sq_scop_span(r, top[i], &span[0], &span[1]);
    }
}

/* True if a function of the file other than the one that begins at `own` is around it, whose block ends it. */
static bool is_elsewhere(const sq_pragmas *p, size_t own, size_t at)
{
    for (int i = 0; i < p->nspans; i++)
        if (p->span[i][0] != own && holds(p->span[i], at))
            return true;
    return false;
}

/* ---- names --------------------------------------------------------------------------------- */

typedef struct call {
    const sq_reader *r;
    const char *name;
    bool found;
} call;

static enum CXChildVisitResult find_call(CXCursor c, CXCursor parent, CXClientData user)
{
    call *to = user;
    (void)parent;
    to->found |= c.kind == CXCursor_CallExpr && strcmp(sq_cursor_spelling(to->r, c), to->name) == 0;
    return to->found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* True if `weak` or `redefine_extname` is about the kernel, or about what it calls. */
static bool renames(const sq_reader *r, CXCursor function, const sq_scop *scop, const char *text)
{
    const char *weak = behind(text, "weak"), *other = behind(text, "redefine_extname");
    const char *rest = weak ? weak : other;
    if (!rest || !*rest)
        return false;
    rest++;
    call c = {r, sq_arena_strndup(r->arena, rest, strcspn(rest, " ")), false};
    if (!scop && strcmp(c.name, sq_cursor_spelling(r, function)) == 0)
        return true;
    if (other)
        r->cl->clang_visitChildren(function, find_call, &c);
    return c.found;
}

/* ---- refusals ------------------------------------------------------------------------------ */

static int refuse(const sq_reader *r, sq_pragma *p, const char *name, loss what)
{
    static const char *const why[] = {
        [ROUNDING] = "which takes back what the default floating-point contract allows",
        [ENVIRONMENT] = "and the emitted text computes in the default environment: each operation "
                        "in its type, rounded to nearest, no flag of an exception kept",
        [LINKAGE] = "which the emitted text would not keep; leave it out"};
    static const char *const help[] = {
        [ROUNDING] = "write '#pragma squall fp strict' to round each operation as written, or "
                     "'#pragma squall fp reassoc' where sums may be reassociated and "
                     "multiply-adds fused",
        [ENVIRONMENT] = "leave it out, or end it before: what needs it stays in a function of C",
        [LINKAGE] = "what a compiler shall know of the function stands in a declaration of its own "
                    "beside the header, in an option such as -fvisibility=hidden, or in --target"};
    if (p->told)
        return -1;
    p->told = true;
    sq_error(r->d, SQ_FAULT_INPUT, p->loc, "'%s' is under this pragma, %s", name, why[what]);
    sq_help(r->d, SQ_NOWHERE, "%s", help[what]);
    return -1;
}

static void walk_to(walk *w, const sq_reader *r, sq_pragmas *p, CXCursor function,
                    const sq_scop *scop)
{
    size_t span[2] = {0, 0};
    bool here = sq_scop_span(r, function, &span[0], &span[1]);
    for (int i = 0; i < p->nforeign; i++) {
        sq_pragma *one = &p->foreign[i];
        bool inside = here && holds(span, one->at);
        if (inside ? reaches(r, function, scop, one->at)
                   : (!here || one->at < span[0]) &&
                         !is_elsewhere(p, here ? span[0] : SIZE_MAX, one->at))
            step(w, one);
    }
}

int sq_foreign_check(const sq_reader *r, sq_pragmas *p, CXCursor function, const sq_scop *scop,
                     const char *name, bool contract_named)
{
    int rc = 0;
    if (!p->nforeign)
        return 0;
    if (!p->span)
        find_spans(r, p);
    walk *w = SQ_NEW(r->arena, walk);
    walk_to(w, r, p, function, scop);
    for (int t = 0; t < NTHINGS; t++) {
        loss l = w->now.loss[t];
        bool kept = l == NOTHING || (l == ROUNDING && contract_named) || (l == LINKAGE && scop);
        rc |= kept ? 0 : refuse(r, w->now.by[t], name, l);
    }
    for (int i = 0; i < p->nforeign; i++)
        if (renames(r, function, scop, p->foreign[i].text))
            rc |= refuse(r, &p->foreign[i], name, LINKAGE);
    return rc;
}
