int i;
void f(int n, double *a)
{
#pragma scop
    for (i = 0; i < n; i++) a[i] = 0;
#pragma endscop
}
// error: 1:1: 'i' counts a loop of the region and lives longer than the call
// help: give the loop a variable of its own, for (int i = …)
