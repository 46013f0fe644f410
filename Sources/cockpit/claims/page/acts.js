// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// What is done with collections and records from lists and details: refresh, accept, archive with undo, and the buttons
// for it. Event "progress": a refresh has begun, moved on or ended.

import { h } from "./dom.js";
import { Lost, Refusal } from "./link.js";
import { href } from "./router.js";
import { clock, counted, instant, line, nouns, number } from "./text.js";
import { failureClause } from "./condition.js";
import { say } from "./words.js";

const maxUndos = 100;
const maxOwn = 1000;

export class Acts extends EventTarget {
    #app;
    #refreshes = new Map();
    #steps = [];
    #own = new Map();

    constructor(app) {
        super();
        this.#app = app;
    }

    // MARK: - What one may do

    /// Why something is not possible here, in words; null where it is. Acts: `refresh`, `accept`, `archive`, or the name
    /// of an action of the definition.
    obstacle(act, description) {
        const { store } = this.#app;
        const needs = role => store.hasRole(role) ? null : say("needsRole", { role });
        switch (act) {
        case "refresh": return null;
        case "accept": return needs("admin");
        case "archive": return description.isArchivable ? needs("archive") : say("notArchivable", { title: line(description.title) });
        default: {
            const action = description.action(act);
            if (!action) return say("notOffered", { title: line(description.title) });
            return action.granted ? null : say("needsRole", { role: line(action.role) });
        }
        }
    }

    /// A button that is disabled, with the reason, where its act is not possible.
    button(name, act, obstacle = null, attributes = {}) {
        return h("button", {
            type: "button", disabled: obstacle !== null, title: obstacle, onclick: act, ...attributes,
        }, name, obstacle ? h("span", { class: "unseen" }, ` (${obstacle})`) : null);
    }

    /// The buttons over a list.
    buttons(description) {
        const create = description.action("create");
        return [
            create ? this.button(line(create.title ?? say("create")), () => this.form(description, "create"), this.obstacle("create", description), { class: "main" }) : null,
            description.hasDeals ? h("a", { class: "button", href: href({ screen: "deal", collection: description.name }) }, say("deal")) : null,
            this.button(say("refresh"), () => this.refresh(description)),
        ].filter(Boolean);
    }

    /// Goes to the form of an action, if there is one and it may be done.
    form(description, action, record = null) {
        if (action !== "create" && !record) return;
        const obstacle = this.obstacle(action, description);
        if (obstacle) this.#app.shell.notify("sentence", { text: obstacle }, { kind: "wrong" });
        else this.#app.router.go({ screen: "form", collection: description.name, action, id: record?.id });
    }

    // MARK: - Refresh

    /// The refresh of a collection that this page has begun: { since, phase, bytes, expected }; null for none.
    refreshOf(collection) { return this.#refreshes.get(collection) ?? null; }

    /// A bar of how far it is; nothing where that is not known.
    bar(refresh) {
        if (!refresh.expected) return null;
        return h("progress", { max: refresh.expected, value: Math.min(refresh.bytes ?? 0, refresh.expected), "aria-hidden": "true" });
    }

    async refresh(description, { accept = false } = {}) {
        const { name } = description;
        if (this.#refreshes.has(name)) return;
        this.#app.shell.clearNotice();
        const refresh = { since: Date.now() };
        this.#note(name, refresh);
        try {
            const answer = await this.#app.store.ask("refresh", { collection: name, wait: true, progress: true, ...(accept ? { accept: true } : {}) }, {
                progress: params => this.#note(name, Object.assign(refresh, { phase: params.phase, bytes: params.bytes, expected: params.expected })),
            });
            this.#note(name, null);
            for (const outcome of answer.collections) this.#refreshed(outcome, line(description.title));
        } catch (problem) {
            this.#note(name, null);
            this.fail(problem);
        }
        this.#app.store.refreshStatus();
    }

    #note(name, refresh) {
        if (refresh) this.#refreshes.set(name, refresh);
        else this.#refreshes.delete(name);
        this.dispatchEvent(new Event("progress"));
    }

    #refreshed(outcome, title) {
        const { shell } = this.#app;
        const failure = outcome.meta?.last_error;
        const isGood = outcome.outcome === "updated" || outcome.outcome === "unchanged";
        if (failure?.kind === "join" && isGood) return shell.notify("joinMissing", { title, reason: failureClause(failure) }, { kind: "wrong" });
        switch (outcome.outcome) {
        case "updated": {
            const changes = ["added", "updated", "removed"].filter(key => outcome[key] > 0)
                .map(key => say(key === "updated" ? "changed" : key, { number: number(outcome[key]) })).join(", ");
            return shell.notify("refreshedWith", { title, changes: changes || say("nothingElse") });
        }
        case "unchanged": return shell.notify("unchanged", { title });
        case "held": return shell.notify("wasHeld", { title }, { kind: "wrong" });
        case "skipped": {
            const until = instant(outcome.until ?? outcome.meta?.next_refresh);
            return shell.notify(until === null ? "skipped" : "skippedUntil", { title, clock: until === null ? "" : clock(until) }, { kind: "news" });
        }
        default: return shell.notify("notRefreshed", { title, reason: failure ? failureClause(failure) : line(outcome.outcome) }, { kind: "wrong" });
        }
    }

    /// The button that takes what the guard holds back; it asks first.
    acceptButton(description, held) {
        return this.button(say("accept"), async () => {
            const values = { records: counted(held.after, nouns.records), before: number(held.before) };
            if (await this.#app.ask("acceptQuestion", values, say("accept"))) this.refresh(description, { accept: true });
        }, this.obstacle("accept", description));
    }

    // MARK: - Archive

    /// Whether a change of a record was made here, so that it is no news: one up to the clock of the answer.
    isOwn(id, seq) { return seq <= (this.#own.get(id) ?? -1); }

    /// Notes that a record is about to be changed here; `settled(clock)` is called with the clock of the answer, or null.
    claim(id) {
        this.#own.set(id, Infinity);
        if (this.#own.size > maxOwn) this.#own.delete(this.#own.keys().next().value);
        return clock => this.#own.set(id, Number(/\.(\d+)/.exec(clock ?? "")?.[1] ?? -1));
    }

    /// Archives a record, or takes it out of the archive.
    async archive(description, record) {
        if (!record) return;
        const obstacle = this.obstacle("archive", description);
        if (obstacle) {
            this.#app.shell.notify("sentence", { text: obstacle }, { kind: "wrong" });
            return;
        }
        await this.#step({ collection: description.name, id: record.id, isArchive: !record.archived }, false);
    }

    /// Takes back the newest archiving of this page.
    async undo() {
        const step = this.#steps.at(-1);
        if (!step) {
            this.#app.shell.notify("nothingToUndo", {}, { kind: "news" });
            return;
        }
        await this.#step({ ...step, isArchive: !step.isArchive }, true);
    }

    async #step(step, isUndo) {
        const settled = this.claim(step.id);
        let answer;
        try {
            answer = await this.#app.store.ask(step.isArchive ? "archive" : "unarchive", { collection: step.collection, ids: [step.id] });
            settled(answer.clock);
        } catch (problem) {
            settled(null);
            this.fail(problem);
            return;
        }
        const id = line(step.id);
        if (isUndo) this.#steps.pop();
        else if (answer.changed.length) {
            this.#steps.push(step);
            if (this.#steps.length > maxUndos) this.#steps.shift();
        }
        this.dispatchEvent(new CustomEvent("archived", { detail: step }));
        if (answer.missing.length) this.#app.shell.notify("isGone", { id }, { kind: "wrong" });
        else {
            this.#app.shell.notify(step.isArchive ? "archived" : "unarchived", { ids: id },
                { buttons: isUndo ? [] : [{ label: say("undo"), act: () => this.undo() }] });
        }
    }

    // MARK: - Problems

    /// Tells why a request failed, as a notice.
    fail(problem) {
        if (problem instanceof Lost) this.#app.shell.notify("notAnswered", {}, { kind: "wrong" });
        else if (problem instanceof Refusal) {
            const text = line(problem.message) + (problem.hint ? ` (${line(problem.hint)})` : "");
            this.#app.shell.notify("sentence", { text: problem.kind === "forbidden" && problem.data.role ? say("needsRole", { role: line(problem.data.role) }) : text }, { kind: "wrong" });
        } else throw problem;
    }
}
