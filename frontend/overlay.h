/* Overlay: a unit read once more, with names in the place of some of its text and files that say what they are. */
#ifndef SQ_FRONTEND_OVERLAY_H
#define SQ_FRONTEND_OVERLAY_H
#include "frontend/clang.h"

/* A file that is included before the first line. */
typedef struct sq_overlay {
    const char *path, *text;
} sq_overlay;

bool sq_reader_has_errors(const sq_reader *r, CXTranslationUnit unit);
/* Where the file has errors, the first of them. */
typedef struct sq_faults {
    int n;
    size_t at[16];
} sq_faults;

/* Reads `view` in the place of the file; false, and the unit is as it was, if that has errors: *faults, unless NULL. */
bool sq_reader_reads(sq_reader *r, CXIndex index, const char **args, int nargs, const char *view, size_t n,
                     const sq_overlay *file, int nfiles, sq_faults *faults);
#endif
