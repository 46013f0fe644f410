// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The shape of a parameter: what `describe` shows as JSON Schema, and what a reader accepts.
public enum ParameterType: Sendable {
    case string
    case boolean
    case integer(ClosedRange<Int64>)
    /// One of a few words.
    case word([String])
    /// A list of strings; one string counts as a list, its commas separate.
    case strings
    /// A filter as text or as a tree.
    case filter
    /// A pair of integers, `[min, max]`.
    case versions
    /// The id of a request: a string or an integer.
    case requestID

    /// A JSON Schema (draft 2020-12) of the parameter, as finished JSON.
    public var schema: String {
        switch self {
        case .string: #"{"type":"string"}"#
        case .boolean: #"{"type":"boolean"}"#
        case .integer(let range):
            #"{"type":"integer","minimum":\#(range.lowerBound),"maximum":\#(range.upperBound)}"#
        case .word(let words):
            #"{"enum":[\#(words.map { "\"\($0)\"" }.joined(separator: ","))]}"#
        case .strings: #"{"type":["string","array"],"items":{"type":"string"}}"#
        case .filter: #"{"type":["string","array"]}"#
        case .versions: #"{"type":"array","items":{"type":"integer"},"minItems":2,"maxItems":2}"#
        case .requestID: #"{"type":["string","integer"]}"#
        }
    }

    /// The shape in words, for error sentences: "expected …".
    public var expectation: String {
        switch self {
        case .string: "a string"
        case .boolean: "true or false"
        case .integer(let range): "an integer from \(range.lowerBound) to \(range.upperBound)"
        case .word(let words): "one of " + words.joined(separator: ", ")
        case .strings: "a string or an array of strings"
        case .filter: "a filter as a string or as a tree"
        case .versions: "two integers, the lowest and the highest version"
        case .requestID: "the id of a request, a string or an integer"
        }
    }
}
