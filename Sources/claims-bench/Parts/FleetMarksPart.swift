// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import Glibc

/// Measures archive marks through PostgreSQL: one host archives all records, and another host, which comes later, reads
/// the marks; compared with a single host that archives all records.
struct FleetMarksPart {
    private let part: FleetPart
    private let fleet: MeasuredFleet

    static let set = "fleet, marks, set"
    static let sent = "fleet, marks, set and sent"
    static let taken = "fleet, marks, taken by a host that comes later"
    static let memory = "fleet, marks: anonymous above idle"
    static let statements = "fleet, marks, idle: statements a poll"

    /// The number of marks of a request.
    private static let batch = 10_000
    /// The time that idle hosts are watched, in seconds; a multiple of ``MeasuredFleet/poll``.
    private static let watched: UInt32 = 20

    init(_ part: FleetPart, _ fleet: MeasuredFleet) {
        self.part = part
        self.fleet = fleet
    }

    private var count: Int { part.stage.shape.records }

    func run() throws {
        let tables = ["Config/fleet.sql", "/usr/share/claimsd/fleet.sql"].first { Files.exists($0) }
        guard part.stage.options.has(Postgres.name), let tables, let server = try Postgres() else {
            return part.bench.results.note("fleet, marks: PostgreSQL or fleet.sql is missing")
        }
        BenchConsole.note("fleet, marks")
        defer { server.stop() }
        let script = try Files.readText(tables, cap: 1 << 20)
        try server.run("\\set name north\n" + script, limit: PeerService.maxStart)
        let address = "postgresql://bench@/postgres?host=\(server.folder)"
        for daemon in [fleet.leader, fleet.follower] { daemon.stop() }
        try fleet.define(
            marks: "{ database: \"\(address)\", collections: [\"\(CollectionShape.collection)\"] }")
        try set(on: part.stage.daemon, .alone) {}
        try send()
        try take()
        try watch(server)
    }

    /// Archives all records on a host.
    private func set(on daemon: MeasuredDaemon, _ role: FleetPart.Role, _ followUp: () throws -> Void) throws {
        let (idle, start) = (daemon.anonymousBytes ?? 0, ContinuousClock.now)
        let (_, peak) = try MemorySampler.peak(of: daemon.pid) {
            for first in stride(from: 0, to: count, by: Self.batch) {
                let ids = (first..<min(count, first + Self.batch)).map { "\"\(RecordGenerator.id($0))\"" }
                let answer = try part.ask("archive", "\"ids\":[\(ids.joined(separator: ","))]", daemon)
                guard answer["result"]?["changed"]?.array?.count == ids.count else {
                    throw BenchError("archive: \(String(decoding: answer.compactBytes.prefix(300), as: UTF8.self))")
                }
            }
            add(Self.set, role, since: start)
            try followUp()
        }
        part.add(Self.memory, role, Double(max(0, peak - idle)), in: .bytes)
    }

    private func send() throws {
        try fleet.leader.start()
        try part.settle(fleet.leader)
        let start = ContinuousClock.now
        try set(on: fleet.leader, .leader) {
            try FleetPart.wait("all marks are sent") { try queued(fleet.leader) == 0 }
            add(Self.sent, .leader, since: start)
        }
    }

    private func take() throws {
        let follower = fleet.follower
        let start = ContinuousClock.now
        try follower.start()
        // Nothing is taken yet, and little is in memory.
        let idle = follower.anonymousBytes ?? 0
        let (_, peak) = try MemorySampler.peak(of: follower.pid) {
            try FleetPart.wait("all marks are taken") {
                try part.ask("search", #""limit":1"#, follower)["result"]?["total"]?.integer == 0
            }
        }
        add(Self.taken, .follower, since: start)
        part.add(Self.memory, .follower, Double(max(0, peak - idle)), in: .bytes)
    }

    /// Counts the statements of both hosts while they are idle.
    private func watch(_ server: Postgres) throws {
        for daemon in [fleet.leader, fleet.follower] { try part.settle(daemon) }
        try server.run("ALTER SYSTEM SET log_statement = 'all';\nSELECT pg_reload_conf();", limit: PeerService.maxStart)
        sleep(2)
        let before = try statements(server)
        sleep(Self.watched)
        let polls = Double(Self.watched) / Double(MeasuredFleet.poll.components.seconds)
        part.add(Self.statements, .follower, Double(try statements(server) - before) / 2 / polls, in: .count)
    }

    private func statements(_ server: Postgres) throws -> Int {
        try Files.readText(server.log, cap: 1 << 26).split(separator: "\n")
            .count { $0.contains("LOG:  execute ") || $0.contains("LOG:  statement: ") }
    }

    private func queued(_ daemon: MeasuredDaemon) throws -> Int64? {
        let answer = try Load.ask(daemon.socket, Array("{\"id\":1,\"method\":\"fleet\"}\n".utf8))
        return try JSONValue.parse(answer)["result"]?["marks"]?["queued"]?.integer
    }

    /// Adds the number of marks a second.
    private func add(_ what: String, _ role: FleetPart.Role, since start: ContinuousClock.Instant) {
        let seconds = Double(Load.nanoseconds(ContinuousClock.now - start)) / 1e9
        part.add(what, role, Double(count) / seconds, in: .perSecond)
    }
}
