// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsPlatform

/// The hash table from ids to records: slots of 16 bytes, probed one after another.
///
/// A slot is 32 bits of the id's hash above its row, then the offset of its record in the file; 0 if it is free. So a
/// lookup touches two places in memory: the slot and the record.
struct IDTable: Sendable {
    static let slotSize = 16
    /// The number of bytes of a record that are fetched at once when it is found; most are about that long.
    private static let readTogether = 1024

    let offset: Int
    let slots: Int
    private let hash: WyHash

    init(offset: Int, size: Int, identity: SnapshotIdentity) {
        self.offset = offset
        let slots = size / Self.slotSize
        // The mask of a probe needs a power of two; of any other number only the part below is used.
        self.slots = slots > 0 ? 1 << (Int.bitWidth - 1 - slots.leadingZeroBitCount) : 0
        hash = Self.hash(identity)
    }

    static func hash(_ identity: SnapshotIdentity) -> WyHash { WyHash(seed: identity.fileID) }

    /// A power of two, at least half as many again as there are ids.
    static func slots(for count: Int) -> Int {
        var slots = 8
        while slots < count + count / 2 { slots *= 2 }
        return slots
    }

    @inline(__always)
    static func index(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash & 0xFFFF_FFFF) }

    @inline(__always)
    static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) }

    /// The row of an id and the offset of its record; nil if no record has it.
    func find(_ id: RawSpan, _ bytes: RawSpan) -> (row: Int, offset: Int)? {
        find(id, code: hash(id), isFetched: false, bytes)
    }

    /// The hash of an id that will be looked for soon; its slot is asked for.
    @inline(__always)
    func prepare(_ id: RawSpan, _ bytes: RawSpan) -> UInt64 {
        let code = hash(id)
        Prefetch.read(bytes, at: slot(of: code), count: Self.slotSize)
        return code
    }

    /// Asks for the record that an id with this hash most likely belongs to.
    @inline(__always)
    func prefetch(_ code: UInt64, _ bytes: RawSpan) {
        let slot = slot(of: code)
        guard bytes.u32(at: slot &+ 4) == Self.tag(code) else { return }
        Prefetch.read(bytes, at: Int(truncatingIfNeeded: bytes.u64(at: slot &+ 8)), count: Self.readTogether)
    }

    /// - Parameters:
    ///   - code: the id's hash.
    ///   - isFetched: whether the record has been asked for.
    func find(_ id: RawSpan, code: UInt64, isFetched: Bool, _ bytes: RawSpan) -> (row: Int, offset: Int)? {
        let tag = Self.tag(code)
        var index = Self.index(code)
        // There are no more probes than slots: a damaged table may have no free slot.
        for _ in 0..<slots {
            index &= slots &- 1
            let slot = offset &+ index &* Self.slotSize
            let record = Int(truncatingIfNeeded: bytes.u64(at: slot &+ 8))
            if record == 0 { return nil }
            if bytes.u32(at: slot &+ 4) == tag {
                if !isFetched { Prefetch.read(bytes, at: record, count: Self.readTogether) }
                if RecordBlock.id(bytes, at: record).equals(id) { return (Int(bytes.u32(at: slot)), record) }
            }
            index &+= 1
        }
        return nil
    }

    /// The offset of the first slot of a hash.
    @inline(__always)
    private func slot(of code: UInt64) -> Int { offset &+ (Self.index(code) & (slots &- 1)) &* Self.slotSize }
}
