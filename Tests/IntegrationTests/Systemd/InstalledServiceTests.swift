// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsSystemd
import ClaimsTestSupport
import Testing

/// The daemon as systemd runs it: installed, started, killed, reloaded and stopped for real. One after the other, for
/// they share a machine.
@Suite(.needsSystemd, .serialized) struct InstalledServiceTests {
    @Suite struct Life {
        @Test func `an installed service starts, answers, keeps what it acknowledged, and stops`() throws {
            let service = try InstalledService.fresh()
            let machine = service.machine
            try service.start()
            #expect(try service.property("ActiveState") == "active")
            let status = try service.property("StatusText")
            #expect(status.hasPrefix("5 collections"), "\(status)")
            let permissions = try machine.check("stat -c '%a %G' /run/claimsd/claimsd.sock")
            #expect(permissions == "660 claims\n")
            let folders = try machine.check("stat -c '%a %U' /var/lib/claimsd /var/cache/claimsd")
            #expect(folders == "700 claimsd\n700 claimsd\n")
            #expect(try service.packs() == ["1", "2", "10"])
            #expect(try service.journal(.ready).count == 1)

            try service.ask("archive --pack 2")
            #expect(try service.packs() == ["1", "10"])
            try machine.check("systemctl restart claimsd")
            #expect(try service.packs() == ["1", "10"])
            let socket = try machine.check("stat -c '%a %G' /run/claimsd/claimsd.sock")
            #expect(socket == permissions)

            // Killed: a client that comes meanwhile waits in the socket's queue, and is answered by the next one.
            let pid = try service.property("MainPID")
            try machine.check("kill -9 \(pid)")
            #expect(try service.packs() == ["1", "10"])
            #expect(try service.property("NRestarts") == "1")
            #expect(try service.property("MainPID") != pid)

            let client = try service.connect()
            let start = SystemClock.monotonic
            try machine.check("systemctl stop claimsd claimsd.socket")
            #expect(SystemClock.monotonic - start < 5_000_000_000, "an idle client keeps the daemon from stopping")
            #expect(try client.receive() == nil)
            #expect(try service.property("Result") == "success")
            #expect(try service.property("ExecMainStatus") == "0")
            #expect(try machine.run("claimsctl status").status == .exited(4))
        }

        @Test func `a cleaned cache is made anew from the state`() throws {
            let service = try InstalledService.fresh()
            let machine = service.machine
            try service.start()
            try service.ask("archive --pack 2")
            try machine.check("systemctl stop claimsd claimsd.socket && systemctl clean --what=cache claimsd")
            #expect(try machine.run("ls -A /var/cache/claimsd").output == "")
            try machine.check("rm /srv/packs.json && systemctl start claimsd")
            #expect(try service.packs() == ["1", "10"])
            let rebuilt = try #require(try service.journal(.snapshotRebuilt).first)
            #expect(rebuilt["CLAIMSD_COLLECTION"]?.string == "packs")
            #expect(rebuilt["CLAIMSD_RECORDS"]?.string == "3")
        }

        @Test func `a user's own daemon lives in the user's folders, and keeps its socket over a restart`() throws {
            let service = try InstalledService.fresh()
            let machine = service.machine
            try machine.check("id -u ann >/dev/null 2>&1 || useradd --create-home ann")
            try machine.check("loginctl enable-linger ann")
            defer { _ = try? machine.run("loginctl disable-linger ann") }
            try machine.eventually("systemctl is-active --quiet user@$(id -u ann)")
            let own = "runuser -u ann -- env HOME=/home/ann XDG_RUNTIME_DIR=/run/user/$(id -u ann)"
            try machine.check("\(own) systemctl --user start claimsd")
            for _ in 0..<2 {
                let count = try machine.check("\(own) claimsctl count --country -o json")
                #expect(count.contains("\"total\""))
                let permissions = try machine.check("stat -c '%a %U' /run/user/$(id -u ann)/claimsd/claimsd.sock")
                #expect(permissions.hasSuffix(" ann\n"))
                try machine.check("\(own) systemctl --user restart claimsd")
            }
            try machine.check("test -e /home/ann/.local/state/claimsd/state.db")
            try machine.check("\(own) systemctl --user stop claimsd")
        }
    }

    @Suite struct Configuration {
        private let broken = ["/etc/claimsd/collections.d/packs.json5": "{ source: { intervall: 3 } }"]

        @Test func `a broken definition leaves the old one in force, and the journal says why`() throws {
            let service = try InstalledService.fresh()
            let machine = service.machine
            try service.start()

            try service.write(broken)
            #expect(try machine.run("systemctl reload claimsd").isSuccess == false)
            let entry = try service.awaitJournal(.configurationMistaken)
            #expect(entry["PRIORITY"]?.string == "3")
            #expect(entry["SYSLOG_IDENTIFIER"]?.string == "claimsd")
            let reason = try #require(entry["CLAIMSD_REASON"]?.string)
            #expect(reason.contains("packs.json5") && reason.contains("source.intervall"), "\(reason)")
            #expect(entry["MESSAGE"]?.string?.contains(reason) == true)
            let explained = try machine.check("journalctl -u claimsd --catalog")
            #expect(explained.contains("There is a mistake in the configuration"))
            #expect(!explained.contains("CLAIMSD_"), "the catalogue names a field that is missing: \(explained)")
            #expect(try service.packs() == ["1", "2", "10"])
            #expect(try service.property("ActiveState") == "active")
            let check = try machine.run("claimsd --check-config")
            #expect(check.status == .exited(78))
            #expect(check.error.contains("source.intervall"))

            try service.write(["/etc/claimsd/collections.d/packs.json5": #"{ title: "Parcels" }"#])
            try machine.check("systemctl reload claimsd")
            _ = try service.awaitJournal(.reloaded)
            try machine.eventually("claimsctl describe -o json | grep -q Parcels")
            #expect(try service.property("NRestarts") == "0")
        }

        @Test func `a definition that is wrong at start costs its collection only, and mending it is enough`() throws {
            let service = try InstalledService.fresh(broken)
            let machine = service.machine
            try machine.check("systemctl start claimsd")
            #expect(try service.property("ActiveState") == "active")
            #expect(try service.property("StatusText").contains("1 mistake in the configuration: "))
            let entry = try #require(try service.journal(.configurationMistaken).first)
            #expect(entry["CLAIMSD_REASON"]?.string?.contains("source.intervall") == true)
            #expect(entry["CLAIMSD_COLLECTION"]?.string == "packs")
            let status = try machine.check("claimsctl status -o table")
            #expect(status.contains("source.intervall") && status.contains("systemctl reload claimsd"), "\(status)")
            #expect(try machine.check("claimsctl count --collection countries").contains("2"))
            try service.write(["/etc/claimsd/collections.d/packs.json5": #"{ title: "Parcels" }"#])
            try machine.check("systemctl reload claimsd")
            _ = try service.awaitJournal(.configurationMended)
            try machine.eventually("claimsctl describe -o json | grep -q Parcels")
        }

        @Test func `a configuration without any collection ends with 78, and is not tried again`() throws {
            let service = try InstalledService.fresh(["/srv/data/claimsd.json5": "{}"])
            let machine = service.machine
            try machine.check("rm /etc/claimsd/collections.d/*")
            let unit = try service.install(variant: "empty", ["Environment=CLAIMSD_DATA_DIR=/srv/data"])
            try machine.check("systemctl daemon-reload")
            #expect(try machine.run("systemctl start \(unit)").isSuccess == false)
            #expect(try service.property("ExecMainStatus", of: unit) == "78")
            #expect(try service.property("ActiveState", of: unit) == "failed")
            #expect(try service.property("NRestarts", of: unit) == "0")
            #expect(try service.journal(.configurationInvalid, of: unit).count == 1)
        }
    }
}
