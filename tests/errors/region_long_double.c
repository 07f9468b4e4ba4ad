void f(int n, long double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) a[i] = 0;
#pragma endscop
}
// error: 1:15: 'a' is made of the type 'long double'; accepted are float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t and uint64_t
