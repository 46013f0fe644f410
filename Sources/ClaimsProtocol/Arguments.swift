// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
import ClaimsModel

/// The `params` of one request, read in place from its line.
///
/// Every accessor throws `bad_params` with the parameter's name where the value has the wrong shape.
/// A view: it lives no longer than the line's bytes.
public struct Arguments: ~Copyable, ~Escapable {
    private let bytes: RawSpan
    private let tape: JSONTape
    private let method: Method
    /// The node of each parameter that is there and not null, by its index; 0 for all others.
    private var nodes = InlineArray<32, Int32>(repeating: 0)

    /// Finds the parameters, and checks that every member of `params` is one of the method's.
    ///
    /// Of members with the same name the last counts.
    @_lifetime(copy bytes)
    public init(_ tape: JSONTape, _ bytes: RawSpan, object: Int?, method: Method) throws(RequestError) {
        self.bytes = bytes
        self.tape = tape
        self.method = method
        guard let object else { return }
        let end = tape[object].next
        var key = object + 1
        while key < end {
            // A name with an escape in it is none of ours: they are plain ASCII, and writing them so is no hardship.
            let name = PackedName(bytes, tape[key].start + 1..<tape[key].end - 1)
            guard let parameter = MethodTable.parameter(named: name, of: method) else {
                var name: [UInt8] = []
                tape.appendString(key, in: bytes, to: &name)
                throw Self.unknown(String(decoding: name, as: UTF8.self), method)
            }
            let value = tape[key + 1]
            nodes[parameter.index] = value.kind == .null ? 0 : Int32(truncatingIfNeeded: key + 1)
            key = value.next
        }
    }

    private static func unknown(_ name: String, _ method: Method) -> RequestError {
        let names = method.description.parameters.map(\.name)
        let hint: String
        if let nearest = Suggestion.nearest(name, among: names) {
            hint = "did you mean '\(nearest)'?"
        } else if names.isEmpty {
            hint = "\(method.rawValue) takes no parameters"
        } else {
            hint = "\(method.rawValue) takes " + names.joined(separator: ", ")
        }
        return RequestError(
            .badParams, "unknown parameter '\(name)' of \(method.rawValue)", hint: hint,
            details: [RequestError.detail("parameter", name)])
    }

    /// The node of a parameter; nil where it is absent or null.
    public func node(_ name: ParameterName) -> Int? {
        let node = nodes[name.index]
        return node == 0 ? nil : Int(node)
    }

    /// Whether no parameter but these two is there.
    public func hasOnly(_ one: ParameterName, _ other: ParameterName) -> Bool {
        nodes.indices.allSatisfy { nodes[$0] == 0 || $0 == one.index || $0 == other.index }
    }

    private func description(_ name: ParameterName) -> ParameterDescription? {
        method.description.parameters.first { $0.key == name }
    }

    /// The error for a value of the wrong shape.
    public func mismatch(_ name: ParameterName, because reason: String? = nil) -> RequestError {
        let expectation = description(name)?.type.expectation ?? "another value"
        return RequestError(
            .badParams, "parameter '\(name.text)': expected \(expectation)" + (reason.map { ", \($0)" } ?? ""),
            details: [RequestError.detail("parameter", name.text)])
    }

    /// Whether the parameter is a string of exactly these bytes. A string with escapes in it is taken for another.
    public func isString(_ name: ParameterName, _ text: [UInt8]) -> Bool {
        guard let node = node(name), tape[node].kind == .string else { return false }
        return ByteComparison.areEqual(bytes.extracting(tape[node].start + 1..<tape[node].end - 1), text)
    }

    /// A string.
    public func string(_ name: ParameterName) throws(RequestError) -> String? {
        guard let node = node(name) else { return nil }
        guard tape[node].kind == .string else { throw mismatch(name) }
        return text(node)
    }

    /// A string that must be there.
    public func requiredString(_ name: ParameterName) throws(RequestError) -> String {
        guard let value = try string(name) else { throw missing(name) }
        return value
    }

    /// The error for a required parameter that is not there.
    public func missing(_ name: ParameterName) -> RequestError {
        RequestError(
            .badParams, "parameter '\(name.text)' of \(method.rawValue) is missing",
            details: [RequestError.detail("parameter", name.text)])
    }

    /// The unescaped bytes of a string, appended to `out`; false where the parameter is absent.
    public func appendString(_ name: ParameterName, to out: inout [UInt8]) throws(RequestError) -> Bool {
        guard let node = node(name) else { return false }
        guard tape[node].kind == .string else { throw mismatch(name) }
        tape.appendString(node, in: bytes, to: &out)
        return true
    }

    /// A string or an integer as its text, appended to `out`; false where the parameter is absent.
    ///
    /// Ids of records are text, whatever JSON type they come in.
    public func appendIdentifier(_ name: ParameterName, to out: inout [UInt8]) throws(RequestError) -> Bool {
        guard let node = node(name) else { return false }
        switch tape[node].kind {
        case .string: tape.appendString(node, in: bytes, to: &out)
        case .number: tape.appendCompact(node, in: bytes, to: &out)
        default: throw mismatch(name)
        }
        return true
    }

    /// The text of a string without escapes, in place; nil where the parameter is something else.
    @_lifetime(copy self)
    public func plainIdentifier(_ name: ParameterName) -> RawSpan? {
        guard let node = node(name), tape[node].kind == .string, !tape[node].hasEscapes else { return nil }
        return bytes.extracting(tape[node].start + 1..<tape[node].end - 1)
    }

    /// True or false.
    public func boolean(_ name: ParameterName) throws(RequestError) -> Bool? {
        guard let node = node(name) else { return nil }
        switch tape[node].kind {
        case .true: return true
        case .false: return false
        default: throw mismatch(name)
        }
    }

    /// An integer within the bounds of the parameter's description.
    public func integer(_ name: ParameterName) throws(RequestError) -> Int64? {
        guard let node = node(name) else { return nil }
        guard tape[node].kind == .number, let value = Int64(text(node)) else { throw mismatch(name) }
        if case .integer(let range)? = description(name)?.type,
            !range.contains(value)
        {
            throw mismatch(name, because: "not \(value)")
        }
        return value
    }

    /// One of the words of the parameter's description.
    public func word(_ name: ParameterName) throws(RequestError) -> String? {
        guard let value = try string(name) else { return nil }
        guard case .word(let words)? = description(name)?.type,
            words.contains(value)
        else { throw mismatch(name, because: "not '\(value)'") }
        return value
    }

    /// A list of strings: an array, or one string split at commas. Numbers count as their text.
    public func strings(_ name: ParameterName) throws(RequestError) -> [String]? {
        guard let node = node(name) else { return nil }
        switch tape[node].kind {
        case .string:
            return text(node).split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        case .array:
            return try list(node, name)
        default: throw mismatch(name)
        }
    }

    /// A list of record ids: an array of strings or integers, or a single one; commas do not separate.
    public func identifiers(_ name: ParameterName) throws(RequestError) -> [String]? {
        guard let node = node(name) else { return nil }
        switch tape[node].kind {
        case .string, .number: return [text(node)]
        case .array: return try list(node, name)
        default: throw mismatch(name)
        }
    }

    private func list(_ node: Int, _ name: ParameterName) throws(RequestError) -> [String] {
        var values: [String] = []
        var element = node + 1
        while element < tape[node].next {
            guard tape[element].kind == .string || tape[element].kind == .number else { throw mismatch(name) }
            values.append(text(element))
            element = tape[element].next
        }
        return values
    }

    /// How many bytes the value has as it came; 0 where it is absent.
    public func byteCount(_ name: ParameterName) -> Int {
        node(name).map { tape[$0].range.count } ?? 0
    }

    /// The value as a tree, for filters and sort keys.
    public func value(_ name: ParameterName) -> JSONValue? {
        node(name).map { JSONValue(tape, $0, in: bytes) }
    }

    /// The value's bytes as they came, for echoing.
    public func raw(_ name: ParameterName) -> [UInt8]? {
        guard let node = node(name) else { return nil }
        var out: [UInt8] = []
        tape.appendCompact(node, in: bytes, to: &out)
        return out
    }

    private func text(_ node: Int) -> String {
        var out: [UInt8] = []
        if tape[node].kind == .string {
            tape.appendString(node, in: bytes, to: &out)
        } else {
            tape.appendCompact(node, in: bytes, to: &out)
        }
        return String(decoding: out, as: UTF8.self)
    }
}
