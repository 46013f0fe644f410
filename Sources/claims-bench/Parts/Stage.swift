// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// One collection with the servers that hold it: claimsd and its peers.
final class Stage {
    let bench: Bench
    let shape: CollectionShape
    let generator: RecordGenerator
    let home: String
    let echo: EchoServer
    var daemon: MeasuredDaemon
    private(set) var redis: Redis?
    private(set) var sqlite: SQLitePeer?
    private(set) var postgres: Postgres?
    private(set) var watchman: Watchman?
    private var daemons = 0

    init(_ bench: Bench, _ shape: CollectionShape) throws {
        self.bench = bench
        self.shape = shape
        generator = RecordGenerator(shape: shape, lexicon: bench.lexicon)
        home = Paths.join(bench.home, "\(shape.records)\(shape.hasUniqueTerms ? "u" : "")")
        try Directory.create(home)
        echo = try EchoServer(home: home)
        daemon = try MeasuredDaemon(home: Paths.join(home, "0"), program: bench.claimsd)
    }

    var options: BenchOptions { bench.options }
    var rounds: Int { options.rounds }

    private func has(_ part: Part) -> Bool { options.parts.contains(part) }

    func end() {
        daemon.stop()
        echo.stop()
        redis?.stop()
        postgres?.stop()
        watchman?.stop()
        sqlite = nil
        do { try Directory.remove(home) } catch { BenchConsole.note("\(error)") }
    }

    /// Starts the daemon and loads the collection into it, once.
    func load() throws {
        try daemon.control.feedNothing()
        try daemon.start()
        try daemon.control.feed(try bench.files.path(shape, .array))
        bench.results.add("refresh, all new", of: Results.claimsd, on: shape, try daemon.control.refresh())
    }

    /// Replaces the daemon by a new one without data.
    func replaceDaemon() throws {
        daemon.stop()
        try Directory.remove(daemon.home)
        daemons += 1
        daemon = try MeasuredDaemon(home: Paths.join(home, "\(daemons)"), program: bench.claimsd)
    }

    /// Starts the peers that the options ask for and loads the collection into them.
    func startPeers() throws {
        if has(.detail) || has(.start) || has(.client) || has(.memory) { try attempt("redis", startRedis) }
        if has(.search) || has(.refresh) { try attempt("sqlite", startSQLite) }
        if has(.search) { try attempt("postgres", startPostgres) }
        if has(.detail) { try attempt("watchman") { watchman = try Watchman(home: home) } }
    }

    /// Starts a peer; a missing or failing one is left out and noted.
    private func attempt(_ peer: String, _ start: () throws -> Void) throws {
        guard options.has(peer) else { return }
        do { try start() } catch {
            bench.results.note("\(peer), \(shape.name): \((error as? BenchError)?.message ?? "\(error)")")
        }
    }

    private func startRedis() throws {
        guard let redis = try Redis(home: home) else { return }
        BenchConsole.note("loading redis")
        Disk.settle()
        bench.results.add("load", of: Redis.name, on: shape, try redis.load(generator))
        bench.results.add("file size", of: Redis.name, on: shape, Double(try redis.save()), unit: .bytes)
        self.redis = redis
    }

    private func startSQLite() throws {
        guard let sqlite = try SQLitePeer(home: home) else { return }
        BenchConsole.note("loading sqlite")
        Disk.settle()
        let (rows, index) = try sqlite.load(generator)
        bench.results.add("load", of: SQLitePeer.name, on: shape, rows + index)
        bench.results.add("load, rows only", of: SQLitePeer.name, on: shape, rows)
        bench.results.add(
            "file size", of: SQLitePeer.name, on: shape, Files.size(sqlite.path).map(Double.init), unit: .bytes)
        self.sqlite = sqlite
    }

    private func startPostgres() throws {
        guard let postgres = try Postgres() else { return }
        BenchConsole.note("loading postgres")
        Disk.settle()
        do { bench.results.add("load", of: Postgres.name, on: shape, try postgres.load(generator)) } catch {
            postgres.stop()
            throw error
        }
        self.postgres = postgres
    }
}
