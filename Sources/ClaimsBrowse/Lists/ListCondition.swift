// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// A refresh that was asked for here.
struct ListRefresh: Equatable, Sendable {
    /// The time it was asked for, in milliseconds since 1970.
    var since: Int64
    /// How far it is; nil before the first notification.
    var progress: RefreshProgress?
}

/// The state of a list's data: the stage of its newest question, and what the daemon says of the collection.
struct ListCondition: Sendable {
    /// The stage of the newest question.
    enum Phase: Sendable {
        /// Nothing has come yet.
        case loading
        /// Rows of an answer are held, maybe of the question before; `isSearching` after 300 ms without an answer.
        case answered(isSearching: Bool)
        /// There is nothing to show, and the reason.
        case refused(Refusal)
    }

    private(set) var phase: Phase
    /// The state of the collection: freshness, source, last error, next refresh.
    private(set) var meta: AnswerMeta?
    /// The refresh that was asked for here, while it runs.
    private(set) var refresh: ListRefresh?

    init(_ phase: Phase = .loading, meta: AnswerMeta? = nil, refresh: ListRefresh? = nil) {
        self.phase = phase
        self.meta = meta
        self.refresh = refresh
    }

    var isAnswered: Bool { if case .answered = phase { true } else { false } }
    /// Whether an answer is held while the next one has not taken long.
    var isResting: Bool { if case .answered(false) = phase { true } else { false } }

    mutating func answered() { phase = .answered(isSearching: false) }

    /// Shows that the newest question takes long, if rows of an earlier one are held.
    mutating func search() { if isResting { phase = .answered(isSearching: true) } }

    /// Shows that it takes long no more.
    mutating func endSearch() { if isAnswered { answered() } }

    /// Shows that there is nothing to show, and why.
    mutating func refused(_ refusal: Refusal) {
        read(refusal.data)
        phase = .refused(refusal)
    }

    /// Reads the state of the collection out of an answer, if it has one.
    mutating func read(_ answer: AnswerValue?) {
        if let meta = AnswerMeta(answer?[SearchResult.meta]) { self.meta = meta }
    }

    /// Takes over the state of the collection.
    ///
    /// - Returns: whether the rows are to be asked for: there are some at last, or they are withheld now.
    mutating func update(_ meta: AnswerMeta) -> Bool {
        self.meta = meta
        // Records that are withheld do not stay on the screen: the next answer says why there are none.
        if meta.state == "withheld", isAnswered { return true }
        guard case .refused(let refusal) = phase else { return false }
        return refusal.kind == ErrorKind.noData.rawValue && meta.hasData
    }

    // MARK: - Refreshes

    /// A refresh was asked for; one that is under way is enough.
    mutating func refreshAsked(at time: Int64) { refresh = refresh ?? ListRefresh(since: time) }

    /// Shows how far the refresh that was asked for here is.
    mutating func refreshed(to progress: RefreshProgress) { refresh?.progress = progress }

    mutating func endRefresh() { refresh = nil }
}
