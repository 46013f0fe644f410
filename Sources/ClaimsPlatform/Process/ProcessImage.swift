// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The program file that this process runs.
public enum ProcessImage {
    /// Replaces this process by a new start of its program, with the same arguments and environment (execv(3)).
    ///
    /// Descriptors that are not close-on-exec stay open. The call returns only if it fails, with the reason.
    public static func startAgain() -> SystemError {
        var words: [UnsafeMutablePointer<CChar>?] = unsafe CommandLine.arguments.map { unsafe strdup($0) } + [nil]
        defer {
            for index in unsafe words.indices { unsafe free(words[index]) }
        }
        _ = unsafe execv(path, &words)
        return .last("start \(path) again")
    }

    /// Replaces this process by another program, with this environment (execv(3)).
    ///
    /// Descriptors that are not close-on-exec stay open, and ignored signals stay ignored. The call returns only if it
    /// fails, with the reason.
    public static func become(_ program: String, _ arguments: [String]) -> SystemError {
        var words: [UnsafeMutablePointer<CChar>?] = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        defer {
            for index in unsafe words.indices { unsafe free(words[index]) }
        }
        _ = unsafe execv(program, &words)
        return .last("start \(program)")
    }

    /// The path of another program in the folder of this one.
    public static func neighbor(_ name: String) -> String {
        Paths.join(Paths.parent(Files.readLink("/proc/self/exe") ?? path), name)
    }

    /// The program's file by its name, if it still exists; otherwise through the process.
    private static var path: String {
        let own = "/proc/self/exe"
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink(own, &buffer, buffer.count)
        guard count > 0 else { return own }
        let path = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return Files.exists(path) ? path : own
    }
}

/// The memory of this process, as the kernel counts it in /proc/self/smaps_rollup (proc(5)).
public enum ProcessMemory {
    /// The bytes in memory that no file backs: heap, stacks and private pages that were written; nil if unknown.
    public static func anonymousBytes() -> Int? {
        guard let text = try? Files.readText("/proc/self/smaps_rollup", cap: 1 << 16) else { return nil }
        return kilobytes("Anonymous:", in: text)
    }

    /// The bytes in memory, mapped files included; nil if unknown.
    public static func residentBytes() -> Int? {
        guard let text = try? Files.readText("/proc/self/smaps_rollup", cap: 1 << 16) else { return nil }
        return kilobytes("Rss:", in: text)
    }

    /// Returns free heap memory to the kernel (malloc_trim(3)). It takes long, so a serving loop must not call it.
    public static func trim() { linux_trim_heap() }

    /// Limits glibc to `count` heaps instead of eight for each core, and keeps blocks of 256 KiB or more outside them.
    ///
    /// Large blocks then go back to the kernel when they are freed. Call it before any thread starts (mallopt(3)).
    public static func limitArenas(_ count: Int32) { linux_limit_arenas(count) }

    private static func kilobytes(_ label: String, in text: String) -> Int? {
        for line in text.split(separator: "\n") where line.hasPrefix(label) {
            let words = line.split(separator: " ")
            return words.count >= 2 ? Int(words[1]).map { $0 * 1024 } : nil
        }
        return nil
    }
}

/// The systemd unit that a process belongs to, by its control group (cgroups(7)).
public enum ProcessUnit {
    /// The name of the system's unit, such as "cron.service" or "user@1000.service"; nil if it is not known.
    ///
    /// The process may have ended and its id may be in use again, so the answer must inform people only and decide
    /// nothing.
    public static func name(of pid: Int32) -> String? {
        guard let text = try? Files.readText("/proc/\(pid)/cgroup", cap: 1 << 16) else { return nil }
        return parse(text)
    }

    /// The unit by /proc/PID/cgroup: the first part of the path that is no slice.
    static func parse(_ text: String) -> String? {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, fields[1].isEmpty || fields[1] == "name=systemd" else { continue }
            for part in fields[2].split(separator: "/") where !part.hasSuffix(".slice") {
                let isUnit = part.hasSuffix(".service") || part.hasSuffix(".scope")
                if isUnit { return String(part.first == "_" ? part.dropFirst() : part) }
                break
            }
        }
        return nil
    }
}

/// The user who logged in and to whom a process belongs, whatever sudo made of it (/proc/PID/loginuid).
public enum ProcessLogin {
    /// The number of the user; nil if no user logged in for the process, as for a service, or if that is not known.
    ///
    /// The process may have ended and its id may be in use again, so the answer must inform people only and decide
    /// nothing.
    public static func user(of pid: Int32) -> UInt32? {
        guard let text = try? Files.readText("/proc/\(pid)/loginuid", cap: 64), let number = UInt32(text),
            number != .max
        else { return nil }
        return number
    }
}

/// The kernel's limits of this process (getrlimit(2)).
public enum ResourceLimits {
    /// Raises the soft limit of open files to the hard limit, and returns that number.
    @discardableResult
    public static func raiseOpenFiles() throws(SystemError) -> Int {
        var soft: UInt64 = 0
        guard unsafe linux_raise_file_limit(&soft) == 0 else { throw .last("raise the limit of open files") }
        return Int(clamping: soft)
    }
}
