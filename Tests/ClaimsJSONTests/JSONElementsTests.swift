// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import Testing

@Suite struct JSONElementsTests {
    /// The elements as text; those too deep in angle brackets.
    static func elements(_ body: [UInt8], root: String = "", depth: Int = 64) throws -> [String] {
        var texts: [String] = []
        var tape = JSONTape()
        var elements = try JSONElements(body.rawSpan, root: try JSONPointer(root), elementDepth: depth)
        while let element = try elements.next(into: &tape) {
            let text = String(decoding: body[element.range], as: UTF8.self)
            switch element {
            case .value(let range):
                texts.append(text)
                #expect(tape[0].range == range)
            case .tooDeep, .tooLarge, .badText:
                texts.append("<\(text)>")
                #expect(tape.count == 0)
            }
        }
        #expect(try elements.next(into: &tape) == nil)
        return texts
    }

    static func elements(_ body: String, root: String = "", depth: Int = 64) throws -> [String] {
        try elements(Array(body.utf8), root: root, depth: depth)
    }

    @Test func `the elements of a body come one after the other`() throws {
        #expect(try Self.elements("[]").isEmpty)
        #expect(try Self.elements(" [ ] ").isEmpty)
        #expect(
            try Self.elements(#" [ {"a":[1]} ,2, "x" , null,[]]"# + "\n") == [
                #"{"a":[1]}"#, "2", #""x""#, "null", "[]",
            ])
        #expect(try Self.elements("\u{FEFF}[1]") == ["1"])
    }

    @Test func `the array may be anywhere inside the body`() throws {
        let body = #" {"x":[9], "data":{"a/b":[0, [ 1 , {"id":2} ] ], "items":[3]}, "d\u0061ta":{"items":[4,5]}} "#
        #expect(try Self.elements(body, root: "/data/items") == ["4", "5"])
        #expect(try Self.elements(body, root: "/x") == ["9"])
        #expect(try Self.elements(#"[7,[8,[ ],9]]"#, root: "/1") == ["8", "[ ]", "9"])
        #expect(try Self.elements(#"[7,[8,[ ],9]]"#, root: "/1/1").isEmpty)
        #expect(try Self.elements(#"{"":{"~/":[1]}}"#, root: "//~0~1") == ["1"])
    }

    @Test func `an element too deep is passed over, and the others come`() throws {
        #expect(
            try Self.elements(#"[1,[[2]],[3],{"a":{}},4]"#, depth: 1) == ["1", "<[[2]]>", "[3]", #"<{"a":{}}>"#, "4"])
        #expect(try Self.elements(#"{"r":[[[]],5]}"#, root: "/r", depth: 1) == ["<[[]]>", "5"])
        let deep = String(repeating: "[", count: 1023) + String(repeating: "]", count: 1023)
        #expect(try Self.elements("[\(deep),1]").count == 2)
    }

    @Test func `a body deeper than its limit is refused`() {
        let deep = String(repeating: "[", count: 1024) + String(repeating: "]", count: 1024)
        #expect(throws: JSONError(.tooDeep, at: 1024)) { try Self.elements("[\(deep)]") }
        #expect(throws: JSONRootError.notJSON(JSONError(.tooDeep, at: 1028))) {
            try Self.elements("{\"r\":\(deep)}", root: "/r")
        }
    }

    @Test(arguments: [
        ("[1,]", JSONError.Code.expectedValue, 3), ("[1 2]", .expectedCommaOrBracket, 3), ("[1", .unexpectedEnd, 2),
        ("[", .unexpectedEnd, 1), ("[,1]", .expectedValue, 1), ("[1] x", .trailingBytes, 4),
        ("[1]]", .trailingBytes, 3),
        ("[1,{\"a\":01}]", .badNumber, 9), ("[[[[[x]]]]]", .expectedValue, 5), ("[1}", .expectedCommaOrBracket, 2),
        ("[}", .expectedValue, 1),
    ])
    func `what is wrong behind an element is an error in the end`(body: String, code: JSONError.Code, offset: Int) {
        #expect(throws: JSONError(code, at: offset)) { try Self.elements(body, depth: 2) }
    }

    @Test func `a body that is no JSON is told from one without the array`() {
        for (body, code, offset) in [
            ("<html>", JSONError.Code.expectedValue, 0), ("", .unexpectedEnd, 0), ("{\"a\":1", .unexpectedEnd, 6),
            ("null x", .trailingBytes, 5), ("\u{FEFF}", .unexpectedEnd, 3),
        ] {
            #expect(throws: JSONRootError.notJSON(JSONError(code, at: offset))) { try Self.elements(body) }
            #expect(throws: JSONRootError.notJSON(JSONError(code, at: offset))) { try Self.elements(body, root: "/a") }
        }
        #expect(throws: JSONRootError.notAnArray(.object)) { try Self.elements(" {} ") }
        #expect(throws: JSONRootError.notAnArray(.number)) { try Self.elements("-1") }
        #expect(throws: JSONRootError.notAnArray(.string)) { try Self.elements("\"x\"") }
        #expect(throws: JSONRootError.notAnArray(.null)) { try Self.elements("null") }
        #expect(throws: JSONRootError.notAnArray(.true)) { try Self.elements(#"{"a":true}"#, root: "/a") }
        #expect(throws: JSONRootError.missing) { try Self.elements(#"{"a":[]}"#, root: "/b") }
        #expect(throws: JSONRootError.missing) { try Self.elements(#"{"a":[]}"#, root: "/a/0") }
        #expect(throws: JSONRootError.missing) { try Self.elements(#"{"a":1}"#, root: "/a/b") }
        #expect(throws: JSONRootError.notJSON(JSONError(.badNumber, at: 13))) {
            try Self.elements(#"{"a":[],"b":01}"#, root: "/a")
        }
    }

    @Test func `streaming agrees with parsing the body at once`() throws {
        var random = RandomJSON(seed: 4)
        var arrays = 0
        for _ in 0..<2_000 {
            var body = Array(random.spell(random.value(depth: 4)).utf8)
            if Bool.random(using: &random.generator), let index = body.indices.randomElement(using: &random.generator) {
                body[index] = AgreementTests.replacements.randomElement(using: &random.generator) ?? 0
            }
            let expected = (try? JSONValue.parse(body))?.array
            // Text in angle brackets is no value.
            let found = try? Self.elements(body).map { try JSONValue.parse($0) }
            #expect(found == expected)
            if expected != nil { arrays += 1 }
        }
        #expect(arrays > 100)
    }

    @Test func `an element of very many values is given without them, and the next one goes on`() throws {
        let many = "[" + String(repeating: "1,", count: JSONElements.elementNodes) + "1]"
        let body = Array("[{\"a\":1},\(many),7]".utf8)
        var elements = try JSONElements(body.rawSpan, root: JSONPointer(""))
        var tape = JSONTape()
        let first = try elements.next(into: &tape)
        #expect(first == .value(1..<8))
        let second = try elements.next(into: &tape)
        #expect(second == .tooLarge(9..<9 + many.utf8.count) && tape.count == 0)
        let third = try elements.next(into: &tape)
        #expect(third?.range.count == 1 && tape.count == 1)
        let end = try elements.next(into: &tape)
        #expect(end == nil)
    }

    @Test(arguments: [
        ("", #"{"a":[1,{"b/c":"x"}],"a":[2,{"b/c":"y"}]}"#), ("/a/1/b~1c", "\"y\""), ("/a/0", "2"), ("/a/2", nil),
        ("/b", nil), ("/a/1/b~1c/d", nil),
    ])
    func `a value is found in a body without a tape of it`(pointer: String, value: String?) throws {
        let body = Array(#" {"a":[1,{"b/c":"x"}],"a":[2,{"b/c":"y"}]} "#.utf8)
        let range = try JSONElements.locate(JSONPointer(pointer), in: body.rawSpan)
        #expect(range.map { String(decoding: body[$0], as: UTF8.self) } == value)
        let half = Array(body.prefix(9))
        #expect(throws: JSONError.self) { try JSONElements.locate(JSONPointer(pointer), in: half.rawSpan) }
    }

    @Test func `bad text is one element's matter, wherever it stands in it`() throws {
        #expect(
            try Self.elements(#"[{"a":"\ud83d"},{"\udc00":1},[["\ud83d\ud83d\ude00"]],"x\ud83dy",5]"#) == [
                #"<{"a":"\ud83d"}>"#, #"<{"\udc00":1}>"#, #"<[["\ud83d\ud83d\ude00"]]>"#, #"<"x\ud83dy">"#, "5",
            ])
        for bad in [[0xFF], [0xC3], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF0]] as [[UInt8]] {
            let body = Array("[\"".utf8) + bad + Array("\",2]".utf8)
            #expect(try Self.elements(body).count == 2)
            let last = Array("[1,\"".utf8) + bad + Array("\"]".utf8)
            #expect(try Self.elements(last).count == 2)
        }
        // A deep or large element may have bad text as well.
        #expect(try Self.elements(#"[[["\ud83d"]],6]"#, depth: 1) == [#"<[["\ud83d"]]>"#, "6"])
    }

    @Test func `bad text beside the array is an error of the body`() throws {
        #expect(
            try Self.elements(#"{"n":"ok","r":[{"a":"\ud83d"},1]}"#, root: "/r") == [#"<{"a":"\ud83d"}>"#, "1"])
        for body in [
            #"{"n":"\ud83d","r":[1]}"#, #"{"r":[1],"n":"\ud83d"}"#, #"{"r":[1],"\ud83d":2}"#,
            #"{"r":["\ud83d"],"n":"\ud83d"}"#, #"{"n":{"r":["\ud83d"]},"r":[]}"#, #"{"r":["\ud83d"],"r":[1]}"#,
        ] {
            do {
                _ = try Self.elements(body, root: "/r")
                Issue.record("\(body) was read")
            } catch JSONRootError.notJSON(let error) { #expect(error.code == .loneSurrogate) }
        }
        #expect(throws: JSONRootError.notJSON(JSONError(.badNumber, at: 21))) {
            try Self.elements(#"{"r":["\ud83d"],"n":01}"#, root: "/r")
        }
        #expect(throws: JSONRootError.notJSON(JSONError(.loneSurrogate, at: 1))) { try Self.elements(#""\ud83d""#) }
    }

    @Test(arguments: [
        #"["\ud83d"#, #"["\ud83d\"]"#, #"["\ud83d\u12"]"#, "[\"\\ud83d\n\"]", #"["\ud83d"}"#, #"["\ud83d",]"#,
        #"["\ud83dx\q"]"#,
    ])
    func `bad text excuses nothing else`(body: String) {
        #expect(throws: JSONError.self) { try Self.elements(body) }
    }

    @Test func `the structure of a body that was cut within a letter is an early end`() {
        let body = Array("[\"ł".utf8).dropLast()
        #expect(throws: JSONError(.unexpectedEnd, at: body.count)) { try Self.elements(Array(body)) }
    }

    @Test(arguments: [
        (#"{"a":1,"b":{"c/d":[0,"x\ud83d"]}}"#, "/b/c~1d/1", false), (#"{"a":{"x\ud83d":1}}"#, "/a", true),
        (#"{"\ud83d":1}"#, "", true), (#""\ud83d""#, "", false), (#"[[],{},["\ud83d"]]"#, "/2/0", false),
        (#"{"\u0061":[{},[1],"\udc00"]}"#, "/a/2", false),
    ])
    func `a pointer leads to the bad text`(element: String, pointer: String, isName: Bool) throws {
        let bytes = Array(element.utf8)
        var tape = JSONTape()
        do throws(JSONError) {
            _ = try tape.parse(bytes.rawSpan, depth: 9)
            Issue.record("it was read")
        } catch {
            let found = JSONPointer.toByte(at: error.offset, in: bytes.rawSpan)
            #expect(found.pointer.text == pointer && found.isName == isName)
        }
    }

    @Test func `a pointer that would be too long leads to a value around the bad text`() throws {
        let name = String(repeating: "n", count: JSONPointer.maxFoundLength)
        let bytes = Array(#"{"a":{"\#(name)":{"b":"\ud83d"}}}"#.utf8)
        #expect(JSONPointer.toByte(at: bytes.count - 9, in: bytes.rawSpan).pointer.text == "/a")
    }

    @Test func `a value is found beside elements with bad text`() throws {
        let body = Array(#"{"r":["\ud83d"],"next":"x"}"#.utf8)
        let next = try JSONPointer("/next")
        let range = try JSONElements.locate(next, in: body.rawSpan, elementsOf: JSONPointer("/r"))
        #expect(range.map { String(decoding: body[$0], as: UTF8.self) } == #""x""#)
        #expect(throws: JSONError(.loneSurrogate, at: 7)) { try JSONElements.locate(next, in: body.rawSpan) }
    }

    @Test func `an element that is known already is passed over, and only it`() throws {
        let body = Array(#" [ {"a":1} , {"a":1}x"#.utf8)
        let known = Array(#"{"a":1}"#.utf8)
        var tape = JSONTape()
        var elements = try JSONElements(body.rawSpan, root: JSONPointer(""))
        for other in [#"{"a":2}"#, #"{"a":1},"#, "", "1", #"{"a":1} , {"a":1}xyz"#] {
            #expect(elements.skip(Array(other.utf8).rawSpan) == nil)
        }
        #expect(elements.skip(known.rawSpan) == 3..<10)
        #expect(elements.skip(known.rawSpan) == 13..<20)
        #expect(elements.skip(known.rawSpan) == nil)
        var code: JSONError.Code?
        do throws(JSONError) { _ = try elements.next(into: &tape) } catch { code = error.code }
        #expect(code == .expectedCommaOrBracket)
    }

    @Test func `passing over and parsing may take turns`() throws {
        let body = Array(#"[{"a":1},{"a":2},{"a":1}]"#.utf8)
        let known = Array(#"{"a":1}"#.utf8)
        var tape = JSONTape()
        var elements = try JSONElements(body.rawSpan, root: JSONPointer(""))
        #expect(elements.skip(known.rawSpan) == 1..<8)
        #expect(elements.skip(known.rawSpan) == nil)
        #expect(try elements.next(into: &tape) == .value(9..<16))
        #expect(elements.skip(known.rawSpan) == 17..<24)
        #expect(elements.skip(known.rawSpan) == nil)
        #expect(try elements.next(into: &tape) == nil)
        #expect(elements.skip(known.rawSpan) == nil)
    }
}
