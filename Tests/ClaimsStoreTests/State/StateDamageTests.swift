// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot
@testable import ClaimsStore

/// After any damage to state.db, the store opens, serves nothing wrong, and is whole again after a refresh.
@Suite struct StateDamageTests {
    private static let count = 1500
    private static let archived = ["things": ["1", "20", "300"], "others": ["5", "6"]]
    private static let body =
        "[" + (0..<count).map { #"{"id":\#($0),"name":"name of \#($0)"}"# }.joined(separator: ",") + "]"

    /// The files of a store that was closed, and of one that was killed: that has a write-ahead log.
    private static let samples = Result { try (closed: sample(isClosed: true), killed: sample(isClosed: false)) }

    private static func definitions() throws -> [Definition] {
        [try OpenerFixture.definition(name: "others"), try OpenerFixture.definition()]
    }

    private static func sample(isClosed: Bool) throws -> [String: [UInt8]] {
        let folder = try TemporaryFolder()
        // The numbers of the collections are not in the order of their names.
        try OpenerFixture(folder).store.close()
        let fixture = try OpenerFixture(folder, definitions: definitions())
        for (name, ids) in archived {
            try fixture.take(body, into: name)
            let done = Monitor(false)
            fixture.store.archive(
                ArchiveChange(collection: name, ids: ids.map { Array($0.utf8) }, isArchiving: true, uid: 7, at: 9)
            ) { _ in done.update { $0 = true } }
            _ = done.wait { $0 ? true : nil }
        }
        if isClosed { fixture.store.close() }
        var files: [String: [UInt8]] = [:]
        for name in ["state.db", "state.db-wal"] where Files.exists(folder("state/\(name)")) {
            files[name] = try Files.readAll(folder("state/\(name)"), cap: 1 << 30)
        }
        return files
    }

    @Test(arguments: 0..<RandomRounds.count(60)) func `random damage is survived`(seed: Int) throws {
        var chance = SeededGenerator(seed: UInt64(seed))
        let samples = try Self.samples.get()
        var files = seed % 3 == 0 ? samples.killed : samples.closed
        for _ in 0...Int.random(in: 0...2, using: &chance) {
            let name = files.keys.sorted().randomElement(using: &chance) ?? ""
            files[name]?.damage(&chance)
        }
        let folder = try TemporaryFolder()
        for (name, bytes) in files { try folder.write("state/\(name)", bytes) }
        if seed % 4 == 0 { try folder.write("state/" + StateRecovery.markName, "found by the check") }
        try expectSurvival(folder)
    }

    @Test(arguments: StateSchema.tables.map(\.name) + ["quarantine_entry", "quarantine_id"])
    func `a lost table is survived`(name: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("state/state.db", #require(try Self.samples.get().closed["state.db"]))
        let root = try Int(
            #require(
                Shell.rows(
                    at: folder("state/state.db"), "SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'"
                ).first))
        var bytes = try Files.readAll(folder("state/state.db"), cap: 1 << 30)
        let start = try (#require(root) - 1) * 4096
        bytes.replaceSubrange(start..<start + 4096, with: repeatElement(0xa5, count: 4096))
        try folder.write("state/state.db", bytes)
        let fixture = try expectSurvival(folder)
        // Names are kept in two places.
        guard name == "collection" else { return }
        for (name, ids) in Self.archived { #expect(fixture.archived(name) == Set(ids)) }
    }

    /// Opens the store, has what is found damaged recovered, and refreshes.
    @discardableResult
    private func expectSurvival(_ folder: TemporaryFolder) throws -> OpenerFixture {
        var fixture = try OpenerFixture(folder, definitions: Self.definitions())
        expectNothingWrong(fixture)
        if fixture.store.database.check() != nil {
            fixture.store.close()
            fixture = try OpenerFixture(folder, definitions: Self.definitions())
            #expect(fixture.store.database.recovery != nil)
            #expect(fixture.store.database.check() == nil)
            expectNothingWrong(fixture)
        }
        for name in Self.archived.keys {
            try fixture.take(Self.body, into: name)
            #expect(fixture.store.catalog.current()[name]?.committed?.count == Self.count)
        }
        #expect(fixture.store.database.check() == nil)
        fixture.store.close()
        fixture = try OpenerFixture(folder, definitions: Self.definitions())
        #expect(fixture.store.database.recovery == nil)
        expectNothingWrong(fixture)
        #expect(fixture.view?.committed?.count == Self.count)
        return fixture
    }

    /// Records and marks may be missing, but none may be other than it was.
    private func expectNothingWrong(_ fixture: OpenerFixture) {
        for (name, ids) in Self.archived {
            #expect(fixture.archived(name).isSubset(of: ids))
            guard let snapshot = fixture.store.catalog.current()[name]?.snapshot else { continue }
            let wrong = (0..<snapshot.count).filter { row in
                let id = String(decoding: snapshot.id(row).array, as: UTF8.self)
                return String(decoding: snapshot.document(row).array, as: UTF8.self)
                    != #"{"id":"\#(id)","name":"name of \#(id)"}"#
            }
            // Nothing tells of a few bits that have changed within a text.
            #expect(wrong.count <= 8 * 3)
        }
    }
}

extension OpenerFixture {
    /// The ids that are archived, whether there are such records or not.
    fileprivate func archived(_ name: String) -> Set<String> {
        Set((try? rows("SELECT id FROM archived WHERE collection = '\(name)'")) ?? [])
    }
}

extension [UInt8] {
    /// Cuts the file short, or spoils some of it.
    fileprivate mutating func damage(_ chance: inout SeededGenerator) {
        guard count > 4096 else { return removeAll() }
        let pages = count / 4096
        let page = Int.random(in: 0..<pages, using: &chance) * 4096
        switch Int.random(in: 0..<6, using: &chance) {
        case 0: removeLast(Int.random(in: 1...count, using: &chance))
        case 1: removeLast(Int.random(in: 1...pages, using: &chance) * 4096)
        case 2: replaceSubrange(page..<page + 4096, with: repeatElement(0, count: 4096))
        case 3:
            for offset in page..<page + 4096 { self[offset] = UInt8(truncatingIfNeeded: chance.next()) }
        case 4:
            for _ in 0..<8 {
                let bit = UInt8.random(in: 0..<8, using: &chance)
                self[page + Int.random(in: 0..<4096, using: &chance)] ^= 1 << bit
            }
        default:
            let other = Int.random(in: 0..<pages, using: &chance) * 4096
            for offset in 0..<4096 { swapAt(page + offset, other + offset) }
        }
    }
}
