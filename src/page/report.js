// SPDX-License-Identifier: BSD-3-Clause
// report.js - what a report can do beyond being read: other parts of the traffic in the maps, zoom, what a cell is. The page
// is complete without it. No network, no storage, no HTML from data: texts are set as text.
"use strict";
(function () {
    const COLORS = 9, STEPS = 4, KINDS = ["point to point", "collectives", "one-sided"];
    const SVG = "http://www.w3.org/2000/svg";

    function element(name, properties, ...children) {
        const made = document.createElement(name);
        Object.assign(made, properties || {});
        made.append(...children);
        return made;
    }

    // ---- amounts, as the command writes them ----

    function amount(value, unit) {
        const prefix = ["", "k", "M", "G", "T", "P"];
        let i = 0;
        for (; value >= 1000 && i < 5; i++)
            value /= 1000;
        const number = value.toFixed(i ? 1 : 0);
        return unit || i ? number + " " + prefix[i] + unit : number;
    }

    // ---- the maps ----

    const source = document.getElementById("heat");
    if (!source)
        return;
    const heat = JSON.parse(source.textContent);
    const side = heat.side;
    const views = Array.from(document.querySelectorAll(".map"), (place) => ({
        place, svg: place.querySelector(".heat"), order: Number(place.dataset.order), cells: new Map(),
        range: "most" in place.dataset ? [Number(place.dataset.least), Number(place.dataset.most)] : null   // of a difference
    }));
    const choice = { kind: -1, phase: -1, group: -1, value: 0 };
    const shown = { x: 0, y: 0, size: side };   // which part of the maps is seen
    const cursor = { row: -1, column: -1 };

    // The cells of a map by number: [bytes, messages], of what is chosen.
    function countCells(order) {
        const cells = new Map();
        for (const layer of heat.layers) {
            if ((choice.kind >= 0 && layer.kind !== choice.kind) || (choice.phase >= 0 && layer.phase !== choice.phase) ||
                (choice.group >= 0 && layer.group !== choice.group))
                continue;
            const list = layer.cells[order];
            for (let i = 0, at = 0; i < list.length; i += 3) {
                at += list[i];
                const cell = cells.get(at);
                if (cell) {
                    cell[0] += list[i + 1];
                    cell[1] += list[i + 2];
                } else
                    cells.set(at, [list[i + 1], list[i + 2]]);
            }
        }
        return cells;
    }

    // What the second map has more than the first one.
    function countDifferences() {
        const cells = new Map();
        const add = (sign) => (cell, at) => {
            const sum = cells.get(at) || [0, 0];
            cells.set(at, [sum[0] + sign * cell[0], sum[1] + sign * cell[1]]);
        };
        views[0].cells.forEach(add(-1));
        views[1].cells.forEach(add(1));
        cells.forEach((cell, at) => {
            if (cell[0] === 0 && cell[1] === 0)
                cells.delete(at);
        });
        return cells;
    }

    // What the colors of a difference mean, from little to much, for less and for more.
    function rangeOfDifference(view) {
        if (choice.value === 0)
            return view.range;
        const sizes = Array.from(view.cells.values(), (cell) => Math.abs(cell[1])).filter((size) => size > 0);
        const most = sizes.reduce((a, b) => Math.max(a, b), 0), least = sizes.reduce((a, b) => Math.min(a, b), Infinity);
        return [Math.min(Math.max(least, most / 1e4), most / 2), most];
    }

    function stepOf(value, [least, most]) {
        const size = Math.abs(value);
        let step = STEPS - 1;
        if (most > least)
            step = size <= least ? 0 : Math.min(STEPS - 1, Math.floor(STEPS * Math.log(size / least) / Math.log(most / least)));
        return value < 0 ? STEPS - 1 - step : STEPS + step;
    }

    // What the colors mean: bytes keep those of the page; messages have their own.
    function range() {
        if (choice.value === 0)
            return [heat.least, heat.most];
        let least = Infinity, most = 0;
        for (const view of views.filter((one) => !one.range))
            for (const cell of view.cells.values()) {
                most = Math.max(most, cell[1]);
                least = Math.min(least, cell[1] || Infinity);
            }
        return [least < most ? Math.max(Math.min(least, most / 2), most / 1e6) : most, most];
    }

    function colorOf(value, [least, most]) {
        if (most <= least)
            return COLORS - 1;
        if (value <= least)
            return 0;
        return Math.min(COLORS - 1, Math.floor(COLORS * Math.log(value / least) / Math.log(most / least)));
    }

    function drawCells(view, limits) {
        const differs = view.range ? rangeOfDifference(view) : null;
        const paths = Array.from({ length: differs ? 2 * STEPS : COLORS }, () => []);
        for (const [at, cell] of view.cells) {
            if (differs && cell[choice.value] === 0)
                continue;
            paths[differs ? stepOf(cell[choice.value], differs) : colorOf(cell[choice.value], limits)].push("M" + at % side + " " + Math.floor(at / side) + "h1");
        }
        if (differs)
            drawSteps(differs);
        const group = view.svg.querySelector(".cells");
        group.replaceChildren(...paths.map((path, color) => {
            const made = document.createElementNS(SVG, "path");
            made.setAttribute("class", (differs ? "d" : "h") + color);
            made.setAttribute("d", path.join(""));
            return made;
        }));
    }

    function drawSteps([least, most]) {
        document.querySelectorAll("#legend-difference .step").forEach((text, i) => {
            const step = i < STEPS ? STEPS - 1 - i : i - STEPS;   // the last one is the end of the scale
            text.textContent = amount(i === 2 * STEPS ? most : least * Math.pow(most / least, step / STEPS), choice.value ? "" : "B");
        });
    }

    function drawLegend(limits) {
        const unit = choice.value ? "" : "B";
        const same = limits[1] <= limits[0];   // one color is enough
        document.querySelectorAll(".legend .color").forEach((part, color) => { part.hidden = same && color + 1 < COLORS; });
        document.querySelectorAll(".legend .several").forEach((part) => { part.hidden = same; });
        let before = null;   // labels that read the same are one
        document.querySelectorAll(".legend .limit").forEach((text, color) => {
            const here = amount(same ? limits[1] : limits[0] * Math.pow(limits[1] / limits[0], color / COLORS), unit);
            text.textContent = here === before && color < COLORS && !same ? "" : here;
            before = here;
        });
    }

    function draw() {
        for (const view of views)
            view.cells = view.range ? countDifferences() : countCells(view.order);
        const limits = range();
        for (const view of views)
            drawCells(view, limits);
        drawLegend(limits);
        drawEdges();
        describe();
    }

    const capital = (text) => text[0].toUpperCase() + text.slice(1);

    // ---- the right map and machine by another method ----

    const right = document.getElementById("machine-right");
    const machines = new Map(right ? [[1, right.firstElementChild]] : []);
    document.querySelectorAll(".machines .other").forEach((one) => { machines.set(Number(one.dataset.order), one.firstElementChild); });

    function showOrder(order) {
        const view = views[1], name = heat.maps[order];
        view.order = order;
        view.place.closest("figure").querySelector("figcaption").textContent = order === 1 ? caption : "By " + name;
        view.svg.setAttribute("aria-label", "Map of the bytes between " + heat.ranks + " places: " + name);
        if (machines.has(order)) {
            right.replaceChildren(machines.get(order));
            right.setAttribute("aria-label", "The machine with its traffic by " + name + "; the tables below have the numbers");
            right.closest("figure").querySelector("figcaption").textContent = order === 1 ? "Better order" : "By " + name;
        }
    }
    const caption = views[1] ? views[1].place.closest("figure").querySelector("figcaption").textContent : "";

    // ---- which ranks a cell is of ----

    function nodeAt(position) {
        let low = 0, high = heat.nodes.length;
        while (high - low > 1) {
            const middle = (low + high) >> 1;
            if (heat.nodes[middle][0] <= position)
                low = middle;
            else
                high = middle;
        }
        return heat.nodes.length ? heat.nodes[low][1] : -1;
    }

    const report = JSON.parse(document.getElementById("report").textContent);
    function placesOf(order, index) {
        const first = index * heat.bin, last = Math.min(first + heat.bin, heat.ranks) - 1;
        const ranks = heat.rank_at[order] ? heat.rank_at[order].slice(first, last + 1) : null;
        const from = nodeAt(first), to = nodeAt(last);
        let text;
        if (ranks && ranks.length === 1)
            text = "rank " + ranks[0];
        else if (ranks && ranks.length <= 8)
            text = "ranks " + ranks.slice().sort((a, b) => a - b).join(", ");
        else
            text = (last - first + 1) + " ranks at places " + first + " to " + last;
        if (from >= 0)
            text += " on " + report.nodes[from][0] + (to === from ? "" : " to " + report.nodes[to][0]);
        return text;
    }

    const change = (value, unit) => amount(Math.abs(value), unit) + (value < 0 ? " less" : " more");
    function textOf(view, row, column) {
        const cell = view.cells.get(row * side + column);
        if (view.range)
            return { what: cell ? change(cell[0], "B") + ", " + change(cell[1], "") + " messages" : "no change",
                     where: placesOf(0, row) + " to " + placesOf(0, column) };
        const what = cell ? amount(cell[0], "B") + " in " + amount(cell[1], "") + (cell[1] === 1 ? " message" : " messages") : "no messages";
        return { what, where: placesOf(view.order, row) + " to " + placesOf(view.order, column) };
    }

    // ---- the cursor: of the mouse, and of the arrow keys ----

    const tip = element("div", { className: "tip", hidden: true });
    const status = document.getElementById("cell");
    document.body.append(tip);

    function markCell(view) {
        view.svg.querySelector(".mark")?.remove();
        if (cursor.row < 0)
            return;
        const mark = document.createElementNS(SVG, "rect");
        for (const [key, value] of Object.entries({ class: "mark", x: cursor.column, y: cursor.row, width: 1, height: 1 }))
            mark.setAttribute(key, value);
        view.svg.append(mark);
    }

    function describe() {
        views.forEach(markCell);
        if (cursor.row < 0)
            return;
        status.textContent = views.map((view) => {
            const text = textOf(view, cursor.row, cursor.column);
            return capital(view.range ? "what changed" : heat.maps[view.order]) + ": " + text.where + ": " + text.what + ". ";
        }).join("");
    }

    function showTip(view, event) {
        const text = textOf(view, cursor.row, cursor.column);
        tip.replaceChildren(element("b", { textContent: text.what }), text.where);
        tip.hidden = false;
        const box = tip.getBoundingClientRect();
        tip.style.left = Math.max(4, Math.min(event.clientX + 16, innerWidth - box.width - 8)) + "px";
        tip.style.top = (event.clientY + box.height + 24 > innerHeight ? event.clientY - box.height - 14 : event.clientY + 16) + "px";
    }

    function cellUnder(view, event) {
        const box = view.svg.getBoundingClientRect();
        const at = (offset, size, start) => Math.floor(start + offset / size * shown.size);
        return { column: at(event.clientX - box.left, box.width, shown.x), row: at(event.clientY - box.top, box.height, shown.y) };
    }

    function point(view, event) {
        const { row, column } = cellUnder(view, event);
        if (row < 0 || column < 0 || row >= side || column >= side)
            return;
        Object.assign(cursor, { row, column });
        describe();
        showTip(view, event);
    }

    // ---- numbers and names at the edges, as the command writes them, of what is shown ----

    const LABELLED = 20, MOST_TICKS = 8, LEAST_TICKS = 4;
    const node = (index) => report.nodes[index][0];

    function stepOfTicks(places) {
        let step = heat.unit || 1;
        if (!heat.unit)
            for (let ten = 1, i = 0; places / step > MOST_TICKS; i = (i + 1) % 3) {
                step = ten * [2, 5, 10][i];
                ten *= i === 2 ? 10 : 1;
            }
        while (places / step > MOST_TICKS)
            step *= 2;
        while (heat.unit && step % 2 === 0 && places / step < LEAST_TICKS)
            step /= 2;
        return step;
    }

    const ranksOf = (view) => heat.rank_at[view.range ? 0 : view.order];
    const namesRanks = (view) => heat.bin === 1 && shown.size <= LABELLED && ranksOf(view) !== undefined;

    // The numbers of an edge: [place in cells, text].
    function numbersOf(view, start) {
        const end = start + shown.size, ranks = namesRanks(view), step = ranks ? 1 : stepOfTicks(shown.size * heat.bin);
        const numbers = [], middle = ranks ? 0.5 : 0;
        for (let place = Math.ceil(start * heat.bin / step - middle) * step; place + middle < Math.min(end * heat.bin, heat.ranks); place += step)
            numbers.push([place / heat.bin + middle, ranks ? ranksOf(view)[place] : place]);
        return numbers;
    }

    // The names of the nodes at an edge, or none if one has no room.
    function namesOf(start, edge) {
        const end = start + shown.size, names = [];
        if (heat.nodes.length < 2 || heat.nodes.length > 4096)
            return names;
        for (const [i, [place, index]] of heat.nodes.entries()) {
            const from = Math.max(start, place / heat.bin), to = Math.min(end, (heat.nodes[i + 1]?.[0] ?? heat.ranks) / heat.bin);
            if (from >= to)
                continue;
            if (7 * node(index).length + 10 > edge * (to - from) / shown.size) {
                if (from > start && to < end)
                    return [];   // a node that is shown whole
                continue;
            }
            names.push([(from + to) / 2, node(index)]);
        }
        return names;
    }

    function drawEdge(view, is_down, start) {
        const svg = view.place.querySelector(is_down ? ".axis.down" : ".axis.across"), edge = view.svg.getBoundingClientRect().width;
        const percent = (at) => 100 * (at - start) / shown.size + "%";
        const text = (properties, content) => {
            const made = document.createElementNS(SVG, "text");
            for (const [key, value] of Object.entries(properties))
                made.setAttribute(key, value);
            made.textContent = content;
            return made;
        };
        const names = namesOf(start, edge).map(([at, name]) => {
            if (!is_down)
                return text({ class: "name", x: percent(at), y: 11 }, name);
            const turned = document.createElementNS(SVG, "svg");
            turned.setAttribute("y", percent(at));
            turned.setAttribute("overflow", "visible");
            turned.append(text({ class: "name", x: 0, y: 11, transform: "rotate(-90)" }, name));
            return turned;
        });
        svg.classList.toggle("named", heat.nodes.length > 1);   // whatever is shown, so that maps keep their size
        svg.classList.remove("long");
        svg.replaceChildren(...names, ...numbersOf(view, start).map(([at, number]) => text(Object.assign(at === start ? { class: "first" } : {},
            is_down ? { x: "100%", dx: -5, y: percent(at) } : { x: percent(at), y: "100%", dy: -4 }), number)));
    }

    function drawEdges() {
        const is_whole = shown.size === side;
        const span = (start) => Math.floor(start * heat.bin) + " to " + (Math.min(Math.ceil((start + shown.size) * heat.bin), heat.ranks) - 1);
        for (const view of views) {
            drawEdge(view, false, shown.x);
            drawEdge(view, true, shown.y);
        }
        where.textContent = is_whole ? "" : "Rows " + span(shown.y) + ", columns " + span(shown.x) + " of " + heat.ranks +
            (views.every(namesRanks) ? "; the numbers are ranks" : "");
    }

    // ---- zoom ----

    function look() {
        shown.size = Math.min(side, Math.max(Math.min(4, side), shown.size));
        shown.x = Math.min(side - shown.size, Math.max(0, shown.x));
        shown.y = Math.min(side - shown.size, Math.max(0, shown.y));
        for (const view of views) {
            view.svg.setAttribute("viewBox", [shown.x, shown.y, shown.size, shown.size].join(" "));
            view.svg.querySelector(".cells").classList.toggle("near", shown.size <= 400);
            view.svg.classList.toggle("part", shown.size <= side / 3);
        }
        drawEdges();
    }

    function zoom(factor, x, y) {
        const size = Math.min(side, Math.max(Math.min(4, side), shown.size * factor));
        shown.x = x - (x - shown.x) * size / shown.size;
        shown.y = y - (y - shown.y) * size / shown.size;
        shown.size = size;
        look();
    }

    function zoomAtCursor(factor) {
        const has = cursor.row >= 0;
        zoom(factor, has ? cursor.column + 0.5 : shown.x + shown.size / 2, has ? cursor.row + 0.5 : shown.y + shown.size / 2);
    }

    function followCursor() {
        shown.x = Math.min(cursor.column, Math.max(shown.x, cursor.column + 1 - shown.size));
        shown.y = Math.min(cursor.row, Math.max(shown.y, cursor.row + 1 - shown.size));
        look();
    }

    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    function press(event) {
        const step = steps[event.key];
        if (step) {
            const far = event.shiftKey ? 10 : 1;
            cursor.row = Math.min(side - 1, Math.max(0, cursor.row + far * step[0]));
            cursor.column = Math.min(side - 1, Math.max(0, cursor.column + far * step[1]));
            followCursor();
            describe();
        } else if (event.key === "+" || event.key === "-")
            zoomAtCursor(event.key === "+" ? 0.5 : 2);
        else if (event.key === "0")
            zoom(side, 0, 0);
        else
            return;
        event.preventDefault();
    }

    let drag = null;
    function connect(view) {
        view.place.classList.add("live");
        view.svg.setAttribute("tabindex", "0");
        view.svg.setAttribute("role", "application");   // screen readers leave its keys to it
        view.svg.setAttribute("aria-describedby", "cell");
        view.svg.addEventListener("keydown", press);
        view.svg.addEventListener("pointermove", (event) => {
            if (drag && !event.buttons)
                drag = null;   // released outside of the window
            if (drag) {
                const scale = shown.size / view.svg.getBoundingClientRect().width;
                shown.x = drag.x - (event.clientX - drag.clientX) * scale;
                shown.y = drag.y - (event.clientY - drag.clientY) * scale;
                look();
            }
            point(view, event);
        });
        view.svg.addEventListener("pointerdown", (event) => {
            view.svg.focus({ preventScroll: true, focusVisible: false });
            drag = { x: shown.x, y: shown.y, clientX: event.clientX, clientY: event.clientY };
        });
        view.svg.addEventListener("pointerleave", () => { tip.hidden = true; });
        view.svg.addEventListener("wheel", (event) => {
            if (!event.ctrlKey && !event.metaKey && document.activeElement !== view.svg)
                return;   // the page scrolls, unless the map was chosen before
            event.preventDefault();
            const { row, column } = cellUnder(view, event);
            zoom(event.deltaY > 0 ? 1.25 : 0.8, column + 0.5, row + 0.5);
        }, { passive: false });
    }
    for (const end of ["pointerup", "pointercancel"])
        window.addEventListener(end, () => { drag = null; });

    // ---- controls ----

    function addChoice(form, key, label, options) {
        if (options.length < 2)
            return;
        const select = element("select", { name: key });
        for (const [value, text] of options)
            select.append(element("option", { value, textContent: text }));
        select.addEventListener("change", () => {
            if (key === "right")
                showOrder(Number(select.value));
            else
                choice[key] = Number(select.value);
            draw();
        });
        form.append(element("label", {}, label, select));
    }

    // What the layers tell apart by a key, in order.
    function valuesOf(key) {
        return Array.from(new Set(heat.layers.map((layer) => layer[key]))).filter((value) => value >= 0).sort((a, b) => a - b);
    }
    function optionsOf(key, text) {
        const values = valuesOf(key);
        return values.length < 2 ? [] : [[-1, "all"], ...values.map((value) => [value, text(value)])];
    }

    const form = document.getElementById("controls");
    addChoice(form, "kind", "Traffic", optionsOf("kind", (value) => KINDS[value]));
    addChoice(form, "phase", "Phase", optionsOf("phase", (value) => value ? "phase " + value : "outside phases"));
    addChoice(form, "group", "Communicator", optionsOf("group", (value) => heat.groups[value]));
    addChoice(form, "right", "Right map", heat.maps.slice(1).map((name, i) => [i + 1, name]));
    addChoice(form, "value", "Colors by", [[0, "bytes"], [1, "messages"]]);
    const buttons = [["+", "Zoom in", () => zoomAtCursor(0.5)], ["\u2212", "Zoom out", () => zoomAtCursor(2)], ["All", "Show all", () => zoom(side, 0, 0)]];
    const where = element("output", { className: "where" });   // what is shown of the maps
    form.append(element("span", { className: "zoom" }, where, ...buttons.map(([text, label, act]) => {
        const button = element("button", { type: "button", textContent: text, title: label });
        button.setAttribute("aria-label", label);
        button.addEventListener("click", act);
        return button;
    })));
    form.addEventListener("submit", (event) => event.preventDefault());
    views.forEach(connect);
    document.querySelectorAll(".needs-script").forEach((part) => { part.hidden = false; });
    window.addEventListener("resize", drawEdges);
    draw();
}());
