// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// Addresses: the fragment is the state of the page.
//
//     #/units?q=pump&f=status!%3Dok&v=attention&s=-status&a=include&at=ID      a list
//     #/units/ID   #/documents?do=create   #/documents/ID?do=ACTION            a record, forms
//     #/-/outbox   #/-/outbox/OP   #/-/outbox/OP?do=correct   #/-/status   #/-/status/units
//
// An address as a value: { screen, collection, id, action, query }. `screen` is `start`, `list`, `detail`, `form`,
// `outbox`, `operation`, `correction`, `status`, `deal` or `unknown`; `query` has the members q f v s a at of a list, without empty
// ones.

const queryKeys = ["q", "f", "v", "s", "a", "at"];

/// Reads a fragment.
export function parseAddress(fragment) {
    const unknown = { screen: "unknown", query: {} };
    if (fragment === "" || fragment === "#" || fragment === "#/") return { screen: "start", query: {} };
    if (!fragment.startsWith("#/")) return unknown;
    try {
        const [path, ...rest] = fragment.slice(2).split("?");
        const names = path.split("/").map(decodeURIComponent);
        const asked = new Map(rest.join("?").split("&").filter(Boolean).map(part => {
            const [key, ...value] = part.split("=");
            return [decodeURIComponent(key), decodeURIComponent(value.join("="))];
        }));
        return read(names, asked) ?? unknown;
    } catch { return unknown; }
}

function read(names, asked) {
    const [first, second, third] = names;
    if (names.includes("")) return null;
    const action = asked.get("do");
    if (first === "-") {
        if (second === "outbox" && names.length === 2) return { screen: "outbox", query: {} };
        if (second === "outbox" && names.length === 3) return { screen: action === "correct" ? "correction" : "operation", id: third, query: {} };
        if (second === "status" && names.length <= 3) return { screen: "status", collection: third, query: {} };
        return null;
    }
    if (names.length === 1 && action === "deal") return { screen: "deal", collection: first, query: {} };
    if (names.length === 1 && action) return { screen: "form", collection: first, action, query: {} };
    if (names.length === 1) return { screen: "list", collection: first, query: pickQuery(asked) };
    if (names.length !== 2) return null;
    if (action) return { screen: "form", collection: first, id: second, action, query: {} };
    return { screen: "detail", collection: first, id: second, query: {} };
}

function pickQuery(asked) {
    const query = {};
    for (const key of queryKeys) if (asked.get(key)) query[key] = asked.get(key);
    if (query.a && query.a !== "include" && query.a !== "only") delete query.a;
    return query;
}

const encode = encodeURIComponent;

/// The fragment of an address.
export function formatAddress({ screen, collection, id, action, query = {} }) {
    switch (screen) {
    case "list": {
        const parts = queryKeys.filter(key => query[key]).map(key => `${key}=${encode(query[key])}`);
        return `#/${encode(collection)}${parts.length ? "?" : ""}${parts.join("&")}`;
    }
    case "detail": return `#/${encode(collection)}/${encode(id)}`;
    case "form": return `#/${encode(collection)}${id ? `/${encode(id)}` : ""}?do=${encode(action)}`;
    case "deal": return `#/${encode(collection)}?do=deal`;
    case "outbox": return "#/-/outbox";
    case "operation": return `#/-/outbox/${encode(id)}`;
    case "correction": return `#/-/outbox/${encode(id)}?do=correct`;
    case "status": return `#/-/status${collection ? `/${encode(collection)}` : ""}`;
    default: return "#/";
    }
}

/// The whole address for a link: a <base> may stand before relative ones.
export function href(address) {
    return location.href.split("#")[0] + formatAddress(address);
}

/// Keeps address, history and screen together. `show(address, { place, isBack })` draws an address; `leave()` says
/// whether the present one may be left, `place()` tells where in it one is.
export class Router {
    #show;
    #leave;
    #place;
    #places = new Map();
    #entry;
    #isReturning = false;

    constructor({ show, leave, place }) {
        this.#show = show;
        this.#leave = leave;
        this.#place = place;
        history.scrollRestoration = "manual";
        const old = history.state;
        this.#entry = old?.entry ? old : { entry: Date.now() };
        history.replaceState(this.#entry, "");
        addEventListener("popstate", event => this.#popped(event));
    }

    get address() { return parseAddress(location.hash); }

    /// Draws the present address.
    begin() { this.#show(this.address, { place: null, isBack: false }); }

    /// Goes to an address: by a new entry, or in the place of the present one.
    async go(address, { replace = false, force = false } = {}) {
        if (!replace && !force && await this.#leave() === false) return false;
        this.#places.set(this.#entry.entry, this.#place());
        if (!replace) this.#entry = { entry: this.#entry.entry + 1 };
        history[replace ? "replaceState" : "pushState"](this.#entry, "", href(address));
        this.#show(this.address, { place: null, isBack: false, isReplaced: replace });
        return true;
    }

    /// Goes where a link points.
    follow(fragment) { return this.go(parseAddress(fragment)); }

    /// Writes the address of what is shown already.
    note(address, { replace = true } = {}) {
        if (href(address) === location.href) return;
        if (!replace) {
            this.#places.set(this.#entry.entry, this.#place());
            this.#entry = { entry: this.#entry.entry + 1 };
        }
        history[replace ? "replaceState" : "pushState"](this.#entry, "", href(address));
    }

    async #popped(event) {
        if (this.#isReturning) {
            this.#isReturning = false;
            return;
        }
        // An address that was typed, or a link that the browser followed, makes an entry of its own.
        const next = event.state?.entry ? event.state : { entry: this.#entry.entry + 1 };
        if (!event.state?.entry) history.replaceState(next, "");
        const allowed = this.#leave();
        if (allowed !== true && await allowed === false) {
            this.#isReturning = true;
            history.go(this.#entry.entry - next.entry);
            return;
        }
        this.#places.set(this.#entry.entry, this.#place());
        this.#entry = next;
        this.#show(this.address, { place: this.#places.get(next.entry) ?? null, isBack: true });
    }

    /// Forgets where one was in other entries.
    forget() { this.#places.clear(); }
}
