// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// An error of reading or writing snapshot files: a code to branch on, the operation that failed, and an errno.
///
/// Holds paths and numbers, never a record's text.
public struct SnapshotError: Error, Equatable, Sendable {
    public enum Code: String, Sendable {
        /// No room is left on the device, or the quota is used up. Try again once there is room.
        case storageFull
        /// The folder or file cannot be written: read-only or not ours.
        case notWritable
        /// The file does not exist.
        case missing
        /// The file is a snapshot, but damaged: a check failed or an offset leads outside.
        case damaged
        /// The file is not a snapshot.
        case foreign
        /// The file is of another version of the format.
        case otherVersion
        /// The file is sound, but not the one that was asked for (epoch, generation, file id or definition).
        case mismatch
        /// A bound of the format was reached (bytes, rows or keys).
        case tooLarge
        /// Anything else the system reported.
        case io
    }

    public let code: Code
    /// The operation that failed, as a verb phrase: "open /var/cache/claimsd/0123456789abcdef.snapshot".
    public let operation: String
    /// An errno; 0 if there is none.
    public let number: Int32
    /// The message of the layer below, or the value that did not fit; may be empty.
    public let detail: String

    public init(_ code: Code, _ operation: String, number: Int32 = 0, detail: String = "") {
        self.code = code
        self.operation = operation
        self.number = number
        self.detail = detail
    }

    /// The error that a failed system call means to a snapshot.
    init(_ error: SystemError) {
        let code: Code =
            if error.isOutOfSpace { .storageFull } else if error.isReadOnly { .notWritable } else if error.isNotFound {
                .missing
            } else { .io }
        self.init(code, error.operation, number: error.errno, detail: error.detail ?? "")
    }
}
