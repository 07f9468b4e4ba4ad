void f(int n, double *a)
{
    do
#pragma scop
        for (int i = 0; i < n; i++)
            a[i] = 0;
#pragma endscop
    while (a[0] > 0);
}
// error: 3:5: the region begins or ends inside of this statement
// help: write { before '#pragma scop' and } after '#pragma endscop'
