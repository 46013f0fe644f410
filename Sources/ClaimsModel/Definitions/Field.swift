// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// One field of a collection: what it is called, what it holds and where it comes from.
public struct Field: Sendable, Hashable {
    /// `[a-z][a-z0-9_]*`.
    public var name: String
    public var type: FieldType
    /// Where an upstream record may hold the value; the first present one wins.
    public var from: [JSONPointer]
    /// Whether free text looks into it.
    public var isSearched: Bool
    /// Whether a record without a value of the right type goes to quarantine.
    public var isRequired: Bool
    /// The index of its vocabulary; set exactly for the type `enum`.
    public var vocabulary: Int?
    /// The heading to show; nil: made from the name.
    public var title: LocalizedText?
    /// Whether a list shows it bold.
    public var isEmphasized: Bool
    /// How many lines a list may give it.
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

    /// The heading in `language`: the title, or the name as words.
    public func heading(_ language: String) -> String {
        title?.text(language) ?? Wording.humanized(name)
    }
}
