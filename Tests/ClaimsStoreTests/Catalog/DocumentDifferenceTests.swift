// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import Testing

@testable import ClaimsStore

@Suite struct DocumentDifferenceTests {
    private func difference(_ old: String, _ new: String) throws -> String? {
        var difference = DocumentDifference(try OpenerFixture.definition())
        // It is made to be used again.
        _ = difference.compare(old: Array(#"{"z":1}"#.utf8).rawSpan, new: Array("{}".utf8).rawSpan)
        let bytes = difference.compare(old: Array(old.utf8).rawSpan, new: Array(new.utf8).rawSpan)
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `equal documents differ in nothing, whatever the order of their members`() throws {
        #expect(try difference(#"{"a":1,"b":[2]}"#, #"{"a":1,"b":[2]}"#) == nil)
        #expect(try difference(#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#) == nil)
    }

    @Test func `members that are the same value in another spelling do not differ`() throws {
        #expect(try difference(#"{"a":{"x":1,"y":"A"}}"#, #"{"a":{"y":"\u0041","x":1}}"#) == nil)
        #expect(try difference(#"{"a":1.0}"#, #"{"a":1.00}"#) == #"{"a":[1.0,1.00]}"#)
    }

    @Test func `a member that changes, comes or goes has its old and its new value`() throws {
        #expect(try difference(#"{"a":1,"b":"x"}"#, #"{"a":1,"b":"y"}"#) == #"{"b":["x","y"]}"#)
        #expect(try difference(#"{"a":1}"#, #"{"a":1,"c":[3]}"#) == #"{"c":[null,[3]]}"#)
        #expect(try difference(#"{"a":1,"b":2}"#, #"{"b":2}"#) == #"{"a":[1,null]}"#)
    }

    @Test func `what is no object differs in nothing`() throws {
        #expect(try difference("[1]", #"{"a":1}"#) == nil)
        #expect(try difference("", "") == nil)
    }
}
