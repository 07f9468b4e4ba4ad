/* Experience: see experience.h. */
#include "tuner/experience.h"
#include "support/memory.h"
#include <stdlib.h>

enum { LEAST = 64 /* points to learn from */ };
static const double more = 1.5;

struct sq_experience {
    const sq_forest *given;
    sq_dataset *data;
    int nlearned; /* of its points, when it learned last */
    int n;
    size_t room;
    sq_forest **made; /* all stay, since searches may have them; the last one counts */
};

sq_experience *sq_experience_new(const sq_forest *given)
{
    sq_experience *e = sq_allocated(calloc(1, sizeof *e));
    e->given = given;
    e->data = sq_dataset_new();
    return e;
}

void sq_experience_add(sq_experience *e, const char *task, const float (*row)[SQ_STATEMENT],
                       int nrows, double seconds)
{
    sq_dataset_add(e->data, sq_dataset_task(e->data, task), row, nrows, seconds);
}

static const sq_forest *now(void *user)
{
    sq_experience *e = user;
    int known = sq_dataset_points(e->data, -1);
    if (known >= LEAST && known >= more * e->nlearned) {
        sq_forest *f = sq_dataset_learn(e->data, (sq_dataset_fold){0}, e->given);
        e->nlearned = known;
        e->made = sq_grown(e->made, (size_t)e->n, &e->room, sizeof *e->made);
        if (f)
            e->made[e->n++] = f;
    }
    return e->n ? e->made[e->n - 1] : e->given;
}

sq_prior sq_experience_prior(sq_experience *e)
{
    return (sq_prior){.now = now, .user = e};
}

sq_experience *sq_experience_free(sq_experience *e)
{
    for (int i = 0; e && i < e->n; i++)
        sq_forest_free(e->made[i]);
    if (e) {
        free(e->made);
        sq_dataset_free(e->data);
    }
    free(e);
    return NULL;
}
