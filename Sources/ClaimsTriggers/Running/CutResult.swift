// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTerminal
import Glibc

/// The outcome of a cut: the batch, and what counts as reported once the batch is.
struct CutResult {
    /// The number of lines of the batch after the first; a batch without any is not reported.
    let count: Int
    /// The moment that counts as reported then.
    let moment: Reported.Moment
    /// The number of members then; nil if nothing was compared.
    let members: Int?
    /// Whether an id was forgotten, so that no file may keep it.
    let hasForgotten: Bool
    private let heading: BatchText.Heading
    private let stateLine: [UInt8]
    private let plan: TriggerCut.Plan
    private let cut: TriggerCut?
    private let head: Reported.Head?

    /// - Parameters:
    ///   - batch: the id of the batch.
    ///   - now: the time of the cut, in milliseconds since 1970.
    init(
        _ outcome: CutRequests.Outcome, _ definition: TriggerDefinition, _ reported: Reported?, batch: String,
        now: Int64,
        isTest: Bool = false
    ) {
        let description: CutRequests.Described
        let meta: AnswerValue?
        let condition: Condition
        let clock: String?
        switch outcome {
        case .answer(let answer):
            (description, meta, condition) = (answer.description, answer.meta, answer.condition)
            clock = answer.clock
            cut = answer.cut
            head = nil
            plan = answer.cut.finish()
            members = answer.cut.memberCount
            hasForgotten = answer.cut.hasForgotten
        case .noData(let described, let value, let found):
            (description, meta, condition) = (described, value, found)
            // Missing data is not the same as no records: the reported state stays.
            let known = reported?.head.collection == described.name ? reported : nil
            clock = known?.moment.clock
            cut = nil
            // The condition can be noted before any set is known.
            head =
                known == nil
                ? Reported.Head(collection: described.name, fields: described.fields.map(\.text), key: .random) : nil
            plan = TriggerCut.Plan()
            members = nil
            hasForgotten = false
        }
        let known = reported?.head.collection == description.name ? reported?.moment : nil
        let before = known?.condition
        let reportsState = definition.events.contains(.state) && before != nil && before != condition.rawValue
        stateLine = reportsState ? BatchText.state(from: before ?? "", to: condition.rawValue) : []
        count = plan.count + (reportsState ? 1 : 0)
        moment = Reported.Moment(
            clock: clock, at: cut == nil ? known?.at ?? now : now, condition: condition.rawValue,
            reportedAt: reported?.moment.reportedAt)
        heading = BatchText.Heading(
            definition: definition, collection: description.name, isTest: isTest, batch: batch, at: now,
            title: description.title, viewTitle: description.viewTitle, freshReason: cut?.freshReason, clock: clock,
            condition: condition.rawValue,
            counts: (plan.added.count, plan.updated.count, plan.removed.count), meta: meta)
    }

    /// Calls `body` for the changes of the reported state.
    func forEachChange(_ body: (Reported.Change) throws(SystemError) -> Void) throws(SystemError) {
        if let cut { return try cut.forEachChange(body) }
        if let head { try body(.begin(head)) }
    }

    /// Writes the lines of the batch.
    func writeLines(
        _ spool: EntrySpool, _ write: ([UInt8]) throws(SystemError) -> Void
    ) throws(SystemError) {
        try write(BatchText.header(heading))
        if !stateLine.isEmpty { try write(stateLine) }
        for lines in [plan.added, plan.updated, plan.removed] {
            for line in lines { try write(try text(of: line, spool) + [UInt8(ascii: "\n")]) }
        }
    }

    private func text(of line: TriggerCut.Line, _ spool: EntrySpool) throws(SystemError) -> [UInt8] {
        switch line {
        case .kept(let kept): return try spool.text(kept)
        case .gone(let id): return BatchText.entry("removed", id: String(decoding: id, as: UTF8.self))
        case .renamed(let from, _, let changed, let removed, let added):
            let before = try removed.map { kept throws(SystemError) in try spool.text(kept) }
            guard let after = Self.root(try spool.text(added)) else {
                throw SystemError("read an entry", errno: EIO)
            }
            return BatchText.renamed(
                from: String(decoding: from, as: UTF8.self), added: after, removed: before.flatMap { Self.root($0) },
                changed: changed)
        }
    }

    private static func root(_ text: [UInt8]) -> AnswerValue? {
        do throws(JSONError) { return try AnswerDocument(text).root } catch { return nil }
    }
}
