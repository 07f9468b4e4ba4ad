// More static shared memory than there is, and more threads than the launch bounds promise.
#include "common.h"

__global__ void __launch_bounds__(64) much(float *out)
{
    __shared__ float s[12289];
    s[threadIdx.x] = 1;
    out[threadIdx.x] = s[threadIdx.x];
}

int main()
{
    much<<<1, 96>>>(on_device<float>(96));
    return 0;
}
//! bad_limits.cu:4: limit: a block of 96 threads; __launch_bounds__ promises at most 64
//! bad_limits.cu:6: limit: kernel much declares 49156 bytes of shared memory; 49152 is the most, beyond that it has to be dynamic
