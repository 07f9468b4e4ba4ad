/* Settings: what a region gives a variable or a member of a struct once, before anything in it reads that, as in
 * m = n % 5; or out.w = in.w / 2; or out = in; for structs. The rest of the region reads a variable of its own,
 * int R = in.w / 2, which subscripts and bounds know as its value; of a struct that is the same as another one, the
 * members of that. The store stays where something may read it behind the region. */
#include "frontend/respelling_inside.h"
#include <string.h>

/* ---- paths ---- */

/* "out.w" of a variable or a member of one; NULL: it is something else, or behind a pointer. */
static const char *path_of(const sq_respeller *x, CXCursor c, CXCursor *base)
{
    c = sq_cursor_strip(x->r, c);
    if ((c.kind != CXCursor_DeclRefExpr && c.kind != CXCursor_MemberRefExpr) || !sq_member_base(&x->f, c, base))
        return NULL;
    return sq_member_path(&x->f, c);
}

/* How the path of a text lies to that of a setting. */
typedef enum place { APART, AROUND, IS, WITHIN } place;

static place place_of(const char *path, const char *of)
{
    size_t n = strlen(path), m = strlen(of);
    if (strncmp(path, of, n < m ? n : m) != 0)
        return APART;
    return n == m                                      ? IS
           : n > m && (path[m] == '.' || path[m] == '-') ? WITHIN
           : n < m && of[n] == '.'                       ? AROUND
                                                         : APART;
}

static place place_in(const sq_respeller *x, CXCursor c, const sq_setting *s)
{
    CXCursor base;
    const char *path = path_of(x, c, &base);
    return path && sq_cursor_same(x->r, base, s->base) ? place_of(path, s->path) : APART;
}

/* How often the text names the setting: as it is, a part of it, or, *around, a struct that it is part of. */
static int count(const sq_respeller *x, CXCursor c, const sq_setting *s, int *around)
{
    int n, all = 0;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    place at = c.kind == CXCursor_DeclRefExpr || c.kind == CXCursor_MemberRefExpr ? place_in(x, c, s) : APART;
    *around += at == AROUND;
    if (at != APART || c.kind == CXCursor_MemberRefExpr)
        return at == IS || at == WITHIN;
    for (int i = 0; i < n; i++)
        all += count(x, child[i], s, around);
    return all;
}

/* ---- values ---- */

/* True if the value is made of variables, members and numbers by operators. */
static bool is_plain(const sq_respeller *x, CXCursor c)
{
    int n;
    CXCursor base;
    c = sq_cursor_strip(x->r, c);
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    enum CXBinaryOperatorKind op = x->r->cl->clang_getCursorBinaryOperatorKind(c);
    if (c.kind == CXCursor_DeclRefExpr || c.kind == CXCursor_MemberRefExpr)
        return path_of(x, c, &base) != NULL;
    bool fits = c.kind == CXCursor_IntegerLiteral || c.kind == CXCursor_ConditionalOperator ||
                sq_cursor_is_unary(x->r, c, CXUnaryOperator_Minus) ||
                (c.kind == CXCursor_BinaryOperator && op >= CXBinaryOperator_Mul && op < CXBinaryOperator_Assign);
    for (int i = 0; i < n && fits; i++)
        fits = is_plain(x, child[i]);
    return fits;
}

/* A struct with pointers: others are numbers (wholes.c). */
static bool is_struct(const sq_respeller *x, CXCursor c)
{
    sq_leaves leaves;
    CXType t = sq_address_type(x->r, c);
    return t.kind == CXType_Record && !sq_whole_leaves(x, t, &leaves);
}

/* out = in; and image out = in; */
static bool read_set(const sq_respeller *x, CXCursor stmt, sq_setting *s)
{
    int n;
    CXCursor *child = sq_cursor_children(x->r, stmt, &n);
    s->stmt = stmt;
    if (stmt.kind == CXCursor_DeclStmt && n == 1) {
        s->stmt = s->base = child[0];
        s->path = sq_cursor_spelling(x->r, child[0]);
        s->is_own = true;
        return child[0].kind == CXCursor_VarDecl && is_struct(x, child[0]) &&
               sq_cursor_initial(x->r, child[0], &s->value);
    }
    if (!sq_cursor_is_assignment(x->r, stmt) || n != 2)
        return false;
    s->path = path_of(x, child[0], &s->base);
    s->value = child[1];
    s->to = child[0];
    return s->path && !strstr(s->path, "->") && (sq_respeller_is_signed(x, child[0]) || is_struct(x, child[0]));
}

/* ---- what is found ---- */

static bool is_local(const sq_respeller *x, CXCursor decl)
{
    return x->r->cl->clang_getCursorLinkage(decl) == CXLinkage_NoLinkage &&
           x->r->cl->clang_Cursor_getStorageClass(decl) != CX_SC_Static &&
           !sq_respeller_takes_address(x, x->around, decl);
}

static bool is_of_region(const sq_respeller *x, CXCursor decl)
{
    size_t from, to;
    return sq_scop_span(x->r, decl, &from, &to) && from >= x->f.region.from && to <= x->f.region.to;
}

/* True if something that the value is made of changes in the region. */
static bool is_moved(const sq_respeller *x, CXCursor value)
{
    int n;
    bool moved = false;
    CXCursor base, *child = sq_cursor_children(x->r, value, &n);
    if (value.kind == CXCursor_DeclRefExpr || value.kind == CXCursor_MemberRefExpr) {
        if (!path_of(x, value, &base) || strstr(sq_member_path(&x->f, value), "->"))
            return true;
        for (int i = 0; i < x->nstmts && !moved; i++)
            moved = sq_respeller_changes(x, x->stmt[i], base);
        return moved;
    }
    for (int i = 0; i < n && !moved; i++)
        moved = is_moved(x, child[i]);
    return moved;
}

/* A variable that counts begins there (scop_counter.c), and what has one constant value needs no name. */
static bool is_needed(const sq_respeller *x, const sq_setting *s)
{
    int64_t number;
    return s->is_whole || !sq_cursor_evaluated(x->r, s->value, &number);
}

static bool fits(const sq_respeller *x, int k, sq_setting *s)
{
    int around = 0, before = 0, changes = 0, behind = 0;
    if (!is_local(x, s->base) || !is_plain(x, s->value) || !is_needed(x, s))
        return false;
    for (int i = 0; i < x->nstmts; i++) {
        int named = i == k ? 0 : count(x, x->stmt[i], s, &around);
        before += i < k ? named : 0;
        behind += i > k ? named : 0;
        changes += i != k && sq_setting_changes(x, x->stmt[i], s);
    }
    s->is_done = is_of_region(x, s->base) || sq_walk_is_done_with(x, s->base);
    bool is_value = s->is_whole ? path_of(x, s->value, &(CXCursor){0}) && !is_moved(x, s->value) && s->is_done : true;
    return before == 0 && around == 0 && changes == 0 && behind > 0 && is_value &&
           count(x, s->value, s, &around) == 0;
}

/* Keeps why a struct that is set to another one cannot be read as that, for messages. */
static void refuse_whole(sq_respeller *x, const sq_setting *s)
{
    size_t decl;
    bool is_done = is_of_region(x, s->base) || sq_walk_is_done_with(x, s->base);
    const char *why = is_moved(x, s->value) ? "it becomes the same as another one, which the region changes"
                      : !is_done            ? "it becomes the same as another one, and is read behind the region"
                                            : NULL;
    if (why && is_local(x, s->base) && sq_scop_name_at(x->r, s->base, &decl))
        sq_respeller_refuse(x, &(sq_member_refused){decl, why, sq_cursor_loc(x->r, s->stmt), true});
}

void sq_settings_find(sq_respeller *x)
{
    x->nsettings = 0;
    for (int k = x->nstmts - 1; k >= 0 && !x->leaves_rows; k--) {
        sq_setting s = {0};
        if (!read_set(x, x->stmt[k], &s))
            continue;
        s.is_whole = !sq_respeller_is_signed(x, s.is_own ? s.base : s.to);
        if (!fits(x, k, &s)) {
            if (s.is_whole && path_of(x, s.value, &(CXCursor){0}))
                refuse_whole(x, &s);
            continue;
        }
        s.name = s.is_whole ? NULL : sq_respeller_name(x);
        if (s.name)
            sq_respeller_says(x, s.name, s.path);
        x->setting = sq_arena_grow(x->r->arena, x->setting, x->nsettings, &x->setting_room, sizeof *x->setting);
        x->setting[x->nsettings++] = s;
    }
}

static const sq_setting *set_by(const sq_respeller *x, CXCursor c)
{
    for (int i = 0; i < x->nsettings; i++)
        if (sq_cursor_same(x->r, x->setting[i].stmt, c))
            return &x->setting[i];
    return NULL;
}

bool sq_setting_changes(const sq_respeller *x, CXCursor c, const sq_setting *s)
{
    int n;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    bool writes = n > 0 && sq_cursor_assigns(x->r, c) && !set_by(x, c);
    bool changes = writes && place_in(x, child[0], s) != APART;
    for (int i = 0; i < n && !changes; i++)
        changes = sq_setting_changes(x, child[i], s);
    return changes;
}

/* The one that the text reads; those of members come before those of their structs. */
static const sq_setting *read_by(const sq_respeller *x, CXCursor c)
{
    for (int i = 0; i < x->nsettings && (c.kind == CXCursor_DeclRefExpr || c.kind == CXCursor_MemberRefExpr); i++) {
        place at = place_in(x, c, &x->setting[i]);
        if (at == IS || (at == WITHIN && x->setting[i].is_whole))
            return &x->setting[i];
    }
    return NULL;
}

bool sq_setting_is(const sq_respeller *x, CXCursor c)
{
    return set_by(x, c) || read_by(x, c);
}

/* ---- text ---- */

static void put_set(const sq_respeller *x, sq_spelling *to, const sq_setting *s)
{
    if (s->is_whole)
        return;
    sq_text_printf(&to->out, "%s %s = ", sq_struct_type_text(x, sq_address_type(x->r, s->to)), s->name);
    sq_spelling_expression(to, s->value, SQ_BINDS_ASSIGN);
    if (!s->is_done)
        sq_text_printf(&to->out, "; %s = %s", s->path, s->name);
}

bool sq_setting_put(const sq_respeller *x, sq_spelling *to, CXCursor c)
{
    CXCursor base;
    const sq_setting *s = set_by(x, c);
    if (s) {
        put_set(x, to, s);
        return true;
    }
    s = read_by(x, c);
    if (!s)
        return false;
    if (!s->is_whole) {
        sq_text_puts(&to->out, s->name);
        return true;
    }
    sq_text_printf(&to->out, "%s%s", path_of(x, s->value, &base), sq_member_path(&x->f, c) + strlen(s->path));
    return true;
}
