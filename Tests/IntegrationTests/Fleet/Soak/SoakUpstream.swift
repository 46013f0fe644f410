// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport

/// An upstream whose records change all the time. It notes which host asks, and can be out of reach of one of them.
///
/// Hosts tell their names by their credentials, as `Authorization: Bearer desk-a`.
final class SoakUpstream: Sendable {
    enum Fault: Sendable {
        /// The connection ends without an answer.
        case cut
        /// There is no answer.
        case stalled
        /// The answer is 503.
        case refusing
    }

    struct Request {
        var host: String
        /// In milliseconds since 1970.
        var at: Int64
        /// The number of the generation of the answer; nil: there was none.
        var generation: Int?
    }

    private struct State {
        var faults: [String: Fault] = [:]
        var fault: Fault?
        var requests: [Request] = []
        /// The connections that wait for an answer, by host.
        var stalled: [(host: String, connection: Connection)] = []
    }

    private final class Connection: Sendable {
        let socket: FileDescriptor
        init(_ socket: consuming FileDescriptor) { self.socket = socket }
    }

    let port: UInt16
    private let began: Int64
    private let listener: LoopbackSocket.RawListener
    private let state: Monitor<State>
    private let thread: NamedThread

    init() throws {
        let (listener, port) = try LoopbackSocket.silentListener()
        let (state, began) = (Monitor(State()), SystemClock.wall)
        (self.listener, self.port, self.state, self.began) = (listener, port, state, began)
        thread = try NamedThread("upstream") {
            while let socket = listener.accept() { Self.serve(Connection(socket), state, since: began) }
        }
    }

    deinit { listener.shutDown() }

    var url: String { "http://127.0.0.1:\(port)/units" }
    var requests: [Request] { state.read { $0.requests } }

    /// Those that were answered, the first one first.
    var answered: [Request] { requests.filter { $0.generation != nil } }

    /// Has a host out of reach, or all; nil: it is within reach again.
    func set(_ fault: Fault?, for host: String? = nil) {
        // Those that wait go without an answer.
        _ = state.update { state in
            if let host { state.faults[host] = fault } else { state.fault = fault }
            let ended = state.stalled.filter { host == nil || $0.host == host }
            state.stalled.removeAll { host == nil || $0.host == host }
            return ended
        }
    }

    private static func serve(_ connection: Connection, _ state: Monitor<State>, since began: Int64) {
        guard let head = head(connection.socket) else { return }
        func value(_ name: String) -> String? {
            head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name) }.map {
                String($0.dropFirst(name.utf8.count))
            }
        }
        let host = value("authorization: bearer ") ?? ""
        let now = SystemClock.wall
        let generation = SoakGeneration(after: now - began)
        let fault = state.update { state in
            let fault = state.faults[host] ?? state.fault
            state.requests.append(
                Request(host: host, at: now, generation: fault == nil ? generation.number : nil))
            if fault == .stalled { state.stalled.append((host, connection)) }
            return fault
        }
        var answer: String
        switch fault {
        case .cut, .stalled: return
        case .refusing: answer = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n"
        case nil:
            let tag = "\"generation-\(generation.number)\""
            if value("if-none-match: ") == tag {
                answer = "HTTP/1.1 304 Not Modified\r\nETag: \(tag)\r\n"
            } else {
                let body = generation.body
                answer = """
                    HTTP/1.1 200 OK\r\nETag: \(tag)\r\nContent-Type: application/json\r\n\
                    Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)
                    """
                return send(answer, over: connection.socket)
            }
        }
        answer += "Connection: close\r\n\r\n"
        send(answer, over: connection.socket)
    }

    private static func send(_ answer: String, over socket: borrowing FileDescriptor) {
        let bytes = Array(answer.utf8)
        var done = 0
        while done < bytes.count, case .bytes(let count)? = try? UnixSocket.send(socket.raw, bytes, from: done) {
            done += count
        }
    }

    /// The head of a request; nil where none comes soon.
    private static func head(_ socket: borrowing FileDescriptor) -> String? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            guard (try? socket.wait(for: .read, timeout: .seconds(1))) == true,
                let count = try? socket.read(into: &buffer), count > 0
            else { return nil }
            bytes += buffer[..<count]
            let text = String(decoding: bytes, as: UTF8.self)
            if text.contains("\r\n\r\n") { return text }
        }
    }
}
