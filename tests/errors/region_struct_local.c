typedef struct { float re, im; } cpx;
float seen(const cpx *);
void f(cpx *a, const cpx *b, float *out, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        cpx t = i > 3 ? a[i] : b[i];
        out[i] = t.re;
    }
#pragma endscop
}
void g(float *out, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        cpx t = {.im = 1, .re = 2};
        out[i] = t.re;
    }
#pragma endscop
}
// error: 7:25: a region cannot read or write this of the structs of 'a': it is all of a struct; accepted are p[i] = q[j] and variables of the region that get such a value and whose numbers it names, t = p[i] and t.x, where every byte is one of at most 16 numbers
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, a[i].x and a[i].v[k]; copy others to variables or arrays of their own before it
// error: 7:32: a region cannot read or write this of the structs of 'b': it is all of a struct; accepted are p[i] = q[j] and variables of the region that get such a value and whose numbers it names, t = p[i] and t.x, where every byte is one of at most 16 numbers
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, b[i].x and b[i].v[k]; copy others to variables or arrays of their own before it
// error: 16:9: 't' has the type 'cpx'; accepted are float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t and uint64_t
// help: accepted are structs of at most 16 numbers and no other bytes that get all of their value from an element, from another one or from a list in the order of the members, and whose numbers are named, t.x; nothing takes the address of t
