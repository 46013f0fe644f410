// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// One field of a collection: its name, its type and its source in upstream records.
public struct Field: Sendable, Hashable {
    /// The name in requests and answers, of the form `[a-z][a-z0-9_]*`.
    public var name: String
    /// The type of the field's values.
    public var type: FieldType
    /// The pointers into an upstream record, of which the first that leads to a value is taken.
    public var from: [JSONPointer]
    /// Whether free text searches the field.
    public var isSearched: Bool
    /// Whether a record without a value of the field's type goes to quarantine.
    public var isRequired: Bool
    /// Whether the field is read at, below or above a volatile place, so that no change of its value alone is sent.
    public internal(set) var isVolatile = false
    /// The index of the field's vocabulary in the definition; nil unless the type is `enum`.
    public var vocabulary: Int?
    /// The heading for people; nil if it is made from the name.
    public var title: LocalizedText?
    /// Whether lists show the field in bold.
    public var isEmphasized: Bool
    /// The maximal number of lines that the field takes in a list, at least 1.
    public var lines: Int

    public init(
        name: String, type: FieldType, from: [JSONPointer] = [], isSearched: Bool = false, isRequired: Bool = false,
        vocabulary: Int? = nil, title: LocalizedText? = nil, isEmphasized: Bool = false, lines: Int = 1
    ) {
        self.name = name
        self.type = type
        self.from = from
        self.isSearched = isSearched
        self.isRequired = isRequired
        self.vocabulary = vocabulary
        self.title = title
        self.isEmphasized = isEmphasized
        self.lines = lines
    }

    /// The heading in `language`: the title, or else the name as words.
    public func heading(_ language: String) -> String {
        title?.text(language) ?? LocalizedText.humanized(name)
    }
}

/// The type of a field's values. The raw value is its name in definition files and in `describe`.
public enum FieldType: String, Sendable, Hashable, CaseIterable {
    /// The identity of the record: a text, or a number digit for digit. Ids have a natural order.
    case id
    /// A text, ordered by its folded form and then by its bytes.
    case text
    /// A code of a vocabulary, ordered by rank and then by the code's bytes.
    case `enum`
    /// An integer of any length.
    case integer
    /// An exact decimal number with the digits it was received with, never binary floating point.
    case decimal
    /// A moment (RFC 3339), kept in whole milliseconds.
    case instant
    /// A calendar day such as `2026-11-20`.
    case date
    case bool
    /// An address, ordered by its bytes.
    case url
    /// Any JSON value. It is shown, but not searched or sorted.
    case json

    /// Whether records can be ordered by a field of this type.
    public var isSortable: Bool {
        switch self {
        case .id, .text, .enum, .integer, .decimal, .instant, .date, .bool, .url: true
        case .json: false
        }
    }

    /// Whether the operators `~` and `^=` and free text apply to fields of this type.
    public var isTextual: Bool {
        switch self {
        case .id, .text, .url: true
        case .enum, .integer, .decimal, .instant, .date, .bool, .json: false
        }
    }
}
