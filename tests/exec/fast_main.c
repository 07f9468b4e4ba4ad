/* exp and log keep their digits under the flags this test compiles them with. */
#include <math.h>
#include <stdio.h>

void do_exp(int, const float *, float *), do_log(int, const float *, float *);

int main(void)
{
    static float x[4001], y[4001], z[4001];
    double worst = 0;
    for (int i = 0; i < 4001; i++)
        x[i] = (float)(i - 2000) * 0.02f;
    do_exp(4001, x, y);
    do_log(4001, y, z);
    for (int i = 0; i < 4001; i++) {
        worst = fmax(worst, fabs(y[i] / exp(x[i]) - 1));
        worst = fmax(worst, fabs(z[i] - log(y[i])) / fmax(fabs(log(y[i])), 1e-3));
    }
    printf("relative error %.2g\n", worst);
    return worst > 4e-7;
}
