void f(int n, double **a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (i > 3)
            break;
        a[i][0] = 1;
    }
#pragma endscop
}
// error: 1:15: the rows of 'a' are pointers, and may lie anywhere; accepted are arrays of one piece, double A[n][m], double (*A)[m] or double *a with a[i*m + j]
// help: or a region for one row, which a variable before the region leads to, double *row = a[i];
// error: 6:13: break is no statement of a region; accepted are assignments, for, if and declarations
// help: a loop ends where its condition says: for (…; i < N && i < 3; …); a search for the first place goes on to the end, if (i < at && a[i] > 0) at = i;
