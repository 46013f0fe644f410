// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A target, and how the measurement compares with it.
struct Verdict {
    let what: String
    /// The measurement of claimsd.
    let measured: String
    /// The measurement that it is compared with; empty for a fixed target.
    let reference: String
    let ratio: String
    let target: String
    let isMet: Bool
}

/// Compares measurements with targets, on the collection of the largest size.
struct Targets {
    let results: Results
    let biggest: String
    private let smallest: String
    let records: Int

    init(_ results: Results, sizes: [Int]) {
        self.results = results
        records = sizes.last ?? 0
        biggest = CollectionShape(records: sizes.last ?? 0).name
        smallest = CollectionShape(records: sizes.first ?? 0).name
    }

    /// The verdicts of all targets whose measurements exist.
    var verdicts: [Verdict] {
        sockets + searches + growth + refreshes + layers + stack + tenMillion + access + changes + subscriptions
            + starts + writes + stdio
            + memory + neighbours + browse + fleet
    }

    private var sockets: [Verdict] {
        let wanted: [(mode: String, peer: String, factor: Double)] = [
            ("1×1", EchoServer.name, 0.9), ("16×1", Redis.name, 1.4), ("64×1", Redis.name, 1.4),
            ("16×16", Redis.name, 1.6),
        ]
        return wanted.compactMap { mode, peer, factor in
            rate(
                "detail \(mode), answers a second", median("detail \(mode)", of: Results.claimsd), atLeast: factor,
                of: peer, median("detail \(mode)", of: peer))
        }
    }

    /// `ours` must be at least `factor` times `theirs`; both are rates.
    func rate(
        _ what: String, _ ours: Double?, atLeast factor: Double, of peer: String, _ theirs: Double?
    ) -> Verdict? {
        guard let ours, let theirs, theirs > 0 else { return nil }
        return Verdict(
            what: what, measured: Figures.rate(ours), reference: "\(peer) \(Figures.rate(theirs))",
            ratio: Figures.fixed(ours / theirs, 2), target: "≥ \(Figures.fixed(factor, 2))",
            isMet: ours / theirs >= factor)
    }

    /// The largest share of a peer's duration that is allowed, as a number and for people.
    struct Share {
        let factor: Double
        let text: String

        static func times(_ factor: Double, _ text: String) -> Share { Share(factor: factor, text: text) }
        static func part(_ divisor: Int) -> Share { Share(factor: 1 / Double(divisor), text: "1/\(divisor)") }
    }

    /// `ours` must be at most that share of `theirs`; both are durations in nanoseconds.
    func duration(
        _ what: String, _ ours: Double?, within share: Share, of peer: String, _ theirs: Double?
    ) -> Verdict? {
        guard let ours, let theirs, theirs > 0 else { return nil }
        return Verdict(
            what: what, measured: Figures.duration(ours), reference: "\(peer) \(Figures.duration(theirs))",
            ratio: Figures.fixed(ours / theirs, ours / theirs < 0.1 ? 4 : 2), target: "≤ \(share.text)",
            isMet: ours <= theirs * share.factor)
    }

    /// `ours` must not be above `bound`, in the same unit.
    func value(_ what: String, _ ours: Double?, within bound: Double, unit: Unit) -> Verdict? {
        guard let ours else { return nil }
        return Verdict(
            what: what, measured: Figures.value(ours, unit), reference: "", ratio: Figures.fixed(ours / bound, 2),
            target: "≤ \(Figures.value(bound, unit))", isMet: ours <= bound)
    }

    private func median(_ what: String, of server: String) -> Double? {
        results.median(what, of: server, on: biggest)
    }

    private func search(
        _ kind: QueryClass, of server: String, percentile share: Double = 0.5, on collection: String
    ) -> Double? {
        results.percentile(share, of: kind.seriesName, at: server, on: collection)
    }

    private var searches: [Verdict] {
        let unique = CollectionShape(records: records, hasUniqueTerms: true).name
        var verdicts: [Verdict?] = []
        for (kind, collection) in QueryClass.singleTerms.map({ ($0, biggest) })
            + (QueryClass.singleTerms + [.uniqueTerm]).map({ ($0, unique) })
        {
            let what = "search p50: \(kind.rawValue)" + (collection == unique ? ", with unique words" : "")
            let ours = search(kind, of: Results.claimsd, on: collection)
            verdicts.append(value(what, ours, within: 300e3, unit: .nanoseconds))
            guard kind == .terms else { continue }
            let echo = results.percentile(0.5, of: "round trip", at: EchoServer.name, on: collection)
            verdicts.append(duration(what, ours, within: .times(5, "5"), of: EchoServer.name, echo))
            let sqlite = search(kind, of: SQLitePeer.name, on: biggest)
            verdicts.append(duration(what, ours, within: .part(10), of: SQLitePeer.name, sqlite))
            guard collection == biggest else { continue }
            let postgres = search(kind, of: Postgres.name, on: biggest)
            verdicts.append(duration(what, ours, within: .part(50), of: Postgres.name, postgres))
        }
        verdicts.append(
            value(
                "search p50: phrase", search(.phrase, of: Results.claimsd, on: biggest), within: 12e6,
                unit: .nanoseconds))
        verdicts.append(
            value(
                "search p50: phrase of the commonest words", search(.commonPhrase, of: Results.claimsd, on: biggest),
                within: 5e6, unit: .nanoseconds))
        let slowest = QueryClass.allCases.flatMap { kind in
            [biggest, unique].compactMap { search(kind, of: Results.claimsd, percentile: 0.99, on: $0) }
        }.max()
        verdicts.append(value("search p99, the slowest class", slowest, within: 30e6, unit: .nanoseconds))
        verdicts.append(
            value(
                "search p50: filter, other order", search(.filterSort, of: Results.claimsd, on: biggest), within: 400e3,
                unit: .nanoseconds))
        return verdicts.compactMap { $0 }
    }

    private var growth: [Verdict] {
        guard biggest != smallest else { return [] }
        return QueryClass.singleTerms.compactMap { kind in
            duration(
                "growth of search p50: \(kind.rawValue)", search(kind, of: Results.claimsd, on: biggest),
                within: .times(5, "5"), of: "\(smallest) records", search(kind, of: Results.claimsd, on: smallest))
        }
    }

    private var refreshes: [Verdict] {
        let full = median("refresh, all new", of: Results.claimsd)
        let rate = full.map { Double(records) / $0 * 1e9 }
        let perSecond = rate.map { rate in
            Verdict(
                what: "refresh, all new, records a second", measured: Figures.rate(rate), reference: "",
                ratio: Figures.fixed(rate / 200_000, 2), target: "≥ 200,000", isMet: rate >= 200_000)
        }
        return [
            duration(
                "refresh, all new", full, within: .part(6), of: "\(SQLitePeer.name) with FTS5",
                median("load", of: SQLitePeer.name)),
            perSecond,
            duration(
                "refresh, 1 % changed", median("refresh, 1 % changed", of: Results.claimsd),
                within: .times(0.4, "0.40"), of: "all new", full),
            duration(
                "refresh, unchanged", median("refresh, unchanged", of: Results.claimsd), within: .times(0.08, "0.08"),
                of: "all new", full),
        ].compactMap { $0 }
    }

    /// The bound for 10,000 changes, one in a hundred of a million records.
    private var changes: [Verdict] {
        guard records == 1_000_000 else { return [] }
        return [
            value(
                "changes, 10,000 since a clock", median("changes, all fields", of: Results.claimsd), within: 30e6,
                unit: .nanoseconds)
        ].compactMap { $0 }
    }

    private var subscriptions: [Verdict] {
        let latencies = ["equal feeds", "different feeds"].compactMap { feeds in
            let what = "one change at 1,000 subscribers, \(feeds)"
            return value(
                "\(what), p99", results.percentile(0.99, of: what, at: Results.claimsd, on: biggest), within: 250e6,
                unit: .nanoseconds)
        }
        // A filter there has 16 bytes.
        let memory = value(
            "memory of a subscription", median("memory of a subscription", of: Results.claimsd), within: 2048 + 4 * 16,
            unit: .bytes)
        return latencies + [memory].compactMap { $0 } + feedsBesideChanges
    }

    /// The cost that 1,000 different feeds add to a refresh that changes all records.
    private var feedsBesideChanges: [Verdict] {
        let (alone, beside) = ("all records change, alone: ", "all records change, beside 1,000 feeds: ")
        func memory(_ what: String) -> Double? { median(what + "anonymous", of: Results.claimsd) }
        let growth = memory(beside).flatMap { more in memory(alone).map { max(0, more - $0) } }
        return [
            duration(
                beside + "processor time", median(beside + "processor time", of: Results.claimsd),
                within: .times(4, "4.00"), of: "alone", median(alone + "processor time", of: Results.claimsd)),
            value(beside + "memory over that alone", growth, within: 64 * 1_048_576, unit: .bytes),
        ].compactMap { $0 }
    }

    private var starts: [Verdict] {
        let ready = median("start to READY", of: Results.claimsd)
        return [
            value("start to READY, warm cache", ready, within: 30e6, unit: .nanoseconds),
            duration(
                "start to READY, warm cache", ready, within: .part(50), of: "\(Redis.name) loading its dump",
                median("start to first answer", of: Redis.name)),
            duration(
                "client, exec to exit", median("client, exec to exit", of: Results.claimsd),
                within: .times(0.5, "0.50"), of: "redis-cli", median("client, exec to exit", of: Redis.name)),
        ].compactMap { $0 }
    }

    /// The cost of pending operations, for each kind of query, for a start and for the memory.
    private var writes: [Verdict] {
        let queries = WritesPart.queries.compactMap { query in
            growth("p50 of \(query)", by: 1e6, unit: .nanoseconds) { series in
                results.percentile(0.5, of: "\(query), \(series)", at: Results.claimsd, on: biggest)
            }
        }
        let ready = growth("start to READY", by: 10e6, unit: .nanoseconds) { series in
            median("start to READY, \(series)", of: Results.claimsd)
        }
        let overlaid = median(WritesPart.overlaidBytes, of: Results.claimsd)
        let memory = overlaid.flatMap { overlaid in
            growth("anonymous memory", by: 4 * overlaid + 4 * 1_048_576, unit: .bytes) { series in
                median("anonymous, \(series)", of: Results.claimsd)
            }
        }
        return queries + [ready, memory].compactMap { $0 }
    }

    /// The growth of a measurement from nothing pending to 1,000 operations pending.
    private func growth(_ what: String, by bound: Double, unit: Unit, _ measure: (String) -> Double?) -> Verdict? {
        guard let before = measure(WritesPart.nothing), let after = measure(WritesPart.pending) else { return nil }
        return value("\(what), growth with \(WritesPart.pending)", max(0, after - before), within: bound, unit: unit)
    }

    /// The time that is added to the time of a connection without anything between.
    private var stdio: [Verdict] {
        StdioPart.questions.compactMap { question in
            let series = StdioPart.series(question)
            guard let socket = median(series, of: StdioPart.socket) else { return nil }
            return duration(
                "claimsctl stdio adds to a \(question)", median(series, of: Results.claimsd).map { $0 - socket },
                within: .times(1.3, "1.3"), of: StdioPart.copier,
                median(series, of: StdioPart.copier).map { $0 - socket })
        }
    }

    private var memory: [Verdict] {
        let limits = [
            ("idle", 48.0), ("idle after a refresh", 48.0), ("serving", 96.0), ("refreshing", 600.0),
        ]
        return limits.compactMap { what, mebibytes in
            let peak = results.find("anonymous, \(what)", of: Results.claimsd, on: biggest)?.values.max()
            return value("anonymous memory, \(what)", peak, within: mebibytes * 1_048_576, unit: .bytes)
        }
    }

    private var neighbours: [Verdict] {
        let beside = results.percentile(
            0.99, of: "detail, beside searches and a refresh", at: Results.claimsd, on: biggest)
        let alone = results.percentile(0.99, of: "detail, alone", at: Results.claimsd, on: biggest)
        return [duration("detail p99 beside phrases and a refresh", beside, within: .times(5, "5"), of: "alone", alone)]
            .compactMap { $0 }
    }
}
