# SPDX-License-Identifier: BSD-3-Clause
# lama-2011.sh - Hursey, Squyres and Dontje, Locality-Aware Parallel Process Mapping for Multi-Core HPC Systems, 2011. A part of
# scripts/experiments.
# shellcheck shell=bash disable=SC2154

# seat LETTERS RANK: where it is on the machine of figure 2, as n0s1c2h0
seat()
{
    "$reseat" map --layout "$1" --ranks 24 --tree "node:2 package:2 core:3 pu:2" --output "$work/order" >/dev/null
    awk -v r="$2" '$1 == r { printf "n%ds%dc%dh%d\n", $2 / 12, $2 / 6 % 2, $2 / 2 % 3, $2 % 2 }' "$work/order"
}

lama_2011()
{
    local letters rank published found why
    paper "LAMA, 2011" <<'END'
J. Hursey, J. M. Squyres, T. Dontje: *Locality-Aware Parallel Process Mapping for Multi-Core HPC Systems*, 2011. The paper
measures nothing; its figure 2 places 24 ranks on two nodes of two sockets with three cores of two threads. Table I, the letters, is
the section LAYOUTS of the manual; its nine make 9! = 362,880 layouts. More values, and 1,000 random machines against nested
loops: tests/tmap/test-layout.c.
END
    while read -r letters rank published why; do
        found=$(seat "$letters" "$rank")
        row "Fig. 2" "$letters: rank $rank" "$published" "$found" "\"$found\" == \"$published\"" "$why"
    done <<'END'
scbnh 0 n0s0c0h0
scbnh 1 n0s1c0h0
scbnh 2 n0s0c1h0
scbnh 5 n0s1c2h0
scbnh 6 n1s0c0h0
scbnh 12 n0s0c0h1
scbnh 23 n1s1c2h1
sbnch 2 n1s0c0h0 the text says sbnch where its words and figure mean scbnh
hcsbn 6 n0s1c0h0 by slot, and so its other name
ncsbh 1 n1s0c0h0 by node, and so its other name
by-slot 6 n0s1c0h0
by-node 1 n1s0c0h0
END
}
