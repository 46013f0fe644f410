// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The controls of a list: search, filter, view, order, archive. They show a query and tell its changes.

import { bdi, h, newID } from "./dom.js";
import { line } from "./text.js";
import { say } from "./words.js";

const maxSearchBytes = 200;

/// Whether a filter that is being typed can be asked for: its last term is no lone name, of which more may come.
const isComplete = filter => /^\s*$|[)"'\s]$|[=~<>]+[^\s(]*[^\s(=~<>!^]$|\.(any|none)$/.test(filter);

/// The text of a search as a filter: words that all must occur, and phrases between quotes; null for no text.
export function searchFilter(search) {
    const phrases = search.split('"').flatMap((part, index) => index % 2 ? [part] : part.split(/\s+/));
    const quoted = phrases.filter(looksForSomething).map(quote);
    return quoted.length ? quoted.join(" ") : null;
}

// A text that folds to nothing, such as a lone accent, is in no record's text.
const looksForSomething = text => text.normalize("NFKD").replace(/[\p{M}\s]/gu, "") !== "";
const quote = text => `"${text.replace(/["\\]/g, "\\$&")}"`;

/// Search and filter as one filter, and the offset of the typed filter in it, in bytes.
export function composedFilter({ q = "", f = "" }) {
    const filter = f.trim();
    const search = searchFilter(q);
    const lead = bytes(f.slice(0, f.length - f.trimStart().length));
    if (!filter) return { text: search, offset: 0 };
    // A filter with an open parenthesis is sent alone, so that the daemon's error is about it.
    if (!search || !isBalanced(filter)) return { text: filter, offset: -lead };
    return { text: `(${filter}) ${search}`, offset: 1 - lead };
}

const bytes = text => new TextEncoder().encode(text).length;

function isBalanced(filter) {
    let depth = 0;
    for (const part of filter.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/gs, "").replace(/[^()]/g, "")) {
        depth += part === "(" ? 1 : -1;
        if (depth < 0) return false;
    }
    return depth === 0;
}

/// The text that is looked for alone, which may be the id of a record; null for another query.
export function possibleID({ q = "", f = "", v }) {
    if (f.trim() || v) return null;
    const id = q.replaceAll('"', " ").trim();
    return id && !/\s/.test(id) ? id : null;
}

export class ListBar {
    element = h("form", { class: "query", role: "search" });
    #description;
    #changed;
    #search = h("input", { type: "search", id: newID(), autocomplete: "off", spellcheck: "false", enterkeyhint: "search" });
    #filter = h("input", { type: "text", id: newID(), autocomplete: "off", spellcheck: "false", autocapitalize: "off", placeholder: say("filterHint") });
    #error = h("p", { class: "error", id: newID(), hidden: true });
    #view = h("select", { id: newID() });
    #order = h("select", { id: newID() });
    #archived = h("select", { id: newID() });
    #query = {};

    /// `changed(query, { isTyped })` is called with each new query.
    constructor(description, changed) {
        this.#description = description;
        this.#changed = changed;
        this.#filter.setAttribute("aria-describedby", this.#error.id);
        this.#fillChoices();
        const field = (name, control, extra) => h("div", { class: "field" }, h("label", { for: control.id }, say(name)), control, extra);
        this.element.append(
            field("search", this.#search), field("filter", this.#filter, this.#error),
            ...(description.views.length ? [field("view", this.#view)] : []), field("order", this.#order),
            ...(description.isArchivable ? [field("archive", this.#archived)] : []));
        this.#search.addEventListener("input", () => this.#typed());
        this.#filter.addEventListener("input", () => { if (isComplete(this.#filter.value)) this.#typed(); });
        this.#filter.addEventListener("change", () => this.#typed());
        for (const choice of [this.#view, this.#order, this.#archived]) choice.addEventListener("change", () => this.#tell(false));
        this.element.addEventListener("submit", event => {
            event.preventDefault();
            this.#tell(false);
        });
        this.element.addEventListener("keydown", event => this.#key(event));
    }

    #fillChoices() {
        const option = (value, text) => h("option", { value, text: line(text) });
        this.#view.append(option("", say("allRecords")), ...this.#description.views.map(view => option(view.name, view.title ?? view.name)));
        const keys = this.#description.orders.flatMap(order => [[order.name, order.name], [`-${order.name}`, `${order.name}, ${say("reversed")}`]]);
        const named = new Set(this.#description.orders.map(order => order.name));
        const fields = this.#description.list.filter(name => !named.has(name) && this.#description.field(name).type !== "json")
            .flatMap(name => [[name, this.#description.heading(name)], [`-${name}`, `${this.#description.heading(name)}, ${say("reversed")}`]]);
        this.#order.append(option("", say("ownOrder")), ...[...keys, ...fields].map(([value, text]) => option(value, text)));
        for (const [value, key] of [["", "archiveHidden"], ["include", "archiveShown"], ["only", "archiveOnly"]]) {
            this.#archived.append(option(value, say(key)));
        }
    }

    /// Shows a query. What the person is typing stays.
    show(query) {
        this.#query = query;
        const set = (control, value) => {
            if (control.value === value) return;
            // Orders of several keys come from addresses only.
            if (control.tagName === "SELECT" && ![...control.options].some(one => one.value === value)) {
                control.append(h("option", { value, text: line(value) }));
            }
            control.value = value;
        };
        set(this.#search, query.q ?? "");
        set(this.#filter, query.f ?? "");
        set(this.#view, query.v ?? "");
        set(this.#order, query.s ?? "");
        set(this.#archived, query.a ?? "");
    }

    focusSearch() {
        this.#search.focus();
        this.#search.select();
    }

    /// Names the control that has the focus, and gives it back.
    get focused() {
        const index = this.#controls.indexOf(document.activeElement);
        return index < 0 ? null : index;
    }
    focus(index) { this.#controls[index]?.focus(); }
    get #controls() { return [this.#search, this.#filter, this.#view, this.#order, this.#archived]; }

    /// Shows why the filter was refused, with the place marked; null takes it away.
    showError(problem) {
        this.#error.hidden = !problem;
        this.#filter.setAttribute("aria-invalid", String(Boolean(problem)));
        if (!problem) return this.#error.replaceChildren();
        const { position = 0, length = 0 } = problem.data;
        const { offset } = composedFilter(this.#query);
        const source = new TextEncoder().encode(this.#query.f ?? "");
        const start = Math.min(source.length, Math.max(0, position - offset));
        const end = Math.min(source.length, start + Math.max(1, length));
        const part = (from, to) => line(new TextDecoder().decode(source.subarray(from, to)));
        const place = h("code", { dir: "ltr" }, part(0, start), h("mark", {}, part(start, end) || " "), part(end, source.length));
        return this.#error.replaceChildren(bdi(line(problem.message)), ...(problem.hint ? [" · ", bdi(line(problem.hint))] : []), h("br"), place);
    }

    #typed() {
        while (bytes(this.#search.value) > maxSearchBytes) this.#search.value = this.#search.value.slice(0, -1);
        this.#tell(true);
    }

    #tell(isTyped) {
        const values = { q: this.#search.value, f: this.#filter.value, v: this.#view.value, s: this.#order.value, a: this.#archived.value };
        const query = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
        this.#query = query;
        this.#changed(query, { isTyped });
    }

    // Escape empties the field: what browsers do in a search field, in both.
    #key(event) {
        if (event.key !== "Escape" || event.target.tagName !== "INPUT" || event.target.value === "") return;
        event.preventDefault();
        event.target.value = "";
        this.#tell(false);
    }
}
