// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// The package as dpkg installs, upgrades, removes and purges it, on a machine with a real systemd.
@Suite(.needsPackaging, .serialized) struct PackageTests {
    private static let definition = "/etc/claimsd/collections.d/packs.json5"
    private static let mistake = "echo '{ source: { intervall: 3 } }' > \(definition)"

    @Test(.enabled(if: Files.exists("/usr/bin/lintian"), "lintian is not installed"))
    func `lintian finds nothing but what comes of programs that were built for tests, and of packing them fast`() throws
    {
        let expected = [
            "custom-library-search-path", "uses-no-compression-for-control-tarball",
            "uses-no-compression-for-data-tarball",
        ]
        let found = try SystemdMachine.command(
            "lintian",
            ["--allow-root", "--fail-on", "error,warning", "--suppress-tags", expected.joined(separator: ",")]
                + PackagedService.packages(.old), timeout: .seconds(300))
        #expect(found.isSuccess, "\(found.output)\(found.error)")
    }

    @Test func `an installation enables and starts the service`() throws {
        let service = try PackagedService()
        try service.install(.old)
        try service.awaitRecords()
        #expect(try service.isInstalled(.old))
        #expect(try service.activity() == ["active", "active"])
        let enabled = try service.machine.check("systemctl is-enabled claimsd.service claimsd.socket")
        #expect(enabled == "enabled\nenabled\n")
        #expect(try service.machine.check("dpkg --verify claimsd") == "")
    }

    @Test func `a package over what make install has copied restarts the service`() throws {
        let service = try PackagedService()
        let programs = Paths.parent(try BuiltProgram.path("claimsd"))
        try service.machine.check(
            """
            umask 022 && make -C \(Repository.root) install BIN=\(programs) MAN=/nonexistent 2>&1 &&
            systemctl enable --now claimsd.socket claimsd.service
            """, timeout: .seconds(120))
        try service.awaitRecords()
        let process = try service.process()
        try service.install(.old)
        try service.awaitRecords()
        #expect(try service.isInstalled(.old) && service.activity() == ["active", "active"])
        #expect(try service.process() != process)
    }

    @Test func `a tarball beside the package warns, and its removal stops only what is its own`() throws {
        let service = try PackagedService()
        let machine = service.machine
        try service.install(.old)
        try service.awaitRecords()
        // The files of a tarball: the script, its list, and what the list names.
        let names =
            "bin/claimsd lib/systemd/system/claimsd.service lib/systemd/system/claimsd.socket "
            + "lib/systemd/user/claimsd.service lib/sysusers.d/claimsd.conf lib/tmpfiles.d/claimsd.conf "
            + "share/claimsd/claimsd.json5"
        try machine.check(
            """
            mkdir -p /tmp/tree/usr && cd /usr && cp --parents -L \(names) /tmp/tree/usr && printf '%s\\n' \(names) > /tmp/tree/files
            """)
        let script = try Files.readAll(Paths.join(Repository.root, ".package/install.sh"), cap: 1 << 16)
        try Files.writeAtomically(machine.path("/tmp/tree/install.sh"), script)
        try machine.check("chmod +x /tmp/tree/install.sh")
        let elsewhere = try machine.check(
            "/tmp/tree/install.sh --prefix /opt/claims 2>&1 && /tmp/tree/install.sh --prefix /opt/claims --uninstall")
        #expect(!elsewhere.contains("Warning: there is a package"), "\(elsewhere)")
        #expect(try service.activity() == ["active", "active"])
        let told = try machine.check("/tmp/tree/install.sh --prefix /usr/local 2>&1")
        #expect(told.contains("Warning: there is a package of claimsd beside this"), "\(told)")
        let removed = try machine.check("/tmp/tree/install.sh --prefix /usr/local --uninstall 2>&1")
        #expect(removed.contains("To start it: systemctl start claimsd.socket claimsd"), "\(removed)")
        try machine.check("systemctl start claimsd.socket claimsd")
        #expect(try service.activity() == ["active", "active"])
        #expect(
            try machine.check("systemctl is-enabled claimsd.service claimsd.socket") == "enabled\nenabled\n")
        #expect(try machine.check("dpkg --verify claimsd") == "")
    }

    @Test func `an upgrade under load loses no request, and leaves the socket alone, in a folder of root's`() throws {
        let service = try PackagedService()
        try service.install(.old)
        try service.awaitRecords()
        // As versions before had it.
        try service.machine.check("chown claimsd:claims /run/claimsd")
        let (socket, process) = (try service.socket(), try service.process())
        let path = service.machine.path("/run/claimsd/claimsd.sock")
        let load = try RequestLoad([.connecting, .staying], at: path)
        try load.awaitAnswers()
        for version in [PackagedService.Version.new, .old] {
            try service.install(version)
            #expect(try service.isInstalled(version))
            try load.awaitAnswers()
            #expect(try service.machine.check("stat --format='%U:%G %a' /run/claimsd") == "root:root 755\n")
        }
        #expect(load.stop() == [])
        #expect(try service.process() != process)
        #expect(try service.socket() == socket)
        #expect(try service.machine.check("systemctl show claimsd -P NRestarts") == "0\n")
    }

    @Test func `a mistake that only the new version sees leaves the old daemon serving, and says what to do`() throws {
        let service = try PackagedService()
        let machine = service.machine
        try service.install(.old)
        try service.awaitRecords()
        let process = try service.process()
        // The old program is asked before it is unpacked, the new one when it is configured.
        try machine.check("dpkg --unpack \(service.package(.new))")
        try machine.check(Self.mistake)
        let told = try machine.check("dpkg --configure claimsd 2>&1")
        #expect(told.contains("source.intervall") && told.contains("systemctl restart claimsd"), "\(told)")
        #expect(try service.isInstalled(.new))
        #expect(try service.process() == process)
        #expect(try service.packs() == ["1", "2", "10"])
        try machine.check("echo '\(InstalledService.site)' > \(Self.definition) && systemctl restart claimsd")
        #expect(try service.process() != process)
        #expect(try service.packs() == ["1", "2", "10"])
    }

    @Test func `a mistake that stood before does not keep the new version out`() throws {
        let service = try PackagedService()
        try service.install(.old)
        try service.awaitRecords()
        let process = try service.process()
        try service.machine.check(Self.mistake)
        try service.install(.new)
        #expect(try service.process() != process)
        #expect(try service.packs() == ["1", "2", "10"])
    }

    @Test func `a service that has failed is started by an upgrade, and one that was stopped stays so`() throws {
        let service = try PackagedService()
        let machine = service.machine
        try service.install(.old)
        try service.awaitRecords()
        let dropIn = "/etc/systemd/system/claimsd.service.d"
        try machine.check(
            """
            mkdir -p \(dropIn) && printf '[Service]\\nExecStart=\\nExecStart=/bin/sh -c "exit 78"\\n' > \(dropIn)/no.conf
            systemctl daemon-reload && ! systemctl restart claimsd
            rm -r \(dropIn)
            """)
        #expect(try service.activity().first == "failed")
        try service.install(.new)
        #expect(try service.activity() == ["active", "active"])
        #expect(try service.packs() == ["1", "2", "10"])

        try machine.check("systemctl stop claimsd.service claimsd.socket")
        try service.install(.old)
        #expect(try service.activity() == ["inactive", "inactive"])
    }

    @Test func `an older version is installed where it knows the state, and refused where it does not`() throws {
        let service = try PackagedService()
        let machine = service.machine
        try service.install(.new)
        try service.awaitRecords()
        try service.install(.old)
        #expect(try service.isInstalled(.old))
        let process = try service.process()
        // As a newer version would leave it: the version is the last of these four bytes.
        let state = "/var/lib/claimsd/state.db"
        try machine.check("printf '\\143' | dd of=\(state) bs=1 seek=63 conv=notrunc status=none")
        let files =
            "find /usr/bin/claims* /usr/share/claimsd /lib/systemd/system/claimsd* -printf '%p %i %T@\\n' | sort"
        let before = try machine.check(files)
        let refused = try machine.run("dpkg --install \(service.package(.new)) 2>&1")
        #expect(!refused.isSuccess)
        for word in ["has version 99", "versions up to", "apt purge claimsd", "Nothing has been changed"] {
            #expect(refused.output.contains(word), "\(refused.output)")
        }
        #expect(try service.isInstalled(.old))
        #expect(try machine.check(files) == before)
        #expect(try service.process() == process)
        #expect(try service.packs() == ["1", "2", "10"])
    }

    @Test func `what was removed is there again after an installation, and a purge names what it leaves`() throws {
        let service = try PackagedService()
        let machine = service.machine
        let all =
            "find /etc /var/lib /var/cache /run /srv /usr/share/claimsd /usr/share/doc/claimsd /usr/bin "
            + "/lib/systemd /usr/lib/sysusers.d /usr/lib/tmpfiles.d ! -type d ! -path '/var/lib/dpkg/*' "
            + "! -path '/run/systemd/*' ! -path '/run/log/*' ! -path '/var/cache/man/*' 2>/dev/null | sort -u"
        let before = Set(try machine.run(all).output.split(separator: "\n"))
        try service.install(.old)
        try service.awaitRecords()
        try machine.check("claimsctl archive --pack 2")
        let clock = try service.clock()
        let trigger = "/etc/claimsd/triggers.d/t.json5"
        try machine.check(
            """
            echo '{ collection: "packs", command: ["/bin/true"] }' >\(trigger)
            systemctl enable --now claimsd-trigger@t
            """)
        let runner = try machine.check("systemctl show -P MainPID claimsd-trigger@t").dropLast()

        // An upgrade restarts instances, and a removal stops them.
        try service.install(.new)
        try machine.eventually(
            "pid=$(systemctl show -P MainPID claimsd-trigger@t) && test $pid != 0 && test $pid != \(runner)")
        // Its first cut may be under way.
        try machine.eventually(#"claimsctl trigger t -o json | grep -q '"state":"waiting"'"#)
        try machine.check("dpkg --remove claimsd")
        #expect(try machine.run("systemctl is-active claimsd-trigger@t").output == "inactive\n")
        #expect(try machine.check("ls /var/lib/private/claimsd-trigger/t").contains("told"))
        #expect(try service.activity() == ["inactive", "inactive"])
        #expect(try machine.run("ls /var/cache/claimsd /run/claimsd /usr/bin/claimsd").output == "")
        try service.install(.new)
        #expect(try service.activity() == ["active", "active"])
        #expect(try service.packs() == ["1", "10"])
        // Only the bundles, which come from the package, were read anew: each is a commit.
        let now = try service.clock()
        #expect(now.epoch == clock.epoch && now.seq >= clock.seq, "\(now), and before \(clock)")

        try machine.check("rm \(trigger)")
        let told = try machine.check("dpkg --purge claimsd")
        #expect(told.contains("\n\(Self.definition)\n"), "\(told)")
        #expect(try service.installed() == "")
        let after = Set(try machine.run(all).output.split(separator: "\n"))
        // The users and groups that stay, too, and what systemd keeps of them.
        let left = after.subtracting(before).filter { !$0.hasPrefix("/etc/passwd") && !$0.hasPrefix("/etc/group") }
        #expect(left.filter { !$0.hasPrefix("/etc/shadow") && !$0.hasPrefix("/etc/gshadow") } == [])
        #expect(try machine.run("ls -d /var/lib/claimsd /var/cache/claimsd /run/claimsd").output == "")
        #expect(
            try machine.check("getent passwd claimsd && getent group claims claims-write claims-admin").contains(
                "claimsd"))
    }

    @Test func `where systemd does not run, all is installed and nothing is started`() throws {
        let service = try PackagedService()
        try service.machine.check(
            """
            unshare --mount sh -c 'mount -t tmpfs tmpfs /run && dpkg --install \(service.package(.old)) \
              && dpkg --install \(service.package(.new)) && dpkg --remove claimsd && dpkg --install \(service.package(.old))'
            """)
        #expect(try service.isInstalled(.old))
        #expect(try service.process() == "0")
        let enabled = try service.machine.check("systemctl is-enabled claimsd.service claimsd.socket")
        #expect(enabled == "enabled\nenabled\n")
    }
}
