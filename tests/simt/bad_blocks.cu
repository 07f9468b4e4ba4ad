// Two blocks write one element of the device's memory.
#include "common.h"

__global__ void store(float *out)
{
    out[blockIdx.x * 31 + threadIdx.x] = 1;
}

int main()
{
    store<<<2, 32>>>(on_device<float>(64));
    return 0;
}
//! bad_blocks.cu:6: race: write of device memory 1 (256 bytes) + 124 bytes by thread (0,0,0) of block (1,0,0)
//! bad_blocks.cu:6: note: write by thread (31,0,0) of block (0,0,0): blocks of one launch run in any order
