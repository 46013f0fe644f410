// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// The codes that an enum field may hold.
public struct Vocabulary: Sendable {
    public let name: String
    /// Sorted by rank, then by the code's bytes: a code's index is its order.
    public let codes: [Code]
    /// The code of a value that is none of them.
    public let fallback: Int
    /// The code of a missing value; nil: a missing value is absent.
    public let absent: Int?
    private let table: CodeTable

    /// Makes a vocabulary of codes in any order.
    ///
    /// - Returns: nil unless `fallback` and `absent` are among the codes and all codes differ, letter case aside and
    ///   with space, `-` and `_` taken as equal.
    public init?(name: String, codes: [Code], fallback: String, absent: String? = nil) {
        let sorted = codes.sorted {
            $0.rank != $1.rank ? $0.rank < $1.rank : $0.code.utf8.lexicographicallyPrecedes($1.code.utf8)
        }
        guard let table = CodeTable(sorted.map(\.code)),
            let fallback = sorted.firstIndex(where: { $0.code == fallback })
        else { return nil }
        if let absent {
            guard let index = sorted.firstIndex(where: { $0.code == absent }) else { return nil }
            self.absent = index
        } else {
            self.absent = nil
        }
        self.name = name
        self.codes = sorted
        self.fallback = fallback
        self.table = table
    }

    /// The index of the code that `value` means, without regard to case and with space, `-` and `_` taken as equal.
    public func index(matching value: RawSpan) -> Int? {
        table.index(of: value)
    }

    public func index(matching value: String) -> Int? {
        table.index(of: Array(value.utf8).rawSpan)
    }
}
