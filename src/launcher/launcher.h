/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launcher.h - what is known of each launcher, in one row each: how it is recognised, what its
 * options mean, how variables reach the ranks, and by which file and words it places ranks where
 * it is told to. Whoever starts, reads or changes a launcher's command line asks here; no other
 * file compares the names of launchers, options or formats.
 *
 * A family of launchers is a file of rows and tables (openmpi.c, hydra.c, slurm.c, others.c); all
 * is constant. "How to add a launcher" is in HACKING.md; what a row does to a command line is shown
 * by its case in tests/cmd/launchers.
 */
#ifndef RESEAT_LAUNCHER_H
#define RESEAT_LAUNCHER_H

#include "launcher/rank-variables.h"

/* ---- words and variables of the user's ---- */

/* What becomes of them where a file says which rank goes where. */
enum launcher_action {
    LAUNCHER_KEEP,
    LAUNCHER_DROP,            /* it says something else than the file */
    LAUNCHER_DROP_IF_HOSTS,   /* it names hosts: where the file is enough to name them */
    LAUNCHER_DROP_IF_BINDING, /* it binds: unless the user's binding is to stay */
    LAUNCHER_DROP_IN_PROBE,   /* it sends elsewhere what ranks write: in the probe only */
    LAUNCHER_REFUSE,          /* it names programs in a file: such a job cannot be placed */
    LAUNCHER_NUMBER,          /* how many ranks: stays, and is added where there is none */
    LAUNCHER_STARTER,         /* what starts processes on the hosts: stays (starter_variables) */
    LAUNCHER_PARAMETER        /* NAME VALUE follow: by the name's rule */
};

/* An option: -NAME or --NAME, with its value in the next word or behind `=`. */
struct launcher_option {
    const char *name; /* NULL: the end of a table */
    int values;       /* how many words follow it; one for options that are in no table */
    enum launcher_action action;
};

/* A parameter or an environment variable. */
struct launcher_rule {
    const char *name; /* of a parameter: a pattern as of fnmatch(3), the first that fits counts */
    enum launcher_action action;
};

/* ---- files that place ---- */

/* What is in such a file. */
enum launcher_content {
    LAUNCHER_HOSTS,       /* a host a line, for each rank */
    LAUNCHER_RANKFILE,    /* `rank R=HOST slot=CORES` */
    LAUNCHER_HOST_COUNTS, /* HOST:RANKS in order of rank */
    LAUNCHER_RANK_ORDER,  /* the ranks in order of the slots that they get */
    LAUNCHER_GEOMETRY     /* the ranks that share a host, host by host */
};

/* How a list of PUs is written, of which entry i is for the i-th rank of each host. */
enum launcher_list {
    LAUNCHER_NO_LIST,
    LAUNCHER_USER_LIST,    /* user:0+1,2+3 */
    LAUNCHER_CPU_BIND_LIST /* map_cpu:0,1, or mask_cpu: where a rank has several */
};

/* A file and how a launcher is told of it. In words `@` stands for the path, or the list. */
struct launcher_format {
    const char *name; /* of `map --emit` */
    enum launcher_content content;
    const char *command;  /* the usual name of the launcher */
    const char *words[5]; /* that name the file; end with NULL */
    const char *variable; /* that names it, or has its content; NULL: none */
    int is_content;
    const char *setting;       /* NAME=VALUE that is needed too; NULL: none */
    const char *host_option;   /* the launcher has to be told the hosts too, by this; NULL: no */
    const char *unbound_words; /* that are needed beside it so that nothing is bound; NULL: none */
    enum launcher_list list;   /* how PUs are said that are not in the file */
    const char *list_words[3];
    const char *pu_option; /* so that the file's numbers are PUs; NULL: none is needed */
    int cores_only;        /* and it cannot say PUs */
    int restarts_hosts;    /* a host that comes back is started again, with its list from the start,
                              and MPI takes it for another node */
    int no_dash;           /* the path may have no `-` */
    int no_colon;          /* a host's name may have no `:` */
};

/* The format of that name; NULL: there is none. */
const struct launcher_format *launcher_format_find(const char *name);

/* The format of a number from 0 on; NULL behind the last. */
const struct launcher_format *launcher_format(int number);

/* ---- launchers ---- */

/* How variables are handed to the ranks, and to nothing else where that can be. */
enum launcher_delivery {
    LAUNCHER_ENVIRONMENT, /* ranks have the launcher's own environment */
    LAUNCHER_ENV_LIST,    /* NAME=VALUE;... in list_parameter, or by -x as below, but not both */
    LAUNCHER_EXPORT,      /* -x NAME=VALUE in each context */
    LAUNCHER_GENV         /* -genv NAME VALUE for all contexts, -env for one */
};

/* Who binds the ranks where the file only says the host of each. */
enum launcher_unplaced {
    LAUNCHER_UNBIND,            /* nobody: unbind_words */
    LAUNCHER_UNBIND_IF_NONE,    /* the user's options, if any rank was bound by them */
    LAUNCHER_BINDS_ON_EACH_HOST /* the launcher, by the order of the ranks there */
};

/* More ranks than slots may be allowed by an option that is dropped: what allows them then. */
struct launcher_oversubscription {
    const char *policy;        /* option whose value may end in :oversubscribe */
    const char *variable;      /* with such a value */
    const char *parameters[3]; /* the same */
    const char *option;        /* that lets it too */
    int by_modifier;           /* ours: to the value of our own `policy`; else by `option` */
    const char *bind_words[3]; /* without which nothing is bound then; only by_core */
};

struct launcher {
    const char *name;       /* one word, for tests */
    const char *title;      /* for people; NULL: it goes with the row before */
    const char *mpi;        /* "openmpi", "mpich"; NULL: it starts programs of any */
    const char *names[8];   /* commands that are this launcher and no other */
    const char *subcommand; /* the word behind it that starts jobs; NULL: there are no such words */
    const char *says[4];    /* what is in the answer of `mpirun --version`; mpiexec likewise */
    const struct launcher *successor; /* what it is from successor_version on; NULL: itself */
    int successor_version;
    const char *personality; /* with --personality PERSONALITY it is another one; NULL: none */
    const struct launcher *persona;
    const char *prefixes[6]; /* of variables that may change what it does */
    unsigned rank_variables; /* RANK_VARIABLE_BIT */

    const struct launcher_option *options; /* NULL: none is known */
    int joins_values;    /* options of one letter may have their value right behind (-n4) */
    const char *context; /* the word between several programs */

    enum launcher_delivery delivery;
    const char *list_parameter, *list_variable; /* of LAUNCHER_ENV_LIST */
    int forwards_environment; /* so that a variable of its own host is on every rank */

    /* Placement. by_core: by PUs, NULL: only by host. by_host: where only hosts count, NULL: we
     * cannot place. */
    const struct launcher_format *by_core, *by_host;
    const struct launcher_rule *parameters, *variables; /* end with a NULL name */
    enum launcher_unplaced unplaced;
    const char *unbind_words[3];
    const struct launcher_oversubscription *oversubscription;
    const char *allocation; /* variable; where it is not set each start gets other nodes */
    const char *starter_variables[3]; /* name what starts its hosts; where they do not, and in a job
                                         of Slurm, it is srun (launcher_starts_by_srun) */
};

/* Whether a command of this name, which stands before a launcher, gets it an allocation. */
int launcher_is_allocator(const char *name);

/* Those that place, for people: "mpirun of Open MPI, ... and srun". */
enum { LAUNCHER_TITLES_SIZE = 256 };
void launcher_titles(char titles[LAUNCHER_TITLES_SIZE]);

/*
 * Whether it starts more than one host by srun here, if its command line names no other starter. It
 * tells srun which hosts, and takes them for those of its list one by one, but srun starts them in
 * the order that Slurm has for them (seen with Hydra 4.0.2 and Slurm 22.05, also with
 * --distribution=arbitrary in HYDRA_LAUNCHER_EXTRA_ARGS): no list is obeyed, and one that names a
 * host twice asks for more hosts than there are.
 */
int launcher_starts_by_srun(const struct launcher *launcher);

/* The first one that places by a format; launcher_unknown: none is known to us. */
const struct launcher *launcher_of_format(const struct launcher_format *format);

/* Stands for the launcher of a command line in which none is known: no MPI, no option, the
 * environment. */
extern const struct launcher launcher_unknown;

/* The launcher of a number from 0 on; NULL behind the last. */
const struct launcher *launcher_row(int number);

/* The one whose command has this name, without a folder; NULL: none, or not by the name alone. */
const struct launcher *launcher_find(const char *name);

/* Whether it is a name under which there are several launchers: ask it for its version. */
int launcher_is_common_name(const char *name);

/*
 * Read one line more of a launcher's answer to --version: *version becomes the first number behind
 * a `)`, from 0, and *launcher, from NULL, what the lines so far say.
 */
void launcher_read_version(const char *line, const struct launcher **launcher, int *version);

/* Whether a word is this option: -NAME, --NAME, and with its value behind `=` (*joined) or right
 * behind it. */
int launcher_is_option(const struct launcher *launcher, const char *word, const char *name,
                       int *joined);

/* The row of a word; NULL: it is none of the launcher's options that are known. */
const struct launcher_option *launcher_option_of(const struct launcher *launcher, const char *word,
                                                 int *joined);

/* Whether NAME=VALUE is a variable that may change what any of the launchers does. */
int launcher_is_variable(const char *variable);

/* How many words follow an option; 0 for what is none. */
int launcher_option_values(const struct launcher *launcher, const char *word);

/* Whether a word separates two programs. */
int launcher_is_context(const struct launcher *launcher, const char *word);

/* What placing does to a parameter. */
enum launcher_action launcher_parameter_action(const struct launcher *launcher, const char *name);

#endif
