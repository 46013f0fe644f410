// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsJSON
public import ClaimsModel
import ClaimsProtocol

/// The operations that a collection offers, from an answer of `describe`.
public struct OfferedWrites: Sendable {
    /// Whether what is written goes to an upstream, and waits in the outbox until then.
    public let isUpstream: Bool
    /// The actions, in the order of the answer.
    public let actions: [OfferedAction]

    /// The field that lists the files of a record; nil where no action takes any.
    public var fileField: String? { actions.lazy.compactMap(\.files).first?.field }

    /// The action of that name; nil if it is not offered.
    public func action(_ name: String) -> OfferedAction? { actions.first { $0.name == name } }

    /// Reads the member `writes` of a collection; nil where there is none.
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
    public let limits: [ErrorText]

    init(name: String, isRequired: Bool, schema: AnswerValue) {
        self.name = name
        self.isRequired = isRequired
        let choices = schema["enum"]?.elements
        codes = (choices ?? []).compactMap(\.string)
        let types = schema["type"]?.elements.map(\.text)
        isClearable = !isRequired && (choices?.contains { $0.kind == .null } ?? types?.contains("null") ?? true)
        var limits: [ErrorText] = []
        if let length = schema["maxLength"]?.integer {
            limits.append(.noMore(than: length, .characters))
        }
        if let bytes = schema["x-max-bytes"]?.integer {
            limits.append(
                ErrorText(
                    en: "at most \(Messages.english.size(bytes)) of JSON",
                    pl: "najwyżej \(Messages.polish.size(bytes)) JSON-u"))
        }
        if let least = schema["minimum"] ?? schema["x-minimum"] {
            limits.append(ErrorText(en: "from \(least.text)", pl: "od \(least.text)"))
        }
        if let greatest = schema["maximum"] ?? schema["x-maximum"] {
            limits.append(ErrorText(en: "up to \(greatest.text)", pl: "do \(greatest.text)"))
        }
        if let scale = schema["x-scale"]?.integer {
            limits.append(.noMore(than: scale, .decimals))
        }
        if let collection = schema["x-refs"]?.string {
            limits.append(ErrorText(en: "ids of \(collection)", pl: "identyfikatory z \(collection)"))
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

extension ErrorText {
    fileprivate static func noMore(than number: Int64, _ noun: Plural) -> ErrorText {
        ErrorText(
            en: Messages.english.noMore(than: Messages.english.count(number, noun)),
            pl: Messages.polish.noMore(than: Messages.polish.count(number, noun)))
    }
}
