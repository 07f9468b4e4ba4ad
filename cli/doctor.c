/* squall doctor: what is installed, missing or too old, and what this machine can do. Every check is
 * a row: it tries the thing itself, by compiling a kernel, building a file or running a program, and
 * does not go by versions. Exit code 0: all commands work; 2: `compile` does, but not what measures;
 * 3: `compile` does not. */
#include "cli/doctor.h"
#include "cli/task.h"
#include "support/terminal.h"
#include "support/version.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME = 13, HEALTH = 8 };

static const char kernel[] = "#include \"squall.h\"\n"
                             "kernel scale(int N, const f32 X[N], f32 Y[N])\n"
                             "{\n    idx i;\n    Y[i] = 2.f * X[i];\n}\n";

void sq_doctor_row(sq_doctor *x, const char *name, sq_needed_by needed, sq_health health,
                   const char *format, ...)
{
    static const char *const words[] = {"ok", "absent", "BROKEN"};
    static const char *const json_words[] = {"ok", "absent", "broken"};
    static const char *const who[] = {"compile", "measure", "none"};
    sq_text text = {0};
    va_list args;
    va_start(args, format);
    sq_text_vprintf(&text, format, args);
    va_end(args);
    if (health == SQ_HEALTH_BROKEN)
        x->broken[needed] = true;
    sq_text_line(x->to, "%-*s %-*s %s", NAME, name, HEALTH, words[health], sq_text_str(&text));
    json_array_append_new(x->list, json_pack("{s:s, s:s, s:s, s:s}", "check", name, "health",
                                             json_words[health], "needed_by", who[needed], "text",
                                             sq_text_str(&text)));
    (void)json_words, (void)who;
    sq_text_free(&text);
}

const char *sq_doctor_message(const sq_diags *d, sq_severity severity)
{
    const sq_diag *e;
    for (size_t i = 0; (e = sq_diags_at(d, i)); i++)
        if (e->severity == severity)
            return e->message;
    return NULL;
}

void sq_doctor_error(sq_doctor *x, const char *name, sq_needed_by needed, const sq_diags *d)
{
    const char *message = sq_doctor_message(d, SQ_ERROR);
    const char *help = sq_doctor_message(d, SQ_HELP);
    sq_doctor_row(x, name, needed, SQ_HEALTH_BROKEN, "%s%s%s", message ? message : "fails",
                  help ? "; " : "", help ? help : "");
}

static void check_libraries(sq_doctor *x)
{
    sq_library library[SQ_LIBRARIES];
    sq_diags *d = sq_diags_new();
    int bad = sq_libraries_find(library, d);
    for (int i = 0; i < SQ_LIBRARIES; i++) {
        const sq_library *l = &library[i];
        if (!l->version[0] && bad)
            sq_doctor_error(x, l->name, SQ_NEEDED_BY_COMPILE, d);
        else
            sq_doctor_row(x, l->name, SQ_NEEDED_BY_COMPILE, SQ_HEALTH_OK, "%s (%s)", l->version,
                          l->path);
    }
    sq_diags_free(d);
}

/* A kernel goes through all stages, in memory. */
static void check_compile(sq_doctor *x)
{
    sq_diags *d = sq_diags_new();
    sq_settings o = {.arena = x->o->arena, .command = "compile", .seed = 1};
    sq_task task;
    double start = sq_terminal_seconds();
    int bad = sq_task_open_text(&task, &o, "<doctor>", kernel, strlen(kernel), d);
    if (!bad)
        bad = sq_task_run_named(&task, "emit");
    if (bad)
        sq_doctor_error(x, "compile", SQ_NEEDED_BY_COMPILE, d);
    else
        sq_doctor_row(x, "compile", SQ_NEEDED_BY_COMPILE, SQ_HEALTH_OK,
                      "a kernel becomes %zu bytes of C in %.0f ms", task.source.n,
                      1e3 * (sq_terminal_seconds() - start));
    sq_task_close(&task);
    sq_diags_free(d);
}

static void check_targets(sq_doctor *x)
{
    sq_text names = {0};
    for (const sq_target *t = sq_targets; t->name; t++)
        if (sq_target_runs_here(t) && !t->grid)
            sq_text_printf(&names, " %s", t->name);
    sq_doctor_row(x, "processor", SQ_NEEDED_BY_NONE, SQ_HEALTH_OK,
                  "class %s; runs code for:%s; %ld cores", sq_machine_host_isa(),
                  sq_text_str(&names), sysconf(_SC_NPROCESSORS_ONLN));
    sq_text_free(&names);
}

static int exit_code(const sq_doctor *x)
{
    return x->broken[SQ_NEEDED_BY_COMPILE]   ? SQ_FAULT_WORLD
           : x->broken[SQ_NEEDED_TO_MEASURE] ? SQ_FAULT_REFUSED
                                             : 0;
}

static const char *verdict_of(int code)
{
    return code == 0                  ? "every command of this build works"
           : code == SQ_FAULT_REFUSED ? "compile works; check, bench and tune do not"
                                      : "compile does not work";
}

int sq_cmd_doctor(const sq_settings *o, sq_diags *d)
{
    sq_text text = {0};
    if (sq_json_refuse(o, d) != 0)
        return -1;
    if (o->files.n)
        return sq_error(d, SQ_FAULT_USAGE, SQ_NOWHERE, "`squall doctor` takes no file");
    sq_doctor x = {.o = o, .to = &text, .list = json_array()};
    sq_doctor_row(&x, "squall", SQ_NEEDED_BY_COMPILE, SQ_HEALTH_OK, "version %s", SQ_VERSION);
    check_libraries(&x);
    check_compile(&x);
    check_targets(&x);
    sq_doctor_tools(&x);
    int code = exit_code(&x);
    sq_text_line(&text, "%s", verdict_of(code));
    if (o->json) {
        json_t *all = json_pack("{s:s, s:O, s:i, s:s}", "squall", SQ_VERSION, "checks", x.list,
                                "code", code, "verdict", verdict_of(code));
        json_dumpf(all, stdout, JSON_INDENT(2) | JSON_SORT_KEYS);
        putchar('\n');
        json_decref(all);
    } else {
        fputs(sq_text_str(&text), stdout);
    }
    json_decref(x.list);
    sq_text_free(&text);
    return code;
}
