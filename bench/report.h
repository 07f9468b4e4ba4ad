/* Report: the table of a bench program, or the same as JSON. */
#ifndef SQ_BENCH_REPORT_H
#define SQ_BENCH_REPORT_H
#include "bench/program.h"

void bench_report_head(const bench_program *b, bool conv);
/* Contest number i, as soon as it is done. */
void bench_report_row(const bench_program *b, int i);
/* Geometric means by group. */
void bench_report_end(const bench_program *b);
#endif
