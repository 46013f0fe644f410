// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsSystemd
import ClaimsTestSupport
import Testing

extension InstalledServiceTests {
    /// Folders that are full, read-only or taken.
    @Suite struct Storage {
        /// A file system of a few megabytes in place of a folder.
        private func mount(_ folder: String, _ service: InstalledService) throws {
            try service.machine.check(
                "mkdir -p \(folder) && mount -t tmpfs -o size=4m,mode=700,uid=claimsd,gid=claims tmpfs \(folder)")
        }

        /// Leaves no byte.
        private func fill(_ folder: String, _ service: InstalledService) throws {
            try service.machine.check(
                "cat /dev/zero > \(folder)/filler 2>/dev/null; test $(stat -f -c %a \(folder)) = 0")
        }

        @Test func `with a full state folder reads go on, changes are refused, and it recovers by itself`() throws {
            let service = try InstalledService.fresh()
            let machine = service.machine
            try mount("/var/lib/claimsd", service)
            try service.start()
            let client = try service.connect()
            let archived = try client.request("archive", #"{"collection":"packs","ids":["1"]}"#)
            #expect(archived.at("result", "changed", "0")?.string == "1")

            try fill("/var/lib/claimsd", service)
            // Room that the files have may still be used.
            var refusal: JSONValue?
            for number in 0..<100_000 {
                let method = number % 2 == 0 ? "unarchive" : "archive"
                let answer = try client.request(method, #"{"collection":"packs","ids":["1"]}"#)
                if answer["error"] != nil {
                    refusal = answer
                    break
                }
            }
            #expect(refusal?.errorKind == "storage_full", "\(String(describing: refusal))")
            #expect(refusal?.at("error", "code")?.integer == 1507)
            let before = try client.request("search", #"{"collection":"packs"}"#).ids
            #expect(before.count == 2 || before.count == 3)
            let detail = try client.request("detail", #"{"collection":"packs","id":"10"}"#)
            #expect(detail["result"] != nil)
            let full = try service.awaitJournal(.storageFull)
            #expect(full["PRIORITY"]?.string == "2")
            #expect(full["CLAIMSD_PATH"]?.string == "/var/lib/claimsd")
            // A refresh fails, and the data stays.
            try service.write(["/srv/packs.json": #"[{"id":"1"},{"id":"2"},{"id":"11"}]"#])
            let refresh = try client.request("refresh", #"{"collection":"packs","wait":true}"#)
            #expect(refresh.at("result", "collections", "0", "outcome")?.string == "failed", "\(refresh)")
            #expect(try client.request("search", #"{"collection":"packs"}"#).ids == before)
            #expect(try service.property("NRestarts") == "0")
            // A daemon that starts without room reads too.
            try machine.check("kill -9 $(systemctl show claimsd -P MainPID)")
            #expect(Set(try service.packs()) == Set(before))
            #expect(try machine.run("claimsctl archive --pack 10").status == .exited(1))

            try machine.check("rm /var/lib/claimsd/filler")
            let next = try service.connect()
            let again = try next.request("archive", #"{"collection":"packs","ids":["2"]}"#)
            #expect(again["result"] != nil, "\(again)")
            _ = try service.awaitJournal(.storageRecovered)
            // The schedule may have been faster.
            let refreshed = try next.request("refresh", #"{"collection":"packs","wait":true}"#)
            let outcome = try #require(refreshed.at("result", "collections", "0", "outcome")?.string)
            #expect(outcome == "updated" || outcome == "unchanged", "\(refreshed)")
            let served = Set(try next.request("search", #"{"collection":"packs"}"#).ids)
            #expect(served.contains("11") && !served.contains("2"))
            try machine.check("kill -9 $(systemctl show claimsd -P MainPID)")
            #expect(Set(try service.packs()) == served)
        }

        @Test func `with a full cache folder the old data is served, and the new once there is room`() throws {
            // Each refresh writes a file.
            let unit = "/etc/systemd/system/claimsd.service.d/test.conf"
            let service = try InstalledService.fresh([unit: "[Service]\nEnvironment=CLAIMSD_TEST_RECENT=0,0,0\n"])
            let machine = service.machine
            try mount("/var/cache/claimsd", service)
            try service.start()
            try fill("/var/cache/claimsd", service)
            let client = try service.connect()
            try service.write(["/srv/packs.json": #"[{"id":"1"},{"id":"2"},{"id":"11"}]"#])
            let refresh = try client.request("refresh", #"{"collection":"packs","wait":true}"#)
            #expect(refresh.at("result", "collections", "0", "outcome")?.string == "failed", "\(refresh)")
            #expect(try service.packs() == ["1", "2", "10"])
            // Changes need no cache.
            #expect(try client.request("archive", #"{"collection":"packs","ids":["2"]}"#)["result"] != nil)
            _ = try service.awaitJournal(.storageFull)
            #expect(try service.packs() == ["1", "10"])

            try machine.check("rm /var/cache/claimsd/filler")
            let refreshed = try client.request("refresh", #"{"collection":"packs","wait":true}"#)
            let outcome = try #require(refreshed.at("result", "collections", "0", "outcome")?.string)
            #expect(outcome == "updated" || outcome == "unchanged", "\(refreshed)")
            #expect(Set(try service.packs()) == ["1", "11"])
            #expect(try service.property("NRestarts") == "0")
        }

        @Test(arguments: [0, 3, 12])
        func `a damaged state database is moved aside, and what can be read of it is served`(page: Int) throws {
            let service = try InstalledService.fresh()
            let machine = service.machine
            try service.start()
            try service.ask("archive --pack 2")
            try machine.check("systemctl stop claimsd claimsd.socket && rm /srv/packs.json")
            // The first page is looked at on opening, others after the start only.
            let file = "/var/lib/claimsd/state.db"
            try machine.check("dd if=/dev/urandom of=\(file) bs=4096 seek=\(page) count=1 conv=notrunc status=none")
            try machine.check("systemctl start claimsd")
            let entry = try service.awaitJournal(.stateDamaged)
            #expect(entry["PRIORITY"]?.string == "2")
            let moved = try machine.check("ls /var/lib/claimsd").split(separator: "\n")
            let aside = try #require(entry["CLAIMSD_PATH"]?.string)
            #expect(moved.contains { aside == "/var/lib/claimsd/\($0)" }, "\(moved)")
            #expect(try service.ask("count --country") != "")
            let change = try service.connect().request("archive", #"{"collection":"packs","ids":["1"]}"#)
            #expect(change["result"] != nil, "\(change)")
        }

        @Test func `a folder that cannot be written ends the start with its name`() throws {
            let service = try InstalledService.fresh()
            let machine = service.machine
            for (variable, folder) in [("--cache-dir", "/srv/cache"), ("--state-dir", "/srv/state")] {
                let unit = try service.install(
                    variant: "readonly",
                    ["Restart=no", "ExecStart=", "ExecStart=/usr/bin/claimsd \(variable)=\(folder)"])
                try machine.check("mkdir -p \(folder) && chown claimsd \(folder) && systemctl daemon-reload")
                #expect(try machine.run("systemctl start \(unit)").isSuccess == false)
                #expect(try service.property("ExecMainStatus", of: unit) == "1")
                let entry = try #require(try service.journal(.folderUnusable, of: unit).first)
                #expect(entry["CLAIMSD_PATH"]?.string == folder)
                #expect(entry["MESSAGE"]?.string?.contains(folder) == true)
                #expect(entry["MESSAGE"]?.string?.contains("ead-only") == true, "\(entry)")
            }
        }

        @Test func `a second daemon on the same state is refused, with the process id of the first`() throws {
            let service = try InstalledService.fresh()
            let machine = service.machine
            try machine.check("systemctl start claimsd")
            let pid = try service.property("MainPID")
            let cache = "/var/cache/claimsd-second"
            try machine.check("mkdir -p \(cache) && chown claimsd \(cache)")
            let call = "claimsd --socket=\(cache)/socket --cache-dir=\(cache) --state-dir=/var/lib/claimsd"
            let second = try machine.run("runuser -u claimsd -- \(call)")
            #expect(second.status == .exited(1))
            #expect(second.error.contains("process \(pid)"), "\(second.error)")
            // Root looks at the folder's owner before all else.
            let byRoot = try machine.run(call)
            #expect(byRoot.status == .exited(78))
            #expect(byRoot.error.contains("/var/lib/claimsd belongs to the user claimsd"), "\(byRoot.error)")
            #expect(try machine.run("test -e \(cache)/socket").isSuccess == false)
            // And on the same socket.
            let third = try machine.run(
                """
                claimsd --cache-dir=/var/cache/claimsd-third --state-dir=/var/lib/claimsd-third \
                  --socket=/run/claimsd/claimsd.sock
                """)
            #expect(third.status == .exited(1))
            #expect(third.error.contains("process"), "\(third.error)")
            #expect(try service.ask("count --country") != "")
        }
    }
}
