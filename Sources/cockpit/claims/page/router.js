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

/// The addresses of screens: path and `do`; `:name` stands for a member of the address.
const shapes = [
    ["operation", "-/outbox/:id"], ["correction", "-/outbox/:id", "correct"], ["outbox", "-/outbox"],
    ["status", "-/status/:collection"], ["status", "-/status"], ["deal", ":collection", "deal"],
    ["form", ":collection/:id", ":action"], ["form", ":collection", ":action"],
    ["detail", ":collection/:id"], ["list", ":collection"],
].map(([screen, path, verb = ""]) => ({ screen, path: path.split("/"), verb }));

/// Reads a fragment.
export function parseAddress(fragment) {
    if (fragment === "" || fragment === "#" || fragment === "#/") return { screen: "start", query: {} };
    try {
        const [path, ...rest] = fragment.split("?");
        const [start, ...names] = path.split("/").map(decodeURIComponent);
        const asked = new Map(rest.join("?").split("&").map(part => {
            const [key, ...value] = part.split("=");
            return [key, value.join("=")].map(decodeURIComponent);
        }));
        for (const shape of start === "#" ? shapes : []) {
            const address = read(shape, names, asked.get("do") ?? "");
            if (address) return { ...address, query: shape.screen === "list" ? pickQuery(asked) : {} };
        }
    } catch { /* it is no UTF-8 */ }
    return { screen: "unknown", query: {} };
}

function read({ screen, path, verb }, names, action) {
    const address = { screen };
    const fits = (part, value) => {
        if (!part.startsWith(":")) return part === value;
        address[part.slice(1)] = value;
        return value !== "" && (part !== ":collection" || value !== "-" || screen === "status");
    };
    return path.length === names.length && path.every((part, index) => fits(part, names[index])) && fits(verb, action)
        ? address : null;
}

function pickQuery(asked) {
    const query = {};
    for (const key of queryKeys) if (asked.get(key)) query[key] = asked.get(key);
    if (query.a && query.a !== "include" && query.a !== "only") delete query.a;
    return query;
}

/// The fragment of an address.
export function formatAddress(address) {
    const valueOf = part => part.startsWith(":") ? address[part.slice(1)] : part;
    const shape = shapes.find(({ screen, path, verb }) =>
        screen === address.screen && [...path, verb].every(part => valueOf(part) !== undefined));
    if (!shape) return "#/";
    const { query = {} } = address;
    const asked = shape.verb ? [["do", valueOf(shape.verb)]]
        : shape.screen === "list" ? queryKeys.filter(key => query[key]).map(key => [key, query[key]]) : [];
    return `#/${shape.path.map(part => encodeURIComponent(valueOf(part))).join("/")}`
        + (asked.length ? `?${asked.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&")}` : "");
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
