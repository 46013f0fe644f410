// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel
import ClaimsQuery

/// The rows of one layer that a query leaves out or is about.
struct RowMask: Sendable {
    /// The rows that are in no list.
    let hidden: RowBitmap
    /// The archived rows that are not hidden.
    let archived: RowBitmap
    /// The rows that are archived or hidden.
    let excluded: RowBitmap

    init(archived: RowBitmap, covered: RowBitmap, unlisted: RowBitmap) {
        var (hidden, own, all) = (covered, archived, archived)
        hidden.formUnion(unlisted)
        own.subtract(hidden)
        all.formUnion(hidden)
        self.hidden = hidden
        self.archived = own
        excluded = all
    }

    /// The mode and the archived rows with which a query leaves out hidden rows, too.
    func selection(_ mode: ArchivedMode) -> (ArchivedMode, RowBitmap) {
        switch mode {
        case .exclude: (.exclude, excluded)
        case .only: (.only, archived)
        case .include: hidden.count == 0 ? (.include, archived) : (.exclude, hidden)
        }
    }
}

/// The rows of one snapshot with unsettled operations, by the state that their records show.
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
