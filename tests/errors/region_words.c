void f(int size_t, int INT64_MIN, double *restrict uint32_t, const double *restrict b)
{
#pragma scop
    for (int i = 0; i < size_t; i++)
        uint32_t[i] = b[i];
    for (int int64_t = 0; int64_t < INT64_MIN; int64_t++)
        uint32_t[int64_t] += 1;
#pragma endscop
}
void g(int n, double *restrict a, const double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double UINT64_MAX = b[i];
        a[i] = UINT64_MAX * UINT64_MAX;
    }
#pragma endscop
}
// error: 1:8: 'size_t' is a name that the emitted text, the C library or the compiler has for itself; call this something else
// error: 1:20: 'INT64_MIN' is a name that the emitted text, the C library or the compiler has for itself; call this something else
// error: 1:35: 'uint32_t' is a name that the emitted text, the C library or the compiler has for itself; call this something else
// error: 14:9: 'UINT64_MAX' is a name that the emitted text, the C library or the compiler has for itself; call this something else
