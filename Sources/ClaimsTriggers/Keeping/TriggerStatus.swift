// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTerminal

/// The status of a running trigger, from `status.json` in its run folder. It has no record text.
struct TriggerStatus: Equatable {
    /// The present state of the trigger.
    enum State: String, CaseIterable {
        /// It waits for something to report.
        case waiting
        /// Its command runs.
        case running
        /// Its command has failed, and is tried again.
        case retrying
        /// Its command has failed five times or more in a row.
        case failing
        /// The daemon refuses its request.
        case refused
        /// More records match than a trigger can have.
        case tooMany = "too_many"
        /// The daemon cannot be reached.
        case away
    }

    /// The end of a command.
    enum LastExit: Equatable {
        case code(Int32)
        case signal(Int32)
        case timeout
        /// It could not be started: the error number of the attempt.
        case notStarted(Int32)
    }

    var state: State
    /// The number of members; nil if nothing was reported yet.
    var members: Int?
    /// The id of the batch that waits, and its number of lines after the first.
    var batch: String?
    var count: Int?
    /// The number of the attempt, from 1.
    var attempt: Int?
    var lastExit: LastExit?
    /// The time at which a command last ended with 0, in milliseconds since 1970.
    var reportedAt: Int64?
    /// The time of the next try, in milliseconds since 1970.
    var nextTry: Int64?
    /// The reason of `refused`, `away`, or of what could not be kept; a sentence.
    var problem: String?

    /// The name of the file in the run folder.
    static let name = "status.json"
    private static let maxSize = 1 << 16

    init(_ state: State) { self.state = state }

    /// The status of the process that wrote the file, as one line of JSON.
    ///
    /// - Parameters:
    ///   - pid: the process, with the time of its start in clock ticks since the boot.
    func json(trigger: String, pid: Int32, started: UInt64?) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("trigger", trigger)
        writer.member("pid", pid)
        writer.member("pid_started", started)
        writer.member("state", state.rawValue)
        writer.member("members", members)
        writer.member("batch", batch)
        writer.member("lines", count)
        writer.member("attempt", attempt)
        writer.member("last_exit", lastExit?.text)
        writer.member("last_told", reportedAt.map { Instant(ms: $0).text })
        writer.member("next_try", nextTry.map { Instant(ms: $0).text })
        writer.member("problem", problem)
        writer.endObject()
        writer.newline()
        return writer.bytes
    }

    /// Reads the status of a running process in a run folder; nil if none runs: its file is missing, or the process
    /// that wrote it has ended.
    static func read(in folder: String) -> TriggerStatus? {
        guard let bytes = try? Files.readAll(Paths.join(folder, name), cap: maxSize),
            let root = (try? AnswerDocument(bytes))?.root, let pid = root["pid"]?.integer,
            let state = root["state"]?.string.flatMap(State.init(rawValue:)),
            let process = ProcessState(Int32(clamping: pid)),
            process.startTime == root["pid_started"]?.integer.map({ UInt64(clamping: $0) })
        else { return nil }
        func time(_ name: String) -> Int64? { root[name]?.string.flatMap { Instant.parse($0)?.ms } }
        var status = TriggerStatus(state)
        status.members = root["members"]?.integer.map { Int($0) }
        status.batch = root["batch"]?.string
        status.count = root["lines"]?.integer.map { Int($0) }
        status.attempt = root["attempt"]?.integer.map { Int($0) }
        status.lastExit = root["last_exit"]?.string.flatMap(LastExit.init(text:))
        status.reportedAt = time("last_told")
        status.nextTry = time("next_try")
        status.problem = root["problem"]?.string
        return status
    }
}

extension TriggerStatus.LastExit {
    /// The text in `status.json`: `exit 67`, `signal 9`, `timeout` or `errno 2`.
    var text: String {
        switch self {
        case .code(let code): "exit \(code)"
        case .signal(let number): "signal \(number)"
        case .timeout: "timeout"
        case .notStarted(let errno): "errno \(errno)"
        }
    }

    fileprivate init?(text: String) {
        if text == "timeout" {
            self = .timeout
            return
        }
        let words = text.split(separator: " ")
        guard words.count == 2, let number = Int32(words[1]) else { return nil }
        switch words[0] {
        case "exit": self = .code(number)
        case "signal": self = .signal(number)
        case "errno": self = .notStarted(number)
        default: return nil
        }
    }
}

/// The status of a trigger with a command, whether it runs or not: a line of the list, of `check` and of `metrics`.
struct TriggerReport {
    /// The condition of a trigger.
    enum Condition: Equatable {
        /// Its file is wrong.
        case wrong([ConfigurationProblem])
        /// No process runs it.
        case stopped
        case running(TriggerStatus)

        /// The word in lists and metrics.
        var word: String {
            switch self {
            case .wrong: "wrong"
            case .stopped: "stopped"
            case .running(let status): status.state.rawValue
            }
        }

        /// Whether it reports its changes, now or once the daemon is back.
        var isUp: Bool {
            switch self {
            case .wrong, .stopped: false
            case .running(let status):
                switch status.state {
                case .waiting, .running, .retrying, .away: true
                case .failing, .refused, .tooMany: false
                }
            }
        }
    }

    let name: String
    let condition: Condition

    /// The status that its process has written; nil if none runs.
    var status: TriggerStatus? {
        if case .running(let status) = condition { status } else { nil }
    }

    /// The triggers with a command, and the triggers with mistakes in their files, by name.
    static func all(_ folders: TriggerFolders) -> [TriggerReport] { all(TriggerFiles(folders), folders) }

    static func all(_ files: TriggerFiles, _ folders: TriggerFolders) -> [TriggerReport] {
        files.all.compactMap { name, file in
            guard file.isSound, let definition = file.value else {
                return TriggerReport(name: name, condition: .wrong(file.problems))
            }
            let status = TriggerStatus.read(in: folders.run(of: name))
            // A trigger without a command is there to be extended.
            if definition.command == nil, status == nil { return nil }
            return TriggerReport(name: name, condition: status.map { .running($0) } ?? .stopped)
        }
    }
}

/// The words for how a trigger is doing: in the list, and for the service manager.
struct TriggerText {
    private let time: LocalTime
    private var messages: Messages { time.messages }

    init(_ time: LocalTime) { self.time = time }

    /// One line: the activity, the waiting changes, and the next step.
    func line(_ status: TriggerStatus) -> String {
        var parts = [messages.triggerState(status.state.rawValue)]
        if let problem = status.problem { parts[0] += ": \(Escaping.line(problem))" }
        if let members = status.members, status.batch == nil { parts.append(messages.triggerMembers(members)) }
        if status.batch != nil {
            parts.append(messages.triggerBatch(lines: status.count ?? 0, attempt: status.attempt))
        }
        if let exit = status.lastExit, exit != .code(0) { parts.append(messages.triggerExit(exit)) }
        if let last = status.reportedAt { parts.append(messages.triggerTold(time.clock(last))) }
        if let next = status.nextTry { parts.append(messages.triggerNext(time.clock(next))) }
        return parts.joined(separator: "; ")
    }

    /// The sentence about a trigger for a person.
    func details(_ report: TriggerReport) -> String {
        switch report.condition {
        case .wrong(let problems): problems.map { Escaping.line($0.description) }.joined(separator: "; ")
        case .stopped: messages.triggerStart("systemctl enable --now claimsd-trigger@\(report.name)")
        case .running(let status): line(status)
        }
    }
}
