// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsHTTP

/// Which refreshes run and who waits for them. Pure: `Refresher` owns the threads and the lock.
///
/// A collection has one refresh at a time. Whoever asks for one that is under way shares it, unless it was begun with
/// less than is asked for; then the next one is theirs.
struct RefreshQueue {
    typealias Completion = @Sendable (RefreshReport) -> Void

    /// One refresh, under way or to follow.
    struct Turn: Sendable {
        var options: RefreshOptions
        var completions: [Completion] = []
    }

    private struct Slot {
        var running: Turn
        var next: Turn?
        var cancellation: HTTPCancellation
    }

    private var slots: [String: Slot] = [:]
    private(set) var isStopping = false

    func isRunning(_ collection: String) -> Bool { slots[collection] != nil }

    /// Joins the refresh that runs, or has one begun.
    ///
    /// - Returns: what to begin it with; nil: one is under way.
    mutating func request(
        _ collection: String, _ options: RefreshOptions, _ completion: Completion?
    ) -> HTTPCancellation? {
        let completions = completion.map { [$0] } ?? []
        if var slot = slots[collection] {
            if slot.running.options.covers(options) {
                slot.running.completions += completions
            } else {
                var next = slot.next ?? Turn(options: options)
                next.options.force = next.options.force || options.force
                next.options.accept = next.options.accept || options.accept
                next.completions += completions
                slot.next = next
            }
            slots[collection] = slot
            return nil
        }
        let cancellation = HTTPCancellation()
        slots[collection] = Slot(
            running: Turn(options: options, completions: completions), cancellation: cancellation)
        return cancellation
    }

    /// Ends the refresh that ran.
    ///
    /// - Returns: who waits for it, and what to begin next, if anything.
    mutating func finish(
        _ collection: String
    ) -> (completions: [Completion], next: (options: RefreshOptions, cancellation: HTTPCancellation)?) {
        guard let slot = slots.removeValue(forKey: collection) else { return ([], nil) }
        guard let next = slot.next, !isStopping else {
            return (slot.running.completions + (slot.next?.completions ?? []), nil)
        }
        let cancellation = HTTPCancellation()
        slots[collection] = Slot(running: next, cancellation: cancellation)
        return (slot.running.completions, (next.options, cancellation))
    }

    /// Begins nothing more, and cancels what runs.
    mutating func stop() {
        isStopping = true
        for slot in slots.values { slot.cancellation.cancel() }
    }

    /// Forgets all refreshes, and returns who still waits for one.
    mutating func drain() -> [(collection: String, completion: Completion)] {
        defer { slots = [:] }
        return slots.flatMap { collection, slot in
            (slot.running.completions + (slot.next?.completions ?? [])).map { (collection, $0) }
        }
    }
}
