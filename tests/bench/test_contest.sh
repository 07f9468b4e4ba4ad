#!/bin/sh
# The bench programs, where they are built (-DSQUALL_BENCH=ON): the shapes that are promised; a kernel
# that computes wrongly takes no part, a right one does; JSON that says what the table says.
set -eu
[ -x "$SQUALL_BUILD/bench-gemm" ] || exit 77
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
fail() {
    echo "FAILED: $*"
    cat out log 2>/dev/null || true
    exit 1
}

[ "$("$SQUALL_BUILD/bench-gemm" --list | wc -l)" = 12 ] || fail "not 12 products"
[ "$("$SQUALL_BUILD/bench-conv" --list | wc -l)" = 8 ] || fail "not 8 convolutions"
[ "$("$SQUALL_BUILD/bench-gemm" --list --only=gemm-49x512x4608)" = \
    "gemm-49x512x4608 samples/gemm.sq --fix=M=49,N=512,K=4608" ] || fail "--only"

kernel() { # label: the C of standard input as a kernel of that label
    cat >"$1.c"
    "$CC" -O2 -shared -fPIC -DN=64 -o "gemm-64.$1.so" "$1.c"
}

"$SQUALL" compile "$SQUALL_SOURCE/samples/gemm.sq" --fix=M=64,N=64,K=64 -o - | kernel untuned
kernel tuned <<'K'
/* Leaves out the last term of every sum. */
void gemm(float alpha, float beta, const float *A, const float *B, float *C)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < N - 1; k++)
                sum += A[i * N + k] * B[k * N + j];
            C[i * N + j] = beta * C[i * N + j] + alpha * sum;
        }
}
K
"$SQUALL_BUILD/bench-gemm" --kernels=. --only=gemm-64 --seconds=0.05 --json >out 2>log ||
    fail "bench-gemm fails"
grep -q 'tuned computes wrongly' log || fail "a wrong kernel was believed"
grep -q '"ours": "untuned"' out || fail "the right kernel took no part"
grep -q '"tuned":' out && fail "the wrong kernel took part"
grep -Eq '"peak": [1-9]' out || fail "no peak"
[ "$(grep -o '[{]' out | wc -l)" = "$(grep -o '[}]' out | wc -l)" ] || fail "no JSON"

if "$SQUALL_BUILD/bench-gemm" --nonsense 2>log; then
    fail "an unknown option was taken"
fi
