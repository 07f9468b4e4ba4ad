/* Instruction: see instruction.h. */
#include "codegen/code/instruction.h"

sq_code_operand sq_operand_index(const sq_code_expr *at)
{
    return (sq_code_operand){.kind = SQ_OPERAND_INDEX, .at = at};
}

sq_code_operand sq_operand_register(const sq_code_buffer *b, const sq_code_expr *at, int lane)
{
    return (sq_code_operand){SQ_OPERAND_REGISTER, b, at, lane};
}

sq_code_operand sq_operand_elements(const sq_code_buffer *b, const sq_code_expr *at)
{
    return (sq_code_operand){SQ_OPERAND_ELEMENTS, b, at, 0};
}

sq_code *sq_code_instruct(sq_code_pool *p, const sq_code_instruction *how, int n,
                          const sq_code_operand *operand)
{
    sq_code *x = sq_code_new(p, SQ_CODE_INSTRUCTION);
    sq_code_instruction *own = SQ_NEW(p->arena, sq_code_instruction);
    sq_code_operand *all = SQ_NEW_ARRAY(p->arena, sq_code_operand, n + 1);
    for (int i = 0; i < n; i++)
        all[i] = operand[i];
    *own = *how;
    own->noperands = n;
    own->operand = all;
    x->instruction = own;
    return x;
}

sq_code *sq_code_instruct_plain(sq_code_pool *p, sq_code_instruction_row row, int n)
{
    return sq_code_instruct(p, &(sq_code_instruction){.row = row, .n = n}, 0, NULL);
}

sq_code *sq_code_barrier(sq_code_pool *p)
{
    return sq_code_instruct_plain(p, SQ_INSTRUCTION_BARRIER, 0);
}
