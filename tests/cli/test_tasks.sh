#!/bin/sh
# Threads of the caller: K_on computes what K does, in whatever order and on whatever threads `run` has its shares
# computed; with names that its own variables might have; and check sees shares that are wrong.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"
here=" $(targets 'runs' | tr '\n' ' ')"
flags="-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror -O1"
cat >kernels.sq <<'K'
#include "squall.h"
kernel product(int M, int N, int K, f32 alpha, const f32 A[M][K], const f32 B[K][N], f32 C[M][N])
{
    idx i, j, k;
    C[i][j] = alpha * sum(A[i][k] * B[k][j], k);
}
kernel heat(int T, int N, inout f64 A[N][N])
{
    f64 B[N][N];
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                B[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                A[i][j] = B[i][j];
    }
}
kernel names(int threads, int run, const f32 pool[threads][run], const f32 task[run], f32 workspace[threads][run])
{
    idx i, context;
    workspace[i][context] = expf(pool[i][context]) * task[context];
}
kernel triangle(int N, const f64 L[N][N], const f64 X[N], f64 Y[N])
{
    idx i, j;
    range(j, 0, i + 1);
    Y[i] = sum(L[i][j] * X[j], j);
}
K
cat >main.c <<'C'
#include "kernels.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { MOST = 7 };
static int calls, largest;
struct job {
    void (*task)(void *, int);
    void *context;
    int i;
};
static void *one(void *p)
{
    struct job *j = p;
    j->task(j->context, j->i);
    return NULL;
}
/* A thread for each, the last one first. */
static void run(void *pool, void (*task)(void *, int), void *context, int n)
{
    pthread_t thread[MOST];
    struct job job[MOST];
    if (pool != &calls || n < 2 || n > MOST)
        abort();
    calls++;
    largest = n > largest ? n : largest;
    for (int i = n - 1; i >= 0; i--) {
        job[i] = (struct job){task, context, i};
        pthread_create(&thread[i], NULL, one, &job[i]);
    }
    for (int i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
}
static void fill(void *to, size_t n, int wide)
{
    for (size_t i = 0; i < n; i++)
        if (wide)
            ((double *)to)[i] = (double)(i * 7919 % 1013) / 1013;
        else
            ((float *)to)[i] = (float)(i * 7919 % 1013) / 1013;
}
static int bad;
static void same(const char *what, int threads, const void *a, const void *b, size_t bytes)
{
    if (memcmp(a, b, bytes))
        bad = printf("%s: other results with %d threads\n", what, threads);
}
static void *space(size_t n) { return memset(malloc(n + 1), 0xff, n + 1); }
int main(void)
{
    enum { M = 129, N = 161, K = 131, H = 257, T = 3 };
    static float A[M * K], B[K * N], C[M * N], D[M * N], X[M * N], Y[N];
    static double G[H * H], E[H * H], F[H * H], Z[H], P[H], Q[H];
    fill(A, M * K, 0), fill(B, K * N, 0), fill(X, M * N, 0), fill(Y, N, 0), fill(G, H * H, 1), fill(Z, H, 1);
    product(M, N, K, 2, A, B, C);
    memcpy(E, G, sizeof G);
    heat(T, H, E);
    triangle(H, G, Z, P);
    for (int t = 1; t <= MOST; t++) {
        void *w = space(product_on_workspace(M, N, K, t));
        memset(D, 0xff, sizeof D);
        if (product_on(M, N, K, 2, A, B, D, w, t, run, &calls))
            bad = puts("product_on refuses");
        same("product", t, C, D, sizeof C);
        memcpy(F, G, sizeof G);
        void *v = space(heat_on_workspace(T, H, t));
        heat_on(T, H, F, v, t, run, &calls);
        same("heat", t, E, F, sizeof E);
        void *u = space(triangle_on_workspace(H, t));
        triangle_on(H, G, Z, Q, u, t, run, &calls);
        same("triangle", t, P, Q, sizeof P);
        free(w), free(v), free(u);
    }
    if (!calls || largest != MOST)
        bad = printf("%d calls of run, of %d shares at most\n", calls, largest);
    names(M, N, X, Y, C);
    names_on(M, N, X, Y, D, NULL, 5, run, &calls);
    same("names", 5, C, D, sizeof C);
    int before = calls;
    void *w = space(product_on_workspace(M, N, K, 3));
    product_on(M, N, K, 2, A, B, C, w, 3, run, &calls);
    product_on(M, N, K, 2, A, B, D, w, 3, NULL, NULL); /* no run: one thread */
    same("product without run", 1, C, D, sizeof C);
    if (product_on(M, N, K, 2, A, B, D, w, 0, run, &calls) != 1 || product_on(-1, N, K, 2, A, B, D, w, 3, run, &calls) != 1)
        bad = puts("no threads, or no sizes, are accepted");
    if (calls == before)
        bad = puts("run was not called");
    free(w);
    return bad != 0;
}
C
# K_views_on: a transposed factor, a result of every second column, shares of the caller's threads; nothing else changes.
cat >views.c <<'C'
#include "views.h"
static int calls;
static void run(void *pool, void (*task)(void *, int), void *context, int n)
{
    calls += n;
    for (int i = n - 1; i >= 0; i--)
        task(context, i);
    (void)pool;
}
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    enum { M = 129, N = 161, K = 131 };
    static float A[M * K], B[K * N], T[N * K], C[M * N], D[M * N * 2];
    for (int i = 0; i < M * K; i++)
        A[i] = (float)(i % 17);
    for (int k = 0; k < K; k++)
        for (int j = 0; j < N; j++)
            T[j * K + k] = B[k * N + j] = (float)((k * 31 + j * 7) % 19);
    product(M, N, K, 2, A, B, C);
    for (int threads = 1; threads < 6; threads++) {
        for (int i = 0; i < 2 * M * N; i++)
            D[i] = -1;
        const squall_const_f32_2d a = {A, {M, K}, {K, 1}}, b = {T, {K, N}, {1, K}};
        const squall_f32_2d d = {D, {M, N}, {2 * N, 2}};
        size_t bytes = product_views_on_workspace(a, b, d, threads);
        char *w = malloc(bytes + 1);
        w[bytes] = 77;
        if (bytes <= product_on_workspace(M, N, K, threads) || product_views_on(2, a, b, d, w, threads, run, NULL))
            return 1;
        for (int i = 0; i < M * N; i++)
            if (D[2 * i] != C[i] || D[2 * i + 1] != -1)
                return 2;
        if (w[bytes] != 77 || product_views_on(2, a, b, d, w, 0, run, NULL) != SQUALL_VIEWS_SIZES ||
            product_views_on(2, a, b, d, NULL, 2, run, NULL) != SQUALL_VIEWS_SIZES)
            return 3;
        free(w);
    }
    return calls > 5 ? 0 : 4;
}
C
for list in generic,tasks generic,avx2,avx512,tasks; do
    [ "$(uname -m)" = x86_64 ] || [ $list = generic,tasks ] || continue
    expect 0 compile kernels.sq --views "--targets=$list" -o views_kernels.c --header=views.h
    # shellcheck disable=SC2086
    $CC $flags -fsanitize=address,undefined -fno-sanitize-recover views.c views_kernels.c -o views -lm ||
        fail "views: warnings"
    ./views || fail "K_views_on of $list: $?"
done
expect 0 compile kernels.sq --views --target=generic,tasks --freestanding --kernel=product -o free.c
$CC -std=c11 -Wall -Wextra -Wpedantic -Werror -c free.c || fail "K_views_on without a library"
grep -q 'int product_views_on(' free.c || fail "no K_views_on without a library"

for target in generic avx2 avx512; do
    expect 0 compile kernels.sq --target=$target,tasks -o kernels.c --header=kernels.h
    ! grep -qE '_OPENMP|omp_|#pragma omp' kernels.c || fail "$target: OpenMP in the text"
    # shellcheck disable=SC2086 # a list of words
    $CC $flags -c kernels.c -o kernels.o || fail "$target: warnings"
    case $here in
    *" $target "*) ;;
    *) echo "skipped: running $target, which this processor lacks" && continue ;;
    esac
    # shellcheck disable=SC2086
    $CC $flags main.c kernels.o -o main -lpthread -lm && ./main || fail "$target computes otherwise"
done
printf '#include "kernels.h"\nint main() { return product_on(1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0) != 1; }\n' >cpp.cc
if command -v g++ >/dev/null; then
    g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only cpp.cc || fail "the header is not C++"
fi
if $CC -fsanitize=thread -xc -o tsan - 2>/dev/null <<'C'
int main(void) { return 0; }
C
then
    expect 0 compile kernels.sq --target=c,tasks -o kernels.c --header=kernels.h
    $CC -std=c11 -g -O1 -fsanitize=thread main.c kernels.c -o main -lpthread -lm
    setarch -R ./main >log 2>&1 || { head -20 log; fail "threads race"; }
    sed 's/own + share \* each/own/' kernels.c >bad.c
    ! cmp -s kernels.c bad.c || fail "no panel of a share's own to take away"
    $CC -std=c11 -g -O1 -fsanitize=thread main.c bad.c -o main -lpthread -lm
    ! setarch -R ./main >log 2>&1 || fail "a panel that all shares write to is not found"
else
    echo "skipped: ThreadSanitizer (this compiler has none)"
fi

# Without a header; a function for other sizes; alignment that is promised; names that tasks add.
expect 0 compile kernels.sq "--targets=generic,avx2,tasks" -o t.c
[ "$(uname -m)" != x86_64 ] || $CC -std=c11 -Wall -Wextra -Wpedantic -Werror -c t.c || fail "no header: several targets"
cat >more.sq <<'K'
#include "squall.h"
kernel window(int M, int N, aligned_to(64) const f32 X[M], f32 Y[N])
{
    idx i;
    assume(M >= N + 2 && N >= 64);
    Y[i] = X[i] - X[i + 2];
}
kernel window_run(int N, const f32 X[N], f32 Y[N])
{
    idx i;
    Y[i] = X[i];
}
K
expect 1 compile more.sq --target=c,tasks -o more.c
says "'window_run' is, with tasks, also a name that belongs to kernel 'window'"
printf '#include "squall.h"\nkernel names(int names_run, f32 X[names_run])\n{\n    idx i;\n    X[i] = 1;\n}\n' >names.sq
expect 1 compile names.sq --target=c,tasks -o names.c
says "'names_run' is, with tasks, also a name that belongs to kernel 'names'"
expect 0 compile more.sq --kernel=window --target=c,tasks -e 'parallel(i)' -o more.c
grep -q 'X = __builtin_assume_aligned(is->X, 64);' more.c || fail "alignment is lost in shared loops"
cat >on.c <<'C'
#include "more.c"
int main(void)
{
    _Alignas(64) static float X[8];
    float Y[6] = {5};
    if (window_on(8, 6, X, Y, 0, 0, 0, 0) != 1 || Y[0] != 5)
        return 1;
    return window_on(8, 6, X, Y, 0, 2, 0, 0) != 0 || Y[0] != 0;
}
C
$CC -std=c11 on.c -o on && ./on || fail "no threads, and sizes that are computed otherwise"
expect 64 bench kernels.sq --kernel=product --target=c,tasks --at=M=9,N=9,K=9

# Two files with kernels of one shape, and one without a library.
expect 0 compile kernels.sq --kernel=product --target=c,tasks --prefix=a_ --freestanding -o a.c --header=a.h
expect 0 compile kernels.sq --kernel=product --target=c,tasks --prefix=b_ -o b.c --header=b.h
$CC -std=c11 -O1 -Wall -Wextra -Werror -shared -fPIC -ffreestanding a.c b.c -o both.so || fail "two files do not link"

# Several processors in one file: the choice of each.
isas=generic
[ "$(uname -m)" != x86_64 ] || isas='generic avx2 avx512'
expect 0 compile kernels.sq "--targets=$(echo $isas | tr ' ' ,),tasks" -o kernels.c --header=kernels.h
# shellcheck disable=SC2086
$CC $flags main.c kernels.c -o main -lpthread -lm || fail "several targets: warnings"
for isa in $isas; do
    SQUALL_ISA=$isa ./main || fail "$isa of several computes otherwise"
done
expect 0 check kernels.sq --kernel=product --targets=generic,tasks --quick --progress=never

# check calls K_on; wrong shares are found.
expect 0 check kernels.sq --kernel=product --target=c,tasks --quick --progress=never
expect 0 compile kernels.sq --kernel=product --target=c,tasks -o good.c
for fault in 's/share < more ? share : more/0/' 's/share + 1, is->shares/share, is->shares/'; do
    sed "$fault" good.c >bad.c
    ! cmp -s good.c bad.c || fail "nothing to spoil: $fault"
    rc=0
    "$SQUALL" check kernels.sq --kernel=product --target=c,tasks --text=bad.c --quick --progress=never >log 2>&1 || rc=$?
    [ $rc = 1 ] && grep -q 'product .*wrong' log || { cat log; fail "check does not see $fault"; }
done

expect 64 compile kernels.sq --target=c,tasks,openmp -o -
expect 64 compile kernels.sq --target=cuda,tasks -o -
printf 'void f(int n, double *a)\n{\n#pragma scop\n    for (int i = 0; i < n; i++)\n        a[i] = 1;\n#pragma endscop\n}\n' >f.c
expect 64 compile f.c --target=c,tasks -o g.c
