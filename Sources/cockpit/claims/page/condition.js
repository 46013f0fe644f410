// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// The state of a collection's data in words, as claimsctl browse tells it: how fresh it is, and what stands in the
// middle where there is no list.

import { hasData, isAbandoned } from "./store.js";
import {
    age, capitalized, clause, clockAt as at, counted, dotted, instant, line, noun, nouns, number, size, sizeOf, span,
} from "./text.js";
import { phrase, say } from "./words.js";

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
    if (refresh && meta && hasData(meta)) return { text: say("refreshing", { progress: progressText(refresh) }), kind: "busy" };
    if (entry?.held) {
        const { before, after } = entry.held;
        return { text: say("held", { records: counted(after, nouns.records), before: number(before) }), kind: "wrong" };
    }
    if (!meta || !hasData(meta)) return null;
    const { parts, kind } = ageParts(meta, entry, title);
    const live = liveness === null || liveness === undefined ? null
        : liveness === "" ? say("notLive") : say("notLiveBecause", { reason: liveness });
    return { text: dotted(...parts, meta.limited && say("limited"), live), kind };
}

function ageParts(meta, entry, title) {
    if (isAbandoned(meta)) return { parts: [say("noUpstream", { title }), entry?.hint && line(entry.hint)], kind: "old" };
    const asOf = instant(meta.as_of);
    const old = age(asOf === null ? meta.age_ms ?? 0 : Math.max(0, Date.now() - asOf));
    const why = reason(meta);
    const next = nextAttempt(meta);
    switch (meta.freshness) {
    case "fresh":
        return { parts: meta.source === "local" ? [say("localTruth")] : [say("fresh", { age: old }), why, next], kind: "fresh" };
    case "bundle": {
        const hasSource = !entry || entry.ttl_ms !== undefined;
        return { parts: [say("builtIn"), say(hasSource ? "noUpstreamAnswered" : "noUpstreamConfigured"), why], kind: "old" };
    }
    case "expired": return { parts: [say("expired", { age: old }), why, next], kind: "wrong" };
    default: {
        const excess = meta.sites ? oldSites(meta.sites) : entry?.ttl_ms !== undefined
            ? say("olderThanTTL", { ttl: span(entry.ttl_ms, true) }) : null;
        return { parts: [say("stale", { age: old }), why ?? excess, next], kind: "old" };
    }
    }
}

/// A query in words: what is looked for, and what bounds it.
export function queryWords(description, { q, f, v, a }) {
    const view = description.views.find(one => one.name === v)?.title ?? v;
    return {
        terms: [q && `/${line(q)}`, f && line(f)].filter(Boolean),
        limits: [v && say("inView", { view }), a === "only" && say("onlyArchived")].filter(Boolean),
    };
}

/// The content in place of a list that has no records: { lines, offers }. Offers are `refresh`, `clearSearch`,
/// `clearFilter`, `clearView`, `showAll`, `showArchived`.
export function emptiness({ names, words: { terms, limits }, entry, meta, query }) {
    if (query.q || query.f || query.v || query.a === "only") {
        const values = { ...names, terms: terms.join(", "), limit: limits.length ? ` (${limits.join(", ")})` : "" };
        const offer = query.q ? "clearSearch" : query.f ? "clearFilter" : query.v ? "clearView" : "showAll";
        return { lines: [say(terms.length ? "noMatch" : "noneWithin", values)], offers: [offer] };
    }
    if (!query.a && entry?.archived > 0) {
        return { lines: [say("allArchived", { ...names, archived: number(entry.archived) })], offers: ["showArchived"] };
    }
    const time = meta?.source === "local" ? null : at(meta?.as_of);
    return {
        lines: [say(meta?.limited ? "noneYouMaySee" : "noRecords", names), time ? say("upstreamHasNone", { clock: time }) : say("noneYet")],
        offers: [],
    };
}

/// The content in place of a list that was refused.
export function refusal({ names, problem, entry, refresh }) {
    const meta = problem.data?.meta ?? entry?.meta ?? null;
    const progress = refresh ? capitalized(progressText(refresh)) : null;
    const hint = problem.hint ?? entry?.hint;
    const next = at(meta?.next_refresh);
    switch (problem.kind === "no_data" ? meta?.state : null) {
    case "loading": return { lines: [say("loading", names), progress], offers: [] };
    case "unconfigured": return { lines: [say("noUpstream", { title: names.whole }), hint && line(hint)], offers: [] };
    case "withheld": {
        const details = dotted(reason(meta), next && say("nextTryAt", { clock: next }));
        const cause = clause(problem.message.slice(problem.message.indexOf(": ") + 1).trim());
        return { lines: [say("withheld", { ...names, cause }), progress ?? capitalized(details)], offers: ["refresh"] };
    }
    case "failed": {
        const why = meta.last_error && failureClause(meta.last_error);
        return {
            lines: [say(why ? "unableBecause" : "unable", { ...names, reason: why }), progress ?? (next && say("nextTry", { clock: next }))],
            offers: ["refresh"],
        };
    }
    default:
        return { lines: [say("unableBecause", { ...names, reason: clause(problem.message) }), problem.hint && line(problem.hint)], offers: [] };
    }
}

/// An upstream that is sent nothing for now.
export const pausedText = ({ origin, reason: why, next_try: next }) =>
    phrase("paused", { origin, reason: clause(why), clock: at(next) });
