// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The state of the daemon: its collections, its status, the roles of the person. Events: "status" (a new answer of
// `status`), "described" (detail: the name of the collection whose description is new).

import { language } from "./text.js";

const statusInterval = 5000;

export class Store extends EventTarget {
    /// The newest answer of `status`; null before the first.
    status = null;
    #link;
    #described = new Map();
    #timer = null;
    #asking = false;
    #error = null;

    constructor(link) {
        super();
        this.#link = link;
        link.addEventListener("state", () => { if (link.state === "open") this.#begin(); });
        document.addEventListener("visibilitychange", () => this.#poll());
    }

    /// Asks the daemon in the person's language.
    ask(method, params = {}, options = {}) {
        return this.#link.request(method, { ...params, lang: language() }, options);
    }

    /// Follows a feed; see `Link.subscribe`.
    subscribe(params, heard, options = {}) {
        return this.#link.subscribe({ ...params, lang: language() }, heard, options);
    }

    get roles() { return new Set(this.#link.hello?.you.roles ?? []); }
    hasRole(role) { return this.roles.has(role) || this.roles.has("admin"); }

    /// The entry of a collection in `status`.
    entry(collection) { return this.status?.collections.find(entry => entry.name === collection) ?? null; }

    /// The description of a collection, asked for once, and again after `forget`. Rejects as a request does.
    async describe(collection) {
        const known = this.#described.get(collection);
        if (known) return known;
        const answer = await this.ask("describe", { collection });
        const description = new Description(answer.collections[0]);
        this.#described.set(collection, description);
        return description;
    }

    known(collection) { return this.#described.get(collection) ?? null; }

    /// Asks for the description of a collection anew, and tells if it differs.
    async renew(collection) {
        const old = this.#described.get(collection);
        this.#described.delete(collection);
        const description = await this.describe(collection).catch(() => null);   // whoever shows it asks again
        if (description && old?.text !== description.text) {
            this.dispatchEvent(new CustomEvent("described", { detail: collection }));
        }
    }

    /// Asks for `status` now.
    async refreshStatus() {
        if (this.#asking || this.#link.state !== "open") return;
        this.#asking = true;
        try {
            this.status = await this.ask("status");
            this.dispatchEvent(new Event("status"));
        } catch { /* the link tells what is wrong */ } finally { this.#asking = false; }
    }

    /// Ends all asking.
    stop() { clearInterval(this.#timer); }

    #begin() {
        this.refreshStatus();
        this.#poll();
    }

    #poll() {
        clearInterval(this.#timer);
        if (document.hidden) return;
        if (this.status) this.refreshStatus();
        this.#timer = setInterval(() => this.refreshStatus(), statusInterval);
    }
}

/// A collection as `describe` tells it.
export class Description {
    constructor(value) {
        this.text = JSON.stringify(value);
        this.name = value.name;
        this.title = value.title ?? value.name;
        this.singular = value.singular ?? value.name;
        this.fields = value.fields;
        this.list = value.list;
        this.isArchivable = value.archive ?? true;
        this.hasDeals = value.deal ?? false;
        this.groupBy = value.group_by ?? null;
        this.groups = value.groups ?? [];
        this.sort = value.sort ?? [];
        this.orders = value.sorts ?? [];
        this.views = value.views ?? [];
        /// { to, actions: [{ name, title, role, granted, when?, fields, files? }] }, or null where nothing is written.
        this.writes = value.writes ?? null;
        this.#byName = new Map(value.fields.map(field => [field.name, field]));
        this.#codes = new Map(Object.entries(value.vocabularies ?? {}).map(
            ([name, vocabulary]) => [name, new Map(vocabulary.codes.map(code => [code.code, code]))]));
    }

    #byName;
    #codes;

    field(name) { return this.#byName.get(name) ?? { name, type: "text", operators: [], lines: 1 }; }
    heading(name) { return this.field(name).title ?? name.replaceAll("_", " "); }
    get hasGroups() { return this.groupBy !== null && this.groups.length > 0; }
    codes(field) { return this.#codes.get(field.vocabulary) ?? new Map(); }
    action(name) { return this.writes?.actions.find(action => action.name === name) ?? null; }
    /// The field that lists the files of a record; null where there is none.
    get fileField() { return this.writes?.actions.find(action => action.files)?.files.field ?? null; }
}

/// Whether a person has to look at a collection: as claimsctl's status marks it.
export function needsAttention(entry) {
    const { meta } = entry;
    if (entry.held || meta.definition === "previous" || meta.state === "withheld") return true;
    if (meta.state === "unconfigured") return Boolean(meta.freshness);
    if (meta.last_error && !(meta.sites && hasData(meta))) return true;
    if (!meta.sites && meta.freshness === "expired") return true;
    return (entry.sites ?? []).some(site => site.last_error || site.freshness === "expired");
}

export const hasData = meta => meta.state === "ready" || meta.state === "empty" || isAbandoned(meta);
export const isAbandoned = meta => meta.state === "unconfigured" && Boolean(meta.freshness);
