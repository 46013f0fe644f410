// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import Testing

@Suite struct OperationDetailTests {
    private func operation(_ fill: (inout Operation) -> Void) -> Operation {
        let id = OperationID(time: 1_700_000_000_000, random: (1, 2))
        var operation = Operation(id, .update, on: "7", of: "books", number: 3, submittedAt: 5, submittedBy: 1000)
        fill(&operation)
        return operation
    }

    private func reread(_ operation: Operation) throws -> Operation {
        var copy = Operation(
            operation.id, operation.action, on: operation.record, of: operation.collection,
            number: operation.number, state: operation.state, submittedAt: operation.submittedAt,
            submittedBy: operation.submittedBy)
        try copy.read(detail: operation.detail)
        return copy
    }

    private var full: Operation {
        operation {
            $0.values.given = ["title": "A \"quoted\" ząb", "amount": .number("12345678901234567890.10"), "note": nil]
            $0.values.set = ["status": "pending"]
            $0.values.shown = ["at": "2026-01-01T00:00:00.000Z"]
            $0.values.before = ["title": "B", "tags": ["a", ["b": 1]]]
            $0.values.inherited = ["title": ["C", "D"]]
            $0.values.seen = ["title": ["E"]]
            $0.values.wasInSnapshot = true
            $0.values.files = [OperationFile(sha256: "ab", name: "a b.pdf", type: "application/pdf", size: 1 << 40)]
            $0.values.detached = ["cd"]
            $0.reason = .guard
            $0.message = Message(.httpStatus, "404 Not Found")
            $0.delivery.attempts = 4
            $0.delivery.failures = 2
            $0.delivery.keyNumber = 2
            $0.delivery.keyUse = OperationKeyUse(
                first: 10, last: 20, method: "POST", url: "https://x.example/", isClockSteady: false, requests: 3)
            $0.delivery.repeatedConflicts = 1
            $0.delivery.filesSent = 1
            $0.delivery.isRecordSent = true
            $0.delivery.isAnswerMissing = true
            $0.delivery.nextTry = 100
            $0.delivery.floor = 90
            $0.delivery.waitsFor = OperationID(time: 1, random: (3, 4))
            $0.delivery.acceptedAt = 80
            $0.delivery.uncertainSince = 70
            $0.delivery.givenID = "42"
            $0.delivery.isReleased = true
            $0.delivery.isDoubted = true
            $0.delivery.firstAttemptAt = 5
            $0.delivery.wasUncertain = true
            $0.delivery.verdict = .rejected
            $0.delivery.answer = OperationAnswer(status: 409, body: "no\u{0}")
            $0.delivery.log = [
                OperationAttempt(
                    number: 9, at: 10, method: "POST", url: "https://x.example/", status: 503, state: .queued),
                OperationAttempt(
                    number: 12, at: 20, method: "POST", url: "https://x.example/",
                    failure: Message(.unreachable, "refused")),
            ]
        }
    }

    @Test func `Everything that has no column survives the way to state.db and back`() throws {
        #expect(try reread(full) == full)
        let bare = operation { _ in }
        #expect(try reread(bare) == bare)
    }

    @Test func `A detail that was cut short is damaged, and changes nothing`() {
        let bytes = full.detail
        for count in 0..<bytes.count {
            var copy = operation { _ in }
            #expect(throws: OperationDetailError.damaged) { try copy.read(detail: Array(bytes[..<count])) }
            #expect(copy == operation { _ in })
        }
    }

    @Test(arguments: [
        #"{}"#, #"[]"#, #"{"v":"1"}"#, #"{"v":1,"given":[]}"#, #"{"v":1,"attempts":-1}"#, #"{"v":1,"reason":"fun"}"#,
        #"{"v":1,"log":[{"number":1}]}"#, #"{"v":1,"files":[7]}"#, #"{"v":1,"detached":[7]}"#,
        #"{"v":1,"waits":"x"}"#, #"{"v":1,"next":1.5}"#, #"{"v":1,"use":{"first":1}}"#, #"{"v":1,"answer":"no"}"#,
        #"{"v":1,"message":["no_such_message"]}"#,
    ])
    func `A detail with members of a wrong kind is damaged`(_ text: String) {
        var copy = operation { _ in }
        #expect(throws: OperationDetailError.damaged) { try copy.read(detail: Array(text.utf8)) }
    }

    @Test func `A detail of a newer version is not guessed at`() {
        var copy = operation { _ in }
        #expect(throws: OperationDetailError.newer) { try copy.read(detail: Array(#"{"v":2,"given":7}"#.utf8)) }
    }

    @Test func `The log keeps the last twenty attempts`() {
        var delivery = OperationDelivery()
        for number in 1...25 {
            delivery.record(OperationAttempt(number: Int64(number), at: 0, method: "PUT", url: "u"))
        }
        #expect(delivery.log.map(\.number) == Array(6...25))
        #expect(delivery.lastNumber == 25)
    }

    @Test func `A settled operation keeps no values`() {
        let settled = full.with(.confirmed)
        #expect(settled.values.isEmpty)
        #expect(settled.delivery.nextTry == nil && settled.reason == nil && settled.message == nil)
        #expect(settled.delivery.log == full.delivery.log)
    }

    @Test func `Touched fields are those given, set and shown, and what is shown prevails`() {
        let operation = operation {
            $0.values.given = ["title": "A", "status": "new"]
            $0.values.set = ["year": 1]
            $0.values.shown = ["status": "pending"]
        }
        #expect(operation.touched == ["title", "status", "year"])
        #expect(operation.wanted("status") == "pending")
        #expect(operation.wanted("author") == nil)
    }

    @Test(arguments: OperationState.allCases)
    func `Readers see what may still become true`(_ state: OperationState) {
        func make(_ action: OperationAction) -> Operation {
            Operation(OperationID(time: 1, random: (1, 2)), action, on: "7", of: "books", state: state)
        }
        #expect(make(.create).showsValues == !state.isSettled)
        let shown: [OperationState] = [.queued, .sending, .held, .accepted, .uncertain]
        #expect(make(.update).showsValues == shown.contains(state))
        #expect(make(.named("verify")).showsValues == shown.contains(state))
        var doubted = make(.update)
        doubted.delivery.isDoubted = true
        #expect(doubted.showsValues == (shown.contains(state) && state != .uncertain))
        #expect(!make(.delete).showsValues && !make(.update).hidesRecord)
        #expect(make(.delete).hidesRecord == [.queued, .sending, .accepted].contains(state))
    }
}
