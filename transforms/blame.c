/* Blame: finds the call that causes a refusal which only concerns the result of all calls. The
 * calls are replayed, with a check after each. It is the call after which all results were objected
 * to, if the script is fine without it; else the last call without which the script is fine (of two
 * incompatible ones the later); else the call since which the objection is the final one. */
#include "transforms/script.h"
#include <string.h>

typedef struct trial {
    const sq_schedule *before;
    const sq_step *steps;
    sq_objection *objection;
    void *user;
    sq_arena *arena;
} trial;

/* True if the script without this one call succeeds. */
static bool cures(const trial *t, const sq_step *left_out)
{
    sq_diags *unread = sq_diags_new();
    sq_schedule *s = sq_schedule_copy(t->before, t->arena);
    bool ok = true;
    for (const sq_step *step = t->steps; step && ok; step = step->next)
        ok = step == left_out || sq_step_apply(s, step, unread) == 0;
    sq_diags_free(unread);
    return ok && !t->objection(s, t->user);
}

/* Sets *broke to the call since which there are objections, *since to that since which the
 * objection is the final one, which is returned; NULL: there is none in the end. */
static const char *replay(const trial *t, const sq_step **broke, const sq_step **since)
{
    sq_diags *unread = sq_diags_new();
    sq_schedule *s = sq_schedule_copy(t->before, t->arena);
    const char *last = NULL;
    for (const sq_step *step = t->steps; step; step = step->next) {
        const char *why = sq_step_apply(s, step, unread) == 0 ? t->objection(s, t->user) : last;
        if (why && !last)
            *broke = step;
        if (why && (!last || strcmp(why, last) != 0))
            *since = step;
        last = why;
    }
    sq_diags_free(unread);
    return last;
}

int sq_steps_blame(const sq_schedule *before, const sq_step *steps, sq_objection *objection,
                   void *user, sq_arena *arena, sq_diags *d)
{
    const trial t = {before, steps, objection, user, arena};
    const sq_step *culprit = NULL, *since = NULL;
    const char *why = replay(&t, &culprit, &since);
    if (!why)
        return 0;
    if (cures(&t, culprit))
        return sq_call_refuse(&culprit->call, -1, why, d);
    for (const sq_step *step = steps; step; step = step->next)
        if (cures(&t, step))
            since = step;
    return sq_call_refuse(&since->call, -1, why, d);
}

int sq_script_blame(const sq_schedule *before, const char *script, const char *file, const sq_machine *machine,
                    sq_objection *objection, void *user, sq_diags *d)
{
    sq_step *steps = NULL;
    sq_arena *arena = sq_arena_new();
    sq_diags_source(d, file, script, strlen(script));
    int rc = sq_script_parse(script, file, machine, arena, &steps, d);
    if (rc == 0)
        rc = sq_steps_blame(before, steps, objection, user, arena, d);
    sq_arena_free(arena);
    return rc;
}
