/* Members: see members.h. The rest of the reader knows variables, not members of structs: a region that reads im.w
 * is read as if it said im_w, and the call of its function passes im.w. Each name is as long as what it stands in for,
 * so that all places in the text stay where they are; only the copy that clang reads has them. A struct in memory that
 * others may write to takes part in the tests before the call, as any variable in memory does. */
#include "frontend/calls.h"
#include "frontend/members_inside.h"
#include "frontend/overlay.h"
#include "support/text.h"
#include "support/words.h"
#include <string.h>

sq_holder *sq_member_holder(sq_member_finder *f, CXCursor decl)
{
    for (int i = 0; i < f->nholders; i++)
        if (f->r->cl->clang_equalCursors(f->holder[i].decl, decl))
            return &f->holder[i];
    f->holder = sq_arena_grow(f->r->arena, f->holder, f->nholders, &f->holder_room, sizeof *f->holder);
    f->holder[f->nholders] = (sq_holder){.decl = decl};
    return &f->holder[f->nholders++];
}

bool sq_member_base(const sq_member_finder *f, CXCursor c, CXCursor *decl)
{
    int n = 1;
    for (c = sq_cursor_strip(f->r, c); c.kind == CXCursor_MemberRefExpr && n > 0;) {
        CXCursor *child = sq_cursor_children(f->r, c, &n);
        if (n > 0)
            c = sq_cursor_strip(f->r, child[0]);
    }
    if (c.kind != CXCursor_DeclRefExpr)
        return false;
    *decl = f->r->cl->clang_getCursorReferenced(c);
    return decl->kind == CXCursor_VarDecl || decl->kind == CXCursor_ParmDecl;
}

static CXType type_of(const sq_member_finder *f, CXCursor c)
{
    return f->r->cl->clang_getCanonicalType(f->r->cl->clang_getCursorType(c));
}

/* True if a kernel may have numbers, or elements, of the type. */
static bool is_number(enum CXTypeKind k)
{
    return (k >= CXType_Char_U && k <= CXType_ULongLong) || (k >= CXType_Char_S && k <= CXType_Double);
}

bool sq_member_is_volatile(const sq_member_finder *f, CXCursor c)
{
    return strstr(sq_clang_string(f->r, f->r->cl->clang_getTypeSpelling(type_of(f, c))), "volatile") != NULL;
}

const char *sq_member_type(const sq_member_finder *f, CXCursor c)
{
    const sq_clang *cl = f->r->cl;
    CXType t = type_of(f, c);
    bool fits = is_number(t.kind) ||
                (t.kind == CXType_Pointer && is_number(cl->clang_getCanonicalType(cl->clang_getPointeeType(t)).kind));
    const char *text = sq_clang_string(f->r, cl->clang_getTypeSpelling(t));
    bool is_bits = cl->clang_Cursor_isBitField(cl->clang_getCursorReferenced(c));
    return fits && !is_bits && !sq_member_is_volatile(f, c) ? text : NULL;
}

bool sq_member_is_path(const char *text, size_t n, bool alone)
{
    bool has = alone;
    for (size_t at = 0; at < n;) {
        size_t word = at;
        while (at < n && sq_is_word_byte(text[at]))
            at++;
        if (at == word)
            return false;
        if (at == n)
            return has;
        size_t by = n - at >= 2 && strncmp(text + at, "->", 2) == 0 ? 2 : text[at] == '.';
        if (by == 0)
            return false;
        has = true;
        at += by;
    }
    return false;
}

void sq_member_mention(sq_member_finder *f, const sq_mention *m)
{
    f->mention = sq_arena_grow(f->r->arena, f->mention, f->nmentions, &f->mention_room, sizeof *f->mention);
    f->mention[f->nmentions++] = *m;
}

bool sq_member_follows_once(const char *text)
{
    const char *arrow = strstr(text, "->"), *dot = strchr(text, '.');
    return !arrow || (!(dot && dot < arrow) && !strstr(arrow + 2, "->"));
}

/* The path that text is but for parentheses and blanks, as macros write them: "(m)->data"; NULL: it is another text. */
static const char *bare_path(const sq_member_finder *f, CXCursor c, const char *text, size_t n)
{
    const char *path = sq_member_path(f, c);
    size_t k = 0;
    int depth = 0; /* of ID(im)->w clang says that it begins at the argument */
    for (size_t i = 0; path && i < n && depth >= 0; i++) {
        depth += (text[i] == '(') - (text[i] == ')');
        if (!strchr("() \t", text[i]) && text[i] != path[k++])
            return NULL;
    }
    return path && !path[k] && depth == 0 ? path : NULL;
}

const char *sq_member_written(const sq_member_finder *f, CXCursor c, size_t from, size_t to)
{
    bool is_path = sq_member_is_path(f->text + from, to - from, false);
    return is_path ? sq_arena_strndup(f->r->arena, f->text + from, to - from)
                   : bare_path(f, c, f->text + from, to - from);
}

static void add_member(sq_member_finder *f, CXCursor c, bool sure)
{
    size_t from, to;
    sq_mention m = {.n = 1, .type = sq_member_type(f, c)};
    if (!m.type || !sq_member_base(f, c, &m.base[0]) || !sq_scop_span(f->r, c, &m.from, &m.to) || m.to <= m.from)
        return;
    if (sq_member_in_call(f, c, &from, &to)) {
        const char *path = sq_member_path(f, c);
        m.arrow[0] = path && strstr(path, "->") != NULL;
        if (!path || !sq_member_follows_once(path))
            return;
        sq_member_holder(f, m.base[0])->is_read |= sure;
        sq_member_in_text(f, c, m, from, to);
        return;
    }
    m.text = m.key = sq_member_written(f, c, m.from, m.to);
    if (!m.text)
        return;
    m.arrow[0] = strstr(m.text, "->") != NULL;
    if (!sq_member_follows_once(m.text))
        return;
    sq_member_holder(f, m.base[0])->is_read |= sure;
    sq_member_mention(f, &m);
}

static bool is_array(const sq_member_finder *f, CXCursor c)
{
    return f->r->cl->clang_getArrayElementType(type_of(f, c)).kind != CXType_Invalid;
}

static bool is_struct(const sq_member_finder *f, CXCursor c)
{
    return type_of(f, c).kind == CXType_Record;
}

/* The variable that an operand is, or is a part of: im.k[i].w and (*p).w too, but not what a pointer to numbers leads
 * to. */
static bool part_of(const sq_member_finder *f, CXCursor c, CXCursor *decl)
{
    while (!sq_member_base(f, c, decl)) {
        int n;
        c = sq_cursor_strip(f->r, c);
        CXCursor *child = sq_cursor_children(f->r, c, &n);
        if (n == 0)
            return false;
        CXCursor of = sq_cursor_strip(f->r, child[0]);
        bool element = c.kind == CXCursor_ArraySubscriptExpr && is_array(f, of);
        bool behind = is_struct(f, c) || c.kind == CXCursor_MemberRefExpr;
        if (!element && !behind)
            return false;
        c = of;
    }
    return true;
}

/* True if a member of the path shares its bytes with others. */
static bool is_in_union(const sq_member_finder *f, CXCursor c)
{
    int n = 1;
    bool is = false;
    for (c = sq_cursor_strip(f->r, c); c.kind == CXCursor_MemberRefExpr && n == 1 && !is;) {
        CXCursor in = f->r->cl->clang_getCursorSemanticParent(f->r->cl->clang_getCursorReferenced(c));
        for (; (in.kind == CXCursor_StructDecl || in.kind == CXCursor_UnionDecl) && !is;
             in = f->r->cl->clang_getCursorSemanticParent(in))
            is = in.kind == CXCursor_UnionDecl;
        CXCursor *of = sq_cursor_children(f->r, c, &n);
        if (n == 1)
            c = sq_cursor_strip(f->r, of[0]);
    }
    return is;
}

/* The path of a number in a struct that is a variable like others where it is given a value; NULL. */
static const char *number_of(const sq_member_finder *f, CXCursor operand)
{
    CXCursor base, c = sq_cursor_strip(f->r, operand);
    const char *path = c.kind == CXCursor_MemberRefExpr ? sq_member_path(f, c) : NULL;
    bool fits = path && sq_member_follows_once(path) && sq_member_type(f, c) && is_number(type_of(f, c).kind) &&
                sq_member_base(f, c, &base) && !is_in_union(f, c);
    return fits && f->r->cl->clang_Cursor_getStorageClass(base) != CX_SC_Register ? path : NULL;
}

bool sq_member_is_written(const sq_member_finder *f, const char *path, size_t n)
{
    bool is = false;
    for (int i = 0; i < f->nwritten && !is; i++)
        is = strlen(f->written[i]) == n && memcmp(f->written[i], path, n) == 0;
    return is;
}

/* Says why a region gives no value to a member that is no number of its own. */
static void refuse_change(sq_member_finder *f, CXCursor operand, CXCursor base)
{
    size_t at;
    CXCursor c = sq_cursor_strip(f->r, operand);
    sq_members *to = f->found;
    if (c.kind != CXCursor_MemberRefExpr || !sq_scop_name_at(f->r, base, &at))
        return;
    const char *why = is_in_union(f, c) ? "it is a member of a union, and what the bytes are depends on who wrote them"
                      : f->r->cl->clang_Cursor_isBitField(f->r->cl->clang_getCursorReferenced(c))
                          ? "it is a bit-field, and has no bytes of its own"
                      : type_of(f, c).kind == CXType_Pointer
                          ? sq_arena_printf(f->r->arena,
                                            "the region moves the pointer '%s', which others may read; accepted is a "
                                            "pointer of the region's own that begins there",
                                            sq_cursor_spelling(f->r, c))
                          : NULL;
    if (!why)
        return;
    to->refused = sq_arena_grow(f->r->arena, to->refused, to->nrefused, &f->refused_room, sizeof *to->refused);
    to->refused[to->nrefused++] = (sq_member_refused){at, why, sq_cursor_loc(f->r, c), true};
}

/* Marks the variable of an operand that is given a value, or whose address is taken. */
static void note_change(sq_member_finder *f, CXCursor operand, bool is_inside, bool takes_address)
{
    CXCursor base;
    const char *path = is_inside && !takes_address ? number_of(f, operand) : NULL;
    if (path) {
        f->written = sq_arena_grow(f->r->arena, f->written, f->nwritten, &f->written_room, sizeof *f->written);
        f->written[f->nwritten++] = path;
        return;
    }
    if (!part_of(f, operand, &base))
        return;
    if (is_inside && !takes_address)
        refuse_change(f, operand, base);
    sq_holder *h = sq_member_holder(f, base);
    h->changed |= is_inside;
    h->in_memory |= takes_address;
}

/* Child i of c is evaluated whenever c is: not a loop's body or step, what `if` chooses, or the second operand of
 * && || ?:. */
static bool is_sure(const sq_member_finder *f, CXCursor c, int i, int n)
{
    enum CXBinaryOperatorKind binary = f->r->cl->clang_getCursorBinaryOperatorKind(c);
    if (c.kind == CXCursor_ForStmt)
        return n == 4 && i < 2;
    if (c.kind == CXCursor_IfStmt || c.kind == CXCursor_ConditionalOperator || binary == CXBinaryOperator_LAnd ||
        binary == CXBinaryOperator_LOr)
        return i == 0;
    return c.kind != CXCursor_WhileStmt && c.kind != CXCursor_DoStmt && c.kind != CXCursor_SwitchStmt;
}

/* An array in a struct becomes a pointer into it nearly everywhere. */
static void note_array(sq_member_finder *f, CXCursor c)
{
    if (c.kind == CXCursor_MemberRefExpr && is_array(f, c))
        note_change(f, c, false, true);
}

/* Bytes may be those of a pointer, whatever its type. */
static bool is_byte(const sq_member_finder *f, CXCursor c)
{
    enum CXTypeKind k = type_of(f, c).kind;
    return k == CXType_Char_S || k == CXType_Char_U || k == CXType_SChar || k == CXType_UChar;
}

/* What a region declares itself is no variable around it. */
static void note_declared(sq_member_finder *f, CXCursor c)
{
    if (c.kind == CXCursor_VarDecl || c.kind == CXCursor_EnumConstantDecl)
        sq_member_holder(f, c)->changed = true;
}

void sq_member_subscript(sq_member_finder *f, size_t from, size_t to)
{
    for (int i = 0; i < f->nsubscripts; i++)
        if (f->subscript[i][0] == from && f->subscript[i][1] == to)
            return;
    f->subscript = sq_arena_grow(f->r->arena, f->subscript, f->nsubscripts, &f->subscript_room, sizeof *f->subscript);
    f->subscript[f->nsubscripts][0] = from;
    f->subscript[f->nsubscripts++][1] = to;
}

static void note_subscript(sq_member_finder *f, CXCursor index)
{
    size_t from, to;
    if (sq_member_in_call(f, index, &from, &to))
        sq_member_subscripts(f, from, to);
    else if (sq_scop_span(f->r, index, &from, &to) && to > from)
        sq_member_subscript(f, from, to);
}

static void look(sq_member_finder *f, CXCursor c, bool sure)
{
    int n;
    CXCursor *child = sq_cursor_children(f->r, c, &n);
    bool addresses = n > 0 && sq_cursor_is_unary(f->r, c, CXUnaryOperator_AddrOf);
    bool changes = n > 0 && sq_cursor_assigns(f->r, c);
    if (changes || addresses)
        note_change(f, child[0], true, addresses);
    f->writes_bytes |= changes && is_byte(f, child[0]);
    note_array(f, c);
    note_declared(f, c);
    sq_member_first(f, c);
    if (c.kind == CXCursor_ForStmt)
        sq_member_bound(f, c);
    if (c.kind == CXCursor_ArraySubscriptExpr && n == 2)
        note_subscript(f, child[1]);
    if (c.kind == CXCursor_MemberRefExpr) {
        add_member(f, c, sure);
        return;
    }
    for (int i = 0; i < n; i++)
        look(f, child[i], sure && is_sure(f, c, i, n));
}

/* Around the region: whose address is taken. */
static void look_around(sq_member_finder *f, CXCursor c)
{
    int n;
    size_t from, to;
    CXCursor *child = sq_cursor_children(f->r, c, &n);
    if (n > 0 && sq_cursor_is_unary(f->r, c, CXUnaryOperator_AddrOf))
        note_change(f, child[0], false, true);
    note_array(f, c);
    if (sq_scop_span(f->r, c, &from, &to) && from >= f->region.from && to <= f->region.to) {
        look(f, c, true);
        return;
    }
    for (int i = 0; i < n; i++)
        look_around(f, child[i]);
}

static bool is_local(const sq_member_finder *f, CXCursor decl)
{
    enum CX_StorageClass storage = f->r->cl->clang_Cursor_getStorageClass(decl);
    return decl.kind == CXCursor_ParmDecl ||
           (f->r->cl->clang_getCursorLinkage(decl) == CXLinkage_NoLinkage && storage != CX_SC_Static &&
            storage != CX_SC_Extern);
}

/* True if others may know where the variable is. */
static bool is_reached(sq_member_finder *f, CXCursor decl)
{
    return sq_member_holder(f, decl)->in_memory || !is_local(f, decl);
}

/* True if a variable may stand in for it: what it is depends on nothing else that the region does. */
static bool is_variable(sq_member_finder *f, const sq_mention *m)
{
    bool is = !((m->n > 1 || m->is_first) && (sq_member_is_shadowed(f, m) || sq_member_has_written(f, m)));
    for (int i = 0; i < m->n; i++)
        is &= !sq_member_holder(f, m->base[i])->changed &&
              !(m->arrow[i] && f->writes_bytes && is_reached(f, m->base[i]));
    return is;
}

/* A pointer that the region may not follow is not NULL; a product that it may not come to is an int. */
static const char *guard_of(sq_member_finder *f, const sq_mention *m)
{
    if (m->is_first)
        return NULL;
    if (m->n > 1)
        return sq_member_fits(f, m);
    bool sure = !m->arrow[0] || sq_member_holder(f, m->base[0])->is_read || is_array(f, m->base[0]);
    return sure ? NULL : sq_arena_strndup(f->r->arena, m->text, strcspn(m->text, "-"));
}

static bool has_address(sq_member_finder *f, const sq_mention *m)
{
    bool has = false;
    for (int i = 0; i < m->n; i++)
        has |= m->arrow[i] || is_reached(f, m->base[i]);
    return has;
}

/* The longer text counts where one is part of the other: products come before their factors. A product whose value
 * others may change has no address that could be tested: it stays as it is. */
static void settle(sq_member_finder *f)
{
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < f->nmentions; i++) {
            sq_mention *m = &f->mention[i];
            bool product = m->n > 1 || m->is_first;
            bool open = memcmp(f->view + m->from, f->text + m->from, m->to - m->from) == 0;
            bool reached = has_address(f, m);
            if (product != (pass == 0) || !open || !is_variable(f, m) || (product && reached))
                continue;
            const char *guard = guard_of(f, m);
            m->key = sq_arena_printf(f->r->arena, "%s%s%s", reached ? "&" : "", m->key, guard ? "?" : "");
            sq_struct_member *x = sq_member_of(f, m);
            if (!x)
                continue;
            x->has_address = reached;
            x->guard = x->guard ? x->guard : guard;
            memset(f->view + m->from, ' ', m->to - m->from);
            memcpy(f->view + m->from, x->name, strlen(x->name));
        }
}

static void find_in_region(sq_member_finder *f, CXCursor *top, int n, const sq_region_text *t)
{
    size_t from, to;
    f->region = *t;
    f->nmentions = f->nholders = f->nsubscripts = f->nwritten = 0;
    f->writes_bytes = false;
    for (int i = 0; i < n; i++)
        if (top[i].kind == CXCursor_FunctionDecl && sq_scop_span(f->r, top[i], &from, &to) && from < t->from &&
            to >= t->to) {
            f->function = top[i];
            look_around(f, top[i]);
        }
    sq_member_products(f);
    settle(f);
}

const char *sq_members_declared(const sq_reader *r, const sq_members *m)
{
    sq_text declared = {0};
    for (int i = 0; i < m->n; i++)
        sq_text_printf(&declared, "extern %s %s;\n", m->member[i].type, m->member[i].name);
    return sq_text_take(&declared, r->arena);
}

/* Without a view where there are none. */
static const sq_members *find_all(sq_reader *r, const char *text, size_t n)
{
    sq_region_text *t;
    int ntop;
    size_t mark = sq_diags_mark(r->d);
    int nregions = sq_scop_regions(r, text, n, &t);
    sq_diags_rewind(r->d, mark); /* said when they are read */
    CXCursor *top = sq_cursor_children(r, r->cl->clang_getTranslationUnitCursor(r->unit), &ntop);
    const char *calls = r->calls && r->calls->view ? r->calls->text : NULL;
    size_t more = calls ? strlen(calls) : 0;
    char *all = SQ_NEW_ARRAY(r->arena, char, n + more + 1), *view = SQ_NEW_ARRAY(r->arena, char, n + more + 1);
    memcpy(all, calls ? r->calls->view : text, n);
    memcpy(all + n, calls ? calls : "", more);
    memcpy(view, all, n + more);
    sq_member_finder f = {.r = r,
                          .text = all,
                          .calls_at = calls ? n : 0,
                          .found = SQ_NEW(r->arena, sq_members),
                          .view = view};
    if (r->members)
        *f.found = *r->members; /* of arrays */
    sq_member_names(&f, top, ntop, t, nregions);
    for (int i = 0; i < nregions; i++)
        find_in_region(&f, top, ntop, &t[i]);
    if (f.found->n == 0)
        return f.found;
    f.found->declared = sq_members_declared(r, f.found);
    f.found->calls = calls ? sq_arena_strdup(r->arena, f.view + n) : NULL;
    f.found->view = f.view;
    return f.found;
}

void sq_members_read(sq_reader *r, CXIndex index, const char **args, int nargs, const char *text, size_t n)
{
    if (sq_reader_has_errors(r, r->unit))
        return;
    const sq_members *m = find_all(r, text, n);
    if (!m->view) {
        r->members = m;
        return;
    }
    sq_overlay files[] = {{SQ_MEMBERS_PATH, m->declared}, {SQ_CALLS_PATH, m->calls}};
    if (sq_reader_reads(r, index, args, nargs, m->view, n, files, m->calls ? 2 : 1, NULL))
        r->members = m;
}

const sq_struct_member *sq_member_named(const sq_reader *r, const char *name)
{
    for (int i = 0; r->members && i < r->members->n; i++)
        if (strcmp(r->members->member[i].name, name) == 0)
            return &r->members->member[i];
    return NULL;
}

const char *sq_member_said(const sq_reader *r, const char *name)
{
    for (int i = 0; r->members && i < r->members->nsaid; i++)
        if (strcmp(r->members->said[i].name, name) == 0)
            return r->members->said[i].text;
    return name;
}
