// Rows of 32 floats, read by columns in pieces of four: exchanged by the right bits without a conflict,
// by the wrong ones with many.
#include "common.h"

template <int SHIFT> __device__ int at(int row, int piece)
{
    return row * 32 + (piece ^ (row >> SHIFT & 7)) * 4;
}

__global__ void swizzle(float *out)
{
    __shared__ __align__(16) float right[32 * 32], wrong[32 * 32];
    const int t = threadIdx.x;
    for (int p = 0; p < 8; p++) {
        *(float4 *)&right[at<0>(t, p)] = make_float4(t, p, 1, 2);
        *(float4 *)&wrong[at<3>(t, p)] = make_float4(t, p, 3, 4);
    }
    __syncwarp();
    float4 a = *(const float4 *)&right[at<0>(t ^ 1, 5)];
    float4 b = *(const float4 *)&wrong[at<3>(t ^ 1, 5)];
    out[t] = a.x + a.y + b.x + b.y;
}

int main()
{
    float *out = on_device<float>(32);
    swizzle<<<1, 32>>>(out);
    std::vector<float> wanted(32);
    for (int i = 0; i < 32; i++)
        wanted[i] = (float)(2 * (i ^ 1) + 10);
    return compare(from_device(out, 32), wanted);
}
//! count_swizzle.cu:15    shared write, 16 bytes                   8  conflicts 0
//! count_swizzle.cu:16    shared write, 16 bytes                   8  conflicts 224 (8-way)
//! count_swizzle.cu:19    shared read, 16 bytes                    1  conflicts 0
//! count_swizzle.cu:20    shared read, 16 bytes                    1  conflicts 28 (8-way)
