static void gone(float *x)
{
    x[0] = 1;
}
static void passed(int *x)
{
    x[0] = 1;
}
#define owned __attribute__((cleanup(gone)))
void f(int n, float *restrict a, const float *restrict x)
{
    owned float outside = 3;
#pragma scop
    {
        owned float m = n;
        int q __attribute__((__cleanup__(passed))) = n;
        for (int i = 0; i < n; i++)
            a[i] = m * x[i] + outside + q;
    }
#pragma endscop
}
void g(int n, float *restrict a)
{
#pragma scop
    for (int i __attribute__((cleanup(passed))) = 0; i < n; i++)
        a[i] += 1;
#pragma endscop
}
// error: 15:9: 'm' has a cleanup, whose function Squall's own loops would not call; declare it before the region
// error: 16:9: 'q' has a cleanup, whose function Squall's own loops would not call; declare it before the region
// error: 25:10: 'i' has a cleanup, whose function Squall's own loops would not call; declare it before the region
