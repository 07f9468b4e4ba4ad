/* Reports, tune --network: layers, before and after. */
#ifndef SQ_CLI_REPORT_NETWORK_H
#define SQ_CLI_REPORT_NETWORK_H
#include "cli/report_parts.h"

/* The page of what tune --network prints with --json, written to o->html. -1 after adding an error. */
int sq_report_network(const json_t *network, const sq_settings *o, sq_arena *arena, sq_diags *d);
#endif
