// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsStore

/// What follows a record's upstream object in an answer of `detail`: where it came from, and the collection's meta object.
///
/// It is written once. From one record to the next only two instants may differ, which are as long as those before, and
/// from one millisecond to the next the age.
struct DetailEnding {
    private var bytes: [UInt8]
    private var firstSeen: Int64 = 0
    private var changedAt: Int64 = 0
    private let firstSeenPlace: Int
    private let changedAtPlace: Int
    private let agePlace: Int
    private var ageEnd: Int
    private var scratch: [UInt8] = []

    /// - Parameters:
    ///   - origin: the provenance up to the value of `first_seen`.
    ///   - generation: the generation's number, as JSON.
    init(origin: [UInt8], generation: [UInt8], meta: borrowing MetaText) {
        var writer = JSONWriter()
        writer.bytes = [UInt8(ascii: ",")]
        writer.fragment(origin)
        firstSeenPlace = writer.bytes.count + 1
        writer.instant(firstSeen)
        writer.key("changed_at")
        changedAtPlace = writer.bytes.count + 1
        writer.instant(changedAt)
        writer.member("generation", raw: generation)
        writer.endObject()
        writer.key("meta")
        writer.raw(meta.head)
        agePlace = writer.bytes.count
        ageEnd = agePlace
        writer.beginValue()
        writer.raw(meta.tail)
        writer.endObject()
        bytes = writer.bytes
    }

    /// Sets the age of the data, in milliseconds; nil where nobody knows.
    mutating func set(age: Int64?) {
        scratch.removeAll(keepingCapacity: true)
        scratch.append(contentsOf: (age.map(String.init) ?? "null").utf8)
        bytes.replaceSubrange(agePlace..<ageEnd, with: scratch)
        ageEnd = agePlace + scratch.count
    }

    /// Writes the result: the record, the upstream's object, and this.
    mutating func write(after record: borrowing SnapshotRecord, to writer: inout JSONWriter) {
        update(record)
        let bodies = record.bodies
        writer.raw(addingCapacity: bodies.byteCount &+ bytes.count &+ Self.namesBytes) { out in
            append(record, to: &out)
        }
    }

    /// Writes the whole line that answers the request with that id, as it came.
    @inline(__always)
    mutating func writeLine(id: RawSpan, _ record: borrowing SnapshotRecord, to writer: inout JSONWriter) {
        update(record)
        let count = id.byteCount &+ record.bodies.byteCount &+ bytes.count &+ Self.namesBytes
        writer.line(addingCapacity: count) { out in
            out.append("{\"jsonrpc\":\"2.0\",\"id\":")
            out.append(bytes: id)
            out.append(",\"result\":")
            append(record, to: &out)
            out.append(UInt8(ascii: "}"))
            out.append(UInt8(ascii: "\n"))
        }
    }

    @inline(__always)
    private func append(_ record: borrowing SnapshotRecord, to out: inout OutputSpan<UInt8>) {
        let bodies = record.bodies
        let split = record.documentCount
        out.append("{\"record\":")
        out.append(bytes: bodies.extracting(0..<split))
        out.append(",\"upstream\":")
        out.append(bytes: bodies.extracting(split..<bodies.byteCount))
        out.append(bytes: bytes.rawSpan)
    }

    @inline(__always)
    private mutating func update(_ record: borrowing SnapshotRecord) {
        let first = record.firstSeen
        let changed = record.changedAt
        if first != firstSeen {
            put(first, at: firstSeenPlace)
            firstSeen = first
        }
        if changed != changedAt {
            put(changed, at: changedAtPlace)
            changedAt = changed
        }
    }

    /// All instants are as long as each other.
    private mutating func put(_ milliseconds: Int64, at place: Int) {
        scratch.removeAll(keepingCapacity: true)
        Instant(ms: milliseconds).append(to: &scratch)
        for index in scratch.indices { bytes[place &+ index] = scratch[index] }
    }

    /// What the names take at most, with all that is around them.
    private static let namesBytes = 80
}
