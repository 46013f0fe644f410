// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

extension InstalledServiceTests {
    /// claimsd-recipes(7): each block of the page, as it stands there, on a machine with a service that serves units.
    @Suite struct Recipes {
        private static let units = ["2", "3", "4", "5", "6"]

        @Test func `every block of the page works`() throws {
            let service = try InstalledService.fresh([
                "/etc/claimsd/collections.d/units.json5": #"{ source: { url: "file:///srv/units.json" } }"#,
                "/srv/units.json": Site.units,
            ])
            try service.start()
            try service.machine.eventually("claimsctl count --unit 2>/dev/null | grep -qx 7")
            var page = try DocumentedBlocks("Recipes")
            try shell(service, &page)
            try python(service, &page)
            try timer(service, &page)
            try monitoring(service, &page)
            try interfaces(service, &page)
            try otherHost(service, &page)
            #expect(page.blocks.isEmpty, "a block that no test runs: \(page.blocks)")
        }

        private func shell(_ service: InstalledService, _ page: inout DocumentedBlocks) throws {
            let found = try service.machine.check(page.next("sh"))
            #expect(
                found.split(separator: "\n").map { $0.prefix { $0 != "\t" } }.sorted() == Self.units.map { $0[...] })
            #expect(found.contains("\tPump south\n"), "\(found)")
            let all = try service.machine.check(page.next("sh").replacing("\"limit\":100", with: "\"limit\":2"))
            #expect(all.split(separator: "\n").sorted() == ["1", "10", "2", "3", "4", "5", "6"])
        }

        private func python(_ service: InstalledService, _ page: inout DocumentedBlocks) throws {
            let machine = service.machine
            try service.write(["/srv/list.py": page.next("python"), "/srv/held.py": page.next("python")])
            let list = try machine.check("python3 /srv/list.py")
            #expect(list.split(separator: "\n").map { $0.prefix { $0 != " " } }.sorted() == Self.units.map { $0[...] })

            try machine.check(
                "systemd-run --quiet --collect --unit=held --property=StandardOutput=file:/srv/held "
                    + "python3 /srv/held.py")
            defer { _ = try? machine.run("systemctl stop held") }
            try machine.eventually("tail -n 1 /srv/held | grep -q ' 2 3 4 5 6$'")
            try machine.check("systemctl restart claimsd")
            try service.write(["/srv/units.json": #"[{"id":"1","status":"faulty"},{"id":"9","status":"ok"}]"#])
            try machine.check("claimsctl refresh --unit --wait --force --accept")
            try machine.eventually("tail -n 1 /srv/held | grep -q '^[^ ]* 1$'")
            try service.write(["/srv/units.json": Site.units])
            try machine.check("claimsctl refresh --unit --wait --force --accept")
            try machine.eventually("tail -n 1 /srv/held | grep -q ' 2 3 4 5 6$'")
        }

        private func timer(_ service: InstalledService, _ page: inout DocumentedBlocks) throws {
            let machine = service.machine
            let units = try [page.nextFile("ini"), page.nextFile("ini")]
            defer {
                _ = try? machine.run(
                    "systemctl disable --now units-refresh.timer; rm \(units.map(\.path).joined(separator: " "))")
            }
            try service.write(Dictionary(uniqueKeysWithValues: units.map { ($0.path, $0.text) }))
            try machine.check(page.next("sh"))
            #expect(try service.property("NextElapseUSecRealtime", of: "units-refresh.timer").contains(" 06:4"))
            try machine.check("systemd-analyze verify \(units.map(\.path).joined(separator: " "))")
            try service.write(["/srv/units.json": #"[{"id":"1","status":"ok"},{"id":"2","status":"faulty"}]"#])
            try machine.check("claimsctl refresh --unit --accept --wait; systemctl start units-refresh.service")
            #expect(try service.property("Result", of: "units-refresh.service") == "success")
            try machine.check("rm /srv/units.json")
            #expect(try machine.run("systemctl start units-refresh.service").status != .exited(0))
            #expect(try service.property("ExecMainStatus", of: "units-refresh.service") == "11")
            try service.write(["/srv/units.json": Site.units])
            try machine.check("claimsctl refresh --unit --accept --force --wait")
        }

        private func monitoring(_ service: InstalledService, _ page: inout DocumentedBlocks) throws {
            let machine = service.machine
            let cron = try page.nextFile("")
            #expect(cron.path == "/etc/cron.d/units-csv")
            let line = try #require(cron.text.split(separator: "\n").last)
            let words = line.split(separator: " ", maxSplits: 6)
            #expect(words.prefix(6).joined(separator: " ") == "0 2 * * * clerk")
            try machine.check("mkdir -p /srv/share; \(words[6])")
            let list = try Files.readText(machine.path("/srv/share/units.csv"), cap: 1 << 16)
            #expect(list.hasPrefix("\u{FEFF}id,name,status\r\n") && list.contains("2,Pump south,faulty\r\n"), "\(list)")

            let file = "/var/lib/prometheus/node-exporter/claimsd.prom"
            defer {
                _ = try? machine.run("systemctl disable --now claimsd-metrics.timer; rm -rf /var/lib/prometheus")
            }
            // Without node_exporter there is nobody to write for.
            try machine.check("systemctl start claimsd-metrics.service")
            #expect(try service.property("ConditionResult", of: "claimsd-metrics.service") == "no")
            try machine.check("mkdir -p /var/lib/prometheus/node-exporter")
            try machine.check(page.next("sh"))
            try machine.eventually("grep -qx 'claimsd_up 1' \(file)")
            try machine.check("grep -qx 'claimsd_records{collection=\"units\"} 7' \(file)")
            #expect(try page.next("yaml").contains("claimsd_condition{"))

            let commands = try page.nextFile("").text.split(separator: "\n").dropFirst()
            #expect(commands.count == 3)
            for (command, expected) in zip(commands, ["OK - ", "WARNING - units: 5 match | ", "UNKNOWN - "]) {
                let parts = command.split(separator: "=", maxSplits: 1)
                #expect(parts[0].hasPrefix("command[check_"))
                let told = try machine.run(String(parts[1])).output
                #expect(told.hasPrefix("CLAIMSD \(expected)"), "\(told)")
            }
        }

        private func interfaces(_ service: InstalledService, _ page: inout DocumentedBlocks) throws {
            let machine = service.machine
            let api = ExampleInterface(service)
            try api.start()
            defer { _ = try? machine.run("systemctl stop upstream; rm -f /etc/claimsd/credentials/*") }
            let draft = api.local(try page.next("sh"))
            try machine.check("cd /srv; set -e\n\(draft)")
            #expect(try machine.check("claimsctl count --collection valves") == "5\n")

            var names: [String] = []
            while let file = try page.nextDefinition() {
                try service.write([file.path: api.local(file.text)])
                names.append(String(file.path.split(separator: "/").last?.dropLast(".json5".count) ?? ""))
            }
            #expect(names == ["pumps", "orders", "machines", "tickets", "meters"])
            try machine.check("claimsd --check-config && systemctl restart claimsd")
            for name in names {
                let answer = try service.connect().request("refresh", #"{"collection":"\#(name)","wait":true}"#)
                let outcomes = answer.at("result", "collections")?.array?.map { $0["outcome"]?.string ?? "" } ?? []
                #expect(
                    !outcomes.isEmpty && outcomes.allSatisfy { ["updated", "unchanged"].contains($0) }, "\(answer)")
                #expect(try machine.check("claimsctl count --collection \(name)") == "5\n", "\(name)")
            }
        }

        private func otherHost(_ service: InstalledService, _ page: inout DocumentedBlocks) throws {
            let machine = service.machine
            try machine.check(
                """
                rm -rf ~/.ssh; mkdir -p /run/sshd; ssh-keygen -A >/dev/null
                echo 127.0.0.1 depot.example >>/etc/hosts
                /usr/sbin/sshd -o PidFile=/run/sshd.pid
                """)
            defer {
                _ = try? machine.run("kill $(cat /run/sshd.pid); userdel -r reader; rm -rf ~/.ssh /root/claims.pub")
            }
            try machine.check(page.next("sh"))
            try machine.check("cp ~/.ssh/claims.pub /root; cd /root; " + page.next("sh"))
            let file = try page.nextFile("")
            try service.write(["/root/.ssh/config": file.text])
            #expect(file.path == "~/.ssh/config")
            try machine.eventually(
                "ssh-keyscan -t ed25519 depot.example 2>/dev/null >~/.ssh/known_hosts; test -s ~/.ssh/known_hosts")
            let found = try machine.check(page.next("sh"))
            #expect(found.hasPrefix("name\tstatus\n") && found.contains("Pump south\tfaulty\n"), "\(found)")
            try service.write(["/srv/host.py": page.next("python")])
            #expect(try machine.check("python3 /srv/host.py") == "5\n")
        }
    }
}
