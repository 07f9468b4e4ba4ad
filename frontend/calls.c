/* Calls: see calls.h. The rest of the reader knows no functions of the file: a region that calls one is read as if it
 * said what that computes. Where a call, or a statement with calls, stands there is a name of the same length, so that
 * all places in the text stay where they are, and the name is a macro for what the call computes. Only the copy that
 * clang reads has them. An assert becomes a condition of the sizes under which the region's function may run: where it
 * may fail the text as written runs, and fails. */
#include "frontend/calls_inside.h"
#include "frontend/members_inside.h"
#include "support/words.h"
#include <string.h>

bool sq_call_definition(const sq_call_finder *f, CXCursor call, CXCursor *function)
{
    const sq_clang *cl = f->r->cl;
    CXCursor callee = cl->clang_getCursorReferenced(call);
    if (callee.kind != CXCursor_FunctionDecl)
        return false;
    const char *name = sq_cursor_spelling(f->r, callee);
    size_t from, to;
    for (int i = 0; i < f->ntop; i++) {
        *function = f->top[i];
        if (function->kind == CXCursor_FunctionDecl && cl->clang_isCursorDefinition(*function) &&
            strcmp(sq_cursor_spelling(f->r, *function), name) == 0)
            return sq_scop_span(f->r, *function, &from, &to) && from < f->region.from &&
                   !cl->clang_equalCursors(*function, f->around);
    }
    return false;
}

/* True if the C library says what an assert is. */
static bool is_library_assert(const sq_call_finder *f)
{
    bool is = false;
    for (int i = 0; i < f->ntop; i++)
        if (f->top[i].kind == CXCursor_MacroDefinition && strcmp(sq_cursor_spelling(f->r, f->top[i]), "assert") == 0) {
            if (!f->r->cl->clang_Location_isInSystemHeader(f->r->cl->clang_getCursorLocation(f->top[i])))
                return false;
            is = true;
        }
    return is;
}

bool sq_call_is_assert(const sq_call_finder *f, CXCursor c)
{
    size_t from, to, first, last;
    if (!sq_scop_span(f->r, c, &from, &to))
        return false;
    for (int i = 0; i < f->ntop; i++)
        if (f->top[i].kind == CXCursor_MacroExpansion && sq_scop_span(f->r, f->top[i], &first, &last) &&
            first == from && last == to && strcmp(sq_cursor_spelling(f->r, f->top[i]), "assert") == 0)
            return is_library_assert(f);
    return false;
}

/* ";vec;float *;", which outlives the unit. */
static const char *types_of(const sq_inlining *x)
{
    int n;
    const sq_reader *r = x->f->r;
    const char *types = ";";
    CXCursor *child = sq_cursor_children(r, x->function, &n);
    for (int i = 0; i < n; i++)
        if (child[i].kind == CXCursor_ParmDecl)
            types = sq_arena_printf(
                r->arena, "%s%s;", types,
                sq_clang_string(r, r->cl->clang_getTypeSpelling(r->cl->clang_getCanonicalType(
                                       r->cl->clang_getCursorType(child[i])))));
    return types;
}

void sq_inlining_refuse(const sq_inlining *x)
{
    sq_calls *found = x->f->found;
    const char *name = sq_cursor_spelling(x->f->r, x->function);
    for (int i = 0; i < found->nrefused; i++)
        if (strcmp(found->refused[i].name, name) == 0)
            return;
    found->refused = sq_arena_grow(x->f->r->arena, found->refused, found->nrefused,
                                   &x->f->refused_room, sizeof *found->refused);
    found->refused[found->nrefused++] = (sq_call_refused){name, types_of(x), x->why, x->at};
}

/* ---- names ---- */

void sq_inlining_done(const sq_inlining *x)
{
    sq_calls *found = x->f->found;
    const char *name = sq_cursor_spelling(x->f->r, x->function);
    for (int i = 0; i < found->ninlined; i++)
        if (found->inlined[i].region == x->f->region.from && strcmp(found->inlined[i].name, name) == 0)
            return;
    found->inlined = sq_arena_grow(x->f->r->arena, found->inlined, found->ninlined, &x->f->inlined_room,
                                   sizeof *found->inlined);
    found->inlined[found->ninlined++] = (sq_call_inlined){name, x->f->region.from};
}

static const char *new_name(sq_call_finder *f)
{
    const char *name;
    do
        name = sq_arena_printf(f->r->arena, "Q%x", f->nnames++);
    while (sq_call_is_taken(f, name));
    return name;
}

/* False: it has no place on the first line. */
static bool stand_in(sq_call_finder *f, size_t from, size_t to, const char *text)
{
    const char *name = new_name(f);
    size_t n = strlen(name);
    if (to - from < n || strcspn(f->text + from, "\r\n\\") < n)
        return false;
    f->stand_in =
        sq_arena_grow(f->r->arena, f->stand_in, f->nstand_ins, &f->stand_in_room, sizeof *f->stand_in);
    f->stand_in[f->nstand_ins++] = (sq_call_stand_in){from, to, name, text, false};
    return true;
}

/* The file with all names, and the macros that say what they stand for. NULL: there are none. */
static const char *view_of(const sq_call_finder *f, size_t n, const char **macros)
{
    sq_text all = {0};
    char *view = sq_arena_strndup(f->r->arena, f->text, n);
    int names = 0;
    for (int i = 0; i < f->nstand_ins; i++) {
        const sq_call_stand_in *s = &f->stand_in[i];
        if (s->is_out)
            continue;
        for (size_t at = s->from; at < s->to; at++)
            view[at] = strchr("\r\n\\", view[at]) ? view[at] : ' ';
        memcpy(view + s->from, s->name, strlen(s->name));
        sq_text_printf(&all, "#define %s %s\n", s->name, s->text);
        names++;
    }
    sq_text_puts(&all, "extern void " SQ_CALLS_ASSERT "(int);\n");
    *macros = sq_text_take(&all, f->r->arena);
    return names ? view : NULL;
}

/* Takes out what has errors; false if that is nothing. */
static bool leave_out(sq_call_finder *f, const sq_faults *faults)
{
    bool any = false;
    for (int i = 0; i < f->nstand_ins; i++)
        for (int k = 0; k < faults->n; k++)
            if (!f->stand_in[i].is_out && faults->at[k] >= f->stand_in[i].from && faults->at[k] < f->stand_in[i].to)
                any = f->stand_in[i].is_out = true;
    return any;
}

/* ---- statements of the region ---- */

static bool has_call(const sq_call_finder *f, CXCursor c)
{
    int n;
    CXCursor function, *child = sq_cursor_children(f->r, c, &n);
    bool has = c.kind == CXCursor_CallExpr && sq_call_definition(f, c, &function);
    for (int i = 0; i < n && !has; i++)
        has = has_call(f, child[i]);
    return has;
}

/* Gives each call, whose value is an expression, a name that stands where it does. */
static void name_calls(sq_call_finder *f, CXCursor c)
{
    int n;
    size_t from, to;
    CXCursor function, *child = sq_cursor_children(f->r, c, &n);
    if (c.kind != CXCursor_CallExpr || !sq_call_definition(f, c, &function)) {
        for (int i = 0; i < n; i++)
            name_calls(f, child[i]);
        return;
    }
    sq_text before = {0};
    sq_inlining x = {.f = f, .before = &before};
    const char *value = sq_call_value_of(&x, c, NULL, &from, &to);
    if (value && *value && before.n == 0)
        stand_in(f, from, to, sq_arena_printf(f->r->arena, "(%s)", value));
    sq_text_free(&before);
}

/* An expression that is evaluated any number of times, or never. */
static void take_expression(sq_call_finder *f, CXCursor c)
{
    sq_inlining x = {.f = f};
    if (has_call(f, c) && sq_call_text(&x, c, NULL))
        name_calls(f, c);
}

/* Lists the first function that is called there with the reason why all of it stays as it is. */
static void refuse_first(sq_call_finder *f, CXCursor c, sq_inlining *x)
{
    int n;
    CXCursor *child = sq_cursor_children(f->r, c, &n);
    if (c.kind == CXCursor_CallExpr && sq_call_definition(f, c, &x->function)) {
        sq_inlining_refuse(x);
        return;
    }
    for (int i = 0; i < n && has_call(f, c); i++)
        if (has_call(f, child[i])) {
            refuse_first(f, child[i], x);
            return;
        }
}

/* What comes before the value of a call comes before its statement. */
static void take_statement(sq_call_finder *f, CXCursor c)
{
    size_t from, to, first, last;
    CXCursor function;
    const char *loop = sq_call_memory(f, c);
    if (loop && sq_scop_span(f->r, c, &from, &to)) {
        stand_in(f, from, sq_call_with_semicolon(f, to), loop);
        return;
    }
    sq_text before = {0};
    sq_inlining x = {.f = f, .before = &before, .is_sure = true};
    CXCursor call = sq_cursor_strip(f->r, c);
    bool alone = call.kind == CXCursor_CallExpr && sq_call_definition(f, call, &function);
    const char *text = !has_call(f, c) || !sq_scop_span(f->r, c, &from, &to) ? NULL
                       : alone ? sq_call_value_of(&x, call, NULL, &first, &last)
                               : sq_call_text(&x, c, NULL);
    if (text && alone)
        stand_in(f, from, sq_call_with_semicolon(f, to),
                 sq_arena_printf(f->r->arena, "{ %s}", sq_text_str(&before)));
    else if (text && before.n == 0)
        name_calls(f, c);
    else if (text && c.kind == CXCursor_DeclStmt)
        stand_in(f, from, to, sq_arena_printf(f->r->arena, "%s%s", sq_text_str(&before), text));
    else if (text)
        stand_in(f, from, sq_call_with_semicolon(f, to),
                 sq_arena_printf(f->r->arena, "{ %s%s; }", sq_text_str(&before), text));
    else if (x.why)
        refuse_first(f, c, &x);
    sq_text_free(&before);
}

static void take_assert(sq_call_finder *f, CXCursor c)
{
    size_t from, to;
    sq_text before = {0};
    sq_inlining x = {.f = f, .before = &before, .is_sure = true};
    const char *text = sq_call_assert_text(&x, c, NULL);
    if (text && before.n == 0 && sq_scop_span(f->r, c, &from, &to))
        stand_in(f, from, sq_call_with_semicolon(f, to),
                 *text ? sq_arena_printf(f->r->arena, SQ_CALLS_ASSERT "(%s);", text) : ";");
    sq_text_free(&before);
}

static void take(sq_call_finder *f, CXCursor c);

/* What a loop has for statements. */
static void take_body(sq_call_finder *f, CXCursor loop, CXCursor body)
{
    size_t around = f->loop, ignored;
    if (!sq_scop_span(f->r, loop, &f->loop, &ignored))
        f->loop = around;
    take(f, body);
    f->loop = around;
}

static void take_turns(sq_call_finder *f, CXCursor c, const sq_turns *t)
{
    int before = f->nstand_ins;
    bool placed = stand_in(f, t->head_from, t->head_to, t->head) &&
                  (!t->tail || stand_in(f, t->tail_from, t->tail_to, t->tail)) &&
                  (!t->step_to || stand_in(f, t->step_from, t->step_to, ""));
    if (!placed)
        f->nstand_ins = before;
    take_body(f, c, t->body);
}

static void take(sq_call_finder *f, CXCursor c)
{
    int n;
    sq_turns turns;
    CXCursor *child = sq_cursor_children(f->r, c, &n);
    if (sq_call_is_assert(f, c))
        take_assert(f, c);
    else if (sq_turns_read(f, c, &turns))
        take_turns(f, c, &turns);
    else if (c.kind == CXCursor_CompoundStmt)
        for (int i = 0; i < n; i++)
            take(f, child[i]);
    else if (c.kind == CXCursor_ForStmt || c.kind == CXCursor_IfStmt)
        for (int i = 0; i < n; i++)
            if (sq_cursor_is_expression(child[i]) &&
                (c.kind == CXCursor_ForStmt ? i < n - 1 : i == 0))
                take_expression(f, child[i]);
            else if (c.kind == CXCursor_ForStmt)
                take_body(f, c, child[i]);
            else
                take(f, child[i]);
    else
        take_statement(f, c);
}

/* The statements of a region, wherever in its function that stands. */
static void look_for_region(sq_call_finder *f, CXCursor c)
{
    int n;
    size_t from, to;
    CXCursor *child = sq_cursor_children(f->r, c, &n);
    for (int i = 0; i < n; i++) {
        if (!sq_scop_span(f->r, child[i], &from, &to) || to <= f->region.from ||
            from >= f->region.to)
            continue;
        if (from >= f->region.from && to <= f->region.to)
            take(f, child[i]);
        else
            look_for_region(f, child[i]);
    }
}

/* ---- the unit ---- */

static void find_in_region(sq_call_finder *f, const sq_region_text *t)
{
    size_t from, to;
    f->region = *t;
    for (int i = 0; i < f->ntop; i++)
        if (f->top[i].kind == CXCursor_FunctionDecl &&
            f->r->cl->clang_isCursorDefinition(f->top[i]) &&
            sq_scop_span(f->r, f->top[i], &from, &to) && from < t->from && to >= t->to) {
            f->around = f->top[i];
            look_for_region(f, f->top[i]);
        }
}

/* What is called in the regions. */
static void find_all(sq_call_finder *f, size_t n)
{
    sq_region_text *t;
    size_t mark = sq_diags_mark(f->r->d);
    int nregions = sq_scop_regions(f->r, f->text, n, &t);
    sq_diags_rewind(f->r->d, mark); /* said when they are read */
    f->top = sq_cursor_children(f->r, f->r->cl->clang_getTranslationUnitCursor(f->r->unit), &f->ntop);
    for (int i = 0; i < nregions; i++)
        find_in_region(f, &t[i]);
}

void sq_calls_read(sq_reader *r, CXIndex index, const char **args, int nargs, const char *text, size_t n)
{
    if (sq_reader_has_errors(r, r->unit))
        return;
    sq_call_finder f = {.r = r, .text = text, .found = SQ_NEW(r->arena, sq_calls)};
    sq_faults faults = {0};
    find_all(&f, n);
    r->calls = f.found;
    for (bool more = true; more; more = leave_out(&f, &faults)) {
        f.found->view = view_of(&f, n, &f.found->text);
        sq_overlay files[] = {{SQ_CALLS_PATH, f.found->text}};
        if (!f.found->view || sq_reader_reads(r, index, args, nargs, f.found->view, n, files, 1, &faults))
            return;
    }
    f.found->view = NULL; /* the errors are elsewhere */
}

static void note_why(const sq_builder *b, const sq_call_refused *f)
{
    sq_note(b->r.d, f->at, "'%s' is not put in the place of its call: %s", f->name, f->why);
}

void sq_call_why(const sq_builder *b, const char *name)
{
    for (int i = 0; b->r.calls && i < b->r.calls->nrefused; i++)
        if (strcmp(b->r.calls->refused[i].name, name) == 0)
            note_why(b, &b->r.calls->refused[i]);
}

void sq_call_why_of(const sq_builder *b, CXType type)
{
    static const char *const forms[][2] = {{"", ""}, {"", " *"}, {"const ", " *"}};
    const char *spelling = sq_clang_string(
        &b->r, b->r.cl->clang_getTypeSpelling(b->r.cl->clang_getCanonicalType(type)));
    for (int i = 0; b->r.calls && i < b->r.calls->nrefused; i++) {
        bool takes = false;
        for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
            takes |= strstr(b->r.calls->refused[i].types,
                            sq_arena_printf(b->r.arena, ";%s%s%s;", forms[k][0], spelling, forms[k][1])) != NULL;
        if (takes)
            note_why(b, &b->r.calls->refused[i]);
    }
}
