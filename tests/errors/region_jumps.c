void f(int n, int h, int w, double *restrict a, const double *restrict x)
{
    const double *p;
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = x[i * i];
        if (x[i] > 0)
            break;
    }
    for (int i = 0; i < h; i++) {
        if (i > 3)
            continue;
        a[i] = 0;
    }
    for (p = x; p < x + n; p++)
        a[0] += *p;
    while (n > 0)
        a[0] = 1;
#pragma endscop
}
// error: 6:18: subscript is not affine: it multiplies two things that both vary; accepted are sums of indices and sizes with constant factors
// error: 8:13: break is no statement of a region; accepted are assignments, for, if and declarations
// help: a loop ends where its condition says: for (…; i < N && i < 3; …); a search for the first place goes on to the end, if (i < at && a[i] > 0) at = i;
// error: 15:10: 'p' counts a loop and is a pointer; accepted are the types of integers
// help: write for (int i = 0; i < n; i++), with a[i] in the place of *p where it begins at a
// error: 17:5: a while loop is no statement of a region; accepted are assignments, for, if and declarations
// help: write for (int i = 0; i < N; i++)
