// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

/// The failures in the answer of a `refresh` that waited. Collections that share a cause are named together.
struct RefreshTroubles {
    /// A reason, and the collections or sites that it affects.
    struct Trouble {
        let reason: String
        var remedy: Remedy = .none
        /// The collection whose sites are affected; nil where whole collections are.
        var siteOf: String?
        /// The names of the collections.
        var collections: [String] = []
        /// The names of the sites of the collection.
        var sites: [String] = []
    }

    /// The hint about a failure.
    enum Remedy {
        case none, askAllTheSame, tryAgain
        case failure(CollectionMeta.Failure)
    }

    private(set) var troubles: [Trouble] = []
    private let messages: Messages
    private let time: LocalTime
    private let files: DaemonFiles

    /// Gathers the troubles of an answer, in its order.
    ///
    /// - Parameter status: asks for an answer to `status`, which tells the failure of each site and the daemon's files;
    ///   called where a refresh has failed.
    init(_ answer: AnswerValue, _ time: LocalTime, unit: DaemonUnit?, status: () -> AnswerValue?) {
        self.time = time
        messages = time.messages
        let outcomes = answer[RefreshResult.collections]
        let told = outcomes.contains(where: Self.hasFailed) ? status() : nil
        files = DaemonFiles(told, unit: unit)
        for outcome in outcomes {
            guard let trouble = trouble(of: outcome, told) else { continue }
            add(trouble, outcome[RefreshResult.Outcome.collection] ?? "", outcome[RefreshResult.Outcome.site])
        }
    }

    private mutating func add(_ trouble: Trouble, _ collection: String, _ site: String?) {
        var trouble = trouble
        trouble.siteOf = site == nil ? nil : collection
        let index = troubles.firstIndex {
            $0.reason == trouble.reason && $0.remedy.isLike(trouble.remedy) && $0.siteOf == trouble.siteOf
        }
        if index == nil { troubles.append(trouble) }
        let own = index ?? troubles.count - 1
        if !troubles[own].collections.contains(collection) { troubles[own].collections.append(collection) }
        if let site { troubles[own].sites.append(site) }
    }

    /// Whether a collection or site has a failure to be told, though perhaps only of its join.
    private static func hasFailed(_ outcome: AnswerValue) -> Bool {
        switch outcome.refreshOutcome {
        case .failed, .held: true
        // The failure of the collection may be of another site.
        case .updated, .unchanged: CollectionMeta(outcome[RefreshResult.Outcome.meta])?.failure != nil
        case .started, .skipped, nil: false
        }
    }

    /// The trouble of one collection or site; nil where all is well.
    private func trouble(of outcome: AnswerValue, _ status: AnswerValue?) -> Trouble? {
        typealias Outcome = RefreshResult.Outcome
        let meta = CollectionMeta(outcome[Outcome.meta])
        // That of the collection may be of another site.
        let site: String? = outcome[Outcome.site]
        let failure =
            meta?.failure.flatMap { $0.site == site ? $0 : nil }
            ?? site.flatMap { Self.failure(of: $0, in: outcome[Outcome.collection] ?? "", status) }
        let result = outcome.refreshOutcome
        switch result {
        case .failed, .held:
            let isHeld = result == .held
            let reason = failure.map(\.message) ?? (isHeld ? messages.guardHolds : messages.refreshFailed)
            return Trouble(reason: FreshnessLine.clause(reason), remedy: failure.map { .failure($0) } ?? .none)
        case .updated, .unchanged:
            // The records came, and what is joined with them did not.
            guard let failure, failure.kind == "join" else { return nil }
            return Trouble(reason: FreshnessLine.clause(failure.message), remedy: .failure(failure))
        case .skipped:
            // The truth of such a collection is here, so there is nobody to ask.
            return meta?.source == "local" ? nil : skipped(meta, until: outcome[Outcome.until]?.string)
        case .started, nil: return nil
        }
    }

    /// The failure of a site that `status` tells.
    private static func failure(of site: String, in name: String, _ status: AnswerValue?) -> CollectionMeta.Failure? {
        typealias Entry = StatusResult.Collection
        let collection = status?[StatusResult.collections].first { $0[Entry.name] == name }
        let state = collection?[Entry.sites].first { $0[StatusResult.SiteState.site] == site }
        return CollectionMeta.Failure(state?[StatusResult.SiteState.lastError])
    }

    /// Why a collection was not refreshed, and until when that is so.
    private func skipped(_ meta: CollectionMeta?, until: String?) -> Trouble {
        if let until = until.flatMap({ Instant.parse($0)?.ms }) {
            // A sentence of its own: it may be in another language.
            let cause = meta?.failure.map { ". \($0.message)" } ?? ""
            let text = "\(time.clock(until)), \(time.relative(until))"
            return Trouble(reason: messages.notAsked(before: text) + cause, remedy: .askAllTheSame)
        }
        if meta == nil { return Trouble(reason: messages.removedMeanwhile) }
        return Trouble(reason: messages.changedMeanwhile, remedy: .tryAgain)
    }

    /// The reports, one for each reason.
    var reports: [ErrorReport] {
        troubles.map { trouble in
            let subject = (trouble.collections + trouble.sites).joined(separator: ", ")
            return ErrorReport(
                .upstreamFailed, kind: ErrorKind.upstreamFailed.rawValue, message: "\(subject): \(trouble.reason)",
                hint: hint(trouble))
        }
    }

    private func hint(_ trouble: Trouble) -> String? {
        switch trouble.remedy {
        case .none: nil
        case .askAllTheSame: messages.askAllTheSame(trouble.collections)
        case .tryAgain: messages.tryAgain(trouble.collections)
        case .failure(let failure):
            Advice.forFailure(failure, collections: trouble.collections, files: files, messages)
        }
    }
}

extension AnswerValue {
    /// The outcome of an entry of `refresh`; nil for one that is not known.
    var refreshOutcome: RefreshOutcome? { self[RefreshResult.Outcome.outcome].flatMap { RefreshOutcome(rawValue: $0) } }
}

extension RefreshTroubles.Remedy {
    /// Whether both are told in the same words.
    fileprivate func isLike(_ other: Self) -> Bool {
        switch (self, other) {
        case (.failure(let one), .failure(let two)):
            // Held data is looked at and accepted one collection at a time.
            one.kind == two.kind && one.reason == two.reason && one.status == two.status && one.kind != "held"
        case (.none, .none), (.askAllTheSame, .askAllTheSame), (.tryAgain, .tryAgain): true
        default: false
        }
    }
}

extension ErrorReport {
    /// Several reports as one, for JSON, where an error is one object; nil of none.
    static func joined(_ reports: [ErrorReport]) -> ErrorReport? {
        guard var first = reports.first else { return nil }
        first.message = reports.map(\.message).joined(separator: "; ")
        let hints = reports.compactMap(\.hint)
        first.hint = hints.isEmpty ? nil : hints.joined(separator: "; ")
        return first
    }
}
