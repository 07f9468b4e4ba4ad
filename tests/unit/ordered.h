/* Ordered: how well predicted scores order what was measured. */
#ifndef SQ_TESTS_UNIT_ORDERED_H
#define SQ_TESTS_UNIT_ORDERED_H

/* The share of the pairs of points, from `from` up to `to`, whose scores are ordered as their values are. */
static double ordered(const float *score, const float *y, int from, int to)
{
    int n = 0, right = 0;
    for (int i = from; i < to; i++)
        for (int k = from; k < to; k++)
            if (y[i] > y[k]) {
                n++;
                right += score[i] > score[k];
            }
    return (double)right / n;
}

#endif
