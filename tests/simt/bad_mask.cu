// A lane takes part in a vote whose mask leaves it out; another reads a lane that is not there.
#include "common.h"

__global__ void masks(unsigned *out)
{
    if (threadIdx.x < 8)
        out[threadIdx.x] = __ballot_sync(0x7fu, 1);
    if (threadIdx.x < 16)
        out[threadIdx.x] += __shfl_down_sync(0xffffu, threadIdx.x, 1);
}

int main()
{
    masks<<<1, 32>>>(to_device(std::vector<unsigned>(32)));
    return 0;
}
//! bad_mask.cu:7: missing lanes: thread (7,0,0) of block (0,0,0) is lane 7, which the mask 0x0000007f of its own vote leaves out
//! bad_mask.cu:9: missing lanes: lane 15 (thread (15,0,0) of block (0,0,0)) reads lane 16, which takes no part in this shuffle (mask 0x0000ffff)
