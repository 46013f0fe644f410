// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import claims_bench

@Suite struct ReportingTests {
    @Test(arguments: [0.5, 0.9, 0.99])
    func `a percentile is at most two per cent off`(share: Double) throws {
        var histogram = Histogram()
        for value in 1...100_000 { histogram.add(nanoseconds: UInt64(value) * 37) }
        let exact = share * 100_000 * 37
        let found = try #require(histogram.percentile(share))
        #expect(abs(found - exact) / exact < 0.02)
    }

    @Test func `an empty histogram has no percentile`() {
        #expect(Histogram().percentile(0.5) == nil)
    }

    @Test(arguments: [
        (12.0, "12.0 ns"), (1234, "1.23 µs"), (274_000, "274 µs"), (21_900_000, "21.9 ms"), (1.62e9, "1.62 s"),
    ])
    func `durations have three digits that count`(nanoseconds: Double, text: String) {
        #expect(Figures.duration(nanoseconds) == text)
    }

    @Test func `numbers are grouped and rounded`() {
        #expect(Figures.rate(1_234_567.4) == "1,234,567")
        #expect(Figures.fixed(0.996, 2) == "1.00")
        #expect(Figures.fixed(-0.05, 2) == "-0.05")
        #expect(Figures.fixed(12.03, 2) == "12.03")
    }

    @Test func `a target that is missed says so`() throws {
        var results = Results()
        let shape = CollectionShape(records: 1_000_000)
        results.add("detail 16×1", of: Results.claimsd, on: shape, 150_000, unit: .perSecond)
        results.add("detail 16×1", of: Redis.name, on: shape, 100_000, unit: .perSecond)
        results.add("detail 64×1", of: Results.claimsd, on: shape, 110_000, unit: .perSecond)
        results.add("detail 64×1", of: Redis.name, on: shape, 100_000, unit: .perSecond)
        let verdicts = Targets(results, sizes: [1000, 1_000_000]).verdicts
        #expect(verdicts.map(\.isMet) == [true, false])
        #expect(verdicts.map(\.ratio) == ["1.50", "1.10"])
    }

    @Test func `the median of an even number of rounds lies between the middle two`() {
        var results = Results()
        let shape = CollectionShape(records: 1000)
        for value in [4.0, 1, 3, 2] { results.add("b", of: "a", on: shape, value, unit: .bytes) }
        #expect(results.median("b", of: "a", on: "1 k") == 2.5)
    }
}
