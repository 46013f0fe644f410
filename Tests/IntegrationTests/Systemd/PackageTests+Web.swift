// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
import Testing

extension PackageTests {
    /// The package of the page, over a Cockpit that is installed.
    @Suite(.enabled(if: Files.exists("/usr/bin/cockpit-bridge"), "cockpit-bridge is not installed"))
    struct Web {
        private static let folder = "/usr/share/cockpit/claims"

        /// Installs the daemon and the page, or upgrades both.
        private func install(_ version: PackagedService.Version, on service: PackagedService) throws {
            let page = try #require(try PackagedService.packages(version).first { $0.contains("/cockpit-claimsd_") })
            try service.machine.check("dpkg --install \(service.package(version)) \(page) 2>&1")
        }

        @Test func `the page is files alone, where Cockpit looks, through an upgrade and until it is removed`() throws {
            let service = try PackagedService()
            let machine = service.machine
            for version in PackagedService.Version.allCases {
                try install(version, on: service)
                let state = try machine.check(
                    "dpkg-query --show --showformat='${db:Status-Abbrev}${Version}' cockpit-claimsd")
                #expect(state.hasPrefix("ii ") && state.hasSuffix(version.rawValue))
                let named = try machine.check("claimsd --version").dropFirst("claimsd ".count).dropLast()
                let files = try machine.check("cd \(Self.folder) && ls").split(separator: "\n").map(String.init)
                #expect(
                    Set(files)
                        == [
                            "index.html", "link.html", "manifest.json", "po.manifest.pl.js", "po.pl.js", "start.js",
                            "version.json", String(named),
                        ])
                #expect(try machine.check("cat \(Self.folder)/version.json").contains(#""version": "\#(named)""#))
                #expect(try machine.check("dpkg --verify cockpit-claimsd") == "")
            }
            // No setting, unit or script; nothing that others may write.
            #expect(try machine.check("dpkg-query --control-list cockpit-claimsd") == "md5sums\n")
            let outside = try machine.check(
                """
                dpkg --listfiles cockpit-claimsd | while read -r file; do [ -d "$file" ] || echo "$file"; done \
                  | grep --invert-match --extended-regexp '^(\(Self.folder)|/usr/share/doc)/' || true
                """)
            #expect(outside == "")
            #expect(try machine.check("find \(Self.folder) ! -type d ! -perm 644 -o ! -user root") == "")
            let known = try machine.check("cockpit-bridge --packages")
            #expect(known.contains("claims") && known.contains(" \(Self.folder)\n"), "\(known)")
            let process = try service.process()
            try machine.check("dpkg --remove cockpit-claimsd")
            #expect(!Files.exists(machine.path(Self.folder)))
            #expect(try service.process() == process)
        }

        @Test func `the page does not go before the daemon that it needs`() throws {
            let service = try PackagedService()
            let page = try #require(try PackagedService.packages(.new).first { $0.contains("/cockpit-claimsd_") })
            try service.install(.old)
            let refused = try service.machine.run("dpkg --install \(page) 2>&1")
            #expect(!refused.isSuccess && refused.output.contains("claimsd (>= "), "\(refused.output)")
            try service.machine.check("dpkg --purge cockpit-claimsd")
            #expect(try service.activity() == ["active", "active"])
        }
    }
}
