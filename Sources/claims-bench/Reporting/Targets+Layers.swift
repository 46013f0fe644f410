// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension Targets {
    /// The targets of changed records.
    var layers: [Verdict] {
        let incremental = [
            (LayersPart.incremental, 30e6, Unit.nanoseconds), (LayersPart.processorTime, 40e6, .nanoseconds),
            (LayersPart.bytesWritten, 1_048_576, .bytes),
        ].map { what, limit, unit in
            value(what, results.median(what, of: Results.claimsd, on: biggest), within: limit, unit: unit)
        }
        let many = LayersPart.counts.map { count in
            let what = LayersPart.manyBytes(count)
            return value(
                what, results.median(what, of: Results.claimsd, on: biggest), within: 6e9 * Double(count) / 1000,
                unit: .bytes)
        }
        return (incremental + many + submits + [changedAnswer, start]).compactMap { $0 }
    }

    private var submits: [Verdict?] {
        func series(_ what: String) -> Series? { results.find(what, of: Results.claimsd, on: biggest) }
        guard let first = series(LayersPart.firstSubmits), let last = series(LayersPart.lastSubmits) else { return [] }
        return [
            duration(
                "submit with 1,000 pending, p50", last.latencies.percentile(0.5), within: .times(1.5, "1.50"),
                of: "the first", first.latencies.percentile(0.5)),
            duration(
                "submit with 1,000 pending, mean", last.median, within: .times(2, "2.00"), of: "the first",
                first.median),
        ]
    }

    /// Only beside the part, because the part of refreshes has a target of its own.
    private var changedAnswer: Verdict? {
        guard results.find(LayersPart.incremental, of: Results.claimsd, on: biggest) != nil else { return nil }
        func median(_ what: String) -> Double? { results.median(what, of: Results.claimsd, on: biggest) }
        return duration(
            "full answer, 1 % changed", median("refresh, 1 % changed"), within: .times(0.12, "0.12"), of: "all new",
            median("refresh, all new"))
    }

    private var start: Verdict? {
        guard let before = results.median(LayersPart.readyBefore, of: Results.claimsd, on: biggest),
            let after = results.median(LayersPart.readyAfter, of: Results.claimsd, on: biggest)
        else { return nil }
        return value(
            "start to READY, growth with 1,000 pending", max(0, after - before), within: 10e6, unit: .nanoseconds)
    }
}
