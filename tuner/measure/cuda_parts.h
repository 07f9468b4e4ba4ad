/* The files of a CUDA program: the one that is checked and what it includes in quotes. */
#ifndef SQ_TUNER_MEASURE_CUDA_PARTS_H
#define SQ_TUNER_MEASURE_CUDA_PARTS_H
#include "support/diag.h"
#include "support/list.h"

/* Writes `file`, rewritten (cuda_text.h) and called `name` in messages, to dir/0.cpp, and every
 * file that it includes in quotes and that lies beside it or in one of the folders, likewise, to
 * dir/1.h and so on. -1 with an error. */
int sq_cuda_parts(const char *file, const char *name, const sq_list *folders, const char *dir,
                  sq_diags *d);
#endif
