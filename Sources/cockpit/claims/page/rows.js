// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The rows of a list as elements: a table where there is room, else cards. One tab stop: the link of one row.

import { bdi, h } from "./dom.js";
import { recordLink } from "./screen.js";
import { line, number } from "./text.js";
import { badge, cell, has, text } from "./values.js";
import { say, word } from "./words.js";

const wide = matchMedia("(min-width: 40rem)");

export class Rows {
    /// The element that has the rows.
    element = h("div", { class: "rows" });
    #description;
    #marks = new Map();
    #rows = new Map();
    #records = [];
    #groups = null;
    #selected = null;
    #open;
    #off = new AbortController();

    /// `open(id)` goes to a record.
    constructor(description, open) {
        this.#description = description;
        this.#open = open;
        wide.addEventListener("change", () => this.#draw(), { signal: this.#off.signal });
        this.element.addEventListener("focusin", event => {
            const row = event.target.closest("[data-id]");
            if (row) this.select(row.dataset.id, { focus: false });
        });
        this.element.addEventListener("click", event => this.#clicked(event));
    }

    close() { this.#off.abort(); }

    get ids() { return this.#records.map(record => record.id); }
    get records() { return this.#records; }
    get selected() { return this.#selected; }
    record(id) { return this.#records.find(record => record.id === id) ?? null; }
    mark(id) { return this.#marks.get(id) ?? null; }

    /// Shows other records, without marks.
    show(records, groups) {
        this.#records = records;
        this.#groups = groups;
        this.#marks.clear();
        if (!records.some(record => record.id === this.#selected)) this.#selected = records[0]?.id ?? null;
        this.#draw();
    }

    /// Puts a record in the place of the one with its id, and marks it: { kind: "changed" } or { kind: "removed",
    /// reason }; null takes its mark away.
    update(id, record, mark) {
        const index = this.#records.findIndex(one => one.id === id);
        if (index < 0) return;
        if (record) this.#records[index] = record;
        if (mark) this.#marks.set(id, mark);
        else this.#marks.delete(id);
        const old = this.#rows.get(id);
        const hadFocus = old.contains(document.activeElement);
        const row = this.#row(this.#records[index]);
        this.#rows.set(id, row);
        old.replaceWith(row);
        if (hadFocus) row.querySelector("a.open").focus({ preventScroll: true });
    }

    /// Takes a record out of what is shown, and selects the next one.
    remove(id) {
        const index = this.#records.findIndex(record => record.id === id);
        if (index < 0) return;
        const hadFocus = this.element.contains(document.activeElement);
        const next = this.#records[index + 1] ?? this.#records[index - 1] ?? null;
        this.#records = this.#records.filter(record => record.id !== id);
        if (this.#selected === id) this.#selected = next?.id ?? null;
        this.#draw();
        if (hadFocus && this.#selected !== null) this.select(this.#selected);
    }

    /// Makes a row the tab stop, and gives it the focus.
    select(id, { focus = true } = {}) {
        const row = this.#rows.get(id);
        if (!row) return false;
        this.#rows.get(this.#selected)?.querySelector("a.open").setAttribute("tabindex", "-1");
        this.#selected = id;
        const link = row.querySelector("a.open");
        link.setAttribute("tabindex", "0");
        if (focus) {
            link.focus({ preventScroll: true });
            row.scrollIntoView({ block: "nearest" });
        }
        return true;
    }

    /// Moves by so many rows; false at an end.
    move(by) {
        const ids = this.ids;
        const index = ids.indexOf(this.#selected) + by;
        return index >= 0 && index < ids.length && this.select(ids[index]);
    }

    #clicked(event) {
        const row = event.target.closest("[data-id]");
        if (!row || event.target.closest("a, button") || event.button !== 0 || !getSelection().isCollapsed) return;
        this.#open(row.dataset.id);
    }

    // MARK: - Drawing

    #draw() {
        const focused = this.element.contains(document.activeElement);
        this.#rows.clear();
        if (this.#records.length === 0) this.element.replaceChildren();
        else this.element.replaceChildren(wide.matches ? this.#table() : this.#cards());
        if (focused && this.#selected !== null) this.select(this.#selected);
    }

    get #fields() { return this.#description.list.map(name => this.#description.field(name)); }
    get #main() {
        return (this.#fields.find(field => field.bold) ?? this.#fields.find(field => field.type === "id"))?.name ?? "id";
    }
    get #isTable() { return this.element.firstElementChild?.classList.contains("scroller") ?? wide.matches; }

    /// The group of a record: by the code of the field that groups.
    #group(record) {
        const field = this.#description.field(this.#description.groupBy);
        return this.#description.codes(field).get(has(record, field.name) ? text(record[field.name]) : "")?.group ?? null;
    }

    /// Records with the heading of their group before the first of each.
    *#sections() {
        if (!this.#groups) {
            yield [null, this.#records];
            return;
        }
        let start = 0;
        for (let end = 1; end <= this.#records.length; end++) {
            const key = this.#group(this.#records[start]);
            if (end < this.#records.length && this.#group(this.#records[end]) === key) continue;
            const group = this.#groups.find(group => (group.key ?? null) === key);
            const label = group?.label ?? key ?? say("otherGroup");
            yield [[bdi(label), group ? h("span", { class: "total", text: ` (${number(group.total)})` }) : null],
                this.#records.slice(start, end)];
            start = end;
        }
    }

    #table() {
        const fields = this.#fields;
        const headings = fields.map(field => h("th", { scope: "col", class: field.type }, bdi(this.#description.heading(field.name))));
        const bodies = [...this.#sections()].map(([heading, records]) => h("tbody", {},
            heading ? h("tr", { class: "group" }, h("th", { scope: "rowgroup", colspan: fields.length }, heading)) : null,
            records.map(record => this.#keep(record, this.#tableRow(record)))));
        return h("div", { class: "scroller" }, h("table", {},
            h("caption", { class: "unseen" }, bdi(this.#description.title)), h("thead", {}, h("tr", {}, headings)), bodies));
    }

    #cards() {
        return h("div", { class: "cards" }, [...this.#sections()].map(([heading, records]) => [
            heading ? h("h2", { class: "group" }, heading) : null,
            h("ul", {}, records.map(record => this.#keep(record, this.#card(record)))),
        ]));
    }

    #keep(record, row) {
        this.#rows.set(record.id, row);
        return row;
    }

    #row(record) { return this.#isTable ? this.#tableRow(record) : this.#card(record); }

    #link(record, content) {
        return recordLink(this.#description.name, record.id, content ?? undefined,
            { class: "open", tabindex: record.id === this.#selected ? "0" : "-1" });
    }

    #state(record) {
        const mark = this.#marks.get(record.id);
        return mark ? ` ${mark.kind}` : record.archived ? " archived" : "";
    }

    /// Words about a record beside its values: changed, gone and why, archived, pending.
    #notes(record) {
        const mark = this.#marks.get(record.id);
        const isGone = mark?.kind === "removed";
        const pending = record.pending?.state;
        return [
            mark?.kind === "changed" && badge(say("changedMark"), "changed"),
            isGone && badge(word("removed", mark.reason || "gone"), "removed"),
            record.archived && !isGone && badge(say("archivedMark"), "quiet"),
            pending && badge(word("pending", pending), pending === "stuck" ? "wrong" : "pending"),
        ].filter(Boolean).map(note => [" ", note]);
    }

    #tableRow(record) {
        const main = this.#main;
        return h("tr", { "data-id": record.id, class: `record${this.#state(record)}` }, this.#fields.map(field => {
            const value = cell(this.#description, field, record);
            const isMain = field.name === main;
            return h(isMain ? "th" : "td", { scope: isMain ? "row" : null, class: `${field.type}${field.bold ? " bold" : ""}` },
                isMain ? [this.#link(record, value), this.#notes(record)] : this.#clamped(field, value));
        }), this.#fields.some(field => field.name === main) ? null : h("td", {}, this.#link(record), this.#notes(record)));
    }

    #clamped(field, value) {
        if (!value || !["text", "url", "json"].includes(field.type)) return value;
        return h("div", { class: `clamp clamp${Math.min(field.lines, 4)}` }, value);
    }

    #card(record) {
        const fields = this.#fields.filter(field => has(record, field.name));
        const main = fields.find(field => field.name === this.#main) ?? fields.find(field => field.type === "id");
        const label = fields.find(field => field !== main && this.#isBadge(field, record))
            ?? fields.find(field => field !== main && field.type === "enum");
        const others = fields.filter(field => field !== main && field !== label);
        const value = field => cell(this.#description, field, record);
        const heading = field => `${line(this.#description.heading(field.name)).toLowerCase()} `;
        return h("li", { "data-id": record.id, class: `record${this.#state(record)}` },
            h("div", { class: "cardhead" },
                h("span", { class: "cardtitle" }, this.#link(record, main ? value(main) : null)),
                h("span", { class: "cardlabel" }, label ? value(label) : null, this.#notes(record))),
            others.filter(field => field.lines > 1).map(field => this.#clamped(field, value(field))),
            h("div", { class: "facts" }, others.filter(field => field.lines <= 1).map(field => h("span", { class: "fact" },
                field.type === "id" ? null : h("span", { class: "heading" }, heading(field)), value(field)))));
    }

    #isBadge(field, record) {
        return field.type === "enum" && Boolean(this.#description.codes(field).get(text(record[field.name]))?.badge);
    }
}
