// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTestSupport
import ClaimsUpstream
import Testing

/// A server and attempts to write to it.
struct WriteFixture {
    let server: AnsweringServer
    let folder: TemporaryFolder

    init(_ treatments: AnsweringServer.Treatment = .answer(created)) throws {
        server = try AnsweringServer(treatments)
        folder = try TemporaryFolder()
    }

    static let created = "HTTP/1.1 201 Created\r\nContent-Length: 10\r\n\r\n{\"id\":\"7\"}"

    /// Sends one request, by default a short POST.
    func send(
        _ method: HTTPMethod = .post, body: HTTPWriteRequest.Body = .content(.bytes(Array("{}".utf8))),
        change: (inout HTTPWriteRequest) -> Void = { _ in }, cancellation: HTTPCancellation? = nil,
        progress: (_ sent: Int, _ total: Int) -> Void = { _, _ in }
    ) -> HTTPWriteOutcome {
        var request = HTTPWriteRequest(method, url: server.url, body: body)
        change(&request)
        return HTTPWriter().send(request, cancellation: cancellation, progress: progress)
    }

    /// A file of the fixture's folder, with these bytes.
    func file(_ bytes: [UInt8]) throws -> HTTPContent {
        .file(path: try folder.write("file", bytes), size: bytes.count)
    }

    /// Many bytes, no two thousands of which are the same.
    static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { index in UInt8(truncatingIfNeeded: index &* 7 &+ index >> 10) }
    }
}

extension HTTPWriteOutcome {
    var answer: HTTPWriteAnswer? { if case .answered(let answer) = self { answer } else { nil } }
    var unsent: HTTPError? { if case .unsent(let error) = self { error } else { nil } }
    var unanswered: HTTPError? { if case .unanswered(let error) = self { error } else { nil } }
}
