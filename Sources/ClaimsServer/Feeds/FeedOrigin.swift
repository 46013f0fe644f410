// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsSnapshot
import ClaimsStore

/// The view of a collection whose set feeds hold. It is kept over commits, so that the feeds together find the changes
/// that concern them.
///
/// Confined to the hub's thread.
final class FeedOrigin {
    let view: CollectionView
    /// The last sequence at which the view is known to be the newest of its collection.
    fileprivate(set) var seq: UInt64
    private let bounds: SurveyBounds
    private var survey: FeedSurvey?
    /// The number of surveys that were begun.
    private var attempts = 0

    /// The number of surveys that commits may bring to nothing.
    private static let maxAttempts = 8

    init(_ view: CollectionView, at seq: UInt64, _ bounds: SurveyBounds) {
        self.view = view
        self.seq = seq
        self.bounds = bounds
    }

    /// The knowledge about the changes from the origin on.
    enum Outlook {
        /// The changes are inspected one by one.
        case none
        /// A part of the changes is read; another call continues.
        case unfinished
        case survey(FeedSurvey)
    }

    /// Whether a reader with this clock holds a set of the view.
    func holds(_ since: UInt64) -> Bool { view.changedSeq <= since && since <= seq }

    /// Surveys the changes from the origin to a view, in steps.
    func survey(to newest: CollectionView, _ log: FeedLog) throws(StoreError) -> Outlook {
        guard newest.changedSeq > seq, newest.changedSeq - seq >= UInt64(bounds.minChanges), let old = view.snapshot,
            let snapshot = newest.snapshot, old.identity.definitionHash == snapshot.identity.definitionHash
        else { return .none }
        if let survey, survey.leads(to: snapshot) { return try extend(survey, to: newest, log) }
        attempts += 1
        guard attempts <= Self.maxAttempts else { return .none }
        let begun = FeedSurvey(from: old, of: view, after: seq, to: snapshot, bounds)
        survey = begun
        return try extend(begun, to: newest, log)
    }

    private func extend(
        _ survey: FeedSurvey, to newest: CollectionView, _ log: FeedLog
    ) throws(StoreError) -> Outlook {
        guard try survey.extend(to: newest, log) else { return .unfinished }
        return survey.isBroken || survey.count < bounds.minChanges ? .none : .survey(survey)
    }
}

/// The newest view of a collection, and the view from which feeds come that have not passed a commit yet.
///
/// So at most one replaced view is kept.
struct FeedOrigins {
    /// The view that feeds come from.
    private(set) var origin: FeedOrigin
    private var newest: FeedOrigin
    private let bounds: SurveyBounds

    init(_ view: CollectionView, at seq: UInt64, _ bounds: SurveyBounds = SurveyBounds()) {
        self.bounds = bounds
        origin = FeedOrigin(view, at: seq, bounds)
        newest = origin
    }

    /// Whether a commit has replaced the view of ``origin``.
    var isReplaced: Bool { origin !== newest }

    /// Accepts the newest view.
    ///
    /// - Parameters:
    ///   - seq: the sequence of its catalog.
    ///   - isNeeded: whether feeds need an origin that is replaced more than the view before this one.
    /// - Returns: whether a commit has replaced the view before.
    mutating func accept(_ view: CollectionView, at seq: UInt64, isNeeded: (FeedOrigin) -> Bool) -> Bool {
        if view === newest.view {
            newest.seq = seq
            return false
        }
        let accepted = FeedOrigin(view, at: seq, bounds)
        if view.changedSeq <= newest.seq {
            // The records are the same, perhaps with other volatile values.
            if !isReplaced { origin = accepted }
            newest = accepted
            return false
        }
        if isReplaced, !isNeeded(origin) { origin = newest }
        newest = accepted
        return true
    }

    /// Releases the view that is replaced.
    mutating func settle() { origin = newest }
}
