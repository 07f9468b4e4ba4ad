/* Network file: the kernels of a network, and how often each runs. JSON:
 *
 *   {"network": "resnet18",
 *    "layers": [{"source": "layers.sq", "kernel": "conv", "fix": {"C": 64, "H": 56}, "at": {"N": 1}, "count": 4}]}
 *
 * `source` is relative to the file's own folder; `kernel` may be left out where the source has one; `fix` and `at` are
 * as --fix and --at; `count` is 1 if it is left out. Other members are refused. */
#ifndef SQ_CLI_TUNE_NETWORK_FILE_H
#define SQ_CLI_TUNE_NETWORK_FILE_H
#include "cli/cli.h"

enum { SQ_NETWORK_LAYERS = 1000, SQ_NETWORK_BYTES = 1 << 20 };

typedef struct sq_network_entry {
    const char *source; /* a path that can be opened from here */
    const char *kernel; /* NULL: the only one */
    sq_sizes fix;
    const char *at; /* "N=1"; NULL: none */
    long count;
} sq_network_entry;

typedef struct sq_network_file {
    const char *name;
    int n; /* at least 1, at most SQ_NETWORK_LAYERS */
    sq_network_entry *layer;
} sq_network_file;

/* All in arena. NULL after adding an error. */
sq_network_file *sq_network_file_read(const char *path, sq_arena *arena, sq_diags *d);
#endif
