// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import Testing

@Suite struct JSONTapeTests {
    @Test func `nodes come in the order of the bytes and know where they end`() throws {
        let document = try Document(#" {"a": [1, "x\n"], "b": null} "#, depth: 2)
        let tape = document.tape
        let kinds: [JSONKind] = [.object, .string, .array, .number, .string, .string, .null]
        #expect(document.end == 30)
        #expect((0..<tape.count).map { tape[$0].kind } == kinds)
        #expect((0..<tape.count).map { tape[$0].next } == [7, 2, 5, 4, 5, 6, 7])
        #expect(tape[0].range == 1..<29)
        #expect(tape[2].range == 7..<17)
        #expect(tape[4].hasEscapes && !tape[5].hasEscapes)
        #expect(tape[0].hasWhiteSpace && tape[2].hasWhiteSpace)
    }

    @Test func `white space counts for the containers around it and for no other`() throws {
        let tape = try Document("[[1],[2 ],{}]").tape
        #expect((0..<tape.count).map { tape[$0].hasWhiteSpace } == [true, false, false, true, false, false])
    }

    @Test func `a value may be followed by anything, a document only by white space`() throws {
        #expect(try Document("[1] ,2", as: .value).end == 3)
        #expect(throws: JSONError(.trailingBytes, at: 4)) { try Document("[1] ,2") }
        #expect(try Document("[1] ,2", from: 5, depth: 0).end == 6)
    }

    @Test func `after an error the tape is empty and usable again`() throws {
        var tape = JSONTape()
        let good = Array("[1,2]".utf8)
        let bad = Array("[1,2".utf8)
        _ = try tape.parse(good.rawSpan, depth: 1)
        #expect(tape.count == 3)
        #expect(throws: JSONError(.unexpectedEnd, at: 4)) { try tape.parse(bad.rawSpan, depth: 1) }
        #expect(tape.count == 0)
        _ = try tape.parse(good.rawSpan, depth: 1)
        #expect(tape.count == 3)
    }

    @Test(arguments: [Int.min, -1, 3, 4, Int.max])
    func `offsets outside the bytes are an error, not a crash`(offset: Int) {
        #expect(throws: JSONError.self) { try Document("[1]", from: offset) }
    }

    @Test func `as many containers may be open as the depth says`() throws {
        #expect(try Document("7", depth: 0).tape.count == 1)
        #expect(try Document(#"[{"a":[]},[[]]]"#, depth: 3).tape.count == 6)
        #expect(throws: JSONError(.tooDeep, at: 0)) { try Document("[]", depth: 0) }
        #expect(throws: JSONError(.tooDeep, at: 6)) { try Document(#"[{"a":[]}]"#, depth: 2) }
        #expect(throws: JSONError(.tooDeep, at: 0)) { try Document("[]", depth: -1) }
    }

    @Test func `the last of several members of one name counts`() throws {
        let document = try Document(#"{"a":1,"b":2,"\u0061":3}"#)
        #expect(document.member("a") == 6)
        #expect(document.member("b") == 4)
        #expect(document.member("c") == nil)
        #expect(document.member("a", of: 1) == nil)
        #expect(document.member("a", of: 99) == nil)
        #expect(document.hasDuplicates)
    }

    @Test func `compacting drops white space outside strings and all but the last of duplicate members`() throws {
        let cases = [
            #"{"a":1}"#: #"{"a":1}"#,
            "\r\n{ \"a b\" :\t[ 1 , 2.50e1 , { } , [ ] , \" \" ] }\n": #"{"a b":[1,2.50e1,{},[]," "]}"#,
            " 7 ": "7",
            #"{"a":1,"a":2}"#: #"{"a":2}"#,
            #"{ "a" : 1 , "a" : 2 }"#: #"{"a":2}"#,
            #"{"a":{"x":1,"x":2},"b":{"y":1,"y":{"z":1,"z":2}},"a":3,"\u0061":[4]}"#:
                #"{"b":{"y":{"z":2}},"\u0061":[4]}"#,
            #"{"a":1,"a":2,"a":3,"b":4}"#: #"{"a":3,"b":4}"#,
            #"{"a":1,"b":[{"a":5}],"c":{"a":6}}"#: #"{"a":1,"b":[{"a":5}],"c":{"a":6}}"#,
        ]
        for (source, expected) in cases { #expect(try Document(source).compact() == expected) }
    }

    @Test func `an object of many members finds its duplicates too`() throws {
        let members = (0..<100).map { "\"name\($0 % 90)\":\($0)" }
        let document = try Document("{" + members.joined(separator: ",") + "}")
        #expect(document.compact() == "{" + members[10...].joined(separator: ",") + "}")
        #expect(document.hasDuplicates)
    }
}
