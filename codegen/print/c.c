/* C: text of statements; see c.h. */
#include "codegen/print/c_inside.h"
#include "codegen/strict.h"
#include <inttypes.h>
#include <string.h>

typedef sq_c_printer printer;

static const char *element(const printer *p, const sq_code *x)
{
    sq_text t = {0};
    sq_c_element(p, x->buffer, x->index, &t);
    const char *s = sq_arena_strdup(p->pool->arena, sq_text_str(&t));
    sq_text_free(&t);
    return s;
}

static const char *value(const printer *p, const sq_code *x)
{
    sq_text t = {0};
    if (x->buffer->storage == SQ_CODE_REGISTER)
        sq_c_value(p, x->value, &t);
    else
        sq_c_stored(p, x->value, &t);
    const char *s = sq_arena_strdup(p->pool->arena, sq_text_str(&t));
    sq_text_free(&t);
    return s;
}

/* ---- stores ---- */

/* The operator of "place += v", of floating types; NULL where it is none. */
static const char *updates(const printer *p, const sq_code *x)
{
    const sq_code_expr *e = x->value;
    bool adds =
        e->op == SQ_CODE_OPERATION &&
        (e->operation == SQ_OP_ADD || e->operation == SQ_OP_SUB || e->operation == SQ_OP_MUL);
    if (!adds || !sq_type_real(e->type) || sq_type_stored(e->type) || !sq_code_loads(e->arg[0], x))
        return NULL;
    const char *infix = sq_op_get(e->operation)->infix;
    return sq_rounded_call(p->rounded, e->type, *infix) ? NULL : infix;
}

static void put_store(const printer *p, const sq_code *x, sq_text *to)
{
    const char *infix = updates(p, x);
    sq_text t = {0};
    if (!infix) {
        sq_text_line(to, "%s = %s;", element(p, x), value(p, x));
        return;
    }
    sq_c_value(p, x->value->arg[1], &t);
    sq_text_line(to, "%s %s= %s;", element(p, x), infix, sq_text_str(&t));
    sq_text_free(&t);
}

/* ---- declarations ---- */

static bool defines(const sq_code *store, const sq_code_buffer *b)
{
    sq_code only = {.kind = SQ_CODE_LET, .value = store ? store->value : NULL};
    return store && store->kind == SQ_CODE_STORE && store->buffer == b && b->ndim == 0 &&
           !sq_code_uses(&only, b);
}

/* With the store that follows, where that says what it is first. Returns the last one printed. */
static const sq_code *put_declaration(const printer *p, const sq_code *x, sq_text *to)
{
    const sq_code_buffer *b = x->buffer;
    const char *type = sq_type_stored(b->type) && b->storage == SQ_CODE_REGISTER
                           ? "float"
                           : sq_type_ctype(b->type);
    if (defines(x->next, b)) {
        sq_text_line(to, "%s %s = %s;", type, b->name, value(p, x->next));
        return x->next;
    }
    int64_t size = 1, n = 1;
    for (int d = 0; d < b->ndim; d++)
        size *= sq_code_known(b->extent[d], &n) ? n : 1;
    const char *all =
        b->ndim ? sq_arena_printf(p->pool->arena, "[%" PRId64 "]", size > 0 ? size : 1) : "";
    sq_text_line(to, "%s %s%s%s;", type, b->name, all,
                 !x->zeroed ? ""
                 : b->ndim  ? " = {0}"
                            : " = 0");
    return x;
}

/* ---- loops ---- */

static const char *index_text(const printer *p, const sq_code_expr *e)
{
    return sq_code_text(e, p->pool->arena);
}

static void put_pragma(const printer *p, const sq_code *x, sq_text *to)
{
    sq_text_printf(to, "#ifdef _OPENMP\n#pragma omp parallel for schedule(static%s)",
                   x->is_cyclic ? ", 1" : "");
    if (x->least) {
        sq_text_printf(to, " if (%s - ", index_text(p, x->hi));
        sq_code_put(x->lo, SQ_LEVEL_PRODUCT, to);
        sq_text_printf(to, " > %" PRId64 ")", x->least);
    }
    sq_text_puts(to, "\n#endif\n");
}

/* i <= n rather than i < n + 1. */
static const char *condition_of(const printer *p, const sq_code *x)
{
    if (!x->hi)
        return index_text(p, x->cond);
    bool one = x->hi->op == SQ_CODE_SUM && x->hi->number == 1;
    sq_code_pool *pool = p->pool;
    return sq_arena_printf(p->pool->arena, "%s %s %s", x->name, one ? "<=" : "<",
                           index_text(p, one ? sq_code_plus(pool, x->hi, -1) : x->hi));
}

void sq_c_loop(const printer *p, const sq_code *x, sq_text *to)
{
    if (x->runs == SQ_CODE_THREADS)
        put_pragma(p, x, to);
    sq_text_open(to, "for (int64_t %s = %s; %s; %s += %" PRId64 ") {", x->name,
                 index_text(p, x->lo), condition_of(p, x), x->name, x->step);
}

static void put_loop(const printer *p, const sq_code *x, sq_text *to)
{
    if (x->runs == SQ_CODE_LANES || x->runs == SQ_CODE_SUMS) {
        p->lanes(x, p->user, to);
        return;
    }
    sq_c_loop(p, x, to);
    sq_c_code(p, x->body, to);
    sq_text_close(to, "}");
}

static void put_if(const printer *p, const sq_code *x, sq_text *to)
{
    sq_text_open(to, "if (%s) {", index_text(p, x->cond));
    sq_c_code(p, x->body, to);
    if (x->other) {
        sq_text_close(to, "} else {");
        to->indent++;
        sq_c_code(p, x->other, to);
    }
    sq_text_close(to, "}");
}

static void put_block(const printer *p, const sq_code *x, sq_text *to)
{
    sq_text_open(to, "{");
    sq_c_code(p, x->body, to);
    sq_text_close(to, "}");
}

void sq_c_code(const printer *p, const sq_code *x, sq_text *to)
{
    for (; x; x = x->next)
        switch (x->kind) {
        case SQ_CODE_LOOP:
            put_loop(p, x, to);
            break;
        case SQ_CODE_IF:
            put_if(p, x, to);
            break;
        case SQ_CODE_LET:
            sq_text_line(to, "const int64_t %s = %s;", x->name, index_text(p, x->value));
            break;
        case SQ_CODE_DECLARE:
            x = put_declaration(p, x, to);
            break;
        case SQ_CODE_STORE:
            put_store(p, x, to);
            break;
        case SQ_CODE_BLOCK:
            put_block(p, x, to);
            break;
        case SQ_CODE_UNUSED:
            sq_text_line(to, "(void)%s;", x->name);
            break;
        }
}
