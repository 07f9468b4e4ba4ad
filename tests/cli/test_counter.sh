#!/bin/sh
# Variables that loops of a nest count, `out[k++] = …`: the new file computes what the old one does, at sizes below 0 too,
# in its optimized code where no size is.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >old.c <<'C'
void inter(int nx, const float *x, int ny, const float *y, int rows, float *out)
{
    int index = 0, i, j;
#pragma scop
    for (j = 0; j < rows; ++j) {
        for (i = 0; i < nx; ++i) out[index++] = x[j * nx + i];
        for (i = 0; i < ny; ++i) out[index++] = y[j * ny + i];
    }
#pragma endscop
}
void deinter(int nx, float *x, int ny, float *y, int rows, const float *out)
{
    int i, j;
    int index = 0;
#pragma scop
    for (j = 0; j < rows; ++j) {
        for (i = 0; i < nx; ++i) {
            if (x) x[j * nx + i] += out[index];
            ++index;
        }
        for (i = 0; i < ny; ++i) {
            if (y) y[j * ny + i] += out[index];
            ++index;
        }
    }
#pragma endscop
}
/* Steps by more than 1: the last ones are short. */
void every_other(const float *x, float *out, int n, int m)
{
    int at = 0;
#pragma scop
    for (int i = 0; i < n; i += 3)
        for (int j = 0; j < m; j += 2)
            out[at++] = x[i * m + j];
#pragma endscop
}
void every_other_of_two(const float *x, const float *y, float *out, int n, int m)
{
    int at = 1;
#pragma scop
    for (int i = 0; i < m; i += 2) {
        out[at++] = y[i];
        out[at++] = -y[i + 1];
    }
    for (int i = 0; i < 7; i += 4)
        out[at++] = x[i];
    for (int i = 0; i < n; i++)
        out[at++] = y[i];
#pragma endscop
}
void planes(const float *x, float *out, float *last, int n, int m, int k)
{
    int at = 0, back = 7;
#pragma scop
    for (int a = 0; a < n; a++)
        for (int b = 0; b < m; b++)
            for (int c = 0; c < k; c++) {
                out[at] = 2 * x[at];
                at++;
            }
    for (int a = 0; a < n; a++) {
        last[a] += (float)back;
        back -= 2;
    }
    last[3] += (float)back;
#pragma endscop
}
void one_after_the_other(const float *x, const float *y, float *out, int n, int m)
{
    int at = 2;
#pragma scop
    for (int i = 0; i < n; i++)
        out[at++] = x[i];
    for (int i = 0; i < m; i++)
        out[at++] = y[i];
#pragma endscop
}
/* Set in the region, which runs twice, and again between its loops. */
void set_again(float *x, const float *y, float *out, int n, int m)
{
    int at, t;
    for (t = 0; t < 2; t++) {
#pragma scop
        at = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                out[at] += 2 * y[j];
                at++;
            }
        at = 1;
        for (int i = 0; i < m; i++)
            x[at++] -= y[i];
#pragma endscop
    }
}
/* Declared in the region, and begun anew in each turn of a loop: by its declaration, by a statement, under a condition. */
void declared(const float *x, const float *y, float *out, int n, int m)
{
#pragma scop
    int at = 0, back = 9;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            out[at++] = x[i * m + j];
    for (int i = 0; i < m; i++) {
        out[at++] += y[i] + (float)back;
        back -= 2;
    }
#pragma endscop
}
void in_each_row(const float *x, float *out, float *last, int n, int m)
{
    int c;
#pragma scop
    for (int i = 0; i < n; i++) {
        int k = 0;
        for (int j = 0; j < m; j++)
            for (int t = 0; t < 3; t++)
                out[i * 3 * m + k++] += x[i * m + j];
        c = 1;
        for (int j = 0; j < 3; j++) {
            last[4 * i + c] = x[j] + (float)c;
            c++;
        }
        if (x[i] > 0) {
            int k = 1;
            for (int j = 0; j < 2; j++)
                last[4 * i + k++] -= x[j];
        }
    }
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdio.h>
#include <stdlib.h>
void inter(int, const float *, int, const float *, int, float *);
void deinter(int, float *, int, float *, int, const float *);
void planes(const float *, float *, float *, int, int, int);
void one_after_the_other(const float *, const float *, float *, int, int);
void every_other(const float *, float *, int, int);
void every_other_of_two(const float *, const float *, float *, int, int);
void set_again(float *, const float *, float *, int, int);
void declared(const float *, const float *, float *, int, int);
void in_each_row(const float *, float *, float *, int, int);
enum { MOST = 33 * 70 * 3 + 40 };
static float x[MOST], y[MOST], z[MOST];

static void show(const char *name)
{
    printf("%s", name);
    for (int i = 0; i < MOST; i++) {
        printf(" %.9g %.9g %.9g", (double)x[i], (double)y[i], (double)z[i]);
        x[i] = (float)(i * 5 % 13 - 6), y[i] = (float)(i % 7), z[i] = (float)(i * 3 % 11);
    }
    printf("\n");
}

static void run(int a, int b)
{
    inter(a, x, b, y, 3, z);
    show("inter");
    deinter(a, x, b, y, 3, z);
    deinter(a, NULL, b, y, 2, z);
    deinter(a, x, b, NULL, 2, z);
    show("deinter");
    planes(x, z, y, 3, a, b);
    one_after_the_other(x, y, z, a, b);
    show("planes");
    set_again(x, y, z, a, b);
    show("set_again");
    every_other(x, z, a, b);
    every_other_of_two(x, y, z, a, b);
    show("every_other");
    declared(x, y, z, a, b);
    show("declared");
    in_each_row(x, z, y, a, b);
    show("in_each_row");
}

int main(int argc, char **argv)
{
    static const int odd[] = {0, 1, 2, 3, 7, 13, 31, 33};
    (void)argv;
    show("start");
    if (argc > 1) { /* sizes below 0, which loops do not count */
        run(-3, 5);
        run(5, -3);
        return 0;
    }
    for (int a = 0; a < 8; a++)
        for (int b = 0; b < 8; b++)
            run(odd[a], odd[b]);
    return 0;
}
C
built old.c main.c -o old
for target in $(region_targets); do
    rebuilt "$target"
    as_before "$target" 721 # where n is 0, or a row of x has no three elements, the original text runs
    as_before "$target" 0 below
done
expect 0 check old.c --target=c --quick

# What counts otherwise.
no() { # TEXT MESSAGE: a region that counts k
    printf 'void f(int n, const float *x, float *y)\n{\n    int k = 0;\n#pragma scop\n%s\n#pragma endscop\n}\n' "$1" >no.c
    expect 1 compile no.c -o no2.c
    says "$2"
}
no '    for (int i = 0; i < n; i++) { if (i % 2 == 0) k++; y[k] = x[i]; }' "'k' is written in the region"
no '    for (int i = 1; i < n; i++) y[k] = x[k++];' "'k' is written in the region"
no '    for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) { y[k] = x[k]; k++; }' "'k' counts the turns of several loops together"

no '    for (int i = 0; i < n; i++) if (x[i] > 0) y[k++] = x[i];' \
    "'k' is counted here but not in every turn of loops that count up from 0"
no '    for (int i = 0; i < n; i++) { y[k++] = x[i]; if (i == 3) k = 0; }' "'k' is counted here but not in every turn"
no '    for (int i = 0; i < n; i++) { y[k++] = x[i]; k = 0; }' "'k' is counted here but not in every turn"
no '    k = x[1] > 0; for (int i = 0; i < n; i++) y[k++] = x[i];' "'k' is counted here but not in every turn"
no '    for (int i = 0; i < n; i++) y[k++] = x[i]; k = y[0] > 0; for (int i = 0; i < n; i++) y[k++] = x[i];' \
    "'k' is counted here but not in every turn"
no '    int m = 0; for (int i = 1; i < n; i++) { y[m] = x[i]; m++; }' "'m' is written in the region"
says "if loops from 0 count it together, m++ or m += 2, it begins with a constant before them, int m = 0"
no '    int m = 0; for (int i = 1; i < n; i++) y[m++] = x[i];' "'m' is counted here but not in every turn"
no '    int m = x[1] > 0; for (int i = 0; i < n; i++) y[m++] = x[i];' \
    "'m' is counted here and does not begin with a constant or what ints that the region does not change give, where it"
no '    int m = n + (x[1] > 0); for (int i = 0; i < n; i++) y[m++] = x[i];' "'m' is counted here and does not begin with a constant"
no '    int m = 0, a = m; for (int i = 0; i < n; i++) y[m++] = x[i + a];' "'m' is counted here but not in every turn"
no '    for (int i = 0; i < n; i++) { int m; y[m++] = x[i]; }' "'m' is counted here and does not begin with a constant"
no '    for (int i = 0; i < n; i++) { static int m = 0; y[m++] = x[i]; }' "'m' is counted here but not in every turn"
no '    for (int i = 0; i < n; i++) { volatile int m = 0; y[m++] = x[i]; }' "volatile"
printf 'int f(int n, const float *x, float *y)\n{\n    int k = 0;\n#pragma scop
    for (int i = 0; i < n; i++) y[k++] = x[i];\n#pragma endscop\n    return k;\n}\n' >no.c
expect 1 compile no.c -o no2.c
says "'k' is counted here and is read after the region"

# Wherever an expression counts: it is refused, or the new file counts as the old one does.
cat >at_all.c <<'C'
#include <stdio.h>
void f(int, const float *, const float *, float *);
int main(void)
{
    static float x[40], w[200], y[40];
    for (int i = 0; i < 200; i++)
        w[i] = (float)(i * 7 % 5 - 2);
    for (int i = 0; i < 40; i++)
        x[i] = (float)(i % 3 - 1);
    f(31, x, w, y);
    for (int i = 0; i < 40; i++)
        printf(" %g", (double)y[i]);
}
C
while read -r form; do
    printf 'void f(int n, const float *x, const float *w, float *y)\n{\n    int k = 0;\n#pragma scop\n' >at.c
    printf '    for (int i = 0; i < n; i++) {\n        %s\n    }\n#pragma endscop\n}\n' "$form" >>at.c
    "$SQUALL" compile at.c --target=c -o at_new.c 2>err || { grep -q 'error: ' err && continue; }
    "${CC:-cc}" -O1 -w at.c at_all.c -o at_old 2>err && "${CC:-cc}" -O1 -w at_new.c at_all.c -o at_new 2>err || fail "$form"
    [ "$(./at_old)" = "$(./at_new)" ] || fail "$form: other values"
    echo "$form" >>at_taken
done <<'F'
y[i] = w[k++];
y[i] = x[i] + 2 * w[k++];
y[i] = -w[k++] < 1;
y[i] = (w[k++]);
y[i] += w[k++];
y[i] = w[k++] > 0 && x[i] > 0;
y[i] = x[i] > 0 && w[k++] > 0;
y[i] = x[i] > 0 || w[k++] > 0;
y[i] = !(x[i] > 0 && w[k++] > 0);
y[i] = (x[i] > 0 || x[i] < -1) + w[k++];
y[i] = x[i] > 0 ? w[k++] : 3;
y[i] = x[i] > 0 ? 3 : w[k++];
y[i] = w[k++] > 0 ? x[i] : 3;
y[i] = (x[i], w[k++]);
y[i] = sizeof(w[k++]) + w[k];
y[i] = x[i] + sizeof(w[k++]); y[i] += w[k];
if (x[i] > 0) y[i] = w[k++];
if (i > 3) y[i] = w[k++];
if (w[k++] > 0) y[i] = x[i];
y[i] = w[k]; k += 2;
y[i] = w[k++] + w[k++];
y[i] = w[2 * k++];
F
grep -qFx 'y[i] = x[i] + 2 * w[k++];' at_taken && grep -qFx 'y[i] = w[k++] > 0 && x[i] > 0;' at_taken ||
    fail "taken are only: $(cat at_taken)"

# Two statements of one macro have one place.
printf '#define TWO y[k++] = x[i]; y[k++] = 2 * x[i];\nvoid f(int n, const float *x, float *y)\n{\n    int k = 0;
#pragma scop\n    for (int i = 0; i < n; i++) { TWO }\n#pragma endscop\n}\n' >no.c
expect 1 compile no.c -o no2.c
says 'no.c:6:35: error: subscript is not affine'
exit 0
