/* bench-gemm: matrix products of squall against those of the libraries, side by side. */
#include "bench/program.h"

int main(int argc, char **argv)
{
    static bench_program b;
    bench_program_open(&b, argc, argv, 1);
    return bench_program_run(&b, bench_gemms);
}
