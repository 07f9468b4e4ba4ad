/* Masks: what holds in each lane of a vector, and what is done where it holds. A mask is a vector of
 * integers as wide as the lanes, all bits set or none; with mask registers an unsigned integer with a
 * bit for each lane. See rows.h. */
#include "codegen/isa/isa.h"
#include "codegen/isa/rows.h"
#include <stdio.h>

const char *sq_vector_mask_bits(int lanes)
{
    if (lanes > 64)
        sq_bug("isa", "a mask of %d lanes", lanes);
    return lanes > 32 ? "uint64_t" : lanes > 16 ? "uint32_t" : lanes > 8 ? "uint16_t" : "uint8_t";
}

/* Returns the C type of a mask over the vectors called n, and defines it if need be. */
static const char *mask_type(const sq_vector *v, const char *n, const sq_target *t, sq_text *to,
                             char own[64])
{
    int each = sq_type_bytes(v->type);
    if (t->isa->mask_registers)
        return sq_vector_mask_bits(v->lanes);
    sq_text_line(to, "typedef int%d_t %s_where __attribute__((vector_size(%d)));", 8 * each, n,
                 v->lanes * each);
    snprintf(own, 64, "%s_where", n);
    return own;
}

void sq_define_where(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    bool store = op == SQ_VOP_STORE_WHERE;
    char own[64];
    const char *c = sq_vector_element(v), *mask = mask_type(v, n, t, to, own);
    if (store)
        sq_text_open(to, "SQ_INLINE void %s_store_where(%s *p, %s v, %s m)\n{", n, c, n, mask);
    else
        sq_text_open(to, "SQ_INLINE %s %s_load_where(const %s *p, %s m)\n{", n, n, c, mask);
    if (t->isa->where && t->isa->where(v, n, store, to)) {
        /* printed by the ISA */
    } else {
        if (!store)
            sq_text_line(to, "%s r = {0};", n);
        sq_text_open(to, "for (int l = 0; l < %d; l++) {", v->lanes);
        sq_vector_put_fresh(v, "p", to);
        sq_text_line(to, t->isa->mask_registers ? "if (m >> l & 1)" : "if (m[l])");
        sq_text_line(to, store ? "    p[l] = v[l];" : "    r[l] = p[l];");
        sq_text_close(to, "}");
        if (!store)
            sq_text_line(to, "return r;");
    }
    sq_text_close(to, "}");
}

sq_vop sq_vop_comparison(sq_op op)
{
    return op == SQ_OP_LT   ? SQ_VOP_LT
           : op == SQ_OP_LE ? SQ_VOP_LE
           : op == SQ_OP_EQ ? SQ_VOP_EQ
                            : SQ_VOP_NE;
}

/* Returns the operator of a comparison. */
static sq_op compared_by(sq_vop op)
{
    return op == SQ_VOP_LT   ? SQ_OP_LT
           : op == SQ_VOP_LE ? SQ_OP_LE
           : op == SQ_VOP_EQ ? SQ_OP_EQ
                             : SQ_OP_NE;
}

void sq_define_comparison(const sq_vector *v, sq_vop op, const char *n, const sq_target *t,
                          sq_text *to)
{
    char own[64];
    const char *mask = mask_type(v, n, t, to, own);
    sq_op by = compared_by(op);
    sq_text body = {.indent = 1};
    if (!t->isa->compare)
        sq_text_line(&body, "return a %s b;", sq_op_get(by)->infix);
    else
        t->isa->compare(v, by, &body);
    sq_text_function(to, &body, "SQ_INLINE %s %s_%s(%s a, %s b)", mask, n, sq_vector_rows[op].name, n, n);
}

void sq_define_select(const sq_vector *v, sq_vop op, const char *n, const sq_target *t, sq_text *to)
{
    char own[64];
    const char *mask = mask_type(v, n, t, to, own);
    (void)op;
    sq_text body = {.indent = 1};
    if (!t->isa->select || !t->isa->select(v, n, &body))
        sq_text_line(&body, "return (%s)(((%s)a & m) | ((%s)b & ~m));", n, mask, mask);
    sq_text_function(to, &body, "SQ_INLINE %s %s_select(%s m, %s a, %s b)", n, n, mask, n, n);
}
