// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A failure of the store or of one of its files: a code to branch on, the operation that failed, and the number from the layer below.
///
/// Holds paths and numbers, never a record's text.
public struct StoreError: Error, Equatable, Sendable {
    public enum Code: String, Sendable {
        /// The device is full or the quota is used up. Reads go on; the caller may try again once there is room.
        case storageFull
        /// The folder or file cannot be written: it is read-only or belongs to another user.
        case notWritable
        /// The file does not exist.
        case missing
        /// The file is of this program, but damaged: a check failed or an offset leads outside.
        case damaged
        /// The file is sound, but belongs to another program.
        case foreign
        /// A link, a folder or another object that is no file has the path of the file.
        case misplaced
        /// The device did not read the file, though it was asked several times; the file may be sound.
        case unreadable
        /// The file is of another version of this program's format.
        case otherVersion
        /// The file is sound, but not the one that was asked for (epoch, generation, file id or definition).
        case mismatch
        /// The collection does not exist: it never did, or it was removed or erased.
        case noCollection
        /// The store had no time for the call; nothing has changed, and the caller may try again.
        case late
        /// Another process holds the store; `number` is its process id.
        case inUse
        /// Another program has locked the file, and did not unlock it in time. Reads go on; the caller may try again.
        case busy
        /// A bound of the format was reached (bytes, rows or keys).
        case tooLarge
        /// The store is closing down and takes no more work.
        case closed
        /// Anything else the system reported.
        case io
        /// A defect of this program: a statement that cannot be right.
        case fault
    }

    public let code: Code
    /// The operation that failed, as a verb phrase: "open /var/lib/claimsd/state.db".
    public let operation: String
    /// An errno, an extended SQLite result code, or a process id; 0 if there is none.
    public let number: Int32
    /// The message of the layer below, or the value that did not fit; may be empty.
    public let detail: String

    public init(_ code: Code, _ operation: String, number: Int32 = 0, detail: String = "") {
        self.code = code
        self.operation = operation
        self.number = number
        self.detail = detail
    }

    /// Whether the same call may succeed later without a repair: the disk is full, or another program has locked a
    /// file.
    public var mayPass: Bool { code == .storageFull || code == .busy }

    /// The error as one sentence, for a log or a person.
    public var message: String {
        let reason =
            switch code {
            case .storageFull: "no space left"
            case .notWritable: "not writable"
            case .missing: "no such file"
            case .damaged: "damaged"
            case .foreign: "not a file of this program"
            case .misplaced: "something else is in its place"
            case .unreadable: "the disk does not read it, and it may be sound"
            case .otherVersion: "of another version"
            case .mismatch: "not the file asked for"
            case .noCollection: "no such collection"
            case .inUse: "in use by process \(number)"
            case .tooLarge: "too large"
            case .busy: "locked by another program"
            case .late: "not begun in time"
            case .closed: "closed"
            case .fault: "a defect of this program"
            case .io: number == 0 ? "failed" : "error \(number)"
            }
        return detail.isEmpty ? "cannot \(operation): \(reason)" : "cannot \(operation): \(reason) (\(detail))"
    }
}
