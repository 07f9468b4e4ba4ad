#!/bin/sh
# Where the greatest or the smallest element is: each lane keeps the first place of the best that it met. Equal elements,
# NaN and infinities are met as the loop meets them.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
own_folders
cat >old.c <<'C'
#include <stdint.h>
int greatest(int n, const float *a, float most, int at)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        at = a[i] > most ? i : at;
        most = a[i] > most ? a[i] : most;
    }
#pragma endscop
    return at + (most == 9.0f ? 1000 : 0);
}
int64_t smallest(int64_t n, const double *a, double *least)
{
    int64_t at = 77;
    double low = *least;
#pragma scop
    for (int64_t i = 1; i < n; i++) {
        at = a[i] < low ? i : at;
        low = a[i] < low ? a[i] : low;
    }
#pragma endscop
    *least = low;
    return at;
}
int of_numbers(int n, const int *a, int most)
{
    int at = -1;
#pragma scop
    for (int i = 0; i < n; i++) {
        at = a[i] > most ? i : at;
        most = a[i] > most ? a[i] : most;
    }
#pragma endscop
    return at * 100000 + most;
}
int under_one_condition(int n, const float *a, float least, int at)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] < least) {
            least = a[i];
            at = i;
        }
#pragma endscop
    return at + (least == -2.0f ? 1000 : 0);
}
int last_of(int n, const float *a, float most, int at)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        at = a[i] >= most ? i : at;
        most = a[i] > most ? a[i] : most;
    }
#pragma endscop
    return at;
}
C
cat >main.c <<'C'
#include <math.h>
#include <stdint.h>
#include <stdio.h>
int greatest(int n, const float *a, float most, int at);
int64_t smallest(int64_t n, const double *a, double *least);
int of_numbers(int n, const int *a, int most);
int last_of(int n, const float *a, float most, int at);
int under_one_condition(int n, const float *a, float least, int at);
int main(void)
{
    static const int odd[] = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 127, 129};
    static const float first[] = {-3, 9, 4, NAN, -INFINITY, INFINITY};
    unsigned draw = 1;
    for (unsigned k = 0; k < sizeof odd / sizeof *odd; k++)
        for (int round = 0; round < 12; round++) {
            float a[130];
            double b[130], least = -first[round % 6];
            int c[130];
            for (int i = 0; i < 130; i++) {
                draw = draw * 1664525u + 1013904223u;
                c[i] = (int)((draw >> 20) % 11), a[i] = (float)c[i] - 2;
                if (round > 5 && (draw >> 10) % 9 == 0)
                    a[i] = (draw >> 14) % 2 ? NAN : -INFINITY;
                b[i] = -a[i];
            }
            printf("%d %d ", odd[k], greatest(odd[k], a, first[round % 6], 500));
            printf("%d ", (int)smallest(odd[k], b, &least));
            printf("%g %d ", least, of_numbers(odd[k], c, round % 6));
            printf("%d ", under_one_condition(odd[k], a, -first[round % 6], 300));
            printf("%d\n", last_of(odd[k], a, first[round % 6], 500));
        }
    return 0;
}
C
# Not `fp strict`, where nothing is reordered.
built old.c main.c -o old
./old >old.txt
for target in $(region_targets); do
    expect 0 compile old.c --target="$target" -o new.c
    built -fopenmp new.c main.c -o new
    ./new >new.txt || fail "$target: does not run"
    same old.txt new.txt
done

expect 0 compile old.c --target=avx2 -o new.c
for name in greatest smallest of_numbers under_one_condition; do
    sed -n "/squall_${name}_1_nest(int64_t/,/^}/p" new.c | grep -q "_select(" || fail "$name: no vectors"
done
# Lanes are combined four at a time: of eight two are taken out.
sed -n '/squall_of_numbers_1_nest(int64_t/,/^}/p' new.c >nest.c
grep -q "_fours(" nest.c || fail "of_numbers: no lanes are combined side by side"
! grep -q "\[[1-35-7]\]" nest.c || fail "of_numbers: lanes are taken out one by one"
! sed -n '/squall_last_of_1_nest(int64_t/,/^}/p' new.c | grep -q "_select(" || fail "last_of: equal elements are met again"
exit 0
