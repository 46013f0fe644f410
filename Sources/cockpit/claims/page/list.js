// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The list of a collection, with the states of its data.

import { emptiness, queryWords, refusal } from "./condition.js";
import { button, h, labelled, renew, setText } from "./dom.js";
import { ListBar, possibleID } from "./listbar.js";
import { maxNewer, Paging } from "./paging.js";
import { link, recordLink, Screen } from "./screen.js";
import { Rows } from "./rows.js";
import { counted, dotted, noun, nouns, number } from "./text.js";
import { phrase, say } from "./words.js";

const restTime = 1000;
const describeInterval = 60_000;
export const pageSizes = [25, 50, 100, 200];

export class ListScreen extends Screen {
    #rows = null;
    #bar = null;
    #paging = null;
    #place = null;
    #timers = {};
    #describedAt = 0;

    // MARK: - The screen

    build() {
        const turn = which => button(say(which), () => this.#turn(which));
        const parts = Object.assign(this.parts, {
            acts: h("div", { class: "acts" }), fresh: h("p", { class: "freshness" }), bar: h("div"),
            news: h("p", { class: "news" }), found: h("p", { class: "found" }), asked: h("p", { class: "printed" }),
            body: h("div", { class: "body", onkeydown: event => this.#key(event) }), range: h("span", { class: "range" }),
            first: turn("first"), previous: turn("previous"), next: turn("next"), last: turn("last"),
        });
        parts.title.textContent = this.collectionTitle;
        parts.pager = h("nav", { class: "pager", "aria-label": say("pages"), hidden: true },
            h("div", { class: "turns" }, parts.first, parts.previous, parts.range, parts.next, parts.last), this.#sizes());
        return [h("div", { class: "titled" }, parts.title, parts.acts), parts.fresh, parts.bar, parts.news, parts.found,
            parts.asked, parts.body, parts.pager, h("p", { class: "keys" }, say("keysHelp"))];
    }

    mount(main, address, place) {
        super.mount(main, address, place);
        return place ? null : this.parts.title;
    }

    begin(place) {
        this.#place = place;
        this.hearDescribed(() => { if (this.#paging) this.#described(); });
        this.hear(this.app.acts, "progress", () => this.#draw());
        this.#timers.tick = setInterval(() => this.#tick(), 1000);
        this.#load();
    }

    unmount() {
        super.unmount();
        this.#paging?.close();
        this.#rows?.close();
        for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    }

    update(address, place) {
        if (address.collection !== this.address.collection || !this.#paging) return false;
        this.address = address;
        this.#place = place;
        this.#ask(address.query);
        return true;
    }

    place() {
        const hasRow = this.#rows?.element.contains(document.activeElement);
        return { row: hasRow ? this.#rows.selected : null, control: this.#bar?.focused ?? null, scroll: scrollY };
    }

    connected() {
        if (!this.#paging) this.#load();
        else if (!this.#paging.answer || this.#paging.isAsking) this.#paging.reload();
        else this.#paging.renew();
    }

    status() {
        const { problem } = this.#paging ?? {};
        const known = problem?.data.meta?.state;
        if (known && this.entry && known !== this.entry.meta.state) this.#paging.reload();
        else this.#draw();
    }

    #load() {
        const timer = this.#timers.slow = setTimeout(() => this.#say(say("loading", this.names)), 300);
        return this.attempt(async () => {
            const description = await this.store.describe(this.address.collection);
            if (!this.isLeft) this.#follow(description, this.address.query);
        }).finally(() => clearTimeout(timer));
    }

    refused() {
        this.#say(phrase("unknownCollection", { name: this.address.collection }),
            h("p", {}, link({ screen: "start" }, say("toStart"))));
    }

    #say(first, ...rest) {
        const { body } = this.parts;
        const made = h("div", { class: "empty" }, h("p", { class: "first" }, first), rest);
        if (!body.firstElementChild?.isEqualNode(made)) body.replaceChildren(made);
    }

    /// Makes the parts of a description, and asks for the page.
    #follow(description, query) {
        this.#paging?.close();
        this.#rows?.close();
        this.description = description;
        this.#describedAt = Date.now();
        const open = id => this.app.router.go({ screen: "detail", collection: description.name, id });
        this.#rows = new Rows(description, open);
        this.#bar = new ListBar(description, (changed, how) => this.#queried(changed, how));
        this.#paging = new Paging(this.app, description, this.#rows, {
            changed: isNews => this.#changed(isNews), arrived: answer => this.#arrived(answer),
            slow: () => this.#slow(), refused: problem => this.#isToldBeside(problem),
        });
        this.parts.bar.replaceChildren(this.#bar.element);
        this.entitle(this.collectionTitle);
        renew(this.parts.acts, this.app.acts.buttons(description));
        this.#ask(query);
    }

    /// Shows a query and asks for its page.
    #ask(query) {
        this.#paging.query = query;
        this.#bar.show(query);
        this.#paging.reload();
    }

    /// A reload has changed the definition: a view that it took away leaves the query, and is told.
    #described() {
        const description = this.store.known(this.address.collection);
        const { v, ...rest } = this.#paging.query;
        const isGone = v && !description.views.some(view => view.name === v);
        const query = v && !isGone ? { ...rest, v } : rest;
        this.#note(query);
        this.#follow(description, query);
        if (isGone) this.shell.warn("viewGone", { name: v });
    }

    #note(query, options) {
        this.address = { ...this.address, query };
        this.app.router.note(this.address, options);
    }

    // MARK: - Questions and answers

    #queried(query, { isTyped }) {
        this.shell.clearNotice();
        this.#paging.query = query;
        this.#note(query, { replace: isTyped });
        if (isTyped) this.#paging.typed();
        else this.#paging.reload();
    }

    #change(change) {
        const { at, ...query } = { ...this.#paging.query, ...change };
        for (const key of Object.keys(query)) if (!query[key]) delete query[key];
        this.#bar.show(query);
        this.parts.title.focus();
        this.#queried(query, { isTyped: false });
    }

    #slow() {
        if (this.#paging.answer) setText(this.parts.found, say("searching"));
        else this.#say(say("loading", this.names));
    }

    #arrived(answer) {
        this.#bar.showError(null);
        const { query } = this.#paging;
        if (query.at && answer.anchored === "gone") this.shell.notify("pageMoved", {}, { kind: "news" });
        this.#draw();
        this.#restore();
        clearTimeout(this.#timers.rest);
        this.#timers.rest = setTimeout(() => this.shell.tell(counted(answer.total, nouns.records)), restTime);
        const id = possibleID(query);
        if (answer.total === 0 && id) this.#lookFor(id, answer);
    }

    /// Whether a refusal is told beside the rows, which stay.
    #isToldBeside(problem) {
        const { query, answer } = this.#paging;
        if (problem.kind === "bad_filter" && query.f) {
            this.#bar.showError(problem);
            setText(this.parts.found, "");
            return answer !== null;
        }
        if (problem.kind !== "bad_sort" || !query.s) return false;
        const { s, at, ...rest } = query;
        this.shell.warn("orderGone", { name: s });
        this.#note(rest);
        this.#ask(rest);
        return true;
    }

    /// Nothing has the text that was looked for: it may be the id of a record, which a search never finds.
    async #lookFor(id, answer) {
        const { collection } = this.address;
        try { await this.ask("detail", { collection, id }); } catch { return; }
        if (this.#paging.answer !== answer) return;
        this.parts.body.append(h("p", { class: "empty" }, phrase("isID", { id }), " ", recordLink(collection, id)));
    }

    #restore() {
        const place = this.#place;
        this.#place = null;
        if (!place) return;
        if (place.row === null || !this.#rows.select(place.row)) {
            if (place.control) this.#bar.focus(place.control);
            else this.parts.title.focus({ preventScroll: true });
        }
        scrollTo(0, place.scroll);
    }

    // MARK: - Pages

    #sizes() {
        const { pageSize } = this.app;
        return h("div", { class: "sizes" }, labelled(say("rowsAPage"), h("select", { onchange: event => {
            this.app.choosePageSize(Number(event.target.value));
            const [first] = this.#rows.ids;
            this.#paging.load({ anchor: this.#paging.query.at && first ? { id: first } : "start" });
        } }, pageSizes.map(size => h("option", { value: size, selected: size === pageSize, text: String(size) })))));
    }

    /// Turns to another page: a new address. By a key the focus goes to a row of it, else it stays.
    #turn(which, rowFrom) {
        this.shell.clearNotice();
        const focused = document.activeElement;
        return this.#paging.turn(which, () => {
            const { title } = this.parts;
            this.#note(this.#paging.query, { replace: false });
            this.#rows.select(this.#rows.ids.at(rowFrom ?? 0), { focus: rowFrom !== undefined });
            if (rowFrom !== undefined) return;
            if (focused?.disabled) title.focus({ preventScroll: true });
            title.scrollIntoView({ block: "nearest" });
        });
    }

    // MARK: - Drawing

    #changed(isNews) {
        this.#draw();
        if (isNews && this.#paging.newer.size > 0) this.shell.tellNews(this.#newerText);
    }

    get #newerText() {
        const { size } = this.#paging.newer;
        return `${number(size)}${size >= maxNewer ? "+" : ""} ${noun(size, nouns.newer)}`;
    }

    #draw() {
        if (!this.#paging) return;
        const { answer, problem, query, meta, liveness } = this.#paging;
        const { fresh, found, asked, body, pager, first, previous, next, last, range } = this.parts;
        this.drawFreshness(fresh, { meta, liveness });
        this.#drawNews();
        const count = this.#rows.ids.length;
        const isEmpty = count === 0 && answer?.total === 0;
        pager.hidden = !answer || isEmpty;
        if (!answer) {
            setText(found, "");
            const refresh = this.app.acts.refreshOf(this.address.collection);
            if (problem) this.#explain(refusal({ names: this.names, problem, entry: this.entry, refresh }));
            return;
        }
        if (!this.#paging.isAsking) setText(found, counted(answer.total, nouns.records));
        const words = queryWords(this.description, query);
        setText(asked, dotted(...words.terms, ...words.limits, query.a === "include" && say("withArchived"),
            query.s && say("inOrder", { order: query.s })));
        if (isEmpty) return this.#explain(emptiness({ names: this.names, words, entry: this.entry, meta, query }));
        if (body.firstElementChild !== this.#rows.element) body.replaceChildren(this.#rows.element);
        const rank = answer.rank ?? 0;
        const [from, to] = [Math.min(rank + 1, rank + count), rank + count];
        setText(range, say("range", { first: number(from), last: number(to), total: number(answer.total) }));
        first.disabled = previous.disabled = !answer.prev;
        next.disabled = last.disabled = !answer.next;
    }

    #explain({ lines, offers }) {
        const acts = {
            refresh: () => this.app.acts.refresh(this.description), clearSearch: () => this.#change({ q: "" }),
            clearFilter: () => this.#change({ f: "" }), clearView: () => this.#change({ v: "" }),
            showAll: () => this.#change({ a: "" }), showArchived: () => this.#change({ a: "include" }),
        };
        const [first, ...rest] = lines.filter(Boolean);
        const { body, title } = this.parts;
        const hadFocus = body.contains(document.activeElement);
        this.#say(first, rest.map(text => h("p", {}, text)), offers.map(offer => button(say(offer), acts[offer])));
        if (hadFocus && !body.contains(document.activeElement)) (body.querySelector("button") ?? title).focus();
    }

    #drawNews() {
        const { newer, isRebuilt } = this.#paging;
        const text = isRebuilt ? say("rebuilt") : newer.size > 0 ? say("newer", { newer: this.#newerText }) : null;
        const [shown] = this.parts.news.children;
        // A button that only counts on stays, for a click under way.
        if (text && shown) return setText(shown, text);
        return renew(this.parts.news, text && button(text, () => this.#takeIn()));
    }

    #takeIn() { this.#paging.takeIn(() => this.parts.title.focus({ preventScroll: true })); }

    #tick() {
        this.#draw();
        if (document.hidden || !this.#paging || Date.now() - this.#describedAt < describeInterval) return;
        this.#describedAt = Date.now();
        this.#paging.renew();
    }

    // MARK: - Keys

    #key(event) {
        if (event.ctrlKey || event.altKey || event.metaKey || !this.#rows?.element.contains(event.target)) return;
        const { acts } = this.app;
        const { description } = this;
        const { ids, selected } = this.#rows;
        const record = this.#rows.record(selected);
        const keys = {
            ArrowDown: () => this.#rows.move(1) || this.#turn("next", 0),
            ArrowUp: () => this.#rows.move(-1) || this.#turn("previous", -1),
            Home: () => this.#rows.select(ids[0]), End: () => this.#rows.select(ids.at(-1)),
            PageDown: () => this.#turn("next", 0), PageUp: () => this.#turn("previous", 0),
            "/": () => this.#bar.focusSearch(), a: () => acts.archive(description, record), u: () => acts.undo(),
            r: () => acts.refresh(description), n: () => acts.form(description, "create"),
            e: () => acts.form(description, "update", record),
        };
        if (!Object.hasOwn(keys, event.key)) return;
        event.preventDefault();
        keys[event.key]();
    }
}
