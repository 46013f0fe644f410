// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// All mistakes in the fields and files of one write.
public struct InvalidWrite: Error, Sendable, Equatable {
    /// The mistakes: those of unknown fields first, then in the definition's order; those of files last.
    public let problems: [FieldProblem]

    public init(_ problems: [FieldProblem]) { self.problems = problems }
}

/// The files that a write adds to a record and takes from it.
public struct FileChange: Sendable, Hashable {
    /// The files that are attached.
    public var attached: [OperationFile]
    /// The SHA-256 of each file that is taken away.
    public var detached: [String]
    /// The SHA-256 of each file that the record has; nil if that is not known, so that their number is not checked.
    public var existing: [String]?

    public init(attached: [OperationFile] = [], detached: [String] = [], existing: [String]? = nil) {
        self.attached = attached
        self.detached = detached
        self.existing = existing
    }

    /// Whether no file is attached or taken away.
    public var isEmpty: Bool { attached.isEmpty && detached.isEmpty }
}
