// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsPlatform
import ClaimsUpstream
import Synchronization

/// Follows one refresh from its first request to its commit, and reports its progress. Safe on any thread.
///
/// A phase never goes back, except if the refresh begins again.
public final class RefreshMeter: Sendable {
    private struct State {
        var progress = RefreshProgress()
        var throttle = ProgressThrottle()
        /// The bytes of bodies that have come to their end.
        var settledBytes = 0
    }

    private let state = Mutex(State())
    private let report: @Sendable (RefreshProgress) -> Void

    /// - Parameter report: called with the progress that is reported, on the thread that makes it.
    init(report: @escaping @Sendable (RefreshProgress) -> Void) {
        self.report = report
    }

    /// A meter without a reader.
    public convenience init() { self.init { _ in } }

    /// The bytes of bodies that have come so far, as received.
    var bytes: Int { state.withLock { $0.progress.bytes } }

    /// Records that the refresh asks its upstream, for the first time or again.
    func begin() {
        change { state in
            state.progress = RefreshProgress()
            state.progress.phase = .connect
            state.settledBytes = 0
        }
    }

    /// Records the reason why the next request waits; nil: it waits no longer.
    func wait(_ wait: HostWait?) {
        change { state in state.progress.wait = wait }
    }

    /// Records the progress of a transfer.
    ///
    /// - Parameter isLast: whether no page follows, so that the size in the headers is the total.
    func record(_ transfer: HTTPProgress, isLast: Bool) {
        change { state in
            if transfer.isReceiving { Self.reach(.receive, &state) }
            state.progress.bytes = state.settledBytes + transfer.bytes
            state.progress.expected = isLast ? transfer.expected.map { $0 + state.settledBytes } : nil
        }
    }

    /// Records the end of a transfer.
    ///
    /// - Parameters:
    ///   - bytes: the size of its body, as received.
    ///   - isPage: whether it is a page of records.
    func finish(bytes: Int, isPage: Bool) {
        change { state in
            Self.reach(.receive, &state)
            state.settledBytes += bytes
            state.progress.bytes = state.settledBytes
            if isPage { state.progress.pages += 1 }
        }
    }

    /// Records that records are being read, and the number so far.
    func read(_ records: Int) {
        change { state in
            Self.reach(.read, &state)
            state.progress.records = records
        }
    }

    /// Records that the records are written.
    ///
    /// - Parameter records: the number of records that have been read.
    func write(_ records: Int) {
        change { state in
            Self.reach(.write, &state)
            state.progress.records = records
        }
    }

    private static func reach(_ phase: RefreshProgress.Phase, _ state: inout State) {
        if phase.isAfter(state.progress.phase) { state.progress.phase = phase }
    }

    private func change(_ body: (inout State) -> Void) {
        let now = SystemClock.monotonic
        let news = state.withLock { state -> RefreshProgress? in
            body(&state)
            return state.throttle.admits(state.progress, at: now) ? state.progress : nil
        }
        if let news { report(news) }
    }
}

/// Decides which progress of a refresh is reported: each phase and each wait, and a few a second beside. Pure.
struct ProgressThrottle {
    /// The least time between two that are not the first of a phase or of a wait, in nanoseconds.
    static let minInterval: UInt64 = 250_000_000

    private var last: (phase: RefreshProgress.Phase, wait: HostWait?, at: UInt64)?

    /// Whether the progress is reported.
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

/// The progress of the refreshes of a collection's sites, all of them together, and which of it is reported. Pure.
///
/// A client that waits sees one refresh: a line for each site would be hundreds.
public struct SiteProgress: Sendable {
    /// The newest progress of each site that has reported any.
    private var sites: [SourceID: RefreshProgress] = [:]
    private var ended: Set<SourceID> = []
    /// The latest phase that was reported; nil before the first.
    private var reached: RefreshProgress.Phase?
    /// The wait that was reported last.
    private var reportedWait: HostWait?
    /// The time of the last report, in nanoseconds of the monotonic clock.
    private var reportedAt: UInt64 = 0

    public init() {}

    /// Records the progress of one site, and returns the progress of all to report; nil: nothing now.
    ///
    /// Each phase is reported when the first site reaches it, each wait when no site has anything else to do, and
    /// otherwise progress is reported a few times a second.
    ///
    /// - Parameter now: nanoseconds of the monotonic clock.
    public mutating func record(_ progress: RefreshProgress, of site: SourceID, at now: UInt64) -> RefreshProgress? {
        sites[site] = progress
        let isReached = reached.map { progress.phase.isAfter($0) } ?? true
        var whole = whole
        guard isReached || whole.wait != reportedWait || now &- reportedAt >= ProgressThrottle.minInterval else {
            return nil
        }
        if isReached {
            reached = progress.phase
            whole.phase = progress.phase
        }
        reportedWait = whole.wait
        reportedAt = now
        return whole
    }

    /// Records that the refresh of a site has ended; its numbers still count.
    public mutating func finish(_ site: SourceID) { ended.insert(site) }

    /// The sums, the least phase of the sites that are under way, and, if all of these wait, the wait that ends first. The
    /// size of all is not known.
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
