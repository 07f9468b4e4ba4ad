double f(int n, double *a)
{
    register double s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += a[i];
#pragma endscop
    return s;
}
// error: 3:5: the region writes 's', which is register and so has no address; leave that word out
