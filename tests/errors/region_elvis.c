void f(int n, double *a, const double *b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = b[i] ?: 2;
        a[i] += __builtin_choose_expr(1, 2.0, 3.0);
    }
#pragma endscop
}
// error: 5:16: a ?: b without its second operand is not accepted in a value; accepted are numbers, array elements, indices, parameters, C's operators, casts and functions
// error: 6:17: a built-in of the compiler is not accepted in a value; accepted are numbers, array elements, indices, parameters, C's operators, casts and functions
