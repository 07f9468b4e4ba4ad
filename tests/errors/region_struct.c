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
// help: a region reads members that are numbers or pointers to numbers, of single structs, where nothing in it changes the struct, and numbers of structs in arrays; copy others to variables before it
