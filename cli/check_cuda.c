/* squall check K.cu: the text is a program (simt.h); what it found and counted is printed, and the
 * exit code says whether there was anything. */
#include "cli/check_cuda.h"
#include "support/memory.h"
#include "tuner/measure/simt.h"
#include "cli/task.h"
#include "support/file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool sq_is_cuda_text(const char *path)
{
    size_t n = strlen(path);
    return n > 3 && strcmp(path + n - 3, ".cu") == 0;
}

/* The device that is simulated. */
static const sq_target *read_target(const sq_settings *o, sq_diags *d)
{
    sq_settings settings = *o;
    if (!o->target)
        settings.target = "cuda";
    sq_task task = {.o = &settings, .d = d, .arena = sq_arena_new()};
    int rc = sq_task_target(&task);
    if (rc == 0 && !task.target->grid) {
        rc = sq_error(d, SQ_FAULT_USAGE, sq_settings_loc(o, "target"),
                      "CUDA text is not checked for the target '%s'", o->target);
        sq_help(d, SQ_NOWHERE, "write --target=cuda,arch=sm_80");
    }
    sq_arena_free(task.arena);
    return rc == 0 ? task.target : NULL;
}

static int print_text(sq_simt *s)
{
    char *text = sq_simt_report_text(s);
    if (!text)
        return -1;
    fputs(s->end.out, stdout);
    fputs(s->end.err, stderr);
    if (s->end.is_cut)
        fprintf(stderr, "(what it printed is cut off behind %d MiB)\n", SQ_CHILD_OUTPUT >> 20);
    fputs(text, stdout);
    free(text);
    return 0;
}

static void print_json(sq_simt *s, const char *file, json_t *report)
{
    json_object_set_new(report, "file", json_string(file));
    json_object_set_new(report, "exit_status", json_integer(s->end.status));
    json_t *output = json_string(s->end.out); /* none when it is no UTF-8 */
    json_object_set_new(report, "output", output ? output : json_null());
    json_object_set_new(report, "output_is_cut", json_boolean(s->end.is_cut));
    json_dumpf(report, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    putchar('\n');
}

static int report(sq_simt *s, const char *file, bool json)
{
    json_t *r = sq_simt_report(s, file);
    if (!r)
        return -1;
    size_t findings = json_array_size(json_object_get(r, "findings"));
    size_t launches = json_array_size(json_object_get(r, "launches"));
    int rc = 0;
    if (json)
        print_json(s, file, r);
    else
        rc = print_text(s);
    json_decref(r);
    if (rc == 0 && findings)
        rc = sq_error(s->d, SQ_FAULT_INPUT, SQ_NOWHERE, "%s: %zu finding%s", file, findings,
                      findings == 1 ? "" : "s");
    else if (rc == 0 && (s->end.status || s->end.signal))
        rc = sq_error(s->d, SQ_FAULT_INPUT, SQ_NOWHERE, "%s: the program exited with %d", file,
                      (int)s->end.status);
    else if (rc == 0 && launches == 0)
        rc = sq_error(s->d, SQ_FAULT_INPUT, SQ_NOWHERE,
                      "%s: the program launches no kernel: nothing was checked", file);
    return rc;
}

static bool lists(const sq_list *l, const char *word)
{
    for (int i = 0; i < l->n; i++)
        if (strstr(l->item[i], word))
            return true;
    return false;
}

/* Why no program came of it, where that is no fault of the text but for a missing `main`. */
static void help_main(const sq_settings *o, const char *file, sq_diags *d)
{
    static const char test[] = "SQUALL_SELFTEST";
    size_t mark = sq_diags_mark(d);
    char *text = sq_file_read(d, file, NULL);
    sq_diags_rewind(d, mark);
    if (text && strstr(text, test) && !lists(&o->define, test) && !lists(&o->clang, test))
        sq_help(d, SQ_NOWHERE,
                "what Squall wrote is a program, with a main, under -DSQUALL_SELFTEST; of several "
                "kernels -DSQUALL_SELFTEST_NAME is that of one");
    else if (text && !strstr(text, "main"))
        sq_help(d, SQ_NOWHERE,
                "the file is a program: it needs a main that allocates, launches and compares");
    free(text);
}

int sq_check_cuda(const sq_settings *o, sq_diags *d)
{
    const char *file = o->files.item[0];
    const sq_target *target = read_target(o, d);
    if (!target)
        return -1;
    sq_simt *s = sq_allocated(calloc(1, sizeof *s));
    sq_simt_options own = {.cc = o->cc,
                           .include = o->include,
                           .define = o->define,
                           .undefine = o->undefine,
                           .rest = o->clang,
                           .seconds = o->budget};
    int rc = sq_simt_open(s, &own, target, d);
    if (rc == 0)
        rc = sq_simt_build(s, file, file);
    if (rc != 0 && s->dir.path[0])
        help_main(o, file, d);
    if (rc == 0)
        rc = sq_simt_run(s, file, NULL);
    if (rc == 0)
        rc = report(s, file, o->json);
    sq_simt_close(s);
    free(s);
    return rc;
}
