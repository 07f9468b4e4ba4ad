/* Optimize: gcc places loops where they happen to fall. One of a few instructions that lies across two lines of code
 * takes up to half as long again, so those of a nest begin at a line. A nest that no pass has made vectors of is
 * compiled as with -O3, which users give their own loops: at -O2 gcc 12 makes vectors only where they need no code
 * beside them. Not where each iteration waits for the one before. A function such as exp is a chain of some twenty
 * instructions that wait for each other, and a processor looks at two or three chains at a time: those of several
 * vectors take turns where gcc schedules before it chooses registers. See docs/CODEGEN.md. */
#include "codegen/print/optimize.h"
#include "codegen/code/build.h"
#include "codegen/isa/math.h"

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

static bool has_function(const sq_code_expr *e)
{
    bool calls = e && e->op == SQ_CODE_OPERATION && e->lanes > 1 && sq_math_is_function(e->operation);
    bool roots = calls && (e->operation == SQ_OP_SQRT || e->operation == SQ_OP_RSQRT);
    bool has = calls && !roots && sq_math_is_own(e->operation, e->type);
    for (int i = 0; e && i < e->nargs && !has; i++)
        has = has_function(e->arg[i]);
    return has;
}

/* Returns how many statements with functions of vectors are executed. */
static int64_t functions_of(const sq_code *x)
{
    int64_t n = 0;
    for (; x; x = x->next)
        n += x->kind == SQ_CODE_LOOP ? sq_code_iterations(x) * functions_of(x->body)
                                     : has_function(x->value) + functions_of(x->body) + functions_of(x->other);
    return n;
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

/* True if a part is a point of few statements: the loop that it is in takes less time than what counts it. */
static bool is_point(const sq_code_part *part)
{
    return !has_loop(part->body) && part->lanes == 1 && statements_of(part->body) <= SHORT;
}

/* Adds the loops of a part, or of a nest. */
static void see(sq_loops_seen *seen, const sq_code *x, bool in_part)
{
    for (; x; x = x->next) {
        if (x->part) {
            see(seen, x->part->body, true);
            seen->other |= is_point(x->part);
            seen->chains |= !has_loop(x->part->body) && functions_of(x->part->body) > 1;
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

static void put(const char *options, const char *why, sq_text *to)
{
    sq_text_printf(to,
                   "#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) && "
                   "!defined(__OPTIMIZE_SIZE__)\n"
                   "__attribute__((optimize(%s))) /* %s */\n"
                   "#endif\n",
                   options, why);
}

void sq_optimize_put(const sq_loops_seen *seen, sq_text *to)
{
    if (seen->tile)
        return;
    if (seen->other)
        put("\"align-loops=64\"", "a short loop is in one line of code", to);
    else if (seen->plain)
        put("\"O3\", \"align-loops=64\"", "plain loops", to);
    else if (seen->chains)
        put("\"schedule-insns\", \"sched-pressure\"", "functions of several vectors take turns", to);
}
