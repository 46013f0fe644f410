// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTestSupport
import Testing

@Suite struct PositionModelTests {
    private static let minute: Int64 = 60_000
    private static let hour: Int64 = 3_600_000
    private static let overlap = 5 * minute

    /// Walks of random length, with random pauses between them.
    private func run(
        _ model: inout PositionModel, for time: Int64, pause: ClosedRange<Int64>, pace: ClosedRange<Int64>,
        _ generator: inout SeededGenerator
    ) {
        let end = model.now + time
        while model.now < end {
            model.refresh(pace: .random(in: pace, using: &generator), &generator)
            let changes = Int.random(in: 0...3, using: &generator)
            model.pass(.random(in: pause, using: &generator), changes: changes, &generator)
        }
    }

    private func generator(_ name: String) -> SeededGenerator {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed of \(name): \(seed)")
        return SeededGenerator(seed: seed)
    }

    @Test func `walks that take longer than the overlap miss nothing`() throws {
        var generator = generator("long walks")
        var unbounded = 0
        for _ in 0..<RandomRounds.count(60) {
            for isBounded in [true, false] {
                var model = try PositionModel(
                    overlap: .milliseconds(Self.overlap), faults: [], isBounded: isBounded)
                run(&model, for: 6 * Self.hour, pause: 0...20 * Self.minute, pace: 0...5 * Self.minute, &generator)
                if isBounded {
                    #expect(model.missing(patience: 0) == [])
                } else {
                    unbounded += model.missing(patience: 1).count
                }
            }
        }
        #expect(unbounded > 0, "the model finds what positions miss that nothing bounds")
    }

    /// Times in which the clock is wrong by so much, and the source asked in time, that it shows; hours apart, so that
    /// each of them is answered by a request for all records.
    private func rareFaults(_ generator: inout SeededGenerator) -> [PositionModel.Fault] {
        var faults: [PositionModel.Fault] = []
        var start = PositionModel.start + Self.hour
        for _ in 0..<4 {
            start += .random(in: 4 * Self.hour...6 * Self.hour, using: &generator)
            let isAhead = Bool.random(using: &generator)
            let shortest = isAhead ? Self.minute : 70 * Self.minute
            let end = start + .random(in: shortest...3 * Self.hour, using: &generator)
            let offset = Int64.random(in: 6 * Self.hour...48 * Self.hour, using: &generator)
            faults.append(.init(times: start..<end, offset: isAhead ? offset : -offset))
            start = end
        }
        return faults
    }

    @Test func `after a clock that was wrong nothing is missed once the walk after next is done`() throws {
        var generator = generator("wrong clocks")
        var unbounded = 0
        for _ in 0..<RandomRounds.count(60) {
            let faults = rareFaults(&generator)
            for isBounded in [true, false] {
                var model = try PositionModel(
                    overlap: .milliseconds(Self.overlap), faults: faults, isBounded: isBounded)
                run(&model, for: 38 * Self.hour, pause: 0...20 * Self.minute, pace: 0...5 * Self.minute, &generator)
                if isBounded {
                    #expect(model.missing(patience: 1) == [], "\(faults)")
                } else {
                    unbounded += model.missing(patience: 1).count
                }
            }
        }
        #expect(unbounded > 0, "the model finds what positions miss that nothing bounds")
    }

    @Test(arguments: [149, 229, 2415] as [UInt64])
    func `a clock that is set back during a walk makes no later walk miss anything`(seed: UInt64) throws {
        // The last fault begins before a walk and ends amid it.
        let faults = [
            (19_767_510, 30_241_983, 49_052_566), (46_064_513, 53_005_810, 71_988_911),
            (69_822_037, 80_591_450, -64_309_825), (100_292_067, 100_692_713, 64_371_111),
        ].map { start, end, offset in
            PositionModel.Fault(times: PositionModel.start + start..<PositionModel.start + end, offset: offset)
        }
        var generator = SeededGenerator(seed: seed)
        var model = try PositionModel(overlap: .milliseconds(Self.overlap), faults: faults)
        run(&model, for: 38 * Self.hour, pause: 0...20 * Self.minute, pace: 0...5 * Self.minute, &generator)
        #expect(model.missing(patience: 1) == [])
    }

    @Test func `servers behind one name that differ cost a request for all records an hour at most`() throws {
        var generator = generator("servers that differ")
        for _ in 0..<RandomRounds.count(30) {
            // Each request meets one of two clocks.
            var faults: [PositionModel.Fault] = []
            var time = PositionModel.start + Self.hour
            while time < PositionModel.start + 8 * Self.hour {
                let end = time + .random(in: 1_000...2 * Self.minute, using: &generator)
                if Bool.random(using: &generator) { faults.append(.init(times: time..<end, offset: 30 * Self.minute)) }
                time = end
            }
            var model = try PositionModel(overlap: .milliseconds(Self.overlap), faults: faults)
            run(&model, for: 8 * Self.hour, pause: 1_000...Self.minute, pace: 0...5_000, &generator)
            let full = model.walks.filter(\.isFull)
            #expect(full.count > 4)
            let recalls = full.filter(\.hadPosition)
            for (one, two) in zip(recalls, recalls.dropFirst()) { #expect(two.began - one.began >= Self.hour) }
            // Each of them brings what fell between the clocks.
            #expect(model.missing(patience: 0).allSatisfy { !model.walks[$0].isFull })
        }
    }
}
