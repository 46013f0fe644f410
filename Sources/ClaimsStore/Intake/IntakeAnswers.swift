// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsSnapshot

extension RecordIntake {
    /// One answer of one source: a part of the records of the intake.
    struct Answer {
        let scope: AnswerScope
        /// The beginning of the ids of its records; empty for the only source of a collection.
        let prefix: [UInt8]
        /// The number of its first record.
        let first: Int
        /// The number of elements that were read.
        var elements = 0
        /// The number of elements that are no records.
        var quarantined = 0
        /// The records being served that it says are gone.
        var deleted = RowMarks()
        /// The same, in the order in which they came.
        var deletedRows: [UInt32] = []
        /// The records being served of which it has an element in quarantine.
        var quarantinedRows = RowMarks()
        /// Whether the pages of a walk that was made before follow.
        let isSecondWalk: Bool
        /// The ids without a record being served that it has in quarantine or says are gone. Kept for the walk that was made
        /// before, if there is one.
        var unservedIDs: Set<[UInt8]> = []
        /// The entries of quarantine that an answer which names only what has changed adds to.
        var earlier: EarlierQuarantine?

        init(_ scope: AnswerScope, first: Int, isSecondWalk: Bool = false) {
            self.scope = scope
            self.isSecondWalk = isSecondWalk
            self.first = first
            prefix = scope.site.map { Array("\($0):".utf8) } ?? []
        }

        /// Whether the answer takes away a record that is served, and is one of its source.
        func lacks(_ row: Int, _ seen: borrowing SeenRecords) -> Bool {
            (!scope.isIncremental || deleted.contains(row)) && seen.latest(row) == nil
        }

        /// Whether the answer says something of a record that is served: it brings it, has it in quarantine, or says that
        /// it is gone.
        func names(_ row: Int, _ seen: borrowing SeenRecords) -> Bool {
            seen.latest(row) != nil || quarantinedRows.contains(row) || deleted.contains(row)
        }
    }

    /// Begins the answer of a source, to which the pages that follow belong. The answers of several sites may go into one
    /// generation; each site may have one answer in it.
    ///
    /// Without it, the pages are an answer with all records of the only source.
    ///
    /// - Parameter isSecondWalk: whether the pages of a walk that was made before follow; see ``beginEarlierWalk()``.
    public mutating func begin(_ scope: AnswerScope, isSecondWalk: Bool = false) throws(IntakeError) {
        var answer = Answer(scope, first: seen.count, isSecondWalk: isSecondWalk)
        do throws(StoreError) {
            if scope.isIncremental || scope.site != nil {
                let earlier = try stage.database.earlierQuarantine(of: stage.base, scope.site)
                stage.begin(scope, keptBytes: earlier.bytes)
                if scope.isIncremental { answer.earlier = earlier }
            } else {
                stage.begin(scope)
            }
        } catch { throw .store(error) }
        answers.append(answer)
        restartDecoding(scope, prefix: answer.prefix)
    }

    /// Ends the last answer: where the join has changed, the records that it does not name are decoded again.
    public mutating func end() throws(IntakeError) {
        guard plan.isJoinChanged, let base = plan.base, let answer = answers.last, answer.scope.isIncremental else {
            return
        }
        for row in 0..<base.count where seen.latest(row) == nil && !answer.deleted.contains(row) {
            if row % Self.recordsPerLook == 0 { try look() }
            do throws(StoreError) { try decodeAgain(row, of: base) } catch { throw .store(error) }
        }
    }

    /// The changes that the last answer brings.
    public var counts: IntakeCounts { tally.counts }

    /// The number of records of the last answer's source, now and with the answer, and of its elements in quarantine
    /// then. Records that this host has deleted there count nowhere.
    public var extent: AnswerExtent { tally.extent }

    /// The number of records being served that the last answer lacks without a reason: they are not in its quarantine, not
    /// told as gone, and not deleted there by this host. 0 for an answer with what has changed.
    public var lacking: Int { tally.lacking }

    var tally: AnswerTally {
        AnswerTally(answer: answers.last, plan: plan, seen: seen, dropped: dropped, restated: restated)
    }
}

/// Counts the changes that the last answer of an intake brings.
///
/// A type of its own, because the debug compiler takes a minute for loops over the properties of a value that cannot be
/// copied, as an intake is.
struct AnswerTally {
    let answer: RecordIntake.Answer?
    let plan: RecordIntake.Plan
    let seen: SeenRecords
    let dropped: RowMarks
    let restated: RowMarks

    var counts: IntakeCounts {
        var counts = IntakeCounts()
        guard let answer else {
            counts.removed = plan.base?.count ?? 0
            return counts
        }
        counts.quarantined = answer.quarantined
        for number in answer.first..<seen.count where !dropped.contains(number) {
            counts.records += 1
            let entry = seen[number]
            if entry.isNew {
                counts.added += 1
            } else if entry.key != SeenRecords.Record.carried {
                if restated.contains(number) { counts.volatile += 1 } else { counts.updated += 1 }
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
        return (0..<base.count).count { !filled.contains($0) && base.id($0).starts(with: answer.prefix) }
    }

    /// The records being served that the answer says something of, or that this host has deleted there.
    var filledRows: RowMarks {
        var rows = RowMarks()
        guard let base = plan.base, let answer else { return rows }
        for row in 0..<base.count where answer.names(row, seen) { rows.insert(row) }
        for id in plan.ownDeletions {
            if let row = base.row(forID: id.rawSpan) { rows.insert(row) }
        }
        return rows
    }

    /// The records, of those given, that are the same as in the snapshot that the intake compares with.
    func carried(among ids: [String]) -> Set<String> {
        guard let base = plan.base, let answer, !ids.isEmpty else { return [] }
        return Set(
            ids.filter { id in
                guard let row = base.row(forID: Array(id.utf8).rawSpan) else { return false }
                if let number = seen.latest(row) { return seen[number].key == SeenRecords.Record.carried }
                return answer.scope.isIncremental && !answer.deleted.contains(row)
            })
    }

    /// The records being served that an answer removes.
    ///
    /// - Parameter kept: how many of them it has.
    private func removed(by answer: RecordIntake.Answer, kept: Int) -> Int {
        guard answer.scope.isIncremental else { return recordsServed(for: answer) - kept }
        return answer.deletedRows.count { answer.lacks(Int($0), seen) }
    }

    /// The number of records being served that an answer speaks for.
    private func recordsServed(for answer: RecordIntake.Answer) -> Int {
        guard let base = plan.base else { return 0 }
        if answer.prefix.isEmpty { return base.count }
        return (0..<base.count).count { base.id($0).starts(with: answer.prefix) }
    }
}

/// The records being served that stay in a generation although no answer in it names them.
struct CarriedRows {
    private let answers: [RecordIntake.Answer]
    /// The beginnings of the ids of the definition's sites; nil where records of other sources stay.
    private let known: [[UInt8]]?
    private let isWhole: Bool

    init(_ answers: [RecordIntake.Answer], _ plan: RecordIntake.Plan) {
        self.answers = answers
        isWhole = answers.contains { !$0.scope.isIncremental && $0.prefix.isEmpty }
        let sites = plan.definition.source.sites?.sites.map { Array("\($0.name):".utf8) }
        known = plan.dropsOtherSources ? sites ?? [[]] : nil
    }

    func contains(_ row: Int, of base: Snapshot) -> Bool {
        if isWhole { return false }
        let id = base.id(row)
        for answer in answers {
            if answer.scope.isIncremental ? answer.deleted.contains(row) : id.starts(with: answer.prefix) {
                return false
            }
        }
        return known?.contains { id.starts(with: $0) } ?? true
    }
}

/// The numbers of records by which the guard judges an answer.
public struct AnswerExtent: Sendable, Equatable {
    /// The number of records of the source that are served.
    public var before = 0
    /// The number of records of the source with the answer.
    public var after = 0
    /// The number of records that are served, and that the answer takes away.
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
