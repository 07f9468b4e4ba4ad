/* ptxas: parses the report of NVIDIA's assembler on kernels: registers and spills. */
#ifndef SQ_TUNER_MEASURE_PTXAS_H
#define SQ_TUNER_MEASURE_PTXAS_H

enum { SQ_PTXAS_KERNELS = 64 };

typedef struct sq_ptxas {
    int n;
    struct {
        char name[96];
        int registers; /* per thread */
        int spills;    /* bytes per thread, stores plus loads */
    } kernel[SQ_PTXAS_KERNELS];
} sq_ptxas;

/* Parses the output of `nvcc -Xptxas -v`. Kernels beyond the table's capacity are omitted. */
void sq_ptxas_read(const char *report, sq_ptxas *to);
/* Returns the kernel's index in it; -1. */
int sq_ptxas_find(const sq_ptxas *p, const char *kernel);
#endif
