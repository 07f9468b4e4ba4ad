// Every lane in one bank, no lane beside another in memory: nothing is wrong, and all of it is counted.
#include "common.h"

__global__ void columns(const float *in, float *out)
{
    __shared__ float s[32][32];
    const int t = threadIdx.x;
    s[t][0] = in[t];
    __syncwarp();
    out[t * 32] = s[t][0];
}

int main()
{
    std::vector<float> in = values(32, 3);
    float *out = to_device(std::vector<float>(1024));
    columns<<<1, 32>>>(to_device(in), out);
    std::vector<float> v = from_device(out, 1024), got(32);
    for (int i = 0; i < 32; i++)
        got[i] = v[i * 32];
    return compare(got, in);
}
//! count_conflicts.cu:8     global read, 4 bytes                     1  sectors 4 of at least 4
//! count_conflicts.cu:8     shared write, 4 bytes                    1  conflicts 31 (32-way)
//! count_conflicts.cu:10    global write, 4 bytes                    1  sectors 32 of at least 4
//! count_conflicts.cu:10    shared read, 4 bytes                     1  conflicts 31 (32-way)
//! 0 findings
