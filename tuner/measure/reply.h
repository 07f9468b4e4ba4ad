/* Reply: converts the harness's reply, or its end without one, to a sample. */
#ifndef SQ_TUNER_MEASURE_REPLY_H
#define SQ_TUNER_MEASURE_REPLY_H
#include "tuner/measure/child.h"
#include "tuner/measure/runner.h"

/* Fills status, times, error, message and run_seconds. checked: the candidate was called once and
 * not timed; the time of that call is the only one. */
void sq_reply_read(const sq_child_end *end, bool checked, sq_sample *s);
#endif
