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

    /// The targets of queries over several files, and beside a merge.
    var stack: [Verdict] {
        let factors: [(String, Share)] = [
            (StackPart.detail, .times(1.15, "1.15")), (QueryClass.terms.rawValue, .times(1.5, "1.50")),
            (QueryClass.phrase.rawValue, .times(1.3, "1.30")), (QueryClass.filterSort.rawValue, .times(1.5, "1.50")),
        ]
        let queries = factors.map { what, share in
            duration(
                "p50 over \(StackPart.threeFiles): \(what)",
                percentile(0.5, StackPart.series(what, over: StackPart.threeFiles)), within: share,
                of: StackPart.oneFile, percentile(0.5, StackPart.series(what, over: StackPart.oneFile)))
        }
        let waits: [(String, Share)] = [
            (StackPart.word, .times(2, "2.00")), (StackPart.submit, .times(3, "3.00")),
            (StackPart.mark, .times(3, "3.00")),
        ]
        let merges = waits.map { what, share in
            duration(
                "p99 beside a merge: \(what)", percentile(0.99, StackPart.series(what, StackPart.besideMerge)),
                within: share, of: StackPart.alone, percentile(0.99, StackPart.series(what, StackPart.alone)))
        }
        return (queries + merges).compactMap { $0 }
    }

    private func percentile(_ share: Double, _ what: String) -> Double? {
        results.percentile(share, of: what, at: Results.claimsd, on: biggest)
    }

    /// The growth from one million records to ten, if both were measured.
    var tenMillion: [Verdict] {
        guard records == 10_000_000 else { return [] }
        let (million, ten) = (CollectionShape.name(of: 1_000_000), biggest)
        func median(_ what: String, _ collection: String) -> Double? {
            results.median(what, of: Results.claimsd, on: collection)
        }
        func words(_ collection: String) -> Double? {
            results.percentile(0.5, of: QueryClass.terms.seriesName, at: Results.claimsd, on: collection)
        }
        return [
            duration(
                "ten million: refresh, all new", median("refresh, all new", ten), within: .times(1.2, "1.20"),
                of: "ten times \(million)", median("refresh, all new", million).map { $0 * 10 }),
            duration(
                "ten million: p50 of words", words(ten), within: .times(3, "3.00"), of: million, words(million)),
            rate(
                "ten million: detail 16×1", median("detail 16×1", ten), atLeast: 0.8, of: million,
                median("detail 16×1", million)),
        ].compactMap { $0 }
    }
}
