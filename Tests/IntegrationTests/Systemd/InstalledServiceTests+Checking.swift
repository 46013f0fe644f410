// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsSystemd
import ClaimsTestSupport
import Testing

extension InstalledServiceTests {
    /// `claimsd --check-config` on an installed machine, and the credentials that it looks at.
    @Suite struct Checking {
        private let broken = ["/etc/claimsd/collections.d/packs.json5": "{ source: { intervall: 3 } }"]

        @Test func `root checks with the rights of the daemon's user, and is told that`() throws {
            let service = try InstalledService.fresh()
            let machine = service.machine
            let good = try machine.run("claimsd --check-config")
            #expect(good.status == .exited(0), "\(good.error)")
            #expect(good.output.hasPrefix("the configuration is good, as the user claimsd reads it: claims, countries"))
            #expect(good.error == "")
            // Root could read this one.
            try machine.check("chmod 600 /etc/claimsd/collections.d/packs.json5")
            let bad = try machine.run("claimsd --check-config")
            #expect(bad.status == .exited(78))
            #expect(bad.error.contains("packs.json5: cannot be read"), "\(bad.error)")
            #expect(bad.error.contains("1 mistake, as the user claimsd reads it"), "\(bad.error)")
            // The owner of the state folder is the one who counts.
            try machine.check("mkdir -m 700 /var/lib/claimsd && chmod 644 /etc/claimsd/collections.d/packs.json5")
            let root = try machine.run("claimsd --check-config")
            #expect(root.output.hasPrefix("the configuration is good: "), "\(root.output)\(root.error)")
            try machine.check("chown 4711:4711 /var/lib/claimsd")
            let stranger = try machine.run("claimsd --check-config")
            #expect(stranger.output.contains(", as the user 4711 reads it: "), "\(stranger.output)\(stranger.error)")
        }

        @Test func `a reload is red while anything is not good, and green once it is mended`() throws {
            let service = try InstalledService.fresh()
            let machine = service.machine
            try service.start()
            try service.write(broken)
            try service.write(["/etc/claimsd/collections.d/units.json5": #"{ title: "Machines" }"#])
            let reload = try machine.run("systemctl reload claimsd")
            #expect(!reload.isSuccess)
            #expect(try service.property("ActiveState") == "active")
            // The good part has been taken all the same.
            try machine.eventually("claimsctl describe --unit -o json | grep -q Machines")
            #expect(try service.packs() == ["1", "2", "10"])
            try service.write(["/etc/claimsd/collections.d/packs.json5": InstalledService.site])
            try machine.check("systemctl reload claimsd")
            #expect(try service.property("NRestarts") == "0")
        }

        @Test func `a credential reaches its upstream from the folder, and a missing one costs its collection only`()
            throws
        {
            func source(_ name: String) -> String {
                let url = "http://127.0.0.1:\(InstalledService.port)/packs.json"
                return "{ source: { url: \"\(url)\", credential: \"\(name)\" } }"
            }
            let service = try InstalledService.fresh([
                "/etc/claimsd/collections.d/packs.json5": source("example"),
                "/etc/claimsd/collections.d/units.json5": source("other"),
                "/etc/claimsd/credentials/example": "s3cret\n",
            ])
            let machine = service.machine
            try machine.check("chmod 600 /etc/claimsd/credentials/example")
            try service.startUpstream()
            try service.misbehave("packs.json", #"{"require":{"authorization":"Bearer s3cret"}}"#)
            try service.start()
            #expect(try service.packs() == ["1", "2", "10"])
            let answer = try service.connect().request("refresh", #"{"collection":"units","wait":true,"force":true}"#)
            let failure = answer.at("result", "collections", "0", "meta", "last_error")
            #expect(failure?["kind"]?.string == "credential", "\(answer)")
            #expect(failure?["message"]?.string?.contains("'other'") == true)
            let status = try machine.run("claimsctl status -o table")
            #expect((status.output + status.error).contains("/etc/claimsd/credentials"), "\(status)")
            // The check says the same, and is no error.
            let column = source("other").utf8.count - "\"other\" } }".utf8.count + 1
            let check = try machine.run("claimsd --check-config")
            #expect(check.status == .exited(0))
            #expect(
                check.error
                    == "claimsd: warning: /etc/claimsd/collections.d/units.json5:1:\(column): source.credential: "
                    + "/etc/claimsd/credentials/other is missing, unless a drop-in of the service loads it\n")
            // Dropped in, and restarted.
            try service.write(["/etc/claimsd/credentials/other": "s3cret"])
            try machine.check("systemctl restart claimsd")
            let after = try service.connect().request("refresh", #"{"collection":"units","wait":true,"force":true}"#)
            #expect(after.at("result", "collections", "0", "outcome")?.string == "updated", "\(after)")
        }

        @Test func `root is told of credentials that cannot be used, and of files that the service does not see`()
            throws
        {
            let fields = "fields: { id: { type: 'id', from: '/id' } }"
            let service = try InstalledService.fresh([
                "/etc/claimsd/credentials/token": "two words", "/etc/claimsd/credentials/pem": "no certificate",
                "/etc/claimsd/credentials/good": "s3cret\n",
                "/etc/claimsd/collections.d/a.json5":
                    "{ source: { url: 'https://a.example/', credential: 'token', tls: { ca: 'pem' } }, \(fields) }",
                "/etc/claimsd/collections.d/b.json5":
                    "{ source: { url: 'https://a.example/', credential: 'good' }, \(fields) }",
                "/etc/claimsd/collections.d/c.json5": "{ source: { url: 'file:///home/joe/c.json' }, \(fields) }",
                "/etc/claimsd/collections.d/d.json5": "{ bundle: '/tmp/d/d.json', \(fields) }",
                "/tmp/d/d.json": "[]", "/home/joe/e.json5": "{ \(fields) }",
            ])
            let machine = service.machine
            try machine.check(
                """
                chmod 600 /etc/claimsd/credentials/*; chmod -R a+rX /home/joe /tmp/d
                ln -s /home/joe/e.json5 /etc/claimsd/collections.d/e.json5
                """)
            let check = try machine.run("claimsd --check-config")
            #expect(check.status == .exited(0), "\(check.error)")
            let folder = "/etc/claimsd/credentials"
            for part in [
                "source.credential: \(folder)/token cannot be used: it is empty, or has characters",
                "source.tls.ca: \(folder)/pem cannot be used: it has no certificate as PEM",
                "source.url: /home/joe/c.json: the service does not see /home",
                "bundle: /tmp/d/d.json: the service does not see /tmp",
                "/etc/claimsd/collections.d/e.json5: the service does not see /home",
            ] {
                #expect(check.error.contains("warning: ") && check.error.contains(part), "\(part): \(check.error)")
            }
            #expect(check.error.split(separator: "\n").count == 5, "\(check.error)")
            #expect(!check.error.contains("two words"))
        }

        @Test func `warnings are told, and are no errors`() throws {
            let service = try InstalledService.fresh([
                "/etc/claimsd/claimsd.json5":
                    "{ roles: { admin: { users: ['nobdy'], groups: ['claims', 'wheels', 77] } } }",
                "/etc/claimsd/collections.d/packs.json": "{}",
                "/etc/claimsd/collections.d/packs.json5~": "{}",
                "/etc/claimsd/credentials/a:b": "x", "/etc/claimsd/credentials/zażółć": "x",
            ])
            let machine = service.machine
            try machine.check("truncate -s 2M /etc/claimsd/credentials/large")
            let check = try machine.run("claimsd --check-config")
            #expect(check.status == .exited(0))
            let folder = "/etc/claimsd/credentials"
            for part in [
                "collections.d/packs.json: ignored", "collections.d/packs.json5~: ignored",
                "roles.admin.users: this machine has no user called 'nobdy'",
                "roles.admin.groups: this machine has no group called 'wheels'",
                "\(folder)/a:b: systemd does not start the service with this name",
                "\(folder)/zażółć: systemd does not start the service with this name",
                "\(folder): systemd does not start the service with more than 1 MiB",
                "\(folder)/a:b: others than root may read it", "\(folder)/zażółć: others than root may read it",
                "\(folder)/large: others than root may read it",
            ] {
                #expect(check.error.contains("warning: ") && check.error.contains(part), "\(part): \(check.error)")
            }
            #expect(check.error.split(separator: "\n").count == 10, "\(check.error)")
            try machine.check("rm -r /etc/claimsd/collections.d")
            let half = try machine.run("claimsd --check-config")
            #expect(half.status == .exited(0))
            #expect(half.error.contains("/etc/claimsd/collections.d: there is no such folder"), "\(half.error)")
            try machine.check("rm -r /etc/claimsd")
            let bare = try machine.run("claimsd --check-config")
            #expect(bare.status == .exited(0))
            #expect(bare.error.contains("/etc/claimsd: there is no such folder"), "\(bare.error)")
            let nothing = try machine.run("claimsd --check-config --data-dir=/nowhere")
            #expect(nothing.status == .exited(78))
            #expect(nothing.error.contains("/nowhere: the data folder is missing"), "\(nothing.error)")
        }

        @Test func `the configuration's folder is root's, also where it was the daemon's`() throws {
            let service = try InstalledService.fresh()
            let machine = service.machine
            try machine.check("chown -R claimsd:claims /etc/claimsd && chmod 777 /etc/claimsd/credentials")
            try machine.check("systemd-tmpfiles --create claimsd.conf")
            let folders = "/etc/claimsd /etc/claimsd/collections.d /etc/claimsd/credentials"
            #expect(
                try machine.check("stat -c '%a %U:%G' \(folders)")
                    == "755 root:root\n755 root:root\n700 root:root\n")
            // Started without the folder, the daemon does not get it as its own.
            try machine.check("systemctl start claimsd && systemctl stop claimsd claimsd.socket")
            #expect(try machine.check("stat -c '%U' /etc/claimsd") == "root\n")
        }

        @Test func `the state database is its owner's alone, whatever the umask`() throws {
            let service = try InstalledService.fresh()
            let machine = service.machine
            for umask in ["0000", "0777"] {
                let unit = try service.install(variant: "mask", ["UMask=\(umask)"])
                try machine.check("systemctl daemon-reload && systemctl start \(unit)")
                let modes = try machine.check("stat -c '%a' /var/lib/\(unit)/state.db*")
                #expect(modes == "600\n600\n600\n")
                try machine.check("systemctl stop \(unit) && rm -r /var/lib/\(unit)")
            }
        }
    }
}
