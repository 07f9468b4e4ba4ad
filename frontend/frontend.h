/* Frontend: text -> kernels. The description is C11 read by libclang with the prelude squall.h
 * served from memory; everything that is not accepted is refused with a place and a sentence that
 * says what would be. */
#ifndef SQ_FRONTEND_FRONTEND_H
#define SQ_FRONTEND_FRONTEND_H
#include "ir/kernel/kernel.h"

typedef struct sq_fix {
    const char *name;
    int64_t value;
} sq_fix;

typedef struct sq_parse_options {
    int nfix;
    const sq_fix *fix; /* --fix M=512 */
    int nkept;         /* the last of them: they are constants, and parameters all the same */
    const char **kept_of; /* the one kernel that each of these is for; NULL: they are for all */
    int nargs;
    const char *const *args; /* -I -D -U -std= and what follows --: passed to libclang */
    const char *kernel;      /* only this kernel; NULL: all */
    sq_loc kernel_loc;       /* where it is asked for; SQ_NOWHERE: not known */
    bool is_plain;           /* packed forms are left out, unless one is asked for */
} sq_parse_options;

struct sq_region; /* frontend/scop.h */

typedef struct sq_unit {
    sq_arena *arena;
    int nkernels;
    sq_kernel **kernel;
    struct sq_region **region; /* of ordinary C: where each kernel stands; NULL: a description */
    int ndeps;
    char **dep; /* every file read: the source first, then its #includes */
} sq_unit;

/* text: the file's bytes. NULL after adding errors. An unknown name in `fix` is an error (nearest
 * size suggested). ctx must outlive the unit. */
sq_unit *sq_parse(isl_ctx *ctx, const char *path, const char *text, size_t n,
                  const sq_parse_options *o, sq_diags *d);
sq_unit *sq_unit_free(sq_unit *u);

/* True if kernel i is the packed form of the one before it: what there is to say of its text was said of that. */
bool sq_prepacked_again(const sq_unit *u, int i);

/* Why no kernel may be called that: "is a word of C++, ..."; NULL: it may. */
const char *sq_function_name_refused(const char *name);

/* A library that reading a description takes, as it is found when the program runs. */
typedef struct sq_library {
    const char *name;  /* "libclang" */
    char version[128]; /* as it says itself */
    char path[512];    /* of the file that was loaded; "": not known */
} sq_library;
enum { SQ_LIBRARIES = 3 };
/* Fills them; those that are linked are always there. -1 after adding an error where libclang cannot
 * be loaded, its row then without a version. */
int sq_libraries_find(sq_library to[SQ_LIBRARIES], sq_diags *d);

/* The prelude's text, as `include/squall.h` of an installation has it. */
extern const char sq_prelude[];
/* The language on one screen, frontend/language.txt. */
extern const char sq_language_help[];
#endif
