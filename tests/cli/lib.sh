# Sourced by the scripts of this folder. Each gets an empty folder; `$SQUALL` is the tool.
set -eu
scratch=$(mktemp -d) # a folder of our own, wherever we are started from
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
LC_ALL=C
export LC_ALL
unset SQUALL_TARGET SQUALL_COLOR 2>/dev/null || true

fail() {
    echo "FAILED: $*"
    [ -s err ] && { echo "standard error was:"; cat err; }
    exit 1
}

# expect CODE words...: runs squall, keeps its output in files out and err, checks the exit code.
expect() {
    code=$1
    shift
    rc=0
    "$SQUALL" "$@" >out 2>err || rc=$?
    [ "$rc" = "$code" ] || fail "squall $* exited $rc instead of $code"
}

# paced N: a limit of N seconds (or milliseconds) of the machine on which limits were measured, on this one.
paced() { echo $((($1 * $("$SQUALL_BUILD/tests/pace") + 99) / 100)); }

# says TEXT / prints TEXT: standard error / standard output holds it.
says() { grep -qF -- "$1" err || fail "standard error does not say: $1"; }
prints() { grep -qF -- "$1" out || fail "standard output does not hold: $1"; }
silent() { [ ! -s err ] || fail "unexpected message"; }
absent() { [ ! -e "$1" ] || fail "$1 was written"; }
# json EXPRESSION: Python's, over the parsed output `j`; holds where Python is not installed.
json() {
    [ ! -x /usr/bin/python3 ] ||
        /usr/bin/python3 -c "import json; j = json.load(open('out')); assert $1, j" ||
        fail "JSON: $1"
}
same() { cmp -s "$1" "$2" || fail "$1 and $2 differ"; }

# mutant FILE EDIT [WHAT]: the text as an edit of sed makes it, which has to change it; for the next `found`, where a
# message about it matches WHAT.
mutants=
mutant() {
    set -- "$1" "$2" "${3:-: wrong: }" "$(echo "$mutants" | wc -w)"
    sed "$2" "$1" >"mutant$4.c"
    ! cmp -s "$1" "mutant$4.c" || fail "nothing to edit: $2"
    mutants="$mutants --text=mutant$4.c"
    printf '%s\n' "$3" >"mutant$4.what"
    printf '%s\n' "$2" >"mutant$4.edit"
}

# found WORDS...: `squall check` with these words finds each of the mutants since the last time, in one run: the
# description is read and the naive nest built once.
found() {
    [ -n "$mutants" ] || fail "no mutants for check $*"
    # shellcheck disable=SC2086 # a list of options
    expect 1 check "$@" $mutants
    for text in $mutants; do
        text=${text#--text=}
        grep -F "$text: " err | grep -qE -- "$(cat "${text%.c}.what")" ||
            fail "check $*: $(cat "${text%.c}.edit"): not found, or not as $(cat "${text%.c}.what")"
    done
    mutants=
}

# own_folders: state, cache and temporary files in the scratch folder; what is left in tmp can be seen.
own_folders() {
    XDG_STATE_HOME=$scratch/state
    XDG_CACHE_HOME=$scratch/cache
    TMPDIR=$scratch/tmp
    export XDG_STATE_HOME XDG_CACHE_HOME TMPDIR
    mkdir tmp
}

gemm() {
    cat <<'K'
#include "squall.h"
kernel gemm(int M, int N, int K, const f32 A[M][K], const f32 B[K][N], f32 C[M][N])
{
    idx i, j, k;
    C[i][j] = sum(A[i][k] * B[k][j], k);
}
K
}

scale_sq() {
    cat <<'K'
#include "squall.h"
kernel scale(int N, const f32 X[N], f32 Y[N])
{
    idx i;
    Y[i] = 2.f * X[i];
}
K
}

# scale TEXT [BEFORE]: that kernel by hand, with TEXT at the end of the function's body and BEFORE in front of it.
scale() {
    printf '#include <stdint.h>\n%s\nvoid scale(int N, const float *X, float *Y)\n{\n' "${2-}"
    printf '    for (int64_t i = 0; i < N; i++)\n        Y[i] = 2.f * X[i];\n%s\n}\n' "$1"
}

# rebuilt TARGET: new, of the regions of old.c and of main.c, compiled for it with one rounding an operation; at its end
# it says on standard error how many calls ran optimized code.
rebuilt() {
    cat >count.h <<'C'
#include <stdio.h>
static int tuned;
__attribute__((destructor)) static void say(void) { fprintf(stderr, "%d", tuned); }
C
    sed 's/^#pragma scop$/#pragma squall fp strict\
#pragma scop/' old.c >strict.c
    expect 0 compile strict.c --target="$1" -o new.c
    counted new.c >counted.c
    sed -i '1i #include "count.h"' counted.c
    built -fopenmp counted.c main.c -o new
}

# built WORDS...: what the C compiler makes of them without a warning.
built() {
    "${CC:-cc}" -std=gnu11 -O0 -ffp-contract=off -Wall -Wextra -Werror -Wno-unknown-pragmas "$@" -lm 2>err || fail "$*"
}

# as_before TARGET COUNT [ARGUMENT...]: new prints what old prints, and COUNT of its calls ran optimized code.
as_before() {
    at=$1 count=$2
    shift 2
    ./old "$@" >old.txt
    ./new "$@" >new.txt 2>tuned.txt || fail "$at: does not run"
    same old.txt new.txt
    [ "$(cat tuned.txt)" = "$count" ] || fail "$at $*: $(cat tuned.txt) calls instead of $count ran optimized code"
}

# as_before_everywhere COUNT: the same of old and main for every target that this processor runs.
as_before_everywhere() {
    built old.c main.c -o old
    for target in $(region_targets); do
        rebuilt "$target"
        as_before "$target" "$1"
    done
}

# images_main FROM FUNCTION...: main.c, which runs functions of (from, to, width, height) over images of bytes, the last
# one of them from width number FROM on, and prints a hash after each.
images_main() {
    from=$1
    shift
    names=$(echo "$@" | sed 's/ /, /g')
    cat >main.c <<C
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef void run(const uint8_t *, uint8_t *, int, int);
run $names;
static uint8_t a[150 * 70], b[150 * 70];
int main(void)
{
    static run *const f[] = {$names};
    static const int w[] = {1, 2, 3, 5, 17, 34, 131}, h[] = {1, 2, 3, 13, 67};
    unsigned hash = 1;
    for (unsigned i = 0; i < sizeof a; i++)
        a[i] = (uint8_t)(hash >> 16), hash = hash * 1103515245 + 12345;
    for (int n = 0; n < $#; n++)
        for (int i = n == $# - 1 ? $from : 0; i < 7; i++)
            for (int j = 0; j < 5; j++) {
                memset(b, 7, sizeof b);
                f[n](a, b, w[i], h[j]);
                for (unsigned k = 0; k < sizeof b; k++)
                    hash = hash * 31 + b[k];
                printf("%d %d %d %u\n", n, w[i], h[j], hash);
            }
    return 0;
}
C
}

# as_before_on TARGET...: new prints what old does, both with main.c; of targets that this processor lacks the file is
# written and compiled, without a warning. Each stays as TARGET.c. Wants targets.sh.
as_before_on() {
    runs_here=" $(targets 'runs' | tr '\n' ' ')"
    "$CC" -O1 -ffp-contract=off main.c old.c -o old && ./old >want || fail "the old file"
    for target; do
        expect 0 compile old.c --target="$target" -o "$target.c"
        "$CC" -O2 -Wall -Wextra -Werror main.c "$target.c" -o new || fail "$target does not compile"
        case $runs_here in *" $target "*) ;; *) echo "skipped: running $target" && continue ;; esac
        ./new >got || fail "$target: new dies"
        same want got
    done
}

# ends_h: writes ends.h: memory `end[r]` ends where ROOM bytes do, and a page follows that nobody may touch; make_ends(N)
# makes N of them, and show_end(r, name, n) prints a number of all that r has. odd[] are sizes to try.
ends_h() {
    cat >ends.h <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
enum { ROOM = 1 << 13, PAGE = 1 << 12, ENDS = 3 };
static const int odd[] = {0, 1, 2, 3, 7, 8, 13, 31, 33, 64, 127, 129};
static unsigned char *end[ENDS];
static void make_ends(int n)
{
    for (int r = 0; r < n; r++) {
        unsigned char *p = mmap(NULL, ROOM + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED || mprotect(p + ROOM, PAGE, PROT_NONE) != 0)
            exit(2);
        end[r] = p + ROOM;
    }
}
static void show_end(int r, const char *name, int n)
{
    unsigned hash = 1;
    for (int i = 0; i < ROOM; i++)
        hash = hash * 31 + (end[r] - ROOM)[i];
    printf("%s %d %u\n", name, n, hash);
}
C
}

# show_h: writes show.h, whose SHOW(a) prints a number of all bytes of an array.
show_h() {
    cat >show.h <<'C'
#include <stdio.h>
static void show(const char *of, const void *at, size_t n)
{
    const unsigned char *bytes = at;
    unsigned long sum = 0;
    for (size_t i = 0; i < n; i++)
        sum = sum * 31 + bytes[i];
    printf("%s %lx\n", of, sum);
}
#define SHOW(a) show(#a, a, sizeof a)
C
}

# region_targets: those that this processor runs, one of them with threads.
region_targets() {
    echo c
    ! grep -q '^flags.* avx2' /proc/cpuinfo || echo avx2,openmp
    ! grep -q '^flags.* avx512f' /proc/cpuinfo || echo avx512
}

# counted FILE: the file, with `tuned++` wherever it calls a tuned function of a region.
counted() {
    sed -e 's/^ *squall_[a-z_]*_[0-9]*(.*);$/& tuned++;/' \
        -e 's/\(^ *if (\|.* || \)\(squall_[a-z_]*_[0-9]*(\)/\1(tuned++, 0) || \2/' "$1"
}

# picky_compiler [SECONDS]: pickycc, which refuses every third candidate, each after so long, and counts in $COUNT.
picky_compiler() {
    cat >pickycc <<C
#!/bin/sh
case "\$*" in *naive.c* | *linked.c* | *--version*) exec cc "\$@" ;; esac
sleep ${1:-0}
echo . >>"\$COUNT"
[ \$((\$(wc -l <"\$COUNT") % 3)) != 0 ] || { echo "x.c:1: error: not to my taste" >&2; exit 1; }
exec cc "\$@"
C
    chmod +x pickycc
    COUNT=$PWD/count
    export COUNT
}
