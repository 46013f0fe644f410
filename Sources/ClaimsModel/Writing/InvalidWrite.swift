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
    /// The files that are taken away: a SHA-256 means all files of that content, `SHA-256/NAME` one of them.
    public var detached: [String]
    /// The files that the record has; nil if that is not known, so that their number is not checked.
    public var existing: [ListedFile]?

    public init(attached: [OperationFile] = [], detached: [String] = [], existing: [ListedFile]? = nil) {
        self.attached = attached
        self.detached = detached
        self.existing = existing
    }

    /// Whether no file is attached or taken away.
    public var isEmpty: Bool { attached.isEmpty && detached.isEmpty }

    /// The files that stay, by their indexes among those that a record lists, and the texts that name none of these.
    public func remaining(of existing: [ListedFile]) -> (indexes: [Int], unknown: [String]) {
        var indexes = Array(existing.indices)
        var unknown: [String] = []
        for text in detached {
            let before = indexes.count
            if let slash = text.utf8.firstIndex(of: UInt8(ascii: "/")) {
                let file = ListedFile(
                    sha256: String(text[..<slash]), name: String(text[text.utf8.index(after: slash)...]))
                if let position = indexes.firstIndex(where: { existing[$0] == file }) { indexes.remove(at: position) }
            } else {
                indexes.removeAll { existing[$0].sha256 == text }
            }
            if indexes.count == before { unknown.append(text) }
        }
        return (indexes, unknown)
    }

    /// The attached files without those that are there already: of the same content under the same name.
    public func added(to kept: [ListedFile]) -> [OperationFile] {
        attached.filter { !kept.contains(ListedFile(sha256: $0.sha256, name: $0.name)) }
    }
}

/// A file that a record lists. Files of the same content under other names are others.
public struct ListedFile: Sendable, Hashable {
    /// The SHA-256 of its bytes, in hexadecimal.
    public let sha256: String
    public let name: String

    public init(sha256: String, name: String) {
        self.sha256 = sha256
        self.name = name
    }
}
