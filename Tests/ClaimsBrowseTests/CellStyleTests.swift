// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsBrowse

@Suite struct CellStyleTests {
    @Test func `a plain style has no attribute and no colour`() {
        #expect(CellStyle() == .plain)
        #expect(CellStyle.wrong.color == .red)
    }
}
