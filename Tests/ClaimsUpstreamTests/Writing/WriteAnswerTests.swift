// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTestSupport
import ClaimsUpstream
import Testing

struct WriteAnswerTests {
    private func send(_ text: String) throws -> HTTPWriteAnswer? {
        try WriteFixture(.answer(text)).send().answer
    }

    @Test func `an answer has its status, its headers and its body`() throws {
        let answer = try #require(
            try send(
                "HTTP/1.1 429 Slow\r\nLocation: /things/7\r\nETag: W/\"a\"\r\nRetry-After: 7\r\n"
                    + "Content-Type: text/plain\r\nContent-Length: 4\r\n\r\nslow"))
        #expect(answer.status == 429)
        #expect(answer.location == "/things/7")
        #expect(answer.etag == "W/\"a\"")
        #expect(answer.retryAfter == 7)
        #expect(answer.contentType == "text/plain")
        #expect(answer.body == Array("slow".utf8))
        #expect(answer.isWhole)
    }

    @Test func `an answer may have nothing but a status`() throws {
        let answer = try #require(try send("HTTP/1.1 204 Done\r\n\r\n"))
        #expect(answer.status == 204 && answer.body.isEmpty && answer.isWhole)
        #expect(answer.location == nil && answer.etag == nil && answer.retryAfter == nil && answer.contentType == nil)
    }

    @Test(arguments: [200, 202, 206, 301, 303, 304, 307, 308, 400, 401, 403, 407, 409, 412, 417, 422, 500, 503, 599])
    func `every status is an answer, and none is acted on`(status: Int) throws {
        let fixture = try WriteFixture(
            .answer("HTTP/1.1 \(status) Status\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n"))
        #expect(fixture.send().answer?.status == status)
        #expect(try fixture.server.requests().count == 1)
    }

    @Test(arguments: ["100 Continue", "102 Processing", "103 Early Hints"])
    func `interim answers are passed over`(status: String) throws {
        #expect(try send("HTTP/1.1 \(status)\r\nLink: </a>\r\n\r\n" + WriteFixture.created)?.status == 201)
    }

    @Test func `a long answer is kept up to its cap, and its status counts`() throws {
        let size = HTTPWriteAnswer.maxBody
        for length in [size, size + 1, 10 * size] {
            let body = String(repeating: "x", count: length)
            let answer = try #require(try send("HTTP/1.1 201 Created\r\nContent-Length: \(length)\r\n\r\n\(body)"))
            #expect(answer.status == 201)
            #expect(answer.body.count == size)
            #expect(answer.isWhole == (length == size))
        }
    }

    @Test func `a body in an encoding that it is not in costs the body only`() throws {
        let answer = try send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello")
        #expect(answer?.status == 200)
        #expect(answer?.isWhole == false)
    }

    @Test func `an answer that comes before the body is sent is the answer`() throws {
        let fixture = try WriteFixture(.answerEarly("HTTP/1.1 413 Large\r\nContent-Length: 3\r\n\r\nbig"))
        let outcome = fixture.send(body: .content(try fixture.file(WriteFixture.bytes(20_000_000))))
        #expect(outcome.answer?.status == 413)
        #expect(outcome.answer?.body == Array("big".utf8))
    }

    @Test func `an answer that ends with the connection is whole`() throws {
        let fixture = try WriteFixture(.answerAndClose(Array("HTTP/1.0 200 OK\r\n\r\nbody".utf8)))
        #expect(fixture.send().answer?.body == Array("body".utf8))
        #expect(fixture.send().answer?.isWhole == true)
    }
}
