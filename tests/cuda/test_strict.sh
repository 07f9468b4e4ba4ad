#!/bin/sh
# fp strict on a device: kernels of tests/exec/strict.sq executed on the processor have the naive nest's
# bits, and nvcc finds no product to join with a sum, whatever it is told. A text that joins them is red.
. "$SQUALL_SOURCE/tests/cuda/lib.sh"
command -v g++ >/dev/null || { echo "skipped: there is no g++"; exit 77; }
[ "$SQUALL_SANITIZED" = 0 ] || exit 77
# Without what only the C library has.
sed 's/sinf(X\[i\]) + cosf(X\[i\]) + //' "$SQUALL_SOURCE/tests/exec/strict.sq" >strict.sq
"$SQUALL" compile "$SQUALL_SOURCE/tests/exec/strict.sq" --kernel=functions --target=cuda -o x.cu 2>log &&
    complain "sinf is accepted"
grep -q "strict.sq:96:.*: error: sin under .fp strict. has the bits of the C library" log || { complain "sinf"; }

checked() {
    kernel=$1 at=$2
    shift 2
    "$SQUALL" check strict.sq --kernel=$kernel --target=cuda,arch=sm_80 --at=$at --progress=never "$@" >log 2>&1
}
for run in product:M=37,N=37,K=21 taps:C=3,F=7,H=5,W=21 norms:M=13,N=45 substitution:N=19 weighted:M=7,N=21,K=19 \
    functions:N=45 from_minus_zero:M=5,N=7,K=9 kept:M=5,N=7,K=9; do
    checked ${run%:*} ${run#*:} --cc=g++ || { complain "$run: other bits"; }
    grep -q '; 0 findings' log || complain "$run was not checked"
done
# A compiler that joins what should stay apart.
cat >cxx <<'K'
#!/bin/sh
for word in "$@"; do
    case $word in */0.cpp) sed -i 's/__fmul_rn(\([a-z.0-9\[\]*\]*\), \([a-z.0-9\[\]*\]*\)) + c/fmaf(\1, \2, c)/g' "$word" ;; esac
done
exec g++ "$@"
K
chmod +x cxx
checked product M=37,N=37,K=21 --cc=./cxx && complain "a product joined with its sum is not found"

[ -n "$nvcc" ] || { echo "skipped: what nvcc makes of it (there is no nvcc)"; exit $bad; }
for k in product functions weighted substitution norms; do
    "$SQUALL" compile strict.sq --kernel=$k --target=cuda,arch=sm_80 -o $k.cu
    "$nvcc" -arch=sm_80 -ptx -o $k.ptx $k.cu -fmad=true -prec-div=false -prec-sqrt=false -Werror all-warnings \
        >log 2>&1 || { complain "nvcc does not take $k"; }
    grep -E '^[[:space:]]*(fma|mad)\.[a-z.]*f(32|64)|^[[:space:]]*mul\.f|(div|sqrt)\.(approx|full)' $k.ptx &&
        complain "$k: operations that are not rounded by themselves"
    grep -Eq 'mul\.rn\.f(32|64)' $k.ptx || complain "$k: no products"
done
# The program that compares, too, whose naive nest is the host's.
"$nvcc" -arch=sm_80 -c -o x.o product.cu -DSQUALL_SELFTEST -Xcompiler -O2 -Werror all-warnings >log 2>&1 ||
    { complain "nvcc does not take the self-test"; }
exit $bad
