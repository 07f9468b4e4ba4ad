struct pair {
    float x, y;
};

void f(int n, float *restrict a, const float *restrict b, float *volatile *p)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        asm volatile("nop");
        a[i] = ({ float q = b[i]; q * 2; });
        ({ a[i] = 1; });
        a[i] += (struct pair){1, 2}.x;
        a[i] += _Generic(b[i], float: 1, default: 2);
        a[i] += b[i] > 0 ? 3 : (a[i] = 4);
        a[i] += (float)(long)&b[i];
    }
#pragma endscop
}
// error: 9:9: asm is no statement of a region; accepted are assignments, for, if and declarations
// error: 10:16: a statement expression, ({ ... }), is not accepted in a value; accepted are numbers, array elements, indices, parameters, C's operators, casts and functions
// error: 11:9: a statement expression, ({ ... }), is no statement of a region; accepted are assignments, for, if and declarations
// error: 12:17: a member of what is no variable and no element is not accepted in a value; accepted are numbers, array elements, indices, parameters, C's operators, casts and functions
// error: 13:17: _Generic is not accepted in a value; accepted are numbers, array elements, indices, parameters, C's operators, casts and functions
// error: 14:33: an assignment, =, is not accepted in a value; accepted are + - * / %, comparisons, && || !, ?: and, of integers, & | ^ ~ << >>
// error: 15:30: an address, &, is not accepted in a value; accepted are + - * / %, comparisons, && || !, ?: and, of integers, & | ^ ~ << >>
