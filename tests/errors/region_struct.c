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
// error: 2:8: 's' is made of the type 'struct s'; accepted are float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t and uint64_t
// help: a region reads members where nothing in it changes the struct, and behind a pointer where it reads one in any case, as a first loop's bound does; copy others to variables before it
