struct s { int n; double *a; };
void f(struct s *s)
{
#pragma scop
    for (int i = 0; i < s->n; i++) s->a[i] = 0;
#pragma endscop
}
// error: 2:8: 's' is made of the type 'struct s'; accepted are f32, f64
