// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsUpstream
import Synchronization

/// Follows one refresh from its first request to its commit, and tells how far it is. Safe on any thread.
///
/// A phase never goes back, except where the refresh begins again.
public final class RefreshMeter: Sendable {
    private struct State {
        var progress = RefreshProgress()
        var throttle = ProgressThrottle()
        /// The bytes of bodies that have come to their end.
        var settledBytes = 0
    }

    private let state = Mutex(State())
    private let tell: @Sendable (RefreshProgress) -> Void

    /// - Parameter tell: called with the news that are told, on the thread that makes them.
    init(tell: @escaping @Sendable (RefreshProgress) -> Void) {
        self.tell = tell
    }

    /// A meter that nobody reads.
    public convenience init() { self.init { _ in } }

    /// The bytes of bodies that have come so far, as received.
    var bytes: Int { state.withLock { $0.progress.bytes } }

    /// Notes that the refresh asks its upstream, for the first time or again.
    func begin() {
        note { state in
            state.progress = RefreshProgress()
            state.progress.phase = .connect
            state.settledBytes = 0
        }
    }

    /// Notes what the next request waits for; nil: it waits no longer.
    func wait(_ wait: HostWait?) {
        note { state in state.progress.wait = wait }
    }

    /// Notes how far a transfer is.
    ///
    /// - Parameter isLast: whether no page follows, so that the size that the server tells is that of all.
    func note(_ transfer: HTTPProgress, isLast: Bool) {
        note { state in
            if transfer.isReceiving { Self.reach(.receive, &state) }
            state.progress.bytes = state.settledBytes + transfer.bytes
            state.progress.expected = isLast ? transfer.expected.map { $0 + state.settledBytes } : nil
        }
    }

    /// Notes the end of a transfer.
    ///
    /// - Parameters:
    ///   - bytes: the size of its body, as received.
    ///   - isPage: whether it is a page of records.
    func end(bytes: Int, isPage: Bool) {
        note { state in
            Self.reach(.receive, &state)
            state.settledBytes += bytes
            state.progress.bytes = state.settledBytes
            if isPage { state.progress.pages += 1 }
        }
    }

    /// Notes that records are read, and how many have been.
    func read(_ records: Int) {
        note { state in
            Self.reach(.read, &state)
            state.progress.records = records
        }
    }

    /// Notes that the records are written.
    ///
    /// - Parameter records: how many have been read.
    func write(_ records: Int) {
        note { state in
            Self.reach(.write, &state)
            state.progress.records = records
        }
    }

    private static func reach(_ phase: RefreshProgress.Phase, _ state: inout State) {
        if phase.isAfter(state.progress.phase) { state.progress.phase = phase }
    }

    private func note(_ change: (inout State) -> Void) {
        let now = SystemClock.monotonic
        let news = state.withLock { state -> RefreshProgress? in
            change(&state)
            return state.throttle.admits(state.progress, at: now) ? state.progress : nil
        }
        if let news { tell(news) }
    }
}
