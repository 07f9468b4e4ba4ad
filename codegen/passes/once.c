/* Once: a value that the next statement alone uses, once, stands where it is used. Statements keep their order, so
 * that each value is computed where it was. A product is not put into a sum: compilers may fuse the operations of one
 * expression to one that rounds once. */
#include "codegen/code/build.h"
#include "codegen/code/used.h"
#include "codegen/passes/rows.h"

enum { MOST_OPERATIONS = 4 }; /* of a statement, so that it remains a line */

/* The registers that are used behind a statement: as operands of stored values, and in other places. Statements are
 * visited from the last to the first, so that one walk sees all uses before the declaration. */
typedef struct uses {
    sq_code_keys once, again;
    sq_code_used elsewhere;
} uses;

static bool is_register(const sq_code_buffer *b)
{
    return b && b->storage == SQ_CODE_REGISTER && b->ndim == 0;
}

static void use_value(uses *u, const sq_code_expr *e)
{
    if (is_register(e->buffer))
        sq_code_keys_add(sq_code_keys_has(&u->once, e->buffer) ? &u->again : &u->once, e->buffer);
    for (int i = 0; i < e->nargs; i++)
        use_value(u, e->arg[i]);
}

/* Records what the statement uses, without its body. */
static void use(uses *u, const sq_code *x)
{
    sq_code rest = *x;
    if (x->kind == SQ_CODE_STORE) {
        use_value(u, x->value);
        rest.kind = is_register(x->buffer) ? SQ_CODE_LET : x->kind;
        rest.value = NULL;
    }
    sq_code_used_add(&u->elsewhere, &rest);
}

/* Ends the scope of a register. */
static void forget(uses *u, const sq_code_buffer *b)
{
    sq_code_keys_remove(&u->once, b);
    sq_code_keys_remove(&u->again, b);
    sq_code_keys_remove(&u->elsewhere.buffers, b);
}

static int operations(const sq_code_expr *e)
{
    int n = sq_code_is_index(e) || e->op == SQ_CODE_CONSTANT || is_register(e->buffer) ? 0 : 1;
    for (int i = 0; i < e->nargs; i++)
        n += operations(e->arg[i]);
    return n;
}

/* True if the register is a number that the next statement alone uses. */
static bool is_used_once(const uses *u, const sq_code_buffer *b)
{
    return is_register(b) && b->is_constant && !b->is_mask && !b->is_bits && sq_type_real(b->type) &&
           !sq_type_stored(b->type) && sq_code_keys_has(&u->once, b) && !sq_code_keys_has(&u->again, b) &&
           !sq_code_used_buffer(&u->elsewhere, b);
}

/* True for what a register of the type may hold as it is. */
static bool is_value(const sq_code_expr *e, sq_type type)
{
    if (e->type != type)
        return false;
    return e->op == SQ_CODE_CONSTANT || e->op == SQ_CODE_SCALAR || e->op == SQ_CODE_LOAD ||
           e->op == SQ_CODE_LOAD_LANES || e->op == SQ_CODE_OPERATION || e->op == SQ_CODE_FMA ||
           e->op == SQ_CODE_BROADCAST;
}

static bool is_product(const sq_code_expr *e)
{
    while (e->op == SQ_CODE_OPERATION && e->operation == SQ_OP_NEG)
        e = e->arg[0];
    return e->op == SQ_CODE_OPERATION && e->operation == SQ_OP_MUL;
}

/* True if a value may be an operand of e. */
static bool takes(const sq_code_expr *e, const sq_code_expr *value)
{
    bool sums = e->op == SQ_CODE_OPERATION &&
                (e->operation == SQ_OP_ADD || e->operation == SQ_OP_SUB || e->operation == SQ_OP_NEG);
    return e->op == SQ_CODE_FMA || (e->op == SQ_CODE_OPERATION && !(sums && is_product(value)));
}

/* Returns e with a value in the place of the register; NULL if it is no operand there. */
static const sq_code_expr *with(sq_code_pool *p, const sq_code_expr *e, const sq_code_buffer *b,
                                const sq_code_expr *value)
{
    if (e->buffer == b)
        return value;
    if (!takes(e, value))
        return NULL;
    for (int i = 0; i < e->nargs; i++) {
        bool here = e->arg[i]->buffer == b;
        const sq_code_expr *x = here || e->arg[i]->nargs ? with(p, e->arg[i], b, value) : NULL;
        if (!x)
            continue;
        const sq_code_expr **arg = SQ_NEW_ARRAY(p->arena, const sq_code_expr *, e->nargs);
        for (int a = 0; a < e->nargs; a++)
            arg[a] = a == i ? x : e->arg[a];
        return sq_code_rebuilt(p, e, arg);
    }
    return NULL;
}

/* Returns the store that a statement is or, if it declares a constant register, that follows it; or NULL. */
static sq_code *store_of(sq_code *x)
{
    if (x && sq_code_is_constant(x))
        x = x->next;
    return x && x->kind == SQ_CODE_STORE ? x : NULL;
}

/* Puts the value that x declares into the next statement; false if it stays. */
static bool put_into_next(const sq_pass_context *c, const uses *u, sq_code *x)
{
    sq_code *value = x->kind == SQ_CODE_DECLARE ? store_of(x) : NULL, *next = value ? store_of(value->next) : NULL;
    if (!next || value->cond || !is_used_once(u, x->buffer) || !is_value(value->value, x->buffer->type) ||
        operations(value->value) + operations(next->value) > MOST_OPERATIONS)
        return false;
    const sq_code_expr *e = with(c->pool, next->value, x->buffer, value->value);
    next->value = e ? e : next->value;
    return e != NULL;
}

static sq_code *put_all(const sq_pass_context *c, uses *u, sq_code *x)
{
    int n = 0;
    for (const sq_code *s = x; s; s = s->next)
        n++;
    sq_code **all = SQ_NEW_ARRAY(c->pool->arena, sq_code *, n + 1);
    for (int i = 0; i < n; i++, x = x->next)
        all[i] = x;
    for (int i = n - 1; i >= 0; i--) {
        sq_code *s = all[i];
        s->body = put_all(c, u, s->body);
        s->other = put_all(c, u, s->other);
        use(u, s);
        if (put_into_next(c, u, s))
            all[i] = s->next->next;
        if (s->kind == SQ_CODE_DECLARE)
            forget(u, s->buffer);
        if (i > 0)
            all[i - 1]->next = all[i];
    }
    return all[0];
}

sq_code *sq_pass_once(const sq_pass_context *c, sq_code *x)
{
    sq_arena *arena = c->pool->arena;
    uses u = {.once = {.arena = arena},
              .again = {.arena = arena},
              .elsewhere = {.buffers = {.arena = arena}, .names = {.arena = arena, .of_names = true}}};
    return put_all(c, &u, x);
}
