// A transposition by tiles with a padded row, at sizes that leave edges.
#include "common.h"

template <int TILE, int ROWS> __global__ void transpose(int h, int w, const float *in, float *out)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        if (x < w && y + i < h)
            tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * w + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        if (x < h && y + i < w)
            out[(y + i) * h + x] = tile[threadIdx.x][threadIdx.y + i];
}

int main()
{
    const int h = 67, w = 101;
    std::vector<float> in = values(h * w, 3), wanted(h * w);
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            wanted[j * h + i] = in[i * w + j];
    float *out = on_device<float>(h * w);
    transpose<32, 8><<<dim3((w + 31) / 32, (h + 31) / 32), dim3(32, 8)>>>(h, w, to_device(in), out);
    MUST(cudaGetLastError());
    return compare(from_device(out, h * w), wanted);
}
//! grid 4 x 3 x 1, block 32 x 8 x 1, shared 4224 + 0 bytes
//! good_transpose.cu:15    shared read, 4 bytes                   303  conflicts 0
