// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CBench
import ClaimsPlatform
import Glibc

/// Measures what rules of access cost, and the journal of who looked: `detail` and `search` of peers that a rule shows all, a
/// half of the records, a part of the fields, or hashes, beside each other.
struct AccessPart {
    /// A peer, by its user, which the rules name.
    enum Viewer: UInt32, CaseIterable {
        case whole = 7001
        case rows = 7002
        case fields = 7003
        case hashes = 7004

        var name: String { "\(self)" }
    }

    private let stage: Stage

    private static let duration: Duration = .milliseconds(300)

    static func detail(_ viewer: Viewer) -> String { "detail 16×16, a rule shows: \(viewer.name)" }
    static let journaled = "detail 16×16, a rule shows: whole, and the journal is told"
    static func search(_ viewer: Viewer) -> String { "search, words, a rule shows: \(viewer.name)" }
    static let filtered = "search, words, a rule shows: whole, with the filter of the rows"
    static func first(_ viewer: Viewer) -> String { "first search after a commit, a rule shows: \(viewer.name)" }

    init(_ stage: Stage) {
        self.stage = stage
    }

    /// The records with the lower half of the ids.
    private var rows: String { "id<\(RecordGenerator.id(stage.shape.records / 2))" }

    private func access(isJournaled: Bool) -> String {
        func to(_ viewer: Viewer) -> String { "to: { users: [\(viewer.rawValue)] }" }
        let shown = "fields: [\"heading\", \"remark\", \"phase\", \"price\"]"
        return """
            { journal: \(isJournaled), rules: [
                { \(to(.whole)) }, { \(to(.rows)), rows: "\(rows)" },
                { \(to(.fields)), \(shown), masks: { party: "last4", moment: "year" } },
                { \(to(.hashes)), \(shown), masks: { party: { hash: "salt" }, moment: "year" } } ] }
            """
    }

    func run() throws {
        guard geteuid() == 0 else { return stage.bench.results.note("access: only root can be other users") }
        BenchConsole.note("access")
        let credential = Paths.join(stage.daemon.home, "config/credentials/salt")
        try Directory.create(Paths.parent(credential))
        try Files.writeAtomically(credential, Array("grain".utf8))
        try Files.setPermissions(credential, 0o600)
        defer { _ = bench_connect_as(0) }
        let details = Requests.details(half)
        let words = QueryMaker(generator: stage.generator).sets().first { $0.kind == .terms }?.queries ?? []
        for round in 0..<stage.rounds {
            BenchConsole.note("access, round \(round + 1)")
            // The first daemon of a round may find another machine than the second.
            for isJournaled in round.isMultiple(of: 2) ? [true, false] : [false, true] {
                try start(isJournaled: isJournaled)
                try warmUp(details, words)
                if isJournaled {
                    try measure(details, Self.journaled, as: .whole)
                } else {
                    try measureViewers(details, words)
                }
            }
        }
        try measureCommits(Requests.searches(words).request(0))
        try start(access: "null")
    }

    /// The lower half of the records, which all viewers see.
    private var half: CollectionShape { CollectionShape(records: max(1, stage.shape.records / 2)) }

    private func start(isJournaled: Bool) throws { try start(access: access(isJournaled: isJournaled)) }

    private func start(access: String) throws {
        stage.daemon.stop()
        try stage.daemon.define(access: access)
        try stage.daemon.start()
    }

    private func measureViewers(_ details: RequestScript, _ words: [Query]) throws {
        for viewer in Viewer.allCases {
            try measure(details, Self.detail(viewer), as: viewer)
            try measure(Requests.searches(words), Self.search(viewer), as: viewer, connections: 1)
        }
        try measure(Requests.searches(words, rows: rows), Self.filtered, as: .whole, connections: 1)
    }

    /// Loads the pages of the files, before anything is measured.
    private func warmUp(_ details: RequestScript, _ words: [Query]) throws {
        for script in [details, Requests.searches(words)] {
            _ = try Load(path: stage.daemon.socket, connections: 16, depth: 16, duration: .seconds(1)).run(script)
        }
    }

    private func become(_ viewer: Viewer) throws {
        guard bench_connect_as(viewer.rawValue) == 0 else { throw BenchError("the user cannot be changed: \(errno)") }
    }

    private func measure(_ script: RequestScript, _ what: String, as viewer: Viewer, connections: Int = 16) throws {
        try become(viewer)
        defer { _ = bench_connect_as(0) }
        let load = Load(
            path: stage.daemon.socket, connections: connections, depth: connections, duration: Self.duration)
        let outcome = try load.run(script)
        let answer = try Load.ask(stage.daemon.socket, script.request(0))
        if answer.starts(with: Array(#"{"jsonrpc":"2.0","id":null"#.utf8)) || Self.isError(answer) {
            stage.bench.results.addWrong("\(what): \(String(decoding: answer.prefix(300), as: UTF8.self))")
        }
        stage.bench.results.add(
            what, of: Results.claimsd, on: stage.shape, outcome.perSecond, unit: .perSecond,
            latencies: outcome.latencies)
    }

    private static func isError(_ answer: [UInt8]) -> Bool {
        String(decoding: answer.prefix(64), as: UTF8.self).contains("\"error\"")
    }

    /// The first search after a generation in which one record in a hundred has changed.
    private func measureCommits(_ search: [UInt8]) throws {
        var changed = stage.shape
        changed.changedOneIn = 100
        let files = [try stage.bench.files.path(changed, .array), try stage.bench.files.path(stage.shape, .array)]
        for round in 0..<max(4, stage.rounds) {
            for (index, viewer) in [Viewer.whole, .rows].enumerated() {
                // The rows of a rule are prepared if a peer has needed them.
                try become(.rows)
                _ = try Load.ask(stage.daemon.socket, search)
                _ = bench_connect_as(0)
                try stage.daemon.control.feed(files[(2 * round + index) % 2])
                try stage.daemon.control.refresh()
                try become(viewer)
                defer { _ = bench_connect_as(0) }
                let start = SystemClock.monotonic
                let answer = try Load.ask(stage.daemon.socket, search)
                let time = Double(SystemClock.monotonic - start)
                if Self.isError(answer) { throw BenchError(String(decoding: answer.prefix(300), as: UTF8.self)) }
                stage.bench.results.add(
                    Self.first(viewer), of: Results.claimsd, on: stage.shape, time, unit: .nanoseconds)
            }
        }
    }
}
