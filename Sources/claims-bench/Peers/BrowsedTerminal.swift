// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CBench
import ClaimsPlatform
import Glibc

/// `claimsctl browse` on a terminal of its own, whose keys and screen this program has.
final class BrowsedTerminal {
    static let rows = 24
    static let columns = 80

    private(set) var screen = ScreenReader(rows: rows, columns: columns)
    /// The number of bytes that the program has written.
    private(set) var received = 0
    let pid: Int32
    private let terminal: FileDescriptor
    private var process: ChildProcess?
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    /// The maximum time until the screen shows the expected state.
    private static let maxWait: Duration = .seconds(20)
    /// The time without a byte after which a frame is over, in milliseconds.
    private static let quietTime: Int32 = 3

    init(_ claimsctl: String, _ arguments: [String], socket: String) throws {
        var other: Int32 = -1
        let raw = unsafe bench_terminal(Int32(Self.rows), Int32(Self.columns), &other)
        guard raw >= 0 else { throw SystemError.last("make a terminal") }
        terminal = FileDescriptor(owning: raw)
        let end = FileDescriptor(owning: other)
        let environment = ["TERM=xterm-256color", "CLAIMSD_SOCKET=\(socket)"]
        let child = try ChildProcess(
            claimsctl, ["browse"] + arguments, environment: BackgroundProcess.environment + environment,
            input: end.raw, output: end.raw, error: end.raw)
        pid = child.pid
        Cleanup.add(child: pid)
        process = consume child
    }

    deinit { stop() }

    var anonymousBytes: Int? { BackgroundProcess.anonymousBytes(pid) }

    /// Sends keys, and waits until the screen shows their effect.
    ///
    /// - Parameter isShown: whether the screen has the expected state.
    /// - Returns: the time from the keys to the last byte of the frame, in nanoseconds, and the bytes that came.
    func press(_ keys: String, until isShown: (ScreenReader) -> Bool) throws -> (nanoseconds: UInt64, bytes: Int) {
        let before = received
        let start = SystemClock.monotonic
        try send(keys)
        let end = try wait(until: isShown)
        return (end &- start, received - before)
    }

    /// Waits until the screen is as it is waited for; returns the time of the last byte of that frame.
    @discardableResult
    func wait(until isShown: (ScreenReader) -> Bool) throws -> UInt64 {
        if let end = try frame(within: Self.maxWait, isShown) { return end }
        throw BenchError("browse does not show what is waited for; it shows:\n\(text)")
    }

    /// Presses Esc, and once more if the first one has not led there.
    func leave(until isShown: (ScreenReader) -> Bool) throws {
        try send("\u{1B}")
        if try frame(within: .seconds(2), isShown) != nil { return }
        _ = try press("\u{1B}", until: isShown)
    }

    /// Receives bytes for a short time, in which frames that are under way end.
    func settle() throws {
        _ = try frame(within: .milliseconds(300)) { _ in false }
    }

    /// The time of the last byte of the frame with the expected state; nil if none comes in time.
    private func frame(within limit: Duration, _ isShown: (ScreenReader) -> Bool) throws -> UInt64? {
        let start = ContinuousClock.now
        while ContinuousClock.now - start < limit {
            guard try receive(within: 20), isShown(screen) else { continue }
            var end = SystemClock.monotonic
            while try receive(within: Self.quietTime) { end = SystemClock.monotonic }
            return end
        }
        return nil
    }

    /// The rows of the screen that have text.
    private var text: String {
        (1...Self.rows).map { screen.text($0) }.filter { $0.contains { $0 != " " } }.joined(separator: "\n")
    }

    private func send(_ keys: String) throws {
        let bytes = Array(keys.utf8)
        let count = unsafe bytes.withUnsafeBytes { unsafe write(terminal.raw, $0.baseAddress, $0.count) }
        guard count == bytes.count else { throw BenchError("the terminal did not take the keys") }
    }

    /// Receives the next bytes; false if nothing comes in time.
    private func receive(within milliseconds: Int32) throws -> Bool {
        var poll = pollfd(fd: terminal.raw, events: Int16(POLLIN), revents: 0)
        guard unsafe Glibc.poll(&poll, 1, milliseconds) > 0 else { return false }
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(terminal.raw, $0.baseAddress, $0.count) }
        guard count > 0 else { throw BenchError("browse has ended with:\n\(text)") }
        received += count
        screen.take(buffer[..<count])
        return true
    }

    func stop() {
        guard let child = process.take() else { return }
        child.signal(SIGTERM)
        // The bytes that it still writes must be read, or it would wait for that.
        while (try? child.hasEnded(within: .milliseconds(5))) == false { _ = try? receive(within: 0) }
        _ = child.wait()
        Cleanup.forget(child: pid)
    }
}
