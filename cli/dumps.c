/* Dumps: see dumps.h. */
#include "cli/dumps.h"
#include "codegen/passes/passes.h"
#include "support/nearest.h"
#include <string.h>

static const char after[] = "code:after=";

static bool begins(const char *word, const char *with)
{
    return strncmp(word, with, strlen(with)) == 0;
}

/* The first word of a list from *at on, which moves to the next one; NULL at the end. */
static const char *next_word(sq_task *task, const char **at)
{
    const char *from = *at;
    if (!from || !*from)
        return NULL;
    size_t n = strcspn(from, ",");
    *at = from + n + (from[n] == ',');
    return sq_arena_strndup(task->arena, from, n);
}

/* How many passes ran after the one of this name; -1 after adding a usage error. */
static int find_pass(sq_task *task, const char *name, const char *option)
{
    enum { MOST = 64 };
    const char *names[MOST] = {"lower"}, *all = "lower";
    if (strcmp(name, "lower") == 0)
        return 0;
    if (sq_pass_find(name) >= 0)
        return sq_pass_find(name) + 1;
    for (int i = 0; i < sq_npasses && i + 1 < MOST; i++) {
        names[i + 1] = sq_passes[i].name;
        all = sq_arena_printf(task->arena, "%s %s", all, sq_passes[i].name);
    }
    const char *nearest =
        sq_nearest(name, names, (size_t)(sq_npasses < MOST ? sq_npasses + 1 : MOST));
    sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, option), "there is no pass '%s'",
             name);
    sq_suggest(task->d, name, nearest);
    sq_help(task->d, SQ_NOWHERE, "code comes after: %s", all);
    return -1;
}

/* The row of a word's stage, and how many passes its code is after; -1 after adding a usage error. */
static int find_stage(sq_task *task, const char *word, const char *option, int *npasses)
{
    *npasses = SQ_ALL_PASSES;
    if (begins(word, after)) {
        *npasses = find_pass(task, word + strlen(after), option);
        return *npasses < 0 ? -1 : sq_stage_find(task, "code", option);
    }
    return sq_stage_find(task, word, option);
}

int sq_dumps_check(sq_task *task, int *last)
{
    const char *stop = task->o->stop_after, *at = task->o->dump;
    int stopped = SQ_ALL_PASSES, npasses;
    *last = stop ? find_stage(task, stop, "stop-after", &stopped) : SQ_NSTAGES - 1;
    if (*last < 0)
        return -1;
    for (const char *word; (word = next_word(task, &at)) != NULL;) {
        bool all = strcmp(word, "all") == 0;
        if (!all && find_stage(task, word, "dump", &npasses) < 0)
            return -1;
        if (!all && begins(word, after) && npasses > stopped)
            return sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, "dump"),
                            "'%s' comes after '%s', where --stop-after ends", word, stop);
    }
    return 0;
}

bool sq_dumps_has(const sq_task *task, const char *stage)
{
    size_t n = strlen(stage);
    for (const char *p = task->o->dump; p && *p; p += strcspn(p, ","), p += *p == ',') {
        size_t k = strcspn(p, ",:");
        if ((k == n && strncmp(p, stage, n) == 0) || (k == 3 && strncmp(p, "all", 3) == 0))
            return true;
    }
    return false;
}

bool sq_dumps_next(sq_task *task, const char **at, int *npasses)
{
    int most = SQ_ALL_PASSES;
    if (task->o->stop_after && begins(task->o->stop_after, after))
        find_stage(task, task->o->stop_after, "stop-after", &most);
    for (const char *word; (word = next_word(task, at)) != NULL;) {
        if (strcmp(word, "all") != 0 && strcmp(word, "code") != 0 && !begins(word, after))
            continue;
        *npasses = most;
        if (begins(word, after))
            find_stage(task, word, "dump", npasses);
        return true;
    }
    return false;
}
