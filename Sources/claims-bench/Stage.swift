// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Everything measured on one collection.
final class Stage {
    let bench: Bench
    let shape: CollectionShape
    let generator: RecordGenerator
    let home: String
    let echo: EchoServer
    var daemon: Daemon
    private(set) var redis: Redis?
    private(set) var sqlite: SQLitePeer?
    private(set) var postgres: Postgres?
    private(set) var watchman: Watchman?
    private var daemons = 0

    init(_ bench: Bench, _ shape: CollectionShape) throws {
        self.bench = bench
        self.shape = shape
        generator = RecordGenerator(shape: shape, words: bench.words)
        home = Paths.join(bench.home, "\(shape.records)\(shape.hasUniqueWords ? "u" : "")")
        try Directory.create(home)
        echo = try EchoServer(home: home)
        daemon = try Daemon(home: Paths.join(home, "0"), program: bench.claimsd)
    }

    var options: Options { bench.options }
    var rounds: Int { options.rounds }

    func has(_ part: Part) -> Bool { options.parts.contains(part) }

    func run() throws {
        if shape.hasUniqueWords {
            try load()
            try SearchPart(self).run()
            return
        }
        try startPeers()
        if has(.refresh) || has(.memory) { try RefreshPart(self).run() } else { try load() }
        if has(.start) || has(.memory) { try StartPart(self).run() }
        if has(.detail) || has(.memory) { try DetailPart(self).run() }
        if has(.search) { try SearchPart(self).run() }
        if has(.client) { try ClientPart(self).run() }
        if has(.neighbours) { try NeighbourPart(self).run() }
    }

    func end() {
        daemon.stop()
        echo.stop()
        redis?.stop()
        postgres?.stop()
        watchman?.stop()
        sqlite = nil
        do { try Directory.remove(home) } catch { Console.note("\(error)") }
    }

    /// The daemon alone, with the collection loaded once.
    private func load() throws {
        try daemon.control.feedNothing()
        try daemon.start()
        try daemon.control.feed(try bench.files.path(shape, .array))
        bench.results.add(Results.claimsd, "refresh, all new", shape, try daemon.control.refresh())
    }

    /// Another daemon, that knows nothing yet, instead of this one.
    func replaceDaemon() throws {
        daemon.stop()
        try Directory.remove(daemon.home)
        daemons += 1
        daemon = try Daemon(home: Paths.join(home, "\(daemons)"), program: bench.claimsd)
    }

    private func startPeers() throws {
        if has(.detail) || has(.start) || has(.client) || has(.memory) { try attempt("redis", startRedis) }
        if has(.search) || has(.refresh) { try attempt("sqlite", startSQLite) }
        if has(.search) { try attempt("postgres", startPostgres) }
        if has(.detail) { try attempt("watchman") { watchman = try Watchman(home: home) } }
    }

    /// A peer that is not there, or does not do, is left out; that is noted.
    private func attempt(_ peer: String, _ start: () throws -> Void) throws {
        guard options.has(peer) else { return }
        do { try start() } catch {
            bench.results.note("\(peer), \(shape.name): \((error as? BenchError)?.message ?? "\(error)")")
        }
    }

    private func startRedis() throws {
        guard let redis = try Redis(home: home) else { return }
        Console.note("loading redis")
        Disk.settle()
        bench.results.add(Redis.name, "load", shape, try redis.load(generator))
        bench.results.add(Redis.name, "file size", shape, .bytes, Double(try redis.save()))
        self.redis = redis
    }

    private func startSQLite() throws {
        guard let sqlite = try SQLitePeer(home: home) else { return }
        Console.note("loading sqlite")
        Disk.settle()
        let (rows, index) = try sqlite.load(generator)
        bench.results.add(SQLitePeer.name, "load", shape, rows + index)
        bench.results.add(SQLitePeer.name, "load, rows only", shape, rows)
        bench.results.add(SQLitePeer.name, "file size", shape, .bytes, Files.size(sqlite.path).map(Double.init))
        self.sqlite = sqlite
    }

    private func startPostgres() throws {
        guard let postgres = try Postgres() else { return }
        Console.note("loading postgres")
        Disk.settle()
        do { bench.results.add(Postgres.name, "load", shape, try postgres.load(generator)) } catch {
            postgres.stop()
            throw error
        }
        self.postgres = postgres
    }
}
