// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON
public import ClaimsModel
import ClaimsPlatform
public import ClaimsSnapshot

/// Reads a body page by page: decodes its records, compares them with those being served, and writes the next
/// generation to state.db and, unless few records change, to a snapshot file. It is served only after
/// `StateStore.commit` or `StateStore.confirm`.
///
/// A record whose bytes have not changed is carried over without being decoded; if it also comes in the expected order,
/// it is not even parsed. An intake belongs to one thread.
///
///     try intake.begin(AnswerScope(site: "warsaw", isIncremental: true))
///     for page in pages { try intake.read(page) }
///     try intake.end()
public struct RecordIntake: ~Copyable {
    private let plan: IntakePlan
    private var output: IntakeOutput
    private var answers: IntakeAnswers
    /// The pages so far, and the number of the first record of each.
    private var pages: [(body: any RecordBody, first: Int)] = []
    private let root: JSONPointer
    /// Finds the elements that two pages share; nil if a page says which one follows.
    private var seam: PageSeam?

    /// Predicts the next record of the body; nil if every record must be decoded.
    private var predictor: RowPredictor?
    private var decoder: RecordDecoder
    private var comparison: UpstreamComparison
    private var difference: DocumentDifference
    private var tape = JSONTape()
    private var record = DecodedRecord()
    /// The pointer to the mark that a record is gone by.
    private let deletionMark: JSONPointer?
    /// Finds the largest value of the field by which an upstream gives its state; nil if no field does.
    private var positions: PositionScan?

    /// Begins an intake that writes rows into `stage` and a new snapshot file in `directory`.
    public init(
        _ plan: IntakePlan, root: JSONPointer, stage: consuming GenerationStage, directory: String,
        identity: SnapshotIdentity
    ) throws(StoreError) {
        output = try IntakeOutput(plan, stage: stage, directory: directory, identity: identity)
        self.plan = plan
        self.root = root
        answers = IntakeAnswers(maxElements: plan.recordLimit)
        deletionMark = plan.deleted?.mark
        decoder = RecordDecoder(definition: plan.definition, joined: plan.joined)
        comparison = UpstreamComparison(plan.definition)
        difference = DocumentDifference(plan.definition)
        seam = plan.hasPages ? PageSeam() : nil
    }

    /// The fields and values that the definition does not know, found in records of the last answer that are new or
    /// changed.
    public var drift: DriftReport { decoder.drift }

    /// The number of records, good or bad, in the pages so far.
    public var elements: Int { answers.elements }

    /// The largest value in the last answer of the field by which the upstream gives its state, in its form in
    /// documents; nil: there is none.
    public var position: String? { positions?.value }

    // MARK: - Answers

    /// Begins the answer of a source, to which the pages that follow belong. The answers of several sites may go into
    /// one generation; each site may have one answer in it.
    ///
    /// Without it, the pages are an answer with all records of the only source.
    ///
    /// - Parameter isSecondWalk: whether the pages of an earlier walk follow; see ``beginEarlierWalk()``.
    public mutating func begin(_ scope: AnswerScope, isSecondWalk: Bool = false) throws(IntakeError) {
        let earlier: EarlierQuarantine?
        do throws(StoreError) { earlier = try output.begin(scope) } catch { throw .store(error) }
        let answer = IntakeAnswers.Answer(
            scope, first: output.seen.count, isSecondWalk: isSecondWalk, earlier: earlier)
        answers.begin(answer)
        restartDecoding(scope, prefix: answer.prefix)
    }

    /// Ends the last answer: if the join has changed, records that the answer does not name are decoded again.
    public mutating func end() throws(IntakeError) {
        guard plan.isJoinChanged, let base = plan.base, let answer = answers.last, answer.scope.isIncremental else {
            return
        }
        for row in 0..<base.end
        where base.isCurrent(row) && output.seen.latest(row) == nil && !answer.deleted.contains(row) {
            if row % IntakePlan.recordsPerCheck == 0 { try checkCancellation() }
            do throws(StoreError) { try decodeAgain(row, of: base) } catch { throw .store(error) }
        }
    }

    /// The changes that the last answer brings.
    public var counts: IntakeCounts { tally.counts }

    /// The number of records of the last answer's source, before and with the answer, and of its elements in quarantine
    /// with the answer. Records that this host has deleted upstream are not counted.
    public var extent: AnswerExtent { tally.extent }

    /// The number of served records that the last answer lacks without a reason: they are not in its quarantine, not
    /// reported as gone, and not deleted upstream by this host. 0 for an answer with what has changed.
    public var lacking: Int { tally.lacking }

    /// The fields and values of the last answer that the definition does not know, together with those of earlier
    /// answers.
    ///
    /// - Parameter earlier: the report of earlier answers; entries that the definition of this intake knows are dropped
    ///   from it.
    public func drift(after earlier: DriftReport) -> DriftReport { tally.drift(drift, after: earlier) }

    private var tally: AnswerTally { AnswerTally(answer: answers.last, plan: plan, seen: output.seen) }

    /// Begins the pages of the earlier walk. They follow the pages of the second walk.
    public mutating func beginEarlierWalk() {
        answers.beginEarlierWalk(without: tally.filledRows, plan.ownDeletions, count: output.seen.count)
        if seam != nil { seam = PageSeam() }
    }

    /// Gets ready for the records of another source.
    private mutating func restartDecoding(_ scope: AnswerScope, prefix: [UInt8]) {
        decoder = RecordDecoder(definition: plan.definition, joined: plan.joined)
        decoder.setSite(scope.site)
        let isPredictable = plan.trustsBytes && !plan.isJoinChanged && !scope.isIncremental
        predictor = nil
        if isPredictable, let base = plan.base {
            predictor = RowPredictor(base.file, prefix: prefix, without: base.covered[0])
        }
        positions = PositionScan(plan.definition, base: plan.base)
        if seam != nil { seam = PageSeam() }
    }

    // MARK: - Pages

    /// Reads the array at the root of one page. After an error the caller can only call `abandon`.
    ///
    /// - Parameter sentAt: the time at which the upstream sent the page, in milliseconds since 1970; nil if it did not
    ///   say.
    public mutating func read(_ body: any RecordBody, sentAt: Int64? = nil) throws(IntakeError) {
        if answers.isEmpty { try begin(.whole) }
        pages.append((body, output.seen.count))
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
            if index % IntakePlan.recordsPerCheck == 0 { try checkCancellation() }
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
            if !answers.isFilling { try answers.countElement() }
            let kept = keptElements
            let location = SeenRecords.Location(start: range.lowerBound, end: range.upperBound, index: index)
            do throws(StoreError) {
                if let element {
                    try accept(element, location, bytes)
                } else if let expected, let base = plan.base, answers.filled?.rows.contains(expected.row) != true {
                    try carry(expected.row, from: base, location)
                }
            } catch { throw .store(error) }
            if answers.isFilling, keptElements > kept { try answers.countElement() }
            index += 1
        }
    }

    /// Reports the progress, and throws if the reading was cancelled.
    private mutating func checkCancellation() throws(IntakeError) {
        if plan.isCancelled() { throw .cancelled }
        plan.observe(elements)
    }

    private func pointer(_ index: Int) -> String { "\(root.text)/\(index)" }

    private mutating func accept(
        _ element: JSONElements.Element, _ location: SeenRecords.Location, _ bytes: RawSpan
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
        guard let base = plan.base, let row else { return try acceptNew(bytes, location) }
        let served = base.record(row)
        predictor?.observe(served)
        let verdict = verdict(on: served.snapshot.upstream(served.row), bytes)
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

    /// Reads a record that is served as `row`, and may differ from it.
    private mutating func replace(
        _ row: Int, of base: CommittedRecords, _ verdict: UpstreamComparison.Verdict, _ location: SeenRecords.Location
    ) throws(StoreError) {
        var changedAt = plan.now
        let served = base.record(row)
        if verdict != .volatile || plan.isJoinChanged {
            let old = served.snapshot.document(served.row)
            let values = Self.compare(old, with: record, &difference)
            switch (verdict, values) {
            case (.same, nil):
                // A document may differ in volatile fields alone, which the join has filled.
                if record.document.rawSpan.equals(old) { return try carry(row, from: base, location) }
                changedAt = restate(served)
            case (.volatile, nil): changedAt = restate(served)
            case (.different(let unread), _):
                // A record that differs, but is served with the same values, differs upstream only.
                try output.noteUpdate(of: record, values, differsUpstream: unread || values == nil)
            case (_, let values?): try output.noteUpdate(of: record, values, differsUpstream: false)
            }
        } else {
            changedAt = restate(served)
        }
        try supersede(output.add(record, location, row: row, firstSeen: served.firstSeen, changedAt: changedAt))
    }

    /// Compares the record with the served one.
    private mutating func verdict(on old: RawSpan, _ bytes: RawSpan) -> UpstreamComparison.Verdict {
        if record.upstream.rawSpan.equals(old) { return .same }
        return comparison.verdict(tape, bytes, old: old)
    }

    /// Records that the next record differs only in volatile members; returns the time of its last real change.
    private mutating func restate(_ served: ServedRecord) -> Int64 {
        output.restateNext()
        return served.changedAt
    }

    private mutating func acceptNew(_ bytes: RawSpan, _ location: SeenRecords.Location) throws(StoreError) {
        if case .quarantined(let reason, let detail) = decoder.complete(tape, bytes, into: &record) {
            return try quarantine(bytes, at: location, id: record.id, reason: reason, detail: detail)
        }
        try releaseQuarantined()
        positions?.observe(record, &decoder)
        if plan.base != nil { try output.noteAddition(of: record) }
        try supersede(output.add(record, location, row: nil, firstSeen: plan.now, changedAt: plan.now))
    }

    private mutating func carry(
        _ row: Int, from base: CommittedRecords, _ location: SeenRecords.Location
    ) throws(StoreError) {
        let served = base.record(row)
        positions?.observe(served)
        if let earlier = try output.carry(row, location) {
            try drop(earlier, id: served.snapshot.idBytes(served.row))
        }
    }

    /// Decodes a record that the answer does not name again, with other joined values.
    private mutating func decodeAgain(_ row: Int, of base: CommittedRecords) throws(StoreError) {
        let served = base.record(row)
        let bytes = served.snapshot.upstream(served.row)
        // A record that cannot be decoded any more stays as it is until the next answer with all records.
        guard (try? tape.parse(bytes, from: 0, depth: JSONElements.bodyDepth)) != nil,
            case .accepted = decoder.decode(tape, bytes, into: &record)
        else { return }
        if record.document.rawSpan.equals(served.snapshot.document(served.row)) { return }
        try replace(row, of: base, .same, SeenRecords.Location(start: 0, end: 0, index: 0))
    }

    /// Replaces an earlier record with the id of the decoded one.
    private mutating func supersede(_ earlier: Int?) throws(StoreError) {
        if let earlier { try drop(earlier, id: record.id) }
    }

    private static func compare(
        _ old: RawSpan, with record: borrowing DecodedRecord, _ difference: inout DocumentDifference
    ) -> [UInt8]? {
        difference.compare(old: old, new: record.document.rawSpan)
    }
}

/// The parts of an answer beside its records: changes, elements that are no records, and records that are gone.
extension RecordIntake {
    private mutating func quarantine(
        _ bytes: RawSpan, at location: SeenRecords.Location, id: [UInt8]? = nil, reason: String, detail: String = ""
    ) throws(StoreError) {
        try quarantine(
            bytes.extracting(location.start..<location.end), id: id, pointer: pointer(location.index) + detail,
            reason: reason)
    }

    /// Sends an element to quarantine. In an answer with what has changed it replaces earlier elements with its id, and
    /// an element that an earlier answer had adds no entry.
    private mutating func quarantine(
        _ element: RawSpan, id: [UInt8]?, pointer: String, reason: String
    ) throws(StoreError) {
        // An element of the first walk without an id is ignored: the second walk has it, too, or it is gone.
        if answers.isFilling, id == nil { return }
        answers.quarantine(id, row: id.flatMap { plan.base?.row(forID: $0.rawSpan) })
        switch answers.observe(Checksum.of(element)) {
        case .repeated: return
        case .known(let entry):
            output.seeAgain(entry)
            if let id { try release(id, except: entry) }
        case .new, nil:
            if let id { try release(id) }
            try output.quarantine(element, id: id, pointer: pointer, reason: reason)
        }
    }

    /// Removes the entries of earlier answers about the decoded record from quarantine.
    private mutating func releaseQuarantined() throws(StoreError) {
        try release(record.id)
    }

    private mutating func release(_ id: [UInt8], except entry: Int64? = nil) throws(StoreError) {
        output.release(answers.release(id, except: entry))
    }
}

/// Records that an answer reports as gone. A record that the same answer also brings stays.
extension RecordIntake {
    /// Records that the decoded record is gone.
    ///
    /// - Parameter row: its row; nil if it is not served.
    private mutating func delete(_ row: Int?) throws(StoreError) {
        try releaseQuarantined()
        answers.delete(row, id: record.id)
    }

    /// Reads the ids of gone records that a page has beside its records.
    private mutating func readDeletions(_ bytes: RawSpan) throws(IntakeError) {
        guard !answers.isEmpty,
            let reader = DeletionReader(
                plan.deleted, root: root, isIncremental: answers.isIncremental,
                hasPages: seam != nil)
        else { return }
        let isCancelled = plan.isCancelled
        try reader.read(bytes, into: &self, isCancelled: isCancelled)
    }
}

extension RecordIntake: DeletionReceiver {
    mutating func receive(
        gone element: JSONElements.Element, _ tape: JSONTape, _ list: RawSpan, pointer: String
    ) throws(IntakeError) {
        let isIncremental = answers.isIncremental
        if isIncremental { try answers.countElement() }
        do throws(StoreError) {
            if case .value = element, decoder.identify(deleted: tape, list, into: &record) {
                try delete(plan.base?.row(forID: record.id.rawSpan))
            } else if isIncremental {
                try quarantine(
                    list.extracting(element.range), id: nil, pointer: pointer,
                    reason: "neither an id nor a record with one")
            }
        } catch { throw .store(error) }
        try answers.checkUnserved()
    }
}

extension RecordIntake {
    /// The number of elements of the last answer that are kept, as records or in quarantine.
    private var keptElements: Int { output.seen.count + answers.quarantined }

    /// Whether the decoded record is ignored. It is served as `row`, if at all.
    private func isFilled(_ row: Int?) throws(StoreError) -> Bool {
        guard let filled = answers.filled else { return false }
        if let row { return filled.rows.contains(row) }
        if filled.ids.contains(record.id) { return true }
        guard let number = try output.latest(record.id.rawSpan) else { return false }
        return number < filled.count
    }
}

// MARK: - The end

extension RecordIntake {
    /// Finishes the records. Nothing is in force yet; after an error all that was read is removed.
    consuming func finish() throws(StoreError) -> FinishedIntake {
        beginIfNeeded()
        return try output.finish(keeping: CarriedRows(answers.all, plan), difference)
    }

    /// Removes the snapshot file, and returns the stage with the changes of quarantine and join.
    consuming func confirmed() throws(StoreError) -> GenerationStage {
        beginIfNeeded()
        return try output.confirmed()
    }

    /// Deletes the rows and the file that the intake has written. Nothing that is served changes.
    public consuming func abandon() {
        output.abandon()
    }

    /// Sends a record to quarantine because a later one has its id. An answer with what has changed may have several
    /// states of a record one after the other.
    private mutating func drop(_ number: Int, id: [UInt8]) throws(StoreError) {
        let entry = try output.drop(number)
        if answers.isIncremental { return }
        guard let page = pages.last(where: { $0.first <= number }) else { return }
        try quarantine(entry, id: id, of: page.body)
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
        output.beginWhole()
        answers.begin(IntakeAnswers.Answer(.whole, first: 0))
    }
}
