// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

package import ClaimsModel

extension FieldType {
    /// The operators that filters may use on fields of this type.
    package var operators: [FilterOperator] {
        switch self {
        case .id, .text: FilterOperator.allCases
        case .url: [.eq, .ne, .has, .lacks, .starts]
        case .enum, .integer, .decimal, .instant, .date: FilterOperator.allCases.filter { !$0.isTextual }
        case .bool: [.eq, .ne]
        case .json: []
        }
    }

    /// Whether `lo..hi` may be used on fields of this type.
    package var hasRanges: Bool { operators.contains(.lt) }

    /// The type in a sentence, after the field's name.
    var phrase: String { "of type \(rawValue)" }
}

extension FilterOperator {
    /// Whether it looks into a text.
    package var isTextual: Bool {
        switch self {
        case .has, .lacks, .starts: true
        default: false
        }
    }

    /// The operators that may be used on `FIELD.raw`.
    package static let ofRaw: [FilterOperator] = [.eq, .ne, .has, .lacks, .starts]
}
