// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsPlatform
import Glibc

/// A terminal with a program on it: keys are typed, and the strict ``TerminalScreen`` reads what it shows.
public final class PseudoTerminal {
    /// The screen as it is now.
    public private(set) var screen: TerminalScreen
    /// The bytes that came, in all.
    public private(set) var count = 0
    private let controller: FileDescriptor
    private let path: String
    private var process: ChildProcess?
    /// Held open, so that the settings can be read when the program has ended.
    private let device: FileDescriptor

    /// Makes a terminal on which nothing runs.
    public init(columns: Int = 80, rows: Int = 24) throws {
        var (opened, other): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 128)
        guard unsafe openpty(&opened, &other, &name, nil, nil) == 0 else { throw SystemError.last("make a terminal") }
        // Copies that programs do not inherit.
        controller = try FileDescriptor(owning: opened).duplicate()
        device = try FileDescriptor(owning: other).duplicate()
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        screen = TerminalScreen(columns: columns, rows: rows)
        screen.keepsOutside = true
        try setSize(columns, rows)
        try controller.setNonblocking(true)
    }

    /// Starts a program as the leader of the terminal's session.
    public func start(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        let path = program.hasPrefix("/") ? program : try BuiltProgram.path(program)
        let variables = ["TERM": "xterm-256color"].merging(environment) { $1 }
        process = try ChildProcess(
            "setsid", ["-c", path] + arguments, environment: BuiltProgram.environment(variables), input: device.raw,
            output: device.raw, error: device.raw)
    }

    /// The id of the program.
    public var pid: Int32 { process?.pid ?? 0 }

    /// The id of the process group that gets the keys: of a shell's job, that of its program.
    public var foreground: Int32 { tcgetpgrp(controller.raw) }

    /// Sends the program a signal.
    public func signal(_ number: Int32) { process?.signal(number) }

    /// Types text.
    public func type(_ text: String) throws {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            guard try controller.wait(for: .write, timeout: LineClient.timeout) else {
                throw TestFailure("the program reads no keys")
            }
            let part = unsafe bytes.withUnsafeBytes { unsafe write(controller.raw, $0.baseAddress, $0.count) }
            if part > 0 { bytes = bytes.dropFirst(part) } else if errno != EAGAIN { throw SystemError.last("type") }
        }
    }

    /// Returns when the screen shows what is wanted; throws where it does not come to that, or shows what it must not.
    public func wait(_ what: String = "it", until isThere: (TerminalScreen) -> Bool) throws {
        let deadline = SystemClock.monotonic &+ LineClient.timeout.wholeNanoseconds
        while !isThere(screen) {
            let now = SystemClock.monotonic
            guard now < deadline, try readSome(within: .nanoseconds(deadline - now)) else {
                throw TestFailure("\(what) does not come: \(screen.outside)\n" + screen.text.joined(separator: "\n"))
            }
        }
    }

    /// Returns when a row contains a text.
    public func wait(for text: String) throws {
        try wait("'\(text)'") { $0.text.contains { $0.contains(text) } }
    }

    /// Reads what has come; waits for it. False where nothing comes any more.
    private func readSome(within time: Duration) throws -> Bool {
        guard try controller.wait(for: .read, timeout: time) else { return false }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        do {
            let read = try controller.read(into: &buffer)
            count += read
            try screen.take(buffer[..<read])
            return read > 0
        } catch let error as SystemError {
            // EIO: nobody has it open any more. The device is held open here, so it does not come.
            if error.errno == EAGAIN { return true }
            throw error
        }
    }

    /// Takes it that a signal cuts off what the program writes.
    public func takeCuts() { screen.takesCuts = true }

    /// Reads all that came until the program has ended, and returns how it ended.
    public func waitForEnd() throws -> ExitStatus {
        guard let process = process.take() else { throw TestFailure("nothing runs") }
        let deadline = SystemClock.monotonic &+ LineClient.timeout.wholeNanoseconds
        while try !process.hasEnded(within: .zero) {
            guard SystemClock.monotonic < deadline else { throw TestFailure("the program does not end") }
            _ = try readSome(within: .milliseconds(20))
        }
        while try readSome(within: .zero) {}
        return process.wait()
    }

    /// Changes the size; the program is told by SIGWINCH.
    public func resize(columns: Int, rows: Int) throws {
        screen = screen.resized(columns: columns, rows: rows)
        try setSize(columns, rows)
    }

    private func setSize(_ columns: Int, _ rows: Int) throws {
        let status = try ChildProcess("stty", ["-F", path, "cols", String(columns), "rows", String(rows)]).wait()
        guard status == .exited(0) else { throw TestFailure("stty ended with \(status.code)") }
    }

    /// Whether the terminal echoes keys and gathers lines, as a shell expects it.
    public func isCooked() throws -> Bool {
        var settings = termios()
        guard unsafe tcgetattr(device.raw, &settings) == 0 else { throw SystemError.last("read a terminal's settings") }
        let wanted = tcflag_t(ICANON | ECHO | ISIG)
        return settings.c_lflag & wanted == wanted && settings.c_oflag & tcflag_t(OPOST) != 0
    }
}
