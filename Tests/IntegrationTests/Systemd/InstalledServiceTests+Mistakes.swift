// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsSystemd
import ClaimsTestSupport
import Testing

extension InstalledServiceTests {
    /// Mistakes in the configuration never stop the service, and mending them is enough.
    @Suite struct Mistakes {
        /// A mistake in the files of a site.
        struct Mistake: Sendable, CustomTestStringConvertible {
            let name: String
            /// A shell command that makes the mistake.
            let commit: String
            /// The file that is told of.
            let file: String
            /// Part of what is said.
            let message: String

            init(_ name: String, _ commit: String, file: String = packs, says message: String) {
                self.name = name
                self.commit = commit
                self.file = file
                self.message = message
            }

            var testDescription: String { name }
        }

        private static let folder = "/etc/claimsd/collections.d"
        private static let packs = "\(folder)/packs.json5"

        private static func write(_ text: String, to file: String = packs) -> String {
            "cat > \(file) <<'END'\n\(text)\nEND"
        }

        static let mistakes = [
            Mistake(
                "a comma that is missing",
                write("{ source: {\n  url: 'file:///srv/packs.json' // the packs\n  interval: '1h' } }"),
                says: ":2:8: expected ',' or '}' after this value"),
            Mistake("an empty file", ": > \(packs)", says: "expected a value, but the file ends here"),
            Mistake("an unknown key", write("{ source: { intervall: '1h' } }"), says: "did you mean 'interval'?"),
            Mistake("a file that cannot be read", "chmod 000 \(packs)", says: "Permission denied"),
            Mistake("a link that leads nowhere", "ln -sf /nowhere \(packs)", says: "the link leads nowhere"),
            Mistake(
                "an address with a wrong scheme", write("{ source: { url: 'htps://example.com' } }"),
                says: "begins with https://"),
            Mistake("a bundle that is not there", write("{ bundle: 'b/none.json' }"), says: "b/none.json"),
            Mistake("a view with a wrong filter", write("{ views: { a: 'stats=x' } }"), says: "did you mean"),
            Mistake(
                "a folder that cannot be listed", "chmod 711 \(folder)", file: folder, says: "Permission denied"),
            Mistake(
                "settings with a wrong value", write("{ limits: { line: '1Q' } }", to: "/etc/claimsd/claimsd.json5"),
                file: "/etc/claimsd/claimsd.json5", says: "limits.line"),
            Mistake(
                "a misspelt file", write("{ source: {} }", to: "\(folder)/unit.json5"),
                file: "\(folder)/unit.json5", says: "did you mean units.json5?"),
        ]

        private let mend = """
            chmod 755 \(folder); rm -f \(folder)/* /etc/claimsd/claimsd.json5
            printf '%s' '\(InstalledService.site)' > \(packs)
            """

        @Test(arguments: mistakes)
        func `a mistake stops nothing at a reload, a restart and a boot, and is told until it is mended`(
            mistake: Mistake
        ) throws {
            let service = try InstalledService.fresh()
            let machine = service.machine
            try service.start()
            // A client that asks without pause, over restarts.
            try machine.check(
                """
                systemctl stop asker 2>/dev/null; rm -f /run/enough
                systemd-run --quiet --unit=asker --property=Type=exec --collect sh -c \
                  'ask() { claimsctl -q count --country >/dev/null; }
                  while [ ! -e /run/enough ]; do ask || echo $? >> /srv/missed; done'
                """)
            try machine.check(mistake.commit)
            #expect(try machine.run("systemctl reload claimsd").isSuccess == false)
            try expectTold(mistake, service)
            try machine.check("systemctl restart claimsd")
            try expectTold(mistake, service)
            try machine.check("touch /run/enough; while systemctl is-active --quiet asker; do sleep 0.02; done")
            #expect(try machine.run("cat /srv/missed").output == "")

            // As after a boot: the socket comes first, and its first client starts the service.
            try machine.check(
                """
                rm /run/enough; systemctl stop claimsd claimsd.socket; rm -rf /run/claimsd
                systemctl start claimsd.socket
                """)
            let waiting = try service.connect()
            #expect(try waiting.request("ping")["result"] != nil)
            try expectTold(mistake, service)
            #expect(try service.property("NRestarts") == "0")

            try machine.check(mend)
            try machine.check("systemctl reload claimsd")
            _ = try service.awaitJournal(.configurationMended)
            try machine.eventually("! claimsctl status -o table | grep -q 'claimsd --check-config'")
            try machine.eventually("! systemctl show claimsd -P StatusText | grep -q mistake")
            #expect(try service.packs() == ["1", "2", "10"])
            let check = try machine.run("claimsd --check-config")
            #expect(check.status == .exited(0), "\(check.error)")
        }

        @Test(arguments: mistakes)
        func `with a mistake from the first start on, all else is served, and mending it is enough`(
            mistake: Mistake
        ) throws {
            let service = try InstalledService.fresh()
            let machine = service.machine
            try machine.check(mistake.commit)
            try machine.check("systemctl start claimsd")
            #expect(try service.ask("count --country -o json") != "")
            try expectTold(mistake, service, isServed: false)
            try machine.check(mend)
            try machine.check("systemctl reload claimsd")
            try machine.eventually("claimsctl search --pack -o name 2>/dev/null | grep -q 10")
            #expect(try service.property("NRestarts") == "0")
        }

        /// Expects that the service runs, and that all of its reports name the mistake.
        ///
        /// - Parameter isServed: whether the site's collection is served as it was before.
        private func expectTold(_ mistake: Mistake, _ service: InstalledService, isServed: Bool = true) throws {
            #expect(try service.machine.run("systemctl is-active claimsd claimsd.socket").output == "active\nactive\n")
            if isServed { #expect(try service.packs() == ["1", "2", "10"]) }
            #expect(try service.ask("count --country") != "")
            let status = try service.connect().request("status")
            let problem = try #require(status.at("result", "problems", "0"), "\(status)")
            #expect(problem["file"]?.string == mistake.file)
            let entry = try service.awaitJournal(.configurationMistaken)
            #expect(entry["PRIORITY"]?.string == "3")
            let said = try #require(entry["MESSAGE"]?.string)
            #expect(said.contains(mistake.file) && said.contains(mistake.message), "\(said)")
            try service.machine.eventually("systemctl show claimsd -P StatusText | grep -q '1 mistake'")
            #expect(try service.property("StatusText").contains(mistake.file))
            let check = try service.machine.run("claimsd --check-config")
            #expect(check.status == .exited(78))
            #expect(check.error.contains(mistake.message), "\(check.error)")
        }
    }
}
