// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The values of a field by their ordinals: their numbers in ascending order. For instants, dates and numbers.
extension Snapshot {
    /// The ordinal of a row's value; nil where the row has none.
    @inline(__always)
    public func ordinal(_ row: Int, field: Int) -> Int? {
        let column = column(field)
        let ordinal = column.ordinal(row)
        return ordinal < column.distinct ? ordinal : nil
    }

    /// The number of ordinals whose values have keys up to `key` (``KeyEncoding``).
    public func ordinals(field: Int, through key: [UInt8]) -> Int { column(field).bound(key, isAfter: true) }

    /// The key of a value.
    public func key(ofOrdinal ordinal: Int, field: Int) -> [UInt8] {
        var key: [UInt8] = []
        column(field).appendKey(ordinal, to: &key)
        return key
    }
}
