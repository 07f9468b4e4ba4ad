/* Text of calls: expressions of a function as they stand in the file, with what an argument or a local variable is in
 * the place of its name, and what a call computes in the place of the call. Comments and ends of lines go. */
#include "frontend/calls_inside.h"
#include "frontend/members_inside.h"
#include "support/words.h"
#include <stdlib.h>
#include <string.h>

/* What stands for the bytes from one place to another. */
typedef struct change {
    size_t from, to;
    const char *text;
} change;

typedef struct changes {
    sq_inlining *x;
    const sq_call_value *known;
    bool in_assert;
    bool may_write; /* the cursors themselves do: a statement, the head of a loop */
    bool reads;     /* memory, beside what calls read */
    int ncalls;
    size_t from, to;
    int n, room;
    change *list;
} changes;

const char *sq_inlining_fails(sq_inlining *x, CXCursor c, const char *why)
{
    if (!x->why) {
        x->why = why;
        x->at = sq_cursor_loc(x->f->r, c);
    }
    return NULL;
}

/* ---- variables ---- */

bool sq_call_variable(const sq_inlining *x, CXCursor c, CXCursor *decl)
{
    c = sq_cursor_strip(x->f->r, c);
    if (c.kind != CXCursor_DeclRefExpr)
        return false;
    *decl = x->f->r->cl->clang_getCursorReferenced(c);
    return decl->kind == CXCursor_VarDecl || decl->kind == CXCursor_ParmDecl;
}

bool sq_call_is_own(const sq_inlining *x, CXCursor decl)
{
    size_t from, to;
    return x->to > 0 && sq_scop_span(x->f->r, decl, &from, &to) && from >= x->from && to <= x->to;
}

const sq_call_value *sq_call_find(const sq_call_value *known, const sq_inlining *x, CXCursor decl)
{
    while (known && !x->f->r->cl->clang_equalCursors(known->decl, decl))
        known = known->outer;
    return known;
}

/* ---- texts ---- */

/* "1", "0x1p3f", "1.5" */
static bool is_number(const char *text)
{
    bool is = *text >= '0' && *text <= '9';
    for (const char *c = text; *c && is; c++)
        is = sq_is_word_byte(*c) || *c == '.';
    return is;
}

const char *sq_call_atom(const sq_inlining *x, const char *text)
{
    bool alone = is_number(text) || sq_member_is_path(text, strlen(text), true);
    return alone ? text : sq_arena_printf(x->f->r->arena, "(%s)", text);
}

static bool is_arithmetic(CXType t)
{
    return (t.kind >= CXType_Bool && t.kind <= CXType_LongDouble) || t.kind == CXType_Float16 || t.kind == CXType_Enum;
}

/* What a pointer leads to, or an array is made of, whatever qualifies it. */
static const char *target_of(const sq_inlining *x, CXType t)
{
    static const char *const qualifiers[] = {"const ", "volatile ", "restrict "};
    const sq_clang *cl = x->f->r->cl;
    CXType of = t.kind == CXType_Pointer ? cl->clang_getPointeeType(t) : cl->clang_getArrayElementType(t);
    const char *name = sq_clang_string(x->f->r, cl->clang_getTypeSpelling(cl->clang_getCanonicalType(of)));
    for (int i = 0; i < 3; i++)
        name += strncmp(name, qualifiers[i], strlen(qualifiers[i])) == 0 ? strlen(qualifiers[i]) : 0;
    return name;
}

/* True of `double (*)[n]`: whether rows of the argument are as long is not known. */
static bool has_open_rows(const sq_inlining *x, CXType t)
{
    const sq_clang *cl = x->f->r->cl;
    CXType of = t.kind == CXType_Pointer ? cl->clang_getPointeeType(t) : cl->clang_getArrayElementType(t);
    of = cl->clang_getCanonicalType(of);
    bool is_array = cl->clang_getArrayElementType(of).kind != CXType_Invalid;
    return is_array && (cl->clang_getArraySize(of) < 0 || has_open_rows(x, of));
}

const char *sq_call_cast(sq_inlining *x, CXType type, CXCursor value, const char *text)
{
    const sq_clang *cl = x->f->r->cl;
    CXType to = cl->clang_getCanonicalType(type);
    CXType from = cl->clang_getCanonicalType(cl->clang_getCursorType(sq_cursor_strip(x->f->r, value)));
    if (!text)
        return NULL;
    bool is_pointer = to.kind == CXType_Pointer || cl->clang_getArrayElementType(to).kind != CXType_Invalid;
    if (is_pointer && strcmp(target_of(x, to), target_of(x, from)) != 0)
        return sq_inlining_fails(x, value, "a pointer in it becomes one of another type");
    if (is_pointer && has_open_rows(x, to))
        return sq_inlining_fails(x, value, "the length of rows of a parameter is no constant");
    bool same = to.kind == from.kind && to.kind != CXType_Enum;
    return same || !is_arithmetic(to) ? text : sq_call_converted(x, to, text);
}

const char *sq_call_converted(const sq_inlining *x, CXType type, const char *text)
{
    const sq_clang *cl = x->f->r->cl;
    const char *name = sq_clang_string(x->f->r, cl->clang_getTypeSpelling(cl->clang_getCanonicalType(type)));
    name += strncmp(name, "const ", 6) == 0 ? 6 : 0;
    return sq_arena_printf(x->f->r->arena, "(%s)(%s)", name, text);
}

/* Past a comment, or a string; `at` itself where there is none. */
static size_t behind_comment(const char *text, size_t at, size_t to)
{
    if (text[at] != '/' || at + 1 >= to || (text[at + 1] != '*' && text[at + 1] != '/'))
        return at;
    const char *end = text[at + 1] == '*' ? strstr(text + at + 2, "*/") : strchr(text + at, '\n');
    return !end || (size_t)(end - text) >= to
               ? to
               : (size_t)(end - text) + (text[at + 1] == '*' ? 2 : 0);
}

static size_t behind_string(const char *text, size_t at, size_t to)
{
    char quote = text[at];
    if (quote != '"' && quote != '\'')
        return at;
    for (at++; at < to && text[at] != quote; at++)
        at += text[at] == '\\';
    return at < to ? at + 1 : to;
}

/* What a directive in a function is to its callers. */
static const char *directive_at(const char *at, const char *end)
{
    size_t word = strspn(at + 1, " \t"), n = strlen("pragma");
    const char *name = at + 1 + word + n;
    bool region = end - at > 20 && strncmp(name - n, "pragma", n) == 0 &&
                  strncmp(name + strspn(name, " \t"), "scop", strlen("scop")) == 0;
    return region ? "it has a region of its own, and what is called from one has none"
                  : "it has a directive of the preprocessor";
}

/* One line of the file's text. */
static void put_clean(sq_inlining *x, CXCursor c, size_t from, size_t to, sq_text *out)
{
    const char *text = x->f->text;
    for (size_t at = from; at < to;) {
        size_t next = behind_comment(text, at, to),
               end = next > at ? at : behind_string(text, at, to);
        if (next > at) {
            sq_text_puts(out, " ");
            at = next;
        } else if (end > at) {
            sq_text_putn(out, text + at, end - at);
            at = end;
        } else {
            if (text[at] == '#')
                sq_inlining_fails(x, c, directive_at(text + at, text + to));
            bool space = strchr("\n\r\f\v\\", text[at]) != NULL;
            sq_text_putn(out, space ? " " : text + at, 1);
            at++;
        }
    }
}

/* ---- changes ---- */

static int by_place(const void *a, const void *b)
{
    const change *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* The operand of sizeof is in the tree of an assert twice: each place counts once. */
static void add_change(changes *s, size_t from, size_t to, const char *text)
{
    bool known = from < s->from || to > s->to || !text;
    for (int i = 0; i < s->n && !known; i++)
        known = s->list[i].from <= from && to <= s->list[i].to;
    if (known)
        return;
    s->list = sq_arena_grow(s->x->f->r->arena, s->list, s->n, &s->room, sizeof *s->list);
    s->list[s->n++] = (change){from, to, text};
}

/* The place of a name; false if it is not there in the text, as where a macro says it, or in parentheses. */
static bool is_name_at(const changes *s, CXCursor c, const char *name, size_t *from, size_t *to)
{
    const sq_reader *r = s->x->f->r;
    size_t n = strlen(name);
    bool is = sq_scop_offset(r, r->cl->clang_getCursorLocation(c), from) && *from >= s->from &&
              *from + n <= s->to && strncmp(s->x->f->text + *from, name, n) == 0 &&
              !sq_is_word_byte(s->x->f->text[*from + n]);
    *to = *from + n;
    return is;
}

/* The same; false after a reason. */
static bool place_of_name(changes *s, CXCursor c, const char *name, size_t *from, size_t *to)
{
    return is_name_at(s, c, name, from, to) ||
           sq_inlining_fails(s->x, c, "a macro in it has the name of one of its variables") != NULL;
}

/* True if a variable, type or constant of the function around the region has the name. */
static bool is_hidden(const sq_call_finder *f, CXCursor c, const char *name)
{
    int n;
    bool is = false;
    CXCursor *child = sq_cursor_children(f->r, c, &n);
    for (int i = 0; i < n && !is; i++)
        is = (f->r->cl->clang_isDeclaration(child[i].kind) &&
              strcmp(sq_cursor_spelling(f->r, child[i]), name) == 0) ||
             is_hidden(f, child[i], name);
    return is;
}

/* True if c names something of the file, which has to be there at the region too. */
static bool is_there(changes *s, CXCursor c)
{
    const sq_call_finder *f = s->x->f;
    size_t from, to;
    CXCursor decl = f->r->cl->clang_getCursorReferenced(c);
    if (s->x->to == 0 || sq_call_is_own(s->x, decl))
        return true;
    if (is_hidden(f, f->around, sq_cursor_spelling(f->r, decl)))
        return sq_inlining_fails(s->x, c, "something else has this name at the call") != NULL;
    if (sq_scop_span(f->r, decl, &from, &to) && from > f->region.from)
        return sq_inlining_fails(s->x, c, "this is declared behind the call") != NULL;
    return true;
}

static void change_name(changes *s, CXCursor c)
{
    size_t from, to;
    CXCursor decl = s->x->f->r->cl->clang_getCursorReferenced(c);
    if (!is_there(s, c) || !sq_call_is_own(s->x, decl))
        return;
    const sq_call_value *v = sq_call_find(s->known, s->x, decl);
    if (!v || !v->text)
        sq_inlining_fails(s->x, c, "this variable may have no value here");
    else if (place_of_name(s, c, sq_cursor_spelling(s->x->f->r, decl), &from, &to))
        add_change(s, from, to, sq_call_atom(s->x, v->text));
}

/* A variable that the head of a loop declares. */
static void change_declared(changes *s, CXCursor decl)
{
    size_t from, to;
    const sq_call_value *v = sq_call_find(s->known, s->x, decl);
    if (v && v->text && place_of_name(s, decl, sq_cursor_spelling(s->x->f->r, decl), &from, &to))
        add_change(s, from, to, v->text);
}

/* p->w where p is &im is im.w; true if it was that. */
static bool change_member(changes *s, CXCursor c)
{
    int n;
    size_t from, to, name;
    CXCursor decl, *child = sq_cursor_children(s->x->f->r, c, &n);
    if (n != 1 || !sq_call_variable(s->x, child[0], &decl) || !sq_call_is_own(s->x, decl))
        return false;
    const sq_call_value *v = sq_call_find(s->known, s->x, decl);
    bool is = v && v->text && v->text[0] == '&' &&
              sq_member_is_path(v->text + 1, strlen(v->text + 1), true) &&
              sq_scop_offset(s->x->f->r, s->x->f->r->cl->clang_getCursorLocation(c), &name) &&
              is_name_at(s, child[0], sq_cursor_spelling(s->x->f->r, decl), &from, &to) && to < name;
    if (is)
        add_change(s, from, name, sq_arena_printf(s->x->f->r->arena, "%s.", v->text + 1));
    return is;
}

/* True if the text there is the call, and not a macro that has it. */
static bool is_call_there(const sq_inlining *x, CXCursor call, size_t *from, size_t *to)
{
    size_t first, last, n = strlen(sq_cursor_spelling(x->f->r, call));
    bool is = sq_scop_span(x->f->r, call, from, to) && *to > *from + n &&
              strncmp(x->f->text + *from, sq_cursor_spelling(x->f->r, call), n) == 0 &&
              !sq_is_word_byte(x->f->text[*from + n]);
    for (int i = 0; i < x->f->ntop && is; i++)
        if (x->f->top[i].kind == CXCursor_MacroExpansion && sq_scop_span(x->f->r, x->f->top[i], &first, &last))
            is = first != *from;
    return is;
}

const char *sq_call_value_of(sq_inlining *x, CXCursor call, const sq_call_value *known, size_t *from, size_t *to)
{
    return is_call_there(x, call, from, to) ? sq_call_inline(x, call, known)
                                            : sq_inlining_fails(x, call, "a macro stands for a call");
}

static bool change_call(changes *s, CXCursor c)
{
    size_t from, to, before = s->x->before ? s->x->before->n : 0;
    CXCursor function;
    if (!sq_call_definition(s->x->f, c, &function))
        return false;
    s->ncalls++;
    const char *value = sq_call_value_of(s->x, c, s->known, &from, &to);
    if (value && !*value)
        sq_inlining_fails(s->x, c, "it uses the value of a function without one");
    for (int i = 0; i < s->n && value; i++)
        if (s->list[i].from == from && s->x->before && s->x->before->n > before)
            sq_inlining_fails(s->x, c, "a macro evaluates a call twice");
    add_change(s, from, to, value ? sq_arena_printf(s->x->f->r->arena, "(%s)", value) : NULL);
    return true;
}

/* Child i of c is evaluated whenever c is, and nothing of c has to be before. */
static bool is_sure(const sq_inlining *x, CXCursor c, int i)
{
    enum CXBinaryOperatorKind binary = x->f->r->cl->clang_getCursorBinaryOperatorKind(c);
    return i == 0 || (c.kind != CXCursor_ConditionalOperator && c.kind != CXCursor_DeclStmt &&
                      binary != CXBinaryOperator_LAnd && binary != CXBinaryOperator_LOr &&
                      binary != CXBinaryOperator_Comma);
}

/* True if a subscript of what is written reads memory. */
static bool reads_index(const sq_inlining *x, CXCursor to)
{
    int n;
    to = sq_cursor_strip(x->f->r, to);
    CXCursor *child = sq_cursor_children(x->f->r, to, &n);
    if (to.kind == CXCursor_ArraySubscriptExpr && n == 2)
        return sq_call_reads_memory(x, child[1]) || reads_index(x, child[0]);
    return to.kind != CXCursor_DeclRefExpr && to.kind != CXCursor_MemberRefExpr && sq_call_reads_memory(x, to);
}

static void find_changes(changes *s, CXCursor c, bool is_top);

static void find_inside(changes *s, CXCursor c, bool writes)
{
    int n;
    bool sure = s->x->is_sure, read = s->reads;
    CXCursor *child = sq_cursor_children(s->x->f->r, c, &n);
    for (int i = 0; i < n; i++) {
        s->x->is_sure = sure && is_sure(s->x, c, i);
        find_changes(s, child[i], c.kind == CXCursor_DeclStmt);
        if (writes && i == 0 && c.kind == CXCursor_BinaryOperator) /* where it goes is not read */
            s->reads = read || reads_index(s->x, child[0]);
    }
    s->x->is_sure = sure;
}

/* is_top: one of the cursors whose text is asked for. */
static void find_changes(changes *s, CXCursor c, bool is_top)
{
    int n;
    CXCursor *child;
    if (s->x->why)
        return;
    if (c.kind == CXCursor_DeclRefExpr)
        change_name(s, c);
    if (c.kind == CXCursor_TypeRef && !is_there(s, c))
        return;
    bool writes = sq_call_is_writing(s->x, c, &child, &n);
    if (writes && s->x->to > 0 && !(is_top && s->may_write))
        sq_inlining_fails(s->x, c, "it assigns inside of an expression");
    if (c.kind == CXCursor_UnaryExpr && s->x->to > 0 && !s->in_assert)
        sq_inlining_fails(s->x, c, "it asks for the size of something");
    if (c.kind == CXCursor_VarDecl)
        change_declared(s, c);
    if ((c.kind == CXCursor_CallExpr && change_call(s, c)) || (c.kind == CXCursor_MemberRefExpr && change_member(s, c)))
        return;
    s->reads |= sq_call_reads_here(s->x, c);
    find_inside(s, c, writes);
}

/* A call that writes has to be all that the statement knows of memory: what else it reads is read before or behind. */
static void check_order(changes *s, CXCursor c, int writing)
{
    int here = s->x->nwriting - writing;
    if (here > 1 || (here > 0 && (s->reads || s->ncalls > 1)))
        sq_inlining_fails(s->x, c, "a function that writes is called beside others, or beside what reads memory");
}

/* The text of n cursors, with its changes. */
static const char *changed(changes *s, const CXCursor *c, int n)
{
    sq_text out = {0};
    size_t from = s->from;
    int writing = s->x->nwriting;
    for (int i = 0; i < n; i++)
        find_changes(s, c[i], true);
    check_order(s, c[0], writing);
    if (s->n > 1)
        qsort(s->list, (size_t)s->n, sizeof *s->list, by_place);
    for (int i = 0; i < s->n; i++) {
        put_clean(s->x, c[0], from, s->list[i].from, &out);
        sq_text_puts(&out, s->list[i].text);
        from = s->list[i].to;
    }
    put_clean(s->x, c[0], from, s->to, &out);
    if (out.n > SQ_CALL_BYTES)
        sq_inlining_fails(s->x, c[0], "there is too much of it");
    const char *text = sq_text_take(&out, s->x->f->r->arena);
    return s->x->why ? NULL : text;
}

const char *sq_call_text_of(sq_inlining *x, const CXCursor *c, int n, size_t from, size_t to,
                            const sq_call_value *known)
{
    return changed(&(changes){.x = x, .known = known, .from = from, .to = to, .may_write = true}, c, n);
}

static const char *text_of(sq_inlining *x, CXCursor c, bool may_write, const sq_call_value *known)
{
    size_t from, to;
    if (!sq_scop_span(x->f->r, c, &from, &to) || to <= from)
        return sq_inlining_fails(x, c, "a macro in it stands for more than an expression");
    return changed(&(changes){.x = x, .known = known, .from = from, .to = to, .may_write = may_write}, &c, 1);
}

const char *sq_call_text(sq_inlining *x, CXCursor c, const sq_call_value *known)
{
    return text_of(x, c, false, known);
}

const char *sq_call_statement_text(sq_inlining *x, CXCursor c, const sq_call_value *known)
{
    return text_of(x, c, true, known);
}

/* True if something in it calls __assert_fail or its like. */
static bool calls_failure(const sq_reader *r, CXCursor c)
{
    int n;
    CXCursor *child = sq_cursor_children(r, c, &n);
    bool is = c.kind == CXCursor_CallExpr && strstr(sq_cursor_spelling(r, c), "assert") != NULL;
    for (int i = 0; i < n && !is; i++)
        is = calls_failure(r, child[i]);
    return is;
}

const char *sq_call_assert_text(sq_inlining *x, CXCursor c, const sq_call_value *known)
{
    size_t from, to;
    if (!sq_scop_span(x->f->r, c, &from, &to))
        return NULL;
    from += strcspn(x->f->text + from, "(") + 1;
    if (sq_text_mentions(sq_arena_strndup(x->f->r->arena, x->f->text + from, to - from), "sizeof"))
        return sq_inlining_fails(x, c, "an assert in it asks for the size of something");
    if (!calls_failure(x->f->r, c))
        return "";
    return changed(
        &(changes){.x = x, .known = known, .in_assert = true, .from = from, .to = to - 1}, &c, 1);
}

void sq_call_check_text(sq_inlining *x, CXCursor body)
{
    static const char *const words[] = {
        "_Pragma",  "__LINE__",     "__COUNTER__",         "__FILE__",
        "__func__", "__FUNCTION__", "__PRETTY_FUNCTION__", "asm",
        "__asm__",  "__asm"};
    sq_text all = {0};
    put_clean(x, body, x->from, x->to, &all);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (sq_text_mentions(sq_text_str(&all), words[i]))
            sq_inlining_fails(x, body,
                              sq_arena_printf(x->f->r->arena, "it has the word %s", words[i]));
    sq_text_free(&all);
}
