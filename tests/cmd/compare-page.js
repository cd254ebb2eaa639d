// SPDX-License-Identifier: BSD-3-Clause
// compare-page.js - what compare-page.tap does with a page of `compare --html' in a browser, behind page-checks.js and the JSON
// of the same comparison: numbers are those of the JSON; sorting and choosing of rows.
"use strict";
window.addEventListener("load", () => {
    const { is, number, rows, finish } = checks, compare = window.compareJson;
    const text = (id) => document.getElementById(id)?.textContent;
    const three = (value) => value === null ? "-" : value.toFixed(3);
    is("the sentence", compare.sentence + ".", text("sentence"));
    is("the methods", compare.methods.map((one) => [one.name, String(one.cases), String(one.lowest_cost_in), three(one.median), three(one.least), three(one.most)]),
       rows("methods").map((row) => [row[0], row[1], row[2], row[4], row[5], row[6]]));
    is("the pairs of methods", compare.ratios.map((one) => [compare.methods[one.method].name + " / " + compare.methods[one.over].name, String(one.cases),
        (100 * one.above_1).toFixed(1) + " %", three(one.median), three(one.mean), three(one.least), three(one.most)]),
       rows("ratios").map((row) => [row[0], row[1], row[2], row[5], row[6], row[7], row[8]]));
    const names = ["patterns", "machines", "methods"].map((key) => compare[key].map((one) => one.name));
    const all = rows("cases");
    is("a row for each", compare.rows.map((row) => [names[0][row[0]], names[1][row[1]], names[2][row[2]], String(row[5])]), all.map((row) => row.slice(0, 4)));
    const cost = (value) => value === null ? "-" : number(value);
    is("... with its cost", compare.rows.map((row) => cost(row[6])), all.map((row) => row[4]));
    is("the patterns", compare.patterns.map((one) => [one.name, one.is_generated ? "generated" : "recorded, or read from a file"]), rows("patterns").map((row) => row.slice(0, 2)));
    is("the machines", names[1], rows("machines").map((row) => row[0]));

    // The bars of the methods: on one logarithmic axis.
    const at = (one, name) => parseFloat(one.getAttribute(name));
    const places = Array.from(document.querySelectorAll("#methods svg"), (svg) => at(svg.querySelector(".mean"), "x1"));
    const medians = compare.methods.map((one) => Math.log(one.median));
    const [low, high] = [medians.indexOf(Math.min(...medians)), medians.indexOf(Math.max(...medians))];
    const expected = medians.map((one) => places[low] + (one - medians[low]) / (medians[high] - medians[low]) * (places[high] - places[low]));
    is("the medians are drawn where they are", [], places.filter((place, i) => Math.abs(place - expected[i]) > 0.05));

    // Sorting, by numbers with units and by names; twice: the other way around.
    const table = document.getElementById("cases"), heads = Array.from(table.tHead.rows[0].cells);
    const column = (title) => heads.findIndex((head) => head.textContent === title);
    const press = (title) => heads[column(title)].querySelector("button").click();
    const shown = (title) => rows("cases").map((row) => row[column(title)]);
    const costs = compare.rows.map((row) => row[6]).filter((cost) => cost !== null).sort((a, b) => a - b);
    press("cost");
    is("sorted by cost", [], shown("cost").slice(0, costs.length).filter((shown, i) => shown !== cost(costs[i])));
    is("... what is not known comes last", compare.rows.length - costs.length, shown("cost").slice(costs.length).filter((cost) => cost === "-").length);
    is("... and it says so", "ascending", heads[column("cost")].getAttribute("aria-sort"));
    press("cost");
    is("... downwards", [cost(costs[costs.length - 1]), "descending"],
       [shown("cost")[0], heads[column("cost")].getAttribute("aria-sort")]);
    const seconds = (text) => parseFloat(text) * { s: 1, ms: 1e-3, us: 1e-6, ns: 1e-9 }[text.split(" ")[1]];
    ["1.5 s", "900 us", "2 ms"].forEach((time, row) => { table.tBodies[0].rows[row].cells[column("mapped in")].textContent = time; });
    press("mapped in");
    const times = shown("mapped in").filter((one) => one !== "-").map(seconds);
    is("sorted by time", true, times.every((time, i) => i === 0 || times[i - 1] <= time * 1.0001));
    press("method");
    is("sorted by name", true, shown("method").every((name, i, all) => i === 0 || all[i - 1].localeCompare(name, "en", { numeric: true }) <= 0));

    // Choosing.
    const input = document.querySelector("input[type=search]"), visible = () => Array.from(table.tBodies[0].rows).filter((row) => !row.hidden);
    input.value = "packed ring";
    input.dispatchEvent(new Event("input"));
    const wanted = compare.rows.filter((row) => names[2][row[2]] === "packed" && names[0][row[0]].includes("ring")).length;
    is("rows with both words", [wanted, wanted + " of " + compare.rows.length + " rows"], [visible().length, document.querySelector("form [role=status]").textContent]);
    input.value = "";
    input.dispatchEvent(new Event("input"));
    is("all of them again", compare.rows.length, visible().length);
    is("fields have labels", [], Array.from(document.querySelectorAll("input")).filter((one) => !one.labels.length).map((one) => one.type));
    finish();
});
