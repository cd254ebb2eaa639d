// SPDX-License-Identifier: BSD-3-Clause
// report-change.js - of report-page.tap: the page of two profiles has the numbers of its JSON, and a third map with what the
// second has more than the first.
"use strict";
window.addEventListener("load", () => {
    const { is, amount, number, rows, finish } = checks;
    const report = JSON.parse(document.getElementById("report").textContent), heat = JSON.parse(document.getElementById("heat").textContent);
    const changed = (a, b) => a === b ? "0 %" : a > 0 ? (b < a ? "-" : "+") + Math.abs(100 * (b / a - 1)).toFixed(0) + " %" : "-";
    is("the sentence", report.sentence, document.getElementById("sentence").textContent);
    is("the orders", report.cost_of_second.map(number), rows("orders").map((row) => row[2]));
    const levels = report.levels.filter((level) => level.bytes[0] + level.bytes[1] > 0);
    is("the levels", levels.map((level) => [level.crossing, amount(level.bytes[0], "B"), amount(level.bytes[1], "B"), changed(...level.bytes)]),
       rows("levels").slice(0, levels.length).map((row) => [row[0], row[2], row[3], row[4]]));
    is("the kinds", [["point to point", "p2p"], ["collectives", "coll"], ["one-sided", "osc"]].filter(([, key]) => report[key].messages[0] + report[key].messages[1] > 0)
        .map(([name, key]) => [name, amount(report[key].bytes[0], "B"), amount(report[key].bytes[1], "B")]),
       rows("levels").slice(levels.length).map((row) => [row[0], row[2], row[3]]));
    is("the pairs", report.grew.concat(report.shrank).map((pair) => [...pair.ranks.map(String), amount(pair.weight[0], "B"), amount(pair.weight[1], "B"), changed(...pair.weight), pair.crossing]),
       rows("pairs").filter((row) => row.length > 1));

    // ---- the maps ----
    const maps = Array.from(document.querySelectorAll(".map .heat"));
    is("three maps", 3, maps.length);
    const cells = (order, value) => {
        const all = new Map();
        for (const layer of heat.layers)
            for (let i = 0, at = 0; i < layer.cells[order].length; i += 3) {
                at += layer.cells[order][i];
                all.set(at, (all.get(at) || 0) + layer.cells[order][i + 1 + value]);
            }
        return all;
    };
    const differing = (value) => {
        const [a, b] = [cells(0, value), cells(1, value)];
        return Array.from(new Set([...a.keys(), ...b.keys()])).filter((at) => (a.get(at) || 0) !== (b.get(at) || 0)).sort((x, y) => x - y);
    };
    const drawn = (first, last) => Array.from(maps[2].querySelectorAll(".cells path")).slice(first, last).map((path) => Array.from((path.getAttribute("d") || "")
        .matchAll(/M(\d+) (\d+)h1/g), (match) => Number(match[2]) * heat.side + Number(match[1]))).flat().sort((x, y) => x - y);
    is("the third has the cells that differ", differing(0), drawn(0, 8));
    is("... less in blue, more in orange", differing(0).map((at) => (cells(1, 0).get(at) || 0) > (cells(0, 0).get(at) || 0)),
       differing(0).map((at) => drawn(4, 8).includes(at)));
    // What the colors mean: from the least to the most, in equal factors; the legend has their limits.
    const sizes = (value) => new Map(differing(value).map((at) => [at, (cells(1, value).get(at) || 0) - (cells(0, value).get(at) || 0)]));
    const range = (value) => {
        if (value === 0)   // of the exact numbers: cells are written with four digits
            return [Number(maps[2].parentElement.dataset.least), Number(maps[2].parentElement.dataset.most)];
        const all = Array.from(sizes(value).values(), Math.abs), most = Math.max(...all);
        return [Math.min(Math.max(Math.min(...all), most / 1e4), most / 2), most];
    };
    const color = (size, [least, most]) => {
        const step = most > least ? Math.min(3, Math.max(0, Math.floor(4 * Math.log(Math.abs(size) / least) / Math.log(most / least)))) : 3;
        return size < 0 ? 3 - step : 4 + step;
    };
    const colored = (value) => Array.from(sizes(value), ([at, size]) => [at, color(size, range(value))]);
    const found = (value) => differing(value).map((at) => [at, [0, 1, 2, 3, 4, 5, 6, 7].find((one) => drawn(one, one + 1).includes(at))]);
    const limits = ([least, most], unit) => [3, 2, 1, 0, 0, 1, 2, 3, 4].map((step) => amount(least * Math.pow(most / least, step / 4), unit));
    const legend = () => Array.from(document.querySelectorAll("#legend-difference .step"), (one) => one.textContent);
    is("... further, darker", colored(0), found(0));
    const ends = Array.from(sizes(0).values(), Math.abs);
    is("... from the least to the most", [true, true], [Math.abs(range(0)[0] / Math.max(Math.min(...ends), Math.max(...ends) / 1e4) - 1) < 5e-2, Math.abs(range(0)[1] / Math.max(...ends) - 1) < 5e-2]);
    is("... in five colors at least", true, new Set(colored(0).map((one) => one[1])).size >= 5);
    is("... as its legend says", limits(range(0), "B"), legend());
    const at = differing(0)[0], row = Math.floor(at / heat.side), column = at % heat.side, box = maps[2].getBoundingClientRect();
    maps[2].dispatchEvent(new PointerEvent("pointermove", { bubbles: true,
        clientX: box.left + box.width * (column + 0.5) / heat.side, clientY: box.top + box.height * (row + 0.5) / heat.side }));
    const by = (cells(1, 0).get(at) || 0) - (cells(0, 0).get(at) || 0);
    is("pointing there says by how much", true, document.querySelector(".tip").textContent.startsWith(amount(Math.abs(by), "B") + (by < 0 ? " less" : " more")));
    const status = document.getElementById("cell").textContent;
    is("... and what it was, for all three", [true, true, true], ["First: rank ", "Second: rank ", "What changed: rank "].map((text) => status.includes(text)));
    const value = document.querySelector("select[name=value]");
    value.value = "1";
    value.dispatchEvent(new Event("change"));
    is("messages: the cells whose number differs", differing(1), drawn(0, 8));
    is("... by how many", [colored(1), limits(range(1), "")], [found(1), legend()]);
    const counts = [...cells(0, 1).values(), ...cells(1, 1).values()], own = Array.from(document.querySelectorAll("#legend .limit"), (one) => one.textContent);
    is("... and the other maps keep to their own", [amount(Math.min(...counts), ""), amount(Math.max(...counts), "")], [own[0], own[own.length - 1]]);
    value.value = "0";
    value.dispatchEvent(new Event("change"));
    document.querySelector("button[aria-label='Zoom in']").click();
    is("all three zoom", 1, new Set(maps.map((map) => map.getAttribute("viewBox"))).size);
    finish();
});
