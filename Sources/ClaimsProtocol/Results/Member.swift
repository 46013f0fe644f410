// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// A member of an object in a result: its name on the wire, and, by its type, the shape of its value.
///
/// The server writes through it and a client reads through it, so that each name is written in one file only:
/// ```swift
/// writer.member(CountResult.total, 7)              // in the server
/// writer.key(CountResult.meta)                     // the caller writes the value next
/// let total = answer[CountResult.total]            // in a client
/// ```
///
/// `Value` has no constraint here: the runtime would look up its conformance for each type of member, in each run of
/// claimsctl. Only ``description`` needs it.
public struct Member<Value>: Sendable {
    /// The name of the member on the wire, in ASCII.
    public let name: StaticString
    /// The meaning of the member in one sentence; empty if the name explains everything.
    ///
    /// It is static text, like the name: so a member is copied without counting references, and without the type of
    /// `Value` at run time, which takes long to find when a program has just started.
    public let summary: StaticString
    /// Whether every object of its kind has the member; a client must accept the absence of any other.
    public let isRequired: Bool

    /// Makes a member that every object of its kind has.
    public init(_ name: StaticString, _ summary: StaticString = "") {
        self.name = name
        self.summary = summary
        isRequired = true
    }

    /// Makes a member that an object may omit.
    public static func optional(_ name: StaticString, _ summary: StaticString = "") -> Member {
        Member(name: name, summary: summary, isRequired: false)
    }

    private init(name: StaticString, summary: StaticString, isRequired: Bool) {
        self.name = name
        self.summary = summary
        self.isRequired = isRequired
    }
}

extension Member where Value: MemberValue {
    /// The member as `describe` and the manual show it.
    ///
    /// - Parameter limited: the part of it that a peer gets that sees only a part of a collection.
    func description(_ limited: LimitedShare) -> MemberDescription {
        MemberDescription(
            name: String(describing: name), shape: Value.resultShape, isRequired: isRequired,
            summary: String(describing: summary), limited: limited)
    }
}

/// The part of a member, or of a method's data, that a peer gets that sees only a part of a collection. Each member
/// declares it, so that no later member is forgotten.
public enum LimitedShare: String, Sendable, CaseIterable {
    /// The part that every peer gets.
    case all
    /// The part that the rule shows: the peer's records and fields, with masked fields masked.
    case rows
    /// Nothing: the member is missing, null or empty, and the method is forbidden.
    case nothing
}

/// A Swift type for the shape of a value in a result.
public protocol MemberValue {
    static var resultShape: ResultShape { get }
}

/// A kind of object in results: an enumeration without cases, whose static properties are its members.
public protocol ResultObject: MemberValue, SendableMetatype {
    /// The name of the kind in clients whose language has types, such as `StatusProblem`; each kind has its own.
    static var typeName: String { get }
    /// The descriptions of all members, in the order in which `describe` lists them.
    static var memberList: [MemberDescription] { get }
}

extension ResultObject {
    public static var resultShape: ResultShape { .object(Self.self) }

    /// The names of the type and of those around it: `StatusProblem` for `StatusResult.Problem`.
    public static var typeName: String {
        // The first name is the module's.
        let names = String(reflecting: Self.self).split(separator: ".").dropFirst()
        let outer = names.dropLast().map { $0.hasSuffix("Result") ? $0.dropLast("Result".count) : $0 }
        return (outer + names.suffix(1)).joined()
    }

    /// The descriptions of members of any types.
    ///
    /// - Parameter limited: the part of each that a peer gets that sees only a part of a collection.
    static func describe<each Value: MemberValue>(
        _ limited: LimitedShare, _ member: repeat Member<each Value>
    ) -> [MemberDescription] {
        var all: [MemberDescription] = []
        for one in repeat each member { all.append(one.description(limited)) }
        return all
    }
}

extension String: MemberValue { public static var resultShape: ResultShape { .string } }

extension Bool: MemberValue { public static var resultShape: ResultShape { .boolean } }

extension Int64: MemberValue { public static var resultShape: ResultShape { .integer } }

extension Int: MemberValue { public static var resultShape: ResultShape { .integer } }

extension Array: MemberValue where Element: MemberValue {
    public static var resultShape: ResultShape { .array(Element.resultShape) }
}

extension Optional: MemberValue where Wrapped: MemberValue {
    public static var resultShape: ResultShape { .nullable(Wrapped.resultShape) }
}

/// An instant, written as an RFC 3339 string in UTC from milliseconds since 1970.
public enum InstantText: MemberValue {
    public static var resultShape: ResultShape { .instant }
}

/// A record: an object whose member names are the fields of the collection's definition.
public enum RecordObject: MemberValue {
    public static var resultShape: ResultShape { .record }
}

/// An object whose member names are data, such as the names of collections, with values of one type.
public enum ObjectMap<Value: MemberValue>: MemberValue {
    public static var resultShape: ResultShape { .map(Value.resultShape) }
}

extension JSONWriter {
    /// Writes the name of a member; the caller writes exactly one value next.
    @inline(__always)
    public mutating func key<Value>(_ member: Member<Value>) { key(member.name) }

    /// Writes a member with a string, which is escaped as JSON requires.
    @inline(__always)
    public mutating func member(_ member: Member<String>, _ value: String) { self.member(member.name, value) }

    /// Writes a member with a string, or with JSON null.
    @inline(__always)
    public mutating func member(_ member: Member<String?>, _ value: String?) { self.member(member.name, value) }

    /// Writes a member with an integer.
    @inline(__always)
    public mutating func member(_ member: Member<Int>, _ value: Int) { self.member(member.name, value) }

    /// Writes a member with an integer.
    @inline(__always)
    public mutating func member(_ member: Member<Int64>, _ value: Int64) { self.member(member.name, value) }

    /// Writes a member with an integer, or with JSON null.
    @inline(__always)
    public mutating func member(_ member: Member<Int64?>, _ value: Int64?) { self.member(member.name, value) }

    /// Writes a member with JSON true or false.
    @inline(__always)
    public mutating func member(_ member: Member<Bool>, _ value: Bool) { self.member(member.name, value) }

    /// Writes a member with an array of strings.
    public mutating func member(_ member: Member<[String]>, _ values: [String]) {
        key(member.name)
        array(values)
    }
}

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
    /// An object whose member names are data, such as names of collections; each value has this shape.
    case map(ResultShape)
    /// A value of this shape, or JSON null.
    case nullable(ResultShape)
    /// An object of one of these shapes.
    case either([ResultShape])

    /// The members of an object with this shape, or of each object if there are several; empty for another shape.
    public var members: [MemberDescription] {
        switch self {
        case .object(let kind): kind.memberList
        case .either(let shapes): shapes.flatMap(\.members)
        default: []
        }
    }

    /// Writes the shape as a JSON Schema (draft 2020-12).
    ///
    /// - Parameters:
    ///   - summary: the `description` of the schema; nil for none.
    ///   - limited: the part of the value that a limited peer gets; `x-limited` names it if it is not all.
    public func writeSchema(
        summary: String? = nil, limited: LimitedShare = .all, to writer: inout JSONWriter
    ) {
        writer.beginObject()
        if let summary { writer.member("description", summary) }
        if limited != .all { writer.member("x-limited", limited.rawValue) }
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
    /// The meaning of the member in one sentence; empty if the name explains everything.
    public let summary: String
    /// The part of it that a peer gets that sees only a part of a collection.
    public let limited: LimitedShare

    /// Writes the members of a schema that describe an object: `properties`, `required`, `additionalProperties`.
    ///
    /// A later version of the daemon may add members, so that others are allowed.
    static func writeSchema(of members: [MemberDescription], to writer: inout JSONWriter) {
        writer.key("properties")
        writer.beginObject()
        for member in members {
            writer.key(member.name)
            member.shape.writeSchema(
                summary: member.summary.isEmpty ? nil : member.summary, limited: member.limited, to: &writer)
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
