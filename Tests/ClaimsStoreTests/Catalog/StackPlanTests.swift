// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot
@testable import ClaimsStore

/// Which file of a collection takes what has changed, and when files are made beside commits.
@Suite struct StackPlanTests {
    private func target(base: Int, young: Int, bytes: Int = 0, middle: Int) -> StackRole {
        StackPlan(base: base, young: young, youngBytes: bytes, middle: middle).target(LayerBounds())
    }

    @Test func `what has changed goes to the smallest file that has room for it`() {
        #expect(target(base: 1_000_000, young: 4096, middle: 4096) == .young)
        #expect(target(base: 1_000_000, young: 4097, middle: 4097) == .middle)
        #expect(target(base: 1_000_000, young: 10, bytes: 65 << 20, middle: 10) == .middle)
        #expect(target(base: 1_000_000, young: 4097, middle: 62_500) == .middle)
        #expect(target(base: 1_000_000, young: 4097, middle: 62_501) == .base)
        #expect(target(base: 65_535, young: 4096, middle: 4096) == .young)
        #expect(target(base: 65_535, young: 4097, middle: 4097) == .base)
        #expect(target(base: 400, young: 100, middle: 100) == .young)
        #expect(target(base: 400, young: 101, middle: 101) == .base)
    }

    @Test func `a base is made anew where three quarters of a middle file are full`() {
        #expect(LayerBounds().mergeThreshold(over: 1_000_000) == 46_875)
        #expect(LayerBounds().mergeThreshold(over: 65_535) == nil)
        #expect(LayerBounds(maxYoung: 4, maxMiddle: 8).mergeThreshold(over: 3) == 6)
    }

    private static let layers = LayerBounds(maxYoung: 2, maxMiddle: 6)
    private static let bounds = RecentBounds(maxChanges: 1, maxRecords: 2, layers: layers)

    private func fixture() throws -> OpenerFixture {
        let fixture = try OpenerFixture(definitions: [OpenerFixture.definition()])
        let records = (1...9).map { #"{"id":\#($0),"name":"n\#($0)"}"# }
        try fixture.take([.whole("[\(records.joined(separator: ","))]")])
        return fixture
    }

    private func change(_ ids: [Int], to name: String, in fixture: OpenerFixture, at: Int64) throws {
        let records = ids.map { #"{"id":\#($0),"name":"\#(name)"}"# }
        try fixture.take([.changes("[\(records.joined(separator: ","))]")], at: at, bounds: Self.bounds)
    }

    private func roles(_ fixture: OpenerFixture) -> [StackRole] {
        fixture.view?.committed?.files.layers.map(\.role) ?? []
    }

    @Test func `generations fill a young file, then a middle one, which is merged into the base`() throws {
        let fixture = try fixture()
        try change([1, 2], to: "a", in: fixture, at: 5)
        #expect(roles(fixture) == [.base, .young])
        try change([3], to: "b", in: fixture, at: 6)
        #expect(fixture.view?.committed?.recent != nil)
        try change([4, 5], to: "c", in: fixture, at: 7)
        #expect(roles(fixture) == [.base, .middle] && fixture.view?.committed?.recent == nil)
        try change([6], to: "d", in: fixture, at: 8)
        let (documents, clock) = (fixture.documents, fixture.store.catalog.current().revision)
        #expect(try fixture.opener.merge("things"))
        #expect(roles(fixture) == [.base] && fixture.view?.committed?.recent != nil)
        #expect(fixture.documents == documents && fixture.store.catalog.current().revision == clock)
        #expect(fixture.files.count == 1)
        let again = try OpenerFixture(
            try fixture.folder.copyOfStateAndCache(), definitions: [OpenerFixture.definition()])
        #expect(again.documents == documents && again.reported.isEmpty)
    }

    @Test func `what is committed during a merge stays over it`() throws {
        let fixture = try fixture()
        try change([1, 2, 3], to: "a", in: fixture, at: 5)
        #expect(roles(fixture) == [.base, .middle])
        let file = try #require(try fixture.opener.writer.writeMerged("things"))
        try change([3, 4, 5], to: "b", in: fixture, at: 6)
        let documents = fixture.documents
        try fixture.opener.writer.put(file)
        #expect(roles(fixture) == [.base, .middle] && fixture.documents == documents)
        // The base has two of the five by now.
        #expect(fixture.view?.committed?.files[.middle]?.repeated == 2)
    }

    @Test func `a merge ends without effect where records are forgotten meanwhile`() throws {
        let fixture = try fixture()
        try change([1, 2, 3], to: "a", in: fixture, at: 5)
        let file = try #require(try fixture.opener.writer.writeMerged("things"))
        let order = ForgetOrder(
            collection: "things", ids: [Array("2".utf8)], isDryRun: false, uid: 7, at: OpenerFixture.now)
        _ = try fixture.opener.forget(order)
        #expect(throws: StoreError.self) { try fixture.opener.writer.put(file) }
        #expect(fixture.documents.count == 8 && roles(fixture) == [.base, .middle])
    }

    @Test func `a stopped merge leaves no file behind`() throws {
        let fixture = try fixture()
        try change([1, 2, 3], to: "a", in: fixture, at: 5)
        let files = fixture.files
        #expect(try fixture.opener.merge("things", while: { false }) == false)
        #expect(fixture.files.sorted() == files.sorted() && roles(fixture) == [.base, .middle])
    }
}
