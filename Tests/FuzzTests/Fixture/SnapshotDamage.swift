// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsPlatform

@testable import ClaimsSnapshot

/// A small program that damages a snapshot file: a byte of flags, then pieces to be written into the file.
///
/// A piece is the number of a section, two bytes of position in it, a length up to 8, and the bytes. Behind the
/// sections come their table and the header. So a few bytes say what to damage, whatever the file is made of.
struct SnapshotDamage {
    /// The checksums of header and table stay as they were, and do not fit any more.
    let keepsChecksums: Bool
    /// The file ends this much earlier.
    let missing: Int
    private let pieces: [(part: Int, position: Int, bytes: [UInt8])]

    init(_ program: [UInt8]) {
        var rest = program[...]
        let flags = rest.popFirst() ?? 0
        keepsChecksums = flags & 1 != 0
        missing = flags & 2 != 0 ? Int(rest.popFirst() ?? 0) : 0
        var pieces: [(part: Int, position: Int, bytes: [UInt8])] = []
        while rest.count >= 4 {
            let head = Array(rest.prefix(4))
            rest = rest.dropFirst(4)
            let count = Int(head[3] & 7) + 1
            pieces.append((Int(head[0]), Int(head[1]) | Int(head[2]) << 8, Array(rest.prefix(count))))
            rest = rest.dropFirst(count)
        }
        self.pieces = pieces
    }

    /// The damaged file.
    func applied(to sound: FuzzSnapshot) -> [UInt8] {
        var bytes = sound.bytes
        let header = sound.header
        let table = header.tableOffset..<header.tableOffset + header.sections * Section.entrySize
        let parts = sound.sections + [table, 0..<SnapshotHeader.size]
        for piece in pieces {
            let part = parts[piece.part % parts.count]
            for (offset, byte) in piece.bytes.enumerated() {
                bytes[part.lowerBound + (piece.position + offset) % part.count] = byte
            }
        }
        if !keepsChecksums {
            // So that the damage behind them is reached.
            set(Checksum.of(bytes.rawSpan.part(table)), at: 80, of: &bytes)
            set(Checksum.of(bytes.rawSpan.part(0, SnapshotHeader.size - 8)), at: SnapshotHeader.size - 8, of: &bytes)
        }
        bytes.removeLast(min(missing, bytes.count))
        return bytes
    }

    private func set(_ number: UInt64, at offset: Int, of bytes: inout [UInt8]) {
        for index in 0..<8 { bytes[offset + index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * index)) }
    }
}
