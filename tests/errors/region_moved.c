void f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) { a[0] = i; a++; }
#pragma endscop
}
// error: 1:15: the region moves the pointer 'a'; accepted are subscripts of pointers that stay as they are
