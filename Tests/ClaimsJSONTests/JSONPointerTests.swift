// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import Testing

@Suite struct JSONPointerTests {
    /// The document of RFC 6901, section 5, with a little more in it.
    static let document = #"""
        {"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8,
         "list":[[10,11],{"x":12},13,14,15,16,17,18,19,20,21],"\u017cółw":22,"~1":23}
        """#

    @Test(arguments: [
        ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"), ("/e^f", "3"),
        ("/g|h", "4"), ("/i\\j", "5"), ("/k\"l", "6"), ("/ ", "7"), ("/m~0n", "8"), ("/list/0/1", "11"),
        ("/list/1/x", "12"), ("/list/10", "21"), ("/żółw", "22"), ("/~01", "23"),
    ])
    func `a pointer leads to its value`(pointer: String, expected: String) throws {
        #expect(try Document(Self.document).resolve(pointer) == expected)
    }

    @Test(arguments: [
        "/fo", "/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/-1", "/foo/+1", "/foo/1e0", "/foo/", "/foo/ 1", "//",
        "/foo/99999999999999999999", "/foo/0/0", "/list/1/y", "/list/x", "/m~0n/0",
    ])
    func `a pointer may lead nowhere`(pointer: String) throws {
        #expect(try Document(Self.document).resolve(pointer) == nil)
    }

    @Test func `the empty pointer is the whole value`() throws {
        #expect(try Document("[1]").resolve("") == "[1]")
        #expect(try JSONPointer("").tokens.isEmpty)
        #expect(try JSONPointer("/").tokens == [[]])
        #expect(try JSONPointer("//a").tokens == [[], Array("a".utf8)])
    }

    @Test(arguments: ["", "/", "/a", "/a/b~1c/~0/~01", "//", "/żółw/0"])
    func `a pointer is written as it was read`(text: String) throws {
        #expect(try JSONPointer(text).text == text)
    }

    @Test(arguments: [("a", 0), ("#/a", 0), ("/~", 2), ("/a~2", 3), ("/a~/b", 3), ("/~~0", 2)])
    func `a malformed pointer is refused where it goes wrong`(text: String, offset: Int) {
        #expect(throws: JSONError(.badPointer, at: offset)) { try JSONPointer(text) }
    }

    @Test func `of duplicate members the pointer takes the last`() throws {
        #expect(try Document(#"{"a":{"b":1},"a":{"b":2,"\u0062":3}}"#).resolve("/a/b") == "3")
    }
}
