// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import Glibc

/// Measures the cost of 1,000 pending operations: queries, starts and memory, before and after they are submitted.
/// Their upstream is a port without a listener, so that none is ever settled.
struct WritesPart {
    private let stage: Stage
    private let sets: [QuerySet]

    /// The number of operations; the limit of a collection by default.
    private static let operations = 1000
    /// The names of the two states.
    static let nothing = "nothing pending"
    static let pending = "1,000 operations pending"
    /// The series with the size of the records that lie over the snapshot.
    static let overlaidBytes = "overlaid records"
    /// The queries that are measured in both states.
    static let queries = ["detail, writable", "count, writable"] + classes.map(series)

    private static let classes: [QueryClass] = [
        .terms, .thousandHits, .tenPercent, .commonest, .filter, .filterSort, .range, .facets, .order,
    ]

    private static func series(_ kind: QueryClass) -> String { "\(kind.seriesName), writable" }

    init(_ stage: Stage) {
        self.stage = stage
        sets = QueryMaker(generator: stage.generator).sets().filter { set in Self.classes.contains(set.kind) }
    }

    func run() throws {
        guard stage.shape.records >= Self.operations else { return }
        BenchConsole.note("writes")
        stage.daemon.stop()
        try stage.daemon.define(
            writes: """
                { to: "upstream", fields: { party: {} },
                  update: { method: "PATCH", url: "http://127.0.0.1:1/items/{id}" } }
                """)
        try measure(Self.nothing)
        let start = ContinuousClock.now
        for number in 0..<Self.operations { try submit(number) }
        stage.bench.results.add(
            "submit, 1,000 one after the other", of: Results.claimsd, on: stage.shape, ContinuousClock.now - start)
        try measure(Self.pending)
        stage.bench.results.add(
            Self.overlaidBytes, of: Results.claimsd, on: stage.shape, Double(try sizeOfOverlaid()), unit: .bytes)
        try stage.replaceDaemon()
        try stage.load()
    }

    /// Starts the daemon anew and measures everything in this state.
    private func measure(_ state: String) throws {
        for _ in 0..<stage.rounds {
            stage.daemon.stop()
            add("start to READY, \(state)", try stage.daemon.start())
        }
        // It may have begun some work of its own.
        sleep(1)
        let idle = stage.daemon.anonymousBytes.map(Double.init)
        stage.bench.results.add("anonymous, \(state)", of: Results.claimsd, on: stage.shape, idle, unit: .bytes)
        try check(state)
        for _ in 0..<stage.rounds {
            try load("detail, writable, \(state)", Requests.details(stage.shape))
            try load("count, writable, \(state)", Requests.counts(sets.flatMap(\.queries)))
            for set in sets { try load("\(Self.series(set.kind)), \(state)", Requests.searches(set.queries)) }
        }
    }

    private func load(_ what: String, _ script: RequestScript) throws {
        let outcome = try Load(path: stage.daemon.socket, duration: .milliseconds(300)).run(script)
        stage.bench.results.add(
            what, of: Results.claimsd, on: stage.shape, outcome.perSecond, unit: .perSecond,
            latencies: outcome.latencies)
    }

    private func add(_ what: String, _ duration: Duration) {
        stage.bench.results.add(what, of: Results.claimsd, on: stage.shape, duration)
    }

    /// The id of the record that an operation changes.
    private func id(_ number: Int) -> String {
        "\(RecordGenerator.id(number * (stage.shape.records / Self.operations)))"
    }

    /// Submits an operation that changes no total.
    private func submit(_ number: Int) throws {
        let answer = try ask(
            "submit", #""action":"update","id":"\#(id(number))","fields":{"party":"written \#(number)"}"#)
        if answer["result"]?["state"]?.string != "queued" {
            throw BenchError("submit answered \(String(decoding: answer.compactBytes.prefix(600), as: UTF8.self))")
        }
    }

    /// Checks that totals are exact, and that operations are seen or not.
    private func check(_ state: String) throws {
        for set in sets {
            for (query, total) in zip(set.queries, set.totals) {
                let answer = try JSONValue.parse(
                    try Load.ask(stage.daemon.socket, Array(Requests.search(query, id: 1).utf8)))
                let found = answer["result"]?["total"]?.integer
                if found == Int64(total) { continue }
                stage.bench.results.addWrong("search \(query.filter), \(state): total \(found ?? -1), not \(total)")
            }
        }
        let count = try ask("count", #""filter":"pending.any""#)["result"]?["total"]?.integer
        if count != (state == Self.pending ? Int64(Self.operations) : 0) {
            stage.bench.results.addWrong("\(state): \(count ?? -1) records are pending")
        }
    }

    /// The bytes of the records that operations have changed, as they are served.
    private func sizeOfOverlaid() throws -> Int {
        try (0..<Self.operations).reduce(0) { size, number in
            let record = try ask("detail", #""id":"\#(id(number))""#)["result"]?["record"]
            return size + (record?.compactBytes.count ?? 0)
        }
    }

    private func ask(_ method: String, _ parameters: String) throws -> JSONValue {
        try stage.daemon.control.ask(method, parameters)
    }
}
