// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport

/// A server on 127.0.0.1 that answers each request as a test says, and keeps what it was asked.
final class AskedServer: Sendable {
    struct Request: Sendable, Equatable {
        /// Method and target: `GET /things?a=1`.
        var line: String
        /// The header lines, as they came.
        var headers: [String]
        var body: String

        /// The value of a header, by its name in lower case.
        func header(_ name: String) -> String? {
            headers.first { $0.lowercased().hasPrefix(name + ":") }.map {
                String($0.dropFirst(name.count + 1).drop { $0 == " " })
            }
        }
    }

    enum Reply: Sendable {
        case answer(Int, headers: String = "", _ body: String = "")
        case hangUp
        /// Reads until the client closes.
        case silence
    }

    typealias Treatment = @Sendable (Request) -> Reply

    let port: UInt16
    private let listener: LoopbackSocket.RawListener
    private let seen: Monitor<[Request]>
    private let treatment: Monitor<Treatment>
    private let threads: WorkerPool
    private let accepting: NamedThread

    init(_ first: @escaping Treatment) throws {
        let (listener, port) = try LoopbackSocket.silentListener()
        let (seen, treatment) = (Monitor<[Request]>([]), Monitor<Treatment>(first))
        let threads = try WorkerPool(name: "asked", threads: 8)
        (self.listener, self.port, self.seen, self.treatment, self.threads) = (listener, port, seen, treatment, threads)
        accepting = try NamedThread("accepting") {
            while let connection = listener.accept() {
                let accepted = Accepted(connection)
                threads.post { Self.serve(accepted, seen, treatment) }
            }
        }
    }

    deinit {
        listener.shutDown()
        threads.stop()
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

    /// Answers in another way from now on.
    func treat(_ next: @escaping Treatment) { treatment.update { $0 = next } }

    var requests: [Request] { seen.read { $0 } }

    /// The requests, once there are so many.
    @discardableResult
    func requests(count: Int) throws -> [Request] {
        guard let requests = seen.wait(upTo: LineClient.timeout, { $0.count >= count ? $0 : nil }) else {
            throw TestFailure("no \(count) requests came")
        }
        return requests
    }

    /// A connection that is handed to another thread.
    private final class Accepted: Sendable {
        let socket: FileDescriptor
        init(_ socket: consuming FileDescriptor) { self.socket = socket }
    }

    private static func serve(_ connection: Accepted, _ seen: Monitor<[Request]>, _ treatment: Monitor<Treatment>) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var request: Request?
        while request == nil {
            guard let count = try? connection.socket.read(into: &buffer), count > 0 else { return }
            bytes += buffer[..<count]
            request = whole(String(decoding: bytes, as: UTF8.self))
        }
        guard let request else { return }
        seen.update { $0.append(request) }
        switch treatment.read({ $0 })(request) {
        case .hangUp: return
        case .silence: while let count = try? connection.socket.read(into: &buffer), count > 0 {}
        case .answer(let status, let headers, let body):
            let head =
                "HTTP/1.1 \(status) X\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n"
            try? connection.socket.write(Array((head + body).utf8))
        }
    }

    private static func whole(_ text: String) -> Request? {
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].split(separator: "\r\n").map(String.init)
        var request = Request(
            line: "", headers: Array(lines.dropFirst()),
            body: String(text[end.upperBound...]))
        request.line = lines[0].split(separator: " ").prefix(2).joined(separator: " ")
        guard request.body.utf8.count >= request.header("content-length").flatMap({ Int($0) }) ?? 0 else { return nil }
        return request
    }
}
