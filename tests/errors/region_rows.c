void f(int n, double **A)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i][j] = 0;
#pragma endscop
}
// error: 1:15: the rows of 'A' are pointers, and may lie anywhere; accepted are arrays of one piece, double A[n][m], double (*A)[m] or double *a with a[i*m + j]
// help: or a region for one row, which a variable before the region leads to, double *row = A[i];
