void attend(int heads, int shared, int n, const float *key, float *out)
{
#pragma scop
    for (int h = 0; h < heads; h++)
        for (int i = 0; i < n; i++)
            out[h*n + i] = key[(h / shared)*n + i];
#pragma endscop
}
// error: 6:33: subscript is not affine: it divides by something else than a positive constant; accepted are sums of indices and sizes with constant factors
// help: if callers have few values of 'shared', --fix=shared=2 makes it a constant
