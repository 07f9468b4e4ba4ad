/* Cuts a failing unit down: statements are left out, values replaced by their operands, for as long
 * as something still fails. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { TRIALS = 60 };

static bool still_fails(struct unit *trial, const struct options *o, const char *folder)
{
    free(trial->said);
    trial->said = NULL;
    trial->state = UNIT_REFUSED;
    unit_compile(trial, o, folder);
    if (trial->state == UNIT_COMPILED)
        units_build_and_run(&trial, 1, o, folder);
    return trial->state == UNIT_FAILED;
}

/* Tries to leave out what `link` names: the next of a statement takes its place. */
static bool without(struct unit *u, const struct unit *changed, const struct options *o,
                    const char *folder)
{
    struct unit *trial = malloc(sizeof *trial);
    if (!trial)
        exit(3);
    *trial = *changed;
    trial->said = NULL;
    bool fails = still_fails(trial, o, folder);
    if (fails) {
        free(u->said);
        *u = *trial;
    } else {
        free(trial->said);
    }
    free(trial);
    return fails;
}

static int *link_of(struct program *p, int number)
{
    if (number == 0)
        return &p->first;
    struct statement *s = &p->statements[(number - 1) / 3];
    int which = (number - 1) % 3;
    return which == 0 ? &s->next : which == 1 ? &s->body : &s->otherwise;
}

static void cut_statements(struct unit *u, struct unit *work, const struct options *o,
                           const char *folder, int *trials)
{
    for (int n = 0; n <= 3 * u->program.statement_count && *trials > 0; n++) {
        *work = *u;
        int *link = link_of(&work->program, n);
        if (*link < 0 || (n > 0 && (n - 1) % 3 == 1 && work->program.statements[*link].next < 0))
            continue;
        if (n == 0 && work->program.statements[*link].next < 0)
            continue;
        *link = work->program.statements[*link].next;
        --*trials;
        n -= without(u, work, o, folder);
    }
}

static bool is_operator(enum op op)
{
    return (op >= OP_ADD && op <= OP_XOR) || op == OP_SELECT || op == OP_MAX || op == OP_MIN
        || op == OP_NEG || op == OP_RELU || op == OP_CALL || op == OP_CAST;
}

static bool reachable(const struct program *p, int from, int node)
{
    if (from < 0)
        return false;
    const struct node *n = &p->nodes[from];
    return from == node || reachable(p, n->a, node) || reachable(p, n->b, node)
        || reachable(p, n->c, node);
}

static bool in_values(const struct program *p, int node)
{
    for (int s = 0; s < p->statement_count; s++)
        if (p->statements[s].kind != ST_IF && reachable(p, p->statements[s].value, node))
            return true;
    return false;
}

static void cut_values(struct unit *u, struct unit *work, const struct options *o,
                       const char *folder, int *trials)
{
    for (int n = u->program.node_count; n-- > 0 && *trials > 0;)
        for (int side = 0; side < 2 && *trials > 0; side++) {
            const struct node *node = &u->program.nodes[n];
            int child = node->op == OP_SELECT ? (side ? node->c : node->b) : side ? node->b : node->a;
            if (!is_operator(node->op) || child < 0 || !in_values(&u->program, n)
                || u->program.nodes[child].type != node->type)
                continue;
            *work = *u;
            work->program.nodes[n] = work->program.nodes[child];
            --*trials;
            if (without(u, work, o, folder))
                break;
        }
}

void unit_shrink(struct unit *u, const struct options *o, const char *folder)
{
    int trials = TRIALS;
    struct unit *work = malloc(sizeof *work);
    if (!work)
        exit(3);
    cut_statements(u, work, o, folder, &trials);
    cut_values(u, work, o, folder, &trials);
    cut_statements(u, work, o, folder, &trials);
    free(work);
}
