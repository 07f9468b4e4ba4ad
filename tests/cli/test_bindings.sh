#!/bin/sh
# --bindings: declarations for C++, Python and Rust, called from programs of these; wrong lengths and sizes
# are refused before the function is called. A language that is not there, or too old, is said.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

# Sizes of both widths, a fixed one, a quotient, words of the languages, types of 16 bits; sizes of 2^64 elements.
cat >mixed.sq <<'K'
#include "squall.h"
kernel scaled(int M, int64_t N, f64 in, const f64 A[M][N], f64 self[N + 1][M])
{
    idx i, j;
    range(j, 0, N);
    self[j][i] = in * A[i][j];
}
kernel halved(int N, const f16 lambda[N], f32 match[N / 2])
{
    idx i;
    match[i] = lambda[2 * i] + lambda[2 * i + 1];
}
kernel counted(int N, int K, const uint8_t type[N][K], int32_t out[N], uint64_t total[1])
{
    idx i, k;
    out[i] = sum((int32_t)type[i][k], k);
    total[0] = sum((uint64_t)out[i], i);
}
K
all="--bindings=mixed.rs --bindings=mixed.py --bindings=mixed.hpp"
expect 0 compile mixed.sq -o mixed.c --target=generic --fix=K=3 --prefix=lib_ $all
silent
expect 0 compile mixed.sq -o mixed.c --target=generic --fix=K=3 --prefix=lib_ $all --check
echo >>mixed.py
expect 1 compile mixed.sq -o mixed.c --target=generic --fix=K=3 --prefix=lib_ $all --check
says "mixed.py is stale"
expect 0 compile mixed.sq -o mixed.c --target=generic --fix=K=3 --prefix=lib_ $all
"${CC:-cc}" -O1 -fPIC -shared mixed.c -o libmixed.so
"${CC:-cc}" -O1 -c mixed.c -o mixed.o

cat >main.cpp <<'X'
#include "mixed.hpp"
#include <cstdio>
#include <vector>
template <class F> static void refused(F f)
{
    try {
        f();
    } catch (const std::invalid_argument &) {
        return;
    }
    std::puts("not refused");
    std::exit(1);
}
int main()
{
    std::vector<double> A{1, 2, 3, 4, 5, 6}, B(8);
    squall::lib_scaled(2, 3, 2.0, A, B);
    std::vector<std::uint16_t> h{0x3c00, 0x4000, 0x4200, 0x4400, 0x3c00};
    std::vector<float> f(2);
    squall::lib_halved(5, h, f);
    std::vector<std::uint8_t> t{1, 2, 3, 4, 5, 255};
    std::vector<std::int32_t> o(2);
    std::vector<std::uint64_t> n(1);
    t.insert(t.end(), {7, 8, 9}), o.resize(3);
    std::vector<std::byte> w(lib_counted_workspace(3));
    squall::lib_counted_in(3, t, o, n, w);
    refused([&] { squall::lib_scaled(2, 4, 2.0, A, B); });
    refused([&] { squall::lib_scaled(-2, -3, 2.0, A, B); });
    refused([&] { squall::lib_scaled(1 << 30, INT64_C(1) << 34, 2.0, {}, {}); });
    refused([&] { squall::lib_halved(4, h, f); });
    std::printf("%g %g %g %g %d %d\n", B[0], B[5], f[0], f[1], o[1], (int)n[0]);
}
X
g++ -std=c++20 -Wall -Wextra -Werror -O1 main.cpp mixed.o -o main 2>err || fail "C++: $(cat err)"
expected="2 12 3 7 264 294"
[ "$(./main)" = "$expected" ] || fail "C++ gives $(./main), not $expected"

if command -v python3 >/dev/null; then
    cat >main.py <<'X'
import array
import mixed

k = mixed.Kernels("./libmixed.so")


def refused(f, *args):
    try:
        f(*args)
    except (ValueError, TypeError):
        return
    raise SystemExit("not refused")


A, B = array.array("d", [1, 2, 3, 4, 5, 6]), array.array("d", [0] * 8)
k.lib_scaled(2, 3, 2.0, A, B)
h, f = array.array("H", [0x3C00, 0x4000, 0x4200, 0x4400, 0x3C00]), array.array("f", [0, 0])
k.lib_halved(5, h.tobytes() and memoryview(h).toreadonly(), f)
t, o, n = bytearray([1, 2, 3, 4, 5, 255]), array.array("i", [0, 0]), array.array("Q", [0])
t += bytes([7, 8, 9])
o.append(0)
k.lib_counted_in(3, t, o, n, bytearray(k.lib_counted_workspace(3) + 1))
refused(k.lib_scaled, 2, 4, 2.0, A, B)
refused(k.lib_scaled, -2, -3, 2.0, A, B)
refused(k.lib_scaled, 1 << 30, 1 << 34, 2.0, b"", bytearray())
refused(k.lib_scaled, 2 + 2**32, 3, 2.0, A, B)
refused(k.lib_halved, 4, h, f)
refused(k.lib_halved, 5, h, memoryview(f).toreadonly())
refused(k.lib_halved, 5, array.array("h", [0] * 5), f)
print("%g %g %g %g %d %d" % (B[0], B[5], f[0], f[1], o[1], n[0]))
X
    found=$(python3 main.py) || fail "Python"
    [ "$found" = "$expected" ] || fail "Python gives $found, not $expected"
else
    echo "no python3 here: its bindings were not called"
fi

minor=$(rustc --version 2>/dev/null | sed -n 's/^rustc 1\.\([0-9]*\).*/\1/p')
if [ "${minor:-0}" -ge 82 ]; then
    cat >main.rs <<'X'
mod mixed;
use mixed::*;

fn main() {
    std::panic::set_hook(Box::new(|_| ()));
    let (a, mut b) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [0.0; 8]);
    lib_scaled(2, 3, 2.0, &a, &mut b);
    let (h, mut f) = ([0x3c00, 0x4000, 0x4200, 0x4400, 0x3c00], [0.0; 2]);
    lib_halved(5, &h, &mut f);
    let (t, mut o, mut n) = ([1, 2, 3, 4, 5, 255, 7, 8, 9], [0; 3], [0]);
    let mut w = vec![0; unsafe { ffi::lib_counted_workspace(3) }];
    lib_counted_in(3, &t, &mut o, &mut n, &mut w);
    assert!(std::panic::catch_unwind(|| lib_scaled(2, 4, 2.0, &[0.0; 6], &mut [0.0; 8])).is_err());
    assert!(std::panic::catch_unwind(|| lib_scaled(-2, -3, 2.0, &[0.0; 6], &mut [0.0; 4])).is_err());
    assert!(std::panic::catch_unwind(|| lib_scaled(1 << 30, 1 << 34, 2.0, &[], &mut [])).is_err());
    assert!(std::panic::catch_unwind(|| lib_halved(4, &h, &mut [0.0; 2])).is_err());
    println!("{} {} {} {} {} {}", b[0], b[5], f[0], f[1], o[1], n[0]);
}
X
    for edition in 2021 2024; do
        [ $edition = 2021 ] || [ "$minor" -ge 85 ] || continue
        rustc --edition=$edition -D warnings -C link-arg=mixed.o main.rs -o main 2>err || fail "Rust: $(cat err)"
        [ "$(./main)" = "$expected" ] || fail "Rust gives $(./main), not $expected"
    done
else
    echo "no Rust of 1.82 or later here: its bindings were not called"
fi

# Words of the languages as names of functions and sizes, names that meet once they are changed, sizes of
# more than 31 bits together, two descriptions in one file.
cat >words.sq <<'K'
#include "squall.h"
kernel match(int I, int complex, const f32 type[I][complex], f32 self_[I], f32 self[(I + 3) / 4])
{
    idx i, k;
    self_[i] = sum(type[i][k], k);
    self[i] = 0.0f;
}
kernel lambda(int M, int N, const f32 A[M][N], f32 B[M][N])
{
    idx i, j;
    B[i][j] = A[i][j];
}
K
expect 0 compile words.sq -o words.c --target=generic --fix=M=100000,N=100000 --bindings=words.rs \
    --bindings=words.py --bindings=words.hpp
cat >both.cpp <<'X'
#include "words.hpp"
#include "mixed.hpp"
#include "words.hpp"
int main()
{
    float t[6] = {1, 2, 3, 4, 5, 6}, y[2], z[1];
    squall::match(2, 3, t, y, z);
    try {
        squall::lambda(t, t);
    } catch (const std::invalid_argument &e) {
        return y[1] == 15 && std::string(e.what()) == "lambda: A has 6 elements, not 10000000000" ? 0 : 1;
    }
    return 1;
}
X
"${CC:-cc}" -O1 -c words.c -o words.o
g++ -std=c++20 -Wall -Wextra -Werror both.cpp words.o mixed.o -o both 2>err || fail "C++: $(cat err)"
./both || fail "C++: words"
! g++ -std=c++17 -fsyntax-only both.cpp 2>err || fail "C++17 takes it"
says "compile as C++20 or later"
if command -v python3 >/dev/null; then
    "${CC:-cc}" -O1 -fPIC -shared words.c -o libwords.so
    python3 -c '
import array, words
k = words.Kernels("./libwords.so")
y = array.array("f", [0, 0])
k.match(2, 3, array.array("f", [1, 2, 3, 4, 5, 6]), y, array.array("f", [0]))
assert y[1] == 15
try:
    k.lambda_(y, y)
except ValueError as e:
    assert "not 10000000000" in str(e)
else:
    raise SystemExit("not refused")
' || fail "Python: words"
fi
if [ "${minor:-0}" -ge 82 ]; then
    cat >both.rs <<'X'
mod words;
fn main() {
    let (mut y, mut z) = ([0.0; 2], [0.0; 1]);
    words::match_(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &mut y, &mut z);
    assert_eq!(y[1], 15.0);
}
X
    rustc --edition=2021 -D warnings -C link-arg=words.o both.rs -o both 2>err || fail "Rust: $(cat err)"
    ./both || fail "Rust: words"
fi

# Of several targets, which one is in use: with words of the languages and a prefix, lowered by the environment.
expect 0 compile mixed.sq --kernel=halved -o two.c --targets=generic,avx2 --prefix=lib_ --bindings=two.hpp \
    --bindings=two.py --bindings=two.rs
silent
! grep -q _isa mixed.hpp mixed.py mixed.rs || fail "K_isa of one target"
"${CC:-cc}" -O1 -c two.c -o two.o
"${CC:-cc}" -O1 -fPIC -shared two.c -o libtwo.so
isa() {
    [ "$(SQUALL_ISA=generic "$@")" = generic ] || fail "K_isa: $*"
    "$@" >isa || fail "K_isa: $*"
}
cat >isa.cpp <<'X'
#include "two.hpp"
#include <cstdio>
int main()
{
    std::puts(squall::lib_halved_isa());
}
X
g++ -std=c++20 -Wall -Wextra -Wpedantic -Werror isa.cpp two.o -o isa_cpp 2>err || fail "C++: $(cat err)"
isa ./isa_cpp
cp isa isa_of_cpp
if command -v python3 >/dev/null; then
    isa python3 -c 'import two; print(two.Kernels("./libtwo.so").lib_halved_isa())'
    same isa isa_of_cpp
fi
if [ "${minor:-0}" -ge 82 ]; then
    printf 'mod two;\nfn main() {\n    println!("{}", two::lib_halved_isa());\n}\n' >isa.rs
    rustc --edition=2021 -D warnings -C link-arg=two.o isa.rs -o isa_rs 2>err || fail "Rust: $(cat err)"
    isa ./isa_rs
    same isa isa_of_cpp
fi

# What cannot be bound, and files that would be lost.
refused() {
    says=$1
    shift
    expect 64 compile "$@"
    says "$says"
}
refused "the suffix of 'mixed.jl' is none of a language" mixed.sq -o no.c --bindings=mixed.jl
refused "functions of CUDA" mixed.sq -o no.cu --target=cuda --bindings=no.rs
refused "no other file can call" mixed.sq -o no.c --static --bindings=no.rs
for name in squall detail; do
    sed "s/kernel scaled/kernel $name/" mixed.sq >named.sq
    refused "has namespaces called squall and detail" named.sq -o no.c --bindings=no.hpp
done
refused "no.hpp" mixed.sq -o no.hpp --bindings=no.hpp
[ ! -e no.rs ] && [ ! -e no.c ] || fail "files of a refused run"
exit 0
