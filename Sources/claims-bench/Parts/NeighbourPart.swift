// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Synchronization

/// Measures whether one client waits for another: `detail` alone, and beside phrase searches and a refresh.
struct NeighbourPart {
    private let stage: Stage

    private static let duration: Duration = .milliseconds(700)

    init(_ stage: Stage) {
        self.stage = stage
    }

    func run() throws {
        let details = Requests.details(stage.shape)
        let load = Load(path: stage.daemon.socket, duration: Self.duration)
        for round in 0..<min(3, stage.rounds) {
            BenchConsole.note("neighbours, round \(round + 1)")
            let alone = try load.run(details)
            add("detail, alone", alone)
            add("detail, beside searches and a refresh", try beside { () throws(BenchError) in try load.run(details) })
        }
    }

    private func add(_ what: String, _ outcome: Load.Outcome) {
        stage.bench.results.add(
            what, of: Results.claimsd, on: stage.shape, outcome.perSecond, unit: .perSecond,
            latencies: outcome.latencies)
    }

    /// Runs `work` while one connection searches for phrases and another has the collection refreshed.
    private func beside<Value>(_ work: () throws(BenchError) -> Value) throws -> Value {
        var changed = stage.shape
        changed.changedOneIn = 100
        let files = [try stage.bench.files.path(changed, .array), try stage.bench.files.path(stage.shape, .array)]
        let set = QueryMaker(generator: stage.generator).phrases()
        let phrases = Requests.searches(set)
        let isDone = Flag()
        let searches = Load(path: stage.daemon.socket, duration: .milliseconds(200))
        let searching = try NamedThread("searches") {
            while !isDone.isSet { guard (try? searches.run(phrases)) != nil else { return } }
        }
        let control = stage.daemon.control
        let refreshing = try NamedThread("refresh") {
            for index in 0..<1000 where !isDone.isSet {
                guard (try? control.feed(files[index % 2])) != nil, (try? control.refresh()) != nil else { return }
            }
            // Other parts expect the original records.
            _ = try? control.feed(files[1])
            _ = try? control.refresh()
        }
        let result = Result { try work() }
        isDone.set()
        searching.join()
        refreshing.join()
        return try result.get()
    }
}

/// Set once, seen by every thread.
private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() { value.store(true, ordering: .relaxed) }
}
