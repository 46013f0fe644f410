// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// Daemons that share archive marks through PostgreSQL.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct FleetMarkTests {
    private func hosts(_ server: PostgresServer) throws -> FleetHosts {
        let hosts = try FleetHosts(marks: "{ database: \"\(server.address)\", collections: [\"units\"] }")
        try hosts.start()
        for host in ["desk-a", "depot"] {
            try hosts.wait(host, for: "records") { $0["total"]?.integer == 3 }
        }
        return hosts
    }

    private func archive(_ id: Int, on host: String, _ hosts: FleetHosts) throws {
        let answer = try hosts.daemon(host).connect().request(
            "archive", "{\"collection\":\"units\",\"ids\":[\"\(id)\"]}")
        guard answer["result"]?["changed"]?.array?.count == 1 else { throw TestFailure("\(host): \(answer)") }
    }

    private func marks(_ host: String, _ hosts: FleetHosts) throws -> JSONValue {
        try hosts.daemon(host).connect().request("fleet")["result"]?["marks"] ?? .null
    }

    /// Waits until a host's part of the marks is as expected.
    private func waitForMarks(_ host: String, _ hosts: FleetHosts, until isSo: (JSONValue) -> Bool) throws {
        var state = JSONValue.null
        try FleetHosts.wait("\(host): marks") {
            state = try marks(host, hosts)
            return isSo(state)
        } telling: {
            "\(state)"
        }
    }

    @Test("a mark reaches the other host, its feeds, and what they tell of it") func marks() throws {
        let server = try PostgresServer()
        let hosts = try hosts(server)
        let feed = try hosts.daemon("depot").connect()
        let subscribed = try feed.request("subscribe", #"{"collection":"units"}"#)
        #expect(subscribed["error"] == nil, "\(subscribed)")
        try archive(2, on: "desk-a", hosts)
        try hosts.wait("depot", for: "the mark") { $0["total"]?.integer == 2 }
        let client = try hosts.daemon("depot").connect()
        let detail = try client.request("detail", #"{"collection":"units","id":"2"}"#)
        let author = detail["result"]?["provenance"]?["archived_by"]?.string
        #expect(author?.hasSuffix("@desk-a") == true, "\(detail)")
        let history = try client.request("history", #"{"collection":"units","id":"2"}"#)
        let version = history["result"]?["versions"]?.array?.first
        #expect(version?["op"]?.string == "archived" && version?["by_name"]?.string == author, "\(history)")
        #expect(version?["cause"]?.string == "archive" && version?["by"] == nil)
        try waitForMarks("desk-a", hosts) {
            $0["queued"]?.integer == 0 && $0["error"] == .null && $0["contact"]?.string != nil
        }
        let control = try ControlProgram.run(["fleet"], socket: hosts.daemon("depot").socket)
        #expect(control.output.contains("marks\t0\t"), "\(control)")
        let metrics = try ControlProgram.run(["metrics"], socket: hosts.daemon("depot").socket)
        #expect(metrics.output.contains("claimsd_marks_queued 0"), "\(metrics)")
    }

    @Test("marks that were answered before a crash reach the others after it") func crash() throws {
        let server = try PostgresServer()
        let hosts = try hosts(server)
        try server.stop()
        try archive(1, on: "desk-a", hosts)
        try hosts.daemon("desk-a").kill()
        try server.start()
        // None of these counts.
        try hosts.daemon("desk-a").start(environment: [
            "PGHOST": "/nowhere", "PGSERVICE": "none", "PGOPTIONS": "-c nonsense=1", "PGSSLMODE": "verify-full",
            "PGUSER": "nobody", "PGDATESTYLE": "nonsense", "PGTZ": "nonsense",
        ])
        try hosts.wait("depot", for: "the mark") { $0["total"]?.integer == 2 }
        try waitForMarks("depot", hosts) { $0["error"] == .null }
    }
}
