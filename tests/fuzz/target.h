/* Target: what the fuzz targets share. Each defines LLVMFuzzerTestOneInput; a build with
 * SQUALL_FUZZERS links it with libFuzzer, any other with replay.c, which runs it over files. */
#ifndef SQ_TESTS_FUZZ_TARGET_H
#define SQ_TESTS_FUZZ_TARGET_H
#include "support/diag.h"
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Prints the diagnostics to nowhere, so that the printer sees odd places and bytes, too. Aborts on
 * an entry that blames us. */
void print_quietly(const sq_diags *d);
#endif
