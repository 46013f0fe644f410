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
    /// The meaning of the member in one sentence; empty if the name says everything.
    ///
    /// It is static text, as the name is: so a member is copied without counting references, and without the type of
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
    public var description: MemberDescription {
        MemberDescription(
            name: String(describing: name), shape: Value.resultShape, isRequired: isRequired,
            summary: String(describing: summary))
    }
}

/// A Swift type that stands for the shape of a value in a result.
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
    static func describe<each Value: MemberValue>(_ member: repeat Member<each Value>) -> [MemberDescription] {
        var all: [MemberDescription] = []
        for one in repeat each member { all.append(one.description) }
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
