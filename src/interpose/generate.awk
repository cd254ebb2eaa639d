# SPDX-License-Identifier: BSD-3-Clause
# generate.awk - write the wrappers: the prototypes of the preprocessed mpi.h, the facts of calls.tbl.
#
#   awk -f generate.awk calls.tbl mpi.i > wrappers.c
#   awk -v list=1 -f generate.awk calls.tbl mpi.i        only the names that get a wrapper
#   awk -v declared=1 -f generate.awk calls.tbl mpi.i    declared.h: what can be asked in #if
#
# A wrapper holds no logic: it raises the guard (unless the table lets it go straight), forwards, and calls the hook that
# the table names. The pointer to the real function leads at first to one that finds it.

FNR == 1 { file++ }
file == 1 && !/^#/ && NF { read_fact(); next }
file == 1 { next }
{ header = header " " $0 }

END {
    count = split(plain(header), declarations, ";")
    for (d = 1; d <= count; d++)
        if (parse(declarations[d]))
            order[++functions] = name
    for (f = 1; f <= functions; f++)
        resolve_fact(order[f])
    if (list)
        write_list()
    else if (declared)
        write_declared()
    else
        write_wrappers()
    for (n in variants)
        if (!(n in prototype) && !list && !declared)
            absent = absent " " n
    if (absent)
        print "/* in calls.tbl, not in this mpi.h:" absent " */"
}

function read_fact(    i)
{
    if ($1 == "world") {
        world_rule[$2] = $3
        world_argument[$2] = $4
        return
    }
    if ($1 == "fortran") {
        fortran_rule[$2] = $3
        return
    }
    if ($1 == "direct" || $1 == "completes" || $1 == "again") {
        mark($1, $2, $3)
        return
    }
    variants[$1] = $2
    action[$1] = $3
    arguments[$1] = ""
    for (i = 4; i <= NF; i++)
        arguments[$1] = arguments[$1] (i > 4 ? " " : "") $i
}

# A function and its variants.
function mark(way, name, letters,    nonblocking)
{
    nonblocking = "MPI_I" tolower(substr(name, 5, 1)) substr(name, 6)
    marked[way, name] = 1
    if (letters ~ /c/)
        marked[way, name "_c"] = 1
    if (letters ~ /i/)
        marked[way, nonblocking] = 1
    if (letters ~ /c/ && letters ~ /i/)
        marked[way, nonblocking "_c"] = 1
}

# The text without attributes, comments of the preprocessor and doubled blanks.
function plain(text,    result, start, i, depth, quoted, c)
{
    gsub(/[ \t]+/, " ", text)
    while ((start = index(text, "__attribute__")) > 0) {
        result = result substr(text, 1, start - 1)
        text = substr(text, start + 13)
        depth = 0
        quoted = 0
        for (i = 1; i <= length(text); i++) {
            c = substr(text, i, 1)
            if (c == "\"")
                quoted = !quoted
            else if (!quoted && c == "(")
                depth++
            else if (!quoted && c == ")" && --depth == 0)
                break
        }
        text = substr(text, i + 1)
    }
    return result text
}

# One declaration: sets name, and prototype[], parameters[], parameter[,] of it. 0 if it is not an
# MPI function that returns int. What stands for a variable list (MPI_Pcontrol) is not forwarded: no
# MPI defines any meaning for it.
function parse(text,    list, n, i, word, part)
{
    sub(/^ +/, "", text)
    sub(/ +$/, "", text)
    sub(/^extern +/, "", text)
    if (text !~ /^int +MPIX?_[A-Z][A-Za-z0-9_]* *\(.*\)$/)
        return 0
    sub(/^int +/, "", text)
    name = substr(text, 1, index(text, "(") - 1)
    sub(/ +$/, "", name)
    list = substr(text, index(text, "(") + 1)
    sub(/\)$/, "", list)
    if (name in prototype || name ~ /^MPI_T_/ && !(name in variants))
        return 0
    prototype[name] = list
    parameters[name] = 0
    if (list ~ /^ *(void)? *$/)
        return 1
    n = split(list, part, ",")
    if (part[n] ~ /\.\.\./)
        n--
    for (i = 1; i <= n; i++) {
        word = part[i]
        gsub(/\[[^]]*\]/, "", word)
        sub(/ +$/, "", word)
        match(word, /[A-Za-z_][A-Za-z0-9_]*$/)
        parameter[name, i] = substr(word, RSTART)
        is_communicator[name, i] = word ~ /^ *MPI_Comm +[A-Za-z_][A-Za-z0-9_]*$/
    }
    parameters[name] = n
    return 1
}

# Find the facts of a function: its own line, or that of the function it is a variant of.
function resolve_fact(function_name,    base, form)
{
    base = function_name
    if (base in variants) {
        kind[function_name] = "own"
        return
    }
    if (sub(/_c$/, "", base))
        form = "c"
    if (base in variants && has(base, "c")) {
        adopt(function_name, base, "own")
        return
    }
    if (sub(/_init$/, "", base) && sub(/^MPIX_/, "MPI_", base) + 1 && base in variants && has(base, "p")) {
        adopt(function_name, base, "persistent")
        return
    }
    base = function_name
    if (form)
        sub(/_c$/, "", base)
    if (sub(/^MPI_I/, "MPI_", base)) {
        base = "MPI_" toupper(substr(base, 5, 1)) substr(base, 6)
        if (base in variants && has(base, "i")) {
            adopt(function_name, base, "own")
            return
        }
    }
    if (function_name !~ /2[cf](08)?$/ && prototype[function_name] ~ /MPI_(Comm|Win|File|Request) /)
        kind[function_name] = "guard"
}

function has(base, letter)
{
    return index("," variants[base] ",", "," letter ",") > 0
}

function adopt(function_name, base, how)
{
    kind[function_name] = how
    action[function_name] = action[base]
    arguments[function_name] = arguments[base]
}

function write_list(    f)
{
    for (f = 1; f <= functions; f++)
        if (order[f] in kind)
            print order[f], kind[order[f]], action[order[f]]
}

# MPI_VERSION says less than mpi.h has: Open MPI 5.0 says 3.1 and has sessions.
function write_declared(    f)
{
    print "/* Made by generate.awk from this machine's mpi.h: 1 for each function that it declares. */"
    for (f = 1; f <= functions; f++)
        print "#define DECLARES_" order[f] " 1"
}

function write_wrappers(    f)
{
    print "/* Made by generate.awk from calls.tbl and this machine's mpi.h: do not edit. */"
    print "#include <mpi.h>"
    print "#ifdef OPEN_MPI\n#include <mpi-ext.h>\n#include \"interpose/fortran.h\"\n#endif"
    print "#include \"interpose/interpose.h\""
    print "#include \"interpose/world.h\""
    print "#include \"interpose/hand.h\""
    print "#include \"interpose/direct.h\""
    print "#include \"profiler/again.h\""
    print "#include \"profiler/hooks.h\""
    print "#include \"profiler/monitoring.h\""
    print "#pragma GCC diagnostic ignored \"-Wshadow\""
    print "#pragma GCC diagnostic ignored \"-Wdeprecated-declarations\""
    for (f = 1; f <= functions; f++)
        if (order[f] in kind)
            write_wrapper(order[f])
    for (f = 1; f <= functions; f++)
        if (order[f] in fortran_rule)
            write_fortran(order[f])
}

function write_wrapper(n,    call, a, straight)
{
    call = "(" names(n) ")"
    a = kind[n] == "guard" ? "guard" : action[n]
    if (("completes", n) in marked)
        straight = "direct_completion"
    else if (("again", n) in marked)
        straight = "direct_known && interpose_is_outer() && " again(n, a)
    printf "\nstatic __typeof__(P%s) first_%s, *real_%s = first_%s;\n", n, n, n, n
    printf "static int first_%s(%s)\n{\n", n, prototype[n]
    printf "    INTERPOSE_FIND(real_%s, \"P%s\");\n    return real_%s%s;\n}\n", n, n, n, call
    if (straight) {
        printf "static __attribute__((noinline)) int long_%s(%s)\n{\n", n, prototype[n]
        write_body(n, call, a)
        printf "}\n"
    }
    printf "INTERPOSE_EXPORT int %s(%s)\n{\n", n, prototype[n]
    write_world(n, call)
    if (straight)
        printf "    if (%s)\n        return real_%s%s;\n    return long_%s%s;\n", straight, n, call, n, call
    else
        write_body(n, call, a)
    printf "}\n"
    printf "INTERPOSE_EXPORT int P%s(%s) __attribute__((alias(\"%s\")));\n", n, prototype[n], n
}

function write_body(n, call, a)
{
    if (("direct", n) in marked) {
        write_direct(n, call, a)
        return
    }
    if (a == "guard")
        printf "    interpose_enter();\n    int reseat_rc = real_%s%s;\n", n, call
    else if (a == "hand" || a == "lifecycle") {
        printf "    int reseat_outer = interpose_enter()%s;\n", a == "hand" ? " && interpose_active" : ""
        printf "    int reseat_rc = reseat_outer ? hand_%s%s : real_%s%s;\n", n, call, n, call
    } else if (a ~ /^before_/) {
        printf "    interpose_enter();\n    if (interpose_active)\n        %s(%s);\n", a, hook_arguments(n)
        printf "    int reseat_rc = real_%s%s;\n", n, call
    } else
        write_recording(n, call, a)
    printf "    interpose_leave();\n    return reseat_rc;\n"
}

# The twin of the hook.
function again(n, hook,    count, word)
{
    count = split(arguments[n], word, " ")
    if (sub(/^model_/, "asked_", hook))
        return "again_collective(" parameter[n, word[count]] ", " hook "(" hook_arguments(n) "))"
    sub(/^record_/, "again_", hook)
    return hook "(" hook_arguments(n) ")"
}

# Nothing is done before the call: the other side is waiting.
function write_direct(n, call, a)
{
    if (a == "guard") {
        printf "    return real_%s%s;\n", n, call
        return
    }
    printf "    int reseat_rc = real_%s%s;\n", n, call
    printf "    if (reseat_rc != MPI_SUCCESS || !interpose_recording || !interpose_is_outer())\n"
    printf "        return reseat_rc;\n    %s(%s);\n    return MPI_SUCCESS;\n", a, hook_arguments(n)
}

# What stands for MPI_COMM_WORLD, in every parameter that is a communicator.
function write_world(n, call,    i, rule, name)
{
    rule = world_rule[n]
    for (i = 1; i <= parameters[n]; i++) {
        name = parameter[n, i]
        if (rule == "true" || !is_communicator[n, i])
            continue
        if (rule == "both")
            printf "    if (world_of(%s) != %s)\n        real_%s%s;\n", name, name, n, call
        if (rule == "predefined")
            printf "    if (!world_is_predefined(%s))\n    ", parameter[n, world_argument[n]]
        printf "    %s = world_of(%s);\n", name, name
    }
}

# What a collective sends itself, and what making a communicator takes, belongs to the communicator that
# the function is given. Recording can be off; what knows communicators has to go on while something may be reordered.
function write_recording(n, call, a,    count, word, within)
{
    printf "    int reseat_outer = interpose_enter() && %s;\n", \
        a ~ /^(communicator|session)_/ ? "interpose_active" : "interpose_recording"
    count = split(arguments[n], word, " ")
    within = parameter[n, word[a ~ /^model_/ ? count : 1]]
    if (a ~ /^(model|communicator)_/)
        printf "    if (reseat_outer)\n        collective_begins(%s, %d);\n", within, \
            a ~ /^model_/ && n ~ /^MPI_I/ || n ~ /_idup/
    printf "    int reseat_rc = real_%s%s;\n", n, call
    if (a ~ /^model_/)
        printf "    reseat_outer = reseat_outer && collective_ends();\n"
    else if (a ~ /^communicator_/)
        printf "    if (reseat_outer)\n        collective_ends();\n"
    if (kind[n] != "persistent") {
        printf "    if (reseat_outer && reseat_rc == MPI_SUCCESS)\n        %s(%s);\n", a, hook_arguments(n)
        return
    }
    printf "    if (reseat_outer && reseat_rc == MPI_SUCCESS) {\n"
    printf "        persistent_begin();\n        %s(%s);\n", a, hook_arguments(n)
    printf "        persistent_end(*%s);\n    }\n", parameter[n, parameters[n]]
}

function names(n,    i, text)
{
    for (i = 1; i <= parameters[n]; i++)
        text = text (i > 1 ? ", " : "") parameter[n, i]
    return text
}

function hook_arguments(n,    i, count, word, text, one)
{
    count = split(arguments[n], word, " ")
    for (i = 1; i <= count; i++) {
        if (word[i] ~ /^v/)
            one = (n ~ /_c$/ ? "counts_wide(" : "counts_narrow(") parameter[n, substr(word[i], 2)] ")"
        else
            one = parameter[n, word[i]]
        if (i == count && action[n] ~ /^model_/)
            one = (n ~ /^MPI_I/ || kind[n] == "persistent" ? "nonblocking_on(" : "blocking_on(") one ")"
        text = text (i > 1 ? ", " : "") one
    }
    return text
}

# The Fortran binding of a function of Open MPI: one wrapper, under the names of mpif.h and `use mpi`, and those by
# which mpi_f08 calls it (ompi_X_f or pmpi_X_).
function write_fortran(n,    x, types)
{
    x = tolower(substr(n, 5))
    types = fortran_types(n)
    print "\n#ifdef OPEN_MPI"
    write_binding(n, "pmpi_" x)
    write_alias("mpi_" x " mpi_" x "_ mpi_" x "__ MPI_" toupper(x), "pmpi_" x, types)
    write_alias("pmpi_" x "_ pmpi_" x "__ PMPI_" toupper(x) " ompi_" x "_f", "pmpi_" x, types)
    print "#endif"
}

# All parameters are addresses, the last one that of ierror.
function write_binding(n, symbol,    i, call, comm)
{
    for (i = 1; i <= parameters[n] + 1; i++) {
        call = call (i > 1 ? ", " : "") (is_communicator[n, i] ? "&reseat_comm" : "a" i)
        if (is_communicator[n, i])
            comm = "a" i
    }
    printf "\nINTERPOSE_EXPORT void %s(%s);\nvoid %s(%s)\n{\n", symbol, fortran_types(n), symbol, \
        fortran_types(n, "a")
    printf "    static __typeof__(%s) *real;\n    FORTRAN_RESOLVE(real, \"%s\");\n", symbol, symbol
    if (fortran_rule[n] == "hand") {
        printf "    fortran_%s(real, %s);\n}\n", n, call
        return
    }
    printf "    MPI_Fint reseat_comm = *(MPI_Fint *)%s;\n", comm
    if (world_rule[n] == "predefined")
        printf "    if (!world_is_predefined(*(MPI_Fint *)a%d))\n    ", world_argument[n]
    printf "    reseat_comm = fortran_world(reseat_comm);\n    real(%s);\n}\n", call
}

function fortran_types(n, name,    i, text)
{
    for (i = 1; i <= parameters[n] + 1; i++)
        text = text (i > 1 ? ", " : "") "void *" (name ? name i : "")
    return text
}

function write_alias(symbols, of, types,    i, count, word)
{
    count = split(symbols, word, " ")
    for (i = 1; i <= count; i++)
        printf "INTERPOSE_EXPORT void %s(%s) __attribute__((alias(\"%s\")));\n", word[i], types, of
}
