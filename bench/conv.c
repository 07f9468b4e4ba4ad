/* bench-conv: convolutions of squall against oneDNN's, plain NCHW in and out, side by side. */
#include "bench/program.h"

int main(int argc, char **argv)
{
    static bench_program b;
    bench_program_open(&b, argc, argv, 1);
    return bench_program_run(&b, bench_convs);
}
