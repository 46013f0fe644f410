// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// Elements. Text is never markup: it becomes text nodes, and each value from a record stands in <bdi>.

/// An element. Attributes: `class`, `onclick` and the like are set as such; true, false and null as usual; `text` is
/// its text. Children: nodes, texts, lists of them; null is left out.
export function h(name, attributes = {}, ...children) {
    return fill(document.createElement(name), attributes, children);
}

/// An element of a drawing.
export function svg(name, attributes = {}, ...children) {
    return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(element, attributes, children) {
    for (const [key, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
        else if (key === "text") element.textContent = value;
        else element.setAttribute(key, value === true ? "" : value);
    }
    element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
    return element;
}

/// A value in a text of either direction.
export const bdi = text => h("bdi", { text });

/// Gives an element new children, if they differ in text or kind from those it has.
export function replace(element, ...children) {
    const next = h("div", {}, ...children);
    if (element.childNodes.length === next.childNodes.length
        && [...element.childNodes].every((child, index) => child.isEqualNode(next.childNodes[index]))
        && !next.querySelector("button, a, input, select")) return;
    element.replaceChildren(...next.childNodes);
}

/// Gives an element new children. Those that look the same stay, so that focus, a click under way and open parts do.
/// Listeners of a child that stays must do the same as those of its successor.
export function renew(element, children) {
    const next = children.flat(Infinity).filter(Boolean);
    next.forEach((child, index) => {
        const before = element.children[index];
        if (!before) element.append(child);
        else if (before !== child && before.localName === "ul" && child.localName === "ul" && before.className === child.className) renew(before, [...child.children]);
        else if (before !== child && !before.isEqualNode(child)) before.replaceWith(child);
    });
    while (element.children.length > next.length) element.lastElementChild.remove();
}

/// Writes a text only if it differs, so that a reader is not told it again.
export function setText(element, text) {
    if (element.textContent !== text) element.textContent = text;
}

/// A web address that may be followed; null for any other.
export function webAddress(text) {
    try {
        const address = new URL(text);
        return address.protocol === "http:" || address.protocol === "https:" ? address.href : null;
    } catch { return null; }
}

let lastID = 0;
/// An id that no other element has.
export const newID = () => `e${++lastID}`;

/// Puts a text on the clipboard. Over http there is none but that of the document.
export async function copyText(text) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const focused = document.activeElement;
    const area = h("textarea", { class: "unseen" });
    area.value = text;
    document.body.append(area);
    area.select();
    const isDone = document.execCommand("copy");
    area.remove();
    focused?.focus();
    if (!isDone) throw new Error("not copied");
    return undefined;
}
