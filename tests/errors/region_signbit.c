void f(int n, float *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = __builtin_signbit(a[i]) ? 0 : a[i];
#pragma endscop
}
// error: 5:16: function '__builtin_signbit' is not accepted in a region; accepted are exp exp2 log log2 sqrt tanh erf sin cos fabs floor ceil round trunc rint nearbyint lround lrint pow fmax fmin and their f forms, abs isnan isinf isfinite, and functions of the file
// help: write x < 0, which is false for -0 and for NaN
