// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsTestSupport
import Testing

@Suite struct JSONShapeTests {
    private static let line = #"{"id":17,"method":"detail","params":{"collection":"parts","id":"A-1"}}"#

    /// The shape of a line between the values of its members `id` and `params.id`, in whatever order they stand.
    private func shape(_ line: String) throws -> JSONShape? {
        let bytes = Array(line.utf8)
        var tape = JSONTape()
        _ = try tape.parse(bytes.rawSpan, depth: 8)
        let (id, record) = try nodes(tape, bytes)
        return JSONShape(bytes.rawSpan, first: tape[min(id, record)], second: tape[max(id, record)])
    }

    private func nodes(_ tape: JSONTape, _ bytes: [UInt8]) throws -> (id: Int, record: Int) {
        let id = tape.member("id", of: 0, in: bytes.rawSpan)
        let params = tape.member("params", of: 0, in: bytes.rawSpan)
        let record = tape.member("id", of: try #require(params), in: bytes.rawSpan)
        return (try #require(id), try #require(record))
    }

    private func match(_ line: String, like known: String = Self.line) throws -> [String]? {
        let bytes = Array((line + "\n").utf8)
        guard let match = try shape(known)?.matchLine(bytes.rawSpan) else { return nil }
        #expect(match.end == bytes.count - 1)
        return [match.first, match.second].map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    @Test func `a line with other values is of the same shape`() throws {
        for (id, record) in [("18", "A-2"), ("0", ""), ("123456789012345678", String(repeating: "x", count: 1_000))] {
            let line = #"{"id":\#(id),"method":"detail","params":{"collection":"parts","id":"\#(record)"}}"#
            #expect(try match(line) == [id, #""\#(record)""#])
        }
    }

    @Test(arguments: [
        #"{"id":017,"method":"detail","params":{"collection":"parts","id":"A-1"}}"#,
        #"{"id":-17,"method":"detail","params":{"collection":"parts","id":"A-1"}}"#,
        #"{"id":1.5,"method":"detail","params":{"collection":"parts","id":"A-1"}}"#,
        #"{"id":1234567890123456789,"method":"detail","params":{"collection":"parts","id":"A-1"}}"#,
        #"{"id":"17","method":"detail","params":{"collection":"parts","id":"A-1"}}"#,
        #"{"id":,"method":"detail","params":{"collection":"parts","id":"A-1"}}"#,
        #"{"id":17,"method":"detail","params":{"collection":"parts","id":"A\"1"}}"#,
        #"{"id":17,"method":"detail","params":{"collection":"parts","id":"Ä-1"}}"#,
        #"{"id":17,"method":"detail","params":{"collection":"parts","id":1}}"#,
        #"{"id":17,"method":"detail","params":{"collection":"parts","id":"A-1","x":"y"}}"#,
        #"{"id":17,"method":"detail","params":{"collection":"carts","id":"A-1"}}"#,
        #"{"id":17,"method":"detach","params":{"collection":"parts","id":"A-1"}}"#,
        #"{"id":17,"method":"detail","params":{"collection":"parts","id":"A-1"}} "#,
        #"{"id":17,"method":"detail","params":{"collection":"parts","id":"A-1"}"#,
        #"{"id":17,"method":"detail","params":{"collection":"parts","id":"A-1}}"#, "", "{",
    ])
    func `another line, or another kind of value, is not`(line: String) throws {
        #expect(try match(line) == nil)
    }

    @Test func `a line that has not ended is not matched, wherever it stops`() throws {
        let bytes = Array((Self.line + "\n").utf8)
        let shape = try #require(try shape(Self.line))
        for count in 0..<bytes.count {
            let match = shape.matchLine(bytes.rawSpan.extracting(0..<count))
            #expect(match == nil)
        }
        let match = shape.matchLine(bytes.rawSpan)
        #expect(match != nil)
    }

    @Test func `lines are matched one after the other, and none behind the end`() throws {
        let bytes = Array(String(repeating: Self.line + "\n", count: 3).utf8)
        let shape = try #require(try shape(Self.line))
        var start = 0
        for _ in 0..<3 {
            let found = shape.matchLine(bytes.rawSpan, from: start)
            let match = try #require(found)
            #expect(match.end == start + Self.line.utf8.count)
            start = match.end + 1
        }
        for place in [start, start + 100] {
            let match = shape.matchLine(bytes.rawSpan, from: place)
            #expect(match == nil)
        }
    }

    @Test func `there is no shape of a line that is long, or whose values have more than one spelling`() throws {
        let long = String(repeating: "x", count: JSONShape.maxBytes)
        #expect(try shape(#"{"id":1,"params":{"id":"\#(long)"}}"#) == nil)
        for id in ["-1", "1.0", "1e3", "1234567890123456789", "null", "true", #""\u0041""#, #""Ä""#] {
            #expect(try shape(#"{"id":\#(id),"params":{"id":"A"}}"#) == nil, "\(id)")
        }
    }

    @Test func `what matches is read as the same document with other values`() throws {
        var random = SeededGenerator(seed: 7)
        let known = [Self.line, #"{"params": {"id" :"A-1" }, "id":"r" }"#, #"{"id":1,"id":2,"params":{"id":"A"}}"#]
        let alphabet = Array(#"0123456789"\{}:, abcÄ-.e"#)
        var matches = 0
        for _ in 0..<20_000 {
            let line = random.pick(known)
            var mutated = Array(line)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: mutated.indices, using: &random)
                if random.oneIn(2) { mutated[place] = random.pick(alphabet) } else { mutated.insert("1", at: place) }
            }
            let bytes = Array((String(mutated) + "\n").utf8)
            guard let match = try shape(line)?.matchLine(bytes.rawSpan) else { continue }
            matches += 1
            var tape = JSONTape()
            _ = try tape.parse(bytes.rawSpan, depth: 8)
            var other = JSONTape()
            let original = Array(line.utf8)
            _ = try other.parse(original.rawSpan, depth: 8)
            try #require(tape.count == other.count)
            let read = try nodes(tape, bytes)
            let expected = try nodes(other, original)
            #expect(read == expected)
            #expect(tape[min(read.id, read.record)].range == match.first)
            #expect(tape[max(read.id, read.record)].range == match.second)
            for index in 0..<tape.count where ![read.id, read.record].contains(index) {
                guard ![.object, .array].contains(tape[index].kind) else { continue }
                #expect(bytes[tape[index].range] == original[other[index].range])
            }
        }
        #expect(matches > 500)
    }
}
