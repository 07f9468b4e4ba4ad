/* Nearest match by optimal string alignment distance: Levenshtein's (insert, delete, change one
 * letter) plus the swap of two neighbours, which is the commonest slip in typing. Three rows of the
 * table are enough. Method: R. Lowrance and R. A. Wagner, "An extension of the string-to-string
 * correction problem", Journal of the ACM 22 (1975), restricted to swaps of untouched letters. */
#include "support/nearest.h"
#include <limits.h>
#include <string.h>

enum { LONGEST = 63 };

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* ASCII only: tolower would ask the locale. */
static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

int sq_edit_distance(const char *a, const char *b)
{
    size_t na = strnlen(a, LONGEST), nb = strnlen(b, LONGEST);
    int row[3][LONGEST + 1];
    for (size_t j = 0; j <= nb; j++)
        row[0][j] = (int)j;
    for (size_t i = 1; i <= na; i++) {
        int *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = (int)i;
        for (size_t j = 1; j <= nb; j++) {
            int change = lower(a[i - 1]) != lower(b[j - 1]);
            now[j] = smaller(smaller(last[j] + 1, now[j - 1] + 1), last[j - 1] + change);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = smaller(now[j], before[j - 2] + 1);
        }
    }
    return row[na % 3][nb];
}

const char *sq_nearest(const char *word, const char *const *name, size_t n)
{
    int letters = (int)strnlen(word, LONGEST);
    int limit = letters < 2 ? 0 : letters < 6 ? 1 : letters < 9 ? 2 : 3;
    const char *best = NULL;
    int best_distance = INT_MAX;
    for (size_t i = 0; i < n; i++) {
        int d = name[i] ? sq_edit_distance(word, name[i]) : INT_MAX;
        if (d <= limit && d < best_distance) {
            best = name[i];
            best_distance = d;
        }
    }
    return best;
}
