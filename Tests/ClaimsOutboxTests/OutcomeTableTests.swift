// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsOutbox
import ClaimsTestSupport
import Testing

@Suite struct OutcomeTableTests {
    private let failure = Message(.unreachable, "refused")

    private func table(_ rules: SendingRules, now: Int64 = 1000) -> OutcomeTable {
        OutcomeTable(rules, now: now, random: .max)
    }

    /// The outcome of the first attempt.
    private func outcome(
        _ action: OperationAction, _ end: AttemptEnd, _ rules: SendingRules, _ step: SendingStep = .record
    ) -> AttemptOutcome {
        table(rules).end(table(rules).begin(operation(1, action), attempt: 1), end, of: step)
    }

    private func status(
        _ status: Int, to action: OperationAction, _ rules: SendingRules = .post, retryAfter: Int? = nil
    ) -> OperationState {
        outcome(action, .answered(AttemptAnswer(status, retryAfter: retryAfter)), rules).operation.state
    }

    @Test func `A request of which no byte left is made again, and its key counts as unused`() {
        let outcome = outcome(.create, .unsent(failure), .post)
        #expect(outcome.operation.state == .queued && outcome.signal == .failure)
        #expect(outcome.operation.delivery.keyUse == nil)
        #expect((outcome.operation.delivery.nextTry ?? 0) >= 1000)
        #expect(outcome.operation.delivery.log.map(\.failure) == [failure])
    }

    @Test func `The log tells in which state each attempt left the operation`() {
        let begun = table(.post).begin(operation(1, .create), attempt: 1)
        #expect(begun.delivery.log.map(\.state) == [nil])
        let again = table(.post).end(begun, .unsent(failure), of: .record).operation
        let second = table(.post).begin(again, attempt: 2)
        #expect(second.delivery.log.map(\.state) == [.queued, nil])
        let refused = table(.post).end(second, .answered(AttemptAnswer(422)), of: .record).operation
        #expect(refused.delivery.log.map(\.state) == [.queued, .rejected])
        #expect(table(.post).interrupted(second).delivery.log.map(\.state) == [.queued, .uncertain])
    }

    @Test(arguments: [425, 429]) func `An upstream that has not begun is asked again`(_ status: Int) {
        for action: OperationAction in [.create, .update, .delete] {
            let outcome = outcome(action, .answered(AttemptAnswer(status, retryAfter: 90)), .post)
            #expect(outcome.operation.state == .queued && outcome.signal == .failure)
            #expect(outcome.operation.delivery.nextTry == 91_000 && outcome.operation.delivery.floor == 91_000)
            #expect(!outcome.operation.delivery.isAnswerMissing)
        }
    }

    @Test func `A status 503 is harmless with Retry-After only`() {
        #expect(status(503, to: .create, retryAfter: 5) == .queued)
        #expect(status(503, to: .create) == .uncertain)
        #expect(status(503, to: .create, .keyed) == .queued)
    }

    @Test func `An upstream is obeyed for six hours at most`() {
        let outcome = outcome(.update, .answered(AttemptAnswer(429, retryAfter: .max)), .post)
        let latest: Int64 = 1000 + 6 * 3_600_000
        #expect(outcome.operation.delivery.nextTry == latest)
    }

    @Test(arguments: [200, 201, 202, 204]) func `A status in accept is a yes`(_ status: Int) {
        #expect(self.status(status, to: .update) == .accepted)
        #expect(outcome(.update, .answered(AttemptAnswer(status)), .post).signal == .success)
    }

    @Test func `A delete of a record that is gone is done`() {
        #expect(status(404, to: .delete) == .accepted)
        #expect(status(410, to: .delete) == .accepted)
    }

    @Test func `A create needs its id if the upstream gives ids`() {
        var rules = SendingRules.post
        rules.needsID = true
        let given = outcome(.create, .answered(AttemptAnswer(201, id: .given("42"))), rules).operation
        #expect(given.state == .accepted && given.delivery.givenID == "42" && given.delivery.acceptedAt == 1000)
        #expect(outcome(.create, .answered(AttemptAnswer(201)), rules).operation.state == .uncertain)
        let taken = outcome(.create, .answered(AttemptAnswer(201, id: .taken("42"))), rules).operation
        #expect(taken.state == .uncertain && taken.delivery.givenID == nil)
    }

    @Test func `A missing answer makes an operation uncertain unless it can be sent again`() {
        #expect(outcome(.create, .unanswered(failure), .post).operation.state == .uncertain)
        #expect(outcome(.create, .unanswered(failure), .keyed).operation.state == .queued)
        #expect(outcome(.update, .unanswered(failure), .put).operation.state == .queued)
        for code in [408, 500, 502, 504, 599] {
            #expect(status(code, to: .create) == .uncertain)
            #expect(status(code, to: .create, .keyed) == .queued)
            #expect(status(code, to: .update, .put) == .queued)
        }
    }

    @Test func `A key is not used again after its life, at another address, or after a clock that went back`() {
        let first = outcome(.create, .unanswered(failure), .keyed).operation
        let life = SendingRules.keyed.keyLife ?? 0
        #expect(table(.keyed, now: 1000 + life - 1).begin(first, attempt: 2).state == .sending)
        #expect(table(.keyed, now: 1000 + life).begin(first, attempt: 2).state == .uncertain)
        #expect(table(.keyed, now: 999).begin(first, attempt: 2).state == .uncertain)
        #expect(table(.keyed).begin(first.distrustingClock, attempt: 2).state == .uncertain)
        var elsewhere = SendingRules.keyed
        elsewhere.url += "/2"
        #expect(table(elsewhere).begin(first, attempt: 2).state == .uncertain)
        var put = SendingRules.keyed
        put.method = .put
        #expect(table(put).begin(first, attempt: 2).state == .uncertain)
    }

    @Test func `An operation that was being sent when the daemon ended counts as unanswered`() {
        #expect(table(.post).interrupted(table(.post).begin(operation(1, .create), attempt: 1)).state == .uncertain)
        #expect(table(.keyed).interrupted(table(.keyed).begin(operation(1, .create), attempt: 1)).state == .queued)
    }

    @Test func `A repeat whose file cannot be read is uncertain, because the request before may have been done`() {
        let end = AttemptEnd.impossible(.damaged, failure)
        let first = table(.keyed).begin(operation(1, .create), attempt: 1)
        #expect(table(.keyed).end(first, end, of: .record).operation.state == .held)
        let unanswered = table(.keyed).end(first, .unanswered(failure), of: .record).operation
        #expect(unanswered.state == .queued)
        let second = table(.keyed).begin(unanswered, attempt: 2)
        let ended = table(.keyed).end(second, end, of: .record).operation
        #expect(ended.state == .uncertain && ended.reason == nil)
        #expect(ended.delivery.log.map(\.state) == [.queued, .uncertain])
    }

    @Test(arguments: [203, 206, 226]) func `Another success says too little`(_ status: Int) {
        #expect(self.status(status, to: .update) == .uncertain)
    }

    @Test func `An upstream that does not know us pauses its origin`() {
        for code in [401, 407] {
            let outcome = outcome(.update, .answered(AttemptAnswer(code)), .post)
            #expect(outcome.operation.state == .queued)
            guard case .refusal = outcome.signal else {
                Issue.record("\(code)")
                continue
            }
        }
    }

    @Test func `A record that has changed or gone is a conflict`() {
        for code in [409, 412] {
            for action: OperationAction in [.create, .update, .delete] {
                #expect(status(code, to: action) == .conflict)
            }
        }
        for code in [404, 410] {
            #expect(status(code, to: .update) == .conflict)
            #expect(status(code, to: .named("verify")) == .conflict)
            #expect(status(code, to: .create) == .held)
        }
    }

    @Test func `A repeated key that meets a conflict has three more tries`() {
        let table = table(.keyed)
        var operation = table.end(
            table.begin(operation(1, .create), attempt: 1), .unanswered(failure), of: .record
        ).operation
        for attempt in 2...4 {
            operation =
                table.end(
                    table.begin(operation, attempt: Int64(attempt)), .answered(AttemptAnswer(409)), of: .record
                ).operation
            #expect(operation.state == .queued)
        }
        operation = table.end(table.begin(operation, attempt: 5), .answered(AttemptAnswer(409)), of: .record).operation
        #expect(operation.state == .uncertain && operation.delivery.verdict == .conflict)
        #expect(status(409, to: .create, .keyed) == .conflict)
    }

    @Test(arguments: [
        (422, OperationState.rejected), (412, .conflict), (404, .conflict), (403, .held), (302, .held), (428, .held),
    ])
    func `A refusal after a lost answer says nothing of the request before`(
        _ status: Int, _ verdict: OperationState
    ) {
        let table = table(.put)
        for isInterrupted in [false, true] {
            let sent = table.begin(operation(1), attempt: 1)
            let lost =
                isInterrupted ? table.interrupted(sent) : table.end(sent, .unanswered(failure), of: .record).operation
            let answer = AttemptEnd.answered(AttemptAnswer(status, body: "no"))
            let repeated = table.end(table.begin(lost, attempt: 2), answer, of: .record).operation
            #expect(repeated.state == .uncertain && repeated.delivery.verdict == verdict)
            #expect(repeated.message?.key == .httpStatus && repeated.delivery.answer?.body == "no")
            #expect(repeated.delivery.uncertainSince == 1000)
        }
        let again = operation(1) { $0.delivery.wasUncertain = true }
        let answer = AttemptEnd.answered(AttemptAnswer(status))
        #expect(table.end(table.begin(again, attempt: 2), answer, of: .record).operation.state == .uncertain)
    }

    @Test func `The time of the first attempt outlives the log`() {
        var operation = operation(1)
        for attempt in 1...30 {
            let table = table(.post, now: Int64(attempt) * 1000)
            operation =
                table.end(
                    table.begin(operation, attempt: Int64(attempt)), .unsent(failure), of: .record
                ).operation
        }
        #expect(operation.delivery.log.first?.at == 11_000 && operation.delivery.firstAttemptAt == 1000)
    }

    @Test(arguments: [300, 301, 302, 307, 308, 403, 405, 428])
    func `An upstream that forbids it waits for a person`(_ status: Int) {
        let outcome = outcome(.update, .answered(AttemptAnswer(status)), .post)
        #expect(outcome.operation.state == .held && outcome.operation.reason == .forbidden)
        #expect(outcome.signal == .failure)
    }

    @Test(arguments: [400, 402, 413, 415, 422, 451]) func `Another error of ours is a rejection`(_ status: Int) {
        let outcome = outcome(.update, .answered(AttemptAnswer(status, body: "no")), .post)
        #expect(outcome.operation.state == .rejected)
        #expect(outcome.operation.delivery.answer == OperationAnswer(status: status, body: "no"))
        #expect(outcome.signal == .success)
    }

    @Test func `Files follow the record one by one, each under a key of its own`() {
        var rules = SendingRules.keyed
        rules.sendsFilesApart = true
        let files = [1, 2].map { OperationFile(sha256: "\($0)", name: "a", type: "image/png", size: 1) }
        var operation = operation(1, .create) { $0.values.files = files }
        let id = operation.id.text
        #expect(operation.nextStep(sendsFilesApart: true) == .record && operation.key(.record) == id)
        let table = table(rules)
        let yes = AttemptEnd.answered(AttemptAnswer(201, id: .given("42")))
        operation = table.end(table.begin(operation, attempt: 1), yes, of: .record).operation
        #expect(operation.state == .queued && operation.delivery.givenID == "42")
        #expect(operation.nextStep(sendsFilesApart: true) == .file(0) && operation.key(.file(0)) == id + "-1")
        operation = table.end(table.begin(operation, attempt: 2), yes, of: .file(0)).operation
        #expect(operation.state == .queued && operation.nextStep(sendsFilesApart: true) == .file(1))
        let lost = table.end(table.begin(operation, attempt: 3), .answered(AttemptAnswer(404)), of: .file(1)).operation
        #expect(lost.state == .conflict && lost.delivery.filesSent == 1)
        operation = table.end(table.begin(operation, attempt: 3), yes, of: .file(1)).operation
        #expect(operation.state == .accepted && operation.delivery.givenID == "42")
    }

    @Test func `A look at the record decides without sending`() {
        let table = table(.put)
        #expect(table.inspected(operation(1), .shown).operation.state == .accepted)
        #expect(table.inspected(operation(1), .gone).operation.state == .conflict)
        #expect(table.inspected(operation(1, .delete), .gone).operation.state == .accepted)
        #expect(table.inspected(operation(1), .changed(["title"])).operation.state == .conflict)
        #expect(table.inspected(operation(1), .failed(failure, retryAfter: 7)).operation.delivery.floor == 8000)
        #expect(table.inspected(operation(1), .forbidden(failure)).operation.reason == .forbidden)
        #expect(table.inspected(operation(1), .refused(failure)).signal == .refusal(failure))
    }

    /// No sequence of outcomes has a request sent again that may have been done, unless that is safe.
    @Test func `Nothing that may have been done is sent again without a promise`() {
        var random = SeededGenerator(seed: 7)
        for round in 0..<RandomRounds.count(4000) {
            let rules = random.pick([SendingRules.post, .put, .keyed])
            let action = random.pick([OperationAction.create, .update, .delete, .named("verify")])
            var current = operation(Int64(round + 1), action)
            var now: Int64 = 1000
            var openSince: Int64?
            for attempt in 1...12 where current.state == .queued {
                now += Int64.random(in: -100...20_000_000, using: &random)
                let table = OutcomeTable(rules, now: now, random: random.next())
                current = table.begin(current, attempt: Int64(attempt))
                guard current.state == .sending else {
                    #expect(current.state == .uncertain && openSince != nil)
                    break
                }
                if let openSince, rules.method == .post {
                    #expect(rules.keyLife.map { now - openSince < $0 } == true)
                }
                let status = Int.random(in: 200...599, using: &random)
                let end = random.pick([
                    AttemptEnd.unsent(failure), .unanswered(failure), .answered(AttemptAnswer(status)),
                    .answered(AttemptAnswer(503)),
                ])
                if openSince == nil, case .unanswered = end { openSince = now }
                if openSince == nil, case .answered(let answer) = end, answer.status >= 500 { openSince = now }
                let outcome = table.end(current, end, of: .record)
                #expect(outcome.operation.state != .sending)
                if let next = outcome.operation.delivery.nextTry {
                    #expect(next >= now && next <= now + 15 * 60_000)
                }
                current = outcome.operation
            }
        }
    }
}
