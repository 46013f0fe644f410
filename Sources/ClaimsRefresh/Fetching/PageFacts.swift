// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// The facts of a page on which the next request depends.
struct PageFacts: Equatable {
    /// The elements of the array of records, as far as two pages are compared.
    struct Elements: Equatable {
        var count = 0
        /// A hash of their bytes.
        var digest = ContentHash().digest
    }

    /// A value of a page, without what is inside it.
    enum Value: Equatable {
        case missing
        case null
        case bool(Bool)
        case text(String)
        /// The characters as they came.
        case number(String)
        case container(JSONKind, isEmpty: Bool)

        /// Whether the value says that there is nothing: no failure, no way on.
        var isNothing: Bool {
            switch self {
            case .missing, .null, .bool(false), .text(""), .container(_, isEmpty: true): true
            case .bool(true), .text, .number, .container: false
            }
        }

        /// The literal form of the value; null for a missing one.
        var kind: JSONKind {
            switch self {
            case .missing, .null: .null
            case .bool(let value): value ? .true : .false
            case .text: .string
            case .number: .number
            case .container(let kind, _): kind
            }
        }
    }

    /// Known where pages are counted.
    var elements = Elements()
    /// The address of the next page; absolute, once the walk has resolved it.
    var address = Value.missing
    var cursor = Value.missing
    var more = Value.missing
}
