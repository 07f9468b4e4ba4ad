#!/bin/sh
# The samples' texts by NVIDIA's compilers: nvcc takes each without a warning and without a spill, and
# the run-time compiler takes the device part without any header. A few of them here; all of them,
# PolyBench's too, and all architectures with SQUALL_ALL=1 (ctest -C long -R cuda.nvcc_all).
. "$SQUALL_SOURCE/tests/cuda/lib.sh"
[ -n "$nvcc" ] || { echo "skipped: there is no nvcc"; exit 77; }
samples='gemm gemm_tt softmax dwconv hgemm polybench/gramschmidt polybench/3mm' arches=sm_80
if [ "${SQUALL_ALL:-0}" = 1 ]; then
    samples=$(cd "$SQUALL_SOURCE/samples" && ls *.sq polybench/*.sq | sed 's|\.sq$||')
    arches=$(architectures)
fi
if ! "$CC" -std=c11 -I"$cuda/include" "$SQUALL_SOURCE/tests/cuda/nvrtc.c" -o nvrtc -L"$cuda/lib64" -lnvrtc \
    -Wl,-rpath,"$cuda/lib64" >log 2>&1; then
    echo "skipped: the run-time compiler (libnvrtc is not installed)"
fi
# Sizes that are constants choose other tiles: after a colon.
fixed='conv2d:N=8,C=32,H=56,W=56,F=64 conv1d:N=1,C=64,F=64,W=1000 conv_grouped:N=1,T=2,C=7,H=31,W=127,F=33 gemm:M=512,N=512,K=512'
for arch in $arches; do
    for sample in $samples $fixed; do
        name=${sample%%:*} fix=
        [ "$name" = "$sample" ] || fix=--fix=${sample#*:}
        k=${name##*/}
        "$SQUALL" compile "$SQUALL_SOURCE/samples/$name.sq" --target=cuda,arch=$arch $fix -o $k.cu >log 2>&1 ||
            { complain "$sample is not compiled for $arch"; continue; }
        "$nvcc" -arch=$arch -cubin -o $k.cubin $k.cu -Xptxas -v,-warn-spills,-Werror -Werror all-warnings \
            >log 2>&1 || complain "nvcc does not take $sample for $arch"
        grep 'spill' log | grep -qv ' 0 bytes spill stores, 0 bytes spill loads' && complain "$sample spills on $arch"
        # Asynchronous copies are a header's.
        headers=$(grep -q cuda_pipeline.h $k.cu && echo "$cuda/include" || true)
        [ ! -x nvrtc ] || ./nvrtc $k.cu $arch $headers >log 2>&1 ||
            complain "the run-time compiler does not take $sample"
    done
done
exit $bad
