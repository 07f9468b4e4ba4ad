#include <stdint.h>
void embed(int n, int dim, const uint8_t *token, const float *table, float *y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < dim; j++)
            y[i * dim + j] = table[i * dim + token[j]];
#pragma endscop
}
// error: 7:30: a subscript of 'table' is a value, and stays inside of it at no sizes at which it is read
// help: limit it, as in x < 0 ? 0 : x > n - 1 ? n - 1 : x, or by its type, as a uint8_t is; one inside of a row is a subscript of its own: before the region const float (*rows)[m] = (const float (*)[m])table, and rows[i][x] for table[i*m + x]
