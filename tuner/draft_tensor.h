/* Draft tensor: the first choice for sums of products that matrix instructions compute. */
#ifndef SQ_TUNER_DRAFT_TENSOR_H
#define SQ_TUNER_DRAFT_TENSOR_H
#include "ir/schedule.h"
#include "support/text.h"

/* Appends the calls for a group whose output's neighbours lie along `column`; false, and nothing,
 * where it is no such sum, or where the instruction would round its factors. */
bool sq_draft_tensor(const sq_group *g, int column, sq_text *to);
#endif
