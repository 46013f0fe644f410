// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

@testable import ClaimsBrowse

@Suite struct BrowseKeysTests {
    @Test(arguments: BrowseArea.allCases) func `no key means two things in one area`(area: BrowseArea) {
        let keys = BrowseKeys.bindings(in: area).flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
    }

    @Test(arguments: BrowseAction.allCases) func `every action has exactly one binding with a key and an area`(
        action: BrowseAction
    ) {
        let bindings = BrowseKeys.bindings.filter { $0.action == action }
        #expect(bindings.count == 1)
        #expect(bindings.allSatisfy { !$0.keys.isEmpty && !$0.areas.isEmpty })
    }

    @Test func `a letter does in the detail what it cannot do in the list`() {
        #expect(BrowseKeys.action(of: "J", in: .detail) == .followingRecord)
        #expect(BrowseKeys.action(of: "J", in: .list) == nil)
        #expect(BrowseKeys.action(of: .control("f"), in: .list) == .nextPage)
    }

    @Test func `a digit names its tab`() {
        #expect(BrowseKeys.action(of: "3", in: .status) == .chooseTab)
        #expect(BrowseKeys.tabNumber(of: "3") == 3)
        #expect(BrowseKeys.tabNumber(of: "0") == nil)
        #expect(BrowseKeys.tabNumber(of: .enter) == nil)
    }

    @Test(arguments: BrowseArea.allCases) func `the bottom line begins with what is wanted most and ends with help`(
        area: BrowseArea
    ) throws {
        let line = BrowseKeys.bottomLine(in: area)
        #expect(line.first?.action == (area == .detail ? .followingRecord : .open))
        #expect(line.last?.action == .help)
        for binding in line { #expect(try #require(binding.shortTitle).polish.count <= 12) }
    }

    @Test func `keys are named as keyboards name them`() {
        #expect(BrowseKeys.binding(of: .nextPage)?.keyNames == "PgDn ^F")
        #expect(BrowseKeys.binding(of: .back)?.keyNames == "Esc ← h")
    }

    @Test func `what may be refused says in both languages what it needs`() throws {
        let text = try #require(BrowseKeys.binding(of: .accept)?.need.text)
        #expect(text.english == "needs the role admin")
        #expect(text.polish == "wymaga roli admin")
        #expect(BrowseKeys.binding(of: .search)?.need.text == nil)
    }
}
