// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A total order of a collection's records.
///
/// No field occurs twice, the last key is the id field, and nothing follows it: ids are unique.
public struct RecordOrder: Sendable, Hashable {
    public let keys: [SortKey]

    /// Makes an order of `keys`: a field's first mention counts, what follows the id is dropped, and the id is
    /// appended, ascending, where it is not named.
    public init(_ keys: [SortKey], idField: Int) {
        var kept: [SortKey] = []
        for key in keys where !kept.contains(where: { $0.field == key.field }) {
            kept.append(key)
            if key.field == idField { break }
        }
        if kept.last?.field != idField { kept.append(SortKey(field: idField)) }
        self.keys = kept
    }
}
