/* CUDA instruction: see cuda_instruction.h. */
#include "codegen/isa/cuda_instruction.h"
#include "codegen/isa/cuda_copy.h"
#include "codegen/isa/cuda_mma.h"
#include "codegen/isa/cuda_wgmma.h"
#include "support/diag.h"

const char *sq_cuda_function(const sq_code_instruction *x, const sq_uses *uses, sq_arena *arena)
{
    switch (x->row) {
    case SQ_INSTRUCTION_BARRIER:
        return "__syncthreads";
    case SQ_INSTRUCTION_COPY:
        return x->noperands < 3 ? sq_uses_helper(uses, "__pipeline_memcpy_async")
                                : sq_uses_helper(uses, sq_copy_async_name(x->n, arena));
    case SQ_INSTRUCTION_COMMIT:
        return sq_uses_helper(uses, "__pipeline_commit");
    case SQ_INSTRUCTION_WAIT:
        sq_uses_helper(uses, SQ_CUDA_PIPELINES);
        return sq_uses_helper(uses, "__pipeline_wait_prior");
    case SQ_INSTRUCTION_SHUFFLE:
        return "__shfl_xor_sync";
    case SQ_INSTRUCTION_WORD:
        return x->operand[1].buffer->type == SQ_F32 ? "__float_as_uint" : "";
    case SQ_INSTRUCTION_ROUND:
        return sq_uses_helper(uses, "sq_tf32");
    case SQ_INSTRUCTION_LDMATRIX:
        return sq_uses_helper(uses, sq_arena_printf(arena, "sq_ldmatrix_x%d%s", x->n, x->turns[0] ? "_trans" : ""));
    case SQ_INSTRUCTION_MMA:
        sq_uses_helper(uses, SQ_CUDA_MATRICES);
        return sq_uses_helper(uses, sq_mma_name(x->type, x->operand[0].buffer->type, arena));
    case SQ_INSTRUCTION_WGMMA_BEGIN:
        return sq_uses_helper(uses, "sq_wgmma_begin");
    case SQ_INSTRUCTION_WGMMA:
        sq_uses_helper(uses, SQ_CUDA_MATRICES);
        return sq_uses_helper(uses, sq_wgmma_name(x->type, x->n, !x->turns[0], !x->turns[1], arena));
    case SQ_INSTRUCTION_WGMMA_COMMIT:
        return sq_uses_helper(uses, "sq_wgmma_commit");
    case SQ_INSTRUCTION_WGMMA_WAIT:
        return sq_uses_helper(uses, sq_wgmma_wait_name(x->n, arena));
    }
    sq_bug("cuda", "an instruction without text");
}
