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
