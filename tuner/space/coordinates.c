/* Coordinates: see coordinates.h. */
#include "tuner/space/coordinates.h"
#include <stddef.h>
#include <string.h>

typedef struct row {
    const char *name, *doc;
} row;

/* clang-format off */
static const row of_all[] = {
    {"form",     "how statements are merged: one of the forms"},
    {"online",   "columns of a tile, of a maximum and the sums of exp(x - maximum)"},
    {"vector",   "dimension that vectors lie along: 0 is the first that fits"},
    {"lanes",    "elements of a vector"},
    {"vectors",  "columns of the register tile, in vectors"},
    {"rows",     "rows of the register tile"},
    {"rows2",    "rows of the register tile along one more dimension"},
    {"taps",     "dimensions of a sum that the register tile unrolls"},
    {"unroll",   "steps of the innermost loop that are unrolled"},
    {"split",    "partial sums side by side"},
    {"kc",       "block of the sum"},
    {"nc",       "block of columns, along vectors"},
    {"mc",       "block of rows"},
    {"yc",       "block of lines, as those of an image"},
    {"outer",    "loops over blocks, outermost first (columns, sum, rows): 0 csr, 1 scr, 2 src, 3 rsc, 4 crs, 5 rcs"},
    {"inner",    "loops over register tiles: 0 rows innermost, 1 columns"},
    {"parallel", "loop that threads share: 0 none, else counted from outside"},
    {"nest",     "1: the statement has a register tile"},
    {"pack",     "copy of the array: 0 none, 1 plain, 2 in panels"},
    {"together", "rows that statements compute in turns: 0 separately"},
    {"order",    "order of C loops: 0 as written, 1 fused by judgement, 2 as far as possible, 3 as little"},
    {"keep",     "1: the loop around all statements stays"},
    {"tile",     "tiles of C loops: 0 none"},
    {"along",    "columns of such a tile"},
    {0}};

/* These stand for something else on a grid. */
static const row of_grid[] = {
    {"rows",          "rows that a block of threads computes"},
    {"columns",       "columns that a block of threads computes"},
    {"lines",         "lines, as those of an image, that a block of threads computes"},
    {"steps",         "steps of the sum in a tile of shared memory"},
    {"row_points",    "rows that a thread computes"},
    {"column_points", "columns that a thread computes"},
    {"stages",        "copies in flight: 1 none ahead"},
    {"group",         "rows of tiles that blocks take together: 1 in the order of loops"},
    {"threads",       "threads of a block"},
    {"way",           "C loops: 0 fused, 1 outer one stays, 2 tiled; matrices: 0 of a warp, 1 of a warpgroup"},
    {0}};
/* clang-format on */

static const row *find(const row *list, const char *name, size_t n)
{
    while (list->name && (strlen(list->name) != n || strncmp(list->name, name, n) != 0))
        list++;
    return list->name ? list : NULL;
}

const char *sq_coordinate_doc(const char *name, bool on_grid)
{
    for (;; name++) { /* behind the names of a form and a statement */
        size_t n = strcspn(name, ".");
        const row *found = on_grid ? find(of_grid, name, n) : NULL;
        found = found ? found : find(of_all, name, n);
        bool is_last = !name[n] || (found && strcmp(found->name, "pack") == 0);
        if (is_last)
            return found ? found->doc : "";
        name += n;
    }
}
