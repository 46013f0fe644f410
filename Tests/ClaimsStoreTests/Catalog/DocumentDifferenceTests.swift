// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import Testing

@testable import ClaimsStore

@Suite struct DocumentDifferenceTests {
    private func difference(_ old: String, _ new: String) -> String {
        var difference = DocumentDifference()
        // It is made to be used again.
        _ = difference.compare(old: Array(#"{"z":1}"#.utf8).rawSpan, new: Array("{}".utf8).rawSpan)
        let bytes = difference.compare(old: Array(old.utf8).rawSpan, new: Array(new.utf8).rawSpan)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `equal documents differ in nothing, whatever the order of their members`() {
        #expect(difference(#"{"a":1,"b":[2]}"#, #"{"a":1,"b":[2]}"#) == "{}")
        #expect(difference(#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#) == "{}")
    }

    @Test func `a member that changes, comes or goes has its old and its new value`() {
        #expect(difference(#"{"a":1,"b":"x"}"#, #"{"a":1,"b":"y"}"#) == #"{"b":["x","y"]}"#)
        #expect(difference(#"{"a":1}"#, #"{"a":1,"c":[3]}"#) == #"{"c":[null,[3]]}"#)
        #expect(difference(#"{"a":1,"b":2}"#, #"{"b":2}"#) == #"{"a":[1,null]}"#)
    }

    @Test func `what is no object differs in nothing`() {
        #expect(difference("[1]", #"{"a":1}"#) == "{}")
        #expect(difference("", "") == "{}")
    }
}
