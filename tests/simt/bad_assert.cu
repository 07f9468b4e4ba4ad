// A thread finds that what it was promised is not so.
#include "common.h"
#undef NDEBUG
#include <cassert>

__global__ void promise(int n)
{
    assert((int)threadIdx.x < n);
}

int main()
{
    promise<<<1, 32>>>(20);
    return 0;
}
//! crash: thread (20,0,0) of block (0,0,0) called abort, as a failed assert does
