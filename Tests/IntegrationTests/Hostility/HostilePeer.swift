// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport

/// A connection that keeps no rules: it sends what is taken at once, and reads only when told to.
final class HostilePeer {
    private let socket: FileDescriptor
    /// The bytes that were read and are no line yet.
    private var input: [UInt8] = []
    /// Where in it the next line begins, and up to where no newline was found.
    private var start = 0
    private var scanned = 0
    /// Whether the daemon has closed the connection.
    private(set) var isClosed = false

    init(_ daemon: DaemonProcess) throws {
        socket = try UnixSocket.connect(path: daemon.socket, timeout: LineClient.timeout)
        try socket.setNonblocking(true)
    }

    /// Sends until all has gone, or nothing more is taken.
    ///
    /// - Returns: how many bytes were taken.
    @discardableResult
    func push(_ bytes: [UInt8]) throws -> Int {
        var done = 0
        while done < bytes.count, !isClosed {
            switch try UnixSocket.send(socket.raw, bytes, from: done) {
            case .bytes(let count): done += count
            case .wouldBlock: return done
            case .closed: isClosed = true
            }
        }
        return done
    }

    @discardableResult
    func push(_ text: String) throws -> Int { try push(Array(text.utf8)) }

    /// Sends all of it, however long the daemon takes; what it answers meanwhile is kept for `lines`.
    func pushAll(_ bytes: [UInt8], within time: Duration = LineClient.timeout) throws {
        let deadline = SystemClock.monotonic &+ time.wholeNanoseconds
        var done = 0
        while done < bytes.count, !isClosed {
            guard SystemClock.monotonic < deadline else { throw TestFailure("only \(done) bytes were taken") }
            let taken = try push(Array(bytes[done...].prefix(1 << 20)))
            done += taken
            if taken == 0 {
                input += try drain()
                _ = try socket.wait(for: .write, timeout: .milliseconds(20))
            }
        }
    }

    /// The bytes that can be read now.
    @discardableResult
    func drain() throws -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while !isClosed {
            switch try UnixSocket.receive(socket.raw, into: &buffer, at: 0) {
            case .bytes(let count): all += buffer[..<count]
            case .wouldBlock: return all
            case .closed: isClosed = true
            }
        }
        return all
    }

    /// Reads until so many lines came, or one that holds `mark`, or the connection ended, or the time is up.
    func lines(
        _ count: Int, until mark: String? = nil, within time: Duration = LineClient.timeout
    ) throws -> [String] {
        let deadline = SystemClock.monotonic &+ time.wholeNanoseconds
        var lines: [String] = []
        while lines.count < count, SystemClock.monotonic < deadline {
            while let end = input[scanned...].firstIndex(of: 0x0A) {
                lines.append(String(decoding: input[start..<end], as: UTF8.self))
                (start, scanned) = (end + 1, end + 1)
                if lines.count == count { return lines }
                if let mark, lines.last?.contains(mark) == true { return lines }
            }
            input.removeFirst(start)
            (start, scanned) = (0, input.count)
            if isClosed { return lines }
            let new = try drain()
            input += new
            if new.isEmpty, !isClosed { _ = try socket.wait(for: .read, timeout: .milliseconds(20)) }
        }
        return lines
    }

    /// Ends the connection at once. A close would not: a process that another test is just starting may hold a copy of the
    /// descriptor until it runs its program.
    func leave() { UnixSocket.shutDown(socket.raw, .both) }

    /// Says that nothing more will be sent.
    func finishSending() { UnixSocket.shutDown(socket.raw, .writing) }
}
