// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport

/// An upstream on 127.0.0.1 that answers each request as a test says, and keeps what it read.
final class WritingServer: Sendable {
    struct Request: Sendable, Equatable {
        var method: String
        var path: String
        var key: String?
        var ifMatch: String?
        var authorization: String?
        var body: String
    }

    enum Reply: Sendable {
        case answer(Int, headers: String = "", body: String = "")
        /// Ends the connection without an answer.
        case hangUp
        /// Reads until the client closes.
        case silence
    }

    typealias Treatment = @Sendable (Request) -> Reply

    let port: UInt16
    private let listener: LoopbackSocket.RawListener
    private let seen: Monitor<[Request]>
    private let treatment: Mutable
    private let threads: WorkerPool
    private let accepting: NamedThread

    /// A value that tests replace.
    final class Mutable: Sendable {
        let value: Monitor<Treatment>
        init(_ value: @escaping Treatment) { self.value = Monitor(value) }
    }

    init(_ treatment: @escaping Treatment) throws {
        let (listener, port) = try LoopbackSocket.silentListener()
        let seen = Monitor<[Request]>([])
        let mutable = Mutable(treatment)
        let threads = try WorkerPool(name: "answering", threads: 8)
        (self.listener, self.port, self.seen, self.treatment, self.threads) = (listener, port, seen, mutable, threads)
        accepting = try NamedThread("accepting") {
            while let connection = listener.accept() {
                let raw = Accepted(connection)
                threads.post { Self.serve(raw, seen, mutable) }
            }
        }
    }

    deinit {
        listener.shutDown()
        threads.stop()
    }

    var origin: String { "http://127.0.0.1:\(port)" }

    /// Answers in another way from now on.
    func treat(_ treatment: @escaping Treatment) { self.treatment.value.update { $0 = treatment } }

    var requests: [Request] { seen.read { $0 } }

    /// The requests, once there are so many.
    func requests(count: Int) throws -> [Request] {
        guard let requests = seen.wait(upTo: .seconds(20), { $0.count >= count ? $0 : nil }) else {
            throw TestFailure("no \(count) requests came")
        }
        return requests
    }

    /// A connection that is handed to another thread.
    private final class Accepted: Sendable {
        let socket: FileDescriptor
        init(_ socket: consuming FileDescriptor) { self.socket = socket }
    }

    private static func serve(_ connection: Accepted, _ seen: Monitor<[Request]>, _ treatment: Mutable) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var request: Request?
        while request == nil {
            guard let count = try? connection.socket.read(into: &buffer), count > 0 else { return }
            bytes += buffer[..<count]
            request = whole(bytes)
        }
        guard let request else { return }
        let reply = treatment.value.read { $0 }(request)
        seen.update { $0.append(request) }
        switch reply {
        case .hangUp: return
        case .silence: while let count = try? connection.socket.read(into: &buffer), count > 0 {}
        case .answer(let status, let headers, let body):
            let head = "HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n"
            try? connection.socket.write(Array((head + body).utf8))
        }
    }

    private static func whole(_ bytes: [UInt8]) -> Request? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        func header(_ name: String) -> String? {
            lines.first { $0.lowercased().hasPrefix(name + ":") }.map {
                String($0.dropFirst(name.count + 1).drop { $0 == " " })
            }
        }
        let body = text[end.upperBound...]
        guard body.utf8.count >= header("content-length").flatMap({ Int($0) }) ?? 0 else { return nil }
        let words = lines[0].split(separator: " ").map(String.init)
        return Request(
            method: words[0], path: words[1], key: header("idempotency-key"), ifMatch: header("if-match"),
            authorization: header("authorization"), body: String(body))
    }
}
