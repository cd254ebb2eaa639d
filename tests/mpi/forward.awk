# SPDX-License-Identifier: BSD-3-Clause
# forward.awk - write a tool that wraps all of MPI: each function of the preprocessed mpi.h that returns an int calls
# PMPI_X and does no more. At the end it says on standard error of one process how many functions have been called.
#
#   awk -f forward.awk names mpi.i > forward.c       names: the functions to wrap, one a line
{ if (FNR == 1) file++ }
file == 1 { wanted[$1] = 1; next }
{ text = text " " $0 }
END {
    print "#include <mpi.h>\n#ifdef OPEN_MPI\n#include <mpi-ext.h>\n#endif\n#include <stdio.h>\n#include <stdlib.h>"
    print "static long called;\nstatic void say(void)\n{"
    print "    if (getenv(\"FORWARD_SAYS\") && called)\n        fprintf(stderr, \"forward: %ld calls\\n\", called);\n}"
    while (match(text, /__attribute__ *\(\(([^()]|\([^()]*\))*\)\)/))
        text = substr(text, 1, RSTART - 1) substr(text, RSTART + RLENGTH)
    count = split(text, declaration, ";")
    for (d = 1; d <= count; d++)
        write(declaration[d])
}
function write(line,    name, list, part, n, i, word, call)
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
    }
    printf "int %s(%s)\n{\n    called++;\n", name, list
    if (name == "MPI_Finalize")
        print "    say();"
    printf "    return P%s(%s);\n}\n", name, call
}
