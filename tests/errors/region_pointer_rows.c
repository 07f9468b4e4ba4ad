void f(int n, double *x)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x[i][j] = 0;
#pragma endscop
}
// error: 6:17: subscripted value is not an array, pointer, or vector
// help: there are more subscripts here than the array has dimensions; a pointer has one: a[i*m + j] is element j of row i
