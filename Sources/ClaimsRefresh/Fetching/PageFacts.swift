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

        /// Whether a value at `fails` says that the request has failed.
        var tellsFailure: Bool {
            switch self {
            case .missing, .null, .bool(false), .text(""), .container(_, isEmpty: true): false
            case .bool(true), .text, .number, .container: true
            }
        }
    }

    /// Known where pages are counted.
    var elements = Elements()
    /// The address of the next page; nil if the page names none. Absolute, once the walk has resolved it.
    var address: String?
    var cursor = Value.missing
    var more = Value.missing
}
