/* Text of: isl expressions and sets as C text. isl's own printer would do for integers, but not for
 * 64-bit helpers that evaluate their arguments once, nor with our parentheses. */
#include "codegen/text_of.h"
#include "codegen/ref.h"
#include "support/text.h"
#include <isl/aff.h>
#include <isl/id.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/val.h>

static void put(sq_text *t, isl_ast_expr *e, int level);

static void put_arg(sq_text *t, isl_ast_expr *e, int i, int level)
{
    isl_ast_expr *a = isl_ast_expr_op_get_arg(e, i);
    put(t, a, level);
    isl_ast_expr_free(a);
}

static void put_call(sq_text *t, isl_ast_expr *e, const char *name)
{
    int n = (int)isl_ast_expr_op_get_n_arg(e);
    for (int i = 0; i < n - 1; i++)
        sq_text_printf(t, "%s(", name);
    for (int i = 0; i < n; i++) {
        if (i)
            sq_text_puts(t, ", ");
        put_arg(t, e, i, 0);
        if (i)
            sq_text_puts(t, ")");
    }
}

/* C's precedence, larger binds tighter. */
static const struct infix {
    enum isl_ast_expr_op_type type;
    const char *text;
    int level;
} infixes[] = {
    {isl_ast_expr_op_or, " || ", 1},    {isl_ast_expr_op_or_else, " || ", 1},
    {isl_ast_expr_op_and, " && ", 2},   {isl_ast_expr_op_and_then, " && ", 2},
    {isl_ast_expr_op_eq, " == ", 3},    {isl_ast_expr_op_le, " <= ", 4},
    {isl_ast_expr_op_lt, " < ", 4},     {isl_ast_expr_op_ge, " >= ", 4},
    {isl_ast_expr_op_gt, " > ", 4},     {isl_ast_expr_op_add, " + ", 5},
    {isl_ast_expr_op_sub, " - ", 5},    {isl_ast_expr_op_mul, " * ", 6},
    {isl_ast_expr_op_div, " / ", 6},    {isl_ast_expr_op_pdiv_q, " / ", 6},
    {isl_ast_expr_op_pdiv_r, " % ", 6}, {isl_ast_expr_op_zdiv_r, " % ", 6},
};

/* What argument i of op asks of what stands in it. A chain of && or of || needs no parentheses;
 * gcc warns of one inside the other without. */
static int arg_level(isl_ast_expr *e, const struct infix *op, int i)
{
    if (op->level > 2)
        return op->level + (i > 0);
    isl_ast_expr *a = isl_ast_expr_op_get_arg(e, i);
    bool chain =
        isl_ast_expr_get_type(a) == isl_ast_expr_op && isl_ast_expr_op_get_type(a) == op->type;
    isl_ast_expr_free(a);
    return chain ? op->level : 3;
}

static void put_infix(sq_text *t, isl_ast_expr *e, const struct infix *op, int level)
{
    bool parens = op->level < level;
    if (parens)
        sq_text_puts(t, "(");
    int n = (int)isl_ast_expr_op_get_n_arg(e);
    for (int i = 0; i < n; i++) {
        if (i)
            sq_text_puts(t, op->text);
        put_arg(t, e, i, arg_level(e, op, i));
    }
    if (parens)
        sq_text_puts(t, ")");
}

static void put_op(sq_text *t, isl_ast_expr *e, int level)
{
    enum isl_ast_expr_op_type type = isl_ast_expr_op_get_type(e);
    for (size_t i = 0; i < sizeof infixes / sizeof infixes[0]; i++)
        if (infixes[i].type == type) {
            put_infix(t, e, &infixes[i], level);
            return;
        }
    switch (type) {
    case isl_ast_expr_op_min:
        put_call(t, e, "sq_min");
        break;
    case isl_ast_expr_op_max:
        put_call(t, e, "sq_max");
        break;
    case isl_ast_expr_op_fdiv_q:
        put_call(t, e, "sq_floord");
        break;
    case isl_ast_expr_op_minus:
        sq_text_puts(t, "-");
        put_arg(t, e, 0, 7);
        break;
    case isl_ast_expr_op_cond:
    case isl_ast_expr_op_select:
        sq_text_puts(t, "(");
        put_arg(t, e, 0, 1);
        sq_text_puts(t, " ? ");
        put_arg(t, e, 1, 0);
        sq_text_puts(t, " : ");
        put_arg(t, e, 2, 0);
        sq_text_puts(t, ")");
        break;
    default:
        sq_bug("text of", "isl operation %d in an expression", (int)type);
    }
}

static void put(sq_text *t, isl_ast_expr *e, int level)
{
    isl_val *v;
    isl_id *id;
    switch (isl_ast_expr_get_type(e)) {
    case isl_ast_expr_int:
        v = isl_ast_expr_int_get_val(e);
        sq_text_printf(t, "%ld", isl_val_get_num_si(v));
        isl_val_free(v);
        break;
    case isl_ast_expr_id:
        id = isl_ast_expr_id_get_id(e);
        sq_text_puts(t, isl_id_get_name(id));
        isl_id_free(id);
        break;
    case isl_ast_expr_op:
        put_op(t, e, level);
        break;
    default:
        sq_bug("text of", "isl expression in error");
    }
}

const char *sq_ast_expr_text(isl_ast_expr *e, sq_arena *arena)
{
    if (!e)
        return NULL;
    sq_text t = {0};
    put(&t, e, 0);
    const char *s = sq_arena_strdup(arena, sq_text_str(&t));
    sq_text_free(&t);
    return s;
}

static const char *take_expr(__isl_take isl_ast_expr *e, __isl_take isl_ast_build *b,
                             sq_arena *arena)
{
    const char *s = sq_ast_expr_text(e, arena);
    isl_ast_expr_free(e);
    isl_ast_build_free(b);
    return s;
}

const char *sq_pw_aff_text(__isl_take isl_pw_aff *pa, isl_set *context, sq_arena *arena)
{
    isl_ast_build *b = isl_ast_build_from_context(isl_set_copy(context));
    return take_expr(isl_ast_build_expr_from_pw_aff(b, pa), b, arena);
}

const char *sq_set_text(__isl_take isl_set *set, isl_set *context, sq_arena *arena)
{
    isl_ast_build *b = isl_ast_build_from_context(isl_set_copy(context));
    return take_expr(isl_ast_build_expr_from_set(b, set), b, arena);
}

const char *sq_aff_text(const sq_kernel *k, isl_aff *aff, sq_arena *arena)
{
    return sq_pw_aff_text(isl_pw_aff_from_aff(isl_aff_copy(aff)), k->context, arena);
}
