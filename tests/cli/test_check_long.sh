#!/bin/sh
# squall check of text that was given, and that is wrong where 16 bits count a size: of whoever keeps lengths in a
# short. Some show at sizes that a sign makes negative, some at 65536 alone, some in the text for a full register
# tile, for sums of nothing, or for sizes that an assumption excludes.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

# wrong NAME EDIT SIZES: NAME.c, as squall writes it, is right, and wrong there after the edit.
wrong() { mutant "$1.c" "$2" "[.]c: $1 $3"; }

cat >ends.sq <<'Q'
#include "squall.h"
kernel ends(int N, const f32 A[N], f32 C[N]) { idx i; C[i] = 3 * A[i]; }
Q
expect 0 compile ends.sq -o ends.c --target=generic
expect 0 check ends.sq --target=generic --text=ends.c --quick
wrong ends 's/return N >= 0;/return (short)N >= 0;/' ''
wrong ends 's/static int ends_fits(int64_t N)/static int ends_fits(short N)/' ''
wrong ends 's/if (!ends_fits(N))/if (!ends_fits(N) || (N \&\& !(uint16_t)N))/' 'N=65536: '
found ends.sq --target=generic --quick

# Rows are long, and there are many of them: in each way one full tile and one that is not.
cat >lin.sq <<'Q'
#include "squall.h"
kernel lin(int M, int N, const f32 A[M][N], const f32 X[N], f32 Y[M])
{
    idx i, j;
    Y[i] = relu(sum(A[i][j] * X[j], j));
}
Q
expect 0 compile lin.sq -o lin.c --target=generic
expect 0 check lin.sq --target=generic --text=lin.c
wrong lin 's/if (M >= 1)/if ((short)M >= 1)/' ''
wrong lin 's/A_s0, N, 8, 1);/A_s0, (short)N, 8, 1);/' ''
wrong lin 's/A_s0, N, n_i, 0);/A_s0, (short)N, n_i, 0);/' ''
wrong lin 's/i < M; i += 8/i < (N ? M : (short)M); i += 8/' 'M=65603,N=0: '
found lin.sq --target=generic --quick

# Sizes that an assumption excludes: they have text of their own.
cat >even.sq <<'Q'
#include "squall.h"
kernel even(int M, int N, const f32 A[M][N], f32 Y[M])
{
    assume(M % 16 == 0);
    idx i, j;
    Y[i] = sum(A[i][j], j);
}
Q
expect 0 compile even.sq -o even.c --target=generic
expect 0 check even.sq --target=generic --text=even.c
wrong even '/ even_fallback_nest(/,/^}/s/i < M; i++/i < (short)M; i++/' 'M='
wrong even '/ even_fallback_nest(/,/^}/s/if (N >= 1)/if ((short)N >= 1)/' 'M='
wrong even '/ even_fallback_nest(/,/^}/{/nothing to reduce/{n;s/i < M; i++/i < (short)M; i++/}}' 'M='
wrong even 's/return M >= 0 \&\& N >= 0;/return (short)M >= 0 \&\& N >= 0;/' 'M='
wrong even 's/return M >= 0 .* M % 16 == 0;/return (short)M >= 0 \&\& N >= 0 \&\& M % 16 == 0;/' 'M='
found even.sq --target=generic
