/* Fault: see fault.h. */
#include "tests/fuzz/fault.h"
#include "ir/schedule/tree.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int fault_find(const char *name)
{
    static const char *const names[] = {"nothing", "dependence", "guard", "operand", "cast",
                                        "barrier", "pitch",      "wait",  "rescale", "fragment"};
    for (int i = 0; i < 10; i++)
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

/* ---- emitted text ---- */

static const char *line_of(const char *text, const char *at)
{
    while (at > text && at[-1] != '\n')
        at--;
    return at + strspn(at, " ");
}

/* Each: is `at` such a place; what stands there, and what comes in its stead. */
typedef struct change {
    size_t cut;
    char put[48];
} change;

static bool is_guard(const char *text, const char *at, change *c)
{
    const char *line = line_of(text, at);
    c->cut = 3;
    strcpy(c->put, " <= ");
    return strncmp(at, " < ", 3) == 0 &&
           (strncmp(line, "for (", 5) == 0 || strncmp(line, "if (", 4) == 0);
}

static bool is_barrier(const char *text, const char *at, change *c)
{
    (void)text;
    c->cut = strlen("__syncthreads();");
    c->put[0] = 0;
    return strncmp(at, "__syncthreads();", c->cut) == 0;
}

/* "… A_shared[x0 + 132 * x1]": the number. */
static bool is_pitch(const char *text, const char *at, change *c)
{
    const char *line = line_of(text, at), *shared = strstr(line, "_shared");
    int digits = (int)strspn(at, "0123456789");
    c->cut = (size_t)digits;
    snprintf(c->put, sizeof c->put, "%d", atoi(at) + 3);
    return at > text && at[-1] == ' ' && digits > 1 && digits < 6 &&
           strncmp(at + digits, " * ", 3) == 0 && shared && shared < strchr(line, '\n');
}

static bool is_wait(const char *text, const char *at, change *c)
{
    static const char call[] = "__pipeline_wait_prior(";
    size_t n = strlen(call);
    (void)text;
    if (strncmp(at, call, n) != 0)
        return false;
    c->cut = n + strspn(at + n, "0123456789");
    snprintf(c->put, sizeof c->put, "%s%d", call, atoi(at + n) + 1);
    return true;
}

/* "a_lane = … lane / 4": rows exchanged; "b0 + 2": the fragment before. */
static bool is_fragment(const char *text, const char *at, change *c)
{
    const char *line = line_of(text, at);
    bool pair =
        strncmp(at, " + 2);", 6) == 0 && strstr(line, "mma_m16") && strstr(line, "mma_m16") < at;
    bool rows = strncmp(at, "lane / ", 7) == 0 && strncmp(line, "const ", 6) == 0 &&
                strstr(line, "_lane = ") && strstr(line, "_lane = ") < at;
    c->cut = 4;
    strcpy(c->put, pair ? "" : "(lane ^ 4)");
    return pair || rows;
}

typedef bool is_place(const char *text, const char *at, change *c);

static size_t places(const char *text, is_place *is, size_t wanted, const char **found, change *c)
{
    size_t n = 0;
    for (const char *at = text; *at; at++)
        if (is(text, at, c) && n++ == wanted) {
            *found = at;
            return n;
        }
    return n;
}

void fault_text(fault_kind kind, char **text, sq_rng *r)
{
    is_place *is = kind == FAULT_GUARD      ? is_guard
                   : kind == FAULT_BARRIER  ? is_barrier
                   : kind == FAULT_PITCH    ? is_pitch
                   : kind == FAULT_WAIT     ? is_wait
                   : kind == FAULT_FRAGMENT ? is_fragment
                                            : NULL;
    change c;
    const char *at = NULL;
    size_t n = is ? places(*text, is, (size_t)-1, &at, &c) : 0;
    if (n == 0)
        return;
    places(*text, is, sq_rng_below(r, n), &at, &c);
    sq_text changed = {0};
    sq_text_putn(&changed, *text, (size_t)(at - *text));
    sq_text_puts(&changed, c.put);
    sq_text_puts(&changed, at + c.cut);
    free(*text);
    *text = changed.s;
}

/* ---- the kernel ---- */

typedef struct search {
    fault_kind kind;
    size_t n, wanted;
    const sq_expr *whole; /* of the statement that is looked at: its value */
    sq_expr *found;
} search;

/* Sums so far times what online() rescales them by. */
static bool is_rescaling(const sq_expr *e)
{
    for (int i = 0; e->op == SQ_OP_MUL && i < 2; i++)
        if (e->arg[i]->op == SQ_OP_READ && strstr(e->arg[i]->access->array->name, "_scale"))
            return true;
    return false;
}

/* What is cast as a whole is stored: as often as not it is narrowed there, too, and nothing changes. */
static bool is_candidate(const search *s, const sq_expr *e)
{
    if (s->kind == FAULT_RESCALE)
        return is_rescaling(e);

    if (s->kind == FAULT_OPERAND)
        return e->op == SQ_OP_SUB || e->op == SQ_OP_DIV;
    return e != s->whole && e->op == SQ_OP_CAST && !sq_type_real(e->type) && !sq_type_real(e->arg[0]->type) &&
           sq_type_bytes(e->type) < sq_type_bytes(e->arg[0]->type);
}

static void look(sq_expr *e, void *user)
{
    search *s = user;
    if (is_candidate(s, e) && s->n++ == s->wanted)
        s->found = e;
}

static void look_everywhere(const sq_kernel *k, search *s)
{
    for (int i = 0; i < k->nstmts; i++) {
        s->whole = k->stmt[i]->value;
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
    if (kind != FAULT_OPERAND && kind != FAULT_CAST && kind != FAULT_RESCALE)
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
    else if (kind == FAULT_RESCALE)
        f.at->op = SQ_OP_DIV;
    else
        f.at->type = f.at->arg[0]->type;
    return f;
}

void fault_end(const fault_made *f)
{
    if (f->at && f->kind == FAULT_OPERAND)
        swap(f->at);
    else if (f->at && f->kind == FAULT_RESCALE)
        f->at->op = SQ_OP_MUL;
    else if (f->at)
        f->at->type = f->was;
}
