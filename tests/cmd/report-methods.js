// SPDX-License-Identifier: BSD-3-Clause
// report-methods.js - of report-page.tap: several methods side by side; another one can be chosen for the right map and the
// machine.
"use strict";
window.addEventListener("load", () => {
    const { is, amount, rows, finish } = checks;
    const report = JSON.parse(document.getElementById("report").textContent), heat = JSON.parse(document.getElementById("heat").textContent);
    const used = report.levels.map((level, i) => i).filter((i) => report.levels[i].bytes[0] + report.methods.reduce((sum, one) => sum + one.bytes[i], 0) > 0);
    is("the table has the bytes of --json", report.methods.map((one) => used.map((i) => amount(one.bytes[i], "B"))),
       rows("methods").slice(1).map((row) => row.slice(1, 1 + used.length)));
    is("... and the changes", report.methods.map((one) => one.gain === 0 ? "0 %" : (one.gain > 0 ? "-" : "+") + Math.abs(100 * one.gain).toFixed(0) + " %"),
       rows("methods").slice(1).map((row) => row[row.length - 1]));
    is("... and names", ["launch order", ...report.methods.map((one) => one.name + (one.best ? " (the best)" : ""))], rows("methods").map((row) => row[0]));
    is("a map for each", ["launch order", "better order", ...report.methods.filter((one) => !one.best).map((one) => one.name)], heat.maps);

    // ---- another one ----
    const right = document.querySelectorAll(".map")[1], cells = () => right.querySelector(".cells").innerHTML, machine = () => document.getElementById("machine-right").innerHTML;
    const select = document.querySelector("select[name=right]"), choose = (value) => {
        select.value = String(value);
        select.dispatchEvent(new Event("change"));
    };
    is("a choice of them", heat.maps.slice(1), Array.from(select.options, (one) => one.textContent));
    choose(1);
    const first = [cells(), machine()], left = document.querySelector(".map .cells").innerHTML;
    choose(2);
    is("another map, another machine", [true, true], [cells() !== first[0], machine() !== first[1]]);
    is("... which say whose they are", [true, "By " + heat.maps[2], "By " + heat.maps[2]],
       [right.querySelector(".heat").getAttribute("aria-label").endsWith(heat.maps[2]), right.closest("figure").querySelector("figcaption").textContent,
        document.getElementById("machine-right").closest("figure").querySelector("figcaption").textContent]);
    is("... and the left one is what it was", left, document.querySelector(".map .cells").innerHTML);
    // A cell of other ranks than in launch order: [where, bytes].
    const sum = new Map();
    for (const layer of heat.layers)
        for (let i = 0, at = 0; i < layer.cells[2].length; i += 3) {
            at += layer.cells[2][i];
            sum.set(at, (sum.get(at) || 0) + layer.cells[2][i + 1]);
        }
    const cell = Array.from(sum).find(([at]) => heat.rank_at[2][Math.floor(at / heat.side)] !== heat.rank_at[0][Math.floor(at / heat.side)]);
    const row = Math.floor(cell[0] / heat.side), column = cell[0] % heat.side;
    const box = right.querySelector(".heat").getBoundingClientRect();
    right.querySelector(".heat").dispatchEvent(new PointerEvent("pointermove", { bubbles: true,
        clientX: box.left + box.width * (column + 0.5) / heat.side, clientY: box.top + box.height * (row + 0.5) / heat.side }));
    is("pointing says the ranks of that order", true, document.querySelector(".tip").textContent.includes("rank " + heat.rank_at[2][row] + " ") &&
        document.querySelector(".tip").textContent.startsWith(amount(cell[1], "B") + " in "));
    is("... also to those who cannot see", true, document.getElementById("cell").textContent.toLowerCase().includes(heat.maps[2].toLowerCase() + ": rank " + heat.rank_at[2][row]));
    choose(1);
    is("and back", first, [cells(), machine()]);
    finish();
});
