// A value is read before the thread that wrote it has come to a barrier.
#include "common.h"

__global__ void turn(float *out)
{
    __shared__ float s[128];
    s[threadIdx.x] = (float)threadIdx.x;
    out[threadIdx.x] = s[127 - threadIdx.x];
}

int main()
{
    turn<<<1, 128>>>(on_device<float>(128));
    return 0;
}
//! bad_barrier_missing.cu:7: race: write of shared s[64] by thread (64,0,0) of block (0,0,0)
//! bad_barrier_missing.cu:8: note: read by thread (63,0,0) of block (0,0,0): no barrier lies between
//! bad_barrier_missing.cu:8: race: read of shared s[63] by thread (64,0,0) of block (0,0,0)
//! bad_barrier_missing.cu:7: note: write by thread (63,0,0) of block (0,0,0): no barrier lies between
