// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The status of all collections, the worst first: a verdict, why data is old and when that ends, plots of refreshes, and
// what somebody has to do.

import { failureClause, progressText } from "./condition.js";
import { bdi, h, renew, svg } from "./dom.js";
import { href } from "./router.js";
import { hasData, isAbandoned } from "./store.js";
import { age, clause, clock, counted, dateAndClock, instant, line, noun, nouns, number, relative, shortSpan, size,
    span } from "./text.js";
import { badge } from "./values.js";
import { phrase, say, word } from "./words.js";

const plotSpan = 24 * 3600_000;
const maxAttempts = 1000, shownAttempts = 100, maxNamed = 8;
const slotCount = 60, slotWidth = 5, plotHeight = 28;
const severity = { remark: 0, old: 1, failing: 2, held: 3, abandoned: 4, stale: 5, expired: 6, withoutData: 7 };
const needsSomebody = concern => concern.severity > severity.old;

/// What is to be said of a collection, the worst first: { severity, cause, at?, next?, advice? }.
function concernsOf({ meta, hint, held, sites = [], ttl_ms: ttl }) {
    const concerns = [];
    const add = (kind, cause, more = {}) => concerns.push({ severity: severity[kind], cause, ...more });
    const failure = meta.last_error;
    const advice = hint && line(hint);
    const planned = { next: meta.next_refresh, advice };
    if (isAbandoned(meta)) add("abandoned", say("noSourceAnyMore"), { advice });
    else if (meta.state === "unconfigured") add("remark", say("noUpstreamConfigured"), { advice });
    else if (meta.freshness === "bundle" && !failure && hint) add("remark", say("builtInNoUpstream"), { advice });
    else if (failure && (!meta.sites || !hasData(meta))) {
        const kind = !hasData(meta) ? "withoutData" : failure.kind === "held" ? "held"
            : { expired: "expired", fresh: "failing" }[meta.freshness] ?? "stale";
        add(kind, failureClause(failure), { at: failure.at, ...planned });
    } else if (meta.state === "withheld") add("withoutData", say("withheldData"), planned);
    else if (meta.state === "loading") add("remark", say("firstFetch"));
    else if (!meta.sites && meta.freshness === "expired") add("expired", say("isExpired"), planned);
    else if (!meta.sites && meta.freshness === "stale") add("old",
        ttl ? say("staleByTTL", { ttl: span(ttl, true) }) : say("isStale"), planned);
    for (const site of sites) {
        const error = site.last_error;
        if (!error && site.freshness === "fresh") continue;
        const kind = error?.kind === "held" ? "held" : site.freshness === "expired" ? "expired" : error
            ? site.freshness === "fresh" ? "failing" : "stale" : "old";
        const cause = error ? clause(error.message)
            : say(site.freshness === null ? "firstFetch" : site.freshness === "expired" ? "isExpired" : "isStale");
        add(kind, `${line(site.site)}: ${cause}`, { at: error?.at, next: site.next_refresh });
    }
    if (meta.definition === "previous") add("failing", say("definitionBefore"));
    if (held) {
        const changes = ["added", "updated", "removed",
            "quarantined"].map(key => say(key === "updated" ? "changed" : key, { number: number(held[key]) }));
        add("held", say("heldBack",
            { before: number(held.before), after: number(held.after), changes: changes.join(", ") }));
    }
    if (meta.quarantined > 0) add("remark", say("inQuarantine", { records: counted(meta.quarantined, nouns.records) }));
    return concerns.sort((one, other) => other.severity - one.severity);
}

/// How all is, in a few words.
function verdictOf(status, ordered) {
    const worst = ({ concerns }) => concerns[0]?.severity ?? severity.remark;
    const needy = ordered.filter(one => worst(one) > severity.old);
    const old = ordered.filter(one => worst(one) === severity.old);
    const names = ones => ones.slice(0,
        maxNamed).map(({ entry }) => line(entry.title)).join(", ") + (ones.length > maxNamed ? ", …" : "");
    const parts = [];
    if (needy.length) {
        const values = { count: number(needy.length), total: number(ordered.length),
            collections: noun(ordered.length, nouns.collections, true), need: noun(needy.length, nouns.need),
            names: names(needy) };
        parts.push(say("needAttention", values));
    }
    if (old.length) parts.push(say(needy.length ? "alsoStale" : "onlyStale", { names: names(old) }));
    if (!parts.length) parts.push(say("allWell"));
    const mistakes = status.problems_total ?? 0;
    const stuck = status.outbox?.stuck ?? 0;
    if (mistakes) parts.push(say("mistakes", { mistakes: counted(mistakes, nouns.mistakes) }));
    if (stuck) parts.push(say("operationsStuck",
        { operations: counted(stuck, nouns.operations), need: noun(stuck, nouns.need) }));
    return { text: parts.join(" "), isWell: !needy.length && !mistakes && !stuck };
}

/// Two rows of bars, the attempts of a day in slots: the records after each, and how long the longest took.
function plot(attempts, now) {
    const start = now - plotSpan;
    const slots = Array.from({ length: slotCount }, () => ({ duration: null, records: null, hasFailed: false }));
    let [before, records, duration] = [null, null, null];
    for (const one of [...attempts].reverse()) {
        const at = instant(one.at);
        records = one.records ?? records;
        if (at < start) before = records;
        if (at < start || at > now) continue;
        const slot = slots[Math.min(slotCount - 1, Math.floor((at - start) / plotSpan * slotCount))];
        duration = one.duration_ms;
        slot.duration = Math.max(slot.duration ?? 0, duration);
        slot.records = one.records ?? slot.records;
        slot.hasFailed ||= ["failed", "held"].includes(one.outcome);
    }
    if (duration === null) return null;
    for (const slot of slots) before = slot.records ??= before;
    const row = (key, valueOf, last, showsFailures) => {
        const most = Math.max(1, ...slots.map(valueOf));
        const marks = slots.flatMap((slot, index) => {
            const x = index * slotWidth;
            if (showsFailures && slot.hasFailed) return svg("path", { d: `M${x} ${plotHeight - 9}l4 8m0 -8l-4 8` });
            const value = valueOf(slot);
            const height = value === null ? 0 : Math.max(1, Math.round(value / most * (plotHeight - 2)));
            return height ? svg("rect", { x, y: plotHeight - height, width: slotWidth - 1, height }) : [];
        });
        return h("div", { class: "plot" }, h("span", {}, say(key)),
            svg("svg", { viewBox: `0 0 ${slotCount * slotWidth} ${plotHeight}`, preserveAspectRatio: "none",
                "aria-hidden": "true" }, marks), h("span", {}, last));
    };
    return h("div", { class: "plots" },
        records === null ? null : row("recordsRow", slot => slot.records, number(records), false),
        row("durationRow", slot => slot.duration, shortSpan(duration), true));
}

const cells = (name, keys) => h(name, {}, keys.map(key => h("th", { scope: "col" }, say(key))));

/// The same as a table, an attempt a line, the newest first.
function attemptsTable(attempts) {
    const changes = one => [["+", one.added], ["~", one.updated],
        ["−", one.removed]].filter(([, count]) => count).map(([sign, count]) => sign + number(count)).join(" ");
    return h("div", { class: "scroller" }, h("table", {}, h("caption", {}, say("refreshes")),
        h("thead", {}, cells("tr",
            ["refreshAt", "outcome", "duration", "recordsHeading", "changesHeading", "bytesHeading"])),
        h("tbody", {}, attempts.map(one =>
            h("tr", {}, h("td", {}, h("time", { datetime: one.at, text: dateAndClock(instant(one.at)) })),
            h("td", {}, ["failed", "held"].includes(one.outcome) ? badge(word("outcome", one.outcome))
                : word("outcome", one.outcome),
                one.kind ? ` ${line(one.kind)}` : "", one.site ? [" · ", bdi(line(one.site))] : ""),
            h("td", { class: "integer" }, shortSpan(one.duration_ms)),
                h("td", { class: "integer" },
                one.records === null || one.records === undefined ? "" : number(one.records)),
            h("td", {}, changes(one)),
                h("td", { class: "integer" }, one.bytes === undefined ? "" : size(one.bytes)))))));
}

/// The screen of all collections, or of one with its refreshes.
export class StatusScreen {
    #app;
    #name;
    #attempts = new Map();
    #conditions = new Map();
    #off = new AbortController();
    #parts;

    constructor(app) { this.#app = app; }

    mount(main, address) {
        this.#name = address.collection;
        this.#parts = { title: h("h1", { tabindex: "-1" }, say("status")),
            body: h("div", { class: "status" }, h("p", {}, say("loadingRecord"))) };
        main.replaceChildren(...this.#name
            ? [h("nav", { class: "way" }, h("a", { href: href({ screen: "status" }) }, "‹ ", say("status")))] : [],
            this.#parts.title, this.#parts.body);
        this.#app.acts.addEventListener("progress", () => this.status(), { signal: this.#off.signal });
        this.status();
        return this.#parts.title;
    }

    unmount() { this.#off.abort(); }

    /// Asks for the refreshes of a collection when its condition tells of another one.
    async #askAttempts({ name, meta }) {
        const condition = JSON.stringify([meta.as_of, meta.last_error?.at, meta.state]);
        if (this.#conditions.get(name) === condition) return;
        this.#conditions.set(name, condition);
        try {
            const { refreshes } = await this.#app.store.ask("refreshes", { collection: name, limit: maxAttempts },
                this.#off);
            this.#attempts.set(name, refreshes);
        } catch {
            this.#conditions.delete(name);   // without them there is no plot
            return;
        }
        this.status();
    }

    /// Draws what is known by now. The focus stays.
    status() {
        const { status } = this.#app.store;
        if (!status || this.#off.signal.aborted) return;
        const now = Date.now();
        const all = status.collections.map(entry => ({ entry, concerns: concernsOf(entry) }));
        const { body } = this.#parts;
        const key = body.contains(document.activeElement) ? document.activeElement.dataset.key : null;
        renew(body, this.#name ? this.#one(all.find(({ entry }) => entry.name === this.#name), now)
            : this.#all(status, all, now));
        if (key) body.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
        for (const { entry } of all) if (!this.#name || entry.name === this.#name) this.#askAttempts(entry);
    }

    #all(status, all, now) {
        const worst = ({ concerns }) => concerns[0]?.severity ?? -1;
        const ordered = [...all].sort((one, other) => worst(other) - worst(one));
        const { text, isWell } = verdictOf(status, ordered);
        const daemon = [`claimsd ${line(status.version)}`, say("up", { span: span(status.uptime_ms, true) }),
            counted(status.clients, nouns.clients),
            status.memory_bytes ? say("ofMemory", { size: size(status.memory_bytes) }) : null,
                status.disk_bytes ? say("onDisk", { size: size(status.disk_bytes) }) : null];
        return [h("p", { class: `verdict ${isWell ? "good" : "wrong"}` },
            h("span", { "aria-hidden": "true" }, isWell ? "✓ " : "! "), bdi(text)),
            h("p", { class: "note" }, daemon.filter(Boolean).join(", ")),
                h("ul", { class: "health" }, ordered.map(one => h("li", {}, this.#row(one, now)))),
                ...this.#rest(status)];
    }

    #one(found, now) {
        if (!found) return [h("p", {}, phrase("unknownCollection", { name: line(this.#name) }))];
        const { entry } = found;
        const heading = this.#parts.title;
        if (heading.textContent !== line(entry.title)) heading.replaceChildren(bdi(line(entry.title)));
        const attempts = this.#attempts.get(entry.name) ?? [];
        const sites = entry.sites?.length
            ? h("div", { class: "scroller" },
            h("table", {}, h("caption", {}, say("sites")),
            h("thead", {}, cells("tr", ["site", "recordsHeading", "condition", "reason", "operationNext"])),
            h("tbody", {}, entry.sites.map(site =>
                h("tr", {}, h("th", { scope: "row" }, bdi(line(site.site))),
                h("td", { class: "integer" }, number(site.total)),
                h("td", {}, site.freshness ? word("condition", site.freshness) : "",
                    site.as_of ? ` · ${age(now - instant(site.as_of))}` : ""),
                h("td", {}, site.last_error ? bdi(clause(site.last_error.message)) : ""),
                    h("td", {}, site.next_refresh ? clock(instant(site.next_refresh)) : "")))))) : null;
        return [...this.#row(found, now), sites,
            attempts.length ? attemptsTable(attempts.slice(0, shownAttempts))
            : h("p", { class: "note" }, say("noRefreshes"))];
    }

    #row({ entry, concerns }, now) {
        const { meta, name } = entry;
        const { acts, store } = this.#app;
        const asOf = instant(meta.as_of);
        const known = ["loading", "failed", "withheld", "unconfigured"].includes(meta.state) && !isAbandoned(meta)
            ? meta.state : meta.freshness ?? meta.state;
        const state = [word("condition", known),
            asOf === null ? null : age(Math.max(0, now - asOf))].filter(Boolean).join(" · ");
        const next = instant(meta.next_refresh);
        const refresh = acts.refreshOf(name);
        const title = line(entry.title);
        const collection = store.known(name) ?? { name, title };
        return [
            h("div", { class: "row" },
                this.#name ? null : h("h2", {},
                h("a", { href: href({ screen: "status", collection: name }), "data-key": `to-${name}` }, bdi(title))),
                badge(state, concerns.some(needsSomebody) ? "wrong" : known === "fresh" ? "good" : "quiet"),
                h("a", { href: href({ screen: "list", collection: name, query: {} }), "data-key": `list-${name}` },
                    counted(entry.total, nouns.records)),
                next === null || concerns.some(concern => concern.next) ? null
                    : h("span", { class: "note" },
                    say(meta.last_error ? "nextTryAt" : "nextRefreshAt", { clock: clock(next) })),
                meta.source === "local" ? null
                    : acts.button(say("refresh"), () => acts.refresh(collection), null,
                    { "aria-label": say("refreshNamed", { title }), "data-key": `refresh-${name}` }),
                entry.held ? acts.acceptButton(collection, entry.held) : null),
            refresh ? h("p", { class: "row" }, acts.bar(refresh) ?? h("progress"),
                h("span", {}, say("refreshing", { progress: progressText(refresh) }))) : null,
            ...concerns.map(concern => {
                const ends = instant(concern.next);
                const at = instant(concern.at);
                const parts = [concern.cause + (at === null ? "" : ` ${clock(at)}`),
                    ends === null ? null : say(at === null ? "nextRefreshAt" : "nextTryAt",
                    { clock: ends <= now ? say("due") : relative(ends) })];
                return h("div", { class: needsSomebody(concern) ? "concern wrong" : "concern" },
                    h("p", {}, bdi(parts.filter(Boolean).join(" · "))),
                    concern.advice ? h("p", { class: "note" }, bdi(concern.advice)) : null);
            }),
            plot(this.#attempts.get(name) ?? [], now),
        ].filter(Boolean);
    }

    /// What is not about one collection: operations, hosts, removed collections, mistakes, drift.
    #rest({ outbox, hosts = [], removed = [], problems = [], drift = {} }) {
        const section = (key, items) => items.length
            ? h("section", {}, h("h2", {}, say(key)), h("ul", {}, items.map(item => h("li", {}, item)))) : null;
        const counts = outbox ? ["stuck", "queued",
            "accepted"].filter(key => outbox[key]).map(key => `${word("pending", key)}: ${number(outbox[key])}`) : [];
        const paused = (outbox?.paused
            ?? []).map(one => phrase("paused",
            { origin: line(one.origin), reason: clause(one.reason), clock: clock(instant(one.next_try)) }));
        const count = one => ` (${number(one.count)})`;
        const unknown = Object.entries(drift).flatMap(([name, one]) => [
            ...(one.values ?? []).map(item =>
                [phrase("unknownValue", { field: line(item.field), value: line(item.value) }), count(item)]),
            ...(one.members ?? []).map(item => [phrase("unreadMember", { name: line(item.name) }), count(item)]),
            ...(one.types ?? []).map(item =>
                [phrase("otherType", { field: line(item.field), found: line(item.found),
                expected: line(item.expected) }), count(item)]),
            ...one.unlisted ? [say("andMore", { number: number(one.unlisted) })] : [],
        ].map(item => [bdi(line(this.#app.store.entry(name)?.title ?? name)), ": ", item]));
        return [
            section("outbox", [...counts.length
                ? [h("a", { href: href({ screen: "outbox" }), "data-key": "outbox" }, counts.join(", "))] : [],
                ...paused]),
            section("hosts", hosts.filter(host => host.until || host.waiting).map(host => [bdi(line(host.host)), ": ", [
                host.until ? say("hostClosed", { clock: clock(instant(host.until)) }) : null,
                    host.waiting ? say("hostWaiting", { number: number(host.waiting) })
                    : null].filter(Boolean).join(", ")])),
            section("removedCollections", removed.map(one => phrase(one.until ? "removedUntil" : "removedFor", {
                name: line(one.collection), records: counted(one.records, nouns.records),
                    clock: one.until ? clock(instant(one.until)) : "" }))),
            section("mistakesHeading",
                problems.map(one => bdi(line(`${[one.file, one.line, one.column].filter(Boolean).join(":")}: ${[one.key, one.message].filter(Boolean).join(": ")}`)))),
            section("drift", unknown),
        ];
    }
}
