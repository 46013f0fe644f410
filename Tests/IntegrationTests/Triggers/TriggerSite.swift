// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Synchronization

/// A daemon with units, and a trigger on them whose command keeps each batch and does as it is told.
///
/// The command is told by the file `order`: a number is its exit code, `hold` makes it wait for a line in `answers`.
final class TriggerSite {
    /// One run of the command.
    struct Run: Equatable {
        let batch: String
        let attempt: Int
        let count: Int
        /// The lines of the batch.
        let lines: [String]
    }

    let site: Site
    let folder: TemporaryFolder
    /// Where the command says that it runs.
    private let reports: FileDescriptor
    /// Where a command that holds is answered.
    private let answers: FileDescriptor
    private let command: ShellProgram
    private(set) var runner: ChildProcess?
    private let name = "watch"

    /// - Parameter more: further members of the trigger's file.
    init(_ more: String = "", units: [String: String] = [:]) throws {
        folder = try TemporaryFolder(prefix: "claimsd-trigger")
        for name in ["reports", "answers"] {
            guard unsafe mkfifo(folder(name), 0o600) == 0 else { throw TestFailure("no pipe") }
        }
        reports = try FileDescriptor.open(folder("reports"), .update)
        answers = try FileDescriptor.open(folder("answers"), .update)
        command = try ShellProgram(
            """
            cd '\(folder.path)'
            cat >"$CLAIMS_BATCH.$CLAIMS_ATTEMPT"
            order=$(cat order)
            echo "$CLAIMS_TRIGGER $CLAIMS_BATCH $CLAIMS_ATTEMPT $CLAIMS_COUNT" >reports
            [ "$order" != hold ] || read -r order <answers
            exit "$order"
            """)
        site = try Site(["units": Self.body(units)])
        try order("0")
        try write(more)
    }

    deinit { kill() }

    /// The body that the upstream serves: the status of units by id.
    static func body(_ units: [String: String]) -> String {
        let records = units.sorted { $0.key < $1.key }.map {
            #"{"id":"\#($0)","name":"Pump","status":"\#($1)"}"#
        }
        return "[\(records.joined(separator: ","))]"
    }

    /// Replaces the trigger's file.
    func write(_ more: String) throws {
        try folder.write(
            "config/triggers.d/\(name).json5",
            "{ collection: \"units\", fields: [\"status\"], command: [\"\(command.path)\"], \(more) }")
    }

    /// The behaviour of the next run of the command.
    func order(_ order: String) throws { try folder.write("order", order + "\n") }

    /// Answers a command that holds.
    func answer(_ code: Int) throws { try answers.write(Array("\(code)\n".utf8)) }

    /// Serves units, and has the daemon fetch them.
    func serve(_ units: [String: String], _ parameters: String = "") throws {
        try site.serve("units", Self.body(units), parameters)
    }

    /// The folders of the trigger, as arguments.
    var folders: [String] {
        [
            "--config-dir", folder("config"), "--data-dir", folder("data"), "--state-dir", folder("state"),
            "--run-dir", folder("run"),
        ]
    }

    /// The folder of what the trigger has told.
    var state: String { folder("state/\(name)") }

    /// Starts the trigger, and returns when it says that it is ready.
    ///
    /// - Parameter steps: shell commands before it, in a mount namespace of its own.
    func start(through steps: [String] = []) throws {
        let notify = try NotifySocket()
        try launch(steps, notify: notify.path)
        _ = try notify.wait { $0.hasPrefix("READY=1") }
    }

    private func launch(_ steps: [String], notify: String) throws {
        let log = try FileDescriptor.open(folder("log"), .append(permissions: 0o600))
        let line = try [BuiltProgram.path("claimsctl"), "trigger", "run", name] + folders
        let script = (steps + ["exec \(line.map { "'\($0)'" }.joined(separator: " "))"]).joined(separator: " && ")
        let words = steps.isEmpty ? line : ["unshare", "--mount", "sh", "-c", script]
        runner = try ChildProcess(
            words[0], Array(words.dropFirst()),
            environment: BuiltProgram.environment([
                "CLAIMSD_SOCKET": site.daemon.socket, "NOTIFY_SOCKET": notify,
            ]), output: log.raw, error: log.raw)
    }

    /// The process that runs the trigger.
    var pid: Int32 { runner?.pid ?? 0 }

    /// Kills the trigger, and its command with it, as systemd does.
    func kill() {
        guard let runner = runner.take() else { return }
        let children = (try? Files.readText("/proc/\(runner.pid)/task/\(runner.pid)/children", cap: 4096)) ?? ""
        runner.signal(SIGKILL)
        for child in children.split(separator: " ").compactMap({ Int32($0) }) { Glibc.kill(-child, SIGKILL) }
        _ = runner.wait()
    }

    /// Stops the trigger, and returns its exit code.
    func stop() throws -> Int32 {
        runner?.signal(SIGTERM)
        return try end()
    }

    /// The exit code of a trigger that ends by itself.
    func end() throws -> Int32 {
        guard let runner = runner.take() else { throw TestFailure("it does not run") }
        guard try runner.hasEnded(within: LineClient.timeout) else { throw TestFailure("it does not end: \(log)") }
        return runner.wait().code
    }

    /// The output of the trigger.
    var log: String { (try? folder.read("log")) ?? "" }

    /// The next run of the command.
    func nextRun(within time: Duration = LineClient.timeout) throws -> Run {
        guard let run = try run(within: time) else { throw TestFailure("the command does not run: \(log)") }
        return run
    }

    /// The next run of the command; nil where none comes within a time.
    func run(within time: Duration) throws -> Run? {
        var line: [UInt8] = []
        var byte: [UInt8] = [0]
        while try reports.wait(for: .read, timeout: line.isEmpty ? time : LineClient.timeout) {
            guard try reports.read(into: &byte) == 1 else { break }
            if byte[0] != 0x0A {
                line.append(byte[0])
                continue
            }
            let words = String(decoding: line, as: UTF8.self).split(separator: " ").map(String.init)
            guard words.count == 4, words[0] == name, let attempt = Int(words[2]), let count = Int(words[3]) else {
                throw TestFailure("the command says '\(String(decoding: line, as: UTF8.self))'")
            }
            let text = try folder.read("\(words[1]).\(attempt)")
            return Run(
                batch: words[1], attempt: attempt, count: count, lines: text.split(separator: "\n").map(String.init))
        }
        return nil
    }

    /// Runs claimsctl with the folders of the trigger.
    func claimsctl(_ arguments: String..., input: String = "") throws -> ControlProgram.Outcome {
        try ControlProgram.run(arguments + folders, socket: site.daemon.socket, input: input)
    }

    /// Waits until `status.json` tells a state.
    func waitForState(_ state: String) throws -> JSONValue {
        let deadline = SystemClock.monotonic(after: LineClient.timeout)
        while SystemClock.monotonic < deadline {
            if let text = try? folder.read("run/\(name)/status.json"),
                let status = try? JSONValue.parse(Array(text.utf8)), status["state"]?.string == state,
                // Not that of a process before.
                status["pid"]?.integer == Int64(pid)
            {
                return status
            }
            // Not a sleep: a wait for its end, between two looks.
            if try runner?.hasEnded(within: .milliseconds(10)) ?? true { throw TestFailure("it has ended: \(log)") }
        }
        throw TestFailure("it is never \(state): \((try? folder.read("run/\(name)/status.json")) ?? ""), \(log)")
    }
}

extension TriggerSite.Run {
    /// The first line of the batch.
    var heading: JSONValue { get throws { try JSONValue.parse(Array((lines.first ?? "").utf8)) } }

    /// The entries as `op id` or, of a condition, `state from to`.
    var entries: [String] {
        get throws {
            try lines.dropFirst().map { line in
                let entry = try JSONValue.parse(Array(line.utf8))
                let op = entry["op"]?.string ?? "?"
                if op == "state" { return "state \(entry["from"]?.string ?? "?") \(entry["to"]?.string ?? "?")" }
                return "\(op) \(entry["id"]?.string ?? "?")"
            }
        }
    }
}
