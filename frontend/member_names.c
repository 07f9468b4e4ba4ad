/* Names of what stands in for members and products: as long as the text that they stand for, and no other name of the
 * unit: headers and ## make some that the text of the file does not have. */
#include "frontend/members_inside.h"
#include "support/words.h"
#include <stdlib.h>
#include <string.h>

static void add_name(sq_member_finder *f, const char *name)
{
    f->name = sq_arena_grow(f->r->arena, f->name, f->nnames, &f->name_room, sizeof *f->name);
    f->name[f->nnames++] = name;
}

static void add_names_inside(sq_member_finder *f, CXCursor c)
{
    int n;
    CXCursor *child = sq_cursor_children(f->r, c, &n);
    for (int i = 0; i < n; i++) {
        if (f->r->cl->clang_isDeclaration(child[i].kind))
            add_name(f, sq_cursor_spelling(f->r, child[i]));
        add_names_inside(f, child[i]);
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void sq_member_names(sq_member_finder *f, CXCursor *top, int n, const sq_region_text *t, int nregions)
{
    for (int i = 0; i < n; i++) {
        size_t from, to;
        bool has_region = false, is_here = sq_scop_span(f->r, top[i], &from, &to);
        add_name(f, sq_cursor_spelling(f->r, top[i]));
        for (int k = 0; k < nregions && is_here; k++)
            has_region |= from < t[k].from && to >= t[k].to;
        if (has_region || top[i].kind == CXCursor_EnumDecl)
            add_names_inside(f, top[i]);
    }
    if (f->nnames)
        qsort(f->name, (size_t)f->nnames, sizeof *f->name, by_name);
}

static const char *with_filler(const sq_member_finder *f, const char *text, char filler)
{
    char *name = sq_arena_strdup(f->r->arena, text);
    for (char *at = name; *at; at++)
        if (!sq_is_word_byte(*at))
            *at = *at == '-' ? '_' : filler;
    return name;
}

/* True if the name stands in the unit, or for another value, or for one of another type. */
static bool is_taken(const sq_member_finder *f, const char *name, const sq_mention *m)
{
    const sq_members *x = f->found;
    for (int i = 0; i < x->n; i++)
        if (strcmp(x->member[i].name, name) == 0)
            return strcmp(x->member[i].key, m->key) != 0 || strcmp(x->member[i].type, m->type) != 0;
    return sq_text_mentions(f->text, name) || sq_function_name_refused(name) ||
           (f->nnames && bsearch(&name, f->name, (size_t)f->nnames, sizeof *f->name, by_name));
}

/* The one for the same value that has room: (im).w and im.w, and products with their factors in another order. */
static sq_struct_member *known(const sq_member_finder *f, const sq_mention *m)
{
    const sq_members *x = f->found;
    for (int i = 0; i < x->n; i++)
        if (strcmp(x->member[i].key, m->key) == 0 && strcmp(x->member[i].type, m->type) == 0 &&
            strlen(x->member[i].name) <= m->to - m->from)
            return &x->member[i];
    return NULL;
}

sq_struct_member *sq_member_of(sq_member_finder *f, const sq_mention *m)
{
    sq_members *x = f->found;
    sq_struct_member *old = known(f, m);
    const char *name = NULL;
    if (old)
        return old;
    for (const char *filler = "_0123456789"; *filler && !name; filler++) {
        name = with_filler(f, m->said ? m->said : m->text, *filler);
        name = is_taken(f, name, m) ? NULL : name;
    }
    if (!name)
        return NULL;
    old = x->member;
    x->member = SQ_NEW_ARRAY(f->r->arena, sq_struct_member, x->n + 1);
    if (x->n)
        memcpy(x->member, old, (size_t)x->n * sizeof *old);
    x->member[x->n] = (sq_struct_member){.text = m->text, .key = m->key, .name = name, .type = m->type};
    return &x->member[x->n++];
}
