// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

/// A remark of `status` about a collection, with its severity.
struct Concern {
    /// How bad it is; a later case is worse.
    enum Severity: Int, Comparable {
        /// Worth knowing, and as it is meant to be.
        case remark
        /// Old data for which nothing has failed.
        case old
        case failing, held, abandoned, stale, expired, withoutData

        static func < (one: Severity, other: Severity) -> Bool { one.rawValue < other.rawValue }

        /// Whether a person has to look at it.
        var needsAttention: Bool { self > .old }
    }

    let collection: String
    /// The site that it is about; nil if it is about the collection.
    var site: String?
    let severity: Severity
    /// The cause; collections that share it have one remark.
    let cause: String
    /// The time at which it was found, and that of the next attempt, in milliseconds since 1970.
    var at: Int64?
    var next: Int64?
    /// The remedy.
    var advice: ConcernAdvice = .none

    /// Whether the cause is that the guard holds data back.
    var isHeld: Bool {
        if case .failure(let failure, _) = advice { failure.kind == "held" } else { false }
    }

    /// The concerns about a collection of the answer of `status`; the worst first.
    static func all(of collection: AnswerValue, _ messages: Messages) -> [Concern] {
        typealias Entry = StatusResult.Collection
        guard let meta = AnswerMeta(collection[Entry.meta]) else { return [] }
        let name = collection[Entry.name] ?? meta.collection
        let hint = collection[Entry.hint]
        // A mistake in the definition stands below, with all others.
        let isMistaken = meta.isDefinitionPrevious && (meta.failure == nil || meta.state == "unconfigured")
        var concerns: [Concern] = []
        func add(_ severity: Severity, _ cause: String, _ advice: ConcernAdvice = .none) {
            concerns.append(Concern(collection: name, severity: severity, cause: cause, advice: advice))
        }
        if meta.isAbandoned {
            add(.abandoned, messages.noSourceAnyMore, .told(isMistaken ? nil : hint))
        } else if meta.state == "unconfigured" {
            if !isMistaken { add(.remark, messages.noUpstream, .told(hint)) }
        } else if meta.freshness == "bundle", meta.failure == nil, !isMistaken, let hint {
            add(.remark, messages.builtInNoUpstream, .told(hint))
        } else if let failure = meta.failure, meta.sites == nil || !meta.hasData {
            var concern = Concern(
                collection: name, severity: severity(of: meta, failure), cause: FreshnessLine.clause(failure.message),
                advice: .failure(failure, hint))
            concern.at = failure.at
            concern.next = meta.nextRefresh
            concerns.append(concern)
        } else if meta.state == "withheld" {
            var concern = Concern(collection: name, severity: .withoutData, cause: messages.withheldData)
            concern.next = meta.nextRefresh
            concern.advice = .askMoreOften
            concerns.append(concern)
        } else if meta.sites == nil, meta.freshness == "stale" || meta.freshness == "expired" {
            let isExpired = meta.freshness == "expired"
            let ttl = collection[Entry.ttl]
            var concern = Concern(
                collection: name, severity: isExpired ? .expired : .old,
                cause: messages.older(than: isExpired ? nil : ttl, isExpired: isExpired))
            concern.next = meta.nextRefresh
            concern.advice = .askMoreOften
            concerns.append(concern)
        } else if meta.state == "loading" {
            add(.remark, messages.firstFetch)
        }
        for site in collection[Entry.sites] {
            if let cause = cause(of: site, messages) { concerns.append(concern(cause, of: site, in: name)) }
        }
        if meta.isDefinitionPrevious { add(.failing, messages.definitionBefore) }
        if let held = collection[Entry.held] { add(.held, difference(held, messages)) }
        if meta.isLimited { add(.remark, messages.limitedView) }
        if meta.quarantined > 0 {
            add(.remark, messages.inQuarantine(meta.quarantined), meta.state == "withheld" ? .none : .quarantine)
        }
        return concerns.sorted { $0.severity > $1.severity }
    }

    /// Why a site is to be reported; nil if it is fresh, and its last refresh did not fail.
    private static func cause(of site: AnswerValue, _ messages: Messages) -> String? {
        typealias State = StatusResult.SiteState
        if let failure = AnswerMeta.Failure(site[State.lastError]) { return FreshnessLine.clause(failure.message) }
        return switch site[State.freshness] {
        case nil: messages.firstFetch
        case "fresh": nil
        case let freshness?: messages.older(than: nil, isExpired: freshness == "expired")
        }
    }

    /// The concern about one site: what is wrong with it costs its own records alone.
    private static func concern(_ cause: String, of site: AnswerValue, in collection: String) -> Concern {
        typealias State = StatusResult.SiteState
        let failure = AnswerMeta.Failure(site[State.lastError])
        let severity: Severity =
            switch (failure?.kind, site[State.freshness]) {
            case ("held", _): .held
            case (nil, "expired"), (_?, "expired"): .expired
            case (nil, nil): .remark
            case (nil, _): .old
            case (_?, "fresh"): .failing
            default: .stale
            }
        var concern = Concern(
            collection: collection, severity: severity, cause: cause, advice: failure.map { .failure($0, nil) } ?? .none
        )
        concern.site = site[State.site]
        concern.at = failure?.at
        concern.next = (site[State.nextRefresh] as AnswerValue?)?.string.flatMap { Instant.parse($0)?.ms }
        return concern
    }

    private static func severity(of meta: AnswerMeta, _ failure: AnswerMeta.Failure) -> Severity {
        if !meta.hasData { return .withoutData }
        if failure.kind == "held" { return .held }
        switch meta.freshness {
        case "expired": return .expired
        case "fresh": return .failing
        default: return .stale
        }
    }

    /// The data that the guard holds back, in words.
    private static func difference(_ held: AnswerValue, _ messages: Messages) -> String {
        typealias Held = StatusResult.Held
        func number(_ member: Member<Int>) -> String { messages.number(held[member] ?? 0) }
        return messages.heldBack(
            before: number(Held.before), after: number(Held.after),
            changes: [
                messages.added(number(Held.added)), messages.updated(number(Held.updated)),
                messages.removed(number(Held.removed)), messages.quarantined(number(Held.quarantined)),
            ])
    }
}

/// The remedy for a ``Concern``.
enum ConcernAdvice {
    case none
    /// The words of the daemon.
    case told(String?)
    /// The remedy for the failure's kind, or else the words of the daemon.
    case failure(AnswerMeta.Failure, String?)
    case quarantine
    /// The remedy for data that is older than it should be, though nothing has failed.
    case askMoreOften

    /// The advice for all collections that share the concern; nil without one.
    func text(_ collections: [String], files: DaemonFiles, _ messages: Messages) -> String? {
        guard let first = collections.first else { return nil }
        switch self {
        case .none: return nil
        case .told(let hint):
            // The daemon names the file of one of them.
            guard collections.count > 1 else { return hint }
            return hint?.substituting("/\(first).json5", with: "/\(DaemonFiles.fileName(of: collections))")
        case .failure(let failure, let hint):
            return Advice.forFailure(failure, collections: collections, files: files, messages) ?? hint
        case .quarantine: return messages.seeQuarantine(first)
        case .askMoreOften: return messages.askMoreOften(collections, in: files.definition(of: collections))
        }
    }
}
