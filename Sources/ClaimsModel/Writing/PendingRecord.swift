// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The unsettled operations of one record, as answers tell them beside its fields.
public struct PendingRecord: Sendable, Equatable {
    /// The worst state of the operations.
    public var state: PendingState
    /// The member `pending` of the record as JSON: `{"state":…,"ops":[…],"fields":[…]}`.
    public var json: [UInt8]
    /// The number of operations in each state.
    public var counts: [PendingState: Int]
    /// The numbers of the operations, in the order of `ops`.
    public var numbers: [Int64]

    /// - Parameter counts: the number of operations in each state; nil for one.
    public init(
        state: PendingState, json: [UInt8], counts: [PendingState: Int]? = nil, numbers: [Int64] = []
    ) {
        self.state = state
        self.json = json
        self.counts = counts ?? [state: 1]
        self.numbers = numbers
    }
}
