// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsSystemd
import ClaimsTestSupport
import Testing

extension InstalledServiceTests {
    /// Sockets and connections over starts and stops.
    @Suite struct Sockets {
        @Test func `the first client starts the service, and is answered`() throws {
            let service = try InstalledService.fresh()
            try service.machine.check("systemctl start claimsd.socket")
            #expect(try service.property("ActiveState") == "inactive")
            #expect(try service.ask("count --country") != "")
            #expect(try service.property("ActiveState") == "active")
            // A client that comes while it is stopped starts it again.
            try service.machine.check("systemctl stop claimsd")
            #expect(try service.ask("count --country") != "")
        }

        @Test func `clients in the queue of the daemon's own socket are answered by the next daemon`() throws {
            let service = try InstalledService.fresh()
            let unit = try service.install(variant: "alone")
            try service.machine.check("systemctl daemon-reload && systemctl start \(unit)")
            let permissions = try service.machine.check("stat -c '%a %G' /run/\(unit)/claimsd.sock")
            #expect(permissions == "660 claims\n")
            #expect(try service.property("NFileDescriptorStore", of: unit) == "1")
            try expectQueueSurvives(unit, service)
            // Not once only: the one that inherited the socket can hand it on.
            try expectQueueSurvives(unit, service)
            #expect(try service.property("NFileDescriptorStore", of: unit) == "1")

            // A socket whose file is gone serves nobody; a new one is made.
            try service.machine.check("rm /run/\(unit)/claimsd.sock && systemctl restart \(unit)")
            #expect(try service.ask("count --country", of: unit) != "")
            try expectQueueSurvives(unit, service)
        }

        @Test func `clients in the queue of systemd's socket are answered by the next daemon`() throws {
            let service = try InstalledService.fresh()
            try service.machine.check("systemctl start claimsd")
            try expectQueueSurvives("claimsd", service)
        }

        /// Stops the daemon's process in its tracks, connects, kills it, and expects an answer all the same.
        private func expectQueueSurvives(_ unit: String, _ service: InstalledService) throws {
            let pid = try service.property("MainPID", of: unit)
            try service.halt(pid)
            let clients = try (0..<8).map { _ in try service.connect(to: unit) }
            for client in clients { try client.send(#"{"id":1,"method":"ping"}"#) }
            try service.machine.check("kill -KILL \(pid)")
            for client in clients {
                let answer = try #require(try client.receive())
                #expect(answer.contains("\"result\""), "\(answer)")
            }
            #expect(try service.property("MainPID", of: unit) != pid)
        }

        @Test func `what was asked before a restart is answered, by the old daemon or the new one`() throws {
            let service = try InstalledService.fresh()
            try service.start()
            for _ in 0..<3 {
                // Halted, so that what comes now is taken up together with the signal.
                let pid = try service.property("MainPID")
                let known = try service.connect()
                _ = try known.request("ping")
                try service.halt(pid)
                let clients = try [known] + (0..<8).map { _ in try service.connect() }
                for client in clients {
                    for id in 2..<10 {
                        try client.send(#"{"id":\#(id),"method":"count","params":{"collection":"packs"}}"#)
                    }
                }
                // It sends SIGTERM, and then SIGCONT.
                try service.machine.check("systemctl restart --no-block claimsd")
                for client in clients {
                    for _ in 2..<10 {
                        let answer = try #require(try client.receive())
                        #expect(answer.contains("\"total\":3"), "\(answer)")
                    }
                }
                try service.machine.eventually("systemctl is-active --quiet claimsd")
            }
        }
    }

    /// Stopping with requests in flight: the source holds back its answer.
    @Suite struct Stopping {
        private let site = """
            { source: { url: "http://127.0.0.1:\(InstalledService.port)/packs.json", interval: "1h" } }
            """

        /// A daemon that has a request for a refresh in flight.
        private func refreshing() throws -> (service: InstalledService, client: LineClient) {
            let service = try InstalledService.fresh(["/etc/claimsd/collections.d/packs.json5": site])
            try service.startUpstream()
            try service.start()
            try service.misbehave("packs.json", #"{"hold":true}"#)
            let client = try service.connect()
            try client.send(#"{"id":7,"method":"refresh","params":{"collection":"packs","wait":true}}"#)
            try service.awaitRequests("packs.json", count: 2)
            return (service, client)
        }

        @Test func `a refresh that ends in time is waited for`() throws {
            let (service, client) = try refreshing()
            try service.write(["/srv/packs.json": #"[{"id":"1"},{"id":"2"},{"id":"11"}]"#])
            try service.machine.check(
                "systemctl stop --no-block claimsd; until test $(systemctl is-active claimsd) = deactivating; do :; done"
            )
            try service.release("packs.json")
            let answer = try JSONValue.parse(try #require(try client.receive()))
            #expect(answer["id"]?.integer == 7)
            #expect(answer.at("result", "collections", "0", "outcome")?.string == "updated", "\(answer)")
            #expect(try client.receive() == nil)
            try service.machine.eventually("test $(systemctl is-active claimsd) = inactive")
            // Its data was stored before that was said.
            try service.machine.check("systemctl stop upstream && systemctl start claimsd")
            #expect(Set(try service.packs()) == ["1", "2", "11"])
        }

        @Test func `a refresh that does not end is given up in time, and its client is told`() throws {
            let (service, client) = try refreshing()
            let start = SystemClock.monotonic
            try service.machine.check("systemctl stop claimsd claimsd.socket")
            #expect(SystemClock.monotonic - start < 5_000_000_000)
            let answer = try JSONValue.parse(try #require(try client.receive()))
            #expect(answer.at("result", "collections", "0", "outcome")?.string == "skipped", "\(answer)")
            #expect(try service.property("Result") == "success")
            #expect(try service.property("ExecMainStatus") == "0")
        }
    }
}
