// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
public import ClaimsPlatform
import Glibc
import Synchronization

/// A real `claimsd` with folders and a socket of its own; killed with this object.
public final class DaemonProcess: Sendable {
    /// Where all of it lies: `config`, `cache`, `state`, `claimsd.sock` and `log`.
    public let folder: TemporaryFolder
    private let data: String
    private let environment: [String: String]
    private let process = Mutex<ChildProcess?>(nil)

    /// Prepares the folders; `start` starts.
    ///
    /// - Parameters:
    ///   - site: files of the configuration folder, by name ("collections.d/x.json5").
    ///   - data: the vendor's definitions; the repository's unless given.
    public init(
        site: [String: String] = [:], data: String = Repository.data, environment: [String: String] = [:]
    ) throws {
        folder = try TemporaryFolder(prefix: "claimsd-daemon")
        self.data = data
        self.environment = environment
        try Directory.create(folder("config"))
        for (name, text) in site { try configure(name, text) }
    }

    deinit {
        process.withLock { process in process = nil }
    }

    public var socket: String { folder("claimsd.sock") }

    /// The text that it wrote to standard error so far, over all starts.
    public var log: String { (try? folder.read("log")) ?? "" }

    /// The id of the running process, nil if there is none.
    public var pid: Int32? { process.withLock { process in process?.pid } }

    /// Replaces a file of the configuration folder; SIGHUP lets a running daemon read it.
    public func configure(_ name: String, _ text: String) throws { try folder.write("config/\(name)", text) }

    /// Starts the daemon and returns when it answers `ping`.
    public func start(_ arguments: [String] = [], environment: [String: String] = [:]) throws {
        try launch(arguments, environment: environment)
        try waitUntilAnswering()
    }

    /// Returns when the daemon answers `ping`; throws where it ends instead.
    public func waitUntilAnswering() throws {
        let deadline = SystemClock.monotonic &+ LineClient.timeout.wholeNanoseconds
        while true {
            if let client = try? LineClient(socket), (try? client.request("ping"))?["result"] != nil {
                return try client.leave()
            }
            // Not a sleep: a wait for its end, between two attempts.
            let hasEnded = try process.withLock { process in try process?.hasEnded(within: .milliseconds(5)) ?? true }
            if hasEnded { throw TestFailure("claimsd ended: \(log)") }
            guard SystemClock.monotonic < deadline else { throw TestFailure("claimsd does not answer: \(log)") }
        }
    }

    /// Starts the daemon and does not wait for anything.
    ///
    /// - Parameter more: variables of this start alone.
    public func launch(_ arguments: [String] = [], environment more: [String: String] = [:]) throws {
        let output = try FileDescriptor.open(folder("log"), .append(permissions: 0o600))
        let program = try BuiltProgram.path("claimsd")
        let folders = [
            "--config-dir", folder("config"), "--data-dir", data, "--cache-dir", folder("cache"),
            "--state-dir", folder("state"), "--socket", socket,
        ]
        let variables = BuiltProgram.environment(environment.merging(more) { $1 })
        try process.withLock { process in
            process = try ChildProcess(
                program, folders + arguments, environment: variables, output: output.raw, error: output.raw)
        }
    }

    /// A new connection.
    public func connect() throws -> LineClient { try LineClient(socket) }

    /// Sends a signal to the running process.
    public func signal(_ number: Int32) {
        process.withLock { process in _ = process?.signal(number) }
    }

    /// Kills it (SIGKILL) and returns when it is gone.
    public func kill() {
        process.withLock { process in process = nil }
    }

    /// Kills it (SIGKILL) after so long, and returns when it is gone; throws where it has ended before by itself.
    public func kill(after time: Duration) throws {
        let hasEnded = try process.withLock { process in
            guard let child = process.take() else { throw TestFailure("claimsd is not running") }
            return try child.hasEnded(within: time)
        }
        if hasEnded { throw TestFailure("claimsd ended by itself: \(log.suffix(4000))") }
    }

    /// Asks it to stop (SIGTERM) and returns when it has; kills it where that takes longer than `timeout`.
    @discardableResult
    public func stop(within timeout: Duration = LineClient.timeout) throws -> ExitStatus {
        signal(SIGTERM)
        return try waitForEnd(within: timeout)
    }

    /// Returns how it ended by itself.
    public func waitForEnd(within timeout: Duration = LineClient.timeout) throws -> ExitStatus {
        try process.withLock { process in
            guard let child = process.take() else { throw TestFailure("claimsd is not running") }
            guard try child.hasEnded(within: timeout) else { throw TestFailure("claimsd does not end") }
            return child.wait()
        }
    }

    /// The anonymous memory of the running process, in bytes: what no file stands behind.
    public func anonymousMemory() throws -> Int {
        guard let pid else { throw TestFailure("claimsd is not running") }
        let report = try Files.readText("/proc/\(pid)/smaps_rollup", cap: 1 << 16)
        for line in report.split(separator: "\n") where line.hasPrefix("Anonymous:") {
            let fields = line.split(separator: " ")
            if fields.count >= 2, let kilobytes = Int(fields[1]) { return kilobytes * 1024 }
        }
        throw TestFailure("/proc/\(pid)/smaps_rollup does not say")
    }
}
