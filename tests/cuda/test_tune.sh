#!/bin/sh
# tune and bench for a target that runs on a device: measured where one is present (here the processor
# in its place, tests/cuda/simt_nvcc.c), refused with words where none is, searched by the model alone
# when asked, and labelled so.
. "$SQUALL_SOURCE/tests/cuda/lib.sh"
command -v g++ >/dev/null || { echo "skipped: there is no g++"; exit 77; }
[ -d "${SQUALL_SIMT:-$SQUALL_BUILD/simt}" ] || { echo "skipped: the headers are not built"; exit 77; }
export XDG_STATE_HOME="$scratch/state" XDG_CACHE_HOME="$scratch/cache"
stand_in=$SQUALL_BUILD/tests/cuda/simt_nvcc
cp "$SQUALL_SOURCE/samples/gemm.sq" .
at=--at=M=96,N=64,K=32

# run CODE words...: squall's exit code; all it says goes to the file log.
run() {
    code=$1
    shift
    rc=0
    "$SQUALL" "$@" >log 2>&1 || rc=$?
    [ "$rc" = "$code" ] || complain "squall $*: exit $rc, not $code"
}
says() {
    grep -qF -- "$1" log || complain "nothing says '$1'"
}

# No device: no candidate is tried, and what can be done is said.
NVCC=$stand_in SIMT_NVCC_ERROR=100 run 3 tune gemm.sq --target=cuda $at
says "nothing can be measured for target 'cuda' here: there is no CUDA device"
says "--runner=model searches by the model alone"
NVCC=./none run 3 tune gemm.sq --target=cuda $at
says "nothing can be measured for target 'cuda' here"
NVCC=$stand_in SQUALL_SIMT_ARCH=80 run 3 tune gemm.sq --target=cuda,arch=sm_90 $at
says "does not run what is built for sm_90"
[ ! -e gemm.sm_80.sched ] || complain "a schedule was written without a trial"
run 64 tune gemm.sq --target=cuda $at --runner=local
says "runner 'local' does not run target 'cuda'"
run 64 tune gemm.sq --target=avx2 $at --runner=model
says "write --runner=local"
run 64 tune gemm.sq --target=cuda $at --runner=modle
says "did you mean 'model'?"

# A device: measured, kept, taken by compile and bench.
export SQUALL_SIMT_ARCH=80
NVCC=$stand_in run 0 tune gemm.sq --target=cuda $at --trials=3 -v
says "3 trials in"
grep -q '^kernel gemm at M=96,N=64,K=32 {$' gemm.sm_80.sched || complain "no entry"
grep -q 'not measured' gemm.sm_80.sched && complain "measured, and labelled otherwise"
NVCC=$stand_in run 0 bench gemm.sq --target=cuda $at
says "on CPU in place of an sm_80 device"
grep -q '^  tuned ' log || complain "bench did not take the tuned one"
grep -q '^  untuned ' log || complain "bench left out the untuned one"
# A schedule whose launcher takes a workspace is measured with one.
NVCC=$stand_in run 0 bench gemm.sq --target=cuda $at -e 'parts(S0, k:8) S0_parts: tile(j:32) order(k_part, i, j0, j) micro(| k)
    block(k_part, i, j0) thread(j) S0: tile(j:32) order(i, j0, j) micro(| k_part) block(i, j0) thread(j)'
grep -q '^  given (-e) ' log || complain "parts of a sum were not measured"
run 0 compile gemm.sq --target=cuda --fix=M=96,N=64,K=32 -o tuned.cu -v --require-tuned
says "schedule: tuned, gemm.sm_80.sched"
# What was measured is not replaced by a prediction, and stands before others.
cp gemm.sm_80.sched measured
run 1 tune gemm.sq --target=cuda $at --runner=model --trials=1
says "gemm.sm_80.sched:6:8: error: this schedule of 'gemm' was measured"
cmp -s measured gemm.sm_80.sched || complain "a prediction replaced what was measured"
sed -n '5,$p' measured >entry
{ sed -n 1,4p measured; sed 's/M=96,N=64,K=32 {/M=8,N=8,K=8 unmeasured {/' entry; echo; cat entry; } >gemm.sm_80.sched
run 0 compile gemm.sq --target=cuda -o tuned.cu -v --require-tuned
says "schedule: tuned, gemm.sm_80.sched"
rm gemm.sm_80.sched

# The model alone, at sizes that no processor could run in time; constants are sizes of it, too.
run 0 tune gemm.sq --target=cuda --at=M=4096,N=4096,K=4096 --runner=model --trials=3
says "predicted, not measured: "
grep -q '^kernel gemm at M=4096,N=4096,K=4096 unmeasured {$' gemm.sm_80.sched || complain "no label"
grep -q '# not measured: the model predicts [0-9.]* ms on a100-sxm4-40' gemm.sm_80.sched || complain "no words"
run 0 tune gemm.sq --target=cuda --fix=M=512,N=512,K=512 --runner=model --machine=a30 --trials=2
grep -q 'on a30' gemm.sm_80.sched || complain "another device was simulated"
run 0 compile gemm.sq --target=cuda --fix=M=512,N=512,K=512 -o model.cu -v
says "schedule: chosen by the model, not measured, gemm.sm_80.sched"
grep -q 'by the model, not measured' model.cu || complain "the text does not say that nobody measured"
run 2 compile gemm.sq --target=cuda --fix=M=512,N=512,K=512 -o model.cu --require-tuned
says "the one there is was chosen by the model and not measured"
run 0 show best gemm.sq
says "gemm at M=4096,N=4096,K=4096, cuda, not measured, model of a100-sxm4-40: "
# Its trials are no measurements: a resumed run of the device does not take them.
NVCC=$stand_in run 0 tune gemm.sq --target=cuda --at=M=33,N=31,K=7 --trials=2 --resume
grep -q '^kernel gemm at M=33,N=31,K=7 {$' gemm.sm_80.sched || complain "no measured entry beside the other"

# A candidate that is wrong never wins, by the model neither: sizes of one element.
run 0 tune gemm.sq --target=cuda --at=M=1,N=1,K=1 --runner=model --trials=2
# Sums of rows, steps over time, matrix instructions; a description whose sizes are constants.
for k in softmax:M=64,N=64 jacobi_2d:T=4,N=32 hgemm:M=256,N=256,K=256; do
    cp "$SQUALL_SOURCE/samples/${k%%:*}.sq" .
    run 0 tune ${k%%:*}.sq --target=cuda,arch=sm_90 --at=${k#*:} --runner=model --trials=2
    grep -q ' unmeasured {$' ${k%%:*}.sm_90.sched || complain "$k: no entry"
done
printf '#include "squall.h"\nkernel k(const f32 A[4000][4000], f32 B[4000])\n{\n    idx i, j;\n    B[i] = sum(A[i][j], j);\n}\n' >large.sq
run 3 tune large.sq --target=cuda --runner=model --trials=1
says "let its sizes be parameters"
exit $bad
