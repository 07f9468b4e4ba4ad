void f(int n, const float *a, float *b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        b[i] = 2 * i[a];
        i[b] += 1;
    }
#pragma endscop
}
// error: 5:20: here the subscript stands before its array; accepted is a[i]
// error: 6:9: here the subscript stands before its array; accepted is b[i]
