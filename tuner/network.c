/* Network: see network.h. */
#include "tuner/network.h"
#include <math.h>

/* The paper's alpha: how much the past of a layer says beside the forecast. */
static const double of_past = 0.2;
/* Less is noise. */
static const double least_gain = 0.003;
/* Turns without a gain that halve the hope to catch up with others. */
static const double to_halve = 2;

void sq_network_turn(sq_network_layer *l, double seconds, bool ended)
{
    for (int i = SQ_NETWORK_WINDOW - 1; i > 0; i--)
        l->earlier[i] = l->earlier[i - 1];
    l->earlier[0] = l->seconds;
    l->barren = l->seconds <= 0 || seconds < (1 - least_gain) * l->seconds ? 0 : l->barren + 1;
    l->seconds = seconds;
    l->ended = ended;
    l->turns++;
}

/* What it lost a turn, of late. */
static double past(const sq_network_layer *l)
{
    for (int i = SQ_NETWORK_WINDOW - 1; i >= 0; i--)
        if (l->earlier[i] > 0)
            return fmax(0, l->earlier[i] - l->seconds) / (i + 1);
    return 0;
}

/* What it would take if it came as near to its bound as the best of its kind. */
static double as_others(const sq_network_layer *l, int n, int i)
{
    double share = 0;
    for (int j = 0; j < n; j++)
        if (j != i && l[j].kind == l[i].kind && l[j].seconds > 0)
            share = fmax(share, l[j].bound / l[j].seconds);
    return share > 0 && l[i].bound > 0 ? l[i].bound / share : INFINITY;
}

/* Seconds that the next turn may gain at best: the time falls as one over the number of turns, but not below its bound;
 * or it catches up with its kind, which is the less likely the longer it has not gained anything. */
static double hope(const sq_network_layer *l, int n, int i)
{
    double by_turns = fmin(l[i].seconds / (l[i].turns + 1), l[i].seconds - l[i].bound);
    double behind = (l[i].seconds - as_others(l, n, i)) / (1 + l[i].barren / to_halve);
    return fmax(0, fmax(by_turns, behind));
}

double sq_network_gradient(const sq_network_layer *l, int n, int i)
{
    return l[i].weight * (of_past * past(&l[i]) + (1 - of_past) * hope(l, n, i));
}

int sq_network_next(const sq_network_layer *l, int n)
{
    int best = -1;
    double steepest = -1;
    for (int i = 0; i < n; i++) {
        if (l[i].ended)
            continue;
        if (l[i].turns == 0 || (l[i].seconds <= 0 && l[i].turns < SQ_NETWORK_WINDOW))
            return i;
        double g = sq_network_gradient(l, n, i);
        if (g > steepest) {
            best = i;
            steepest = g;
        }
    }
    return best;
}
