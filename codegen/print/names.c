/* Names: see names.h. One walk over the text, identifier by identifier. */
#include "codegen/print/names.h"
#include "ir/schedule/tree.h"
#include "support/words.h"
#include <stdio.h>
#include <string.h>

bool sq_names_taken(const sq_kernel *k, const char *name)
{
    for (int i = 0; i < k->nparams; i++) {
        const sq_param *p = &k->param[i];
        if (strcmp(name, p->size     ? p->size->name
                         : p->scalar ? p->scalar->name
                                     : p->array->name) == 0)
            return true;
    }
    return sq_kernel_array(k, name) != NULL;
}

static bool names(const sq_group *g, const char *name)
{
    return sq_group_loop(g, name) >= 0 || sq_group_dim(g, name) >= 0;
}

/* True if a loop or a dimension in the nest of a statement inside of a tree has the name. */
static bool names_in_nests(const sq_group *g, const char *name)
{
    bool found = false;
    for (int i = 0; g->kind == SQ_GROUP_TREE && i < g->nstmts && !found; i++) {
        const sq_tree_nest *n = sq_tree_nest_of(g->plan->tree, i);
        found = n && names(n->schedule->group[0], name);
    }
    return found;
}

/* True if a loop that isl makes for the group may have the name (codegen/lower/loop_names.h): a dimension's, which a 0
 * follows for tiles. */
static bool names_dims(const sq_group *g, const char *name)
{
    size_t n = strlen(name);
    for (int i = 0; g->kind != SQ_GROUP_TILED && i < g->nstmts; i++)
        for (int d = 0; d < g->stmt[i]->ndim; d++) {
            const char *dim = g->stmt[i]->dim[d];
            size_t own = strlen(dim);
            if (strncmp(name, dim, own) == 0 && (n == own || strcmp(name + own, "0") == 0))
                return true;
        }
    return false;
}

/* True also for names of loops and dimensions, which keep their names. */
static bool taken(const sq_schedule *s, const char *name)
{
    for (int i = 0; i < s->ngroups; i++)
        if (names(s->group[i], name) || names_in_nests(s->group[i], name) ||
            names_dims(s->group[i], name))
            return true;
    return sq_names_taken(s->kernel, name);
}

static void rename_loops(const sq_schedule *s, sq_group *g, sq_arena *arena)
{
    for (int l = 0; l < g->nloops; l++) {
        const char *old = g->loop[l].name;
        if (!sq_names_taken(s->kernel, old))
            continue;
        for (int n = 1; taken(s, g->loop[l].name); n++)
            g->loop[l].name = sq_arena_printf(arena, "%s_%d", old, n);
    }
}

static void rename_in_nests(const sq_schedule *s, sq_tree *t, sq_arena *arena)
{
    for (int i = 0; i < t->nchildren; i++)
        rename_in_nests(s, t->child[i], arena);
    if (!t->nest)
        return;
    sq_tree_nest *n = SQ_NEW(arena, sq_tree_nest);
    sq_schedule *own = sq_schedule_copy(t->nest->schedule, arena);
    *n = *t->nest;
    n->schedule = own;
    rename_loops(s, own->group[0], arena);
    t->nest = n;
}

/* A name is always replaced by the same other one: statements that share a loop name it alike. */
sq_schedule *sq_names_of_loops(const sq_schedule *s, sq_arena *arena)
{
    sq_schedule *c = sq_schedule_copy(s, arena);
    for (int i = 0; i < c->ngroups; i++) {
        sq_group *g = c->group[i];
        rename_loops(s, g, arena);
        if (g->kind != SQ_GROUP_TREE)
            continue;
        sq_tree_plan *plan = SQ_NEW(arena, sq_tree_plan);
        sq_tree *tree = sq_tree_copy(g->plan->tree, arena);
        *plan = *g->plan;
        plan->tree = tree;
        rename_in_nests(s, tree, arena);
        g->plan = plan;
    }
    return c;
}

static size_t word_length(const char *text)
{
    size_t n = 0;
    while (sq_is_word_byte(text[n]))
        n++;
    return n;
}

/* Appends prefix and word, with underscores behind it until the name is unique. */
static void put_free(const sq_schedule *s, const char *called, const char *prefix, const char *word, size_t n,
                     sq_text *to)
{
    sq_text name = {0};
    sq_text_puts(&name, prefix);
    sq_text_putn(&name, word, n);
    while (taken(s, sq_text_str(&name)) || (called && strcmp(sq_text_str(&name), called) == 0))
        sq_text_puts(&name, "_");
    sq_text_puts(to, sq_text_str(&name));
    sq_text_free(&name);
}

static bool users_own(const sq_schedule *s, const char *word, size_t n)
{
    char name[128];
    if (n >= sizeof name)
        return false;
    memcpy(name, word, n);
    name[n] = 0;
    return taken(s, name);
}

/* What compilers have built in for a name of C's library; NULL: none is known. */
static const char *built_in(const char *word, size_t n)
{
    static const struct {
        const char *name, *built_in;
        bool is_called;
    } rows[] = {{"memcpy", "__builtin_memcpy", true}, {"memset", "__builtin_memset", true},
                {"calloc", "__builtin_calloc", true}, {"free", "__builtin_free", true},
                {"size_t", "__SIZE_TYPE__", false},   {"NULL", "((void *)0)", false},
                {"PTRDIFF_MAX", "__PTRDIFF_MAX__", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strlen(rows[i].name) == n && memcmp(word, rows[i].name, n) == 0 &&
            (!rows[i].is_called || word[n] == '('))
            return rows[i].built_in;
    return NULL;
}

void sq_names_settle(const sq_schedule *s, const char *called, const char *prefix, bool is_embedded, const char *text,
                     sq_text *to)
{
    for (const char *c = text; *c;) {
        bool ours = *c == '@';
        const char *word = c + ours;
        size_t n = word_length(word);
        const char *instead = is_embedded && !ours && n ? built_in(word, n) : NULL;
        if (instead)
            sq_text_puts(to, instead);
        else if (ours)
            put_free(s, called, "", word, n, to);
        else if (n > 3 && strncmp(word, "sq_", 3) == 0 && !users_own(s, word, n))
            put_free(s, NULL, prefix, word + 3, n - 3, to);
        else
            sq_text_putn(to, word, n ? n : 1);
        c = word + (n || ours ? n : 1);
    }
}
