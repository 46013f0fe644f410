// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// The shape of a value in a result, which `describe` shows as JSON Schema.
public indirect enum ResultShape: Sendable {
    case string
    case integer
    case boolean
    /// A string with an RFC 3339 instant in UTC, to the millisecond.
    case instant
    /// An object whose members the definition or the upstream determines.
    case record
    /// Any JSON value.
    case any
    /// An object of a kind, which has its members.
    case object(any ResultObject.Type)
    case array(ResultShape)
    /// An object whose member names are data, such as those of collections; each value has this shape.
    case map(ResultShape)
    /// A value of this shape, or JSON null.
    case nullable(ResultShape)
    /// An object of one of these shapes.
    case either([ResultShape])

    /// The members of an object with this shape, those of each where there are several; none for another shape.
    public var members: [MemberDescription] {
        switch self {
        case .object(let kind): kind.memberList
        case .either(let shapes): shapes.flatMap(\.members)
        default: []
        }
    }

    /// Writes the shape as a JSON Schema (draft 2020-12).
    ///
    /// - Parameter summary: the `description` of the schema; nil for none.
    public func writeSchema(summary: String? = nil, to writer: inout JSONWriter) {
        writer.beginObject()
        if let summary { writer.member("description", summary) }
        writeSchemaMembers(isNullable: false, to: &writer)
        writer.endObject()
    }

    /// Writes the JSON Schema of an object with these members.
    static func writeSchema(ofObject members: [MemberDescription], to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("type", "object")
        MemberDescription.writeSchema(of: members, to: &writer)
        writer.endObject()
    }

    private func writeSchemaMembers(isNullable: Bool, to writer: inout JSONWriter) {
        func type(_ name: String) {
            writer.key("type")
            if isNullable { writer.array([name, "null"]) } else { writer.string(name) }
        }
        switch self {
        case .string: type("string")
        case .integer: type("integer")
        case .boolean: type("boolean")
        case .instant:
            type("string")
            writer.member("format", "date-time")
        case .record: type("object")
        case .any: break
        case .object(let kind):
            type("object")
            MemberDescription.writeSchema(of: kind.memberList, to: &writer)
        case .array(let element):
            type("array")
            writer.key("items")
            element.writeSchema(to: &writer)
        case .map(let value):
            type("object")
            writer.key("additionalProperties")
            value.writeSchema(to: &writer)
        case .nullable(let shape): shape.writeSchemaMembers(isNullable: true, to: &writer)
        case .either(let shapes):
            writer.key("anyOf")
            writer.beginArray()
            for shape in shapes { shape.writeSchema(to: &writer) }
            writer.endArray()
        }
    }
}

/// One member of an object in a result, as `describe` and the manual show it.
public struct MemberDescription: Sendable {
    /// The name of the member on the wire.
    public let name: String
    /// The shape of the member's value.
    public let shape: ResultShape
    /// Whether every object of its kind has the member.
    public let isRequired: Bool
    /// The meaning of the member in one sentence; empty if the name says everything.
    public let summary: String

    /// Writes the members of a schema that describe an object: `properties`, `required`, `additionalProperties`.
    ///
    /// A later version of the daemon may add members, so that others are allowed.
    static func writeSchema(of members: [MemberDescription], to writer: inout JSONWriter) {
        writer.key("properties")
        writer.beginObject()
        for member in members {
            writer.key(member.name)
            member.shape.writeSchema(summary: member.summary.isEmpty ? nil : member.summary, to: &writer)
        }
        writer.endObject()
        let required = members.filter(\.isRequired).map(\.name)
        if !required.isEmpty {
            writer.key("required")
            writer.array(required)
        }
        writer.member("additionalProperties", true)
    }
}
