// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
import ClaimsPlatform
import Synchronization

/// A socket that answers each request with what a test says, to try a client against answers no daemon would give at
/// will. It serves one connection after the other, on a thread of its own, and ends with this object.
public final class ScriptedDaemon: Sendable {
    /// A request as it came.
    public struct Request: Sendable {
        public let method: String
        public let params: JSONValue
        /// The request's id, as JSON.
        public let id: String
        public let line: String

        /// A line that answers it with this result, given as JSON.
        public func result(_ json: String) -> String { #"{"jsonrpc":"2.0","id":\#(id),"result":\#(json)}"# }

        /// A line that answers it with an error of this kind.
        public func error(_ kind: String, _ message: String, data more: String = "") -> String {
            #"{"id":\#(id),"error":{"code":1,"message":"\#(message)","data":{"kind":"\#(kind)"\#(more)}}}"#
        }
    }

    /// The reaction to a request.
    public enum Reply: Sendable {
        case lines([String])
        /// Lines, and then the last of them again and again for as long as the client takes them.
        case endless([String])
        /// Bytes as they are, again and again for as long as the client takes them.
        case endlessBytes([UInt8])
        /// Bytes as they are, and then the connection is closed.
        case lastBytes([UInt8])
    }

    public let path: String
    private let folder: TemporaryFolder
    private let log = RequestLog()
    private let thread: NamedThread

    /// Listens, and answers with what `reply` returns.
    public init(_ reply: @escaping @Sendable (Request) -> Reply) throws {
        folder = try TemporaryFolder()
        path = Paths.join(folder.path, "socket")
        let listener = try UnixSocket.listen(path: path)
        let service = Service(listener: listener, log: log, reply: reply)
        thread = try NamedThread("scripted") { service.run() }
    }

    deinit {
        log.stop()
    }

    /// The requests that have come so far.
    public var requests: [Request] { log.requests }

    /// The parameters of the requests of that method, as compact JSON.
    public func parameters(of method: String) -> [String] {
        requests.filter { $0.method == method }.map { String(decoding: $0.params.compactBytes, as: UTF8.self) }
    }
}

/// The state that both threads share.
private final class RequestLog: Sendable {
    private let state = Mutex<(requests: [ScriptedDaemon.Request], isStopped: Bool)>(([], false))

    var requests: [ScriptedDaemon.Request] { state.withLock { $0.requests } }
    var isStopped: Bool { state.withLock { $0.isStopped } }
    func note(_ request: ScriptedDaemon.Request) { state.withLock { $0.requests.append(request) } }
    func stop() { state.withLock { $0.isStopped = true } }
}

/// The thread's part.
private final class Service: Sendable {
    private let listener: FileDescriptor
    private let log: RequestLog
    private let reply: @Sendable (ScriptedDaemon.Request) -> ScriptedDaemon.Reply

    init(
        listener: consuming FileDescriptor, log: RequestLog,
        reply: @escaping @Sendable (ScriptedDaemon.Request) -> ScriptedDaemon.Reply
    ) {
        self.listener = listener
        self.log = log
        self.reply = reply
    }

    func run() {
        while !log.isStopped {
            guard (try? listener.wait(for: .read, timeout: .milliseconds(20))) == true,
                let accepted = try? UnixSocket.accept(listener.raw)
            else { continue }
            serve(accepted)
        }
    }

    private func serve(_ socket: consuming FileDescriptor) {
        var input: [UInt8] = []
        while !log.isStopped {
            guard (try? socket.wait(for: .read, timeout: .milliseconds(20))) == true else { continue }
            var chunk = [UInt8](repeating: 0, count: 64 * 1024)
            guard case .bytes(let count)? = try? UnixSocket.receive(socket.raw, into: &chunk, at: 0) else { return }
            input += chunk[..<count]
            while let newline = input.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(input[..<newline])
                input.removeSubrange(...newline)
                let value = try? JSONValue.parse(line)
                let request = ScriptedDaemon.Request(
                    method: value?["method"]?.string ?? "", params: value?["params"] ?? .null,
                    id: value?["id"].map { String(decoding: $0.compactBytes, as: UTF8.self) } ?? "null",
                    line: String(decoding: line, as: UTF8.self))
                log.note(request)
                switch reply(request) {
                case .lines(let lines):
                    for line in lines { _ = send(Array(line.utf8) + [UInt8(ascii: "\n")], socket) }
                case .endless(let lines):
                    for line in lines { _ = send(Array(line.utf8) + [UInt8(ascii: "\n")], socket) }
                    let again = [String](repeating: (lines.last ?? "") + "\n", count: 100)
                    while !log.isStopped, send(again.flatMap(\.utf8), socket) {}
                    return
                case .endlessBytes(let bytes):
                    while !log.isStopped, send(bytes, socket) {}
                    return
                case .lastBytes(let bytes):
                    _ = send(bytes, socket)
                    return
                }
            }
        }
    }

    /// Sends bytes; false where the client has gone, or this object ends.
    private func send(_ bytes: [UInt8], _ socket: borrowing FileDescriptor) -> Bool {
        var done = 0
        while done < bytes.count {
            switch try? UnixSocket.send(socket.raw, bytes, from: done) {
            case .bytes(let count): done += count
            case .wouldBlock:
                if log.isStopped { return false }
                _ = try? socket.wait(for: .write, timeout: .milliseconds(100))
            case .closed, nil: return false
            }
        }
        return true
    }
}
