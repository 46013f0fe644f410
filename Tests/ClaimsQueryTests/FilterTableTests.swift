// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsQuery
import Testing

/// Filters as text, as tree, and what they find; the expected ids are written by hand.
struct FilterTableTests {
    @Test(arguments: FilterLine.all)
    func `the text means its tree, and the tree its text`(_ line: FilterLine) throws {
        let node = try FilterParser.parse(line.text)
        #expect(String(decoding: node.tree.compactBytes, as: UTF8.self) == line.tree)
        #expect(try FilterParser.parse(tree: JSONValue.parse(line.tree)) == node)
        #expect(try FilterParser.parse(node.text) == node, "\(node.text)")
        #expect(try FilterParser.parse(tree: node.tree) == node)
        #expect(try FilterParser.parse(node.text).text == node.text)
    }

    @Test(arguments: FilterLine.all)
    func `it finds these records`(_ line: FilterLine) throws {
        let node = try FilterParser.parse(line.text)
        #expect(Library.ids(try node.typed(in: Library.context)) == line.ids)
        #expect(Library.naiveIDs(node) == line.ids)
    }
}
