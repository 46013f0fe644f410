// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport

/// An upstream on 127.0.0.1 that answers each request as a test says, one after the other, and keeps what it read.
final class PageServer: Sendable {
    struct Request: Sendable, Equatable {
        var method: String
        /// Without the first slash and the query.
        var path: String
        var query: String
        var body: String
        /// The lines of the headers.
        var headers: [String] = []
    }

    enum Reply: Sendable {
        case whole(Int, headers: String, String)
        /// Ends the connection without an answer.
        case hangUp
        /// Promises more than it sends.
        case cut

        static func answer(_ body: String) -> Reply { .whole(200, headers: "", body) }

        static func answer(_ status: Int, headers: String = "", _ body: String) -> Reply {
            .whole(status, headers: headers, body)
        }
    }

    typealias Treatment = @Sendable (_ request: Request, _ number: Int) -> Reply

    let port: UInt16
    private let listener: LoopbackSocket.RawListener
    private let seen: Monitor<[Request]>
    private let thread: NamedThread

    /// - Parameter treatment: answers a request; the first one has the number 0.
    init(_ treatment: @escaping Treatment) throws {
        let (listener, port) = try LoopbackSocket.silentListener()
        let seen = Monitor<[Request]>([])
        (self.listener, self.port, self.seen) = (listener, port, seen)
        thread = try NamedThread("pages") {
            while let connection = listener.accept() { Self.serve(connection, seen, treatment) }
        }
    }

    deinit { listener.shutDown() }

    func url(_ path: String = "things") -> String { "http://127.0.0.1:\(port)/\(path)" }

    var requests: [Request] { seen.read { $0 } }

    private static func serve(
        _ connection: consuming FileDescriptor, _ seen: Monitor<[Request]>, _ treatment: Treatment
    ) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var request: Request?
        while request == nil {
            guard let count = try? connection.read(into: &buffer), count > 0 else { return }
            bytes += buffer[..<count]
            request = whole(bytes)
        }
        guard let request else { return }
        let number = seen.update { requests in
            requests.append(request)
            return requests.count - 1
        }
        let (status, headers, body, missing): (Int, String, String, Int)
        switch treatment(request, number) {
        case .hangUp: return
        case .cut: (status, headers, body, missing) = (200, "", "[", 1)
        case .whole(let code, let more, let text): (status, headers, body, missing) = (code, more, text, 0)
        }
        let head = "HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count + missing)\r\nConnection: close\r\n"
        try? connection.write(Array((head + headers + "\r\n" + body).utf8))
    }

    private static func whole(_ bytes: [UInt8]) -> Request? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst(15).drop { $0 == " " }) }
        let body = text[end.upperBound...]
        guard body.utf8.count >= length ?? 0 else { return nil }
        let words = lines[0].split(separator: " ").map(String.init)
        let parts = words[1].dropFirst().split(separator: "?", maxSplits: 1).map(String.init)
        return Request(
            method: words[0], path: parts.first ?? "", query: parts.count > 1 ? parts[1] : "", body: String(body),
            headers: lines.dropFirst().map(String.init))
    }
}
