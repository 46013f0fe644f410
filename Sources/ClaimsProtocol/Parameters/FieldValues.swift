// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON
import ClaimsModel

/// Values by the names of fields, as the request has them: a JSON object. Null clears a field, or is an absent value.
///
/// ClaimsModel checks names and values against the definition.
public struct FieldValues: ParameterValue, Equatable, ExpressibleByDictionaryLiteral {
    /// The values, in the order of the request; no name comes twice in a request.
    public var object: JSONObject

    public init(_ object: JSONObject) { self.object = object }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        object = JSONObject(elements.map { JSONObject.Member($0.0, $0.1) })
    }

    public static var shape: ParameterShape { .fieldValues }

    /// Reads an object without looking into its values.
    ///
    /// - Throws: `too_large` for an object longer than the setting `limits.operation`, before a tree is made of it;
    ///   `bad_params` for any other JSON.
    public static func read(
        _ node: Int, of arguments: borrowing Arguments, as parameter: Parameter<FieldValues>
    ) throws(RequestError) -> FieldValues {
        let size = arguments.byteCount(node)
        let bound = arguments.bounds.operation
        guard size <= bound else {
            throw RequestError(
                .tooLarge,
                TranslatedText(
                    en: "the \(parameter.name) of an operation have \(size) bytes",
                    pl: "parametr „\(parameter.name)” operacji jest za długi (w bajtach: \(size))"),
                hint: TranslatedText(
                    en: "at most \(bound) bytes; the setting limits.operation bounds them",
                    pl: "co najwyżej tyle bajtów: \(bound); granicę wyznacza ustawienie limits.operation"),
                details: [RequestError.detail("parameter", String(describing: parameter.name))])
        }
        guard arguments.kind(node) == .object, let object = arguments.value(node).object else {
            throw arguments.mismatch(parameter)
        }
        return FieldValues(object)
    }

    public func write(to writer: inout JSONWriter) { JSONValue.object(object).write(to: &writer) }
}

/// Bytes, as Base64 with padding (RFC 4648, section 4).
public struct Base64Data: ParameterValue, Equatable {
    public var bytes: [UInt8]

    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    public static var shape: ParameterShape { .base64 }

    public static func read(
        _ node: Int, of arguments: borrowing Arguments, as parameter: Parameter<Base64Data>
    ) throws(RequestError) -> Base64Data {
        guard arguments.kind(node) == .string, let bytes = Base64.decode(arguments.text(node).utf8) else {
            throw arguments.mismatch(parameter)
        }
        return Base64Data(bytes)
    }

    public func write(to writer: inout JSONWriter) { writer.string(Base64.encode(bytes)) }
}
