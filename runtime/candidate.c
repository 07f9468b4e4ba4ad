/* Candidate: see candidate.h. */
#include "runtime/candidate.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* In C functions and objects may have pointers of different sizes; dlsym implies that they have
 * not. */
static int find(void *library, const char *name, void *to)
{
    void *f = dlsym(library, name);
    memcpy(to, &f, sizeof f);
    return f != NULL;
}

int sq_candidate_load(sq_candidate *c, const char *path, const char *entry, char *why)
{
    char hold[200];
    memset(c, 0, sizeof *c);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    c->library = library;
    c->path = path;
    if (!library || !find(library, entry, &c->entry)) {
        snprintf(why, 200, "cannot load the candidate: %.150s", dlerror());
        return -1;
    }
    find(library, "squall_error", &c->error);
    find(library, "squall_memory_error", &c->memory);
    snprintf(hold, sizeof hold, "%s_hold", entry);
    find(library, hold, &c->hold);
    find(library, SQ_CANDIDATE_AS_WRITTEN, &c->as_written);
    find(library, "squall_memory_count", &c->count);
    if (!find(library, "squall_open", &c->open) || !find(library, "squall_time", &c->time) ||
        !c->error)
        c->open = NULL, c->time = NULL;
    if (!find(library, "squall_blocks", &c->blocks) || !find(library, "squall_ran", &c->ran))
        c->blocks = NULL;
    return 0;
}

int sq_candidate_unload(sq_candidate *c)
{
    dlclose(c->library);
    c->library = dlopen(c->path, RTLD_NOW | RTLD_NOLOAD);
    return c->library ? -1 : 0;
}
