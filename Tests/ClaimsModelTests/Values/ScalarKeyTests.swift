// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

struct ScalarKeyTests {
    @Test func `instants order by time, before and after 1970`() {
        let ascending: [Int64] = [.min, -62_167_219_200_000, -1, 0, 1, 255, 256, 1_795_000_000_000, .max]
        expectAscending(ascending.map { ms in Self.key { KeyEncoding.instant(ms, into: &$0) } })
    }

    @Test func `days order by date`() {
        let ascending = [CivilDate.range.lowerBound, -1, 0, 1, 255, 256, 20_777, CivilDate.range.upperBound]
        expectAscending(ascending.map { days in Self.key { KeyEncoding.date(days, into: &$0) } })
    }

    @Test func `false comes before true`() {
        expectAscending([false, true].map { value in Self.key { KeyEncoding.bool(isTrue: value, into: &$0) } })
    }

    private func expectAscending(_ keys: [[UInt8]]) {
        for (smaller, larger) in zip(keys, keys.dropFirst()) { #expect(smaller.lexicographicallyPrecedes(larger)) }
    }

    private static func key(_ append: (inout [UInt8]) -> Void) -> [UInt8] {
        var key: [UInt8] = []
        append(&key)
        return key
    }
}
