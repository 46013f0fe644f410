// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsSnapshot

/// The answers that an intake reads, one after the other, each with its elements that are no records, and its reports
/// of gone records.
///
/// The pages of an answer may come from two walks. The records of the second walk count, and those of the first walk
/// that the second one lacks.
struct IntakeAnswers {
    /// One answer of one source: a part of the records of the intake.
    struct Answer: Sendable {
        let scope: AnswerScope
        /// The beginning of the ids of its records; empty for the only source of a collection.
        let prefix: [UInt8]
        /// The number of its first record.
        let first: Int
        /// The number of elements that were read.
        fileprivate(set) var elements = 0
        /// The number of elements that are no records.
        fileprivate(set) var quarantined = 0
        /// The served records that it reports as gone.
        fileprivate(set) var deleted = RowMarks()
        /// The same, in the order in which they came.
        fileprivate(set) var deletedRows: [UInt32] = []
        /// The served records of which it has an element in quarantine.
        fileprivate var quarantinedRows = RowMarks()
        /// Whether the pages of an earlier walk follow.
        fileprivate let isSecondWalk: Bool
        /// Whether the pages of an earlier walk follow.
        fileprivate var unservedIDs: Set<[UInt8]> = []
        /// The entries of quarantine that an answer with what has changed adds to.
        fileprivate(set) var earlier: EarlierQuarantine?

        init(
            _ scope: AnswerScope, first: Int, isSecondWalk: Bool = false, earlier: EarlierQuarantine? = nil
        ) {
            self.scope = scope
            self.isSecondWalk = isSecondWalk
            self.first = first
            self.earlier = earlier
            prefix = scope.site.map { Array("\($0):".utf8) } ?? []
        }

        /// Records that a served record is gone.
        fileprivate mutating func delete(_ row: Int) {
            guard !deleted.contains(row) else { return }
            deleted.insert(row)
            deletedRows.append(UInt32(truncatingIfNeeded: row))
        }

        /// Whether the answer removes a served record of its source.
        func lacks(_ row: Int, _ seen: borrowing SeenRecords) -> Bool {
            (!scope.isIncremental || deleted.contains(row)) && seen.latest(row) == nil
        }

        /// Whether the answer mentions a served record: it brings it, has it in quarantine, or reports it as gone.
        func names(_ row: Int, _ seen: borrowing SeenRecords) -> Bool {
            seen.latest(row) != nil || quarantinedRows.contains(row) || deleted.contains(row)
        }
    }

    /// The records that are not read from the first walk: the second walk names them, or this host has deleted them.
    struct Filled {
        /// The rows of served records.
        let rows: RowMarks
        /// The ids without a served record that are in quarantine or reported as gone.
        let ids: Set<[UInt8]>
        /// The number of records of the second walk, and of the answers before it.
        let count: Int
    }

    private(set) var all: [Answer] = []
    /// The records that are skipped in the pages of the earlier walk; nil unless these pages are being read.
    private(set) var filled: Filled?
    /// The number of elements of one answer at which it is refused.
    private let maxElements: Int

    init(maxElements: Int) {
        self.maxElements = maxElements
    }

    var isEmpty: Bool { all.isEmpty }

    /// The answer that is being read, or was read last.
    var last: Answer? { all.last }

    /// Whether the last answer has only what has changed.
    var isIncremental: Bool { all.last?.scope.isIncremental == true }

    /// The number of records, good or bad, of all answers.
    var elements: Int { all.reduce(0) { $0 + $1.elements } }

    /// The number of elements of the last answer that are in quarantine.
    var quarantined: Int { all.last?.quarantined ?? 0 }

    /// Whether the pages are those of the earlier walk.
    var isFilling: Bool { filled != nil }

    mutating func begin(_ answer: Answer) {
        all.append(answer)
        filled = nil
    }

    /// Begins the pages of the earlier walk.
    ///
    /// - Parameters:
    ///   - rows: the served records that are not read from it.
    ///   - ownDeletions: the ids of the records that this host has deleted.
    ///   - count: the number of records so far.
    mutating func beginEarlierWalk(without rows: RowMarks, _ ownDeletions: Set<[UInt8]>, count: Int) {
        filled = Filled(rows: rows, ids: all[all.count - 1].unservedIDs.union(ownDeletions), count: count)
    }

    mutating func countElement() throws(IntakeError) {
        guard all[all.count - 1].elements < maxElements else { throw .tooManyRecords(maxElements) }
        all[all.count - 1].elements += 1
    }

    /// Records that the last answer reports a record as gone.
    ///
    /// - Parameter row: the row of the record; nil if it is not served.
    mutating func delete(_ row: Int?, id: [UInt8]) {
        if let row { all[all.count - 1].delete(row) } else { recordUnserved(id) }
    }

    /// Counts an element of the last answer that is no record.
    ///
    /// - Parameters:
    ///   - id: the id of the record that it should be; nil if it is not known.
    ///   - row: the row of that record; nil if it is not served.
    mutating func quarantine(_ id: [UInt8]?, row: Int?) {
        all[all.count - 1].quarantined += 1
        if let row {
            all[all.count - 1].quarantinedRows.insert(row)
        } else if let id {
            recordUnserved(id)
        }
    }

    /// Returns whether an earlier answer, or the last one, has had an element that is no record; nil if the last answer
    /// has all records.
    mutating func observe(_ digest: UInt64) -> EarlierQuarantine.Novelty? {
        all[all.count - 1].earlier?.observe(digest)
    }

    /// Removes the entries of earlier answers about a record from quarantine, and returns them.
    mutating func release(_ id: [UInt8], except entry: Int64? = nil) -> [Int64] {
        all[all.count - 1].earlier?.release(id, except: entry) ?? []
    }

    /// Throws if the last answer reports more gone records than it may have elements: ids that are reported beside the
    /// records count, too.
    func checkUnserved() throws(IntakeError) {
        if all[all.count - 1].unservedIDs.count > maxElements { throw .tooManyRecords(maxElements) }
    }

    /// Records that the second walk has in quarantine, or reports as gone, a record that is not served.
    private mutating func recordUnserved(_ id: [UInt8]) {
        if all[all.count - 1].isSecondWalk, !isFilling { all[all.count - 1].unservedIDs.insert(id) }
    }
}

/// Counts the changes that the last answer of an intake brings.
///
/// A type of its own, because the debug compiler takes a minute for loops over the properties of a value that cannot be
/// copied, as an intake is.
struct AnswerTally {
    let answer: IntakeAnswers.Answer?
    let plan: IntakePlan
    let seen: SeenRecords

    var counts: IntakeCounts {
        var counts = IntakeCounts()
        guard let answer else {
            counts.removed = plan.base?.count ?? 0
            return counts
        }
        counts.quarantined = answer.quarantined
        for number in answer.first..<seen.count where !seen.isDropped(number) {
            counts.records += 1
            let entry = seen[number]
            if entry.isNew {
                counts.added += 1
            } else if entry.key != SeenRecords.Record.carried {
                if seen.isRestated(number) { counts.volatile += 1 } else { counts.updated += 1 }
            }
        }
        counts.removed = removed(by: answer, kept: counts.records - counts.added)
        return counts
    }

    var extent: AnswerExtent {
        let counts = counts
        var extent = AnswerExtent(
            before: answer.map { recordsServed(for: $0) } ?? counts.removed, missing: counts.removed,
            quarantined: answer?.earlier?.count ?? counts.quarantined)
        if let base = plan.base, let answer {
            for id in plan.ownDeletions {
                guard id.starts(with: answer.prefix), let row = base.row(forID: id.rawSpan) else { continue }
                extent.before -= 1
                if answer.lacks(row, seen) { extent.missing -= 1 }
            }
        }
        extent.after = extent.before + counts.added - extent.missing
        return extent
    }

    var lacking: Int {
        guard let base = plan.base, let answer, !answer.scope.isIncremental else { return 0 }
        let filled = filledRows
        return base.count { !filled.contains($0) && base.isID(of: $0, beginningWith: answer.prefix) }
    }

    /// The served records that the answer mentions, or that this host has deleted upstream.
    var filledRows: RowMarks {
        var rows = RowMarks()
        guard let base = plan.base, let answer else { return rows }
        for row in 0..<base.end where answer.names(row, seen) { rows.insert(row) }
        for id in plan.ownDeletions {
            if let row = base.row(forID: id.rawSpan) { rows.insert(row) }
        }
        return rows
    }

    /// The given records that are the same as in the snapshot that the intake compares with.
    private func carried(among ids: [String]) -> Set<String> {
        guard let base = plan.base, let answer, !ids.isEmpty else { return [] }
        return Set(
            ids.filter { id in
                guard let row = base.row(forID: Array(id.utf8).rawSpan) else { return false }
                if let number = seen.latest(row) { return seen[number].key == SeenRecords.Record.carried }
                return answer.scope.isIncremental && !answer.deleted.contains(row)
            })
    }

    /// The fields and values that the definition does not know, together with those of earlier answers.
    func drift(_ new: DriftReport, after earlier: DriftReport) -> DriftReport {
        let known = plan.base == nil ? DriftReport() : earlier.unknown(to: plan.definition)
        let carried = carried(among: known.examples)
        return new.merging(known, at: plan.now) { carried.contains($0) }
    }

    /// The served records that an answer removes.
    ///
    /// - Parameter kept: the number of served records that the answer has.
    private func removed(by answer: IntakeAnswers.Answer, kept: Int) -> Int {
        guard answer.scope.isIncremental else { return recordsServed(for: answer) - kept }
        return answer.deletedRows.count { answer.lacks(Int($0), seen) }
    }

    /// The number of served records of an answer's source.
    private func recordsServed(for answer: IntakeAnswers.Answer) -> Int {
        guard let base = plan.base else { return 0 }
        if answer.prefix.isEmpty { return base.count }
        return base.count { base.isID(of: $0, beginningWith: answer.prefix) }
    }
}

/// The served records that stay in a generation although no answer in it names them.
struct CarriedRows {
    private let answers: [IntakeAnswers.Answer]
    /// The beginnings of the ids of the definition's sites; nil if records of other sources stay.
    private let known: [[UInt8]]?
    private let isWhole: Bool

    init(_ answers: [IntakeAnswers.Answer], _ plan: IntakePlan) {
        self.answers = answers
        isWhole = answers.contains { !$0.scope.isIncremental && $0.prefix.isEmpty }
        let sites = plan.definition.source.sites?.sites.map { Array("\($0.name):".utf8) }
        known = plan.dropsOtherSources ? sites ?? [[]] : nil
    }

    func contains(_ row: Int, of base: CommittedRecords) -> Bool {
        if isWhole { return false }
        let record = base.record(row)
        let id = record.snapshot.id(record.row)
        for answer in answers {
            if answer.scope.isIncremental ? answer.deleted.contains(row) : id.starts(with: answer.prefix) {
                return false
            }
        }
        return known?.contains { id.starts(with: $0) } ?? true
    }

    /// The rows that the answers name, ascending; the records of all other rows stay. nil if that is not known without
    /// a look at each row.
    func namedRows(_ seen: borrowing SeenRecords) -> [Int]? {
        guard known == nil, answers.allSatisfy(\.scope.isIncremental) else { return nil }
        var rows: Set<Int> = []
        for number in 0..<seen.count where !seen[number].isNew { rows.insert(Int(seen[number].row)) }
        for answer in answers { rows.formUnion(answer.deletedRows.lazy.map { Int($0) }) }
        return rows.sorted()
    }
}

extension CommittedRecords {
    /// The number of current rows of which `isCounted` is true.
    fileprivate func count(where isCounted: (Int) -> Bool) -> Int {
        (0..<end).count { isCurrent($0) && isCounted($0) }
    }

    /// Whether the id of a row begins with `prefix`.
    fileprivate func isID(of row: Int, beginningWith prefix: [UInt8]) -> Bool {
        let record = record(row)
        return record.snapshot.id(record.row).starts(with: prefix)
    }
}

/// The numbers of records by which the guard judges an answer.
public struct AnswerExtent: Sendable, Equatable {
    /// The number of records of the source that are served.
    public var before = 0
    /// The number of records of the source with the answer.
    public var after = 0
    /// The number of served records that the answer removes.
    public var missing = 0
    /// The number of its elements in quarantine with the answer.
    public var quarantined = 0
}

extension RawSpan {
    /// Whether the bytes begin with `prefix`.
    func starts(with prefix: [UInt8]) -> Bool {
        byteCount >= prefix.count && extracting(0..<prefix.count).equals(prefix.rawSpan)
    }
}
