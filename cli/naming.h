/* Naming: names beside those in the description. What the command line gives for files, functions and licences has to
 * be good where it will stand, and what a file declares for itself is no name of a kernel. */
#ifndef SQ_CLI_NAMING_H
#define SQ_CLI_NAMING_H
#include "cli/task.h"

/* --prefix, --spdx, and the names of the files that others include or import: of modules there are warnings alone. -1
 * after adding an error. */
int sq_naming_check_words(sq_task *task);
/* The header's file, which the option names or else the source: no name of another header that would be read in its
 * place. -1 after adding an error. */
int sq_naming_check_header(sq_task *task, const char *option, const char *path);
/* What the description names, behind --prefix where that begins it, beside what the files have for themselves: macros,
 * types and codes of the header. -1 after adding an error. */
int sq_naming_check(sq_task *task);
#endif
