#!/bin/sh
# Flat arrays of ordinary C: a[i*n + j] in the forms in which old code has it. Rows of n + 1, rows
# by name, last columns, halves of rows: tuned code runs, and computes what the text as written does.
. "$SQUALL_SOURCE/tests/cli/lib.sh"

cat >flat.c <<'C'
#include <stdio.h>
typedef long long int64_t; /* a file's own, which is not that of <stdint.h> */
#define AT(i, j) ((i) * (n + 2) + (j))
int tuned;
static const int pad = 3;

void longer(int n, double *a, const double *b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * (n + 1) + j + 1] = b[i * n + j] + 1;
#pragma endscop
}
void edges(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i * n + n - 1] = a[i * n] + 1;
        a[(i + 1) * n - 1] += 2;
        a[n * n - n + i] += 3;
    }
#pragma endscop
}
void halves(int n, int m, double *a)
{
#pragma scop
    for (int b = 0; b < n; b++)
        for (int j = 0; j < m; j++)
            a[(b / 2) * m + j] += b % 2 ? 1 : 3;
#pragma endscop
}
void short_sizes(unsigned short n, unsigned char m, signed char k, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] *= k;
#pragma endscop
}
void named_rows(int n, int ld, const double *a, const double *x, double *y)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int row = i * ld;
        const int here = i;
        double s = 0;
        for (int j = 0; j < n; j++)
            s += a[row + j] * x[j] + row;
        y[here] = s;
    }
#pragma endscop
}
void convolve(int h, int w, int kh, int kw, const double *in, const double *k, double *out)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            out[y * w + x] = 0;
            for (int s = 0; s < kh; s++)
                for (int t = 0; t < kw; t++)
                    out[y * w + x] += in[(y + s) * (w + kw - 1) + x + t] * k[s * kw + t];
        }
#pragma endscop
}
void border(int n, double *u, const double *v)
{
#pragma scop
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++)
            u[AT(i, j)] = v[AT(i - 1, j)] + v[AT(i + 1, j)] + v[AT(i, j - 1)] + v[AT(i, j + 1)];
    for (int i = 0; i < n + 2; i++)
        u[AT(n + 1, i)] = u[AT(i, n + 1)] = v[AT(i, 0)];
#pragma endscop
}
void cube(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                a[(i * (n + 2) + j + 1) * (n + pad) + k + 1] += i + j + k;
#pragma endscop
}
void many(int n, int m, int k, double *a, const double *b) /* five dimensions, and six */
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int s = 0; s < k; s++)
                for (int t = 0; t < n; t++)
                    for (int u = 0; u <= m; u++) {
                        a[(((i * m + j) * k + s) * n + t) * (m + 1) + u] = i - u;
                        for (int v = 0; v < k; v++)
                            a[(((i * m + j) * k + s) * n + t) * (m + 1) + u] +=
                                v * b[((((i * m + j) * k + s) * n + t) * k + v) * m + j];
                    }
#pragma endscop
}
void backward(unsigned long n, int m, double *a) /* i-- > 0 and i-- */
{
#pragma scop
    for (long i = (long)n; i-- > 0;)
        for (int j = m; j-- > 1;)
            a[i * m + j] += 2 * a[(i + 1) * m + j];
    for (unsigned long i = n; i--;)
        a[i] = -a[i];
#pragma endscop
}
C
cat >main.c <<'C'

static double pool[3][20000];

static void show(const char *what)
{
    double sum = 0;
    for (int i = 0; i < 60000; i++)
        sum += pool[i / 20000][i % 20000] * (i % 101 + 1);
    printf("%s %.17g\n", what, sum);
    fprintf(stderr, "%s: %d tuned\n", what, tuned);
    tuned = 0;
}

int main(void)
{
    double *a = pool[0], *b = pool[1], *c = pool[2];
    for (int n = 0; n < 20; n += n < 5 ? 1 : 7) {
        for (int i = 0; i < 60000; i++)
            pool[i / 20000][i % 20000] = (i * 7 + 3) % 13 - 5;
        longer(n, a, b);
        show("longer");
        edges(n, a);
        show("edges");
        halves(n, n + 3, b);
        show("halves");
        short_sizes((unsigned short)n, (unsigned char)(2 * n + 1), -2, a);
        show("short");
        named_rows(n, n + 2, b, a, c);
        show("named");
        named_rows(n, n - 1, b, a, c);
        show("rows that overlap");
        convolve(n, n + 4, 3, n / 2, a, b, c);
        show("convolve");
        border(n, c, b);
        show("border");
        backward((unsigned long)n, n + 2, a);
        show("backward");
        cube(n, a);
        show("cube");
        many(n / 3, 3, 2, a, b);
        show("many");
    }
    return 0;
}
C
expect 0 compile flat.c -o flat_new.c
silent
counted flat_new.c >counted.c
cat flat.c main.c >old.c
cat counted.c main.c >new.c
for file in old new; do
    "$CC" -std=gnu11 -O2 -Wall -Wextra -Werror -Wno-unknown-pragmas \
        -fsanitize=address,undefined -fno-sanitize-recover=undefined $file.c -o $file -lm ||
        fail "$file.c does not compile"
    ./$file >$file.txt 2>$file.calls || fail "$file does not run"
done
same old.txt new.txt
for what in longer edges halves short named convolve border backward cube many; do
    [ "$(grep -c "^$what: 1 tuned" new.calls)" -ge 7 ] || fail "$what is not always tuned"
done
[ "$(grep -c "^rows that overlap: 0 tuned" new.calls)" = 8 ] ||
    fail "rows that overlap are tuned"

# No tuned code for hardly any sizes: rows that are left, unsigned numbers that wrap.
cat >left.c <<'C'
void f(int n, double *t)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            t[i * n + 2 * j] += 1;
#pragma endscop
}
void g(unsigned n, double *a)
{
#pragma scop
    for (unsigned i = 0; i < n; i++)
        a[i - 1 + 1] += 1;
#pragma endscop
}
C
expect 1 compile left.c -o left_new.c
says "left.c:6:13: error: 't' is written out of bounds: for example with n=2: S0[i=0, j=1]"
says "by its subscripts in this region 't' has 2 dimensions"
says "left.c:13:11: error: this is unsigned and leaves its range"
