// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// The records that lie over a snapshot: a small snapshot of their own, and the rows of the one below that they hide.
public struct OverlayRows: Sendable {
    /// The records of the overlay; nil where it only hides others.
    public var snapshot: Snapshot?
    /// The rows of the snapshot below that are not served, because the overlay has their ids.
    public var covered = RowBitmap()
    /// Its own rows that are answered by id, but are in no list: a delete of the record is under way.
    public var unlisted = RowBitmap()
    /// Its own rows that are archived.
    public var archived = RowBitmap()
    /// Its own rows with unsettled operations.
    public var pending = PendingRows()

    public init(snapshot: Snapshot?) {
        self.snapshot = snapshot
    }

    /// The number of rows that a snapshot has room for; 0 without one.
    var count: Int { snapshot?.count ?? 0 }
}

/// The rows of one snapshot with unsettled operations, by the state that their records tell.
public struct PendingRows: Sendable {
    private var rows = PendingState.allCases.map { _ in RowBitmap() }

    /// Makes sets without rows.
    public init() {}

    /// The rows in one state.
    public subscript(state: PendingState) -> RowBitmap {
        get { rows[Self.index(state)] }
        set { rows[Self.index(state)] = newValue }
    }

    /// The rows in any of some states.
    func united(_ states: [PendingState]) -> RowBitmap {
        var result = RowBitmap()
        for state in states { result.formUnion(self[state]) }
        return result
    }

    private static func index(_ state: PendingState) -> Int { PendingState.allCases.firstIndex(of: state) ?? 0 }
}
