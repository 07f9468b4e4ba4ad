// f16 and bf16: every bit pattern to float and back, and arithmetic against one rounding of the exact value.
#include "common.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>


__global__ void round_trip(unsigned *wrong)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    __half h = __ushort_as_half((unsigned short)i);
    __nv_bfloat16 b = __ushort_as_bfloat16((unsigned short)i);
    if (!__hisnan(h) && __half_as_ushort(__float2half(__half2float(h))) != i)
        atomicAdd(wrong, 1u);
    if (!__hisnan(b) && __bfloat16_as_ushort(__float2bfloat16(__bfloat162float(b))) != i)
        atomicAdd(wrong, 1u);
}

__global__ void arithmetic(unsigned *wrong)
{
    const float values[] = {1.0f, 1.0009765625f, -3.5f, 65504.0f, 6.1e-5f, 5.96e-8f, 0.1f, 1234.0f};
    __half a = __float2half(values[threadIdx.x % 8]), b = __float2half(values[threadIdx.x / 8]);
    float x = __half2float(a), y = __half2float(b);
    unsigned n = 0;
    n += __half_as_ushort(a + b) != __half_as_ushort(__float2half(x + y));
    n += __half_as_ushort(a * b) != __half_as_ushort(__float2half(x * y));
    __half2 p = __halves2half2(a, b), q = __hmul2(p, p);
    n += __half_as_ushort(__low2half(q)) != __half_as_ushort(a * a);
    n += __half_as_ushort(__high2half(q)) != __half_as_ushort(__hmul(b, b));
    // 1 + 2^-11 is half way to 1 + 2^-10; what the product adds beyond decides.
    __half one = __float2half(1.0f), tiny = __float2half(0.000244140625f);
    __half two = __float2half(2.0f), step = __float2half(2.00390625f);
    n += __half2float(__hfma(tiny, two, one)) != 1.0f;
    n += __half2float(__hfma(tiny, step, one)) != 1.0009765625f;
    n += __half2float(__float2half(65519.0f)) != 65504.0f;
    n += !__hisinf(__float2half(65520.0f));
    n += __half2float(__float2half(2.9e-8f)) != 0.0f;
    n += __bfloat162float(__float2bfloat16(1.00390625f)) != 1.0f;
    n += __bfloat162float(__float2bfloat16(1.01171875f)) != 1.015625f;
    if (n)
        atomicAdd(wrong, n);
}

int main()
{
    unsigned *wrong = to_device(std::vector<unsigned>(1));
    round_trip<<<65536 / 256, 256>>>(wrong);
    arithmetic<<<1, 64>>>(wrong);
    MUST(cudaGetLastError());
    return compare(from_device(wrong, 1), std::vector<unsigned>(1));
}
//! arithmetic: 1 launch, grid 1 x 1 x 1, block 64 x 1 x 1
