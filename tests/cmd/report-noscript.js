// SPDX-License-Identifier: BSD-3-Clause
// report-noscript.js - of report-page.tap: the page of a report without its scripts, as where they are switched off. The maps
// are drawn in the colours of their bytes, and nothing is seen that only a script could answer.
"use strict";
window.addEventListener("load", () => {
    const { is, finish } = checks, COLORS = 9;
    const heat = JSON.parse(document.getElementById("heat").textContent);

    function bytesOf(order) {
        const cells = new Map();
        for (const layer of heat.layers)
            for (let i = 0, at = 0; i < layer.cells[order].length; i += 3) {
                at += layer.cells[order][i];
                cells.set(at, (cells.get(at) || 0) + layer.cells[order][i + 1]);
            }
        return cells;
    }
    const colorOf = (bytes) => bytes <= heat.least ? 0 : Math.min(COLORS - 1, Math.floor(COLORS * Math.log(bytes / heat.least) / Math.log(heat.most / heat.least)));

    // What is seen in the four quarters of a cell: the number of a colour, or -1. The page's numbers have four digits.
    function seenAt(box, row, column) {
        const seen = new Set();
        for (const y of [0.25, 0.75])
            for (const x of [0.25, 0.75]) {
                const color = document.elementsFromPoint(box.left + box.width * (column + x) / heat.side, box.top + box.height * (row + y) / heat.side)
                    .map((one) => /^h\d$/.test(one.getAttribute("class") || "") ? Number(one.getAttribute("class")[1]) : -1).filter((one) => one >= 0);
                seen.add(color.length ? color[0] : -1);
            }
        return seen.size === 1 ? Array.from(seen)[0] : "several";
    }
    document.querySelectorAll(".map .heat").forEach((map, order) => {
        const cells = bytesOf(order), wrong = [];
        map.scrollIntoView();
        const box = map.getBoundingClientRect();
        for (let at = 0; at < heat.side * heat.side; at++) {
            const bytes = cells.get(at), seen = seenAt(box, Math.floor(at / heat.side), at % heat.side);
            if (bytes === undefined ? seen !== -1 : !(seen >= colorOf(bytes * 0.9993) && seen <= colorOf(bytes * 1.0007)))
                wrong.push([at, bytes === undefined ? -1 : colorOf(bytes), seen]);
        }
        is("map " + order + ": each cell is seen in the colour of its bytes", [[], true], [wrong.slice(0, 3), cells.size > 50]);
    });
    scrollTo(0, 0);
    is("two maps, which are pictures for screen readers", ["img", "img"], Array.from(document.querySelectorAll(".map .heat"), (map) => map.getAttribute("role")));
    is("the legend has all colours", COLORS, Array.from(document.querySelectorAll(".legend .color")).filter((one) => one.getClientRects().length).length);
    const seen = (one) => one.getClientRects().length > 0;
    is("nothing is seen that needs a script", [], Array.from(document.querySelectorAll("main button, main select, main form, .needs-script")).filter(seen).map((one) => one.outerHTML.slice(0, 60)));
    is("... nor the machine by other methods", [true, 0], [document.querySelectorAll(".other").length > 1, Array.from(document.querySelectorAll(".other")).filter(seen).length]);
    is("one machine before, one after", 2, Array.from(document.querySelectorAll(".machines figure svg")).filter(seen).length);
    is("no map takes the focus", 0, document.querySelectorAll(".map [tabindex]").length);
    finish();
});
