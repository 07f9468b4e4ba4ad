/* Built: see built.h. */
#include "tuner/measure/built.h"
#include "codegen/emit.h"
#include "tuner/measure/child.h"
#include "tuner/measure/workdir.h"

void sq_build_command(const sq_build *b, const char *optimise, const char *source, const char *to, sq_argv *a)
{
    sq_argv_add(a, "env"); /* for the temporary files of a compiler that is killed */
    sq_argv_printf(a, "TMPDIR=%s", b->dir);
    for (int i = 0; i < b->compiler->n; i++)
        sq_argv_add(a, b->compiler->word[i]);
    sq_argv_split(a, optimise);
    const char *rest[] = {"-o", to, source};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        sq_argv_add(a, rest[i]);
}

static bool is_good(const sq_child_end *end)
{
    return end->started && end->status == 0 && !end->signal;
}

/* What the compiler has to say against it is an error. */
static int judge(const sq_build *b, const sq_child_end *end, const char *what, sq_diags *d)
{
    char message[300];
    if (is_good(end))
        return 0;
    if (!end->started)
        return sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "%s", end->err);
    sq_child_first_error(end, message, sizeof message);
    return sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "%s cannot build %s: %s", b->compiler->word[0], what, message);
}

static int write_source(const char *path, const char *text, sq_diags *d)
{
    if (sq_workdir_write(path, text) == 0)
        return 0;
    return sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "cannot write %s", path);
}

int sq_build_naive(const sq_build *b, const sq_kernel *k, const char *source, const char *to, sq_diags *d)
{
    static const char *const options[] = {"-O3 -march=native -fopenmp", "-O3 -fopenmp", "-O3"};
    sq_child_end end = {0};
    sq_text text = {0};
    int rc = sq_emit_naive_threads(k, "squall_naive", &text, d);
    sq_emit_entry(k, "squall_naive", SQ_ENTRY, &text);
    if (rc == 0)
        rc = write_source(source, sq_text_str(&text), d);
    sq_text_free(&text);
    for (size_t i = 0; rc == 0 && i < sizeof options / sizeof *options && !is_good(&end); i++) {
        sq_argv a = {0};
        sq_build_command(b, options[i], source, to, &a);
        sq_argv_split(&a, "-lm -lc");
        sq_argv_openmp(&a, b->compiler, b->cflags);
        sq_child_run(a.word, b->timeout, &end);
        sq_argv_free(&a);
    }
    if (rc == 0)
        rc = judge(b, &end, "the naive nest", d);
    sq_child_end_free(&end);
    return rc;
}

int sq_build_linked(const sq_build *b, const char *text, const char *source, const char *to, sq_diags *d)
{
    sq_child_end end = {0};
    sq_argv a = {0};
    if (write_source(source, text, d) != 0)
        return -1;
    sq_build_command(b, "-O2 -c", source, to, &a);
    sq_child_run(a.word, b->timeout, &end);
    sq_argv_free(&a);
    int rc = judge(b, &end, "what candidates are linked with", d);
    sq_child_end_free(&end);
    return rc;
}
