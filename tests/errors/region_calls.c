#include <assert.h>
#include <stdlib.h>
/* Functions of the file that cannot be put in the place of their calls. */
typedef struct { int n; float *data; } vec;
static float down(const float *a, int n) { float s = 0; while (n--) s += a[n]; return s; }
static float first(const float *a, int n) { for (int i = 0; i < n; i++) if (a[i] > 0) return i; return -1; }
static int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
static float sq(float v) { return v * v; }
static void bump(float *p) { *p += 1; }
static float last(float v) { static float old; float r = old; old = v; return r; }
static float pop(vec v) { v.n--; return v.data[v.n]; }
#define BOTH a[0] += 1; a[1] += 1
static void twice(float *a) { BOTH; }
static int pos(float *a, int i) { if (a[i] > 0) { a[i] = 0; return 1; } return 0; }
void f(int n, float *x, float *y, vec w)
{
    float v = 1;
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = down(x, i);
        y[i] = first(x, i);
        y[i] = fact(3);
        x[i] = sq(v++);
        bump(&v);
        x[i] = last(i);
        twice(x);
        y[i] = pos(x, i);
        x[i] = rand();
    }
#pragma endscop
    x[0] = v;
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = pop(w);
#pragma endscop
#pragma scop
    for (int i = 0; i < n; i++) {
        assert(x[i] > 0);
        y[i] = 1;
    }
#pragma endscop
}
// error: 15:35: 'w' is made of the type 'vec'; accepted are float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t and uint64_t
// help: a region reads members of single structs that are numbers or pointers to numbers, and writes those that are numbers, where nothing in it changes the struct as a whole; and numbers of structs in arrays; copy others to variables before it
// note: 11:27: 'pop' is not put in the place of its call: it changes a struct of its own, which holds more than numbers
// error: 20:16: a region cannot call 'down': a while loop is no assignment, for, if, declaration or return
// note: 5:57: here
// error: 21:16: a region cannot call 'first': it returns from inside of a loop
// note: 6:45: here
// error: 22:16: a region cannot call 'fact': it calls itself, or calls go too deep
// note: 7:49: here
// error: 23:16: a region cannot call 'sq': an argument changes something; compute it into a variable before the call
// note: 8:17: here
// error: 24:9: a call of 'bump' is no statement of a region; accepted are assignments, for, if and declarations
// note: 9:18: 'bump' is not put in the place of its call: the address of a variable is passed, and it writes
// error: 25:16: a region cannot call 'last': it declares something other than variables of its own
// note: 10:30: here
// error: 26:9: a call of 'twice' is no statement of a region; accepted are assignments, for, if and declarations
// note: 13:31: 'twice' is not put in the place of its call: a macro stands for a statement of it
// error: 27:16: a region cannot call 'pos': it returns a value under a condition, and computes more than that
// note: 14:35: here
// error: 28:16: function 'rand' is not accepted in a region; accepted are exp exp2 log log2 sqrt tanh erf sin cos fabs floor ceil round trunc rint nearbyint lround lrint pow fmax fmin and their f forms, abs isnan isinf isfinite, and functions of the file
// error: 38:9: condition is not affine: it reads an array, so what it is depends on values; accepted are sums of indices and sizes with constant factors
// help: an assert of values is accepted with -DNDEBUG, which the build has to give, too
