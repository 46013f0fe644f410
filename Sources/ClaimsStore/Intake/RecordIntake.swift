// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON
public import ClaimsModel
import ClaimsPlatform
public import ClaimsSnapshot

/// Takes in a body page by page: decodes its records, compares them with those being served, and writes the next
/// generation to a snapshot file and to state.db. It is served only after `StateStore.commit` or `StateStore.confirm`.
///
/// A record whose bytes have not changed is carried over without being decoded; where it also comes in the expected
/// order, it is not even parsed. An intake belongs to one thread.
///
///     try intake.begin(AnswerScope(site: "warsaw", isIncremental: true))
///     for page in pages { try intake.read(page) }
///     try intake.end()
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
    /// The answers so far.
    var answers: [Answer] = []
    /// The pages so far, and the number of the first record of each.
    var pages: [(body: any RecordBody, first: Int)] = []
    /// The numbers of the records that a later one took the location of.
    var dropped = RowMarks()
    /// The numbers of the records in which only volatile members differ.
    var restated = RowMarks()
    /// The changes that were noted, ascending by the records' numbers.
    var notes = ChunkedArray<Note>()
    let root: JSONPointer
    /// While the pages are those of a walk that was made before the one that has been read: what is not taken from them.
    var filled: Filled?
    /// Finds what two pages share; nil where a page says which one follows.
    var seam: PageSeam?

    /// Predicts the next record of the body; nil where every record must be looked at.
    private var predictor: RowPredictor?
    var decoder: RecordDecoder
    private var comparison: UpstreamComparison
    var difference: DocumentDifference
    var tape = JSONTape()
    var record = DecodedRecord()
    /// The mark by which a record says that it is gone.
    private let deletionMark: JSONPointer?
    /// Looks for the largest value of the field by which an upstream tells its state; nil where none does.
    private var positions: PositionScan?

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
        self.writer = writer
        seen = SeenRecords(rows: plan.base?.count ?? 0)
        deletionMark = plan.definition.source.deletionMark
        decoder = RecordDecoder(definition: plan.definition, joined: plan.joined)
        comparison = UpstreamComparison(plan.definition)
        difference = DocumentDifference(plan.definition)
        seam = plan.hasPages ? PageSeam() : nil
    }

    /// The size of the largest record, in bytes. A larger one would take time and memory from other requests.
    public static let maxRecordSize = 4 << 20

    /// How many records are read between two looks at whether to go on.
    static let recordsPerLook = 1024

    /// The fields and values that the definition does not know, found in records of the last answer that are new or
    /// changed.
    public var drift: DriftReport { decoder.drift }

    /// The number of records, good or bad, in the pages so far.
    public var elements: Int { answers.reduce(0) { $0 + $1.elements } }

    /// The largest value in the last answer of the field by which the upstream tells its state, in its form in documents;
    /// nil: there is none.
    public var position: String? { positions?.value }

    /// Gets ready for the records of another source.
    mutating func restartDecoding(_ scope: AnswerScope, prefix: [UInt8]) {
        decoder = RecordDecoder(definition: plan.definition, joined: plan.joined)
        decoder.setSite(scope.site)
        let isPredictable = plan.trustsBytes && !plan.isJoinChanged && !scope.isIncremental
        predictor = isPredictable ? plan.base.map { RowPredictor($0, prefix: prefix) } : nil
        positions = PositionScan(plan.definition, base: plan.base)
        filled = nil
        if seam != nil { seam = PageSeam() }
    }

    /// Takes in the array at the root of one page. After an error the caller can only call `abandon`.
    ///
    /// - Parameter sentAt: the time at which the upstream sent the page, in milliseconds since 1970; nil where it did not
    ///   say.
    public mutating func read(_ body: any RecordBody, sentAt: Int64? = nil) throws(IntakeError) {
        if answers.isEmpty { try begin(.whole) }
        pages.append((body, seen.count))
        seam?.beginPage(body)
        positions?.beginPage(sentAt: sentAt ?? plan.now)
        try read(page: body)
    }

    private mutating func read(page: some RecordBody) throws(IntakeError) {
        try page.withBytes { bytes throws(IntakeError) in
            try read(bytes)
            try readDeletions(bytes)
        }
    }

    private mutating func read(_ bytes: RawSpan) throws(IntakeError) {
        var elements: JSONElements
        do throws(JSONRootError) { elements = try JSONElements(bytes, root: root) } catch { throw IntakeError(error) }
        var index = 0
        while true {
            if index % Self.recordsPerLook == 0 { try look() }
            let expected = predictor?.skip(&elements)
            var element: JSONElements.Element?
            if expected == nil {
                do throws(JSONError) { element = try elements.next(into: &tape) } catch { throw .notJSON(error) }
            }
            guard let range = expected?.range ?? element?.range else { return }
            if seam?.repeats(range, in: bytes) == true {
                index += 1
                continue
            }
            if !isFilling { try countElement() }
            let kept = keptElements
            let location = Location(start: range.lowerBound, end: range.upperBound, index: index)
            do throws(StoreError) {
                if let element {
                    try take(element, location, bytes)
                } else if let expected, let base = plan.base, filled?.rows.contains(expected.row) != true {
                    try carry(expected.row, from: base, location)
                }
            } catch { throw .store(error) }
            if isFilling, keptElements > kept { try countElement() }
            index += 1
        }
    }

    /// Reports the progress, and ends the reading where nobody wants it any more.
    mutating func look() throws(IntakeError) {
        if plan.isCancelled() { throw .cancelled }
        plan.observe(elements)
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
        let row = plan.base?.row(forID: record.id.rawSpan)
        if try isFilled(row) { return }
        if let deletionMark, tape.isMarked(deletionMark, in: bytes) { return try delete(row) }
        guard let base = plan.base, let row else { return try takeNew(bytes, location) }
        predictor?.observe(row)
        let verdict = verdict(on: base.upstream(row), bytes)
        if verdict == .same, !plan.isJoinChanged {
            try releaseQuarantined()
            return try carry(row, from: base, location)
        }
        if case .quarantined(let reason, let detail) = decoder.complete(tape, bytes, into: &record) {
            return try quarantine(bytes, at: location, id: record.id, reason: reason, detail: detail)
        }
        try releaseQuarantined()
        positions?.observe(record, &decoder)
        try replace(row, of: base, verdict, location)
    }

    /// Takes a record that is served as `row`, and may differ from it.
    private mutating func replace(
        _ row: Int, of base: Snapshot, _ verdict: UpstreamComparison.Verdict, _ location: Location
    ) throws(StoreError) {
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
        try releaseQuarantined()
        positions?.observe(record, &decoder)
        if plan.base != nil { remember(try Self.noteAddition(of: record, in: &stage)) }
        let key = try store(firstSeen: plan.now, changedAt: plan.now)
        try supersede(Self.add(location.entry(key: key), record, to: &seen, writer))
    }

    private mutating func carry(_ row: Int, from base: Snapshot, _ location: Location) throws(StoreError) {
        positions?.observe(row)
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

    /// Decodes a record again that the answer does not name, with other joined values.
    mutating func decodeAgain(_ row: Int, of base: Snapshot) throws(StoreError) {
        let bytes = base.upstream(row)
        // A record that cannot be decoded any more stays as it is until the next answer with all records.
        guard (try? tape.parse(bytes, from: 0, depth: JSONElements.bodyDepth)) != nil,
            case .accepted = decoder.decode(tape, bytes, into: &record)
        else { return }
        let old = base.document(row)
        if record.document.rawSpan.equals(old) { return }
        try replace(row, of: base, .same, Location(start: 0, end: 0, index: 0))
    }

    /// Takes the location of an earlier record with the id of the decoded one.
    private mutating func supersede(_ earlier: Int?) throws(StoreError) {
        if let earlier { try drop(earlier, id: record.id) }
    }

    private static func add(
        _ entry: SeenRecords.Record, _ record: borrowing DecodedRecord, to seen: inout SeenRecords,
        _ writer: borrowing SnapshotWriter
    ) throws(StoreError) -> Int? {
        try seen.add(entry, id: record.id.rawSpan, in: writer)
    }

    private static func compare(
        _ old: RawSpan, with record: borrowing DecodedRecord, _ difference: inout DocumentDifference
    ) -> [UInt8]? {
        difference.compare(old: old, new: record.document.rawSpan)
    }
}

/// The parts of an answer beside its records: changes, elements that are no records, and records that are gone.
extension RecordIntake {
    mutating func countElement() throws(IntakeError) {
        guard answers[answers.count - 1].elements < plan.recordLimit else { throw .tooManyRecords(plan.recordLimit) }
        answers[answers.count - 1].elements += 1
    }

    mutating func quarantine(
        _ bytes: RawSpan, at location: Location, id: [UInt8]? = nil, reason: String, detail: String = ""
    ) throws(StoreError) {
        try quarantine(
            bytes.extracting(location.start..<location.end), id: id, pointer: pointer(location.index) + detail,
            reason: reason)
    }

    /// Sends an element to quarantine. In an answer with what has changed it takes the place of earlier elements with
    /// its id, and one that an earlier answer had adds none.
    mutating func quarantine(
        _ element: RawSpan, id: [UInt8]?, pointer: String, reason: String
    ) throws(StoreError) {
        // Elements of the first of two walks that are no records are in the second, too, or gone.
        if isFilling, id == nil { return }
        let last = answers.count - 1
        answers[last].quarantined += 1
        if let id {
            if let row = plan.base?.row(forID: id.rawSpan) {
                answers[last].quarantinedRows.insert(row)
            } else {
                noteUnserved(id)
            }
        }
        let digest = Checksum.of(element)
        switch answers[last].earlier?.note(digest) {
        case .repeated: return
        case .known(let entry):
            stage.seeAgain(entry)
            if let id { try release(id, except: entry) }
        case .new, nil:
            if let id { try release(id) }
            try stage.quarantine(element, id: id, pointer: pointer, reason: reason)
        }
    }

    /// Takes the entries of earlier answers about the decoded record out of quarantine.
    mutating func releaseQuarantined() throws(StoreError) {
        try release(record.id)
    }

    private mutating func release(_ id: [UInt8], except entry: Int64? = nil) throws(StoreError) {
        guard let released = answers[answers.count - 1].earlier?.release(id, except: entry) else { return }
        stage.released += released
    }

    /// Notes in which values the decoded record differs from the one being served; nil: in none.
    mutating func noteUpdate(_ values: [UInt8]?, differsUpstream: Bool) throws(StoreError) {
        let values = values ?? Array("{}".utf8)
        remember(try Self.noteUpdate(of: record, values, differsUpstream: differsUpstream, in: &stage))
    }

    static func noteUpdate(
        of record: borrowing DecodedRecord, _ values: [UInt8], differsUpstream: Bool,
        in stage: inout GenerationStage
    ) throws(StoreError) -> Int64 {
        try stage.note(
            .updated, id: record.id.rawSpan, values: values.rawSpan, differsUpstream: differsUpstream)
    }

    static func noteAddition(
        of record: borrowing DecodedRecord, in stage: inout GenerationStage
    ) throws(StoreError) -> Int64 {
        try stage.note(.added, id: record.id.rawSpan)
    }

    /// Remembers a change of the record that comes next, so that it can be taken back.
    mutating func remember(_ ordinal: Int64) {
        notes.append(Note(number: UInt32(clamping: seen.count), ordinal: UInt32(clamping: ordinal)))
    }
}

/// Records that an answer says are gone. One that the same answer also brings stays.
extension RecordIntake {
    /// Notes that the decoded record is gone.
    ///
    /// - Parameter row: the record as it is served; nil where it is not.
    mutating func delete(_ row: Int?) throws(StoreError) {
        try releaseQuarantined()
        if let row { answers[answers.count - 1].delete(row) } else { noteUnserved(record.id) }
    }

    /// Reads the ids of gone records that a page has beside its records.
    mutating func readDeletions(_ bytes: RawSpan) throws(IntakeError) {
        guard let scope = answers.last?.scope,
            let reader = DeletionReader(
                plan.definition.source.deleted, root: root, isIncremental: scope.isIncremental, hasPages: seam != nil)
        else { return }
        let isCancelled = plan.isCancelled
        try reader.read(bytes, into: &self, isCancelled: isCancelled)
    }
}

extension RecordIntake: DeletionTaker {
    mutating func take(
        gone element: JSONElements.Element, _ tape: JSONTape, _ list: RawSpan, pointer: String
    ) throws(IntakeError) {
        let isIncremental = answers.last?.scope.isIncremental == true
        if isIncremental { try countElement() }
        do throws(StoreError) {
            if case .value = element, decoder.identify(deleted: tape, list, into: &record) {
                try delete(plan.base?.row(forID: record.id.rawSpan))
            } else if isIncremental {
                try quarantine(
                    list.extracting(element.range), id: nil, pointer: pointer,
                    reason: "neither an id nor a record with one")
            }
        } catch { throw .store(error) }
        // The ids that are noted beside records are counted with those.
        if answers[answers.count - 1].unservedIDs.count > plan.recordLimit {
            throw .tooManyRecords(plan.recordLimit)
        }
    }
}

extension RecordDecoder {
    /// Reads the id of an element of a list of gone records: a text, a number, or a record.
    mutating func identify(deleted tape: JSONTape, _ list: RawSpan, into record: inout DecodedRecord) -> Bool {
        guard tape.count > 0 else { return false }
        if case .object = tape[0].kind {
            guard case .accepted = identify(tape, list, into: &record) else { return false }
            return true
        }
        return identify(bare: tape, list, into: &record)
    }
}

extension RecordIntake.Answer {
    /// Notes that a record being served is gone.
    mutating func delete(_ row: Int) {
        guard !deleted.contains(row) else { return }
        deleted.insert(row)
        deletedRows.append(UInt32(truncatingIfNeeded: row))
    }
}

extension Source {
    /// The mark by which a record says that it is gone; nil where there is none.
    var deletionMark: JSONPointer? {
        if case .mark(let pointer) = deleted { pointer } else { nil }
    }
}

extension JSONTape {
    /// Whether the value at a pointer in the record is anything but null, false, 0 and "".
    func isMarked(_ pointer: JSONPointer, in bytes: RawSpan) -> Bool {
        guard let node = resolve(pointer, in: bytes) else { return false }
        switch self[node].kind {
        case .null, .false: return false
        case .string: return self[node].end - self[node].start > 2
        case .number:
            // Zero has no other digit before its exponent.
            for offset in self[node].start..<self[node].end {
                switch bytes.byte(at: offset) {
                case UInt8(ascii: "1")...UInt8(ascii: "9"): return true
                case UInt8(ascii: "e"), UInt8(ascii: "E"): return false
                default: continue
                }
            }
            return false
        default: return true
        }
    }
}

/// Two walks over the pages of one answer: the records of the second count, and of the first those that it lacks.
extension RecordIntake {
    /// The records that are not taken from the first walk: those that the second one names, or this host has deleted.
    struct Filled {
        /// Of the records being served.
        let rows: RowMarks
        /// Ids of no record being served, in quarantine or told as gone.
        let ids: Set<[UInt8]>
        /// The number of records of the second walk, and of answers before it.
        let count: Int
    }

    /// Begins the pages of the walk that was made first. They follow those of the second one.
    public mutating func beginEarlierWalk() {
        let ids = answers[answers.count - 1].unservedIDs.union(plan.ownDeletions)
        filled = Filled(rows: tally.filledRows, ids: ids, count: seen.count)
        if seam != nil { seam = PageSeam() }
    }

    /// Whether the pages are those of a walk that was made before the one that has been read.
    var isFilling: Bool { filled != nil }

    /// The number of elements of the last answer that are kept, as records or in quarantine.
    var keptElements: Int { seen.count + (answers.last?.quarantined ?? 0) }

    /// Whether nothing is to be taken of the decoded record, which is served as `row`, if at all.
    func isFilled(_ row: Int?) throws(StoreError) -> Bool {
        guard let filled else { return false }
        if let row { return filled.rows.contains(row) }
        if filled.ids.contains(record.id) { return true }
        guard let number = try seen.latest(record.id.rawSpan, in: writer) else { return false }
        return number < filled.count
    }

    /// Notes that the second of two walks has a record in quarantine, or says that it is gone, though it is not served.
    mutating func noteUnserved(_ id: [UInt8]) {
        let last = answers.count - 1
        if answers[last].isSecondWalk, !isFilling { answers[last].unservedIDs.insert(id) }
    }
}

/// A body that was taken in whole: staged rows and a finished file, neither of them in force.
struct FinishedIntake: ~Copyable {
    var stage: GenerationStage
    let snapshot: Snapshot
}

extension RecordIntake {
    /// Finishes the snapshot file. Nothing is in force yet; after an error nothing is left of what was read.
    consuming func finish() throws(StoreError) -> FinishedIntake {
        do throws(StoreError) {
            beginIfNeeded()
            try settle()
            // Indexing takes memory of its own, and needs nothing of what was seen.
            seen = SeenRecords(rows: 0)
            let snapshot: Snapshot
            do throws(SnapshotError) {
                _ = try writer.finish()
                snapshot = try Snapshot.open(directory: directory, identity: identity, definition: plan.definition)
            } catch { throw StoreError(error) }
            return FinishedIntake(stage: stage, snapshot: snapshot)
        } catch {
            stage.abandon()
            throw error
        }
    }

    /// Gives up the snapshot file, and returns the rows that say what is to be kept of quarantine and join.
    consuming func confirmed() throws(StoreError) -> GenerationStage {
        beginIfNeeded()
        do throws(StoreError) { try stage.closeGaps() } catch {
            stage.abandon()
            throw error
        }
        return stage
    }

    /// Deletes the rows and the file that the intake has written. Nothing that is served changes.
    public consuming func abandon() {
        stage.abandon()
    }

    /// Sends a record to quarantine because a later one has its id. An answer with what has changed may tell several
    /// states of a record one after the other.
    mutating func drop(_ number: Int, id: [UInt8]) throws(StoreError) {
        let entry = seen[number]
        writer.drop(number)
        dropped.insert(number)
        if entry.key > 0 { try stage.withdraw(entry.key) }
        if let ordinal = Self.ordinal(of: number, in: notes) { stage.withdraw(change: ordinal) }
        if answers.last?.scope.isIncremental == true { return }
        guard let page = pages.last(where: { $0.first <= number }) else { return }
        try quarantine(entry, id: id, of: page.body)
    }

    /// The ordinal of the change that was noted for a record.
    private static func ordinal(of number: Int, in notes: ChunkedArray<Note>) -> Int64? {
        let index = (0..<notes.count).partitionPoint { Int(notes[$0].number) < number }
        return index < notes.count && Int(notes[index].number) == number ? Int64(notes[index].ordinal) : nil
    }

    private mutating func quarantine(
        _ entry: SeenRecords.Record, id: [UInt8], of body: some RecordBody
    ) throws(StoreError) {
        try body.withBytes { bytes throws(StoreError) in
            try quarantine(
                bytes.part(entry.start, Int(entry.length)), id: id, pointer: pointer(Int(entry.index)),
                reason: "a later record has the same id")
        }
    }

    /// An intake without a page had an answer without records.
    private mutating func beginIfNeeded() {
        guard answers.isEmpty else { return }
        stage.begin(.whole)
        answers.append(Answer(.whole, first: 0))
    }

    private mutating func settle() throws(StoreError) {
        guard let base = plan.base else { return }
        try stage.closeGaps()
        let carried = CarriedRows(answers, plan)
        for row in 0..<base.count {
            if let number = seen.latest(row) {
                if seen[number].key != SeenRecords.Record.carried { try stage.end(base.stateKey(row)) }
            } else if carried.contains(row, of: base) {
                do throws(SnapshotError) { _ = try writer.carry(row, from: base) } catch { throw StoreError(error) }
            } else {
                try stage.end(base.stateKey(row))
                let document = stage.keepsChanges ? difference.lasting(base.document(row)) : []
                try stage.note(
                    .removed, id: base.id(row), values: document.rawSpan, firstSeen: base.firstSeen(row))
            }
        }
    }
}
