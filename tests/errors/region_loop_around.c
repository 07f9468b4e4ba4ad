void f(int n, double *a)
{
    for (int i = 0; i < n; i++) {
#pragma scop
        for (i = 0; i < n; i++) a[i] = 0;
#pragma endscop
    }
}
// error: 3:21: 'i' counts a loop of the region before, which leaves no value behind
// note: 4:1: the region
// help: give the loop a variable of its own, for (int i = …)
