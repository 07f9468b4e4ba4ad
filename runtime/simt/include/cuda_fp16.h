/* Replaces CUDA's header of this name: 16-bit floats with 11 bits of precision. */
#ifndef SQUALL_CUDA_FP16_H
#define SQUALL_CUDA_FP16_H
#include "cuda_runtime.h"
#include "squall_simt/narrow.h"

typedef squall_simt::narrow<SIMT_F16> __half;
typedef squall_simt::narrow2<SIMT_F16> __half2;
typedef squall_simt::narrow_raw __half_raw;
typedef __half half;
typedef __half2 half2;
SQUALL_SIMT_NARROW_NAMES(__half, __half2, half, half2, SIMT_F16)
#endif
