typedef struct { float re, im; } cpx;
/* Its value is put together member by member. */
static cpx product(cpx a, cpx b)
{
    cpx r;
    r.re = a.re * b.re - a.im * b.im;
    r.im = a.re * b.im + a.im * b.re;
    return r;
}
void all(int n, cpx *restrict p, const cpx *restrict q)
{
#pragma scop
    for (int i = 0; i < n; i++)
        p[i] = product(p[i], q[i]);
#pragma endscop
}
// error: 14:9: a region cannot read or write this of the structs of 'p': 'product', which takes or returns all of it, is not put in the place of its call: it changes a struct of its own
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, p[i].x and p[i].v[k]; copy others to variables or arrays of their own before it
// error: 14:30: a region cannot read or write this of the structs of 'q': 'product', which takes or returns all of it, is not put in the place of its call: it changes a struct of its own
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, q[i].x and q[i].v[k]; copy others to variables or arrays of their own before it
