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
// error: 10:33: this is no number of the structs of 'p': it is a bit-field, and has no bytes of its own
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, p[i].x and p[i].v[k]; copy others to variables or arrays of their own before it
// error: 16:33: this is no number of the structs of 'p': it is a member of a union, and what the bytes are depends on who wrote them
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, p[i].x and p[i].v[k]; copy others to variables or arrays of their own before it
// error: 22:33: this is no number of the structs of 'p': it is a pointer in an element, and each may lead elsewhere
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, p[i].x and p[i].v[k]; copy others to variables or arrays of their own before it
// error: 28:33: this is no number of the structs of 'k': its place is no multiple of its size, as in a packed struct
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, k[i].x and k[i].v[k]; copy others to variables or arrays of their own before it
// error: 34:33: this is no number of the structs of 'p': it is all of a struct
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, p[i].x and p[i].v[k]; copy others to variables or arrays of their own before it
// error: 34:40: this is no number of the structs of 'q': it is all of a struct
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, q[i].x and q[i].v[k]; copy others to variables or arrays of their own before it
// error: 40:47: this is no number of the structs of 'p': it is all of a struct
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, p[i].x and p[i].v[k]; copy others to variables or arrays of their own before it
// error: 40:57: this is no number of the structs of 'q': it is all of a struct
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, q[i].x and q[i].v[k]; copy others to variables or arrays of their own before it
