/* squall: the table of contents. Each subcommand is a file of this folder; all take their settings
 * from one option table (options.c) and add what goes wrong to one list of diagnostics, which only
 * this file prints and turns into the exit code. */
#include "cli/at.h"
#include "support/interrupt.h"
#include "support/nearest.h"
#include "support/version.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* clang-format off */
const sq_command sq_commands[] = {
    {"compile", "K.sq [-o K.c] [--header=K.h] [options] [-- libclang options]",
     "translate a description, or the regions of a C file, into C",
     "Never measures: it takes the schedules that tune has found (K.<class>.sched), else those that a model chooses.",
     "  squall compile gemm.sq -o gemm.c --header=gemm.h\n"
     "  squall compile gemm.sq --fix M=512,N=512,K=512 --target=avx2,openmp -o -\n"
     "  squall compile gemm.sq --targets=generic,avx2,avx512 -o gemm.c --header=gemm.h\n"
     "  squall compile gemm.sq --target=cuda,arch=sm_90 -o gemm.cu --header=gemm.h\n"
     "  squall compile gemm.sq -e 'tile(i:48) order(i0, j, k, i)' --dump=apply\n"
     "  squall compile old.c -o new.c -Iinclude -DN=512   # the whole file, its regions tuned\n",
     sq_cmd_compile},
#ifdef SQ_TUNER
    {"tune", "K.sq|--network=FILE [options]",
     "measure schedules on this machine; K.<class>.sched keeps the best", "",
     "  squall tune gemm.sq --fix M=512,N=512,K=512 --budget=60s\n"
     "  squall tune gemm.sq --at M=512,N=512,K=512 --at M=64,N=64,K=64 --trials=200\n"
     "  squall tune --network=resnet18.json --budget=3m --out-dir=tuned\n",
     sq_cmd_tune},
    {"race", "K.sq [options]",
     "compare the searches of tune on one kernel",
     "All have the same space, the same start and the same number of trials, and several seeds each.",
     "  squall race gemm.sq --fix M=512,N=512,K=512\n"
     "  squall race gemm.sq --at M=64,N=64,K=64 --searches=storm,genetic,random --seeds=5 --trials=200 --json\n"
     "  squall race gemm.sq --at M=64,N=64,K=64 --record=gemm.landscape\n"
     "  squall race --replay=gemm.landscape --seeds=20\n",
     sq_cmd_race},
    {"bench", "K.sq [options]",
     "measure a schedule beside the untuned one and plain loops",
     "Of a region of a C file it measures the text as the file has it, too.",
     "  squall bench gemm.sq --fix M=512,N=512,K=512\n"
     "  squall bench gemm.sq --at M=512,N=512,K=512 -e 'tile(i:48)' --against=gemm.avx2.sched\n",
     sq_cmd_bench},
    {"check", "K.sq|K.cu [options]",
     "compare what is emitted with the naive nest, around every tile size",
     "Accesses have to be in bounds and schedules legal, too. A basic block that neither ran nor is proven "
     "unreachable is an error. CUDA code is also checked for races, barriers and bounds.",
     "  squall check gemm.sq\n"
     "  squall check gemm.sq --quick   # compares results, looks at no blocks\n"
     "  squall check gemm.sq --fix M=33,N=127,K=7 --target=avx2,openmp\n"
     "  squall check gemm.sq --text=gemm.c --target=avx2   # 1: wrong, 2: a block never ran, 3: not built\n"
     "  squall check gemm.sq --target=cuda,arch=sm_80\n"
     "  squall check gemm.cu --target=cuda,arch=sm_80 -DSQUALL_SELFTEST\n",
     sq_cmd_check},
#endif
    {"show", "TOPIC [K.sq|COMMAND] [options]", "print what squall knows of itself, the machine, or a description",
     "",
     "  squall show transforms\n"
     "  squall show completions --shell=zsh\n"
     "  squall show deps gemm.sq\n"
     "  squall show best gemm.sq --fix M=512,N=512,K=512\n",
     sq_cmd_show},
    {"explain", "K.sq [options]",
     "say which loops can be parallel, vectors, tiled, and why not",
     "And it counts what a step of the innermost loops does, and how near that comes to the machine's limits.",
     "  squall explain softmax.sq   # under each schedule, where the function has several\n"
     "  squall explain gemm.sq --at M=1,N=1024,K=1024   # under the schedule for these sizes\n"
     "  squall explain old.c --json\n",
     sq_cmd_explain},
    {"doctor", "[options]",
     "say what is installed, missing or too old; what the machine can do",
     "Exit code 3: compile does not work; 2: it does, but nothing that measures.",
     "  squall doctor\n"
     "  squall doctor --cc=clang-19 --json\n",
     sq_cmd_doctor},
#ifdef SQ_TUNER
    {"db", "check|export|import|merge|prune [FILE...]",
     "check, export, import, merge and prune the store of trials", "",
     "  squall db export > trials.jsonl\n"
     "  squall db import trials.jsonl --store=team.db\n"
     "  squall db prune --keep=100\n",
     sq_cmd_db},
    {"learn", "K.sq|FILE.landscape... --ranker=FILE [options]",
     "learn from measured trials what makes schedules fast",
     "Of descriptions it takes the trials in the store, and it reads landscapes. Searches begin with what was learned: "
     "--ranker.",
     "  squall learn gemm.sq conv.sq --ranker=avx2.ranker\n"
     "  squall learn *.landscape --ranker=avx2.ranker\n"
     "  squall tune new.sq --fix=M=64,N=64,K=64 --search=ansor --ranker=avx2.ranker\n",
     sq_cmd_learn},
    {"lsp", "[options]",
     "serve an editor: errors while typing, facts of loops, fixes",
     "It speaks the Language Server Protocol on standard input and output, and completes words, too.",
     "  squall lsp --target=avx2 -Iinclude   # docs/EDITORS.md has recipes for editors\n",
     sq_cmd_lsp},
#endif
    {"help", "[COMMAND|language]", "print this, the options of a command, or the language in short",
     "", "", sq_cmd_help},
    {0}};
/* clang-format on */

#ifdef SQ_TUNER
const char *const sq_left_out[] = {NULL};
#else
const char *const sq_left_out[] = {"tune", "race", "bench", "check", "db", "learn", "lsp", NULL};
#endif

bool sq_refuse_left_out(const char *name, sq_diags *d)
{
    for (int i = 0; sq_left_out[i]; i++)
        if (strcmp(sq_left_out[i], name) == 0) {
            sq_error(d, SQ_FAULT_USAGE, SQ_NOWHERE,
                     "this squall was built without the tuner: there is no `squall %s`", name);
            sq_help(d, SQ_NOWHERE, "build it with -DSQUALL_TUNER=ON");
            return true;
        }
    return false;
}

static const sq_command *command_of(const char *name)
{
    for (const sq_command *c = sq_commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

static int unknown_command(int argc, char **argv, sq_diags *d)
{
    const char *names[32];
    size_t n = 0;
    for (const sq_command *c = sq_commands; c->name; c++)
        names[n++] = c->name;
    sq_text line = {0};
    for (int i = 0; i < argc; i++)
        sq_text_printf(&line, "%s%s", i ? " " : "", i ? argv[i] : "squall");
    sq_diags_source(d, "command line", line.s, line.n);
    sq_text_free(&line);
    sq_error(d, SQ_FAULT_USAGE, (sq_loc){"command line", 1, 8, (int)strlen(argv[1])},
             "there is no command '%s'", argv[1]);
    const char *nearest = sq_nearest(argv[1], names, n);
    sq_suggest(d, argv[1], nearest);
    if (!nearest)
        sq_help(d, SQ_NOWHERE, "`squall help` lists the commands");
    return -1;
}

/* Runs one command; the settings' talking options are in *o even when it failed. */
static int run(int argc, char **argv, sq_arena *arena, sq_settings *o, sq_diags *d)
{
    const sq_command *c = command_of(argv[1]);
    if (!c)
        return sq_refuse_left_out(argv[1], d) ? -1 : unknown_command(argc, argv, d);
    if (sq_settings_parse(o, argc - 1, argv + 1, arena, d) != 0)
        return -1;
    if (o->command)
        return sq_at_check_fixed(o, d) != 0 ? -1 : c->run(o, d);
    sq_text t = {0};
    sq_help_print(c, &t);
    fputs(sq_text_str(&t), stdout);
    sq_text_free(&t);
    return 0;
}

/* What an interrupt left undone is nobody's fault and needs no message. */
static int exit_code(int result, sq_diags *d)
{
    if (sq_interrupt_signal() && result < 0)
        sq_diags_rewind(d, 0);
    if (sq_interrupt_signal())
        return 128 + sq_interrupt_signal();
    if (result >= 0)
        return result;
    sq_fault fault = sq_diags_fault(d);
    return fault == SQ_FAULT_NONE ? SQ_FAULT_BUG : (int)fault;
}

/* abort() is how our own faults end (sq_bug, an assertion of a library): documented exit code. */
static void on_abort(int signal)
{
    (void)signal;
    _exit(SQ_FAULT_BUG);
}

/* Trees are walked by recursion, and a stack of 8 MiB, or one that a shell made smaller, does not
 * hold all that SQ_MOST_LEVELS allows. It grows on demand: the limit alone costs nothing. */
static void raise_stack(void)
{
    struct rlimit r;
    const rlim_t want = 64 << 20;
    if (getrlimit(RLIMIT_STACK, &r) != 0 || r.rlim_cur == RLIM_INFINITY || r.rlim_cur >= want)
        return;
    r.rlim_cur = r.rlim_max == RLIM_INFINITY || r.rlim_max > want ? want : r.rlim_max;
    setrlimit(RLIMIT_STACK, &r);
}

/* The first line is the tool's, and stays as it is: scripts read it. */
static int print_versions(void)
{
    printf("squall %s\nlanguage %d.%d\nsched %d.%d\nabi %d.%d\n", SQ_VERSION, SQ_LANGUAGE_MAJOR,
           SQ_LANGUAGE_MINOR, SQ_SCHED_MAJOR, SQ_SCHED_MINOR, SQ_ABI_MAJOR, SQ_ABI_MINOR);
    return fflush(stdout) == 0 ? 0 : SQ_FAULT_WORLD;
}

static int usage(void)
{
    sq_text t = {0};
    sq_help_print(NULL, &t);
    fputs(t.s, stderr);
    sq_text_free(&t);
    return SQ_FAULT_USAGE;
}

int main(int argc, char **argv)
{
    signal(SIGABRT, on_abort);
    sq_interrupt_watch();
    raise_stack();
    if (argc < 2)
        return usage();
    if (strcmp(argv[1], "--version") == 0)
        return print_versions();
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        argv[1] = "help";
    sq_diags *d = sq_diags_new();
    sq_arena *arena = sq_arena_new();
    sq_settings o = {0};
    int code = exit_code(run(argc, argv, arena, &o, d), d);
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == 0) {
        sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "cannot write standard output");
        code = SQ_FAULT_WORLD;
    }
    if (!o.quiet || code != 0)
        sq_diags_print(d, stderr, (sq_diag_format)o.diag,
                       sq_terminal_color(stderr, (sq_color)o.color));
    sq_arena_free(arena);
    sq_diags_free(d);
    return code;
}
