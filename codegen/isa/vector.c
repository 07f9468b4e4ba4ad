/* Vector operations as text; see vector.h. Each operation is a row of rows.c with the code of the
 * generic vector extension; the ISA's own code, if it has any, is preferred (isa.h). */
#include "codegen/isa/vector.h"
#include "codegen/isa/convert.h"
#include "codegen/isa/isa.h"
#include "codegen/isa/math.h"
#include "codegen/isa/rows.h"
#include "codegen/isa/shuffle.h"
#include <stdio.h>
#include <string.h>

/* All operations use the extension. */
const sq_isa sq_isa_none = {.slow_masks = true};

const char *sq_vector_name(const sq_vector *v, sq_arena *arena)
{
    if (v->lanes == 1)
        return sq_type_ctype(v->type);
    return sq_arena_printf(arena, "sq_%sx%d", sq_type_suffix(v->type), v->lanes);
}

static const char infixes[] = "+-*/~";

void sq_vector_infix(sq_vector *v, char infix)
{
    v->infix |= 1u << (strchr(infixes, infix) - infixes);
}

bool sq_vector_has_infix(const sq_vector *v, char infix)
{
    return v->infix >> (strchr(infixes, infix) - infixes) & 1;
}

const char *sq_vector_op(sq_vector *v, sq_vop op, sq_arena *arena)
{
    const sq_vector_row *r = &sq_vector_rows[op];
    bool stored = sq_type_stored(v->type);
    if ((r->types == SQ_ROW_HELD && stored) || (r->types == SQ_ROW_STORED && !stored))
        sq_bug("isa", "there is no %s of %s", r->name, sq_type_name(v->type));
    v->used |= SQ_VOP_BIT(op);
    return sq_arena_printf(arena, "sq_%sx%d_%s", sq_type_suffix(v->type), v->lanes, r->name);
}

/* Adds the rows that those call. */
static sq_vop_set with_needs(const sq_vector *v, sq_vop_set used, const sq_target *t)
{
    for (int op = SQ_NVOPS - 1; op >= 0; op--) {
        const sq_vector_row *r = &sq_vector_rows[op];
        if (used & SQ_VOP_BIT(op))
            used |= r->halved && sq_vector_halved(v, t) ? r->halved : r->needs;
    }
    return used;
}

static void define_all(const sq_vector *v, const char *n, const sq_target *t, sq_text *to)
{
    sq_vop_set used = with_needs(v, v->used | sq_math_needs(v, t), t);
    used = with_needs(v, used | sq_strided_needs(v, used, t), t);
    for (int op = 0; op < SQ_NVOPS; op++)
        if (used & SQ_VOP_BIT(op) && sq_vector_rows[op].define)
            sq_vector_rows[op].define(v, (sq_vop)op, n, t, to);
    sq_math_define(v, t, to);
    sq_convert_define(v, n, t, to);
}

static void own_name(const sq_vector *v, char n[32])
{
    snprintf(n, 32, "sq_%sx%d", sq_type_suffix(v->type), v->lanes);
}

void sq_vector_declare(sq_vector *v, sq_text *to)
{
    char n[32];
    sq_math_require(v);
    if (v->lanes == 1 && !v->used && !v->functions)
        return;
    own_name(v, n);
    const char *c = sq_type_ctype(v->type);
    int bytes = v->lanes * sq_type_bytes(v->type);
    if (v->lanes == 1) {
        sq_text_line(to, "typedef %s %s;", c, n);
        return;
    }
    sq_text_line(to, "typedef %s %s __attribute__((vector_size(%d)));", c, n, bytes);
    sq_text_line(to, "typedef %s %s_u __attribute__((vector_size(%d), aligned(%d), may_alias));", c,
                 n, bytes, v->anywhere ? 1 : sq_type_bytes(v->type));
}

void sq_vector_define(const sq_vector *v, const sq_target *t, sq_text *to)
{
    char n[32];
    if (!v->used && !v->functions && !v->converts)
        return;
    own_name(v, n);
    define_all(v, n, t, to);
    sq_text_line(to, "%s", "");
}
