#!/bin/sh
# Regions of ordinary C: everything outside stays byte for byte, the new file builds with the same
# flags without a warning, computes what the old one does, and runs the text as written where C's
# promises are not enough.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
. "$SQUALL_SOURCE/tests/targets.sh"

# ---- the file, in pieces: o* stay as they are, r* are regions ----------------------------------
cat >o1 <<'C'
/* A file as it may be. #pragma scop in a comment is none. */
#include <math.h>
#include <stdio.h>
#include "work.h"
static const char *text = "\
#pragma scop";
#define n_i 3 /* names that emitted text uses, too */
#define min(a, b) ((a) < (b) ? (a) : (b))
static double table[5][7];
int steps = 3;

C
printf '/* Adds rows: flat arrays, a static function. */\n' >o2
cat >>o2 <<'C'
__attribute__((noinline)) static void add_rows(int rows, int cols, int ld, double *a, const double *b)
{
    int i, j;
C
cat >r1 <<'C'
#pragma scop
    for (i = 0; i < rows; i++)
        for (j = 0; j < cols; j++)
            a[i * ld + j] += 2 * b[i * cols + (cols - 1 - j)];
#pragma endscop
C
cat >o3 <<'C'
    for (i = 0; i < 1; i++) /* sets i itself */
        steps += i;
}

C
cat >o3b <<'C'
void vla(int n, int m, double A[n][m], double x[m], double y[n])
{
C
cat >r2 <<'C'
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < m; j++)
            y[i] += A[i][j] * x[j];
    }
#pragma endscop
C
printf '}\n\n' >o4
cat >o4b <<'C'
double sums(int n, int k, const double *restrict v, float (*F)[6], int *count)
{
    double s = 1, most, half;
    float third;
    int t, c = 0, l;
    double local[4];
    for (t = 0; t < 3; t++) {
C
cat >r3 <<'C'
	#pragma scop   // with a comment
        for (l = 0; l < 4; l++)
            local[l] = 10 * v[l];
        for (int i = 0; i < n; i++)
            s += v[i];
        /* counts */
        c += k;
        #pragma squall tune n=100
	# pragma endscop
C
cat >o5 <<'C'
        s += local[t];
    }
    *count = c;
    if (n > 3) {
C
cat >r4 <<'C'
#pragma scop
        half = third = most = v[0] / 3; /* by way of float */
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 6; j++)
                F[i][j] = (float)(half + table[i][j] + i * j + most * 3);
#pragma endscop
C
cat >o6 <<'C'
    }
#if 0
#pragma scop
    s = undeclared;
#pragma endscop
#endif
    return s + steps + (*text == '#') + (n > 3 ? third : 0);
}

C
cat >o6b <<'C'
void cube(int p, int q, int r, double *u, double *w)
{
C
cat >r5 <<'C'
#pragma scop
    for (int i = 0; i < p; i++)
        for (int j = 0; j < q; j++)
            for (int k = 0; k < r; k++)
                w[(i * q + j) * r + k] = u[(i * q + j) * r + k] * n_i;
#pragma endscop
C
cat >o7 <<'C'
}

C
cat >o7b <<'C'
void below(size_t n, unsigned m, double *a, const double *b, double *first)
{
C
cat >r6 <<'C'
#pragma scop
    for (size_t i = 1; i < n; i++)
        for (unsigned j = 0; j < m; j++)
            *(a + i * m + j) += (b + (i - 1) * m)[j];
    *first += n;
#pragma endscop
C
cat >o8 <<'C'
}

void fill(void)
{
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 7; j++)
            table[i][j] = min(i, j);
}

void rows_of(int rows, int cols, int ld, double *a, const double *b)
{
    add_rows(rows, cols, ld, a, b);
}
C
printf '/* no newline at the end */' >>o8
cat >work.h <<'C'
#include <stddef.h>
void vla(int n, int m, double A[n][m], double x[m], double y[n]);
double sums(int n, int k, const double *restrict v, float (*F)[6], int *count);
void cube(int p, int q, int r, double *u, double *w);
void fill(void);
void below(size_t n, unsigned m, double *a, const double *b, double *first);
void rows_of(int rows, int cols, int ld, double *a, const double *b);
C
cat o1 o2 r1 o3 o3b r2 o4 o4b r3 o5 r4 o6 o6b r5 o7 o7b r6 o8 >old.c

# ---- a program around it -------------------------------------------------------------------------
cat >main.c <<'C'
#include <stdio.h>
#include "work.h"
int tuned; /* calls of tuned functions */
static double pool[40000];

static double *fresh(int at)
{
    for (int i = 0; i < 4000; i++)
        pool[at + i] = (i * 7 + at) % 13 - 5;
    return pool + at;
}

static void show(const char *what, const double *v, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i] * (i % 101 + 1);
    printf("%s %.17g\n", what, sum);
    fprintf(stderr, "%s: %d tuned\n", what, tuned);
    tuned = 0;
}

static void at(int n, int m, int k)
{
    int count = -1;
    float F[5][6] = {{0}};
    double *a = fresh(0), *b = fresh(5000);
    rows_of(n, m, m, a, b);
    rows_of(n, m, m + 3, a, b);
    show("rows", a, 4000);
    rows_of(n, m, m > 1 ? m - 1 : 0, a, b);
    show("rows that overlap", a, 4000);
    rows_of(n, m, m, a + 1, a);
    show("rows of one array", a, 4000);
    vla(n, m, (double (*)[m])b, fresh(10000), fresh(15000));
    show("vla", pool + 15000, 4000);
    vla(n, m, (double (*)[m])b, b, b + 1);
    show("vla in place", b, 4000);
    double s = sums(n, k, fresh(5000), F, &count);
    printf("%.17g %d %.9g %g\n", s, count, F[2][5], F[4][0]);
    show("sums", b, 4000);
    cube(n, m, k, fresh(0), fresh(5000));
    show("cube", pool + 5000, 4000);
    cube(n, m, k, pool, pool);
    show("cube in place", pool, 4000);
    if (n >= 0)
        below((size_t)n, (unsigned)m, fresh(0), fresh(5000), pool + 4999);
    show("below", pool, 5000);
    if (n >= 0)
        below((size_t)n, (unsigned)m, pool, pool + 4990, pool + 4999);
    show("below in place", pool, 5000);
}

int main(void)
{
    static const int size[][3] = {{0, 0, 0}, {1, 1, 1}, {1, 7, 2}, {5, 3, 3}, {13, 17, 5},
                                  {16, 16, 4}, {33, 31, 3}, {4, 0, 2}, {0, 5, 1}, {-2, 3, -1}};
    fill();
    for (unsigned i = 0; i < sizeof size / sizeof *size; i++) {
        printf("at %d %d %d\n", size[i][0], size[i][1], size[i][2]);
        fprintf(stderr, "at %d %d %d\n", size[i][0], size[i][1], size[i][2]);
        at(size[i][0], size[i][1], size[i][2]);
    }
    return 0;
}
C
echo 'extern int tuned;' >count.h
"$CC" -O1 -w old.c main.c -o old -lm
./old >old.txt 2>/dev/null

# pieces NEW part...: the parts stand in NEW in this order, the first at its begin, the last at its end.
pieces() {
    awk 'BEGIN { RS = "\001"; at = 1
        for (i = 1; i < ARGC; i++) {
            text = ""; while ((getline line < ARGV[i]) > 0) text = text line
            if (i == 1) { new = text; continue }
            rest = substr(new, at)
            p = index(rest, text)
            if (i == ARGC - 1 && substr(rest, length(rest) - length(text) + 1) == text)
                p = length(rest) - length(text) + 1
            if (p == 0 || (i == 2 && p != 1)) { print "piece " ARGV[i] " is not there"; exit 1 }
            at += p - 1 + length(text)
        }
        if (at != length(new) + 1) { print "something behind the last piece"; exit 1 } }' "$@" ||
        fail "$1 is not the old file around its regions"
}

# same_result NEW flags...: builds it, runs it, compares; leaves the counts of tuned calls in calls.
same_result() {
    new=$1
    shift
    counted "$new" >counted.c
    "$CC" -O2 -include count.h "$@" counted.c main.c -o new -lm
    ./new >new.txt 2>calls || fail "$new does not run"
    cmp -s old.txt new.txt || { diff old.txt new.txt | head; fail "$new computes something else"; }
}

tuned_at() { # SIZES WHAT COUNT
    got=$(sed -n "/^at $1\$/,/^at /s/^$2: \([0-9]*\) tuned/\1/p" calls)
    [ "$got" = "$3" ] || fail "$2 at $1: $got tuned calls instead of $3"
}

for target in c avx2 avx2,openmp; do
    expect 0 compile old.c -o new.c --target=$target
    silent
    pieces new.c o1 o2 o3 o3b o4 o4b o5 o6 o6b o7 o7b o8
    flags=
    [ $target = avx2,openmp ] && flags=-mavx2
    for cc in "$CC" gcc clang; do
        command -v "${cc%% *}" >/dev/null || continue
        "$cc" -std=gnu11 -O2 $flags -Wall -Wextra -Werror -c new.c -o new.o ||
            fail "$cc warns of new.c for $target"
    done
    [ $target = c ] || targets runs | grep -qx "${target%%,*}" || continue
    same_result new.c $flags
done

# Where the tuned functions ran: not for arrays that overlap, nor for sizes that make rows overlap.
tuned_at "13 17 5" "rows" 2
tuned_at "13 17 5" "rows that overlap" 0
tuned_at "13 17 5" "rows of one array" 0
tuned_at "13 17 5" "vla" 1
tuned_at "13 17 5" "vla in place" 0
tuned_at "13 17 5" "sums" 4
tuned_at "13 17 5" "cube" 1
tuned_at "13 17 5" "cube in place" 0
tuned_at "-2 3 -1" "cube" 0
tuned_at "13 17 5" "below" 1
tuned_at "13 17 5" "below in place" 0

# Where a line came from: the text as written, and what stands behind it.
grep -q '^#line 2 "old.c"' new.c && fail "line numbers begin too early"
line=$(grep -n 'steps += i' old.c | cut -d: -f1)
"$CC" -include count.h -E new.c | awk -v want="$line" '/^# [0-9]+ "/ { at = $2 - 1; file = $3; next }
    { at++ } /steps \+= i/ { exit !(file == "\"old.c\"" && at == want) }' ||
    fail "#line does not lead back to line $line"

# One region alone; sizes made constant; other flags than those it was read with.
expect 0 compile old.c --kernel=sums_2 -o one.c
pieces one.c o1 o2 r1 o3 o3b r2 o4 o4b r3 o5 o6 o6b r5 o7 o7b r6 o8
expect 0 compile old.c --fix=cols=17 -o fixed.c
same_result fixed.c
tuned_at "13 17 5" "rows" 2
tuned_at "33 31 3" "rows" 0
cat >wide.c <<'C'
#ifndef N
#define N 8
#endif
double A[N][N];
void f(void)
{
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] += 1;
#pragma endscop
}
C
expect 0 compile wide.c -o wide_new.c
printf '#include <stdio.h>\n#include "wide_new.c"\nint main(void) { f(); printf("%%g", A[8][8]); }\n' >w.c
"$CC" -DN=9 w.c -o w -lm
[ "$(./w)" = 1 ] || fail "a file compiled with another -D runs code made for this one"

# Lines that end as on other systems, lines that go on, a region at the very end.
printf 'int a[9];\r\nvoid f(int n) {\r\n/* \r\n */ #pragma \\\r\n scop\r\nfor (int i = 0; i < n; i++)\r\n' >crlf.c
printf '    a[i] = 2 * i;\r\n#pragma endscop // \\\r\n end\r\n}' >>crlf.c
expect 0 compile crlf.c -o crlf_new.c
printf 'int a[9];\r\n' >c1
printf 'void f(int n) {\r\n/* \r\n */ ' >c2
printf '}' >c3
pieces crlf_new.c c1 c2 c3
[ "$(grep -vc "$(printf '\r')\$" crlf_new.c)" = 1 ] || fail "lines of the text end in other bytes than those of the file"
printf '#include <stdio.h>\n#include "crlf_new.c"\nint main(void) { f(9); printf("%%d", a[8]); }\n' >c.c
"$CC" c.c -o c -lm
[ "$(./c)" = 16 ] || fail "a file with other line ends computes something else"

# By name, as kernels.
expect 0 check old.c
prints "add_rows: accesses in bounds, schedule legal"
prints "sums_2: accesses in bounds"
expect 0 show deps old.c --kernel=vla
prints "S0[i] -> S1"
expect 1 compile old.c --kernel=sums_3 -o x.c
says "command line:1:22: error: there is no region 'sums_3' in old.c"
says "help: did you mean 'sums_2'?"
TMPDIR=$scratch XDG_STATE_HOME=$scratch XDG_CACHE_HOME=$scratch
export TMPDIR XDG_STATE_HOME XDG_CACHE_HOME
expect 0 tune old.c --kernel=sums --trials=2 -q
sched=$(ls old.*.sched)
grep -q '^kernel sums at n=100' "$sched" || fail "the tuned sizes are not those of the pragma"
expect 0 compile old.c --kernel=sums --fix=n=100 --machine=host -o tuned.c -v
says "sums: schedule: tuned"

# What there is to write.
expect 64 compile old.c
says "name the file to write with -o"
expect 64 compile old.c -o new.c --header=new.h
says "there is no header to write"
expect 64 compile old.c -o old.c
says "would be written over a file that was read"
expect 0 compile old.c -o - --emit=report
prints "kernel: add_rows"

# The sample, and the example of docs/LANGUAGE.md.
cp "$SQUALL_SOURCE"/samples/scop/mix.c .
expect 0 compile mix.c -o mix_tuned.c
silent
"$CC" -std=c99 -O2 mix_tuned.c -o mix_tuned
"$CC" -std=c99 -O2 -w mix.c -o mix
[ "$(./mix_tuned)" = "$(./mix)" ] || fail "the sample prints something else"
awk '/^```C/ { inside = 1; next } /^```/ { inside = 0 } inside' "$SQUALL_SOURCE/docs/LANGUAGE.md" >doc.c
grep -q 'pragma scop' doc.c || fail "no example in docs/LANGUAGE.md"
expect 0 compile doc.c -o doc_new.c
silent
"$CC" -Wall -Wextra -Werror -c doc_new.c -o doc_new.o

# Locals of inner blocks that hide a parameter or a variable outside get a name of their own.
cat >hide.c <<'C'
int f(int n, int *a);
int f(int n, int *a)
{
    int t = 1000;
#pragma scop
    for (int i = 0; i < n; i++) {
        {
            int t = 5 + i;
            a[i] += t;
        }
        a[i] += t;
    }
    for (int i = 0; i < n; i++) {
        int n = 3;
        a[i] += n;
    }
#pragma endscop
    return t;
}
C
expect 0 compile hide.c -o hidden.c
"${CC:-cc}" -Wall -Wextra -Werror -c hidden.c -o hidden.o || fail "hidden.c does not compile"

# A file that includes nothing has no size_t either.
cat >bare.c <<'C'
void turn(int n, int (*to)[n], const int *from);
void turn(int n, int (*to)[n], const int *from)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            to[i][j] = from[i];
#pragma endscop
}
C
expect 0 compile bare.c -o packed.c -e 'tile(i:48) pack(from at i0)'
grep -q '__builtin_memcpy' packed.c || fail "nothing is copied"
"${CC:-cc}" -Wall -Wextra -Werror -c packed.c -o packed.o || fail "packed.c does not compile"
