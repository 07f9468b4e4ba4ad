#!/bin/sh
# squall check: what K_in, K_workspace and K_accepts say of sizes that are not taken, and of those that are; memory
# that calls leave behind, and temporaries where their type may not stand.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

cat >norm.sq <<'K'
#include "squall.h"
kernel norm(int M, int N, const f32 X[M][N], f64 Y[M][N])
{
    idx i, j;
    f32 m[M];
    f64 s[M];
    assume(N >= 1 && M <= 4000);
    m[i] = rmax(X[i][j], j);
    s[i] = sum((f64)X[i][j] * m[i], j);
    Y[i][j] = X[i][j] * m[M - 1 - i] / (s[i] * s[M - 1 - i] + 1);
}
kernel cube(int A, int B, int C, const f32 X[A][B][C], f32 Y[A][B][C])
{
    idx a, b, c;
    f32 m[A][B];
    m[a][b] = sum(X[a][b][c], c);
    Y[a][b][c] = m[A - 1 - a][b] * X[a][b][c];
}
kernel turn(int M, int N, int K, const f32 X[M][N][K], f32 Y[K][M][N])
{
    idx a, b, c;
    Y[c][a][b] = X[a][b][c];
}
kernel wide(int64_t N, const f32 X[N], f32 Y[N])
{
    idx i;
    assume(N % 4 == 0);
    Y[i] = 2 * X[i];
}
K
expect 0 check norm.sq --target=generic
# The same names as parameters, and without some of the functions.
cat >names.sq <<'K'
#include "squall.h"
kernel k(int n, const f32 k_in[n], const f32 k_accepts[n], f32 k_workspace[n])
{
    idx i;
    f32 t[n];
    assume(n <= 900);
    t[i] = k_in[i] * k_accepts[i];
    k_workspace[i] = sum(t[i], i) + t[i];
}
K
sed -i 's/sum(t\[i\], i) + //' names.sq
expect 0 check names.sq --target=generic --quick

# faulty FUNCTION EDIT WHAT: the edit in that function alone, for the next `found_in` of its kernel.
faulty() { mutant "${1%%_*}.c" "/[ *]$1(.*)\$/,/^}/{$2};/[ *]$1(.*) { .* }\$/{$2}" "$3"; }
found_in() { found norm.sq --kernel="$1" --target=generic --quick; }
for k in norm cube turn wide; do
    expect 0 compile norm.sq --kernel=$k -o $k.c --target=generic
done
for k in norm cube; do
    faulty ${k}_in '/_fits(/{n;s/return .*;/return 0;/}' ": wrong: ${k}_in does not refuse "
    faulty ${k}_in '/if (!workspace)/{n;s/return 1;/return 0;/};/!workspace ||/s/!workspace || //' ": wrong: ${k}_in does not refuse NULL"
    faulty ${k}_in 's/^    return 0;/    return 1;/' ': crashed: abort'
    faulty ${k}_workspace 's/ : [^:]*; }/ : 1024; }/' ": wrong: ${k}_workspace does not refuse "
    [ $k = cube ] || found_in $k
done
faulty cube_accepts 's/return .*;/return 1;/' ": wrong: cube_accepts does not refuse "
faulty cube_accepts 's/return .*;/return 0;/' ": wrong: cube_accepts refuses "
faulty cube_fits 's/>= 0 &&/>= -1 \&\&/' ': wrong: cube_'
faulty cube_fits '/elements of/s/return 0;/;/' ': crashed: '

# A block of which the last bytes are missing.
faulty cube_take 's/sizeof \*b + bytes/bytes - 64/' ': wrong: writes past the end of memory that it allocated'

# A block that is too small for the next call, one that is not kept, and those that are when the library ends.
faulty cube_take 's/free(b);/;/' "bytes of malloc's are in use behind all calls"
faulty cube_give 's/b->bytes <= [0-9]*/0/;s/free(b);/;/' "bytes"
faulty cube_drop 's/free(/(void)(/' "bytes of malloc's are in use behind all calls"
found_in cube

faulty wide_accepts 's/return .*;/return 1;/' ': wrong: wide_accepts does not refuse '
found_in wide

# Two of three sizes as large as can be, beside 0 and 1.
faulty turn_fits 's/((int64_t)(K)/((int64_t)(M)/' ': wrong: turn_accepts refuses M='
faulty turn_fits 's/((int64_t)(N)/((int64_t)(K)/' ': wrong: turn_accepts refuses M='
faulty turn_fits '0,/(N)/s/(N)/(M)/' ': wrong: turn_accepts refuses M='
found_in turn

# Temporaries that begin between elements.
unaligned() {
    mutant norm.c "/^[A-Za-z_ ]*[ *]$1(/,/^}/s/$2/$3/" \
        ': crashed: an access at an address that is not aligned as its type is'
}
unaligned norm_lines '(n + 63) \/ 64 \* 64' '(n + 64) \/ 65 * 65'
unaligned norm_start '+ (-(uintptr_t)memory & 63)' '+ (-(uintptr_t)memory \& 62)'
found norm.sq --kernel=norm --target=generic
