// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsOutbox
import ClaimsStore
import ClaimsTestSupport
import Testing

@Suite struct SettlementTests {
    private let settlement = Settlement()

    private static let definition = make(WriteRules(to: .upstream, confirm: .seconds(1)))

    /// Files follow a new record one by one.
    private static let filesApart = {
        let address = WriteAddress("https://x.example/books/{id}")
        let request = WriteRequest(method: .put, address: address)
        let create = WriteAction(name: "create", kind: .create, takesFiles: true, request: request)
        let files = AttachmentRules(field: Shelf.title, sending: .requests(request))
        return make(WriteRules(to: .upstream, actions: [create], attachments: files, confirm: .seconds(1)))
    }()

    private static func make(_ writes: WriteRules) -> Definition {
        let shelf = Shelf.definition
        return Definition(
            name: "books", source: shelf.source, fields: shelf.fields, vocabularies: shelf.vocabularies,
            isArchivable: true, writes: writes)
    }

    /// An answer to a refresh that began at 500, in which every operation's record has these fields.
    private func settle(
        _ operations: [Operation], _ fields: JSONObject?, began: Int64 = 500, isComplete: Bool = true,
        reference: String? = nil, definition: Definition = definition
    ) throws -> [Operation] {
        let record = RecordEvidence(fields: fields, referencedID: reference)
        let evidence = RefreshEvidence(
            definition, began: began, now: began + 100, isComplete: isComplete,
            records: Dictionary(uniqueKeysWithValues: operations.map { ($0.id, record) }))
        return settlement.settle(operations, by: evidence)
    }

    private func update(
        _ number: Int64, _ given: JSONObject, before: JSONObject = ["title": "old"], state: OperationState = .accepted
    ) -> Operation {
        operation(number, state: state) {
            $0.values.given = given
            $0.values.before = before
            $0.values.wasInSnapshot = true
            $0.delivery.acceptedAt = state == .accepted ? 100 : nil
            $0.delivery.uncertainSince = state == .uncertain ? 100 : nil
        }
    }

    private func states(_ operations: [Operation]) -> [OperationState] { operations.map(\.state) }

    @Test func `A refresh that began after the acceptance confirms what it shows`() throws {
        let update = update(1, ["title": "new"])
        #expect(states(try settle([update], ["title": "new"])) == [.confirmed])
        #expect(try settle([update], ["title": "new"], began: 100).isEmpty)
        #expect(try settle([update], ["title": "old"]).isEmpty)
        // The upstream has tidied the value up.
        #expect(states(try settle([update], ["title": "New"])) == [.confirmed])
        #expect(try settle([update], [:]).map(\.state) == [.confirmed])
    }

    @Test func `A write that is not seen in time is unconfirmed, and confirmed once it is seen`() throws {
        let update = update(1, ["title": "new"])
        #expect(try settle([update], ["title": "old"], began: 1099).isEmpty)
        let late = try settle([update], ["title": "old"], began: 1100)
        #expect(states(late) == [.unconfirmed])
        #expect(states(try settle(late, ["title": "new"], began: 1200)) == [.confirmed])
        #expect(try settle(late, ["title": "another"], began: 1200).isEmpty)
    }

    @Test func `Fields that a later accepted operation touches do not count`() throws {
        let first = update(1, ["title": "B", "year": 1], before: ["title": "A", "year": 0])
        let second = update(2, ["title": "C"], before: ["title": "A"])
        #expect(try settle([first, second], ["title": "A", "year": 0]).isEmpty)
        #expect(
            try settle([first, second], ["title": "B", "year": 1]).filter { $0.state == .confirmed }.map(\.number) == [
                1
            ])
        #expect(states(try settle([first, second], ["title": "C", "year": 1])) == [.confirmed, .confirmed])
        // There and back again.
        let back = update(2, ["title": "A"], before: ["title": "A"])
        #expect(states(try settle([first, back], ["title": "A", "year": 1])) == [.confirmed, .confirmed])
        #expect(try settle([first, back], ["title": "B", "year": 0]).isEmpty)
    }

    @Test func `A new record is confirmed by its id`() throws {
        let create = operation(1, .create) {
            $0.state = .accepted
            $0.delivery.acceptedAt = 100
            $0.delivery.givenID = "7"
        }
        let update = update(2, ["title": "new"], before: ["title": nil])
        #expect(try settle([create, update], nil).isEmpty)
        #expect(states(try settle([create, update], ["title": "first"])) == [.confirmed, .confirmed])
    }

    @Test(arguments: OperationState.allCases.filter { !$0.isSettled }, [Int64(50), 500])
    func `A record with the reference of a create is that create, whenever the refresh began`(
        _ state: OperationState, began: Int64
    ) throws {
        let create = operation(1, .create, on: "own", state: state) {
            $0.delivery.acceptedAt = 100
            $0.delivery.uncertainSince = 100
        }
        let settled = try settle([create], ["title": "x"], began: began, reference: "42")
        #expect(states(settled) == [.confirmed] && settled.first?.delivery.givenID == "42")
    }

    @Test func `Files that are sent apart go on once their record is found`() throws {
        let create = operation(1, .create, on: "own", state: .uncertain) {
            $0.values.files = [OperationFile(sha256: "a", name: "a", type: "image/png", size: 1)]
            $0.delivery.uncertainSince = 100
            $0.delivery.isAnswerMissing = true
        }
        let found = try settle([create], [:], reference: "42", definition: Self.filesApart)
        #expect(states(found) == [.queued] && found.first?.nextStep(sendsFilesApart: true) == .file(0))
        #expect(found.first?.delivery.isAnswerMissing == false)
        let lost = found.map { $0.with(.uncertain) }
        #expect(try settle(lost, [:], reference: "42", definition: Self.filesApart).isEmpty)
        #expect(states(try settle([create], [:], reference: "42")) == [.confirmed])
        // The answer to the record's own request, which is still under way, is not waited for; that to a file's is.
        let sent = try settle([create.with(.sending)], [:], reference: "42", definition: Self.filesApart)
        #expect(states(sent) == [.queued])
        let files = sent.map { $0.with(.sending) }
        #expect(try settle(files, [:], reference: "42", definition: Self.filesApart).isEmpty)
    }

    @Test func `A delete is confirmed by a full answer without the record, and confirms those before it`() throws {
        let delete = operation(2, .delete, state: .accepted) {
            $0.values.before = ["title": "old"]
            $0.values.wasInSnapshot = true
            $0.delivery.acceptedAt = 400
        }
        let before = update(1, ["title": "new"], state: .unconfirmed)
        #expect(try settle([before, delete], nil, isComplete: false).isEmpty)
        #expect(try settle([delete], ["title": "old"]).isEmpty)
        #expect(states(try settle([before, delete], nil)) == [.confirmed, .confirmed])
    }

    @Test(arguments: [OperationState.queued, .held])
    func `A record that has changed otherwise is a conflict`(_ state: OperationState) throws {
        let update = update(1, ["title": "new"], state: state)
        #expect(try settle([update], ["title": "old"]).isEmpty)
        #expect(try settle([update], ["title": "new", "year": 5]).isEmpty)
        let changed = try settle([update], ["title": "other"])
        #expect(states(changed) == [.conflict] && changed.first?.message == Message(.writeOverChanged, "title"))
        #expect(states(try settle([update], [:])) == [.conflict])
        #expect(states(try settle([update], nil)) == [.conflict])
        #expect(try settle([update], nil, isComplete: false).isEmpty)
        #expect(try settle([update.with(.sending)], nil).isEmpty)
        #expect(states(try settle(changed, ["title": "new"])) == [.confirmed])
        let delete = operation(1, .delete, state: state) {
            $0.values.before = ["title": "old", "year": 1]
            $0.values.wasInSnapshot = true
        }
        #expect(try settle([delete], ["title": "old", "year": 1]).isEmpty)
        #expect(states(try settle([delete], nil)) == [.confirmed])
        #expect(try settle([delete], nil, isComplete: false).isEmpty)
        #expect(states(try settle([delete.with(.conflict)], nil)) == [.confirmed])
        #expect(states(try settle([delete], ["title": "old", "year": 2])) == [.conflict])
    }

    @Test func `A value that an earlier operation of the lane gave is no conflict, also once that is settled`() throws {
        let first = update(1, ["title": "B"])
        let second = update(2, ["title": "C"], state: .queued)
        #expect(try settle([first, second], ["title": "old"]).isEmpty)
        let settled = try settle([first, second], ["title": "B "])
        #expect(states(settled) == [.confirmed, .queued])
        let rest = settled.filter { $0.state == .queued }
        for title: JSONValue in ["old", "B", "B ", "C"] { #expect(try settle(rest, ["title": title]).isEmpty) }
        #expect(states(try settle(rest, ["title": "D"])) == [.conflict])
    }

    @Test func `An uncertain operation is doubted after a while, and confirmed by any refresh that shows it`() throws {
        let update = update(1, ["title": "new"], state: .uncertain)
        #expect(try settle([update], ["title": "old"], began: 1099).isEmpty)
        let doubted = try settle([update], ["title": "old"], began: 1100)
        #expect(states(doubted) == [.uncertain] && doubted.first?.showsValues == false)
        #expect(states(try settle([update], ["title": "new"])) == [.confirmed])
        #expect(states(try settle(doubted, ["title": "new"], began: 1200)) == [.confirmed])
        #expect(try settle([update], ["title": "new"], began: 99).isEmpty)
    }

    @Test func `Three updates are confirmed by a refresh that shows the third, whose answer was lost`() throws {
        let (first, second) = (update(1, ["title": "B"]), update(2, ["title": "C"]))
        let uncertain = update(3, ["title": "D"], state: .uncertain)
        #expect(
            states(try settle([first, second, uncertain], ["title": "D"])) == [.confirmed, .confirmed, .confirmed])
        // A third that is to be sent again; the upstream shows it in a form of its own.
        for title: JSONValue in ["D", "D "] {
            var repeated = update(3, ["title": "D"], state: .queued)
            repeated.delivery.isAnswerMissing = true
            let settled = try settle([first, second, repeated], ["title": title])
            #expect(states(settled) == [.confirmed, .confirmed, .queued])
            var third = try #require(settled.last)
            #expect(try settle([third], ["title": title]).isEmpty)
            third = third.with(.accepted)
            third.delivery.acceptedAt = 600
            #expect(states(try settle([third], ["title": title], began: 700)) == [.confirmed])
            #expect(try settle([third], ["title": "C"], began: 700).isEmpty)
        }
    }

    @Test func `A value that a refresh showed before an operation was sent is an old one for it`() throws {
        let first = update(1, ["title": "B"])
        let settled = try settle([first, update(2, ["title": "C"], state: .queued)], ["title": "B "])
        var second = try #require(settled.last).with(.accepted)
        second.delivery.acceptedAt = 600
        #expect(try settle([second], ["title": "B "], began: 700).isEmpty)
        #expect(states(try settle([second], ["title": "C "], began: 700)) == [.confirmed])
    }

    @Test(arguments: [OperationState.rejected, .conflict, .held])
    func `After a lost answer a refresh decides whether a refusal counts`(_ verdict: OperationState) throws {
        var update = update(1, ["title": "new"], state: .uncertain)
        update.message = Message(.httpStatus, "422")
        update.delivery.verdict = verdict
        #expect(states(try settle([update], ["title": "new"])) == [.confirmed])
        #expect(try settle([update], ["title": "old"], began: 1099).isEmpty)
        let refused = try #require(try settle([update], ["title": "old"], began: 1100).first)
        #expect(refused.state == verdict && refused.message == update.message)
        #expect(refused.reason == (verdict == .held ? .forbidden : nil))
    }

    @Test func `A refused repeat that no refresh can show stays uncertain`() throws {
        func uncertain(_ action: OperationAction, on record: String) -> Operation {
            operation(1, action, on: record, state: .uncertain) {
                $0.delivery.uncertainSince = 100
                $0.delivery.verdict = .rejected
            }
        }
        #expect(states(try settle([uncertain(.create, on: "own")], nil, began: 5000)) == [.uncertain])
        #expect(states(try settle([uncertain(.named("verify"), on: "7")], [:], began: 5000)) == [.uncertain])
        let rules = WriteRules(to: .upstream, reference: try JSONPointer("/ref"), confirm: .seconds(1))
        let known = Self.make(rules)
        let create = uncertain(.create, on: "own")
        #expect(states(try settle([create], nil, began: 5000, definition: known)) == [.rejected])
        #expect(states(try settle([create], [:], reference: "42", definition: known)) == [.confirmed])
    }

    @Test(arguments: [OperationState.uncertain, .queued])
    func `An accepted create and a delete whose answer was lost confirm each other`(_ state: OperationState) throws {
        let create = operation(1, .create) {
            $0.state = .accepted
            $0.delivery.acceptedAt = 100
            $0.delivery.givenID = "7"
        }
        let delete = operation(2, .delete, state: state) {
            $0.delivery.isAnswerMissing = true
            $0.delivery.uncertainSince = state == .uncertain ? 400 : nil
            $0.delivery.keyUse = OperationKeyUse(first: 400, last: 400, method: "DELETE", url: "u")
        }
        #expect(states(try settle([create, delete], nil)) == [.confirmed, .confirmed])
        // A refresh that began before the delete may be one from before the record.
        let early = try settle([create, delete], nil, began: 300)
        #expect(states(early) == [.confirmed] && early.first?.action == .create)
        #expect(try settle([delete], nil, isComplete: false).isEmpty)
        #expect(try settle([operation(2, .delete)], nil).isEmpty)
    }

    @Test func `A record in quarantine proves nothing`() throws {
        let operations = [update(1, ["title": "new"]), update(2, ["title": "x"], state: .queued)]
        let record = RecordEvidence(fields: nil, isQuarantined: true)
        let evidence = RefreshEvidence(
            Self.definition, began: 5000, now: 5000, isComplete: true,
            records: Dictionary(uniqueKeysWithValues: operations.map { ($0.id, record) }))
        #expect(settlement.settle(operations, by: evidence).isEmpty)
    }

    /// An upstream that does what it accepts, in order, and shows it some refreshes late.
    @Test func `An upstream that keeps its word confirms everything, and nothing contradicts it`() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<RandomRounds.count(300) {
            var shown: JSONObject = ["title": "0", "year": "0"]
            var history = [shown]
            var operations: [Operation] = []
            for number in 1...Int.random(in: 1...6, using: &random) {
                let field = random.pick(["title", "year"])
                let value = JSONValue.string("\(Int.random(in: 0...3, using: &random))")
                operations.append(update(Int64(number), [field: value], before: shown, state: .queued))
            }
            for time in 1...12 {
                let now = Int64(time) * 10
                if let index = operations.firstIndex(where: { $0.state == .queued }), random.oneIn(2) {
                    for member in operations[index].values.given.members { shown[member.key] = member.value }
                    operations[index] = operations[index].with(.accepted)
                    operations[index].delivery.acceptedAt = now
                }
                history.append(shown)
                let late = max(0, history.count - 1 - Int.random(in: 0...2, using: &random))
                for changed in try settle(operations, history[late], began: now + 5) {
                    #expect(changed.state != .conflict)
                    operations.firstIndex { $0.id == changed.id }.map { operations[$0] = changed }
                }
                operations.removeAll { $0.state.isSettled }
            }
            operations = operations.filter { $0.state == .accepted }
            #expect(try settle(operations, shown, began: 900).allSatisfy { $0.state == .confirmed })
            #expect(try settle(operations, shown, began: 900).count == operations.count)
        }
    }
}
