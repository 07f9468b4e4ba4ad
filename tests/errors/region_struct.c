struct s { int n; double *a; };
void f(struct s *s)
{
#pragma scop
    for (int i = 0; i < s->n; i++) {
        s->a[i] = 0;
        s->n -= s->a[i] > 0;
    }
#pragma endscop
}
// error: 5:25: end of the loop is not affine: 's->n' is written in the region; accepted are sums of indices and sizes with constant factors
