// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

extension FieldType {
    /// Whether filters may use an operator on fields of this type.
    public func takes(_ comparator: FilterOperator) -> Bool {
        switch comparator {
        case .eq, .ne: self != .json
        case .has, .lacks, .starts: isTextual
        case .gt, .ge, .lt, .le, .before, .after: hasRanges
        }
    }

    /// The operators that filters may use on fields of this type.
    public var operators: [FilterOperator] { FilterOperator.allCases.filter(takes) }

    /// Whether filters may use `<` and its kin, and `lo..hi`, on fields of this type.
    public var hasRanges: Bool {
        switch self {
        case .id, .text, .enum, .integer, .decimal, .instant, .date: true
        case .bool, .url, .json: false
        }
    }

    /// The type in a sentence, after the field's name.
    var phrase: String { "of type \(rawValue)" }
}

extension FilterOperator {
    /// The operators that may be used on `FIELD.raw`.
    public static let ofRaw: [FilterOperator] = [.eq, .ne, .has, .lacks, .starts]
}
