// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON

/// The reason why a write cannot be composed with an object of the upstream.
public enum ComposeError: Error, Sendable, Hashable {
    /// An array lies on the way to a value, at this place; nothing is written through arrays.
    case array(JSONPointer)
    /// The object cannot be parsed, or is none.
    case notAnObject
    /// The request has no address for the record: its id is missing, or makes a step of the path (`.` or `..`).
    case noAddress
}

/// Makes objects and requests of writes. Pure.
///
/// ```swift
/// let composer = WriteComposer(definition)
/// let object = try composer.object(showing: write, over: upstream, id: id)
/// ```
public struct WriteComposer: Sendable {
    let definition: Definition
    let rules: WriteRules

    /// A composer for the writes of a definition; without rules it writes nothing anywhere.
    public init(_ definition: Definition) {
        self.definition = definition
        rules = definition.writes ?? WriteRules()
    }

    /// The object of a record as it will be once the write is done, to be decoded like a fetched one.
    ///
    /// Each value goes where its field is read first; clearing takes every place away. Members that the write does not
    /// concern keep their bytes and their order.
    ///
    /// - Parameters:
    ///   - base: The object of the record before the write; nil for a new record.
    ///   - id: The id of a new record, which goes where the id is read first; nil to leave the id alone.
    public func object(
        showing write: CheckedWrite, over base: [UInt8]?, id: [UInt8]? = nil
    ) throws(ComposeError) -> [UInt8] {
        var changes = ObjectChanges()
        addID(id, to: &changes)
        for written in write.shown {
            let field = definition.fields[written.field]
            if written.value.isNull {
                for pointer in rules.pointers(of: written.field, in: definition) { changes.add(.remove, at: pointer) }
            } else if let pointer = field.from.first {
                changes.add(.set(written.value, field.type), at: pointer)
            }
        }
        return try Self.apply(changes, to: base ?? Self.emptyObject)
    }

    static let emptyObject = Array("{}".utf8)

    func addID(_ id: [UInt8]?, to changes: inout ObjectChanges) {
        guard let id, let pointer = definition.fields[definition.idField].from.first else { return }
        changes.add(.set(.string(String(decoding: id, as: UTF8.self)), nil), at: pointer)
    }

    static func apply(_ changes: ObjectChanges, to base: [UInt8]) throws(ComposeError) -> [UInt8] {
        // Of members of one name only the last is left.
        let compact = try compacted(base)
        let tape = try parsed(compact)
        do throws(ObjectChanges.ArrayInTheWay) {
            return try changes.applied(to: tape, in: compact.rawSpan)
        } catch {
            throw .array(error.pointer)
        }
    }

    static func parsed(_ bytes: [UInt8]) throws(ComposeError) -> JSONTape {
        var tape = JSONTape()
        do throws(JSONError) {
            _ = try tape.parse(bytes.rawSpan, depth: JSONValue.maximumDepth)
        } catch {
            throw .notAnObject
        }
        guard tape[0].kind == .object else { throw .notAnObject }
        return tape
    }

    private static func compacted(_ bytes: [UInt8]) throws(ComposeError) -> [UInt8] {
        let tape = try parsed(bytes)
        var compact: [UInt8] = []
        tape.appendCompact(0, in: bytes.rawSpan, to: &compact)
        return compact
    }
}
