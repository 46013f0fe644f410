// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore

/// Writes the result of `detail`: the record, the upstream's object, its provenance, and the collection's meta.
///
/// This is the only place that spells this JSON; `DetailHandler` and `FastPath` both use it. The text after the
/// upstream's object is kept from one record to the next: only two instants in it change, which always have the same
/// length, and the age changes with the time.
struct DetailWriter {
    /// The text after the upstream's object, from a comma to the end of the result.
    private var ending: [UInt8]
    private var firstSeen: Int64 = 0
    private var changedAt: Int64 = 0
    private let firstSeenOffset: Int
    private let changedAtOffset: Int
    /// The number of the generation, which ends the provenance.
    private let generation: Range<Int>
    private let metaOffset: Int
    private let ageOffset: Int
    private var ageEnd: Int
    private var scratch: [UInt8] = []

    init(_ view: CollectionView, meta: borrowing MetaText) {
        var writer = JSONWriter()
        writer.bytes = [UInt8(ascii: ",")]
        writer.key(DetailResult.provenance)
        writer.beginObject()
        writer.member(DetailResult.Provenance.source, view.source?.rawValue)
        writer.key(DetailResult.Provenance.fetchedAt)
        writer.instant(view.sourceSummary.fetchedAt)
        writer.key(DetailResult.Provenance.firstSeen)
        firstSeenOffset = writer.bytes.count + 1
        writer.instant(firstSeen)
        writer.key(DetailResult.Provenance.changedAt)
        changedAtOffset = writer.bytes.count + 1
        writer.instant(changedAt)
        writer.key(DetailResult.Provenance.generation)
        let generationOffset = writer.bytes.count
        writer.integer(view.condition.row.generation)
        generation = generationOffset..<writer.bytes.count
        writer.endObject()
        writer.key(DetailResult.meta)
        metaOffset = writer.bytes.count
        writer.raw(meta.head)
        ageOffset = writer.bytes.count
        ageEnd = ageOffset
        writer.beginValue()
        writer.raw(meta.tail)
        writer.endObject()
        ending = writer.bytes
    }

    /// Sets the age of the data, in milliseconds; nil if it is unknown.
    mutating func set(age: Int64?) {
        scratch.removeAll(keepingCapacity: true)
        scratch.append(contentsOf: (age.map(String.init) ?? "null").utf8)
        ending.replaceSubrange(ageOffset..<ageEnd, with: scratch)
        ageEnd = ageOffset + scratch.count
    }

    /// Writes the result for a record that is not archived, without labels.
    mutating func write(_ record: borrowing SnapshotRecord, to writer: inout JSONWriter) {
        update(record)
        writer.raw(addingCapacity: record.bodies.byteCount &+ ending.count &+ Self.maxNameBytes) { out in
            append(record, to: &out)
        }
    }

    /// Writes the whole response line for a record that is not archived.
    ///
    /// - Parameter id: the id of the request as it came.
    @inline(__always)
    mutating func writeLine(id: RawSpan, _ record: borrowing SnapshotRecord, to writer: inout JSONWriter) {
        update(record)
        let count = id.byteCount &+ record.bodies.byteCount &+ ending.count &+ Self.maxNameBytes
        writer.line(addingCapacity: count) { out in
            out.append("{\"jsonrpc\":\"2.0\",\"id\":")
            out.append(bytes: id)
            out.append(",\"result\":")
            append(record, to: &out)
            out.append(UInt8(ascii: "}"))
            out.append(UInt8(ascii: "\n"))
        }
    }

    /// Writes the whole response line for a record of which a rule hides or masks fields, and that is not archived.
    ///
    /// - Parameters:
    ///   - id: the id of the request as it came.
    ///   - shown: the record as the rule shows it.
    mutating func writeLine(
        id: RawSpan, _ record: borrowing SnapshotRecord, as shown: RawSpan, to writer: inout JSONWriter
    ) {
        update(record)
        let count = id.byteCount &+ shown.byteCount &+ ending.count &+ Self.maxNameBytes
        writer.line(addingCapacity: count) { out in
            out.append("{\"jsonrpc\":\"2.0\",\"id\":")
            out.append(bytes: id)
            out.append(",\"result\":{\"record\":")
            out.append(bytes: shown)
            out.append(bytes: ending.rawSpan)
            out.append(UInt8(ascii: "}"))
            out.append(UInt8(ascii: "\n"))
        }
    }

    /// The parts of a result that most results do not have.
    struct Extras {
        var isArchived = false
        /// When the record was archived, in milliseconds since 1970.
        var archivedAt: Int64?
        /// The name of the user who archived it.
        var archivedBy: String?
        /// The member `pending` of the record as JSON; nil if it has no unsettled operations.
        var pending: [UInt8]?
        /// The last write of the record, and the name of its user; nil if its values are the upstream's.
        var written: (write: RecordWrite, user: String)?
        /// The record as a rule shows it, which leaves out the upstream's object; nil: all of both.
        var shown: [UInt8]?
        /// The upstream's object, if it differs from the record's own object; `null` if there is none.
        var upstream: [UInt8]?
        /// The `labels` object as text.
        var labels: [UInt8]?
        /// The meta object in the language of the labels.
        var meta: [UInt8]?
    }

    /// Writes the result with the marks of an archived or written record, with labels, or with several of them.
    mutating func write(_ record: borrowing SnapshotRecord, with extras: Extras, to writer: inout JSONWriter) {
        update(record)
        writer.beginObject()
        if let shown = extras.shown {
            writer.member(DetailResult.record.name, raw: shown)
        } else {
            writer.member(DetailResult.record.name, raw: record.document)
        }
        if extras.isArchived { RecordWriter.markArchived(&writer) }
        if let pending = extras.pending { RecordWriter.extend(&writer, PendingMember.name, pending) }
        if extras.shown != nil {
            // The upstream's object is left out here, because it has what the rule hides.
        } else if let upstream = extras.upstream {
            writer.member(DetailResult.upstream.name, raw: upstream)
        } else {
            writer.member(DetailResult.upstream.name, raw: record.upstream)
        }
        writer.fragment(Array(ending[1..<generation.lowerBound]))
        writer.raw(Array(ending[generation]))
        if let archivedAt = extras.archivedAt {
            writer.key(DetailResult.Provenance.archivedAt)
            writer.instant(archivedAt)
        }
        if let archivedBy = extras.archivedBy { writer.member(DetailResult.Provenance.archivedBy, archivedBy) }
        if let (write, user) = extras.written {
            writer.key(DetailResult.Provenance.submittedAt)
            writer.instant(write.submittedAt)
            writer.member(DetailResult.Provenance.submittedBy, user)
            writer.member(DetailResult.Provenance.op, write.operation.text)
        }
        writer.endObject()
        if let labels = extras.labels { writer.member(DetailResult.labels.name, raw: labels) }
        writer.member(DetailResult.meta.name, raw: extras.meta ?? Array(ending[metaOffset..<ending.count - 1]))
        writer.endObject()
    }

    @inline(__always)
    private func append(_ record: borrowing SnapshotRecord, to out: inout OutputSpan<UInt8>) {
        let bodies = record.bodies
        let split = record.documentCount
        out.append("{\"record\":")
        out.append(bytes: bodies.extracting(0..<split))
        out.append(",\"upstream\":")
        out.append(bytes: bodies.extracting(split..<bodies.byteCount))
        out.append(bytes: ending.rawSpan)
    }

    @inline(__always)
    private mutating func update(_ record: borrowing SnapshotRecord) {
        let first = record.firstSeen
        let changed = record.changedAt
        if first != firstSeen {
            put(first, at: firstSeenOffset)
            firstSeen = first
        }
        if changed != changedAt {
            put(changed, at: changedAtOffset)
            changedAt = changed
        }
    }

    /// All instants have the same length.
    private mutating func put(_ milliseconds: Int64, at offset: Int) {
        scratch.removeAll(keepingCapacity: true)
        Instant(ms: milliseconds).append(to: &scratch)
        for index in scratch.indices { ending[offset &+ index] = scratch[index] }
    }

    /// A bound on the names and punctuation around the parts of a response line, in bytes.
    private static let maxNameBytes = 80
}
