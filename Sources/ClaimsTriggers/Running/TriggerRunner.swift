// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTerminal
import Glibc

/// `trigger run NAME`: waits for a cut to be due, makes it, keeps the batch, and runs the command until it ends with 0.
///
/// Decisions are made by ``CutSchedule``, ``TriggerCut`` and ``AttemptPace``; ``TriggerState`` keeps the state.
final class TriggerRunner {
    private let context: CommandContext
    private let definition: TriggerDefinition
    private let state: TriggerState
    private let voice: ServiceVoice
    private let signals: SignalReader
    private let timer: WallTimer
    private var schedule: CutSchedule
    private var status = TriggerStatus(.waiting)
    private var feed: TriggerFeed?
    private var reconnection = Reconnection(.host)
    private var attempts = AttemptPace()
    private var isStopping = false
    /// The last refusal in the journal.
    private var lastRefusal: String?

    /// The pause before a request that was refused is tried again, and before a set that is too large is counted again.
    private static let refusalPause: Duration = .seconds(60)
    /// The longest wait for which the connection is kept, in milliseconds: nothing that comes meanwhile changes
    /// anything.
    private static let maxListening: Int64 = 30_000

    /// - Throws: a failure with the code `conflict` where another process has the state.
    init(
        _ context: CommandContext, _ definition: TriggerDefinition, _ folders: TriggerFolders
    ) throws(CommandError) {
        self.context = context
        self.definition = definition
        voice = ServiceVoice(definition.name, folder: folders.run(of: definition.name))
        do throws(SystemError) {
            signals = try SignalReader([SIGTERM, SIGINT])
            timer = try WallTimer()
            state = try TriggerState(folders.state(of: definition.name))
        } catch {
            throw .state(error)
        }
        let rules = definition.timeZone.flatMap { try? TimeZoneRules.load($0) } ?? LocalTimeZone.rules()
        let reported = state.reported
        schedule = CutSchedule(
            definition.pace, zone: rules, last: reported?.moment.clock == nil ? nil : reported?.moment.at)
    }

    /// Runs until SIGTERM.
    func run() throws(CommandError) -> ExitCode {
        for path in state.moved {
            voice.say(.critical, "what was kept is damaged and was moved to \(path); what it told may be told again")
        }
        voice.ready()
        schedule.start(at: SystemClock.wall)
        while !isStopping {
            readWakers()
            if isStopping { break }
            if state.waiting != nil {
                try runCommand()
            } else if let due = schedule.due(at: SystemClock.wall) {
                if due > SystemClock.wall { try wait(until: due) } else { try cut() }
            } else {
                try listen()
            }
        }
        voice.stopping()
        return .done
    }

    // MARK: - Waiting

    /// Waits until a time of the wall clock, or for anything that ends a wait.
    private func wait(until due: Int64) throws(CommandError) {
        // Other bells make nothing due earlier.
        if due - SystemClock.wall > Self.maxListening { feed = nil }
        show(.waiting, nextTry: due)
        try set(timer: due)
        if let feed, feed.isSubscribed {
            try handle(feed)
        } else {
            try sleep(before: nil)
        }
    }

    /// Waits for a change, with a connection that is made if there is none.
    private func listen() throws(CommandError) {
        do throws(CommandError) {
            guard let feed else {
                feed = try connect()
                // Changes may have come before the connection.
                schedule.recordChange(at: SystemClock.wall)
                return
            }
            try feed.subscribe(definition, requests(feed).feed, state.reported)
            reconnection.answered()
            show(.waiting)
        } catch {
            return try failed(CutFailure(error))
        }
        try set(timer: nil)
        if let feed { try handle(feed) }
    }

    private func handle(_ feed: TriggerFeed) throws(CommandError) {
        do throws(CommandError) {
            guard let isNews = try feed.next() else { return readWakers() }
            if isNews { schedule.recordChange(at: SystemClock.wall) }
        } catch {
            try failed(CutFailure(error))
        }
    }

    private func connect() throws(CommandError) -> TriggerFeed {
        reconnection.attempted(at: SystemClock.monotonic)
        do throws(ClientError) {
            let connection = try context.newConnection(timeout: FeedConnection.maxAnswerTime)
            return TriggerFeed(connection, wakers: [signals.raw, timer.raw])
        } catch {
            throw .client(error)
        }
    }

    private func requests(_ feed: TriggerFeed) -> CutRequests { CutRequests(definition, feed) }

    private func set(timer time: Int64?) throws(CommandError) {
        do throws(SystemError) { try timer.set(time) } catch { throw .state(error) }
    }

    /// Sleeps until a time of the monotonic clock, a signal, or the timer.
    private func sleep(before deadline: UInt64?) throws(CommandError) {
        _ = try FeedConnection.wait(
            for: nil, reader: nil, wakers: [signals.raw, timer.raw], before: deadline)
        readWakers()
    }

    private func readWakers() {
        while signals.next() != nil { isStopping = true }
        while timer.next() != nil {}
    }

    /// Pauses, unless the trigger has to stop.
    private func pause(_ time: Duration) throws(CommandError) {
        feed = nil
        let end = SystemClock.monotonic(after: time)
        while !isStopping, SystemClock.monotonic < end {
            try set(timer: nil)
            try sleep(before: end)
        }
    }

    // MARK: - Cutting

    private func cut() throws(CommandError) {
        do throws(CutFailure) {
            let feed: TriggerFeed
            do throws(CommandError) {
                if let open = self.feed { feed = open } else { feed = try connect() }
            } catch {
                throw CutFailure(error)
            }
            self.feed = feed
            let spool: EntrySpool
            do throws(SystemError) { spool = try EntrySpool(in: state.folder) } catch { throw .store(error) }
            let outcome = try requests(feed).read(state.reported, into: spool)
            reconnection.answered()
            lastRefusal = nil
            do throws(SystemError) { try keep(outcome, spool) } catch { throw .store(error) }
        } catch {
            return try failed(error)
        }
        if attempts.succeeded() { voice.say(.notice, "what it tells can be kept again") }
        ProcessMemory.trim()
    }

    /// Commits a cut that has nothing to report, and keeps any other.
    private func keep(_ outcome: CutRequests.Outcome, _ spool: EntrySpool) throws(SystemError) {
        let now = SystemClock.wall
        let id = OperationID(time: now, random: (RandomBytes.integer(), RandomBytes.integer())).text
        let result = CutResult(outcome, definition, state.reported, batch: id, now: now)
        if result.count == 0 {
            try state.commit(result.moment, hasForgotten: result.hasForgotten, result.forEachChange)
        } else {
            try state.keep(
                id, count: result.count, result.moment, hasForgotten: result.hasForgotten,
                changes: result.forEachChange
            ) { write throws(SystemError) in try result.writeLines(spool, write) }
        }
        if result.members == nil { schedule.skip() } else { schedule.cut(at: now) }
    }

    private func failed(_ failure: CutFailure) throws(CommandError) {
        switch failure {
        case .away(let error):
            let pause = reconnection.pause
            reconnection.lost(at: SystemClock.monotonic)
            show(.away, problem: message(error), nextTry: SystemClock.wall + pause.wholeMilliseconds)
            try self.pause(pause)
        case .refused(let error):
            let problem = message(error)
            if lastRefusal != problem {
                lastRefusal = problem
                voice.say(.error, "\(problem); it is asked again each minute")
            }
            show(.refused, problem: problem, nextTry: SystemClock.wall + Self.refusalPause.wholeMilliseconds)
            try pause(Self.refusalPause)
            schedule.start(at: SystemClock.wall)
        case .tooMany: try countAgain()
        case .store(let error): try failedToKeep(error)
        }
    }

    private func message(_ error: CommandError) -> String {
        ErrorReport(error, messages: .english)?.message ?? "it ended"
    }

    /// Counts each minute until the set is small enough.
    private func countAgain() throws(CommandError) {
        let problem = TranslatedText.tooManyMembers.english
        voice.say(.error, "\(problem); nothing is told, and it is counted again each minute")
        while !isStopping {
            show(.tooMany, problem: problem, nextTry: SystemClock.wall + Self.refusalPause.wholeMilliseconds)
            try pause(Self.refusalPause)
            if isStopping { return }
            do throws(CommandError) {
                let feed = try connect()
                let total = try feed.count(requests(feed).counting)
                if total <= Reported.maxMembers { return schedule.start(at: SystemClock.wall) }
            } catch {
                return try failed(CutFailure(error))
            }
        }
    }

    private func failedToKeep(_ error: SystemError) throws(CommandError) {
        let pause = attempts.failed()
        if attempts.hasJustFailed { voice.say(.error, "\(error.message); nothing is told until it can be kept") }
        show(
            attempts.isFailing ? .failing : .retrying, problem: error.message,
            nextTry: SystemClock.wall + pause.wholeMilliseconds)
        try self.pause(pause)
    }

    // MARK: - Telling

    /// Runs the command until it ends with 0, and commits the batch.
    private func runCommand() throws(CommandError) {
        feed = nil
        attempts = AttemptPace()
        while let waiting = state.waiting, !waiting.isReported, !isStopping {
            let attempt = attempts.failures + 1
            show(attempts.isFailing ? .failing : .running, attempt: attempt)
            let task = CommandRun.Task(batch: waiting.id, count: waiting.count, attempt: attempt)
            let exit = CommandRun(definition, task, path: state.batchPath).run(wakers: [signals.raw]) {
                readWakers()
                return isStopping
            }
            status.lastExit = exit
            if exit == .code(0) {
                try commit()
                return
            }
            let pause = attempts.failed()
            if attempts.hasJustFailed {
                voice.say(
                    .error,
                    "the command has failed \(attempts.failures) times in a row (\(exit.text)); it is tried "
                        + "again until it ends with 0")
            }
            if isStopping { return }
            show(
                attempts.isFailing ? .failing : .retrying, attempt: attempt + 1,
                nextTry: SystemClock.wall + pause.wholeMilliseconds)
            try self.pause(pause)
        }
        if state.waiting?.isReported == true { try commit() }
    }

    /// Commits the reported state. If that fails, it is tried again, and the command is not run again.
    private func commit() throws(CommandError) {
        let wasFailing = attempts.succeeded()
        if wasFailing { voice.say(.notice, "the command has ended with 0 again") }
        var commits = AttemptPace()
        while true {
            do throws(SystemError) {
                try state.markReported()
                try state.commitWaiting(at: SystemClock.wall)
                if commits.succeeded() { voice.say(.notice, "what was told is kept again") }
                return
            } catch {
                let pause = commits.failed()
                if commits.hasJustFailed {
                    voice.say(.error, "\(error.message); the command has ended with 0, and is not run again")
                }
                show(
                    commits.isFailing ? .failing : .retrying, problem: error.message,
                    nextTry: SystemClock.wall + pause.wholeMilliseconds)
                if isStopping { return }
                try self.pause(pause)
            }
        }
    }

    // MARK: - Showing

    /// The time for people at the service manager.
    private var time: LocalTime {
        LocalTime(zone: context.surroundings.zone(), now: SystemClock.wall, messages: .english)
    }

    private func show(
        _ state: TriggerStatus.State, attempt: Int? = nil, problem: String? = nil, nextTry: Int64? = nil
    ) {
        let reported = self.state.reported
        status.state = state
        status.members = reported?.moment.clock == nil ? nil : reported?.members.count
        status.batch = self.state.waiting?.id
        status.count = self.state.waiting?.count
        status.attempt = attempt
        status.problem = problem
        status.reportedAt = reported?.moment.reportedAt
        status.nextTry = nextTry
        voice.report(status, TriggerText(time).line(status))
    }
}
