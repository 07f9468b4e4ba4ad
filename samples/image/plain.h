/* The kernels of kernels.sq as plain loops. */
#ifndef PLAIN_H
#define PLAIN_H
#include <stdint.h>

void plain_demosaic(int H, int W, const uint8_t *S, uint8_t *R, uint8_t *G, uint8_t *B);
void plain_to_yuv(int N, const uint8_t *R, const uint8_t *G, const uint8_t *B, uint8_t *Y,
                  uint8_t *U, uint8_t *V);
void plain_to_rgb(int N, const uint8_t *Y, const uint8_t *U, const uint8_t *V, uint8_t *R,
                  uint8_t *G, uint8_t *B);
void plain_sharpen(int H, int W, const uint8_t *X, uint8_t *Y);
void plain_shrink_columns(int N, const uint8_t *X, uint8_t *Y);
void plain_shrink_rows(int H, int W, const uint8_t *X, uint8_t *Y);

#endif
