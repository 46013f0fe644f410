// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The list of a collection: pages asked by anchor, kept live, with its states.

import { h, newID, replace, setText } from "./dom.js";
import { composedFilter, ListBar, possibleID } from "./listbar.js";
import { emptiness, freshness, refusal } from "./condition.js";
import { Feed } from "./feed.js";
import { Lost, Refusal } from "./link.js";
import { Rows } from "./rows.js";
import { href } from "./router.js";
import { counted, inText, line, noun, nouns, number, zone } from "./text.js";
import { phrase, say } from "./words.js";

const typingInterval = 40;
const slowAfter = 300;
const restTime = 1000;
const describeInterval = 60_000;
export const pageSizes = [25, 50, 100, 200];

export class ListScreen {
    #app;
    #address;
    #description = null;
    #query = {};
    #page = null;
    #problem = null;
    #rows = null;
    #bar = null;
    #feed = null;
    #asked = null;
    #lastAsked = 0;
    #timers = { typing: null, slow: null, rest: null, tick: null };
    #meta = null;
    #newer = new Set();
    #isRebuilt = false;
    #liveness = undefined;
    #place = null;
    #off = new AbortController();
    #parts;

    constructor(app) { this.#app = app; }

    // MARK: - The screen

    mount(main, address, place) {
        this.#address = address;
        this.#query = address.query;
        this.#place = place;
        const button = (name, act, extra = {}) => h("button", { type: "button", onclick: act, ...extra }, say(name));
        this.#parts = {
            title: h("h1", { tabindex: "-1" }),
            fresh: h("p", { class: "freshness" }),
            acts: h("div", { class: "acts" }),
            bar: h("div"),
            news: h("p", { class: "news", hidden: true }),
            found: h("p", { class: "found" }),
            body: h("div", { class: "body" }),
            pager: h("nav", { class: "pager", "aria-label": say("pages"), hidden: true }),
            range: h("span", { class: "range" }),
            first: button("first", () => this.#turn("first")), previous: button("previous", () => this.#turn("previous")),
            next: button("next", () => this.#turn("next")), last: button("last", () => this.#turn("last")),
        };
        const { title, fresh, acts, bar, news, found, body, pager } = this.#parts;
        main.replaceChildren(h("div", { class: "titled" }, title, acts), fresh, bar, news, found, body, pager);
        this.#fillPager();
        setText(title, line(this.#entry?.title ?? address.collection));
        body.addEventListener("keydown", event => this.#key(event));
        const { signal } = this.#off;
        this.#app.store.addEventListener("described", event => { if (event.detail === address.collection) this.#described(); }, { signal });
        this.#app.acts.addEventListener("progress", () => this.#drawCondition(), { signal });
        this.#timers.tick = setInterval(() => this.#tick(), 1000);
        this.#begin();
        return place ? null : title;
    }

    unmount() {
        this.#off.abort();
        this.#asked?.abort();
        this.#feed?.close();
        this.#rows?.close();
        for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    }

    update(address, place) {
        if (address.collection !== this.#address.collection) return false;
        this.#address = address;
        this.#query = address.query;
        this.#place = place;
        this.#bar?.show(this.#query);
        this.#bar?.showError(null);
        if (this.#description) this.#load({ anchor: this.#anchor });
        return true;
    }

    place() {
        return { row: this.#rows?.element.contains(document.activeElement) ? this.#rows.selected : null, control: this.#bar?.focused ?? null, scroll: scrollY };
    }

    connected() {
        if (!this.#description) this.#begin();
        else if (!this.#page || this.#asked) this.#load({ anchor: this.#anchor });
        else this.#app.store.renew(this.#address.collection).catch(() => {});
    }

    status() {
        if (this.#page || this.#problem) this.#drawCondition();
        if (this.#entry && this.#meta && this.#problem && this.#entry.meta.state !== this.#problem.data.meta?.state) this.#load({ anchor: this.#anchor });
    }

    get #entry() { return this.#app.store.entry(this.#address.collection); }
    get #title() { return this.#description?.title ?? this.#entry?.title ?? this.#address.collection; }
    get #anchor() { return this.#query.at ? { id: this.#query.at } : "start"; }

    async #begin() {
        this.#slow();
        try {
            this.#description = await this.#app.store.describe(this.#address.collection);
        } catch (problem) {
            if (problem instanceof Lost || this.#off.signal.aborted) return;
            clearTimeout(this.#timers.slow);
            if (!(problem instanceof Refusal)) throw problem;
            this.#parts.body.replaceChildren(h("p", {}, phrase("unknownCollection", { name: line(this.#address.collection) })),
                h("p", {}, h("a", { href: href({ screen: "start" }) }, say("toStart"))));
            return;
        }
        if (this.#off.signal.aborted) return;
        this.#describedAt = Date.now();
        this.#build();
        this.#load({ anchor: this.#anchor });
    }

    #describedAt = 0;

    #build() {
        this.#rows?.close();
        const old = this.#rows;
        this.#rows = new Rows(this.#description, id => this.#open(id));
        this.#bar = new ListBar(this.#description, (query, how) => this.#queried(query, how));
        this.#bar.show(this.#query);
        this.#feed ??= new Feed(this.#app.store, this.#app.link, this.#listener);
        this.#parts.bar.replaceChildren(this.#bar.element);
        setText(this.#parts.title, line(this.#title));
        this.#app.shell.locate(this.#address, line(this.#title));
        replace(this.#parts.acts, this.#app.acts.buttons(this.#description, { canDeal: true }));
        if (old && this.#page) this.#rows.show(this.#page.records, this.#page.groups ?? null);
    }

    /// A reload has changed the definition: what it took away leaves the query, and is told.
    #described() {
        const description = this.#app.store.known(this.#address.collection);
        const query = { ...this.#query };
        if (query.v && !description.views.some(view => view.name === query.v)) {
            this.#app.shell.notify("viewGone", { name: line(query.v) }, { kind: "wrong" });
            delete query.v;
        }
        this.#description = description;
        this.#query = query;
        this.#app.router.note({ ...this.#address, query });
        this.#build();
        this.#load({ anchor: this.#anchor });
    }

    #open(id) { this.#app.router.go({ screen: "detail", collection: this.#address.collection, id }); }

    // MARK: - Asking

    get #params() {
        const { text } = composedFilter(this.#query);
        return {
            collection: this.#address.collection, fields: this.#description.list, time_zone: zone(),
            archived: this.#query.a ?? "exclude",
            ...(text ? { filter: text } : {}), ...(this.#query.v ? { view: this.#query.v } : {}),
        };
    }

    get #order() {
        if (this.#query.s) return { sort: this.#query.s };
        return this.#description.hasGroups ? { group: true } : {};
    }

    #queried(query, { isTyped }) {
        this.#app.shell.clearNotice();
        this.#query = query;
        this.#app.router.note({ ...this.#address, query }, { replace: isTyped });
        this.#address = { ...this.#address, query };
        clearTimeout(this.#timers.typing);
        const wait = isTyped ? Math.max(0, this.#lastAsked + typingInterval - performance.now()) : 0;
        if (wait > 0) this.#timers.typing = setTimeout(() => this.#load({ anchor: "start" }), wait);
        else this.#load({ anchor: "start" });
    }

    /// Asks for a page; the older question is cancelled, and its rows stay until the new ones come.
    async #load(where, { then } = {}) {
        this.#asked?.abort();
        const asked = new AbortController();
        this.#asked = asked;
        this.#lastAsked = performance.now();
        this.#feed.stop();
        this.#slow();
        const query = this.#query;
        try {
            const answer = await this.#app.store.ask("search", { ...this.#params, ...this.#order, ...where, limit: this.#app.pageSize }, { signal: asked.signal });
            if (this.#asked !== asked) return;
            this.#asked = null;
            this.#arrived(answer, query);
            then?.(answer);
        } catch (problem) {
            if (this.#asked !== asked) return;
            if (problem instanceof Lost) return;   // `connected` asks again
            this.#asked = null;
            clearTimeout(this.#timers.slow);
            if (!(problem instanceof Refusal)) throw problem;
            this.#refused(problem);
        }
    }

    #slow() {
        clearTimeout(this.#timers.slow);
        this.#timers.slow = setTimeout(() => {
            if (this.#page) setText(this.#parts.found, say("searching"));
            else replace(this.#parts.body, h("p", { class: "empty" }, say("loading", { title: inText(line(this.#title)), whole: line(this.#title) })));
        }, slowAfter);
    }

    #arrived(answer, query) {
        clearTimeout(this.#timers.slow);
        const wasGone = query.at && answer.anchored === "gone";
        this.#page = answer;
        this.#problem = null;
        this.#meta = answer.meta;
        this.#newer.clear();
        this.#isRebuilt = false;
        this.#bar.showError(null);
        this.#rows.show(answer.records, this.#query.s ? null : answer.groups ?? null);
        if (wasGone) this.#app.shell.notify("pageMoved", {}, { kind: "news" });
        this.#draw();
        this.#restore();
        this.#feed.follow(this.#params);
        clearTimeout(this.#timers.rest);
        this.#timers.rest = setTimeout(() => this.#app.shell.tell(counted(answer.total, nouns.records)), restTime);
        if (answer.total === 0) this.#lookForID(query);
    }

    #refused(problem) {
        if (problem.kind === "bad_filter" && this.#page && this.#query.f) {
            this.#bar.showError(problem);
            setText(this.#parts.found, "");
            return;
        }
        if (problem.kind === "bad_filter") this.#bar.showError(problem);
        if (problem.kind === "bad_sort" && this.#query.s) {
            this.#app.shell.notify("orderGone", { name: line(this.#query.s) }, { kind: "wrong" });
            const query = { ...this.#query };
            delete query.s;
            this.#query = query;
            this.#app.router.note({ ...this.#address, query });
            this.#bar.show(query);
            this.#load({ anchor: "start" });
            return;
        }
        this.#page = null;
        this.#problem = problem;
        this.#meta = problem.data.meta ?? null;
        this.#rows.show([], null);
        this.#draw();
        this.#restore();
        if (problem.kind === "no_data") this.#feed.follow(this.#params);
    }

    /// Nothing has the text that was looked for: it may be the id of a record, which a search never finds.
    async #lookForID(query) {
        const id = possibleID(query);
        if (!id) return;
        try {
            await this.#app.store.ask("detail", { collection: this.#address.collection, id });
        } catch { return; }
        if (this.#query !== query || !this.#page) return;
        this.#parts.body.append(h("p", { class: "empty" }, phrase("isID", { id: line(id) }), " ",
            h("a", { href: href({ screen: "detail", collection: this.#address.collection, id }) }, line(id))));
    }

    #restore() {
        const place = this.#place;
        this.#place = null;
        if (!place) return;
        if (place.row && this.#rows.select(place.row)) { /* it is there again */ }
        else if (place.control !== null) this.#bar.focus(place.control);
        else if (document.activeElement === document.body) this.#parts.title.focus({ preventScroll: true });
        scrollTo(0, place.scroll);
    }

    // MARK: - Pages

    #fillPager() {
        const { pager, first, previous, range, next, last } = this.#parts;
        const id = newID();
        const sizes = h("select", { id, onchange: event => {
            this.#app.choosePageSize(Number(event.target.value));
            this.#load({ anchor: this.#page?.records[0] ? { id: this.#page.records[0].id } : "start" });
        } }, pageSizes.map(size => h("option", { value: size, selected: size === this.#app.pageSize, text: String(size) })));
        pager.append(h("div", { class: "turns" }, first, previous, range, next, last),
            h("div", { class: "sizes" }, h("label", { for: id }, say("rowsAPage")), " ", sizes));
    }

    /// Turns to another page; it is a new address. The focus goes with a key to its first row, else stays.
    #turn(which, { withFocus = false } = {}) {
        if (!this.#page) return false;
        const { next, prev } = this.#page;
        const where = { first: { anchor: "start" }, last: { anchor: "end" }, next: next && { cursor: next }, previous: prev && { cursor: prev } }[which];
        if (!where) return false;
        this.#app.shell.clearNotice();
        this.#load(where, { then: answer => {
            const query = { ...this.#query };
            delete query.at;
            if (answer.rank > 0 && answer.records[0]) query.at = answer.records[0].id;
            this.#query = query;
            this.#app.router.note({ ...this.#address, query }, { replace: false });
            this.#address = { ...this.#address, query };
            const focused = document.activeElement;
            this.#rows.select(this.#rows.ids[which === "previous" && withFocus ? this.#rows.ids.length - 1 : 0], { focus: withFocus });
            if (!withFocus) {
                if (focused?.disabled || focused === document.body) this.#parts.title.focus();
                this.#parts.title.scrollIntoView({ block: "nearest" });
            }
        } });
        return true;
    }

    // MARK: - News

    #listener = {
        settled: () => this.#compare(),
        heard: (entries, meta) => this.#heard(entries, meta),
        state: (meta, change) => {
            if (meta) this.#meta = meta;
            if (this.#problem && change && meta && meta.freshness) return this.#load({ anchor: this.#anchor });
            return this.#drawCondition();
        },
        rebuilt: () => {
            if (this.#problem || this.#page?.total === 0) return this.#load({ anchor: this.#anchor });
            this.#isRebuilt = true;
            this.#app.store.renew(this.#address.collection).catch(() => {});
            return this.#drawNews();
        },
        ended: () => this.#app.store.renew(this.#address.collection).catch(() => {}),
        live: reason => {
            this.#liveness = reason;
            this.#drawCondition();
        },
    };

    /// Asks for the page once more, and marks what differs: changes between the answer and the subscription.
    async #compare() {
        const ids = this.#rows.ids;
        if (!this.#page || ids.length === 0 || this.#asked) return;
        const page = this.#page;
        let answer;
        try {
            answer = await this.#app.store.ask("search", { ...this.#params, ...this.#order, anchor: { id: ids[0] }, limit: ids.length });
        } catch { return; }
        if (this.#page !== page) return;
        const found = new Map(answer.records.map(record => [record.id, record]));
        const added = answer.records.filter(record => this.#rows.record(record.id) === null);
        for (const record of added) if (answer.anchored === "exact") this.#newer.add(record.id);
        // As many rows as came are beyond the end of this answer.
        const reach = answer.anchored === "exact" ? ids.length - added.length : 0;
        ids.forEach((id, index) => {
            if (this.#rows.mark(id)?.kind === "removed") return;
            const record = found.get(id);
            if (!record) { if (index < reach) this.#rows.update(id, null, { kind: "removed", reason: "" }); }
            else if (JSON.stringify(record) !== JSON.stringify(this.#rows.record(id))) this.#rows.update(id, record, { kind: "changed" });
        });
        this.#page.total = answer.total;
        this.#meta = answer.meta;
        this.#draw();
    }

    #heard(entries, meta) {
        if (meta) this.#meta = meta;
        let total = this.#page?.total ?? 0;
        let told = 0;
        for (const entry of entries) {
            const shown = this.#rows.record(entry.id);
            if (entry.op === "added") total++;
            if (entry.op === "removed") total--;
            if (this.#app.acts.isOwn(entry.id)) {
                if (entry.op === "removed") this.#rows.remove(entry.id);
                else if (shown) this.#rows.update(entry.id, entry.record, null);
            } else if (entry.op === "removed") {
                this.#newer.delete(entry.id);
                if (shown) this.#rows.update(entry.id, null, { kind: "removed", reason: entry.reason });
            } else if (shown) this.#rows.update(entry.id, entry.record, { kind: "changed" });
            else if (entry.op === "added") this.#newer.add(entry.id);
            told += shown || entry.op === "added" ? 1 : 0;
        }
        if (this.#page) this.#page.total = Math.max(0, total);
        if (this.#page && this.#rows.ids.length === 0 && this.#newer.size > 0) return this.#load({ anchor: "start" });
        this.#draw();
        if (told > 0 && this.#newer.size > 0) this.#app.shell.tellNews(this.#newerText);
        return undefined;
    }

    get #newerText() { return `${number(this.#newer.size)} ${noun(this.#newer.size, nouns.newer)}`; }

    /// Takes in what came: the page anew, from its first record on; from the start where that is the first page.
    #takeIn() {
        const id = this.#rows.ids.find(one => this.#rows.mark(one)?.kind !== "removed");
        const isFirst = !this.#query.at;
        const hadFocus = document.activeElement;
        this.#load({ anchor: isFirst || !id ? "start" : { id } }, { then: () => {
            if (hadFocus && !hadFocus.isConnected || document.activeElement === document.body) this.#parts.title.focus();
        } });
    }

    // MARK: - Drawing

    #draw() {
        const { body, found, pager } = this.#parts;
        const page = this.#page;
        this.#drawCondition();
        this.#drawNews();
        if (!page) {
            setText(found, "");
            pager.hidden = true;
            if (this.#problem) this.#explain(refusal({ title: this.#title, problem: this.#problem, entry: this.#entry, refresh: this.#refresh }));
            return;
        }
        const count = this.#rows.ids.length;
        if (count === 0 && page.total === 0) {
            setText(found, counted(0, nouns.records));
            pager.hidden = true;
            this.#explain(emptiness({ description: this.#description, entry: this.#entry, meta: this.#meta, query: this.#query }));
            return;
        }
        if (body.firstElementChild !== this.#rows.element) body.replaceChildren(this.#rows.element);
        setText(found, counted(page.total, nouns.records));
        pager.hidden = false;
        const rank = page.rank ?? 0;
        setText(this.#parts.range, say("range", { first: number(count ? rank + 1 : rank), last: number(rank + count), total: number(page.total) }));
        this.#parts.first.disabled = this.#parts.previous.disabled = !page.prev;
        this.#parts.next.disabled = this.#parts.last.disabled = !page.next;
    }

    get #refresh() { return this.#app.acts.refreshOf(this.#address.collection); }

    #drawCondition() {
        if (!this.#description) return;
        const told = freshness({
            meta: this.#meta ?? this.#entry?.meta, entry: this.#entry, refresh: this.#refresh,
            liveness: this.#liveness ?? null, title: this.#title,
        });
        const { fresh } = this.#parts;
        fresh.className = `freshness ${told?.kind ?? ""}${this.#entry?.held || ["old", "wrong"].includes(told?.kind) ? " band" : ""}`;
        replace(fresh, told ? h("span", { text: told.text }) : null, this.#refresh ? this.#app.acts.bar(this.#refresh) : null,
            this.#entry?.held ? this.#app.acts.acceptButton(this.#description, this.#entry.held) : null);
        fresh.hidden = !told;
        if (this.#problem) this.#explain(refusal({ title: this.#title, problem: this.#problem, entry: this.#entry, refresh: this.#refresh }));
    }

    #explain({ lines, offers }) {
        const acts = {
            refresh: () => this.#app.acts.refresh(this.#description),
            clearSearch: () => this.#change({ q: "" }), clearFilter: () => this.#change({ f: "" }),
            clearView: () => this.#change({ v: "" }), showAll: () => this.#change({ a: "" }),
            showArchived: () => this.#change({ a: "include" }),
        };
        const [first, ...rest] = lines.filter(Boolean);
        const body = h("div", { class: "empty" }, h("p", { class: "first", text: first }), rest.map(text => h("p", { text })),
            offers.map(offer => h("button", { type: "button", "data-offer": offer, onclick: acts[offer] }, say(offer))));
        const old = this.#parts.body.firstElementChild;
        if (old?.isEqualNode(body)) return;
        const hadFocus = this.#parts.body.contains(document.activeElement);
        this.#parts.body.replaceChildren(body);
        if (hadFocus) (body.querySelector("button") ?? this.#parts.title).focus();
    }

    #change(change) {
        const query = { ...this.#query, ...change };
        delete query.at;
        for (const key of Object.keys(query)) if (query[key] === "") delete query[key];
        this.#bar.show(query);
        this.#parts.title.focus();
        this.#queried(query, { isTyped: false });
    }

    #drawNews() {
        const { news } = this.#parts;
        const text = this.#isRebuilt ? say("rebuilt") : this.#newer.size > 0 ? say("newer", { newer: this.#newerText }) : null;
        news.hidden = text === null;
        if (text === null) return news.replaceChildren();
        if (news.firstElementChild) return setText(news.firstElementChild, text);
        return news.append(h("button", { type: "button", onclick: () => this.#takeIn() }, text));
    }

    #tick() {
        if (this.#page || this.#problem) this.#drawCondition();
        if (document.hidden || Date.now() - this.#describedAt < describeInterval || !this.#description) return;
        this.#describedAt = Date.now();
        this.#app.store.renew(this.#address.collection).catch(() => {});
    }

    // MARK: - Keys

    #key(event) {
        if (event.ctrlKey || event.altKey || event.metaKey || !this.#rows?.element.contains(event.target)) return;
        const { acts } = this.#app;
        const record = this.#rows.record(this.#rows.selected);
        const ids = this.#rows.ids;
        const keys = {
            ArrowDown: () => this.#rows.move(1) || this.#turn("next", { withFocus: true }),
            ArrowUp: () => this.#rows.move(-1) || this.#turn("previous", { withFocus: true }),
            Home: () => this.#rows.select(ids[0]), End: () => this.#rows.select(ids.at(-1)),
            PageDown: () => this.#turn("next", { withFocus: true }), PageUp: () => this.#turn("previous", { withFocus: true }),
            "/": () => this.#bar.focusSearch(), a: () => acts.archive(this.#description, record), u: () => acts.undo(),
            r: () => acts.refresh(this.#description), n: () => acts.form(this.#description, "create"),
            e: () => acts.form(this.#description, "update", record),
        };
        if (!Object.hasOwn(keys, event.key)) return;
        event.preventDefault();
        keys[event.key]();
    }
}
