// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The fields of a form: a control for each rule of the action's schema, and the value that stands in it.

import { bdi, bdiLines, button, h, note, quiet } from "./dom.js";
import { References } from "./references.js";
import { problemLine, problemText, table } from "./screen.js";
import { counted, instant, language, line, nouns, size } from "./text.js";
import { label, shownText, text } from "./values.js";
import { phrase, say } from "./words.js";

/// Texts that may be longer get several lines, where free text looks into them; limits over this are not worth a note.
const longText = 300, notableLength = 1000;
const lastDay = "9999-12-31";
const same = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/// The mistakes in fields or files, as items with links to them.
export const problemLinks = ({ id, title, problems, isContested }) => [
    ...problems.map(problemText), ...isContested ? [say("changedThere")] : [],
].map(words => h("li", {}, h("a", { href: `#${id}`, onclick: event => {
    event.preventDefault();
    document.getElementById(id).focus();
} }, bdi(title), ": ", bdi(words))));

/// One field. `form` has: app, description, changed(), left().
export class Field {
    /// The value that the record has.
    original = null;
    /// Whether the focus has left it, so that its problems are shown.
    isVisited = false;
    problems = [];
    #form;
    #isEdited = false;
    #parts = [];

    constructor(form, name, schema, isRequired) {
        this.#form = form;
        this.name = name;
        this.column = form.description.field(name);
        this.title = line(schema.title ?? form.description.heading(name));
        const isClearable = schema.enum ? schema.enum.includes(null)
            : !Array.isArray(schema.type) || schema.type.includes("null");
        this.isRequired = isRequired || !isClearable;
        this.id = `field-${name}`;
        this.kind = kindOf(this.column, schema);
        this.below = h("div", { id: `${this.id}-problems` });
        this.contest = h("div", { class: "served", hidden: true });
        const limits = note(this.#limits(schema).join(", "));
        limits.id = `${this.id}-note`;
        limits.hidden = !limits.textContent;
        const control = this.#control(schema, {
            "aria-describedby": `${limits.hidden ? "" : `${limits.id} `}${this.below.id}`,
            "aria-required": String(this.isRequired),
        });
        const heading = [bdi(this.title), this.isRequired ? quiet(` (${say("required")})`) : null];
        const isGroup = this.kind === "instant" || this.kind === "references";
        this.element = h(isGroup ? "fieldset" : "div", { class: "entry",
            oninput: event => { if (!event.target.matches("[role=combobox]")) this.#edited(); },
            onfocusout: event => {
                if (this.element.contains(event.relatedTarget)) return;
                this.isVisited = true;
                form.left();
            } }, isGroup ? h("legend", {}, heading) : h("label", { for: this.id }, heading),
        control, limits, this.below, this.contest);
    }

    /// The limits in a few words each: `at most 200 characters`.
    #limits(schema) {
        const { maxLength: most, "x-max-bytes": bytes, "x-scale": scale } = schema;
        const low = schema.minimum ?? schema["x-minimum"];
        const high = schema.maximum ?? schema["x-maximum"];
        const atMost = bound => say("atMost", { bound });
        return [
            most !== undefined && most <= notableLength && atMost(counted(most, nouns.characters)),
            bytes && !schema["x-refs"] && atMost(`${size(bytes)} JSON`),
            low !== undefined && say("fromBound", { bound: text(low) }),
            high !== undefined && say("toBound", { bound: text(high) }),
            scale !== undefined && atMost(counted(scale, nouns.decimals)),
        ].filter(Boolean);
    }

    #control(schema, described) {
        const about = { id: this.id, autocomplete: "off", ...described };
        const select = choices => this.control = h("select", about,
            h("option", { value: "" }, say(this.isRequired ? "choose" : "noValue")),
            choices.map(([code, words]) => h("option", { value: code, text: words })));
        const input = attributes => this.control = h("input", { ...about, ...attributes });
        switch (this.kind) {
        case "choice": return select(schema.enum.filter(code => code !== null).map(code =>
            [code, label(this.#form.description, this.column, code)]));
        case "flag": return select([["true", say("yes")], ["false", say("no")]]);
        case "date": return input({ type: "date", max: lastDay });
        case "instant":
            this.time = h("input", { ...described, type: "time", "aria-required": "false",
                "aria-label": say("timeOf", { title: this.title }) });
            return h("div", { class: "row" },
                input({ type: "date", max: lastDay, "aria-label": say("dayOf", { title: this.title }) }), this.time);
        case "references":
            this.references = new References(this.#form.app, schema["x-refs"], {
                id: this.id, title: this.title, isSingle: this.column.type !== "json", described,
                changed: () => this.#edited(),
            });
            this.control = this.references.input;
            return this.references.element;
        case "lines": case "json":
            return this.control = h("textarea",
                { ...about, rows: 4, spellcheck: this.kind === "lines", class: this.kind });
        case "number": return input({ type: "text", inputmode: "decimal" });
        default: return input({ type: this.column.type === "url" ? "url" : "text" });
        }
    }

    /// Puts in the value that a record has.
    fill(value = null) {
        this.original = value;
        this.#isEdited = false;
        this.#write(value);
    }

    #write(value) {
        const shown = value === null ? "" : text(value);
        if (this.kind === "references") this.references.fill(value);
        else if (this.kind === "json") this.control.value = value === null ? "" : JSON.stringify(value, null, 2);
        else if (this.kind === "instant") {
            this.#parts = localParts(instant(shown));
            if (this.#parts[1].length > 5) this.time.step = 1;
            [this.control.value, this.time.value] = this.#parts;
        } else this.control.value = shown;
    }

    /// The value as JSON: null for none, undefined for what cannot be read.
    get value() {
        if (!this.#isEdited) return this.original;
        const typed = this.control.value;
        switch (this.kind) {
        case "flag": return typed === "" ? null : typed === "true";
        case "date": return this.control.validity.badInput ? undefined : typed || null;
        case "instant": return this.#moment();
        case "references": return this.references.value;
        case "number": return numberText(typed) || null;
        case "json":
            if (typed.trim() === "") return null;
            try { return parseExact(typed); } catch { return undefined; }
        default: return typed === "" ? null : typed;
        }
    }

    #moment() {
        const [day, time] = [this.control.value, this.time.value];
        if (this.control.validity.badInput || this.time.validity.badInput || !day && time) return undefined;
        if (!day) return null;
        // The same minute as before is the same moment, with the digits that the controls do not show.
        if (day === this.#parts[0] && time === this.#parts[1]) return this.original;
        const moment = new Date(`${day}T${time || "00:00"}`);
        return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
    }

    /// Whether the daemon can compare the value that was shown.
    get isComparable() { return this.column.type !== "json" || !hasKeptNumber(this.original); }

    get isChanged() {
        if (!this.#isEdited) return false;
        const { value, original } = this;
        return this.kind === "number" ? text(value ?? "") !== text(original ?? "") : !same(value, original);
    }

    /// The mistake, as far as it can be seen here; null for none.
    get ownProblem() {
        const key = { json: "notJSON", date: "notDate" }[this.kind] ?? "notTime";
        return this.value === undefined ? { message: say(key) } : null;
    }

    /// The typed text, for a form that is drawn anew.
    get draft() {
        if (!this.#isEdited) return null;
        return { kind: this.kind, typed: this.control.value, time: this.time?.value, value: this.value };
    }

    restore(draft) {
        if (draft.kind === this.kind && this.kind !== "references") {
            this.control.value = draft.typed;
            if (this.time) this.time.value = draft.time;
        } else if (draft.value !== undefined) this.#write(draft.value);
        this.#isEdited = true;
    }

    #edited() {
        this.#isEdited = true;
        this.show([]);
        this.#form.changed();
    }

    /// Shows what is wrong with it.
    show(problems) {
        const texts = problems.map(problemText);
        const known = this.problems.map(problemText);
        const isNews = texts.some((words, index) => words !== known[index]);
        if (isNews) this.#form.app.shell.tell(`${this.title}: ${texts.join(". ")}`, { isUrgent: true });
        this.problems = problems;
        this.below.replaceChildren(...problems.map(problemLine));
        for (const control of [this.control, this.time].filter(Boolean)) {
            control.ariaInvalid = problems.length ? "true" : null;
        }
    }

    /// Takes over the value that the record has by now. Where another one was given, both are shown.
    serve(value = null, words) {
        if (!this.isChanged) return this.fill(value);
        this.original = value;
        this.contest.hidden = !this.isChanged;
        return this.contest.replaceChildren(h("p", {}, phrase("servedNow", { value: words })),
            button(say("takeServed"), () => {
                this.fill(value);
                this.contest.hidden = true;
                this.control.focus();
                this.#form.changed();
            }));
    }

    get isContested() { return !this.contest.hidden; }
}

function kindOf(column, schema) {
    if (schema.enum) return "choice";
    if (schema["x-refs"]) return "references";
    switch (column.type) {
    case "bool": return "flag";
    case "date": case "instant": case "json": return column.type;
    case "integer": case "decimal": return "number";
    case "text": {
        const isLong = column.search && !column.bold && (schema.maxLength ?? 0) > longText;
        return column.lines > 1 || isLong ? "lines" : "line";
    }
    default: return "line";
    }
}

/// JSON as it was typed: numbers keep their digits.
const parseExact = typed => JSON.parse(typed, (key, value, { source }) =>
    typeof value === "number" && String(value) !== source ? JSON.rawJSON(source) : value);

/// Whether a value has numbers that are kept as text, so that it is not the JSON which the daemon has.
function hasKeptNumber(value) {
    const isObject = value !== null && typeof value === "object";
    if (typeof value !== "string") return isObject && Object.values(value).some(hasKeptNumber);
    return /^-?\d/.test(value) && String(Number(value)) !== value && !Number.isNaN(Number(value));
}

/// A number as it was typed; the daemon takes its digits as text. In Polish a comma stands before decimals.
function numberText(typed) {
    const digits = typed.replace(/\s/g, "");
    return language() === "pl" && !digits.includes(".") ? digits.replace(",", ".") : digits;
}

/// The day and the time of a moment by the clocks of the browser.
function localParts(ms) {
    if (ms === null) return ["", ""];
    const local = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString();
    return [local.slice(0, 10), new Date(ms).getSeconds() ? local.slice(11, 19) : local.slice(11, 16)];
}

/// The record after an action, and the request to the upstream: the answer of a dry run as elements.
export function previewOf({ changed = [], record, request }, description, action, before) {
    const states = action === "create" ? [["after", record]] : [["before", before], ["after", record]];
    const rows = description.fields.filter(field => changed.includes(field.name)).map(field =>
        [description.heading(field.name), ...states.map(([, state]) => shownText(description, field, state))].map(bdi));
    const sent = request && [
        `${request.method} ${request.url}`,
        ...Object.entries(request.headers ?? {}).map(([key, value]) => `${key}: ${value}`),
        ...request.body === undefined ? [] : ["", JSON.stringify(request.body, null, 2)],
    ].join("\n");
    return [
        rows.length ? table(["field", ...states.map(([key]) => key)], rows)
            : h("p", {}, say(action === "delete" ? "goesAway" : "nothingDiffers")),
        ...sent ? [h("details", {}, h("summary", {}, say("sentUpstream")), h("pre", {}, bdiLines(sent)))] : [],
    ];
}
