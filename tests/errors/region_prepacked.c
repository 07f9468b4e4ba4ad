void dense(int n, int m, const float *restrict x, const float *restrict w, float *restrict y)
{
#pragma scop
#pragma squall prepacked w
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[i] += x[j] * w[i * m + j];
#pragma endscop
}
// error: 4:16: unknown pragma 'prepacked'; accepted are 'tune NAME=value ...', 'fp strict|reassoc|fast' and 'parameters NAME ...'
// help: prepacked stands before a parameter of a kernel, prepacked const f32 W[K][N]; the text of a region is given the array itself in each call, so write its loops as a description
