void f(int n, double x[][])
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i][0] = 0;
#pragma endscop
}
// error: 1:23: array has incomplete element type 'double[]'
// help: only the first extent may be left out: double A[][m]
