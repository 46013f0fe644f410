// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// One record: all its fields, its files, where it comes from, its history, and what can be done with it. And deals.

import { freshness } from "./condition.js";
import { bdi, copyText, h, renew, replace, webAddress } from "./dom.js";
import { Attachments, filesOf } from "./files.js";
import { Lost, Refusal } from "./link.js";
import { href } from "./router.js";
import { dateAndClock, instant, line, number, relative, withHint } from "./text.js";
import { badge, has, longText, shownText, text, title, whole } from "./values.js";
import { say, word } from "./words.js";

const maxVersions = 30, changeLength = 80;

const fact = (name, ...content) => h("div", {}, h("dt", {}, bdi(line(name))), h("dd", {}, content));

export class DetailScreen {
    #app;
    #address;
    #description = null;
    #answer = null;
    #record = null;
    #clock = null;
    #attachments = null;
    #fileSection = null;
    #folded = { text: null, element: null };
    #neighbours = {};
    #unfit = new Map();
    #off = new AbortController();
    #parts;

    constructor(app) { this.#app = app; }

    mount(main, address) {
        this.#address = address;
        this.#parts = {
            title: h("h1", { tabindex: "-1" }, say("loadingRecord")),
                way: h("nav", { class: "way", "aria-label": say("records") }),
            fresh: h("p", { class: "freshness", hidden: true }),
                told: h("p", { class: "band wrong", role: "status", hidden: true }),
            badges: h("p", { class: "row" }), acts: h("div", { class: "acts" }), body: h("div", { class: "detail" }),
        };
        const { title: heading, way, fresh, told, badges, acts, body } = this.#parts;
        main.replaceChildren(way, heading, badges, fresh, told, acts, body);
        this.#drawWay();
        const { signal } = this.#off;
        const { acts: doing, store } = this.#app;
        doing.addEventListener("progress", () => this.#drawCondition(), { signal });
        doing.addEventListener("archived", event => { if (event.detail.id === address.id) this.#ask(); }, { signal });
        store.addEventListener("described", event => { if (event.detail === address.collection) this.#ask(); },
            { signal });
        this.#ask().then(() => this.#findNeighbours());
        return heading;
    }

    unmount() {
        this.#off.abort();
        this.#attachments?.stop();
    }

    connected() {
        this.#app.store.renew(this.#address.collection).catch(() => {});
        this.#ask();
    }

    /// Asks anew where the collection has changed since.
    status() {
        const { meta } = this.#app.store.entry(this.#address.collection) ?? {};
        if (this.#clock !== null && meta?.clock !== this.#clock) this.#ask();
        this.#clock = meta?.clock ?? null;
        this.#drawWay();
        this.#drawCondition();
    }

    async #ask() {
        const { collection, id } = this.#address;
        const { store } = this.#app;
        try {
            const description = await store.describe(collection);
            const [answer, history] = await Promise.all([
                store.ask("detail", { collection, id }), this.#askHistory().catch(() => null),
            ]);
            await this.#askConditions(description);
            if (this.#off.signal.aborted) return;
            const before = this.#record;
            [this.#description, this.#answer, this.#record] = [description, answer, answer.record];
            this.#draw(history, before);
        } catch (problem) {
            if (problem instanceof Lost || this.#off.signal.aborted) return;
            if (!(problem instanceof Refusal)) throw problem;
            this.#refused(problem);
        }
    }

    /// Asks which actions do not suit the record as it is.
    async #askConditions(description) {
        const { collection, id } = this.#address;
        const filter = when => `(${when}) id="${id.replace(/[\\"]/g, "\\$&")}"`;
        const conditions = (description.writes?.actions
            ?? []).filter(action => action.when).map(async ({ name, when }) => {
            const params = { collection, filter: filter(when), archived: "include" };
            const { total } = await this.#app.store.ask("count", params).catch(() => ({ total: 1 }));
            return total ? [] : [[name, say("onlyWhere", { filter: line(when) })]];
        });
        this.#unfit = new Map((await Promise.all(conditions)).flat());
    }

    #refused(problem) {
        const { title: heading, told, acts, body } = this.#parts;
        const isGone = problem.kind === "not_found";
        told.textContent = isGone ? say("isGone", { id: line(this.#address.id) }) : withHint(problem);
        told.hidden = false;
        if (isGone || !this.#record) acts.replaceChildren();
        if (this.#record) return;
        heading.textContent = line(this.#address.id);
        body.replaceChildren();
    }

    // MARK: - Drawing

    get #listed() {
        const { listed } = this.#app;
        return listed?.params.collection === this.#address.collection ? listed : null;
    }

    #drawWay() {
        const { collection } = this.#address;
        const { before, after, rank } = this.#neighbours;
        const query = this.#listed?.query ?? {};
        const name = line(this.#app.store.entry(collection)?.title ?? collection);
        const step = (record, key) => record
            ? h("a", { href: href({ screen: "detail", collection, id: record.id }) }, say(key))
            : h("span", { class: "quiet" }, say(key));
        replace(this.#parts.way, h("a", { href: href({ screen: "list", collection, query }) }, "‹ ", bdi(name)),
            ...rank ? [step(before, "previousRecord"), h("span", { class: "quiet" }, rank), step(after, "nextRecord")]
                : []);
    }

    /// Looks for the records before and after this one in the list that was shown last.
    async #findNeighbours() {
        const { collection, id } = this.#address;
        const { store } = this.#app;
        const params = { ...this.#listed?.params ?? { collection }, fields: ["id"] };
        try {
            const here = await store.ask("search", { ...params, anchor: { id }, limit: 2 }, this.#off);
            if (here.anchored !== "exact") return;
            const { rank, total } = here;
            const before = rank > 0 ? await store.ask("search", { ...params, anchor: { rank: rank - 1 }, limit: 1 },
                this.#off) : null;
            this.#neighbours = { before: before?.records[0], after: here.records[1],
                rank: say("rankOf", { rank: number(rank + 1), total: number(total) }) };
            this.#drawWay();
        } catch { /* the way back to the list is enough */ }
    }

    #drawCondition() {
        const { fresh } = this.#parts;
        const { store, acts } = this.#app;
        const entry = store.entry(this.#address.collection);
        const refresh = acts.refreshOf(this.#address.collection);
        const told = entry && freshness({ meta: entry.meta, entry, refresh, liveness: null, title: entry.title });
        fresh.hidden = !told;
        fresh.className = `freshness ${told?.kind ?? ""}${["old", "wrong"].includes(told?.kind) ? " band" : ""}`;
        replace(fresh, told ? h("span", { text: told.text }) : null, refresh ? acts.bar(refresh) : null);
    }

    #draw(history, before) {
        const description = this.#description;
        const record = this.#record;
        const { title: heading, told, badges, body } = this.#parts;
        told.hidden = true;
        heading.replaceChildren(bdi(title(description, record)));
        this.#app.shell.locate(this.#address, heading.textContent);
        const codes = description.list.map(name => description.field(name)).filter(field => field.type === "enum"
            && has(record, field.name));
        replace(badges, ...codes.map(field => h("span", {}, whole(description, field, record)[0])),
            record.archived ? badge(say("inArchive"), "quiet") : null);
        const focused = body.contains(document.activeElement) ? document.activeElement.dataset.key : null;
        renew(body, [this.#fields(before), this.#pending(), this.#files(), this.#origin(), this.#history(history),
            this.#upstream()]);
        if (focused) body.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
        this.#drawActs();
        this.#drawCondition();
    }

    #section(key, ...content) { return h("section", {}, h("h2", {}, say(key)), content); }

    #pending() {
        const operations = this.#record.pending?.ops ?? [];
        if (!operations.length) return null;
        return this.#section("pending", h("ul", {}, operations.map(one => h("li", {},
            h("a", { href: href({ screen: "operation", id: one.op }), "data-key": one.op },
                bdi(line(this.#description.action(one.action)?.title ?? one.action))),
            ` · ${word("state", one.state)}`, one.message ? [": ", bdi(line(one.message))] : null))));
    }

    #fields(before) {
        const description = this.#description;
        const record = this.#record;
        const listsFiles = filesOf(record, description).length ? description.fileField : null;
        const shown = description.fields.filter(field => field.name !== listsFiles);
        const rows = shown.filter(field => has(record, field.name)).map(field => {
            const row = fact(description.heading(field.name), this.#value(field));
            if (before && text(before[field.name] ?? null) !== text(record[field.name])) row.classList.add("changed");
            return row;
        });
        const absent = shown.filter(field => !has(record, field.name)).map(field =>
            line(description.heading(field.name)));
        return h("section", {}, h("dl", {}, rows),
            absent.length ? h("p", { class: "note" }, say("without", { names: absent.join(", ") })) : null);
    }

    #value(field) {
        const value = this.#record[field.name];
        const link = address => h("a", { href: webAddress(address), rel: "noreferrer", target: "_blank" },
            bdi(line(address)));
        switch (field.type) {
        case "id": return [bdi(line(value)), " ",
            h("button", { type: "button", class: "plain", "data-key": "copy-id", onclick: () => this.#copy(value) },
            say("copyID"))];
        case "url": return webAddress(value) ? link(value) : longText(text(value));
        case "json": {
            const collection = this.#description.writes?.actions.map(action =>
                action.fields.properties?.[field.name]?.["x-refs"]).find(Boolean);
            const items = Array.isArray(value) ? value : [];
            if (collection && items.length) {
                return h("ul", {}, items.map(id =>
                    h("li", {}, h("a", { href: href({ screen: "detail", collection, id: text(id) }) },
                    bdi(line(text(id)))))));
            }
            if (items.length && items.every(item => typeof item === "string" && webAddress(item))) return h("ul", {},
                items.map(item => h("li", {}, link(item))));
            return h("pre", {}, longText(JSON.stringify(value, null, 2)));
        }
        case "text": return longText(text(value));
        default: return whole(this.#description, field, this.#record);
        }
    }

    #files() {
        const files = filesOf(this.#record, this.#description);
        if (!files.length) return null;
        const { collection, id } = this.#address;
        this.#attachments ??= new Attachments(this.#app, { collection, id });
        this.#attachments.show(files);
        return this.#fileSection ??= this.#section("files", this.#attachments.element);
    }

    #origin() {
        const origin = this.#answer.provenance;
        if (!origin) return null;
        const at = (moment, by) => {
            const ms = instant(moment);
            return ms === null ? null
                : [h("time", { datetime: moment, text: `${dateAndClock(ms)}, ${relative(ms)}` }),
                by ? [", ", bdi(line(by))] : null];
        };
        const facts = [
            ["source", [word("source", origin.source), origin.fetched_at ? [", ", at(origin.fetched_at)] : null]],
            ["firstSeen", at(origin.first_seen)], ["changedAt", at(origin.changed_at)],
            ["archivedAt", at(origin.archived_at, origin.archived_by)],
                ["submittedAt", at(origin.submitted_at, origin.submitted_by)],
        ];
        return this.#section("origin",
            h("dl", {}, facts.filter(([, content]) => content).map(([key, content]) => fact(say(key), content))));
    }

    #history(history) {
        if (!history?.versions.length) return null;
        const list = h("ol", { class: "log" });
        const more = h("p", { class: "note" });
        const show = ({ versions, next, complete }) => {
            list.append(...versions.map(version => h("li", {},
                h("time", { datetime: version.at, text: dateAndClock(instant(version.at)) }), " ",
                    this.#version(version),
                version.by_name ? [", ", bdi(line(version.by_name))] : null)));
            const older = () => this.#askHistory({ cursor: next }).then(show, problem => this.#app.acts.fail(problem));
            more.replaceChildren(next ? h("button", { type: "button", onclick: older }, say("showOlder"))
                : complete ? "" : say("olderTrimmed"));
        };
        show(history);
        return this.#section("history", list, more);
    }

    #askHistory(params = {}) {
        const { collection, id } = this.#address;
        return this.#app.store.ask("history", { collection, id, limit: maxVersions, ...params }, this.#off);
    }

    #version(version) {
        const changes = Object.entries(version.changes ?? {});
        if (!changes.length) return word("change", version.op);
        const shown = (field, value) => bdi(shownText(this.#description, field, { [field.name]: value }, changeLength));
        return changes.map(([name, [from, to]], index) => {
            const field = this.#description.field(name);
            return [index ? ", " : "", bdi(line(this.#description.heading(name))), ": ", shown(field, from), " → ",
                shown(field, to)];
        });
    }

    /// The object of the upstream, folded; it is drawn when it is opened.
    #upstream() {
        const { upstream } = this.#answer;
        if (!upstream) return null;
        const content = JSON.stringify(upstream, null, 2);
        if (this.#folded.text === content) return this.#folded.element;
        const details = h("details", { open: this.#folded.element?.open, ontoggle: () => {
            if (details.open && details.childElementCount === 1) details.append(h("pre", {}, longText(content)));
        } }, h("summary", { "data-key": "upstream" }, say("asSent")));
        this.#folded = { text: content, element: details };
        return details;
    }

    // MARK: - Acting

    #drawActs() {
        const description = this.#description;
        const { acts } = this.#app;
        const { collection, id } = this.#address;
        const isLocal = this.#app.store.entry(collection)?.meta.source === "local";
        const actions = (description.writes?.actions ?? []).filter(action => action.name !== "create");
        const focused = this.#parts.acts.contains(document.activeElement) ? document.activeElement.dataset.key : null;
        // What one may not do names the role that is missing, for everybody to see.
        const lacking = new Map();
        const note = (name, obstacle) => { if (obstacle) lacking.set(obstacle,
            [...lacking.get(obstacle) ?? [], name]); };
        const obstacle = ({ name }) => acts.obstacle(name, description) ?? this.#unfit.get(name) ?? null;
        for (const action of actions) note(line(action.title), obstacle(action));
        if (description.isArchivable) note(say("toArchive"), acts.obstacle("archive", description));
        renew(this.#parts.acts, [
            ...actions.map(action => acts.button(line(action.title),
                () => this.#app.router.go({ screen: "form", collection, id, action: action.name }),
                obstacle(action),
                    { "data-key": action.name, class: action.name === "delete" ? "danger" : null })),
            description.isArchivable ? acts.button(say(this.#record.archived ? "unarchive" : "toArchive"),
                () => acts.archive(description, this.#record),
                acts.obstacle("archive", description), { "data-key": "archive" }) : null,
            isLocal ? null : acts.button(say("refresh"), () => acts.refresh(description), null,
                { "data-key": "refresh" }),
            acts.button(say("copy"), () => this.#copy(this.#words()), null, { "data-key": "copy" }),
            acts.button(say("print"), () => print(), null, { "data-key": "print" }),
            ...Array.from(lacking, ([obstacle, names]) =>
                h("p", { class: "note lacks" }, `${names.join(", ")}: ${obstacle}`)),
        ]);
        if (focused) this.#parts.acts.querySelector(`[data-key="${focused}"]`)?.focus();
    }

    /// The record as lines `heading: value`, as they go into a letter.
    #words() {
        const description = this.#description;
        return description.fields.filter(field => has(this.#record, field.name))
            .map(field => `${line(description.heading(field.name))}: ${shownText(description, field, this.#record, Infinity)}`).join("\n");
    }

    #copy(content) {
        const { shell } = this.#app;
        copyText(content).then(() => shell.notify("copied"), () => shell.notify("notCopied", {}, { kind: "wrong" }));
    }
}

/// A deal: a random record and its message.
export class DealScreen {
    #app;
    #address;
    #off = new AbortController();
    #parts;

    constructor(app) { this.#app = app; }

    mount(main, address) {
        this.#address = address;
        this.#parts = { title: h("h1", { tabindex: "-1" }, say("deal")),
            deal: h("div", { class: "deal", role: "status" }) };
        main.replaceChildren(this.#parts.title, this.#parts.deal,
            h("p", { class: "acts" },
                h("button", { type: "button", class: "main", onclick: () => this.#ask() }, say("another"))));
        this.#ask();
        return this.#parts.title;
    }

    unmount() { this.#off.abort(); }
    connected() { if (!this.#parts.deal.firstChild) this.#ask(); }

    async #ask() {
        const { collection } = this.#address;
        try {
            const description = await this.#app.store.describe(collection);
            const { record, message } = await this.#app.store.ask("deal", { collection }, this.#off);
            this.#parts.deal.replaceChildren(h("p", { class: "message" }, bdi(line(message))), h("p", {},
                h("a", { href: href({ screen: "detail", collection, id: record.id }) },
                    bdi(title(description, record)))));
        } catch (problem) {
            if (this.#off.signal.aborted) return;
            this.#parts.deal.replaceChildren(h("p", { class: "problem" },
                problem instanceof Lost ? say("notAnswered") : withHint(problem)));
        }
    }
}
