// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The actions on collections and records from lists and details: refresh, accept, archive with undo, and the buttons
// for them. Event "progress": a refresh has begun, moved on or ended.

import { button, h } from "./dom.js";
import { failureClause } from "./condition.js";
import { Lost, Refusal } from "./link.js";
import { link, problemText } from "./screen.js";
import { clock, counted, instant, line, nouns, number } from "./text.js";
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
        case "archive": return description.isArchivable ? needs("archive") : say("notArchivable", { title: description.title });
        default: {
            const action = description.action(act);
            if (!action) return say("notOffered", { title: description.title });
            return action.granted ? null : say("needsRole", { role: action.role });
        }
        }
    }

    /// The buttons over a list.
    buttons(description) {
        const create = description.action("create");
        return [
            create ? button(line(create.title ?? say("create")), () => this.form(description, "create"),
                { obstacle: this.obstacle("create", description), class: "main" }) : null,
            description.hasDeals ? link({ screen: "deal", collection: description.name }, say("deal"), { class: "button" }) : null,
            button(say("refresh"), () => this.refresh(description)),
        ];
    }

    /// Whether something may be done here; tells why not.
    #allows(act, description) {
        const obstacle = this.obstacle(act, description);
        if (obstacle) this.#app.shell.warn("sentence", { text: obstacle });
        return obstacle === null;
    }

    /// Goes to the form of an action, if there is one and it may be done.
    form(description, action, record = null) {
        if (action !== "create" && !record || !this.#allows(action, description)) return;
        this.#app.router.go({ screen: "form", collection: description.name, action, id: record?.id });
    }

    // MARK: - Refresh

    /// The refresh of a collection that this page has begun: { since, phase, bytes, expected }; null for none.
    refreshOf(collection) { return this.#refreshes.get(collection) ?? null; }

    /// A bar of how far it is; nothing where that is not known.
    bar(refresh) {
        if (!refresh.expected) return null;
        const value = Math.min(refresh.bytes ?? 0, refresh.expected);
        return h("progress", { max: refresh.expected, value, "aria-hidden": "true" });
    }

    async refresh(description, { accept = false } = {}) {
        const { name } = description;
        if (this.#refreshes.has(name)) return;
        this.#app.shell.clearNotice();
        const refresh = { since: Date.now() };
        this.#note(name, refresh);
        try {
            const params = { collection: name, wait: true, progress: true, ...accept ? { accept } : {} };
            const progress = ({ phase, bytes, expected }) =>
                this.#note(name, Object.assign(refresh, { phase, bytes, expected }));
            const answer = await this.#app.store.ask("refresh", params, { progress });
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
        const reason = failure ? failureClause(failure) : line(outcome.outcome);
        if (failure?.kind === "join" && isGood) return shell.warn("joinMissing", { title, reason });
        switch (outcome.outcome) {
        case "updated": {
            const changes = changesText(outcome) || say("nothingElse");
            return shell.notify("refreshedWith", { title, changes });
        }
        case "unchanged": return shell.notify("unchanged", { title });
        case "held": return shell.warn("wasHeld", { title });
        case "skipped": {
            const until = instant(outcome.until ?? outcome.meta?.next_refresh);
            const values = { title, clock: until === null ? "" : clock(until) };
            return shell.notify(until === null ? "skipped" : "skippedUntil", values, { kind: "news" });
        }
        default: return shell.warn("notRefreshed", { title, reason });
        }
    }

    /// The button that takes what the guard holds back; it asks first.
    acceptButton(description) {
        return button(say("accept"), async () => {
            const { held } = this.#app.store.entry(description.name) ?? {};
            if (!held) return;
            const values = { records: counted(held.after, nouns.records), before: number(held.before) };
            const isSure = await this.#app.ask("acceptQuestion", values, say("accept"));
            if (isSure) this.refresh(description, { accept: true });
        }, { obstacle: this.obstacle("accept", description), "data-key": `accept-${description.name}` });
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
        if (!record || !this.#allows("archive", description)) return;
        await this.#step({ collection: description.name, id: record.id, isArchive: !record.archived }, false);
    }

    /// Takes back the newest archiving of this page.
    async undo() {
        const step = this.#steps.at(-1);
        if (step) await this.#step({ ...step, isArchive: !step.isArchive }, true);
        else this.#app.shell.notify("nothingToUndo", {}, { kind: "news" });
    }

    async #step(step, isUndo) {
        const settled = this.claim(step.id);
        let answer;
        try {
            const params = { collection: step.collection, ids: [step.id] };
            answer = await this.#app.store.ask(step.isArchive ? "archive" : "unarchive", params);
            settled(answer.clock);
        } catch (problem) {
            settled(null);
            return this.fail(problem);
        }
        const id = line(step.id);
        if (isUndo) this.#steps.pop();
        else if (answer.changed.length) {
            this.#steps.push(step);
            if (this.#steps.length > maxUndos) this.#steps.shift();
        }
        this.dispatchEvent(new CustomEvent("archived", { detail: step }));
        if (answer.missing.length) return this.#app.shell.warn("isGone", { id });
        const buttons = isUndo ? [] : [{ label: say("undo"), act: () => this.undo() }];
        return this.#app.shell.notify(step.isArchive ? "archived" : "unarchived", { ids: id }, { buttons });
    }

    /// Tells why a request failed, as a notice.
    fail(problem) {
        if (!(problem instanceof Lost || problem instanceof Refusal)) throw problem;
        this.#app.shell.warn("sentence", { text: problemText(problem) });
    }
}

/// The changes of a refresh: `2 added, 1 changed`.
export function changesText(counts, keys = ["added", "updated", "removed"]) {
    return keys.filter(key => counts[key] > 0)
        .map(key => say(key === "updated" ? "changed" : key, { number: number(counts[key]) })).join(", ");
}
