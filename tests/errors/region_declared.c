double f(int n, double *a)
{
#pragma scop
    double s = 0;
    for (int i = 0; i < n; i++) s += a[i];
#pragma endscop
    return s;
}
// error: 7:12: 's' is declared inside the region and used behind it; declare it before the region
