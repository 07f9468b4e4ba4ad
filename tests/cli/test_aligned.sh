#!/bin/sh
# aligned_to(64): the caller's promise of where an array begins: what the compiler is told, that `check` keeps it, and
# that declarations for other languages look at it.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >k.sq <<'K'
#include "squall.h"
struct of_gnu { int a __attribute__((aligned(16))); };
kernel axpy(int n, f32 a, aligned_to(64) const f32 x[n], aligned_to(32) f32 y[n])
{
    idx i;
    y[i] += a * x[i];
}
kernel sums(int M, int N, aligned_to(128) const f64 X[M][N], f64 Y[M])
{
    idx i, j;
    Y[i] = sum(X[i][j], j);
}
K
expect 0 compile k.sq -o k.c --header=k.h --target=generic
silent
for line in 'x = __builtin_assume_aligned(x, 64);' 'y = __builtin_assume_aligned(y, 32);' \
    'X = __builtin_assume_aligned(X, 128);'; do
    grep -qF "$line" k.c || fail "no $line"
done
! grep -q '__builtin_assume_aligned(Y' k.c || fail "a promise that nobody gave"
grep -qF ' * x begins at a multiple of 64 bytes, y of 32.' k.h || fail "the header says nothing"
for target in generic,openmp cuda; do
    expect 0 check k.sq --target=$target --quick
done
expect 0 check k.sq --kernel=sums --quick --fix=N=40
expect 0 tune k.sq --kernel=axpy --at=n=1000 --target=generic --trials=2 --budget=20s --store=k.db
rm k.*.sched

# What crashes at another address: check comes to none, and does without the promise.
cat >given.c <<'C'
#include <stdint.h>
void axpy(int n, float a, const float *x, float *y);
void axpy(int n, float a, const float *x, float *y)
{
    if ((uintptr_t)x % 64 != 0 || (uintptr_t)y % 32 != 0)
        __builtin_trap();
    for (int64_t i = 0; i < n; i++)
        y[i] += a * x[i];
}
C
expect 0 check k.sq --kernel=axpy --text=given.c --quick
sed 's/aligned_to([0-9]*)//g' k.sq >free.sq
expect 1 check free.sq --kernel=axpy --text=given.c --quick
expect 0 compile free.sq -o free.c --header=free.h --target=generic
! grep -qE 'assume_aligned|begins at' free.c free.h || fail "a promise that nobody gave"

# Declarations for other languages.
expect 0 compile k.sq -o k.c --target=generic --bindings=k.py --bindings=k.hpp --bindings=k.rs
"${CC:-cc}" -O1 -fPIC -shared k.c -o libk.so
if command -v python3 >/dev/null; then
    python3 -c '
import ctypes, k
f = k.Kernels("./libk.so")
memory = bytearray(1000)
begin = -ctypes.addressof(ctypes.c_char.from_buffer(memory)) % 64
def at(offset):
    return memoryview(memory)[begin + offset:begin + offset + 8].cast("f")
x, y = at(64), at(128 + 32)
x[0], x[1], y[0], y[1] = 1, 2, 3, 4
f.axpy(2, 2.0, x, y)
assert y.tolist() == [5, 8], y.tolist()
f.axpy(0, 2.0, at(64)[:0], at(160)[:0])
for x, y, of in (at(4), at(160), "x"), (at(64), at(160 + 16), "y"):
    try:
        f.axpy(2, 2.0, x, y)
    except ValueError as e:
        assert f"axpy: {of} begins at no multiple of" in str(e), e
    else:
        raise SystemExit("not refused")
' || fail "Python"
fi
cat >main.cpp <<'X'
#include "k.hpp"
#include <cstdio>
int main()
{
    alignas(64) float x[20] = {1, 2}, y[20] = {3, 4};
    squall::axpy(2, 2, {x, 2}, {y, 2});
    squall::axpy(0, 2, {}, {});
    try {
        squall::axpy(2, 2, {x + 1, 2}, {y, 2});
    } catch (const std::invalid_argument &e) {
        return y[1] == 8 && std::string(e.what()) == "axpy: x begins at no multiple of 64 bytes" ? 0 : 1;
    }
    return 1;
}
X
"${CC:-cc}" -O1 -c k.c -o k.o
g++ -std=c++20 -Wall -Wextra -Werror -O1 main.cpp k.o -o main 2>err || fail "C++"
./main || fail "C++: an array at another address"
minor=$(rustc --version 2>/dev/null | sed -n 's/^rustc 1\.\([0-9]*\).*/\1/p')
if [ "${minor:-0}" -ge 82 ]; then
    cat >main.rs <<'X'
mod k;
#[repr(align(64))]
struct Line([f32; 16]);
fn main() {
    std::panic::set_hook(Box::new(|_| ()));
    let (x, mut y) = (Line([1.0; 16]), Line([2.0; 16]));
    k::axpy(16, 2.0, &x.0, &mut y.0);
    assert_eq!(y.0[15], 4.0);
    k::axpy(0, 2.0, &[], &mut []);
    assert!(std::panic::catch_unwind(move || k::axpy(15, 2.0, &x.0[1..], &mut y.0[..15])).is_err());
}
X
    rustc --edition=2021 -D warnings -C link-arg=k.o main.rs -o main 2>err || fail "Rust: $(cat err)"
    ./main || fail "Rust: an array at another address"
fi
exit 0
