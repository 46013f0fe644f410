// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The state of a collection's data in words, as claimsctl browse tells it: how fresh it is, and what stands in the
// middle where there is no list.

import { hasData, isAbandoned } from "./store.js";
import {
    age, capitalized, clause, clock, counted, instant, inText, line, noun, nouns, number, size, sizeOf, span,
} from "./text.js";
import { say } from "./words.js";

const at = text => { const ms = instant(text); return ms === null ? null : clock(ms); };

/// How far a refresh is: `receiving 12.4 of 31.0 MiB, 3 s`.
export function progressText({ since, phase, bytes, expected }) {
    const passed = span(Date.now() - since);
    const name = phase ? say(`phase.${phase}`) : say("phase.asked");
    if (!bytes) return `${name}, ${passed}`;
    return `${name} ${expected ? sizeOf(bytes, expected) : size(bytes)}, ${passed}`;
}

/// Why the last refresh failed: `the server refused the connection`.
export function failureClause(failure) {
    const reason = clause(failure.message ?? "");
    return failure.site ? `${line(failure.site)}: ${reason}` : reason;
}

function reason(meta) {
    if (!meta.last_error) return null;
    const time = at(meta.last_error.at);
    return failureClause(meta.last_error) + (time ? ` ${time}` : "");
}

function nextAttempt(meta) {
    const time = at(meta.next_refresh);
    return time && say(meta.last_error ? "nextTryAt" : "nextRefreshAt", { clock: time });
}

function oldSites(sites) {
    const old = sites.total - (sites.fresh ?? 0);
    return say(old === 1 ? "oldSite" : "oldSites",
        { old: number(old), total: number(sites.total), sites: noun(sites.total, ["site", "sites", "", "", "", ""]) });
}

/// The freshness of the data: { text, kind }, kind `fresh`, `old` (stale, a bundle), `wrong` (expired, held) or `busy`;
/// null where there is nothing to tell. `meta` is the newest known, `entry` the collection's part of `status`.
export function freshness({ meta, entry, refresh, liveness, title }) {
    const join = parts => parts.filter(Boolean).join(" · ");
    if (refresh && meta && hasData(meta)) return { text: say("refreshing", { progress: progressText(refresh) }), kind: "busy" };
    if (entry?.held) {
        const { before, after } = entry.held;
        return { text: say("held", { records: counted(after, nouns.records), before: number(before) }), kind: "wrong" };
    }
    if (!meta || !hasData(meta)) return null;
    const { text, kind } = ageText(meta, entry, title, join);
    const limited = meta.limited ? say("limited") : null;
    const live = liveness === null || liveness === undefined ? null
        : liveness === "" ? say("notLive") : say("notLiveBecause", { reason: line(liveness) });
    return { text: join([text, limited, live]), kind };
}

function ageText(meta, entry, title, join) {
    if (isAbandoned(meta)) {
        return { text: join([say("noUpstream", { title: line(title) }), entry?.hint && line(entry.hint)]), kind: "old" };
    }
    const asOf = instant(meta.as_of);
    const old = age(asOf === null ? meta.age_ms ?? 0 : Math.max(0, Date.now() - asOf));
    const why = reason(meta);
    switch (meta.freshness) {
    case "fresh":
        if (meta.source === "local") return { text: say("localTruth"), kind: "fresh" };
        return { text: join([say("fresh", { age: old }), why, nextAttempt(meta)]), kind: "fresh" };
    case "bundle": {
        const hasSource = !entry || entry.ttl_ms !== undefined;
        return { text: join([say("builtIn"), say(hasSource ? "noUpstreamAnswered" : "noUpstreamConfigured"), why]), kind: "old" };
    }
    case "expired": return { text: join([say("expired", { age: old }), why, nextAttempt(meta)]), kind: "wrong" };
    default: {
        const excess = meta.sites ? oldSites(meta.sites)
            : entry?.ttl_ms !== undefined ? say("olderThanTTL", { ttl: span(entry.ttl_ms, true) }) : null;
        return { text: join([say("stale", { age: old }), why ?? excess, nextAttempt(meta)]), kind: "old" };
    }
    }
}

/// What stands in the place of a list that has no records: { lines, offers }. Offers are `refresh`, `clearSearch`,
/// `clearFilter`, `clearView`, `showAll`, `showArchived`.
export function emptiness({ description, entry, meta, query }) {
    const title = line(description.title);
    const within = { title: inText(title) };
    if (query.q || query.f || query.v || query.a === "only") {
        const terms = [query.q && `/${line(query.q)}`, query.f && line(query.f)].filter(Boolean).join(", ");
        const view = query.v && description.views.find(view => view.name === query.v);
        const limits = [
            query.v && say("inView", { view: line(view?.title ?? query.v) }), query.a === "only" && say("onlyArchived"),
        ].filter(Boolean).join(", ");
        const limit = limits ? ` (${limits})` : "";
        const first = terms ? say("noMatch", { ...within, whole: title, terms, limit })
            : say("noneWithin", { ...within, whole: title, limit });
        const offer = query.q ? "clearSearch" : query.f ? "clearFilter" : query.v ? "clearView" : "showAll";
        return { lines: [first], offers: [offer] };
    }
    if (!query.a && entry?.archived > 0) {
        return { lines: [say("allArchived", { ...within, whole: title, archived: number(entry.archived) })], offers: ["showArchived"] };
    }
    const none = say(meta?.limited ? "noneYouMaySee" : "noRecords", { ...within, whole: title });
    const time = meta?.source === "local" ? null : at(meta?.as_of);
    return { lines: [none, time ? say("upstreamHasNone", { clock: time }) : say("noneYet")], offers: [] };
}

/// What stands in the place of a list that was refused.
export function refusal({ title, problem, entry, refresh }) {
    const meta = problem.data?.meta ?? entry?.meta ?? null;
    const name = { title: inText(line(title)), whole: line(title) };
    const progress = refresh ? capitalized(progressText(refresh)) : null;
    switch (problem.kind === "no_data" ? meta?.state : null) {
    case "loading": return { lines: [say("loading", name), progress], offers: [] };
    case "unconfigured": {
        const advice = problem.hint ?? entry?.hint;
        return { lines: [say("noUpstream", { title: line(title) }), advice && line(advice)], offers: [] };
    }
    case "withheld": {
        const next = at(meta.next_refresh);
        const details = [reason(meta), next && say("nextTryAt", { clock: next })].filter(Boolean).join(" · ");
        const message = problem.message.includes(": ") ? problem.message.slice(problem.message.indexOf(": ") + 2) : problem.message;
        return {
            lines: [say("withheld", { ...name, cause: clause(message) }), progress ?? (details && capitalized(details))],
            offers: ["refresh"],
        };
    }
    case "failed": {
        const why = meta.last_error && failureClause(meta.last_error);
        const next = at(meta.next_refresh);
        return {
            lines: [say(why ? "unableBecause" : "unable", { ...name, reason: why }), progress ?? (next && say("nextTry", { clock: next }))],
            offers: ["refresh"],
        };
    }
    default:
        return { lines: [say("unableBecause", { ...name, reason: clause(problem.message) }), problem.hint && line(problem.hint)], offers: [] };
    }
}
