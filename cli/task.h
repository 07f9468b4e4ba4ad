/* Task: one description on its way through the compiler. The stages (cli/stages.c) fill it group by
 * group; subcommands that need less stop early. Everything depends on one arena and one isl context,
 * and sq_task_close frees both. */
#ifndef SQ_CLI_TASK_H
#define SQ_CLI_TASK_H
#include "cli/cli.h"
#include "codegen/file/ways.h"
#include "support/hash.h"
#include "tuner/store/sched_file.h"

enum { SQ_NSTAGES = 7 };

/* Where a schedule came from: decides messages, the depfile and --require-tuned. */
typedef enum sq_origin {
    SQ_FROM_DRAFT,
    SQ_FROM_SCRIPT,
    SQ_FROM_FILE,
    SQ_FROM_TUNED,
    SQ_FROM_PREDICTED, /* a .sched file's entry that nobody measured */
    SQ_FROM_NOTHING,   /* the order written: no choice of the model could be used */
    SQ_NORIGINS
} sq_origin;
const char *sq_origin_name(sq_origin origin);

enum { SQ_MOST_VARIANTS = 16, SQ_MOST_SETS = 16 };

/* One of the schedules of a kernel: its function takes the one for the nearest sizes. */
typedef struct sq_task_variant {
    sq_schedule *schedule;
    sq_origin origin;
    const char *tuned; /* path of the .sched used, or NULL */
    const char *where; /* what that says of when and on what, or NULL */
    int npoints;       /* sizes that it was chosen for, in the order of size[]; none: it is for all */
    int64_t (*point)[SQ_MAX_SIZES];
} sq_task_variant;

typedef struct sq_task_variants {
    int n;
    sq_task_variant of[SQ_MOST_VARIANTS];
} sq_task_variants;

/* The kernels for one of several targets; what a task has of the one that is selected. */
typedef struct sq_section {
    const sq_target *target;
    const sq_machine *machine;
    sq_task_variants *variants;
} sq_section;

typedef struct sq_task {
    const sq_settings *o;
    sq_diags *d;
    sq_arena *arena;
    isl_ctx *ctx;
    /* opened */
    const char *path; /* "<stdin>" for - */
    char *text;
    size_t ntext;
    bool regions; /* it is ordinary C with `#pragma scop`, no description */
    const sq_target *target;
    bool openmp, serial; /* as the target's options say; both are refused */
    bool tasks;          /* openmp, but of the caller's threads */
    const sq_machine *machine;
    const char *device_path; /* the file that describes it; NULL: none does */
    int nsections;           /* with --targets, best first; 0: the target above is the only one */
    sq_section *section;
    /* parse */
    int nsets;      /* of constants, as --fix=S=1|2 makes two; 1 without */
    sq_unit **units; /* the description with each of them */
    int set;         /* the one in hand */
    const struct sq_parse_options *parse; /* of the units, but for --fix */
    sq_unit *unit;
    /* apply */
    sq_task_variants *variants; /* of each kernel of the sets, one set after the other */
    sq_task_variant **now;      /* of each kernel the one in hand: the first, where nothing else is said */
    const char *schedule_text;  /* of --schedule or of the file beside the source, once read */
    const sq_sched_file *sched; /* the same where it is a .sched file, once parsed */
    const char *written, *written_name; /* the script that a person wrote; NULL: none */
    bool is_guessed; /* a first choice is for sizes that nothing says */
    /* emit */
    sq_text source, header, script; /* script: canonical, one line a kernel */
    const char *header_include;     /* name the source includes, or NULL */
    const char *header_guard;   /* "SQUALL_GEMM_H": what its macros begin with */
    const char *output_name;         /* for the provenance: last part of -o */
    double seconds[SQ_NSTAGES];      /* spent in each stage */
    struct sq_pass_time *pass_times; /* with --time, of emit: see codegen/passes/passes.h */
    int done;                        /* stages that ran; none runs twice */
} sq_task;

/* A stage reads what the ones before it filled and fills its own. */
typedef struct sq_stage {
    const char *name;
    const char *doc;
    int (*run)(sq_task *task); /* NULL: nothing to do but to dump */
    int (*dump)(sq_task *task, sq_text *to);
} sq_stage;
extern const sq_stage sq_stages[SQ_NSTAGES];
/* Row of a stage; -1 after adding a usage error with the nearest match. */
int sq_stage_find(sq_task *task, const char *name, const char *option);

/* Reads the description o->files.item[0] and settles target and machine. -1 after adding errors;
 * to be closed in any case. */
int sq_task_open(sq_task *task, const sq_settings *o, sq_diags *d);
/* The same of a text in memory, which is copied; `path` is its name in messages and the place beside
 * which schedules are looked for, and lives as long as the task. */
int sq_task_open_text(sq_task *task, const sq_settings *o, const char *path, const char *text,
                      size_t n, sq_diags *d);
/* Only target and machine, for commands without a description. */
int sq_task_target(sq_task *task);
/* The processor or device of this name; `c` is the portable one, `host` this processor's. NULL after
 * adding an error at loc. */
const sq_target *sq_task_target_named(sq_task *task, const char *name, sq_loc loc);
/* Takes "openmp", "tasks" or "serial", an option of targets; -1 after adding an error at loc where the other one
 * was given. */
int sq_task_threads(sq_task *task, const char *word, sq_loc loc);
/* Runs the stages up to and including `last` that did not run yet; dumps go to `dumps`. */
int sq_task_run(sq_task *task, int last, sq_text *dumps);
/* The function of kernel i: its name behind --prefix; in the task's arena. */
const char *sq_task_function(const sq_task *task, int i);
/* The guard of kernel i's declarations, SQUALL_GEMM_H_gemm: headers of one name that declare other functions, in other
 * folders or with another --prefix, may be included in one file. */
const char *sq_task_guard(const sq_task *task, int i);
/* A macro of the header's own: "ABI" -> SQUALL_GEMM_ABI, of the header's name alone. */
const char *sq_task_macro(const sq_task *task, const char *ending);
/* The macro in front of declarations; NULL: the compiler's flags say who sees the functions. */
const char *sq_task_api(const sq_task *task);
/* What the header, or the source, defines it as; SQ_VISIBILITY_FLAGS: it is the other that defines it. */
sq_visibility sq_task_visibility(const sq_task *task, bool is_header);
/* What the names of its other functions begin with, "gemm_", also of a region's; in the task's arena. */
const char *sq_task_helpers(const sq_task *task, int i);
/* The loop tree of every kernel, for every target. -1 after adding an error. */
int sq_task_dump_nests(sq_task *task, sq_text *to);
int sq_task_run_named(sq_task *task, const char *last);
void sq_task_close(sq_task *task);

/* cli/sections.c: --targets. sq_task_target calls the first; -1 after adding an error. */
int sq_sections_read(sq_task *task);
/* Only the list, at most SQ_MOST_TARGETS, in its order; the threads that it names are the task's. -1 after adding an
 * error. */
int sq_sections_list(sq_task *task, const sq_target **target, int *n);
/* Runs `pass` for each target, with target, machine and schedules of the task being its own; once
 * where there is no --targets. Ends with -1 where `pass` does, that target's being the task's. */
int sq_sections_each(sq_task *task, int (*pass)(sq_task *task, void *user), void *user);
/* No kernel may have the name of a function that another has for a target. */
int sq_sections_check_names(sq_task *task);
/* All kernels for all targets in one source and one header; the number of the kernel that failed,
 * its target being the task's, else -1. */
int sq_sections_emit(sq_task *task);

/* cli/sets.c: the description with each set of constants. Called by the stage; -1 after adding an error. */
int sq_sets_parse(sq_task *task, const sq_parse_options *o);
/* Returns the description with these constants alone, to be freed by the caller; NULL, without an error, if it has none
 * with them. */
sq_unit *sq_sets_parse_fixed(sq_task *task, const sq_fix *fix, int n);
/* Runs a command for each combination as if --fix gave that alone, with its part of the budget. What it returns. */
int sq_sets_alone(const sq_settings *o, sq_diags *d, sq_command_fn *run);
/* Runs `pass` with the unit of each set; what they warn of alike is said once. Ends with -1 where `pass` does, that set
 * being the task's. */
int sq_sets_each(sq_task *task, int (*pass)(sq_task *task, void *user), void *user);
/* Makes it, with the first schedule of each kernel, what the task has in hand. */
void sq_sets_select(sq_task *task, int set);
/* True if kernel i has the same constants in an earlier set: it lacks the sizes that differ. */
bool sq_sets_repeat(const sq_task *task, int i);

/* cli/variants.c: the schedules of kernel i of the set in hand. */
sq_task_variants *sq_variants_of(const sq_task *task, int i);
/* Room for those of all sets' kernels. */
void sq_variants_open(sq_task *task);
/* One more, in written order, which is in hand then; point: the sizes that it is for, or NULL. */
sq_task_variant *sq_variants_add(sq_task *task, int i, const int64_t *point);
/* Makes these the sizes that v, one of kernel i, is for. */
void sq_variants_point(const sq_task *task, int i, sq_task_variant *v, const int64_t *point);
/* Takes the last one back. */
void sq_variants_drop(sq_task *task, int i);
/* False where a function has one schedule for all sizes: of a grid. */
bool sq_variants_allowed(const sq_task *task);
/* n, or as many as there may be, which is said at loc. */
int sq_variants_limit(sq_task *task, const sq_kernel *k, sq_loc loc, int n);
/* --at asks for more than there may be: -1, with an error added. */
int sq_variants_refuse(sq_task *task, const sq_kernel *k, int n);
/* Makes one of those that print the same script, and leaves none for sizes that an earlier one is for. */
void sq_variants_settle(sq_task *task);
/* How many functions kernel i has, of all sets; and whether it chooses from them. */
int sq_variants_count(const sq_task *task, int i);
bool sq_variants_any(const sq_task *task, int i);
/* Runs `pass` for each of them, which is in hand then. Ends with -1 where `pass` does, that one being in hand. */
int sq_variants_each(sq_task *task, int i, int (*pass)(sq_task *task, int i, void *user), void *user);
/* "M=1,N=512": which sizes the one in hand is for; nothing where kernel i has no other. In the task's arena. */
const char *sq_variants_sizes(const sq_task *task, int i);
/* The same behind " at ". */
const char *sq_variants_label(const sq_task *task, int i);
/* All of them, under the names of their functions. */
sq_ways *sq_variants_ways(sq_task *task, int i, const char *function);
/* True if they print the same script. */
bool sq_same_script(const sq_schedule *a, const sq_schedule *b);
/* What the names of functions begin with that belong to the one in hand: all (sq_task_helpers), of several its own. */
const char *sq_variants_helpers(const sq_task *task, int i, const char *all);
/* Takes in hand the one that kernel i's function takes at these sizes. */
void sq_variants_pick(sq_task *task, int i, const int64_t *sizes);
/* The text of kernel i: that of its schedule, or of all its schedules and what chooses. -1 with an error added, with
 * the one that failed in hand. */
int sq_variants_emit(sq_task *task, int i, const sq_emit_options *o, sq_text *to);

/* cli/choose.c: the schedules of every kernel of the unit, as settings and files say. */
int sq_task_schedule(sq_task *task);
/* The script of a .sched file's entry behind as many empty lines as are above it in the file; in the
 * task's arena. */
const char *sq_task_script_in_place(const sq_task *task, const sq_sched_entry *e);
/* What is asked of a schedule's entry. */
sq_sched_for sq_task_asked(const sq_task *task);
/* What is compiled where nothing was tuned or given: the model's first choice for the class. Applied
 * to s, its calls added to the script; 1 when none is legal and s stays as written. Choices that are
 * passed over because their copies cannot be made are told to d (NULL: nobody). */
int sq_task_untuned(const sq_task *task, sq_schedule *s, sq_text *script, sq_diags *d);
/* The text of kernel i was refused, with errors since the mark. Where the model chose its schedule
 * (nobody asked for it) it gets the written order, the errors become a warning with the reason, and
 * the result is true: emit again. */
bool sq_task_falls_back(sq_task *task, int i, size_t mark);

/* cli/provenance.c: comment lines for the head of an emitted file; in the task's arena. No date, no
 * host, no absolute path. */
const char *sq_task_provenance(sq_task *task);
/* cli/described.c: what kernel i computes, as lines of its description; NULL: that is not known. */
const char *sq_task_described(const sq_task *task, int i);
/* A path as it may appear in what is written: --root, --file-prefix-map, else its last part. */
const char *sq_task_path(const sq_task *task, const char *path);
#endif
