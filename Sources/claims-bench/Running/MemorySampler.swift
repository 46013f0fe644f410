// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Synchronization

/// Samples the anonymous memory of a process for its peak.
final class MemorySampler: Sendable {
    private let pid: Int32
    private let peak = Atomic<Int>(0)
    private let isStopped = Monitor(false)

    /// The time between two samples.
    private static let interval: Duration = .milliseconds(4)

    private init(_ pid: Int32) {
        self.pid = pid
    }

    /// The peak of `pid` while `work` runs, in bytes.
    static func peak<Value>(of pid: Int32, during work: () throws -> Value) throws -> (value: Value, peak: Int) {
        let sampler = MemorySampler(pid)
        let thread = try NamedThread("memory") { sampler.run() }
        defer { sampler.isStopped.update { $0 = true } }
        let value = try work()
        sampler.isStopped.update { $0 = true }
        thread.join()
        return (value, sampler.peak.load(ordering: .relaxed))
    }

    private func run() {
        repeat {
            if let bytes = BackgroundProcess.anonymousBytes(pid) { peak.max(bytes, ordering: .relaxed) }
        } while isStopped.wait(upTo: Self.interval, { $0 ? true : nil }) == nil
    }
}
