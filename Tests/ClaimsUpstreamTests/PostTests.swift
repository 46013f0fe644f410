// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTestSupport
import ClaimsUpstream
import Testing

struct PostTests {
    private static let body = Array(#"{"query":"{units{id}}"}"#.utf8)
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]"

    private let spool: TemporaryFolder

    init() throws { spool = try TemporaryFolder() }

    private func post(
        _ url: String, _ body: [UInt8] = Self.body, change: (inout HTTPRequest) -> Void = { _ in }
    ) throws(HTTPError) -> HTTPResponse {
        var request = HTTPRequest(url: url)
        request.body = body
        change(&request)
        return try HTTPClient(spoolDirectory: spool.path).perform(request)
    }

    private func redirect(_ status: Int, to location: String) -> String {
        "HTTP/1.1 \(status) X\r\nLocation: \(location)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    }

    @Test func `a POST sends its body, as JSON unless its headers say otherwise`() throws {
        let server = try AnsweringServer(.answer(Self.answer))
        #expect(try post(server.url).body.text == "[]")
        _ = try post(server.url) { $0.headers = [("content-type", "application/graphql+json")] }
        let requests = try server.requests(count: 2)
        #expect(requests.map { $0.head.first } == Array(repeating: "POST /things HTTP/1.1", count: 2))
        #expect(requests.map(\.body) == [Self.body, Self.body])
        #expect(requests.map { $0.header("content-type") } == ["application/json", "application/graphql+json"])
    }

    @Test func `a POST without a body says so, and one of a mebibyte does not wait to be asked`() throws {
        let server = try AnsweringServer(.answer(Self.answer))
        _ = try post(server.url, [])
        let large = [UInt8](repeating: 0x20, count: 2 << 20)
        _ = try post(server.url, large)
        let requests = try server.requests(count: 2)
        #expect(requests[0].header("content-length") == "0" && requests[0].header("content-type") == nil)
        #expect(requests[1].body == large && requests[1].header("expect") == nil)
    }

    @Test(arguments: [10, 1 << 20])
    func `a POST that is not answered fails at the first byte's deadline, however large`(size: Int) throws {
        let server = try AnsweringServer(.silence)
        let error = failure { () throws(HTTPError) in
            _ = try post(server.url, [UInt8](repeating: 0x20, count: size)) { $0.limits.firstByte = .milliseconds(200) }
        }
        #expect(error?.reason == .timeout(.firstByte))
    }

    @Test func `a POST is never conditional`() throws {
        let server = try AnsweringServer(.answer(Self.answer))
        _ = try post(server.url) { $0.validators = HTTPValidators(etag: "\"a\"") }
        #expect(try server.requests()[0].header("if-none-match") == nil)
    }

    @Test(arguments: [301, 302, 303])
    func `a redirect that would lose the body is not followed`(status: Int) throws {
        let server = try AnsweringServer(.answer(redirect(status, to: "/other")))
        let error = failure { () throws(HTTPError) in _ = try post(server.url) }
        #expect(error?.kind == .redirect && error?.reason == .redirectOfPost && error?.status == status)
        #expect(try server.requests().count == 1)
    }

    @Test(arguments: [307, 308])
    func `a redirect that keeps the body is followed within the host`(status: Int) throws {
        let server = try AnsweringServer(.answer(redirect(status, to: "/other")), .answer(Self.answer))
        #expect(try post(server.url).body.text == "[]")
        #expect(try server.requests(count: 2).map(\.body) == [Self.body, Self.body])
    }

    @Test(arguments: [307, 308])
    func `no body goes to another host`(status: Int) throws {
        let other = try UpstreamProcess(["things": "[]"])
        let server = try AnsweringServer(.answer(redirect(status, to: other.url("things"))))
        let error = failure { () throws(HTTPError) in _ = try post(server.url) }
        #expect(error?.kind == .redirect)
        #expect(try other.requests("things").isEmpty)
        let first = try Fixture().fetch()
        let page = failure { () throws(HTTPError) in
            var request = HTTPRequest(url: server.url)
            request.body = []
            _ = try request.following("page", from: first)
        }
        #expect(page?.reason == .redirectOfPost)
    }

    @Test func `whoever follows a redirect is asked first, and may end the transfer`() throws {
        let fixture = try Fixture(
            #"{"fault":"redirect","count":2,"headers":{"X-RateLimit-Remaining":"0","X-RateLimit-Reset":"7"}}"#)
        let client = try HTTPClient(spoolDirectory: fixture.spool.path)
        var seen: [HTTPRedirect] = []
        _ = try client.perform(
            HTTPRequest(url: fixture.url), willFollow: { redirect throws(HTTPError) in seen.append(redirect) })
        #expect(seen.map(\.target.text) == [fixture.url + "?hop=1", fixture.url + "?hop=2"])
        #expect(seen.first?.pace.windows == [.init(remaining: "0", reset: "7")])
        let error = failure { () throws(HTTPError) in
            _ = try client.perform(
                HTTPRequest(url: fixture.url), willFollow: { _ throws(HTTPError) in throw HTTPError(.cancelled) })
        }
        #expect(error?.isCancelled == true)
    }
}

struct PaceHeaderTests {
    @Test func `the headers of the pace and the clock come with answers and refusals`() throws {
        let headers = """
            {"RateLimit-Remaining":"5","RateLimit-Reset":"60","X-Rate-Limit-Remaining":"0","X-Rate-Limit-Reset":"1800000000",\
            "X-RateLimit-Remaining":"9","Date":"Sun, 06 Nov 1994 08:49:37 GMT"}
            """
        let expected = HTTPPaceHeaders(
            windows: [.init(remaining: "5", reset: "60"), .init(remaining: "0", reset: "1800000000")],
            date: 784_111_777)
        #expect(try Fixture("{\"headers\":\(headers)}").fetch().pace == expected)
        let error = try Fixture("{\"fault\":\"status\",\"status\":429,\"headers\":\(headers)}").failure()
        #expect(error?.pace == expected)
    }
}
