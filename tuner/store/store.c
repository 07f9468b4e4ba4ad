/* Stores: the default path. */
#include "tuner/store/store.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void sq_store_default_path(char *to, size_t n)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (state && state[0] == '/')
        snprintf(to, n, "%s/squall/samples.db", state);
    else
        snprintf(to, n, "%s/.local/state/squall/samples.db", home && *home ? home : "/tmp");
}

void sq_make_parents(const char *path)
{
    char dir[PATH_MAX];
    snprintf(dir, sizeof dir, "%s", path);
    for (char *slash = dir + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        mkdir(dir, 0700); /* it may exist; if it cannot be made, opening the file reports the error */
        *slash = '/';
    }
}
