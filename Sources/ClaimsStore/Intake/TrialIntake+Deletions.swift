// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsSnapshot

/// Records that an answer says are gone, as ``RecordIntake`` takes them.
extension TrialIntake: DeletionTaker {
    /// Reads the ids of gone records that a page has beside its records.
    mutating func readDeletions(
        _ bytes: RawSpan, root: JSONPointer, isCancelled: () -> Bool
    ) throws(IntakeError) {
        let reader = DeletionReader(deleted, root: root, isIncremental: isIncremental, hasPages: seam != nil)
        try reader?.read(bytes, into: &self, isCancelled: isCancelled)
    }

    mutating func take(
        gone element: JSONElements.Element, _ tape: JSONTape, _ list: RawSpan, pointer: String
    ) throws(IntakeError) {
        if case .value = element, decoder.identify(deleted: tape, list, into: &record) {
            note(.marked, base?.row(forID: record.id.rawSpan))
        } else if isIncremental {
            refuse(list.extracting(element.range), pointer, "neither an id nor a record with one")
        }
        guard unservedIDs.count <= maxRecords else { throw .tooManyRecords(maxRecords) }
    }
}
