// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The kind of a problem with a submitted value or file, which programs branch on.
public enum FieldProblemKind: String, Sendable, CaseIterable {
    /// The field has no value, and must have one.
    case required
    /// The collection has no such field.
    case unknown
    /// The action does not let the field be given.
    case notWritable = "not_writable"
    /// The value is of another type.
    case type
    /// The code is not in the vocabulary, or may not be given.
    case code
    /// The text is too long.
    case length
    /// The value is below the minimum or above the maximum.
    case range
    /// The number has too many decimals.
    case scale
    /// The text has a control character.
    case characters
    /// There is no record with that id.
    case reference
    /// The collection does not accept files of this type.
    case format
    /// The file is too large, or not as large as was announced.
    case size
    /// There are too few or too many files.
    case count
    /// The name of the file is empty, too long, or has a slash or a control character.
    case name
}

/// A problem with one value or file of a submitted operation. All problems of an operation are reported at once.
public struct FieldProblem: Sendable, Equatable {
    /// The name of the field as it was given; for files, the name of the field that lists them.
    public var field: String
    public var kind: FieldProblemKind
    /// The problem as one sentence for people; it never holds text of a record.
    public var message: TranslatedText
    /// A suggestion how to mend it.
    public var hint: TranslatedText?

    public init(_ field: String, _ kind: FieldProblemKind, _ message: TranslatedText, hint: TranslatedText? = nil) {
        self.field = field
        self.kind = kind
        self.message = message
        self.hint = hint
    }
}
