// A whole warp loads a fragment from an address that no fragment may have, then each lane one of its own,
// then half a warp loads one.
#include "common.h"
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

__global__ void load(const half *in, float *out)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::load_matrix_sync(a, in + 8, 16);
    out[threadIdx.x] = __half2float(a.x[0]);
    wmma::load_matrix_sync(a, in + 16 * (threadIdx.x / 31), 16);
    if (threadIdx.x < 16)
        wmma::load_matrix_sync(a, in, 16);
    __syncwarp();
    out[threadIdx.x] += __half2float(a.x[0]);
}

int main()
{
    load<<<1, 32>>>(to_device(std::vector<half>(272)), on_device<float>(32));
    return 0;
}
//! bad_fragment.cu:12: misaligned: a fragment at an address that is 16 bytes past a multiple of 32
//! bad_fragment.cu:14: missing lanes: lanes 0 and 31 of a warp bring different addresses or distances of rows to this fragment
//! bad_fragment.cu:16: missing lanes: thread (0,0,0) of block (0,0,0) waits at this fragment for the lanes 0xffffffff, which never all come
//! bad_fragment.cu:17: note: thread (16,0,0) of block (0,0,0) waits at this __syncwarp for the lanes 0xffffffff
