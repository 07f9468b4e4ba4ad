int f(int n, const double *a)
{
    int best = 0;
#pragma scop
    for (int i = 1; i < n; i++)
        if (a[i] > a[best])
            best = i;
#pragma endscop
    return best;
}
// error: 6:22: subscript is not affine: 'best' is written in the region; accepted are sums of indices and sizes with constant factors
// help: what depends on values is a choice between values: m = a[i] > m ? a[i] : m; where the greatest stands is another one before it: at = a[i] > m ? i : at
