/* C: text of statements; see c.h. */
#include "codegen/code/used.h"
#include "codegen/print/c_inside.h"
#include "codegen/print/c_cuda.h"
#include "codegen/isa/strict.h"
#include <inttypes.h>
#include <string.h>

typedef sq_c_printer printer;

enum { COLUMNS = 110 }; /* of definitions that share a line */

static const char *index_text(const printer *p, const sq_code_expr *e)
{
    return sq_code_text(e, &p->uses, p->pool->arena);
}

static const char *element(const printer *p, const sq_code *x)
{
    sq_text t = {0};
    sq_c_element(p, x->buffer, x->index, &t);
    return sq_text_take(&t, p->pool->arena);
}

static const char *value(const printer *p, const sq_code *x)
{
    sq_text t = {0};
    if (x->buffer->is_bits)
        sq_c_bits(p, x->value, &t);
    else if (x->buffer->storage == SQ_CODE_REGISTER)
        sq_c_assigned(p, x->value, &t);
    else
        sq_c_stored(p, x->value, &t);
    return sq_text_take(&t, p->pool->arena);
}

/* ---- stores ---- */

/* Returns the operator of "place += v", for floating types; NULL if it is not of this form. */
static const char *updates(const printer *p, const sq_code *x)
{
    const sq_code_expr *e = x->value;
    bool adds =
        e->op == SQ_CODE_OPERATION &&
        (e->operation == SQ_OP_ADD || e->operation == SQ_OP_SUB || e->operation == SQ_OP_MUL);
    if (!adds || !sq_type_real(e->type) || sq_type_stored(e->type) || !sq_code_loads(e->arg[0], x))
        return NULL;
    const char *infix = sq_op_get(e->operation)->infix;
    if (e->lanes > 1 && !p->target->language->extension)
        return NULL;
    return e->lanes == 1 && sq_rounded_call(p->rounded, e->type, *infix) ? NULL : infix;
}

/* Returns the text of a condition, between parentheses. */
static const char *condition(const printer *p, const sq_code_expr *e)
{
    if (sq_code_is_index(e))
        return index_text(p, e);
    sq_text t = {0};
    sq_c_assigned(p, e, &t);
    return sq_text_take(&t, p->pool->arena);
}

/* Prints "if (cond) ", or nothing: a mask is part of the store itself. */
static const char *guard(const printer *p, const sq_code *x)
{
    if (!x->cond || x->cond->lanes > 1)
        return "";
    return sq_arena_printf(p->pool->arena, "if (%s) ", condition(p, x->cond));
}

static void put_store(const printer *p, const sq_code *x, sq_text *to)
{
    bool lanes = x->value->lanes > 1 && x->buffer->storage != SQ_CODE_REGISTER;
    const char *infix = lanes ? NULL : updates(p, x);
    sq_text t = {0};
    if (p->is_marked && x->stmt)
        sq_text_line(to, "//= %s", x->stmt->name);
    if (lanes) {
        sq_c_store_lanes(p, x, &t);
        sq_text_line(to, "%s%s", guard(p, x), sq_text_str(&t));
    } else if (!infix) {
        sq_text_line(to, "%s%s = %s;", guard(p, x), element(p, x), value(p, x));
    } else {
        sq_c_assigned(p, x->value->arg[1], &t);
        sq_text_line(to, "%s%s %s= %s;", guard(p, x), element(p, x), infix, sq_text_str(&t));
    }
    sq_text_free(&t);
}

/* ---- declarations ---- */

static bool defines(const sq_code *store, const sq_code_buffer *b)
{
    sq_code only = {.kind = SQ_CODE_LET, .value = store ? store->value : NULL};
    return store && store->kind == SQ_CODE_STORE && store->buffer == b && b->ndim == 0 &&
           !store->cond && !sq_code_uses(&only, b);
}

/* Prints values of one type, each with its store, as many as fit into a line: accumulators of one row, or constants.
 * Returns the last one printed. */
static const sq_code *put_values(const printer *p, const sq_code *x, const char *type, sq_text *to)
{
    const sq_code_buffer *first = x->buffer;
    sq_text t = {0};
    const sq_code *last = x;
    for (; x && x->kind == SQ_CODE_DECLARE && x->buffer->row == first->row; x = last->next) {
        const sq_code_buffer *b = x->buffer;
        if (b->type != first->type || b->lanes != first->lanes || b->is_mask != first->is_mask ||
            b->is_constant != first->is_constant || b->is_bits != first->is_bits || b->storage != first->storage ||
            !defines(x->next, b))
            break;
        const char *next = value(p, x->next);
        if (t.n && t.n + strlen(b->name) + strlen(next) > COLUMNS)
            break;
        sq_text_printf(&t, "%s%s = %s", t.n ? ", " : "", b->name, next);
        last = x->next;
    }
    sq_text_line(to, "%s%s %s;", first->is_constant ? "const " : "", type, sq_text_str(&t));
    sq_text_free(&t);
    return last;
}

/* Prints "gemm_f32x16 c[14][2] = {{{0}}}": a pair of braces per dimension, and one for lanes. */
static void put_registers(const sq_code *x, const char *type, sq_text *to)
{
    const sq_code_buffer *b = x->buffer;
    int braces = b->ndim + (b->lanes > 1);
    sq_text t = {0};
    for (int d = 0; d < b->ndim; d++)
        sq_text_printf(&t, "[%" PRId64 "]", b->extent[d]->number);
    sq_text_puts(&t, x->zeroed ? " = " : "");
    for (int i = 0; i < 2 * braces && x->zeroed; i++)
        sq_text_printf(&t, "%s%s", i == braces ? "0" : "", i < braces ? "{" : "}");
    sq_text_line(to, "%s %s%s;", type, b->name, sq_text_str(&t));
    sq_text_free(&t);
}

/* Prints the store that follows as the initializer, if it is one. Returns the last statement
 * printed. */
static const sq_code *put_declaration(const printer *p, const sq_code *x, sq_text *to)
{
    const sq_code_buffer *b = x->buffer;
    if (b->storage == SQ_CODE_PANEL) {
        p->panel(x, p->user, to);
        return x;
    }
    const char *type =
        b->storage == SQ_CODE_REGISTER ? sq_c_register_type(p, b) : sq_type_ctype(b->type);
    if (defines(x->next, b))
        return put_values(p, x, type, to);
    if (b->storage == SQ_CODE_REGISTER && b->ndim) {
        put_registers(x, type, to);
        return x;
    }
    int64_t size = 1, n = 1;
    for (int d = 0; d < b->ndim; d++)
        size *= sq_code_known(b->extent[d], &n) ? n : 1;
    const char *all =
        b->ndim ? sq_arena_printf(p->pool->arena, "[%" PRId64 "]", size > 0 ? size : 1) : "";
    sq_text_line(to, "%s%s %s%s%s;", b->storage == SQ_CODE_SHARED ? SQ_CUDA_SHARED : "", type, b->name, all,
                 !x->zeroed                ? ""
                 : b->ndim || b->lanes > 1 ? " = {0}"
                                           : " = 0");
    return x;
}

/* Returns the text behind "=". */
static const char *assigned_text(const printer *p, const sq_code_expr *e)
{
    if (e->op != SQ_CODE_SELECT)
        return index_text(p, e);
    return sq_arena_printf(p->pool->arena, "%s ? %s : %s", index_text(p, e->arg[0]),
                           index_text(p, e->arg[1]), index_text(p, e->arg[2]));
}

/* Records the C type of a variable. */
static void note_type(const printer *p, const char *name, bool is_int)
{
    if (p->ints && is_int)
        sq_code_keys_add(p->ints, name);
    else if (p->ints)
        sq_code_keys_remove(p->ints, name);
}

/* True if the text of an index expression is of type int. */
static bool is_int(const printer *p, const sq_code_expr *e)
{
    bool is = e->op == SQ_CODE_SUM || e->op == SQ_CODE_MUL || e->op == SQ_CODE_DIV || e->op == SQ_CODE_REM;
    if (e->op == SQ_CODE_NAME)
        return p->ints && sq_code_keys_has(p->ints, e->name);
    if (e->op == SQ_CODE_NUMBER || e->op == SQ_CODE_SUM)
        is = e->number >= INT32_MIN && e->number <= INT32_MAX;
    for (int i = 0; i < e->nargs && is; i++)
        is = is_int(p, e->arg[i]);
    return is;
}

/* Returns "i = lo + 1", and records the type of i. */
static const char *definition(const printer *p, const sq_code *x)
{
    const char *text = assigned_text(p, x->value);
    bool cut = x->is_int && x->value->type != SQ_I32 && x->kind == SQ_CODE_LET && !is_int(p, x->value) &&
               x->value->op != SQ_CODE_NUMBER;
    note_type(p, x->name, x->is_int);
    return sq_arena_printf(p->pool->arena, cut ? "%s = (int)(%s)" : "%s = %s", x->name, text);
}

/* Prints the next ones of the same type on the same line. Returns the last one printed. */
static const sq_code *put_let(const printer *p, const sq_code *x, sq_text *to)
{
    sq_text t = {0};
    sq_text_printf(&t, "%s%s %s", x->kind == SQ_CODE_LET ? "const " : "", x->is_int ? "int" : "int64_t",
                   definition(p, x));
    for (; x->next && x->next->kind == x->kind && x->next->is_int == x->is_int; x = x->next) {
        const char *next = definition(p, x->next);
        if (t.n + strlen(next) > COLUMNS)
            break;
        sq_text_printf(&t, ", %s", next);
    }
    sq_text_line(to, "%s;", sq_text_str(&t));
    sq_text_free(&t);
    return x;
}

static void put_pointer(const printer *p, const sq_code *x, sq_text *to)
{
    const sq_code_buffer *b = x->buffer;
    sq_text t = {0};
    sq_c_name(p, x->of, &t);
    sq_code_put_offset(x->value, &p->uses, &t);
    sq_text_line(to, "%s%s *%s = %s;", b->is_readonly ? "const " : "", sq_c_element_type(b),
                 b->name, sq_text_str(&t));
    sq_text_free(&t);
}

/* ---- braces ---- */

/* True if a statement is one line. */
static bool is_line(const sq_code *x)
{
    return (x->kind == SQ_CODE_STORE && !x->cond) || x->kind == SQ_CODE_CALL || x->kind == SQ_CODE_COPY ||
           x->kind == SQ_CODE_ASSIGN || x->kind == SQ_CODE_ADVANCE;
}

/* True if the body of a loop needs no braces: it is one statement, and no else is in it. */
static bool is_single(const sq_code *body)
{
    if (!body || body->next)
        return false;
    return is_line(body) || body->kind == SQ_CODE_STORE || (body->kind == SQ_CODE_IF && !body->other) ||
           (body->kind == SQ_CODE_LOOP && (body->runs == SQ_CODE_SERIAL || body->runs == SQ_CODE_UNROLLED));
}

/* Returns what to print between braces: that of a block which is alone there. */
static const sq_code *between_braces(const sq_code *body)
{
    while (body && body->kind == SQ_CODE_BLOCK && !body->next && !body->part && body->body)
        body = body->body;
    return body;
}

/* ---- loops ---- */

/* The casts avoid warnings of -Wconversion. */
void sq_c_work(const printer *p, const sq_code_work *w, sq_text *to)
{
    for (int i = 0; i < w->n; i++) {
        sq_text_printf(to, "%s%.1f", i ? " + " : "", w->term[i].number);
        for (int f = 0; f < w->term[i].n; f++)
            sq_text_printf(to, " * (double)%s",
                           sq_code_factor(w->term[i].factor[f], &p->uses, p->pool->arena));
    }
}

void sq_c_worth(const printer *p, const sq_code *x, sq_text *to)
{
    if (x->work) {
        sq_c_work(p, x->work, to);
        sq_text_printf(to, " >= %.0f", x->work->least);
    }
    sq_text_puts(to, x->work && x->least ? " && " : "");
    if (x->least)
        sq_text_printf(to, "%s > %" PRId64, index_text(p, sq_code_sub(p->pool, x->hi, x->lo)),
                       x->least);
}

static void put_pragma(const printer *p, const sq_code *x, sq_text *to)
{
    sq_text worth = {0};
    sq_c_worth(p, x, &worth);
    sq_text_printf(to, "#ifdef _OPENMP\n#pragma omp parallel for schedule(static%s)%s%s%s%s\n#endif\n",
                   x->is_cyclic ? ", 1" : "", x->is_limited ? " num_threads(@threads)" : "", worth.n ? " if (" : "",
                   sq_text_str(&worth), worth.n ? ")" : "");
    sq_text_free(&worth);
}

/* Prints i <= n rather than i < n + 1. */
static const char *condition_of(const printer *p, const sq_code *x)
{
    if (!x->hi)
        return index_text(p, x->cond);
    bool one = x->hi->op == SQ_CODE_SUM && x->hi->number == 1;
    sq_code_pool *pool = p->pool;
    return sq_arena_printf(p->pool->arena, "%s %s %s", x->name, one ? "<=" : "<",
                           index_text(p, one ? sq_code_plus(pool, x->hi, -1) : x->hi));
}

/* Asks the compiler to write out iterations of the next loop. */
static void put_some_unrolled(const printer *p, const sq_code *x, sq_text *to)
{
    if (x->unroll && p->target->language->unroll)
        sq_text_line(to, "%s(%d)", sq_uses_helper(&p->uses, "SQ_UNROLL_BY"), x->unroll);
}

/* True if a variable is that of the loop behind it, and of nothing else. */
static bool is_counter(const printer *p, const sq_code *x)
{
    const sq_code *loop = x->next;
    if (x->kind != SQ_CODE_VARIABLE || !loop || loop->kind != SQ_CODE_LOOP || loop->lo || !loop->name ||
        strcmp(loop->name, x->name) != 0)
        return false;
    const sq_code_used later = sq_code_used_by(loop->next, p->pool->arena);
    return !sq_code_used_name(&later, x->name);
}

/* Prints a loop over a variable, which the text `first` declares if it does not exist, or over values that its body
 * changes. */
static void put_while(const printer *p, const sq_code *x, const char *first, const char *brace, sq_text *to)
{
    const char *cond = index_text(p, x->cond);
    put_some_unrolled(p, x, to);
    if (!x->name)
        sq_text_open(to, "while (%s)%s", cond, brace);
    else if (x->step == 1 || x->step == -1)
        sq_text_open(to, "for (%s; %s; %s%s)%s", first, cond, x->name, x->step < 0 ? "--" : "++", brace);
    else
        sq_text_open(to, "for (%s; %s; %s %c= %" PRId64 ")%s", first, cond, x->name, x->step < 0 ? '-' : '+',
                     x->step < 0 ? -x->step : x->step, brace);
}

/* Returns "++", " += 4". */
static const char *step_of(const printer *p, const sq_code *x)
{
    return x->step == 1 ? "++" : sq_arena_printf(p->pool->arena, " += %" PRId64, x->step);
}

/* Its variable is an int. */
static void put_unrolled(const printer *p, const sq_code *x, const char *brace, sq_text *to)
{
    const char *hi = index_text(p, x->hi);
    note_type(p, x->name, true);
    if (p->target->language->unroll)
        sq_text_line(to, "%s(%s)", sq_uses_helper(&p->uses, p->target->language->unroll), hi);
    else if (x->unroll)
        sq_text_printf(to, "#pragma unroll %d\n", x->unroll);
    else
        sq_text_puts(to, "#pragma unroll\n");
    sq_text_open(to, "for (int %s = %s; %s < %s; %s%s)%s", x->name, index_text(p, x->lo), x->name, hi, x->name,
                 step_of(p, x), brace);
}

/* Prints "for (…)" and a brace, without the body. */
static void put_head(const printer *p, const sq_code *x, const char *first, const char *brace, sq_text *to)
{
    if (!x->lo) {
        put_while(p, x, first, brace, to);
        return;
    }
    if (x->runs == SQ_CODE_UNROLLED) {
        put_unrolled(p, x, brace, to);
        return;
    }
    note_type(p, x->name, x->is_int);
    if (x->runs == SQ_CODE_THREADS && !p->is_task)
        put_pragma(p, x, to);
    put_some_unrolled(p, x, to);
    sq_text_open(to, "for (%s %s = %s; %s; %s%s)%s", x->is_int ? "int" : "int64_t", x->name, index_text(p, x->lo),
                 condition_of(p, x), x->name, step_of(p, x), brace);
}

/* First: the declaration of its variable, or nothing. */
static void put_loop(const printer *p, const sq_code *x, const char *first, sq_text *to)
{
    if (x->runs == SQ_CODE_THREADS && p->threads) {
        p->threads(x, p->user, to);
        return;
    }
    if (x->runs == SQ_CODE_BLOCK_THREADS || x->runs == SQ_CODE_BLOCKS) {
        sq_cuda_loop(p, x, to);
        return;
    }
    if (x->runs == SQ_CODE_LANES || x->runs == SQ_CODE_SUMS) /* if they are not vectorized yet */
        sq_text_line(to, "/* %s */", x->runs == SQ_CODE_SUMS ? "adds in lanes" : "in lanes");
    const sq_code *body = between_braces(x->body);
    bool single = is_single(body);
    put_head(p, x, first, single ? "" : " {", to);
    sq_c_code(p, body, to);
    if (single)
        to->indent--;
    else
        sq_text_close(to, "}");
}

/* True if none of the arms needs braces. */
static bool has_lines(const sq_code *body, const sq_code *other)
{
    return body && !body->next && is_line(body) && (!other || (!other->next && is_line(other)));
}

/* Prints a conditional behind the text `before`; an else that is another one follows it. */
static void put_if(const printer *p, const sq_code *x, const char *before, sq_text *to)
{
    const sq_code *body = between_braces(x->body), *other = between_braces(x->other);
    bool lines = !*before && has_lines(body, other);
    sq_text_open(to, lines ? "%sif (%s)" : "%sif (%s) {", before, condition(p, x->cond));
    sq_c_code(p, body, to);
    to->indent--;
    if (other && !other->next && other->kind == SQ_CODE_IF && !other->part) {
        put_if(p, other, "} else ", to);
        return;
    }
    if (other) {
        sq_text_open(to, lines ? "else" : "} else {");
        sq_c_code(p, other, to);
        to->indent--;
    }
    if (!lines)
        sq_text_line(to, "}");
}

/* Comment: the one in front of it, or NULL. */
static void put_block(const printer *p, const sq_code *x, const char *comment, sq_text *to)
{
    if (comment)
        sq_text_open(to, "{ /* %s */", comment);
    else
        sq_text_open(to, "{");
    sq_c_code(p, between_braces(x->body), to);
    sq_text_close(to, "}");
}

/* Returns the last statement that is printed: the next one, if it is merged. */
static const sq_code *put_one(const printer *p, const sq_code *x, sq_text *to)
{
    if (x->part && p->part)
        p->part(x->part, p->user);
    switch (x->kind) {
    case SQ_CODE_LOOP:
        put_loop(p, x, "", to);
        break;
    case SQ_CODE_IF:
        put_if(p, x, "", to);
        break;
    case SQ_CODE_LET:
    case SQ_CODE_VARIABLE:
        if (!is_counter(p, x)) {
            x = put_let(p, x, to);
            break;
        }
        put_loop(p, x->next, sq_arena_printf(p->pool->arena, "%s %s", x->is_int ? "int" : "int64_t", definition(p, x)),
                 to);
        return x->next;
    case SQ_CODE_ASSIGN:
        sq_text_line(to, "%s = %s;", x->name, index_text(p, x->value));
        break;
    case SQ_CODE_POINTER:
        put_pointer(p, x, to);
        break;
    case SQ_CODE_ADVANCE:
        sq_text_line(to, "%s += %s;", x->buffer->name, index_text(p, x->value));
        break;
    case SQ_CODE_FRESH:
        sq_uses_name(&p->uses, x->name);
        sq_text_line(to, "%s(%s);", sq_uses_helper(&p->uses, "SQ_FRESH"), x->name);
        break;
    case SQ_CODE_DECLARE:
        x = put_declaration(p, x, to);
        break;
    case SQ_CODE_STORE:
        put_store(p, x, to);
        break;
    case SQ_CODE_BLOCK:
        put_block(p, x, NULL, to);
        break;
    case SQ_CODE_UNUSED:
        sq_uses_name(&p->uses, x->name);
        sq_text_line(to, "(void)%s;", x->name);
        break;
    case SQ_CODE_TRANSPOSE:
        sq_text_line(to, "%s(%s);", sq_c_transpose(p, x->buffer), x->buffer->name);
        break;
    case SQ_CODE_COPY:
        sq_c_copy(p, x, to);
        break;
    case SQ_CODE_CALL:
        sq_c_call(p, x, to);
        break;
    case SQ_CODE_INSTRUCTION:
        sq_cuda_instruction(p, x->instruction, to);
        break;
    case SQ_CODE_COMMENT:
        if (x->next && x->next->kind == SQ_CODE_BLOCK && !x->next->part) {
            put_block(p, x->next, x->name, to);
            return x->next;
        }
        sq_text_line(to, "/* %s */", x->name);
        break;
    }
    return x;
}

void sq_c_code(const printer *p, const sq_code *x, sq_text *to)
{
    for (; x; x = x->next)
        x = put_one(p, x, to);
}
