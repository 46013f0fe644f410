// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform

/// The ids of a snapshot's rows.
protocol RowIDs: Sendable {
    /// Calls `body` with the id of each row, from the first row to the last.
    func forEach(_ body: (RawSpan) throws(StoreError) -> Void) throws(StoreError)
}

/// Ids that are read from the records themselves.
struct RecordIDs: RowIDs {
    /// The number of rows ahead that are fetched before they are read, because records arrive in any order.
    private static let readAhead = 16

    /// The offset of each row's record in the mapping.
    let offsets: [UInt64]
    let records: RecordReader

    func forEach(_ body: (RawSpan) throws(StoreError) -> Void) throws(StoreError) {
        for row in offsets.indices {
            let ahead = row &+ Self.readAhead
            if ahead < offsets.count { records.prefetch(at: Int(offsets[ahead])) }
            try body(records.id(at: Int(offsets[row])))
        }
    }
}

/// Writes the locations of records: by id, in a hash table, and by row.
struct IDTableBuilder: BuildJob {
    /// The number of ids that are looked up in the table together.
    private static let batch = 64

    let definition: Definition
    let identity: SnapshotIdentity
    let output: SnapshotOutput
    /// The offset of each row's record in the mapping.
    let offsets: [UInt64]
    let ids: any RowIDs

    /// Byte strings in the order of the rows, end to end, with their starts and then the end.
    private struct Texts {
        var bytes: SpilledElements<UInt8>
        var starts: SpilledElements<UInt64>

        @_lifetime(borrow self)
        subscript(row: Int) -> RawSpan {
            let start = Int(starts.bytes.u64(at: row &* 8))
            return bytes.bytes.part(start, Int(starts.bytes.u64(at: row &* 8 &+ 8)) &- start)
        }
    }

    func write() throws(StoreError) {
        try output.write(.recordOffsets, width: 8, offsets.span)
        let ids = try texts { append throws(StoreError) in try self.ids.forEach(append) }
        try writeTable(ids)
        try write(.keyStarts, .keys, ids)
        // Without this section, each id is its own folded form.
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
            // The slots are all prefetched before any is read, so that the waits for memory overlap.
            for row in rows {
                let start = Int(starts.u64(at: row &* 8))
                let code = hash(texts.part(start, Int(starts.u64(at: row &* 8 &+ 8)) &- start))
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
        let columnID = definition.idField
        let starts = texts.starts.bytes
        try SectionWriter.writeTable(
            table, id: columnID, count: texts.starts.count, bound: texts.bytes.count, to: output
        ) {
            Int(starts.u64(at: $0 &* 8))
        }
        try output.write(kind, id: columnID, bytes: texts.bytes.bytes)
    }

    /// The folded ids; nil if each is the same as its id.
    private func folded(_ ids: Texts) throws(StoreError) -> Texts? {
        if Self.isPlain(ids.bytes.bytes) { return nil }
        var folded: [UInt8] = []
        var differs = false
        for row in offsets.indices where !differs {
            folded.removeAll(keepingCapacity: true)
            Folding.fold(ids[row], into: &folded)
            differs = !folded.rawSpan.equals(ids[row])
        }
        guard differs else { return nil }
        return try texts { append throws(StoreError) in
            for row in offsets.indices {
                folded.removeAll(keepingCapacity: true)
                Folding.fold(ids[row], into: &folded)
                try append(folded.rawSpan)
            }
        }
    }

    /// Whether all bytes are ASCII characters that are their own folded forms.
    private static func isPlain(_ bytes: RawSpan) -> Bool {
        for offset in 0..<bytes.byteCount {
            let byte = bytes.byte(at: offset)
            if byte &- 0x21 >= 0x5E || byte &- 0x41 < 26 { return false }
        }
        return true
    }

    /// Gathers the texts that `fill` appends, one for each row, outside of memory: a million ids may be long.
    private func texts(
        _ fill: (_ append: (RawSpan) throws(StoreError) -> Void) throws(StoreError) -> Void
    ) throws(StoreError) -> Texts {
        var bytes = SpillStream<UInt8>(output.medium)
        var starts = SpillStream<UInt64>(output.medium)
        try fill { text throws(StoreError) in
            try starts.append(UInt64(bytes.count))
            try bytes.append(text)
        }
        try starts.append(UInt64(bytes.count))
        return Texts(bytes: try bytes.seal(), starts: try starts.seal())
    }
}
