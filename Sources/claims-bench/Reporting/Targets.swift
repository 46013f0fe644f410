// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// One thing that was promised, and how it came out.
struct Verdict {
    let what: String
    /// What was measured, of claimsd.
    let measured: String
    /// What it is compared with.
    let reference: String
    let ratio: String
    let target: String
    let isMet: Bool
}

/// Holds what was measured against what was promised, on the largest collection of the run.
struct Targets {
    private let results: Results
    private let largest: String
    private let smallest: String
    private let records: Int

    init(_ results: Results, sizes: [Int]) {
        self.results = results
        records = sizes.last ?? 0
        largest = CollectionShape(records: sizes.last ?? 0).name
        smallest = CollectionShape(records: sizes.first ?? 0).name
    }

    /// Those that could be measured.
    var verdicts: [Verdict] {
        sockets + searches + growth + refreshes + starts + memory + neighbours
    }

    private var sockets: [Verdict] {
        let wanted: [(mode: String, peer: String, factor: Double)] = [
            ("1×1", EchoServer.name, 0.9), ("16×1", Redis.name, 1.4), ("64×1", Redis.name, 1.4),
            ("16×16", Redis.name, 1.6),
        ]
        return wanted.compactMap { mode, peer, factor in
            atLeast(
                "detail \(mode), answers a second", median(Results.claimsd, "detail \(mode)"),
                peer, median(peer, "detail \(mode)"), factor)
        }
    }

    private func atLeast(
        _ what: String, _ ours: Double?, _ peer: String, _ theirs: Double?, _ factor: Double
    ) -> Verdict? {
        guard let ours, let theirs, theirs > 0 else { return nil }
        return Verdict(
            what: what, measured: Figures.rate(ours), reference: "\(peer) \(Figures.rate(theirs))",
            ratio: Figures.fixed(ours / theirs, 2), target: "≥ \(Figures.fixed(factor, 2))",
            isMet: ours / theirs >= factor)
    }

    /// `ours` must be at most `factor` times `theirs`.
    private func atMost(
        _ what: String, _ ours: Double?, _ peer: String, _ theirs: Double?, _ factor: Double, _ text: String
    ) -> Verdict? {
        guard let ours, let theirs, theirs > 0 else { return nil }
        return Verdict(
            what: what, measured: Figures.duration(ours), reference: "\(peer) \(Figures.duration(theirs))",
            ratio: Figures.fixed(ours / theirs, ours / theirs < 0.1 ? 4 : 2), target: "≤ \(text)",
            isMet: ours <= theirs * factor)
    }

    private func atMost(_ what: String, _ ours: Double?, _ limit: Double, _ unit: Unit) -> Verdict? {
        guard let ours else { return nil }
        return Verdict(
            what: what, measured: Figures.value(ours, unit), reference: "", ratio: Figures.fixed(ours / limit, 2),
            target: "≤ \(Figures.value(limit, unit))", isMet: ours <= limit)
    }

    private func median(_ server: String, _ what: String) -> Double? { results.median(server, what, largest) }

    private func search(_ server: String, _ kind: QueryClass, _ share: Double = 0.5, at collection: String) -> Double? {
        results.percentile(share, server, SearchPart.name(kind), collection)
    }

    private var searches: [Verdict] {
        let unique = CollectionShape(records: records, hasUniqueWords: true).name
        var verdicts: [Verdict?] = []
        for (kind, collection) in QueryClass.singleWords.map({ ($0, largest) })
            + (QueryClass.singleWords + [.uniqueWord]).map({ ($0, unique) })
        {
            let what = "search p50: \(kind.rawValue)" + (collection == unique ? ", with unique words" : "")
            let ours = search(Results.claimsd, kind, at: collection)
            verdicts.append(atMost(what, ours, 300e3, .nanoseconds))
            guard kind == .words else { continue }
            let echo = results.percentile(0.5, EchoServer.name, "round trip", collection)
            verdicts.append(atMost(what, ours, EchoServer.name, echo, 5, "5"))
            let sqlite = search(SQLitePeer.name, kind, at: largest)
            verdicts.append(atMost(what, ours, SQLitePeer.name, sqlite, 0.1, "1/10"))
            guard collection == largest else { continue }
            let postgres = search(Postgres.name, kind, at: largest)
            verdicts.append(atMost(what, ours, Postgres.name, postgres, 0.02, "1/50"))
        }
        verdicts.append(
            atMost("search p50: phrase", search(Results.claimsd, .phrase, at: largest), 12e6, .nanoseconds))
        let slowest = QueryClass.allCases.flatMap { kind in
            [largest, unique].compactMap { search(Results.claimsd, kind, 0.99, at: $0) }
        }.max()
        verdicts.append(atMost("search p99, the slowest class", slowest, 30e6, .nanoseconds))
        verdicts.append(
            atMost(
                "search p50: filter, other order", search(Results.claimsd, .filterSort, at: largest), 400e3,
                .nanoseconds))
        return verdicts.compactMap { $0 }
    }

    private var growth: [Verdict] {
        guard largest != smallest else { return [] }
        return QueryClass.singleWords.compactMap { kind in
            atMost(
                "growth of search p50: \(kind.rawValue)", search(Results.claimsd, kind, at: largest),
                "\(smallest) records", search(Results.claimsd, kind, at: smallest), 5, "5")
        }
    }

    private var refreshes: [Verdict] {
        let full = median(Results.claimsd, "refresh, all new")
        let rate = full.map { Double(records) / $0 * 1e9 }
        let perSecond = rate.map { rate in
            Verdict(
                what: "refresh, all new, records a second", measured: Figures.rate(rate), reference: "",
                ratio: Figures.fixed(rate / 200_000, 2), target: "≥ 200,000", isMet: rate >= 200_000)
        }
        return [
            atMost(
                "refresh, all new", full, "\(SQLitePeer.name) with FTS5", median(SQLitePeer.name, "load"), 1.0 / 6,
                "1/6"),
            perSecond,
            atMost(
                "refresh, 1 % changed", median(Results.claimsd, "refresh, 1 % changed"), "all new", full, 0.4, "0.40"),
            atMost("refresh, unchanged", median(Results.claimsd, "refresh, unchanged"), "all new", full, 0.08, "0.08"),
        ].compactMap { $0 }
    }

    private var starts: [Verdict] {
        let ready = median(Results.claimsd, "start to READY")
        return [
            atMost("start to READY, warm cache", ready, 30e6, .nanoseconds),
            atMost(
                "start to READY, warm cache", ready, "\(Redis.name) loading its dump",
                median(Redis.name, "start to first answer"), 0.02, "1/50"),
            atMost(
                "client, exec to exit", median(Results.claimsd, "client, exec to exit"), "redis-cli",
                median(Redis.name, "client, exec to exit"), 0.5, "0.50"),
        ].compactMap { $0 }
    }

    private var memory: [Verdict] {
        let limits = [
            ("idle", 48.0), ("idle after a refresh", 48.0), ("serving", 96.0), ("refreshing", 600.0),
        ]
        return limits.compactMap { what, mebibytes in
            let peak = results.find(Results.claimsd, "anonymous, \(what)", largest)?.values.max()
            return atMost("anonymous memory, \(what)", peak, mebibytes * 1_048_576, .bytes)
        }
    }

    private var neighbours: [Verdict] {
        let beside = results.percentile(0.99, Results.claimsd, "detail, beside searches and a refresh", largest)
        let alone = results.percentile(0.99, Results.claimsd, "detail, alone", largest)
        return [atMost("detail p99 beside phrases and a refresh", beside, "alone", alone, 5, "5")].compactMap { $0 }
    }
}
