typedef struct { float re, im; } cpx;
static cpx product(cpx a, cpx b)
{
    while (a.re > 1)
        a.re /= 2;
    return (cpx){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
void all(int n, cpx *restrict p, const cpx *restrict q)
{
#pragma scop
    for (int i = 0; i < n; i++)
        p[i] = product(p[i], q[i]);
#pragma endscop
}
// error: 12:9: a region cannot read or write this of the structs of 'p': 'product', which takes or returns all of it, is not put in the place of its call: a while loop is no assignment, for, if, declaration or return
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, p[i].x and p[i].v[k]; copy others to variables or arrays of their own before it
// error: 12:30: a region cannot read or write this of the structs of 'q': 'product', which takes or returns all of it, is not put in the place of its call: a while loop is no assignment, for, if, declaration or return
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, q[i].x and q[i].v[k]; copy others to variables or arrays of their own before it
