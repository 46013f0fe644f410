// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform

/// Searches by what they find, with filters, orders and facets: 50 whole records and the exact number of all.
struct SearchPart {
    private let stage: Stage
    private let sets: [QuerySet]

    /// How long a run of one class should take.
    private static let target = 0.15
    /// Queries of a class that the slow programs, which read the whole file, are asked.
    private static let fileQueries = 3

    init(_ stage: Stage) {
        self.stage = stage
        let all = QueryMaker(generator: stage.generator).sets()
        sets = stage.shape.hasUniqueWords ? all.filter { Self.uniqueKinds.contains($0.kind) } : all
    }

    private static let uniqueKinds = Set(QueryClass.text + [.uniqueWord])

    func run() throws {
        var limits: [Int] = []
        for set in sets {
            try check(set)
            // Once through, to warm up and to see how many answers a run has time for.
            let script = Requests.searches(set.queries)
            let outcome = try Load(path: stage.daemon.socket, duration: .seconds(20), limit: set.queries.count).run(
                script)
            let each = outcome.seconds / Double(max(outcome.answers, 1))
            limits.append(max(1, Int(Self.target / each) / set.queries.count) * set.queries.count)
        }
        for round in 0..<stage.rounds {
            Console.note("search, round \(round + 1)")
            for index in sets.indices {
                let set = sets[(index + round) % sets.count]
                try measure(set, limit: limits[(index + round) % sets.count])
                try measureEcho(set)
                measureSQLite(set, round)
            }
            if let words = sets.first(where: { $0.kind == .words }), !stage.shape.hasUniqueWords {
                try measureModes(words)
            }
        }
        measurePostgres()
        try measureFiles()
        let serving = stage.daemon.anonymousBytes.map(Double.init)
        stage.bench.results.add(Results.claimsd, "anonymous, serving", stage.shape, .bytes, serving)
    }

    static func name(_ kind: QueryClass) -> String { "search: \(kind.rawValue)" }

    private func measure(_ set: QuerySet, limit: Int) throws {
        let load = Load(path: stage.daemon.socket, duration: .seconds(20), limit: limit)
        let outcome = try load.run(Requests.searches(set.queries))
        stage.bench.results.add(
            Results.claimsd, Self.name(set.kind), stage.shape, .perSecond, outcome.perSecond,
            latencies: outcome.latencies)
    }

    /// What a round trip costs at the same moment.
    private func measureEcho(_ set: QuerySet) throws {
        let load = Load(path: stage.echo.socket, duration: .milliseconds(30))
        let outcome = try load.run(Requests.searches(set.queries))
        stage.bench.results.add(
            EchoServer.name, "round trip", stage.shape, .perSecond, outcome.perSecond, latencies: outcome.latencies)
    }

    private func measureModes(_ set: QuerySet) throws {
        let script = Requests.searches(set.queries)
        for mode in DetailPart.Mode.all where mode.connections > 1 || mode.depth > 1 {
            let load = Load(
                path: stage.daemon.socket, connections: mode.connections, depth: mode.depth,
                duration: .milliseconds(150))
            let outcome = try load.run(script)
            stage.bench.results.add(
                Results.claimsd, "search \(mode.name)", stage.shape, .perSecond, outcome.perSecond,
                latencies: outcome.latencies)
        }
    }

    private func measureSQLite(_ set: QuerySet, _ round: Int) {
        guard let sqlite = stage.sqlite else { return }
        for (query, total) in zip(set.queries, set.totals) {
            guard let text = query.text, text.utf8.count > 2 else { continue }
            do {
                let (found, duration) = try sqlite.search(text)
                if found != total { stage.bench.results.isWrong("sqlite: \(text): \(found), not \(total)") }
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
            // The slow classes are slow by hundreds of milliseconds each: a few of them tell.
            return texts.isEmpty ? nil : (set.kind, Array(texts.prefix(set.kind == .words ? 40 : 4)))
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
        guard !stage.shape.hasUniqueWords else { return }
        for program in FileSearch.installed(stage.options) where stage.shape.records <= program.recordLimit {
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
            server, Self.name(kind), stage.shape, .nanoseconds, Double(Load.nanoseconds(duration)),
            latencies: histogram)
    }

    /// Every query's total must be the exact one, and its page as long as it can be.
    private func check(_ set: QuerySet) throws {
        for (index, query) in set.queries.enumerated() {
            let answer = try Load.ask(stage.daemon.socket, Array(Requests.search(query, id: index).utf8))
            let result = try JSONValue.parse(answer)["result"]
            let total = result?["total"]?.integer
            let records = result?["records"]?.array?.count
            if total != Int64(set.totals[index]) || records != min(50, set.totals[index]) {
                stage.bench.results.isWrong(
                    "search \(query.filter) at \(stage.shape.name): total \(total ?? -1), not \(set.totals[index]), "
                        + "\(records ?? -1) records: \(String(decoding: answer.prefix(300), as: UTF8.self))")
            }
        }
    }
}
