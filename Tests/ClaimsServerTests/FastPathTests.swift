// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTestSupport
import Testing

@testable import ClaimsServer

@Suite struct FastPathTests {
    private let shelf: ServedShelf

    init() throws { shelf = try ServedShelf() }

    private func line(_ id: Int, _ record: String) -> String {
        #"{"id":\#(id),"method":"detail","params":{"collection":"shelf","id":"\#(record)"}}"# + "\n"
    }

    /// The shape of a request that was answered twice.
    private func shape(of line: String, on other: ServedShelf? = nil) throws -> DetailShape {
        let shelf = other ?? shelf
        var shape = DetailShape()
        let bytes = Array(line.dropLast().utf8)
        for _ in 0..<2 {
            let request = try shelf.router.read(bytes.rawSpan, maxDepth: 64)
            var writer = JSONWriter()
            _ = try shelf.router.answer(
                request, in: bytes.rawSpan, from: ServedShelf.peer(), shelf.context, to: &writer)
            #expect(!shape.isKnown, "the first request may be the only one")
            shape.learn(request, in: bytes.rawSpan, shelf.router.tape, shelf.context.served, from: ServedShelf.peer())
        }
        return shape
    }

    private func answer(
        _ lines: String, _ shape: DetailShape, on other: ServedShelf? = nil
    ) -> (taken: Int, text: String) {
        let shelf = other ?? shelf
        var fastPath = FastPath<StubClient>()
        var writer = JSONWriter()
        let taken = fastPath.answer(Array(lines.utf8).rawSpan, shape, shelf.context.served, to: &writer)
        return (taken, String(decoding: writer.bytes, as: UTF8.self))
    }

    @Test func `it answers as the handler does, byte for byte`() throws {
        let shape = try shape(of: line(1, "1"))
        #expect(shape.isKnown)
        let lines = (1...8).map { line(100 + $0, "\($0)") }
        let expected = try lines.map { try shelf.dispose(String($0.dropLast())).text }.joined()
        let (taken, text) = answer(lines.joined(), shape)
        #expect(taken == lines.joined().utf8.count)
        #expect(text == expected)
    }

    @Test(
        arguments: [
            ["title": .lastFour, "day": .year, "link": .lastFour, "at": .year],
            ["price": .hash(credential: "salt"), "title": .hash(credential: "salt"), "note": .hidden],
            ["price": .hash(credential: "missing"), "link": .lastFour],
        ] as [[String: AccessRules.Mask]])
    func `records of which a rule hides and masks fields are those that the handler answers, byte for byte`(
        masks: [String: AccessRules.Mask]
    ) throws {
        let texts = ["plain", #"a \"quoted\" text"#, "Łódź żółć", "\u{1F980}\u{1F980}x", #"back\\slash"#, ""]
        let objects = (0..<60).map { id in
            let link = id % 3 == 0 ? "null" : #""https://a.example/\#(id)""#
            let (price, day) = (id % 5 == 0 ? "null" : "-\(id).5", id % 4 == 0 ? "null" : "\"2026-01-1\(id % 10)\"")
            return #"{"id":"\#(id)","title":"\#(texts[id % 6])","note":"n\#(id)","price":\#(price),"day":\#(day),"#
                + #""at":"2025-12-31T23:00:00Z","link":\#(link)}"#
        }
        for fields in [nil, ["state", "note", "place"], ["title", "price", "day"]] as [Set<String>?] {
            let rules = AccessRules([.init(.members(.init(users: ["1000"])), fields: fields, masks: masks)])
                .resolved(
                    user: { UInt32($0) }, group: { UInt32($0) }, key: { $0 == "salt" ? Array("grain".utf8) : nil })
            let shelf = try ServedShelf(objects, definition: Shelf.definition.with(rules))
            let shape = try shape(of: line(1, "1"), on: shelf)
            #expect(shape.isKnown)
            let lines = (0..<60).map { line(100 + $0, "\($0)") }
            let expected = try lines.map { try shelf.dispose(String($0.dropLast())).text }.joined()
            let (taken, text) = answer(lines.joined(), shape, on: shelf)
            #expect(taken == lines.joined().utf8.count)
            #expect(text == expected)
            #expect(!text.contains("upstream"))
        }
    }

    @Test func `it stops before a record that does not exist, one that is archived, and another request`() throws {
        shelf.archive("5")
        let shape = try shape(of: line(1, "1"))
        for other in [line(3, "99"), line(3, "5"), #"{"id":3,"method":"ping"}"# + "\n", "\n", #"{"id":3,"#] {
            let (taken, text) = answer(line(2, "2") + other + line(4, "4"), shape)
            #expect(taken == line(2, "2").utf8.count, "\(other)")
            #expect(text.split(separator: "\n").count == 1)
        }
    }

    @Test(arguments: [
        #"{"id":1,"method":"detail","params":{"collection":"shelf","id":"1","lang":"en"}}"#,
        #"{"id":1,"method":"detail","params":{"collection":"shelf","id":1}}"#,
        #"{"id":1,"method":"detail","params":{"collection":"shelf","id":"1","max_age_ms":900000}}"#,
    ]) func `a request that asks for more than a record is not learnt`(line: String) throws {
        #expect(!(try shape(of: line + "\n").isKnown))
    }

    @Test func `members may come in any order`() throws {
        func line(_ id: String, _ record: Int) -> String {
            #"{"params":{"id":"\#(record)","collection":"shelf"},"method":"detail","id":"\#(id)"}"# + "\n"
        }
        let (taken, text) = answer(line("b", 2), try shape(of: line("a", 1)))
        #expect(taken > 0 && text.hasPrefix(#"{"jsonrpc":"2.0","id":"b","result":{"record":{"id":"2""#), "\(text)")
    }

    @Test func `a shape is forgotten when the catalog changes`() throws {
        let shape = try shape(of: line(1, "1"))
        shelf.archive("8")
        #expect(answer(line(2, "2"), shape).taken == 0)
    }

    @Test func `single requests of several clients are gathered and answered together`() throws {
        let shape = try shape(of: line(1, "1"))
        var fastPath = FastPath<StubClient>()
        var received: [UInt8] = []
        var count = 0
        while !fastPath.isFull {
            let start = fastPath.gatheredEnd
            received += Array(line(count, "\(1 + count % 8)").utf8)
            let isGathered = fastPath.gather(
                start..<received.count, of: received.rawSpan, for: StubClient(number: count), shape,
                shelf.context.served)
            #expect(isGathered)
            count += 1
        }
        let requests = fastPath.consumeGathered()
        let hasGathered = fastPath.hasGathered
        #expect(requests.map(\.client.number) == Array(0..<count) && !hasGathered && count > 1)
        for request in requests {
            var writer = JSONWriter()
            let isAnswered = request.answer(in: received.rawSpan, shelf.context.served, &fastPath.shower, to: &writer)
            #expect(isAnswered)
            let expected = try shelf.dispose(String(decoding: received[request.line].dropLast(), as: UTF8.self)).text
            #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
        }
        fastPath.recycle(requests)
    }

    @Test func `only exactly one line is gathered`() throws {
        let shape = try shape(of: line(1, "1"))
        for text in [String(line(2, "2").dropLast()), line(2, "2") + line(3, "3"), line(2, "2") + " "] {
            var fastPath = FastPath<StubClient>()
            let bytes = Array(text.utf8)
            let isGathered = fastPath.gather(
                0..<bytes.count, of: bytes.rawSpan, for: StubClient(number: 1), shape, shelf.context.served)
            #expect(!isGathered, "\(text)")
        }
    }
}

/// Stands for a connection, of which the fast path knows nothing.
private final class StubClient {
    let number: Int

    init(number: Int) {
        self.number = number
    }
}
