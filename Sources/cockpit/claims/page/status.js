// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The status of all collections, the worst first: a verdict, why data is old and when that ends, plots of refreshes, and
// what somebody has to do.

import { changesText } from "./acts.js";
import { pausedText, refusal } from "./condition.js";
import { bdi, button, h, note, renew, svg } from "./dom.js";
import { link, Screen, table, wayBack } from "./screen.js";
import { hasData, isAbandoned, needsAttention } from "./store.js";
import {
    age, clause, clockAt, counted, dotted, instant, inText, line, noun, nouns, number, shortSpan, size, span,
} from "./text.js";
import { badge, moment } from "./values.js";
import { phrase, say, word } from "./words.js";

const plotSpan = 24 * 3600_000;
const maxAttempts = 1000, shownAttempts = 100, maxNamed = 8;
const slotCount = 60, slotWidth = 5, plotHeight = 28;

const isOld = entry => entry.meta.freshness === "stale" && !needsAttention(entry);

/// How bad it is: those that need somebody first, of them those without data.
function badness(entry) {
    const { meta } = entry;
    const lack = hasData(meta) ? { expired: 2, stale: 1 }[meta.freshness] ?? 0 : 3;
    return needsAttention(entry) ? 4 + lack : isOld(entry) ? 1 : 0;
}

const nextTry = (time, failure) => time && say(failure ? "nextTryAt" : "nextRefreshAt", { clock: clockAt(time) });

/// The remark about a collection beside its freshness: { text, isWrong }.
function concernsOf({ meta, held, sites = [] }) {
    const concerns = sites.filter(site => site.last_error || site.freshness !== "fresh").map(site => {
        const { last_error: error, freshness } = site;
        const cause = error ? `${clause(error.message)} ${clockAt(error.at)}`
            : freshness === null ? say("firstFetch") : word("condition", freshness);
        const text = dotted(`${line(site.site)}: ${cause}`, nextTry(site.next_refresh, error));
        return { text, isWrong: Boolean(error) || freshness === "expired" };
    });
    if (meta.state === "withheld") concerns.push({ text: say("withheldData"), isWrong: true });
    if (meta.definition === "previous") concerns.push({ text: say("definitionBefore"), isWrong: true });
    if (held) {
        const changes = changesText(held, ["added", "updated", "removed", "quarantined"]);
        const text = say("heldBack", { before: number(held.before), after: number(held.after), changes });
        concerns.push({ text, isWrong: true });
    }
    const records = counted(meta.quarantined ?? 0, nouns.records);
    if (meta.quarantined > 0) concerns.push({ text: say("inQuarantine", { records }) });
    return concerns;
}

/// How all is, in a few words.
function verdictOf(status, ordered) {
    const needy = ordered.filter(needsAttention);
    const old = ordered.filter(isOld);
    const names = ones => ones.slice(0, maxNamed).map(entry => line(entry.title)).join(", ")
        + (ones.length > maxNamed ? ", …" : "");
    const mistakes = status.problems_total ?? 0;
    const stuck = status.outbox?.stuck ?? 0;
    const parts = [
        needy.length ? say("needAttention", {
            count: number(needy.length), total: number(ordered.length), names: names(needy),
            collections: noun(ordered.length, nouns.collections, true), need: noun(needy.length, nouns.need),
        }) : null,
        old.length ? say(needy.length ? "alsoStale" : "onlyStale", { names: names(old) }) : null,
        mistakes ? say("mistakes", { mistakes: counted(mistakes, nouns.mistakes) }) : null,
        stuck ? say("operationsStuck",
            { operations: counted(stuck, nouns.operations), need: noun(stuck, nouns.need) }) : null,
    ];
    return { text: parts.filter(Boolean).join(" ") || say("allWell"), isWell: !needy.length && !mistakes && !stuck };
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
        slot.hasFailed ||= isFailure(one);
    }
    if (duration === null) return null;
    for (const slot of slots) before = slot.records ??= before;
    const row = (name, key, last) => {
        const most = Math.max(1, ...slots.map(slot => slot[key]));
        const marks = slots.map((slot, index) => {
            const x = index * slotWidth;
            if (key === "duration" && slot.hasFailed) return svg("path", { d: `M${x} ${plotHeight - 9}l4 8m0 -8l-4 8` });
            const height = slot[key] === null ? 0 : Math.max(1, Math.round(slot[key] / most * (plotHeight - 2)));
            return height ? svg("rect", { x, y: plotHeight - height, width: slotWidth - 1, height }) : null;
        });
        const viewBox = `0 0 ${slotCount * slotWidth} ${plotHeight}`;
        return h("div", { class: "plot" }, h("span", {}, say(name)),
            svg("svg", { viewBox, preserveAspectRatio: "none", "aria-hidden": "true" }, marks), h("span", {}, last));
    };
    return h("div", { class: "plots" }, records === null ? null : row("recordsRow", "records", number(records)),
        row("durationRow", "duration", shortSpan(duration)));
}

const isFailure = attempt => ["failed", "held"].includes(attempt.outcome);

/// The same as a table, an attempt a line, the newest first.
function attemptsTable(attempts) {
    const heads = ["refreshAt", "outcome", "duration", "recordsHeading", "changesHeading", "bytesHeading"];
    const figure = text => h("td", { class: "integer" }, text);
    return table(heads, attempts.map(one => {
        const outcome = word("outcome", one.outcome);
        const changes = [["+", one.added], ["~", one.updated], ["−", one.removed]].filter(([, count]) => count);
        return [
            moment(one.at),
            [isFailure(one) ? badge(outcome) : outcome, one.kind ? ` ${line(one.kind)}` : "",
                one.site ? [" · ", bdi(one.site)] : ""],
            figure(shortSpan(one.duration_ms)), figure(number(one.records ?? "")),
            changes.map(([sign, count]) => sign + number(count)).join(" "),
            figure(one.bytes === undefined ? "" : size(one.bytes)),
        ];
    }), { caption: say("refreshes") });
}

function sitesTable(sites, now) {
    const heads = ["site", "recordsHeading", "condition", "reason", "operationNext"];
    return table(heads, sites.map(site => [
        bdi(site.site), h("td", { class: "integer" }, number(site.total)),
        dotted(site.freshness && word("condition", site.freshness), site.as_of && age(now - instant(site.as_of))),
        site.last_error ? bdi(clause(site.last_error.message)) : "",
        clockAt(site.next_refresh),
    ]), { caption: say("sites") });
}

/// The screen of all collections, or of one with its refreshes.
export class StatusScreen extends Screen {
    #attempts = new Map();
    #conditions = new Map();

    build() {
        const { title } = this.parts;
        title.textContent = say("status");
        this.parts.body = h("div", { class: "status" }, h("p", {}, say("loadingRecord")));
        return [this.address.collection ? wayBack({ screen: "status" }, say("status")) : null, title, this.parts.body];
    }

    begin() {
        this.hear(this.app.acts, "progress", () => this.status());
        this.status();
    }

    /// Asks for the refreshes of a collection when its condition tells of another one.
    async #askAttempts({ name, meta }) {
        const condition = JSON.stringify([meta.as_of, meta.last_error?.at, meta.state]);
        if (this.#conditions.get(name) === condition) return;
        this.#conditions.set(name, condition);
        try {
            this.#attempts.set(name, (await this.ask("refreshes", { collection: name, limit: maxAttempts })).refreshes);
        } catch {
            this.#conditions.delete(name);   // without them there is no plot
            return;
        }
        this.status();
    }

    /// Draws what is known by now.
    status() {
        const { status } = this.store;
        if (!status || this.isLeft) return;
        const now = Date.now();
        const entries = this.address.collection ? [this.entry].filter(Boolean) : status.collections;
        renew(this.parts.body, this.address.collection ? this.#one(entries[0], now) : this.#all(status, now));
        entries.forEach(entry => this.#askAttempts(entry));
    }

    #all(status, now) {
        const ordered = [...status.collections].sort((one, other) => badness(other) - badness(one));
        const { text, isWell } = verdictOf(status, ordered);
        const { memory_bytes: memory, disk_bytes: disk } = status;
        const daemon = [
            `claimsd ${line(status.version)}`, say("up", { span: span(status.uptime_ms, true) }),
            counted(status.clients, nouns.clients),
            memory && say("ofMemory", { size: size(memory) }), disk && say("onDisk", { size: size(disk) }),
        ];
        return [
            h("p", { class: `verdict ${isWell ? "good" : "wrong"}` },
                h("span", { "aria-hidden": "true" }, isWell ? "✓ " : "! "), bdi(text)),
            note(daemon.filter(Boolean).join(", ")),
            h("ul", { class: "health" }, ordered.map(entry => h("li", {}, this.#row(entry, now)))), this.#rest(status),
        ];
    }

    #one(entry, now) {
        if (!entry) return h("p", {}, phrase("unknownCollection", { name: this.address.collection }));
        if (this.parts.title.textContent !== line(entry.title)) this.entitle(bdi(entry.title));
        const attempts = this.#attempts.get(entry.name) ?? [];
        return [this.#row(entry, now), entry.sites?.length ? sitesTable(entry.sites, now) : null,
            attempts.length ? attemptsTable(attempts.slice(0, shownAttempts)) : note(say("noRefreshes"))];
    }

    #row(entry, now) {
        const { meta, name } = entry;
        const { acts } = this.app;
        const title = line(entry.title);
        const collection = this.store.known(name) ?? { name, title };
        const fresh = h("p");
        const notes = [hasData(meta) && !isAbandoned(meta) && entry.hint];
        this.drawFreshness(fresh, { entry, description: collection });
        if (fresh.hidden) {
            // Without data the list says what stands in its place.
            const names = { title: inText(title), whole: title };
            const problem = { kind: "no_data", message: "", data: { meta } };
            const [first, ...rest] = refusal({ names, problem, entry, refresh: acts.refreshOf(name) }).lines;
            fresh.hidden = false;
            fresh.className = `freshness ${needsAttention(entry) ? "band wrong" : ""}`;
            fresh.append(bdi(first));
            notes.push(...rest);
        }
        return [
            h("div", { class: "row" },
                this.address.collection ? null : h("h2", {},
                    link({ screen: "status", collection: name }, bdi(title), { "data-key": `to-${name}` })),
                link({ screen: "list", collection: name }, counted(entry.total, nouns.records),
                    { "data-key": `list-${name}` }),
                meta.source === "local" ? null : button(say("refresh"), () => acts.refresh(collection),
                    { "aria-label": say("refreshNamed", { title }), "data-key": `refresh-${name}` })),
            fresh,
            concernsOf(entry).map(({ text, isWrong }) =>
                h("p", { class: isWrong ? "concern wrong" : "concern" }, bdi(text))),
            notes.filter(Boolean).map(text => note(bdi(text))),
            plot(this.#attempts.get(name) ?? [], now),
        ];
    }

    /// The remarks that are not about one collection: operations, hosts, removed collections, mistakes, drift.
    #rest({ outbox, hosts = [], removed = [], problems = [], drift = {} }) {
        const section = (key, items) => items.length
            ? h("section", {}, h("h2", {}, say(key)), h("ul", {}, items.map(item => h("li", {}, item)))) : null;
        const counts = ["stuck", "queued", "accepted"].filter(key => outbox?.[key])
            .map(key => `${word("pending", key)}: ${number(outbox[key])}`).join(", ");
        const unknown = Object.entries(drift).flatMap(([name, one]) => [
            ...[["unknownValue", one.values], ["unreadMember", one.members], ["otherType", one.types]].flatMap(
                ([key, items]) => (items ?? []).map(item => [phrase(key, item), ` (${number(item.count)})`])),
            ...one.unlisted ? [say("andMore", { number: number(one.unlisted) })] : [],
        ].map(item => [bdi(this.store.entry(name)?.title ?? name), ": ", item]));
        return [
            section("outbox", [...counts ? [link({ screen: "outbox" }, counts, { "data-key": "outbox" })] : [],
                ...(outbox?.paused ?? []).map(pausedText)]),
            section("hosts", hosts.filter(host => host.until || host.waiting).map(host => [bdi(host.host), ": ", [
                host.until && say("hostClosed", { clock: clockAt(host.until) }),
                host.waiting && say("hostWaiting", { number: number(host.waiting) }),
            ].filter(Boolean).join(", ")])),
            section("removedCollections", removed.map(({ collection: name, records, until }) => phrase(
                until ? "removedUntil" : "removedFor",
                { name, records: counted(records, nouns.records), clock: clockAt(until) }))),
            section("mistakesHeading", problems.map(one => {
                const place = [one.file, one.line, one.column].filter(Boolean).join(":");
                return bdi(`${place}: ${[one.key, one.message].filter(Boolean).join(": ")}`);
            })),
            section("drift", unknown),
        ];
    }
}
