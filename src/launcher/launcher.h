/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launcher.h - what is known about launchers, a row for each: how it is recognized, what its
 * options mean, how variables reach the ranks, and by which file and words it is told where to
 * place ranks. All code that starts, reads or changes a launcher's command line asks here; no other
 * file compares names of launchers, options or formats.
 *
 * Each family of launchers has a file of rows and tables (openmpi.c, hydra.c, intel.c, slurm.c,
 * flux.c, simgrid.c, others.c); all is constant. "How to add a launcher" is in HACKING.md; the
 * cases in tests/cmd/launchers show what a row does to a command line.
 */
#ifndef RESEAT_LAUNCHER_H
#define RESEAT_LAUNCHER_H

#include "launcher/rank-variables.h"

/* ---- this process ---- */

/* The rank that a launcher has given it; -1: none has started it. Slurm also sets its variable in
 * batch scripts, which are no ranks. */
int launcher_own_rank(void);

/* Number of ranks of its job, by the same launcher; 0: not known. */
int launcher_own_ranks(void);

/* The MPI whose launcher has started it as a rank; NULL: the variables do not tell. */
const char *launcher_own_mpi(void);

/* ---- options and variables that the user gives ---- */

/* The fate of an option when a file says which rank goes where. */
enum launcher_action {
    LAUNCHER_KEEP,
    LAUNCHER_DROP,            /* it contradicts the file */
    LAUNCHER_DROP_IF_HOSTS,   /* it names hosts: drop it if the file names them as well */
    LAUNCHER_DROP_IF_BINDING, /* it binds: drop it unless the user's binding is kept */
    LAUNCHER_DROP_IN_PROBE,   /* it redirects what ranks write: drop it in the probe only */
    LAUNCHER_REFUSE,          /* it names a file of programs: such a job cannot be placed */
    LAUNCHER_NUMBER,          /* the number of ranks: kept, and added if missing */
    LAUNCHER_STARTER,         /* what starts processes on the hosts: kept (starter_variables) */
    LAUNCHER_PARAMETER        /* NAME VALUE follow: by the name's rule */
};

/* Options: -NAME or --NAME, with the value in the next word or after `=`. */
struct launcher_option {
    int values; /* how many words follow; 1 for options that are in no table */
    enum launcher_action action;
    const char *names; /* with blanks between them; NULL: the end of a table */
};

/* A parameter or an environment variable. */
struct launcher_rule {
    const char *name; /* for a parameter: a pattern of fnmatch(3); the first match counts */
    enum launcher_action action;
};

/* ---- files that place ---- */

/* The contents of such a file. */
enum launcher_content {
    LAUNCHER_HOSTS,       /* a host a line, for each rank */
    LAUNCHER_RANKFILE,    /* `rank R=HOST slot=CORES` */
    LAUNCHER_HOST_COUNTS, /* HOST:RANKS in order of rank */
    LAUNCHER_RANK_ORDER,  /* the ranks in order of the slots that they get */
    LAUNCHER_GEOMETRY     /* the ranks that share a host, host by host */
};

/* The syntax of a list of PUs. Entry i is for the i-th rank of each host. */
enum launcher_list {
    LAUNCHER_NO_LIST,
    LAUNCHER_USER_LIST,    /* user:0+1,2+3 */
    LAUNCHER_COLON_LIST,   /* list:0-1:2,3 */
    LAUNCHER_CPU_BIND_LIST /* map_cpu:0,1, or mask_cpu: if a rank has several */
};

/* A file and how a launcher is told of it. In words, `@` stands for the path or the list. */
struct launcher_format {
    const char *name; /* of `map --emit` */
    enum launcher_content content;
    const char *command;  /* the usual name of the launcher */
    const char *words[5]; /* these name the file; end with NULL */
    const char *variable; /* this names it, or has its contents; NULL: none */
    int is_content;
    const char *setting;       /* NAME=VALUE that is also needed; NULL: none */
    const char *host_option;   /* the launcher needs the hosts as well, by this; NULL: no */
    const char *unbound_words; /* also needed so that nothing is bound; NULL: none */
    enum launcher_list list;   /* how PUs are given if not in the file */
    const char *list_words[3];
    const char *pu_option; /* makes the file's numbers PUs; NULL: not needed */
    int cores_only;        /* it cannot name PUs */
    int restarts_hosts;    /* a host that comes back is started again, with its list from the
                              beginning, and MPI takes it for another node */
    int no_dash;           /* the path must not contain `-` */
    int no_colon;          /* a host name must not contain `:` */
};

/* The format of that name; NULL: none. */
const struct launcher_format *launcher_format_find(const char *name);

/* Format number `number`, from 0; NULL after the last. */
const struct launcher_format *launcher_format(int number);

/* ---- launchers ---- */

/* The way to pass variables to the ranks and, if possible, to nothing else. */
enum launcher_delivery {
    LAUNCHER_ENVIRONMENT, /* ranks inherit the launcher's environment */
    LAUNCHER_ENV_LIST,    /* NAME=VALUE;... in list_parameter, or -x as below, but not both */
    LAUNCHER_EXPORT,      /* -x NAME=VALUE in each context */
    LAUNCHER_GENV         /* -genv NAME VALUE for all contexts, -env for one */
};

/* The binding of the ranks if the file only names hosts. */
enum launcher_unplaced {
    LAUNCHER_UNBIND,            /* nothing: unbind_words */
    LAUNCHER_UNBIND_IF_NONE,    /* the user's options, if they bound any rank */
    LAUNCHER_BINDS_ON_EACH_HOST /* the launcher, in the order of the ranks there */
};

/* The ways to allow more ranks than slots when the option that did so has been dropped. */
struct launcher_oversubscription {
    const char *policy;       /* an option whose value may end in :oversubscribe */
    const char *variables[4]; /* may have such values */
    const char *parameters[5];
    const char *option;        /* also allows it */
    int by_modifier;           /* append the modifier to our own `policy`; else use `option` */
    const char *bind_words[3]; /* without these nothing is bound then; only by_core */
};

struct launcher {
    const char *name;       /* a single word, for tests */
    const char *title;      /* for messages; NULL: that of the row before */
    const char *mpi;        /* "openmpi", "mpich"; NULL: any */
    const char *names[8];   /* commands that are always this launcher */
    const char *subcommand; /* the word after it that starts jobs; NULL: none */
    const char *says[4];    /* words in the output of `mpirun --version`; mpiexec likewise */
    const struct launcher *successor; /* another one of these names; NULL: this one */
    int successor_version;            /* it is that from here on; INT_MAX: by what it says */
    const char *personality; /* with --personality PERSONALITY it is `persona`; NULL: none */
    const struct launcher *persona;
    const char *prefixes[6]; /* of variables that may change its behavior */
    unsigned rank_variables; /* RANK_VARIABLE_BIT */
    const char *mark;        /* a variable that ranks have of no launcher but those of `mpi` */

    const struct launcher_option *options; /* NULL: not known */
    int joins_values;    /* one-letter options may have their value attached (-n4) */
    const char *context; /* the word between several programs */

    enum launcher_delivery delivery;
    const char *list_parameter, *list_variable; /* of LAUNCHER_ENV_LIST */
    int forwards_environment; /* a variable of the launcher's host reaches every rank */

    /* Placement. by_core: by PUs; NULL: by host only. by_host: if only hosts count; NULL: we cannot
     * place. */
    const struct launcher_format *by_core, *by_host;
    const struct launcher_rule *parameters, *variables; /* end with a NULL name */
    enum launcher_unplaced unplaced;
    const char *unbind_words[4];
    const struct launcher_oversubscription *oversubscription;
    const char *simulated_hosts; /* all ranks are simulated in one process: the file of this option
                                    says where they are, and nothing can be preloaded; NULL: no */
    const char *allocation;      /* variable; if it is not set, each start gets other nodes */
    const char *starter_variables[3]; /* these name what starts the hosts; else, in a Slurm job, it
                                         is srun (launcher_starts_by_srun) */
};

/* Returns 1 if a command of this name, before a launcher, gets it an allocation. */
int launcher_is_allocator(const char *name);

/* The launchers that can place, for messages: "mpirun of Open MPI, ... and srun". */
enum { LAUNCHER_TITLES_SIZE = 256 };
void launcher_titles(char titles[LAUNCHER_TITLES_SIZE]);

/*
 * Returns 1 if it starts several hosts by srun here, if its command line names no other starter. It
 * tells srun the hosts and takes them for those of its list one by one, but srun starts them in
 * Slurm's own order (seen with Hydra 4.0.2 and Slurm 22.05, even with --distribution=arbitrary in
 * HYDRA_LAUNCHER_EXTRA_ARGS): no list is obeyed, and one that names a host twice asks for more
 * hosts than there are.
 */
int launcher_starts_by_srun(const struct launcher *launcher);

/* The first one that places by a format; launcher_unknown: none. */
const struct launcher *launcher_of_format(const struct launcher_format *format);

/* For command lines without a known launcher: no MPI, no options, variables through the
 * environment. */
extern const struct launcher launcher_unknown;

/* Launcher number `number`, from 0; NULL after the last. */
const struct launcher *launcher_row(int number);

/* The launcher whose command has this name (without folder); NULL: none, or the name does not
 * tell. */
const struct launcher *launcher_find(const char *name);

/* Returns 1 if several launchers go by this name: ask for the version. */
int launcher_is_common_name(const char *name);

/*
 * Read one more line of a launcher's answer to --version: *version, initially 0, becomes the first
 * number after a `)`, and *launcher, initially NULL, what the lines so far tell.
 */
void launcher_read_version(const char *line, const struct launcher **launcher, int *version);

/* Returns 1 if a word is this option: -NAME or --NAME, or with its value after `=` or directly
 * attached; *joined is then where in the word the value begins, or else 0. */
int launcher_is_option(const struct launcher *launcher, const char *word, const char *name,
                       int *joined);

/* The row of a word; NULL: not a known option of the launcher. */
const struct launcher_option *launcher_option_of(const struct launcher *launcher, const char *word,
                                                 int *joined);

/* Returns 1 if NAME=VALUE is a variable that may change the behavior of any launcher. */
int launcher_is_variable(const char *variable);

/* Number of words that follow an option; 0 if it is not an option. */
int launcher_option_values(const struct launcher *launcher, const char *word);

/* Returns 1 if a word separates two programs. */
int launcher_is_context(const struct launcher *launcher, const char *word);

/* The fate of a parameter under placement. */
enum launcher_action launcher_parameter_action(const struct launcher *launcher, const char *name);

#endif
