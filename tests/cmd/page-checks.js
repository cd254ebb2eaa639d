// SPDX-License-Identifier: BSD-3-Clause
// page-checks.js - for the tests of pages in a browser (browser.sh), before the script of a test: `is' compares, and
// `finish' checks what holds for every page, and leaves lines `ok' or `not ok' in the document.
"use strict";
const checks = (() => {
    const lines = [];
    function is(name, expected, found) {
        const same = JSON.stringify(expected) === JSON.stringify(found);
        lines.push((same ? "ok " : "not ok ") + name + (same ? "" : ": expected " + JSON.stringify(expected) + ", found " + JSON.stringify(found)));
    }
    function amount(value, unit) {
        let i = 0;
        for (; value >= 1000 && i < 5; i++)
            value /= 1000;
        return (value.toFixed(i ? 1 : 0) + (unit || i ? " " : "") + ["", "k", "M", "G", "T", "P"][i] + unit);
    }
    function number(value) {
        let i = 0;
        for (; value >= 999.995 && i < 6; i++)
            value /= 1000;
        return i ? value.toPrecision(5) + " " + ["k", "M", "G", "T", "P", "E"][i - 1] : String(Number(value.toPrecision(5)));
    }
    const rows = (id) => Array.from(document.querySelectorAll("#" + id + " tbody tr"), (row) =>
        Array.from(row.cells, (cell) => cell.textContent.trim()));

    function finish() {
        // Who cannot see, or has no mouse.
        is("everything that is clicked has a name", [], Array.from(document.querySelectorAll("button, select, a, input"))
            .filter((one) => !(one.textContent.trim() || one.getAttribute("aria-label") || one.labels?.length)).map((one) => one.outerHTML));
        is("every choice has a label", [], Array.from(document.querySelectorAll("select")).filter((one) => !one.labels.length).map((one) => one.name));
        is("every picture has a name", [], Array.from(document.querySelectorAll("[role=img]")).filter((one) => !one.getAttribute("aria-label")).map((one) => one.outerHTML.slice(0, 60)));
        is("every table has headings", [], Array.from(document.querySelectorAll("table")).filter((one) => !one.querySelector("th[scope=col]")).map((one) => one.id));
        is("every section is named by its heading", [], Array.from(document.querySelectorAll("section")).filter((one) => !document.getElementById(one.getAttribute("aria-labelledby"))).map((one) => one.outerHTML.slice(0, 60)));
        const ids = Array.from(document.querySelectorAll("[id]"), (one) => one.id);
        is("no id twice", ids.length, new Set(ids).size);
        is("the language, a title, one main part", ["en", true, 1], [document.documentElement.lang, document.title.length > 9, document.querySelectorAll("main").length]);
        const headings = Array.from(document.querySelectorAll("h1, h2, h3, h4, h5, h6"), (one) => Number(one.tagName[1]));
        is("one first heading, and no level is left out", [1, []], [headings.filter((level) => level === 1).length,
            headings.filter((level, i) => level > (i ? headings[i - 1] : 0) + 1)]);
        is("what a name or description refers to is there", [], Array.from(document.querySelectorAll("[aria-labelledby], [aria-describedby]"))
            .flatMap((one) => [one.getAttribute("aria-labelledby"), one.getAttribute("aria-describedby")]).filter((id) => id && !document.getElementById(id)));
        is("every drawing is hidden from screen readers, or has a name", [], Array.from(document.querySelectorAll("body svg")).filter((one) =>
            !one.closest("[aria-hidden=true], [role=img][aria-label], [hidden]") && !(one.getAttribute("role") && one.getAttribute("aria-label"))).map((one) => one.outerHTML.slice(0, 60)));
        is("every figure has a caption, or its picture a name", [], Array.from(document.querySelectorAll("figure")).filter((one) => !one.querySelector("figcaption, [role=img][aria-label]")).map((one) => one.outerHTML.slice(0, 60)));
        is("every table is named", [], Array.from(document.querySelectorAll("table")).filter((one) => !one.caption && !one.closest("[aria-labelledby], [aria-label]")).map((one) => one.id));
        is("what scrolls can be scrolled by keys, and has a name", [], Array.from(document.querySelectorAll("body *")).filter((one) =>
            /auto|scroll/.test(getComputedStyle(one).overflowX) && (one.tabIndex < 0 || !(one.getAttribute("aria-label") || one.getAttribute("aria-labelledby")))).map((one) => one.outerHTML.slice(0, 60)));

        // The keyboard: from top to bottom, and one sees where it is.
        const focusable = Array.from(document.querySelectorAll("a[href], button, select, input, [tabindex]")).filter((one) => one.tabIndex >= 0 && !one.closest("[hidden]"));
        is("the order of the keyboard is that of the page", [], focusable.filter((one) => one.tabIndex > 0).map((one) => one.outerHTML.slice(0, 60)));
        is("the first is the way to the main part", "#main", focusable[0].getAttribute("href"));
        is("the window has the focus", true, top.document.hasFocus());
        is("the focus is seen", [], focusable.filter((one) => {
            one.focus();
            const style = getComputedStyle(one);
            return document.activeElement !== one || style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2;
        }).map((one) => one.outerHTML.slice(0, 60)));
        document.activeElement.blur();
        is("what is clicked is large enough", [], Array.from(document.querySelectorAll("button, select")).filter((one) => {
            const size = one.getBoundingClientRect();
            return size.width > 0 && (size.height < 24 || size.width < 24);
        }).map((one) => one.outerHTML.slice(0, 60)));

        // In a small window a table scrolls rather than break a word, however narrow it would have to be.
        const broken = new Set(), squeezed = innerWidth < 760 ? document.querySelectorAll(".scroll table") : [];
        squeezed.forEach((one) => { one.style.width = "1px"; });
        document.querySelectorAll("td, th").forEach((one) => {
            if (one.closest("[hidden]"))
                return;
            const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
            for (let text; (text = texts.nextNode());)
                for (const word of text.data.matchAll(/(?<=^|\s)([a-zA-Z][a-zA-Z0-9]{0,19},?)(?=\s|$)/g)) {
                    const range = document.createRange();
                    range.setStart(text, word.index);
                    range.setEnd(text, word.index + word[0].length);
                    if (new Set(Array.from(range.getClientRects(), (box) => Math.round(box.top))).size > 1)
                        broken.add(word[0]);
                }
        });
        squeezed.forEach((one) => { one.style.width = ""; });
        is("no word of a table is broken", [], Array.from(broken));
        is("a window of 400 or 1200 pixels", true, [400, 1200].includes(innerWidth));
        is("nothing is wider than the window", true, document.documentElement.scrollWidth <= innerWidth);

        // Colors: what is read against what is behind it, by WCAG 2: 4.5 at least.
        const luminance = (color) => color.match(/[\d.]+/g).slice(0, 3).map((part) => part / 255)
            .map((part) => part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4))
            .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
        function behind(one) {
            for (; one; one = one.parentElement) {
                const color = getComputedStyle(one).backgroundColor;
                if (!/, 0\)$|transparent/.test(color))
                    return color;
            }
            return "rgb(255, 255, 255)";
        }
        const weak = new Set();
        document.querySelectorAll("body *").forEach((one) => {
            if (one.closest("svg, script, style, [hidden]") || !Array.from(one.childNodes).some((child) => child.nodeType === 3 && child.textContent.trim()))
                return;
            const [a, b] = [luminance(getComputedStyle(one).color), luminance(behind(one))].sort((x, y) => y - x);
            if ((a + 0.05) / (b + 0.05) < 4.5)
                weak.add(one.tagName + "." + one.className);
        });
        is("all text has contrast", [], Array.from(weak));
        is("nothing was loaded", 0, performance.getEntriesByType("resource").length);
        const results = document.createElement("pre");
        results.id = "results";
        results.textContent = "\n" + lines.join("\n") + "\n";
        document.body.append(results);
    }
    return { is, amount, number, rows, finish };
})();
