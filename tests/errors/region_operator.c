void f(int n, double *a)
{
    _Pragma("scop")
    for (int i = 0; i < n; i++)
        a[i] = 0;
    _Pragma("endscop")
}
// error: 3:5: regions begin and end at lines '#pragma scop' and '#pragma endscop' of the file itself; _Pragma and macros that hold it are not read
