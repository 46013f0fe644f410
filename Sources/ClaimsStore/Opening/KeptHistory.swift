// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import Synchronization

/// The bounds of what is kept beside the records: changes, superseded records and settled operations. What is beyond
/// them is deleted here.
final class KeptHistory: Sendable {
    private struct Settings {
        /// The settings of the kept history, for commits of the opener.
        var history = HistorySettings()
        /// The time for which settled operations are known.
        var outbox = OutboxSettings()
        /// The number of unsettled operations that a collection may have.
        var maxPending = ServingLimits().pending
    }

    private let context: OpeningContext
    private let settings = Mutex(Settings())

    init(_ context: OpeningContext) {
        self.context = context
    }

    /// Sets the bounds of the history that commits keep from now on.
    func apply(_ history: HistorySettings) {
        settings.withLock { $0.history = history }
    }

    /// Sets how long settled operations are known, and how many unsettled ones a collection may have.
    func apply(_ outbox: OutboxSettings, maxPending: Int) {
        settings.withLock { settings in
            settings.outbox = outbox
            settings.maxPending = maxPending
        }
    }

    /// The bounds of the history that a commit keeps.
    func history(of definition: Definition) -> HistorySettings {
        definition.history.applied(to: settings.withLock { $0.history })
    }

    /// The number of unsettled operations that a collection may have.
    var maxPending: Int { settings.withLock { $0.maxPending } }

    /// The part of a collection's log that is kept.
    ///
    /// - Parameter now: in milliseconds since 1970.
    func retention(of definition: Definition, now: Int64) -> RetentionLimits {
        let limits = history(of: definition)
        return RetentionLimits(
            oldest: now - limits.keep.wholeMilliseconds, changes: limits.changes, bytes: limits.bytes)
    }

    /// See ``CollectionOpener/tidy(_:)``.
    func tidy(_ name: String) throws(StoreError) {
        guard let view = context.view(name) else { return }
        let store = context.store
        let outbox = settings.withLock { $0.outbox }
        let now = context.clock.now()
        try store.collectGarbage(of: view.condition.row.number)
        try store.trimLog(of: name, retention(of: view.definition, now: now))
        try store.forgetAliases(of: name, at: now)
        try store.forgetOperations(
            of: name, settledBefore: now - outbox.keep.wholeMilliseconds, maxSettled: outbox.settled)
    }
}
