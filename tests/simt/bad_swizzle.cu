// Pieces are written where one exchange puts them and read where another one does.
#include "common.h"

__global__ void move(const float4 *in, float4 *out)
{
    __shared__ float4 s[8 * 8];
    const int row = threadIdx.x / 8, piece = threadIdx.x % 8;
    s[row * 8 + (piece ^ row)] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[row * 8 + (piece ^ (row >> 1))];
}

int main()
{
    std::vector<float> in = values(256, 5);
    float *out = on_device<float>(256);
    move<<<1, 64>>>((const float4 *)to_device(in), (float4 *)out);
    return compare(from_device(out, 256), in);
}
//! element 32 is 5 instead of -2
//! 0 findings
