#!/bin/sh
# Descriptions whose conditions fall into many cases: compiled, or refused, within five seconds of
# processor time; never killed, never a crash.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
most=$(paced 5)
[ "$SQUALL_SANITIZED" = 0 ] || most=60

# within NAME FILE: exit codes 0, 1 and 2 are answers
within() {
    rc=0
    (ulimit -t "$most" && "$SQUALL" compile "$2" -o out.c >out 2>err) || rc=$?
    [ "$rc" -le 2 ] || fail "$1: exit code $rc: over $most s of processor time, or a crash"
    [ "$rc" = 0 ] || grep -q ' error: ' err || fail "$1: exit code $rc without an error"
}

# nest N OP: (((i + 0) OP 3 + 1) OP 4 …
nest() {
    awk -v n="$1" -v op="$2" 'BEGIN {
        e = "i"
        for (k = 0; k < n; k++) e = "(" e " + " k ") " op " " k + 3
        print e }'
}

# kernel NAME LOOPS CONDITION STATEMENT
kernel() {
    printf '#include "squall.h"\nkernel f(int N, f32 A[N]%s)\n{\n%s\nif (%s)\n%s\n}\n' \
        "$5" "$2" "$3" "$4" >"$1.sq"
    within "$1" "$1.sq"
}
i='for (int i = 0; i < N; i++)'
ij="$i for (int j = 0; j < N; j++)"
list() { # JOIN N FORMAT: of k, k + 5, k % 3, k + 2, k + 7
    awk -v join="$1" -v n="$2" -v format="$3" 'BEGIN {
        for (k = 1; k <= n; k++)
            printf "%s" format, (k > 1 ? join : ""), k, k + 5, k % 3, k + 2, k + 7 }'
}

kernel remainders "$i" "($(nest 12 %)) == 1" 'A[i] += 1;' ''
kernel quotients "$i" "($(nest 12 /)) == 1" 'A[i] += 1;' ''
kernel all "$ij" "$(list ' && ' 9 '(i + %d * j) %% %d != %d')" 'C[i][j] += 1;' ', f32 C[N][N]'
kernel any "$ij" "$(list ' || ' 7 '(i + %d * j) %% %d == %d && i / %d < j %% %d')" \
    'C[i][j] += C[j][i];' ', f32 C[N][N]'
kernel some "$ij" "$(list ' || ' 3 '(i + %d * j) %% %d == %d && i / %d < j %% %d')" \
    'C[i][j] += C[j][i];' ', f32 C[N][N]'
kernel deep "$i for (int j = 0; j < i; j++) for (int k = 0; k < j; k++)
for (int l = 0; l < k; l++) for (int m = 0; m < l; m++)" \
    '(i + 2 * j + 3 * k + 5 * l + 7 * m) % 97 == 5 && (i * 3 + j * 5 + k) % 101 < 50' \
    'A[i] += A[j] * A[k] * A[l] * A[m];' ''
