# SPDX-License-Identifier: BSD-3-Clause
# generate.awk - write the wrappers, from the prototypes in the preprocessed mpi.h and the facts in
# calls.tbl.
#
#   awk -f generate.awk calls.tbl mpi.i [later-calls.h] > wrappers.c
#   awk -v list=1 -f generate.awk calls.tbl mpi.i        only the names of functions with a wrapper
#   awk -v declared=1 -f generate.awk calls.tbl mpi.i    declared.h: macros to test in #if
#
# A wrapper has no logic of its own: it raises the guard (unless the table says noguard), forwards,
# and calls the hook that the table names. The pointer to the real function leads at first to
# bind_X, which finds it. For each function there are
#   own_X           PMPI_X: does the work, around the MPI's PMPI_X (real_X)
#   MPI_X           forwards to own_X (next_X), or on the hot path does the same itself, which saves
#                   a jump
#   through_tool_X  where next_X leads instead if a tool after this library wraps MPI_X (tools.c)
#   timed_X         where real_X leads if the time in MPI is sampled or measured (runtime.c); it
#                   calls untimed_X

FNR == 1 { file++ }
file == 1 && !/^#/ && NF { read_fact(); next }
file == 1 || file > 2 && !/^int / { next }
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
        if ($3 == "f08ts") {
            name = substr($2, 5)
            split($2 "_c MPI_I" tolower(name) " MPI_I" tolower(name) "_c " $2 "_init " $2 "_init_c", forms, " ")
            for (i in forms)
                fortran_rule[forms[i]] = $3
        }
        return
    }
    if ($1 == "around") {
        around_before[$2] = $3
        if (NF > 3)
            around_after[$2] = $4
        return
    }
    if ($1 == "untimed") {
        for (i = 2; i <= NF; i++)
            untimed[$i] = 1
        return
    }
    if ($1 == "together") {
        for (i = 2; i <= NF; i++)
            together[$i] = 1
        return
    }
    if ($1 == "noguard" || $1 == "noguard-unless-io" || $1 == "fastpath") {
        mark($1, $2, $3)
        return
    }
    row[$1] = FNR ": " $0
    variants[$1] = $2
    action[$1] = $3
    arguments[$1] = ""
    for (i = 4; i <= NF; i++)
        arguments[$1] = arguments[$1] (i > 4 ? " " : "") $i
}

# Mark a function and its variants.
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
# MPI function that returns int. Variable arguments (MPI_Pcontrol) are not forwarded: no MPI gives
# them a meaning.
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
    if (function_name !~ /2[cf](08)?$/ && prototype[function_name] ~ /MPI_(Comm|Win|File|Request|Message) / ||
        function_name ~ /^MPI_Buffer_(detach|flush)/)
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
    row[function_name] = row[base]
    arguments[function_name] = arguments[base]
}

function write_list(    f)
{
    for (f = 1; f <= functions; f++)
        if (order[f] in kind)
            print order[f], kind[order[f]], action[order[f]]
}

# MPI_VERSION may be less than what mpi.h has: Open MPI 5.0 says 3.1 and has sessions.
function write_declared(    f)
{
    print "/* Made by generate.awk from this machine's mpi.h: 1 for each function that it declares. */"
    for (f = 1; f <= functions; f++)
        print "#define DECLARES_" order[f] " 1"
}

function write_wrappers(    f)
{
    print "/* Made by generate.awk from calls.tbl and this machine's mpi.h: do not edit. */"
    print "#include <mpi.h>\n#include <stdarg.h>"
    print "#ifdef OPEN_MPI\n#include <mpi-ext.h>\n#include \"interpose/fortran.h\"\n#endif"
    print "#include \"interpose/interpose.h\""
    print "#include \"interpose/world.h\""
    print "#include \"interpose/lifecycle.h\""
    print "#include \"interpose/override.h\""
    print "#include \"interpose/direct.h\""
    print "#include \"profiler/fast-path.h\""
    print "#include \"profiler/run-time.h\""
    print "#include \"interpose/hooks.h\""
    print "#include \"profiler/monitoring.h\""
    print "#if defined(MPICH_NUMVERSION) && !defined(MPI_ABI_VERSION)\n#include \"interpose/later-calls.h\"\n#endif"
    print "#pragma GCC diagnostic ignored \"-Wshadow\""
    print "#pragma GCC diagnostic ignored \"-Wdeprecated-declarations\""
    for (f = 1; f <= functions; f++)
        if (order[f] in kind)
            write_wrapper(order[f])
    write_table()
    for (f = 1; f <= functions; f++)
        if (order[f] in fortran_rule)
            write_fortran(order[f])
}

# The two entries of a function, and the path from one to the other through a tool.
function write_wrapper(n,    call, a, straight)
{
    call = "(" names(n) ")"
    a = kind[n] == "guard" ? "guard" : action[n]
    if (("noguard-unless-io", n) in marked)
        straight = "direct_completion"
    else if (("fastpath", n) in marked)
        straight = "direct_known && interpose_is_down() && " fastpath(n, a)
    printf "\n/* ---- %s ---- */\n", n
    if (n in row)
        printf "/* calls.tbl:%s */\n", row[n]
    write_pointers(n, call)
    write_own(n, call, a, straight)
    write_through_tool(n, call, a)
    write_entry(n, call, a, straight)
    if (is_timed(n))
        write_timed(n, call)
}

function is_timed(n)
{
    return !(n in untimed)
}

# For a call that is not timed, a decrement, a branch and a jump are all that is done. Inside another
# MPI function the guard is up, once more than the wrapper itself has raised it.
function write_timed(n, call,    raised)
{
    raised = is_straight(n) ? 0 : ("noguard-unless-io", n) in marked ? "!direct_completion" : \
        action[n] == "override" || action[n] == "lifecycle" ? 2 : 1
    printf "static __typeof__(P%s) *untimed_%s;\n", n, n
    printf "static __attribute__((noinline)) int clocked_%s(%s)\n{\n", n, prototype[n]
    printf "    run_time_enter(%d, %d, interpose_is_within(%s));\n", slot_of(n), kind_number(time_kind(n)), raised
    printf "    int reseat_rc = untimed_%s%s;\n    run_time_leave();\n    return reseat_rc;\n}\n", n, call
    printf "static int timed_%s(%s)\n{\n", n, prototype[n]
    printf "    return run_time_is_due(%d) ? clocked_%s%s : untimed_%s%s;\n}\n", slot_of(n), n, call, n, call
}

# The kind of a function, as the profile names it: a collective has one of its own, whatever its
# form.
function time_kind(n,    base)
{
    base = n
    sub(/^MPIX?_/, "", base)
    if (action[n] ~ /^model_/) {
        sub(/_(init|c|init_c)$/, "", base)
        sub(/_init$/, "", base)
        if (n ~ /^MPI_I/)
            base = substr(base, 2)
        return tolower(base)
    }
    if (base ~ /^(Wait|Test|Iprobe|Improbe|Request_get_status|Cancel|Pready|Parrived)/)
        return "wait"
    if (base ~ /^(I?[BbRrSs]?[Ss]end|I?[Mm]?[Rr]ecv|M?[Pp]robe|Precv|Psend|Start|Buffer_)/)
        return "p2p"
    if (base ~ /^(Win_|R?(Put|Get|Accumulate|Get_accumulate|put|get|accumulate|get_accumulate)(_c)?$|Fetch_and_op|Compare_and_swap)/)
        return "osc"
    return base ~ /^File_/ ? "file" : "other"
}

function kind_number(name)
{
    if (!(name in kind_at)) {
        kind_at[name] = kinds
        kind_name[kinds++] = name
    }
    return kind_at[name]
}

# Functions of files, and those that make communicators and the like, are few.
function slot_of(n,    base)
{
    base = time_kind(n)
    if (base != "file" && base != "other") {
        base = n
        sub(/_c$/, "", base)
    }
    if (!(base in slot_at))
        slot_at[base] = slots++
    return slot_at[base]
}

# real_X is the MPI's PMPI_X, next_X what MPI_X forwards to.
function write_pointers(n, call)
{
    printf "static struct interpose_call call_%s = {.name = \"%s\"};\n", n, n
    printf "static __typeof__(P%s) bind_%s, own_%s, *real_%s = bind_%s, *next_%s = %s_%s;\n", n, n, n, n, n, n, \
        is_straight(n) ? "bind" : "own", n
    printf "static int bind_%s(%s)\n{\n", n, prototype[n]
    printf "    INTERPOSE_FIND(real_%s, \"P%s\");\n    return real_%s%s;\n}\n", n, n, n, call
}

# Whether MPI_X is on the hot path, so that it forwards to the MPI directly.
function is_straight(n)
{
    return ("noguard", n) in marked
}

# PMPI_X, which does the work.
function write_own(n, call, a, straight)
{
    if (straight) {
        printf "static __attribute__((noinline)) int slow_%s(%s)\n{\n", n, prototype[n]
        write_body(n, call, a)
        printf "}\n"
    }
    printf "static int own_%s(%s)\n{\n", n, prototype[n]
    write_world(n, call)
    if (straight)
        printf "    if (__builtin_expect(%s, 1))\n        return real_%s%s;\n    return slow_%s%s;\n", straight, n, call, n, call
    else
        write_body(n, call, a)
    printf "}\n"
    printf "INTERPOSE_EXPORT int P%s(%s) __attribute__((alias(\"own_%s\")));\n", n, prototype[n], n
}

# MPI_X.
function write_entry(n, call, a, straight,    more)
{
    if (is_straight(n) && straight) {
        printf "static __attribute__((noinline)) int entry_%s(%s)\n{\n", n, prototype[n]
        write_direct(n, call, a, "next")
        printf "}\n"
    }
    printf "INTERPOSE_EXPORT int %s(%s)\n{\n", n, prototype[n]
    if (is_straight(n) || straight && straight != "direct_completion")
        write_world(n, call)
    if (straight)
        printf "    if (__builtin_expect(%s, 1))\n        return real_%s%s;\n    return %s_%s%s;\n", straight, n, call, \
            is_straight(n) ? "entry" : "next", n, call
    else if (is_straight(n))
        write_direct(n, call, a, "next")
    else {
        more = write_more(n)
        printf "    return next_%s(%s%s);\n", n, names(n), more
    }
    printf "}\n"
}

# Call a tool's MPI_X. It gets the application's communicators if it comes back to us, and their
# replacements if not.
function write_through_tool(n, call, a,    i, seen, more, first)
{
    printf "static int through_tool_%s(%s)\n{\n", n, prototype[n]
    more = write_more(n)
    if (n in around_before)
        printf "    if (interpose_is_outer())\n        %s();\n", around_before[n]
    else if (a ~ /^before_/)
        printf "    if (!call_%s.comes_back && interpose_active)\n        %s(%s);\n", n, a, hook_arguments(n)
    first = is_straight(n) ? "NULL, 0" : "&call_" n ", " first_argument(n)
    printf "    struct interpose_errand reseat_before = interpose_hand_over(%s);\n", first
    for (i = 1; i <= parameters[n]; i++)
        if (is_communicator[n, i])
            seen = seen "        " parameter[n, i] " = world_seen(" parameter[n, i] ");\n"
    if (seen && world_rule[n] != "true") {
        printf "    if (call_%s.comes_back) {\n%s    } else {\n", n, seen
        write_world(n, call)
        printf "    }\n"
    }
    printf "    int reseat_rc = ((__typeof__(P%s) *)call_%s.tool)(%s%s);\n", n, n, names(n), more
    if (n in around_after || is_recorded(n, a))
        write_unseen(n, a)
    else
        printf "    interpose_take_back(reseat_before);\n"
    printf "    return reseat_rc;\n}\n"
}

function is_recorded(n, a)
{
    return !is_straight(n) && a !~ /^(guard|override|lifecycle|before_.*)$/
}

# After a call of a tool that has not come back to us.
function write_unseen(n, a,    i, name)
{
    printf "    if (interpose_take_back(reseat_before) && reseat_rc == MPI_SUCCESS"
    if (n in around_after) {
        printf ")\n        %s();\n", around_after[n]
        return
    }
    printf " &&\n        %s%s) {\n", needs(a), a ~ /^model_/ ? " && collective_ends()" : ""
    for (i = 1; i <= parameters[n]; i++)
        if (is_communicator[n, i]) {
            name = parameter[n, i]
            printf "        %s = world_of(%s);\n", name, name
        }
    write_hook(n, a, "        ")
    printf "    }\n"
}

# The words that are passed for the dots of a prototype.
function write_more(n)
{
    if (prototype[n] !~ /\.\.\./)
        return ""
    printf "    void *reseat_more[INTERPOSE_MORE];\n    va_list reseat_list;\n"
    printf "    va_start(reseat_list, %s);\n", parameter[n, parameters[n]]
    printf "    interpose_more(reseat_more, reseat_list);\n    va_end(reseat_list);\n"
    return ", reseat_more[0], reseat_more[1], reseat_more[2], reseat_more[3], reseat_more[4], reseat_more[5]"
}

# The argument by which a call is recognized when it comes back from a tool.
function first_argument(n,    name)
{
    if (!parameters[n])
        return 0
    name = parameter[n, 1]
    return "(uintptr_t)" (is_communicator[n, 1] ? "world_of(" name ")" : name)
}

function write_body(n, call, a)
{
    if (is_straight(n)) {
        write_direct(n, call, a, "real")
        return
    }
    if (a == "guard")
        printf "    interpose_enter();\n    int reseat_rc = real_%s%s;\n", n, call
    else if (a == "override" || a == "lifecycle") {
        if (n in together)
            print "    interpose_begin_together();"
        if (a == "override")
            printf "    int reseat_outer = interpose_enter_from(&call_%s, %s) == INTERPOSE_APPLICATION && interpose_active;\n", \
                n, first_argument(n)
        else
            printf "    int reseat_outer = interpose_enter_outermost();\n"
        printf "    int reseat_rc = reseat_outer ? override_%s%s : real_%s%s;\n", n, call, n, call
    } else if (a ~ /^before_/) {
        printf "    interpose_enter();\n    if (interpose_active)\n        %s(%s);\n", a, hook_arguments(n)
        printf "    int reseat_rc = real_%s%s;\n", n, call
    } else
        write_recording(n, call, a)
    printf "    interpose_leave();\n    return reseat_rc;\n"
}

# The fast path of a hook.
function fastpath(n, hook,    count, word)
{
    count = split(arguments[n], word, " ")
    if (sub(/^model_/, "key_of_", hook))
        return "fast_record_collective(" parameter[n, word[count]] ", " hook "(" hook_arguments(n) "))"
    sub(/^record_/, "fast_record_", hook)
    return hook "(" hook_arguments(n) ")"
}

# Nothing is done before the call, because the receiver is waiting.
function write_direct(n, call, a, pointer)
{
    if (a == "guard") {
        printf "    return %s_%s%s;\n", pointer, n, call
        return
    }
    printf "    int reseat_rc = %s_%s%s;\n", pointer, n, call
    printf "    if (reseat_rc != MPI_SUCCESS || !interpose_recording || !%s)\n", \
        pointer == "real" ? "interpose_is_application(&call_" n ")" : "interpose_is_outer()"
    printf "        return reseat_rc;\n    %s(%s);\n    return MPI_SUCCESS;\n", a, hook_arguments(n)
}

# Replace MPI_COMM_WORLD in every parameter that is a communicator.
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
            printf "    %s = world_with(%s, %s);\n", name, name, parameter[n, world_argument[n]]
        else
            printf "    %s = world_of(%s);\n", name, name
    }
}

# Messages of a collective, and of making a communicator, belong to the communicator that the
# function is given; those of a tool's own calls are not counted.
function write_recording(n, call, a,    count, word, within)
{
    printf "    enum interpose_caller reseat_caller = interpose_enter_from(&call_%s, %s);\n", n, first_argument(n)
    printf "    int reseat_outer = reseat_caller == INTERPOSE_APPLICATION && %s;\n", needs(a)
    count = split(arguments[n], word, " ")
    within = parameter[n, word[a ~ /^model_/ ? count : 1]]
    if (a ~ /^(model|communicator)_/) {
        printf "    if (reseat_outer)\n        collective_begins(%s, %d);\n", within, \
            a ~ /^model_/ && n ~ /^MPI_I/ || n ~ /_idup/
        printf "    else if (reseat_caller == INTERPOSE_TOOL)\n        monitoring_pause();\n"
    }
    printf "    int reseat_rc = real_%s%s;\n", n, call
    if (a ~ /^(model|communicator)_/) {
        printf "    if (reseat_caller == INTERPOSE_TOOL)\n        monitoring_resume();\n"
        if (a ~ /^model_/)
            printf "    reseat_outer = reseat_outer && collective_ends();\n"
        else
            printf "    if (reseat_outer)\n        collective_ends();\n"
    }
    printf "    if (reseat_outer && reseat_rc == MPI_SUCCESS)%s\n", kind[n] == "persistent" ? " {" : ""
    write_hook(n, a, "        ")
    if (kind[n] == "persistent")
        printf "    }\n"
}

# Recording may be off while hooks that track communicators are still needed for reordering.
function needs(a)
{
    return a ~ /^(communicator|session)_/ ? "interpose_active" : "interpose_recording"
}

function write_hook(n, a, indent)
{
    if (kind[n] == "persistent")
        printf "%spersistent_begin();\n", indent
    printf "%s%s(%s);\n", indent, a, hook_arguments(n)
    if (kind[n] == "persistent")
        printf "%spersistent_end(*%s);\n", indent, parameter[n, parameters[n]]
}

# The table that tools.c goes through before main.
function write_table(    f, n)
{
    print "\nconst struct interpose_wrapper interpose_wrappers[] = {"
    for (f = 1; f <= functions; f++)
        if (order[f] in kind) {
            n = order[f]
            printf "    {&call_%s, (interpose_pointer *)&next_%s, (void *)through_tool_%s, %s,\n", n, n, n, \
                is_straight(n) ? "\"P" n "\"" : "NULL"
            printf "     (interpose_pointer *)&real_%s, ", n
            if (is_timed(n))
                printf "(interpose_pointer *)&untimed_%s, (void *)timed_%s},\n", n, n
            else
                printf "NULL, NULL},\n"
        }
    print "};\nconst int interpose_wrapper_count = sizeof interpose_wrappers / sizeof *interpose_wrappers;"
    print "\nconst char *const interpose_time_kinds[RUN_TIME_KINDS] = {"
    for (f = 0; f < kinds; f++)
        printf "    \"%s\",\n", kind_name[f]
    print "};"
    printf "_Static_assert(%d <= RUN_TIME_KINDS && %d <= RUN_TIME_SLOTS, \"run-time.h has room\");\n", kinds, slots
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

# The Fortran binding of a function of Open MPI: a wrapper under the names by which tools and
# mpi_f08 call it (pmpi_X_, ompi_X_f), and one that leads there, or to a tool, under the names of
# mpif.h and `use mpi`.
function write_fortran(n,    x, types)
{
    x = tolower(substr(n, 5))
    types = fortran_types(n)
    print "\n#ifdef OPEN_MPI"
    if (fortran_rule[n] == "f08ts") {
        write_binding(n, "mpi_" x "_f08ts")
        write_alias("mpi_" x "_f08ts_", "mpi_" x "_f08ts", types)
        write_binding(n, "pmpi_" x "_f08ts")
        write_alias("pmpi_" x "_f08ts_", "pmpi_" x "_f08ts", types)
        print "#endif"
        return
    }
    write_binding(n, "pmpi_" x)
    write_binding_entry(n, "mpi_" x)
    write_alias("mpi_" x "_ mpi_" x "__ MPI_" toupper(x), "mpi_" x, types)
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
    if (fortran_rule[n] == "override") {
        printf "    fortran_%s(real, %s);\n}\n", n, call
        return
    }
    printf "    MPI_Fint reseat_comm = *(MPI_Fint *)%s;\n", comm
    if (world_rule[n] == "predefined")
        printf "    reseat_comm = fortran_world_with(reseat_comm, *(MPI_Fint *)a%d);\n", world_argument[n]
    else
        printf "    reseat_comm = fortran_world(reseat_comm);\n"
    printf "    real(%s);\n}\n", call
}

function write_binding_entry(n, symbol,    i, call)
{
    for (i = 1; i <= parameters[n] + 1; i++)
        call = call (i > 1 ? ", " : "") "a" i
    printf "\nINTERPOSE_EXPORT void %s(%s);\nvoid %s(%s)\n{\n", symbol, fortran_types(n), symbol, \
        fortran_types(n, "a")
    printf "    static __typeof__(%s) *next;\n    FORTRAN_RESOLVE_ENTRY(next, p%s);\n", symbol, symbol
    printf "    next(%s);\n}\n", call
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
