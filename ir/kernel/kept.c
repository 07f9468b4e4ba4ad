/* Kept: a table of texts and isl's objects; see kept.h. */
#include "ir/kernel/kept.h"
#include "support/hash.h"
#include "support/memory.h"
#include <isl/union_map.h>
#include <stdlib.h>
#include <string.h>

/* When there are that many results, the table begins anew. */
enum { PLACES = 4096, MOST = PLACES / 2 };

/* Stands for what isl did not print; it never prints this. */
static const char no_text[] = "?";

typedef struct entry {
    uint64_t hash;
    char *of; /* NULL: a free place */
    isl_ast_node *node;
    isl_ast_expr *expr;
    isl_set *set; /* one of the three */
} entry;

struct sq_kept {
    int n;
    entry entry[PLACES];
};

sq_kept *sq_kept_new(void)
{
    return sq_allocated(calloc(1, sizeof(sq_kept)));
}

static void clear(sq_kept *x)
{
    for (int i = 0; i < PLACES; i++) {
        free(x->entry[i].of);
        isl_ast_node_free(x->entry[i].node);
        isl_ast_expr_free(x->entry[i].expr);
        isl_set_free(x->entry[i].set);
        x->entry[i] = (entry){.of = NULL};
    }
    x->n = 0;
}

void sq_kept_free(sq_kept *x)
{
    if (x)
        clear(x);
    free(x);
}

/* Returns the place of a text, or the one that it would have. */
static entry *place(sq_kept *x, const sq_text *of)
{
    uint64_t hash = sq_hash64(of->s, of->n);
    entry *e = &x->entry[hash % PLACES];
    while (e->of && (e->hash != hash || strcmp(e->of, of->s) != 0))
        e = e + 1 < x->entry + PLACES ? e + 1 : x->entry;
    e->hash = hash;
    return e;
}

/* Returns a new place of that text; NULL: isl could not print it. */
static entry *fill(sq_kept *x, const sq_text *of)
{
    if (strstr(of->s, no_text))
        return NULL;
    if (x->n == MOST)
        clear(x);
    entry *e = place(x, of);
    e->of = sq_allocated(strdup(of->s));
    x->n++;
    return e;
}

isl_ast_node *sq_kept_node(const sq_kernel *k, const sq_text *of)
{
    return k->kept ? isl_ast_node_copy(place(k->kept, of)->node) : NULL;
}

isl_ast_expr *sq_kept_expr(const sq_kernel *k, const sq_text *of)
{
    return k->kept ? isl_ast_expr_copy(place(k->kept, of)->expr) : NULL;
}

isl_set *sq_kept_set(const sq_kernel *k, const sq_text *of)
{
    return k->kept ? isl_set_copy(place(k->kept, of)->set) : NULL;
}

isl_ast_node *sq_keep_node(const sq_kernel *k, const sq_text *of, isl_ast_node *node)
{
    entry *e = node && k->kept ? fill(k->kept, of) : NULL;
    if (e)
        e->node = isl_ast_node_copy(node);
    return node;
}

isl_ast_expr *sq_keep_expr(const sq_kernel *k, const sq_text *of, isl_ast_expr *expr)
{
    entry *e = expr && k->kept ? fill(k->kept, of) : NULL;
    if (e)
        e->expr = isl_ast_expr_copy(expr);
    return expr;
}

isl_set *sq_keep_set(const sq_kernel *k, const sq_text *of, isl_set *set)
{
    entry *e = set && k->kept ? fill(k->kept, of) : NULL;
    if (e)
        e->set = isl_set_copy(set);
    return set;
}

static void put(char *text, sq_text *to)
{
    sq_text_puts(to, text ? text : no_text);
    sq_text_puts(to, "\n");
    free(text);
}

void sq_kept_put_set(isl_set *set, sq_text *to)
{
    put(isl_set_to_str(set), to);
}

void sq_kept_put_map(isl_union_map *map, sq_text *to)
{
    put(isl_union_map_to_str(map), to);
}
