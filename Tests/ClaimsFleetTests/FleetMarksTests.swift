// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsStore
import ClaimsTestSupport
import Glibc
import Testing

@testable import ClaimsFleet

@Suite(.enabled(if: PostgresServer.isInstalled)) struct FleetMarksTests {
    private func hosts(_ names: [String], _ server: PostgresServer, units: Int = 10) throws -> [MarkHost] {
        let hosts = try names.map { try MarkHost($0, server.address, units: units) }
        for host in hosts { host.start() }
        return hosts
    }

    @Test func `two hosts have each other's marks, with the user and the host`() throws {
        let server = try PostgresServer()
        let hosts = try hosts(["desk", "depot"], server)
        try hosts[0].archive(["1", "2"])
        try hosts[1].wait("mark") { hosts[1].archived() == [1, 2] }
        #expect(
            hosts[1].mark(1)?.foreignUser == "root@desk" || hosts[1].mark(1)?.foreignUser?.hasSuffix("@desk") == true)
        try hosts[1].archive(["2"], false)
        try hosts[1].archive(["3"])
        try hosts[0].wait("mark") { hosts[0].archived() == [1, 3] }
        for host in hosts { try host.waitUntilSent() }
        #expect(
            try server.sql("SELECT convert_from(id, 'UTF8'), archived, host FROM claims.mark ORDER BY 1") == [
                "1|t|desk", "2|f|depot", "3|t|depot",
            ])
        for host in hosts { host.stop() }
    }

    @Test func `marks that many hosts set and take back at once end alike everywhere`() throws {
        let server = try PostgresServer()
        let hosts = try hosts(["a", "b", "c"], server)
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<60 {
            let host = generator.pick(hosts)
            let ids = (1...10).filter { _ in generator.oneIn(3) }.map { "\($0)" }
            if !ids.isEmpty { try host.archive(ids, Bool.random(using: &generator)) }
        }
        for host in hosts {
            try host.wait("agreement") {
                let stored = try server.sql(
                    "SELECT convert_from(id, 'UTF8')::int FROM claims.mark WHERE archived ORDER BY 1")
                return host.report.queued == 0 && host.archived().map(String.init) == stored
            }
        }
        for host in hosts { host.stop() }
    }

    @Test func `while the database is gone marks wait, and all else goes on`() throws {
        let server = try PostgresServer()
        let hosts = try hosts(["desk", "depot"], server)
        for host in hosts { try host.waitUntilSent() }
        try server.stop()
        try hosts[0].archive(["1", "2", "3"])
        try hosts[0].archive(["3"], false)
        try hosts[0].wait("failure") { hosts[0].report.failure?.kind == .unreachable && hosts[0].report.queued == 3 }
        #expect(hosts[0].archived() == [1, 2])
        try server.start()
        try hosts[1].wait("marks") { hosts[1].archived() == [1, 2] }
        try hosts[0].waitUntilSent()
        for host in hosts { host.stop() }
    }

    @Test func `of marks that were set on both sides of an outage the later one counts`() throws {
        let server = try PostgresServer()
        let hosts = try hosts(["desk", "depot"], server)
        for host in hosts { try host.waitUntilSent() }
        try server.stop()
        let now = SystemClock.wall
        try hosts[0].archive(["1", "2", "3"], at: now - 3_000)
        try hosts[1].archive(["1", "2"], at: now - 2_000)
        try hosts[0].archive(["2"], false, at: now - 1_000)
        try hosts[1].archive(["1"], false, at: now - 1_000)
        try hosts[0].archive(["4"], at: now - 500)
        try hosts[1].archive(["4"], at: now - 500)
        try server.start()
        for host in hosts { try host.wait("agreement") { host.report.queued == 0 && host.archived() == [3, 4] } }
        // Of the same millisecond that of the greater name.
        try hosts[1].wait("mark") { hosts[1].mark(4)?.foreignUser?.hasSuffix("@desk") == true }
        #expect(hosts[0].mark(4)?.foreignUser == nil)
        for host in hosts { host.stop() }
    }

    @Test func `a database that was emptied or put back gets what all hosts have`() throws {
        let server = try PostgresServer()
        let hosts = try hosts(["desk", "depot"], server)
        try hosts[0].archive(["1", "2"])
        try hosts[1].archive(["7"])
        for host in hosts { try host.wait("marks") { host.archived() == [1, 2, 7] } }
        let revision = try server.sql("SELECT revision FROM claims.fleet")[0]
        try server.sql("DROP SCHEMA claims CASCADE")
        try server.makeTables("north")
        try hosts[0].wait("union") { try server.sql("SELECT count(*) FROM claims.mark WHERE archived") == ["3"] }
        // As of an older copy: the number is not known there.
        try hosts[1].archive(["8"])
        for host in hosts { try host.wait("mark") { host.archived() == [1, 2, 7, 8] } }
        for host in hosts { try host.waitUntilSent() }
        try server.sql(
            """
            BEGIN; DELETE FROM claims.mark WHERE collection = 'units'; DELETE FROM claims.revision;
            UPDATE claims.fleet SET revision = \(revision);
            INSERT INTO claims.revision SELECT revision, 0 FROM claims.fleet; COMMIT
            """)
        try hosts[0].wait("union") { try server.sql("SELECT count(*) FROM claims.mark WHERE archived") == ["4"] }
        for host in hosts { host.stop() }
    }

    @Test func `a host that comes later, and one that was away, have all marks`() throws {
        let server = try PostgresServer()
        let desk = try hosts(["desk"], server, units: 2500)[0]
        try desk.archive((1...2300).map { "\($0)" })
        try desk.waitUntilSent()
        let depot = try MarkHost("depot", server.address, units: 2500)
        try depot.archive(["2400"])
        depot.start()
        try depot.wait("marks") { depot.archived(upTo: 2500).count == 2301 }
        try desk.wait("mark") { desk.isArchived(2400) }
        depot.stop()
        try desk.archive(["5"], false)
        try desk.waitUntilSent()
        let again = try MarkHost("depot", server.address, after: depot, units: 2500)
        again.start()
        try again.wait("mark") { !again.isArchived(5) }
        #expect(again.archived(upTo: 2500).count == 2300)
        again.stop()
        desk.stop()
    }

    @Test func `a read-only database is read, marks wait, and the failure says so`() throws {
        let server = try PostgresServer()
        let hosts = try hosts(["desk", "depot"], server)
        try hosts[0].archive(["1"])
        try hosts[1].wait("mark") { hosts[1].archived() == [1] }
        try server.sql("ALTER DATABASE claims SET default_transaction_read_only = on")
        try server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'claims'")
        try hosts[0].archive(["2"])
        try hosts[0].wait("failure") { hosts[0].report.failure?.message.key == .fleetMarksReadOnly }
        #expect(hosts[0].report.queued == 1)
        try server.sql(
            "ALTER DATABASE claims RESET default_transaction_read_only", in: "postgres")
        try server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'claims'")
        try hosts[1].wait("mark") { hosts[1].archived() == [1, 2] }
        for host in hosts { host.stop() }
    }

    @Test func `the database of another fleet, and one without tables, are refused`() throws {
        let server = try PostgresServer(fleet: "south")
        let host = try hosts(["desk"], server)[0]
        try host.archive(["1"])
        try host.wait("failure") { host.report.failure?.message.key == .fleetMarksForeign }
        #expect(host.report.failure?.message.arguments == ["south"])
        try host.wait("count") { host.report.queued == 1 }
        try server.sql("DROP SCHEMA claims CASCADE")
        try host.wait("failure") { host.report.failure?.message.key == .fleetMarks }
        try server.makeTables("north")
        try host.waitUntilSent()
        #expect(try server.sql("SELECT count(*) FROM claims.mark") == ["1"])
        host.stop()
    }

    @Test func `marks of a clock that is ahead get the time of the database`() throws {
        let server = try PostgresServer()
        let hosts = try hosts(["desk", "depot"], server)
        try hosts[0].archive(["1"], at: SystemClock.wall + 3_600_000)
        try hosts[1].wait("mark") { hosts[1].isArchived(1) }
        let limit = SystemClock.wall + 60_000
        #expect(try #require(hosts[1].mark(1)).at < limit)
        #expect(try #require(hosts[0].mark(1)).at < limit)
        try hosts[1].archive(["1"], false)
        try hosts[0].wait("mark") { !hosts[0].isArchived(1) }
        for host in hosts { host.stop() }
    }

    @Test func `over TLS the certificate has to be of the authority, and the password right`() throws {
        let authority = try CertificateAuthority()
        let server = try PostgresServer(certificate: authority.issue("server"))
        let good = try MarkHost("desk", server.secureAddress, ca: authority.root.path)
        good.start()
        try good.archive(["1"])
        try good.waitUntilSent()
        let other = try CertificateAuthority("Another authority")
        let forged = try MarkHost("depot", server.secureAddress, ca: other.root.path)
        forged.start()
        try forged.wait("failure") { forged.report.failure?.kind == .tls }
        let wrong = try MarkHost("shop", server.secureAddress, ca: authority.root.path, password: "guess")
        wrong.start()
        try wrong.wait("failure") { wrong.report.failure?.kind == .credential }
        #expect(forged.archived().isEmpty && wrong.archived().isEmpty)
        for host in [good, forged, wrong] { host.stop() }
    }

    @Test func `of several servers the one that may be written is found, also after they have changed places`() throws {
        let authority = try CertificateAuthority()
        let servers = try (1...2).map { try PostgresServer(certificate: authority.issue("server \($0)")) }
        func demote(_ server: PostgresServer) throws {
            try server.sql("ALTER DATABASE claims SET default_transaction_read_only = on")
            try server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'claims'")
        }
        func marks(_ server: PostgresServer) throws -> [String] {
            try server.sql("SELECT convert_from(id, 'UTF8') FROM claims.mark WHERE archived ORDER BY 1")
        }
        try demote(servers[0])
        // The first one refuses connections, the second one may only be read.
        let dead = try LoopbackSocket.silentListener().port
        let address =
            "postgresql://claims@127.0.0.1:\(dead),127.0.0.1:\(servers[0].port),127.0.0.1:\(servers[1].port)/claims"
        let host = try MarkHost("desk", address, ca: authority.root.path)
        host.start()
        try host.archive(["1"])
        try host.waitUntilSent()
        #expect(try marks(servers[1]) == ["1"] && marks(servers[0]).isEmpty)
        try demote(servers[1])
        try servers[0].sql("ALTER DATABASE claims RESET default_transaction_read_only", in: "postgres")
        try host.archive(["2"])
        try host.waitUntilSent()
        #expect(try marks(servers[1]) == ["1"] && marks(servers[0]) == ["1", "2"])
        host.stop()
    }

    @Test func `a standby that is promoted without the last commits gets them from the hosts`() throws {
        let authority = try CertificateAuthority()
        let primary = try PostgresServer(certificate: authority.issue("primary"))
        let standby = try PostgresServer(standbyOf: primary, certificate: authority.issue("standby"))
        func marks(_ server: PostgresServer) throws -> [String] {
            try server.sql("SELECT convert_from(id, 'UTF8') FROM claims.mark WHERE archived ORDER BY 1")
        }
        let address = "postgresql://claims@127.0.0.1:\(primary.port),127.0.0.1:\(standby.port)/claims"
        let hosts = try ["desk", "depot"].map { try MarkHost($0, address, ca: authority.root.path) }
        for host in hosts { host.start() }
        try hosts[0].archive(["1", "2"])
        for host in hosts { try host.wait("marks") { host.archived() == [1, 2] } }
        try hosts[0].wait("replication") { try marks(standby) == ["1", "2"] }
        // From now on the standby receives nothing.
        try standby.sql("ALTER SYSTEM SET primary_conninfo = ''")
        try standby.sql("SELECT pg_reload_conf()")
        try hosts[0].wait("end of the replication") { try standby.sql("SELECT pid FROM pg_stat_wal_receiver").isEmpty }
        try hosts[0].archive(["3"])
        try hosts[1].archive(["4"])
        try hosts[0].archive(["1"], false)
        for host in hosts {
            try host.wait("marks") { host.archived() == [2, 3, 4] }
            try host.waitUntilSent()
        }
        #expect(try marks(primary) == ["2", "3", "4"] && marks(standby) == ["1", "2"])
        try primary.crash()
        // The standby can be read, and nothing that was known goes back.
        try hosts[1].archive(["5"])
        try hosts[1].wait("failure") { hosts[1].report.failure?.message.key == .fleetMarksReadOnly }
        #expect(hosts[0].archived() == [2, 3, 4] && hosts[1].archived() == [2, 3, 4, 5])
        try standby.sql("SELECT pg_promote()")
        for host in hosts {
            try host.wait("union") { host.archived() == [2, 3, 4, 5] }
            try host.waitUntilSent()
        }
        #expect(try marks(standby) == ["2", "3", "4", "5"])
        try hosts[1].archive(["2"], false)
        try hosts[0].wait("mark") { hosts[0].archived() == [3, 4, 5] }
        for host in hosts { host.stop() }
    }

    @Test func `a server that says nothing keeps no other one from being asked`() throws {
        let authority = try CertificateAuthority()
        let server = try PostgresServer(certificate: authority.issue("server"))
        let (listener, port) = try LoopbackSocket.silentListener()
        let host = try MarkHost(
            "desk", "postgresql://claims@127.0.0.1:\(port),127.0.0.1:\(server.port)/claims", ca: authority.root.path)
        host.start()
        try host.archive(["1"])
        try host.waitUntilSent()
        guard let connection = listener.accept() else { throw TestFailure("the first one was not asked") }
        #expect(connection.raw >= 0)
        // All are tried within the time of one.
        try server.stop()
        let start = SystemClock.monotonic
        try host.wait("failure") { host.report.failure?.message.arguments.first?.contains("no answer") == true }
        #expect(SystemClock.monotonic - start < 15_000_000_000)
        let message = host.report.failure?.message.arguments.first ?? ""
        #expect(message.contains("127.0.0.1:\(port): ") && message.contains("\(server.port)"), "\(message)")
        host.stop()
    }

    @Test func `a database that may only be read is read with each poll, while marks wait`() throws {
        let server = try PostgresServer()
        let host = try hosts(["desk"], server)[0]
        try host.waitUntilSent()
        try server.sql("ALTER DATABASE claims SET default_transaction_read_only = on")
        try server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'claims'")
        try host.archive(["10"])
        try host.wait("failure") { host.report.failure?.message.key == .fleetMarksReadOnly }
        let start = SystemClock.monotonic
        for id in 1...6 {
            try server.sql(
                """
                SET transaction_read_only = off; BEGIN READ WRITE;
                UPDATE claims.fleet SET revision = revision + 1;
                INSERT INTO claims.revision SELECT revision, 0 FROM claims.fleet;
                INSERT INTO claims.mark SELECT 'units', '\(id)', true, 7, 'x', 'ann', revision FROM claims.fleet;
                COMMIT
                """)
            try host.wait("mark") { host.isArchived(id) }
            #expect(host.report.queued == 1 && host.report.failure?.message.key == .fleetMarksReadOnly)
        }
        // Six waits that double would take a minute.
        #expect(SystemClock.monotonic - start < 15_000_000_000)
        host.stop()
    }

    @Test func `rows that are no marks cost nothing but themselves`() throws {
        let server = try PostgresServer()
        let host = try hosts(["desk"], server)[0]
        try server.sql("ALTER TABLE claims.mark DROP CONSTRAINT mark_id_check, DROP CONSTRAINT mark_at_check")
        try server.sql(
            """
            BEGIN; UPDATE claims.fleet SET revision = revision + 1;
            INSERT INTO claims.revision SELECT revision, 0 FROM claims.fleet;
            INSERT INTO claims.mark SELECT 'units', t.id, true, t.at, 'x', 'eve', revision FROM claims.fleet,
                (VALUES ('\\xff'::bytea, 5), ('\\x', 5), ('2', 9223372036854775807), ('3', -1), ('4', 7),
                    ('5', 9007199254740991)) AS t(id, at);
            COMMIT
            """)
        try host.wait("mark") { host.archived() == [4] }
        try host.archive(["4"], false)
        // A mark of a time that no clock shows blocks none that is set later.
        try host.archive(["5"])
        try host.waitUntilSent()
        #expect(host.archived() == [5])
        #expect(try server.sql("SELECT host FROM claims.mark WHERE id = '5'") == ["desk"])
        host.stop()
    }

    @Test(.enabled(if: Files.exists(PostgresServer.poolerPath)))
    func `a pooler may give each transaction another connection`() throws {
        let server = try PostgresServer()
        let (pooler, address) = try server.startPooler()
        let hosts = try ["desk", "depot", "shop"].map { try MarkHost($0, address) }
        for host in hosts { host.start() }
        try hosts[0].archive(["1"])
        try hosts[1].archive(["2"])
        for host in hosts { try host.wait("marks") { host.archived() == [1, 2] && host.report.failure == nil } }
        pooler.signal(SIGTERM)
        try hosts[2].wait("failure") { hosts[2].report.failure != nil }
        for host in hosts { host.stop() }
    }

    @Test func `a server that takes a connection and says nothing keeps no stop waiting`() throws {
        let folder = try TemporaryFolder()
        let (listener, port) = try LoopbackSocket.silentListener()
        let host = try MarkHost("desk", "postgresql://claims@127.0.0.1:\(port)/claims", ca: folder("ca.pem"))
        host.start()
        guard let connection = listener.accept() else { throw TestFailure("no connection") }
        let start = SystemClock.monotonic
        host.stop()
        #expect(SystemClock.monotonic - start < 5_000_000_000)
        #expect(connection.raw >= 0)
    }
}
