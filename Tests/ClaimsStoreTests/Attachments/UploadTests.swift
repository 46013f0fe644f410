// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsStore
import ClaimsTestSupport
import Testing

struct UploadTests {
    @Test(arguments: [1, 3, 16, 17, 99, 100, 1000])
    func `a file in parts is kept under its SHA-256, for its owner's eyes only`(partSize: Int) throws {
        let fixture = try AttachmentFixture()
        let image = AttachmentFixture.image()
        let progress = try fixture.upload(image, partSize: partSize)
        let digest = AttachmentFixture.digest(image)
        #expect(
            progress.file
                == OperationFile(sha256: digest, name: "scan.png", type: "image/png", size: Int64(image.count)))
        #expect(fixture.names == [digest])
        #expect(try fixture.folder.permissions("attachments/" + digest) == 0o600)
        #expect(try fixture.folder.permissions("attachments") == 0o700)
        #expect(try fixture.store.read(digest, size: Int64(image.count), 0..<1000) == image)
        #expect(fixture.store.keptBytes == Int64(image.count))
    }

    @Test func `a file that is whole is not held open`() throws {
        let fixture = try AttachmentFixture()
        func isOpen() throws -> Bool {
            try Directory.list("/proc/self/fd").contains { name in
                Files.readLink("/proc/self/fd/" + name)?.hasPrefix(fixture.folder.path) == true
            }
        }
        let first = try fixture.store.write(
            Array(AttachmentFixture.image().prefix(50)), as: fixture.begin(size: 100), now: AttachmentFixture.start)
        #expect(try isOpen())
        let rest = try fixture.store.advance(first.upload, uid: 1000, offset: 50)
        _ = try fixture.store.write(
            Array(AttachmentFixture.image().dropFirst(50)), as: rest, now: AttachmentFixture.start)
        #expect(try !isOpen())
    }

    @Test func `a host without files has no folder for them`() throws {
        let fixture = try AttachmentFixture()
        #expect(!Files.exists(fixture.folder("attachments")))
        _ = try fixture.begin(size: 10)
        #expect(!Files.exists(fixture.folder("attachments")))
    }

    @Test func `the same file twice is kept once`() throws {
        let fixture = try AttachmentFixture()
        let image = AttachmentFixture.image()
        let uploads = [try fixture.upload(image), try fixture.upload(image, by: 1001)]
        #expect(Set(uploads.map(\.upload)).count == 2 && fixture.names.count == 1)
        #expect(fixture.store.keptBytes == Int64(image.count))
    }

    @Test(arguments: [0, 1, 49, 51, 100, Int64.max])
    func `a part that begins elsewhere is refused, and told where to go on`(offset: Int64) throws {
        let fixture = try AttachmentFixture()
        let first = try fixture.store.write(
            Array(AttachmentFixture.image().prefix(50)), as: fixture.begin(size: 100), now: AttachmentFixture.start)
        let error = attachmentFailure { () throws(AttachmentError) in
            try fixture.store.advance(first.upload, uid: 1000, offset: offset)
        }
        #expect(error == .wrongOffset(received: 50))
    }

    @Test func `a part is refused while the one before is being written`() throws {
        let fixture = try AttachmentFixture()
        let part = try fixture.begin(size: 100)
        let error = attachmentFailure { () throws(AttachmentError) in
            try fixture.store.advance(part.upload, uid: 1000, offset: 0)
        }
        #expect(error == .wrongOffset(received: 0))
    }

    @Test func `a whole file takes no more, and more bytes than announced end the upload`() throws {
        let fixture = try AttachmentFixture()
        let whole = try fixture.upload(AttachmentFixture.image())
        #expect(
            attachmentFailure { () throws(AttachmentError) in
                try fixture.store.advance(whole.upload, uid: 1000, offset: 100)
            } == .wrongOffset(received: 100))
        let part = try fixture.begin(size: 99)
        #expect(
            attachmentFailure { () throws(AttachmentError) in
                try fixture.store.write(AttachmentFixture.image(100, last: 7), as: part, now: AttachmentFixture.start)
            } == .tooLong)
        #expect(
            attachmentFailure { () throws(AttachmentError) in
                try fixture.store.advance(part.upload, uid: 1000, offset: 0)
            } == .unknownUpload)
        #expect(fixture.names.count == 1)
    }

    @Test func `a type that is not taken ends the upload with its sixteenth byte`() throws {
        let fixture = try AttachmentFixture()
        for bytes in [
            Array("#!/bin/sh echo no matter what".utf8), [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: 20),
        ] {
            let first = try fixture.store.write(
                Array(bytes.prefix(15)), as: fixture.begin(size: 100), now: AttachmentFixture.start)
            #expect(first.received == 15)
            let part = try fixture.store.advance(first.upload, uid: 1000, offset: 15)
            #expect(
                attachmentFailure { () throws(AttachmentError) in
                    try fixture.store.write([bytes[15]], as: part, now: AttachmentFixture.start)
                } == .wrongType)
        }
        #expect(fixture.names.isEmpty)
    }

    @Test(arguments: [0, 3, 7])
    func `a file that is too short to have a type is refused when it is whole`(size: Int) throws {
        let fixture = try AttachmentFixture()
        let part = try fixture.begin(size: size)
        #expect(
            attachmentFailure { () throws(AttachmentError) in
                try fixture.store.write(
                    Array(AttachmentFixture.image().prefix(size)), as: part, now: AttachmentFixture.start)
            } == .wrongType)
        #expect(fixture.names.isEmpty && fixture.notes.isEmpty)
    }

    @Test func `an upload is its user's`() throws {
        let fixture = try AttachmentFixture()
        let first = try fixture.store.write(
            Array(AttachmentFixture.image().prefix(50)), as: fixture.begin(size: 100), now: AttachmentFixture.start)
        for uid: UInt32 in [0, 1001] {
            #expect(
                attachmentFailure { () throws(AttachmentError) in
                    try fixture.store.advance(first.upload, uid: uid, offset: 50)
                } == .unknownUpload)
        }
        let whole = try fixture.upload(AttachmentFixture.image())
        #expect(
            attachmentFailure { () throws(AttachmentError) in
                try fixture.store.claim([whole.upload], uid: 1001, collection: "documents")
            } == .unknownUpload)
    }

    @Test func `each user has a number of uploads, finished ones among them`() throws {
        let fixture = try AttachmentFixture()
        for last in 0..<2 { try fixture.upload(AttachmentFixture.image(20, last: UInt8(last))) }
        for _ in 0..<2 { _ = try fixture.begin(size: 20) }
        let more = attachmentFailure { () throws(AttachmentError) in try fixture.begin(size: 20) }
        #expect(more == .tooManyUploads(4))
        _ = try fixture.begin(size: 20, uid: 1001)
    }

    @Test func `what is announced counts as what is kept`() throws {
        let fixture = try AttachmentFixture()
        try fixture.upload(AttachmentFixture.image(400))
        _ = try fixture.begin(size: 500)
        #expect(attachmentFailure { () throws(AttachmentError) in try fixture.begin(size: 101) } == .tooManyBytes(1000))
        _ = try fixture.begin(size: 100)
        #expect(
            attachmentFailure { () throws(AttachmentError) in try fixture.begin(size: .max) } == .tooManyBytes(1000))
    }

    @Test func `uploads leave room on the disk, and go on once there is some`() throws {
        let fixture = try AttachmentFixture()
        let image = AttachmentFixture.image()
        fixture.room.set(UploadLimits.minFree + 99)
        let first = try fixture.begin(size: 100)
        #expect(
            attachmentFailure { () throws(AttachmentError) in
                try fixture.store.write(Array(image.prefix(50)), as: first, now: AttachmentFixture.start)
            } == .diskFull)
        fixture.room.set(UploadLimits.minFree + 100)
        let again = try fixture.store.advance(first.upload, uid: 1000, offset: 0)
        let half = try fixture.store.write(Array(image.prefix(50)), as: again, now: AttachmentFixture.start)
        fixture.room.set(UploadLimits.minFree + 50)
        let rest = try fixture.store.advance(half.upload, uid: 1000, offset: 50)
        let whole = try fixture.store.write(Array(image.dropFirst(50)), as: rest, now: AttachmentFixture.start)
        #expect(whole.file?.sha256 == AttachmentFixture.digest(image))
    }

    @Test func `a folder that cannot be written costs the part, not the upload`() throws {
        let fixture = try AttachmentFixture()
        try fixture.folder.write("attachments", "a file")
        let first = try fixture.begin(size: 100)
        let error = attachmentFailure { () throws(AttachmentError) in
            try fixture.store.write(AttachmentFixture.image(), as: first, now: AttachmentFixture.start)
        }
        guard case .failed = error else { throw TestFailure("\(String(describing: error))") }
        try Directory.remove(fixture.folder("attachments"))
        let again = try fixture.store.advance(first.upload, uid: 1000, offset: 0)
        #expect(try fixture.store.write(AttachmentFixture.image(), as: again, now: AttachmentFixture.start).file != nil)
    }

    @Test func `an unfinished upload ends with its connection, and leaves nothing`() throws {
        let fixture = try AttachmentFixture()
        try fixture.upload(AttachmentFixture.image())
        let first = try fixture.store.write(
            Array(AttachmentFixture.image().prefix(50)), as: fixture.begin(size: 100), now: AttachmentFixture.start)
        let other = try fixture.store.write(
            Array(AttachmentFixture.image().prefix(50)), as: fixture.begin(size: 100, connection: 2),
            now: AttachmentFixture.start)
        #expect(fixture.names.count == 3)
        #expect(!fixture.store.end(connection: 1).isEmpty)
        #expect(fixture.names.count == 2)
        #expect(
            attachmentFailure { () throws(AttachmentError) in
                try fixture.store.advance(first.upload, uid: 1000, offset: 50)
            } == .unknownUpload)
        _ = try fixture.store.advance(other.upload, uid: 1000, offset: 50)
        #expect(fixture.store.end(connection: 1).isEmpty)
    }

    @Test(arguments: [50, 100])
    func `an upload that ends while a part is written leaves nothing`(count: Int) throws {
        let fixture = try AttachmentFixture()
        let part = try fixture.begin(size: 100)
        #expect(fixture.store.end(connection: 1).isEmpty)
        _ = attachmentFailure { () throws(AttachmentError) in
            try fixture.store.write(
                Array(AttachmentFixture.image().prefix(count)), as: part, now: AttachmentFixture.start)
        }
        #expect(fixture.names.isEmpty && fixture.notes.isEmpty)
        #expect(
            attachmentFailure { () throws(AttachmentError) in
                try fixture.store.claim([part.upload], uid: 1000, collection: "documents")
            } == .unknownUpload)
    }
}
