// SPDX-License-Identifier: BSD-3-Clause
// report-page.js - what report-page.tap does with a page of `report --html' in a browser: this is put at the end of a
// copy of the page, behind page-checks.js, reads its DOM, points, zooms and chooses.
"use strict";
window.addEventListener("load", () => {
    const { is, amount, rows, finish } = checks, report = JSON.parse(document.getElementById("report").textContent);
    const heat = JSON.parse(document.getElementById("heat").textContent);
    const has_gain = report.verdict.kind === "gain";

    // ---- what is in the tables is what is in the JSON ----
    is("the sentence", report.verdict.sentence, document.getElementById("sentence").textContent);
    is("the levels", report.levels.filter((level) => level.bytes[0] + level.bytes[1] + level.messages[0] + level.messages[1] > 0)
        .map((level) => [level.crossing, amount(level.bytes[0], "B"), amount(level.bytes[1], "B"), amount(level.messages[0], ""), amount(level.messages[1], "")]),
       rows("levels").map((row) => has_gain ? [row[0], row[2], row[3], row[5], row[6]] : [row[0], row[2], row[2], row[3], row[3]]));
    const tile = has_gain ? document.querySelector(".tile") : null;
    if (tile) {
        const level = report.levels.find((one) => "bytes " + one.crossing === tile.querySelector(".what").textContent);
        const width = (kind) => parseFloat(tile.querySelector("rect." + kind)?.getAttribute("width") ?? 0);
        const [before, after] = level?.bytes ?? [NaN, NaN], change = Math.round(100 * (after / before - 1));
        is("the first tile: what changes between nodes", [(change < 0 ? "" : "+") + change + " %", after < before],
            [tile.querySelector(".change").textContent, tile.querySelector(".change.less") !== null]);
        is("... a bar for each", true, Math.abs(width("after") / width("before") - Math.max(after / before, after && 0.004)) < 0.01);
    }
    is("the pairs of nodes", report.between_nodes.slice(0, 20).map((link) =>
        [report.nodes[link[0]][0], report.nodes[link[1]][0], amount(link[2], "B"), amount(link[3], "B")]),
       rows("links").map((row) => row.slice(0, 4)));
    is("the pairs of ranks", report.heaviest_pairs.map((pair) => [String(pair.ranks[0]), String(pair.ranks[1]), amount(pair.weight, "B") + (pair.alike ? " and " + pair.alike + " alike" : ""), pair.crossing, ...(pair.after ? [pair.after] : [])]),
       rows("pairs"));
    const used = new Map();
    for (const layer of heat.layers)
        for (let i = 0, at = 0; i < layer.cells[0].length; i += 3) {
            at += layer.cells[0][i];
            for (const place of [Math.floor(at / heat.side), at % heat.side])
                used.set(heat.rank_at[0][place], (used.get(heat.rank_at[0][place]) || 0) + layer.cells[0][i + 1]);
        }
    const amounts = Array.from(used.values()).sort((a, b) => b - a).map((bytes) => amount(bytes, "B"));
    is("the busiest ranks: the most first, the same only once", Array.from(new Set(amounts)).slice(0, 10), rows("ranks-bytes").slice(0, 10).map((row) => row[2]));
    is("the communicators", report.communicators.map((one) => [one.function, String(one.ranks)].concat(["p2p", "coll", "osc"].map((kind) =>
        one[kind].messages ? amount(one[kind].bytes, "B") + " in " + amount(one[kind].messages, "") : "none"))), rows("communicators"));

    // ---- the maps have all bytes and messages ----
    const total = [0, 0], recorded = [0, 0];
    for (const layer of heat.layers)
        for (let i = 0; i < layer.cells[0].length; i += 3) {
            total[0] += layer.cells[0][i + 1];
            total[1] += layer.cells[0][i + 2];
        }
    for (const level of report.levels) {
        recorded[0] += level.bytes[0];
        recorded[1] += level.messages[0];
    }
    is("the map has all bytes and messages", [1, 1], [0, 1].map((i) => Number((total[i] / recorded[i]).toFixed(3))));

    // ---- pointing, zooming, choosing ----
    const maps = Array.from(document.querySelectorAll(".map .heat"));
    const status = document.getElementById("cell"), tip = () => document.querySelector(".tip");
    is("two maps", has_gain ? 2 : 1, maps.length);
    is("which take keys from screen readers", true, maps.every((map) => map.getAttribute("role") === "application" && map.tabIndex === 0));
    function pointAt(map, row, column) {
        const box = map.getBoundingClientRect();
        map.dispatchEvent(new PointerEvent("pointermove", { bubbles: true,
            clientX: box.left + box.width * (column + 0.5) / heat.side, clientY: box.top + box.height * (row + 0.5) / heat.side }));
    }
    const first = heat.layers[0].cells[0], at = first[0];
    const row = Math.floor(at / heat.side), column = at % heat.side;
    pointAt(maps[0], row, column);
    is("pointing says the bytes and the ranks", true, tip().textContent.startsWith(amount(first[1], "B") + " in ") && !tip().hidden &&
        tip().textContent.includes("rank " + heat.rank_at[0][row] + " on ") && tip().textContent.includes("rank " + heat.rank_at[0][column] + " on "));
    is("... and to those who cannot see", true, status.textContent.includes("Launch order: rank " + heat.rank_at[0][row]));
    const box = () => maps.map((map) => map.getAttribute("viewBox"));
    const whole = "0 0 " + heat.side + " " + heat.side;
    document.querySelector("button[aria-label='Zoom in']").click();
    is("both maps zoom", [true, true], [box()[0] !== whole, box().every((one) => one === box()[0])]);
    const before = status.textContent;
    maps[0].dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
    is("an arrow key moves the cell", false, status.textContent === before);
    document.querySelector("button[aria-label='Show all']").click();
    is("all is shown again", [whole], Array.from(new Set(box())));

    // ---- the edges ----
    const edges = (map) => ["across", "down"].map((side) => Array.from(map.parentElement.querySelectorAll(".axis." + side + " text:not(.name)"), (text) => text.textContent));
    const names = (map) => Array.from(map.parentElement.querySelectorAll(".axis.across .name"), (text) => text.textContent);
    const where = document.querySelector(".where");
    is("the numbers at the edges are the ranks", maps.map((map, order) => [heat.rank_at[order].map(String), heat.rank_at[order].map(String)]), maps.map(edges));
    is("... under the names of their nodes", report.nodes.map((node) => node[0]), names(maps[0]));
    is("... nothing is said of a part", "", where.textContent);
    pointAt(maps[0], 0, 0);
    for (let i = 0; i < 2; i++)
        document.querySelector("button[aria-label='Zoom in']").click();
    const few = heat.side / 4;
    is("a part of the maps: its ranks", maps.map((map, order) => heat.rank_at[order].slice(0, few).map(String)), maps.map((map) => edges(map)[1].slice(0, few)));
    is("... and where it is", "Rows 0 to " + few + ", columns 0 to " + few + " of " + heat.ranks + "; the numbers are ranks", where.textContent);
    document.querySelector("button[aria-label='Show all']").click();
    const wheel = (keys) => maps[0].dispatchEvent(new WheelEvent("wheel", Object.assign({ deltaY: -100, bubbles: true, cancelable: true,
        clientX: maps[0].getBoundingClientRect().left + 9, clientY: maps[0].getBoundingClientRect().top + 9 }, keys)));
    document.activeElement.blur();
    is("the wheel scrolls the page over a map", [true, whole], [wheel({}), box()[0]]);
    is("... with Ctrl it zooms", [false, true], [wheel({ ctrlKey: true }), box()[0] !== whole]);
    maps[0].focus();
    is("... and in a map that has the focus", [false, true], [wheel({ deltaY: 100 }), box()[0] === whole]);
    maps[0].dispatchEvent(new KeyboardEvent("keydown", { key: "0", bubbles: true }));
    const drawn = () => document.querySelectorAll(".map .cells path[d^='M']").length, all = maps[0].querySelector(".cells").innerHTML;
    const kind = document.querySelector("select[name=kind]");
    kind.value = "1";
    kind.dispatchEvent(new Event("change"));
    is("only collectives", [true, true], [maps[0].querySelector(".cells").innerHTML !== all, drawn() > 0]);
    kind.value = "-1";
    kind.dispatchEvent(new Event("change"));
    is("all of it again", all, maps[0].querySelector(".cells").innerHTML);
    finish();
});
