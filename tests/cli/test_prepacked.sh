#!/bin/sh
# prepacked: weights that many calls share are packed once; the functions for it, what they refuse, in every form of file.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >layers.sq <<'K'
#include "squall.h"
kernel dense(int M, int N, int K, const f32 X[M][K], prepacked const f32 W[K][N], const f32 bias[N], f32 Y[M][N])
{
    idx i, j, k;
#pragma squall tune M=1 N=512 K=512
#pragma squall tune M=64 N=512 K=512
#pragma squall tune M=64 N=30 K=30
    Y[i][j] = relu(sum(X[i][k] * W[k][j], k) + bias[j]);
}
kernel heads(int B, int M, int N, int K, const f32 X[B][M][K], prepacked const f32 U[B][N][K], f32 Y[B][M][N])
{
    idx b, i, j, k;
    Y[b][i][j] = sum(X[b][i][k] * U[b][j][k], k);
}
kernel conv(int C, int F, int H, int W, const f32 I[C][H][W], prepacked const f32 G[F][C][3][3], f32 O[F][H][W])
{
    idx f, y, x, c, r, s;
    range(r, 0, 3);
    range(s, 0, 3);
    O[f][y][x] = sum(pad(I[c][y + r - 1][x + s - 1], 0) * G[f][c][r][s], c, r, s);
}
kernel strided(int M, int N, int K, int ldw, const f32 X[M][K], prepacked const f32 W[K][ldw], f32 Y[M][N])
{
    idx i, j, k;
    assume(ldw >= N);
    Y[i][j] = sum(X[i][k] * W[k][j], k);
}
kernel gated(int M, int N, int K, const f32 X[M][K], prepacked const f32 U[K][N], prepacked const f32 V[K][N],
             f32 Y[M][N])
{
    idx i, j, k;
    f32 t[M][N];
    t[i][j] = sum(X[i][k] * U[k][j], k);
    Y[i][j] = t[i][j] * sum(X[i][k] * V[k][j], k);
}
kernel scale(int N, prepacked const f64 s[N], f64 y[N])
{
    idx i;
    y[i] *= s[i];
}
K
# A user's program: packs once, calls with several M, and compares with the functions that do not pack.
cat >main.c <<'C'
#include "layers.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int bad;

static float *numbers(size_t n, int seed)
{
    float *x = malloc((n + 1) * sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = (float)((int)((i * 7 + (size_t)seed) % 11) - 5); /* sums of products are exact */
    return x;
}

/* Of exactly so many bytes. */
static void *room(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 127) / 64 * 64);
    memset(p, 0xa5, (bytes + 127) / 64 * 64);
    return p;
}

static void same(const char *what, const float *x, const float *y, size_t n, const void *packed, size_t bytes)
{
    if (memcmp(x, y, n * sizeof *x) != 0 && bad++ < 5)
        printf("%s differs\n", what);
    for (size_t i = bytes; i < (bytes + 127) / 64 * 64; i++)
        if (((const unsigned char *)packed)[i] != 0xa5 && bad++ < 5)
            printf("%s: packs behind its end\n", what);
}

static void try_dense(int N, int K)
{
    static const int rows[] = {1, 2, 7, 13, 33};
    float *W = numbers((size_t)N * K, 1), *bias = numbers((size_t)N, 2);
    size_t bytes = dense_packed_W_bytes(1, N, K);
    void *packed = room(bytes), *moved = room(bytes);
    bad += dense_pack_W(1, N, K, W, packed) != 0;
    memcpy(moved, packed, bytes);
    for (int r = 0; r < 5; r++) {
        int M = rows[r];
        size_t n = (size_t)M * N;
        float *X = numbers((size_t)M * K, 3), *Y = numbers(n, 4), *Z = numbers(n, 5);
        dense(M, N, K, X, W, bias, Y);
        bad += dense_packed(M, N, K, X, moved, bias, Z) != 0;
        same("dense", Y, Z, n, packed, bytes);
        if (dense_packed(M, N + 1, K, X, packed, bias, Z) != SQUALL_ERROR_PACKED ||
            dense_packed(M, N, K, X, (char *)packed + 4, bias, Z) != SQUALL_ERROR_PACKED ||
            dense_packed(M, N, K, X, NULL, bias, Z) != SQUALL_ERROR_PACKED)
            bad++, puts("dense: other memory is taken");
        free(X), free(Y), free(Z);
    }
    free(W), free(bias), free(packed), free(moved);
}

static void try_heads(int B, int M, int N, int K)
{
    size_t n = (size_t)B * M * N, bytes = heads_packed_U_bytes(B, M, N, K);
    float *X = numbers((size_t)B * M * K, 1), *U = numbers((size_t)B * N * K, 2), *Y = numbers(n, 3), *Z = numbers(n, 4);
    void *packed = room(bytes);
    bad += heads_pack_U(B, M, N, K, U, packed) != 0;
    heads(B, M, N, K, X, U, Y);
    bad += heads_packed(B, M, N, K, X, packed, Z) != 0;
    same("heads", Y, Z, n, packed, bytes);
    free(X), free(U), free(Y), free(Z), free(packed);
}

static void try_conv(int C, int F, int H, int W)
{
    size_t n = (size_t)F * H * W, bytes = conv_packed_G_bytes(C, F, H, W);
    float *I = numbers((size_t)C * H * W, 1), *G = numbers((size_t)F * C * 9, 2), *Y = numbers(n, 3), *Z = numbers(n, 4);
    void *packed = room(bytes);
    bad += conv_pack_G(C, F, H, W, G, packed) != 0;
    conv(C, F, H, W, I, G, Y);
    bad += conv_packed(C, F, H, W, I, packed, Z) != 0;
    same("conv", Y, Z, n, packed, bytes);
    free(I), free(G), free(Y), free(Z), free(packed);
}

static void try_strided(int M, int N, int K, int ldw)
{
    size_t n = (size_t)M * N, bytes = strided_packed_W_bytes(M, N, K, ldw);
    float *X = numbers((size_t)M * K, 1), *W = numbers((size_t)K * ldw, 2), *Y = numbers(n, 3), *Z = numbers(n, 4);
    void *packed = room(bytes);
    bad += strided_pack_W(M, N, K, ldw, W, packed) != 0;
    strided(M, N, K, ldw, X, W, Y);
    bad += strided_packed(M, N, K, ldw, X, packed, Z) != 0;
    same("strided", Y, Z, n, packed, bytes);
    free(X), free(W), free(Y), free(Z), free(packed);
}

static void try_gated(int M, int N, int K)
{
    size_t n = (size_t)M * N, u = gated_packed_U_bytes(M, N, K), v = gated_packed_V_bytes(M, N, K);
    float *X = numbers((size_t)M * K, 1), *U = numbers((size_t)K * N, 2), *V = numbers((size_t)K * N, 3), *Y = numbers(n, 4),
          *Z = numbers(n, 5);
    void *packed_u = room(u), *packed_v = room(v);
    bad += gated_pack_U(M, N, K, U, packed_u) != 0 || gated_pack_V(M, N, K, V, packed_v) != 0;
    gated(M, N, K, X, U, V, Y);
    bad += gated_packed(M, N, K, X, packed_u, packed_v, Z) != 0;
    same("gated", Y, Z, n, packed_u, u);
    bad += gated_packed(M, N, K, X, packed_u, X, Z) != SQUALL_ERROR_PACKED;
    free(X), free(U), free(V), free(Y), free(Z), free(packed_u), free(packed_v);
}

int main(void)
{
    static const int odd[] = {1, 2, 3, 7, 13, 31, 33, 127, 129};
    double s[3] = {1, 2, 3}, y[3] = {1, 1, 1};
    void *packed = room(scale_packed_s_bytes(3));
    for (int a = 0; a < 9; a++)
        for (int b = 0; b < 9; b++) {
            try_dense(odd[a], odd[b]);
            try_heads(3, odd[a] % 5, odd[b], odd[a]);
            try_strided(5, odd[a], odd[b], odd[a] + b);
            try_gated(odd[a] % 9 + 1, odd[b], odd[a]);
            if (a < 5)
                try_conv(odd[a], odd[b] % 40, odd[8 - b] % 9 + 1, odd[b]);
        }
    try_dense(1030, 517);
    try_conv(64, 32, 14, 14);
    bad += scale_pack_s(3, s, packed) != 0 || scale_packed(3, packed, y) != 0 || y[2] != 3;
    bad += dense_packed_W_bytes(1, -1, 1) != 0 || dense_pack_W(1, -1, 1, NULL, packed) != SQUALL_ERROR_SIZES;
    bad += dense_packed(-1, 1, 1, NULL, NULL, NULL, NULL) != SQUALL_ERROR_SIZES;
    free(packed);
    if (bad)
        printf("%d are wrong\n", bad);
    return bad != 0;
}
C
strict='-std=c11 -O0 -Wall -Wextra -Wpedantic -Wconversion -Werror'
# build OPTIONS...: writes the file, compiles it without a warning, runs the program.
build() {
    expect 0 compile layers.sq -o layers.c --header=layers.h "$@"
    "${CC:-cc}" $strict -fopenmp -c layers.c 2>err || fail "a warning with $*"
    "${CC:-cc}" -O0 -fopenmp main.c layers.o -o main -lm 2>err || fail "no program with $*"
    ./main >out || fail "wrong with $*: $(cat out)"
}
build --target=generic
build --target=generic,openmp
if grep -qw avx2 /proc/cpuinfo 2>/dev/null; then
    build --target=avx2
    cp main for_avx2
    build --targets=generic,avx2
    SQUALL_ISA=generic ./main >out || fail "wrong on generic"
    build --target=avx2,tasks
fi

# Without a compiler's library of C, under a prefix, with functions that callers give memory.
expect 0 compile layers.sq --kernel=dense_packed -o f.c --header=f.h --freestanding --prefix=lib_ --target=generic
"${CC:-cc}" $strict -ffreestanding -c f.c 2>err || fail "freestanding"
for name in lib_dense_packed_in lib_dense_pack_W lib_dense_packed_W_bytes; do
    grep -q "$name(" f.h || fail "no $name"
done

# What it says.
expect 0 compile layers.sq -o layers.c --header=layers.h --target=generic
for line in 'dense_pack_W packs W into dense_packed_W_bytes bytes that begin at a multiple of 64' 'W[K][N] packed' \
    'int dense_packed(int M, int N, int K, const float *X, const void *W, const float *bias, float *Y);'; do
    grep -qF "$line" layers.h || fail "the header does not say: $line"
done
expect 0 explain layers.sq --kernel=dense_packed --target=generic
prints 'W is prepacked'
expect 0 explain layers.sq --kernel=gated_packed --target=generic --at=M=16,N=512,K=512
prints 'U is prepacked: gated_pack_U packs it at'
prints 'V is prepacked: gated_pack_V packs it at'

# For one row panels are vectors, so that a tile reads several streams. Elements keep their type.
expect 0 explain layers.sq --kernel=dense_packed --target=avx2 --fix=M=1,N=1024,K=1024
grep -q 'W is prepacked: dense_pack_W packs it at [a-z0-9]* as j8' out || fail "dense_packed: $(grep prepacked out)"
sed 's/prepacked const f32 W/prepacked const f16 W/' layers.sq >half.sq
expect 0 compile half.sq --kernel=dense_packed --target=generic -o half.c
grep -q 'const uint16_t \*W_pack = W' half.c || fail "packed f16 are no f16"
expect 0 check half.sq --kernel=dense_packed --target=generic --quick

# check compares what is packed and what is read of it.
for kernel in conv heads gated; do
    expect 0 check layers.sq --kernel=${kernel}_packed --target=generic --quick
done
expect 0 check layers.sq --kernel=dense_packed --target=generic \
    -e 'tile(j:8, k:16) order(k0, j0, i, j) pack(W at j0 as j4) micro(i:2, j:4 | k)'
expect 0 compile layers.sq --kernel=dense_packed --target=generic -o p.c \
    -e 'tile(j:8, k:16) order(k0, j0, i, j) pack(W at j0 as j4) micro(i:2, j:4 | k)'
grep -q 'k0 / 16' p.c || fail "no number of a copy"
expect 0 check layers.sq --kernel=dense_packed --text=p.c --quick
sed 's|k0 / 16|k0 / 32|' p.c >wrong.c # two blocks of rows share their copies
expect 1 check layers.sq --kernel=dense_packed --text=wrong.c --quick
sed '/^static.* dense_packed_fill_W/,/^}/s|j0 + |j0 + 0 * |' p.c >wrong.c
cmp -s p.c wrong.c && fail "nothing was made wrong"
expect 1 check layers.sq --kernel=dense_packed --text=wrong.c --quick
grep -v 'return 3' p.c | sed 's|if (!dense_packed_packed(.*|;|; s|if (!to .*|;|' >wrong.c # takes everything
expect 1 check layers.sq --kernel=dense_packed --text=wrong.c --quick

# Two layouts of one array: the number at the beginning of what is packed tells them apart.
for panel in 4 8; do
    expect 0 compile layers.sq --kernel=dense_packed --target=generic --prefix=p${panel}_ -o p$panel.c --header=p$panel.h \
        -e "tile(j:64, k:64) order(k0, j0, i, j) pack(W at j0 as j$panel) micro(i:2, j:$panel | k)"
done
cat >two.c <<'C'
#include "p4.h"
#include "p8.h"
#include <stdlib.h>
int main(void)
{
    static float x[32], w[32 * 32], y[32];
    void *packed = aligned_alloc(64, 1 << 20);
    if (p4_dense_packed_W_bytes(1, 32, 32) > 1 << 20 || p4_dense_pack_W(1, 32, 32, w, packed))
        return 1;
    return p4_dense_packed(1, 32, 32, x, packed, y, y) != 0 ||
           p8_dense_packed(1, 32, 32, x, packed, y, y) != SQUALL_ERROR_PACKED;
}
C
"${CC:-cc}" -O0 two.c p4.c p8.c -o two 2>err && ./two || fail "another layout is taken"

# Of both forms the tuner measures the one that is asked for.
expect 0 tune layers.sq --kernel=dense_packed --at=M=4,N=64,K=64 --target=generic --trials=3 --budget=20s --store=k.db
grep -q 'dense_packed' layers.*.sched || fail "no entry"
expect 0 compile layers.sq --kernel=dense_packed --target=generic -o tuned.c
grep -q "tuned" tuned.c || fail "the schedule that was found is not used"
rm layers.*.sched
expect 0 bench layers.sq --kernel=dense_packed --fix=M=4,N=64,K=64 --target=generic
prints 'dense_packed M=4'

# A device takes arrays as they are.
expect 0 compile layers.sq --kernel=dense --target=cuda -o layers.cu
! grep -q packed layers.cu || fail "a packed form for a device"
expect 1 compile layers.sq --kernel=dense_packed --target=cuda -o layers.cu
says 'packed arrays are for processors; --kernel=dense takes arrays as they are'
expect 1 compile layers.sq --views -o v.c --header=v.h --target=generic
says "'dense_packed' takes packed arrays, and --views is for arrays as they are"

# Declarations for other languages.
sed -n '/^#include/p; /^kernel dense/,/^}/p' layers.sq >k.sq
expect 0 compile k.sq -o k.c --target=generic --bindings=k.py --bindings=k.hpp --bindings=k.rs
"${CC:-cc}" -O0 -fPIC -shared k.c -o libk.so
"${CC:-cc}" -O0 -c k.c -o k.o
if command -v python3 >/dev/null; then
    python3 -c '
import array, k
f = k.Kernels("./libk.so")
def numbers(n): return array.array("f", [float(i * 7 % 11 - 5) for i in range(n)])
M, N, K = 3, 5, 7
X, W, bias, Y, Z = (numbers(n) for n in (M * K, K * N, N, M * N, M * N))
W_packed = f.dense_pack_W(M, N, K, W)
f.dense(M, N, K, X, W, bias, Y)
f.dense_packed(M, N, K, X, W_packed, bias, Z)
assert Y == Z and any(Y)
workspace = bytearray(f.dense_packed_workspace(M, N, K))
Z = numbers(M * N)
f.dense_packed_in(M, N, K, X, W_packed, bias, Z, workspace)
assert Y == Z
for sizes, what in (((M, N + 1, K), "another layout or of other sizes"), ((M, N, K), "bytes, not")):
    n = sizes[1]
    given = W_packed if n > N else bytearray(8)
    try:
        f.dense_packed(*sizes, X, given, numbers(n), numbers(M * n))
    except ValueError as e:
        assert what in str(e), e
    else:
        raise SystemExit("not refused")
' || fail "Python"
fi
cat >main.cpp <<'X'
#include "k.hpp"
#include <cstdlib>
#include <vector>
int main()
{
    const int M = 3, N = 5, K = 7;
    std::vector<float> x(M * K, 1), w(K * N, 2), bias(N, 3), y(M * N), z(M * N);
    const std::size_t bytes = squall::dense_packed_W_bytes(M, N, K);
    auto *packed = static_cast<std::byte *>(std::aligned_alloc(64, (bytes + 63) / 64 * 64));
    squall::dense_pack_W(M, N, K, w, {packed, bytes});
    squall::dense(M, N, K, x, w, bias, y);
    squall::dense_packed(M, N, K, x, {packed, bytes}, bias, z);
    int refused = y != z || z[0] != 17;
    packed[0] ^= std::byte{1};
    try {
        squall::dense_packed(M, N, K, x, {packed, bytes}, bias, z);
        refused = 1;
    } catch (const std::invalid_argument &e) {
        refused |= std::string(e.what()).find("another layout") == std::string::npos;
    }
    try {
        squall::dense_pack_W(M, N, K, w, {packed, bytes - 1});
        refused = 1;
    } catch (const std::invalid_argument &) {
    }
    std::free(packed);
    return refused;
}
X
g++ -std=c++20 -Wall -Wextra -Werror -O0 main.cpp k.o -o main 2>err || fail "C++"
./main || fail "C++: other results, or what it should refuse"
minor=$(rustc --version 2>/dev/null | sed -n 's/^rustc 1\.\([0-9]*\).*/\1/p')
if [ "${minor:-0}" -ge 82 ]; then
    cat >main.rs <<'X'
mod k;
fn main() {
    std::panic::set_hook(Box::new(|_| ()));
    let (x, w, bias) = (vec![1f32; 21], vec![2f32; 35], vec![3f32; 5]);
    let (mut y, mut z) = (vec![0f32; 15], vec![0f32; 15]);
    let bytes = unsafe { k::ffi::dense_packed_W_bytes(3, 5, 7) };
    let mut memory = vec![0u8; bytes + 64];
    let from = memory.as_ptr().align_offset(64);
    let packed = &mut memory[from..from + bytes];
    k::dense_pack_W(3, 5, 7, &w, packed);
    k::dense(3, 5, 7, &x, &w, &bias, &mut y);
    k::dense_packed(3, 5, 7, &x, packed, &bias, &mut z);
    assert_eq!(y, z);
    packed[0] ^= 1;
    let other = packed.to_vec();
    assert!(std::panic::catch_unwind(move || k::dense_packed(3, 5, 7, &x, &other, &bias, &mut z)).is_err());
}
X
    rustc --edition=2021 -D warnings -C link-arg=k.o main.rs -o main 2>err || fail "Rust: $(cat err)"
    ./main || fail "Rust: other results, or what it should refuse"
fi
exit 0
