// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsQuery
import Testing

/// Filters that are refused: what is said, where, and what to write instead.
struct FilterErrorTests {
    @Test(arguments: ErrorLine.structure + ErrorLine.values + ErrorLine.fields)
    func `an error names its place and a way out`(_ line: ErrorLine) {
        let error = #expect(throws: FilterError.self) {
            try FilterParser.parse(line.text).typed(in: Library.context)
        }
        #expect(error?.kind == .badFilter)
        #expect(error?.position == line.position)
        #expect(error?.length == line.length)
        #expect(error?.pointer == nil)
        #expect(error?.message.contains(line.message) == true, "\(error?.message ?? "")")
        if let hint = line.hint { #expect(error?.hint?.contains(hint) == true, "\(error?.hint ?? "")") }
    }

    @Test(arguments: [
        ("[]", "", "an array that is not empty"), ("5", "", "an array that is not empty"),
        ("{}", "", "an array that is not empty"), ("[5]", "/0", "the name of an operator is a string"),
        (#"["and"]"#, "", "takes one filter or more"), (#"["not"]"#, "", "takes one filter"),
        (#"["not",["text","a"],["text","b"]]"#, "", "takes one filter"),
        (#"["eqq","state","lost"]"#, "/0", "unknown operator 'eqq'"),
        (#"["eq","state"]"#, "", "'eq' takes 2 operands, not 1"),
        (#"["eq","state",[]]"#, "/2", "an empty list"), (#"["eq","state",null]"#, "/2", "null is not a value"),
        (#"["eq","state",["lost",null]]"#, "/2/1", "null is not a value"),
        (#"["eq","state",{}]"#, "/2", "a value is a string, a number"), (#"["eq","state",""]"#, "/2", "an empty value"),
        (#"["eq",5,"x"]"#, "/1", "the name of a field is a string"), (#"["eq","","x"]"#, "/1", "an empty name"),
        (#"["eq","a b","x"]"#, "/1", "'a b' is not a field"), (#"["eq","a=b","x"]"#, "/1", "'a=b' is not a field"),
        (#"["eq","a.b","x"]"#, "/1", "'a.b' is not a field"), (#"["any","a.none"]"#, "/1", "'.none' takes no value"),
        (#"["range","pages",1]"#, "", "'range' takes 3 operands, not 2"),
        (#"["range","pages",null,null]"#, "", "a range without ends"), (#"["any"]"#, "", "takes 1 operand, not 0"),
        (#"["text",5]"#, "/1", "free text is a string"), (#"["text",""]"#, "/1", "free text is a string"),
        (#"["and","water"]"#, "/1", "an array that is not empty"),
        (#"["and",["any","state"],["or",["eq","statsu","lost"]]]"#, "/2/1/1", "unknown field 'statsu'"),
        (#"["and",["eq","state",["lost","zzz"]]]"#, "/1/2/1", "unknown code 'zzz'"),
        (#"["not",["lt","link",1]]"#, "/1", "'<' does not apply to 'link'"),
        (#"["range","pages",1,"x"]"#, "/3", "'x' is not a value for 'pages'"),
    ])
    func `an error in a tree points into it`(_ tree: String, _ pointer: String, _ message: String) {
        let error = #expect(throws: FilterError.self) {
            try FilterParser.parse(tree: JSONValue.parse(tree)).typed(in: Library.context)
        }
        #expect(error?.kind == .badFilter)
        #expect(error?.pointer == pointer)
        #expect(error?.position == nil)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test func `an operator of a tree that is misspelled gets the nearest one`() {
        let error = #expect(throws: FilterError.self) { try FilterParser.parse(tree: ["rnage", "pages", 1, 2]) }
        #expect(error?.hint == "did you mean 'range'?")
    }

    @Test func `what is quoted in a message is cut to a length that fits a sentence`() {
        let error = #expect(throws: FilterError.self) {
            try FilterParser.parse(String(repeating: "x", count: 4000) + "=5").typed(in: Library.context)
        }
        #expect(error?.length == 4000)
        #expect((error?.message.utf8.count ?? 0) < 100)
        #expect((error?.hint?.utf8.count ?? 0) < 300)
    }

    @Test func `a tree may hold numbers and booleans, and a string is read as text`() throws {
        #expect(try FilterParser.parse(tree: ["eq", "pages", 10]) == FilterParser.parse("pages=10"))
        #expect(try FilterParser.parse(tree: ["eq", "lent", true]) == FilterParser.parse("lent=true"))
        #expect(try FilterParser.parse(tree: ["range", "price", .number("0.10"), nil]).text == "price=0.10..")
        #expect(try FilterParser.parse(tree: "water or c++") == FilterParser.parse("water or c++"))
        #expect(try FilterParser.parse(tree: ["and", ["text", "a"]]).text == "a")
    }
}
