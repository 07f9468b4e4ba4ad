/* Bodies of calls: the statements of a function, run as text for one call. A variable that is given values in
 * straight lines and ifs alone is what its value says, wherever it is read; others stay variables, under names of
 * their own. A return under a condition makes the value a choice. What computes the value of a call and is no
 * expression stands before the statement that has the call. */
#include "frontend/calls_inside.h"
#include "frontend/members_inside.h"
#include "support/words.h"
#include <string.h>

/* The statements that are left to run. */
typedef struct chain {
    const CXCursor *stmt;
    int n;
    const struct chain *next;
} chain;

/* What a run of statements comes to. */
typedef struct outcome {
    const char *value;          /* of the function; NULL: it goes on behind the statements */
    const sq_call_value *known; /* where it does */
} outcome;

static const char *print(const sq_inlining *x, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static const char *print(const sq_inlining *x, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = sq_arena_vprintf(x->f->r->arena, format, args);
    va_end(args);
    return text;
}

static CXCursor *children(const sq_inlining *x, CXCursor c, int *n)
{
    return sq_cursor_children(x->f->r, c, n);
}

/* ---- statements ---- */

static outcome run(sq_inlining *x, const chain *rest, const sq_call_value *known, sq_text *out);

static const sq_call_value *bind(const sq_inlining *x, CXCursor decl, const char *text,
                                 const sq_call_value *outer)
{
    sq_call_value *v = SQ_NEW(x->f->r->arena, sq_call_value);
    bool fits = !text || strlen(text) <= SQ_CALL_BYTES; /* what is too long cannot be read any more */
    *v = (sq_call_value){decl, fits ? text : NULL, outer};
    return v;
}

/* The text of an expression that is evaluated here; what it needs goes before. */
static const char *read_here(sq_inlining *x, CXCursor c, const sq_call_value *known, sq_text *out)
{
    x->before = out;
    x->is_sure = true;
    return sq_call_text(x, c, known);
}

/* A variable that stays one, under a name of its own. */
static const sq_call_value *bind_kept(sq_inlining *x, CXCursor decl, const sq_call_value *known)
{
    const char *name;
    do
        name = print(x, "%s_%d", sq_cursor_spelling(x->f->r, decl), ++x->f->nlocals);
    while (sq_call_is_taken(x->f, name));
    return bind(x, decl, name, known);
}

/* "float x_1[3]" */
static const char *declaration(sq_inlining *x, CXCursor decl, const char *name)
{
    CXType t = sq_call_type(x, decl);
    const char *type = sq_clang_string(x->f->r, x->f->r->cl->clang_getTypeSpelling(t));
    const char *dims = strchr(type, '[');
    if (strchr(type, '(') || (dims && x->f->r->cl->clang_getArraySize(t) < 0))
        return sq_inlining_fails(
            x, decl, "it has a variable of a type that depends on a value, or leads to functions");
    type += strncmp(type, "const ", 6) == 0 && !strchr(type, '*') ? 6 : 0;
    size_t n = dims ? (size_t)(dims - type) : strlen(type);
    return print(x, "%.*s %s%s", (int)n, type, name, dims ? dims : "");
}

/* What a list gives a struct, as a value. */
static const char *literal(const sq_inlining *x, CXType t, const char *list)
{
    const sq_clang *cl = x->f->r->cl;
    return print(x, "(%s)%s", sq_clang_string(x->f->r, cl->clang_getTypeSpelling(cl->clang_getCanonicalType(t))), list);
}

static const sq_call_value *declare(sq_inlining *x, CXCursor decl, const sq_call_value *known,
                                    sq_text *out)
{
    CXCursor value;
    enum CX_StorageClass storage = x->f->r->cl->clang_Cursor_getStorageClass(decl);
    bool initial = sq_cursor_initial(x->f->r, decl, &value);
    if (decl.kind != CXCursor_VarDecl || storage == CX_SC_Static || storage == CX_SC_Extern)
        sq_inlining_fails(x, decl, "it declares something other than variables of its own");
    const char *text = initial && !x->why ? read_here(x, value, known, out) : NULL;
    if (x->why)
        return known;
    if (!sq_call_is_kept(x, decl)) {
        CXType t = sq_call_type(x, decl);
        bool is_list = initial && value.kind == CXCursor_InitListExpr && t.kind == CXType_Record;
        return bind(x, decl, is_list ? literal(x, t, text) : sq_call_cast(x, t, value, text), known);
    }
    known = bind_kept(x, decl, known);
    const char *left = declaration(x, decl, known->text);
    x->acts = true;
    if (left)
        sq_text_printf(out, initial ? "%s = %s; " : "%s; ", left, text);
    return known;
}

/* "+" of x += y */
static const char *operator_of(sq_inlining *x, CXCursor *side)
{
    size_t from, at, to, end;
    if (!sq_scop_span(x->f->r, side[0], &from, &at) || !sq_scop_span(x->f->r, side[1], &to, &end) ||
        to <= at)
        return sq_inlining_fails(x, side[0], "a macro in it stands for more than an expression");
    const char *text = x->f->text + at;
    size_t first = strcspn(text, "+-*/%&|^<>"), n = strspn(text + first, "+-*/%&|^<>");
    if (at + first >= to || text[first + n] != '=')
        return sq_inlining_fails(x, side[0], "an assignment in it is not understood");
    return sq_arena_strndup(x->f->r->arena, text + first, n);
}

/* Arithmetic is done in another type than that of the variable. */
static bool is_promoted(const sq_inlining *x, CXType t)
{
    return t.kind == CXType_Enum || (t.kind != CXType_Float && x->f->r->cl->clang_Type_getSizeOf(t) < 4);
}

static const char *step_of(const sq_inlining *x, CXCursor c, CXType t, const char *old)
{
    enum CXUnaryOperatorKind kind = x->f->r->cl->clang_getCursorUnaryOperatorKind(c);
    bool up = kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PreInc;
    const char *text = print(x, "%s %c 1", sq_call_atom(x, old), up ? '+' : '-');
    return is_promoted(x, t) ? sq_call_converted(x, t, text) : text;
}

/* The new value of a variable that is what its value says. */
static const char *assigned(sq_inlining *x, CXCursor c, CXCursor *side, CXCursor decl, const sq_call_value *known,
                            sq_text *out)
{
    CXType t = sq_call_type(x, decl), from;
    bool sets = c.kind == CXCursor_BinaryOperator;
    const char *old = sets ? "" : read_here(x, side[0], known, out);
    if (!old || c.kind == CXCursor_UnaryOperator)
        return old ? step_of(x, c, t, old) : NULL;
    const char *value = read_here(x, side[1], known, out), *op = sets ? "" : operator_of(x, side);
    if (!value || !op)
        return NULL;
    if (sets)
        return sq_call_cast(x, t, side[1], value);
    value = print(x, "%s %s %s", sq_call_atom(x, old), op, sq_call_atom(x, value));
    from = sq_call_type(x, sq_cursor_strip(x->f->r, side[1]));
    bool same = t.kind == CXType_Pointer || (from.kind == t.kind && !is_promoted(x, t));
    return same ? value : sq_call_converted(x, t, value);
}

/* An assignment, a step, or a call whose value nobody needs. */
static const sq_call_value *run_expression(sq_inlining *x, CXCursor c, const sq_call_value *known,
                                           sq_text *out)
{
    int n;
    CXCursor *side, decl, function;
    x->before = out;
    x->is_sure = true;
    if (c.kind == CXCursor_CallExpr && sq_call_definition(x->f, c, &function)) {
        size_t from, to;
        sq_call_value_of(x, c, known, &from, &to);
        return known;
    }
    if (!sq_call_is_writing(x, c, &side, &n)) {
        sq_inlining_fails(x, c,
                          sq_arena_printf(x->f->r->arena, "%s is no assignment, for, if, declaration or return",
                                          sq_control_name(c)));
        return known;
    }
    if (sq_call_own_variable(x, side[0], &decl) && !sq_call_is_kept(x, decl))
        return bind(x, decl, assigned(x, c, side, decl, known, out), known);
    const char *text = sq_call_statement_text(x, c, known);
    x->acts = true;
    if (text)
        sq_text_printf(out, "%s; ", text);
    return known;
}

static void put_assert(sq_inlining *x, CXCursor c, const sq_call_value *known, sq_text *out)
{
    const char *text = sq_call_assert_text(x, c, known);
    if (text && *text)
        sq_text_printf(out, SQ_CALLS_ASSERT "(%s); ", text);
}

/* ---- for, if, return ---- */

static bool has_return(const sq_inlining *x, CXCursor c)
{
    int n;
    CXCursor *child = children(x, c, &n);
    bool has = c.kind == CXCursor_ReturnStmt;
    for (int i = 0; i < n && !has; i++)
        has = has_return(x, child[i]);
    return has;
}

static void run_for(sq_inlining *x, CXCursor c, const sq_call_value *known, sq_text *out)
{
    int n, declared = 0;
    size_t from, body, to;
    CXCursor *part = children(x, c, &n);
    if (has_return(x, c) || n == 0 || !sq_scop_span(x->f->r, c, &from, &to) ||
        !sq_scop_span(x->f->r, part[n - 1], &body, &to)) {
        sq_inlining_fails(x, c, "it returns from inside of a loop");
        return;
    }
    CXCursor *d =
        part[0].kind == CXCursor_DeclStmt && n > 1 ? children(x, part[0], &declared) : NULL;
    for (int i = 0; i < declared; i++)
        known = bind_kept(x, d[i], known);
    x->is_sure = false;
    const char *head = sq_call_text_of(x, part, n - 1, from, body, known);
    sq_text inner = {0};
    run(x, &(chain){&part[n - 1], 1, NULL}, known, &inner);
    x->acts = true;
    if (head)
        sq_text_printf(out, "%s { %s} ", head, sq_text_str(&inner));
    sq_text_free(&inner);
}

static void put_if(const char *condition, const sq_text *holds, const sq_text *fails, sq_text *out)
{
    if (holds->n)
        sq_text_printf(out, "if (%s) { %s} ", condition, sq_text_str(holds));
    if (holds->n && fails->n)
        sq_text_printf(out, "else { %s} ", sq_text_str(fails));
    else if (fails->n)
        sq_text_printf(out, "if (!(%s)) { %s} ", condition, sq_text_str(fails));
}

/* Values of variables behind an if. */
static const sq_call_value *merge(const sq_inlining *x, const char *condition,
                                  const sq_call_value *base, const sq_call_value *holds,
                                  const sq_call_value *fails)
{
    const sq_call_value *known = base;
    for (int side = 0; side < 2; side++)
        for (const sq_call_value *v = side ? fails : holds; v != base; v = v->outer) {
            const sq_call_value *a = sq_call_find(holds, x, v->decl),
                                *b = sq_call_find(fails, x, v->decl);
            const sq_call_value *before = sq_call_find(base, x, v->decl);
            if (!before || !a || !b || a->text == b->text ||
                sq_call_find(known, x, v->decl) != before)
                continue; /* a variable of one side, or the same on both, or done */
            const char *text = a->text && b->text
                                   ? print(x, "%s ? %s : %s", sq_call_atom(x, condition),
                                           sq_call_atom(x, a->text), sq_call_atom(x, b->text))
                                   : NULL;
            known = bind(x, v->decl, text, known);
        }
    return known;
}

/* rest: what runs behind it where a side returns; else NULL. */
static outcome run_if(sq_inlining *x, CXCursor c, const chain *rest, const sq_call_value *known,
                      sq_text *out)
{
    int n;
    CXCursor *part = children(x, c, &n);
    sq_text holds = {0}, fails = {0};
    const char *condition = read_here(x, part[0], known, out);
    bool ends = rest && x->is_void; /* where the statements do, the function does */
    bool acted = x->acts;
    x->acts = false;
    outcome a = run(x, &(chain){&part[1], 1, rest}, known, &holds);
    outcome b = run(x, &(chain){part + 2, n > 2, rest}, known, &fails);
    outcome both = {.known = known};
    bool acts = x->acts;
    x->acts |= acted;
    if (condition)
        put_if(condition, &holds, &fails, out);
    sq_text_free(&holds);
    sq_text_free(&fails);
    if (x->why)
        return both;
    a.value = a.value || !ends ? a.value : "";
    b.value = b.value || !ends ? b.value : "";
    if (!a.value && !b.value)
        both.known = merge(x, condition, known, a.known, b.known);
    else if (!a.value || !b.value)
        sq_inlining_fails(x, c, "it may end without a value");
    else if (acts && *a.value)
        sq_inlining_fails(x, c,
                          "it returns a value under a condition, and computes more than that");
    else
        both.value = *a.value ? print(x, "%s ? %s : %s", sq_call_atom(x, condition),
                                      sq_call_atom(x, a.value), sq_call_atom(x, b.value))
                              : "";
    if (both.value && strlen(both.value) > SQ_CALL_BYTES)
        sq_inlining_fails(x, c, "there is too much of it");
    return both;
}

static const char *run_return(sq_inlining *x, CXCursor c, const sq_call_value *known, sq_text *out)
{
    int n;
    CXCursor *value = children(x, c, &n);
    if (n == 0)
        return "";
    const char *text = read_here(x, value[0], known, out);
    return sq_call_cast(x, x->f->r->cl->clang_getCursorResultType(x->function), value[0], text);
}

/* True if a macro makes all of the statement: there is no text that is that statement alone. */
static bool is_of_macro(const sq_inlining *x, CXCursor c)
{
    size_t from, to, first, last;
    bool is = !sq_scop_span(x->f->r, c, &from, &to);
    for (int i = 0; i < x->f->ntop && !is; i++)
        is = x->f->top[i].kind == CXCursor_MacroExpansion &&
             sq_scop_span(x->f->r, x->f->top[i], &first, &last) && from >= first && to <= last;
    return is;
}

/* One statement that neither returns nor holds others. */
static const sq_call_value *run_simple(sq_inlining *x, CXCursor c, const sq_call_value *known,
                                       sq_text *out)
{
    int n;
    CXCursor *child = children(x, c, &n);
    if (sq_call_is_assert(x->f, c)) {
        put_assert(x, c, known, out);
        return known;
    }
    if (c.kind == CXCursor_NullStmt)
        return known;
    if (c.kind == CXCursor_ForStmt) {
        run_for(x, c, known, out);
        return known;
    }
    if (c.kind != CXCursor_DeclStmt)
        return run_expression(x, sq_cursor_strip(x->f->r, c), known, out);
    for (int i = 0; i < n && !x->why; i++)
        known = declare(x, child[i], known, out);
    return known;
}

static outcome run(sq_inlining *x, const chain *rest, const sq_call_value *known, sq_text *out)
{
    outcome o = {.known = known};
    while (rest && !x->why) {
        if (rest->n == 0) {
            rest = rest->next;
            continue;
        }
        CXCursor c = rest->stmt[0];
        chain *behind = SQ_NEW(x->f->r->arena, chain);
        *behind = (chain){rest->stmt + 1, rest->n - 1, rest->next};
        rest = behind;
        if (!sq_call_is_assert(x->f, c) && is_of_macro(x, c))
            sq_inlining_fails(x, c, "a macro stands for a statement of it");
        else if (c.kind == CXCursor_CompoundStmt) {
            chain *inner = SQ_NEW(x->f->r->arena, chain);
            inner->stmt = children(x, c, &inner->n);
            inner->next = behind;
            rest = inner;
        } else if (c.kind == CXCursor_ReturnStmt) {
            o.value = run_return(x, c, o.known, out);
            return o;
        } else if (c.kind == CXCursor_IfStmt) {
            bool returns = has_return(x, c);
            outcome both = run_if(x, c, returns ? behind : NULL, o.known, out);
            if (returns)
                return both;
            o = both;
        } else {
            o.known = run_simple(x, c, o.known, out);
        }
        if (out->n > SQ_CALL_BYTES || ++x->f->nsteps > SQ_CALL_STEPS)
            sq_inlining_fails(x, c, "there is too much of it");
    }
    return o;
}

/* ---- one call ---- */

/* True if memory says where a pointer leads: &t[x[i]], t + x[i]. */
static bool is_led_by_memory(const sq_inlining *x, CXCursor c)
{
    int n;
    c = sq_cursor_strip(x->f->r, c);
    CXCursor *child = children(x, c, &n);
    if (c.kind == CXCursor_ArraySubscriptExpr && n == 2 && sq_call_reads_memory(x, child[1]))
        return true;
    bool sum = c.kind == CXCursor_BinaryOperator, led = false;
    for (int i = 0; i < n && !led; i++) {
        bool is_index = sum && sq_call_type(x, sq_cursor_strip(x->f->r, child[i])).kind != CXType_Pointer;
        led = is_index ? sq_call_reads_memory(x, child[i]) : is_led_by_memory(x, child[i]);
    }
    return led;
}

/* True if the argument has its value in all of the function, whatever that writes. */
static bool is_stable(const sq_inlining *x, CXCursor decl, CXCursor value)
{
    CXCursor variable;
    CXType t = sq_call_type(x, decl);
    if (!x->writes || t.kind == CXType_Pointer || t.kind == CXType_Record)
        return true;
    bool is_name = sq_call_variable(x, value, &variable) &&
                   x->f->r->cl->clang_getCursorLinkage(variable) == CXLinkage_NoLinkage;
    return is_name || (!sq_call_is_real(t) && !sq_call_reads_memory(x, value));
}

/* True if evaluating it twice is not what evaluating it once is. */
static bool has_effect(const sq_inlining *x, CXCursor c)
{
    int n;
    CXCursor *child;
    bool has = sq_call_is_writing(x, c, &child, &n);
    for (int i = 0; i < n && !has; i++)
        has = has_effect(x, child[i]);
    return has;
}

/* True of x[i], and of a member of such a place: memory, which a function may change anyway. */
static bool is_memory(const sq_inlining *x, CXCursor c)
{
    int n = 1;
    for (c = sq_cursor_strip(x->f->r, c); c.kind == CXCursor_MemberRefExpr && n == 1;) {
        CXCursor *of = children(x, c, &n);
        if (n == 1 && sq_call_type(x, sq_cursor_strip(x->f->r, of[0])).kind == CXType_Pointer)
            return true;
        c = n == 1 ? sq_cursor_strip(x->f->r, of[0]) : c;
    }
    return c.kind == CXCursor_ArraySubscriptExpr;
}

/* True of a struct in memory that is the same in all of the function, which writes to none: x[i], and a parameter of
 * the caller that is such. */
static bool is_kept_struct(const sq_inlining *x, CXCursor value)
{
    return !x->writes && (is_memory(x, value) || sq_cursor_strip(x->f->r, value).kind == CXCursor_DeclRefExpr);
}

/* True if the function may change a variable of the caller by it. */
static bool is_way_back(const sq_inlining *x, CXCursor decl, CXCursor value)
{
    int n;
    value = sq_cursor_strip(x->f->r, value);
    CXCursor *operand = children(x, value, &n);
    CXType of = x->f->r->cl->clang_getCanonicalType(
        x->f->r->cl->clang_getPointeeType(sq_call_type(x, decl)));
    return x->writes && value.kind == CXCursor_UnaryOperator && n == 1 && of.kind != CXType_Record &&
           x->f->r->cl->clang_getCursorUnaryOperatorKind(value) == CXUnaryOperator_AddrOf &&
           !is_memory(x, operand[0]);
}

/* The value of a parameter: what the caller says. */
static const sq_call_value *pass(sq_inlining *x, sq_inlining *caller, CXCursor decl, CXCursor value,
                                 const sq_call_value *outside, const sq_call_value *known)
{
    const char *text =
        sq_call_cast(x, sq_call_type(x, decl), value, sq_call_text(caller, value, outside));
    if (!text)
        return known;
    bool is_path = sq_member_is_path(text, strlen(text), true);
    if (has_effect(x, value))
        sq_inlining_fails(x, decl, "an argument changes something; compute it into a variable before the call");
    if (is_way_back(x, decl, value))
        sq_inlining_fails(x, decl, "the address of a variable is passed, and it writes");
    if (x->writes && sq_call_type(x, decl).kind == CXType_Pointer && is_led_by_memory(x, value))
        sq_inlining_fails(x, decl, "memory says where a pointer leads that is passed, and it writes");
    bool is_struct = sq_call_type(x, decl).kind == CXType_Record, is_made = !is_path && !is_kept_struct(x, value);
    if (is_struct && (is_made || sq_call_is_kept(x, decl)) && !sq_call_is_of_numbers(x, decl))
        sq_inlining_fails(x, decl, "a struct is passed that is no variable and no element, or it writes");
    if (!sq_call_is_kept(x, decl) && !(is_struct && is_made) && is_stable(x, decl, value))
        return bind(x, decl, text, known);
    known = bind_kept(x, decl, known);
    const char *left = declaration(x, decl, known->text);
    x->acts = true;
    if (left)
        sq_text_printf(x->before, "%s = %s; ", left, text);
    return known;
}

static bool is_recursive(const sq_inlining *x, CXCursor function)
{
    bool is = x->depth > SQ_CALL_DEPTH;
    for (; x && !is; x = x->caller)
        is = x->to > 0 && x->f->r->cl->clang_equalCursors(x->function, function);
    return is;
}

static void pass_all(sq_inlining *x, sq_inlining *caller, CXCursor call,
                     const sq_call_value *outside, const sq_call_value **known)
{
    const sq_clang *cl = x->f->r->cl;
    int n, at = 0, reading = 0, writing = caller->nwriting;
    CXCursor *child = children(x, x->function, &n);
    for (int i = 0; i < cl->clang_Cursor_getNumArguments(call); i++)
        reading += sq_call_reads_memory(caller, cl->clang_Cursor_getArgument(call, (unsigned)i));
    for (int i = 0; i < n && !x->why && !caller->why; i++)
        if (child[i].kind == CXCursor_ParmDecl && at < cl->clang_Cursor_getNumArguments(call))
            *known = pass(x, caller, child[i], cl->clang_Cursor_getArgument(call, (unsigned)at++),
                          outside, *known);
    if (at != cl->clang_Cursor_getNumArguments(call))
        sq_inlining_fails(x, call, "it is called with other arguments than it has");
    if (caller->nwriting > writing && reading > 1)
        sq_inlining_fails(x, call, "an argument of it writes, and another reads");
}

/* Runs the body with the arguments; "" where there is no value. */
static const char *run_body(sq_inlining *x, sq_inlining *caller, CXCursor call, const sq_call_value *outside)
{
    CXCursor body;
    const sq_call_value *known = NULL;
    if (!sq_call_open(x, &body))
        return NULL;
    sq_call_find_kept(x, body);
    pass_all(x, caller, call, outside, &known);
    outcome o = run(x, &(chain){&body, 1, NULL}, known, x->before);
    if (!x->why && !o.value && !x->is_void)
        sq_inlining_fails(x, x->function, "it may end without a value");
    return o.value ? o.value : "";
}

/* What the caller has to know of a call: what it writes, and why it stays one. */
static void report_to(sq_inlining *caller, const sq_inlining *x)
{
    caller->acts |= x->acts;
    caller->nwriting += x->nwriting + (x->acts && x->writes);
    if (!x->why) {
        sq_inlining_done(x);
        return;
    }
    sq_inlining_refuse(x);
    if (!caller->why)
        caller->why = x->why, caller->at = x->at;
}

const char *sq_call_inline(sq_inlining *caller, CXCursor call, const sq_call_value *outside)
{
    sq_text out = {0}, *before = caller->before;
    bool was_sure = caller->is_sure;
    sq_inlining x = {.f = caller->f, .caller = caller, .depth = caller->depth + 1, .before = &out};
    x.f->nsteps = caller->to == 0 ? 0 : x.f->nsteps;
    if (!sq_call_definition(x.f, call, &x.function) || is_recursive(caller, x.function))
        return sq_inlining_fails(caller, call, "it calls itself, or calls go too deep");
    const char *value = run_body(&x, caller, call, outside);
    if (out.n && !x.why && (!before || (x.acts && !was_sure))) /* an assert may be asked for more than it is met */
        sq_inlining_fails(&x, x.function,
                          "it is called where it may not be evaluated, and is more than an expression");
    report_to(caller, &x);
    if (out.n && before)
        sq_text_puts(before, sq_text_str(&out));
    sq_text_free(&out);
    caller->before = before;
    caller->is_sure = was_sure;
    return caller->why ? NULL : value;
}
