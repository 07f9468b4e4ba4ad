void f(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++) { a[0] = i; if (i > 3) a++; }
#pragma endscop
}
// error: 4:56: the region moves the pointer 'a' in a way that no subscript says
// help: accepted are pointers that stay as they are, and those that one loop moves, as in for (i = 0; i < n; i++) *a++ = …, or a nest of loops from 0 the innermost of which follows them, by as much in each turn, which nothing reads behind the loops; declare the pointer in the block of the loop, or write a[i]
