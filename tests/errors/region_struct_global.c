struct m {
    int n;
    double v[10];
};
struct m g;
void f(void)
{
#pragma scop
    for (int i = 0; i < g.n; i++)
        g.v[i] = i;
#pragma endscop
}
// error: 5:1: 'g' is made of the type 'struct m'; accepted are float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t and uint64_t
// help: a region reads members that are numbers or pointers to numbers, of single structs, where nothing in it changes the struct; copy others to variables before it
