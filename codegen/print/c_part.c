/* C part: parts as functions, their calls, and runs of copies, which are calls of helpers
 * (codegen/file/file_helpers.c). */
#include "codegen/code/used.h"
#include "codegen/print/c_inside.h"
#include "codegen/print/scalar.h"
#include <inttypes.h>

/* ---- parts ---- */

/* Prints "const float *restrict A" */
static void put_pointer(const sq_c_printer *p, const sq_code_buffer *b, sq_text *to)
{
    sq_text_printf(to, "%s%s *%s%s%s", b->is_readonly ? "const " : "", sq_c_element_type(b),
                   b->is_restrict ? p->target->language->restricted : "", b->is_restrict ? " " : "",
                   b->name);
}

static const char *type_of(const sq_code_param *x)
{
    switch (x->kind) {
    case SQ_CODE_INDEX:
        return "int64_t";
    case SQ_CODE_FLAG:
        return "int";
    default:
        return sq_type_ctype(x->type);
    }
}

static void put_params(const sq_c_printer *p, const sq_code_part *part, sq_text *to)
{
    const char *sep = "";
    for (int i = 0; i < part->npointers; i++, sep = ", ") {
        sq_text_puts(to, sep);
        put_pointer(p, part->pointer[i], to);
    }
    for (int i = 0; i < part->nparams; i++, sep = ", ")
        sq_text_printf(to, "%s%s %s", sep, type_of(&part->param[i]), part->param[i].name);
}

/* Marks parameters that this part does not use, which would cause a warning. */
static void put_unused(const sq_c_printer *p, const sq_code_part *part, sq_text *to)
{
    const sq_code_used used = sq_code_used_by(part->body, p->pool->arena);
    for (int i = 0; i < part->npointers; i++)
        if (!sq_code_used_buffer(&used, part->pointer[i]))
            sq_text_line(to, "(void)%s;", part->pointer[i]->name);
    for (int i = 0; i < part->nparams; i++)
        if (!sq_code_used_name(&used, part->param[i].name))
            sq_text_line(to, "(void)%s;", part->param[i].name);
}

/* True if a part is a function of its own for gcc as well, which has all vector registers there and is compiled without
 * the code around. */
static bool is_outlined(const sq_code_part *part)
{
    return part->owns && part->serves_both;
}

void sq_c_part(const sq_c_printer *p, const sq_code_part *part, sq_text *to)
{
    sq_text params = {0};
    put_params(p, part, &params);
    sq_text_line(to, "/* %s */", part->comment);
    sq_text_open(to, "%s void %s(%s)\n{",
                 is_outlined(part) ? sq_uses_helper(&p->uses, "SQ_OUTLINE") : "SQ_INLINE", part->name,
                 sq_text_str(&params));
    if (part->owns && !is_outlined(part))
        sq_text_line(to, "%s;", sq_uses_helper(&p->uses, sq_arena_printf(p->pool->arena, "SQ_REGISTERS_%d",
                                                                         p->target->registers)));
    put_unused(p, part, to);
    sq_c_code(p, part->body, to);
    sq_text_close(to, "}");
    sq_text_line(to, "%s", "");
    sq_text_free(&params);
}

void sq_c_call(const sq_c_printer *p, const sq_code *x, sq_text *to)
{
    const sq_code_part *part = x->part;
    const char *sep = "";
    sq_text t = {0};
    for (int i = 0; i < part->npointers; i++, sep = ", ") {
        sq_text_puts(&t, sep);
        sq_c_name(p, x->pointer[i].of, &t);
        sq_code_put_offset(x->pointer[i].at, &p->uses, &t);
    }
    for (int i = 0; i < part->nparams; i++, sep = ", ") {
        sq_text_puts(&t, sep);
        if (x->arg[i]) {
            sq_code_put(x->arg[i], SQ_LEVEL_ANY, &p->uses, &t);
            continue;
        }
        sq_uses_name(&p->uses, part->param[i].name);
        sq_text_puts(&t, part->param[i].name);
    }
    sq_text_line(to, "%s(%s);", part->name, sq_text_str(&t));
    sq_text_free(&t);
}

/* ---- copies ---- */

const char *sq_c_copy_name(sq_type from, sq_type to, sq_arena *arena)
{
    return from == to ? sq_type_name(from)
                      : sq_arena_printf(arena, "%s_%s", sq_type_name(from), sq_type_name(to));
}

/* Rows become columns: prints "sq_f32x16_turn(to, step, from, between, rows, n)". */
static void put_turned(const sq_c_printer *p, const sq_code *x, sq_text *to)
{
    const sq_code_run *r = x->run;
    int lanes = p->target->vector_bytes / sq_type_bytes(x->of->type);
    while (lanes > 2 && lanes > r->step)
        lanes /= 2;
    sq_text t = {0};
    sq_text_printf(&t, "%s(%s", sq_c_turn(p, x->of->type, lanes), x->buffer->name);
    sq_code_put_offset(x->index[0], &p->uses, &t);
    sq_text_printf(&t, ", %" PRId64 ", %s", r->step, x->of->name);
    sq_code_put_offset(sq_code_add(p->pool, r->row, r->lo), &p->uses, &t);
    sq_text_printf(&t, ", %s", sq_code_text(r->between, &p->uses, p->pool->arena));
    sq_text_printf(&t, ", %s", sq_code_text(r->rows, &p->uses, p->pool->arena));
    sq_text_line(to, "%s, %s);", sq_text_str(&t), sq_code_text(r->n, &p->uses, p->pool->arena));
    sq_text_free(&t);
}

/* Returns how many of n elements a run copies if its row is in the array: others are beyond the
 * row's ends. One less than all if the ends are not known. */
static int64_t copied(const sq_code_run *r, int64_t n)
{
    int64_t lo, extent;
    if (!r->extent)
        return n;
    const sq_code_expr *own = r->extent->op == SQ_CODE_SELECT ? r->extent->arg[1] : r->extent;
    if (!sq_code_known(r->lo, &lo) || !sq_code_known(own, &extent))
        return n - 1;
    int64_t first = lo < 0 ? (-lo + r->stride - 1) / r->stride : 0, last = (extent - lo + r->stride - 1) / r->stride;
    return (last < n ? last : n) - first;
}

/* Returns the lanes of the vectors that copy a run by shuffles; 0: it is copied element by
 * element. */
static int strided_lanes(const sq_c_printer *p, const sq_code *x)
{
    const sq_code_run *r = x->run;
    int bytes = sq_type_bytes(x->of->type), lanes = p->target->vector_bytes / bytes;
    int64_t n;
    bool can = x->of->type == x->buffer->type && r->step == 1 && r->stride > 1 && r->stride <= SQ_STRIDE_MOST;
    if (!can || !sq_strided_shuffles(bytes, p->target))
        return 0;
    if (sq_code_known(r->n, &n))
        for (n = copied(r, n); lanes > 1 && n < lanes;)
            lanes /= 2;
    return lanes * bytes >= 16 ? lanes : 0;
}

/* Prints "sq_copy_f32(to, step, from, stride, n)", "sq_clip_f32(to, step, row, lo, stride, n, extent, outside)"; with
 * lanes, whose steps the function knows, "sq_f32x16_copy2(to, from, n)" and "sq_f32x16_clip2(to, row, lo, n, ...)". */
static void put_run(const sq_c_printer *p, const sq_code *x, int lanes, sq_text *to)
{
    const sq_code_run *r = x->run;
    sq_arena *arena = p->pool->arena;
    const char *types = sq_c_copy_name(x->of->type, x->buffer->type, arena);
    const char *f = lanes ? sq_c_strided_copy(p, x->of->type, lanes, (int)r->stride, r->extent != NULL)
                          : sq_uses_helper(&p->uses, sq_arena_printf(arena, "sq_%s_%s", r->extent ? "clip" : "copy",
                                                                     types));
    sq_text t = {0};
    sq_text_printf(&t, "%s(%s", f, x->buffer->name);
    sq_code_put_offset(x->index[0], &p->uses, &t);
    sq_text_puts(&t, lanes ? "" : sq_arena_printf(arena, ", %" PRId64, r->step));
    sq_text_printf(&t, ", %s", x->of->name);
    sq_code_put_offset(r->extent ? r->row : sq_code_add(p->pool, r->row, r->lo), &p->uses, &t);
    if (r->extent)
        sq_text_printf(&t, ", %s", sq_code_text(r->lo, &p->uses, arena));
    sq_text_puts(&t, lanes ? "" : sq_arena_printf(arena, ", %" PRId64, r->stride));
    sq_text_printf(&t, ", %s", sq_code_text(r->n, &p->uses, arena));
    if (r->extent) {
        sq_text_printf(&t, ", %s, ", sq_code_text(r->extent, &p->uses, arena));
        sq_scalar_value(r->outside, x->buffer->type, &t);
    }
    sq_text_line(to, "%s);", sq_text_str(&t));
    sq_text_free(&t);
}

void sq_c_copy(const sq_c_printer *p, const sq_code *x, sq_text *to)
{
    sq_uses_name(&p->uses, x->buffer->name);
    sq_uses_name(&p->uses, x->of->name);
    if (x->run->rows)
        put_turned(p, x, to);
    else
        put_run(p, x, strided_lanes(p, x), to);
}
