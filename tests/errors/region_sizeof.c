/* The length of a variable-length array is no number. */
void f(int n, float *restrict p)
{
    float t[n];
#pragma scop
    for (int i = 0; i < n; i++)
        p[i] = sizeof t + t[i];
#pragma endscop
}
// error: 7:16: in a region, sizeof is accepted for what has a constant length
