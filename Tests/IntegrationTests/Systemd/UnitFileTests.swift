// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

/// The files in `systemd/`, as systemd's own tools see them; no root needed.
@Suite(.enabled(if: Files.exists("/usr/bin/systemd-analyze"), "systemd is not installed"))
struct UnitFileTests {
    private let folder = Paths.join(Repository.root, "systemd")

    @Test func `the service's exposure is at most 1.4`() throws {
        let result = try SystemdMachine.command(
            "systemd-analyze",
            ["security", "--offline=yes", "--threshold=14", "--no-pager", Paths.join(folder, "claimsd.service")],
            timeout: .seconds(30))
        #expect(result.isSuccess, "\(result.output.split(separator: "\n").last ?? "")\(result.error)")
    }

    @Test func `the exposure of the metrics' service is at most 1.4`() throws {
        let result = try SystemdMachine.command(
            "systemd-analyze",
            [
                "security", "--offline=yes", "--threshold=14", "--no-pager",
                Paths.join(folder, "claimsd-metrics.service"),
            ],
            timeout: .seconds(30))
        #expect(result.isSuccess, "\(result.output.split(separator: "\n").last ?? "")\(result.error)")
    }

    @Test func `a trigger's exposure is at most 1.4, and each instance is a user of its own`() throws {
        let folder = try TemporaryFolder(prefix: "claimsd-units")
        let text = try Files.readText(Paths.join(self.folder, "claimsd-trigger@.service"), cap: 1 << 16)
        let unit = try folder.write("claimsd-trigger@one.service", text)
        let result = try SystemdMachine.command(
            "systemd-analyze", ["security", "--offline=yes", "--threshold=14", "--no-pager", unit],
            timeout: .seconds(30))
        #expect(result.isSuccess, "\(result.output.split(separator: "\n").last ?? "")\(result.error)")
        let settings = text.split(separator: "\n")
        for setting in ["DynamicUser=yes", "User=trigger-%i", "Type=notify", "RestartPreventExitStatus=2 9"] {
            #expect(settings.contains { $0 == setting }, "\(setting)")
        }
        for setting in ["MemoryDenyWriteExecute", "PrivateUsers=", "Requires=", "RuntimeDirectoryPreserve"] {
            #expect(!settings.contains { $0.hasPrefix(setting) }, "\(setting)")
        }
    }

    @Test func `nothing that breaks peer credentials is set, and nothing that systemd 252 does not know`() throws {
        for name in ["claimsd.service", "user/claimsd.service"] {
            let text = try Files.readText(Paths.join(folder, name), cap: 1 << 16)
            let settings = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            for setting in ["PrivateUsers=yes", "ProtectProc=invisible", "Type=notify-reload"] {
                #expect(!settings.contains { $0 == setting })
            }
            #expect(settings.contains("Type=notify"))
            // A folder that is missing would become the daemon's own.
            #expect(!settings.contains { $0.hasPrefix("ConfigurationDirectory=") })
        }
    }

    @Test func `the folder of the socket is root's, and no process of the daemon's user can swap the socket`() throws {
        let service = try Files.readText(Paths.join(folder, "claimsd.service"), cap: 1 << 16).split(separator: "\n")
        #expect(!service.contains { $0.hasPrefix("RuntimeDirectory") })
        #expect(service.contains("Environment=RUNTIME_DIRECTORY=/run/claimsd"))
        // After an upgrade, too.
        let files = try Files.readText(Paths.join(folder, "claimsd.tmpfiles"), cap: 1 << 16).split(separator: "\n")
        #expect(files.contains("d /run/claimsd 0755 root root -"))
    }

    @Test func `a service that cannot start ends within seconds, and a reload is checked when it is done`() throws {
        for name in ["claimsd.service", "user/claimsd.service"] {
            let text = try Files.readText(Paths.join(folder, name), cap: 1 << 16)
            let settings = text.split(separator: "\n")
            for setting in [
                "StartLimitIntervalSec=10s", "StartLimitBurst=5", "RestartSec=1s", "RestartPreventExitStatus=78 243",
                "Restart=on-failure",
            ] {
                #expect(settings.contains { $0 == setting }, "\(name): \(setting)")
            }
            let reload = settings.filter { $0.hasPrefix("ExecReload=") }
            #expect(reload == ["ExecReload=kill -HUP $MAINPID", "ExecReload=/usr/bin/claimsd --check-config"])
        }
    }

    @Test func `a service below another prefix finds its programs and its vendor files there`() throws {
        let root = try TemporaryFolder(prefix: "claimsd-prefix")
        let programs = Paths.parent(try BuiltProgram.path("claimsd"))
        let made = try SystemdMachine.command(
            "make",
            [
                "--silent", "--directory", Repository.root, "install", "DESTDIR=\(root.path)", "PREFIX=/usr/local",
                "BIN=\(programs)", "MAN=",
            ], timeout: .seconds(60))
        #expect(made.isSuccess, "\(made.error)")
        for name in ["system", "user"] {
            let unit = try root.read("usr/local/lib/systemd/\(name)/claimsd.service")
            #expect(unit.contains("\nExecStart=/usr/local/bin/claimsd"), "\(unit)")
            #expect(unit.contains("\nEnvironment=CLAIMSD_DATA_DIR=/usr/local/share/claimsd\n"), "\(unit)")
        }
        let metrics = try root.read("usr/local/lib/systemd/system/claimsd-metrics.service")
        #expect(metrics.contains("\nExecStart=/usr/local/bin/claimsctl metrics "), "\(metrics)")
    }

    @Test func `systemd finds no fault with the units`() throws {
        let root = try TemporaryFolder(prefix: "claimsd-units")
        let units = ["claimsd.service", "claimsd.socket", "claimsd-metrics.service", "claimsd-metrics.timer"]
        for name in units {
            let text = try Files.readText(Paths.join(folder, name), cap: 1 << 16)
            // The programs need not be installed here.
            try root.write(
                name,
                text.replacing("/usr/bin/claimsd", with: "/bin/true").replacing("/usr/bin/claimsctl", with: "/bin/true")
            )
        }
        let result = try SystemdMachine.command(
            "systemd-analyze", ["verify", "--man=no"] + units.map { root($0) },
            timeout: .seconds(30))
        #expect(result.isSuccess && result.error == "", "\(result.error)")
    }

    @Test(.enabled(if: geteuid() == 0, "not run as root"))
    func `the user and the group are made, with the group as the user's own`() throws {
        let root = try TemporaryFolder(prefix: "claimsd-users")
        try root.write("etc/group", "")
        let result = try SystemdMachine.command(
            "systemd-sysusers", ["--root=\(root.path)", Paths.join(folder, "claimsd.sysusers")], timeout: .seconds(30))
        #expect(result.isSuccess, "\(result.error)")
        let group = try #require(Accounts.group(named: "claims", root: root.path))
        let user = try #require(Accounts.user(named: "claimsd", root: root.path))
        let line = try #require(
            try root.read("etc/passwd").split(separator: "\n").first { $0.hasPrefix("claimsd:") })
        #expect(line.split(separator: ":")[2...3] == ["\(user)", "\(group)"])
    }
}
