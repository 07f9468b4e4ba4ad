double f(int n, double *a)
{
#pragma STDC FENV_ACCESS ON
    double s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += a[i];
#pragma endscop
    return s;
}
// error: 3:9: 'f' is under this pragma, and the emitted text computes in the default environment: each operation in its type, rounded to nearest, no flag of an exception kept
// help: leave it out, or end it before: what needs it stays in a function of C
