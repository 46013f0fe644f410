// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsOutbox
import ClaimsTestSupport
import Testing

@Suite struct LanesTests {
    @Test func `The operations of a record go in the order of their commits`() {
        var lanes = Lanes([operation(3), operation(1), operation(2, on: "8")])
        #expect(lanes.heads.map(\.number) == [1, 2])
        lanes.replace([operation(1, state: .sending)])
        #expect(lanes.heads.map(\.number) == [2])
        lanes.replace([operation(1, state: .accepted)])
        #expect(lanes.heads.map(\.number) == [2, 3])
        lanes.replace([operation(1, state: .confirmed), operation(2, on: "8", state: .dropped)])
        #expect(lanes.heads.map(\.number) == [3] && lanes.count == 1)
    }

    @Test(arguments: OperationState.allCases.filter(\.isStuck))
    func `A stuck operation stops its own lane only`(_ state: OperationState) {
        let lanes = Lanes([operation(1, state: state), operation(2), operation(3, on: "8")])
        #expect(lanes.heads.map(\.number) == [3])
    }

    @Test func `What follows a create waits until the id is known`() {
        var lanes = Lanes([operation(1, .create, state: .accepted), operation(2)])
        #expect(lanes.heads.isEmpty)
        lanes.replace([
            operation(1, .create, on: "42", state: .accepted) { $0.delivery.givenID = "42" }, operation(2, on: "42"),
        ])
        #expect(lanes.heads.map(\.number) == [2])
        #expect(lanes.lane(of: "7", in: "books").isEmpty && lanes.lane(of: "42", in: "books").count == 2)
    }

    @Test func `A reference waits for its create`() {
        let create = operation(1, .create, on: "n")
        var lanes = Lanes([create, operation(2) { $0.delivery.waitsFor = create.id }])
        #expect(lanes.heads.map(\.number) == [1])
        lanes.replace([create.with(.accepted)])
        #expect(lanes.heads.isEmpty)
        var known = create.with(.accepted)
        known.delivery.givenID = "42"
        lanes.replace([known])
        #expect(lanes.heads.map(\.number) == [2])
        lanes.replace([known.with(.confirmed)])
        #expect(lanes.heads.map(\.number) == [2])
    }

    @Test func `Of each lane one operation goes at a time, whatever happens`() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<RandomRounds.count(300) {
            var all: [Operation] = (1...12).map { number in
                operation(Int64(number), on: "\(Int.random(in: 0..<4, using: &random))")
            }
            var lanes = Lanes(all.shuffled(using: &random))
            for _ in 0..<40 {
                let index = Int.random(in: all.indices, using: &random)
                all[index] = all[index].with(random.pick(OperationState.allCases))
                lanes.replace([all[index]])
                #expect(lanes.operations == all.filter { !$0.state.isSettled })
                for head in lanes.heads {
                    let before = all.filter { $0.record == head.record && $0.number < head.number }
                    #expect(head.state == .queued && before.allSatisfy { $0.state == .accepted || $0.state.isSettled })
                }
                #expect(Set(lanes.heads.map(\.record)).count == lanes.heads.count)
            }
        }
    }
}
