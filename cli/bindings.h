/* Bindings: what --bindings of compile asks for. */
#ifndef SQ_CLI_BINDINGS_H
#define SQ_CLI_BINDINGS_H
#include "cli/task.h"

/* -1 after a usage error if a path's suffix is none of a language, or nobody could call the functions. */
int sq_bindings_check(sq_task *task);
/* The text of --bindings=path, once all stages have run; -1 after a usage error. */
int sq_bindings_make(sq_task *task, const char *path, sq_text *to);
#endif
