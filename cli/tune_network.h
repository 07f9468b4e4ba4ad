/* Tune network: `squall tune --network=FILE`: the kernels of a network, each as often as it runs, under one budget. */
#ifndef SQ_CLI_TUNE_NETWORK_H
#define SQ_CLI_TUNE_NETWORK_H
#include "cli/cli.h"

/* 0; -1 after adding errors. A kernel that cannot be tuned does not keep the others from it. */
int sq_tune_network(const sq_settings *o, sq_diags *d);
#endif
