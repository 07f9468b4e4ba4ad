void f(int n, int taps, int dilation, const float *x, const float *w, float *y)
{
#pragma scop
    for (int i = 0; i < n - (taps - 1) * dilation; i++)
        for (int k = 0; k < taps; k++)
            y[i] += w[k] * x[i + k * dilation];
#pragma endscop
}
// error: 4:29: end of the loop is not affine: it multiplies two things that both vary; accepted are sums of indices and sizes with constant factors
// help: if callers have few values of 'dilation', --fix=dilation=2 makes it a constant
