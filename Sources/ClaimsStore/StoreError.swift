// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What went wrong in a store: a code to branch on, the operation that failed, and the number from below.
///
/// Holds paths and numbers, never a record's text.
public struct StoreError: Error, Equatable, Sendable {
    public enum Code: String, Sendable {
        /// No room left on the device, or the quota is used up. Reads go on; try again once there is room.
        case storageFull
        /// The folder or file cannot be written: read-only or not ours.
        case notWritable
        /// The file does not exist.
        case missing
        /// The file is of this program, but damaged: a check failed or an offset leads outside.
        case damaged
        /// The file is not one of this program's.
        case foreign
        /// The file is of another version of this program's format.
        case otherVersion
        /// The file is sound, but not the one that was asked for (epoch, generation, file id or definition).
        case mismatch
        /// Another process holds the store; `number` is its process id.
        case inUse
        /// A bound of the format was reached (bytes, rows or keys).
        case tooLarge
        /// The store is closing down and takes no more work.
        case closed
        /// Anything else the system reported.
        case io
    }

    public let code: Code
    /// What was being done, as a verb phrase: "open /var/lib/claimsd/state.db".
    public let operation: String
    /// An errno, an extended SQLite result code, or a process id; 0 where there is none.
    public let number: Int32
    /// What the layer below said, or what exactly did not fit; may be empty.
    public let detail: String

    public init(_ code: Code, _ operation: String, number: Int32 = 0, detail: String = "") {
        self.code = code
        self.operation = operation
        self.number = number
        self.detail = detail
    }

    /// One sentence for a log or a person.
    public var message: String {
        let reason =
            switch code {
            case .storageFull: "no space left"
            case .notWritable: "not writable"
            case .missing: "no such file"
            case .damaged: "damaged"
            case .foreign: "not a file of this program"
            case .otherVersion: "of another version"
            case .mismatch: "not the file asked for"
            case .inUse: "in use by process \(number)"
            case .tooLarge: "too large"
            case .closed: "closed"
            case .io: number == 0 ? "failed" : "error \(number)"
            }
        return detail.isEmpty ? "cannot \(operation): \(reason)" : "cannot \(operation): \(reason) (\(detail))"
    }
}
