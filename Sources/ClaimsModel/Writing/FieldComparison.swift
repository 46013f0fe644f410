// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON

/// Compares values of fields with those that records are served with. Pure.
///
/// ```swift
/// let comparison = FieldComparison(definition)
/// let missing = comparison.differing(write.shown, in: comparison.values(of: document))
/// ```
public struct FieldComparison: Sendable {
    /// The values of a record by field; nil for a field without one.
    public typealias Values = [JSONValue?]

    private let definition: Definition

    public init(_ definition: Definition) {
        self.definition = definition
    }

    /// The values of a record, one for each field of the definition, from the document that it is served with.
    ///
    /// The value of an enum whose code its vocabulary does not have is the text as it came.
    ///
    /// - Parameter document: The present fields as one JSON object; anything else has no values.
    public func values(of document: RawSpan) -> Values {
        guard let object = try? JSONValue.parse(document, depth: JSONValue.maximumDepth).object else {
            return Values(repeating: nil, count: definition.fields.count)
        }
        return definition.fields.map { field in
            (field.type == .enum ? object[field.name + ".raw"] : nil) ?? object[field.name]
        }
    }

    /// Whether two values of a field are the same for records. A blank value and none are the same.
    public func areEqual(_ left: JSONValue?, _ right: JSONValue?, field: Int) -> Bool {
        let left = typed(left, field)
        let right = typed(right, field)
        return left == right
    }

    /// The fields of those that a write touches which show another value in a record, ascending.
    public func differing(_ wanted: [WrittenValue], in values: Values) -> [Int] {
        wanted.filter { !areEqual($0.value, values[$0.field], field: $0.field) }.map(\.field)
    }

    private enum Comparable: Equatable {
        case absent
        case value(TypedValue)
        /// A value that is not of the field's type.
        case other(JSONValue)
    }

    private func typed(_ value: JSONValue?, _ field: Int) -> Comparable {
        guard let value, !TypedValue.isBlank(value) else {
            // The code that stands for a missing value.
            guard let absent = definition.vocabulary(of: field)?.absent else { return .absent }
            return .value(.code(absent))
        }
        return TypedValue(value, of: field, in: definition).map { .value($0) } ?? .other(value)
    }
}
