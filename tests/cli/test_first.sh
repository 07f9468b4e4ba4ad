#!/bin/sh
# What only the first iteration of a loop does runs before it: three sums that share a root, two of which begin inside of
# the loop in the order that is found, are vectors.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >old.c <<'C'
#include <math.h>
struct bodies {
    double *x, *y, *z, *m;
    int n;
};
void pull(const struct bodies *p, double *ax, double *ay, double *az, double soft)
{
#pragma scop
    for (int i = 0; i < p->n; i++) {
        double fx = 0, fy = 0, fz = 0;
        for (int j = 0; j < p->n; j++) {
            double dx = p->x[j] - p->x[i], dy = p->y[j] - p->y[i], dz = p->z[j] - p->z[i];
            double r2 = dx * dx + dy * dy + dz * dz + soft;
            double inv = 1.0 / sqrt(r2);
            double s = p->m[j] * inv * inv * inv;
            fx += s * dx;
            fy += s * dy;
            fz += s * dz;
        }
        ax[i] = fx;
        ay[i] = fy;
        az[i] = fz;
    }
#pragma endscop
}
C
cat >main.c <<'C'
#include "show.h"
struct bodies {
    double *x, *y, *z, *m;
    int n;
};
void pull(const struct bodies *p, double *ax, double *ay, double *az, double soft);
int main(void)
{
    static const int odd[] = {0, 1, 2, 3, 7, 13, 31, 33, 127, 129};
    for (unsigned k = 0; k < sizeof odd / sizeof *odd; k++) {
        double at[4][130], out[3][130] = {{0}};
        for (int i = 0; i < 4 * 130; i++)
            at[i / 130][i % 130] = (i * 37 % 101 - 50) / 8.0;
        struct bodies all = {at[0], at[1], at[2], at[3], odd[k]};
        pull(&all, out[0], out[1], out[2], 0.25);
        SHOW(out[0]), SHOW(out[1]), SHOW(out[2]);
    }
    return 0;
}
C
show_h
as_before_everywhere 10
expect 0 compile old.c --target=avx2 -o new.c
sed -n '/squall_pull_1_nest(int64_t/,/^}/p' new.c >nest
! grep -q '== 0)' nest || fail "the loop asks for its first iteration: $(cat nest)"
for sum in 1 2 3; do
    grep -q "acc${sum}_0 = squall_pull_1_f64x4_fma(" nest || fail "no vectors of sum $sum: $(cat nest)"
done
# Strictly, sums keep their order: one at a time, and nothing asks for the first iteration.
sed 's/^#pragma scop$/#pragma squall fp strict\
&/' old.c >strict.c
expect 0 compile strict.c --target=avx2 -o new.c
sed -n '/squall_pull_1_nest(int64_t/,/^}/p' new.c >nest
! grep -q 'acc' nest || fail "strict: vectors of sums"
! grep -q '== 0)' nest || fail "strict: the loop asks for its first iteration: $(cat nest)"
exit 0
