/* Fault: see fault.h. */
#include "tests/fuzz/fault.h"
#include "ir/tree.h"
#include <stdlib.h>
#include <string.h>

int fault_find(const char *name)
{
    static const char *const names[] = {"nothing", "dependence", "guard", "operand", "cast"};
    for (int i = 0; i < 5; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return -1;
}

void fault_dependence(sq_kernel *k, sq_rng *r)
{
    isl_map_list *all = isl_union_map_get_map_list(k->deps);
    int n = (int)isl_map_list_n_map(all);
    if (n > 0) {
        isl_map *one = isl_map_list_get_map(all, (int)sq_rng_below(r, (size_t)n));
        k->deps = isl_union_map_subtract(k->deps, isl_union_map_from_map(one));
        sq_tree_deps_drop(k);
    }
    isl_map_list_free(all);
}

/* The n-th " < " in a line that is a loop or a condition; NULL behind the last. */
static char *guard_at(char *text, size_t n)
{
    for (char *at = text; (at = strstr(at, " < ")); at++) {
        const char *line = at;
        while (line > text && line[-1] != '\n')
            line--;
        line += strspn(line, " ");
        if (strncmp(line, "for (", 5) != 0 && strncmp(line, "if (", 4) != 0)
            continue;
        if (n-- == 0)
            return at;
    }
    return NULL;
}

void fault_guard(char **text, sq_rng *r)
{
    size_t n = 0;
    while (guard_at(*text, n))
        n++;
    if (n == 0)
        return;
    char *at = guard_at(*text, sq_rng_below(r, n));
    sq_text changed = {0};
    sq_text_putn(&changed, *text, (size_t)(at - *text));
    sq_text_puts(&changed, " <= ");
    sq_text_puts(&changed, at + 3);
    free(*text);
    *text = changed.s;
}

typedef struct search {
    fault_kind kind;
    size_t n, wanted;
    sq_expr *found;
} search;

static bool is_candidate(fault_kind kind, const sq_expr *e)
{
    if (kind == FAULT_OPERAND)
        return e->op == SQ_OP_SUB || e->op == SQ_OP_DIV;
    return e->op == SQ_OP_CAST && !sq_type_real(e->type) && !sq_type_real(e->arg[0]->type) &&
           sq_type_bytes(e->type) < sq_type_bytes(e->arg[0]->type);
}

static void look(sq_expr *e, void *user)
{
    search *s = user;
    if (is_candidate(s->kind, e) && s->n++ == s->wanted)
        s->found = e;
}

static void look_everywhere(const sq_kernel *k, search *s)
{
    for (int i = 0; i < k->nstmts; i++) {
        if (k->stmt[i]->body)
            sq_expr_walk(k->stmt[i]->body, look, s);
        sq_expr_walk(k->stmt[i]->value, look, s);
    }
}

static void swap(sq_expr *e)
{
    sq_expr *first = e->arg[0];
    e->arg[0] = e->arg[1];
    e->arg[1] = first;
}

fault_made fault_begin(fault_kind kind, const sq_kernel *k, sq_rng *r)
{
    search count = {.kind = kind, .wanted = (size_t)-1};
    fault_made f = {.kind = kind};
    if (kind != FAULT_OPERAND && kind != FAULT_CAST)
        return f;
    look_everywhere(k, &count);
    if (count.n == 0)
        return f;
    search one = {.kind = kind, .wanted = sq_rng_below(r, count.n)};
    look_everywhere(k, &one);
    f.at = one.found;
    f.was = f.at->type;
    if (kind == FAULT_OPERAND)
        swap(f.at);
    else
        f.at->type = f.at->arg[0]->type;
    return f;
}

void fault_end(const fault_made *f)
{
    if (f->at && f->kind == FAULT_OPERAND)
        swap(f->at);
    else if (f->at)
        f->at->type = f->was;
}
