/* ptxas: what NVIDIA's assembler reports of kernels: registers and spills. */
#ifndef SQ_TUNER_MEASURE_PTXAS_H
#define SQ_TUNER_MEASURE_PTXAS_H

enum { SQ_PTXAS_KERNELS = 64 };

typedef struct sq_ptxas {
    int n;
    struct {
        char name[96];
        int registers; /* of a thread */
        int spills;    /* bytes of a thread, stores and loads together */
    } kernel[SQ_PTXAS_KERNELS];
} sq_ptxas;

/* Reads what `nvcc -Xptxas -v` prints. Kernels beyond the table are left out. */
void sq_ptxas_read(const char *report, sq_ptxas *to);
/* The kernel's place in it; -1. */
int sq_ptxas_find(const sq_ptxas *p, const char *kernel);
#endif
