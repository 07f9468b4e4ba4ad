#!/bin/sh
# --views with --bindings: arrays with strides from C++, Python and Rust. A language that is not there, or too old, is
# said.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

cat >mixed.sq <<'K'
#include "squall.h"
kernel scaled(int M, int N, f64 in, const f64 A[M][N], f64 self[M][N])
{
    idx i, j;
    self[i][j] = in * A[i][j];
}
kernel rows(int M, int N, int ld, const uint8_t lambda[M][ld], int32_t sums[M])
{
    idx i, j;
    assume(ld >= N);
    range(j, 0, N);
    sums[i] = sum((int32_t)lambda[i][j], j);
}
kernel steps(int T, int N, f16 X[N], int64_t first[1][1][1])
{
    idx i;
    for (int t = 0; t < T; t++)
        X[i] = 2 * X[i];
    first[0][0][0] = (int64_t)T;
}
K
all="--bindings=mixed.rs --bindings=mixed.py --bindings=mixed.hpp"
expect 0 compile mixed.sq --views -o mixed.c --header=mixed.h --target=generic $all
silent
"${CC:-cc}" -O1 -fPIC -shared mixed.c -o libmixed.so
"${CC:-cc}" -O1 -c mixed.c -o mixed.o
expect 0 compile mixed.sq -o other.c --target=generic --prefix=other_ --bindings=other.hpp --bindings=other.py --bindings=other.rs
grep '_views\|_View\|strided' other.* && fail "there are views without the option"

cat >main.cpp <<'X'
#include "other.hpp"
#include "mixed.hpp"
#include "mixed.h"
#include <cstdio>
#include <vector>
/* As std::mdspan has it. */
struct spanned {
    double *data;
    static constexpr std::size_t rank() { return 2; }
    double *data_handle() const { return data; }
    int extent(std::size_t i) const { return i ? 3 : 2; }
    int stride(std::size_t i) const { return i ? 2 : 1; }
};
template <class F> static void refused(F f)
{
    try {
        f();
    } catch (const std::invalid_argument &e) {
        return;
    }
    std::puts("not refused");
    std::exit(1);
}
int main()
{
    std::vector<double> a{1, 2, 3, 4, 5, 6}, b(6), c(6);
    squall::strided<double, 2> dense(a.data(), {2, 3}), turned(b.data(), {2, 3}, {1, 2});
    squall::scaled_views(2.0, dense, turned);
    squall::scaled_views(2.0, spanned{b.data()}, spanned{c.data()});
    std::vector<std::byte> w(squall::scaled_views_workspace(turned, dense));
    squall::scaled_views_in(0.5, turned, dense, w);
    std::vector<std::uint8_t> u{1, 2, 255, 4, 5, 6};
    std::vector<std::int32_t> s(2);
    squall::rows_views({u.data(), {2, 2}, {3, 1}}, {s.data(), {2}});
    refused([&] { squall::scaled_views(2.0, dense, squall::strided<double, 2>(b.data(), {3, 2})); });
    refused([&] { squall::scaled_views(2.0, dense, dense); });
    try {
        squall::scaled_views(2.0, dense, dense);
    } catch (const std::invalid_argument &e) {
        if (std::string(e.what()) != "scaled_views: A and self overlap")
            return 1;
    }
    refused([&] { squall::scaled_views_in(2.0, turned, dense, std::span<std::byte>()); });
    std::printf("%g %g %g %d %d\n", b[1], c[4], a[5], s[0], s[1]);
}
X
g++ -std=c++20 -Wall -Wextra -Wpedantic -Wconversion -Werror -O1 main.cpp mixed.o -o main 2>err || fail "C++: $(cat err)"
expected="8 12 6 3 9"
[ "$(./main)" = "$expected" ] || fail "C++ gives $(./main), not $expected"

if command -v python3 >/dev/null; then
    cat >main.py <<'X'
import array
import ctypes
import mixed

k = mixed.Kernels("./libmixed.so")


class Strided:
    """What numpy's arrays are to others."""

    def __init__(self, memory, kind, shape, strides=None, offset=0, readonly=False):
        self.memory = memory
        self.__array_interface__ = {"data": (ctypes.addressof(memory) + offset, readonly), "typestr": kind,
                                    "shape": shape, "strides": strides, "version": 3}


def refused(f, *args):
    try:
        f(*args)
    except (ValueError, TypeError) as e:
        return str(e)
    raise SystemExit("not refused")


a, b, c = (ctypes.c_double * 6)(1, 2, 3, 4, 5, 6), (ctypes.c_double * 6)(), (ctypes.c_double * 6)()
A, B, C = Strided(a, "<f8", (2, 3)), Strided(b, "<f8", (2, 3), (8, 16)), Strided(c, "<f8", (2, 3), (-24, 8), 24)
k.scaled_views(2.0, A, B)
k.scaled_views(2.0, B, C)
s = array.array("i", [0, 0])
k.rows_views(Strided((ctypes.c_uint8 * 6)(1, 2, 255, 4, 5, 6), "|u1", (2, 2), (3, 1), 0, True), s)
h, first = (ctypes.c_uint16 * 2)(0x3C00, 0x4000), (ctypes.c_int64 * 1)()
k.steps_views(3, Strided(h, "<f2", (2,), (-2,), 2), Strided(first, "<i8", (1, 1, 1)))
assert list(h) == [0x4800, 0x4C00] and first[0] == 3
assert "scaled_views: self: extent[0] is negative, or not M" == refused(k.scaled_views, 2.0, A, Strided(b, "<f8", (3, 2)))
assert "scaled_views: A and self overlap" == refused(k.scaled_views, 2.0, A, A)
assert "read-only" in refused(k.scaled_views, 2.0, A, Strided(b, "<f8", (2, 3), None, 0, True))
assert "type '<f4'" in refused(k.scaled_views, 2.0, Strided(a, "<f4", (2, 3)), B)
assert "type '>f8'" in refused(k.scaled_views, 2.0, Strided(a, ">f8", (2, 3)), B)
assert "dimensions" in refused(k.scaled_views, 2.0, array.array("d", [0] * 6), B)
assert "multiple" in refused(k.scaled_views, 2.0, Strided(a, "<f8", (2, 2), (8, 12)), B)
assert "no array" in refused(k.scaled_views, 2.0, 3, B)
assert "is -1" in refused(k.steps_views, -1, Strided(h, "<f2", (2,)), Strided(first, "<i8", (1, 1, 1)))
print("%g %g %g %d %d" % (b[1], c[1], a[5], s[0], s[1]))

try:
    import numpy as np
except ImportError:
    print("no numpy here: its arrays were not passed")
    raise SystemExit(0)
X = np.arange(60.0).reshape(6, 10)
before = X.copy()
for A, B in ((X[::2, 1::3], np.zeros((3, 3))), (X.T[:3, ::-1], np.zeros((6, 3), order="C").T),
             (np.broadcast_to(X[0], (4, 10)), np.zeros((8, 20))[::2, ::2]), (X[:, :5], X[:, 5:]),
             (X[:0], np.zeros((0, 10))), (np.asfortranarray(X), np.zeros((6, 10), order="F"))):
    want = 2.0 * A
    k.scaled_views(2.0, A, B)
    assert (B == want).all()
assert (X[:, :5] == before[:, :5]).all()
assert "overlap" in refused(k.scaled_views, 2.0, X[:, :5], X[:, 4:9])
assert "overlap" in refused(k.scaled_views, 2.0, np.zeros((4, 10)), np.lib.stride_tricks.as_strided(X, (4, 10), (0, 8)))
U = np.arange(200, dtype=np.uint8).reshape(10, 20)
s = np.zeros(5, np.int32)
k.rows_views(U[::2, 3:17], s)
assert (s == U[::2, 3:17].astype(np.int32).sum(axis=1)).all()
H = np.ones(7, np.float16)
k.steps_views(2, H[::3], np.zeros((1, 1, 1), np.int64))
assert list(H) == [4, 1, 1, 4, 1, 1, 4]
X
    python3 main.py >found || fail "Python"
    [ "$(head -1 found)" = "8 20 6 3 9" ] || fail "Python gives $(head -1 found), not 8 20 6 3 9"
    sed 1d found
else
    echo "no python3 here: its bindings were not called"
fi

minor=$(rustc --version 2>/dev/null | sed -n 's/^rustc 1\.\([0-9]*\).*/\1/p')
if [ "${minor:-0}" -ge 82 ]; then
    cat >main.rs <<'X'
mod mixed;
use mixed::ffi::*;

fn main() {
    let (a, mut b) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [0.0; 6]);
    let from = squall_const_f64_2d { at: a.as_ptr(), extent: [2, 3], stride: [3, 1] };
    let to = squall_f64_2d { at: b.as_mut_ptr(), extent: [2, 3], stride: [1, 2] };
    let wrong = squall_f64_2d { extent: [3, 2], stride: [2, 1], ..to };
    let codes = unsafe { (scaled_views(2.0, from, to), scaled_views(2.0, from, wrong)) };
    let mut memory = vec![0u8; unsafe { scaled_views_workspace(from, to) }];
    let code = unsafe { scaled_views_in(2.0, from, to, memory.as_mut_ptr().cast()) };
    let words = unsafe { std::ffi::CStr::from_ptr(scaled_views_error(codes.1)) }.to_str().unwrap();
    println!("{} {} {} {} {}", b[1], codes.0, codes.1 & 15, code, words);
}
X
    for edition in 2021 2024; do
        [ $edition = 2021 ] || [ "$minor" -ge 85 ] || continue
        rustc --edition=$edition -D warnings -C link-arg=mixed.o main.rs -o main 2>err || fail "Rust: $(cat err)"
        [ "$(./main)" = "8 0 2 0 self: extent[0] is negative, or not M" ] || fail "Rust gives $(./main)"
    done
else
    echo "no Rust of 1.82 or later here: its bindings were not called"
fi

sed 's/kernel scaled/kernel strided/' mixed.sq >named.sq
expect 64 compile named.sq --views -o no.c --bindings=no.hpp
says "has, with --views, a type called strided"
absent no.c
exit 0
