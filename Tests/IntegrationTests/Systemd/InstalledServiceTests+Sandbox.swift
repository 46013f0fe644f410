// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsSystemd
import ClaimsTestSupport
import Testing

extension InstalledServiceTests {
    /// The rights of the service, and what it is given.
    @Suite struct Sandbox {
        @Test func `the running service's exposure is at most 1.4, and its clients keep their names`() throws {
            let service = try InstalledService.fresh()
            let machine = service.machine
            try machine.check("systemctl start claimsd")
            try machine.check("systemd-analyze security --threshold=14 --no-pager claimsd.service")
            let hello = try machine.check(
                "systemd-run --quiet --pipe --wait --unit=asker claimsctl raw '{\"id\":1,\"method\":\"hello\"}'")
            let you = try #require(try JSONValue.parse(hello).at("result", "you"))
            #expect(you["uid"]?.integer == 0)
            #expect(you["unit"]?.string == "asker.service")
            #expect(try #require(you["pid"]?.integer) > 0)
        }

        private let secret = "s3cret-\(RandomBytes.hexadecimal(8))"

        @Test func `a credential reaches its upstream, and nothing else`() throws {
            let service = try InstalledService.fresh([
                "/etc/claimsd/collections.d/packs.json5": """
                { source: { url: "http://127.0.0.1:\(InstalledService.port)/packs.json", credential: "example" } }
                """,
                "/etc/claimsd/credentials/example": secret + "\n",
                "/etc/systemd/system/claimsd.service.d/credential.conf":
                    "[Service]\nLoadCredential=example:/etc/claimsd/credentials/example\n",
            ])
            let machine = service.machine
            try machine.check("chmod 600 /etc/claimsd/credentials/example")
            try service.startUpstream()
            try service.misbehave("packs.json", #"{"require":{"authorization":"Bearer \#(secret)"}}"#)
            try service.start()
            #expect(try service.packs() == ["1", "2", "10"])
            #expect(try machine.check("systemctl cat claimsd").contains(secret) == false)

            // Another one: refused, and the journal says so without saying the token.
            try service.write(["/etc/claimsd/credentials/example": "wrong-" + secret])
            try machine.check("systemctl restart claimsd")
            let answer = try service.connect().request("refresh", #"{"collection":"packs","wait":true,"force":true}"#)
            #expect(answer.at("result", "collections", "0", "outcome")?.string == "failed")
            let entry = try service.awaitJournal(.sourceRefused)
            #expect(entry["CLAIMSD_COLLECTION"]?.string == "packs")
            #expect(entry["CLAIMSD_HTTP_STATUS"]?.string == "401")
            #expect(try service.packs() == ["1", "2", "10"])

            // None: that is said too.
            try machine.check("rm /etc/claimsd/credentials/example")
            try machine.check("rm -r /etc/systemd/system/claimsd.service.d && systemctl daemon-reload")
            try machine.check("systemctl restart claimsd")
            let status = try service.connect().request("refresh", #"{"collection":"packs","wait":true,"force":true}"#)
            #expect(status.at("result", "collections", "0", "meta", "last_error", "kind")?.string == "credential")

            try machine.check("journalctl --sync")
            let folders = "/var/lib/claimsd /var/cache/claimsd /run/claimsd /var/log /run/log"
            #expect(try machine.run("journalctl -o export | grep -F \(secret)").status == .exited(1))
            #expect(try machine.run("grep -rF \(secret) \(folders)").status == .exited(1))
        }
    }

    /// A daemon that hangs is killed and started again.
    @Suite struct Watchdog {
        /// The threads that serve, store and schedule, and the one that watches them.
        private let threads = ["serve-0", "serve-1", "state", "schedule-0", "claimsd"]

        @Test func `a loop that makes no progress has the daemon killed and started again`() throws {
            let service = try InstalledService.fresh()
            let machine = service.machine
            let units = try (threads + ["well"]).map {
                try service.install(variant: $0, ["WatchdogSec=3s"])
            }
            try machine.check("systemctl daemon-reload && systemctl start \(units.joined(separator: " "))")
            for (thread, unit) in zip(threads, units) {
                // A control group that holds this one thread, and lets it not run. The others run on.
                try machine.check(
                    """
                    set -e
                    pid=$(systemctl show \(unit) -P MainPID)
                    group=/sys/fs/cgroup$(systemctl show \(unit) -P ControlGroup)
                    mkdir $group/wedge
                    echo threaded > $group/wedge/cgroup.type
                    for task in /proc/$pid/task/*; do
                      [ "$(cat $task/comm)" != \(thread) ] || echo ${task##*/} > $group/wedge/cgroup.threads
                    done
                    grep -q . $group/wedge/cgroup.threads
                    echo 1 > $group/wedge/cgroup.freeze
                    """)
            }
            for (thread, unit) in zip(threads, units) {
                try machine.eventually("test $(systemctl show \(unit) -P NRestarts) -ge 1")
                let journal = try machine.check("journalctl --sync; journalctl -u \(unit)")
                #expect(journal.contains("Watchdog timeout"), "\(journal)")
                // The watching program does not tell of itself.
                let name = thread == "schedule-0" ? "schedule" : thread
                if name != "claimsd" { #expect(journal.contains("no progress: \(name)"), "\(journal)") }
                try machine.eventually("systemctl is-active --quiet \(unit)")
                #expect(try service.ask("count --country", of: unit) != "")
            }
            // Nobody asked it anything, and it lives.
            #expect(try service.property("NRestarts", of: units[threads.count]) == "0")
            #expect(try service.journal(.loopStalled, of: units[threads.count]).isEmpty)
            try machine.check("systemctl stop \(units.joined(separator: " "))")
        }
    }
}
