void f(int n, int (*t)[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        (*t)[i][i] = 1;
#pragma endscop
}
// error: 5:10: this is no element of an array; accepted are variables, arrays and pointers with all their subscripts, a[0][i] for (*a)[i]
