// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

// The members of a definition that concern one of its parts: reading, writing, or access.

extension Definition {
    /// The maximal number of volatile pointers.
    static let maxVolatile = 64

    /// The places in an upstream record that some field is read at.
    public var readPointers: [JSONPointer] { fields.flatMap(\.from) }

    /// The fields with each marked that is read at, below or above a volatile place.
    static func marking(_ fields: [Field], volatile: [JSONPointer]) -> [Field] {
        if volatile.isEmpty { return fields }
        return fields.map { field in
            var field = field
            field.isVolatile = field.from.contains { pointer in volatile.contains { $0.isRelated(to: pointer) } }
            return field
        }
    }
}

extension Definition {
    /// Whether this host is the truth of the collection.
    public var isLocal: Bool { writes?.destination == .local }

    /// Whether records show their unsettled operations, so that filters know the field `pending`.
    public var hasPendingField: Bool { writes?.destination == .upstream }

    /// Whether values come from the join, and so cannot be written.
    public func isJoined(_ field: Int) -> Bool {
        source.join?.take.contains { $0.field == field } ?? false
    }

    /// Whether rules of writes may name the field: not the id, nothing from a join, and nothing volatile.
    public func isWritable(_ field: Int) -> Bool {
        field != idField && !isJoined(field) && !fields[field].isVolatile
    }
}

extension WriteRules {
    /// All places that a value of a field is written to or cleared at, that in bodies of requests first.
    func pointers(of field: Int, in definition: Definition) -> [JSONPointer] {
        let from = definition.fields[field].from
        guard let own = rule(of: field)?.pointer, own != from.first else { return from }
        return [own] + from.filter { $0 != own }
    }
}

extension WriteAction.Assignment {
    /// Whether the value is the time of the operation.
    func isNow(in definition: Definition) -> Bool {
        let type = definition.fields[field].type
        return (type == .instant || type == .date) && value.string == "now"
    }
}

extension AccessRules.Rule {
    /// The part of each field of a definition that is shown; nil: all of every field.
    public func sights(of definition: Definition) -> [FieldSight]? {
        if fields == nil, masks.isEmpty { return nil }
        let sights = definition.fields.enumerated().map { index, field in
            index == definition.idField ? .whole : definition.isRuled(index) ? sight(of: field) : .hidden
        }
        return sights.contains { $0 != .whole } ? sights : nil
    }
}
