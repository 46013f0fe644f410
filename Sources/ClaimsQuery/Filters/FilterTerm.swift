// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The smallest part of a filter that is true or false of a record.
public struct FilterTerm: Sendable, Equatable {
    public enum Condition: Sendable, Equatable {
        /// One or more values: any of them, with `ne` and `lacks` none of them.
        case compare(FilterField, FilterOperator, [FilterValue])
        /// Both ends included; at most one is open.
        case range(FilterField, FilterValue?, FilterValue?)
        case any(FilterField)
        case none(FilterField)
        /// Free text: a word or a phrase.
        case text(FilterValue)
    }

    public let condition: Condition
    public let place: FilterPlace?

    public init(_ condition: Condition, place: FilterPlace? = nil) {
        self.condition = condition
        self.place = place
    }

    /// The field it is about; nil for free text.
    public var field: FilterField? {
        switch condition {
        case .compare(let field, _, _), .range(let field, _, _), .any(let field), .none(let field): field
        case .text: nil
        }
    }

    /// Where it was written makes no difference.
    public static func == (left: FilterTerm, right: FilterTerm) -> Bool {
        left.condition == right.condition
    }
}
