/* Command line: settings, filled from one option table (cli/options.c), and the subcommands (one
 * file each; main.c is their table of contents).
 *
 * To add an option: a field in sq_settings, a row in cli/options.c. To add a subcommand: a file
 * with `int sq_cmd_<name>(const sq_settings *o, sq_diags *d)`, its prototype below, a row in main.c and
 * its name in the option rows it understands. Help, environment twins (SQUALL_<NAME>), unknown
 * flags and their nearest match come from the table. */
#ifndef SQ_CLI_CLI_H
#define SQ_CLI_CLI_H
#include "frontend/frontend.h"
#include "support/diag.h"
#include "support/list.h"
#include "support/terminal.h"
#include "support/text.h"
#include <stdbool.h>

/* A size with several values, as --fix takes it: S=1|2. */
typedef struct sq_size_set {
    const char *name;
    int n;
    const int64_t *value;
} sq_size_set;

/* A size vector, as --fix and --at take it: M=512,N=512. */
typedef struct sq_sizes {
    int n;
    sq_fix *fix;
    int nsets; /* of --fix alone */
    sq_size_set *set;
} sq_sizes;

typedef enum sq_shell { SQ_SHELL_BASH, SQ_SHELL_ZSH, SQ_SHELL_FISH } sq_shell;

/* Everything the command line says. Absent: NULL, 0, empty list, unless a comment says else. */
typedef struct sq_settings {
    sq_arena *arena;
    const char *command; /* "compile" */
    const char *words;   /* the command line, quoted as a shell needs it */
    sq_list files;       /* what is no option, after the command */
    sq_list clang;       /* what follows -- */
    /* files */
    const char *output; /* -o; "-" is standard output */
    const char *header, *single_header;
    const char *emit;   /* "src,header" */
    const char *prefix; /* of all functions that are emitted */
    bool is_static;     /* --static */
    bool is_freestanding, has_views;
    int visibility; /* sq_visibility */
    int errors;     /* 1: functions return codes */
    const char *spdx;   /* licence identifier for the head of the files */
    bool if_changed, check;
    bool depfile;               /* -MD */
    const char *depfile_path;   /* -MF */
    const char *depfile_target; /* -MT */
    bool depfile_phony;         /* -MP */
    /* language */
    sq_sizes fix;
    sq_list include, define, undefine;
    const char *standard;
    const char *kernel; /* --kernel=NAME: only this one of the file */
    /* what to build */
    const char *target, *targets, *machine, *schedule;
    bool target_names; /* --target-names: functions of each of the targets are public */
    sq_list script;    /* -e, joined by blanks */
    bool require_tuned;
    /* reproducible */
    long long seed; /* 1 unless given */
    const char *root;
    sq_list prefix_map; /* OLD=NEW */
    /* looking inside */
    const char *dump, *stop_after;
    bool time, verify, json;
    const char *html; /* --html: the report's file */
    int verbose;
    /* talking */
    bool quiet;
    int diag;     /* sq_diag_format */
    int color;    /* sq_color */
    int progress; /* sq_progress_mode */
    const char *log;
    /* search */
    const char *search, *searches, *model, *runner, *store, *out_dir, *record, *replay, *network,
        *ranker;
    sq_list at;    /* each a size vector: sq_sizes_parse */
    double budget; /* seconds; 0: none given */
    long long trials, jobs, seeds, points, schedules, keep;
    long long read_seconds; /* 0: SQ_MOST_READ_SECONDS */
    bool resume, eval;
    const char *cc; /* --cc: the compiler candidates are built with */
    sq_list against, bindings;
    /* checking */
    sq_list text; /* emitted text to check in place of what would be emitted */
    bool quick, passes;
    int shell; /* sq_shell: of `show completions` */
} sq_settings;

/* A subcommand: 0 done; -1 failed, the exit code is that of the first error in d; > 0 an exit code
 * of its own (1 stale, 2 regressed). Prints its product on standard output, nothing else there. */
typedef int sq_command_fn(const sq_settings *o, sq_diags *d);
sq_command_fn sq_cmd_compile, sq_cmd_tune, sq_cmd_race, sq_cmd_bench, sq_cmd_check, sq_cmd_db, sq_cmd_learn,
    sq_cmd_show, sq_cmd_explain, sq_cmd_doctor, sq_cmd_lsp, sq_cmd_help;

typedef struct sq_command {
    const char *name;
    const char *args;    /* "K.sq [options]" */
    const char *doc;     /* one line of a list */
    const char *more;    /* sentences, for its own page */
    const char *example; /* lines, for help */
    sq_command_fn *run;
} sq_command;
extern const sq_command sq_commands[];  /* main.c; ended by a NULL name; those of this build */
extern const char *const sq_left_out[]; /* those that it lacks, without the tuner; ended by NULL */
/* True, with an error that says so, if the name is one of them. */
bool sq_refuse_left_out(const char *name, sq_diags *d);

/* How an option's text becomes a field. */
typedef enum sq_option_kind {
    SQ_OPTION_FLAG,    /* bool; no value */
    SQ_OPTION_COUNT,   /* int; no value, counts its uses */
    SQ_OPTION_TEXT,    /* const char * */
    SQ_OPTION_LIST,    /* sq_list; may be repeated */
    SQ_OPTION_INTEGER, /* long long >= 0 */
    SQ_OPTION_SECONDS, /* double: 60s, 2m, 500ms, 1h, 60 */
    SQ_OPTION_SIZES,   /* sq_sizes; may be repeated */
    SQ_OPTION_CHOICE   /* int: index of the value in `arg`, parted by '|' */
} sq_option_kind;

typedef struct sq_option {
    const char *name; /* "header", without dashes */
    char letter;      /* of the short form, or 0 */
    const char *arg;  /* its value in help, "FILE"; "" for flags; choices "gcc|json" */
    sq_option_kind kind;
    size_t offset;        /* of its field in sq_settings */
    const char *group;    /* heading in help */
    const char *commands; /* names of the commands that take it, parted by blanks; "*": all */
    const char *doc;
} sq_option;
extern const sq_option sq_options[]; /* options.c; ended by a NULL name */
bool sq_option_of(const sq_option *row, const char *command);
/* How it is written: "--" or "-" in front of its name, and "=", " " or "" (a flag) behind it. */
const char *sq_option_dashes(const sq_option *row);
const char *sq_option_joint(const sq_option *row);

/* Words of --emit; ended by NULL. */
extern const char *const sq_products[]; /* compile.c */

/* What the exit code of the process says. */
typedef struct sq_exit_code {
    int code; /* ended by a NULL doc */
    const char *doc;
} sq_exit_code;
extern const sq_exit_code sq_exit_codes[]; /* help.c */

/* Fills *o from the environment and from the words after the command (argv[0] is the command).
 * Errors (usage) point into the command line. Everything lives in `arena`. */
int sq_settings_parse(sq_settings *o, int argc, char **argv, sq_arena *arena, sq_diags *d);
/* Where the option stands on the command line, for messages about its value; SQ_NOWHERE if it does
 * not stand there. */
sq_loc sq_settings_loc(const sq_settings *o, const char *option);
/* The same of one of several values, as the list has it; where the option stands last, if it is not found. */
sq_loc sq_settings_item_loc(const sq_settings *o, const char *option, const char *item);

/* True if a shell takes it for one word as it is. */
bool sq_is_shell_word(const char *word);
/* True if the n bytes are an identifier. */
bool sq_is_name(const char *text, size_t n);
/* "M=512,N=512" -> *to, in arena. -1 with a usage error at loc. */
int sq_sizes_parse(const char *text, sq_sizes *to, sq_arena *arena, sq_loc loc, sq_diags *d);
/* The same beside the sizes in *to, with several values of a size among them; a name that has a value there is an
 * error. */
int sq_sizes_add(const char *text, sq_sizes *to, sq_arena *arena, sq_loc loc, sq_diags *d);

/* Help of one command, or the overview with NULL. */
void sq_help_print(const sq_command *c, sq_text *to);
#endif
