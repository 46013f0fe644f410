// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The page of a list: asked by anchor, turned by cursor, kept live. It owns what was asked and answered; the screen draws.
//
// The listener has: changed() — draw; arrived(answer) — another page is there; slow() — an answer takes long;
// refused(problem).

import { composedFilter } from "./listbar.js";
import { Feed } from "./feed.js";
import { Lost, Refusal } from "./link.js";
import { zone } from "./text.js";

const slowAfter = 300;
const typingInterval = 40;
const drawInterval = 100;
/// More ids than these are not told apart.
export const maxNewer = 10_000;

const sequence = clock => Number(/\.(\d+)/.exec(clock ?? "")?.[1] ?? 0);

export class Paging {
    /// The answer that is shown, with its total kept current; null without one.
    answer = null;
    /// Why there is none.
    problem = null;
    meta = null;
    /// The ids that came since.
    newer = new Set();
    isRebuilt = false;
    /// Why the list is not live; null where it is.
    liveness = null;
    query = {};
    #app;
    #description;
    #rows;
    #listener;
    #feed;
    #asked = null;
    #lastAsked = 0;
    #known = 0;
    #timers = {};
    #off = new AbortController();

    constructor(app, description, rows, listener) {
        this.#app = app;
        this.#description = description;
        this.#rows = rows;
        this.#listener = listener;
        this.#feed = new Feed(app, this);
        app.acts.addEventListener("archived", event => this.#archived(event.detail), this.#off);
    }

    close() {
        this.#off.abort();
        this.#asked?.abort();
        this.#feed.close();
        for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    }

    /// Whether a question waits for its answer.
    get isAsking() { return this.#asked !== null; }

    #params(where, limit) {
        const { f, q, v, s, a } = this.query;
        const { text } = composedFilter({ f, q });
        const feed = {
            collection: this.#description.name, fields: this.#description.list, time_zone: zone(), archived: a ?? "exclude",
            ...(text ? { filter: text } : {}), ...(v ? { view: v } : {}),
        };
        if (!where) return feed;
        return { ...feed, ...where, limit, ...(s ? { sort: s } : this.#description.hasGroups ? { group: true } : {}) };
    }

    /// The page that the query names, or its first one.
    reload(then) { return this.load({ anchor: this.query.at ? { id: this.query.at } : "start" }, then); }

    /// Asks as soon as typing allows: the first letter at once, then every 40 ms.
    typed() {
        clearTimeout(this.#timers.typing);
        this.#timers.typing = setTimeout(() => this.reload(), Math.max(0, this.#lastAsked + typingInterval - performance.now()));
    }

    /// Asks for a page. The older question is cancelled; its rows stay until the new ones come.
    async load(where, then) {
        clearTimeout(this.#timers.typing);
        this.#asked?.abort();
        const asked = this.#asked = new AbortController();
        this.#lastAsked = performance.now();
        this.#feed.stop();
        clearTimeout(this.#timers.slow);
        this.#timers.slow = setTimeout(() => this.#listener.slow(), slowAfter);
        try {
            const answer = await this.#app.store.ask("search", this.#params(where, this.#app.pageSize), { signal: asked.signal });
            if (this.#asked !== asked) return;
            this.#settle(answer, null, answer.meta);
            this.#app.listed = { query: this.query, params: this.#params({}) };
            this.#rows.show(answer.records, this.query.s ? null : answer.groups ?? null);
            this.#known = sequence(answer.meta.clock);
            this.#listener.arrived(answer);
            then?.(answer);
            this.#feed.follow(this.#params(), answer.meta.clock);
        } catch (problem) {
            if (this.#asked !== asked || asked.signal.aborted || problem instanceof Lost) return;   // a reconnection asks again
            if (!(problem instanceof Refusal)) throw problem;
            this.#asked = null;
            clearTimeout(this.#timers.slow);
            if (this.#listener.refused(problem)) return;
            this.#settle(null, problem, problem.data.meta ?? null);
            this.#rows.show([], null);
            this.#listener.changed();
            if (problem.kind === "no_data") this.#feed.follow(this.#params(), null);
        }
    }

    #settle(answer, problem, meta) {
        clearTimeout(this.#timers.slow);
        this.#asked = null;
        this.answer = answer;
        this.problem = problem;
        this.meta = meta;
        this.newer.clear();
        this.isRebuilt = false;
    }

    /// Turns to the first, previous, next or last page; false where there is none.
    turn(which, then) {
        const { next, prev } = this.answer ?? {};
        const where = {
            first: prev && { anchor: "start" }, previous: prev && { cursor: prev },
            next: next && { cursor: next }, last: next && { anchor: "end" },
        }[which];
        if (!where) return false;
        this.load(where, answer => {
            const { at, ...query } = this.query;
            this.query = answer.rank > 0 && answer.records[0] ? { ...query, at: answer.records[0].id } : query;
            then(answer);
        });
        return true;
    }

    /// Takes in what came: the page anew, from its first record on; the first page from the start.
    takeIn(then) {
        const id = this.#rows.ids.find(one => this.#rows.mark(one)?.kind !== "removed");
        return this.load({ anchor: this.query.at && id ? { id } : "start" }, then);
    }

    // MARK: - News

    noteState(meta, change) {
        if (meta) this.meta = meta;
        if (this.problem && change && meta?.freshness) this.reload();
        else this.#listener.changed();
    }

    noteLive(reason) {
        this.liveness = reason;
        this.#listener.changed();
    }

    rebuilt() {
        if (this.problem || this.answer?.total === 0) return this.reload();
        this.isRebuilt = true;
        this.renew();
        return this.#listener.changed();
    }

    /// Asks whether the definition has changed.
    renew() { this.#app.store.renew(this.#description.name); }

    /// Asks for the page once more: what has changed between answer and subscription is offered as a whole.
    async compare() {
        const shown = this.answer;
        const [first] = this.#rows.ids;
        if (!shown || this.#asked) return;
        let answer;
        try {
            answer = await this.#app.store.ask("search", this.#params({ anchor: first ? { id: first } : "start" }, this.#app.pageSize));
        } catch { return; }
        if (this.answer !== shown || JSON.stringify(answer.records) === JSON.stringify(this.#rows.records)) return;
        this.isRebuilt = true;
        this.#listener.changed();
    }

    heard(entries, meta) {
        if (meta) this.meta = meta;
        for (const entry of entries) if (this.answer && !(entry.seq <= this.#known)) this.#apply(entry);
        if (this.answer && this.#rows.ids.length === 0 && this.newer.size > 0) return this.load({ anchor: "start" });
        this.#timers.draw ??= setTimeout(() => {
            this.#timers.draw = null;
            this.#listener.changed(true);
        }, drawInterval);
        return undefined;
    }

    #apply({ op, id, seq, record, reason }) {
        const isShown = this.#rows.record(id) !== null;
        const isOwn = this.#app.acts.isOwn(id, seq);
        if (op === "added") this.answer.total++;
        if (op === "removed") {
            this.answer.total--;
            this.newer.delete(id);
            if (isOwn) this.#rows.remove(id);
            else if (isShown) this.#rows.update(id, null, { kind: "removed", reason });
        } else if (isShown) this.#rows.update(id, record, isOwn ? null : { kind: "changed" });
        else if (op === "added" && !isOwn && this.newer.size < maxNewer) this.newer.add(id);
    }

    /// Records that were archived here leave with the answer; records that come back are shown again.
    #archived({ collection, id, isArchive }) {
        if (collection !== this.#description.name || !this.answer) return;
        const archived = this.query.a ?? "exclude";
        const leaves = isArchive ? archived === "exclude" : archived === "only";
        if (leaves) this.#rows.remove(id);
        else if (!this.#rows.record(id)) this.takeIn(() => this.#rows.select(id));
        if (leaves && this.#rows.ids.length === 0) this.load({ anchor: "start" });
        else this.#listener.changed();
    }
}
