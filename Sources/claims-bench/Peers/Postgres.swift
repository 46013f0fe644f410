// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import Glibc

/// PostgreSQL in a cluster of its own, as a user without privileges, with a pg_trgm index over the folded text.
final class Postgres {
    static let name = "postgres"

    private let home: String
    private let service: BackgroundProcess
    private let psql: String
    /// The command that runs a program as the cluster's user; empty if that is the current user.
    private let prefix: [String]

    init?() throws {
        guard let initdb = InstalledProgram.path("initdb"), let server = InstalledProgram.path("postgres"),
            let psql = InstalledProgram.path("psql"), let setpriv = InstalledProgram.path("setpriv")
        else { return nil }
        self.psql = psql
        // Not below the benchmark's own folder, which that user may not enter.
        home = try Directory.temporary(prefix: "claims-bench-postgres")
        Cleanup.add(folder: home)
        if getuid() == 0 {
            let user = Accounts.user(named: "postgres") ?? Accounts.user(named: "nobody") ?? 65534
            guard unsafe chown(home, user, user) == 0 else { throw SystemError.last("give \(home) away") }
            prefix = [setpriv, "--reuid=\(user)", "--regid=\(user)", "--clear-groups"]
        } else {
            prefix = []
        }
        let data = Paths.join(home, "data")
        let choices = ["-U", "bench", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        let setup = prefix + [initdb, "-D", data] + choices
        try InstalledProgram.mustRun(setup[0], Array(setup[1...]), log: home + ".log", within: PeerService.maxStart)
        let settings = [
            "listen_addresses=", "unix_socket_directories=\(home)", "fsync=off", "synchronous_commit=off",
            "full_page_writes=off", "shared_buffers=1GB", "maintenance_work_mem=1GB", "work_mem=64MB",
            "max_wal_size=8GB", "autovacuum=off", "effective_cache_size=4GB", "random_page_cost=1.1", "jit=off",
            "wal_level=minimal", "max_wal_senders=0",
        ]
        let run = prefix + [server, "-D", data] + settings.flatMap { ["-c", $0] }
        service = try BackgroundProcess(Self.name, run[0], Array(run[1...]), log: home + ".log")
        Cleanup.add(folder: home + ".log")
        let start = ContinuousClock.now
        while (try? self.run("SELECT 1", limit: .seconds(5))) == nil {
            guard !service.hasEnded(within: PeerService.pause), ContinuousClock.now - start < PeerService.maxStart
            else {
                throw BenchError("postgres does not start; see \(home).log")
            }
        }
    }

    func stop() {
        service.stop(SIGINT)
        do { try Directory.remove(home) } catch { BenchConsole.note("\(error)") }
        Files.remove(home + ".log")
    }

    /// Stores every record and builds the index; returns the time of both.
    func load(_ generator: RecordGenerator) throws -> Duration {
        try run(
            "CREATE EXTENSION pg_trgm; CREATE TABLE items (id bigint, document text, body text)",
            limit: PeerService.maxStart)
        let rows = Paths.join(home, "rows")
        try write(generator, to: rows)
        defer { Files.remove(rows) }
        let begin = ContinuousClock.now
        try run(
            """
            BEGIN; TRUNCATE items; COPY items FROM '\(rows)'; COMMIT;
            ALTER TABLE items ADD PRIMARY KEY (id);
            CREATE INDEX body ON items USING gin (body gin_trgm_ops);
            VACUUM ANALYZE items;
            """, limit: PeerService.maxLoad)
        return ContinuousClock.now - begin
    }

    private func write(_ generator: RecordGenerator, to path: String) throws {
        let file = try FileDescriptor.open(path, .create(permissions: 0o644))
        var text = RecordGenerator.Text()
        var bytes: [UInt8] = []
        for record in 0..<generator.shape.records {
            bytes += Array("\(RecordGenerator.id(record))\t".utf8)
            bytes += generator.document(record, text: &text)
            bytes.append(0x09)
            // The line break between the texts is the one thing that COPY wants escaped.
            for byte in generator.foldedText(record, text: &text) {
                if byte == 0x0A { bytes += [0x5C, 0x6E] } else { bytes.append(byte) }
            }
            bytes.append(0x0A)
            if bytes.count > 1 << 20 {
                try file.write(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
        }
        try file.write(bytes)
    }

    /// Searches each text: the first 50 records in id order, and the total. Returns the time of each search, by psql's
    /// own clock.
    func search(_ texts: [String]) throws -> [Duration] {
        let statements = texts.map { text in
            """
            SELECT document FROM items WHERE body LIKE '%\(text)%' ORDER BY id LIMIT 50;
            SELECT count(*) FROM items WHERE body LIKE '%\(text)%';
            """
        }
        let output = try run(
            "SET statement_timeout='30s';\n\\o /dev/null\n\\timing on\n" + statements.joined(separator: "\n") + "\n",
            limit: PeerService.maxLoad)
        let times = output.split(separator: "\n").compactMap { line -> Double? in
            guard line.hasPrefix("Time: ") else { return nil }
            return line.split(separator: " ").dropFirst().first.flatMap { Double($0) }
        }
        guard times.count == texts.count * 2 else { throw BenchError("postgres answered \(output.prefix(300))") }
        return texts.indices.map { .microseconds(Int64((times[$0 * 2] + times[$0 * 2 + 1]) * 1000)) }
    }

    /// The folder of its socket, and its log.
    var folder: String { home }
    var log: String { home + ".log" }

    /// Runs statements, or a script for psql.
    ///
    /// - Returns: what psql has written.
    @discardableResult
    func run(_ script: String, limit: Duration) throws -> String {
        let path = Paths.join(home, "script")
        Files.remove(path)
        try Files.writeAtomically(path, Array(script.utf8))
        let run = try InstalledProgram.run(
            psql, ["-X", "-q", "-h", home, "-U", "bench", "-d", "postgres", "-v", "ON_ERROR_STOP=1", "-f", path],
            capture: Paths.join(home, "output"), within: limit)
        let text = String(decoding: run.output, as: UTF8.self)
        guard run.status == .exited(0) else { throw BenchError("psql: \(text.suffix(300))") }
        return text
    }
}
