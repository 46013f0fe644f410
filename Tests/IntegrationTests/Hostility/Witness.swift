// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Dispatch
import Synchronization

/// A client that asks one question after the other while something else goes on, and watches the daemon's memory.
final class Witness: Sendable {
    struct Report: Sendable {
        var answers = 0
        var slowest = Duration.zero
        /// The most anonymous memory that was seen, in bytes.
        var memory = 0
        /// The requests that were not answered as they should be; the first few.
        var failures: [String] = []
    }

    private static let questions = [
        ("detail", #"{"collection":"things","id":"17"}"#),
        ("search", #"{"collection":"things","filter":"number","limit":5}"#),
        ("count", #"{"collection":"things","filter":"state=lost"}"#),
    ]

    /// On which connection it asks.
    enum Manner: Sendable {
        /// On one that stays and on new ones by turns.
        case both
        /// On a new one each time, where one that idles may have to make room for others.
        case new
    }

    private let daemon: DaemonProcess
    private let manner: Manner
    private let report = Mutex(Report())
    /// Given when it is over; waiting for it makes the pauses between questions.
    private let end = DispatchSemaphore(value: 0)
    private let answered = DispatchSemaphore(value: 0)
    private let thread = Mutex<WatchingThread?>(nil)

    init(_ daemon: DaemonProcess, _ manner: Manner) throws {
        self.daemon = daemon
        self.manner = manner
        let thread = WatchingThread(try NamedThread("witness") { [self] in watch() })
        self.thread.withLock { $0 = thread }
    }

    /// Returns when so many more questions were answered, or one was not.
    func ask(_ count: Int) throws {
        let target = report.withLock { $0.answers } + count
        let deadline = SystemClock.monotonic &+ LineClient.timeout.wholeNanoseconds
        while report.withLock({ $0.answers < target && $0.failures.isEmpty }) {
            guard SystemClock.monotonic < deadline else { throw TestFailure("others are not answered") }
            _ = answered.wait(timeout: .now() + .milliseconds(100))
        }
    }

    /// Ends when the question that is being asked is answered.
    func finish() -> Report {
        end.signal()
        thread.withLock { $0 = nil }
        return report.withLock { $0 }
    }

    private func watch() {
        do {
            let standing = manner == .both ? try daemon.connect() : nil
            var number = 0
            repeat {
                let start = SystemClock.monotonic
                let client = try (number % 2 == 0 ? standing : nil) ?? daemon.connect()
                let (method, parameters) = Self.questions[number % Self.questions.count]
                let answer = try client.request(method, parameters)
                let memory = try daemon.anonymousMemory()
                note(answer, Duration.nanoseconds(Int64(SystemClock.monotonic - start)), memory)
                number += 1
                answered.signal()
            } while end.wait(timeout: .now() + .milliseconds(5)) == .timedOut
        } catch {
            report.withLock { $0.failures.append("\(error)") }
        }
    }

    private func note(_ answer: JSONValue, _ time: Duration, _ memory: Int) {
        report.withLock { report in
            report.answers += 1
            report.slowest = max(report.slowest, time)
            report.memory = max(report.memory, memory)
            if answer["result"] == nil, report.failures.count < 3 {
                report.failures.append(String(decoding: answer.compactBytes, as: UTF8.self))
            }
        }
    }

    /// Waits for the thread when it goes.
    private final class WatchingThread: Sendable {
        private let thread: NamedThread

        init(_ thread: consuming NamedThread) { self.thread = thread }
    }
}
