// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
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

/// Decides which news of a refresh are told: each phase and each wait, and a few a second beside. Pure.
struct ProgressThrottle {
    /// The least time between two that are not the first of a phase or of a wait, in nanoseconds.
    static let minInterval: UInt64 = 250_000_000

    private var last: (phase: RefreshProgress.Phase, wait: HostWait?, at: UInt64)?

    /// Whether the news is told.
    ///
    /// - Parameter now: nanoseconds of the monotonic clock.
    mutating func admits(_ progress: RefreshProgress, at now: UInt64) -> Bool {
        if let last, last.phase == progress.phase, last.wait == progress.wait, now &- last.at < Self.minInterval {
            return false
        }
        last = (progress.phase, progress.wait, now)
        return true
    }
}

/// How far the refreshes of a collection's sites are, all of them together, and which news of that is told. Pure.
///
/// Those who wait see one refresh: a line for each site would be hundreds.
public struct SiteProgress: Sendable {
    /// The newest progress of each site that has told any.
    private var sites: [SourceID: RefreshProgress] = [:]
    private var ended: Set<SourceID> = []
    /// The latest phase that was told; nil before the first.
    private var reached: RefreshProgress.Phase?
    /// The wait that was told last.
    private var toldWait: HostWait?
    /// When something was last told, in nanoseconds of the monotonic clock.
    private var toldAt: UInt64 = 0

    public init() {}

    /// Takes over how far one site is, and returns what is told of all; nil: nothing now.
    ///
    /// Each phase is told when the first site reaches it, each wait when no site has anything else to do, and beside that
    /// a few news a second.
    ///
    /// - Parameter now: nanoseconds of the monotonic clock.
    public mutating func note(_ progress: RefreshProgress, of site: SourceID, at now: UInt64) -> RefreshProgress? {
        sites[site] = progress
        let isReached = reached.map { progress.phase.isAfter($0) } ?? true
        var whole = whole
        guard isReached || whole.wait != toldWait || now &- toldAt >= ProgressThrottle.minInterval else { return nil }
        if isReached {
            reached = progress.phase
            whole.phase = progress.phase
        }
        toldWait = whole.wait
        toldAt = now
        return whole
    }

    /// Notes that the refresh of a site has ended; what it has brought counts on.
    public mutating func end(_ site: SourceID) { ended.insert(site) }

    /// The sums, the least phase of the sites that are under way, and, where all of these wait, the wait that ends first. The
    /// size of all is known to nobody.
    private var whole: RefreshProgress {
        var whole = RefreshProgress()
        var least: RefreshProgress.Phase?
        var isWaiting = true
        for (site, progress) in sites {
            whole.bytes += progress.bytes
            whole.pages += progress.pages
            whole.records += progress.records
            guard progress.phase != .queued, !ended.contains(site) else { continue }
            if let wait = progress.wait {
                if whole.wait.map({ wait.until < $0.until }) ?? true { whole.wait = wait }
            } else {
                isWaiting = false
            }
            if least.map({ $0.isAfter(progress.phase) }) ?? true { least = progress.phase }
        }
        if !isWaiting { whole.wait = nil }
        whole.phase = least ?? reached ?? .queued
        return whole
    }
}
