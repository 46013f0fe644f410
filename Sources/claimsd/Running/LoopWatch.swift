// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Detects threads that have made no progress since the previous check.
///
/// It reads no counters itself: the caller passes them.
struct LoopWatch {
    /// A thread that must make progress.
    struct Subject {
        let name: String
        /// A counter that changes with the thread's work; its value has no meaning.
        let progress: UInt64
    }

    private var last: [String: UInt64] = [:]

    /// The names of the threads whose counter has not changed since the previous call. A new thread is never among
    /// them.
    mutating func stalled(_ subjects: [Subject]) -> [String] {
        var stalled: [String] = []
        for subject in subjects {
            if last[subject.name] == subject.progress { stalled.append(subject.name) }
            last[subject.name] = subject.progress
        }
        return stalled
    }
}
