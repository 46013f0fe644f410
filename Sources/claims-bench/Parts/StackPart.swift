// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import Glibc

/// Measures queries over a stack of three files and an overlay, beside a daemon that has the same records in one file; and
/// queries, `submit` and archive marks while two of these files are merged, beside the same before.
struct StackPart {
    private let stage: Stage
    private let stacked: MeasuredDaemon
    private let sets: [QuerySet]

    /// In a smaller collection the three numbers of changes would not make one file each.
    private static let minRecords = 500_000
    /// The share of the records that this file gets: under three quarters of its bound, which is 1/16.
    private static let middleShare = 25
    /// The share with which it is merged: over three quarters of its bound.
    private static let mergedShare = 20
    private static let young = 3000
    private static let overlaid = 200

    static let kinds: [QueryClass] = [.terms, .phrase, .filterSort]
    static let oneFile = "one file"
    static let threeFiles = "three files and an overlay"
    static let detail = "record by its id, 16×1"
    static let alone = "alone"
    static let besideMerge = "beside a merge"
    static let word = "word"
    static let submit = "submit"
    static let mark = "archive mark"

    static func series(_ what: String, over records: String) -> String { "\(what), over \(records)" }
    static func series(_ what: String, _ state: String) -> String { "\(what), \(state)" }

    init(_ stage: Stage) throws {
        self.stage = stage
        stacked = try MeasuredDaemon(home: Paths.join(stage.home, "stack"), program: stage.bench.claimsd)
        sets = QueryMaker(generator: stage.generator).sets().filter { Self.kinds.contains($0.kind) }
    }

    private var shape: CollectionShape { stage.shape }

    func run() throws {
        guard shape.records >= Self.minRecords else { return }
        BenchConsole.note("stack")
        let source = try IncrementalSource(try stage.bench.files.path(shape, .array))
        defer { source.stop() }
        try stacked.define(source: source.definition())
        try stacked.start()
        defer { stacked.stop() }
        try stacked.control.refresh()
        var changer = RecordChanger(source, stacked.control, stage.generator, seed: 0x57AC)
        for count in [shape.records / Self.middleShare, Self.young, Self.overlaid] { _ = try changer.change(count) }
        guard try layers().count == 3 else { throw BenchError("the stack has \(try layers().count) files") }
        try measureQueries()
        stacked.stop()
        try stacked.define(
            source: source.definition(),
            writes: """
                { to: "upstream", fields: { party: {} },
                  update: { method: "PATCH", url: "http://127.0.0.1:1/items/{id}" } }
                """)
        try stacked.start()
        try measureMerges(&changer)
    }

    /// The records of each file, the one with all of them first.
    private func layers() throws -> [Int] {
        let status = try stacked.control.answer("status")
        return (status["result"]?["collections"]?.array?.first?["layers"]?.array ?? []).map { layer in
            Int(layer["records"]?.integer ?? 0)
        }
    }

    // MARK: - Queries over a stack

    private func measureQueries() throws {
        let scripts =
            [(Self.detail, 16, Requests.details(shape))]
            + sets.map { ($0.kind.rawValue, 1, Requests.searches($0.queries)) }
        let daemons = [(Self.oneFile, stage.daemon), (Self.threeFiles, stacked)]
        // The first round loads the pages of the files.
        for round in 0...max(stage.rounds, 3) {
            for (what, connections, script) in scripts {
                for (records, daemon) in round.isMultiple(of: 2) ? daemons : daemons.reversed() {
                    let load = Load(path: daemon.socket, connections: connections, duration: .milliseconds(300))
                    let outcome = try load.run(script)
                    if round > 0 { add(Self.series(what, over: records), outcome) }
                }
            }
        }
    }

    // MARK: - Beside a merge

    private func measureMerges(_ changer: inout RecordChanger) throws {
        var number = 0
        for _ in 0..<min(stage.rounds, 3) {
            sleep(1)
            for _ in 0..<Self.roundsAlone { try slice(Self.alone, &number) }
            _ = try changer.change(shape.records / Self.mergedShare)
            let limit = SystemClock.monotonic(after: Self.maxMerge)
            let unmerged = shape.records / Self.mergedShare / 2
            while try layers().dropFirst().contains(where: { $0 > unmerged }) {
                guard SystemClock.monotonic < limit else { throw BenchError("the merge did not end") }
                try slice(Self.besideMerge, &number)
            }
        }
    }

    private static let roundsAlone = 40
    private static let maxMerge: Duration = .seconds(300)
    /// The operations that may be pending.
    private static let maxSubmits = 900

    /// A tenth of a second of searches on one connection, then some archive marks and a `submit`.
    private func slice(_ state: String, _ number: inout Int) throws {
        let terms = sets.first { $0.kind == .terms }?.queries ?? []
        let load = Load(path: stacked.socket, duration: .milliseconds(100))
        add(Self.series(Self.word, state), try load.run(Requests.searches(terms)))
        for _ in 0..<4 {
            number += 1
            let id = RecordGenerator.id(number * 7919 % shape.records)
            try measure(Self.series(Self.mark, state)) { try stacked.control.ask("archive", #""ids":["\#(id)"]"#) }
        }
        guard number / 4 < Self.maxSubmits else { return }
        let id = RecordGenerator.id(number * 104_729 % shape.records)
        try measure(Self.series(Self.submit, state)) {
            let answer = try stacked.control.ask(
                "submit", #""action":"update","id":"\#(id)","fields":{"party":"written \#(number)"}"#)
            guard answer["result"]?["state"]?.string == "queued" else { throw BenchError("submit was refused") }
        }
    }

    private func measure(_ what: String, _ work: () throws -> Void) throws {
        let start = SystemClock.monotonic
        try work()
        let duration = SystemClock.monotonic - start
        var latencies = Histogram()
        latencies.add(nanoseconds: duration)
        stage.bench.results.add(
            what, of: Results.claimsd, on: shape, Double(duration), unit: .nanoseconds, latencies: latencies)
    }

    private func add(_ what: String, _ outcome: Load.Outcome) {
        stage.bench.results.add(
            what, of: Results.claimsd, on: shape, outcome.perSecond, unit: .perSecond, latencies: outcome.latencies)
    }
}
