// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON
public import ClaimsModel
import ClaimsSnapshot

/// Reads bodies like ``RecordIntake``, but keeps neither rows nor a snapshot: it only reports the changes that an
/// answer would make.
///
///     var intake = TrialIntake(definition: definition, joined: nil, base: view.committed)
///     let elements = try intake.read(page, root: root)
///     intake.finish()
///     print(intake.counts.added, intake.addedIDs)
public struct TrialIntake {
    /// An element that would go to quarantine.
    public struct Refused: Sendable {
        /// The JSON Pointer to what is wrong, from the whole body.
        public let pointer: String
        public let reason: String
        /// The beginning of the element, at most ``maxExcerpt`` bytes.
        public let excerpt: [UInt8]
    }

    /// The state of a served record in the trial.
    private enum RowState: UInt8 { case unseen, same, volatile, updated, marked, refused }

    /// The maximal number of refused elements, and of ids of each kind of change, that are remembered.
    public static let maxExamples = 20
    /// The maximal number of documents that are remembered.
    public static let maxSample = 10
    /// The bytes that are kept of a refused element.
    public static let maxExcerpt = 2048

    public private(set) var counts = IntakeCounts()
    public private(set) var refused: [Refused] = []
    /// The first documents, as they would be served.
    public private(set) var sample: [[UInt8]] = []
    public private(set) var addedIDs: [[UInt8]] = []
    public private(set) var updatedIDs: [[UInt8]] = []
    public private(set) var removedIDs: [[UInt8]] = []
    /// The numbers by which the guard judges the answer; known after ``finish(isWhole:prefix:)``.
    public private(set) var extent = AnswerExtent()
    /// The number of records that have a value, for each field of the definition.
    public private(set) var filled: [Int]

    private let base: CommittedRecords?
    private let ownDeletions: Set<[UInt8]>
    private let deleted: DeletionRule?
    private var states: [RowState]
    /// The records that are skipped in the pages of the earlier walk; nil unless these pages are being read.
    private var known: Filled?
    /// Finds the elements that two pages share; nil if there is one page.
    private var seam: PageSeam?
    private var newIDs: Set<[UInt8]> = []
    /// Whether the pages are those of a second walk; those of the first one follow, see ``beginEarlierWalk()``.
    public var isSecondWalk = false
    /// The ids without a served record that came in quarantine or were reported as gone. Kept in a second walk.
    private var unservedIDs: Set<[UInt8]> = []
    /// Whether the answer has only what has changed.
    private let isIncremental: Bool
    /// The number of records at which a body is refused, all pages together.
    private var maxRecords = Int.max
    /// The number of elements that count.
    private var countedElements = 0
    private var decoder: RecordDecoder
    private var comparison: UpstreamComparison
    private var tape = JSONTape()
    private var record = DecodedRecord()

    /// - Parameters:
    ///   - site: the site whose records come; nil in collections without sites.
    ///   - base: the served records; nil if all records are new.
    ///   - ownDeletions: the ids of the records whose delete the upstream has accepted from this host.
    ///   - hasPages: whether two pages may share elements if the data moves meanwhile.
    ///   - isIncremental: whether the answer has only what has changed.
    public init(
        definition: Definition, site: String? = nil, joined: JoinTable?, base: CommittedRecords?,
        ownDeletions: Set<[UInt8]> = [], hasPages: Bool = false, isIncremental: Bool = false
    ) {
        self.base = base
        seam = hasPages ? PageSeam() : nil
        self.ownDeletions = ownDeletions
        self.isIncremental = isIncremental
        states = [RowState](repeating: .unseen, count: base?.end ?? 0)
        filled = [Int](repeating: 0, count: definition.fields.count)
        decoder = RecordDecoder(definition: definition, joined: joined)
        decoder.setSite(site)
        comparison = UpstreamComparison(definition)
        deleted = definition.source.deleted
    }

    /// The values and members that the definition does not know, in the records so far.
    public var drift: DriftReport { decoder.drift }

    /// Reads the array at `root` of one page.
    ///
    /// - Parameter maxRecords: the number of records at which a body is refused, all pages together.
    /// - Returns: the number of elements of the page.
    public mutating func read(
        _ page: some RecordBody, root: JSONPointer, maxRecords: Int, isCancelled: () -> Bool
    ) throws(IntakeError) -> Int {
        seam?.beginPage(page)
        self.maxRecords = maxRecords
        return try page.withBytes { bytes throws(IntakeError) in
            let count = try read(bytes, root: root, isCancelled: isCancelled)
            try readDeletions(bytes, root: root, isCancelled: isCancelled)
            return count
        }
    }

    private mutating func read(
        _ bytes: RawSpan, root: JSONPointer, isCancelled: () -> Bool
    ) throws(IntakeError) -> Int {
        var elements: JSONElements
        do throws(JSONRootError) { elements = try JSONElements(bytes, root: root) } catch { throw IntakeError(error) }
        var index = 0
        while true {
            if index % IntakePlan.recordsPerCheck == 0, isCancelled() { throw .cancelled }
            let element: JSONElements.Element?
            do throws(JSONError) { element = try elements.next(into: &tape) } catch { throw .notJSON(error) }
            guard let element else { return index }
            if seam?.repeats(element.range, in: bytes) == true {
                index += 1
                continue
            }
            let kept = counts.records + counts.quarantined
            read(element, pointer: "\(root.text)/\(index)", bytes)
            if !isFilling || counts.records + counts.quarantined > kept { countedElements += 1 }
            guard countedElements <= maxRecords else { throw .tooManyRecords(maxRecords) }
            index += 1
        }
    }

    /// Counts the served records that did not come.
    ///
    /// - Parameters:
    ///   - isWhole: whether the answer has all records, so that others are gone.
    ///   - prefix: the beginning of the ids of the answer's source.
    public mutating func finish(isWhole: Bool = true, prefix: [UInt8] = []) {
        if let base { compare(with: base, isWhole: isWhole, prefix: prefix) }
        extent.after = extent.before + counts.added - extent.missing
        extent.quarantined = counts.quarantined
    }

    private mutating func compare(with base: CommittedRecords, isWhole: Bool, prefix: [UInt8]) {
        for row in states.indices where base.isCurrent(row) {
            let id = base.idBytes(row)
            guard id.starts(with: prefix) else { continue }
            let isOwn = ownDeletions.contains(id)
            if !isOwn { extent.before += 1 }
            switch states[row] {
            case .marked: break
            case .unseen, .refused: guard isWhole else { continue }
            case .same, .volatile, .updated: continue
            }
            counts.removed += 1
            if !isOwn { extent.missing += 1 }
            Self.keep(id, in: &removedIDs)
        }
    }

    private mutating func read(_ element: JSONElements.Element, pointer: String, _ bytes: RawSpan) {
        if let objection = element.objection(in: bytes) {
            if isFilling { return }
            return refuse(bytes.extracting(element.range), pointer + objection.detail, objection.reason)
        }
        if case .quarantined(let reason, let detail) = decoder.identify(tape, bytes, into: &record) {
            if isFilling { return }
            return refuse(bytes.extracting(element.range), pointer + detail, reason)
        }
        let row = base?.row(forID: record.id.rawSpan)
        if isFilled(row) { return }
        if case .mark(let pointer) = deleted, tape.isMarked(pointer, in: bytes) { return setState(.marked, row) }
        if case .quarantined(let reason, let detail) = decoder.complete(tape, bytes, into: &record) {
            setState(.refused, row)
            return refuse(bytes.extracting(element.range), pointer + detail, reason)
        }
        guard count(row, bytes) else {
            return refuse(bytes.extracting(element.range), pointer, "another record has the same id")
        }
        counts.records += 1
        for index in filled.indices where record.values[index].isPresent { filled[index] += 1 }
        if sample.count < Self.maxSample { sample.append(record.document) }
    }

    /// Counts the decoded record as new, changed or the same; returns false if a record with its id has come before.
    private mutating func count(_ row: Int?, _ bytes: RawSpan) -> Bool {
        guard let base, let row else {
            guard newIDs.insert(record.id).inserted else { return false }
            counts.added += 1
            Self.keep(record.id, in: &addedIDs)
            return true
        }
        switch states[row] {
        case .unseen, .marked, .refused: break
        case .same, .volatile, .updated: return false
        }
        states[row] = verdict(on: row, of: base, bytes)
        switch states[row] {
        case .updated:
            counts.updated += 1
            Self.keep(record.id, in: &updatedIDs)
        case .volatile: counts.volatile += 1
        case .unseen, .same, .marked, .refused: break
        }
        return true
    }

    private mutating func verdict(on row: Int, of base: CommittedRecords, _ bytes: RawSpan) -> RowState {
        // The same bytes may have other values under another definition.
        let served = base.record(row)
        let (snapshot, row) = (served.snapshot, served.row)
        let isSameDocument = record.document.rawSpan.equals(snapshot.document(row))
        if record.upstream.rawSpan.equals(snapshot.upstream(row)) { return isSameDocument ? .same : .updated }
        switch comparison.verdict(tape, bytes, old: snapshot.upstream(row)) {
        case .same: return isSameDocument ? .same : .updated
        case .volatile: return .volatile
        case .different: return .updated
        }
    }

    private mutating func refuse(_ element: RawSpan, _ pointer: String, _ reason: String) {
        counts.quarantined += 1
        guard refused.count < Self.maxExamples else { return }
        var excerpt: [UInt8] = []
        excerpt.append(bytes: element.extracting(0..<min(element.byteCount, Self.maxExcerpt)))
        refused.append(Refused(pointer: pointer, reason: reason, excerpt: excerpt))
    }

    private static func keep(_ id: [UInt8], in ids: inout [[UInt8]]) {
        if ids.count < maxExamples { ids.append(id) }
    }
}

/// Two walks over the pages of one answer, read like those of ``RecordIntake``.
extension TrialIntake {
    /// The records that are not read from the first walk; see ``IntakeAnswers/Filled``.
    private struct Filled {
        let states: [RowState]
        let ids: Set<[UInt8]>
    }

    /// Begins the pages of the earlier walk; only records that the second walk lacks count.
    public mutating func beginEarlierWalk() {
        known = Filled(states: states, ids: newIDs.union(unservedIDs).union(ownDeletions))
        if seam != nil { seam = PageSeam() }
    }

    /// Whether the pages are those of the earlier walk.
    private var isFilling: Bool { known != nil }

    /// The number of served records that the answer lacks without a reason; see ``RecordIntake/lacking``.
    ///
    /// - Parameter prefix: the beginning of the ids of the answer's source.
    public func lacking(prefix: [UInt8] = []) -> Int {
        guard let base else { return 0 }
        return states.indices.count { row in
            guard states[row] == .unseen, base.isCurrent(row) else { return false }
            let id = base.idBytes(row)
            return id.starts(with: prefix) && !ownDeletions.contains(id)
        }
    }

    /// Whether the decoded record is ignored. It is served as `row`, if at all.
    private func isFilled(_ row: Int?) -> Bool {
        guard let known else { return false }
        if let row, known.states[row] != .unseen { return true }
        return known.ids.contains(record.id)
    }

    /// Records that the decoded record came in quarantine or as gone, unless it has also come as a good record.
    private mutating func setState(_ state: RowState, _ row: Int?) {
        if let row {
            if states[row] == .unseen { states[row] = state }
        } else if isSecondWalk, !isFilling {
            unservedIDs.insert(record.id)
        }
    }
}

/// Records that an answer reports as gone, read like those of ``RecordIntake``.
extension TrialIntake: DeletionReceiver {
    /// Reads the ids of gone records that a page has beside its records.
    private mutating func readDeletions(
        _ bytes: RawSpan, root: JSONPointer, isCancelled: () -> Bool
    ) throws(IntakeError) {
        let reader = DeletionReader(deleted, root: root, isIncremental: isIncremental, hasPages: seam != nil)
        try reader?.read(bytes, into: &self, isCancelled: isCancelled)
    }

    mutating func receive(
        gone element: JSONElements.Element, _ tape: JSONTape, _ list: RawSpan, pointer: String
    ) throws(IntakeError) {
        if case .value = element, decoder.identify(deleted: tape, list, into: &record) {
            setState(.marked, base?.row(forID: record.id.rawSpan))
        } else if isIncremental {
            refuse(list.extracting(element.range), pointer, "neither an id nor a record with one")
        }
        guard unservedIDs.count <= maxRecords else { throw .tooManyRecords(maxRecords) }
    }
}
