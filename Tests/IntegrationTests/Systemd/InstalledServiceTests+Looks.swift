// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsSystemd
import ClaimsTestSupport
import Testing

extension InstalledServiceTests {
    /// The accounts of shown records in a real journal.
    @Suite struct Looks {
        private func service() throws -> InstalledService {
            let service = try InstalledService.fresh([
                "/etc/claimsd/claimsd.json5": "{ access: { journal: { every: '1s', ids: 2 } } }",
                "/etc/claimsd/collections.d/packs.json5": """
                { source: { url: "file:///srv/packs.json" },
                  access: { journal: true, rules: [
                    { to: { users: ["games"] }, rows: "sender=Anna,Jan", masks: { sender: "last4" }, may: [] },
                    { to: { groups: ["claims-leads"] } } ] } }
                """,
            ])
            try service.machine.check(
                "getent group claims-leads || groupadd claims-leads; usermod -aG claims,claims-leads mail")
            try service.start()
            return service
        }

        /// A command that asks as a user in a unit of its own.
        private func ask(_ arguments: String, as user: String, unit: String, group: String = "claims") -> String {
            "systemd-run --quiet --wait --pipe --unit \(unit) --uid \(user) -p SupplementaryGroups=\(group) "
                + "claimsctl \(arguments)"
        }

        /// The entries about a user, each with the fields of the daemon, once there is one that a test accepts.
        private func entries(
            _ service: InstalledService, of user: String, where isMeant: (JSONValue) -> Bool
        ) throws -> JSONValue {
            let find =
                "journalctl --sync; journalctl -o json MESSAGE_ID=\(LogEvent.recordsShown.rawValue) "
                + "CLAIMSD_PEER_UID=$(id -u \(user))"
            for _ in 0..<300 {
                for line in try service.machine.check(find).split(separator: "\n").reversed() {
                    let entry = try JSONValue.parse(Array(line.utf8))
                    if isMeant(entry) { return entry }
                }
                try service.machine.check("sleep 0.1")
            }
            throw TestFailure(try service.machine.check(find))
        }

        @Test func `the journal tells who was shown which records, by which rule, from which unit, and what for`()
            throws
        {
            let service = try service()
            let machine = service.machine
            // The process of a short command may have ended before anybody looks at it; this one stays.
            let lines =
                #"{"id":1,"method":"hello","params":{"purpose":"claim 7"}}\n{"id":2,"method":"search","params":{"collection":"packs"}}\n"#
            try machine.check(
                "systemd-run --quiet --unit desk-1 --uid games -p SupplementaryGroups=claims "
                    + "sh -c '(printf \"$0\"; sleep 60) | claimsctl stdio' '\(lines)'")
            defer { _ = try? machine.run("systemctl stop desk-1") }
            let search = try entries(service, of: "games") { $0["CLAIMSD_METHODS"]?.string == "search=1" }
            #expect(search["CLAIMSD_COLLECTION"] == "packs")
            #expect(search["CLAIMSD_PEER_UNIT"] == "desk-1.service")
            #expect(search["CLAIMSD_PEER_LOGINUID"] == nil)
            #expect(search["CLAIMSD_RULE"] == "1")
            #expect(search["CLAIMSD_PURPOSE"] == "claim 7")
            #expect(search["CLAIMSD_RECORDS"] == "2")
            #expect(search["CLAIMSD_IDS"]?.string == #"["1","2"]"#)
            #expect(search["CLAIMSD_IDS_MORE"] == "0")
            #expect(search["PRIORITY"] == "6")
            // A record outside its rows is one that is nowhere.
            _ = try machine.run(ask("detail --pack 10", as: "games", unit: "desk-2"))
            let miss = try entries(service, of: "games") { $0["CLAIMSD_MISSES"] == "1" }
            #expect(miss["CLAIMSD_METHODS"] == "detail=1" && miss["CLAIMSD_RECORDS"] == "0")
            _ = try machine.run(ask("archive --pack 1", as: "games", unit: "desk-3"))
            let refusal = try entries(service, of: "games") { $0["CLAIMSD_REFUSED"] == "1" }
            #expect(refusal["CLAIMSD_METHODS"] == "archive=1")
            // One that sees nothing is counted where it names the collection.
            _ = try machine.run(ask("search --pack", as: "news", unit: "desk-4"))
            let stranger = try entries(service, of: "news") { $0["CLAIMSD_REFUSED"] == "1" }
            #expect(stranger["CLAIMSD_RULE"] == nil && stranger["CLAIMSD_RECORDS"] == "0")
            // All records, of which two are named.
            try machine.check(ask("search --pack -o name", as: "mail", unit: "desk-5", group: "'claims claims-leads'"))
            let lead = try entries(service, of: "mail") { $0["CLAIMSD_RECORDS"] == "3" }
            #expect(lead["CLAIMSD_RULE"] == "2" && lead["CLAIMSD_IDS_MORE"] == "1")
            #expect(lead["CLAIMSD_IDS"]?.string == #"["1","2"]"#)
            // No value is in the journal, and the catalogue explains the entry.
            #expect(try machine.run("journalctl -u claimsd -o export | grep -E 'Anna|Jan|Ola'").status == .exited(1))
            let explained = try machine.check(
                "journalctl -x -n 1 MESSAGE_ID=\(LogEvent.recordsShown.rawValue) CLAIMSD_PEER_UID=$(id -u mail)")
            #expect(explained.contains("The requests, by method: search=1"), "\(explained)")
            #expect(!explained.contains("CLAIMSD_"), "\(explained)")
        }

        @Test func `a stop tells what was counted, and a journal that was stopped is told later`() throws {
            let service = try service()
            let machine = service.machine
            try service.write(["/etc/claimsd/claimsd.json5": "{ access: { journal: { every: '10min' } } }"])
            try machine.check("systemctl reload claimsd")
            try machine.check(ask("detail --pack 2", as: "games", unit: "desk-6"))
            try machine.check("systemctl stop claimsd")
            _ = try entries(service, of: "games") { $0["CLAIMSD_IDS"]?.string == #"["2"]"# }
            try service.start()
            // journald stands still: the daemon answers on, and stops in time.
            let pid = try machine.check("systemctl show -P MainPID systemd-journald").prefix { $0 != "\n" }
            try service.halt(String(pid))
            for _ in 0..<20 { try machine.check("claimsctl detail --pack 2 >/dev/null") }
            try machine.check("kill -CONT \(pid)")
            try machine.check("systemctl stop claimsd")
            let root = try entries(service, of: "root") { $0["CLAIMSD_METHODS"]?.string?.contains("detail=20") == true }
            #expect(root["CLAIMSD_RULE"] == "0" && root["CLAIMSD_RECORDS"]?.string != nil)
        }
    }
}
