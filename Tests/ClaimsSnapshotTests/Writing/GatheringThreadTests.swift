// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot

/// Values on their way to the thread that gathers them.
@Suite struct GatheringThreadTests {
    private let columns = ColumnKind.columns(of: Shelf.definition)

    /// Few different records, but long ones and often, so that the decoding thread has to wait for the other.
    private func records() throws -> [DecodedRecord] {
        var chance = SeededGenerator(seed: 21)
        let objects = (0..<17).map { id in
            let words = (0..<400).map { _ in "w\(Int.random(in: 0..<9000, using: &chance))" }
            return #"{"id":"\#(id)","title":"number \#(id)","note":"\#(words.joined(separator: " "))"}"#
        }
        let records = try Shelf.decode(objects, Shelf.definition)
        return (0..<2_000).map { records[$0 % records.count] }
    }

    /// The records as they are passed on.
    private func batches(_ records: ArraySlice<DecodedRecord>) -> [ValueBatch] {
        var batches = [ValueBatch()]
        for record in records {
            if batches[batches.count - 1].isFull { batches.append(ValueBatch()) }
            batches[batches.count - 1].append(record, columns)
        }
        return batches
    }

    private func gathered(
        _ records: some Sequence<DecodedRecord>, _ carried: CarriedRecords? = nil
    ) throws -> GatheredValues {
        let folder = try TemporaryFolder()
        var gathering = GatheringThread(columns, medium: .folder(folder.path), seed: 1)
        for record in records { try gathering.append(record) }
        return try gathering.seal { gatherer throws(StoreError) in
            if let carried { try CarriedValues.append(carried, to: &gatherer) }
        }
    }

    /// Everything gathered, as bytes.
    private func parts(_ values: GatheredValues) -> [[UInt8]] {
        var parts = [values.idKeys.bytes.array, values.idKeyCounts.bytes.array, values.terms.terms.bytes.array]
        for column in values.columns {
            parts += [column.codes.bytes.array, column.keys.bytes.array, column.tokens.bytes.array]
        }
        return parts
    }

    @Test(arguments: [0, 1, 2_000])
    func `what passes by way of the thread is gathered in the order in which it came`(count: Int) throws {
        let records = try records().prefix(count)
        let folder = try TemporaryFolder()
        var direct = ValueGatherer(columns, medium: .folder(folder.path), seed: 1)
        let batches = batches(records)
        #expect(count < 2_000 || batches.count > 8)
        for batch in batches { try direct.append(batch) }
        let (one, other) = (try gathered(records), try direct.seal())
        #expect(one.columns.map(\.count) == other.columns.map(\.count))
        let isInOrder = one.idKeys.bytes.array == records.flatMap(\.idKey)
        #expect(isInOrder)
        let areSame = parts(one) == parts(other)
        #expect(areSame)
    }

    @Test func `records that are carried over come after all others`() throws {
        let old = try SnapshotFixture([#"{"id":"b"}"#, #"{"id":"a","title":"water"}"#])
        let records = try records()
        let carried = CarriedRecords(old: old.snapshot, rows: [1, 0], first: records.count)
        let keys = try gathered(records, carried).idKeys.bytes.array
        let areLast = keys == records.flatMap(\.idKey) + old.records[1].idKey + old.records[0].idKey
        #expect(areLast)
    }

    @Test func `what fails on the thread is thrown, with a later record or in the end`() throws {
        // Ids that in all are longer than what is kept in memory.
        let record = try Shelf.decode([#"{"id":"\#(String(repeating: "i", count: 100))"}"#], Shelf.definition)[0]
        let folder = try TemporaryFolder()
        var gathering = GatheringThread(columns, medium: .folder(folder("nowhere")), seed: 1)
        var failure: StoreError?
        do throws(StoreError) {
            for _ in 0..<SpillStream<UInt8>.bufferBytes / 50 { try gathering.append(record) }
            _ = try gathering.seal()
        } catch {
            failure = error
        }
        #expect(failure?.code == .missing, "\(String(describing: failure))")
    }

    @Test func `a gathering that is released early leaves nothing behind`() throws {
        let records = try records()
        let folder = try TemporaryFolder()
        for count in [0, 1, 200, records.count] {
            var gathering = GatheringThread(columns, medium: .folder(folder.path), seed: 1)
            for record in records.prefix(count) { try gathering.append(record) }
        }
        #expect(try Directory.list(folder.path).isEmpty)
    }
}
