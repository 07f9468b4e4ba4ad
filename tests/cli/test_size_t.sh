#!/bin/sh
# Sizes declared size_t: the prototypes have what the author wrote, sizes of all types are computed with alike, and what
# no int64_t holds is refused with the codes for sizes.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >k.sq <<'K'
#include "squall.h"
typedef size_t length;
kernel scaled(size_t n, f32 a, const f32 x[n], f32 y[n])
{
    idx i;
    y[i] += a * x[i];
}
kernel second(const size_t rows, int columns, int64_t most, length n, const f64 x[rows][n], f64 y[rows][n - 2],
              f64 z[most], f64 w[(n - 1) / 2 + 1])
{
    idx i, j, l;
    assume(columns >= 0 && most >= 2);
    assume(columns <= n);
    const size_t last = n;
    for (int c = 0; c < columns; c++)
        for (size_t r = 0; r < rows; r++)
            z[1] += x[r][c] * (last - 1);
    range(j, 0, n - 2);
    y[i][j] = x[i][j] - 2 * x[i][j + 1] + x[i][j + 2];
    w[l] = n - l;
}
kernel steps(size_t t, size_t n, f32 x[n])
{
    idx i;
    f32 y[n];
    assume(n >= 8);
    for (size_t s = t; s-- > 0;) {
        y[i] = 0.5f * x[i];
        x[i] = y[i] + 1;
    }
}
K
expect 0 compile k.sq -o k.c --header=k.h --target=generic --views --bindings=k.py --bindings=k.hpp --bindings=k.rs
silent
for line in 'void scaled(size_t n, float a, const float *x, float *y);' 'int scaled_accepts(size_t n);' \
    'size_t scaled_workspace(size_t n);' 'int scaled_in(size_t n, float a, const float *x, float *y, void *workspace);' \
    'void second(size_t rows, int columns, int64_t most, size_t n, const double *x, double *y, double *z, double *w);' \
    'int steps_views(size_t t, squall_f32_1d x);'; do
    grep -qF "$line" k.h || fail "no $line"
done
for cc in "${CC:-cc}" clang-19; do
    ! command -v "$cc" >/dev/null || for flags in --views --target=generic,tasks --at=n=4\ --at=n=1000\ --kernel=scaled --fix=n=8\|9\ --kernel=scaled; do
        # shellcheck disable=SC2086
        expect 0 compile k.sq $flags -o flags.c --header=flags.h
        "$cc" -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror -O1 -c flags.c -o flags.o 2>err || fail "$cc, $flags"
    done
done
for target in generic generic,tasks cuda; do
    expect 0 check k.sq --target=$target --quick
done
expect 0 check k.sq --kernel=steps --target=generic
expect 0 check k.sq --kernel=scaled --target=generic --at=n=4 --at=n=1000 --quick

cat >main.c <<'C'
#include "k.h"
#include <stdio.h>
#include <string.h>
enum { MOST = 40 };
static double x[MOST * MOST], y[MOST * MOST], z[MOST], w[MOST];

static int wrong_second(size_t rows, int columns, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < rows * n; i++)
        x[i] = (double)(i * i % 17);
    z[1] = 0;
    for (int c = 0; c < columns; c++)
        for (size_t r = 0; r < rows; r++)
            sum += x[r * n + (size_t)c] * (double)(n - 1);
    second(rows, columns, 2, n, x, y, z, w);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j + 2 < n; j++)
            if (y[i * (n - 2) + j] != x[i * n + j] - 2 * x[i * n + j + 1] + x[i * n + j + 2])
                return 1;
    for (size_t l = 0; l < (n - 1) / 2 + 1; l++)
        if (w[l] != (double)(n - l))
            return 1;
    return z[1] != sum;
}

static int wrong_refusals(void)
{
    static const size_t far[] = {SIZE_MAX, SIZE_MAX - 1, (size_t)INT64_MAX + 1, (size_t)INT64_MAX, (size_t)1 << 60};
    float a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b[8] = {1, 1, 1, 1, 1, 1, 1, 1}, old[8];
    memcpy(old, b, sizeof b);
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        if (scaled_accepts(far[i]) || scaled_in(far[i], 2, a, b, NULL) != 1)
            return 1;
        scaled(far[i], 2, a, b);
        steps(far[i], 8, b);
        if (steps_views(far[i], (squall_f32_1d){b, {8}, {1}}) != SQUALL_VIEWS_SIZES)
            return 1;
    }
    return memcmp(old, b, sizeof b) != 0 || !scaled_accepts(8) || steps_views(0, (squall_f32_1d){b, {8}, {1}}) != 0;
}

int main(void)
{
    static const int odd[] = {2, 3, 7, 13, 31, 33};
    for (int r = 0; r < 6; r++)
        for (int n = 0; n < 6; n++)
            if (wrong_second((size_t)odd[r], odd[n] - 1, (size_t)odd[n]))
                return printf("%d x %d\n", odd[r], odd[n]), 1;
    return wrong_refusals() ? printf("refusals\n"), 1 : 0;
}
C
"${CC:-cc}" -std=c11 -Wall -Wextra -Wconversion -Werror -O1 main.c k.c -lm -o main 2>err || fail "main.c"
./main || fail "results"

# Other languages.
"${CC:-cc}" -O1 -fPIC -shared k.c -lm -o libk.so
! command -v python3 >/dev/null || python3 -c '
import array, ctypes, k
f = k.Kernels("./libk.so")
x, y = array.array("f", [1, 2, 3]), array.array("f", [1, 1, 1])
assert f._scaled.argtypes[0] is ctypes.c_size_t
f.scaled(3, 2.0, x, y)
assert y.tolist() == [3, 5, 7], y.tolist()
for n in -1, 1 << 63, 1 << 64:
    try:
        f.scaled(n, 2.0, x, y)
    except ValueError:
        continue
    raise SystemExit("not refused")
' || fail "Python"
cat >main.cpp <<'X'
#include "k.hpp"
int main()
{
    float x[3] = {1, 2, 3}, y[3] = {1, 1, 1};
    squall::scaled(3, 2, x, y);
    try {
        squall::scaled(SIZE_MAX, 2, x, y);
    } catch (const std::invalid_argument &) {
        return y[2] != 7;
    }
    return 1;
}
X
"${CC:-cc}" -O1 -c k.c -o k.o
g++ -std=c++20 -Wall -Wextra -Wconversion -Werror -O1 main.cpp k.o -lm -o main 2>err || fail "C++"
./main || fail "C++: results"
# A region whose size has no sign: nothing changes signs in the author's lines.
cat >region.c <<'X'
#include <stddef.h>
void ema(float *y, const float *x, size_t n, unsigned long long m, float a);
void ema(float *y, const float *x, size_t n, unsigned long long m, float a)
{
#pragma scop
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            y[i] = a * x[i] + (1.0f - a) * y[i];
#pragma endscop
}
X
expect 0 compile region.c --target=generic -o new.c
for cc in "${CC:-cc}" clang-19; do
    $cc -std=c11 -Wall -Wextra -Wconversion -Wsign-conversion -Werror -Wno-unknown-pragmas -O1 -c new.c 2>err || fail "$cc"
done
minor=$(rustc --version 2>/dev/null | sed -n 's/^rustc 1\.\([0-9]*\).*/\1/p')
if [ "${minor:-0}" -ge 82 ]; then
    cat >main.rs <<'X'
mod k;
fn main() {
    std::panic::set_hook(Box::new(|_| ()));
    let (x, mut y) = ([1.0f32, 2.0, 3.0], [1.0f32; 3]);
    k::scaled(x.len(), 2.0, &x, &mut y);
    assert_eq!(y, [3.0, 5.0, 7.0]);
    assert!(std::panic::catch_unwind(move || k::scaled(usize::MAX, 2.0, &x, &mut y)).is_err());
}
X
    rustc --edition=2021 -D warnings -C link-arg=k.o -C link-arg=-lm main.rs -o main 2>err || fail "Rust"
    ./main || fail "Rust: results"
fi
exit 0
