// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import Glibc

/// One run of a trigger's command: its standard input is the file of the batch, its folder is the root, and it leads a
/// process group of its own.
struct CommandRun {
    /// The facts of a run that the command has in its environment.
    struct Task {
        let batch: String
        /// The number of lines after the first.
        let count: Int
        /// The number of the attempt, from 1 at each start.
        let attempt: Int
    }

    private let definition: TriggerDefinition
    private let task: Task
    private let path: String

    /// The time that a command has, once its trigger has to stop.
    static let maxStopTime: Duration = .seconds(30)
    /// The time from SIGTERM to SIGKILL.
    static let maxEndTime: Duration = .seconds(10)

    /// - Parameter path: the file of the batch.
    init(_ definition: TriggerDefinition, _ task: Task, path: String) {
        self.definition = definition
        self.task = task
        self.path = path
    }

    /// The variables of the command: the variables of this process and its own. It must not talk to the service
    /// manager.
    private var environment: [String] {
        let own = ["CLAIMS_TRIGGER=", "CLAIMS_BATCH=", "CLAIMS_COUNT=", "CLAIMS_ATTEMPT=", "NOTIFY_SOCKET="]
        return Environment.all.filter { variable in !own.contains { variable.hasPrefix($0) } } + [
            "CLAIMS_TRIGGER=\(definition.name)", "CLAIMS_BATCH=\(task.batch)", "CLAIMS_COUNT=\(task.count)",
            "CLAIMS_ATTEMPT=\(task.attempt)",
        ]
    }

    /// Runs the command to its end.
    ///
    /// - Parameters:
    ///   - wakers: descriptors that end a wait; then `isStopping` is asked.
    ///   - isStopping: whether the trigger has to stop; the command then has ``maxStopTime``.
    func run(wakers: [Int32], isStopping: () -> Bool) -> TriggerStatus.LastExit {
        let process: ChildProcess
        do throws(SystemError) {
            let input = try FileDescriptor.open(path, .read)
            process = try ChildProcess(
                definition.command?.first ?? "", Array(definition.command?.dropFirst() ?? []),
                environment: environment, directory: "/", input: input.raw, leadsGroup: true)
        } catch {
            return .notStarted(error.errno)
        }
        let limit = SystemClock.monotonic(after: definition.timeout)
        var stop: UInt64?
        while true {
            if stop == nil, isStopping() { stop = SystemClock.monotonic(after: Self.maxStopTime) }
            let end = min(limit, stop ?? .max)
            if Self.wait(process, stop == nil ? wakers : [], before: end) { return Self.exit(process.wait()) }
            guard SystemClock.monotonic >= end else { continue }
            process.signalGroup(SIGTERM)
            _ = Self.wait(process, [], before: SystemClock.monotonic(after: Self.maxEndTime))
            // The rest of the process group ends with it.
            process.signalGroup(SIGKILL)
            _ = process.wait()
            return .timeout
        }
    }

    private static func exit(_ status: ExitStatus) -> TriggerStatus.LastExit {
        switch status {
        case .exited(let code): .code(code)
        case .killed(let number): .signal(number)
        }
    }

    /// Waits until the process has ended, or a waker can be read, or a time of the monotonic clock has come.
    ///
    /// - Returns: whether the process has ended.
    private static func wait(_ process: borrowing ChildProcess, _ wakers: [Int32], before deadline: UInt64) -> Bool {
        var entries = ([process.endDescriptor] + wakers).map { Readiness.entry($0, .read) }
        // If this cannot be found out, the end is awaited.
        guard (try? Readiness.wait(for: &entries, before: deadline)) != nil else { return true }
        return entries[0].revents != 0
    }
}

/// The waits between attempts: 1 s doubling to 15 min, with jitter, until one succeeds.
struct AttemptPace {
    /// The number of failures in a row.
    private(set) var failures = 0

    static let minPause: Duration = .seconds(1)
    static let maxPause: Duration = .seconds(900)
    /// The number of failures in a row after which a person should know.
    static let maxQuietFailures = 5

    /// Records a failure, and returns the pause before the next attempt.
    ///
    /// - Parameter random: a random number from 0 to 1.
    mutating func failed(_ random: Double = .random(in: 0...1)) -> Duration {
        failures += 1
        let pause = min(Self.minPause * (1 << min(failures - 1, 20)), Self.maxPause)
        // Between half of it and all of it, so that what failed together does not come back together.
        return pause / 2 + .milliseconds(Int64(Double(pause.wholeMilliseconds) / 2 * random))
    }

    /// Records a success.
    ///
    /// - Returns: whether the failures before were reported to a person.
    mutating func succeeded() -> Bool {
        defer { failures = 0 }
        return isFailing
    }

    /// Whether a person should know.
    var isFailing: Bool { failures >= Self.maxQuietFailures }
    /// Whether the last failure is the one that is reported to a person.
    var hasJustFailed: Bool { failures == Self.maxQuietFailures }
}
