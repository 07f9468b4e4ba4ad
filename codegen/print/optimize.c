/* Optimize: gcc places loops where they happen to fall. One of a few instructions that lies across two lines of code
 * takes up to half as long again, so those of a nest begin at a line. A nest that no pass has made vectors of is
 * compiled as with -O3, which users give their own loops: at -O2 gcc 12 makes vectors only where they need no code
 * beside them. Not where each iteration waits for the one before. See docs/CODEGEN.md. */
#include "codegen/print/optimize.h"
#include "codegen/code/build.h"

/* Statements of an innermost loop beyond which it does not matter where it lies. */
enum { SHORT = 8 };

static bool is_loop(const sq_code *x)
{
    return x->kind == SQ_CODE_LOOP && x->runs != SQ_CODE_UNROLLED;
}

static bool has_loop(const sq_code *x)
{
    for (; x; x = x->next)
        if (is_loop(x) || x->part || has_loop(x->body) || has_loop(x->other))
            return true;
    return false;
}

static int64_t statements_of(const sq_code *x)
{
    int64_t n = 0;
    for (; x; x = x->next)
        n += x->kind == SQ_CODE_LOOP ? sq_code_iterations(x) * statements_of(x->body)
                                     : 1 + statements_of(x->body) + statements_of(x->other);
    return n;
}

static bool moves(const sq_code *x, const char *variable)
{
    bool any = false;
    for (int d = 0; d < x->buffer->ndim; d++)
        any |= sq_code_mentions(x->index[d], variable);
    return any;
}

/* True if an iteration reads what the one before has stored to an element that stays: it waits, whatever is done. */
static bool waits(const sq_code *loop)
{
    for (const sq_code *x = loop->body; x; x = x->next) {
        if (x->kind != SQ_CODE_STORE || moves(x, loop->name))
            continue;
        for (const sq_code *before = loop->body; before != x->next; before = before->next) {
            sq_code one = *before;
            one.next = NULL;
            if (sq_code_reads(&one, x->buffer))
                return true;
        }
    }
    return false;
}

static bool has_load(const sq_code_expr *e)
{
    bool found = e->op == SQ_CODE_LOAD;
    for (int i = 0; i < e->nargs && !found; i++)
        found = has_load(e->arg[i]);
    return found;
}

/* True if the loop does nothing but look up elements of one or two bytes: -O3 has gcc 12 collect them one by one to
 * vectors that are stored. */
static bool looks_up(const sq_code *loop)
{
    bool all = true;
    for (const sq_code *x = loop->body; x && all; x = x->next) {
        bool subscript = false;
        all = x->kind == SQ_CODE_STORE && x->value->op == SQ_CODE_LOAD && sq_type_bytes(x->value->type) < 4;
        for (int i = 0; all && i < x->value->nargs; i++)
            subscript |= has_load(x->value->arg[i]);
        all &= subscript;
    }
    return all;
}

/* Returns the first of the innermost loops; NULL: there is none. */
static const sq_code *first_loop(const sq_code *x)
{
    const sq_code *found = NULL;
    for (; x && !found; x = x->next) {
        found = is_loop(x) && !has_loop(x->body) ? x : first_loop(x->body);
        found = found ? found : first_loop(x->other);
    }
    return found;
}

/* True if the steps of a register tile are long: of its loops the first makes most of them, the others what is left. */
static bool is_large(const sq_code *part)
{
    const sq_code *steps = first_loop(part);
    return steps && statements_of(steps->body) > SHORT;
}

/* Adds the loops of a part, or of a nest. */
static void see(sq_loops_seen *seen, const sq_code *x, bool in_part)
{
    for (; x; x = x->next) {
        if (x->part) {
            see(seen, x->part->body, true);
            seen->tile |= is_large(x->part->body);
        }
        if (!is_loop(x) || has_loop(x->body)) {
            see(seen, x->body, in_part);
            see(seen, x->other, in_part);
            continue;
        }
        bool plain = x->is_scalar && x->runs == SQ_CODE_SERIAL && !in_part && !waits(x) && !looks_up(x);
        seen->plain |= plain;
        seen->other |= !plain;
    }
}

void sq_optimize_see(sq_loops_seen *seen, const sq_code *x)
{
    see(seen, x, false);
}

void sq_optimize_put(const sq_loops_seen *seen, sq_text *to)
{
    if (seen->tile || (!seen->plain && !seen->other))
        return;
    sq_text_printf(to,
                   "#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) && "
                   "!defined(__OPTIMIZE_SIZE__)\n"
                   "__attribute__((optimize(%s\"align-loops=64\"))) /* %s */\n"
                   "#endif\n",
                   seen->other ? "" : "\"O3\", ", seen->other ? "a short loop is in one line of code" : "plain loops");
}
