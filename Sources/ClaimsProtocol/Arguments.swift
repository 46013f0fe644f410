// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

package import ClaimsJSON
import ClaimsModel

/// The `params` of one request, read in place from its line.
///
/// Every accessor throws `bad_params` with the parameter's name where the value has the wrong shape.
/// A view: it lives no longer than the line's bytes.
package struct Arguments: ~Escapable {
    private let bytes: RawSpan
    private let tape: JSONTape
    /// The node of the params object, or nil where the request has none.
    private let object: Int?
    private let method: Method

    /// Checks that every member of `params` is a parameter of the method.
    @_lifetime(copy bytes)
    package init(_ tape: JSONTape, _ bytes: RawSpan, object: Int?, method: Method) throws(RequestError) {
        self.bytes = bytes
        self.tape = tape
        self.object = object
        self.method = method
        guard let object else { return }
        let known = MethodTable.parameterNames[method.index]
        let end = tape[object].next
        var key = object + 1
        while key < end {
            let node = tape[key]
            if !known.contains(where: { Self.matches(node, $0, bytes) }) {
                var name: [UInt8] = []
                tape.appendString(key, in: bytes, to: &name)
                throw Self.unknown(String(decoding: name, as: UTF8.self), method)
            }
            key = tape[key + 1].next
        }
    }

    @inline(__always)
    private static func matches(_ node: JSONTape.Node, _ name: [UInt8], _ bytes: RawSpan) -> Bool {
        // A name with an escape in it is none of ours: they are plain ASCII, and writing them so is no hardship.
        node.end - node.start == name.count + 2
            && ByteComparison.areEqual(bytes.extracting(node.start + 1..<node.end - 1), name)
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
    package func node(_ name: StaticName) -> Int? {
        guard let object else { return nil }
        var found: Int?
        let end = tape[object].next
        var key = object + 1
        while key < end {
            if Self.matches(tape[key], name.utf8, bytes) { found = key + 1 }
            key = tape[key + 1].next
        }
        guard let found, tape[found].kind != .null else { return nil }
        return found
    }

    /// The error for a value of the wrong shape.
    package func mismatch(_ name: StaticName, because reason: String? = nil) -> RequestError {
        let known = method.description.parameters.first { $0.utf8 == name.utf8 }
        let expectation = known?.type.expectation ?? "another value"
        return RequestError(
            .badParams, "parameter '\(name.text)': expected \(expectation)" + (reason.map { ", \($0)" } ?? ""),
            details: [RequestError.detail("parameter", name.text)])
    }

    /// Whether the parameter is a string of exactly these bytes. A string with escapes in it is taken for another.
    package func isString(_ name: StaticName, _ text: [UInt8]) -> Bool {
        guard let node = node(name), tape[node].kind == .string else { return false }
        return Self.matches(tape[node], text, bytes)
    }

    /// A string.
    package func string(_ name: StaticName) throws(RequestError) -> String? {
        guard let node = node(name) else { return nil }
        guard tape[node].kind == .string else { throw mismatch(name) }
        return text(node)
    }

    /// A string that must be there.
    package func requiredString(_ name: StaticName) throws(RequestError) -> String {
        guard let value = try string(name) else { throw missing(name) }
        return value
    }

    /// The error for a required parameter that is not there.
    package func missing(_ name: StaticName) -> RequestError {
        RequestError(
            .badParams, "parameter '\(name.text)' of \(method.rawValue) is missing",
            details: [RequestError.detail("parameter", name.text)])
    }

    /// The unescaped bytes of a string, appended to `out`; false where the parameter is absent.
    package func appendString(_ name: StaticName, to out: inout [UInt8]) throws(RequestError) -> Bool {
        guard let node = node(name) else { return false }
        guard tape[node].kind == .string else { throw mismatch(name) }
        tape.appendString(node, in: bytes, to: &out)
        return true
    }

    /// A string or an integer as its text, appended to `out`; false where the parameter is absent.
    ///
    /// Ids of records are text, whatever JSON type they come in.
    package func appendIdentifier(_ name: StaticName, to out: inout [UInt8]) throws(RequestError) -> Bool {
        guard let node = node(name) else { return false }
        switch tape[node].kind {
        case .string: tape.appendString(node, in: bytes, to: &out)
        case .number: tape.appendCompact(node, in: bytes, to: &out)
        default: throw mismatch(name)
        }
        return true
    }

    /// True or false.
    package func boolean(_ name: StaticName) throws(RequestError) -> Bool? {
        guard let node = node(name) else { return nil }
        switch tape[node].kind {
        case .true: return true
        case .false: return false
        default: throw mismatch(name)
        }
    }

    /// An integer within the bounds of the parameter's description.
    package func integer(_ name: StaticName) throws(RequestError) -> Int64? {
        guard let node = node(name) else { return nil }
        guard tape[node].kind == .number, let value = Int64(text(node)) else { throw mismatch(name) }
        if case .integer(let range)? = method.description.parameters.first(where: { $0.utf8 == name.utf8 })?.type,
            !range.contains(value)
        {
            throw mismatch(name, because: "not \(value)")
        }
        return value
    }

    /// One of the words of the parameter's description.
    package func word(_ name: StaticName) throws(RequestError) -> String? {
        guard let value = try string(name) else { return nil }
        guard case .word(let words)? = method.description.parameters.first(where: { $0.utf8 == name.utf8 })?.type,
            words.contains(value)
        else { throw mismatch(name, because: "not '\(value)'") }
        return value
    }

    /// A list of strings: an array, or one string split at commas. Numbers count as their text.
    package func strings(_ name: StaticName) throws(RequestError) -> [String]? {
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
    package func identifiers(_ name: StaticName) throws(RequestError) -> [String]? {
        guard let node = node(name) else { return nil }
        switch tape[node].kind {
        case .string, .number: return [text(node)]
        case .array: return try list(node, name)
        default: throw mismatch(name)
        }
    }

    private func list(_ node: Int, _ name: StaticName) throws(RequestError) -> [String] {
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
    package func byteCount(_ name: StaticName) -> Int {
        node(name).map { tape[$0].range.count } ?? 0
    }

    /// The value as a tree, for filters and sort keys.
    package func value(_ name: StaticName) -> JSONValue? {
        node(name).map { JSONValue(tape, $0, in: bytes) }
    }

    /// The value's bytes as they came, for echoing.
    package func raw(_ name: StaticName) -> [UInt8]? {
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
