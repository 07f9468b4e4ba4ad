/* Options: the one table. Every flag means the same in every subcommand; the row says which take
 * it. Help, environment twins and the parser (cli/parse.c) read this and nothing else. */
#include "cli/cli.h"

#define FIELD(name) offsetof(sq_settings, name)
#define READS "compile tune bench check show explain" /* those that read a description */
#define READS_ANY READS " lsp"                        /* the same, and what reads those of an editor */
#define FLAG SQ_OPTION_FLAG
#define TEXT SQ_OPTION_TEXT
#define LIST SQ_OPTION_LIST
#define CHOICE SQ_OPTION_CHOICE

static const char files[] = "Files", deps[] = "Dependencies", language[] = "Language",
                  build[] = "What to build", same[] = "Reproducible", inside[] = "Looking inside",
                  talk[] = "Talking", search[] = "Search";

/* clang-format off */
const sq_option sq_options[] = {
    {"output", 'o', "FILE", TEXT, FIELD(output), files, "compile",
     "write the C source to FILE; - is standard output (default: the input's name with .c, for CUDA .cu)"},
    {"header", 0, "FILE", TEXT, FIELD(header), files, "compile", "also write a header to FILE"},
    {"single-header", 0, "FILE", TEXT, FIELD(single_header), files, "compile",
     "write one header that holds the source, too, for the C file that defines its macro"},
    {"prefix", 0, "NAME", TEXT, FIELD(prefix), files, "compile",
     "begin the names of all functions with NAME"},
    {"static", 0, "", FLAG, FIELD(is_static), files, "compile",
     "make all functions static: the file, or --single-header, is for #include in C"},
    {"spdx", 0, "LICENCE", TEXT, FIELD(spdx), files, "compile",
     "begin files with `SPDX-License-Identifier: LICENCE`"},
    {"emit", 0, "WHAT,...", TEXT, FIELD(emit), files, "compile",
     "products: src header sched ast report (default: src, and header with --header)"},
    {"if-changed", 0, "", FLAG, FIELD(if_changed), files, "compile tune",
     "leave files alone whose bytes would not change"},
    {"check", 0, "", FLAG, FIELD(check), files, "compile",
     "write nothing; exit 1 if a file differs from what would be written"},
    {"MD", 0, "", FLAG, FIELD(depfile), deps, "compile",
     "write a depfile that make and ninja read; names that only one of them can read are refused"},
    {"MF", 0, "FILE", TEXT, FIELD(depfile_path), deps, "compile",
     "name of the depfile (default: the output's name with .d)"},
    {"MT", 0, "TARGET", TEXT, FIELD(depfile_target), deps, "compile",
     "target named in the depfile (default: the output)"},
    {"MP", 0, "", FLAG, FIELD(depfile_phony), deps, "compile",
     "phony targets for the files read, so that a deleted one is no error"},
    {"fix", 0, "M=512,...", SQ_OPTION_SIZES, FIELD(fix), language, READS,
     "make sizes constants: they leave the signature; may be repeated"},
    {"kernel", 0, "NAME", TEXT, FIELD(kernel), language, READS, "only this kernel of the file"},
    {"include", 'I', "DIR", LIST, FIELD(include), language, READS_ANY, "search DIR for #include"},
    {"define", 'D', "NAME[=TEXT]", LIST, FIELD(define), language, READS_ANY, "define a macro"},
    {"undefine", 'U', "NAME", LIST, FIELD(undefine), language, READS_ANY, "undefine a macro"},
    {"std", 0, "STANDARD", TEXT, FIELD(standard), language, READS_ANY,
     "language standard for libclang"},
    {"target", 0, "NAME[,openmp]", TEXT, FIELD(target), build, READS_ANY,
     "output: see `squall show targets`, cuda,arch=sm_80 among them (default: c, and with "
     "--machine=host the host's)"},
    {"targets", 0, "NAME,...[,openmp]", TEXT, FIELD(targets), build, "compile check",
     "one file for several: functions take the best target that the processor has; generic is one"},
    {"target-names", 0, "", FLAG, FIELD(target_names), build, "compile",
     "with --targets: the header declares the functions of each target, too: K_avx2, K_generic"},
    {"machine", 0, "host|CLASS|DEVICE|FILE", TEXT, FIELD(machine), build, READS_ANY,
     "what schedules are chosen for (default: the target's class; host in tune, bench and "
     "check without --text); a device such as a100-sxm4-40, or a file that describes one"},
    {"schedule", 0, "FILE", TEXT, FIELD(schedule), build, READS,
     "schedule: a script, or a .sched file as tune writes it"},
    {"script", 'e', "SCRIPT", LIST, FIELD(script), build, READS,
     "schedule: 'tile(i:64) order(...)'"},
    {"require-tuned", 0, "", FLAG, FIELD(require_tuned), build, "compile bench check",
     "exit 2 where no tuned schedule fits"},
    {"cc", 0, "COMMAND", TEXT, FIELD(cc), build, "tune bench check show doctor",
     "C compiler that builds what is run (default: $CC, else cc)"},
    {"root", 0, "DIR", TEXT, FIELD(root), same, "compile",
     "paths below DIR appear relative to it in what is written"},
    {"file-prefix-map", 0, "OLD=NEW", LIST, FIELD(prefix_map), same, "compile",
     "write NEW for OLD at the front of paths"},
    {"dump", 0, "STAGE,...", TEXT, FIELD(dump), inside, "compile",
     "print what stages made: parse scop deps apply lower code emit, or all; code:after=PASS: the code "
     "after a pass"},
    {"stop-after", 0, "STAGE", TEXT, FIELD(stop_after), inside, "compile",
     "run no later stage, or pass: code:after=PASS; writes no files"},
    {"verify", 0, "", FLAG, FIELD(verify), inside, "compile",
     "verify code between lowering and printing; what is wrong there is a fault of squall"},
    {"time", 0, "", FLAG, FIELD(time), inside, "compile", "print the time of every stage and pass"},
    {"read-seconds", 0, "N", SQ_OPTION_INTEGER, FIELD(read_seconds), inside, READS_ANY,
     "processor time that reading a description may take (default: `squall show limits`)"},
    {"text", 0, "FILE", LIST, FIELD(text), inside, "check",
     "check FILE, as compile writes it, in place of what would be written; may be repeated"},
    {"passes", 0, "", FLAG, FIELD(passes), inside, "check",
     "interpret the code as lowered and after each pass instead, without a compiler; name the first "
     "that changes a result"},
    {"quick", 0, "", FLAG, FIELD(quick), inside, "check",
     "only compare results, in text built with -O1: which blocks ran is not looked at"},
    {"json", 0, "", FLAG, FIELD(json), inside, "show bench check explain doctor", "print JSON"},
    {"shell", 0, "bash|zsh|fish", CHOICE, FIELD(shell), inside, "show",
     "for which shell `show completions` prints"},
    {"verbose", 'v', "", SQ_OPTION_COUNT, FIELD(verbose), talk, "*", "say more"},
    {"quiet", 'q', "", FLAG, FIELD(quiet), talk, "*", "print errors only"},
    {"diag", 0, "gcc|json", CHOICE, FIELD(diag), talk, "*", "form of messages"},
    {"color", 0, "auto|always|never", CHOICE, FIELD(color), talk, "*", "colour of messages"},
    {"progress", 0, "auto|plain|never", CHOICE, FIELD(progress), talk, "tune bench check",
     "how to show what is going on"},
    {"log", 0, "FILE", TEXT, FIELD(log), talk, "tune", "one JSON object a trial, appended to FILE"},
    {"at", 0, "M=512,...", LIST, FIELD(at), search, "compile tune bench check show",
     "sizes to measure at, when they stay symbolic; may be repeated; in compile, which of the "
     "schedules tuned at several to take"},
    {"budget", 0, "TIME", SQ_OPTION_SECONDS, FIELD(budget), search, "tune bench check",
     "how long: 60s, 5m, 1h"},
    {"trials", 0, "N", SQ_OPTION_INTEGER, FIELD(trials), search, "tune", "at most N measurements"},
    {"seed", 0, "N", SQ_OPTION_INTEGER, FIELD(seed), search, "tune bench check",
     "start of the random numbers (default 1)"},
    {"search", 0, "NAME", TEXT, FIELD(search), search, "tune", "see `squall show searches`"},
    {"model", 0, "NAME", TEXT, FIELD(model), search, "tune", "model that ranks candidates"},
    {"runner", 0, "NAME", TEXT, FIELD(runner), search, "tune",
     "local: this processor; device: a CUDA device of this machine; model: nothing is measured, "
     "times on a device are predicted (default: what the target runs on)"},
    {"store", 0, "FILE", TEXT, FIELD(store), search, "tune show bench doctor",
     "database of trials (default: $XDG_STATE_HOME/squall/samples.db)"},
    {"resume", 0, "", FLAG, FIELD(resume), search, "tune", "go on from the trials in the store"},
    {"jobs", 0, "N", SQ_OPTION_INTEGER, FIELD(jobs), search, "tune", "builds at the same time"},
    {"out-dir", 0, "DIR", TEXT, FIELD(out_dir), search, "tune",
     "folder of the .sched file (default: beside the source)"},
    {"against", 0, "FILE", LIST, FIELD(against), search, "bench",
     "compare with the schedules in FILE; exit 2 if slower"},
    {0}};
/* clang-format on */
