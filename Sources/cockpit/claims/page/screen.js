// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The common parts of all screens. Each address has one screen; it is made, shown and left by main.js:
//
//     build()                   the elements of the screen.
//     begin(place)              asks for what it shows. `place` is what its place() gave when one left this entry of the
//                               history; null for a new one.
//     update(address, place)    optional: another address of the same screen, shown in place; false: mount anew.
//     place()                   optional: where one is in it, for Back.
//     leave(), hasInput         optional: whether it may be left (true, false or a promise of it), and has input.
//     connected()               optional: the daemon answers again after a loss.
//     status()                  optional: there is a new answer of `status` in app.store.status.
//
// `app` has: link, store (ask, describe, status), router (go, note), shell (notify, warn, tell, locate), acts (refresh,
// archive, obstacle), session, ask(key, values, label) — a question, a promise of true or false —, pageSize,
// isInConsole.

import { bdi, h, renew } from "./dom.js";
import { freshness } from "./condition.js";
import { Lost, Refusal } from "./link.js";
import { href } from "./router.js";
import { inText, line, withHint } from "./text.js";
import { say } from "./words.js";

/// The mistake, as words for a person. The daemon calls fields by their names; of a missing value the title says enough.
export function problemText(problem) {
    if (problem instanceof Lost) return say("notAnswered");
    if (problem.kind === "required") return say("isMissing");
    if (problem.kind === "forbidden" && problem.data.role) return say("needsRole", { role: problem.data.role });
    return withHint(problem);
}

export const problemLine = problem => h("p", { class: "problem" }, bdi(problemText(problem)));

/// A link to an address of the page.
export const link = (address, content, attributes = {}) => h("a", { href: href(address), ...attributes }, content);
export const recordLink = (collection, id, content = bdi(id), attributes = {}) =>
    link({ screen: "detail", collection, id }, content, attributes);
/// The way back to an address.
export const wayBack = (address, content) => h("nav", { class: "way" }, link(address, ["‹ ", content]));

/// A table from the keys of its heads and lists of cells: contents, or cells made by hand. The first one names a row.
export function table(heads, rows, { name = null, caption = null } = {}) {
    const cell = (content, index) => content instanceof HTMLTableCellElement ? content
        : index ? h("td", {}, content) : h("th", { scope: "row" }, content);
    return h("div", { class: "scroller" }, h("table", { class: name }, caption ? h("caption", {}, caption) : null,
        h("thead", {}, h("tr", {}, heads.map(head => h("th", { scope: "col" }, say(head))))),
        h("tbody", {}, rows.map(cells => h("tr", {}, cells.map(cell))))));
}

export class Screen {
    app;
    address;
    description = null;
    parts = { title: h("h1", { tabindex: "-1" }) };
    off = new AbortController();

    constructor(app) {
        this.app = app;
        this.store = app.store;
        this.shell = app.shell;
    }

    /// Fills `main`; gives the element that gets the focus, null where the screen sees to it.
    mount(main, address, place) {
        this.address = address;
        main.replaceChildren(...[this.build()].flat().filter(Boolean));
        this.begin(place);
        return this.parts.title;
    }

    /// Ends its requests, timers and listeners.
    unmount() { this.off.abort(); }
    get isLeft() { return this.off.signal.aborted; }

    ask(method, params) { return this.store.ask(method, params, this.off); }

    /// Does what asks the daemon. What gets no answer is asked for again by `connected`.
    async attempt(act) {
        try {
            await act();
        } catch (problem) {
            if (problem instanceof Lost || this.isLeft) return;
            if (!(problem instanceof Refusal)) throw problem;
            this.refused(problem);
        }
    }

    /// Calls `act` at an event, as long as the screen is shown.
    hear(target, type, act) { target.addEventListener(type, act, this.off); }

    /// Calls `act` when the description of the collection has changed.
    hearDescribed(act) {
        this.hear(this.store, "described", event => { if (event.detail === this.address.collection) act(); });
    }

    entitle(...content) {
        if (this.isLeft) return;
        this.parts.title.replaceChildren(...content);
        this.shell.locate(this.address, this.parts.title.textContent);
    }

    // MARK: - The collection

    get entry() { return this.store.entry(this.address.collection); }
    get collectionTitle() { return line(this.description?.title ?? this.entry?.title ?? this.address.collection); }
    get names() { return { title: inText(this.collectionTitle), whole: this.collectionTitle }; }

    /// Draws how fresh the data of a collection is, how far a refresh is, and what is held back; `meta` is the newest known.
    drawFreshness(element, { entry = this.entry, meta = null, liveness = null, description = this.description } = {}) {
        const { acts } = this.app;
        const refresh = acts.refreshOf(entry?.name ?? this.address.collection);
        const title = description?.title ?? this.collectionTitle;
        const told = freshness({ meta: meta ?? entry?.meta, entry, refresh, liveness, title });
        element.hidden = !told;
        element.className = `freshness ${told?.kind ?? ""}${["old", "wrong"].includes(told?.kind) ? " band" : ""}`;
        renew(element, told ? h("span", { text: told.text }) : null, refresh ? acts.bar(refresh) : null,
            entry?.held && description ? acts.acceptButton(description) : null);
    }
}
