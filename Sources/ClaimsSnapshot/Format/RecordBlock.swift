// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// The layout of one record in the file: 40 bytes of numbers, the id, the document, the upstream object.
///
/// All that `detail` needs of a record lies together, so that it touches one place in memory. The numbers are three
/// lengths, the flags, and when the record was first seen, when it changed, and its key in the state database.
enum RecordBlock {
    static let headSize = 40
    /// The flag of a record with a value that a vocabulary does not know.
    static let unsupported: UInt32 = 1

    static func append(
        to out: inout [UInt8], id: RawSpan, document: RawSpan, upstream: RawSpan, flags: UInt32, firstSeen: Int64,
        changedAt: Int64, stateKey: Int64
    ) {
        out.append(littleEndian: UInt32(truncatingIfNeeded: id.byteCount))
        out.append(littleEndian: UInt32(truncatingIfNeeded: document.byteCount))
        out.append(littleEndian: UInt32(truncatingIfNeeded: upstream.byteCount))
        out.append(littleEndian: flags)
        out.append(littleEndian: UInt64(bitPattern: firstSeen))
        out.append(littleEndian: UInt64(bitPattern: changedAt))
        out.append(littleEndian: UInt64(bitPattern: stateKey))
        out.append(bytes: id)
        out.append(bytes: document)
        out.append(bytes: upstream)
    }

    /// The parts of the block that begins at `offset`; empty, or 0, if they do not lie in the file.
    @_lifetime(copy bytes)
    static func id(_ bytes: RawSpan, at offset: Int) -> RawSpan {
        bytes.part(offset &+ headSize, Int(bytes.u32(at: offset)))
    }

    @_lifetime(copy bytes)
    static func document(_ bytes: RawSpan, at offset: Int) -> RawSpan {
        bytes.part(offset &+ headSize &+ Int(bytes.u32(at: offset)), Int(bytes.u32(at: offset &+ 4)))
    }

    @_lifetime(copy bytes)
    static func upstream(_ bytes: RawSpan, at offset: Int) -> RawSpan {
        let start = offset &+ headSize &+ Int(bytes.u32(at: offset)) &+ Int(bytes.u32(at: offset &+ 4))
        return bytes.part(start, Int(bytes.u32(at: offset &+ 8)))
    }

    /// The document and the upstream's object, which follows it.
    @_lifetime(copy bytes)
    @inline(__always)
    static func bodies(_ bytes: RawSpan, at offset: Int) -> RawSpan {
        bytes.part(
            offset &+ headSize &+ Int(bytes.u32(at: offset)),
            Int(bytes.u32(at: offset &+ 4)) &+ Int(bytes.u32(at: offset &+ 8)))
    }

    /// The size of a whole block in bytes, from its own numbers.
    static func size(_ bytes: RawSpan, at offset: Int) -> Int {
        headSize &+ Int(bytes.u32(at: offset)) &+ Int(bytes.u32(at: offset &+ 4)) &+ Int(bytes.u32(at: offset &+ 8))
    }

    static func flags(_ bytes: RawSpan, at offset: Int) -> UInt32 { bytes.u32(at: offset &+ 12) }
    static func firstSeen(_ bytes: RawSpan, at offset: Int) -> Int64 { Int64(bitPattern: bytes.u64(at: offset &+ 16)) }
    static func changedAt(_ bytes: RawSpan, at offset: Int) -> Int64 { Int64(bitPattern: bytes.u64(at: offset &+ 24)) }
    static func stateKey(_ bytes: RawSpan, at offset: Int) -> Int64 { Int64(bitPattern: bytes.u64(at: offset &+ 32)) }

    /// Puts another key into a block that begins with the first byte.
    static func set(stateKey: Int64, in block: inout [UInt8]) {
        for index in 0..<8 { block[32 + index] = UInt8(truncatingIfNeeded: stateKey >> Int64(index * 8)) }
    }
}

/// The text of a field as it came, which only the record's document has: columns keep folded texts.
enum DocumentText {
    /// A text of a document; empty if the document has no such text.
    static func read(_ name: [UInt8], of document: RawSpan, _ tape: inout JSONTape) -> [UInt8] {
        var text: [UInt8] = []
        guard (try? tape.parse(document, depth: depth)) != nil, let node = tape.member(name, of: 0, in: document)
        else { return text }
        tape.appendString(node, in: document, to: &text)
        return text
    }

    /// Documents hold upstream values of any depth that was accepted.
    private static let depth = 1024
}
