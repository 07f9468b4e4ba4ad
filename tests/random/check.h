/* One kernel for one target: compiled, built, run, compared. */
#ifndef RANDOM_CHECK_H
#define RANDOM_CHECK_H
#include "data.h"

enum { CASES = 4, UNITS = 24, SCRIPT_ROOM = 512 };

struct target {
    const char *name;
    bool openmp, emulated;
    const char *lacking; /* what it stands for, which this machine cannot run; or NULL */
};

struct options {
    uint64_t seed;
    int first, count, jobs, batch, scripts;
    double seconds;
    const char *target, *squall, *compiler, *keep;
    bool plant, verbose;
};

enum state { UNIT_REFUSED, UNIT_COMPILED, UNIT_RIGHT, UNIT_FAILED };

struct unit {
    struct program program;
    int number;
    uint64_t seed;
    struct target target;
    char script[SCRIPT_ROOM]; /* empty: the default schedule */
    int64_t sizes[CASES][MAX_SIZES];
    enum state state;
    char *said;        /* squall's message, or what failed */
    int original;      /* runs of a region's text as written */
    int64_t compared, unsure;
    char planted[200]; /* what was changed in the emitted text */
};

void draw_script(const struct program *p, char *script, size_t room);
/* Draws the sizes that it is run at. */
bool unit_sizes(struct unit *u);
void unit_compile(struct unit *u, const struct options *o, const char *folder);
void units_build_and_run(struct unit **units, int count, const struct options *o,
                         const char *folder);
void unit_fail(struct unit *u, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *unit_command(const struct unit *u, const struct options *o, const char *folder);
void plant(struct unit *u, const char *path);
/* Cuts a failing unit down; `folder` is for its trials. */
void unit_shrink(struct unit *u, const struct options *o, const char *folder);

#endif
