// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON
public import ClaimsModel
public import ClaimsSnapshot

/// Takes in a body page by page: decodes its records, compares them with those being served, and writes the next
/// generation to a snapshot file and to state.db. It is served only after `StateStore.commit` or `StateStore.confirm`.
///
/// A record whose bytes have not changed is carried over without being decoded; where it also comes in the expected
/// order, it is not even parsed. An intake belongs to one thread.
public struct RecordIntake: ~Copyable {
    /// A change of a record of the body, by the record's number and the change's ordinal.
    struct Note: BitwiseCopyable {
        let number: UInt32
        let ordinal: UInt32
    }

    let plan: Plan
    let directory: String
    let identity: SnapshotIdentity
    var stage: GenerationStage
    var writer: SnapshotWriter
    var seen: SeenRecords
    /// The pages so far, and the number of the first record of each.
    var pages: [(body: any RecordBody, first: Int)] = []
    /// The numbers of the records that a later one took the location of.
    var dropped = RowMarks()
    /// The numbers of the records in which only volatile members differ.
    var restated = RowMarks()
    /// The changes that were noted, ascending by the records' numbers.
    var notes = ChunkedArray<Note>()
    let root: JSONPointer

    /// Predicts the next record of the body; nil where every record must be looked at.
    private var predictor: RowPredictor?
    private var decoder: RecordDecoder
    private var comparison: UpstreamComparison
    var difference: DocumentDifference
    private var tape = JSONTape()
    private var record = DecodedRecord()

    /// Begins an intake that writes rows into `stage` and a new snapshot file in `directory`.
    public init(
        _ plan: Plan, root: JSONPointer, stage: consuming GenerationStage, directory: String,
        identity: SnapshotIdentity
    ) throws(StoreError) {
        let writer = try StoreError.translating { () throws(SnapshotError) in
            try SnapshotWriter(
                directory: directory, definition: plan.definition, identity: identity, base: plan.base)
        }
        self.plan = plan
        self.root = root
        self.directory = directory
        self.identity = identity
        self.stage = stage
        self.stage.begin(.whole)
        self.writer = writer
        seen = SeenRecords(rows: plan.base?.count ?? 0)
        predictor = plan.isJoinChanged ? nil : plan.base.map { RowPredictor($0) }
        decoder = RecordDecoder(definition: plan.definition, joined: plan.joined)
        comparison = UpstreamComparison(plan.definition)
        difference = DocumentDifference(plan.definition)
    }

    /// The size of the largest record, in bytes. A larger one would take time and memory from other requests.
    public static let maxRecordSize = 4 << 20

    /// How many records are read between two looks at whether to go on.
    private static let recordsPerLook = 1024

    /// The fields and values that the definition does not know, found in records that are new or changed.
    public var drift: DriftReport { decoder.drift }

    /// The number of records, good or bad, in the pages so far.
    public var elements: Int { seen.count + stage.quarantined - dropped.count }

    /// Takes in the array at the root of one page. After an error the caller can only call `abandon`.
    public mutating func read(_ body: any RecordBody) throws(IntakeError) {
        pages.append((body, seen.count))
        try read(page: body)
    }

    private mutating func read(page: some RecordBody) throws(IntakeError) {
        try page.withBytes { bytes throws(IntakeError) in try read(bytes) }
    }

    private mutating func read(_ bytes: RawSpan) throws(IntakeError) {
        var elements: JSONElements
        do throws(JSONRootError) { elements = try JSONElements(bytes, root: root) } catch { throw IntakeError(error) }
        var index = 0
        while true {
            if index % Self.recordsPerLook == 0 {
                if plan.isCancelled() { throw .cancelled }
                plan.observe(self.elements)
            }
            let expected = predictor?.skip(&elements)
            var element: JSONElements.Element?
            if expected == nil {
                do throws(JSONError) { element = try elements.next(into: &tape) } catch { throw .notJSON(error) }
            }
            guard let range = expected?.range ?? element?.range else { return }
            guard self.elements < plan.recordLimit else { throw .tooManyRecords(plan.recordLimit) }
            let location = Location(start: range.lowerBound, end: range.upperBound, index: index)
            do throws(StoreError) {
                if let element {
                    try take(element, location, bytes)
                } else if let expected, let base = plan.base {
                    try carry(expected.row, from: base, location)
                }
            } catch { throw .store(error) }
            index += 1
        }
    }

    /// Where an element of a page is.
    struct Location {
        var start: Int
        var end: Int
        var index: Int

        func entry(key: Int64) -> SeenRecords.Record {
            SeenRecords.Record(
                key: key, start: start, length: UInt32(clamping: end - start), index: UInt32(clamping: index))
        }
    }

    func pointer(_ index: Int) -> String { "\(root.text)/\(index)" }

    private mutating func take(
        _ element: JSONElements.Element, _ location: Location, _ bytes: RawSpan
    ) throws(StoreError) {
        if let objection = element.objection(in: bytes) {
            return try quarantine(bytes, at: location, reason: objection.reason, detail: objection.detail)
        }
        if case .quarantined(let reason, let detail) = decoder.identify(tape, bytes, into: &record) {
            return try quarantine(bytes, at: location, reason: reason, detail: detail)
        }
        guard let base = plan.base, let row = base.row(forID: record.id.rawSpan) else {
            return try takeNew(bytes, location)
        }
        predictor?.observe(row)
        let verdict = verdict(on: base.upstream(row), bytes)
        if verdict == .same, !plan.isJoinChanged { return try carry(row, from: base, location) }
        if case .quarantined(let reason, let detail) = decoder.complete(tape, bytes, into: &record) {
            return try quarantine(bytes, at: location, id: record.id, reason: reason, detail: detail)
        }
        var changedAt = plan.now
        if verdict != .volatile || plan.isJoinChanged {
            let old = base.document(row)
            let values = Self.compare(old, with: record, &difference)
            switch (verdict, values) {
            case (.same, nil):
                // A document may differ in volatile fields alone, which the join has filled.
                if record.document.rawSpan.equals(old) { return try carry(row, from: base, location) }
                changedAt = restate(row, of: base)
            case (.volatile, nil): changedAt = restate(row, of: base)
            case (.different(let unread), _):
                // A value that differs, and is served as before, differs upstream only.
                try noteUpdate(values, differsUpstream: unread || values == nil)
            case (_, let values?): try noteUpdate(values, differsUpstream: false)
            }
        } else {
            changedAt = restate(row, of: base)
        }
        let key = try store(firstSeen: base.firstSeen(row), changedAt: changedAt)
        try supersede(seen.add(location.entry(key: key), row: row))
    }

    /// Compares the record with the one that is served.
    private mutating func verdict(on old: RawSpan, _ bytes: RawSpan) -> UpstreamComparison.Verdict {
        if record.upstream.rawSpan.equals(old) { return .same }
        return comparison.verdict(tape, bytes, old: old)
    }

    /// Remembers that the record that comes next differs in nothing that is told; the time at which it last did.
    private mutating func restate(_ row: Int, of base: Snapshot) -> Int64 {
        restated.insert(seen.count)
        return base.changedAt(row)
    }

    private mutating func takeNew(_ bytes: RawSpan, _ location: Location) throws(StoreError) {
        if case .quarantined(let reason, let detail) = decoder.complete(tape, bytes, into: &record) {
            return try quarantine(bytes, at: location, id: record.id, reason: reason, detail: detail)
        }
        if plan.base != nil { remember(try Self.noteAddition(of: record, in: &stage)) }
        let key = try store(firstSeen: plan.now, changedAt: plan.now)
        try supersede(Self.add(location.entry(key: key), record, to: &seen, writer))
    }

    private mutating func quarantine(
        _ bytes: RawSpan, at location: Location, id: [UInt8]? = nil, reason: String, detail: String = ""
    ) throws(StoreError) {
        try stage.quarantine(
            bytes.extracting(location.start..<location.end), id: id, pointer: pointer(location.index) + detail,
            reason: reason)
    }

    private mutating func carry(_ row: Int, from base: Snapshot, _ location: Location) throws(StoreError) {
        do throws(SnapshotError) { _ = try writer.carry(row, from: base) } catch { throw StoreError(error) }
        guard let earlier = seen.add(location.entry(key: SeenRecords.Record.carried), row: row) else { return }
        try drop(earlier, id: base.idBytes(row))
    }

    /// Writes the decoded record to both stores, and returns its key.
    private mutating func store(firstSeen: Int64, changedAt: Int64) throws(StoreError) -> Int64 {
        var key = SeenRecords.Record.unstored
        if plan.isStored { key = try stage.add(record, firstSeen: firstSeen, changedAt: changedAt) }
        do throws(SnapshotError) {
            _ = try writer.append(record, firstSeen: firstSeen, changedAt: changedAt, stateKey: max(key, 0))
        } catch { throw StoreError(error) }
        return key
    }

    /// Sends an earlier record with the id of the decoded one to quarantine.
    private mutating func supersede(_ earlier: Int?) throws(StoreError) {
        if let earlier { try drop(earlier, id: record.id) }
    }

    private static func add(
        _ entry: SeenRecords.Record, _ record: borrowing DecodedRecord, to seen: inout SeenRecords,
        _ writer: borrowing SnapshotWriter
    ) throws(StoreError) -> Int? {
        try seen.add(entry, id: record.id.rawSpan, in: writer)
    }

    /// Notes in which values the decoded record differs from the one being served; nil: in none.
    private mutating func noteUpdate(_ values: [UInt8]?, differsUpstream: Bool) throws(StoreError) {
        let values = values ?? Array("{}".utf8)
        remember(try Self.noteUpdate(of: record, values, differsUpstream: differsUpstream, in: &stage))
    }

    private static func noteUpdate(
        of record: borrowing DecodedRecord, _ values: [UInt8], differsUpstream: Bool,
        in stage: inout GenerationStage
    ) throws(StoreError) -> Int64 {
        try stage.note(
            .updated, id: record.id.rawSpan, values: values.rawSpan, differsUpstream: differsUpstream)
    }

    private static func noteAddition(
        of record: borrowing DecodedRecord, in stage: inout GenerationStage
    ) throws(StoreError) -> Int64 {
        try stage.note(.added, id: record.id.rawSpan)
    }

    /// Remembers a change of the record that comes next, so that it can be taken back.
    private mutating func remember(_ ordinal: Int64) {
        notes.append(Note(number: UInt32(clamping: seen.count), ordinal: UInt32(clamping: ordinal)))
    }

    private static func compare(
        _ old: RawSpan, with record: borrowing DecodedRecord, _ difference: inout DocumentDifference
    ) -> [UInt8]? {
        difference.compare(old: old, new: record.document.rawSpan)
    }
}

extension JSONElements.Element {
    /// The reason why the element cannot be decoded at all, and a JSON Pointer from it to what is wrong; nil: it can.
    func objection(in bytes: RawSpan) -> (reason: String, detail: String)? {
        switch self {
        case .tooDeep: return ("nested too deep", "")
        case .tooLarge: return ("too many values in one record", "")
        case .badText(let range, let error):
            let text = JSONPointer.toByte(at: error.offset - range.lowerBound, in: bytes.extracting(range))
            let owner = text.isName ? "the name of a member" : "a string"
            return ("\(error.code.phrase) in \(owner)", text.pointer.text)
        case .value(let range) where range.count > RecordIntake.maxRecordSize:
            return ("larger than \(RecordIntake.maxRecordSize) bytes", "")
        case .value: return nil
        }
    }
}
