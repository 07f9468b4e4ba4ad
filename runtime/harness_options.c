/* Harness options: see harness_options.h. */
#include "runtime/harness_options.h"
#include "runtime/candidate.h"
#include "runtime/times.h"
#include <stdlib.h>
#include <string.h>

static void read_option(sq_harness_options *o, const char *arg)
{
    if (strncmp(arg, "cpu=", 4) == 0)
        o->cpu = atoi(arg + 4);
    else if (strncmp(arg, "seconds=", 8) == 0)
        o->seconds = atof(arg + 8);
    else if (strncmp(arg, "pairs=", 6) == 0)
        o->pairs = atoi(arg + 6);
    else if (strncmp(arg, "place=", 6) == 0)
        o->place = strcmp(arg + 6, "start") == 0 ? SQ_PLACE_START : SQ_PLACE_END;
    else if (strcmp(arg, "clock=wall") == 0)
        o->wall = 1;
    else if (strncmp(arg, "cpulimit=", 9) == 0)
        o->cpulimit = atof(arg + 9);
    else if (strcmp(arg, "full=1") == 0)
        o->full = 1;
    else if (strcmp(arg, "device=1") == 0)
        o->device = 1;
    else if (strcmp(arg, "ends=1") == 0)
        o->ends = 1;
    else if (strncmp(arg, "best=", 5) == 0)
        o->best = atof(arg + 5);
    else if (strncmp(arg, "memory=", 7) == 0)
        o->memory = atof(arg + 7);
    else if (strncmp(arg, "rows=", 5) == 0)
        o->rows = atoi(arg + 5);
    else if (strncmp(arg, "ran=", 4) == 0)
        o->ran = arg + 4;
    else if (strncmp(arg, "entry=", 6) == 0)
        o->entry = arg + 6;
}

sq_harness_options sq_harness_options_read(int argc, char **argv, const char **old)
{
    sq_harness_options o = {
        .cpu = -1, .seconds = 0.1, .pairs = 20, .cpulimit = 60, .entry = SQ_CANDIDATE_ENTRY};
    for (int i = 5; i < argc; i++) {
        if (strchr(argv[i], '=') && argv[i][0] != '/' && argv[i][0] != '.')
            read_option(&o, argv[i]);
        else
            *old = argv[i];
    }
    if (o.pairs < 1 || o.pairs > SQ_MOST_TIMES)
        o.pairs = 20;
    return o;
}
