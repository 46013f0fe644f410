// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsSystemd
import ClaimsTestSupport
import Testing

extension InstalledServiceTests {
    /// Starts that cannot succeed: they end within seconds, are seen, and mending is enough.
    @Suite struct Failures {
        /// A cause for which the service cannot start, and what takes it away.
        struct Cause: Sendable, CustomTestStringConvertible {
            let name: String
            /// A shell command that brings the cause about while the service is stopped.
            let commit: String
            let mend: String
            /// The exit status of the service's last process.
            let status: String
            /// Part of a line of the unit's journal.
            let sentence: String

            var testDescription: String { name }
        }

        private static let state = "/var/lib/claimsd/state.db"
        static let causes = [
            Cause(
                name: "a state database of a newer version",
                commit: "sqlite3 \(state) 'PRAGMA user_version = 99'",
                mend: "rm \(state)*", status: "78", sentence: "is of a newer claimsd (version 99"),
            Cause(
                name: "a state database of another program",
                commit: "rm -f \(state)*; sqlite3 \(state) 'CREATE TABLE t(x)'; chown claimsd \(state)",
                mend: "rm \(state)*", status: "78", sentence: "\(state) is a database of another program"),
            Cause(
                name: "a state database of another user",
                commit: "chown root:root \(state)*; chmod 600 \(state)*",
                mend: "chown claimsd:claims \(state)*", status: "78",
                sentence: "\(state) belongs to the user root, and claimsd runs as claimsd"),
            Cause(
                name: "no folder of credentials", commit: "rmdir /etc/claimsd/credentials",
                mend: "systemd-tmpfiles --create claimsd.conf", status: "243", sentence: "credentials"),
            Cause(
                name: "a credential with a name that systemd refuses",
                commit: "touch /etc/claimsd/credentials/a:b", mend: "rm /etc/claimsd/credentials/a:b",
                status: "243", sentence: "credentials"),
            Cause(
                name: "a missing library",
                commit: """
                    ldd /usr/bin/claimsd | awk '/libsqlite3/ { print $3 }' > /run/library
                    mount --bind /dev/null $(cat /run/library)
                    """,
                mend: "umount $(cat /run/library)", status: "127", sentence: "libsqlite3"),
        ]

        @Test(arguments: causes)
        func `a service that cannot start fails with its socket, and mending it is enough`(cause: Cause) throws {
            let service = try InstalledService.fresh()
            let machine = service.machine
            try service.start()
            try machine.check("systemctl stop claimsd.socket claimsd")
            try machine.check(cause.commit)
            try machine.check("systemctl start claimsd.socket")
            // A client that waits: without the limit, systemd would start the service for it again and again.
            let waiting = try service.connect()
            try waiting.send(#"{"id":1,"method":"ping"}"#)
            let begin = SystemClock.monotonic
            try machine.eventually(
                "systemctl is-failed --quiet claimsd.service && systemctl is-failed --quiet claimsd.socket")
            #expect(SystemClock.monotonic - begin < 15_000_000_000)
            #expect(try waiting.receive() == nil)
            #expect(try machine.run("claimsctl status").status == .exited(4))
            #expect(try service.property("ExecMainStatus") == cause.status)
            let journal = try machine.check("journalctl --sync; journalctl -u claimsd.service -o cat")
            #expect(journal.contains(cause.sentence), "\(journal)")

            try machine.check(cause.mend)
            if cause.name == Self.causes[0].name {
                // Refused in the rest of the ten seconds; then it is enough.
                try machine.eventually("systemctl start claimsd 2>/dev/null")
            } else {
                try machine.check("systemctl reset-failed claimsd.service claimsd.socket; systemctl start claimsd")
            }
            #expect(try machine.run("systemctl is-active claimsd.service claimsd.socket").output == "active\nactive\n")
            #expect(try service.ask("count --country") != "")
        }

        @Test func `a start by hand that fails says so at once, and is not repeated`() throws {
            let service = try InstalledService.fresh()
            let machine = service.machine
            try service.start()
            try machine.check("systemctl stop claimsd.socket claimsd")
            try machine.check(Self.causes[0].commit)
            #expect(try machine.run("systemctl start claimsd").isSuccess == false)
            #expect(try service.property("ActiveState") == "failed")
            #expect(try service.property("NRestarts") == "0")
            let entry = try #require(try service.journal(.stateUnusable).first)
            #expect(entry["PRIORITY"]?.string == "2")
            #expect(entry["CLAIMSD_PATH"]?.string == Self.state)
        }

        @Test func `a folder of another user ends the start with its name, and is not tried again`() throws {
            let service = try InstalledService.fresh()
            let machine = service.machine
            for option in ["--cache-dir", "--state-dir"] {
                let unit = try service.install(
                    variant: "strange",
                    ["ReadWritePaths=/srv", "ExecStart=", "ExecStart=/usr/bin/claimsd \(option)=/srv/strange"])
                try machine.check("mkdir -p -m 700 /srv/strange && systemctl daemon-reload")
                #expect(try machine.run("systemctl start \(unit)").isSuccess == false)
                #expect(try service.property("ExecMainStatus", of: unit) == "78")
                #expect(try service.property("NRestarts", of: unit) == "0")
                let entry = try #require(try service.journal(.folderUnusable, of: unit).first)
                #expect(
                    entry["MESSAGE"]?.string
                        == "the folder /srv/strange cannot be used: /srv/strange belongs to the user root, and "
                        + "claimsd runs as claimsd")
            }
        }

        @Test func `a read-only folder is tried again for some seconds only`() throws {
            let service = try InstalledService.fresh()
            let machine = service.machine
            let unit = try service.install(
                variant: "readonly", ["ExecStart=", "ExecStart=/usr/bin/claimsd --cache-dir=/srv/cache"])
            try machine.check("mkdir /srv/cache && chown claimsd /srv/cache && systemctl daemon-reload")
            #expect(try machine.run("systemctl start \(unit)").isSuccess == false)
            try machine.eventually("systemctl is-failed --quiet \(unit)")
            #expect(try service.property("NRestarts", of: unit) == "5")
            let entry = try #require(try service.journal(.folderUnusable, of: unit).first)
            #expect(entry["MESSAGE"]?.string?.contains("/srv/cache") == true)
        }
    }
}
