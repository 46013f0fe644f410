// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
public import ClaimsModel

/// A method as errors name it.
public protocol NamedMethod: Sendable {
    /// The name of the method on the wire.
    var name: String { get }
}

/// The `params` of one request, found in its line: the node of each parameter's value.
///
/// The parameters of a method read themselves from it:
/// ```swift
/// let arguments = try Arguments(tape, line, object: envelope.params, method: .count)
/// let parameters = try CountParameters(arguments)
/// ```
/// It borrows the bytes of the line, and the compiler bounds its lifetime by theirs.
public struct Arguments: ~Escapable {
    let bytes: RawSpan
    let tape: JSONTape
    /// The method, for errors.
    let method: any NamedMethod
    /// The settings that bound some parameters.
    let bounds: RequestBounds
    /// The node of each parameter that is present and not null, in the order of the method's parameters; 0 for others.
    private var nodes = InlineArray<32, Int32>(repeating: 0)

    /// Finds the parameters.
    ///
    /// No member comes twice: the envelope has been checked. Null counts as absent.
    ///
    /// - Parameters:
    ///   - object: the node of `params`; nil if the request has none.
    ///   - names: the names of the method's parameters, in their order.
    ///   - method: the method that has them.
    /// - Throws: the name of a member that is not a parameter.
    @_lifetime(copy bytes)
    init(
        _ tape: JSONTape, _ bytes: RawSpan, object: Int?, names: Span<PackedName>, method: any NamedMethod,
        bounds: RequestBounds
    ) throws(UnknownParameter) {
        self.bytes = bytes
        self.tape = tape
        self.method = method
        self.bounds = bounds
        guard let object else { return }
        let end = tape[object].next
        var key = object + 1
        while key < end {
            // A name with an escape in it is unknown: the names are plain ASCII, and writing them so is no hardship.
            let name = PackedName(bytes, tape[key].start + 1..<tape[key].end - 1)
            var index = 0
            while index < names.count, names[index] != name { index &+= 1 }
            guard index < names.count else {
                throw UnknownParameter(name: tape.string(key, in: bytes) ?? "")
            }
            let value = tape[key + 1]
            nodes[index] = value.kind == .null ? 0 : Int32(truncatingIfNeeded: key + 1)
            key = value.next
        }
    }

    /// A member of `params` that is not a parameter of the method.
    struct UnknownParameter: Error {
        let name: String
    }

    // MARK: - Errors

    /// The error for a value of the wrong shape.
    func mismatch<Value: ParameterValue>(
        _ parameter: Parameter<Value>, because reason: TranslatedText? = nil, hint: TranslatedText? = nil
    ) -> RequestError {
        let expectation = parameter.shape(within: bounds).expected
        let text = TranslatedText(
            en: "parameter '\(parameter.name)': expected \(expectation.english)",
            pl: "parametr „\(parameter.name)”: oczekiwano \(expectation.polish)")
        return RequestError(parameter, reason.map { text.joined(", ", $0) } ?? text, hint: hint)
    }

    /// The error for a required parameter that is not there.
    func missing<Value: ParameterValue>(_ parameter: Parameter<Value>) -> RequestError {
        RequestError(
            parameter,
            TranslatedText(
                en: "parameter '\(parameter.name)' of \(method.name) is missing",
                pl: "brakuje parametru „\(parameter.name)” metody \(method.name)"))
    }

    /// Refuses a value that is far too long before a tree is made of it, which needs many times its size.
    func requireSize<Value: ParameterValue>(
        _ node: Int, of parameter: Parameter<Value>, else kind: ErrorKind
    ) throws(RequestError) {
        let size = byteCount(node)
        // Escapes and the brackets of a tree make it longer than it means to be.
        guard size > bounds.filter * 16 else { return }
        throw RequestError(
            kind,
            TranslatedText(
                en: "the \(parameter.name) has \(size) bytes",
                pl: "parametr „\(parameter.name)” jest za długi (w bajtach: \(size))"),
            hint: TranslatedText(
                en: "a filter has at most \(bounds.filter) bytes",
                pl: "filtr może mieć co najwyżej tyle bajtów: \(bounds.filter)"))
    }

    // MARK: - Nodes

    /// The node of the parameter of that index; nil if it is absent or null.
    @inline(__always)
    func node(_ index: Int) -> Int? {
        let node = nodes[index]
        return node == 0 ? nil : Int(node)
    }

    func kind(_ node: Int) -> JSONKind { tape[node].kind }

    /// The number of bytes of the value as it came.
    func byteCount(_ node: Int) -> Int { tape[node].range.count }

    /// The text of a string, unescaped, or a number as it came.
    func text(_ node: Int) -> String {
        let value = tape[node]
        if value.kind == .string, !value.hasEscapes { return String(bytes.extracting(value.start + 1..<value.end - 1)) }
        if value.kind == .number { return String(bytes.extracting(value.range)) }
        return tape.string(node, in: bytes) ?? ""
    }

    /// The elements of an array of strings or numbers, as text.
    ///
    /// - Throws: `bad_params` if an element is something else.
    func texts<Value: ParameterValue>(
        _ node: Int, of parameter: Parameter<Value>
    ) throws(RequestError) -> [String] {
        var values: [String] = []
        var element = node + 1
        while element < tape[node].next {
            guard tape[element].kind == .string || tape[element].kind == .number else { throw mismatch(parameter) }
            values.append(text(element))
            element = tape[element].next
        }
        return values
    }

    /// The name and the node of the value of an object's only member; nil if it has none or several.
    func onlyMember(_ node: Int) -> (name: String, value: Int)? {
        let end = tape[node].next
        guard node + 1 < end, tape[node + 2].next == end else { return nil }
        return (text(node + 1), node + 2)
    }

    /// The value as a tree.
    func value(_ node: Int) -> JSONValue { JSONValue(tape, node, in: bytes) }

    /// The value's bytes without white space outside strings.
    func compactBytes(_ node: Int) -> [UInt8] {
        var out: [UInt8] = []
        tape.appendCompact(node, in: bytes, to: &out)
        return out
    }
}

extension RequestError {
    /// Makes a `bad_params` error that names the parameter in `data.parameter`.
    ///
    /// - Parameters:
    ///   - parameter: the parameter at fault.
    ///   - text: the reason as one sentence for people.
    ///   - hint: a suggestion how to mend the request.
    public init<Value: ParameterValue>(
        _ parameter: Parameter<Value>, _ text: TranslatedText, hint: TranslatedText? = nil
    ) {
        self.init(
            .badParams, text, hint: hint,
            details: [RequestError.detail("parameter", String(describing: parameter.name))])
    }
}

extension String {
    /// The text of bytes that are UTF-8.
    fileprivate init(_ utf8: RawSpan) {
        // The closure initializes exactly as many bytes as there are in the span.
        unsafe self.init(unsafeUninitializedCapacity: utf8.byteCount) { buffer in
            unsafe utf8.withUnsafeBytes { source in
                unsafe UnsafeMutableRawBufferPointer(buffer).copyMemory(from: source)
                return source.count
            }
        }
    }
}
