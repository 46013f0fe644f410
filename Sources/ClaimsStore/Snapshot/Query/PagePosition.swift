// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A place in an order of records: the last record of a page, by the values it was ordered by.
///
/// It stays meaningful in later generations, whether or not that record is still there.
public struct PagePosition: Sendable, Hashable {
    /// The record's group; nil in a query that is not grouped. The number of groups stands for no group.
    public var group: Int?
    /// For each key of the order but the id: the value's order-preserving key, nil where it is absent.
    ///
    /// Of a text, a zero byte and the text as it came follow the folded text; of an enum, it is the code's index in
    /// four bytes, the highest first.
    public var keys: [[UInt8]?]
    public var id: [UInt8]
    /// Where the record was found: a hint that saves looking its values up.
    public var generation: UInt64
    public var row: Int

    public init(group: Int?, keys: [[UInt8]?], id: [UInt8], generation: UInt64, row: Int) {
        self.group = group
        self.keys = keys
        self.id = id
        self.generation = generation
        self.row = row
    }
}
