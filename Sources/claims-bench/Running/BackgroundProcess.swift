// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

/// A child process that runs until it is stopped.
final class BackgroundProcess {
    let name: String
    private var process: ChildProcess?
    let pid: Int32

    /// The time after which a child that does not stop is killed.
    private static let maxStop: Duration = .seconds(60)

    /// `log` is the file that its output goes to.
    init(
        _ name: String, _ program: String, _ arguments: [String], environment: [String] = [], log: String
    ) throws {
        self.name = name
        let output = try FileDescriptor.open(log, .append(permissions: 0o644))
        let null = try FileDescriptor.open("/dev/null", .read)
        let child = try ChildProcess(
            program, arguments, environment: Self.environment + environment, input: null.raw, output: output.raw,
            error: output.raw)
        pid = child.pid
        Cleanup.add(child: pid)
        process = consume child
    }

    deinit {
        Cleanup.forget(child: pid)
    }

    /// The environment of every child, without the caller's settings.
    static let environment = ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8"]

    var isRunning: Bool { !hasEnded(within: .zero) }

    /// Waits for the end of the process, but no longer than so; returns whether it has ended.
    func hasEnded(within pause: Duration) -> Bool {
        guard process != nil else { return true }
        return (try? process?.hasEnded(within: pause)) != false
    }

    /// Sends `signal` and waits for the end; kills the process if that takes too long.
    func stop(_ signal: Int32 = SIGTERM) {
        guard let child = process.take() else { return }
        child.signal(signal)
        let hasEnded = (try? child.hasEnded(within: Self.maxStop)) ?? false
        if !hasEnded {
            BenchConsole.note("\(name) did not end in time and is killed")
            child.signal(SIGKILL)
        }
        _ = child.wait()
        Cleanup.forget(child: pid)
    }

    /// The anonymous memory of a process in bytes: `RssAnon` of /proc/PID/status (proc(5)).
    static func anonymousBytes(_ pid: Int32) -> Int? {
        guard let text = try? Files.readText("/proc/\(pid)/status", cap: 1 << 16) else { return nil }
        for line in text.split(separator: "\n") where line.hasPrefix("RssAnon:") {
            let fields = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            return fields.count >= 2 ? Int(fields[1]).map { $0 * 1024 } : nil
        }
        return nil
    }

    var anonymousBytes: Int? { Self.anonymousBytes(pid) }

    /// The bytes that a process has had written to the disk: `write_bytes` of /proc/PID/io (proc(5)).
    static func bytesWritten(_ pid: Int32) -> Int? {
        guard let text = try? Files.readText("/proc/\(pid)/io", cap: 1 << 16) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("write_bytes: ") }
        return line.flatMap { Int($0.dropFirst("write_bytes: ".count)) }
    }

    /// The processor time of a process, in nanoseconds; in steps of 10 ms.
    struct ProcessorTime {
        var user: Double
        var system: Double

        var total: Double { user + system }
    }

    static func processorTime(_ pid: Int32) -> ProcessorTime? {
        guard let text = try? Files.readText("/proc/\(pid)/stat", cap: 1 << 16),
            let name = text.lastIndex(of: ")")
        else { return nil }
        // The name may have spaces; from behind it on, fields 3 and later of proc(5).
        let fields = text[name...].split(separator: " ")
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else { return nil }
        let tick = 1e9 / Double(sysconf(Int32(_SC_CLK_TCK)))
        return ProcessorTime(user: user * tick, system: system * tick)
    }

    /// The processor time of the threads of a process whose names begin so, in nanoseconds: the first field of
    /// /proc/PID/task/TID/schedstat.
    static func processorTime(_ pid: Int32, ofThreads prefix: String) -> Double {
        let folder = "/proc/\(pid)/task"
        let tasks = ((try? Directory.list(folder)) ?? []).map { Paths.join(folder, $0) }
        return tasks.reduce(0) { sum, task in
            guard let name = try? Files.readText(Paths.join(task, "comm"), cap: 64), name.hasPrefix(prefix),
                let text = try? Files.readText(Paths.join(task, "schedstat"), cap: 256),
                let time = text.split(separator: " ").first.flatMap({ Double($0) })
            else { return sum }
            return sum + time
        }
    }
}
