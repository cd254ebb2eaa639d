# SPDX-License-Identifier: BSD-3-Clause
# generate-tool.awk - write a tool that wraps all of MPI: each function of the preprocessed mpi.h that returns an int calls
# PMPI_X and does no more. At the end it says on standard error of one process how many functions have been called.
#
#   awk -f generate-tool.awk names mpi.i > forward.c       names: the functions to wrap, one a line
#   awk -v spy=1 -f generate-tool.awk names mpi.i > spy.c  a layer before the MPI instead: each PMPI_X, which MPI_X is as well, writes
#                                                    its name to a file of the process in SPY_FOLDER, with `outside' if
#                                                    a communicator has processes that are not in MPI_COMM_WORLD, and calls the next
{ if (FNR == 1) file++ }
file == 1 { wanted[$1] = 1; next }
{ text = text " " $0 }
END {
    print "#include <mpi.h>\n#ifdef OPEN_MPI\n#include <mpi-ext.h>\n#endif\n#include <stdio.h>\n#include <stdlib.h>"
    if (spy) {
        print "#include <dlfcn.h>\n#include <unistd.h>"
        print "#define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, \"P\" #name))"
        print "static int outside(MPI_Comm comm)\n{\n    MPI_Group world, group;\n    int size, inter, there, in = 0;"
        print "    if (comm == MPI_COMM_NULL || comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF ||"
        print "        REAL(MPI_Comm_test_inter)(comm, &inter) != MPI_SUCCESS)\n        return 0;"
        print "    REAL(MPI_Comm_group)(MPI_COMM_WORLD, &world);"
        print "    (inter ? REAL(MPI_Comm_remote_group) : REAL(MPI_Comm_group))(comm, &group);\n    REAL(MPI_Group_size)(group, &size);"
        print "    for (int rank = 0; rank < size; rank++) {"
        print "        REAL(MPI_Group_translate_ranks)(group, 1, &rank, world, &there);\n        in += there != MPI_UNDEFINED;\n    }"
        print "    REAL(MPI_Group_free)(&group);\n    REAL(MPI_Group_free)(&world);\n    return in < size;\n}"
        print "static void *next(const char *name, MPI_Comm comm)\n{"
        print "    char path[4096];\n    const char *folder = getenv(\"SPY_FOLDER\");"
        print "    snprintf(path, sizeof path, \"%s/%d\", folder ? folder : \"\", (int)getpid());"
        print "    FILE *file = folder ? fopen(path, \"a\") : NULL;"
        print "    if (file && fprintf(file, \"%d %s%s\\n\", (int)getpid(), name, outside(comm) ? \" outside\" : \"\"))\n        fclose(file);"
        print "    return dlsym(RTLD_NEXT, name);\n}"
    }
    print "static long called;\nstatic void say(void)\n{"
    print "    if (getenv(\"FORWARD_SAYS\") && called)\n        fprintf(stderr, \"forward: %ld calls\\n\", called);\n}"
    while (match(text, /__attribute__ *\(\(([^()]|\([^()]*\))*\)\)/))
        text = substr(text, 1, RSTART - 1) substr(text, RSTART + RLENGTH)
    count = split(text, declaration, ";")
    for (d = 1; d <= count; d++)
        write(declaration[d])
}
function write(line,    name, list, part, n, i, word, call, comm)
{
    gsub(/[ \t]+/, " ", line)
    sub(/^ */, "", line)
    sub(/^extern /, "", line)
    if (line !~ /^int MPIX?_[A-Za-z0-9_]+ *\(/)
        return
    name = line
    sub(/^int /, "", name)
    sub(/ *\(.*/, "", name)
    if (!(name in wanted) || name in written)
        return
    written[name] = 1
    list = line
    sub(/^[^(]*\(/, "", list)
    sub(/\) *$/, "", list)
    n = list ~ /^ *(void)? *$/ ? 0 : split(list, part, ",")
    for (i = 1; i <= n; i++) {
        word = part[i]
        gsub(/\[[^]]*\]/, "", word)
        sub(/ *$/, "", word)
        if (word ~ /\.\.\./)
            continue
        match(word, /[A-Za-z_0-9]+$/)
        call = call (i > 1 ? ", " : "") substr(word, RSTART)
        if (word ~ /^ *MPI_Comm [a-z_]+$/ && !comm)
            comm = substr(word, RSTART)
    }
    if (spy) {
        printf "int P%s(%s)\n{\n    __typeof__(%s) *real = (__typeof__(%s) *)next(\"P%s\", %s);\n", name, list, name, name, name, comm ? comm : "MPI_COMM_NULL"
        printf "    return real(%s);\n}\n", call
        printf "int %s(%s) __attribute__((alias(\"P%s\")));\n", name, list, name
        return
    }
    printf "int %s(%s)\n{\n    called++;\n", name, list
    if (name == "MPI_Finalize")
        print "    say();"
    printf "    return P%s(%s);\n}\n", name, call
}
