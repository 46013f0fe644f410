// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
public import ClaimsModel

/// The name, the shape and the meaning of one parameter, for the method that reads it, the client that writes it,
/// `describe`, and the manual.
///
/// A parameter is a constant of the type that has it. Its name is spelled there and nowhere else:
/// ```swift
/// static var isWaiting: Parameter<Bool> { Parameter("wait", "Answer when it is done.", default: false) }
/// ```
/// The value's type decides which JSON is read (``ParameterValue``); the method's visit decides whether a request must
/// have the parameter (``MethodParameters/visit(_:)``).
public struct Parameter<Value: Sendable>: Sendable {
    /// The name of the parameter on the wire, in ASCII.
    public let name: StaticString
    /// The effect of the parameter in one sentence, for people.
    public let summary: String
    /// The bounds of an integer; nil for every other type.
    let range: IntegerRange?
    /// The value for a request without the parameter; nil if there is none.
    let defaultValue: Value?

    /// Makes a parameter that accepts every value of its type.
    ///
    /// - Parameter defaultValue: the value for an omitted parameter; nil if there is none.
    public init(_ name: StaticString, _ summary: String, default defaultValue: Value? = nil) {
        self.name = name
        self.summary = summary
        self.range = nil
        self.defaultValue = defaultValue
    }
}

extension Parameter where Value: ParameterValue {
    /// The shape of the value.
    ///
    /// - Parameter bounds: the settings that some ranges rest on.
    func shape(within bounds: RequestBounds) -> ParameterShape {
        range.map { .integer($0.resolved(within: bounds)) } ?? Value.shape
    }
}

extension Parameter where Value == Int64 {
    /// Makes an integer parameter with bounds.
    ///
    /// - Parameters:
    ///   - range: the bounds; a value outside them is refused with `bad_params`.
    ///   - defaultValue: the value for an omitted parameter; nil if there is none.
    public init(_ name: StaticString, _ summary: String, range: IntegerRange, default defaultValue: Int64? = nil) {
        self.name = name
        self.summary = summary
        self.range = range
        self.defaultValue = defaultValue
    }
}

/// The bounds of an integer parameter, both ends included.
public enum IntegerRange: Sendable {
    /// Bounds that no setting changes.
    case fixed(ClosedRange<Int64>)
    /// From 1 to the setting `limits.request`, in milliseconds.
    case requestTime

    func resolved(within bounds: RequestBounds) -> ClosedRange<Int64> {
        switch self {
        case .fixed(let range): range
        case .requestTime: 1...max(1, bounds.requestTime)
        }
    }

    /// The setting that the upper end comes from, for the hint of an error.
    var setting: String? {
        switch self {
        case .fixed: nil
        case .requestTime: "limits.request"
        }
    }
}

/// The settings that bound the parameters of a request.
public struct RequestBounds: Sendable {
    /// The maximum time of a query, in milliseconds.
    public var requestTime: Int64
    /// The maximum size of a filter, in bytes.
    public var filter: Int
    /// The maximum size of the values of an operation, in bytes of JSON.
    public var operation: Int

    /// Makes bounds from a time in milliseconds and sizes in bytes.
    public init(requestTime: Int64, filter: Int, operation: Int = ServingLimits().operation) {
        self.requestTime = requestTime
        self.filter = filter
        self.operation = operation
    }

    /// Makes the bounds that the daemon's limits set.
    public init(_ limits: ServingLimits) {
        self.init(
            requestTime: Int64(limits.request / .milliseconds(1)), filter: limits.filter, operation: limits.operation)
    }

    /// The bounds under the default settings.
    public static let standard = RequestBounds(ServingLimits())
}

/// The JSON values that a parameter accepts; `describe` shows them as JSON Schema.
public enum ParameterShape: Sendable {
    case string
    case boolean
    case integer(ClosedRange<Int64>)
    /// One of these strings.
    case choice([String])
    /// An array of strings, or one string that is split at its commas.
    case strings
    /// A filter, as a string or as a tree of arrays.
    case filter
    /// An array of two integers, `[min, max]`.
    case versions
    /// The id of a record or of a request: a string or an integer.
    case identifier
    /// An array of ids, or a single id. A comma is part of an id and separates nothing.
    case identifiers
    /// An object whose member names are names of fields.
    case fieldValues
    /// A string of Base64 (RFC 4648, section 4).
    case base64
    /// A place in an order: `"start"`, `"end"`, `{"id":ID}` or `{"rank":N}`.
    case anchor

    /// The shape as a JSON Schema (draft 2020-12), in finished JSON.
    public var schema: String {
        switch self {
        case .string: #"{"type":"string"}"#
        case .boolean: #"{"type":"boolean"}"#
        case .integer(let range):
            #"{"type":"integer","minimum":\#(range.lowerBound),"maximum":\#(range.upperBound)}"#
        case .choice(let choices):
            #"{"enum":[\#(choices.map { "\"\($0)\"" }.joined(separator: ","))]}"#
        case .strings: #"{"type":["string","array"],"items":{"type":"string"}}"#
        case .filter: #"{"type":["string","array"]}"#
        case .versions: #"{"type":"array","items":{"type":"integer"},"minItems":2,"maxItems":2}"#
        case .identifier: #"{"type":["string","integer"]}"#
        case .identifiers: #"{"type":["string","integer","array"],"items":{"type":["string","integer"]}}"#
        case .fieldValues: #"{"type":"object"}"#
        case .base64: #"{"type":"string","contentEncoding":"base64"}"#
        case .anchor: Self.anchorSchema
        }
    }

    private static var anchorSchema: String {
        #"{"type":["string","object"],"pattern":"^(start|end)$","properties":{"id":\#(Self.identifier.schema),"#
            + #""rank":{"type":"integer","minimum":0}},"minProperties":1,"maxProperties":1,"#
            + #""additionalProperties":false}"#
    }

    /// The shape in English, for the manual.
    public var expectation: String { expected.english }

    /// The shape for an error message: the words that follow "expected".
    var expected: TranslatedText {
        switch self {
        case .string: TranslatedText(en: "a string", pl: "tekstu")
        case .boolean: TranslatedText(en: "true or false", pl: "true lub false")
        case .integer(let range):
            TranslatedText(
                en: "an integer from \(range.lowerBound) to \(range.upperBound)",
                pl: "liczby całkowitej od \(range.lowerBound) do \(range.upperBound)")
        case .choice(let choices):
            TranslatedText(
                en: "one of \(choices.joined(separator: ", "))",
                pl: "jednej z wartości: \(choices.joined(separator: ", "))")
        case .strings: TranslatedText(en: "a string or an array of strings", pl: "tekstu lub tablicy tekstów")
        case .filter: TranslatedText(en: "a filter as a string or as a tree", pl: "filtra jako tekstu lub drzewa")
        case .versions:
            TranslatedText(
                en: "two integers, the lowest and the highest version",
                pl: "dwóch liczb całkowitych: najniższej i najwyższej wersji")
        case .identifier:
            TranslatedText(en: "an id, a string or an integer", pl: "identyfikatora: tekstu lub liczby całkowitej")
        case .identifiers:
            TranslatedText(
                en: "an id or an array of ids, strings or integers",
                pl: "identyfikatora albo tablicy identyfikatorów: tekstów lub liczb całkowitych")
        case .fieldValues: TranslatedText(en: "an object of fields and values", pl: "obiektu z polami i wartościami")
        case .base64: TranslatedText(en: "Base64 with padding", pl: "Base64 z dopełnieniem")
        case .anchor:
            TranslatedText(
                en: #""start", "end", {"id": ID} or {"rank": N}"#,
                pl: #""start", "end", {"id": ID} lub {"rank": N}"#)
        }
    }
}

/// One parameter of a method as `describe` and the manual show it.
public struct ParameterDescription: Sendable {
    /// The name of the parameter on the wire.
    public let name: String
    /// The JSON values that the parameter accepts, with the bounds that the settings give.
    public let shape: ParameterShape
    /// Whether every request must have the parameter.
    public let isRequired: Bool
    /// The value for an omitted parameter, as finished JSON; nil if there is none.
    public let defaultJSON: String?
    /// The effect of the parameter in one sentence, for people.
    public let summary: String
}

/// A short name as numbers, so that names are compared at once, not byte by byte.
///
/// Two names of up to 16 bytes are equal exactly if their numbers are; a longer name differs from all of them.
struct PackedName: Equatable, Sendable {
    private let count: Int
    /// The first and the last eight bytes. They overlap in shorter names; fewer than eight bytes are in the first
    /// number alone.
    private let head: UInt64
    private let tail: UInt64

    /// The length of the longest known name, in bytes.
    static let maxBytes = 16

    /// The packed form of a known name: the name of a method, a parameter or a member of a request.
    ///
    /// A known name with more than ``maxBytes`` bytes ends the process, with a text that names it: it is a mistake in the
    /// protocol, and the first request shows it.
    init(_ name: String) {
        let bytes = Array(name.utf8)
        // Invariant: `name` comes from the tables of this program, never from a peer, whose names are read by the other
        // init. Two long names would compare as equal. The first request packs all names, so a mistake ends the first test.
        guard bytes.count <= Self.maxBytes else {
            fatalError(
                "'\(name)' has \(bytes.count) bytes: names of methods and parameters have at most \(Self.maxBytes)")
        }
        self.init(bytes.rawSpan, 0..<bytes.count)
    }

    /// The name at `range` of the bytes.
    @inline(__always)
    init(_ bytes: RawSpan, _ range: Range<Int>) {
        let start = range.lowerBound
        count = range.count
        switch count {
        case 8...Self.maxBytes:
            head = bytes.u64(at: start)
            tail = bytes.u64(at: range.upperBound &- 8)
        case 4...7:
            let first = bytes.u32(at: start)
            let last = bytes.u32(at: range.upperBound &- 4)
            head = UInt64(first) | UInt64(last) &<< 32
            tail = 0
        case 1...3:
            let middle = bytes.byte(at: start &+ count / 2)
            let last = bytes.byte(at: range.upperBound &- 1)
            head = UInt64(bytes.byte(at: start)) | UInt64(middle) &<< 8 | UInt64(last) &<< 16
            tail = 0
        default:
            head = 0
            tail = 0
        }
    }
}
