// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsUpstream

/// Decides which refresh runs and which follows it, and keeps the requests that wait for each. Pure: `Refresher` owns
/// the threads and the lock.
///
/// A source has one refresh at a time. A request for one that is under way shares it, unless that one was begun with
/// fewer options or for another address; then the next one serves it.
struct RefreshQueue {
    typealias Completion = @Sendable (RefreshReport) -> Void
    typealias Watcher = @Sendable (RefreshProgress) -> Void

    /// A refresh to begin.
    struct Start: Sendable {
        let options: RefreshOptions
        /// Identifies the requests that it is to make; see `SourceRequests.key`. Only their bodies can be accepted.
        let key: UInt64
        let cancellation: HTTPCancellation
    }

    private struct PendingRefresh {
        var options: RefreshOptions
        /// Identifies the requests that it makes; see `SourceRequests.key`.
        var key: UInt64
        var completions: [Completion] = []
        var watchers: [Watcher] = []

        /// Also serves the requests of another refresh, which was requested later. A user who accepts has accepted the
        /// body of the request that was in force then.
        mutating func merge(_ other: PendingRefresh) {
            if key != other.key { options.accept = false }
            options = options.union(other.options)
            key = other.key
            completions += other.completions
            watchers += other.watchers
        }
    }

    private struct Slot {
        var running: PendingRefresh
        var next: PendingRefresh?
        let cancellation = HTTPCancellation()
        /// The last news of the running refresh.
        var progress = RefreshProgress()
        /// The key under which the running refresh is repeated, because its request is no longer configured.
        var replacementKey: UInt64?

        init(_ refresh: PendingRefresh) { running = refresh }

        /// Whether the running refresh does what a request requires.
        func isServing(_ options: RefreshOptions, key: UInt64) -> Bool {
            running.key == key && replacementKey == nil && running.options.covers(options)
        }

        var start: Start { Start(options: running.options, key: running.key, cancellation: cancellation) }
        var completions: [Completion] { running.completions + (next?.completions ?? []) }
    }

    private var slots: [SourceID: Slot] = [:]
    private(set) var isStopping = false

    func isRunning(_ source: SourceID) -> Bool { slots[source] != nil }

    /// Whether any source of a collection is being refreshed.
    func isBusy(_ collection: String) -> Bool { slots.keys.contains { $0.collection == collection } }

    /// Joins the refresh that runs, or begins one.
    ///
    /// - Parameters:
    ///   - key: of the requests in force; see `SourceRequests.key`.
    ///   - watcher: gets the progress of the refresh that serves the request; see ``record(_:of:)``.
    /// - Returns: the refresh to begin; nil: one is under way.
    mutating func request(
        _ source: SourceID, _ options: RefreshOptions, key: UInt64, watcher: Watcher? = nil,
        completion: Completion?
    ) -> Start? {
        let refresh = PendingRefresh(
            options: options, key: key, completions: completion.map { [$0] } ?? [],
            watchers: watcher.map { [$0] } ?? [])
        guard var slot = slots[source] else {
            let slot = Slot(refresh)
            slots[source] = slot
            return slot.start
        }
        if slot.isServing(options, key: key) {
            slot.running.completions += refresh.completions
            slot.running.watchers += refresh.watchers
        } else if slot.next == nil {
            slot.next = refresh
        } else {
            slot.next?.merge(refresh)
        }
        slots[source] = slot
        return nil
    }

    /// Records the progress of the refresh that runs, and returns the watchers to call.
    mutating func record(_ progress: RefreshProgress, of source: SourceID) -> [Watcher] {
        slots[source]?.progress = progress
        return slots[source]?.running.watchers ?? []
    }

    /// The progress of the refresh that serves a request that has just joined.
    ///
    /// - Parameter options: the options of the request.
    func progress(of source: SourceID, _ options: RefreshOptions, key: UInt64) -> RefreshProgress {
        guard let slot = slots[source], slot.isServing(options, key: key) else { return RefreshProgress() }
        return slot.progress
    }

    /// Cancels the refreshes whose requests are no longer configured. They are begun again when they have ended, for
    /// the requests that wait for them.
    ///
    /// - Parameter key: returns the key in force of a source; nil: it is not there any more.
    mutating func cancelOutdated(_ key: (SourceID) -> UInt64?) {
        for (source, slot) in slots {
            let current = key(source) ?? 0
            guard current != slot.replacementKey ?? slot.running.key else { continue }
            slots[source]?.replacementKey = current
            slot.cancellation.cancel()
        }
    }

    /// Ends the refresh that ran.
    ///
    /// - Returns: the completions to call, and the refresh to begin next, if any.
    mutating func finish(_ source: SourceID) -> (completions: [Completion], next: Start?) {
        guard let slot = slots.removeValue(forKey: source) else { return ([], nil) }
        if isStopping { return (slot.completions, nil) }
        var next = slot.next
        var completions = slot.running.completions
        if let key = slot.replacementKey {
            var repeated = slot.running
            if let next { repeated.merge(next) }
            repeated.merge(PendingRefresh(options: RefreshOptions(), key: key))
            next = repeated
            completions = []
        }
        guard let next else { return (completions, nil) }
        let following = Slot(next)
        slots[source] = following
        return (completions, following.start)
    }

    /// Begins nothing more, and cancels the running refreshes.
    mutating func stop() {
        isStopping = true
        for slot in slots.values { slot.cancellation.cancel() }
    }

    /// Forgets all refreshes, and returns the completions that are still to be called.
    mutating func drain() -> [(source: SourceID, completion: Completion)] {
        defer { slots = [:] }
        return slots.flatMap { source, slot in slot.completions.map { (source, $0) } }
    }
}
