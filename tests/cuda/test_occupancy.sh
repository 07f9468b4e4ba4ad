#!/bin/sh
# The model's occupancy is that of CUDA's own header.
. "$SQUALL_SOURCE/tests/cuda/lib.sh"
[ -n "$nvcc" ] || { echo "skipped: there is no nvcc, and so no header to compare with"; exit 77; }
include=$(dirname "$(dirname "$(readlink -f "$nvcc")")")/include
[ -e "$include/cuda_occupancy.h" ] || { echo "skipped: there is no cuda_occupancy.h"; exit 77; }
"$CC" -std=gnu17 -O1 -w -I"$SQUALL_SOURCE" -I"$include" "$SQUALL_SOURCE/tests/cuda/occupancy.c" "$SQUALL_SOURCE/ir/device.c" -lm \
    -o occupancy >log 2>&1 || complain "the comparison does not compile"
./occupancy >log 2>&1 || complain "occupancy differs"
exit $bad
