void f(int n, double *a)
{
again:
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] += 1;
#pragma endscop
    if (a[0] < 9)
        goto again;
}
// error: 3:1: the region begins or ends inside of this statement
// help: a label belongs to the statement behind it; write a ; of its own after the colon, before '#pragma scop'
