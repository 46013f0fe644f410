// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The unsettled operations of one record, as answers tell them beside its fields.
public struct PendingRecord: Sendable, Equatable {
    /// The worst state of the operations.
    public var state: PendingState
    /// The member `pending` of the record as JSON: `{"state":…,"ops":[…],"fields":[…]}`.
    public var json: [UInt8]

    public init(state: PendingState, json: [UInt8]) {
        self.state = state
        self.json = json
    }
}
