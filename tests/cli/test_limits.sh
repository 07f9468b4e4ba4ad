#!/bin/sh
# Every limit of `squall show limits`: what is at the limit is read, within five seconds of
# processor time; one above it is refused by name, as is what has no end. Nothing is killed, nothing
# waits for a pipe that nobody writes.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
most=$(paced 5)
[ "$SQUALL_SANITIZED" = 0 ] || most=60

# bounded CODES words...: squall with limits on time and memory; its exit code is one of CODES.
bounded() {
    codes=$1
    shift
    rc=0
    (ulimit -t "$most" && [ "$SQUALL_SANITIZED" = 1 ] || ulimit -v 6000000
        timeout 100 "$SQUALL" "$@") >out 2>err || rc=$?
    case " $codes " in *" $rc "*) ;; *) fail "squall $*: exit code $rc" ;; esac
}
accepts() { bounded "0 2" "$@"; }
refuses() { bounded 1 "$@"; grep -q 'error' err || fail "squall $*: no error"; }

limit() { "$SQUALL" show limits --json | awk -v n="\"$1\"," '
    /"most"/ { gsub(/[^0-9]/, ""); most = $0 } index($0, "\"name\": " n) { print most }'; }
for name in FILE_BYTES SCRIPT_BYTES SCRIPT_CALLS SCHED_ENTRIES KERNELS STATEMENTS EXPANSION OPERANDS LEVELS \
    READ_SECONDS READ_MEMORY PIPE_SECONDS; do
    eval "$name=$(limit $name)"
    eval "[ -n \"\$$name\" ]" || fail "no limit $name"
    row="| $(echo $name | tr A-Z a-z) | $(limit $name) "
    grep -qF "$row" "$SQUALL_SOURCE/docs/LANGUAGE.md" || fail "docs/LANGUAGE.md has no row '$row'"
done
[ "$("$SQUALL" show limits | wc -l)" = 12 ] || fail "a limit without a test"

head='#include "squall.h"
kernel f(int N, const f32 A[N], f32 B[N])
{
    idx i;'

# repeat N FORMAT: lines with %d counting from 1
repeat() { awk -v n="$1" -v f="$2\n" 'BEGIN { for (k = 1; k <= n; k++) printf f, k, k }'; }
# padded BYTES: standard input, and blanks up to that length
padded() { cat >text && cat text && printf "%$(($1 - $(wc -c <text)))s" ''; }

# Bytes.
printf '%s\n B[i] = A[i];\n}\n' "$head" >small.sq
padded "$FILE_BYTES" <small.sq >most.sq
padded $((FILE_BYTES + 1)) <small.sq >more.sq
accepts compile most.sq -o out.c
refuses compile more.sq -o more.c
says "more than $FILE_BYTES bytes"
absent more.c
for input in /dev/zero -; do
    refuses compile "$input" -o more.c </dev/zero
    says "more than $FILE_BYTES bytes"
done
refuses compile small.sq --schedule=/dev/zero -o more.c
says "more than $FILE_BYTES bytes"

# As many lines as a file may have, of text that says nothing.
for line in '' '//'; do
    { cat small.sq; yes "$line" | head -n $(((FILE_BYTES - 200) / (1 + ${#line}))); } >lines.sq
    accepts compile lines.sq -o out.c
done

# A file that nobody named is a regular one.
ln -s /dev/zero small.avx2.sched
bounded 3 compile small.sq --target=avx2 -o more.c
says "no regular file"
rm small.avx2.sched
mkfifo small.avx2.sched
bounded 3 compile small.sq --target=avx2 -o more.c
says "no regular file"
rm small.avx2.sched

# A pipe that is given by name: its writer may take its time, and may not keep silent for ever, whether it
# opens the pipe or not. Standard input waits, by whatever name.
mkfifo pipe opened
sleep 1000 <>opened &
writer=$!
silent_pipe() { # words...: given up after the limit, and not before
    begin=$(date +%s)
    rc=0
    timeout $((6 * PIPE_SECONDS)) "$SQUALL" "$@" >/dev/null 2>err."$2" || rc=$?
    cat err."$2"
    [ "$rc" = 3 ] || fail "squall $*: exit code $rc"
    grep -q "has neither written nor closed it for $PIPE_SECONDS seconds" err."$2" || fail "squall $*: not said"
    [ $(($(date +%s) - begin)) -ge $((PIPE_SECONDS - 1)) ] || fail "squall $*: given up early"
}
cp small.sq other.sq
slow_input() { # PATH: standard input, by that name, whose writer takes longer than a pipe's may
    { sleep $((PIPE_SECONDS + 1)); cat small.sq; } | "$SQUALL" compile "$1" -o "slow.${1##*/}.c" || fail "$1"
}
waits=
for words in "compile pipe" "compile opened" "compile small.sq --schedule=opened" "check other.sq --text=pipe"; do
    silent_pipe $words >"said.$(echo "$words" | tr -c 'a-z\n' _)" &
    waits="$waits $!"
done
for words in - /dev/stdin; do
    slow_input $words >"said.${words##*/}" 2>&1 &
    waits="$waits $!"
done
for wait in $waits; do
    wait "$wait" || { cat said.*; fail "pipes whose writers are slow or silent"; }
done
kill "$writer"
rm pipe opened
mkfifo slow
{ sleep $((PIPE_SECONDS / 2)); cat small.sq; } >slow &
accepts compile slow -o out.c

# Scripts.
echo '#' | padded "$SCRIPT_BYTES" >script
accepts compile small.sq --schedule=script -o out.c
echo '#' | padded $((SCRIPT_BYTES + 1)) >script
refuses compile small.sq --schedule=script -o more.c
says "$SCRIPT_BYTES at most"
repeat "$SCRIPT_CALLS" 'order(i)' >script
accepts compile small.sq --schedule=script -o out.c
echo 'order(i)' >>script
refuses compile small.sq --schedule=script -o more.c
says "more than $SCRIPT_CALLS calls"

# Entries of a schedule file; the last one is the one that fits.
entries() {
    printf 'squall-sched 1\nclass avx2\n'
    repeat "$1" "hash 00000000000000000000000000000000 source 00000000000000000000000000000000
kernel f at N=%d {
}"
}
entries "$SCHED_ENTRIES" >small.avx2.sched
accepts compile small.sq --target=avx2 --fix=N="$SCHED_ENTRIES" -v -o out.c
says "small.avx2.sched"
entries $((SCHED_ENTRIES + 1)) >small.avx2.sched
refuses compile small.sq --target=avx2 --fix=N=1 -o more.c
says "more than $SCHED_ENTRIES entries"
rm small.avx2.sched

# Kernels, statements: of many arrays, and of one element again and again.
kernels() {
    echo '#include "squall.h"'
    repeat "$1" 'kernel k%d(int M, int N, int K, const f32 A[M][K], const f32 B[K][N], f32 C[M][N])
{ idx i, j, k; C[i][j] = %d * sum(A[i][k] * B[k][j], k); }'
}
kernels "$KERNELS" >kernels.sq
accepts compile kernels.sq --target=avx2 -o out.c
kernels $((KERNELS + 1)) >kernels.sq
refuses compile kernels.sq -o more.c
says "accepted are up to $KERNELS"
chain() { printf '%s\n' "$head"; repeat $(($1 - 1)) ' f32 T%d[N]; T%d[i] = A[i];'; echo 'B[i] = A[i]; }'; }
chain "$STATEMENTS" >chain.sq
accepts compile chain.sq -o out.c
chain $((STATEMENTS + 1)) >chain.sq
refuses compile chain.sq -o more.c
says "more than $STATEMENTS statements"
# Statements over the same points, which become one nest of 2600 references.
points() {
    printf '%s\n f32' "$head"
    awk -v n="$1" 'BEGIN {
        for (s = 1; s < n; s++)
            printf "%s T%d[N]", (s > 1 ? "," : ""), s
        print ";"
        for (s = 1; s <= n; s++) {
            printf (s < n ? " T%d[i] = A[i]" : " B[i] = A[i]"), s
            for (r = s > 12 ? s - 12 : 1; r < s; r++)
                printf " + T%d[i]", r
            print ";"
        }
        print "}"
    }'
}
points "$STATEMENTS" >points.sq
accepts compile points.sq --target=avx2 -o out.c

# C loops one after the other over two arrays: thousands of pairs of statements that depend.
row() {
    printf 'void row(int n, double A[n][n], double B[n][n])\n{\n#pragma scop\n'
    awk -v n="$1" 'BEGIN {
        for (k = 0; k < n; k++) {
            x = k % 2 ? "B" : "A"; y = k % 2 ? "A" : "B"
            printf "for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) "
            printf "%s[i][j] = %s[i - 1][j] + %s[j][i] * %d;\n", x, y, y, k
        }
    }'
    printf '#pragma endscop\n}\n'
}
row 120 >row.c
accepts compile row.c --target=avx2 -o out.c

# One C loop nest of many statements, and loops that end at each other's: too large a question for an
# order, so the one written is kept, and that is said. Smaller ones get an answer.
body() {
    printf 'void body(int n, double A[n][n], double B[n][n])\n{\n#pragma scop\n'
    echo 'for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) {'
    repeat $(($1 / 2)) 'A[i][j] = B[i - 1][j + %d %% 2] + A[i][j - %d %% 2]; B[i][j] += A[i - 1][j];'
    printf '}\n#pragma endscop\n}\n'
}
corner() {
    printf 'void corner(int n, double A[n], double B[%d * n])\n{\n#pragma scop\n' "$1"
    awk -v n="$1" 'BEGIN {
        for (k = 0; k < n; k++) {
            sum = k ? sum " + i" k : "i0"
            printf "for (int i%d = %s; i%d < n; i%d++) {\n", k, k ? "i" k - 1 : "0", k, k
            printf "A[i%d] += B[%s];\n", k, sum
        }
        for (k = 0; k < n; k++) print "}"
    }'
    printf '#pragma endscop\n}\n'
}
body 120 >body.c
corner 10 >corner.c
for f in body corner; do
    accepts compile $f.c --target=avx2 -o out.c
    grep -q 'no other order was found within the limits' out.c || fail "$f.c: not said"
done
bounded 2 compile corner.c -e 'auto()' -o more.c
says "the statements, their loops and the pairs that depend are too many"
body 8 >body.c
corner 4 >corner.c
for f in body corner; do
    accepts compile $f.c --target=avx2 -o out.c
    ! grep -q 'no other order was found' out.c || fail "$f.c: no order was found"
done

# Skewed subscripts and remainders: pairs under so many conditions that isl's scheduler took half a
# minute for them.
cat >skewed.c <<'C'
void skewed(int n, int *m, const signed char d[n + 3][n + 2], const signed char *p,
            int o[3 * n + 2][3 * n], const signed char q[91][45])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 2; j < n - 2; j++) {
            for (int k = 0; k < j; k++)
                m[2 * (n - 1 - i)] = d[i + 3][j - 2] + d[i][j + 2];
            for (int k = n - 3; k >= j; k -= 2)
                m[i] += p[i * n + j];
        }
        for (int j = 0; j < n; j += 3)
            for (int k = n - 1; k >= 0; k--) {
                int s = 0;
                for (int l = 0; l < n; l++)
                    s += o[2 * k + i][3 * j] - m[j + 1];
                o[k + 2][3 * i] += s;
                m[j] += q[2 * (n - 1 - i) + 2][j] * p[k * n + k];
            }
    }
#pragma endscop
}
C
accepts compile skewed.c -o out.c

# Chains of else if: where a limit is met, one error says so, and none that only follows from it.
chain() { # COUNT CONDITION ASSIGNMENT
    printf 'void f(int n, int c, float v, float *restrict a, const float *restrict x)\n{\n#pragma scop\n'
    printf '    for (int i = 0; i < n; i++)\n        if (x[i] < 0)\n            a[i] = 0;\n'
    repeat "$1" "        else if ($2) $3;"
    printf '#pragma endscop\n}\n'
}
for n in 40 190 800; do
    for condition in 'x[i] > %d' 'c == %d' 'i == %d'; do
        chain "$n" "$condition" 'a[i] = %d' >chain.c
        bounded "0 1" compile chain.c --target=avx2 -o out.c
        [ "$(grep -c error: err)" -le 1 ] || fail "$n of $condition: more than one error"
        ! grep -q "out of bounds" err || fail "$n of $condition: a proof that was given up counts"
    done
done

updates() { printf '%s\n' "$head"; echo ' B[i] = A[i];'; repeat $(($1 - 1)) ' B[i] += %d;'; echo '}'; }
updates 100 >updates.sq
accepts compile updates.sq --target=avx2 -o out.c
for n in 140 "$STATEMENTS"; do # proofs about all pairs may be given up, with a word, not with time
    updates "$n" >updates.sq
    bounded "0 1" compile updates.sq --target=avx2 -o out.c
done

# Operands of macros that double: within the limit they are more reads than a statement may have.
doubling() {
    printf '#define M0 (A[i])\n'
    awk -v n="$1" 'BEGIN { for (k = 1; k <= n; k++) printf "#define M%d (M%d + M%d)\n", k, k - 1, k - 1 }'
    printf '%s\n B[i] = M%d;\n}\n' "$head" "$1"
}
doubling 12 >doubling.sq
refuses compile doubling.sq -o more.c
says "reads 4096 array elements"
doubling 14 >doubling.sq
refuses compile doubling.sq --read-seconds="$(paced "$READ_SECONDS")" -o more.c
says "too many operands and operators; accepted are up to $OPERANDS"

# What macros expand to is counted before it is: up to the limit it is read, above it is refused at once,
# whether a macro doubles by itself or by its argument.
expanding() { # TOKENS
    awk -v n="$1" 'BEGIN {
        print "#define Z0 ;"
        for (k = 1; k <= 20; k++) printf "#define Z%d Z%d Z%d\n", k, k - 1, k - 1
        for (k = 20; k >= 0; k--) for (; n >= 2 ^ k; n -= 2 ^ k) printf "Z%d ", k
        print ""
    }'
    cat small.sq
}
expanding "$EXPANSION" >expanding.sq
accepts compile expanding.sq -o out.c
expanding $((EXPANSION + 1)) >expanding.sq
refuses compile expanding.sq -o more.c
says "up to here the macros of this file expand to $((EXPANSION + 1)) tokens; accepted are up to $EXPANSION"
within_second() { # squall: there is no time to expand anything
    (ulimit -t 1 && timeout 100 "$SQUALL" "$@") >out 2>err && fail "squall $*: accepted"
    says "accepted are up to $EXPANSION"
}
[ "$SQUALL_SANITIZED" = 0 ] || within_second() { refuses "$@"; says "accepted are up to $EXPANSION"; }
doubling 24 >doubling.sq
within_second compile doubling.sq -o more.c
says "doubling.sq:30:9: error: up to here the macros of this file expand to"
{
    printf '#define D(x, ...) (x + x)\n%s\n B[i] = ' "$head"
    repeat 24 'D(' | tr -d '\n'
    printf 'A[i]'
    repeat 24 ', 0)' | tr -d '\n'
    printf ';\n}\n'
} >calls.sq
within_second compile calls.sq -o more.c
# What stands behind a use does not undo it, wherever that is, and a digraph begins a directive, too.
{ doubling 24; printf '#undef M24\n#undef M3\n#if 1\n#define M24 1.f\n#endif\n'; } >undone.sq
within_second compile undone.sq -o more.c
doubling 24 | sed 's/^#define/%:define/' >digraphs.sq
within_second compile digraphs.sq -o more.c

# Not counted: what is undone or decided by an #if, pasted, written inside itself, or never used.
{
    doubling 24 | grep define
    printf '#define PASTE(a) a##_\n#undef M24\n#ifdef NEVER\n#define Q M23 M23 M23\n'
    printf '#else\n#define Q 1.f\n#endif\n#define ONCE(...) __VA_ARGS__\n#define WAIT(...) '
    repeat 4 'ONCE(' | tr -d '\n'
    printf '__VA_ARGS__))))\n#define FOUR(...) WAIT(WAIT(WAIT(WAIT(__VA_ARGS__))))\n'
    printf '#define M23_ 1.f\n%s\n f32 M24 = Q, SAME = PASTE(M23);\n#define SAME (SAME + 0.f * SAME)\n' "$head"
    printf ' B[i] = M24 * SAME + FOUR(FOUR(FOUR(A[i])));\n}\n'
} >uncounted.sq
accepts compile uncounted.sq -o out.c
! grep -q error err || fail "macros that expand to little"

# Macros of an included file are not counted: what libclang makes of them is limited.
doubling 24 | grep define >doubling.h
{ echo '#include "doubling.h"'; doubling 24 | grep -v define; } >doubling.sq
refuses compile doubling.sq -o more.c
says "than is allowed: $READ_SECONDS s of processor time and $READ_MEMORY MiB of memory"

# Parameters that nothing uses, in a long text: the text is walked once.
{
    printf '#include "squall.h"\nkernel f(int N, f32 B[N], const f32 A[N]'
    repeat 2000 ', f32 s%d'
    printf ')\n{\n    idx i;\n'
    repeat 60 "    B[i] += A[i]$(repeat 60 ' + A[i] * %d.f' | tr -d '\n');"
    echo '}'
} >unused.sq
accepts compile unused.sq -o out.c
[ "$(grep -c 'is not used' err)" = 2000 ] || fail "parameters that nothing uses"

# Levels: signs, brackets, and a sum; its nodes are a function, a block and an assignment deep.
signs() { printf '%s\n B[i] =' "$head"; repeat "$1" ' -' | tr -d '\n'; printf ' A[i];\n}\n'; }
brackets() {
    printf '%s\n B[i] =' "$head"
    repeat "$1" ' (' | tr -d '\n'
    printf ' A[i]'
    repeat "$1" ')' | tr -d '\n'
    printf ';\n}\n'
}
for form in signs brackets; do
    $form $((LEVELS - 8)) >deep.sq
    accepts compile deep.sq -o out.c
    for n in "$LEVELS" 3000; do
        $form "$n" >deep.sq
        refuses compile deep.sq -o more.c
        says "inside each other; accepted are up to $LEVELS"
    done
done
brackets 200000 >deep.sq
refuses compile deep.sq -o more.c
says "too many brackets inside each other; accepted are up to $LEVELS"
signs 1000000 >signs.sq
refuses compile signs.sq -o more.c
says "reading this takes"
if (ulimit -s unlimited) 2>/dev/null; then
    (ulimit -s unlimited && refuses compile signs.sq -o more.c) || fail "with a stack without limit"
    says "reading this takes deeper nesting"
else
    echo "not tested: a stack without limit, which this shell may not have"
fi

# Includes without end, and one whose bytes nobody writes.
printf '#include "/dev/zero"\n' >zero.sq
refuses compile zero.sq -o more.c
says "more memory than is allowed"
refuses compile doubling.sq -o more.c --diag=json --read-seconds=1
says '"code":1'
grep -q '^\[' err || fail "no JSON"
mkfifo silent.h
printf '#include "silent.h"\nvoid f(int n, double a[n])\n{\n#pragma scop\n    a[0] = 1;\n#pragma endscop\n}\n' >silent.c
rc=0 # nothing runs meanwhile: two or three seconds on the clock are enough, and a busy machine's are longer
timeout 20 "$SQUALL" compile silent.c -o more.c 2>err || rc=$?
[ "$rc" = 1 ] || fail "an include that nobody writes: exit code $rc"
says "waiting for a file"
absent more.c
printf '#include "itself.sq"\n' >itself.sq
refuses compile itself.sq -o more.c
absent more.c

# Quotients in extents, and so in what is known of the sizes, make each step of a proof dear.
cat >quotients.c <<'C'
void quotients(int N, int M, double R[3 * M][N / 3 + 2 * M + 1],
               unsigned char (*B)[M + M / 2 + M / 3 + 3])
{
#pragma scop
    for (int i = 0; i < M; i += 3)
        for (int j = 0; j < N; j += 2) {
            R[3 * j + 1][j + j] += R[i][i];
            if (i >= 4)
                B[j + 2][i + 3] = 4 + B[i][i / 2];
            B[j][i] += i % 7 < -1 ? B[i + j][i / 3] : B[i][j];
        }
#pragma endscop
}
C
accepts compile quotients.c --target=avx2,openmp -o out.c
