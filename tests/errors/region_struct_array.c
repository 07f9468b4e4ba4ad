/* What of structs in arrays is no number of theirs. */
struct inner { float a, b; };
struct p { float x; unsigned f : 3; union { float u; int i; }; double *q; struct inner in; };
#pragma pack(push, 1)
struct k { char c; float x; };
#pragma pack(pop)
void f1(struct p *p, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) p[i].f = 1;
#pragma endscop
}
void f2(struct p *p, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) p[i].u = 1;
#pragma endscop
}
void f3(struct p *p, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) p[i].q[3] = 1;
#pragma endscop
}
void f4(struct k *k, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) k[i].x = 1;
#pragma endscop
}
void f5(struct p *p, struct p *q, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) p[i] = q[i];
#pragma endscop
}
void f6(struct p *p, struct p *q, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) { p[i].x = 1; p[i].in = q[i].in; p++; }
#pragma endscop
}
enum e { A, B };
struct t { float x; _Bool flag; long long n; volatile float v; enum e e; long double d; char c; };
void g1(struct t *p, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) p[i].flag = 1;
#pragma endscop
}
void g2(struct t *p, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) p[i].n = 1;
#pragma endscop
}
void g3(struct t *p, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) p[i].v = 1;
#pragma endscop
}
void g4(struct t *k, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) k[i].e = A;
#pragma endscop
}
void g5(struct t *p, struct t *q, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) p[i].d = 1;
#pragma endscop
}
void g6(struct t *p, struct t *q, int n, float *a)
{
#pragma scop
    for (int i = 0; i < n; i++) { struct t t[3]; t[1].x = 1; a[i] = t[1].x; p[i].c = 1; }
#pragma endscop
}
struct s { struct inner *in; } *outside;
void h(char *to, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) to[i] = outside->in[i].a;
#pragma endscop
}
/* The struct that is copied has no fault of its own. */
struct image { int w; float *data; };
void f12(struct image im, struct p *p)
{
#pragma scop
    for (int i = 0; i < im.w; i++) { struct image o = im; o.data[i] = p[i].q[0]; }
#pragma endscop
}
// error: 10:33: a region cannot read or write this of the structs of 'p': it is a bit-field, and has no bytes of its own
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, p[i].x and p[i].v[k]; copy others to variables or arrays of their own before it
// error: 16:33: a region cannot read or write this of the structs of 'p': it is a member of a union, and what the bytes are depends on who wrote them
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, p[i].x and p[i].v[k]; copy others to variables or arrays of their own before it
// error: 22:33: a region cannot read or write this of the structs of 'p': it is a pointer in an element, and each may lead elsewhere
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, p[i].x and p[i].v[k]; copy others to variables or arrays of their own before it
// error: 28:33: a region cannot read or write this of the structs of 'k': its place is no multiple of its size, as in a packed struct
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, k[i].x and k[i].v[k]; copy others to variables or arrays of their own before it
// error: 34:33: a region cannot read or write this of the structs of 'p': it is all of a struct; accepted are p[i] = q[j] and variables of the region that get such a value and whose numbers it names, t = p[i] and t.x, where every byte is one of at most 16 numbers
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, p[i].x and p[i].v[k]; copy others to variables or arrays of their own before it
// error: 34:40: a region cannot read or write this of the structs of 'q': it is all of a struct; accepted are p[i] = q[j] and variables of the region that get such a value and whose numbers it names, t = p[i] and t.x, where every byte is one of at most 16 numbers
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, q[i].x and q[i].v[k]; copy others to variables or arrays of their own before it
// error: 48:33: a region cannot read or write this of the structs of 'p': its type is '_Bool'; accepted are float, double and integers
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, p[i].x and p[i].v[k]; copy others to variables or arrays of their own before it
// error: 54:33: a region cannot read or write this of the structs of 'p': it is a long long, which C distinguishes from int64_t; declare it int64_t
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, p[i].x and p[i].v[k]; copy others to variables or arrays of their own before it
// error: 60:33: a region cannot read or write this of the structs of 'p': it is volatile, and none of its accesses may be moved
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, p[i].x and p[i].v[k]; copy others to variables or arrays of their own before it
// error: 66:33: a region cannot read or write this of the structs of 'k': its type is 'enum e'; accepted are float, double and integers
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, k[i].x and k[i].v[k]; copy others to variables or arrays of their own before it
// error: 72:33: a region cannot read or write this of the structs of 'p': its type is 'long double'; accepted are float, double and integers
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, p[i].x and p[i].v[k]; copy others to variables or arrays of their own before it
// error: 78:35: 't' has elements of type 'struct t'; accepted are float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t and uint64_t
// error: 85:41: a region cannot read or write this of the structs of 'outside': the region writes bytes, which may be those of the pointer to it
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, outside[i].x and outside[i].v[k]; copy others to variables or arrays of their own before it
// error: 93:71: a region cannot read or write this of the structs of 'p': it is a pointer in an element, and each may lead elsewhere
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, p[i].x and p[i].v[k]; copy others to variables or arrays of their own before it
