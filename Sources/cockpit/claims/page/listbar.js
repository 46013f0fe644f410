// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The controls of a list: search, filter, view, order, archive. They show a query and tell its changes.

import { bdi, h, labelled, newID } from "./dom.js";
import { line, quoted } from "./text.js";
import { say } from "./words.js";

const maxSearchBytes = 200;

/// Whether a filter that is being typed can be asked for: its last term is no lone name, of which more may come.
const isComplete = filter => /^\s*$|[)"'\s]$|[=~<>]+[^\s(]*[^\s(=~<>!^]$|\.(any|none)$/.test(filter);

/// The text of a search as a filter: words that all must occur, and phrases between quotes; null for no text.
export function searchFilter(search) {
    const phrases = search.split('"').flatMap((part, index) => index % 2 ? [part] : part.split(/\s+/));
    return phrases.filter(looksForSomething).map(quoted).join(" ") || null;
}

// A text that folds to nothing, such as a lone accent, is in no record's text.
const looksForSomething = text => text.normalize("NFKD").replace(/[\p{M}\s]/gu, "") !== "";

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

const exact = { autocomplete: "off", spellcheck: "false" };

export class ListBar {
    element = h("form", { class: "query", role: "search" });
    #description;
    #changed;
    #search = h("input", { type: "search", ...exact, enterkeyhint: "search" });
    #filter = h("input", { type: "text", ...exact, autocapitalize: "off", placeholder: say("filterHint") });
    #error = h("p", { class: "error", id: newID(), hidden: true });
    #view = h("select");
    #order = h("select");
    #archived = h("select");
    #query = {};

    /// `changed(query, { isTyped })` is called with each new query.
    constructor(description, changed) {
        this.#description = description;
        this.#changed = changed;
        this.#filter.setAttribute("aria-describedby", this.#error.id);
        this.#fillChoices();
        const field = (name, control, extra) => h("div", { class: "field" }, labelled(say(name), control), extra);
        this.element.append(...[
            field("search", this.#search), field("filter", this.#filter, this.#error),
            description.views.length ? field("view", this.#view) : null, field("order", this.#order),
            description.isArchivable ? field("archive", this.#archived) : null,
        ].filter(Boolean));
        this.#search.addEventListener("input", () => this.#typed());
        this.#filter.addEventListener("input", () => { if (isComplete(this.#filter.value)) this.#typed(); });
        this.#filter.addEventListener("change", () => this.#typed());
        for (const choice of [this.#view, this.#order, this.#archived]) {
            choice.addEventListener("change", () => this.#tell(false));
        }
        this.element.addEventListener("submit", event => {
            event.preventDefault();
            this.#tell(false);
        });
        this.element.addEventListener("keydown", event => this.#key(event));
    }

    #fillChoices() {
        const { views, orders, list } = this.#description;
        const fill = (select, choices) =>
            select.append(...choices.map(([value, text]) => h("option", { value, text: line(text) })));
        fill(this.#view, [["", say("allRecords")], ...views.map(view => [view.name, view.title ?? view.name])]);
        const named = orders.map(order => order.name);
        const fields = list.filter(name => !named.includes(name) && this.#description.field(name).type !== "json")
            .map(name => [name, this.#description.heading(name)]);
        const both = ([name, title]) => [[name, title], [`-${name}`, `${title}, ${say("reversed")}`]];
        fill(this.#order, [["", say("ownOrder")], ...[...named.map(name => [name, name]), ...fields].flatMap(both)]);
        const [hidden, shown, only] = ["archiveHidden", "archiveShown", "onlyArchived"].map(key => say(key));
        fill(this.#archived, [["", hidden], ["include", shown], ["only", only]]);
    }

    /// Shows a query. What the person is typing stays.
    show(query) {
        this.#query = query;
        for (const [key, control] of Object.entries(this.#controls)) {
            const value = query[key] ?? "";
            if (control.value === value) continue;
            // Orders of several keys come from addresses only.
            if (control.tagName === "SELECT" && ![...control.options].some(one => one.value === value)) {
                control.append(h("option", { value, text: line(value) }));
            }
            control.value = value;
        }
    }

    get #controls() {
        return { q: this.#search, f: this.#filter, v: this.#view, s: this.#order, a: this.#archived };
    }

    focusSearch() {
        this.#search.focus();
        this.#search.select();
    }

    /// Names the control that has the focus, and gives it back.
    get focused() {
        return Object.entries(this.#controls).find(([, control]) => control === document.activeElement)?.[0] ?? null;
    }
    focus(key) { this.#controls[key]?.focus(); }

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
        const hint = problem.hint ? [" · ", bdi(problem.hint)] : [];
        return this.#error.replaceChildren(bdi(problem.message), ...hint, h("br"), place);
    }

    #typed() {
        while (bytes(this.#search.value) > maxSearchBytes) this.#search.value = this.#search.value.slice(0, -1);
        this.#tell(true);
    }

    #tell(isTyped) {
        const values = Object.entries(this.#controls).map(([key, control]) => [key, control.value]);
        const query = Object.fromEntries(values.filter(([, value]) => value !== ""));
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
