# Sourced by the scripts of this folder. Each gets an empty folder, and says all that is wrong before it
# ends: the last line of a script is `exit $bad`.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
bad=0

complain() {
    [ ! -s log ] || cat log
    echo "FAILED: $*"
    bad=1
}

. "$SQUALL_SOURCE/tests/cuda/nvcc.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
# refused MESSAGE arguments: compile says no, and why.
refused() {
    want=$1
    shift
    "$SQUALL" compile "$@" -o x.cu >out 2>&1 && complain "accepted: $*"
    grep -q -- "$want" out || { cat out; complain "expected '$want': $*"; }
}

# product NAME TYPE SUM LAYOUT [RESULT]: C = A B, either stored transposed (t).
product() {
    a='A[M][K]' x='A[i][k]' b='B[K][N]' y='B[k][j]' result=${5:-$3}
    case $4 in t?) a='A[K][M]' x='A[k][i]' ;; esac
    case $4 in ?t) b='B[N][K]' y='B[j][k]' ;; esac
    cat <<END
#include "squall.h"
#pragma squall fp $([ $2 = f32 ] && echo fast || echo reassoc)
kernel $1(int M, int N, int K, const $2 $a, const $2 $b, $result C[M][N])
{
    idx i, j, k;
    C[i][j] = ($result)sum(($3)$x * ($3)$y, k);
}
END
}
# batch: of products, with several reductions, part of an operand, old values, and another statement on the sums.
batch() {
    cat <<'END'
#include "squall.h"
kernel batch(int B, int M, int N, int K, const bf16 X[B][3][M][K + 9], const bf16 W[3][K + 9][N], const f32 bias[N],
             f32 S[B][M][N], bf16 Y[B][M][N])
{
    idx b, i, j, r, k;
    range(k, 2, K);
    S[b][i][j] = 2.0f * S[b][i][j] + sum((f32)X[b][r][i][k + 1] * (f32)W[r][k][j], r, k);
    Y[b][i][j] = (bf16)tanhf(S[b][i][j] + bias[j]);
}
END
}
