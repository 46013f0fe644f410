// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// The value that a write gives a field.
public struct WrittenValue: Sendable, Equatable {
    /// The index of the field in the definition.
    public var field: Int
    /// The value; null clears the field.
    public var value: JSONValue

    public init(field: Int, value: JSONValue) {
        (self.field, self.value) = (field, value)
    }
}

/// An id in a written value that names a record of another collection, or of the same one.
public struct WriteReference: Sendable, Hashable {
    /// The index of the field with the value.
    public var field: Int
    /// The name of the collection that the id is of.
    public var collection: String
    /// The id.
    public var id: String

    public init(field: Int, collection: String, id: String) {
        self.field = field
        self.collection = collection
        self.id = id
    }
}

/// The values of a write that has passed its checks, each in the definition's order.
public struct CheckedWrite: Sendable, Equatable {
    /// The action.
    public var action: WriteAction
    /// The values that the caller gave; null for cleared ones.
    public var given: [WrittenValue]
    /// The values that the action gives, sent too.
    public var set: [WrittenValue]
    /// The values that the upstream will set: shown, not sent.
    public var shows: [WrittenValue]

    public init(
        action: WriteAction, given: [WrittenValue] = [], set: [WrittenValue] = [], shows: [WrittenValue] = []
    ) {
        self.action = action
        self.given = given
        self.set = set
        self.shows = shows
    }

    /// The values that are sent, in the definition's order.
    public var sent: [WrittenValue] { Self.merged(given + set) }

    /// The values that the record shows once the write is done, in the definition's order.
    public var shown: [WrittenValue] { Self.merged(given + set + shows) }

    /// The indexes of the fields that the write gives, sets or shows, ascending.
    public var touched: [Int] { shown.map(\.field) }

    /// The indexes of the fields that the caller cleared, ascending.
    public var cleared: [Int] { given.filter(\.value.isNull).map(\.field) }

    private static func merged(_ values: [WrittenValue]) -> [WrittenValue] {
        values.sorted { $0.field < $1.field }
    }

    /// The ids of other records that the given values hold, each once.
    public func references(in definition: Definition) -> [WriteReference] {
        var references: [WriteReference] = []
        for written in given {
            guard let collection = definition.writes?.rule(of: written.field)?.refs else { continue }
            for id in Self.ids(in: written.value) ?? [] {
                let reference = WriteReference(field: written.field, collection: collection, id: id)
                if !references.contains(reference) { references.append(reference) }
            }
        }
        return references
    }

    /// The same write with other ids in its references.
    ///
    /// - Parameter newID: Returns the current id for a reference; nil if it has not changed.
    public func replacing(in definition: Definition, _ newID: (WriteReference) -> String?) -> CheckedWrite {
        var write = self
        for index in write.given.indices {
            let field = write.given[index].field
            guard let collection = definition.writes?.rule(of: field)?.refs else { continue }
            func renamed(_ value: JSONValue) -> JSONValue {
                guard let id = value.string ?? value.number,
                    let other = newID(WriteReference(field: field, collection: collection, id: id))
                else { return value }
                return .string(other)
            }
            if case .array(let elements) = write.given[index].value {
                write.given[index].value = .array(elements.map(renamed))
            } else {
                write.given[index].value = renamed(write.given[index].value)
            }
        }
        return write
    }

    /// The ids that a value of a field with `refs` holds; nil if it is neither an id nor an array of ids.
    static func ids(in value: JSONValue) -> [String]? {
        switch value {
        case .null: return []
        case .string(let id), .number(let id): return [id]
        case .array(let elements):
            let ids = elements.compactMap { $0.string ?? $0.number }
            return ids.count == elements.count ? ids : nil
        case .bool, .object: return nil
        }
    }
}

extension CheckedWrite {
    /// The values by the names of fields, as an operation keeps them.
    public func values(in definition: Definition) -> OperationValues {
        func object(_ values: [WrittenValue]) -> JSONObject {
            JSONObject(values.map { .init(definition.fields[$0.field].name, $0.value) })
        }
        var values = OperationValues()
        values.given = object(given)
        values.set = object(set)
        values.shown = object(shows)
        return values
    }

    /// The write of an operation, by the definition that it was checked by or by another one. Nothing is checked.
    ///
    /// - Returns: Nil if the values name a field that the definition does not have.
    public init?(_ values: OperationValues, action: WriteAction, in definition: Definition) {
        func fields(_ object: JSONObject) -> [WrittenValue]? {
            let values = object.members.compactMap { member in
                definition.fieldIndex(member.key).map { WrittenValue(field: $0, value: member.value) }
            }
            return values.count == object.count ? values.sorted { $0.field < $1.field } : nil
        }
        guard let given = fields(values.given), let set = fields(values.set), let shows = fields(values.shown) else {
            return nil
        }
        self.init(action: action, given: given, set: set, shows: shows)
    }
}

/// All mistakes in the fields and files of one write.
public struct InvalidWrite: Error, Sendable, Equatable {
    /// The mistakes: unknown fields first, then in the definition's order; files last.
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

    /// The files that stay, by their indexes among the files of a record, and the texts that name none of them.
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

    /// The attached files without files that are there already, with the same content and name.
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
