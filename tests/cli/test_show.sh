#!/bin/sh
# squall show: every topic, as text and as JSON that a JSON parser reads.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
gemm >gemm.sq

json() { # checks out with python where it is installed
    [ ! -x /usr/bin/python3 ] || /usr/bin/python3 -c 'import json; json.load(open("out"))' ||
        fail "no JSON"
    prints '"squall": "'
}

expect 0 show transforms
for t in tile order fuse pack micro vectorize unroll parallel split epilogue; do
    grep -q "^$t " out || fail "no transform $t"
done
expect 0 show transforms --json
json
expect 0 show targets
rows=$(sed -n 's/^ *{\.name = "\([a-z0-9_]*\)".*/\1/p' "$SQUALL_SOURCE/codegen/isa/target.c")
archs=$(sed -n 's/^ *CUDA(\([a-z0-9_]*\), .*/\1/p' "$SQUALL_SOURCE/codegen/isa/target.c")
[ "$(echo "$rows $archs" | wc -w)" -ge 6 ] || fail "the rows of codegen/isa/target.c were not found"
for t in $rows; do grep -q "^$t " out || fail "no target $t"; done
for a in $archs; do grep -q "arch=$a;" out || fail "no architecture $a"; done
expect 0 show targets --json
json
prints '"cflags"'
XDG_CACHE_HOME=$PWD/cache
export XDG_CACHE_HOME
expect 0 show machine
prints "name       host"
prints "GFLOP/s f32"
mkdir empty # a root without /sys
HWLOC_FSROOT=$PWD/empty XDG_CACHE_HOME=$PWD/cache2 "$SQUALL" show machine >out 2>err || fail "no /sys, no machine"
silent
expect 0 show machine --machine=generic
prints "isa        generic"
expect 0 show machine --machine=avx2 --json
json
prints '"vector_bytes": 32'
expect 0 show deps gemm.sq
prints "S0_u[i, j, k] -> S0["
expect 0 show deps gemm.sq --json
json
expect 0 show schedule gemm.sq -e 'tile(i:4)'
prints "tile(i:4)"
# What one command prints the other takes; where there are several, each is named.
expect 0 show schedule gemm.sq --target=avx2
cp out chosen
expect 0 show schedule gemm.sq --target=avx2 --schedule=chosen
same chosen out
expect 0 show schedule gemm.sq --target=avx2 -e "$(cat chosen)"
same chosen out
{
    cat gemm.sq
    printf 'kernel twice(int N, const f32 A[N], f32 X[N])\n{\n    idx i;\n    X[i] = A[i] * 2;\n}\n'
} >pair.sq
expect 0 show schedule pair.sq --target=avx2
prints "gemm: tile("
prints "twice: "
expect 0 show schedule gemm.sq -e 'tile(i:4)' --json
json
prints '"script": "tile(i:4)"'
expect 2 show schedule gemm.sq -e 'parallel(k)'
expect 64 show
says "show what?"
says "help: one of transforms, targets, machine, limits, searches, completions, manual [COMMAND], space K.sq, "
expect 64 show gemm.sq
says "show what of 'gemm.sq'? what is shown stands before the file"
says "schedule K.sq"
expect 64 show depps gemm.sq
says "did you mean 'deps'?"
expect 64 show targets gemm.sq
says "takes no file"
expect 3 show deps missing.sq
expect 0 show searches
prints "(default)"
expect 0 show space gemm.sq --at M=512,N=512,K=512 --target=avx2
prints "coordinates"
prints "block of the sum"
# What each coordinate is, in whatever space: tiles, forms, C loops, threads, a grid's units.
for kernel in 'gemm --fix=M=512,N=512,K=512' 'attention --fix=H=2,L=64,D=16 --target=avx2,openmp' \
    'cholesky --at=N=300 --target=avx2,openmp' 'conv2d --at=N=1,C=64,H=56,W=56,F=64 --target=avx2' \
    'hgemm --at=M=512,N=512,K=512 --target=cuda,arch=sm_90a' 'jacobi_2d --at=T=4,N=99 --target=cuda,arch=sm_80'; do
    name=${kernel%% *}
    # shellcheck disable=SC2086 # options
    expect 0 show space "$SQUALL_SOURCE/samples/$name.sq" ${kernel#* } --json
    json 'all(c["doc"] for k in j["kernels"] for c in k["coordinates"]) and j["kernels"][0]["coordinates"]'
done
expect 0 show space "$SQUALL_SOURCE/samples/attention.sq" --fix=H=2,L=64,D=16
prints "form 0: statements as written"
prints "form 1: inline(S2) online(S1, j:128)"
grep -qE '^  online.S0.rows  +\[?1\]? ' out || fail "a name runs into its values"
grep -q '^  online.S0.vector  *0 \[1\]' out || fail "the model's first choice is not marked"
expect 64 show space gemm.sq
says "sizes 'M', 'N', 'K' of kernel 'gemm' are not known"
XDG_STATE_HOME=$PWD/nothing expect 0 show best gemm.sq
prints "gemm: no trials in the store"
expect 0 tune gemm.sq --at=M=8,N=8,K=8 --at=M=9,N=8,K=8 --trials=1 --store=trials.db --out-dir=. -q
expect 0 show best gemm.sq --store=trials.db
[ "$(grep -c '^gemm at ' out)" = 2 ] || fail "not the best at both sizes"
expect 0 show best gemm.sq --store=trials.db --at=M=9
[ "$(grep -c '^gemm at ' out)" = 1 ] || fail "--at was not heeded"
prints "gemm at M=9,N=8,K=8"
expect 0 show best gemm.sq --store=trials.db --at=M=8,K=8 --at=M=9,K=9 --json
[ "$(grep -c '"sizes"' out)" = 1 ] || fail "--at was not heeded in JSON"
expect 0 show best gemm.sq --store=trials.db --at=M=88
prints "gemm: no trials at these sizes in the store"
expect 0 show best gemm.sq --store=trials.db
here=$(sed -n 's/^gemm at M=9,[^ ]*, \([^ ]*\), machine.*/\1/p' out)
expect 0 show best gemm.sq --store=trials.db --target="$here"
[ "$(grep -c '^gemm at ' out)" = 2 ] || fail "trials for $here are not shown"
expect 0 show best gemm.sq --store=trials.db --target="$here",openmp
prints "gemm: no trials for $here,openmp in the store"
# What was tuned for constants is another kernel: it is shown with them, and alone where --fix gives them.
expect 0 show best gemm.sq --store=trials.db --fix=M=8,N=8,K=8
prints "gemm: no trials in the store"
prints "gemm: 2 other trials of a kernel of this name: without --fix"
expect 0 tune gemm.sq --fix=M=7,N=8,K=9 --trials=1 --store=trials.db --out-dir=. -q
expect 0 tune gemm.sq --fix=M=7 --at=N=8,K=9 --trials=1 --store=trials.db --out-dir=. -q
sed 's/sum(A/2 * sum(A/' gemm.sq >other.sq
expect 0 tune other.sq --fix=M=7,N=8,K=9 --trials=1 --store=trials.db --out-dir=. -q
expect 0 show best gemm.sq --store=trials.db
[ "$(grep -c '^gemm at M=[89],N=8,K=8, ' out)" = 2 ] || fail "not the best at both sizes"
prints "gemm at M=7,N=8,K=9 with --fix=M=7,N=8,K=9, "
prints "gemm at M=7,N=8,K=9 with --fix=M=7, "
prints "gemm: 1 other trial of a kernel of this name that computes something else"
expect 0 show best gemm.sq --store=trials.db --json
json 'sorted(r.get("fix", "") for r in j["best"]) == ["", "", "M=7", "M=7,N=8,K=9"]'
expect 0 show best gemm.sq --store=trials.db --fix=M=7,N=8,K=9
[ "$(grep -c '^gemm at M=7,N=8,K=9, ' out)" = 1 ] || fail "what was tuned with --fix is not shown with it"
expect 0 show best gemm.sq --store=trials.db '--fix=M=7|6,N=8,K=9'
[ "$(grep -c '^gemm at M=7,N=8,K=9, ' out)" = 1 ] || fail "the first of two constants is not shown"
prints "gemm at M=6: no trials in the store"
expect 64 show best gemm.sq --store=trials.db --at=X=9
says "kernel 'gemm' has no size 'X'"

# Devices: by name, by class, by a file that was printed and edited; what is none says so.
expect 0 show machine --machine=h200
prints "132, at 1.83 GHz"
expect 0 show machine --machine=a100-sxm4-80 --json
json
sed 's/"multiprocessors": 108/"multiprocessors": 8/; s/a100-sxm4-80/mine/' out >mine.json
expect 0 show machine --machine=mine.json
prints "mine"
prints "multiprocessors 8"
expect 64 show machine --machine=h20
says "did you mean 'h200'?"
expect 64 show machine --machine=h200 --target=cuda,arch=sm_80
says "write --target=cuda,arch=sm_90"
expect 64 compile gemm.sq --machine=avx2 --target=cuda -o -
says "name a device, as --machine=sm_80"
expect 3 show machine --machine=./none.json
sed 's/"ghz"/"gzh"/' mine.json >slip.json
expect 1 show machine --machine=slip.json
says "did you mean 'ghz'?"
for name in 'a\n}\n' '\u001b[31m' 'é' ''; do
    printf '%s' "$name" | sed 's/[\\&]/\\&/g' >name
    sed "s/\"mine\"/\"$(cat name)\"/" mine.json >slip.json
    expect 1 show machine --machine=slip.json
    says "'name' has to be a text of 1 to 255 printable ASCII characters"
done
# The first choice follows the device: a product that fills eight multiprocessors does not fill 108.
expect 0 compile gemm.sq --target=cuda --fix=M=512,N=512,K=512 --machine=mine.json -o few.cu
grep -q -- '--machine=mine.json' few.cu || fail "the head does not say for which machine"
expect 0 show schedule gemm.sq --target=cuda --fix=M=512,N=512,K=512 --machine=mine.json
cp out few
expect 0 show schedule gemm.sq --target=cuda --fix=M=512,N=512,K=512
cmp -s out few && fail "the device does not count"
expect 0 show schedule gemm.sq --target=cuda
prints "tile(i:64, j:128, k:32)"
# Sizes to choose for count as fixed ones do.
expect 0 show schedule gemm.sq --target=cuda --at=M=512,N=512,K=512
cp out at
expect 0 show schedule gemm.sq --target=cuda --fix=M=512,N=512,K=512
same out at
# A device says what architecture is meant, where the target does not.
expect 0 compile gemm.sq --target=cuda --machine=h200 -o -
prints "--target=cuda,arch=sm_90 --machine=h200"
# CUDA does not go where C went.
expect 0 compile gemm.sq --target=cuda
[ -e gemm.cu ] && [ ! -e gemm.c ] || fail "CUDA was written to gemm.c"
# What is no file of a few lines is not read to its end.
expect 3 compile gemm.sq --target=cuda --machine=/dev/zero -o -
says "is no machine file"
