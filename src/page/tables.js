// SPDX-License-Identifier: BSD-3-Clause
// tables.js - a table of the class `sortable' can be sorted by any of its columns, and its rows chosen by words. The page is
// complete without it.
"use strict";
(function () {
    const PREFIX = { "": 1, n: 1e-9, u: 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 };

    // The number that a text as the command writes it begins with ("12.5 ms"); NaN: it is none.
    function numberOf(text) {
        const parts = /^([-+]?[\d.]+(?:e[-+]?\d+)?)(?: ([numkMGTPE]?)(?:s|B|%)?)?$/.exec(text);
        return parts ? Number(parts[1]) * PREFIX[parts[2] || ""] : NaN;
    }

    // Ascending; what is no number comes last, in the order of its letters.
    function compare(a, b) {
        if (isNaN(a.number) !== isNaN(b.number))
            return isNaN(a.number) ? 1 : -1;
        return isNaN(a.number) ? a.text.localeCompare(b.text, "en", { numeric: true }) : a.number - b.number;
    }

    function sort(table, column, down) {
        const body = table.tBodies[0];
        const rows = Array.from(body.rows, (row, at) => {
            const text = row.cells[column].textContent.trim();
            return { row, at, text, number: numberOf(text) };
        });
        rows.sort((a, b) => {
            const unknown = (a.text === "-") - (b.text === "-");   // last in both directions
            return unknown || (down ? compare(b, a) : compare(a, b)) || a.at - b.at;
        });
        body.append(...rows.map((one) => one.row));
    }

    function addSorting(table) {
        const heads = Array.from(table.tHead.rows[0].cells);
        heads.forEach((head, column) => {
            const button = document.createElement("button");
            button.type = "button";
            button.className = "sort";
            button.textContent = head.textContent;
            button.addEventListener("click", () => {
                const down = head.getAttribute("aria-sort") === "ascending";
                heads.forEach((one) => one.removeAttribute("aria-sort"));
                head.setAttribute("aria-sort", down ? "descending" : "ascending");
                sort(table, column, down);
            });
            head.replaceChildren(button);
        });
    }

    function addChoosing(table) {
        const form = document.querySelector("form[data-table=" + table.id + "]");
        const input = document.createElement("input"), count = document.createElement("span"), label = document.createElement("label");
        const texts = Array.from(table.tBodies[0].rows, (row) => [row, row.textContent.toLowerCase()]);
        input.type = "search";
        input.placeholder = "words of a row";
        label.append("Only rows with", input);
        count.setAttribute("role", "status");
        form.append(label, count);
        form.addEventListener("submit", (event) => event.preventDefault());
        input.addEventListener("input", () => {
            const words = input.value.toLowerCase().split(/\s+/);
            let shown = 0;
            for (const [row, text] of texts) {
                row.hidden = !words.every((word) => text.includes(word));
                shown += !row.hidden;
            }
            count.textContent = shown + " of " + texts.length + " rows";
        });
        form.hidden = false;
    }

    for (const table of document.querySelectorAll("table.sortable")) {
        addChoosing(table);   // before there are buttons in it
        addSorting(table);
    }
}());
