// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsJSON
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

/// The lists that a collection offers beside all its records, and whether it has an archive and deals.
public struct ListOffers: Sendable {
    /// A named order, with its keys.
    public struct Order: Sendable {
        public let name: String
        public let keys: [String]
    }

    /// A view: a filter with a name.
    public struct View: Sendable {
        public let name: String
        public let filter: String
        /// The title in the language of the request; nil if the definition has none.
        public let title: String?
    }

    /// Whether records can be archived.
    public let isArchivable: Bool
    /// Whether there are deals.
    public let hasDeals: Bool
    /// The keys of the collection's own order.
    public let sort: [String]
    public let orders: [Order]
    public let views: [View]

    /// The offers of a collection with an archive and nothing else.
    public init() {
        (isArchivable, hasDeals, sort, orders, views) = (true, false, [], [], [])
    }

    /// Reads one element of `collections` in an answer of `describe`.
    public init(_ value: AnswerValue) {
        typealias Entry = DescribeResult.CollectionEntry
        isArchivable = value[Entry.archive] ?? true
        hasDeals = value[Entry.deal] ?? false
        sort = value[Entry.sort].map(\.text)
        orders = value[Entry.sorts].compactMap { order in
            order[DescribeResult.OrderEntry.name].map {
                Order(name: $0, keys: order[DescribeResult.OrderEntry.keys].map(\.text))
            }
        }
        views = value[Entry.views].compactMap { view in
            view[DescribeResult.ViewEntry.name].map {
                View(
                    name: $0, filter: view[DescribeResult.ViewEntry.filter] ?? "",
                    title: view[DescribeResult.ViewEntry.title])
            }
        }
    }
}

/// The operations that a collection offers, from an answer of `describe`.
public struct OfferedWrites: Sendable {
    /// Whether what is written goes to an upstream, and waits in the outbox until then.
    public let isUpstream: Bool
    /// The actions, in the order of the answer.
    public let actions: [OfferedAction]

    /// The field that lists the files of a record; nil if no action takes any.
    public var fileField: String? { actions.lazy.compactMap(\.files).first?.field }

    /// The action of that name; nil if it is not offered.
    public func action(_ name: String) -> OfferedAction? { actions.first { $0.name == name } }

    /// Reads the member `writes` of a collection; nil if there is none.
    public init?(_ value: AnswerValue?) {
        guard let value else { return nil }
        isUpstream = value[WritesEntry.to] == "upstream"
        actions = value[WritesEntry.actions].compactMap(OfferedAction.init)
    }
}

/// One action that `submit` takes.
public struct OfferedAction: Sendable {
    public let name: String
    /// The title in the language of the request.
    public let title: String
    /// The fields that can be given, in the definition's order.
    public let fields: [OfferedField]
    /// The rules for files; nil if none can be attached.
    public let files: FileLimits?
    /// The filter that a record must match; nil for any record.
    public let condition: String?
    /// The role that it needs, and whether the caller has it.
    public let role: String
    public let isGranted: Bool

    init?(_ value: AnswerValue) {
        guard let name = value[WritesEntry.ActionEntry.name] else { return nil }
        self.name = name
        title = value[WritesEntry.ActionEntry.title] ?? name
        let schema = value[WritesEntry.ActionEntry.fields]
        let required = Set((schema?["required"]?.elements ?? []).compactMap(\.string))
        fields = (schema?["properties"]?.members ?? []).map { name, schema in
            OfferedField(name: name, isRequired: required.contains(name), schema: schema)
        }
        files = value[WritesEntry.ActionEntry.files].map(FileLimits.init)
        condition = value[WritesEntry.ActionEntry.when]
        role = value[WritesEntry.ActionEntry.role] ?? ""
        isGranted = value[WritesEntry.ActionEntry.isGranted] ?? true
    }

    /// The field of that name; nil if it cannot be given.
    public func field(_ name: String) -> OfferedField? { fields.first { $0.name == name } }
}

/// A field that an action can give a value, with its rules as far as people need them.
public struct OfferedField: Sendable {
    public let name: String
    public let isRequired: Bool
    /// Whether the value may be cleared.
    public let isClearable: Bool
    /// The codes that can be given; empty for a field without a vocabulary.
    public let codes: [String]
    /// The limits in a few words each, such as `at most 200 characters`.
    public let limits: [TranslatedText]

    init(name: String, isRequired: Bool, schema: AnswerValue) {
        self.name = name
        self.isRequired = isRequired
        let choices = schema["enum"]?.elements
        codes = (choices ?? []).compactMap(\.string)
        let types = schema["type"]?.elements.map(\.text)
        isClearable = !isRequired && (choices?.contains { $0.kind == .null } ?? types?.contains("null") ?? true)
        var limits: [TranslatedText] = []
        if let length = schema["maxLength"]?.integer {
            limits.append(.noMore(than: length, .characters))
        }
        if let bytes = schema["x-max-bytes"]?.integer {
            let size = TranslatedText { $0.size(bytes) }
            limits.append(
                TranslatedText(en: "at most \(size.english) of JSON", pl: "najwyżej \(size.polish) JSON-u"))
        }
        if let least = schema["minimum"] ?? schema["x-minimum"] {
            limits.append(TranslatedText(en: "from \(least.text)", pl: "od \(least.text)"))
        }
        if let greatest = schema["maximum"] ?? schema["x-maximum"] {
            limits.append(TranslatedText(en: "up to \(greatest.text)", pl: "do \(greatest.text)"))
        }
        if let scale = schema["x-scale"]?.integer {
            limits.append(.noMore(than: scale, .decimals))
        }
        if let collection = schema["x-refs"]?.string {
            limits.append(TranslatedText(en: "ids of \(collection)", pl: "identyfikatory z \(collection)"))
        }
        self.limits = limits
    }
}

/// The rules for the files of a record.
public struct FileLimits: Sendable {
    /// The field that lists them.
    public let field: String
    /// The media types that are taken.
    public let types: [String]
    /// How many a record must have, and may have.
    public let min: Int64
    public let max: Int64
    /// The maximum size of one, in bytes.
    public let size: Int64

    init(_ value: AnswerValue) {
        field = value[WritesEntry.FileRules.field] ?? ""
        types = value[WritesEntry.FileRules.types].compactMap(\.string)
        min = value[WritesEntry.FileRules.min] ?? 0
        max = value[WritesEntry.FileRules.max] ?? .max
        size = value[WritesEntry.FileRules.size] ?? .max
    }

    /// The rules in words, such as `a JPEG or PDF of at most 20.0 MiB`.
    public func words(_ messages: Messages) -> String {
        let kinds = types.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
        let size = size < .max ? ", \(messages.noMore(than: messages.size(size)))" : ""
        return Escaping.line(kinds.joined(separator: ", ")) + size
    }
}

extension TranslatedText {
    fileprivate static func noMore(than number: Int64, _ noun: Plural) -> TranslatedText {
        TranslatedText { $0.noMore(than: $0.count(number, noun)) }
    }
}

extension Plural {
    /// The records of one collection, by its own names; in Polish, whose forms no definition has, as records.
    init(of collection: CollectionDescription?) {
        let english = collection.map { ($0.singular, $0.name) } ?? Plural.records.english
        self.init(en: english, pl: Plural.records.polish)
    }
}
