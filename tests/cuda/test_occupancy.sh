#!/bin/sh
# The model's occupancy is that of CUDA's own header, on every device that is known by name; one stands
# for each architecture.
. "$SQUALL_SOURCE/tests/cuda/lib.sh"
[ -n "$nvcc" ] || { echo "skipped: there is no nvcc, and so no header to compare with"; exit 77; }
include=$(dirname "$(dirname "$(readlink -f "$nvcc")")")/include
[ -e "$include/cuda_occupancy.h" ] || { echo "skipped: there is no cuda_occupancy.h"; exit 77; }
sed -n 's/^  //; s/"\([a-z_0-9]*\)": /.\1 = /g; s/}$/},/; /^{/p' "$SQUALL_SOURCE/tuner/device/devices.json" >devices.inc
. "$SQUALL_SOURCE/tests/targets.sh"
for arch in $(architectures); do
    grep -q "\"${arch%a}\"" devices.inc || complain "no device of $arch"
done
"$CC" -std=gnu17 -O1 -w -I. -I"$SQUALL_SOURCE" -I"$include" "$SQUALL_SOURCE/tests/cuda/occupancy.c" "$SQUALL_SOURCE/ir/machine/device.c" -lm \
    -o occupancy >log 2>&1 || complain "the comparison does not compile"
./occupancy >log 2>&1 || complain "occupancy differs"
exit $bad
