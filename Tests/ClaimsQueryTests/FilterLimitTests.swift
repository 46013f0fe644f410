// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsQuery
import Testing

/// The limits: what is at one passes, what is beyond is refused.
struct FilterLimitTests {
    @Test func `a text of 4096 bytes is read and one more is not`() throws {
        _ = try FilterParser.parse(String(repeating: "x", count: 4096))
        let error = #expect(throws: FilterError.self) { try FilterParser.parse(String(repeating: "x", count: 4097)) }
        #expect(error?.message == "the filter has 4097 bytes, of at most 4096")
        #expect(error?.position == 4096)
        #expect(error?.length == 1)
    }

    @Test func `a tree is measured by its normal form`() throws {
        _ = try FilterParser.parse(tree: ["text", .string(String(repeating: "x", count: 4096))])
        let error = #expect(throws: FilterError.self) {
            try FilterParser.parse(tree: ["text", .string(String(repeating: "x", count: 4097))])
        }
        #expect(error?.pointer == "")
    }

    @Test func `each value of a list counts as a term`() throws {
        let values = (0..<256).map(String.init)
        _ = try FilterParser.parse("pages=" + values.joined(separator: ","))
        _ = try FilterParser.parse(values.joined(separator: " "))
        let error = #expect(throws: FilterError.self) {
            try FilterParser.parse("pages=" + values.joined(separator: ",") + ",7..8")
        }
        #expect(error?.message == "the filter has more than 256 terms")
        #expect(error?.length == 4)
        #expect(throws: FilterError.self) { try FilterParser.parse(values.joined(separator: " ") + " x.any") }
    }

    @Test func `each value of a list in a tree counts as a term`() throws {
        let values = (0..<256).map { JSONValue.string(String($0)) }
        _ = try FilterParser.parse(tree: ["eq", "pages", .array(values)])
        let error = #expect(throws: FilterError.self) {
            try FilterParser.parse(tree: ["and", ["eq", "pages", .array(values)], ["any", "x"]])
        }
        #expect(error?.pointer == "/2")
    }

    @Test(arguments: [("(", ")", 1), ("not ", "", 1), ("not(", ")", 2), ("(a or (b and ", "))", 2)])
    func `a filter nests 32 deep and no deeper`(_ opening: String, _ closing: String, _ levels: Int) throws {
        let text = { (count: Int) in
            String(repeating: opening, count: count) + "x" + String(repeating: closing, count: count)
        }
        _ = try FilterParser.parse(text(32 / levels))
        let error = #expect(throws: FilterError.self) { try FilterParser.parse(text(32 / levels + 1)) }
        #expect(error?.message == "the filter nests deeper than 32")
    }

    @Test(arguments: ["and", "or", "not"]) func `a tree nests 32 deep and no deeper`(_ name: String) throws {
        var tree: JSONValue = ["text", "x"]
        for _ in 0..<32 { tree = [.string(name), tree] }
        _ = try FilterParser.parse(tree: tree)
        let error = #expect(throws: FilterError.self) { try FilterParser.parse(tree: [.string(name), tree]) }
        #expect(error?.message == "the filter nests deeper than 32")
    }

    @Test func `what nests without parentheses counts too`() {
        let limits = FilterLimits(depth: 1)
        #expect(throws: FilterError.self) { try FilterParser.parse("a or b c", limits: limits) }
        #expect(throws: Never.self) { try FilterParser.parse("a or b", limits: limits) }
        #expect(throws: FilterError.self) { try FilterParser.parse("((a))", limits: limits) }
    }

    @Test func `limits are the caller's to set`() {
        let limits = FilterLimits(bytes: 10, terms: 2, depth: 32)
        #expect(throws: Never.self) { try FilterParser.parse("a b", limits: limits) }
        #expect(throws: FilterError.self) { try FilterParser.parse("a b c", limits: limits) }
        #expect(throws: FilterError.self) { try FilterParser.parse("aaaaaaaaaaa", limits: limits) }
    }

    @Test func `the deepest and the longest filters are typed without harm`() throws {
        let deep = String(repeating: "(pages=1 or not ", count: 15) + "water" + String(repeating: ")", count: 15)
        _ = try FilterParser.parse(deep).typed(in: Library.context)
        let wide = (0..<256).map { "pages=\($0)" }.joined(separator: " or ")
        #expect(try FilterParser.parse(wide).typed(in: Library.context).simplified != .constant(false))
    }
}
