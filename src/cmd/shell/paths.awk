# SPDX-License-Identifier: BSD-3-Clause
# paths.awk - the header with the folder of the modules, as it is and as seen from that of the command.
# Variables: bindir, pkglibdir.
BEGIN {
    from = split(bindir, up, "/")
    to = split(pkglibdir, down, "/")
    for (same = 1; same <= from && same <= to && up[same] == down[same]; same++);
    for (i = same; i <= from; i++)
        if (up[i] != "") way = way "../"
    for (i = same; i <= to; i++)
        if (down[i] != "") way = way down[i] "/"
    sub(/\/$/, "", way)
    printf "#define RESEAT_PKGLIBDIR \"%s\"\n#define RESEAT_PKGLIBDIR_FROM_BINDIR \"%s\"\n", pkglibdir, way
}
