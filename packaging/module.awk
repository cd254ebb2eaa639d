# SPDX-License-Identifier: BSD-3-Clause
# module.awk - module.in with the folders of this installation: below the prefix as seen from there, others as they are.
# Variables: version, prefix, bindir, libdir, includedir, mandir, pythondir (empty without Python), moduledir.
function from_prefix(folder) {
    if (folder == prefix)
        return "."
    return index(folder, prefix "/") == 1 ? substr(folder, length(prefix) + 2) : folder
}
# The way from the folder of the module file back to the prefix.
function from_module(   way, i, n, part) {
    if (index(moduledir, prefix "/") != 1)
        return prefix
    n = split(from_prefix(moduledir), part, "/")
    for (i = 1; i <= n; i++)
        if (part[i] != "")
            way = way (way == "" ? "" : "/") ".."
    return way
}
function put(name, value,   at) {
    while (at = index($0, "@" name "@"))
        $0 = substr($0, 1, at - 1) value substr($0, at + length(name) + 2)
}
BEGIN { sub(/\/+$/, "", prefix) }
/^@python_line@$/ {
    if (pythondir == "")
        next
    $0 = "prepend-path PYTHONPATH [file join $root {" from_prefix(pythondir) "}]"
}
{
    put("version", version); put("prefix", prefix); put("from_module", from_module())
    put("bin", from_prefix(bindir)); put("lib", from_prefix(libdir))
    put("include", from_prefix(includedir)); put("man", from_prefix(mandir))
    print
}
