// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// A connection that is read line by line: answers, and the events of subscriptions.
final class LineConnection {
    private let socket: FileDescriptor
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var input: [UInt8] = []

    /// The maximum time between two lines.
    private static let timeout: Duration = .seconds(60)

    init(_ path: String) throws {
        socket = try UnixSocket.connect(path: path, timeout: Self.timeout)
        try socket.setNonblocking(true)
    }

    func send(_ line: String) throws { try send(Array(line.utf8) + [0x0A]) }

    /// - Parameter bytes: a request with its newline.
    func send(_ bytes: [UInt8]) throws {
        guard try UnixSocket.send(socket.raw, bytes, from: 0) == .bytes(bytes.count) else {
            throw BenchError("a request was not taken whole")
        }
    }

    func awaitAnswer() throws {
        while true {
            let line = try receive()
            if line.contains(#""error":{"#) { throw BenchError("the daemon answered \(line)") }
            if line.contains(#""result":"#) { return }
        }
    }

    /// Receives events until `count` of them reported changes; calls `body` at each of these.
    func receiveChanges(_ count: Int, _ body: () -> Void) throws {
        var received = 0
        while received < count {
            guard Self.hasChanges(try receive()) else { continue }
            received += 1
            body()
        }
    }

    /// True for an event that reports changes.
    static func hasChanges(_ line: String) -> Bool { line.contains(#""type":"changes""#) }

    func receive() throws -> String {
        guard let line = try receive(within: Self.timeout) else { throw BenchError("no line came") }
        return line
    }

    /// The next line; nil if nothing comes for so long.
    func receive(within pause: Duration) throws -> String? {
        try receiveBytes(within: pause).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The next line without its newline; nil if nothing comes for so long.
    func receiveBytes(within pause: Duration = LineConnection.timeout) throws -> ArraySlice<UInt8>? {
        while true {
            if let end = input.firstIndex(of: 0x0A) {
                defer { input.removeSubrange(...end) }
                return input[..<end]
            }
            guard try socket.wait(for: .read, timeout: pause) else { return nil }
            guard case .bytes(let received) = try UnixSocket.receive(socket.raw, into: &buffer, at: 0) else {
                throw BenchError("the connection was closed")
            }
            input += buffer[..<received]
        }
    }
}
