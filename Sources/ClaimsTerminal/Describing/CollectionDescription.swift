// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
public import ClaimsModel
import ClaimsProtocol

/// The description of a collection, from an answer of `describe`: what the layout of its records needs.
public struct CollectionDescription: Sendable {
    /// The name of the collection.
    public let name: String
    /// The title in the language of the request.
    public let title: String
    /// The singular, which is also the selector's name (`--book`).
    public let singular: String
    /// The fields, in the definition's order.
    public let fields: [FieldDescription]
    /// The names of the fields that a list shows, in their order.
    public let list: [String]
    /// The name of the enum field whose codes belong to groups; nil for a collection without groups.
    public let groupBy: String?
    /// The groups, in the definition's order.
    public let groups: [(key: String, label: String)]
    /// The codes by vocabulary and code.
    public let vocabularies: [String: [String: CodeDescription]]
    /// The operations that the collection offers; nil if it is only read.
    public let writes: OfferedWrites?
    /// The lists of the collection that can be asked for beside all records in its order.
    public let offers: ListOffers

    /// Makes a description from its parts.
    public init(
        name: String, title: String, singular: String, fields: [FieldDescription],
        list: [String], groupBy: String? = nil, groups: [(key: String, label: String)] = [],
        vocabularies: [String: [String: CodeDescription]] = [:], writes: OfferedWrites? = nil,
        offers: ListOffers = ListOffers()
    ) {
        self.name = name
        self.title = title
        self.singular = singular
        self.fields = fields
        self.list = list
        self.groupBy = groupBy
        self.groups = groups
        self.vocabularies = vocabularies
        self.writes = writes
        self.offers = offers
    }

    /// Reads one element of `collections` in an answer of `describe`; nil if it has no name.
    public init?(_ value: AnswerValue) {
        typealias Entry = DescribeResult.CollectionEntry
        guard let name = value[Entry.name] else { return nil }
        var vocabularies: [String: [String: CodeDescription]] = [:]
        for (key, vocabulary) in value[Entry.vocabularies]?.members ?? [] {
            var codes: [String: CodeDescription] = [:]
            for code in vocabulary[DescribeResult.VocabularyEntry.codes] {
                typealias Code = DescribeResult.CodeEntry
                guard let name = code[Code.code] else { continue }
                codes[name] = CodeDescription(
                    label: code[Code.label] ?? name, badge: code[Code.badge], group: code[Code.group])
            }
            vocabularies[key] = codes
        }
        self.init(
            name: name, title: value[Entry.title] ?? name, singular: value[Entry.singular] ?? name,
            fields: value[Entry.fields].compactMap(FieldDescription.init),
            list: value[Entry.list].compactMap(\.string), groupBy: value[Entry.groupBy],
            groups: value[Entry.groups].compactMap { group in
                group[DescribeResult.GroupEntry.key].map { ($0, group[DescribeResult.GroupEntry.label] ?? $0) }
            }, vocabularies: vocabularies, writes: OfferedWrites(value[Entry.writes]), offers: ListOffers(value))
    }

    /// The collections in an answer to `describe`.
    public static func all(in answer: AnswerValue) -> [CollectionDescription] {
        answer[DescribeResult.collections].compactMap { CollectionDescription($0) }
    }

    /// Whether records of the collection can be listed by groups.
    public var hasGroups: Bool { groupBy != nil && !groups.isEmpty }

    /// The field with this name; nil if the collection has none.
    public func field(_ name: String) -> FieldDescription? {
        fields.first { $0.name == name }
    }

    /// The field with this name. A text field stands for `FIELD.raw` and for an unknown name.
    public func column(_ name: String) -> FieldDescription {
        field(name) ?? FieldDescription(name: name, type: .text)
    }

    /// The cells of the widest label of a field's vocabulary, as a list shows it; 0 for a field without one.
    public func widestLabel(of field: FieldDescription) -> Int {
        guard let codes = field.vocabulary.flatMap({ vocabularies[$0] }) else { return 0 }
        return codes.values.reduce(0) { max($0, DisplayWidth.cells(of: $1.shown)) }
    }

    /// The description of a code in the vocabulary of a field; nil for an unknown code.
    public func code(_ code: String, of field: FieldDescription) -> CodeDescription? {
        field.vocabulary.flatMap { vocabularies[$0]?[code] }
    }
}

/// The description of a field, from an answer of `describe`.
public struct FieldDescription: Sendable {
    /// The name of the field.
    public let name: String
    /// The type of the field; a type that this version does not know counts as text.
    public let type: FieldType
    /// The title in the language of the request; nil if the definition has none.
    public let title: String?
    /// Whether a phrase without a field name is searched in the field.
    public let isSearched: Bool
    /// Whether the field is shown in bold.
    public let isEmphasized: Bool
    /// The maximum number of lines that a value takes in a list, from 1.
    public let lines: Int
    /// The operators that a filter may use with the field.
    public let operators: [String]
    /// The name of the vocabulary of an enum field; nil for any other field.
    public let vocabulary: String?
    /// The name in UTF-8, for the lookup in a record.
    public let key: [UInt8]

    /// Makes a description from its parts.
    public init(
        name: String, type: FieldType, title: String? = nil, isSearched: Bool = false, isEmphasized: Bool = false,
        lines: Int = 1, operators: [String] = [], vocabulary: String? = nil
    ) {
        self.name = name
        self.type = type
        self.title = title
        self.isSearched = isSearched
        self.isEmphasized = isEmphasized
        self.lines = lines
        self.operators = operators
        self.vocabulary = vocabulary
        key = Array(name.utf8)
    }

    init?(_ value: AnswerValue) {
        typealias Entry = DescribeResult.FieldEntry
        guard let name = value[Entry.name] else { return nil }
        self.init(
            name: name, type: value[Entry.type].flatMap(FieldType.init(rawValue:)) ?? .text,
            title: value[Entry.title], isSearched: value[Entry.search] ?? false,
            isEmphasized: value[Entry.bold] ?? false, lines: max(1, Int(clamping: value[Entry.lines] ?? 1)),
            operators: value[Entry.operators].compactMap(\.string), vocabulary: value[Entry.vocabulary])
    }

    /// The heading of the field's column: its title, or its name with spaces for underscores.
    public var heading: String {
        title ?? name.split(separator: "_").joined(separator: " ")
    }
}

/// The description of a code of a vocabulary, from an answer of `describe`.
public struct CodeDescription: Sendable {
    /// The text for the code, in the language of the request.
    public let label: String
    /// A short text that marks a record of this code in a list; nil for a code without one.
    public let badge: String?
    /// The key of the group that the code belongs to; nil for none.
    public let group: String?

    /// The text in a list: the badge in brackets, else the label. It is escaped.
    var shown: String { badge.map { "[\(Escaping.line($0))]" } ?? Escaping.line(label) }

    /// Makes a description from its parts.
    public init(label: String, badge: String? = nil, group: String? = nil) {
        self.label = label
        self.badge = badge
        self.group = group
    }
}
