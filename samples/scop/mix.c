/* An ordinary C program with two regions, to be compiled as it stands or after
 *
 *     squall compile mix.c -o mix_tuned.c --target=host
 *
 * with the same compiler and flags; it prints the same. Nothing but the two pairs of lines is for
 * squall. `squall tune mix.c --kernel=mix` finds a schedule for the first region, which the next
 * compile takes. */
#include <stdio.h>
#include <stdlib.h>

/* out = weights * in, frame by frame; returns the largest square sum of a frame. */
static double mix(int frames, int channels, int taps, const double *weights, const double *in,
                  double *out)
{
    double most = 0;
    int f, c, t;
#pragma scop
#pragma squall tune frames=1000 channels=16 taps=64
    for (f = 0; f < frames; f++)
        for (c = 0; c < channels; c++) {
            out[f * channels + c] = 0;
            for (t = 0; t < taps; t++)
                out[f * channels + c] += weights[c * taps + t] * in[f * taps + t];
        }
#pragma endscop
    for (f = 0; f < frames; f++) {
        double square = 0;
#pragma scop
        for (c = 0; c < channels; c++)
            square += out[f * channels + c] * out[f * channels + c];
#pragma endscop
        most = square > most ? square : most;
    }
    return most;
}

int main(void)
{
    enum { FRAMES = 300, CHANNELS = 13, TAPS = 37 };
    double *weights = malloc(CHANNELS * TAPS * sizeof *weights);
    double *in = malloc(FRAMES * TAPS * sizeof *in);
    double *out = malloc(FRAMES * CHANNELS * sizeof *out);
    if (!weights || !in || !out)
        return 1;
    for (int i = 0; i < CHANNELS * TAPS; i++)
        weights[i] = i % 7 - 3;
    for (int i = 0; i < FRAMES * TAPS; i++)
        in[i] = i % 11 - 5;
    printf("%g\n", mix(FRAMES, CHANNELS, TAPS, weights, in, out));
    free(out);
    free(in);
    free(weights);
    return 0;
}
