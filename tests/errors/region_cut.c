void f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = 0;
#pragma endscop
    }
}
// error: 4:5: the region begins or ends inside of this statement
// help: '#pragma scop' and '#pragma endscop' stand in the same block { … }, around whole statements
