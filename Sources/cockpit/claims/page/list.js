// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The list of a collection, with the states of its data.

import { h, newID, replace, setText } from "./dom.js";
import { ListBar, possibleID } from "./listbar.js";
import { emptiness, freshness, refusal } from "./condition.js";
import { Lost, Refusal } from "./link.js";
import { maxNewer, Paging } from "./paging.js";
import { Rows } from "./rows.js";
import { href } from "./router.js";
import { counted, inText, line, noun, nouns, number } from "./text.js";
import { phrase, say } from "./words.js";

const restTime = 1000;
const describeInterval = 60_000;
export const pageSizes = [25, 50, 100, 200];

export class ListScreen {
    #app;
    #address;
    #description = null;
    #rows = null;
    #bar = null;
    #paging = null;
    #place = null;
    #timers = {};
    #describedAt = 0;
    #off = new AbortController();
    #parts;

    constructor(app) { this.#app = app; }

    // MARK: - The screen

    mount(main, address, place) {
        this.#address = address;
        this.#place = place;
        const turn = which => h("button", { type: "button", onclick: () => this.#turn(which) }, say(which));
        const parts = this.#parts = {
            title: h("h1", { tabindex: "-1", text: line(this.#title) }), acts: h("div", { class: "acts" }),
            fresh: h("p", { class: "freshness" }), bar: h("div"), news: h("p", { class: "news", hidden: true }),
            found: h("p", { class: "found" }), asked: h("p", { class: "printed" }), body: h("div", { class: "body" }), range: h("span", { class: "range" }),
            pager: h("nav", { class: "pager", "aria-label": say("pages"), hidden: true }),
            first: turn("first"), previous: turn("previous"), next: turn("next"), last: turn("last"),
        };
        main.replaceChildren(h("div", { class: "titled" }, parts.title, parts.acts), parts.fresh, parts.bar, parts.news,
            parts.found, parts.asked, parts.body, parts.pager, h("p", { class: "keys" }, say("keysHelp")));
        parts.pager.append(h("div", { class: "turns" }, parts.first, parts.previous, parts.range, parts.next, parts.last), this.#sizes());
        parts.body.addEventListener("keydown", event => this.#key(event));
        const { store, acts } = this.#app;
        const { signal } = this.#off;
        store.addEventListener("described", event => { if (event.detail === address.collection) this.#described(); }, { signal });
        acts.addEventListener("progress", () => this.#draw(), { signal });
        this.#timers.tick = setInterval(() => this.#tick(), 1000);
        this.#begin();
        return place ? null : parts.title;
    }

    unmount() {
        this.#off.abort();
        this.#paging?.close();
        this.#rows?.close();
        for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    }

    update(address, place) {
        if (address.collection !== this.#address.collection || !this.#paging) return false;
        this.#address = address;
        this.#place = place;
        this.#paging.query = address.query;
        this.#bar.show(address.query);
        this.#paging.reload();
        return true;
    }

    place() {
        const hasRow = this.#rows?.element.contains(document.activeElement);
        return { row: hasRow ? this.#rows.selected : null, control: this.#bar?.focused ?? null, scroll: scrollY };
    }

    connected() {
        if (!this.#paging) this.#begin();
        else if (!this.#paging.answer || this.#paging.isAsking) this.#paging.reload();
        else this.#paging.renew();
    }

    status() {
        const { problem } = this.#paging ?? {};
        if (problem?.data.meta && this.#entry && problem.data.meta.state !== this.#entry.meta.state) this.#paging.reload();
        else this.#draw();
    }

    get #entry() { return this.#app.store.entry(this.#address.collection); }
    get #title() { return this.#description?.title ?? this.#entry?.title ?? this.#address.collection; }
    get #names() { return { title: inText(line(this.#title)), whole: line(this.#title) }; }
    get #refresh() { return this.#app.acts.refreshOf(this.#address.collection); }

    async #begin() {
        const { collection } = this.#address;
        const timer = this.#timers.slow = setTimeout(() => this.#say(say("loading", this.#names)), 300);
        try {
            const description = await this.#app.store.describe(collection);
            if (!this.#off.signal.aborted) this.#build(description, this.#address.query);
        } catch (problem) {
            if (problem instanceof Lost || this.#off.signal.aborted) return;
            if (!(problem instanceof Refusal)) throw problem;
            this.#say(phrase("unknownCollection", { name: line(collection) }),
                h("p", {}, h("a", { href: href({ screen: "start" }) }, say("toStart"))));
        } finally { clearTimeout(timer); }
    }

    #say(first, ...rest) { this.#parts.body.replaceChildren(h("div", { class: "empty" }, h("p", { class: "first" }, first), rest)); }

    /// Makes the parts of a description, and asks for the page.
    #build(description, query) {
        this.#paging?.close();
        this.#rows?.close();
        this.#description = description;
        this.#describedAt = Date.now();
        this.#rows = new Rows(description, id => this.#app.router.go({ screen: "detail", collection: description.name, id }));
        this.#bar = new ListBar(description, (changed, how) => this.#queried(changed, how));
        this.#paging = new Paging(this.#app, description, this.#rows, {
            changed: isNews => this.#changed(isNews), arrived: answer => this.#arrived(answer),
            slow: () => this.#slow(), refused: problem => this.#refused(problem),
        });
        this.#paging.query = query;
        this.#bar.show(query);
        this.#parts.bar.replaceChildren(this.#bar.element);
        setText(this.#parts.title, line(description.title));
        this.#app.shell.locate(this.#address, line(description.title));
        replace(this.#parts.acts, this.#app.acts.buttons(description));
        this.#paging.reload();
    }

    /// A reload has changed the definition: a view that it took away leaves the query, and is told.
    #described() {
        const description = this.#app.store.known(this.#address.collection);
        const { v, ...rest } = this.#paging.query;
        const isGone = v && !description.views.some(view => view.name === v);
        const query = v && !isGone ? { ...rest, v } : rest;
        this.#note(query);
        this.#build(description, query);
        if (isGone) this.#app.shell.notify("viewGone", { name: line(v) }, { kind: "wrong" });
    }

    #note(query, options) {
        this.#address = { ...this.#address, query };
        this.#app.router.note(this.#address, options);
    }

    // MARK: - Questions and answers

    #queried(query, { isTyped }) {
        this.#app.shell.clearNotice();
        this.#paging.query = query;
        this.#note(query, { replace: isTyped });
        if (isTyped) this.#paging.typed();
        else this.#paging.reload();
    }

    #change(change) {
        const { at, ...query } = { ...this.#paging.query, ...change };
        for (const key of Object.keys(query)) if (!query[key]) delete query[key];
        this.#bar.show(query);
        this.#parts.title.focus();
        this.#queried(query, { isTyped: false });
    }

    #slow() {
        if (this.#paging.answer) setText(this.#parts.found, say("searching"));
        else this.#say(say("loading", this.#names));
    }

    #arrived(answer) {
        this.#bar.showError(null);
        const query = this.#paging.query;
        if (query.at && answer.anchored === "gone") this.#app.shell.notify("pageMoved", {}, { kind: "news" });
        this.#draw();
        this.#restore();
        clearTimeout(this.#timers.rest);
        this.#timers.rest = setTimeout(() => this.#app.shell.tell(counted(answer.total, nouns.records)), restTime);
        const id = possibleID(query);
        if (answer.total === 0 && id) this.#lookFor(id, answer);
    }

    /// Whether the refusal is told beside the rows that stay.
    #refused(problem) {
        const { query, answer } = this.#paging;
        if (problem.kind === "bad_filter" && query.f) {
            this.#bar.showError(problem);
            setText(this.#parts.found, "");
            return answer !== null;
        }
        if (problem.kind !== "bad_sort" || !query.s) return false;
        const { s, at, ...rest } = query;
        this.#app.shell.notify("orderGone", { name: line(s) }, { kind: "wrong" });
        this.#paging.query = rest;
        this.#note(rest);
        this.#bar.show(rest);
        this.#paging.reload();
        return true;
    }

    /// Nothing has the text that was looked for: it may be the id of a record, which a search never finds.
    async #lookFor(id, answer) {
        try {
            await this.#app.store.ask("detail", { collection: this.#address.collection, id });
        } catch { return; }
        if (this.#paging.answer !== answer) return;
        this.#parts.body.append(h("p", { class: "empty" }, phrase("isID", { id: line(id) }), " ",
            h("a", { href: href({ screen: "detail", collection: this.#address.collection, id }) }, line(id))));
    }

    #restore() {
        const place = this.#place;
        this.#place = null;
        if (!place) return;
        if (place.row === null || !this.#rows.select(place.row)) {
            if (place.control === null || place.control === undefined) this.#parts.title.focus({ preventScroll: true });
            else this.#bar.focus(place.control);
        }
        scrollTo(0, place.scroll);
    }

    // MARK: - Pages

    #sizes() {
        const id = newID();
        return h("div", { class: "sizes" }, h("label", { for: id }, say("rowsAPage")), " ", h("select", { id, onchange: event => {
            this.#app.choosePageSize(Number(event.target.value));
            const [first] = this.#rows.ids;
            this.#paging.load({ anchor: this.#paging.query.at && first ? { id: first } : "start" });
        } }, pageSizes.map(size => h("option", { value: size, selected: size === this.#app.pageSize, text: String(size) }))));
    }

    /// Turns to another page: a new address. By a key the focus goes to a row of it, else it stays.
    #turn(which, rowFrom) {
        this.#app.shell.clearNotice();
        const focused = document.activeElement;
        return this.#paging.turn(which, () => {
            this.#note(this.#paging.query, { replace: false });
            const { ids } = this.#rows;
            this.#rows.select(ids.at(rowFrom ?? 0), { focus: rowFrom !== undefined });
            if (rowFrom === undefined && focused?.disabled) this.#parts.title.focus({ preventScroll: true });
            if (rowFrom === undefined) this.#parts.title.scrollIntoView({ block: "nearest" });
        });
    }

    #takeIn() {
        this.#paging.takeIn(() => this.#parts.title.focus({ preventScroll: true }));
    }

    // MARK: - Drawing

    #changed(isNews) {
        this.#draw();
        if (isNews && this.#paging.newer.size > 0) this.#app.shell.tellNews(this.#newerText);
    }

    get #newerText() {
        const { size } = this.#paging.newer;
        return `${number(size)}${size >= maxNewer ? "+" : ""} ${noun(size, nouns.newer)}`;
    }

    #draw() {
        if (!this.#paging) return;
        const { answer, problem, query } = this.#paging;
        const { body, found, pager, first, previous, next, last, range } = this.#parts;
        const entry = this.#entry;
        this.#drawFreshness();
        this.#drawNews();
        const count = this.#rows.ids.length;
        pager.hidden = !answer || count === 0 && answer.total === 0;
        if (!answer) {
            setText(found, "");
            if (problem) this.#explain(refusal({ title: this.#title, problem, entry, refresh: this.#refresh }));
            return;
        }
        if (!this.#paging.isAsking) setText(found, counted(answer.total, nouns.records));
        setText(this.#parts.asked, this.#queryText);
        if (pager.hidden) {
            this.#explain(emptiness({ description: this.#description, entry, meta: this.#paging.meta, query }));
            return;
        }
        if (body.firstElementChild !== this.#rows.element) body.replaceChildren(this.#rows.element);
        const rank = answer.rank ?? 0;
        setText(range, say("range", { first: number(Math.min(rank + 1, rank + count)), last: number(rank + count), total: number(answer.total) }));
        first.disabled = previous.disabled = !answer.prev;
        next.disabled = last.disabled = !answer.next;
    }

    /// The query in words, for paper.
    get #queryText() {
        const { q, f, v, s, a } = this.#paging.query;
        const view = this.#description.views.find(view => view.name === v)?.title ?? v;
        return [q && `/${line(q)}`, f && line(f), v && say("inView", { view: line(view) }), s && say("inOrder", { order: line(s) }),
            a && say(a === "only" ? "onlyArchived" : "withArchived")].filter(Boolean).join(" · ");
    }

    #drawFreshness() {
        const entry = this.#entry;
        const refresh = this.#refresh;
        const told = freshness({ meta: this.#paging.meta ?? entry?.meta, entry, refresh, liveness: this.#paging.liveness, title: this.#title });
        const { fresh } = this.#parts;
        fresh.hidden = !told;
        if (!told) return;
        fresh.className = `freshness ${told.kind}${["old", "wrong"].includes(told.kind) ? " band" : ""}`;
        replace(fresh, h("span", { text: told.text }), refresh ? this.#app.acts.bar(refresh) : null,
            entry?.held ? this.#app.acts.acceptButton(this.#description, entry.held) : null);
    }

    #explain({ lines, offers }) {
        const acts = {
            refresh: () => this.#app.acts.refresh(this.#description), clearSearch: () => this.#change({ q: "" }),
            clearFilter: () => this.#change({ f: "" }), clearView: () => this.#change({ v: "" }),
            showAll: () => this.#change({ a: "" }), showArchived: () => this.#change({ a: "include" }),
        };
        const [first, ...rest] = lines.filter(Boolean);
        const { body, title } = this.#parts;
        const made = h("div", { class: "empty" }, h("p", { class: "first", text: first }), rest.map(text => h("p", { text })),
            offers.map(offer => h("button", { type: "button", onclick: acts[offer] }, say(offer))));
        if (body.firstElementChild?.isEqualNode(made)) return;
        const hadFocus = body.contains(document.activeElement);
        body.replaceChildren(made);
        if (hadFocus) (made.querySelector("button") ?? title).focus();
    }

    #drawNews() {
        const { news } = this.#parts;
        const { newer, isRebuilt } = this.#paging;
        const text = isRebuilt ? say("rebuilt") : newer.size > 0 ? say("newer", { newer: this.#newerText }) : null;
        news.hidden = text === null;
        if (text === null) news.replaceChildren();
        else if (news.firstElementChild) setText(news.firstElementChild, text);
        else news.append(h("button", { type: "button", onclick: () => this.#takeIn() }, text));
    }

    #tick() {
        this.#draw();
        if (document.hidden || !this.#paging || Date.now() - this.#describedAt < describeInterval) return;
        this.#describedAt = Date.now();
        this.#paging.renew();
    }

    // MARK: - Keys

    #key(event) {
        if (event.ctrlKey || event.altKey || event.metaKey || !this.#rows?.element.contains(event.target)) return;
        const { acts } = this.#app;
        const { ids, selected } = this.#rows;
        const record = this.#rows.record(selected);
        const keys = {
            ArrowDown: () => this.#rows.move(1) || this.#turn("next", 0), ArrowUp: () => this.#rows.move(-1) || this.#turn("previous", -1),
            Home: () => this.#rows.select(ids[0]), End: () => this.#rows.select(ids.at(-1)),
            PageDown: () => this.#turn("next", 0), PageUp: () => this.#turn("previous", 0),
            "/": () => this.#bar.focusSearch(), a: () => acts.archive(this.#description, record), u: () => acts.undo(),
            r: () => acts.refresh(this.#description), n: () => acts.form(this.#description, "create"),
            e: () => acts.form(this.#description, "update", record),
        };
        if (!Object.hasOwn(keys, event.key)) return;
        event.preventDefault();
        keys[event.key]();
    }
}
