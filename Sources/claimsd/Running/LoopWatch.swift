// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Detects threads that make no progress although they were woken.
///
/// Threads that have nothing to do are woken now and then only. It reads no counters and no clock itself: the caller passes
/// them.
struct LoopWatch {
    /// A thread that must make progress.
    struct Subject {
        let name: String
        /// A counter that changes with the thread's work; its value has no meaning.
        let progress: UInt64
    }

    /// The counters before the threads were last woken.
    private var asked: [String: UInt64] = [:]
    /// The time of that, in monotonic nanoseconds.
    private var askedAt: UInt64?

    /// The names of the threads whose counter has not changed since they were woken.
    func stalled(_ subjects: [Subject]) -> [String] {
        subjects.filter { asked[$0.name] == $0.progress }.map(\.name)
    }

    /// Whether the caller is to wake all threads now.
    ///
    /// - Parameters:
    ///   - pause: the time between two calls of all threads.
    ///   - now: in monotonic nanoseconds.
    mutating func asks(_ subjects: [Subject], every pause: Duration, now: UInt64) -> Bool {
        if let askedAt, now < askedAt &+ pause.wholeNanoseconds { return false }
        askedAt = now
        for subject in subjects { asked[subject.name] = subject.progress }
        return true
    }
}
