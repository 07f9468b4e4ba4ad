/* Of three regions one is wrong: the others say nothing, and what it uses beside the fault is no other one. */
typedef struct { float x, y; } pair;
static inline pair scaled(pair a, float s) { return (pair){a.x * s, a.y * s}; }
void before(pair *o, const pair *a, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        pair p = a[i];
        o[i].x = p.x - p.y;
    }
#pragma endscop
}
void wrong(pair *v, const pair *a, const int *k, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        pair d = scaled(a[i], 2.0f);
        if (k[i])
            v[i] = scaled(v[i], d.x);
        else
            v[i] = d;
    }
#pragma endscop
}
void behind(pair *o, const pair *a, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        pair p = a[i];
        o[i].y = p.x + p.y;
    }
#pragma endscop
}
// error: 19:13: a region cannot read or write this of the structs of 'v': its value may read what it writes; accepted is that where a block may stand, if (…) { p[i] = …; }, or by a variable of the region, t = …, p[i] = t
// help: a region reads and writes members of structs in arrays that are numbers, or arrays of numbers, v[i].x and v[i].v[k]; copy others to variables or arrays of their own before it
