// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import Testing

struct WriteComposerTests {
    private let fixture: WriteFixture

    init() throws { fixture = try WriteFixture() }

    private func object(_ action: String, _ fields: String, over base: String?, id: String? = nil) throws -> String {
        let write = try fixture.check(action, fields)
        let object = try WriteComposer(fixture.definition).object(
            showing: write, over: base.map { Array($0.utf8) }, id: id.map { Array($0.utf8) })
        return String(decoding: object, as: UTF8.self)
    }

    @Test func `unknown members, long numbers and the order of members stay as they were`() throws {
        let base =
            #" { "zz" : [1, {"a":2}], "name":"old", "n": 12345678901234567890.10, "size": {"h":1e5,"weight":2.50} } "#
        #expect(
            try object("update", #"{"name":"new","weight":"3.5"}"#, over: base)
                == #"{"zz":[1,{"a":2}],"name":"new","n":12345678901234567890.10,"size":{"h":1e5,"weight":3.5}}"#)
    }

    @Test func `a value goes where its field is read first, and makes the objects on its way`() throws {
        #expect(
            try object("create", #"{"name":"a","weight":1,"picture":"https://x","boxes":["1"]}"#, over: nil, id: "n-1")
                == #"{"id":"n-1","name":"a","size":{"weight":1},"madeAt":"2026-11-22T12:00:00.000Z","fragile":true,"#
                + #""links":{"picture":"https://x"},"boxes":["1"]}"#)
        #expect(try object("update", #"{"name":"b"}"#, over: #"{"title":"a"}"#) == #"{"title":"a","name":"b"}"#)
        #expect(try object("update", #"{"weight":1}"#, over: #"{"size":null}"#) == #"{"size":{"weight":1}}"#)
        #expect(try object("update", #"{"weight":1}"#, over: #"{"size":"big"}"#) == #"{"size":{"weight":1}}"#)
    }

    @Test func `numbers are spelled as the type that stands there`() throws {
        #expect(try object("update", #"{"pieces":"7"}"#, over: #"{"pieces":"3"}"#) == #"{"pieces":"7"}"#)
        #expect(try object("update", #"{"pieces":7}"#, over: #"{"pieces":"3"}"#) == #"{"pieces":"7"}"#)
        #expect(try object("update", #"{"pieces":" 7 "}"#, over: #"{"pieces":3}"#) == #"{"pieces":7}"#)
        #expect(try object("update", #"{"pieces":"7"}"#, over: #"{"pieces":null}"#) == #"{"pieces":7}"#)
        #expect(try object("update", #"{"weight":"12.50"}"#, over: "{}") == #"{"size":{"weight":12.50}}"#)
        #expect(try object("update", #"{"phase":"7"}"#, over: #"{"phase":1}"#) == #"{"phase":7}"#)
        #expect(try object("update", #"{"phase":"made"}"#, over: #"{"phase":1}"#) == #"{"phase":"made"}"#)
        #expect(try object("update", #"{"name":"7"}"#, over: #"{"name":1}"#) == #"{"name":"7"}"#)
    }

    @Test func `clearing takes away every place that the field is read at`() throws {
        let base = #"{"weight":1,"a":0,"size":{"weight":2,"h":3},"boxes":1,"content":{"boxes":2}}"#
        #expect(
            try object("update", #"{"weight":null,"boxes":null}"#, over: base)
                == #"{"a":0,"size":{"h":3},"content":{}}"#)
        #expect(try object("update", #"{"weight":null}"#, over: #"{"size":[1]}"#) == #"{"size":[1]}"#)
    }

    @Test func `of members of one name the last counts, and names are compared unescaped`() throws {
        #expect(
            try object("update", #"{"name":"c"}"#, over: #"{"name":"a","x":1,"n\u0061me":"b"}"#)
                == #"{"x":1,"n\u0061me":"c"}"#)
    }

    @Test func `nothing is written through an array, or into what is no object`() throws {
        let composer = WriteComposer(fixture.definition)
        let write = try fixture.check("update", #"{"weight":1}"#)
        #expect(throws: ComposeError.array(try JSONPointer("/size"))) {
            try composer.object(showing: write, over: Array(#"{"size":[{"weight":2}]}"#.utf8))
        }
        for bad in ["[]", "{", "", "1"] {
            #expect(throws: ComposeError.notAnObject) { try composer.object(showing: write, over: Array(bad.utf8)) }
        }
    }

    @Test func `a text with quotes and controls is escaped`() throws {
        let shown = try object("update", #"{"name":"a\"b\\c\n"}"#, over: "{}")
        #expect(shown == #"{"name":"a\"b\\c\n"}"#)
    }
}

/// JSON Merge Patch as RFC 7396, section 2, defines it: what an upstream does with a patch.
enum PatchedValue {
    static func apply(_ patch: JSONValue, to target: JSONValue?) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        var object = target?.object ?? JSONObject()
        for member in changes.members {
            if member.value.isNull {
                object[member.key] = nil
            } else {
                object[member.key] = apply(member.value, to: object[member.key])
            }
        }
        return .object(object)
    }
}

struct PatchedValueTests {
    /// The examples of RFC 7396, appendix A.
    @Test(arguments: [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
        (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
        (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#), ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
        ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
    func `a patch does what the RFC says`(target: String, patch: String, result: String) throws {
        let made = PatchedValue.apply(try JSONValue.parse(patch), to: try JSONValue.parse(target))
        #expect(String(decoding: made.compactBytes, as: UTF8.self) == result)
    }
}
