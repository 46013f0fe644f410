// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Synchronization

/// A throw-away machine that runs this machine's own systemd, over a copy of its files, for one test.
///
/// Files written inside are gone afterwards. `boot.sh` says how it is made. Needs root.
final class SystemdMachine: Sendable {
    /// The output of a command inside, and how it ended.
    struct Output: Sendable {
        let status: ExitStatus
        let output: String
        let error: String

        var isSuccess: Bool { status == .exited(0) }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Why there can be no such machine here; nil where there can.
    static let obstacle: String? = {
        if geteuid() != 0 { return "not run as root" }
        if BuiltProgram.isSanitized { return "a sanitizer's exit code would be taken for the service's" }
        if !Files.exists("/lib/systemd/systemd") { return "systemd is not installed" }
        let probe = try? command(
            "unshare", ["--mount", "--pid", "--net", "--cgroup", "--fork", "--kill-child", "true"],
            timeout: .seconds(10))
        return probe?.isSuccess == true ? nil : "this system does not let root make namespaces"
    }()

    private let script: ChildProcess
    /// The script's standard input: the machine lives as long as this is open, in this process.
    private let lifeline: Mutex<FileDescriptor?>
    private let initialProcess: Int32

    /// Boots a machine. `stage` puts files into a folder that is laid over `/`.
    init(bind folders: [String] = [], stage: (_ root: String) throws -> Void = { _ in }) throws {
        let root = try Directory.temporary(prefix: "claimsd-stage")
        defer { try? Directory.remove(root) }
        try Files.setPermissions(root, 0o755)
        try stage(root)
        let boot = Paths.join(Paths.parent(#filePath), "boot.sh")
        let input = try FileDescriptor.pipe()
        let output = try FileDescriptor.pipe()
        let source = input.reading.raw
        let writing = output.writing.raw
        script = try ChildProcess("bash", [boot, root] + folders, input: source, output: writing, error: writing)
        let reports = output.keepReading()
        lifeline = Mutex(input.keepWriting())
        let report = try Self.firstLine(reports)
        guard report.hasPrefix("ready "), let pid = Int32(report.dropFirst(6)) else {
            throw Failure(description: "no machine: \(report)")
        }
        initialProcess = pid
        let state = try run("systemctl is-system-running --wait")
        guard state.isSuccess else {
            let failed = try run("systemctl --failed --no-pager; journalctl --no-pager --lines=50").output
            throw Failure(description: "the machine is \(state.output)\(state.error)\n\(failed)")
        }
    }

    deinit {
        lifeline.withLock { $0 = nil }
        // The script removes all there was of the machine.
        _ = try? script.hasEnded(within: .seconds(30))
    }

    /// Where a file of the machine is, as seen from outside.
    func path(_ path: String) -> String { "/proc/\(initialProcess)/root\(path)" }

    /// Runs a shell command inside, as root, and returns what it printed. ETIMEDOUT where it takes longer.
    func run(_ text: String, timeout: Duration = .seconds(60)) throws -> Output {
        let environment = [
            "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C.UTF-8",
            "SYSTEMD_PAGER=", "SYSTEMD_COLORS=0",
        ]
        let entry = ["--target", "\(initialProcess)", "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup"]
        return try Self.command(
            "nsenter", entry + ["--root", "--wd", "--", "sh", "-c", text], environment: environment,
            timeout: timeout)
    }

    /// As `run`, for a command that must end well; returns its standard output.
    @discardableResult
    func check(_ text: String, timeout: Duration = .seconds(60)) throws -> String {
        let result = try run(text, timeout: timeout)
        guard result.isSuccess else {
            throw Failure(description: "\(text): \(result.status)\n\(result.output)\(result.error)")
        }
        return result.output
    }

    /// Runs `text` again and again until it ends well, for what systemd does in its own time.
    func eventually(_ text: String, within limit: Duration = .seconds(30)) throws {
        let step = "until \(text); do sleep 0.02; done".split(separator: "'", omittingEmptySubsequences: false)
        let quoted = "'" + step.joined(separator: #"'\''"#) + "'"
        let result = try run("timeout \(limit.wholeMilliseconds / 1000) sh -c \(quoted)", timeout: limit + .seconds(10))
        guard result.isSuccess else {
            throw Failure(description: "it did not come to this: \(text)\n\(result.output)\(result.error)")
        }
    }

    private static func firstLine(_ pipe: borrowing FileDescriptor) throws -> String {
        var line: [UInt8] = []
        var byte: [UInt8] = [0]
        while try pipe.wait(for: .read, timeout: .seconds(60)) {
            let count = try pipe.read(into: &byte)
            if count == 0 || byte[0] == UInt8(ascii: "\n") { break }
            line.append(byte[0])
        }
        return String(decoding: line, as: UTF8.self)
    }

    static func command(
        _ program: String, _ arguments: [String], environment: [String]? = nil, timeout: Duration
    ) throws -> Output {
        let null = try FileDescriptor.open("/dev/null", .read)
        let output = try FileDescriptor.temporary(in: "/tmp")
        let error = try FileDescriptor.temporary(in: "/tmp")
        let child = try ChildProcess(
            program, arguments, environment: environment, input: null.raw, output: output.raw, error: error.raw)
        guard try child.hasEnded(within: timeout) else {
            throw SystemError("run \(program) \(arguments.joined(separator: " "))", errno: ETIMEDOUT)
        }
        let status = child.wait()
        return Output(
            status: status, output: String(decoding: try output.read(output.size(), at: 0), as: UTF8.self),
            error: String(decoding: try error.read(error.size(), at: 0), as: UTF8.self))
    }
}
