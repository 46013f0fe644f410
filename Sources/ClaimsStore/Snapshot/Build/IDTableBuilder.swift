// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform

/// Writes where records are: by id, and by row.
struct IDTableBuilder: BuildJob {
    /// Records arrive in any order: so many are asked for before they are read.
    private static let readAhead = 16
    /// So many ids are looked up in the table together.
    private static let batch = 64

    let definition: Definition
    let identity: SnapshotIdentity
    let output: SnapshotOutput
    /// By row: where its record begins in the mapping.
    let offsets: [UInt64]
    let records: RecordPlaces
    /// Where most rows' ids lie in order; nil: nowhere yet.
    let merge: RowMerge?

    /// Byte strings in the order of the rows, end to end, and where each begins; then the end.
    private struct Texts {
        var bytes: SpilledElements<UInt8>
        var starts: SpilledElements<UInt64>

        @_lifetime(borrow self)
        subscript(row: Int) -> RawSpan {
            let start = Int(starts.bytes.u64(row &* 8))
            return bytes.bytes.part(start, Int(starts.bytes.u64(row &* 8 &+ 8)) &- start)
        }
    }

    func write() throws(StoreError) {
        try output.write(.recordOffsets, width: 8, offsets.span)
        let ids = try ids()
        try writeTable(ids)
        try write(.keyStarts, .keys, ids)
        // Where none differs, the ids are the folded forms.
        if let folded = try folded(ids) { try write(.foldedStarts, .folded, folded) }
    }

    private func writeTable(_ ids: Texts) throws(StoreError) {
        let hash = IDTable.hash(identity)
        var slots = [UInt64](repeating: 0, count: IDTable.slots(for: offsets.count) * 2)
        let mask = slots.count / 2 - 1
        let texts = ids.bytes.bytes
        let starts = ids.starts.bytes
        var codes = [UInt64](repeating: 0, count: Self.batch)
        for first in stride(from: 0, to: offsets.count, by: Self.batch) {
            let rows = first..<min(first + Self.batch, offsets.count)
            // The table's places are all asked for before any is read, so that the waits for memory overlap.
            for row in rows {
                let start = Int(starts.u64(row &* 8))
                let code = hash(texts.part(start, Int(starts.u64(row &* 8 &+ 8)) &- start))
                codes[row &- first] = code
                Prefetch.read(unsafe slots.span.bytes, at: (IDTable.index(code) & mask) &* 16, count: 16)
            }
            for row in rows {
                let code = codes[row &- first]
                var index = IDTable.index(code) & mask
                while slots[index &* 2 &+ 1] != 0 { index = (index &+ 1) & mask }
                slots[index &* 2] = UInt64(IDTable.tag(code)) << 32 | UInt64(row)
                slots[index &* 2 &+ 1] = offsets[row]
            }
        }
        try output.write(.idTable, bytes: unsafe slots.span.bytes)
    }

    private func write(_ table: SectionKind, _ kind: SectionKind, _ texts: Texts) throws(StoreError) {
        let owner = definition.idField
        let starts = texts.starts.bytes
        try output.writeTable(table, owner: owner, count: texts.starts.count, bound: texts.bytes.count) {
            Int(starts.u64($0 &* 8))
        }
        try output.write(kind, owner: owner, bytes: texts.bytes.bytes)
    }

    /// The folded ids; nil where each is its id.
    private func folded(_ ids: Texts) throws(StoreError) -> Texts? {
        if Self.isPlain(ids.bytes.bytes) { return nil }
        var folded: [UInt8] = []
        var differs = false
        for row in offsets.indices where !differs {
            folded.removeAll(keepingCapacity: true)
            Folding.fold(ids[row], into: &folded)
            differs = !folded.raw.isEqual(ids[row])
        }
        guard differs else { return nil }
        return try texts { row, append throws(StoreError) in
            folded.removeAll(keepingCapacity: true)
            Folding.fold(ids[row], into: &folded)
            try append(folded.raw)
        }
    }

    /// Whether all is made of ASCII characters that are their own folded forms.
    private static func isPlain(_ bytes: RawSpan) -> Bool {
        for offset in 0..<bytes.byteCount {
            let byte = bytes.u8(offset)
            if byte &- 0x21 >= 0x5E || byte &- 0x41 < 26 { return false }
        }
        return true
    }

    private func ids() throws(StoreError) -> Texts {
        guard let merge else {
            return try texts { row, append throws(StoreError) in
                let ahead = row &+ Self.readAhead
                if ahead < offsets.count { records.prefetch(Int(offsets[ahead])) }
                try append(records.id(Int(offsets[row])))
            }
        }
        // Most lie in order in the earlier snapshot.
        let old = merge.old
        let bytes = old.bytes
        let column = old.column(definition.idField)
        return try texts { row, append throws(StoreError) in
            let source = merge.sources[row]
            if source & RowMerge.fresh == 0 {
                try append(column.key(Int(source), bytes))
            } else {
                try append(records.id(Int(offsets[row])))
            }
        }
    }

    /// Gathers what `text` hands over for each row, outside of memory: a million ids may be long.
    private func texts(
        _ text: (_ row: Int, _ append: (RawSpan) throws(StoreError) -> Void) throws(StoreError) -> Void
    ) throws(StoreError) -> Texts {
        let directory = Paths.parent(output.path)
        var bytes = SpillStream<UInt8>(directory)
        var starts = SpillStream<UInt64>(directory)
        for row in offsets.indices {
            try starts.append(UInt64(bytes.count))
            try text(row) { span throws(StoreError) in try bytes.append(span) }
        }
        try starts.append(UInt64(bytes.count))
        return Texts(bytes: try bytes.seal(), starts: try starts.seal())
    }
}
