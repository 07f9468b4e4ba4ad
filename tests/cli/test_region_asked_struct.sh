#!/bin/sh
# Conditions of a region on a pointer to a struct whose members it reads: optimized code where there is a struct.
. "$SQUALL_SOURCE/tests/cli/lib.sh"
cat >old.c <<'C'
#include <stddef.h>
typedef struct { int n; float *p; } list;
void take(int n, const list *q, float *y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (q)
            y[i] = q->p[i];
        else
            y[i] = 5;
#pragma endscop
}
void both(int n, const list *q, float *y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (q != NULL && q->p)
            y[i] = q->p[i] * q->n;
        else
            y[i] = q == 0 ? 5 : 6;
#pragma endscop
}
/* Nothing of it is read: there is no need for one. */
void ask(int n, const list *q, float *y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = q ? i : -i;
#pragma endscop
}
C
cat >main.c <<'C'
#include <stdio.h>
typedef struct { int n; float *p; } list;
void take(int, const list *, float *), both(int, const list *, float *), ask(int, const list *, float *);
static float y[64];
static void show(int n)
{
    for (int i = 0; i < n; i++)
        printf("%a ", y[i]);
    printf("\n");
}
int main(void)
{
    static float p[64];
    list full = {3, p}, empty = {4, 0};
    for (int i = 0; i < 64; i++)
        p[i] = (float)i / 3;
    for (int n = 0; n < 64; n++) {
        take(n, &full, y), show(n);
        take(n, 0, y), show(n);
        both(n, &full, y), show(n);
        both(n, &empty, y), show(n);
        both(n, 0, y), show(n);
        ask(n, &full, y), show(n);
        ask(n, 0, y), show(n);
    }
    return 0;
}
C
as_before_everywhere 320

# A struct that the region uses in another way is none that it can read.
cat >bad.c <<'C'
typedef struct { int n; int bits : 3; float p[4][4]; } list;
void f(int n, const list *q, float *y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = q ? q->bits : 0;
#pragma endscop
}
C
sed 's/q->bits/q->p[i][0]/' bad.c >rows.c
expect 0 check rows.c --target=avx2 --at=n=3,q_given=1 --at=n=4,q_given=1 --at=n=4,q_given=0
expect 1 compile bad.c -o bad.new.c
says "'q' is made of the type 'const list'"
says "a region reads members of single structs that are numbers or pointers to numbers"
