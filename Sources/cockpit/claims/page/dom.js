// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// Elements. Text is never markup: it becomes text nodes, and each value from a record stands in <bdi>.

import { line, lines } from "./text.js";

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

/// A value on one line of a text of either direction, and one with its line ends. Nothing in it is unseen.
export const bdi = text => h("bdi", { text: line(text) });
export const bdiLines = text => h("bdi", { text: lines(text) });

/// A button. One that cannot be used tells why.
export function button(label, act, { obstacle = null, ...attributes } = {}) {
    return h("button", { type: "button", disabled: obstacle !== null, title: obstacle, onclick: act, ...attributes },
        label, obstacle ? h("span", { class: "unseen" }, ` (${obstacle})`) : null);
}

export const quiet = (...content) => h("span", { class: "quiet" }, content);
export const note = (...content) => h("p", { class: "note" }, content);

/// A term of a list of definitions.
export const fact = (name, ...content) => h("div", {}, h("dt", {}, bdi(name)), h("dd", {}, content));

/// Shows a dialog with buttons [value, label, attributes]; `closed` is told the value of the one that was chosen.
export function showDialog(content, buttons, closed) {
    const dialog = h("dialog", { onclose: () => {
        dialog.remove();
        closed(dialog.returnValue);
    } }, h("form", { method: "dialog" }, content, h("div", { class: "acts" },
        buttons.map(([value, label, attributes]) => h("button", { value, ...attributes }, label)))));
    document.body.append(dialog);
    dialog.showModal();
    return dialog;
}

/// Gives an element new children. Those that look the same stay, so that focus, a click under way and open parts do; so
/// their listeners must do the same as those of their successors. The focus goes on to the child with the same key.
export function renew(element, ...children) {
    const next = children.flat(Infinity).filter(Boolean);
    const focused = element.contains(document.activeElement) ? document.activeElement : null;
    const key = focused?.dataset.key;
    next.forEach((child, index) => {
        const before = element.children[index];
        if (!before) element.append(child);
        else if (before === child || before.isEqualNode(child)) return;
        else if (before.localName === "ul" && child.localName === "ul" && before.className === child.className) {
            renew(before, [...child.children]);
        } else before.replaceWith(child);
    });
    while (element.children.length > next.length) element.lastElementChild.remove();
    if (key && !element.contains(focused)) element.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
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

/// A control with its label before it.
export function labelled(name, control) {
    control.id ||= newID();
    return [h("label", { for: control.id }, name), " ", control];
}

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

/// After an item of a list is gone: the button of the one in its place gets the focus, else another element.
export function focusButton(list, index, other) {
    const buttons = list.querySelectorAll("button");
    (buttons[Math.min(index, buttons.length - 1)] ?? other).focus();
}
