#!/bin/sh
# Attention and softmax by tiles (online) against double, at magnitudes where exp overflows.
set -eu
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
source=$SQUALL_SOURCE/tests/exec
for tile in 1 8 16; do
    "$SQUALL" compile "$SQUALL_SOURCE/samples/attention.sq" --target=generic -o attention.c \
        -e "inline(S2) online(S1, j:$tile) S4: tile(i:4) S1: tile(i:4) S0: tile(i:4) S3: tile(i:4)
            S1_exp: tile(i:4) S0: order(h, i0, jt, i) S1: order(h, i0, jt, i) S1_exp: order(h, i0,
            jt, i) micro(j:8) S3: order(h, i0, jt, i) S4: order(h, i0, jt, i) micro(i:4, d:4 | j)"
    "$SQUALL" compile "$source/online.sq" --kernel=soft --target=generic -o soft.c \
        -e "inline(S1) online(S0, j:$tile) S0: micro(| j) vectorize(j:8) S2: micro(| j)"
    "$SQUALL" compile "$source/online.sq" --kernel=log_sum --target=generic -o log_sum.c \
        -e "online(S0, j:$tile) S0_exp: micro(j:8)"
    "$CC" -O1 -Wall -Werror "$source/online_main.c" attention.c soft.c log_sum.c -lm -o online
    ./online || { echo "with tiles of $tile"; exit 1; }
done
if "$SQUALL" compile "$source/online.sq" --kernel=everything -o x.c -e 'S1: pack(most at top)' 2>err
then echo "a copy of a single value was made"; exit 1; fi
grep -q 'most is a single value' err || { cat err; exit 1; }

# What would see another value than as written is refused.
refused() {
    if "$SQUALL" compile "$source/online.sq" --kernel="$1" -e "$2" -o x.c 2>err
    then echo "$1 takes $2"; exit 1; fi
    grep -q "$3" err || { cat err; exit 1; }
}
refused before_value 'online(S1, j:8)' 'S3 stands between and shares an array with S2,'
refused before_after 'online(S1, j:8)' 'S3 stands between and shares an array with S2,'
refused before_write 'online(S0, j:8)' 'S2 stands between and shares an array with S1,'
refused overlapping 'online(S0, j:8)' 'it needs arrays that do not overlap'
refused soft 'online(S1, j:8)' 'S1 is no maximum over one index'

# Below its promise the kernel is computed as it was described.
cat >promised_main.c <<'END'
#include <math.h>
#include <stdio.h>
void promised(int, int, const float *, float *);
void promised_both(int, int, const float *, float *, float *);
int main(void)
{
    for (int N = 1; N <= 17; N++) {
        float X[3 * 17], Y[3], Z[3], most[3];
        for (int i = 0; i < 3 * N; i++)
            X[i] = (float)(i * 7 % 11) - 5;
        promised(3, N, X, Y);
        promised_both(3, N, X, Z, most);
        for (int i = 0; i < 3; i++) {
            double top = -INFINITY, sum = 0;
            for (int j = 0; j < N; j++)
                top = fmax(top, X[i * N + j]);
            for (int j = 0; j < N; j++)
                sum += exp(X[i * N + j] - top);
            if (fabs(Y[i] - sum) > 1e-5 * sum || fabs(Z[i] - sum) > 1e-5 * sum || most[i] != top)
                return printf("N=%d: %g, %g and %g, not %g, %g\n", N, Y[i], Z[i], most[i], sum, top);
        }
    }
    return 0;
}
END
for name in promised promised_both; do
    "$SQUALL" compile "$source/online.sq" --kernel="$name" --target=generic -o "$name.c" \
        -e 'online(S0, j:8)'
done
"$CC" -O1 -Wall -Werror promised_main.c promised.c promised_both.c -lm -o promised
./promised
