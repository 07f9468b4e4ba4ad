void f(int n, double *a)
{
#pragma omp parallel for
    /* of loops */
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 0;
#pragma endscop
}
// error: 5:1: the pragma before is about the statement behind it, which the region replaces; put '#pragma scop' before that line
