#include <stdint.h>
void embed(int n, int dim, const uint8_t *token, const float *table, float *y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < dim; j++)
            y[i * dim + j] = table[token[i] * dim + j];
#pragma endscop
}
// error: 7:30: a subscript of 'table' is a value, and stays inside of it at no sizes at which the region does anything
// help: a value that a size multiplies is the subscript of rows: before the region const float (*rows)[m] = (const float (*)[m])table, and rows[value][j] for table[value*m + j]; it has to be limited, as a uint8_t is
