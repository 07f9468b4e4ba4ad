#!/bin/sh
# squall compile --errors=return: functions return codes. Where sizes are not accepted, or there is no memory, nothing has
# changed and the program goes on.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >k.sq <<'K'
#include "squall.h"
kernel mul(int M, int N, int K, const f32 A[M][K], const f32 B[K][N], f32 C[M][N])
{
    idx i, j, k;
    C[i][j] = sum(A[i][k] * B[k][j], k);
}
kernel turn(int n, const f32 x[n], f32 y[n]) /* other text for other sizes, with memory */
{
    idx i;
    f32 t[n];
    assume(n % 2 == 0);
    for (int j = 0; j < n; j++)
        t[j] = x[j] * 2;
    for (int j = 0; j < n; j++)
        y[j] = t[n - 1 - j];
}
kernel twice(int n, int m, const f32 x[m], f32 y[n]) /* the same without; sizes that are not accepted */
{
    idx i;
    assume(n >= 8 && m >= n + 1);
    y[i] = x[i] + x[i + 1];
}
K
cat >main.c <<'C'
#include HEADER
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { MOST = 200 };
static float a[MOST * MOST], b[MOST * MOST], c[MOST * MOST], old[MOST * MOST];
static int without;
void *test_calloc(size_t n, size_t bytes);
void *test_calloc(size_t n, size_t bytes)
{
    return without ? NULL : calloc(n, bytes);
}
#define EXPECT(e) ((e) ? 0 : (printf("line %d: %s\n", __LINE__, #e), exit(1), 1))

int main(void)
{
    static const int odd[] = {0, 1, 2, 3, 7, 13, 31, 33, 199};
    for (int i = 0; i < MOST * MOST; i++)
        a[i] = (float)(i % 7), b[i] = (float)(i % 5), c[i] = 9;
    memcpy(old, c, sizeof c);
    without = 1;
    EXPECT(mul(199, 199, 199, a, b, c) == SQUALL_ERROR_MEMORY && memcmp(old, c, sizeof c) == 0);
    EXPECT(turn(30000, a, c) == SQUALL_ERROR_MEMORY && turn(30001, a, c) == SQUALL_ERROR_MEMORY);
    EXPECT(memcmp(old, c, sizeof c) == 0);
    EXPECT(twice(9, 9, a, c) == SQUALL_ERROR_SIZES && twice(7, 3, a, c) == SQUALL_ERROR_SIZES);
    EXPECT(mul(-1, 2, 2, a, b, c) == SQUALL_ERROR_SIZES && memcmp(old, c, sizeof c) == 0);
#ifdef SQUALL_VIEWS
    /* Copies are there, and the kernel's own memory is not. */
    squall_const_f32_1d x = {a, {30000}, {1}};
    squall_f32_1d y = {c, {30000}, {1}};
    EXPECT(turn_views(x, y) == SQUALL_VIEWS_MEMORY && memcmp(old, c, sizeof c) == 0);
#endif
    without = 0;
    EXPECT(turn(-1, a, c) == SQUALL_ERROR_SIZES && turn(-2, a, c) == SQUALL_ERROR_SIZES);
    EXPECT(memcmp(old, c, sizeof c) == 0);
    for (int s = 0; s < 9; s++) {
        const int n = odd[s];
        EXPECT(twice(n, n + 1, a, c) == 0 && turn(n, a, b) == 0);
        for (int i = 0; i < n; i++)
            EXPECT(c[i] == a[i] + a[i + 1] && b[i] == 2 * a[n - 1 - i]);
        EXPECT(mul(n, 3, n, a, b, c) == 0 && (n == 0 || isfinite(c[0])));
    }
    EXPECT(mul(199, 199, 199, a, b, c) == 0);
    return 0;
}
C
# try NAME options...
try() {
    name=$1
    shift
    expect 0 compile k.sq --errors=return -o "$name.c" --header="$name.h" "$@"
    "${CC:-cc}" -std=gnu11 -Wall -Wextra -Wpedantic -Wconversion -Werror -O1 -Dcalloc=test_calloc -c "$name.c" -o "$name.o" 2>err ||
        fail "$name does not compile"
    "${CC:-cc}" -std=gnu11 -Wall -Wextra -Werror -O1 "-DHEADER=\"$name.h\"" main.c "$name.o" -lm -o main 2>err || fail "$name: main.c"
    ./main || fail "$name"
}
try plain --target=generic
grep -qF 'int mul(int M, int N, int K, const float *A, const float *B, float *C);' plain.h || fail "no int in the header"
grep -qF 'SQUALL_ERROR_MEMORY = 2' plain.h || fail "no codes in the header"
! grep -q 'abort\|perror\|stdio' plain.c || fail "it ends the program"
expect 0 check k.sq --text=plain.c --target=generic --quick
try views --target=generic --views
try tasks --target=generic,tasks
try several --target=generic --at=M=9,N=9,K=9,n=8,m=9 --at=M=512,N=512,K=512,n=800,m=900
try targets --targets=generic,avx2 --target-names
grep -q 'int mul_avx2(int M' targets.h || fail "no int for one target"
expect 0 compile k.sq --errors=return --static --single-header=static.h --target=generic
grep -q '^static .*int mul(int M' static.h || fail "no int in a static file"
expect 0 compile k.sq -o void.c --header=void.h --target=generic
grep -q '^void mul(int M' void.h || fail "a code that nobody wanted"
expect 0 compile k.sq --errors=return --target=generic -o plain.c --header=plain.h --check

# Other languages.
expect 0 compile k.sq --errors=return --target=generic -o k.c --bindings=k.py --bindings=k.hpp --bindings=k.rs
"${CC:-cc}" -O1 -fPIC -Dcalloc=test_calloc -c k.c -o k.o
cat >none.c <<'C'
#include <stddef.h>
void *test_calloc(size_t n, size_t bytes);
void *test_calloc(size_t n, size_t bytes)
{
    return n + bytes > 0 ? NULL : &bytes;
}
C
"${CC:-cc}" -O1 -w -fPIC -c none.c -o none.o
"${CC:-cc}" -shared k.o none.o -o libk.so
! command -v python3 >/dev/null || python3 -c '
import array, k
f = k.Kernels("./libk.so")
x, y = array.array("f", [1] * 30000), array.array("f", [2] * 30000)
f.twice(29999, 30000, x, y[:29999])
try:
    f.turn(30000, x, y)
except MemoryError as e:
    assert str(e) == "turn: no memory to work in", e
else:
    raise SystemExit("not refused")
' || fail "Python"
cat >main.cpp <<'X'
#include "k.hpp"
#include <vector>
int main()
{
    std::vector<float> x(30000, 1), y(30000);
    squall::twice(29999, 30000, x, {y.data(), 29999});
    try {
        squall::turn(30000, x, y);
    } catch (const std::bad_alloc &) {
        return y[29998] != 2;
    }
    return 1;
}
X
g++ -std=c++20 -Wall -Wextra -Werror -O1 main.cpp k.o none.o -o main 2>err || fail "C++"
./main || fail "C++: no exception"
minor=$(rustc --version 2>/dev/null | sed -n 's/^rustc 1\.\([0-9]*\).*/\1/p')
if [ "${minor:-0}" -ge 82 ]; then
    cat >main.rs <<'X'
mod k;
fn main() {
    std::panic::set_hook(Box::new(|_| ()));
    let (x, mut y) = (vec![1.0f32; 30000], vec![0.0f32; 30000]);
    k::twice(29999, 30000, &x, &mut y[..29999]);
    assert_eq!(y[29998], 2.0);
    assert!(std::panic::catch_unwind(move || k::turn(30000, &x, &mut y)).is_err());
}
X
    rustc --edition=2021 -D warnings -C link-arg=k.o -C link-arg=none.o main.rs -o main 2>err || fail "Rust"
    ./main || fail "Rust: no panic"
fi

# What has codes already, or none to return.
expect 64 compile k.sq --errors=return --target=cuda -o k.cu
says "--errors: functions of CUDA return a cudaError_t in any case"
printf 'void f(int n, float *x)\n{\n#pragma scop\n    for (int i = 0; i < n; i++)\n        x[i] = 1;\n#pragma endscop\n}\n' >old.c
expect 64 compile old.c --errors=return -o new.c
says "--errors is for kernels"
exit 0
