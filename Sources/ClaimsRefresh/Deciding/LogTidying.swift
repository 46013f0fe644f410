// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsStore

/// Decides which logs are trimmed because writes and archive marks have made them grow, without a refresh. Pure.
///
/// It inspects the extents of logs in memory, again and again; a commit itself costs nothing.
struct LogTidying: Sendable {
    /// The time for which a collection's log is left alone after it was trimmed, so that many commits share the work.
    static let pause = Duration.seconds(20)

    private struct Trimming: Sendable {
        /// The extent of the log then; nil: the trimming failed.
        var log: LogExtent?
        var isOld: Bool
        /// The time of the trimming, in monotonic nanoseconds.
        var at: UInt64
    }

    /// The logs as they were when they were last to be trimmed.
    private var trimmings: [String: Trimming] = [:]

    /// Whether the log of a collection is to be trimmed now.
    ///
    /// A log that was trimmed and is still beyond a limit is left alone until it changes: no commit is dropped for its
    /// own size.
    ///
    /// - Parameter time: in monotonic nanoseconds.
    mutating func isDue(_ name: String, _ log: LogExtent, _ limits: RetentionLimits, at time: UInt64) -> Bool {
        let isOld = log.oldest.map { $0 < limits.oldest } ?? false
        guard isOld || log.changes > limits.changes || log.bytes >= limits.bytes && log.changes > 0 else {
            return false
        }
        if let last = trimmings[name] {
            if last.log == log, last.isOld == isOld { return false }
            if time < last.at &+ Self.pause.wholeNanoseconds { return false }
        }
        trimmings[name] = Trimming(log: log, isOld: isOld, at: time)
        return true
    }

    /// Requests trimming again after a pause, because it has failed.
    mutating func failed(_ name: String) { trimmings[name]?.log = nil }
}

/// When snapshots that could not be built are tried again. Pure.
struct RepairTimes: Sendable {
    /// The time until a snapshot that could not be built is tried again.
    private static let interval = Duration.seconds(30)

    /// When each was last tried, in monotonic nanoseconds.
    private var times: [String: UInt64] = [:]

    /// Whether the snapshot of a collection is to be tried now.
    ///
    /// - Parameter time: in monotonic nanoseconds.
    mutating func isDue(_ collection: String, at time: UInt64) -> Bool {
        if let last = times[collection], time - last < Self.interval.wholeNanoseconds { return false }
        times[collection] = time
        return true
    }
}
