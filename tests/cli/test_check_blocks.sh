#!/bin/sh
# squall check of text that was given: a block that never ran is excused by what it is, not by what it
# is called, and what is proven for one kernel of a file is not proven for another.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

# What `compile` wrote is right as it stands: all that never ran in it is excused or proven.
for sample in softmax hgemm; do
    cp "$SQUALL_SOURCE/samples/$sample.sq" .
    expect 0 compile $sample.sq --target=generic -o $sample.c --header=$sample.h
    expect 0 check $sample.sq --target=generic --text=$sample.c
    prints ", 0 never ran"
done

cat >copy.sq <<'K'
#include "squall.h"
kernel copy(int N, const f32 A[N], f32 B[N])
{
    idx i, j;
    f32 T[N];
    T[i] = A[i] * 2;
    B[i] = sum(T[j], j) + A[i];
}
K
expect 0 compile copy.sq -o copy.c
expect 0 check copy.sq --text=copy.c
prints " for want of memory or for calls at the same time"

# nasty FUNCTION LINE [FRONT]: nasty.c is copy.c with the line at the head of the function's body, and
# FRONT, lines, before the first function.
nasty() {
    awk -v f="$1" -v line="$2" -v front="${3-}" '
        /^[a-z].*\)$/ && front { print front; front = "" }
        $0 ~ "[ *]" f "\\(.*\\)$" && !/;$/ { print; getline; print; print line; next }
        { print }' copy.c >nasty.c
    grep -qF "$2" nasty.c || fail "nothing was planted in $1"
}
# refused TEXT WHAT [ERRORS]: the line of the block, what became of it, and of how many it is one.
refused() {
    expect 2 check copy.sq --text=nasty.c
    says "$2, and nothing proves that it cannot be"
    grep -F "| " err | grep -qF -- "$1" || fail "it is not $1"
    [ "$(grep -c ': error: ' err)" = "${3-1}" ] || fail "$1 is not one of ${3-1}"
}

# No square leaves 3 when it is divided by 7, which no compiler knows.
never='(int64_t)N * N % 7 == 3'
nasty copy '    int64_t memory = (int64_t)N * N % 7; if (memory == 3) return;'
refused 'int64_t memory = (int64_t)N * N % 7; if (memory == 3) return;' 'this condition was never true'
nasty copy '    int64_t bits = (int64_t)N * N % 7; if (bits == 3) B[0] = 1;'
refused 'int64_t bits = (int64_t)N * N % 7; if (bits == 3) B[0] = 1;' 'this condition was never true'
# The function that is given memory is called by others as well.
nasty copy_in '    if (N > 30000000) B[0] = 1;'
refused 'if (N > 30000000) B[0] = 1;' 'this condition was never true'
nasty copy "    (void)($never && foo_copy_bar());" 'static int foo_copy_bar(void) { return 1; }'
refused 'static int foo_copy_bar(void) { return 1; }' 'this function was never called' 2 # nor was the call true
nasty copy "    (void)($never && copy_copy_f32());" 'static int copy_copy_f32(void) { return 1; }'
refused 'static int copy_copy_f32(void) { return 1; }' 'this function was never called' 2
nasty copy '    (void)my_fits(N);' 'static int my_fits(int64_t n)
{
    if (n * n % 7 == 3)
        return 0;
    return 1;
}'
refused 'if (n * n % 7 == 3)' 'this condition was never true'
nasty copy '    if (!my_fits(N)) B[0] = 1;' 'static int my_fits(int64_t n) { return n * n % 7 != 3; }'
refused 'if (!my_fits(N)) B[0] = 1;' 'this condition was never true'

# In a function of squall's that somebody changed, what is still squall's is excused, what is not is not.
nasty copy_take '    if (bytes % 65536 * (bytes % 65536) % 7 == 3) bytes = 0;'
refused 'if (bytes % 65536 * (bytes % 65536) % 7 == 3) bytes = 0;' 'this condition was never true'

# At sizes that were given: what is squall's needs no proof there, anything else does.
expect 0 check copy.sq --text=copy.c --at=N=64 --at=N=65
prints ", 0 never ran"
nasty copy '    if (N < 40) B[0] = 1;'
expect 0 check copy.sq --text=nasty.c --at=N=64 --at=N=65
nasty copy "    if ($never) B[0] = 1;"
expect 2 check copy.sq --text=nasty.c --at=N=64 --at=N=65 --at=N=66 --at=N=67
says "nothing proves that it cannot be"

# Below 10 `few` has no sizes, so that the block is unreachable there; `all` has some, and does not
# meet it either.
cat >two.sq <<'K'
#include "squall.h"
kernel few(int N, const f32 A[N], f32 B[N])
{
    idx i;
    assume(N >= 16);
    B[i] = A[i] * 2;
}
kernel all(int N, const f32 A[N], f32 B[N])
{
    idx i;
    B[i] = A[i] * 3;
}
K
expect 0 compile two.sq -o copy.c
nasty '(few|all)' '    (void)small(N);' 'static int small(int64_t n)
{
    if (n < 10 && n * n % 7 == 3)
        return 1;
    return 0;
}'
[ "$(grep -c '(void)small(N);' nasty.c)" = 2 ] || fail "two functions call it"
expect 2 check two.sq --text=nasty.c --json
says 'if (n < 10 && n * n % 7 == 3)'
[ "$(grep -c ': error: ' err)" = 1 ] || fail "of one kernel it is unreachable"
[ "$(grep -c '"never_ran": \[\]' out)" = 1 ] || fail "of the other it is not"
expect 0 check two.sq --kernel=few --text=nasty.c

# Text that hides a block which no size vector reaches: behind another name, in a file of its own, in an
# expression, behind a condition that assigns. And much that is known does not take long.
scale_sq >scale.sq
hidden() { # CODE TEXT MESSAGE [BEFORE]
    scale "$2" "${4-}" >scale.c
    expect "$1" check scale.sq --target=generic --text=scale.c
    says "$3"
}
tail='static void tail(int64_t N, float *Y) { if (N > 30000000) Y[0] = 0; }'
never='this condition was never true, and nothing proves that it cannot be'
hidden 2 '    { int tail = 0; (void)tail; } tail(N, Y);' "$never" "$tail"
hidden 2 '    other(N, Y);' "$never" "$tail
static void other(int64_t, float *) __attribute__((alias(\"tail\")));"
hidden 2 '    int w = 1; if (w += 1 && N < 5) { if (N > 30000000) Y[0] = 0; }' "$never"
hidden 3 '    (void)({ if (N > 30000000) Y[0] = 0; 1; });' 'an expression in it has control flow'
scale '    if (N > 30000000) Y[0] = 0;' >impl.h
echo '#include "impl.h"' >scale.c
expect 2 check scale.sq --target=generic --text=scale.c
says "scale.c: no block of function 'scale' can be counted"
many=$(for i in 0 1 2 3 4 5 6 7 8 9 10 11; do
    printf '    const int64_t a%d = (N + %d) %% %d < %d ? %d : %d;\n' $i $i $((i + 7)) $((i % 3 + 3)) $i $((2 * i + 1))
done)
hidden 2 "$many
    if (N > 30000000 && a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11 > 3) Y[0] = 0;" "$never"

# The text for sizes that break an assumption is for those alone: conditions that always hold there are not asked.
cat >cache.sq <<'K'
#include "squall.h"
kernel cache(int T, int P, const f32 Q[T][8], const f32 X[P + T], f32 Y[T])
{
    idx t, j, d;
    f32 most[T];
    assume(P >= 0);
    range(j, 0, P + t + 1);
    most[t] = rmax(X[j], j);
    Y[t] = sum(Q[t][d], d) + most[t];
}
K
expect 0 check cache.sq --target=generic
prints ", 0 never ran"
expect 0 compile cache.sq --target=generic -o cache.c
grep -q 'where there is nothing to reduce' cache.c || fail "nothing is for P below 0"
grep 'if (P <= -1) {' cache.c && fail "what holds is asked"
# The sample's attention, with less to compute at each point.
cp "$SQUALL_SOURCE/samples/llm/kernels.sq" .
sed 's/HEADS = 4,/HEADS = 2,/; s/HEAD = 64,/HEAD = 8,/' "$SQUALL_SOURCE/samples/llm/model.h" >model.h
grep -c 'HEADS = 2,\|HEAD = 8,' model.h | grep -qx 2 || fail "the sample has other sizes"
expect 0 check kernels.sq --kernel=attention --target=generic --quick

# Sizes that are multiples leave no rest, and sizes that break this may be 0.
cat >multiples.sq <<'K'
#include "squall.h"
kernel both(int M, int N, const f32 X[M][N], f32 Y[M])
{
    idx i, j;
    assume(N % 8 == 0 && M % 3 == 1);
    Y[i] = sum(X[i][j], j);
}
kernel wide(int64_t N, const f32 X[N], f32 Y[N])
{
    idx i;
    assume(N % 4 == 0);
    Y[i] = 2 * X[i];
}
kernel half(int N, const f32 X[2 * N], f32 Y[N])
{
    idx i;
    assume(N % 2 == 0 && N >= 8);
    Y[i] = X[2 * i] + X[2 * i + 1];
}
K
for target in generic host; do
    expect 0 check multiples.sq --target=$target
    [ "$(grep -c ', 0 never ran' out)" = 3 ] || fail "there are blocks that did not run"
done
