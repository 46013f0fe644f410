// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform

/// Writes where records are: by id, and by row.
struct IDTableBuilder: BuildJob {
    let definition: Definition
    let identity: SnapshotIdentity
    let output: SnapshotOutput
    /// By row: where its record begins in the file.
    let offsets: [UInt64]

    let file: MappedFile

    func write() throws(StoreError) {
        let records = file.bytes
        try output.write(.recordOffsets, width: 8, offsets.span)
        try writeTable(records)
        try writeColumn(records)
    }

    private func writeTable(_ records: RawSpan) throws(StoreError) {
        let hash = IDTable.hash(identity)
        var slots = [UInt64](repeating: 0, count: IDTable.slots(for: offsets.count) * 2)
        let mask = slots.count / 2 - 1
        for row in offsets.indices {
            let code = hash(RecordBlock.id(records, at: Int(offsets[row])))
            var index = IDTable.index(code) & mask
            while slots[index &* 2 &+ 1] != 0 { index = (index &+ 1) & mask }
            slots[index &* 2] = UInt64(IDTable.tag(code)) << 32 | UInt64(row)
            slots[index &* 2 &+ 1] = offsets[row]
        }
        try output.write(.idTable, bytes: unsafe slots.span.bytes)
    }

    /// The ids in the order of the rows, and, where it differs for any of them, their folded forms.
    private func writeColumn(_ records: RawSpan) throws(StoreError) {
        let owner = definition.idField
        var starts: [Int] = [0]
        starts.reserveCapacity(offsets.count + 1)
        var foldedStarts = starts
        var isFolded = true
        var folded: [UInt8] = []
        for offset in offsets {
            let id = RecordBlock.id(records, at: Int(offset))
            starts.append(starts[starts.count - 1] + id.byteCount)
            folded.removeAll(keepingCapacity: true)
            Folding.fold(id, into: &folded)
            foldedStarts.append(foldedStarts[foldedStarts.count - 1] + folded.count)
            if isFolded, !folded.raw.isEqual(id) { isFolded = false }
        }
        try write(.keyStarts, .keys, starts, owner, records) { id, section throws(StoreError) in
            try section.append(id)
        }
        if isFolded { return }
        try write(.foldedStarts, .folded, foldedStarts, owner, records) { id, section throws(StoreError) in
            folded.removeAll(keepingCapacity: true)
            Folding.fold(id, into: &folded)
            try section.append(folded.raw)
        }
    }

    private func write(
        _ table: SectionKind, _ kind: SectionKind, _ starts: [Int], _ owner: Int, _ records: RawSpan,
        _ append: (RawSpan, inout SectionWriter) throws(StoreError) -> Void
    ) throws(StoreError) {
        let size = starts[starts.count - 1]
        try output.writeTable(table, owner: owner, count: starts.count, bound: size) { starts[$0] }
        var section = SectionWriter(kind, owner: owner, size: size, to: output)
        for offset in offsets { try append(RecordBlock.id(records, at: Int(offset)), &section) }
        try section.finish()
    }
}
