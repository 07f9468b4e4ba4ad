int f(int n, const double *a, double *most)
{
    int best = 0;
    double m = a[0];
#pragma scop
    for (int i = 1; i < n; i++)
        if (a[i] > m) {
            m = a[i];
            best = i;
        }
#pragma endscop
    *most = m;
    return best;
}
// error: 9:20: the condition around this reads what another statement under it has changed; accepted are conditions whose values stay until their last statement
// note: 7:13: given here
// help: what depends on values is a choice between values: m = a[i] > m ? a[i] : m; where the greatest stands is another one before it: at = a[i] > m ? i : at
