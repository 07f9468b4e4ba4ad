double sum(double x);
void f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) a[i] = sum(a[i]);
#pragma endscop
}
// error: 5:40: function 'sum' is not accepted in a region; accepted are exp exp2 log log2 sqrt tanh erf sin cos fabs floor ceil round trunc rint nearbyint lround lrint pow fmax fmin and their f forms, abs isnan isinf isfinite, and functions of the file
