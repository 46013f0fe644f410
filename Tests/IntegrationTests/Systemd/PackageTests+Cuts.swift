// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
import Testing

extension PackageTests {
    /// dpkg and its maintainer script are killed in the middle, as by a power cut; then dpkg repairs what is left, and the
    /// step is taken again.
    @Suite struct Cuts {
        /// Runs a command in which dpkg is killed, and the script that it runs, where that calls `tool`.
        private func cut(at tool: String, _ service: PackagedService, _ command: String) throws {
            let result = try service.machine.run(
                """
                mkdir -p /cut && rm -f /cut/* && cat > /cut/\(tool) <<'END'
                #!/bin/sh
                touch /cut/was-here
                kill -9 $(pidof dpkg)
                kill -9 $PPID
                END
                chmod 755 /cut/\(tool)
                PATH=/cut:$PATH \(command)
                """)
            #expect(!result.isSuccess && Files.exists(service.machine.path("/cut/was-here")), "\(tool): \(result)")
            try service.machine.eventually("! pidof dpkg")
            // The next step repairs what dpkg cannot by itself.
            _ = try service.machine.run("dpkg --configure --pending")
        }

        @Test func `an upgrade that was cut off is finished by the next`() throws {
            let service = try PackagedService()
            try service.install(.old)
            try service.awaitRecords()
            let socket = try service.socket()
            var version = PackagedService.Version.old
            for tool in ["od", "claimsd", "systemctl", "deb-systemd-invoke"] {
                let process = try service.process()
                version = version == .old ? .new : .old
                try cut(at: tool, service, "dpkg --install \(service.package(version))")
                #expect(try service.packs() == ["1", "2", "10"], "served all along")
                try service.install(version)
                #expect(try service.isInstalled(version) && service.process() != process, "\(tool)")
                #expect(try service.packs() == ["1", "2", "10"])
                #expect(!Files.exists(service.machine.path("/run/claimsd.upgrade")))
            }
            #expect(try service.socket() == socket)
        }

        @Test func `an installation, a removal and a purge that were cut off are finished by the next`() throws {
            let service = try PackagedService()
            let machine = service.machine
            try cut(at: "systemd-sysusers", service, "dpkg --install \(service.package(.old))")
            try service.install(.old)
            #expect(try service.isInstalled(.old) && service.activity() == ["active", "active"])
            try service.awaitRecords()
            try machine.check("claimsctl archive --pack 2")
            for tool in ["deb-systemd-invoke", "rm"] {
                try cut(at: tool, service, "dpkg --remove claimsd")
                try machine.check("dpkg --remove claimsd")
                #expect(try service.activity() == ["inactive", "inactive"])
                #expect(try service.installed().hasPrefix("rc "))
                try service.install(.old)
                #expect(try service.packs() == ["1", "10"])
            }
            try cut(at: "rmdir", service, "dpkg --purge claimsd")
            try machine.check("dpkg --purge claimsd")
            #expect(try service.installed() == "")
            let left = "find /var/lib/claimsd /var/cache/claimsd /etc/systemd/system -name '*claims*'"
            #expect(try machine.run(left).output == "")
        }
    }
}
