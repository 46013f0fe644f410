// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// One record: all its fields, its files, where it comes from, its history, and what can be done with it. And deals.

import { bdi, button, copyText, fact, h, note, quiet, renew, webAddress } from "./dom.js";
import { Attachments, filesOf } from "./files.js";
import { link, problemText, recordLink, Screen } from "./screen.js";
import { dateAndClock, instant, line, number, quoted, relative } from "./text.js";
import { badge, has, longText, moment, shownText, text, title, whole } from "./values.js";
import { say, word } from "./words.js";

const maxVersions = 30, changeLength = 80;

const section = (key, ...content) => h("section", {}, h("h2", {}, say(key)), content);
const webLink = address =>
    h("a", { href: webAddress(address), rel: "noreferrer", target: "_blank" }, bdi(address));
const items = rows => h("ul", {}, rows.map(row => h("li", {}, row)));

export class DetailScreen extends Screen {
    #answer = null;
    #record = null;
    #clock = null;
    #attachments = null;
    #fileSection = null;
    #folded = { text: null, element: null };
    #neighbours = {};
    #unfit = new Map();

    build() {
        const parts = Object.assign(this.parts, {
            way: h("nav", { class: "way", "aria-label": say("records") }), badges: h("p", { class: "row" }),
            fresh: h("p", { class: "freshness", hidden: true }), acts: h("div", { class: "acts" }),
            told: h("p", { class: "band wrong", role: "status", hidden: true }), body: h("div", { class: "detail" }),
        });
        parts.title.textContent = say("loadingRecord");
        return [parts.way, parts.title, parts.badges, parts.fresh, parts.told, parts.acts, parts.body];
    }

    begin() {
        this.#drawWay();
        this.hear(this.app.acts, "progress", () => this.#drawFreshness());
        this.hear(this.app.acts, "archived", event => { if (event.detail.id === this.address.id) this.#load(); });
        this.hearDescribed(() => this.#load());
        this.#load().then(() => this.#findNeighbours());
    }

    unmount() {
        super.unmount();
        this.#attachments?.stop();
    }

    connected() {
        this.store.renew(this.address.collection);
        this.#load();
    }

    /// Asks anew where the collection has changed since.
    status() {
        const clock = this.entry?.meta.clock ?? null;
        if (this.#clock !== null && clock !== this.#clock) this.#load();
        this.#clock = clock;
        this.#drawWay();
        this.#drawFreshness();
    }

    #load() {
        return this.attempt(async () => {
            const { collection, id } = this.address;
            const description = await this.store.describe(collection);
            const [answer, history] = await Promise.all([
                this.ask("detail", { collection, id }), this.#askHistory().catch(() => null),
                this.#askFitness(description),
            ]);
            if (this.isLeft) return;
            const before = this.#record;
            [this.description, this.#answer, this.#record] = [description, answer, answer.record];
            this.#draw(history, before);
        });
    }

    /// Asks which actions do not suit the record as it is.
    async #askFitness(description) {
        const { collection, id } = this.address;
        const conditions = (description.writes?.actions ?? []).filter(action => action.when);
        this.#unfit = new Map((await Promise.all(conditions.map(async ({ name, when }) => {
            const filter = `(${when}) id=${quoted(id)}`;
            const { total } = await this.ask("count", { collection, filter, archived: "include" })
                .catch(() => ({ total: 1 }));
            return total ? [] : [[name, say("onlyWhere", { filter: when })]];
        }))).flat());
    }

    refused(problem) {
        const { title: heading, told, acts, body } = this.parts;
        const isGone = problem.kind === "not_found";
        told.textContent = isGone ? say("isGone", { id: this.address.id }) : problemText(problem);
        told.hidden = false;
        if (isGone || !this.#record) acts.replaceChildren();
        if (this.#record) return;
        heading.textContent = line(this.address.id);
        body.replaceChildren();
    }

    // MARK: - The way to others

    get #listed() {
        const { listed } = this.app;
        return listed?.params.collection === this.address.collection ? listed : null;
    }

    #drawWay() {
        const { collection } = this.address;
        const { before, after, rank } = this.#neighbours;
        const step = (record, key) => record ? recordLink(collection, record.id, say(key)) : quiet(say(key));
        const back = { screen: "list", collection, query: this.#listed?.query ?? {} };
        renew(this.parts.way, link(back, ["‹ ", bdi(this.collectionTitle)]),
            rank ? [step(before, "previousRecord"), quiet(rank), step(after, "nextRecord")] : []);
    }

    /// Looks for the records before and after this one in the list that was shown last.
    async #findNeighbours() {
        const { collection, id } = this.address;
        const search = (anchor, limit) =>
            this.ask("search", { ...this.#listed?.params ?? { collection }, fields: ["id"], anchor, limit });
        try {
            const { anchored, rank, total, records } = await search({ id }, 2);
            if (anchored !== "exact") return;
            const before = rank > 0 ? (await search({ rank: rank - 1 }, 1)).records[0] : null;
            this.#neighbours = {
                before, after: records[1], rank: say("rankOf", { rank: number(rank + 1), total: number(total) }),
            };
            this.#drawWay();
        } catch { /* the way back to the list is enough */ }
    }

    // MARK: - Drawing

    #drawFreshness() { this.drawFreshness(this.parts.fresh); }

    #draw(history, before) {
        const { description } = this;
        const record = this.#record;
        this.parts.told.hidden = true;
        this.entitle(bdi(title(description, record)));
        const codes = description.list.map(name => description.field(name))
            .filter(field => field.type === "enum" && has(record, field.name));
        renew(this.parts.badges, codes.map(field => h("span", {}, whole(description, field, record)[0])),
            record.archived ? badge(say("archivedMark"), "quiet") : null);
        renew(this.parts.body, this.#fields(before), this.#pending(), this.#files(), this.#origin(),
            this.#history(history), this.#upstream());
        this.#drawActs();
        this.#drawFreshness();
    }

    #pending() {
        const operations = this.#record.pending?.ops ?? [];
        return operations.length ? section("pending", items(operations.map(one => [
            link({ screen: "operation", id: one.op },
                bdi(this.description.action(one.action)?.title ?? one.action), { "data-key": one.op }),
            ` · ${word("state", one.state)}`, one.message ? [": ", bdi(one.message)] : null,
        ]))) : null;
    }

    #fields(before) {
        const { description } = this;
        const record = this.#record;
        const heading = field => line(description.heading(field.name));
        const listsFiles = filesOf(record, description).length ? description.fileField : null;
        const shown = description.fields.filter(field => field.name !== listsFiles);
        const absent = shown.filter(field => !has(record, field.name)).map(heading);
        const isChanged = name => before !== null && text(before[name] ?? null) !== text(record[name]);
        return h("section", {}, h("dl", {}, shown.filter(field => has(record, field.name)).map(field => {
            const row = fact(heading(field), this.#value(field));
            row.classList.toggle("changed", isChanged(field.name));
            return row;
        })), absent.length ? note(say("without", { names: absent.join(", ") })) : null);
    }

    #value(field) {
        const value = this.#record[field.name];
        switch (field.type) {
        case "id": return [bdi(value), " ",
            button(say("copyID"), () => this.#copy(value), { class: "plain", "data-key": "copy-id" })];
        case "url": return webAddress(value) ? webLink(value) : longText(text(value));
        case "json": {
            const refers = this.description.writes?.actions
                .map(action => action.fields.properties?.[field.name]?.["x-refs"]).find(Boolean);
            const parts = Array.isArray(value) ? value : [];
            if (refers && parts.length) return items(parts.map(id => recordLink(refers, text(id))));
            const isLinks = parts.length && parts.every(part => typeof part === "string" && webAddress(part));
            return isLinks ? items(parts.map(webLink)) : h("pre", {}, longText(JSON.stringify(value, null, 2)));
        }
        case "text": return longText(text(value));
        default: return whole(this.description, field, this.#record);
        }
    }

    #files() {
        const files = filesOf(this.#record, this.description);
        if (!files.length) return null;
        this.#attachments ??= new Attachments(this.app, this.address);
        this.#attachments.show(files);
        return this.#fileSection ??= section("files", this.#attachments.element);
    }

    #origin() {
        const origin = this.#answer.provenance;
        if (!origin) return null;
        const at = (time, by) => time ? [moment(time, `${dateAndClock(instant(time))}, ${relative(instant(time))}`),
            by ? [", ", bdi(by)] : null] : null;
        const facts = [
            ["source", [word("source", origin.source), origin.fetched_at ? [", ", at(origin.fetched_at)] : null]],
            ["firstSeen", at(origin.first_seen)], ["changedAt", at(origin.changed_at)],
            ["archivedAt", at(origin.archived_at, origin.archived_by)],
            ["submittedAt", at(origin.submitted_at, origin.submitted_by)],
        ];
        return section("origin", h("dl", {}, facts.map(([key, content]) => content && fact(say(key), content))));
    }

    #history(history) {
        if (!history?.versions.length) return null;
        const list = h("ol", { class: "log" });
        const more = note();
        const show = ({ versions, next, complete }) => {
            list.append(...versions.map(version => h("li", {}, moment(version.at), " ", this.#version(version),
                version.by_name ? [", ", bdi(version.by_name)] : null)));
            const older = () => this.#askHistory({ cursor: next }).then(show, problem => this.app.acts.fail(problem));
            more.replaceChildren(next ? button(say("showOlder"), older) : complete ? "" : say("olderTrimmed"));
        };
        show(history);
        return section("history", list, more);
    }

    #askHistory(params = {}) {
        const { collection, id } = this.address;
        return this.ask("history", { collection, id, limit: maxVersions, ...params });
    }

    #version({ op, changes = {} }) {
        const shown = (field, value) => bdi(shownText(this.description, field, { [field.name]: value }, changeLength));
        const told = Object.entries(changes ?? {}).map(([name, [from, to]], index) => {
            const field = this.description.field(name);
            const heading = bdi(this.description.heading(name));
            return [index ? ", " : "", heading, ": ", shown(field, from), " → ", shown(field, to)];
        });
        return told.length ? told : word("change", op);
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
        const { description } = this;
        const { acts, router } = this.app;
        const { collection, id } = this.address;
        const isLocal = this.entry?.meta.source === "local";
        const actions = (description.writes?.actions ?? []).filter(({ name }) => name !== "create");
        const archives = description.isArchivable ? [["archive", say(this.#record.archived ? "unarchive" : "toArchive"),
            () => acts.archive(description, this.#record)]] : [];
        const offers = [
            ...actions.map(({ name, title: label }) =>
                [name, line(label), () => router.go({ screen: "form", collection, id, action: name })]),
            ...archives, ...isLocal ? [] : [["refresh", say("refresh"), () => acts.refresh(description)]],
            ["copy", say("copy"), () => this.#copy(this.#words()), true], ["print", say("print"), () => print(), true],
        ];
        // An action that the person may not do names the missing role, for everybody to see.
        const lacking = new Map();
        const buttons = offers.map(([key, label, act, isFree]) => {
            const obstacle = isFree ? null : acts.obstacle(key, description) ?? this.#unfit.get(key) ?? null;
            if (obstacle) lacking.set(obstacle, [...lacking.get(obstacle) ?? [], label]);
            return button(label, act, { obstacle, "data-key": key, class: key === "delete" ? "danger" : null });
        });
        renew(this.parts.acts, buttons, Array.from(lacking, ([obstacle, labels]) =>
            h("p", { class: "note lacks" }, `${labels.join(", ")}: ${obstacle}`)));
    }

    /// The record as lines `heading: value`, as they go into a letter.
    #words() {
        const { description } = this;
        const words = field => shownText(description, field, this.#record, Infinity);
        return description.fields.filter(field => has(this.#record, field.name))
            .map(field => `${line(description.heading(field.name))}: ${words(field)}`).join("\n");
    }

    #copy(content) {
        copyText(content).then(() => this.shell.notify("copied"), () => this.shell.warn("notCopied"));
    }
}

/// A deal: a random record and its message.
export class DealScreen extends Screen {
    build() {
        this.parts.title.textContent = say("deal");
        this.parts.deal = h("div", { class: "deal", role: "status" });
        return [this.parts.title, this.parts.deal,
            h("p", { class: "acts" }, button(say("another"), () => this.begin(), { class: "main" }))];
    }

    connected() { if (!this.parts.deal.querySelector("a")) this.begin(); }

    async begin() {
        const { collection } = this.address;
        const { deal } = this.parts;
        try {
            const description = await this.store.describe(collection);
            const { record, message } = await this.ask("deal", { collection });
            deal.replaceChildren(h("p", { class: "message" }, bdi(message)),
                h("p", {}, recordLink(collection, record.id, bdi(title(description, record)))));
        } catch (problem) {
            if (!this.isLeft) deal.replaceChildren(h("p", { class: "problem" }, problemText(problem)));
        }
    }
}
