/* Pointers that lead elsewhere later, by what they are not only followed, or to a place that memory says. */
void f(int n, double *a, const double *b, const int *at)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double *row = a + i * n;
        row += 1;
        for (int j = 0; j < n; j++)
            row[j] *= b[j];
    }
#pragma endscop
#pragma scop
    for (int i = 0; i < n; i++) {
        double *row = a + i * n;
        row[0] = row == a ? 1 : 2;
    }
#pragma endscop
#pragma scop
    for (int i = 0; i < n; i++) {
        double *row = a + at[i];
        row[0] = 1;
    }
#pragma endscop
#pragma scop
    for (int i = 0; i < n; i++) {
        double *row = i ? a : a + n;
        row[0] = 1;
    }
#pragma endscop
}
// error: 6:9: 'row' has the type 'double *'; accepted are float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t and uint64_t
// help: accepted are pointers to places of arrays, double *row = a + i*n, that nothing in their block moves, or one loop moves by as much in each turn, *row++, and that are only followed; else write a[i*n + j] for row[j]
// error: 14:9: 'row' has the type 'double *'; accepted are float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t and uint64_t
// help: accepted are pointers to places of arrays, double *row = a + i*n, that nothing in their block moves, or one loop moves by as much in each turn, *row++, and that are only followed; else write a[i*n + j] for row[j]
// error: 21:9: subscript is not affine: it reads an array, so what it is depends on values; accepted are sums of indices and sizes with constant factors
// help: leave this loop as it is, outside of the region
// error: 26:9: 'row' has the type 'double *'; accepted are float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t and uint64_t
// help: accepted are pointers to places of arrays, double *row = a + i*n, that nothing in their block moves, or one loop moves by as much in each turn, *row++, and that are only followed; else write a[i*n + j] for row[j]
