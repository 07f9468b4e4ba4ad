#!/bin/sh
# What nvcc makes of the hot loops: matrix instructions and their loads where a schedule has them, and
# in a product of f32, of sizes known or not, at least 92 % of the loop's instructions are multiply-adds, fed by loads of 128
# bits. Needs nvcc, and nvdisasm for the machine's own instructions.
. "$SQUALL_SOURCE/tests/cuda/lib.sh"
[ -n "$nvcc" ] || { echo "skipped: there is no nvcc"; exit 77; }
nvdisasm=$(command -v nvdisasm || ls "$cuda/bin/nvdisasm" 2>/dev/null || true)
cp "$SQUALL_SOURCE"/samples/*.sq .
# translated NAME ARCH options: NAME.cu, NAME.ptx and, with nvdisasm, NAME.sass of its first kernel.
translated() {
    k=$1 arch=$2
    shift 2
    "$SQUALL" compile $k.sq --target=cuda,arch=$arch -o $k.cu "$@" >log 2>&1 || { complain "$k is refused"; return; }
    "$nvcc" -arch=$arch -ptx -o $k.ptx $k.cu >log 2>&1 || { complain "nvcc does not take $k"; return; }
    [ -n "$nvdisasm" ] || return 0
    "$nvcc" -arch=$arch -cubin -o $k.cubin $k.cu
    "$nvdisasm" -c $k.cubin | awk -v name=".text.${k}_kernel0:" '$1 == ".text." name || index($0, name) { on = 1 }
        on && /^\.text\./ && !index($0, name) { exit } on' >$k.sass
}
has() {
    grep -q -- "$2" $k.ptx || complain "$k for $arch: no $2"
    [ -z "$nvdisasm" ] || [ "$(grep -c -- "$3" $k.sass)" -ge $1 ] || complain "$k for $arch: fewer than $1 $3"
}
{ echo '#pragma squall fp fast'; sed 's/gemm/tf32/' gemm.sq; } >tf32.sq
sed -i '/#pragma squall tune/d' hgemm.sq gemm_s8.sq # tiles for sizes that are not known
for arch in sm_80 sm_90; do
    translated hgemm $arch
    has 32 'mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32' 'HMMA.16816.F32 '
    has 12 ldmatrix 'LDSM.16.'
    translated gemm_s8 $arch
    has 32 'mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32' 'IMMA.16832.S8.S8'
    translated tf32 $arch -e 'tile(i:64, j:64, k:16) order(i0, j0, i, j, k0) micro(i:32, j:32 | k)
        tensorize(i:16, j:8, k:8) hold(k0) block(i0, j0) thread(i, j) share(A, B at k0, pad:8)'
    has 16 'mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32' 'HMMA.1688.F32.TF32'
    for sizes in parameters --fix=M=4096,N=4096,K=4096; do
        [ $sizes = parameters ] && translated gemm $arch || translated gemm $arch $sizes
        [ -n "$nvdisasm" ] || continue
        set -- $(awk -v kind=FFMA -f "$SQUALL_SOURCE/tests/cuda/hot_loop.awk" gemm.sass)
        echo "gemm for $arch, $sizes: $2 multiply-adds of $3 instructions"
        [ $3 -gt 0 ] && [ $((100 * $2)) -ge $((92 * $3)) ] || complain "fewer than 92 %"
        [ "$(grep -c 'LDS\.128' gemm.sass)" -ge 64 ] || complain "shared loads of less than 128 bits"
    done
done
[ -n "$nvdisasm" ] || echo "skipped: the machine's instructions (no nvdisasm)"
exit $bad
