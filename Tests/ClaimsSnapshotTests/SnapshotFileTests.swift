// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot

struct SnapshotFileTests {
    @Test func `a writer that is let go leaves nothing behind`() throws {
        let folder = try TemporaryFolder()
        func begin() throws {
            let identity = SnapshotIdentity(
                epoch: 1, generation: 1, fileID: 2, definitionHash: Shelf.definition.shapeHash)
            var writer = try SnapshotWriter(
                directory: folder.path, definition: Shelf.definition, identity: identity)
            let records = try Shelf.decode([#"{"id":"1"}"#], Shelf.definition)
            _ = try SnapshotFixture.append(records[0], to: &writer)
            #expect(try Directory.list(folder.path) == [identity.fileName])
        }
        try begin()
        #expect(try Directory.list(folder.path).isEmpty)
    }

    @Test func `a file is there until its last reader lets go, if it is to be removed`() throws {
        let folder = try TemporaryFolder()
        func use(removing: Bool) throws {
            let fixture = try SnapshotFixture([#"{"id":"1"}"#], folder: folder)
            if removing { fixture.snapshot.removeWhenUnused() }
            #expect(try Directory.list(folder.path) == [fixture.snapshot.identity.fileName])
        }
        try use(removing: true)
        #expect(try Directory.list(folder.path).isEmpty)
        try use(removing: false)
        #expect(try Directory.list(folder.path).count == 1)
    }

    @Test func `a file says which rows of the files below it covers, by records and by gone ids`() throws {
        let folder = try TemporaryFolder()
        func make(
            _ fileID: UInt64, _ ids: [Int], gone: [String] = [], over below: [Snapshot] = []
        ) throws -> Snapshot {
            let identity = SnapshotIdentity(
                epoch: 1, generation: 3, fileID: fileID, definitionHash: Shelf.definition.shapeHash)
            var writer = try SnapshotWriter(
                directory: folder.path, definition: Shelf.definition, identity: identity)
            for record in try Shelf.decode(ids.map { #"{"id":"\#($0)"}"# }, Shelf.definition) {
                _ = try SnapshotFixture.append(record, to: &writer)
            }
            writer.setGone(gone.map { Array($0.utf8) })
            writer.setFilesBelow(below)
            _ = try writer.finish()
            return try Snapshot.open(directory: folder.path, identity: identity, definition: Shelf.definition)
        }
        // Numbers with and without the highest bit.
        let (base, middle) = (try make(.max, Array(1...9)), try make(5, [3, 7, 20], over: []))
        let other = try make(7, [7])
        let file = try make(9, [12, 7, 2], gone: ["4", "11", "20"], over: [base, middle])
        func covered(_ below: Snapshot) throws -> [String] {
            var ids: [String] = []
            try #require(file.coverage(of: below)).forEach { row in
                ids.append(String(decoding: below.idBytes(row), as: UTF8.self))
            }
            return ids.sorted()
        }
        #expect(try covered(base) == ["2", "4", "7"])
        #expect(try covered(middle) == ["20", "7"])
        #expect(file.coverage(of: other) == nil)
    }

    @Test func `a name that is taken is not overwritten`() throws {
        let fixture = try SnapshotFixture([#"{"id":"1"}"#])
        var error: StoreError?
        do throws(StoreError) {
            _ = try SnapshotWriter(
                directory: fixture.folder.path, definition: fixture.definition, identity: fixture.snapshot.identity)
        } catch let failure { error = failure }
        #expect(error != nil)
        #expect(Files.exists(fixture.snapshot.path))
    }

    @Test func `the file's name is its random number`() {
        let identity = SnapshotIdentity(epoch: 1, generation: 2, fileID: 0xAB, definitionHash: 3)
        #expect(identity.fileName == "00000000000000ab.snapshot")
    }

    @Test func `only we may read the file`() throws {
        let fixture = try SnapshotFixture([#"{"id":"1"}"#])
        let file = try FileDescriptor.open(fixture.snapshot.path, .read)
        #expect(try file.size() == fixture.snapshot.fileSize)
    }
}
