/* Respelling: see respelling.h. Members of structs are found in the text of the file (members.h): where a macro says
 * im->w, a name stands in the place of the smallest expression around it that begins and ends outside of macros, or of
 * the statement, and the name is a macro for what that is with all macros expanded. */
#include "frontend/respelling_inside.h"
#include "frontend/calls.h"
#include "frontend/overlay.h"
#include "support/words.h"
#include <string.h>

/* ---- what is respelled ---- */

/* A member that the region may read, im->w, which the text there does not say. */
static bool is_hidden_member(sq_respeller *x, CXCursor c)
{
    size_t from, to;
    sq_spelling s = {.r = x->r};
    if (c.kind != CXCursor_MemberRefExpr || !sq_member_type(&x->f, c) || !sq_scop_span(x->r, c, &from, &to) ||
        to <= from)
        return false;
    sq_spelling_expression(&s, c, SQ_BINDS_POSTFIX);
    const char *path = sq_text_take(&s.out, x->r->arena);
    if (s.fails || !sq_member_is_path(path, strlen(path), false))
        return false;
    if (sq_member_in_call(&x->f, c, &from, &to))
        return sq_member_find(&x->f, path, from, to) == to;
    return !sq_member_written(&x->f, c, from, to);
}

/* True of steps of pointers alone: the subscripts say them. */
static bool is_gone(const sq_respeller *x, CXCursor c)
{
    int n;
    int64_t by;
    CXCursor *side = sq_cursor_children(x->r, c, &n);
    return sq_walk_step(x, c, &by) || sq_head_is_set(x, c) ||
           (sq_cursor_is_comma(x->r, c) && n == 2 && is_gone(x, side[0]) && is_gone(x, side[1]));
}

/* What stands for it in the new text. */
static bool put_other(sq_spelling *s, CXCursor c)
{
    int n;
    sq_address a;
    if (sq_setting_put(s->user, s, c) || sq_stride_put(s->user, s, c) || sq_row_is_gone(s->user, c) ||
        is_gone(s->user, c) ||
        sq_whole_copy(s->user, c, s) || sq_stage_put(s->user, s, c) || sq_parts_put(s->user, s, c) ||
        sq_unrolled_put(s->user, s, c) || sq_head_put(s->user, s, c))
        return true;
    CXCursor *side = sq_cursor_children(s->r, c, &n);
    if (sq_cursor_is_comma(s->r, c) && n == 2 && (is_gone(s->user, side[0]) || is_gone(s->user, side[1]))) {
        sq_spelling_expression(s, side[is_gone(s->user, side[0])], SQ_BINDS_COMMA);
        return true;
    }
    if (c.kind == CXCursor_CompoundStmt) { /* of a loop */
        bool skips = sq_skip_in(s->user, c);
        sq_text_puts(&s->out, skips ? "{ " : "");
        if (skips)
            sq_skip_put(s->user, s, side, n);
        sq_text_puts(&s->out, skips ? "} " : "");
        return skips;
    }
    if (!sq_struct_read(s->user, c, &a))
        return false;
    s->fails |= !sq_struct_put(s->user, c, &a, s);
    return true;
}

static sq_spelling spelling_of(sq_respeller *x)
{
    return (sq_spelling){.r = x->r, .other = put_other, .user = x};
}

static bool is_hidden(sq_respeller *x, CXCursor c)
{
    sq_address a;
    return is_hidden_member(x, c) || sq_stride_is(x, c) || sq_struct_read(x, c, &a) || sq_row_is_gone(x, c) ||
           is_gone(x, c) || sq_whole_is_copy(x, c) || sq_stage_is(x, c) || sq_skip_is(x, c) || sq_parts_is(x, c) ||
           sq_head_is(x, c) || sq_head_is_set(x, c) || sq_unrolled_of(x, c) ||
           sq_setting_is(x, c);
}

static bool has_hidden(sq_respeller *x, CXCursor c)
{
    int n;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    bool has = is_hidden(x, c);
    for (int i = 0; i < n && !has; i++)
        has = has_hidden(x, child[i]);
    return has;
}

/* ---- stand-ins ---- */

/* Takes the text; false if a name has no room there. */
static bool put_stand_in(sq_respeller *x, size_t from, size_t to, sq_spelling *s)
{
    const char *name = sq_respeller_name(x), *text = sq_text_take(&s->out, x->r->arena);
    size_t n = strlen(name);
    while (to < from + n && x->f.text[to] == ' ') /* a name of a call is short, and blanks are behind it */
        to++;
    if (sq_is_word_byte(x->f.text[to]) && x->f.text[to - 1] == ' ')
        to--;
    if (s->fails || to < from + n || strcspn(x->f.text + from, "\r\n\\") < n)
        return false;
    for (int i = 0; i < x->nstand_ins; i++) /* what is part of it is spelled there */
        x->stand_in[i].is_out |= from <= x->stand_in[i].from && x->stand_in[i].to <= to;
    x->stand_in = sq_arena_grow(x->r->arena, x->stand_in, x->nstand_ins, &x->stand_in_room, sizeof *x->stand_in);
    x->stand_in[x->nstand_ins++] = (sq_stand_in_text){.from = from, .to = to, .name = name, .text = text};
    return true;
}

/* True if all macros in the text of c begin and end inside of it: what stands there is c and nothing else. */
static bool is_free(const sq_respeller *x, size_t from, size_t to)
{
    for (int i = 0; i < x->nexpansions; i++) {
        const size_t *e = x->expansion[i];
        bool outside = e[1] <= from || e[0] >= to, inside = e[0] > from && e[1] < to;
        if (!outside && !inside)
            return false;
    }
    return true;
}

/* True if no macro goes on behind the whole of an expression, whose end a token of the file says. */
static bool is_ended(const sq_respeller *x, size_t from, size_t to)
{
    size_t at = sq_scop_token(x->f.text, to, x->f.region.inner_to);
    bool is = at < x->f.region.inner_to && strchr(";),", x->f.text[at]);
    for (int i = 0; i < x->nexpansions && is; i++) {
        const size_t *e = x->expansion[i];
        is = e[1] <= from || e[0] >= to || (e[0] >= from && e[1] <= to);
    }
    return is;
}

/* Spells what has to be in an expression, as little as can be; true if something is left. whole: it is no operand. */
static bool take_expression(sq_respeller *x, CXCursor c, bool whole)
{
    int n;
    size_t from, to;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    bool left = is_hidden(x, c);
    for (int i = 0; i < n; i++)
        left |= take_expression(x, child[i], false);
    if (!left || !sq_cursor_is_expression(c) || !sq_scop_span(x->r, c, &from, &to) || to <= from)
        return left;
    whole &= is_ended(x, from, to);
    if (!whole && (!is_free(x, from, to) || is_gone(x, c) || sq_whole_is_copy(x, c)))
        return true;
    sq_spelling s = spelling_of(x);
    sq_spelling_expression(&s, c, whole ? 0 : SQ_BINDS_POSTFIX);
    return !put_stand_in(x, from, to, &s);
}

/* ---- statements ---- */

/* Spells statements that stand at one place; true if that cannot be. */
static bool take_together(sq_respeller *x, const CXCursor *c, int n)
{
    size_t from, to, end;
    sq_spelling s = spelling_of(x);
    if (!sq_scop_span(x->r, c[0], &from, &end))
        return true;
    for (int i = 0; i < n; i++) {
        size_t first;
        if (!sq_scop_span(x->r, c[i], &first, &to))
            return true;
        end = to > end ? to : end;
        sq_spelling_statement(&s, c[i]);
    }
    return !put_stand_in(x, from, end, &s);
}

static bool take_statement(sq_respeller *x, CXCursor c, bool alone);

/* Statements of which each begins behind the one before; those of one macro are one. */
static bool take_block(sq_respeller *x, const CXCursor *c, int n)
{
    bool left = false;
    for (int i = 0, next; i < n; i = next) {
        size_t from, to, first, last;
        next = i + 1;
        if (!sq_scop_span(x->r, c[i], &from, &to))
            continue;
        bool has = has_hidden(x, c[i]);
        for (; next < n && sq_scop_span(x->r, c[next], &first, &last) && first < to; next++) {
            has |= has_hidden(x, c[next]);
            to = last > to ? last : to;
        }
        left |= next > i + 1 ? has && take_together(x, c + i, next - i) : has && take_statement(x, c[i], true);
    }
    return left;
}

/* The body of a loop, in which turns are left early. */
static bool take_body(sq_respeller *x, CXCursor c)
{
    int n, at = 0;
    size_t from, to, end;
    sq_spelling s = spelling_of(x);
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    while (!sq_skip_is(x, child[at]))
        at++;
    bool left = take_block(x, child, at);
    if (!sq_scop_span(x->r, child[at], &from, &to) || !sq_scop_span(x->r, child[n - 1], &to, &end))
        return true;
    sq_skip_put(x, &s, child + at, n - at);
    return !put_stand_in(x, from, end, &s) || left;
}

/* Where child i of a statement stands, as far as the statement spells it: of a variable that is its initial value. */
static bool span_of_part(const sq_respeller *x, CXCursor part, size_t *from, size_t *to)
{
    CXCursor value = part;
    return (part.kind != CXCursor_VarDecl || sq_cursor_initial(x->r, part, &value)) &&
           sq_scop_span(x->r, value, from, to);
}

/* True if the text of the file says `else` between two branches. */
static bool says_else(const sq_respeller *x, size_t from, size_t to)
{
    const char *text = x->f.text;
    size_t at = sq_scop_token(text, from, to);
    if (at < to && text[at] == ';')
        at = sq_scop_token(text, at + 1, to);
    return at + 4 <= to && strncmp(text + at, "else", 4) == 0 && !sq_is_word_byte(text[at + 4]);
}

/* True if a macro makes part i of a statement and something else of it, as the `if` before: the text of the macro
 * cannot stand for the part alone. */
static bool is_tangled(const sq_respeller *x, CXCursor c, const CXCursor *part, int n, int i)
{
    size_t from, to, first, last;
    CXCursor around = c.kind == CXCursor_DeclStmt ? part[i] : c;
    if (!span_of_part(x, part[i], &from, &to) || !sq_scop_span(x->r, around, &first, &last))
        return false;
    bool is = from <= first;
    for (int k = 0; k < n && !is; k++)
        is = k != i && span_of_part(x, part[k], &first, &last) && first < to && from < last;
    bool is_else = c.kind == CXCursor_IfStmt && i == 2 && span_of_part(x, part[1], &first, &last);
    return is || (is_else && !says_else(x, last, from));
}

/* The expressions of a statement, and the statements in it. */
static bool take_parts(sq_respeller *x, CXCursor c)
{
    int n;
    bool left = false;
    CXCursor value, *child = sq_cursor_children(x->r, c, &n);
    if (c.kind == CXCursor_CompoundStmt)
        return take_block(x, child, n);
    if (sq_head_is(x, c) || sq_unrolled_of(x, c))
        return true;
    for (int i = 0; i < n; i++) {
        bool alone = !is_tangled(x, c, child, n, i);
        if (c.kind == CXCursor_ForStmt && alone && !sq_cursor_is_expression(child[i]) && sq_skip_in(x, child[i]))
            left |= take_body(x, child[i]);
        else if (c.kind != CXCursor_DeclStmt)
            left |= take_statement(x, child[i], alone);
        else if (sq_row_is_gone(x, child[i]) || sq_parts_is(x, child[i]) || sq_head_is_set(x, child[i]) ||
                 sq_setting_is(x, child[i]))
            left = true;
        else if (sq_cursor_initial(x->r, child[i], &value))
            left |= take_statement(x, value, alone);
    }
    return left;
}

/* True if a macro is all of the text. */
static bool is_of_macro(const sq_respeller *x, CXCursor c)
{
    size_t from, to;
    bool is = !sq_scop_span(x->r, c, &from, &to);
    for (int i = 0; i < x->nexpansions && !is; i++)
        is = from >= x->expansion[i][0] && to <= x->expansion[i][1];
    return is;
}

/* True if something in it is left. alone: no macro makes it and something around it. */
static bool take_statement(sq_respeller *x, CXCursor c, bool alone)
{
    if (sq_stage_is(x, c))
        return !alone || take_together(x, &c, 1);
    if (sq_cursor_is_expression(c))
        return alone ? take_expression(x, c, true) : has_hidden(x, c);
    return (is_of_macro(x, c) || take_parts(x, c)) && has_hidden(x, c) && (!alone || take_together(x, &c, 1));
}

/* The name that stands for the text of c; NULL: none does. */
static sq_stand_in_text *stand_in_of(const sq_respeller *x, CXCursor c)
{
    size_t from, to;
    if (!sq_scop_span(x->r, c, &from, &to))
        return NULL;
    for (int i = 0; i < x->nstand_ins; i++)
        if (!x->stand_in[i].is_out && x->stand_in[i].from <= from && to <= x->stand_in[i].to)
            return &x->stand_in[i];
    return NULL;
}

/* Lists the members that have to be said in another way where there is no room for that; elsewhere what to say of one
 * if that is no text of C. */
static void find_unsaid(sq_respeller *x, CXCursor c)
{
    int n;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    sq_member_refused one;
    if ((is_hidden_member(x, c) || sq_whole_is_copy(x, c)) && sq_respeller_refusal(x, c, NULL, &one)) {
        sq_stand_in_text *s = stand_in_of(x, c);
        if (!s)
            sq_respeller_refuse(x, &one);
        else if (!s->hides)
            s->hidden = one;
        if (s)
            s->hides = true;
    }
    for (int i = 0; i < n; i++)
        find_unsaid(x, child[i]);
}

/* ---- the unit ---- */

/* The macros of the region. */
static void find_expansions(sq_respeller *x)
{
    size_t from, to;
    x->nexpansions = 0;
    for (int i = 0; i < x->ntop; i++) {
        if (x->top[i].kind != CXCursor_MacroExpansion || !sq_scop_span(x->r, x->top[i], &from, &to) ||
            to <= x->f.region.from || from >= x->f.region.to)
            continue;
        x->expansion = sq_arena_grow(x->r->arena, x->expansion, x->nexpansions, &x->expansion_room,
                                     sizeof *x->expansion);
        x->expansion[x->nexpansions][0] = from;
        x->expansion[x->nexpansions++][1] = to;
    }
}

/* The statements of a region, wherever in its function that stands. */
static void look_for_region(sq_respeller *x, CXCursor c)
{
    int n, first = 0, found = 0;
    size_t from, to;
    CXCursor *child = sq_cursor_children(x->r, c, &n);
    for (int i = 0; i < n; i++) {
        if (!sq_scop_span(x->r, child[i], &from, &to) || to <= x->f.region.from || from >= x->f.region.to)
            continue;
        if (from >= x->f.region.from && to <= x->f.region.to)
            first = found++ ? first : i;
        else
            look_for_region(x, child[i]);
    }
    x->stmt = child + first;
    x->nstmts = found;
    x->narrays = 0;
    sq_settings_find(x);
    sq_stages_find(x);
    sq_rows_find(x);
    sq_heads_find(x);
    sq_unrolled_find(x);
    sq_wholes_find(x);
    sq_parts_find(x);
    sq_structs_find(x);
    sq_strides_find(x);
    bool left = take_block(x, x->stmt, x->nstmts);
    x->here->fails |= left && x->nstaged > 0; /* some of it has no room */
    sq_structs_refused(x);
    for (int i = 0; i < x->nstmts; i++)
        find_unsaid(x, x->stmt[i]);
}

static void take_back(sq_respeller *x, sq_stand_in_text *s)
{
    if (s->hides && !s->is_out)
        sq_respeller_refuse(x, &s->hidden);
    s->is_out = true;
}

static void find_all(sq_respeller *x, const sq_region_text *t)
{
    size_t from, to;
    x->top = sq_cursor_children(x->r, x->r->cl->clang_getTranslationUnitCursor(x->r->unit), &x->ntop);
    for (int i = 0; i < x->nregions; i++) {
        int first = x->nstand_ins;
        x->here = &x->region[i];
        x->leaves_rows = x->here->says != SQ_SAYS_ALL;
        x->f.region = t[i];
        find_expansions(x);
        for (int k = 0; k < x->ntop; k++)
            if (x->top[k].kind == CXCursor_FunctionDecl && sq_scop_span(x->r, x->top[k], &from, &to) &&
                from < t[i].from && to >= t[i].to) {
                x->around = x->top[k];
                look_for_region(x, x->top[k]);
            }
        for (; first < x->nstand_ins && x->here->says == SQ_SAYS_NOTHING; first++)
            take_back(x, &x->stand_in[first]);
    }
}

/* True of the end of a line, and of the backslash that makes it go on, not of that in '\n'. */
static bool is_of_line(const char *at)
{
    return *at == '\r' || *at == '\n' || (*at == '\\' && (at[1] == '\n' || at[1] == '\r'));
}

/* The file with all names; *macros: what they stand for. NULL: there are none. */
static const char *view_of(const sq_respeller *x, const char **macros)
{
    sq_text all = {0};
    char *view = sq_arena_strndup(x->r->arena, x->f.text, x->n);
    bool any = false;
    sq_text_puts(&all, x->f.text + x->n);
    for (int i = 0; i < x->nstand_ins; i++) {
        const sq_stand_in_text *s = &x->stand_in[i];
        if (s->is_out)
            continue;
        for (size_t at = s->from; at < s->to; at++)
            view[at] = is_of_line(view + at) ? view[at] : ' ';
        memcpy(view + s->from, s->name, strlen(s->name));
        sq_text_printf(&all, "#define %s %s\n", s->name, s->text);
        any = true;
    }
    *macros = sq_text_take(&all, x->r->arena);
    return any ? view : NULL;
}

static sq_respelled_region *region_at(const sq_respeller *x, size_t at)
{
    for (int i = 0; i < x->nregions; i++)
        if (at >= x->region[i].from && at < x->region[i].to)
            return &x->region[i];
    return NULL;
}

/* Takes out what has an error there; false if that is nothing, or if other text of the region needs it. */
static bool leave_out_at(sq_respeller *x, size_t at)
{
    bool any = false;
    sq_respelled_region *region = region_at(x, at);
    for (int i = 0; i < x->nstand_ins; i++)
        if (!x->stand_in[i].is_out && at >= x->stand_in[i].from && at < x->stand_in[i].to) {
            any = true;
            take_back(x, &x->stand_in[i]);
        }
    bool fails = !any || (region && region->has_stages);
    if (region)
        region->fails |= fails;
    return !fails;
}

/* The same of the first errors; false if that is nothing at all. */
static bool leave_out(sq_respeller *x, const sq_faults *faults)
{
    bool any = false, fails = false;
    for (int k = 0; k < faults->n; k++)
        any |= leave_out_at(x, faults->at[k]);
    for (int i = 0; i < x->nregions; i++)
        fails |= x->region[i].fails;
    return any && !fails;
}

/* Less is said of the regions that fail, where it is not known which of all; false: nothing more is left out. */
static bool say_less(sq_respelled_region *region, int n)
{
    bool known = false, any = false;
    for (int i = 0; i < n; i++)
        known |= region[i].fails && region[i].says != SQ_SAYS_NOTHING;
    for (int i = 0; i < n; i++) {
        bool less = (region[i].fails || !known) && region[i].says != SQ_SAYS_NOTHING;
        region[i].says += less;
        any |= less;
    }
    return any;
}

/* Text of the file as the calls have left it, and behind it their macros. */
static char *text_with_calls(const sq_reader *r, const char *text, size_t n)
{
    bool has = r->calls && r->calls->view;
    size_t more = has ? strlen(r->calls->text) : 0;
    char *all = SQ_NEW_ARRAY(r->arena, char, n + more + 1);
    memcpy(all, has ? r->calls->view : text, n);
    memcpy(all + n, has ? r->calls->text : "", more);
    return all;
}

/* Reads the file with what is found; false if that is nothing, or cannot be. */
static bool read_found(sq_respeller *x, CXIndex index, const char **args, int nargs, sq_calls *found)
{
    sq_faults faults = {0};
    bool more = true;
    for (int i = 0; i < x->nregions; i++)
        more &= !x->region[i].fails;
    for (; more; more = leave_out(x, &faults)) {
        found->view = view_of(x, &found->text);
        if (!found->view)
            return false;
        sq_overlay files[] = {{SQ_CALLS_PATH, found->text}, {SQ_MEMBERS_PATH, sq_members_declared(x->r, x->found)}};
        if (sq_reader_reads(x->r, index, args, nargs, found->view, x->n, files, 2, &faults))
            return true;
    }
    return false;
}

/* The regions of the file, of which all is said. */
static sq_respelled_region *regions_of(sq_reader *r, const char *text, size_t n, sq_region_text **t, int *nregions)
{
    size_t mark = sq_diags_mark(r->d);
    int found = sq_scop_regions(r, text, n, t);
    sq_diags_rewind(r->d, mark); /* said when they are read */
    *nregions = found > 0 ? found : 0;
    sq_respelled_region *region = SQ_NEW_ARRAY(r->arena, sq_respelled_region, *nregions + 1);
    for (int i = 0; i < *nregions; i++)
        region[i] = (sq_respelled_region){.from = (*t)[i].from, .to = (*t)[i].to};
    return region;
}

/* True if that is all: the file reads, or has nothing to say in another way. */
static bool read_once(sq_reader *r, CXIndex index, const char **args, int nargs, const char *text, size_t n,
                      const sq_region_text *t, sq_respelled_region *region, int nregions)
{
    bool has_calls = r->calls && r->calls->view;
    sq_calls *found = SQ_NEW(r->arena, sq_calls);
    sq_respeller x = {.r = r,
                      .n = n,
                      .nregions = nregions,
                      .region = region,
                      .found = SQ_NEW(r->arena, sq_members),
                      .f = {.r = r, .text = text_with_calls(r, text, n), .calls_at = has_calls ? n : 0}};
    *found = r->calls ? *r->calls : (sq_calls){0};
    x.address = sq_struct_reader(&x);
    for (int i = 0; i < nregions; i++)
        region[i].has_stages = region[i].fails = false;
    find_all(&x, t);
    bool reads = read_found(&x, index, args, nargs, found);
    for (int i = 0; i < x.nstand_ins && !reads; i++) /* the errors are elsewhere */
        take_back(&x, &x.stand_in[i]);
    if (reads)
        r->calls = found;
    else
        x.found->n = 0;
    r->members = x.found;
    return reads || x.nstand_ins == 0;
}

void sq_respelling_read(sq_reader *r, CXIndex index, const char **args, int nargs, const char *text, size_t n)
{
    int nregions;
    sq_region_text *t;
    if (sq_reader_has_errors(r, r->unit))
        return;
    sq_respelled_region *region = regions_of(r, text_with_calls(r, text, n), n, &t, &nregions);
    while (!read_once(r, index, args, nargs, text, n, t, region, nregions) && say_less(region, nregions))
        continue;
}
