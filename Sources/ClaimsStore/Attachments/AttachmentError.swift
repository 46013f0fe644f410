// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot

/// The reason why a part of a file is refused, or a file is not given.
public enum AttachmentError: Error, Equatable, Sendable {
    /// There is no upload of this name; it ended, was submitted, or is another user's.
    case unknownUpload
    /// The file of the upload is not whole yet, or belongs to another collection.
    case notUsable
    /// The part does not begin after the `received` bytes, or the part before it is being written.
    case wrongOffset(received: Int64)
    /// The user has as many uploads as are allowed.
    case tooManyUploads(Int)
    /// Kept files and uploads would have more bytes than this host may keep.
    case tooManyBytes(Int64)
    /// There is less room on the disk than uploads must leave.
    case diskFull
    /// There are more bytes than were announced. The upload has ended.
    case tooLong
    /// The first bytes show none of the types that the collection takes. The upload has ended.
    case wrongType
    /// No such file is kept.
    case missing
    /// The path of the file leads to something else: not a regular file, or a file of another size.
    case changed
    /// The file could not be written or read.
    case failed(StoreError)

    /// Runs `body`, and throws what it throws as an error about files.
    static func translating<Result>(
        _ body: () throws(SystemError) -> Result
    ) throws(AttachmentError) -> Result {
        do throws(SystemError) {
            return try body()
        } catch {
            throw error.isOutOfSpace ? .diskFull : error.isNotFound ? .missing : .failed(StoreError(error))
        }
    }
}

/// A file that a user begins to upload.
public struct NewUpload: Sendable {
    /// The name of the collection.
    public var collection: String
    /// The name of the field that lists the files of records, for errors.
    public var field: String
    public var name: String
    /// The size of the whole file, in bytes.
    public var size: Int64
    /// The media types that the collection takes.
    public var types: [String]
    /// The user that uploads it, and that alone may go on with it and submit it.
    public var uid: UInt32
    /// The number of the connection, with which an unfinished upload ends.
    public var connection: UInt64

    public init(
        _ name: String, size: Int64, for collection: String, field: String, types: [String], uid: UInt32,
        connection: UInt64
    ) {
        self.name = name
        self.size = size
        self.collection = collection
        self.field = field
        self.types = types
        self.uid = uid
        self.connection = connection
    }
}

/// How much may be uploaded.
public struct UploadLimits: Sendable, Equatable {
    /// The uploads of a user that are not submitted yet.
    public var uploads: Int
    /// The bytes of all files that are kept or uploaded.
    public var bytes: Int64

    public init(uploads: Int, bytes: Int64) {
        self.uploads = uploads
        self.bytes = bytes
    }

    /// The bytes that uploads leave free on the disk, so that the rest of the daemon can go on.
    public static let minFree = 64 << 20
    /// How long a finished upload waits to be submitted, in milliseconds.
    public static let maxAge: Int64 = 3_600_000
}
