struct s { float *p; int n; unsigned b : 3; union { float f; int i; } v; };
void f(struct s *s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        s->v.f += i;
#pragma endscop
}
void g(struct s s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        s.b++;
#pragma endscop
}
void h(struct s *s, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        *s->p++ = 0;
#pragma endscop
}
// error: 6:9: a region cannot write this of the struct of 's': it is a member of a union, and what the bytes are depends on who wrote them
// help: a region writes members of single structs that are numbers; copy others to variables before it, and back behind it
// error: 13:9: a region cannot write this of the struct of 's': it is a bit-field, and has no bytes of its own
// help: a region writes members of single structs that are numbers; copy others to variables before it, and back behind it
// error: 20:10: a region cannot write this of the struct of 's': the region moves the pointer 'p', which others may read; accepted is a pointer of the region's own that begins there
// help: a region writes members of single structs that are numbers; copy others to variables before it, and back behind it
