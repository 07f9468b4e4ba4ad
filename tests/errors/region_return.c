int f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) { if (i > 3) return 1; a[i] = 0; }
#pragma endscop
    return 0;
}
// error: 4:46: return is no statement of a region; accepted are assignments, for, if and declarations
