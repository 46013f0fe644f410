// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
public import ClaimsModel

/// What `describe` tells about a field.
public struct FieldDescription: Sendable {
    public let name: String
    public let type: FieldType
    /// Its title in the language asked for, if the definition has one.
    public let title: String?
    public let isSearched: Bool
    public let isEmphasized: Bool
    /// How many lines it may take in a list.
    public let lines: Int
    public let operators: [String]
    public let vocabulary: String?
    /// The name as it stands in a record's bytes.
    public let key: [UInt8]

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
        guard let name = value["name"]?.string else { return nil }
        self.init(
            name: name, type: value["type"]?.string.flatMap(FieldType.init(rawValue:)) ?? .text,
            title: value["title"]?.string, isSearched: value["search"]?.bool ?? false,
            isEmphasized: value["bold"]?.bool ?? false, lines: max(1, Int(clamping: value["lines"]?.integer ?? 1)),
            operators: value["operators"]?.elements.compactMap(\.string) ?? [], vocabulary: value["vocabulary"]?.string)
    }

    /// What stands over its column.
    public var heading: String {
        title ?? name.split(separator: "_").joined(separator: " ")
    }
}
