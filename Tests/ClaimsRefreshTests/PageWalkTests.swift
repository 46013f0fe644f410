// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import ClaimsUpstream
import Testing

@testable import ClaimsRefresh

struct PageWalkTests {
    private let folder: TemporaryFolder
    /// The waits between two requests for one page.
    private let waits = Monitor<[Duration]>([])

    init() throws { folder = try TemporaryFolder() }

    private static func pointer(_ text: String) throws -> JSONPointer { try JSONPointer(text) }

    /// A page of records with these ids.
    private static func page(_ ids: Range<Int>) -> String {
        "[\(ids.map { "{\"id\":\($0)}" }.joined(separator: ","))]"
    }

    private static func number(_ request: PageServer.Request, _ name: String) -> Int {
        let pairs = request.query.split(separator: "&").map { $0.split(separator: "=").map(String.init) }
        return pairs.first { $0.first == name }.flatMap { Int($0.last ?? "") } ?? 0
    }

    private func target(
        _ url: String, limits: TransferLimits = TransferLimits(), _ change: (inout ReadRequest) throws -> Void
    ) throws -> FetchTarget {
        var request = ReadRequest(url: url)
        try change(&request)
        let fields = [Field(name: "id", type: .id, from: [try JSONPointer("/id")])]
        let definition = Definition(name: "things", source: Source(request), fields: fields)
        return try #require(SourceRequests(definition, limits: limits)).records
    }

    /// The failure of a walk; nil where it succeeds.
    private func failure(_ target: FetchTarget, _ cancellation: HTTPCancellation = HTTPCancellation()) -> FetchFailure?
    {
        do throws(FetchFailure) {
            _ = try fetch(target, cancellation)
            return nil
        } catch { return error }
    }

    private func fetch(
        _ target: FetchTarget, _ cancellation: HTTPCancellation = HTTPCancellation()
    ) throws(FetchFailure) -> [String] {
        let waits = waits
        let fetcher = SourceFetcher(
            spoolDirectory: folder.path, access: UpstreamAccess(credentials: CredentialReader(directory: nil)),
            wait: { time, cancellation in
                waits.update { $0.append(time) }
                return cancellation.isCancelled
            })
        let answer = try fetcher.fetch(target, validators: nil, cancellation: cancellation)
        #expect(answer.dates.count == answer.pages.count)
        return answer.pages.map { page in
            page.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } }
        }
    }

    @Test func `a cursor goes into the body of a POST, text as text and number as number`() throws {
        let server = try PageServer { _, number in
            .answer(#"{"data":{"nodes":[{"id":\#(number)}],"end":\#(["\"a\\u0062\"", "7.50", "null"][number])}}"#)
        }
        let target = try target(server.url()) { request in
            (request.method, request.root) = (.post, try JSONPointer("/data/nodes"))
            request.body = ["query": "q", "variables": ["first": .number("1e1")]]
            request.next = .cursor(
                try JSONPointer("/data/end"), to: .body(try JSONPointer("/variables/after")), more: nil)
        }
        #expect(try fetch(target).count == 3)
        #expect(server.requests.map(\.method) == ["POST", "POST", "POST"])
        #expect(
            server.requests.map(\.body) == [
                #"{"query":"q","variables":{"first":1e1}}"#, #"{"query":"q","variables":{"first":1e1,"after":"ab"}}"#,
                #"{"query":"q","variables":{"first":1e1,"after":7.50}}"#,
            ])
    }

    @Test func `a cursor goes into the query, percent-encoded, in place of what is written`() throws {
        let server = try PageServer { _, number in
            .answer(number == 0 ? #"{"items":[],"next":"a=&ż"}"# : #"{"items":[]}"#)
        }
        let target = try target(server.url("things?after=old")) { request in
            request.root = try JSONPointer("/items")
            request.query = [QueryParameter("size", ["5"])]
            request.next = .cursor(try JSONPointer("/next"), to: .query("after"), more: nil)
        }
        _ = try fetch(target)
        #expect(server.requests.map(\.query) == ["after=old&size=5", "size=5&after=a%3D%26%C5%BC"])
    }

    @Test func `a value of a refresh is sent with every page, and leaves the key as it is`() throws {
        let server = try PageServer { _, number in .answer(Self.page(number * 2..<(number == 0 ? 2 : 3))) }
        let plain = try target(server.url()) { $0.next = .offset(to: .query("skip"), size: 2, more: nil) }
        let target = plain.setting(.query("since"), to: "2026-01-01T00:00:00Z")
        _ = try fetch(target)
        #expect(target.key == plain.key)
        #expect(
            server.requests.map(\.query) == [
                "since=2026-01-01T00%3A00%3A00Z&skip=0", "since=2026-01-01T00%3A00%3A00Z&skip=2",
            ])
    }

    @Test func `a server that clamps page numbers gives no page twice`() throws {
        let server = try PageServer { request, _ in
            let number = min(Self.number(request, "page"), 2)
            return .answer(Self.page(number * 2 - 2..<number * 2))
        }
        let target = try target(server.url()) { $0.next = .page(to: .query("page"), size: 2, from: 1, more: nil) }
        #expect(try fetch(target) == [Self.page(0..<2), Self.page(2..<4)])
        #expect(server.requests.count == 3)
    }

    @Test func `a server that ignores the parameter is no truth`() throws {
        let server = try PageServer { _, _ in .answer(Self.page(0..<2)) }
        let target = try target(server.url()) { $0.next = .page(to: .query("page"), size: 2, from: 1, more: nil) }
        let failure = failure(target)
        #expect(failure?.kind == .protocol && failure?.message.key == .pageRepeated)
    }

    @Test func `a server with smaller pages than the definition says is told, with their size`() throws {
        let server = try PageServer { request, _ in
            let start = Self.number(request, "skip")
            return .answer(Self.page(start..<start + 3))
        }
        let target = try target(server.url()) { $0.next = .offset(to: .query("skip"), size: 5, more: nil) }
        let failure = failure(target)
        #expect(failure?.kind == .wrongShape && failure?.message == Message(.pageCapped, "3", "5"))
    }

    @Test func `a 404 to a later page is the end, to the first one or against a flag it is not`() throws {
        let server = try PageServer { _, number in number == 0 ? .answer(Self.page(0..<2)) : .answer(404, "") }
        let target = try target(server.url()) { $0.next = .page(to: .query("page"), size: 3, from: 1, more: nil) }
        #expect(try fetch(target) == [Self.page(0..<2)])
        let other = try PageServer { _, number in number == 0 ? .answer(Self.page(0..<3)) : .answer(404, "") }
        let full = try self.target(other.url()) { $0.next = .page(to: .query("page"), size: 3, from: 1, more: nil) }
        #expect(try fetch(full) == [Self.page(0..<3)])
        let none = try PageServer { _, _ in .answer(404, "") }
        let first = try self.target(none.url()) { $0.next = .page(to: .query("page"), size: 3, from: 1, more: nil) }
        #expect(failure(first)?.status == 404)
        let going = try PageServer { _, number in
            number == 0 ? .answer(#"{"more":true,"items":[{"id":1}]}"#) : .answer(404, "")
        }
        let flagged = try self.target(going.url()) { request in
            request.root = try JSONPointer("/items")
            request.next = .page(to: .query("page"), size: 1, from: 1, more: try JSONPointer("/more"))
        }
        #expect(failure(flagged)?.status == 404)
    }

    @Test func `of a join's pages a 404 after a full one is no end`() throws {
        let server = try PageServer { _, number in number == 0 ? .answer(Self.page(0..<3)) : .answer(404, "") }
        let target = try target(server.url()) { $0.next = .page(to: .query("page"), size: 3, from: 1, more: nil) }
        let fetcher = SourceFetcher(
            spoolDirectory: folder.path, access: UpstreamAccess(credentials: CredentialReader(directory: nil)))
        #expect(throws: FetchFailure.self) {
            try fetcher.fetch(target, validators: nil, cancellation: HTTPCancellation(), isMain: false)
        }
    }

    @Test func `a page in the middle is asked again, after what the server wants or 1, 2 and 4 seconds`() throws {
        let server = try PageServer { request, number in
            switch number {
            case 1: .answer(503, headers: "Retry-After: 9\r\n", "")
            case 2: .hangUp
            case 3: .cut
            default: .answer(Self.page(Self.number(request, "skip")..<(number == 0 ? 2 : 3)))
            }
        }
        let target = try target(server.url()) { $0.next = .offset(to: .query("skip"), size: 2, more: nil) }
        #expect(try fetch(target) == [Self.page(0..<2), Self.page(2..<3)])
        #expect(waits.read { $0 } == [.seconds(9), .seconds(2), .seconds(4)])
        #expect(server.requests.map(\.query) == ["skip=0", "skip=2", "skip=2", "skip=2", "skip=2"])
    }

    @Test func `a page that fails four times fails the walk, and so does the first page at once`() throws {
        let server = try PageServer { _, number in number == 0 ? .answer(Self.page(0..<2)) : .answer(500, "") }
        let target = try target(server.url()) { $0.next = .offset(to: .query("skip"), size: 2, more: nil) }
        #expect(failure(target)?.status == 500 && server.requests.count == 5)
        let broken = try PageServer { _, _ in .answer(500, "") }
        let first = try self.target(broken.url()) { $0.next = .offset(to: .query("skip"), size: 2, more: nil) }
        #expect(failure(first)?.status == 500 && broken.requests.count == 1)
    }

    @Test func `waits that do not fit end the walk with the failure of the page`() throws {
        let server = try PageServer { _, number in
            number == 0 ? .answer(Self.page(0..<2)) : .answer(503, headers: "Retry-After: 61\r\n", "")
        }
        var limits = TransferLimits()
        limits.pause = .seconds(60)
        let target = try target(server.url(), limits: limits) {
            $0.next = .offset(to: .query("skip"), size: 2, more: nil)
        }
        let failure = failure(target)
        #expect(failure?.status == 503 && failure?.retryAfter == 61_000)
        #expect(waits.read { $0 } == [] && server.requests.count == 2)
    }

    @Test func `a wait ends with the walk`() throws {
        let cancellation = HTTPCancellation()
        let server = try PageServer { _, number in
            if number > 0 { cancellation.cancel() }
            return number == 0 ? .answer(Self.page(0..<2)) : .answer(503, "")
        }
        let target = try target(server.url()) { $0.next = .offset(to: .query("skip"), size: 2, more: nil) }
        #expect(failure(target, cancellation)?.isCancelled == true)
        let waiting = HTTPCancellation()
        let call = try BackgroundCall { waiting.wait(upTo: .seconds(600)) }
        waiting.cancel()
        #expect(try call.result())
    }

    @Test func `the limit of pages is the source's`() throws {
        let server = try PageServer { request, _ in
            let start = Self.number(request, "skip")
            return .answer(Self.page(start..<start + 2))
        }
        var limits = TransferLimits()
        limits.pages = 3
        let target = try target(server.url(), limits: limits) {
            $0.next = .offset(to: .query("skip"), size: 2, more: nil)
        }
        let failure = failure(target)
        #expect(failure?.kind == .protocol && failure?.message == Message(.pagesEndless, "3"))
        #expect(server.requests.count == 3)
    }

    @Test(arguments: ["1", "true", #""no""#, "[0]", #"{"a":null}"#, "0"])
    func `a failure that an answer reports is one, before its records are looked for`(value: String) throws {
        let server = try PageServer { _, _ in .answer(#"{"errors":\#(value)}"#) }
        let target = try target(server.url()) { request in
            (request.root, request.fails) = (try JSONPointer("/items"), try JSONPointer("/errors"))
        }
        let failure = failure(target)
        #expect(failure?.kind == .reported && failure?.message == Message(.reported, "/errors"))
    }

    @Test(arguments: ["null", "false", #""""#, "[ ]", "{\n}"])
    func `nothing at the place of failures is no failure`(value: String) throws {
        let server = try PageServer { _, _ in .answer(#"{"errors":\#(value),"items":[]}"#) }
        let target = try target(server.url()) { request in
            (request.root, request.fails) = (try JSONPointer("/items"), try JSONPointer("/errors"))
        }
        #expect(try fetch(target).count == 1)
    }

    @Test func `a failure in a later page fails the walk, and a file may report one`() throws {
        let server = try PageServer { _, number in
            .answer(number == 0 ? #"{"i":[{"id":1}],"m":true}"# : #"{"i":[{"id":2}],"m":false,"e":["x"]}"#)
        }
        let target = try target(server.url()) { request in
            (request.root, request.fails) = (try JSONPointer("/i"), try JSONPointer("/e"))
            request.next = .page(to: .query("page"), size: 1, from: 1, more: try JSONPointer("/m"))
        }
        #expect(failure(target)?.kind == .reported)
        try folder.write("things.json", #"{"e":1}"#)
        let file = try self.target("file://" + folder("things.json")) { $0.fails = try JSONPointer("/e") }
        #expect(failure(file)?.kind == .reported)
    }

    @Test func `pages that shift while they are read bring what they bring`() throws {
        // A record is added in front between two pages: the last of the first page comes again.
        let server = try PageServer { _, number in .answer(Self.page(number == 0 ? 0..<2 : 1..<2)) }
        let target = try target(server.url()) { $0.next = .offset(to: .query("skip"), size: 2, more: nil) }
        #expect(try fetch(target) == [Self.page(0..<2), Self.page(1..<2)])
    }
}
