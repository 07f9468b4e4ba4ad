/* The files of a CUDA program: the file that is checked and the files that it includes in
 * quotes. */
#ifndef SQ_TUNER_MEASURE_CUDA_PARTS_H
#define SQ_TUNER_MEASURE_CUDA_PARTS_H
#include "support/diag.h"
#include "support/list.h"

/* Writes `file`, rewritten (cuda_text.h) and named `name` in messages, to dir/0.cpp. Writes each
 * file that it includes in quotes, from its own folder or one of the folders, to dir/1.h and so on,
 * rewritten as well. -1 with an error. */
int sq_cuda_parts(const char *file, const char *name, const sq_list *folders, const char *dir,
                  sq_diags *d);
#endif
