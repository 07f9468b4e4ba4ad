#!/bin/sh
# Every launch of the operators, which are in types and layouts that samples lack, and of samples has
# a warp at least where dependences allow it; sums of which a thread has one are kept in a register.
# Channels as networks have them are constants here, too.
. "$SQUALL_SOURCE/tests/cuda/lib.sh"
cp "$SQUALL_SOURCE"/tests/cuda/operators.sq "$SQUALL_SOURCE"/samples/*.sq .

# launches SOURCE options: "kernel threads" a line.
launches() {
    "$SQUALL" explain "$@" --target=cuda,arch=sm_80 2>log |
        sed -n 's/^  \([a-z0-9_]*\)_kernel[0-9]*: .* blocks\{0,1\} of \([0-9]*\) thread.*/\1 \2/p'
}
launches operators.sq >list
[ "$(cut -d' ' -f1 list | sort -u | wc -l)" -eq "$(grep -c '^kernel ' operators.sq)" ] ||
    complain "not every operator is launched"
for c in 32 48 64; do
    launches operators.sq --kernel=conv_nhwc --fix=C=$c >one
    [ "$(sed -n '1s/.* //p' one)" = 256 ] || complain "no tiles for a convolution of $c channels"
    cat one >>list
    launches operators.sq --kernel=avgpool_nhwc --fix=C=$c,H=7,W=7 >>list
done
for f in *.sq; do
    [ $f = operators.sq ] || launches $f >>list
done
awk '{ n[$2]++ } END { for (t in n) print n[t] " launches of " t " threads" }' list | sort -n
# The scan of one row needs each value for the next; so does the pivot of a factorisation.
awk '$2 < 32 && $1 != "scan_one" && $1 != "cholesky" { print; bad = 1 } END { exit bad }' list ||
    complain "launches of less than a warp"

# warned COMMAND...: what is said of threads.
warned() {
    "$SQUALL" "$@" --target=cuda,arch=sm_80 2>&1 >/dev/null | grep -c "$words" || true
}
words='warning: .scan_one_kernel0. runs S0 on 1 thread: no loop around has independent iterations'
for command in compile explain; do
    [ "$(warned $command operators.sq $([ $command = compile ] && echo '-o scan.cu'))" = 1 ] ||
        complain "$command does not say that scan_one is one thread's"
done
words='warning: .gemm_kernel0. has 16 threads a block for S0, less than a warp, though threads may share loop .i.'
[ "$(warned compile gemm.sq -o few.cu -e 'tile(i:16) order(i0, i, j, k) block(i0) thread(i)')" = 1 ] ||
    complain "16 threads are silent"
words='warning: '
[ "$(warned compile gemm.sq -o many.cu)$(warned compile cholesky.sq -o pivots.cu)" = 00 ] ||
    complain "a warning without a reason"

# A tile that may be the first of several adds to what is in memory.
for k in operators.sq:batchnorm_stats operators.sq:avgpool_nhwc dwconv.sq:dwconv; do
    "$SQUALL" compile ${k%:*} --kernel=${k#*:} --target=cuda,arch=sm_80 -o - >text 2>log ||
        complain "$k is refused"
    ! grep -q 'int first' text || complain "$k: the sum is in memory"
done

# Sizes that are not known have the rule's schedule: lines of an image, tiles that are turned, sums side by side.
while read -r kernel form; do
    "$SQUALL" show schedule operators.sq --kernel=$kernel --target=cuda,arch=sm_80 | grep -q -- "$form" ||
        complain "$kernel has another form than $form"
done <<'END'
conv_nhwc tile(y:8, x:16, f:64, c:64)
conv_nchw tile(y:8, f:64, x:16, c:64)
transpose_f16 share(X at j0, pad:1)
gemv_t_f16 thread(i, k:16)
END
# A padded image is copied in vectors of 16 bytes; what is beyond its edge is filled.
"$SQUALL" compile operators.sq --kernel=conv_nhwc --target=cuda,arch=sm_80 -o - 2>log |
    grep -q 'copy_async_16(X_shared.*, (left >= 8' || complain "conv_nhwc copies its image by elements"
"$SQUALL" check operators.sq --kernel=conv_nhwc --target=cuda,arch=sm_80 >log 2>&1 || complain "conv_nhwc untuned"

# The forms that no sample has are right.
while read -r kernel at; do
    "$SQUALL" check operators.sq --kernel=$kernel --target=cuda,arch=sm_80 --at=$at >log 2>&1 ||
        complain "$kernel"
done <<'END'
avgpool_nhwc N=3,C=37,H=5,W=3
transpose_f16 M=37,N=131
nchw_to_nhwc N=2,C=35,P=67
softmax_columns M=131,N=37
gemv_t_f16 M=67,K=131
avgpool_nchw N=3,C=7,H=5,W=37
pixel_shuffle N=2,C=3,H=5,W=37
total_f16 M=7,N=131
groupnorm_nchw N=2,G=3,C=5,P=37
norm_of_all N=1300
batchnorm_stats N=3,C=37,P=5
depthwise_nhwc N=2,C=37,H=5,W=3
conv_nhwc N=1,C=19,H=4,W=9,F=17
END
exit $bad
