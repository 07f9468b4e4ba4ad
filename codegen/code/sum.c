/* Sum: a number and multiples of distinct expressions. Sums, differences and products with numbers
 * all have this form, so that equal ones are the same node and terms that cancel disappear. */
#include "codegen/code/build.h"

/* A sum under construction. */
typedef struct sum {
    int n;
    int64_t number;
    const sq_code_expr **arg;
    int64_t *coef;
} sum;

static int terms_of(const sq_code_expr *e)
{
    return e->op == SQ_CODE_SUM ? e->nargs : 1;
}

static void add_term(sum *s, int64_t coef, const sq_code_expr *e)
{
    int i = 0;
    while (i < s->n && s->arg[i] != e)
        i++;
    if (i == s->n) {
        s->arg[i] = e;
        s->coef[i] = 0;
        s->n++;
    }
    s->coef[i] += coef;
}

static void add(sum *s, int64_t coef, const sq_code_expr *e)
{
    if (e->op == SQ_CODE_SUM || e->op == SQ_CODE_NUMBER)
        s->number += coef * e->number;
    for (int i = 0; e->op == SQ_CODE_SUM && i < e->nargs; i++)
        add_term(s, coef * e->coef[i], e->arg[i]);
    if (e->op != SQ_CODE_SUM && e->op != SQ_CODE_NUMBER)
        add_term(s, coef, e);
}

/* Drops terms that cancelled. */
static const sq_code_expr *finished(sq_code_pool *p, sum *s)
{
    int n = 0;
    for (int i = 0; i < s->n; i++)
        if (s->coef[i]) {
            s->arg[n] = s->arg[i];
            s->coef[n++] = s->coef[i];
        }
    if (n == 0)
        return sq_code_number(p, s->number);
    if (n == 1 && s->coef[0] == 1 && s->number == 0)
        return s->arg[0];
    return sq_code_cons(
        p, &(sq_code_expr){
               .op = SQ_CODE_SUM, .number = s->number, .nargs = n, .arg = s->arg, .coef = s->coef});
}

const sq_code_expr *sq_code_add_scaled(sq_code_pool *p, const sq_code_expr *a, int64_t coef,
                                       const sq_code_expr *b)
{
    int most = terms_of(a) + terms_of(b);
    sum s = {.arg = SQ_NEW_ARRAY(p->arena, const sq_code_expr *, most),
             .coef = SQ_NEW_ARRAY(p->arena, int64_t, most)};
    add(&s, 1, a);
    add(&s, coef, b);
    return finished(p, &s);
}

const sq_code_expr *sq_code_add(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b)
{
    return sq_code_add_scaled(p, a, 1, b);
}

const sq_code_expr *sq_code_sub(sq_code_pool *p, const sq_code_expr *a, const sq_code_expr *b)
{
    return sq_code_add_scaled(p, a, -1, b);
}

const sq_code_expr *sq_code_plus(sq_code_pool *p, const sq_code_expr *a, int64_t number)
{
    return sq_code_add(p, a, sq_code_number(p, number));
}

const sq_code_expr *sq_code_scale(sq_code_pool *p, int64_t coef, const sq_code_expr *a)
{
    return sq_code_add_scaled(p, sq_code_number(p, 0), coef, a);
}
