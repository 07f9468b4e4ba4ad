/* Task target: what is compiled for: the target and its options, and the machine that schedules are
 * chosen for: a class, this one, or a device by its name or by a file. */
#include "cli/task.h"
#include "support/nearest.h"
#include "tuner/device/device_file.h"
#include <string.h>

/* The first of the words in `text` parted by commas. */
static const char *first_word(const char *text, sq_arena *arena)
{
    return sq_arena_strndup(arena, text, strcspn(text, ","));
}

/* Architectures of targets that have them; their number. */
static size_t list_archs(const char *names[32])
{
    size_t n = 0;
    for (const sq_target *t = sq_targets; t->name && n < 32; t++)
        if (t->grid)
            names[n++] = t->grid->arch;
    return n;
}

static int unknown_target(sq_task *task, const char *name, sq_loc loc)
{
    const char *names[32], *archs[32], *all = "c, host";
    size_t n = 0;
    for (const sq_target *t = sq_targets; t->name && n < 32; t++) {
        if (n > 0 && strcmp(names[n - 1], t->name) == 0)
            continue;
        names[n++] = t->name;
        all = sq_arena_printf(task->arena, "%s, %s%s", all, t->name, t->grid ? ",arch=…" : "");
    }
    sq_error(task->d, SQ_FAULT_USAGE, loc, "there is no target '%s'", name);
    const char *nearest = sq_nearest(name, names, n);
    const char *arch = sq_nearest(name, archs, list_archs(archs));
    if (!nearest && arch)
        nearest = sq_arena_printf(task->arena, "cuda,arch=%s", arch);
    sq_suggest(task->d, name, nearest);
    if (!nearest)
        sq_help(task->d, SQ_NOWHERE, "`squall show targets` lists them: %s", all);
    return -1;
}

const sq_target *sq_task_target_named(sq_task *task, const char *name, sq_loc loc)
{
    const sq_target *t = strcmp(name, "host") == 0 ? sq_target_host() : sq_target_get(name);
    if (!t)
        unknown_target(task, name, loc);
    return t;
}

/* Of the target's name, the row for this architecture. */
static int settle_arch(sq_task *task, const char *arch, sq_loc loc)
{
    const char *names[32], *all = "";
    const sq_target *row = sq_target_arch(task->target->name, arch);
    if (row) {
        task->target = row;
        return 0;
    }
    size_t n = list_archs(names);
    for (size_t i = 0; i < n; i++)
        all = sq_arena_printf(task->arena, "%s %s", all, names[i]);
    sq_error(task->d, SQ_FAULT_USAGE, loc, "target '%s' has no architecture '%s'; there are:%s",
             task->target->name, arch, all);
    sq_suggest(task->d, arch, sq_nearest(arch, names, n));
    return -1;
}

static int unknown_option(sq_task *task, const char *word, sq_loc loc)
{
    const char *names[32] = {"openmp", "serial", "tasks"}, *value = strchr(word, '='), *all = "";
    bool grid = task->target->grid;
    size_t n = grid ? list_archs(names) : 3;
    for (size_t i = 0; i < n; i++)
        all = sq_arena_printf(task->arena, "%s %s%s", all, grid ? "arch=" : "", names[i]);
    const char *nearest = sq_nearest(value && grid ? value + 1 : word, names, n);
    const sq_target *other = sq_target_get(word);
    sq_error(task->d, SQ_FAULT_USAGE, loc, "'%s' is no option of a target; there are:%s", word,
             all);
    if (nearest)
        sq_suggest(task->d, word, sq_arena_printf(task->arena, "%s%s", grid ? "arch=" : "", nearest));
    else if (other && !grid && !other->grid)
        sq_help(task->d, SQ_NOWHERE, "several targets in one file: --targets=%s,%s",
                task->target->name, word);
    return -1;
}

int sq_task_threads(sq_task *task, const char *word, sq_loc loc)
{
    bool again = task->openmp || task->serial, tasks = strcmp(word, "tasks") == 0;
    bool same = strcmp(word, "serial") == 0 ? task->serial : task->openmp && task->tasks == tasks;
    task->openmp |= strcmp(word, "serial") != 0;
    task->serial |= strcmp(word, "serial") == 0;
    task->tasks |= tasks;
    if (!again || same)
        return 0;
    sq_error(task->d, SQ_FAULT_USAGE, loc, "'openmp', 'tasks' and 'serial' exclude each other");
    sq_help(task->d, SQ_NOWHERE,
            "openmp and tasks are for loops that threads share, OpenMP's or those of the caller; serial, for none, is "
            "the default");
    return -1;
}

/* One of the words behind the target's name. */
static int settle_option(sq_task *task, const char *word, bool *chosen, sq_loc loc)
{
    bool grid = task->target->grid;
    bool shares = strcmp(word, "openmp") == 0 || strcmp(word, "tasks") == 0;
    if (shares && grid)
        return sq_error(task->d, SQ_FAULT_USAGE, loc,
                        "%s is for processors; the blocks and threads of '%s' need no option", word,
                        task->target->name);
    if (shares || strcmp(word, "serial") == 0)
        return sq_task_threads(task, word, loc);
    if (!grid || strncmp(word, "arch=", 5) != 0)
        return unknown_option(task, word, loc);
    if (*chosen)
        return sq_error(task->d, SQ_FAULT_USAGE, loc,
                        "one architecture at a time: 'arch=%s' and '%s'", task->target->grid->arch,
                        word);
    *chosen = true;
    return settle_arch(task, word + strlen("arch="), loc);
}

/* "avx2,openmp": the name, then options. `c` is the portable target, `host` this processor's. */
static int settle_target(sq_task *task, const char *text)
{
    sq_loc loc = sq_settings_loc(task->o, "target");
    const char *name = first_word(text, task->arena);
    bool chosen = false;
    if (strcmp(name, "openmp") == 0) {
        name = "c";
        text = sq_arena_printf(task->arena, "c,%s", text);
    }
    task->target = sq_task_target_named(task, name, loc);
    if (!task->target)
        return -1;
    for (const char *p = strchr(text, ','); p; p = strchr(p + 1, ','))
        if (settle_option(task, first_word(p + 1, task->arena), &chosen, loc) != 0)
            return -1;
    return 0;
}

/* ---- machines ---- */

static int unknown_machine(sq_task *task, const char *name)
{
    enum { CLASSES = 32 };
    const char *names[CLASSES + SQ_MAX_DEVICES] = {"host"};
    sq_text list = {0};
    int n = 1;
    for (const sq_machine *m = sq_machines; m->name && n < CLASSES; m++)
        names[n++] = m->name;
    n += sq_device_names(names + n);
    for (int i = 0; i < n; i++)
        sq_text_printf(&list, " %s", names[i]);
    sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, "machine"),
             "there is no machine class '%s'; there are:%s", name, sq_text_str(&list));
    sq_suggest(task->d, name, sq_nearest(name, names, (size_t)n));
    sq_text_free(&list);
    return -1;
}

/* The class of a device's architecture, with what this one has. */
static int take_device(sq_task *task, const sq_device *device, const char *name)
{
    const sq_machine *class = sq_machine_class(device->arch);
    if (!class)
        return sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, "machine"),
                        "device '%s' is of architecture '%s', for which no text is written",
                        device->name, device->arch);
    sq_machine *m = SQ_NEW(task->arena, sq_machine);
    *m = *class;
    m->name = name;
    m->device = device;
    task->machine = m;
    return 0;
}

/* A class by its name, this machine's, or a device. */
static int settle_machine(sq_task *task, const char *name)
{
    if (sq_device_is_file(name)) {
        const sq_device *device = sq_device_read(name, task->arena, task->d);
        task->device_path = name;
        return device ? take_device(task, device, device->name) : -1;
    }
    const sq_device *known = sq_device_known(name);
    if (known)
        return take_device(task, known, name); /* a class of devices, too: by its first */
    if (strcmp(name, "c") == 0)
        name = sq_targets[0].machine;
    task->machine = sq_machine_class(strcmp(name, "host") == 0 ? sq_machine_host_isa() : name);
    return task->machine ? 0 : unknown_machine(task, name);
}

/* Text for a processor is not chosen for a device, nor for a device of another architecture. */
static int refuse_stranger(sq_task *task, const char *target)
{
    const sq_device *device = task->machine->device;
    const sq_target *own = device && task->target->grid && (!target || !strstr(target, "arch="))
                               ? sq_target_arch(task->target->name, device->arch)
                               : NULL;
    if (own)
        task->target = own; /* no architecture was named: the device's */
    const char *arch = task->target->grid ? task->target->grid->arch : NULL;
    if (!device ? !arch : arch && sq_device_arch(device->arch, arch))
        return 0;
    sq_error(task->d, SQ_FAULT_USAGE, sq_settings_loc(task->o, "machine"),
             "machine '%s' (%s) is none that target '%s%s%s' runs on", task->machine->name,
             task->machine->isa, task->target->name, arch ? ",arch=" : "", arch ? arch : "");
    if (device)
        sq_help(task->d, SQ_NOWHERE, "write --target=cuda,arch=%s", device->arch);
    else
        sq_help(task->d, SQ_NOWHERE, "leave --machine away, or name a device, as --machine=%s",
                arch);
    return -1;
}

/* "cuda,arch=sm_80" for a device, this processor's target for itself, else the class's own. */
static const char *target_of(sq_task *task)
{
    const sq_machine *m = task->machine;
    if (strcmp(task->o->machine, "host") == 0)
        return "host";
    return m->device ? sq_arena_printf(task->arena, "cuda,arch=%s", m->device->arch) : m->isa;
}

/* Neither given: portable text for the generic class, the same whoever generates it. One given
 * decides the other. */
int sq_task_target(sq_task *task)
{
    const char *target = task->o->target, *machine = task->o->machine;
    bool several = task->o->targets && (sq_settings_loc(task->o, "targets").line || !target);
    if (several)
        return sq_sections_read(task);
    if (machine && settle_machine(task, machine) != 0)
        return -1;
    if (settle_target(task, target ? target : machine ? target_of(task) : "c") != 0)
        return -1;
    return machine ? refuse_stranger(task, target) : settle_machine(task, task->target->machine);
}
