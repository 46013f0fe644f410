// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsModel

/// What `describe` tells about a collection: enough to lay out its records.
public struct CollectionDescription: Sendable {
    public let name: String
    public let title: String
    public let singular: String
    public let isArchivable: Bool
    public let fields: [FieldDescription]
    /// The fields of a list, in their order.
    public let list: [String]
    /// The field whose codes carry the groups.
    public let groupBy: String?
    public let groups: [(key: String, label: String)]
    public let vocabularies: [String: [String: CodeDescription]]

    public init(
        name: String, title: String, singular: String, isArchivable: Bool = true, fields: [FieldDescription],
        list: [String], groupBy: String? = nil, groups: [(key: String, label: String)] = [],
        vocabularies: [String: [String: CodeDescription]] = [:]
    ) {
        self.name = name
        self.title = title
        self.singular = singular
        self.isArchivable = isArchivable
        self.fields = fields
        self.list = list
        self.groupBy = groupBy
        self.groups = groups
        self.vocabularies = vocabularies
    }

    /// Reads one of the collections in an answer to `describe`.
    public init?(_ value: AnswerValue) {
        guard let name = value["name"]?.string else { return nil }
        var vocabularies: [String: [String: CodeDescription]] = [:]
        for (key, vocabulary) in value["vocabularies"]?.members ?? [] {
            var codes: [String: CodeDescription] = [:]
            for code in vocabulary["codes"]?.elements ?? [] {
                guard let name = code["code"]?.string else { continue }
                codes[name] = CodeDescription(
                    label: code["label"]?.string ?? name, badge: code["badge"]?.string, group: code["group"]?.string)
            }
            vocabularies[key] = codes
        }
        self.init(
            name: name, title: value["title"]?.string ?? name, singular: value["singular"]?.string ?? name,
            isArchivable: value["archive"]?.bool ?? false,
            fields: value["fields"]?.elements.compactMap(FieldDescription.init) ?? [],
            list: value["list"]?.elements.compactMap(\.string) ?? [], groupBy: value["group_by"]?.string,
            groups: value["groups"]?.elements.compactMap { group in
                group["key"]?.string.map { ($0, group["label"]?.string ?? $0) }
            } ?? [], vocabularies: vocabularies)
    }

    public var hasGroups: Bool { groupBy != nil && !groups.isEmpty }

    public func field(_ name: String) -> FieldDescription? {
        fields.first { $0.name == name }
    }

    /// The field of that name; for `FIELD.raw` and what is unknown, a plain text.
    public func column(_ name: String) -> FieldDescription {
        field(name) ?? FieldDescription(name: name, type: .text)
    }

    public func code(_ code: String, of field: FieldDescription) -> CodeDescription? {
        field.vocabulary.flatMap { vocabularies[$0]?[code] }
    }
}
