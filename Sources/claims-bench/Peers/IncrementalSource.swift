// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CBench
import ClaimsPlatform
import Glibc

/// An upstream that answers with all records, or with the changes since the position in the request, and that accepts what
/// is written to a record. It is a thread of this program.
final class IncrementalSource: Sendable {
    private struct State {
        /// The records that have changed, as JSON.
        var changed: [UInt8] = []
        /// The writes since the last answer: each with the id of its record and its body.
        var written: [(id: String, body: [UInt8])] = []
        /// The number of the newest change: the position that goes with it.
        var position = 0
        /// When the last byte of the last answer was handed to the kernel, in nanoseconds of the monotonic clock.
        var sentAt: UInt64 = 0
        /// The position of that answer.
        var sent = -1
        var isStopping = false
    }

    let port: Int
    /// The file with all records, a JSON array.
    private let file: String
    private let state = Monitor(State())
    private let thread: NamedThread

    /// Makes the records of the next answer, as objects with commas between, from what has been written since the last one.
    typealias Maker = @Sendable (_ written: [(id: String, body: [UInt8])]) -> [UInt8]

    private static let timeout: Duration = .seconds(60)
    /// The time after which a refresh is asked for again.
    private static let step: Duration = .milliseconds(200)
    private static let maxRequest = 1 << 16

    /// - Parameters:
    ///   - file: the file with all records, a JSON array.
    ///   - maker: makes new changes for each request; without it the records are those of `change`.
    init(_ file: String, maker: Maker? = nil) throws {
        // A client that is gone is an error of the write.
        signal(SIGPIPE, SIG_IGN)
        var port: UInt16 = 0
        let raw = unsafe bench_listen(&port)
        guard raw >= 0 else { throw SystemError.last("listen at 127.0.0.1") }
        self.port = Int(port)
        self.file = file
        let socket = FileDescriptor(owning: raw)
        let state = state
        thread = try NamedThread("source") {
            while !state.read(\.isStopping) {
                let peer = bench_accept(socket.raw, 100)
                guard peer >= 0 else { continue }
                // A request that is cut off is the daemon's to report.
                try? Self.answer(FileDescriptor(owning: peer), file, state, maker)
            }
        }
    }

    func stop() { state.update { $0.isStopping = true } }

    deinit { stop() }

    /// The member `source` of a definition.
    func definition(interval: String = "1d") -> String {
        """
        { url: "http://127.0.0.1:\(port)/items", root: "/items", interval: "\(interval)",
          since: { to: "since", token: "/position", full: "24h" } }
        """
    }

    /// Sets the records that have changed since the last answer.
    ///
    /// - Parameter records: objects with commas between.
    func change(_ records: [UInt8]) -> Int {
        state.update { state in
            state.changed = records
            state.position += 1
            return state.position
        }
    }

    /// Makes the daemon ask, and waits until the answer with a change has been sent.
    ///
    /// - Parameter refresh: asks for a refresh. It is called again if it has joined a refresh that was ending.
    /// - Returns: the time of the answer's last byte, in nanoseconds of the monotonic clock.
    func waitUntilSent(_ position: Int, _ refresh: () throws -> Void) throws -> UInt64 {
        let end = SystemClock.monotonic(after: Self.timeout)
        while SystemClock.monotonic < end {
            try refresh()
            let sentAt = state.wait(upTo: Self.step, waking: .none) { $0.sent >= position ? $0.sentAt : nil }
            if let sentAt { return sentAt }
        }
        throw BenchError("nobody has asked for what has changed")
    }

    private static func answer(
        _ peer: consuming FileDescriptor, _ file: String, _ state: Monitor<State>, _ maker: Maker?
    ) throws(SystemError) {
        var request: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while request.body == nil, request.count < maxRequest {
            let count = try peer.read(into: &buffer)
            if count == 0 { return }
            request += buffer[..<count]
        }
        let line = String(decoding: request.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        if line.hasPrefix("PATCH ") {
            let id = line.split(separator: " ")[1].split(separator: "/").last.map(String.init) ?? ""
            let body = request.body ?? []
            state.update { $0.written.append((id, body)) }
            return try peer.write(header(2) + Array("{}".utf8))
        }
        if let maker, line.contains("since=") {
            state.update { state in
                state.changed = maker(state.written)
                state.written = []
                state.position += 1
            }
        }
        let (changed, position) = state.read { ($0.changed, $0.position) }
        let head = Array(#"{"position":"\#(position)","items":"#.utf8)
        if line.contains("since=") {
            let body = head + [UInt8(ascii: "[")] + changed + Array("]}".utf8)
            try peer.write(Self.header(body.count) + body)
        } else {
            try sendAll(peer, head, file)
        }
        let now = SystemClock.monotonic
        state.update { state in
            state.sentAt = now
            state.sent = position
        }
    }

    private static func sendAll(
        _ peer: borrowing FileDescriptor, _ head: [UInt8], _ file: String
    ) throws(SystemError) {
        let records = try FileDescriptor.open(file, .read)
        let size = try Int(records.size())
        try peer.write(header(head.count + size + 1) + head)
        var offset = 0
        while offset < size {
            let part = try records.read(min(1 << 20, size - offset), at: offset)
            if part.isEmpty { return }
            try peer.write(part)
            offset += part.count
        }
        try peer.write([UInt8(ascii: "}")])
    }

    private static func header(_ length: Int) -> [UInt8] {
        Array(
            """
            HTTP/1.1 200 OK\r
            Content-Type: application/json\r
            Content-Length: \(length)\r
            Connection: close\r
            \r

            """.utf8)
    }
}

extension [UInt8] {
    /// The body of a request whose end has come; nil before.
    fileprivate var body: [UInt8]? {
        let text = String(decoding: self, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        let length = text[..<end.lowerBound].split(separator: "\r\n").lazy
            .first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst("content-length:".count).filter { $0 != " " }) }
        let body = Array(text[end.upperBound...].utf8)
        return body.count >= length ?? 0 ? body : nil
    }
}
