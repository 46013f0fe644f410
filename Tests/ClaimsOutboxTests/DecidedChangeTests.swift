// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsOutbox
import Testing

@Suite struct DecidedChangeTests {
    private let author = OutboxCaller(user: 1000, isAdmin: false)
    private let admin = OutboxCaller(user: 0, isAdmin: true)

    private func apply(
        _ change: DecidedChange, _ operation: Operation, by caller: OutboxCaller? = nil, among others: [Operation] = []
    ) -> [Operation]? {
        change.apply(to: operation, by: caller ?? author, among: Lanes(others + [operation]), now: 5000)
    }

    /// The states in which a change is made.
    private func allowed(_ change: DecidedChange, _ action: OperationAction = .update) -> [OperationState] {
        OperationState.allCases.filter { apply(change, operation(1, action, state: $0)) != nil }
    }

    @Test func `The author and admins may change an operation`() {
        #expect(author.mayChange(operation(1)) && admin.mayChange(operation(1)))
        #expect(!OutboxCaller(user: 1001, isAdmin: false).mayChange(operation(1)))
    }

    @Test func `A decision changes what the table allows, and nothing else`() {
        for decision in OperationDecision.allCases {
            let change = DecidedChange(decision)
            let states = OperationState.allCases.filter { DecisionFacts(operation(1, state: $0)).allows(decision) }
            #expect(allowed(change) == states, "\(decision)")
        }
        #expect(allowed(.resolveDone(id: nil), .create).isEmpty)
        #expect(allowed(.resolveDone(id: "42"), .create) == [.uncertain, .unconfirmed])
        #expect(allowed(.resolveDone(id: "42")).isEmpty)
    }

    @Test(arguments: [OperationState.rejected, .unconfirmed, .conflict, .held])
    func `What was ever uncertain is not retried, but resolved`(_ state: OperationState) throws {
        var stuck = operation(1).with(state, reason: state == .held ? .forbidden : nil)
        stuck.delivery.wasUncertain = true
        stuck.delivery.isAnswerMissing = true
        stuck.delivery.isRecordSent = state == .unconfirmed
        #expect(apply(DecidedChange(.retry), stuck) == nil)
        #expect(apply(.resolveDone(id: nil), stuck)?.first?.state == .accepted)
        let again = apply(DecidedChange(.resolveAgain), stuck)?.first
        #expect(again?.state == (state == .conflict ? nil : .queued))
        guard let again else { return }
        #expect(!again.delivery.isAnswerMissing && !again.delivery.isRecordSent && again.delivery.wasUncertain)
        #expect(again.key(.record) == stuck.key(.record))
    }

    @Test func `What a person holds and retries passes the backoff, but not the upstream's own time`() throws {
        let waiting = operation(1) {
            $0.delivery.nextTry = 9000
            $0.delivery.floor = 7000
        }
        let held = try #require(apply(DecidedChange(.hold), waiting)?.first)
        #expect(held.state == .held && held.reason == .operator && held.delivery.nextTry == nil)
        for operation in [waiting, held] {
            let retried = try #require(apply(DecidedChange(.retry), operation)?.first)
            #expect(retried.state == .queued && retried.delivery.nextTry == 7000 && retried.reason == nil)
            #expect(retried.delivery.keyNumber == 1)
        }
    }

    @Test func `A rejected or unconfirmed operation is sent under a new key`() throws {
        for state in [OperationState.rejected, .unconfirmed] {
            let operation = operation(1, state: state) {
                $0.delivery.keyUse = OperationKeyUse(first: 1, last: 1, method: "POST", url: "u")
                $0.delivery.isRecordSent = true
                $0.delivery.acceptedAt = 10
            }
            let retried = try #require(apply(DecidedChange(.retry), operation)?.first)
            #expect(retried.key(.record) == operation.id.text + ".2" && retried.delivery.keyUse == nil)
            #expect(retried.delivery.isRecordSent == (state == .rejected))
        }
    }

    @Test func `What the guard holds is for admins, what is damaged for nobody`() {
        let guarded = operation(1, .delete).with(.held, reason: .guard)
        #expect(apply(DecidedChange(.retry), guarded) == nil)
        #expect(apply(DecidedChange(.retry), guarded, by: admin)?.first?.state == .queued)
        let damaged = operation(1).with(.held, reason: .damaged)
        #expect(apply(DecidedChange(.retry), damaged, by: admin) == nil)
        #expect(apply(DecidedChange(.drop), damaged)?.first?.state == .dropped)
    }

    @Test func `Only what was rejected or never sent can be corrected`() {
        var values = OperationValues()
        values.given = ["title": "better"]
        let change = DecidedChange.correct(values)
        #expect(apply(change, operation(1))?.first?.values == values)
        #expect(apply(change, operation(1) { $0.delivery.attempts = 1 }) == nil)
        let rejected = operation(1, state: .rejected) { $0.delivery.attempts = 1 }
        #expect(apply(change, rejected)?.first?.values == values)
        #expect(apply(change, operation(1, state: .unconfirmed) { $0.delivery.attempts = 1 }) == nil)
    }

    @Test func `A create that is dropped takes its lane along, and holds what refers to it`() throws {
        let create = operation(1, .create)
        let follower = operation(2)
        let elsewhere = operation(3, on: "8")
        let waiting = operation(4, on: "9") { $0.delivery.waitsFor = create.id }
        let changed = try #require(apply(DecidedChange(.drop), create, among: [follower, elsewhere, waiting]))
        #expect(changed.map(\.number) == [1, 2, 4])
        #expect(changed.map(\.state) == [.dropped, .dropped, .held])
        #expect(changed.last?.reason == .reference)
        #expect(apply(DecidedChange(.drop), operation(1), among: [follower])?.map(\.number) == [1])
    }

    @Test func `A conflict is resolved over the values of now, under a new key`() throws {
        let conflict = operation(1, state: .conflict) {
            $0.values.before = ["title": "a"]
            $0.values.inherited = ["title": ["b"]]
        }
        let change = DecidedChange.resolveMine(over: ["title": "c"], isInSnapshot: true)
        let resolved = try #require(apply(change, conflict)?.first)
        #expect(resolved.state == .queued && resolved.values.before == ["title": "c"])
        #expect(resolved.values.inherited.isEmpty && resolved.delivery.keyNumber == 2)
    }

    @Test func `An uncertain operation is taken as done, or sent once more`() throws {
        let uncertain = operation(1, .create, state: .uncertain) {
            $0.delivery.isAnswerMissing = true
            $0.delivery.isDoubted = true
            $0.delivery.keyUse = OperationKeyUse(first: 1, last: 1, method: "POST", url: SendingRules.post.url)
        }
        let done = try #require(apply(.resolveDone(id: "42"), uncertain)?.first)
        #expect(done.state == .accepted && done.delivery.givenID == "42" && done.delivery.acceptedAt == 5000)
        let again = try #require(apply(DecidedChange(.resolveAgain), uncertain)?.first)
        #expect(again.state == .queued && again.showsValues)
        #expect(OutcomeTable(.post, now: 9000, random: 0).begin(again, attempt: 2).state == .sending)
    }
}
