// A pointer of the host goes to a kernel, and one of the device is read on the host.
#include "common.h"

__global__ void twice(float *p)
{
    p[threadIdx.x] *= 2;
}

int main()
{
    std::vector<float> v(32);
    twice<<<1, 32>>>(v.data());
    float *p = to_device(v);
    return p[3] != 0;
}
//! bad_host.cu:6: host memory: read of 4 bytes at 0x
//! bad_host.cu:14: host memory: the host reads 4 bytes of device memory 1 (128 bytes); cudaMemcpy is how it gets them
