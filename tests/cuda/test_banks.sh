#!/bin/sh
# Shared memory: in the loops of products and convolutions no two lanes of a warp that are served at
# once want different words of a bank, neither where copies are written nor where tiles read them. The
# simulator counts: lanes of a warp side by side, 128 bytes at a time (docs/CUDA.md). Sizes are whole
# tiles; an order of copies that is wrong on purpose has conflicts.
. "$SQUALL_SOURCE/tests/cuda/lib.sh"
command -v g++ >/dev/null || { echo "skipped: there is no g++"; exit 77; }
[ -d "${SQUALL_SIMT:-$SQUALL_BUILD/simt}" ] || { echo "skipped: the headers are not built"; exit 77; }
# checked SAMPLE SIZES [SCRIPT]: the schedule for sizes that are not known, or the script.
checked() {
    k=$1 at=$2
    shift 2
    [ $# -gt 0 ] || set -- -e "$("$SQUALL" show schedule "$SQUALL_SOURCE/samples/$k.sq" --target=cuda,arch=sm_80)"
    "$SQUALL" check "$SQUALL_SOURCE/samples/$k.sq" --progress=never --target=cuda,arch=sm_80 --at=$at "$@" >log 2>&1 ||
        complain "$k computes wrongly"
}
for run in gemm:M=128,N=128,K=32 gemm_nt:M=128,N=128,K=32 gemm_tt:M=128,N=128,K=32 gemm_s8:M=128,N=128,K=256 \
    hgemm:M=128,N=128,K=256 bmm:B=2,M=128,N=128,K=32 written_gemm:M=64,N=64,K=32 contraction_abcd:A=2,B=128,C=2,D=128,E=16,F=2 \
    conv:C=32,F=64,H=4,W=64 conv1d:N=1,C=8,F=64,W=64 conv2d:N=1,C=8,F=64,H=4,W=64 conv3d:N=1,C=8,F=64,D=2,H=4,W=64; do
    checked ${run%%:*} ${run#*:}
    grep -q ', 0 conflicts, .*; 0 findings' log || complain "$run: conflicts"
done
# Columns a multiple of all banks apart are counted.
checked gemm M=128,N=128,K=32 -e 'tile(i:128, j:128, k:16) order(i0, j0, i, j, k0) micro(i:8, j:8 | k) vectorize(j:4)
    hold(k0) block(i0, j0) thread(i, j) share(A, B at k0)'
grep -q 'conflicts [1-9]' log || complain "rows without padding have no conflicts"
exit $bad
