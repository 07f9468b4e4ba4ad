#define BEGIN _Pragma("scop")
#define END _Pragma("endscop")
void f(int n, double *a)
{
    BEGIN
    for (int i = 0; i < n; i++)
        a[i] = 0;
    END
}
// error: 1:15: regions begin and end at lines '#pragma scop' and '#pragma endscop' of the file itself; _Pragma and macros that hold it are not read
