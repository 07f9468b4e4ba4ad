/* Shrink: a failure made small. Whatever is tried runs in a process of its own and counts only if
 * it fails in the same manner. */
#include "tests/fuzz/fuzz.h"
#include "transforms/transform.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SECONDS = 60, TRIES = 400 };

/* How it fails. */
typedef enum manner { FINE, WRONG, CRASHED, NOT_COMPILED, SQUALL_FAILED } manner;

static manner manner_of(const char *why)
{
    return !*why                              ? FINE
           : strncmp(why, "crash", 5) == 0    ? CRASHED
           : strncmp(why, "ended", 5) == 0    ? CRASHED
           : strncmp(why, "does not", 8) == 0 ? NOT_COMPILED
           : strncmp(why, "squall", 6) == 0   ? SQUALL_FAILED
                                              : WRONG;
}

typedef struct shrinker {
    const setup *s;
    const char *scratch;
    sq_arena *arena;
    manner wanted;
    long tries;
    time_t end;
    char why[WHY_LENGTH]; /* of the last failure */
} shrinker;

static manner fail(const char *folder, const char *why)
{
    char path[600];
    snprintf(path, sizeof path, "%s/why", folder);
    FILE *f = fopen(path, "w");
    if (f) {
        fputs(why, f);
        fclose(f);
    }
    return manner_of(why);
}

pile pile_of(const setup *s)
{
    return (pile){.source = s->source,
                  .cc = s->cc,
                  .cflags = s->cflags,
                  .grid = s->grid,
                  .cxx = s->cxx,
                  .simt = s->simt};
}

/* The candidate of the trial; -1: refused, -2: squall blames itself. */
static int build_candidate(pile *b, const reading *x, const trial *t, sq_diags *d)
{
    sq_rng rng = {1};
    sq_arena *arena = sq_arena_new();
    int mine = pile_kernel(b, x, t->plain, d);
    sq_schedule *schedule = sq_schedule_new(x->kernel, arena);
    if (!t->plain)
        mine = sq_script_apply(schedule, t->script, "-e", arena, d) < 0
                   ? -1
                   : pile_candidate(b, schedule, t->target, t->openmp, FAULT_NOTHING, &rng, d);
    return sq_diags_fault(d) == SQ_FAULT_BUG ? -2 : mine;
}

/* In a child: builds and runs one candidate at its cases. */
static manner attempt(const shrinker *h, const program *p, const trial *t)
{
    static pile b;
    sq_diags *d = sq_diags_new();
    sq_fix fix[MOST_PROGRAM_SIZES];
    reading x;
    b = pile_of(h->s);
    b.scratch = h->scratch;
    int rc = reading_open(&x, p, fixes_of(t, p->nsizes, fix), fix, d);
    if (sq_diags_fault(d) == SQ_FAULT_BUG)
        return fail(h->scratch, "squall blames itself");
    int mine = rc < 0 ? -1 : build_candidate(&b, &x, t, d);
    if (mine < 0)
        return mine == -2 ? fail(h->scratch, "squall blames itself") : FINE;
    for (int c = 0; c < t->ncases; c++) {
        int64_t sizes[SQ_MAX_SIZES];
        sizes_of(t, c, x.outside, sizes);
        pile_case(&b, sizes, t->seed[c]);
    }
    pile_close(&b);
    return pile_run(&b) < 0 ? FINE : fail(h->scratch, b.why[mine]);
}

static void read_why(shrinker *h)
{
    char path[600];
    snprintf(path, sizeof path, "%s/why", h->scratch);
    FILE *f = fopen(path, "r");
    if (!f)
        return;
    h->why[fread(h->why, 1, sizeof h->why - 1, f)] = 0;
    fclose(f);
}

/* Does it still fail in the manner wanted? */
static bool fails(shrinker *h, const program *p, const trial *t)
{
    int status;
    if (h->tries++ > TRIES || time(NULL) > h->end)
        return false;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(FINE);
        _exit((int)attempt(h, p, t));
    }
    waitpid(pid, &status, 0);
    manner m = WIFEXITED(status) ? (manner)WEXITSTATUS(status) : SQUALL_FAILED;
    if (m != h->wanted)
        return false;
    read_why(h);
    return true;
}

/* ---- sizes ---- */

static void shrink_cases(shrinker *h, const program *p, trial *t)
{
    for (int c = 0; c < t->ncases && t->ncases > 1; c++) {
        trial one = *t;
        one.ncases = 1;
        memcpy(one.size[0], t->size[c], sizeof one.size[0]);
        one.seed[0] = t->seed[c];
        if (fails(h, p, &one)) {
            *t = one;
            return;
        }
    }
}

static void shrink_sizes(shrinker *h, const program *p, trial *t)
{
    for (int s = 0; s < p->nsizes; s++) {
        int64_t now = t->size[0][s], tries[] = {0, 1, 2, 3, 4, 5, 8, now / 2, now - 1};
        for (int i = 0; i < 9; i++) {
            trial smaller = *t;
            smaller.size[0][s] = tries[i];
            if (tries[i] >= 0 && tries[i] < now && fails(h, p, &smaller)) {
                *t = smaller;
                break;
            }
        }
        trial free_size = *t;
        free_size.fixed[s] = false;
        if (t->fixed[s] && fails(h, p, &free_size))
            *t = free_size;
    }
}

/* ---- the script ---- */

/* The script without bytes from..to. */
static char *without(const shrinker *h, const char *script, size_t from, size_t to)
{
    size_t n = strlen(script);
    char *s = sq_arena_alloc(h->arena, n + 1);
    memcpy(s, script, from);
    memcpy(s + from, script + to, n - to + 1);
    return s;
}

static bool try_without(shrinker *h, const program *p, trial *t, size_t from, size_t to)
{
    trial smaller = *t;
    smaller.script = without(h, t->script, from, to);
    if (!fails(h, p, &smaller))
        return false;
    t->script = smaller.script;
    return true;
}

/* Drops calls, then arguments. */
static void shrink_script(shrinker *h, const program *p, trial *t)
{
    for (size_t at = 0; t->script[at];) {
        size_t name = at;
        const char *colon = strchr(t->script + at, ':'), *open = strchr(t->script + at, '(');
        if (colon && open && colon < open) /* "S1: call(": the group stays */
            name = (size_t)(colon - t->script) + 2;
        const char *close = strchr(t->script + at, ')');
        size_t end = close ? (size_t)(close - t->script) + 1 : strlen(t->script);
        while (t->script[end] == ' ')
            end++;
        if (!(name > at && try_without(h, p, t, at, end)) && !try_without(h, p, t, name, end))
            at = end;
    }
    for (size_t at = 0; t->script[at]; at++) {
        const char *from = t->script + at;
        if (*from != ',' || !strpbrk(from + 1, ",)|"))
            continue;
        size_t end = (size_t)(strpbrk(from + 1, ",)|") - t->script);
        at -= try_without(h, p, t, at, end);
    }
}

/* ---- all of it ---- */

static program *shrink_program(shrinker *h, program *p, const trial *t, sq_arena *arena)
{
    for (int edit = 0;; edit++) {
        program *smaller = program_copy(p, arena);
        if (!program_edit(smaller, edit) || h->tries > TRIES || time(NULL) > h->end)
            return p;
        if (smaller->body && fails(h, smaller, t)) {
            p = smaller;
            edit--;
        }
    }
}

/* Does a shape mention it? A size that none does is a plain number. */
static bool is_size(const program *p, int size)
{
    reading x;
    sq_diags *d = sq_diags_new();
    bool found = false;
    int rc = reading_open(&x, p, 0, NULL, d);
    for (int i = 0; rc == 0 && i < x.kernel->nsizes; i++)
        found |= strcmp(x.kernel->size[i]->name, size_text(size)) == 0;
    reading_close(&x);
    sq_diags_free(d);
    return found;
}

static void print_result(const shrinker *h, const program *p, const trial *t, const char *folder)
{
    char path[700];
    char *text = text_of(p);
    const char *sep = " --fix=";
    snprintf(path, sizeof path, "%s/failure%ld.%s", folder, t->program, p->region ? "c" : "sq");
    FILE *f = fopen(path, "w");
    if (f) {
        fputs(text, f);
        fclose(f);
    }
    printf("  smallest form: %s\n%s", h->why, text);
    if (t->plain)
        printf("  the naive nest is not what the same text is as C\n");
    printf("  squall check %s", path);
    for (int s = 0; s < p->nsizes; s++)
        if (t->fixed[s]) {
            printf("%s%s=%lld", sep, size_text(s), (long long)t->size[0][s]);
            sep = ",";
        }
    sep = " --at=";
    for (int s = 0; s < p->nsizes; s++)
        if (!t->fixed[s] && is_size(p, s)) {
            printf("%s%s=%lld", sep, size_text(s), (long long)t->size[0][s]);
            sep = ",";
        }
    const sq_grid *grid = t->target->grid;
    printf(" --target=%s%s%s%s -e '%s'\n", t->target->name, grid ? ",arch=" : "",
           grid ? grid->arch : "", t->openmp ? ",openmp" : "", t->script);
    free(text);
}

void shrink(const setup *s, const program *p, const trial *t, const char *why, const char *folder)
{
    char scratch[] = "shrink.XXXXXX";
    if (!mkdtemp(scratch))
        return;
    sq_arena *arena = sq_arena_new();
    shrinker h = {.s = s,
                  .scratch = scratch,
                  .arena = arena,
                  .wanted = manner_of(why),
                  .end = time(NULL) + SECONDS};
    trial now = *t;
    program *small = program_copy(p, arena);
    snprintf(h.why, sizeof h.why, "%s", why);
    if (fails(&h, small, &now)) {
        shrink_cases(&h, small, &now);
        shrink_script(&h, small, &now);
        small = shrink_program(&h, small, &now, arena);
        shrink_sizes(&h, small, &now);
        shrink_script(&h, small, &now);
    } else {
        printf("  tried again alone, it does not fail\n");
    }
    print_result(&h, small, &now, folder);
    fflush(stdout);
    char clean[64];
    snprintf(clean, sizeof clean, "rm -rf %s", scratch);
    if (system(clean) != 0)
        printf("  %s is left\n", scratch);
    sq_arena_free(arena);
}
