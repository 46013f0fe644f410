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
        let base = try SnapshotFixture((1...9).map { #"{"id":"\#($0)"}"# }, folder: folder).snapshot
        let other = try SnapshotFixture([#"{"id":"7"}"#], folder: folder).snapshot
        let identity = SnapshotIdentity(
            epoch: 1, generation: 3, fileID: 0xFFFF_FFFF_FFFF_FFF1, definitionHash: Shelf.definition.shapeHash)
        var writer = try SnapshotWriter(directory: folder.path, definition: Shelf.definition, identity: identity)
        for record in try Shelf.decode([#"{"id":"12"}"#, #"{"id":"7"}"#, #"{"id":"2"}"#], Shelf.definition) {
            _ = try SnapshotFixture.append(record, to: &writer)
        }
        writer.setGone([Array("4".utf8), Array("11".utf8)])
        writer.setFilesBelow([base])
        _ = try writer.finish()
        let file = try Snapshot.open(directory: folder.path, identity: identity, definition: Shelf.definition)
        var covered: [String] = []
        try #require(file.coverage(of: base)).forEach {
            covered.append(String(decoding: base.idBytes($0), as: UTF8.self))
        }
        #expect(covered.sorted() == ["2", "4", "7"])
        #expect(file.coverage(of: other) == nil && base.coverage(of: file) == nil)
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
