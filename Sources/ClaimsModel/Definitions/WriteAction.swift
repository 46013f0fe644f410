// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// An action on records: `create`, `update`, `delete`, or one that the definition names.
public struct WriteAction: Sendable, Equatable {
    /// The effect on the set of records.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case create, update, delete
        /// An action with a name of its own. It changes a record, as an update does.
        case named
    }

    /// A value that the action itself gives a field.
    public struct Assignment: Sendable, Equatable {
        /// The index of the field in the definition.
        public var field: Int
        /// The value; the text `now` for a moment or a day stands for the time of the operation.
        public var value: JSONValue

        public init(field: Int, value: JSONValue) {
            (self.field, self.value) = (field, value)
        }

        /// Whether the value is the time of the operation.
        func isNow(in definition: Definition) -> Bool {
            let type = definition.fields[field].type
            return (type == .instant || type == .date) && value.string == "now"
        }
    }

    /// A filter that the served record must match.
    public struct Condition: Sendable, Hashable {
        /// The text of the filter, which is not parsed yet.
        public var filter: String
        /// The location of the filter in the files, for errors of its parser; nil if it comes from no file.
        public var location: ConfigurationLocation?

        public init(filter: String, location: ConfigurationLocation? = nil) {
            (self.filter, self.location) = (filter, location)
        }
    }

    /// The name that requests use: `create`, `update`, `delete`, or the action's own.
    public var name: String
    /// The effect on the set of records.
    public var kind: Kind
    /// The name for people; nil if it is made from the name.
    public var label: LocalizedText?
    /// The users and groups that may do it; nil for those of the collection.
    public var role: RoleSettings.Members?
    /// The condition on the served record; nil for any record.
    public var condition: Condition?
    /// The indexes of the fields that callers may give, ascending.
    public var fields: [Int]
    /// The values that are given and sent.
    public var set: [Assignment]
    /// The values that the upstream will set by itself: shown, not sent.
    public var shows: [Assignment]
    /// Whether callers may attach files.
    public var takesFiles: Bool
    /// The request to the upstream; nil if the definition has no address for it.
    public var request: WriteRequest?

    public init(
        name: String, kind: Kind, label: LocalizedText? = nil, role: RoleSettings.Members? = nil,
        condition: Condition? = nil, fields: [Int] = [], set: [Assignment] = [], shows: [Assignment] = [],
        takesFiles: Bool = false, request: WriteRequest? = nil
    ) {
        self.name = name
        self.kind = kind
        self.label = label
        self.role = role
        self.condition = condition
        self.fields = fields
        self.set = set
        self.shows = shows
        self.takesFiles = takesFiles
        self.request = request
    }

    /// The name for people in a language.
    public func title(_ language: String) -> String {
        if let label { return label.text(language) }
        switch kind {
        case .create: return LocalizedText(en: "Add", pl: "Dodaj").text(language)
        case .update: return LocalizedText(en: "Edit", pl: "Edytuj").text(language)
        case .delete: return LocalizedText(en: "Delete", pl: "Usuń").text(language)
        case .named: return LocalizedText.humanized(name)
        }
    }
}

/// The rule for the values that callers give a field.
public struct FieldRule: Sendable, Hashable {
    /// The index of the field in the definition.
    public var field: Int
    /// Whether a create needs a value, and nothing may clear it.
    public var isRequired: Bool
    /// The indexes of the codes of an enum that may be given.
    public var codes: [Int]
    /// The longest value: of a text or address in Unicode scalars, of JSON in bytes; nil for other types.
    public var maxLength: Int?
    /// The smallest number, moment or day, as a number or a date of filters such as `today`; nil for any.
    public var minimum: String?
    /// The greatest number, moment or day; nil for any.
    public var maximum: String?
    /// The digits that a decimal may have after the point; nil for any number.
    public var maxScale: Int?
    /// The name of the collection whose ids the value holds; nil if it holds none.
    public var refs: String?
    /// Where bodies of requests have the value; nil for where the field is read first.
    public var pointer: JSONPointer?

    public init(
        field: Int, isRequired: Bool = false, codes: [Int] = [], maxLength: Int? = nil, minimum: String? = nil,
        maximum: String? = nil, maxScale: Int? = nil, refs: String? = nil, pointer: JSONPointer? = nil
    ) {
        self.field = field
        self.isRequired = isRequired
        self.codes = codes
        self.maxLength = maxLength
        self.minimum = minimum
        self.maximum = maximum
        self.maxScale = maxScale
        self.refs = refs
        self.pointer = pointer
    }

    /// The default of ``maxLength`` for a type; nil for a type without one.
    public static func maxLength(of type: FieldType) -> Int? {
        switch type {
        case .text: 4096
        case .url: 2048
        case .json: 16 << 10
        case .id, .enum, .integer, .decimal, .instant, .date, .bool: nil
        }
    }
}
