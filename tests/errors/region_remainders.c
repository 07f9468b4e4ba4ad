void sieve(int n, int m, float kept[n][m], const float seen[n][m])
{
#pragma scop
    for (int row = 0; row < n; row++)
        for (int col = 0; col < m; col++)
            if ((row - col) % 2 != 1 && (row - 2 * col) % 3 != 1 && (2 * row - col) % 5 != 2 &&
                (row - 3 * col) % 7 != 3 && (3 * row - col) % 11 != 4 &&
                (row - 5 * col) % 13 != 5 && (5 * row - 2 * col) % 17 != 6)
                kept[row][col] += seen[row][col];
#pragma endscop
}
// error: 8:46: the loops, conditions and subscripts of 'sieve' up to here fall into too many cases
// help: fewer remainders, quotients, minima and maxima in one statement, or several kernels
