// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Tells whether each of the threads that matter has made progress since it was last asked.
///
/// Pure: it compares counters that others read.
struct LoopWatch {
    /// A thread that must make progress.
    struct Subject {
        let name: String
        /// How far it has come; only that it changes matters.
        let progress: UInt64
    }

    private var last: [String: UInt64] = [:]

    /// The names of the subjects that stood still since the last look; new ones are given until the next.
    mutating func stalled(_ subjects: [Subject]) -> [String] {
        var stalled: [String] = []
        for subject in subjects {
            if last[subject.name] == subject.progress { stalled.append(subject.name) }
            last[subject.name] = subject.progress
        }
        return stalled
    }
}
