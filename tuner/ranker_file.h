/* Ranker file: what `squall learn` learned of many kernels on one class of machines, kept for searches to begin with.
 *
 * The file has a JSON object a line, the first of which has a member "ranker", the version of the format: 2.
 *     {"ranker": 2, "model": "trees", "features": "ansor-1 pruner-1", "class": "avx2",
 *      "tasks": ["gemm M=64,N=64,K=64", ...], "points": 812, "base": 0.5, "trees": 120}
 *     {"tree": 0, "feature": [3, -1, -1], "value": [2.5, 0.1, -0.2], "below": [1, 0, 0], "above": [2, 0, 0]}
 *                         "trees" of these; of each node: the feature, -1 for a leaf; the value that it is compared
 *                         with, or the leaf's score; the next node where the feature is less, and where it is not
 *     {"end": 120, "hash": "..."}     of all bytes before this line
 *
 * The model "pacm" or "mlp" is a network (tuner/search/pacm.h). In the place of "base" and "trees" it has "numbers",
 * and in that of trees lines of 1024 of them: {"at": 0, "numbers": [0.25, -0.125, ...]}. It is for all classes: MoA
 * begins with what was learned elsewhere. */
#ifndef SQ_TUNER_RANKER_FILE_H
#define SQ_TUNER_RANKER_FILE_H
#include "support/arena.h"
#include "support/diag.h"
#include "support/text.h"
#include "tuner/search/dataset.h"
#include <stdbool.h>

typedef struct sq_ranker_file {
    const char *machine_class;
    int ntasks;
    const char **task; /* what it was learned from */
    int points;
    sq_learned learned; /* the caller's to free */
} sq_ranker_file;

/* As text of a file. -1 where some text of it is not UTF-8. */
int sq_ranker_file_print(const sq_ranker_file *r, sq_text *to);
/* Reads a file for a class of machines; strings live in the arena. 0; -1 after adding an error: it cannot be read, is
 * no ranker, is damaged, or is one of another version, of other features or with trees for another class. The file is
 * left alone. */
int sq_ranker_file_read(sq_ranker_file *to, const char *path, const char *machine_class,
                        sq_arena *arena, sq_diags *d);
/* True if the file is there and no ranker of whatever version: nothing of ours to be replaced. */
bool sq_ranker_file_is_other(const char *path);
#endif
