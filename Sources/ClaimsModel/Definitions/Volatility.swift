// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

extension JSONPointer {
    /// Whether one of two pointers leads to the value of the other, or to a value around it.
    public func isRelated(to other: JSONPointer) -> Bool {
        tokens.starts(with: other.tokens) || other.tokens.starts(with: tokens)
    }
}

extension Definition {
    /// How many pointers may be volatile.
    static let maxVolatile = 64

    /// The places in an upstream record that some field is read at.
    public var readPointers: [JSONPointer] { fields.flatMap(\.from) }

    /// The fields with each marked that is read at, below or above a volatile place.
    static func marking(_ fields: [Field], volatile: [JSONPointer]) -> [Field] {
        if volatile.isEmpty { return fields }
        return fields.map { field in
            var field = field
            field.isVolatile = field.from.contains { pointer in volatile.contains { $0.isRelated(to: pointer) } }
            return field
        }
    }
}
