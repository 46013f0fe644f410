// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsBrowse

@Suite struct BrowseTabTests {
    @Test func `a collection is a tab by its name`() {
        #expect(BrowseTab.collection("books") != .status)
    }
}
