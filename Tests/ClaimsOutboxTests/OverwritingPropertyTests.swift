// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsOutbox
import ClaimsStore
import ClaimsTestSupport
import Testing

/// Any order of refreshes, attempts with any end, restarts and decisions of people: no request goes out over a value that
/// a refresh has shown, and that is neither the one at submission nor the operation's own.
@Suite struct OverwritingPropertyTests {
    private static let definition = Definition(
        name: "books", source: Shelf.definition.source, fields: Shelf.definition.fields,
        vocabularies: Shelf.definition.vocabularies, isArchivable: true,
        writes: WriteRules(to: .upstream, confirm: .seconds(1)))

    /// One operation on a record that somebody else changes, too.
    private struct Course {
        var random: SeededGenerator
        var operation: Operation
        /// The value that the last refresh has shown.
        var shown: JSONValue = "old"
        var now: Int64 = 1000
        var attempts: Int64 = 0
        let rules: SendingRules
        private let settlement = Settlement()

        init(seed: UInt64, _ rules: SendingRules) {
            random = SeededGenerator(seed: seed)
            operation = ClaimsOutboxTests.operation(1) {
                $0.values.given = ["title": "mine"]
                $0.values.before = ["title": "old"]
                $0.values.wasInSnapshot = true
            }
            self.rules = rules
        }

        private func evidence() -> RefreshEvidence {
            RefreshEvidence(
                OverwritingPropertyTests.definition, began: now, now: now, isComplete: true,
                records: [operation.id: RecordEvidence(fields: ["title": shown])])
        }

        /// Commits a change as the store does.
        private mutating func commit(_ changed: Operation) {
            let isBack = changed.state == .queued && operation.state != .queued
            operation = changed
            guard isBack else { return }
            operation = settlement.contradicted([changed.id], among: [changed], by: evidence()).first ?? changed
        }

        /// Makes a random event; returns the value that a request goes out over.
        mutating func step() -> JSONValue? {
            now += 10
            let table = OutcomeTable(rules, now: now, random: random.next())
            switch Int.random(in: 0..<10, using: &random) {
            case 0...2:
                shown = ["old", "mine", "theirs", "old"].randomElement(using: &random) ?? "old"
                operation = settlement.settle([operation], by: evidence()).first ?? operation
            case 3...5 where operation.state == .queued:
                attempts += 1
                commit(table.begin(operation, attempt: attempts))
                return operation.state == .sending ? shown : nil
            case 3...7 where operation.state == .sending:
                let message = Message(.writeInterrupted)
                let ends: [AttemptEnd] = [
                    .unsent(message), .unanswered(message), .answered(AttemptAnswer(429)),
                    .answered(AttemptAnswer(503, retryAfter: 6)), .answered(AttemptAnswer(500)),
                    .answered(AttemptAnswer(401)), .answered(AttemptAnswer(403)), .answered(AttemptAnswer(422)),
                    .answered(AttemptAnswer(409)),
                ]
                let end = ends.randomElement(using: &random) ?? ends[0]
                commit(table.end(operation, end, of: .record).operation)
            case 8 where operation.state == .sending: commit(table.interrupted(operation))
            case 9:
                let decisions: [OperationDecision] = [.hold, .retry, .resolveAgain]
                let change = DecidedChange(decisions.randomElement(using: &random) ?? .hold)
                let caller = OutboxCaller(user: 0, isAdmin: true)
                let changed = change.apply(to: operation, by: caller, among: Lanes([operation]), now: now)
                if let changed = changed?.first { commit(changed) }
            default: break
            }
            return nil
        }
    }

    @Test(arguments: [SendingRules.put, .post, .keyed])
    func `no request goes out over what somebody else was seen to have written`(_ rules: SendingRules) {
        var count = 0
        for seed in 0..<2000 {
            var course = Course(seed: UInt64(seed), rules)
            for _ in 0..<40 {
                guard let value = course.step() else { continue }
                count += 1
                #expect(value != "theirs", "seed \(seed)")
            }
        }
        #expect(count > 2000)
    }
}
