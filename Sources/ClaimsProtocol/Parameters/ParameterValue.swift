// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
public import ClaimsModel

/// A type that a parameter can have: it reads its values from JSON, and writes them.
public protocol ParameterValue: Sendable {
    /// The JSON values that ``read(_:of:as:)`` accepts.
    static var shape: ParameterShape { get }

    /// Reads the value at a node of the arguments.
    ///
    /// - Parameters:
    ///   - node: the index of the value's node; it is not JSON null.
    ///   - parameter: the parameter that is read, for its name and bounds.
    /// - Throws: `bad_params` for JSON of another shape or out of bounds; a filter or a sort order throws the error of
    ///   its own kind.
    static func read(
        _ node: Int, of arguments: borrowing Arguments, as parameter: Parameter<Self>
    ) throws(RequestError) -> Self

    /// Writes the value in the form that ``read(_:of:as:)`` accepts.
    func write(to writer: inout JSONWriter)
}

extension String: ParameterValue {
    public static var shape: ParameterShape { .string }

    public static func read(
        _ node: Int, of arguments: borrowing Arguments, as parameter: Parameter<String>
    ) throws(RequestError) -> String {
        guard arguments.kind(node) == .string else { throw arguments.mismatch(parameter) }
        return arguments.text(node)
    }

    public func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Bool: ParameterValue {
    public static var shape: ParameterShape { .boolean }

    public static func read(
        _ node: Int, of arguments: borrowing Arguments, as parameter: Parameter<Bool>
    ) throws(RequestError) -> Bool {
        switch arguments.kind(node) {
        case .true: return true
        case .false: return false
        default: throw arguments.mismatch(parameter)
        }
    }

    public func write(to writer: inout JSONWriter) { writer.bool(self) }
}

extension Int64: ParameterValue {
    public static var shape: ParameterShape { .integer(.min ... .max) }

    public static func read(
        _ node: Int, of arguments: borrowing Arguments, as parameter: Parameter<Int64>
    ) throws(RequestError) -> Int64 {
        guard arguments.kind(node) == .number, let value = Int64(arguments.text(node)) else {
            throw arguments.mismatch(parameter)
        }
        if let range = parameter.range {
            let bounds = range.resolved(within: arguments.bounds)
            if !bounds.contains(value) {
                let hint = value > bounds.upperBound ? range.setting : nil
                throw arguments.mismatch(
                    parameter, because: TranslatedText(en: "not \(value)", pl: "a nie \(value)"),
                    hint: hint.map {
                        TranslatedText(en: "the setting \($0) bounds it", pl: "granicę wyznacza ustawienie \($0)")
                    })
            }
        }
        return value
    }

    public func write(to writer: inout JSONWriter) { writer.integer(self) }
}

/// A parameter type with a fixed set of strings: the raw values of an enumeration.
public protocol ChoiceParameterValue: ParameterValue, RawRepresentable<String>, CaseIterable {}

extension ChoiceParameterValue {
    public static var shape: ParameterShape { .choice(allCases.map(\.rawValue)) }

    public static func read(
        _ node: Int, of arguments: borrowing Arguments, as parameter: Parameter<Self>
    ) throws(RequestError) -> Self {
        guard arguments.kind(node) == .string else { throw arguments.mismatch(parameter) }
        let name = arguments.text(node)
        guard let value = Self(rawValue: name) else {
            throw arguments.mismatch(parameter, because: TranslatedText(en: "not '\(name)'", pl: "a nie „\(name)”"))
        }
        return value
    }

    public func write(to writer: inout JSONWriter) { writer.string(rawValue) }
}

/// A list of names, such as names of fields: a JSON array, or one string that is split at its commas.
///
/// A number in the array counts as its text.
public struct NameList: ParameterValue, Equatable, ExpressibleByArrayLiteral {
    /// The names, in the order of the request; none is checked here.
    public var names: [String]

    public init(_ names: [String]) { self.names = names }
    public init(arrayLiteral names: String...) { self.names = names }

    public static var shape: ParameterShape { .strings }

    public static func read(
        _ node: Int, of arguments: borrowing Arguments, as parameter: Parameter<NameList>
    ) throws(RequestError) -> NameList {
        switch arguments.kind(node) {
        case .string:
            let parts = arguments.text(node).split(separator: ",", omittingEmptySubsequences: false)
            return NameList(parts.map(String.init))
        case .array: return NameList(try arguments.texts(node, of: parameter))
        default: throw arguments.mismatch(parameter)
        }
    }

    public func write(to writer: inout JSONWriter) { writer.array(names) }
}

/// The id of a record, as text. A JSON number counts as its digits.
public struct RecordID: ParameterValue, Equatable, ExpressibleByStringLiteral {
    /// The text of the id.
    public var text: String

    public init(_ text: String) { self.text = text }
    public init(stringLiteral text: String) { self.text = text }

    public static var shape: ParameterShape { .identifier }

    public static func read(
        _ node: Int, of arguments: borrowing Arguments, as parameter: Parameter<RecordID>
    ) throws(RequestError) -> RecordID {
        switch arguments.kind(node) {
        case .string, .number: return RecordID(arguments.text(node))
        default: throw arguments.mismatch(parameter)
        }
    }

    public func write(to writer: inout JSONWriter) { writer.string(text) }
}

/// A list of record ids: a JSON array of strings and integers, or a single id. A comma is part of an id.
public struct RecordIDList: ParameterValue, Equatable, ExpressibleByArrayLiteral {
    /// The texts of the ids, in the order of the request.
    public var texts: [String]

    public init(_ texts: [String]) { self.texts = texts }
    public init(arrayLiteral texts: String...) { self.texts = texts }

    public static var shape: ParameterShape { .identifiers }

    public static func read(
        _ node: Int, of arguments: borrowing Arguments, as parameter: Parameter<RecordIDList>
    ) throws(RequestError) -> RecordIDList {
        switch arguments.kind(node) {
        case .string, .number: return RecordIDList([arguments.text(node)])
        case .array: return RecordIDList(try arguments.texts(node, of: parameter))
        default: throw arguments.mismatch(parameter)
        }
    }

    public func write(to writer: inout JSONWriter) { writer.array(texts) }
}

/// The id of a request, as the bytes of its JSON; two ids are equal if these bytes are.
public struct RequestID: ParameterValue, Equatable, ExpressibleByIntegerLiteral {
    /// The JSON of the id: a string with its quotes, or a number.
    public var json: [UInt8]

    public init(json: [UInt8]) { self.json = json }
    public init(integerLiteral number: Int64) { json = Array(String(number).utf8) }

    public static var shape: ParameterShape { .identifier }

    public static func read(
        _ node: Int, of arguments: borrowing Arguments, as parameter: Parameter<RequestID>
    ) throws(RequestError) -> RequestID {
        switch arguments.kind(node) {
        case .string, .number: return RequestID(json: arguments.compactBytes(node))
        default: throw arguments.mismatch(parameter)
        }
    }

    public func write(to writer: inout JSONWriter) { writer.raw(json) }
}

/// The purpose of a connection's requests, in the client's own words: one line of printable text.
public struct Purpose: ParameterValue, Hashable {
    /// The text, of 1 to ``maxBytes`` bytes.
    public let text: String

    /// The longest text, in bytes.
    public static let maxBytes = 128
    /// The form that a text must have, for errors.
    public static let expectation = TranslatedText(
        en: "one line of printable text, 1 to \(maxBytes) bytes",
        pl: "jeden wiersz tekstu bez znaków sterujących, od 1 do \(maxBytes) bajtów")

    /// Makes a purpose; nil for a text that is empty, too long, more than a line, or has control characters.
    public init?(_ text: String) {
        guard (1...Self.maxBytes).contains(text.utf8.count), text.unicodeScalars.allSatisfy(Self.isPrintable) else {
            return nil
        }
        self.text = text
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }

    public static var shape: ParameterShape { .string }

    public static func read(
        _ node: Int, of arguments: borrowing Arguments, as parameter: Parameter<Purpose>
    ) throws(RequestError) -> Purpose {
        guard arguments.kind(node) == .string else { throw arguments.mismatch(parameter) }
        guard let purpose = Purpose(arguments.text(node)) else {
            throw RequestError(
                parameter,
                TranslatedText(
                    en: "parameter '\(parameter.name)': expected \(expectation.english)",
                    pl: "parametr „\(parameter.name)”: oczekiwano: \(expectation.polish)"))
        }
        return purpose
    }

    public func write(to writer: inout JSONWriter) { writer.string(text) }
}

/// The range of protocol versions that a client speaks, both ends included.
public struct VersionRange: ParameterValue, Equatable {
    /// The lowest version that the client speaks.
    public var lowest: Int64
    /// The highest version that the client speaks.
    public var highest: Int64

    public init(_ versions: ClosedRange<Int64>) {
        lowest = versions.lowerBound
        highest = versions.upperBound
    }

    public static var shape: ParameterShape { .versions }

    public static func read(
        _ node: Int, of arguments: borrowing Arguments, as parameter: Parameter<VersionRange>
    ) throws(RequestError) -> VersionRange {
        // A longer text cannot be a pair of versions, and a tree of it would need many times its size.
        guard arguments.byteCount(node) <= 256, let versions = arguments.value(node).array, versions.count == 2,
            let lowest = versions[0].integer, let highest = versions[1].integer, lowest <= highest
        else { throw arguments.mismatch(parameter) }
        return VersionRange(lowest...highest)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginArray()
        writer.integer(lowest)
        writer.integer(highest)
        writer.endArray()
    }
}

/// A filter as the request has it: a text, or a tree of arrays. ClaimsQuery parses it.
public struct FilterValue: ParameterValue, Equatable, ExpressibleByStringLiteral {
    /// The filter's JSON: a string or an array.
    public var json: JSONValue

    public init(_ text: String) { json = .string(text) }
    public init(stringLiteral text: String) { json = .string(text) }
    private init(json: JSONValue) { self.json = json }

    public static var shape: ParameterShape { .filter }

    /// Reads a filter without parsing it.
    ///
    /// - Throws: `bad_filter` for a filter that is far too long, before a tree is made of it; `bad_params` for JSON
    ///   that is neither a string nor an array.
    public static func read(
        _ node: Int, of arguments: borrowing Arguments, as parameter: Parameter<FilterValue>
    ) throws(RequestError) -> FilterValue {
        try arguments.requireSize(node, of: parameter, else: .badFilter)
        switch arguments.kind(node) {
        case .string, .array: return FilterValue(json: arguments.value(node))
        default: throw arguments.mismatch(parameter)
        }
    }

    public func write(to writer: inout JSONWriter) { json.write(to: &writer) }
}

/// Sort keys as the request has them: the name of an order, keys separated by commas, or an array of keys.
///
/// ClaimsQuery parses them.
public struct SortValue: ParameterValue, Equatable, ExpressibleByArrayLiteral {
    /// The JSON of the keys, in the form of the request.
    public var json: JSONValue

    public init(_ keys: [String]) { json = .array(keys.map { .string($0) }) }
    public init(arrayLiteral keys: String...) { self.init(keys) }
    private init(json: JSONValue) { self.json = json }

    public static var shape: ParameterShape { .strings }

    /// Reads sort keys without parsing them.
    ///
    /// - Throws: `bad_sort` for keys that are far too long. JSON of another shape passes here, and the parser refuses
    ///   it.
    public static func read(
        _ node: Int, of arguments: borrowing Arguments, as parameter: Parameter<SortValue>
    ) throws(RequestError) -> SortValue {
        try arguments.requireSize(node, of: parameter, else: .badSort)
        return SortValue(json: arguments.value(node))
    }

    public func write(to writer: inout JSONWriter) { json.write(to: &writer) }
}

extension JSONWriter {
    /// Writes a JSON array of strings.
    public mutating func array(_ texts: [String]) {
        beginArray()
        for text in texts { string(text) }
        endArray()
    }
}
