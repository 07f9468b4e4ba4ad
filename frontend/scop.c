/* Scop: regions of ordinary C become kernels. Finds the function and the statements of each region,
 * names it, and runs the steps of reading it; the statements themselves are read as those of any
 * kernel (block.c). */
#include "frontend/calls.h"
#include "frontend/members.h"
#include "frontend/report.h"
#include "frontend/scop_build.h"
#include "support/words.h"
#include <string.h>

/* ---- the statements of a region ------------------------------------------------------------ */

/* The help for a region that splits c, a statement that begins before it and needs braces or a ';'
 * in between; NULL: none. */
static const char *cut_help(CXCursor c)
{
    switch (c.kind) {
    case CXCursor_IfStmt:
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_SwitchStmt:
        return "write { before '#pragma scop' and } after '#pragma endscop'";
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
    case CXCursor_LabelStmt:
        return "a label belongs to the statement behind it; write a ; of its own after the colon, "
               "before '#pragma scop'";
    default:
        return NULL;
    }
}

/* The innermost statement that begins before the region and ends behind its first line. */
static CXCursor around(sq_reader *r, CXCursor c, const sq_region_text *t)
{
    int n;
    size_t from, to;
    CXCursor *child = sq_cursor_children(r, c, &n);
    for (int i = 0; i < n; i++)
        if (sq_scop_span(r, child[i], &from, &to) && from < t->from && to > t->from)
            return around(r, child[i], t);
    return c;
}

static int refuse_cut(sq_reader *r, CXCursor c, const sq_region_text *t)
{
    CXCursor cut = around(r, c, t);
    size_t from = t->from, to;
    sq_scop_span(r, cut, &from, &to);
    const char *help = from < t->from ? cut_help(cut) : NULL;
    sq_error(r->d, SQ_FAULT_INPUT, sq_cursor_loc(r, c),
             "the region begins or ends inside of this statement");
    if (help) {
        sq_help(r->d, SQ_NOWHERE, "%s", help);
        return -1;
    }
    sq_help(r->d, SQ_NOWHERE,
            "'#pragma scop' and '#pragma endscop' stand in the same block { … }, "
            "around whole statements");
    return -1;
}

/* Statements of the block that holds the region; *stmt, their number, -1 after an error. */
static int find_statements(sq_reader *r, CXCursor c, const sq_region_text *t, CXCursor **stmt)
{
    int n, found = 0;
    CXCursor *child = sq_cursor_children(r, c, &n);
    *stmt = SQ_NEW_ARRAY(r->arena, CXCursor, n + 1);
    for (int i = 0; i < n; i++) {
        size_t from, to;
        if (!sq_scop_span(r, child[i], &from, &to) || to <= t->from || from >= t->to)
            continue;
        if (from < t->from && to > t->to)
            return find_statements(r, child[i], t, stmt);
        if (c.kind != CXCursor_CompoundStmt && cut_help(c))
            return refuse_cut(r, c, t);
        if (from < t->from || to > t->to || c.kind != CXCursor_CompoundStmt)
            return refuse_cut(r, child[i], t);
        (*stmt)[found++] = child[i];
    }
    return found;
}

static bool encloses(const sq_reader *r, CXCursor c, const sq_region_text *t)
{
    size_t from, to;
    return c.kind == CXCursor_FunctionDecl && r->cl->clang_isCursorDefinition(c) &&
           sq_scop_span(r, c, &from, &to) && from < t->from && t->to <= to;
}

/* What stands before the text at `at` last at the top of the file; both 0 if nothing does. */
static void last_before(const sq_reader *r, CXCursor *top, int n, size_t at, size_t span[2])
{
    size_t from, to;
    span[0] = span[1] = 0;
    for (int i = 0; i < n; i++)
        if (top[i].kind < CXCursor_FirstPreprocessing && sq_scop_span(r, top[i], &from, &to) &&
            to <= at && to > span[1])
            span[0] = from, span[1] = to;
}

static void name_lines(const sq_reader *r, sq_region *to, int insert)
{
    to->at_insert = sq_scop_called(r, to->arena, insert);
    to->at_inner = sq_scop_called(r, to->arena, to->text.inner_line);
    to->behind = sq_scop_called(r, to->arena, to->text.last_line);
    to->behind.line++;
}

/* Before the function, its comment, and whatever of it clang does not count in; or before what
 * stands before it, where only that is compiled wherever all of the function is. */
static void find_insert(const sq_reader *r, CXCursor *top, int n, const sq_scop_skipped *skipped,
                        sq_scop *s)
{
    size_t at, end, before[2], place = SIZE_MAX;
    for (sq_scop_span(r, s->function, &at, &end); place == SIZE_MAX; at = before[0]) {
        last_before(r, top, n, at, before);
        size_t gap[2] = {sq_scop_declared(s->text, skipped, before[1], at), at};
        place = sq_scop_place(s->text, skipped, gap, end);
        if (at == 0)
            break;
    }
    s->region->insert = place == SIZE_MAX ? 0 : place;
    if (s->region->insert == 0 && memcmp(s->text, "\xEF\xBB\xBF", 3) == 0)
        s->region->insert = 3; /* a byte order mark stays first */
    name_lines(r, s->region, sq_scop_line(s->text, s->region->insert));
}

static sq_loc pragma_loc(const sq_reader *r, const char *text, const sq_region_text *t)
{
    size_t blanks = strspn(text + t->from, " \t");
    return (sq_loc){r->path, t->line, (int)blanks + 1,
                    (int)strcspn(text + t->from + blanks, "\r\n")};
}

/* 1: found; 0: not compiled at all; -1 after an error. */
static int locate(sq_reader *r, CXCursor *top, int n, const sq_scop_skipped *skipped, sq_scop *s)
{
    const sq_region_text *t = &s->region->text;
    s->loc = pragma_loc(r, s->text, t);
    if (sq_scop_skips(skipped, t->from))
        return 0;
    int f = 0;
    while (f < n && !encloses(r, top[f], t))
        f++;
    if (f == n)
        return sq_error(r->d, SQ_FAULT_INPUT, s->loc,
                        "this region stands in no function of this file; a region holds "
                        "statements");
    s->function = top[f];
    s->nstmts = find_statements(r, top[f], t, &s->stmt);
    if (s->nstmts < 0)
        return -1;
    if (s->nstmts == 0)
        return sq_error(r->d, SQ_FAULT_INPUT, s->loc, "this region holds no statement");
    find_insert(r, top, n, skipped, s);
    return 1;
}

/* ---- names --------------------------------------------------------------------------------- */

static bool name_taken(const sq_scop *s, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(s[i].name, name) == 0)
            return true;
    return false;
}

/* True if the file, or a declaration in anything it includes, uses names with this prefix, which
 * Squall's names have. */
static bool is_used(sq_reader *r, const sq_scop *s, CXCursor *top, int ntop, const char *name)
{
    size_t n = strlen(name);
    for (int i = 0; i < ntop; i++)
        if (strncmp(sq_cursor_spelling(r, top[i]), name, n) == 0)
            return true;
    return strstr(s->text, name) != NULL;
}

/* The function's name; from its second region on with a number. */
static void name_region(sq_reader *r, CXCursor *top, int ntop, sq_scop *all, int n)
{
    sq_scop *s = &all[n];
    const char *function = sq_cursor_spelling(r, s->function);
    int number = 1;
    for (int i = 0; i < n; i++)
        number += strcmp(all[i].region->function, function) == 0;
    s->region->function = sq_arena_strdup(s->region->arena, function);
    s->region->emitted = sq_arena_printf(s->region->arena, "squall_%s_%d", function, number);
    while (is_used(r, s, top, ntop, s->region->emitted))
        s->region->emitted = sq_arena_printf(s->region->arena, "%s_", s->region->emitted);
    s->name = number == 1 ? function : sq_arena_printf(r->arena, "%s_%d", function, number);
    while (name_taken(all, n, s->name))
        s->name = sq_arena_printf(r->arena, "%s_", s->name);
}

/* ---- names of the file --------------------------------------------------------------------- */

/* int8_t to uint64_t */
static bool is_int_name(const char *name)
{
    static const char *const names[] = {"int8_t",  "int16_t",  "int32_t",  "int64_t", "uintptr_t",
                                        "uint8_t", "uint16_t", "uint32_t", "uint64_t"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Emitted text stands where these are defined and must not be changed by them. Names that begin
 * with an underscore belong to the compiler. */
static void find_macros(const sq_reader *r, CXCursor *top, int n, sq_region *to)
{
    to->macro = SQ_NEW_ARRAY(to->arena, const char *, n);
    for (int i = 0; i < n; i++) {
        bool is_macro = top[i].kind == CXCursor_MacroDefinition;
        if ((!is_macro && top[i].kind != CXCursor_TypedefDecl) ||
            r->cl->clang_Location_isInSystemHeader(r->cl->clang_getCursorLocation(top[i])))
            continue;
        const char *name = sq_cursor_spelling(r, top[i]);
        to->own_ints |= !is_macro && is_int_name(name);
        if (is_macro && name[0] != '_')
            to->macro[to->nmacros++] = sq_arena_strdup(to->arena, name);
    }
}

static void add_global(sq_region *to, const char *name, int *room)
{
    if (to->nglobals == *room) {
        const char **more = SQ_NEW_ARRAY(to->arena, const char *, *room = 2 * *room + 64);
        if (to->nglobals)
            memcpy(more, to->global, (size_t)to->nglobals * sizeof *more);
        to->global = more;
    }
    to->global[to->nglobals++] = sq_arena_strdup(to->arena, name);
}

/* Names that a variable of the emitted text would shadow. */
static void find_globals(sq_reader *r, CXCursor *top, int n, sq_region *to)
{
    int room = 0, nconstants;
    for (int i = 0; i < n; i++) {
        if (r->cl->clang_Location_isInSystemHeader(r->cl->clang_getCursorLocation(top[i])))
            continue;
        const char *name = sq_cursor_spelling(r, top[i]);
        if (top[i].kind == CXCursor_VarDecl ||
            (top[i].kind == CXCursor_TypedefDecl && !is_int_name(name)))
            add_global(to, name, &room);
        if (top[i].kind != CXCursor_EnumDecl)
            continue;
        CXCursor *constant = sq_cursor_children(r, top[i], &nconstants);
        for (int c = 0; c < nconstants; c++)
            if (constant[c].kind == CXCursor_EnumConstantDecl)
                add_global(to, sq_cursor_spelling(r, constant[c]), &room);
    }
}

/* What all regions of a file have in common. */
static void find_names(sq_reader *r, CXCursor *top, int n, const sq_region *first, sq_region *to)
{
    if (first == to) {
        find_macros(r, top, n, to);
        find_globals(r, top, n, to);
        return;
    }
    to->macro = first->macro, to->nmacros = first->nmacros;
    to->global = first->global, to->nglobals = first->nglobals;
    to->own_ints = first->own_ints;
}

/* ---- one region ---------------------------------------------------------------------------- */

/* Makes a size of what a counter begins with, given before the region. */
static int declare_beginning(sq_builder *b, sq_use *u)
{
    int type = sq_type_read(b, b->r.cl->clang_getCursorType(u->decl));
    const sq_size first = {.name = u->name, .type = (sq_type)type, .loc = sq_cursor_loc(&b->r, u->decl)};
    return sq_symbol_size(b, u->symbol, &first);
}

int sq_scop_declare(sq_builder *b)
{
    sq_scop *s = b->scop;
    sq_kernel *k = b->k;
    if (sq_scop_uses(b))
        return -1;
    k->size = SQ_NEW_ARRAY(k->arena, sq_size *, SQ_MAX_SIZES);
    int rc = 0;
    for (int i = 0; i < s->nuses; i++)
        if (s->use[i].is_given)
            rc |= sq_null_declare(b, &s->use[i]);
        else if (s->use[i].symbol && sq_counter_find(b, s->use[i].decl))
            rc |= declare_beginning(b, &s->use[i]);
        else if (s->use[i].symbol && !s->use[i].assigned && !sq_scop_is_array(b, s->use[i].decl))
            rc |= sq_symbol_number(b, s->use[i].symbol);
    if (rc)
        return -1;
    sq_symbols_universe(b);
    sq_unsigned_sizes(b);
    for (int i = 0; i < s->nuses; i++) {
        sq_use *u = &s->use[i];
        if (!u->symbol || u->symbol->kind != SQ_SYM_NONE)
            continue;
        int failed = sq_scop_array(b, u);
        if (!failed)
            sq_scop_array_views(b, i);
        rc |= failed;
    }
    return rc;
}

void sq_scop_look(sq_builder *b)
{
    for (int i = 0; i < b->scop->nstmts; i++)
        sq_control_look(b, b->scop->stmt[i]);
}

int sq_scop_read(sq_builder *b)
{
    return sq_block_statements(b, b->scop->stmt, b->scop->nstmts);
}

static void add_guard(sq_region *to, const char *guard)
{
    for (int i = 0; i < to->nguards; i++)
        if (strcmp(to->guard[i], guard) == 0)
            return;
    to->guard[to->nguards++] = sq_arena_strdup(to->arena, guard);
}

/* What the file says for it: "im.w", "x" of a view of x, "da != 0". */
static const char *text_of(const sq_builder *b, const sq_use *u, sq_arena *arena)
{
    const char *text = u->member ? u->member->text : sq_cursor_spelling(&b->r, u->decl);
    return u->is_given ? sq_arena_printf(arena, "%s != 0", text) : sq_arena_strdup(arena, text);
}

/* The same of a parameter; of an array, where it begins to the kernel. */
static const char *argument_of(const sq_builder *b, const sq_use *u, sq_arena *arena)
{
    const sq_size *origin = u->symbol->flat ? u->symbol->flat->origin : NULL;
    for (int i = 0; origin && i < b->scop->nuses; i++) {
        const sq_use *of = &b->scop->use[i];
        if (of->symbol && of->symbol->kind == SQ_SYM_SIZE && of->symbol->size == origin)
            return sq_arena_printf(arena, "(%s + %s)", text_of(b, u, arena), text_of(b, of, arena));
    }
    return text_of(b, u, arena);
}

/* Returns why its value alone does not make the region's text compute the same; NULL: it does. Two arrays of one
 * variable are the members of two types of its structs: they lie in one place in the file, not in the kernel. */
static const char *untold(const sq_region *region, const sq_use *u)
{
    const sq_struct_member *m = u->member && u->member->is_record ? u->member : NULL;
    for (int i = 0; m && i < region->nvars; i++)
        if (strcmp(region->var[i].name, m->text) == 0)
            return "it uses members of several types of structs in one array";
    return m && !m->record ? "it has structs in arrays that are members, which are arrays of numbers to the kernel"
           : u->is_view    ? "it indexes an array by several shapes"
           : u->symbol && u->symbol->flat && u->symbol->flat->origin ? "an array begins behind its pointer"
           : u->is_given   ? "it asks whether pointers are NULL or numbers are 0"
                           : NULL;
}

/* How the file declares it. `arg`: as in sq_region_var. */
static void add_var(const sq_builder *b, const sq_use *u, int arg)
{
    sq_region *region = b->scop->region;
    CXType type = b->r.cl->clang_getCanonicalType(b->r.cl->clang_getCursorType(u->decl));
    const char *why = untold(region, u);
    if (why) {
        region->untold = why;
        return;
    }
    const sq_struct_member *m = u->member && u->member->is_record ? u->member : NULL;
    const char *name = m ? m->text : u->name,
               *text = m ? m->record : sq_clang_string(&b->r, b->r.cl->clang_getTypeSpelling(type));
    region->var[region->nvars++] = (sq_region_var){
        .name = sq_arena_strdup(region->arena, name),
        .type = sq_arena_strdup(region->arena, text),
        .is_array = m ? m->is_record_array : b->r.cl->clang_getArrayElementType(type).kind != CXType_Invalid,
        .is_param = m ? m->is_record_param : u->decl.kind == CXCursor_ParmDecl,
        .arg = arg,
    };
}

/* As long as the text that it replaces, wherever that stands by itself. */
static void put_member(char *own, const sq_struct_member *m)
{
    size_t n = strlen(m->text);
    for (char *at = own; strlen(m->name) == n && (at = strstr(at, m->text)) != NULL; at += n) {
        char before = at == own ? ' ' : at[-1];
        if (!sq_is_word_byte(before) && before != '.' && before != '>' && !sq_is_word_byte(at[n]))
            memcpy(at, m->name, n);
    }
}

/* Members and products stand in a view of the file, in which calls are names, too: calls stay as they are here, with
 * the members in their arguments as variables. */
static const char *own_text(const sq_builder *b)
{
    const sq_scop *s = b->scop;
    const sq_region_text *t = &s->region->text;
    const sq_members *members = b->r.members;
    const char *before = b->r.calls && b->r.calls->view ? b->r.calls->view : s->text;
    char *own = sq_scop_original(s->region->arena, s->text, t);
    for (size_t at = t->inner; members && members->view && at < t->inner_to; at++)
        if (members->view[at] != before[at])
            own[at - t->inner] = members->view[at];
    for (int i = 0; i < s->nuses; i++)
        if (s->use[i].member)
            put_member(own, s->use[i].member);
    return own;
}

static bool is_unsigned_long(const sq_builder *b, CXCursor decl)
{
    const sq_clang *cl = b->r.cl;
    enum CXTypeKind t = cl->clang_getCanonicalType(cl->clang_getCursorType(decl)).kind;
    return t == CXType_ULong || t == CXType_ULongLong;
}

/* Everything outside that the region uses, in the order of first mention. */
static void list_params(sq_builder *b)
{
    sq_scop *s = b->scop;
    sq_kernel *k = b->k;
    sq_region *region = s->region;
    k->param = SQ_NEW_ARRAY(k->arena, sq_param, s->nuses);
    region->arg = SQ_NEW_ARRAY(region->arena, sq_region_arg, s->nuses);
    int ncalls = b->r.calls ? b->r.calls->ninlined : 0;
    region->idle = SQ_NEW_ARRAY(region->arena, const char *, s->nuses + ncalls);
    for (int i = 0; i < ncalls; i++)
        if (b->r.calls->inlined[i].region == region->text.from)
            region->idle[region->nidle++] = sq_arena_strdup(region->arena, b->r.calls->inlined[i].name);
    region->guard = SQ_NEW_ARRAY(region->arena, const char *, s->nuses);
    region->var = SQ_NEW_ARRAY(region->arena, sq_region_var, s->nuses);
    for (int i = 0; i < s->nuses; i++) {
        const sq_use *u = &s->use[i];
        const sq_symbol *y = u->symbol;
        const char *name = sq_arena_strdup(region->arena, u->name);
        if (!u->named && u->in_function)
            region->idle[region->nidle++] = name;
        bool has_value = y && !(y->array && y->array->role == SQ_LOCAL);
        add_var(b, u, has_value ? region->narg : -1);
        if (!has_value)
            continue;
        int ndim = y->array ? y->array->ndim : 0;
        const sq_struct_member *m = u->member;
        if (m && m->guard)
            add_guard(region, m->guard);
        k->param[k->nparams++] = (sq_param){y->size, y->scalar, y->array};
        region->arg[region->narg++] = (sq_region_arg){
            .name = name,
            .text = argument_of(b, u, region->arena),
            .is_array = ndim > 0,
            .by_address = y->array && ndim == 0,
            .is_unsigned = y->size && !m && is_unsigned_long(b, u->decl),
            .has_address = u->is_given ? false
                           : m         ? m->has_address
                                       : !u->in_function || u->is_static || u->addressed,
            .nrows = y->flat || ndim == 0 ? 0 : ndim - 1,
        };
    }
}

/* Pointers and the sizes that say whether they are NULL. */
static void pair_given(const sq_builder *b)
{
    const sq_scop *s = b->scop;
    sq_region *region = s->region;
    for (int i = 0; i < s->nuses; i++)
        for (int j = 0; j < s->nuses; j++)
            for (int p = 0; s->use[i].is_given && !s->use[j].is_given && !sq_null_is_number(b, s->use[i].decl) &&
                            p < region->narg; p++)
                if (b->r.cl->clang_equalCursors(s->use[i].decl, s->use[j].decl) &&
                    strcmp(region->arg[p].name, s->use[j].name) == 0)
                    region->arg[p].given = sq_arena_strdup(region->arena, s->use[i].name);
}

int sq_scop_settle(sq_builder *b)
{
    sq_scop_roles(b);
    list_params(b);
    b->scop->region->own = own_text(b);
    pair_given(b);
    sq_scop_disjoint(b);
    int rc = sq_scop_views_apart(b);
    rc = rc ? rc : sq_scop_bounds(b);
    if (isl_ctx_last_error(b->k->ctx) != isl_error_none)
        return -1; /* given up, which the questions below would forget */
    if (rc == 0)
        sq_scop_exist(b);
    return rc;
}

/* The text of a region's function is C: restrict, _Generic, arrays of variable size. */
static bool is_cxx(const char *path)
{
    static const char *const suffixes[] = {".cpp", ".cc", ".cxx", ".c++", ".C", ".hpp", ".hh"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++)
        if (strcmp(dot, suffixes[i]) == 0)
            return true;
    return false;
}

bool sq_scop_refuses_language(sq_reader *r)
{
    if (!is_cxx(r->path))
        return false;
    sq_error(r->d, SQ_FAULT_INPUT, (sq_loc){r->path, 0, 0, 0},
             "regions are read and written as C, and this file is C++ by its name");
    sq_help(r->d, SQ_NOWHERE,
            "move the functions with '#pragma scop' to a file that ends in .c, and declare them "
            "extern \"C\" where C++ calls them");
    return true;
}

/* ---- the file ------------------------------------------------------------------------------ */

static int refuse_unknown(const sq_reader *r, const sq_parse_options *o, const sq_scop *s, int n)
{
    const char **name = SQ_NEW_ARRAY(r->arena, const char *, n + 1);
    for (int i = 0; i < n; i++)
        name[i] = s[i].name;
    return sq_report_unknown(r, o, "region", name, n);
}

/* The regions that are compiled; their number, -1 after an error. */
static int find_all(sq_reader *r, const char *text, size_t n, sq_unit *u, sq_scop **to)
{
    sq_region_text *t;
    int ntop, found = 0, rc = 0, nregions = sq_scop_regions(r, text, n, &t);
    CXCursor *top = sq_cursor_children(r, r->cl->clang_getTranslationUnitCursor(r->unit), &ntop);
    sq_scop_skipped skipped = sq_scop_skipped_find(r, r->cl->clang_getFile(r->unit, r->path));
    sq_scop *s = nregions > 0 ? SQ_NEW_ARRAY(r->arena, sq_scop, nregions) : NULL;
    for (int i = 0; i < nregions; i++) {
        sq_region *region = SQ_NEW(u->arena, sq_region);
        *region = (sq_region){.arena = u->arena, .text = t[i]};
        s[found] = (sq_scop){.region = region, .text = text};
        int is_there = locate(r, top, ntop, &skipped, &s[found]);
        rc = is_there < 0 ? -1 : rc;
        if (is_there <= 0)
            continue;
        name_region(r, top, ntop, s, found);
        find_names(r, top, ntop, s[0].region, region);
        found++;
    }
    *to = s;
    return rc || nregions < 0 ? -1 : found;
}

int sq_scop_find(sq_reader *r, const sq_parse_options *o, const char *text, size_t n, sq_unit *u,
                 sq_scop **to)
{
    sq_scop *s;
    int chosen = 0, found = find_all(r, text, n, u, &s);
    *to = s;
    if (found < 0)
        return -1;
    if (found == 0)
        return sq_error(r->d, SQ_FAULT_INPUT, (sq_loc){r->path, 1, 1, 0},
                        "every region of this file is under an #if that does not hold; are the "
                        "-D options right?");
    for (int i = 0; i < found; i++)
        s[i].after = i ? s[i - 1].region->text.last_line : 0;
    if (!o->kernel)
        return found;
    for (int i = 0; i < found; i++)
        if (strcmp(o->kernel, s[i].name) == 0)
            s[chosen++] = s[i];
    return chosen ? chosen : refuse_unknown(r, o, s, found);
}
