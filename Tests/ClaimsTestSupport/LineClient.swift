// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
import ClaimsPlatform

/// The thinnest client there is: it sends what it is told, and reads lines. Used by one thread.
public final class LineClient {
    /// How long a test waits for what should come at once.
    public static let timeout = Duration.seconds(20)

    private let socket: FileDescriptor
    private var input: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)
    private var scanned = 0
    private var lastID = 0

    public init(_ path: String) throws {
        socket = try UnixSocket.connect(path: path, timeout: Self.timeout)
        try socket.setNonblocking(true)
    }

    /// Sends bytes as they are; throws where the other side has closed, or takes none for `timeout`.
    public func send(bytes: [UInt8]) throws {
        var done = 0
        while done < bytes.count {
            switch try UnixSocket.send(socket.raw, bytes, from: done) {
            case .bytes(let count): done += count
            case .closed: throw TestFailure("the connection was closed")
            case .wouldBlock:
                let isReady = try socket.wait(for: .write, timeout: Self.timeout)
                guard isReady else { throw TestFailure("nothing is taken") }
            }
        }
    }

    /// Sends one line; its newline is added.
    public func send(_ line: String) throws { try send(bytes: Array(line.utf8) + [0x0a]) }

    /// The next line without its newline; nil when the other side has closed.
    public func receive(within timeout: Duration = LineClient.timeout) throws -> String? {
        let deadline = SystemClock.monotonic &+ timeout.wholeNanoseconds
        while true {
            if let end = input[scanned...].firstIndex(of: 0x0a) {
                defer {
                    input.removeSubrange(...end)
                    scanned = 0
                }
                return String(decoding: input[..<end], as: UTF8.self)
            }
            scanned = input.count
            let now = SystemClock.monotonic
            guard now < deadline, try socket.wait(for: .read, timeout: .nanoseconds(Int64(deadline - now))) else {
                throw TestFailure("no line within \(timeout)")
            }
            switch try UnixSocket.receive(socket.raw, into: &buffer, at: 0) {
            case .bytes(let count): input.append(contentsOf: buffer[..<count])
            case .closed: return nil
            case .wouldBlock: break
            }
        }
    }

    /// Sends a request under a new id and waits for the answer to it; other lines are dropped.
    ///
    /// - Parameter parameters: a JSON object.
    /// - Returns: the whole answer, with `result` or `error`.
    public func request(_ method: String, _ parameters: String = "{}") throws -> JSONValue {
        lastID += 1
        try send(#"{"id":\#(lastID),"method":"\#(method)","params":\#(parameters)}"#)
        while let line = try receive() {
            let answer = try JSONValue.parse(line)
            if answer["id"]?.integer == Int64(lastID) { return answer }
        }
        throw TestFailure("the connection was closed before \(method) was answered")
    }

    /// Closes the connection, and returns when the other side has let go of it: nothing of it counts any more.
    public func leave() throws {
        finishSending()
        while try receive() != nil {}
    }

    /// Says that nothing more will be sent.
    public func finishSending() { UnixSocket.shutDown(socket.raw, .writing) }
}
