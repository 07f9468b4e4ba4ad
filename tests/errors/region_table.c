void f(int n, int v, const int *x, const float *t, float *y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = t[x[i]];
#pragma endscop
}
// error: 5:18: subscript 1 of 't' is a value from -2147483648 to 2147483647, and may be out of bounds; accepted are values that their type limits, or & % >> ?:
// help: limit it, as in x < 0 ? 0 : x > n - 1 ? n - 1 : x, or leave this loop as it is, outside of the region
