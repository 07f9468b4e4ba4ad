/* Instruction: what threads of a grid do together, or what has no operator: barriers, asynchronous
 * copies, exchange within a warp, products of matrices. The text of each row is in
 * codegen/isa/cuda_instruction.c.
 *
 *     BARRIER       no thread of the block goes on before all have arrived
 *     COPY          starts to copy n bytes to the address 0 from the address 1, of which the last ones, as
 *                   many as 2 says, are zeros instead (absent: none)
 *     COMMIT        ends a group of copies of this thread
 *     WAIT          until at most the last n groups of this thread are not complete
 *     SHUFFLE       0 = the register 1 of the lane whose number has the bits of n inverted
 *     WORD          0 = the elements 1, 2, … as a word, the first in its lowest bits
 *     ROUND         0 is rounded from f32 to tf32
 *     LDMATRIX      0, an array of n registers, = n matrices of 8 rows of 16 bytes; lane l brings the
 *                   address 1 of row l % 8 of matrix l / 8. turns: rows become columns
 *     MMA           0, 1, 2, 3 += the product of the registers 4 and 5, by shape of ir/dependence/tensor.h
 *     WGMMA_BEGIN   what threads wrote is visible to the next group of products
 *     WGMMA         0, 1, … += the product of 64 rows from the address in shared memory on that follows,
 *                   and n columns; behind each address the distance of two of its blocks. turns: the
 *                   elements of a row are not steps of the sum. The registers are valid after WAIT
 *     WGMMA_COMMIT  ends a group of products
 *     WGMMA_WAIT    until all groups are complete; 0, 1, … are the sums of n columns */
#ifndef SQ_CODE_INSTRUCTION_H
#define SQ_CODE_INSTRUCTION_H
#include "codegen/code/code.h"

typedef enum sq_code_instruction_row {
    SQ_INSTRUCTION_BARRIER,
    SQ_INSTRUCTION_COPY,
    SQ_INSTRUCTION_COMMIT,
    SQ_INSTRUCTION_WAIT,
    SQ_INSTRUCTION_SHUFFLE,
    SQ_INSTRUCTION_WORD,
    SQ_INSTRUCTION_ROUND,
    SQ_INSTRUCTION_LDMATRIX,
    SQ_INSTRUCTION_MMA,
    SQ_INSTRUCTION_WGMMA_BEGIN,
    SQ_INSTRUCTION_WGMMA,
    SQ_INSTRUCTION_WGMMA_COMMIT,
    SQ_INSTRUCTION_WGMMA_WAIT
} sq_code_instruction_row;

typedef enum sq_operand_kind {
    SQ_OPERAND_INDEX,    /* an index expression */
    SQ_OPERAND_REGISTER, /* a register, or its lane `lane`; of an array element `at` */
    SQ_OPERAND_ELEMENTS  /* the elements of a buffer of one dimension from `at` on */
} sq_operand_kind;

typedef struct sq_code_operand {
    sq_operand_kind kind;
    const sq_code_buffer *buffer;
    const sq_code_expr *at; /* NULL: a register that is no array */
    int lane;
} sq_code_operand;

struct sq_code_instruction {
    sq_code_instruction_row row;
    sq_type type; /* of the elements of matrices */
    int n;        /* see the rows */
    bool turns[2];
    int noperands;
    const sq_code_operand *operand;
};

sq_code_operand sq_operand_index(const sq_code_expr *at);
/* at, lane: NULL and 0 where it is neither an array nor a vector. */
sq_code_operand sq_operand_register(const sq_code_buffer *b, const sq_code_expr *at, int lane);
sq_code_operand sq_operand_elements(const sq_code_buffer *b, const sq_code_expr *at);
/* Returns an INSTRUCTION with these operands, which are copied. */
sq_code *sq_code_instruct(sq_code_pool *p, const sq_code_instruction *how, int n,
                          const sq_code_operand *operand);
sq_code *sq_code_barrier(sq_code_pool *p);
/* Returns one without operands. */
sq_code *sq_code_instruct_plain(sq_code_pool *p, sq_code_instruction_row row, int n);
#endif
