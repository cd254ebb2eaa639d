// SPDX-License-Identifier: BSD-3-Clause
// page.js - what every page can do beyond being read: copying commands. No network, no storage, no HTML from data: texts
// are set as text.
"use strict";
(function () {
    function addCopyButton(pre) {
        if (!navigator.clipboard)
            return;
        const text = pre.textContent;
        const button = Object.assign(document.createElement("button"), { type: "button", className: "copy" });
        function show(word) {
            button.textContent = word;
            button.setAttribute("aria-label", word === "Copy" ? "Copy the command " + text : word);
        }
        show("Copy");
        button.addEventListener("click", () => navigator.clipboard.writeText(text).then(() => "Copied", () => "Not allowed").then((word) => {
            show(word);
            setTimeout(show, 1500, "Copy");
        }));
        pre.classList.add("copied");
        pre.append(button);
    }
    document.querySelectorAll(".commands pre").forEach(addCopyButton);
}());
