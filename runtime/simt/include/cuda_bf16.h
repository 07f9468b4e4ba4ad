/* Replaces CUDA's header of this name: 16-bit floats with 8 bits of precision. */
#ifndef SQUALL_CUDA_BF16_H
#define SQUALL_CUDA_BF16_H
#include "cuda_runtime.h"
#include "squall_simt/narrow.h"

typedef squall_simt::narrow<SIMT_BF16> __nv_bfloat16;
typedef squall_simt::narrow2<SIMT_BF16> __nv_bfloat162;
typedef squall_simt::narrow_raw __nv_bfloat16_raw;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
SQUALL_SIMT_NARROW_NAMES(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162, SIMT_BF16)
#endif
