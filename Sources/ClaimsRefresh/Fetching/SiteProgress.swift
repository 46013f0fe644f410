// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

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
