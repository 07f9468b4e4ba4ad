void f(int n, double *a)
{
    switch (n) {
    case 1:
#pragma scop
        for (int i = 0; i < n; i++)
            a[i] = 0;
#pragma endscop
        break;
    }
}
// error: 4:5: the region begins or ends inside of this statement
// help: a label belongs to the statement behind it; write a ; of its own after the colon, before '#pragma scop'
