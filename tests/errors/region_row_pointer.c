void f(int n, double *a, const double *b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double *row = a + i * n;
        for (int j = 0; j < n; j++)
            row[j] *= b[j];
    }
#pragma endscop
}
// error: 5:9: 'row' has the type 'double *'; accepted are float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t and uint64_t
// help: write the array it points into in its place, a[i*n + j] for row[j], or declare a number for where a row begins: int row = i*n
