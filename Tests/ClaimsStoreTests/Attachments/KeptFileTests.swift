// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsStore
import ClaimsTestSupport
import Glibc
import Testing

struct KeptFileTests {
    private static let hour: Int64 = 3_600_000

    @Test func `a finished upload outlives a crash, an unfinished one does not`() throws {
        let before = try AttachmentFixture()
        let image = AttachmentFixture.image()
        let whole = try before.upload(image, connection: 1)
        let half = try before.store.write(
            Array(image.prefix(50)), as: before.begin(size: 100, connection: 2), now: AttachmentFixture.start)
        #expect(before.names.count == 2)
        let after = try before.opened()
        #expect(after.names == [AttachmentFixture.digest(image)])
        #expect(after.store.keptBytes == Int64(image.count))
        #expect(
            attachmentFailure { () throws(AttachmentError) in
                try after.store.advance(half.upload, uid: 1000, offset: 50)
            } == .unknownUpload)
        let files = try after.store.claim([whole.upload], uid: 1000, collection: "documents")
        #expect(files == [whole.file])
        withExtendedLifetime(before) {}
    }

    @Test(arguments: [
        "", "{", "[]", "{}", #"{"collection":"documents","uid":-1,"name":"a","type":"b","size":1,"sha256":"x"}"#,
        #"{"collection":"documents","uid":1000,"name":"a","type":"image/png","size":100,"#
            + #""sha256":"../../../../etc/passwd","finished_at":0}"#,
    ])
    func `a note that is none, or has no file, is removed`(text: String) throws {
        let folder = try TemporaryFolder()
        for name in ["0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef.00.new", "other"] {
            try folder.write("attachments/uploads/" + name, text)
        }
        let fixture = try AttachmentFixture(folder)
        #expect(fixture.notes.isEmpty)
    }

    @Test func `a note whose file is gone or cut is removed`() throws {
        let fixture = try AttachmentFixture()
        let images = [AttachmentFixture.image(), AttachmentFixture.image(100, last: 1)]
        for image in images { try fixture.upload(image) }
        #expect(fixture.notes.count == 2)
        try Directory.remove(fixture.folder("attachments/" + AttachmentFixture.digest(images[0])))
        try fixture.folder.write("attachments/" + AttachmentFixture.digest(images[1]), "cut")
        #expect(try fixture.opened().notes.isEmpty)
    }

    @Test func `an upload is for one submission, all of a submission's or none`() throws {
        let fixture = try AttachmentFixture()
        let first = try fixture.upload(AttachmentFixture.image())
        let second = try fixture.upload(AttachmentFixture.image(100, last: 1))
        func claim(_ uploads: [String], collection: String = "documents") -> AttachmentError? {
            attachmentFailure { () throws(AttachmentError) in
                try fixture.store.claim(uploads, uid: 1000, collection: collection)
            }
        }
        #expect(claim([first.upload, "0123"]) == .unknownUpload)
        #expect(claim([first.upload, first.upload]) == .unknownUpload)
        #expect(claim([first.upload], collection: "claims") == .notUsable)
        #expect(claim([try fixture.begin(size: 10).upload]) == .notUsable)
        #expect(
            try fixture.store.claim([second.upload, first.upload], uid: 1000, collection: "documents")
                == [second.file, first.file])
        #expect(claim([first.upload]) == .unknownUpload)
        fixture.store.release([first.upload, second.upload])
        #expect(claim([first.upload, second.upload]) == nil)
        fixture.store.consume([first.upload, second.upload])
        #expect(claim([first.upload]) == .unknownUpload)
        #expect(fixture.notes.isEmpty && fixture.names.count == 2)
        let after = try fixture.opened()
        #expect(
            attachmentFailure { () throws(AttachmentError) in
                try after.store.claim([first.upload], uid: 1000, collection: "documents")
            } == .unknownUpload)
    }

    @Test func `an upload that nobody submits ends after an hour, claimed ones do not`() throws {
        let fixture = try AttachmentFixture()
        let uploads = try (0..<2).map { try fixture.upload(AttachmentFixture.image(100, last: UInt8($0))).upload }
        _ = try fixture.store.claim([uploads[1]], uid: 1000, collection: "documents")
        fixture.store.expire(now: AttachmentFixture.start + Self.hour)
        #expect(fixture.notes.count == 2)
        fixture.store.expire(now: AttachmentFixture.start + Self.hour + 1)
        #expect(fixture.notes == [uploads[1]])
        #expect(try fixture.opened(at: AttachmentFixture.start + Self.hour + 1).notes.isEmpty)
    }

    @Test func `a clock that goes back keeps no upload for longer`() throws {
        let fixture = try AttachmentFixture()
        try fixture.upload(AttachmentFixture.image())
        let back = AttachmentFixture.start - 24 * Self.hour
        let after = try fixture.opened(at: back)
        #expect(after.notes.count == 1)
        after.store.expire(now: back + Self.hour + 1)
        #expect(after.notes.isEmpty)
    }

    @Test func `a sweep removes what nothing has`() throws {
        let fixture = try AttachmentFixture()
        let files = try (0..<3).map { try fixture.upload(AttachmentFixture.image(100, last: UInt8($0))) }
        let digests = files.compactMap { $0.file?.sha256 }
        _ = try fixture.store.claim(files.map(\.upload), uid: 1000, collection: "documents")
        fixture.store.consume([files[0].upload, files[1].upload])
        try fixture.folder.write("attachments/README", "not ours")
        let removed = try fixture.store.sweep(now: AttachmentFixture.start) { () throws(StoreError) in [digests[0]] }
        #expect(removed == 1)
        #expect(Set(fixture.names) == [digests[0], digests[2], "README"])
        #expect(fixture.store.keptBytes == 200)
    }

    @Test func `what comes into use during a sweep stays`() throws {
        let fixture = try AttachmentFixture()
        let before = try fixture.upload(AttachmentFixture.image())
        var during: AttachmentStore.Progress?
        let removed = try fixture.store.sweep(now: AttachmentFixture.start) { () throws(StoreError) in
            let files = try? fixture.store.claim([before.upload], uid: 1000, collection: "documents")
            #expect(files?.count == 1)
            fixture.store.consume([before.upload])
            during = try? fixture.upload(AttachmentFixture.image(100, last: 1))
            #expect((try? fixture.store.sweep(now: AttachmentFixture.start) { [] }) == .some(nil))
            return []
        }
        #expect(removed == 0 && during?.file != nil && fixture.names.count == 2)
        #expect(try fixture.store.sweep(now: AttachmentFixture.start) { () throws(StoreError) in [] } == 1)
    }

    @Test func `a sweep that does not learn what is in use removes nothing`() throws {
        let fixture = try AttachmentFixture()
        let upload = try fixture.upload(AttachmentFixture.image()).upload
        _ = try fixture.store.claim([upload], uid: 1000, collection: "documents")
        fixture.store.consume([upload])
        #expect(throws: StoreError.self) {
            try fixture.store.sweep(now: AttachmentFixture.start) { () throws(StoreError) in
                throw StoreError(.io, "read")
            }
        }
        #expect(fixture.names.count == 1)
    }

    @Test func `a kept file is read in parts, and no other file is`() throws {
        let fixture = try AttachmentFixture()
        let image = AttachmentFixture.image()
        try fixture.upload(image)
        let digest = AttachmentFixture.digest(image)
        for range: Range<Int64> in [0..<10, 90..<110, 100..<200, 500..<600, (Int64.max - 1)..<Int64.max] {
            let part = try fixture.store.read(digest, size: 100, range)
            #expect(part == Array(image.dropFirst(Int(range.lowerBound)).prefix(range.count)))
        }
        for name in ["", "../state.db", digest.uppercased(), String(repeating: "0", count: 64), "uploads"] {
            #expect(
                attachmentFailure { () throws(AttachmentError) in
                    _ = try fixture.store.read(name, size: 100, 0..<10)
                }
                    == .missing)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `what took the place of a kept file is not read`() throws {
        let fixture = try AttachmentFixture()
        let image = AttachmentFixture.image()
        try fixture.upload(image)
        let digest = AttachmentFixture.digest(image)
        let path = fixture.folder("attachments/" + digest)
        let whole = fixture.folder("whole")
        try Files.rename(path, to: whole)
        let makers: [() throws -> Void] = [
            { try Files.writeAtomically(path, Array(image.dropLast())) },
            { try Files.writeAtomically(path, image + [7]) }, { try Files.writeAtomically(path, []) },
            { #expect(unsafe symlink(whole, path) == 0) }, { #expect(unsafe mkfifo(path, 0o600) == 0) },
            { #expect(unsafe mkdir(path, 0o700) == 0) },
        ]
        for make in makers {
            try make()
            for range: Range<Int64> in [0..<10, 99..<100, 100..<200] {
                #expect(throws: AttachmentError.changed) { try fixture.store.read(digest, size: 100, range) }
            }
            try Directory.remove(path)
        }
        try Files.rename(whole, to: path)
        #expect(try fixture.store.read(digest, size: 100, 0..<100) == image)
    }
}
