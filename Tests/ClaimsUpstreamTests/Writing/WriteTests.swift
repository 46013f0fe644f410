// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTestSupport
import ClaimsUpstream
import Testing

struct WriteTests {
    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete, .get])
    func `a method is sent with its body, its headers and nothing else`(method: HTTPMethod) throws {
        let fixture = try WriteFixture()
        let outcome = fixture.send(method, body: .content(.bytes(Array(#"{"a":1}"#.utf8)))) { request in
            request.headers = [("Content-Type", "application/json"), ("Idempotency-Key", "abc")]
            request.credential = .bearer("token")
        }
        #expect(outcome.answer?.status == 201)
        let request = try #require(fixture.server.requests().first)
        #expect(request.head.first == "\(method.rawValue) /things HTTP/1.1")
        #expect(request.body == Array(#"{"a":1}"#.utf8))
        #expect(
            Set(request.head.dropFirst()) == [
                "Host: 127.0.0.1:\(fixture.server.port)", "User-Agent: claimsd", "Accept: */*",
                "Accept-Encoding: identity", "Content-Type: application/json", "Idempotency-Key: abc",
                "Authorization: Bearer token", "Content-Length: 7",
            ])
    }

    @Test(arguments: [
        (HTTPMethod.post, String?.some("0")), (.put, "0"), (.patch, "0"), (.delete, nil), (.get, nil),
    ])
    func `a request without a body says so where it might have one`(
        method: HTTPMethod, length: String?
    ) throws {
        let fixture = try WriteFixture()
        #expect(fixture.send(method, body: .none).answer?.status == 201)
        let request = try #require(fixture.server.requests().first)
        #expect(request.header("content-length") == length)
        #expect(request.header("transfer-encoding") == nil)
        #expect(request.body.isEmpty)
    }

    @Test func `a large body from a file goes out whole, and its progress is told`() throws {
        let fixture = try WriteFixture()
        let bytes = WriteFixture.bytes(3_000_001)
        var told: [Int] = []
        let outcome = fixture.send(
            body: .content(try fixture.file(bytes)),
            progress: { sent, total in
                #expect(total == bytes.count)
                told.append(sent)
            })
        #expect(outcome.answer?.status == 201)
        let request = try #require(fixture.server.requests().first)
        #expect(request.body == bytes)
        #expect(request.header("expect") == nil)
        #expect(told == told.sorted() && Set(told).count == told.count && told.last == bytes.count)
    }

    @Test func `a form has its parts in order, from memory and from files`() throws {
        let fixture = try WriteFixture()
        let bytes = WriteFixture.bytes(200_000)
        let parts = [
            HTTPPart(name: "record", type: "application/json", content: .bytes(Array("{}".utf8))),
            HTTPPart(
                name: "file", fileName: "a \"b\"\r\nX-C: d\\ż.png", type: "image/png", content: try fixture.file(bytes)),
            HTTPPart(name: "file", fileName: "empty", content: .bytes([])),
        ]
        let outcome = fixture.send(body: .multipart(parts)) { request in
            request.headers = [("content-type", "application/json")]
        }
        #expect(outcome.answer?.status == 201)
        let request = try #require(fixture.server.requests().first)
        let types = request.head.filter { line in line.lowercased().hasPrefix("content-type:") }
        let type = try #require(types.first)
        #expect(types.count == 1 && type.hasPrefix("Content-Type: multipart/form-data; boundary="))
        let boundary = try #require(type.split(separator: "=").last)
        let head = """
            --\(boundary)\r
            Content-Disposition: form-data; name="record"\r
            Content-Type: application/json\r
            \r
            {}\r
            --\(boundary)\r
            Content-Disposition: form-data; name="file"; filename="a %22b%22%0D%0AX-C: d\\ż.png"\r
            Content-Type: image/png\r
            \r

            """
        let tail = """
            \r
            --\(boundary)\r
            Content-Disposition: form-data; name="file"; filename="empty"\r
            \r
            \r
            --\(boundary)--\r

            """
        #expect(request.body == Array(head.utf8) + bytes + Array(tail.utf8))
    }

    @Test func `two forms have different boundaries`() throws {
        let fixture = try WriteFixture()
        for _ in 0..<2 { _ = fixture.send(body: .multipart([HTTPPart(name: "record", content: .bytes([]))])) }
        #expect(Set(try fixture.server.requests(count: 2).map { $0.header("content-type") }).count == 2)
    }

    @Test func `the last deadline moves by a second for each 64 KiB`() throws {
        let fixture = try WriteFixture()
        let long = fixture.send(body: .content(.bytes(WriteFixture.bytes(100 * HTTPWriteRequest.bytesPerSecond)))) {
            request in request.limits.transfer = .zero
        }
        #expect(long.answer?.status == 201)
        let short = fixture.send(body: .none) { request in request.limits.transfer = .zero }
        #expect((short.unanswered ?? short.unsent)?.reason == .timeout(.transfer))
    }

    @Test func `no connection serves two requests`() throws {
        let fixture = try WriteFixture()
        for _ in 0..<3 { #expect(fixture.send().answer?.status == 201) }
        #expect(try fixture.server.requests(count: 3).count == 3)
    }
}
