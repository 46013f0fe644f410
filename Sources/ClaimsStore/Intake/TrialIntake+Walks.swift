// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsSnapshot

/// Two walks over the pages of one answer, as ``RecordIntake`` takes them in.
extension TrialIntake {
    /// The records that are not taken from the first walk; see ``RecordIntake/Filled``.
    struct Filled {
        let states: [RowState]
        let ids: Set<[UInt8]>
    }

    /// Begins the pages of a walk that was made before the one that has been read, and of which only those records count
    /// that this one lacks.
    public mutating func beginEarlierWalk() {
        known = Filled(states: states, ids: newIDs.union(unservedIDs).union(ownDeletions))
        if seam != nil { seam = PageSeam() }
    }

    /// Whether the pages are those of a walk that was made before the one that has been read.
    var isFilling: Bool { known != nil }

    /// The number of served records that the answer lacks without a reason; see ``RecordIntake/lacking``.
    ///
    /// - Parameter prefix: the beginning of the ids of the records that the answer speaks for.
    public func lacking(prefix: [UInt8] = []) -> Int {
        guard let base else { return 0 }
        return states.indices.count { row in
            states[row] == .unseen && base.id(row).starts(with: prefix) && !ownDeletions.contains(base.idBytes(row))
        }
    }

    /// Whether nothing is to be taken of the decoded record, which is served as `row`, if at all.
    func isFilled(_ row: Int?) -> Bool {
        guard let known else { return false }
        if let row, known.states[row] != .unseen { return true }
        return known.ids.contains(record.id)
    }

    /// Notes that the decoded record came as none that can be served, unless it has come as one that can.
    mutating func note(_ state: RowState, _ row: Int?) {
        if let row {
            if states[row] == .unseen { states[row] = state }
        } else if isSecondWalk, !isFilling {
            unservedIDs.insert(record.id)
        }
    }
}
