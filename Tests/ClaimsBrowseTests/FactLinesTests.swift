// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTerminal
import Testing

@testable import ClaimsBrowse

@Suite struct FactLinesTests {
    private static let id = "01234567-89ab-cdef-0123-456789abcdef"

    @Test(arguments: [40, 80]) func `an id stays on one line, below its name where it does not fit beside it`(
        width: Int
    ) {
        var facts = FactLines()
        facts.append("Number of the operation", Self.id)
        facts.append("State", "queued")
        let lines = facts.lines(width: width).map(\.text)
        #expect(lines.filter { $0.contains(Self.id) }.count == 1, "\(lines)")
        #expect(lines.count == (width == 40 ? 3 : 2))
    }
}
