// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform

/// Measures `search`, class by class: 50 whole records and the exact total each.
struct SearchPart {
    private let stage: Stage
    private let sets: [QuerySet]

    /// The duration of a run of one class, in seconds.
    private static let target = 0.15
    /// The number of queries of a class for programs that read the whole file.
    private static let fileQueries = 3

    init(_ stage: Stage) {
        self.stage = stage
        let all = QueryMaker(generator: stage.generator).sets()
        sets = stage.shape.hasUniqueTerms ? all.filter { Self.uniqueKinds.contains($0.kind) } : all
    }

    private static let uniqueKinds = Set(QueryClass.text + [.uniqueTerm])

    func run() throws {
        var limits: [Int] = []
        for set in sets {
            try check(set)
            // One pass warms up and measures how many answers fit into a run.
            let script = Requests.searches(set.queries)
            let outcome = try Load(path: stage.daemon.socket, duration: .seconds(20), limit: set.queries.count).run(
                script)
            let each = outcome.seconds / Double(max(outcome.answers, 1))
            limits.append(max(1, Int(Self.target / each) / set.queries.count) * set.queries.count)
        }
        for round in 0..<stage.rounds {
            BenchConsole.note("search, round \(round + 1)")
            for index in sets.indices {
                let set = sets[(index + round) % sets.count]
                try measure(set, limit: limits[(index + round) % sets.count])
                try measureEcho(set)
                measureSQLite(set, round)
            }
            if let terms = sets.first(where: { $0.kind == .terms }), !stage.shape.hasUniqueTerms {
                try measureModes(terms)
            }
        }
        measurePostgres()
        try measureFiles()
        let serving = stage.daemon.anonymousBytes.map(Double.init)
        stage.bench.results.add("anonymous, serving", of: Results.claimsd, on: stage.shape, serving, unit: .bytes)
    }

    private func measure(_ set: QuerySet, limit: Int) throws {
        let load = Load(path: stage.daemon.socket, duration: .seconds(20), limit: limit)
        let outcome = try load.run(Requests.searches(set.queries))
        stage.bench.results.add(
            set.kind.seriesName, of: Results.claimsd, on: stage.shape, outcome.perSecond, unit: .perSecond,
            latencies: outcome.latencies)
    }

    /// Measures a round trip at the same moment.
    private func measureEcho(_ set: QuerySet) throws {
        let load = Load(path: stage.echo.socket, duration: .milliseconds(30))
        let outcome = try load.run(Requests.searches(set.queries))
        stage.bench.results.add(
            "round trip", of: EchoServer.name, on: stage.shape, outcome.perSecond, unit: .perSecond,
            latencies: outcome.latencies)
    }

    private func measureModes(_ set: QuerySet) throws {
        let script = Requests.searches(set.queries)
        for mode in LoadMode.all where mode.connections > 1 || mode.depth > 1 {
            let load = Load(
                path: stage.daemon.socket, connections: mode.connections, depth: mode.depth,
                duration: .milliseconds(150))
            let outcome = try load.run(script)
            stage.bench.results.add(
                "search \(mode.name)", of: Results.claimsd, on: stage.shape, outcome.perSecond, unit: .perSecond,
                latencies: outcome.latencies)
        }
    }

    private func measureSQLite(_ set: QuerySet, _ round: Int) {
        guard let sqlite = stage.sqlite else { return }
        for (query, total) in zip(set.queries, set.totals) {
            guard let text = query.text, text.utf8.count > 2 else { continue }
            do {
                let (found, duration) = try sqlite.search(text)
                if found != total { stage.bench.results.addWrong("sqlite: \(text): \(found), not \(total)") }
                addTime(SQLitePeer.name, set.kind, duration)
            } catch {
                stage.bench.results.note("sqlite: \((error as? BenchError)?.message ?? "\(error)")")
            }
        }
    }

    private func measurePostgres() {
        guard let postgres = stage.postgres else { return }
        let sets = sets.compactMap { set -> (QueryClass, [String])? in
            let texts = set.queries.compactMap(\.text)
            // A query of the slow classes takes hundreds of milliseconds, so four of them are enough.
            return texts.isEmpty ? nil : (set.kind, Array(texts.prefix(set.kind == .terms ? 40 : 4)))
        }
        do {
            for _ in 0..<min(2, stage.rounds) {
                for (kind, texts) in sets {
                    for duration in try postgres.search(texts) { addTime(Postgres.name, kind, duration) }
                }
            }
        } catch {
            stage.bench.results.note("postgres: \((error as? BenchError)?.message ?? "\(error)")")
        }
    }

    private func measureFiles() throws {
        guard !stage.shape.hasUniqueTerms else { return }
        for program in FileSearch.installed(stage.options) where stage.shape.records <= program.maxRecords {
            let path = try stage.bench.files.path(stage.shape, .lines)
            for set in sets {
                for text in set.queries.compactMap(\.text).prefix(Self.fileQueries) {
                    do { addTime(program.name, set.kind, try program.search(text, in: path)) } catch {
                        stage.bench.results.note((error as? BenchError)?.message ?? "\(error)")
                    }
                }
            }
        }
    }

    private func addTime(_ server: String, _ kind: QueryClass, _ duration: Duration) {
        var histogram = Histogram()
        histogram.add(nanoseconds: Load.nanoseconds(duration))
        stage.bench.results.add(
            kind.seriesName, of: server, on: stage.shape, Double(Load.nanoseconds(duration)), unit: .nanoseconds,
            latencies: histogram)
    }

    /// Checks that every query's total is exact and its page full.
    private func check(_ set: QuerySet) throws {
        for (index, query) in set.queries.enumerated() {
            let answer = try Load.ask(stage.daemon.socket, Array(Requests.search(query, id: index).utf8))
            let result = try JSONValue.parse(answer)["result"]
            let total = result?["total"]?.integer
            let records = result?["records"]?.array?.count
            if total != Int64(set.totals[index]) || records != min(50, set.totals[index]) {
                stage.bench.results.addWrong(
                    "search \(query.filter) at \(stage.shape.name): total \(total ?? -1), not \(set.totals[index]), "
                        + "\(records ?? -1) records: \(String(decoding: answer.prefix(300), as: UTF8.self))")
            }
        }
    }
}
