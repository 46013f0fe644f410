// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform

/// Writes where records are: by id, and by row.
struct IDTableBuilder: BuildJob {
    let definition: Definition
    let identity: SnapshotIdentity
    let output: SnapshotOutput
    /// By row: where its record begins in the mapping.
    let offsets: [UInt64]
    let records: RecordPlaces
    /// Where most rows' ids lie in order; nil: nowhere yet.
    let merge: RowMerge?

    /// The ids in the order of the rows, end to end, and where each begins; then the end.
    private struct IDs {
        var bytes: [UInt8] = []
        var starts: [Int] = [0]

        mutating func append(_ id: RawSpan) {
            bytes.append(copying: id)
            starts.append(bytes.count)
        }
    }

    func write() throws(StoreError) {
        try output.write(.recordOffsets, width: 8, offsets.span)
        let ids = ids()
        try writeTable(ids)
        try write(.keyStarts, .keys, ids)
        let folded = folded(ids)
        // Where none differs, the ids are the folded forms.
        if folded.bytes != ids.bytes { try write(.foldedStarts, .folded, folded) }
    }

    private func writeTable(_ ids: IDs) throws(StoreError) {
        let hash = IDTable.hash(identity)
        let bytes = ids.bytes.raw
        var slots = [UInt64](repeating: 0, count: IDTable.slots(for: offsets.count) * 2)
        let mask = slots.count / 2 - 1
        for row in offsets.indices {
            let code = hash(bytes.part(ids.starts[row]..<ids.starts[row + 1]))
            var index = IDTable.index(code) & mask
            while slots[index &* 2 &+ 1] != 0 { index = (index &+ 1) & mask }
            slots[index &* 2] = UInt64(IDTable.tag(code)) << 32 | UInt64(row)
            slots[index &* 2 &+ 1] = offsets[row]
        }
        try output.write(.idTable, bytes: unsafe slots.span.bytes)
    }

    private func write(_ table: SectionKind, _ kind: SectionKind, _ ids: IDs) throws(StoreError) {
        let owner = definition.idField
        try output.writeTable(table, owner: owner, count: ids.starts.count, bound: ids.bytes.count) { ids.starts[$0] }
        try output.write(kind, owner: owner, bytes: ids.bytes.raw)
    }

    private func folded(_ ids: IDs) -> IDs {
        let bytes = ids.bytes.raw
        var folded = IDs()
        folded.starts.reserveCapacity(ids.starts.count)
        for row in offsets.indices {
            Folding.fold(bytes.part(ids.starts[row]..<ids.starts[row + 1]), into: &folded.bytes)
            folded.starts.append(folded.bytes.count)
        }
        return folded
    }

    private func ids() -> IDs {
        var ids = IDs()
        ids.starts.reserveCapacity(offsets.count + 1)
        guard let merge else {
            for offset in offsets { ids.append(records.id(Int(offset))) }
            return ids
        }
        // Most lie in order in the earlier snapshot.
        let old = merge.old
        let bytes = old.bytes
        let column = old.column(definition.idField)
        for (row, source) in merge.sources.enumerated() {
            if source & RowMerge.fresh == 0 {
                ids.append(column.key(Int(source), bytes))
            } else {
                ids.append(records.id(Int(offsets[row])))
            }
        }
        return ids
    }
}
