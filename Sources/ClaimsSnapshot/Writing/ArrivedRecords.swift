// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform

/// The records of a build in the order in which they arrived.
struct ArrivedRecords: Sendable {
    let definition: Definition
    let output: SnapshotOutput
    let records: RecordReader
    /// The offset of each record in the mapping, in the order of arrival.
    let offsets: SpilledElements<UInt64>
    /// The number of records, dropped ones included.
    let count: Int

    /// The first `count` of them.
    func prefix(_ count: Int) -> ArrivedRecords {
        ArrivedRecords(definition: definition, output: output, records: records, offsets: offsets, count: count)
    }

    /// The offset of each row's record in the mapping.
    func offsets(of rows: [UInt32]) -> [UInt64] {
        let bytes = offsets.bytes
        return rows.map { bytes.u64(at: Int($0) * 8) }
    }

    /// Calls `body` with the document of the record that arrived as number `arrival`.
    func withDocument<Result>(of arrival: Int, _ body: (RawSpan) -> Result) -> Result {
        let offset = Int(truncatingIfNeeded: offsets.bytes.u64(at: arrival * 8))
        return records.withDocument(at: offset, body)
    }
}

/// The records of a build and the order of its rows, which all sections are written from.
struct BuildInput: Sendable {
    let arrived: ArrivedRecords
    /// The number in the order of arrival of each row's record.
    let rows: [UInt32]

    var definition: Definition { arrived.definition }
    var output: SnapshotOutput { arrived.output }
}

/// Reads records while a snapshot is built, by their offsets in its mapping: from its own file, or from the files of
/// the earlier snapshot with which they are shared.
struct RecordReader: Sendable {
    /// The number of bytes of a record that are fetched ahead: most ids end within them.
    private static let prefetchedBytes = 128

    let own: MappedFile
    /// The offset of the own file in the mapping, in bytes.
    let origin: Int
    /// The mapping of the earlier snapshot, whose offsets are below `origin`.
    let base: MappedFile?

    /// The id of the record at `offset`.
    @_lifetime(borrow self)
    @inline(__always)
    func id(at offset: Int) -> RawSpan {
        if offset < origin, let base {
            let span = RecordBlock.id(base.bytes, at: offset)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
        let span = RecordBlock.id(own.bytes, at: offset &- origin)
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// Asks the processor for the beginning of the record at `offset`, which is read soon.
    @inline(__always)
    func prefetch(at offset: Int) {
        if offset < origin, let base {
            Prefetch.read(base.bytes, at: offset, count: Self.prefetchedBytes)
        } else {
            Prefetch.read(own.bytes, at: offset &- origin, count: Self.prefetchedBytes)
        }
    }

    /// Calls `body` with the document of the record at `offset`.
    func withDocument<Result>(at offset: Int, _ body: (RawSpan) -> Result) -> Result {
        if offset < origin, let base { return body(RecordBlock.document(base.bytes, at: offset)) }
        return body(RecordBlock.document(own.bytes, at: offset &- origin))
    }
}

/// A set of record numbers, as a bitmap up to the highest of them.
///
/// Most sets are empty or small; an empty one needs no memory.
public struct RowMarks: Sendable {
    private var words: [UInt64] = []
    /// The number of record numbers in the set.
    public private(set) var count = 0

    /// Makes an empty set.
    public init() {}

    /// Inserts a record number, which is at least 0; a number that is in the set stays.
    public mutating func insert(_ number: Int) {
        let index = number >> 6
        if index >= words.count { words.append(contentsOf: repeatElement(0, count: index + 1 - words.count)) }
        guard !contains(number) else { return }
        words[index] |= 1 << UInt64(number & 63)
        count += 1
    }

    /// Whether the number, which is at least 0, is in the set.
    @inline(__always)
    public func contains(_ number: Int) -> Bool {
        let index = number >> 6
        return index < words.count && words[index] & 1 << UInt64(number & 63) != 0
    }
}
