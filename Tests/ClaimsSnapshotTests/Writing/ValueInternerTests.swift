// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import Testing

@testable import ClaimsSnapshot

@Suite struct ValueInternerTests {
    private func find(_ key: String, _ tie: String = "", in interner: inout ValueInterner, or next: Int) -> Int? {
        let (key, tie) = (Array(key.utf8), Array(tie.utf8))
        return interner.find(key.rawSpan, tie.rawSpan, orEnter: next)
    }

    @Test func `a value is found by its key and its tie together`() {
        var interner = ValueInterner(seed: 7)
        #expect(find("a", in: &interner, or: 0) == nil)
        #expect(find("a", "A", in: &interner, or: 1) == nil)
        #expect(find("aA", in: &interner, or: 2) == nil)
        #expect(find("a", in: &interner, or: 3) == 0)
        #expect(find("a", "A", in: &interner, or: 3) == 1)
        #expect(find("aA", in: &interner, or: 3) == 2)
    }

    @Test func `values are still found when the table has grown`() {
        var interner = ValueInterner(seed: 7)
        for number in 0..<5_000 { #expect(find("value \(number)", in: &interner, or: number) == nil) }
        for number in 0..<5_000 { #expect(find("value \(number)", in: &interner, or: -1) == number) }
    }

    @Test func `where nearly every value is new, it stops looking`() {
        var interner = ValueInterner(seed: 7)
        for number in 0..<20_000 { #expect(find("value \(number)", in: &interner, or: number) == nil) }
        #expect(find("value 0", in: &interner, or: -1) == nil)
    }
}
