// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What a term compares with. The raw value is its name in trees, and between `.` and `=` in texts.
public enum FilterOperator: String, Sendable, Hashable, CaseIterable {
    case eq, ne, has, lacks, starts, gt, ge, lt, le, before, after

    /// The operator in the normal form.
    public var symbol: String {
        switch self {
        case .eq: "="
        case .ne: "!="
        case .has: "~"
        case .lacks: "!~"
        case .starts: "^="
        case .gt: ">"
        case .ge: ">="
        case .lt: "<"
        case .le: "<="
        case .before: ".before="
        case .after: ".after="
        }
    }

    /// The operator that this one is the complement of.
    var complement: FilterOperator? {
        switch self {
        case .ne: .eq
        case .lacks: .has
        default: nil
        }
    }
}
