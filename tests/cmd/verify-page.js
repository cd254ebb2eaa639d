// SPDX-License-Identifier: BSD-3-Clause
// verify-page.js - what verify-page.tap does with a page of `verify --html' in a browser, behind page-checks.js: its numbers
// are those of its JSON.
"use strict";
window.addEventListener("load", () => {
    const { is, rows, finish } = checks, verify = JSON.parse(document.getElementById("verify").textContent);
    const text = (id) => document.getElementById(id)?.textContent;
    const percent = (value) => (value < 0 ? "-" : "+") + Math.abs(100 * value).toFixed(1) + " %";
    is("the sentence", verify.sentence + ".", text("sentence"));
    const least = Math.min(...verify.pairs.flatMap((pair) => pair.slice(0, 2)));
    const inUnit = (value, unit) => (value < 99.95 ? String(Number(value.toPrecision(3))) : value.toFixed(0)) + unit;
    const seconds = (s) => least >= 0.1 ? s.toFixed(4) : s >= 0.9995 ? inUnit(s, " s") : s >= 0.9995e-3 ? inUnit(1e3 * s, " ms") : inUnit(1e6 * s, " us");
    is("the pairs", verify.pairs.map(([without, with_it, gain], i) =>
        [String(i + 1), "", seconds(without), seconds(with_it), percent(gain)]), rows("pairs"));
    is("what the job prints", verify.output.sentence + ".", text("output"));
    is("... before the gain, if it is something else", verify.output.kind === "other" ? verify.output.sentence + "." : undefined, text("changes"));
    is("... and the lines that differ", verify.output.stream ? [verify.output.line_without ?? "no such line", verify.output.line_with ?? "no such line"] : [],
        rows("lines").map((row) => row[1]));

    const pairs = document.getElementById("pairs");
    is("all columns of the pairs are seen, also in a small window", true, pairs.scrollWidth <= pairs.parentElement.clientWidth);
    is("... and more pairs than there is room for scroll", false, getComputedStyle(pairs.parentElement).maxHeight === "none");

    // The first tile: what was measured.
    const tile = document.querySelector(".tile"), [without, with_it] = verify.mean_seconds;
    const width = (kind) => parseFloat(tile.querySelector("rect." + kind).getAttribute("width"));
    is("a tile has the gain", [percent(-verify.gain.mean), verify.verdict === "faster"],
        [tile.querySelector(".change").textContent, tile.querySelector(".change.less") !== null]);
    is("... and a bar for each", true, Math.abs(width("after") / width("before") - with_it / without) < 0.01);

    // The interval is where the numbers are: places by the ticks of the axis.
    const chart = document.querySelector(".chart"), at = (one, name) => parseFloat(one.getAttribute(name));
    const ticks = Array.from(chart.querySelectorAll("text"), (one) => [parseFloat(one.textContent) / 100, at(one, "x")]);
    const [first, last] = [ticks[0], ticks[ticks.length - 1]];
    const value = (x) => first[0] + (x - first[1]) / (last[1] - first[1]) * (last[0] - first[0]);
    const near = (a, b) => Math.abs(a - b) < 0.01 * (last[0] - first[0]);
    const bar = chart.querySelector("rect.after"), x = at(bar, "x");
    is("the interval is drawn where it is", [true, true],
        [near(value(x), verify.gain.low), near(value(x + at(bar, "width")), verify.gain.high)]);
    is("... its mean", true, near(value(at(chart.querySelector(".mean"), "x1")), verify.gain.mean));
    is("... and zero", true, near(value(at(chart.querySelector(".zero"), "x1")), 0));
    const dots = Array.from(chart.querySelectorAll("circle"), (one) => value(at(one, "cx")));
    is("a dot for each pair", true, dots.length === verify.pairs.length && verify.pairs.every((pair, i) => near(dots[i], pair[2])));
    is("... which those hear who cannot see it", true, chart.getAttribute("aria-label").includes(percent(verify.gain.mean)));
    finish();
});
