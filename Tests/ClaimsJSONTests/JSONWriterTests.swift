// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import Testing

@Suite struct JSONWriterTests {
    static func written(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        body(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func `commas go where they belong`() {
        let text = Self.written { writer in
            writer.beginObject()
            writer.key("a")
            writer.beginArray()
            writer.integer(1)
            writer.integer(Int64.min)
            writer.integer(UInt64.max)
            writer.beginArray()
            writer.endArray()
            writer.beginObject()
            writer.endObject()
            writer.bool(true)
            writer.bool(false)
            writer.null()
            writer.endArray()
            writer.key("b" as String)
            writer.string("x")
            writer.key(utf8: Array("c".utf8).rawSpan)
            writer.raw(Array("[2]".utf8))
            writer.key("d")
            writer.raw(Array("3".utf8).rawSpan)
            writer.endObject()
            writer.newline()
            writer.integer(0)
        }
        #expect(
            text == #"{"a":[1,-9223372036854775808,18446744073709551615,[],{},true,false,null],"b":"x","c":[2],"d":3}"#
                + "\n0")
    }

    @Test(arguments: [nil, 0, 9, 10, -1, 99, 100, Int64.min, Int64.max])
    func `a value is spliced of pieces around a number`(number: Int64?) {
        let text = Self.written { writer in
            writer.beginArray()
            writer.raw(Array(#"{"n":"#.utf8), number, Array(#","m":1}"#.utf8))
            writer.raw(Array("[".utf8), number, Array("]".utf8))
            writer.endArray()
        }
        let digits = number.map(String.init) ?? "null"
        #expect(text == #"[{"n":\#(digits),"m":1},[\#(digits)]]"#)
    }

    @Test func `a fragment ends in a key, and a frame is left as it is`() {
        let text = Self.written { writer in
            writer.frame(#"{"id":"#, Array("7".utf8).rawSpan, #","result":"#)
            writer.beginObject()
            writer.fragment(Array(#""a":{"b":"#.utf8))
            writer.integer(1)
            writer.endObject()
            writer.fragment(Array(#""c":"#.utf8))
            writer.integer(2)
            writer.endObject()
            writer.endObject()
        }
        #expect(text == #"{"id":7,"result":{"a":{"b":1},"c":2}}"#)
    }

    @Test func `members are a key and a value in one call`() {
        let text = Self.written { writer in
            writer.beginObject()
            writer.member("s", "t")
            writer.member("none", nil as String?)
            writer.member("u", utf8: Array("v".utf8).rawSpan)
            writer.member("i", 7)
            writer.member("n", nil as Int64?)
            writer.member("b", true)
            writer.member("j", ["x": [1, nil, "y"]] as JSONValue)
            writer.member("r", raw: Array("{}".utf8))
            writer.endObject()
        }
        #expect(text == #"{"s":"t","none":null,"u":"v","i":7,"n":null,"b":true,"j":{"x":[1,null,"y"]},"r":{}}"#)
    }

    @Test func `only quotes, backslashes and control characters are escaped`() {
        let cases = [
            "": #""""#, "plain / text": #""plain / text""#, "a\"b\\c": #""a\"b\\c""#,
            "\u{0}\u{8}\t\n\u{B}\u{C}\r\u{1F}": #""\u0000\b\t\n\u000b\f\r\u001f""#,
            "\u{7F}ż\u{2028}🚀": "\"\u{7F}ż\u{2028}🚀\"",
            "a long text without any of them, ended by a\n": #""a long text without any of them, ended by a\n""#,
        ]
        for (text, expected) in cases {
            #expect(Self.written { $0.string(text) } == expected)
            #expect(Self.written { $0.key(text) } == expected + ":")
        }
    }

    @Test func `an escape is found at every place of a text of any length`() throws {
        for length in 0..<30 {
            for place in 0...length {
                for scalar in ["\"", "\\", "\n", "\u{0}", "\u{1F}", "ż", "\u{7F}", " "] {
                    let text =
                        String(repeating: "y", count: place) + scalar + String(repeating: "z", count: length - place)
                    let written = Self.written { $0.string(text) }
                    #expect(try JSONValue.parse(written) == .string(text))
                }
            }
        }
    }

    @Test func `a reused writer starts afresh and keeps its room`() {
        var writer = JSONWriter()
        writer.reserve(1_000)
        writer.beginArray()
        writer.integer(1)
        let capacity = writer.bytes.capacity
        writer.removeAll()
        writer.integer(2)
        #expect(writer.bytes == Array("2".utf8))
        #expect(writer.bytes.capacity == capacity && capacity >= 1_000)
    }
}
